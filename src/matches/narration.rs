//! Moves and events in words that can be read aloud, for those who ask for that.
//!
//! Invariant: made from what a reader has been told already, never from what is stored: so no more is spoken than shown.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::feed::told::MOVE_MADE;
use crate::table::live_match::LiveMatch;
use sarsen_games::{AnyGame, Corrupt};
use sarsen_rules::{Outcome, Seat, Verdict};

/// Speaks of a match.
pub struct Narrator<'a> {
    game: &'a dyn AnyGame,
    options: &'a RawValue,
}

/// What the sentences on a match's life need of an event.
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
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

impl Narrator<'_> {
    /// Speaks of this match.
    pub fn of(live: &LiveMatch) -> Narrator<'_> {
        Narrator { game: &*live.game, options: &live.stored.terms.options }
    }

    /// Speaks of this match if that is `asked` for.
    pub fn if_asked(asked: bool, live: &LiveMatch) -> Option<Narrator<'_>> {
        asked.then(|| Narrator::of(live))
    }

    /// A move, as an order to make it.
    ///
    /// # Errors
    /// [`Corrupt`] if it is no move of the game.
    pub fn mv(&self, mv: &RawValue) -> Result<String, Corrupt> {
        self.game.move_text(mv, self.options)
    }

    /// An event, as it was told.
    ///
    /// # Errors
    /// [`Corrupt`] if it is no event of the game.
    pub fn event(&self, event: &RawValue) -> Result<String, Corrupt> {
        let told: Option<Told<'_>> = serde_json::from_str(event.get()).ok();
        match told.as_ref().and_then(|told| self.life(told)) {
            Some(text) => text,
            None => self.game.event_text(event, self.options),
        }
    }

    /// An event of the match's life; `None` for one of the game.
    fn life(&self, told: &Told<'_>) -> Option<Result<String, Corrupt>> {
        let seat = told.seat.map(|seat| seat.to_string()).unwrap_or_default();
        Some(Ok(match told.r#type {
            MOVE_MADE => match told.mv.map(|mv| self.mv(mv)) {
                Some(Ok(text)) => format!("Seat {seat}: {text}"),
                Some(Err(error)) => return Some(Err(error)),
                None => format!("Seat {seat} makes a move that is not shown."),
            },
            // In place of events whose step a failover has undone.
            "resync" => "What was told last is undone: look at the match again.".to_owned(),
            "match_created" => "The match is made.".to_owned(),
            "player_joined" => {
                let name = told.player.as_ref().map_or("Somebody", |player| player.name.as_str());
                format!("{name} takes seat {seat}.")
            }
            "player_left" => format!("Seat {seat} is free again."),
            "player_invited" => {
                let name = told.player.as_ref().map_or("Somebody", |player| player.name.as_str());
                format!("{name} is invited to seat {seat}.")
            }
            "invitation_declined" => format!("Seat {seat} is kept for nobody any more."),
            "player_substituted" => {
                let name = told.to.as_ref().map_or("Somebody", |player| player.name.as_str());
                format!("{name} takes over seat {seat}.")
            }
            "player_removed" => format!("The creator has sent away who held seat {seat}."),
            "entropy_given" => format!("Seat {seat} has given something of its own to the dice."),
            "match_started" => "The match begins.".to_owned(),
            "match_aborted" => "The match is called off.".to_owned(),
            "player_resigned" => format!("Seat {seat} resigns."),
            "absence_claimed" => {
                let by = told.claimed_by.map(|by| by.to_string()).unwrap_or_default();
                format!("Seat {seat} has let its time pass, and seat {by} claims.")
            }
            "draw_offered" => format!("Seat {seat} offers a draw."),
            "draw_accepted" => format!("Seat {seat} accepts the draw."),
            "draw_declined" => format!("Seat {seat} declines the draw."),
            "clock_expired" => format!("The time of seat {seat} is over."),
            "clock_credited" => {
                let seats: Vec<String> = told.seats.iter().map(Seat::to_string).collect();
                let seconds = told.milliseconds.unwrap_or_default() / 1000;
                format!("Seat {} has {seconds} seconds more.", seats.join(" and seat "))
            }
            "bot_took_over" => format!("A bot plays for seat {seat}."),
            "player_returned" => format!("The player of seat {seat} is back."),
            "hint_used" => format!("Seat {seat} has a hint."),
            "move_undone" => {
                let by = told.by.map(|by| by.to_string()).unwrap_or_default();
                format!("Seat {by} goes back to version {}.", told.to_version.unwrap_or_default())
            }
            "takeback_offered" => {
                format!("Seat {seat} offers to go back to version {}.", told.to_version.unwrap_or_default())
            }
            "takeback_accepted" => format!("Seat {seat} agrees to go back."),
            "takeback_declined" => format!("Seat {seat} does not agree to go back."),
            "match_ended" => ended(told.outcome.as_ref()),
            _ => return None,
        }))
    }
}

/// How a match ended.
fn ended(outcome: Option<&Outcome>) -> String {
    let standings = outcome.map_or(&[][..], |outcome| &outcome.standings);
    let won: Vec<String> = standings
        .iter()
        .filter(|standing| standing.verdict == Verdict::Won)
        .map(|standing| standing.seat.to_string())
        .collect();
    match &won[..] {
        [] if standings.iter().any(|standing| standing.verdict == Verdict::Drawn) => {
            "The match is over: it is a draw.".to_owned()
        }
        [] => "The match is over: it is lost.".to_owned(),
        [one] => format!("The match is over: seat {one} has won."),
        several => format!("The match is over: seats {} have won.", several.join(", ")),
    }
}
