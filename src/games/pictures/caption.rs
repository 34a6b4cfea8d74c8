//! Words above and below pictures.

use super::ask::Ask;
use sarsen_rules::phrases::listed;
use sarsen_rules::{Outcome, Seat, Verdict};

/// The text, cut to this number of characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The text in at most `lines` lines of about `most` characters, cut between words; the last one ends in "…" if there
/// is more.
pub(crate) fn wrapped(text: &str, most: usize, lines: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let full = found.len() >= lines;
        match found.last_mut() {
            Some(line) if full || line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => found.push(word.to_owned()),
        }
    }
    found.iter().map(|line| cut(line, most)).collect()
}

/// Returns how a match has ended, in a sentence: by what, and who has won.
pub(crate) fn ending(ask: &Ask, outcome: &Outcome) -> String {
    let winners: Vec<Seat> =
        outcome.standings.iter().filter(|row| row.verdict == Verdict::Won).map(|row| row.seat).collect();
    let how = outcome.ending.replace('_', " ");
    let names: Vec<String> = winners.iter().map(|seat| cut(&ask.name(*seat), 20)).collect();
    match (&names[..], outcome.standings.len()) {
        ([], 1) => format!("Lost: {how}"),
        ([], _) if outcome.standings.iter().any(|row| row.verdict == Verdict::Drawn) => format!("Drawn: {how}"),
        ([], _) => format!("All have lost: {how}"),
        (_, 1) => format!("Won: {how}"),
        (all, seats) if all.len() == seats => format!("All have won: {how}"),
        ([one], _) => format!("{one} has won: {how}"),
        (all, _) => format!("{} have won: {how}", listed(all)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_won_is_listed_in_a_sentence() {
        let said = |won: u8, seats: u8| {
            let ranks = (0..seats).map(|seat| (if seat < won { 1 } else { 5 }, None));
            ending(&Ask::default(), &Outcome::by_rank("last_light", ranks, Verdict::Won))
        };
        assert_eq!(said(0, 5), "All have lost: last light");
        assert_eq!(said(1, 5), "Seat 0 has won: last light");
        assert_eq!(said(2, 5), "Seat 0 and Seat 1 have won: last light");
        assert_eq!(said(3, 5), "Seat 0, Seat 1 and Seat 2 have won: last light");
        assert_eq!(said(5, 5), "All have won: last light");
    }
}
