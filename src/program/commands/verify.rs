//! `sarsen verify`: whether the record of a finished match agrees with itself.

use std::fs;
use std::path::Path;

use super::{CommandError, Failed, say};
use sarsen_games::Games;
use sarsen_games::bots::Bots;
use sarsen_matches::export::{self, Believed, Discrepancy, MatchExport, ReplayedBots, Verified};
use sarsen_rules::phrases::counted;

/// The record to verify.
pub(super) struct Verification<'a> {
    /// The file of the record.
    pub(super) record: &'a Path,
    /// The commitment that its service published before the match.
    pub(super) published: Option<&'a str>,
    /// Finds the moves of bots again too.
    pub(super) bots: bool,
}

/// Replays the record of a finished match, and says last what remains to be believed.
///
/// # Errors
/// [`Failed::Undone`] if the file is no record or something in it does not agree, [`Failed::Unjudged`] if this release cannot
/// replay it, or was to find the moves of bots again and could find none.
pub(super) fn verify(games: &Games, bots: &Bots, asked: &Verification<'_>) -> Result<(), Failed> {
    let record = read(asked.record).map_err(Failed::Undone)?;
    let (verified, again) = checked(games, bots, &record, asked.bots).map_err(disagrees)?;
    if asked.published.is_some_and(|published| !published.eq_ignore_ascii_case(&verified.commitment)) {
        let other = format!("it does not agree: the record's commitment is {}", verified.commitment);
        return Err(Failed::Undone(other.into()));
    }
    say(&format!(
        "{} of {}: the seed, {}, {} in {} and the result ({}) agree.",
        verified.match_id,
        verified.game,
        counted(verified.dice_words, "word of dice", "words of dice"),
        counted(verified.moves as u64, "move", "moves"),
        counted(verified.steps as u64, "step", "steps"),
        verified.ending
    ));
    if let Some(ReplayedBots { found, cut_short, doubtful, passed_over }) = again {
        say(&format!(
            "Moves of bots: {found} found again, {cut_short} marked as cut short and the first legal ones (for {doubtful} of \
             them this release finds another), {passed_over} beyond this release."
        ));
    }
    if asked.published.is_none() {
        say(&format!("Its commitment, to be compared with the one published before: {}", verified.commitment));
    }
    let all_found = again.is_some_and(|again| again.cut_short + again.passed_over == 0);
    let open: Vec<String> = export::believed(&record)
        .into_iter()
        .filter(|believed| match believed {
            Believed::Published => asked.published.is_none(),
            Believed::Bots => !all_found,
            _ => true,
        })
        .map(|believed| believed.to_string())
        .collect();
    say(&format!("Not checked, and not to be found out from a record: {}.", open.join("; ")));
    judged(again)
}

/// Refuses to call a record good of which no bot's move could be found again, although there are some.
fn judged(again: Option<ReplayedBots>) -> Result<(), Failed> {
    match again {
        Some(ReplayedBots { found: 0, cut_short, passed_over, .. }) if cut_short + passed_over > 0 => {
            Err(Failed::Unjudged("no move of a bot could be found again".into()))
        }
        _ => Ok(()),
    }
}

/// The failure that a discrepancy is.
pub(super) fn disagrees(found: Discrepancy) -> Failed {
    if found.is_beyond_this_release() {
        Failed::Unjudged(found.into())
    } else {
        Failed::Undone(format!("it does not agree: {found}").into())
    }
}

pub(super) fn read(file: &Path) -> Result<MatchExport, CommandError> {
    let text = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(MatchExport::read(&text).map_err(|error| format!("{} is no record of a match: {error}", file.display()))?)
}

fn checked(
    games: &Games,
    bots: &Bots,
    record: &MatchExport,
    again: bool,
) -> Result<(Verified, Option<ReplayedBots>), Discrepancy> {
    if again {
        return export::verify_bots(games, bots, record).map(|(verified, again)| (verified, Some(again)));
    }
    export::check_bots(bots, record)?;
    Ok((export::verify(games, record)?, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_whose_bots_nothing_could_be_found_again_is_not_judged() {
        let with = |found, cut_short, passed_over| Some(ReplayedBots { found, cut_short, passed_over, doubtful: 0 });
        for again in [None, with(0, 0, 0), with(1, 0, 0), with(1, 5, 5)] {
            assert!(judged(again).is_ok(), "{again:?}");
        }
        for again in [with(0, 4, 0), with(0, 0, 4), with(0, 1, 1)] {
            assert!(matches!(judged(again), Err(Failed::Unjudged(_))), "{again:?}");
        }
    }
}
