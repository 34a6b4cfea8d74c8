//! Moves and events in words that can be read aloud, for clients that ask for them.
//!
//! Invariant: the words are made from the redacted event or move, never from what is stored, so they say no more than the
//! JSON beside them.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::feed::redacted::{MOVE_MADE, RedactedEvent};
use crate::model::clock::TimeoutConsequence;
use crate::table::live_match::LiveMatch;
use sarsen_games::{AnyGame, Corrupt};
use sarsen_rules::phrases::{capital, counted, seats};
use sarsen_rules::{Outcome, Seat, Verdict};

/// Narrates a match.
pub struct MatchNarrator<'a> {
    game: &'a dyn AnyGame,
    options: &'a RawValue,
}

/// The properties of events from which the sentences on a match's life are made.
#[derive(Deserialize)]
struct Told<'a> {
    r#type: &'a str,
    seat: Option<Seat>,
    claimed_by: Option<Seat>,
    by: Option<Seat>,
    to_version: Option<u64>,
    #[serde(default)]
    seats: Vec<Seat>,
    milliseconds: Option<i64>,
    player: Option<Name>,
    to: Option<Name>,
    #[serde(rename = "move", borrow)]
    mv: Option<&'a RawValue>,
    outcome: Option<Outcome>,
    consequence: Option<TimeoutConsequence>,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

impl MatchNarrator<'_> {
    /// Narrates this match.
    pub fn of(live: &LiveMatch) -> MatchNarrator<'_> {
        MatchNarrator { game: &*live.game, options: &live.stored.terms.options }
    }

    /// Narrates this match if the client has `asked` for words.
    pub fn if_asked(asked: bool, live: &LiveMatch) -> Option<MatchNarrator<'_>> {
        asked.then(|| MatchNarrator::of(live))
    }

    /// A move, as an order to make it.
    ///
    /// # Errors
    /// [`Corrupt`] if it is no move of the game.
    pub fn mv(&self, mv: &RawValue) -> Result<String, Corrupt> {
        self.game.move_text(mv, self.options)
    }

    /// A move that was made, with the event that followed it at once.
    ///
    /// # Errors
    /// [`Corrupt`] if it is no move, or no event, of the game.
    pub fn made(&self, mv: &RawValue, effect: Option<&RawValue>) -> Result<String, Corrupt> {
        self.game.made_text(mv, effect, self.options)
    }

    /// An event, as it was told.
    ///
    /// # Errors
    /// [`Corrupt`] if it is no event of the game.
    pub fn event(&self, told: &RedactedEvent) -> Result<String, Corrupt> {
        let read: Option<Told<'_>> = serde_json::from_str(told.event.get()).ok();
        match read.as_ref().and_then(|read| self.life(read, told.effect.as_deref())) {
            Some(text) => text,
            None => self.game.event_text(&told.event, self.options),
        }
    }

    /// An event of the match's life; `None` for one of the game.
    fn life(&self, told: &Told<'_>, effect: Option<&RawValue>) -> Option<Result<String, Corrupt>> {
        let seat = told.seat.map(|seat| seat.to_string()).unwrap_or_default();
        Some(Ok(match told.r#type {
            MOVE_MADE => match told.mv.map(|mv| self.made(mv, effect)) {
                Some(Ok(text)) => format!("Seat {seat}: {text}"),
                Some(Err(error)) => return Some(Err(error)),
                None => format!("Seat {seat} makes a move that is not shown."),
            },
            // In place of events whose step a failover has undone.
            "resync" => "The latest events were lost and undone: read the match again.".to_owned(),
            "match_created" => "The match is created.".to_owned(),
            "player_joined" => format!("{} takes seat {seat}.", name(told.player.as_ref())),
            "player_left" => format!("Seat {seat} is free again."),
            "player_invited" => format!("{} is invited to seat {seat}.", name(told.player.as_ref())),
            "invitation_declined" => format!("Seat {seat} is no longer reserved."),
            "player_substituted" => format!("{} takes over seat {seat}.", name(told.to.as_ref())),
            "player_removed" => format!("The creator removes the player of seat {seat}."),
            "entropy_given" => format!("Seat {seat} adds entropy to the dice."),
            "match_started" => "The match begins.".to_owned(),
            "match_aborted" => "The match is called off.".to_owned(),
            "player_resigned" => format!("Seat {seat} resigns."),
            "absence_claimed" => {
                let by = told.claimed_by.map(|by| by.to_string()).unwrap_or_default();
                format!("Seat {seat} has been away too long, and seat {by} claims its absence.")
            }
            "draw_offered" => format!("Seat {seat} offers a draw."),
            "draw_accepted" => format!("Seat {seat} accepts the draw."),
            "draw_declined" => format!("Seat {seat} declines the draw."),
            "clock_expired" => {
                let then = match told.consequence {
                    Some(TimeoutConsequence::Forfeit) | None => "it loses the match",
                    Some(TimeoutConsequence::Bot) => "a bot takes over",
                    Some(TimeoutConsequence::AbsentMove) => "a move is drawn for it",
                    Some(TimeoutConsequence::NoStart) => "the match is called off",
                };
                format!("Seat {seat} has run out of time: {then}.")
            }
            "clock_credited" => {
                let seconds = told.milliseconds.unwrap_or_default().unsigned_abs() / 1000;
                let gain = if told.seats.len() == 1 { "gains" } else { "gain" };
                format!("{} {gain} {}.", capital(&seats(&told.seats)), counted(seconds, "second", "seconds"))
            }
            "bot_took_over" => format!("A bot now plays for seat {seat}."),
            "player_returned" => format!("The player of seat {seat} is back."),
            "hint_used" => format!("Seat {seat} uses a hint."),
            "move_undone" => {
                let by = told.by.map(|by| by.to_string()).unwrap_or_default();
                format!("Seat {by} takes the match back to version {}.", told.to_version.unwrap_or_default())
            }
            "takeback_offered" => {
                format!("Seat {seat} offers to take the match back to version {}.", told.to_version.unwrap_or_default())
            }
            "takeback_accepted" => format!("Seat {seat} accepts the takeback."),
            "takeback_declined" => format!("Seat {seat} declines the takeback."),
            "match_adjudicated" => {
                format!("The organiser settles the match: {}", told.reason.as_deref().unwrap_or_default())
            }
            "match_ended" => ended(told.outcome.as_ref()),
            _ => return None,
        }))
    }
}

fn name(player: Option<&Name>) -> &str {
    player.map_or("Somebody", |player| &player.name)
}

/// The result of a match.
fn ended(outcome: Option<&Outcome>) -> String {
    let standings = outcome.map_or(&[][..], |outcome| &outcome.standings);
    let of = |verdict: Verdict| standings.iter().filter(move |standing| standing.verdict == verdict);
    let won: Vec<Seat> = of(Verdict::Won).map(|standing| standing.seat).collect();
    match &won[..] {
        [] if of(Verdict::Drawn).next().is_some() => "The match is over: it is a draw.".to_owned(),
        [] if standings.len() > 1 => "The match is over: everybody has lost.".to_owned(),
        [] => "The match is over: it is lost.".to_owned(),
        [_] if standings.len() == 1 => "The match is over: it is won.".to_owned(),
        all if all.len() == standings.len() => "The match is over: everybody has won.".to_owned(),
        [seat] => format!("The match is over: seat {seat} has won."),
        several => format!("The match is over: {} have won.", seats(several)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_rules::Standing;

    fn result(verdicts: &[Verdict]) -> String {
        let standing = |(seat, verdict): (u8, &Verdict)| Standing {
            seat: Seat::new(seat).unwrap(),
            rank: 1,
            verdict: *verdict,
            score: None,
            figures: Default::default(),
        };
        let standings = (0..).zip(verdicts).map(standing).collect();
        ended(Some(&Outcome { ending: "connected".into(), standings, figures: Default::default() }))
    }

    #[test]
    fn a_result_names_the_winners_or_says_that_it_is_everybody() {
        use Verdict::{Drawn, Lost, Won};
        let results = [
            (&[Won][..], "it is won."),
            (&[Lost], "it is lost."),
            (&[Lost, Won], "seat 1 has won."),
            (&[Drawn, Drawn], "it is a draw."),
            (&[Won, Won], "everybody has won."),
            (&[Lost, Lost], "everybody has lost."),
            (&[Won, Lost, Won], "seats 0 and 2 have won."),
            (&[Won, Won, Won, Lost, Won], "seats 0, 1, 2 and 4 have won."),
            (&[Won, Won, Won, Won, Won], "everybody has won."),
        ];
        for (verdicts, expected) in results {
            assert_eq!(result(verdicts), format!("The match is over: {expected}"));
        }
    }
}
