//! Steps and marks that no service can have recorded, though the rules of the game would take them: a plan's move where no
//! plan could be, a search cut short that no bot made, a deed of a person on the seat of a bot.
//!
//! Invariant: what is judged follows from the record's own steps, so two verifiers come to the same.

use serde_json::value::RawValue;

use crate::Refused;
use crate::model::events::{BotTookOver, LifeEvent, PlayerSubstituted, StoredEvent};
use crate::model::log::{Action, LogEntry};
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use crate::thinking::first_legal;
use sarsen_rules::{MAX_SEATS, Seat, Viewer};
use sarsen_store::Stage;

/// The furthest stage that a plan of a seat's player can have reached.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Planning {
    /// There can be none that still waits.
    #[default]
    Nothing,
    /// One can have been made; the others have not moved since.
    Made,
    /// The others have moved since: it can play.
    Plays,
}

/// The plans that can exist after the steps so far.
#[derive(Default)]
pub(super) struct Possible {
    plans: [Planning; MAX_SEATS as usize],
}

impl Possible {
    /// Says why nobody can have done this in the match as it is before the step.
    pub(super) fn objection(&self, live: &LiveMatch, action: &Action) -> Result<Option<&'static str>, Refused> {
        if action.by_person().is_some_and(|seat| live.holder(seat).is_none()) {
            return Ok(Some("no player holds the seat that did it"));
        }
        Ok(match action {
            Action::EndReservations if live.stored.seats.iter().all(|seat| seat.reserved.is_none()) => {
                Some("no seat was kept for anybody")
            }
            Action::Move { seat, mv, cut, planned } => match cut.then(|| uncut(live, *seat, mv)).transpose()?.flatten()
            {
                None if *planned => self.unplanned(live, *seat),
                objection => objection,
            },
            _ => None,
        })
    }

    fn unplanned(&self, live: &LiveMatch, seat: Seat) -> Option<&'static str> {
        if live.takes_plans().is_err() {
            return Some("it is marked as planned, and nobody can plan in this match");
        }
        if live.bot(seat).is_some() {
            return Some("it is marked as planned, and a bot made it");
        }
        let plays = self.plans.get(seat.index()) == Some(&Planning::Plays);
        (!plays).then_some("it is marked as planned, and no other seat's move has opened a turn that was planned")
    }

    /// Hears of a step, after which the match is `live`.
    pub(super) fn pass(&mut self, live: &LiveMatch, entry: &LogEntry) {
        for (seat, plan) in live.seat_count().seats().zip(&mut self.plans) {
            let mut own = false;
            for event in &entry.events {
                *plan = match event {
                    StoredEvent::Move { seat: mover, planned, .. } if *mover == seat => {
                        own = true;
                        if *planned { *plan } else { Planning::Nothing }
                    }
                    StoredEvent::Move { .. } if *plan != Planning::Nothing => {
                        own = false;
                        Planning::Plays
                    }
                    StoredEvent::Life(LifeEvent::MoveUndone(_)) => Planning::Nothing,
                    StoredEvent::Life(
                        LifeEvent::BotTookOver(BotTookOver { seat: other, .. })
                        | LifeEvent::PlayerSubstituted(PlayerSubstituted { seat: other, .. }),
                    ) if *other == seat => Planning::Nothing,
                    _ => *plan,
                };
            }
            // A plan is made for a version at which its seat is not to act.
            let waits = live.stored.stage == Stage::Playing && live.decision(seat).is_none();
            if waits && (own || *plan == Planning::Nothing) {
                *plan = Planning::Made;
            }
        }
    }
}

/// The reason why this move cannot come from a search that took too long; `None` if it can.
fn uncut(live: &LiveMatch, seat: Seat, mv: &RawValue) -> Result<Option<&'static str>, Refused> {
    if live.bot(seat).is_none() {
        return Ok(Some("it is marked as cut short, and no bot made it"));
    }
    let other = first_legal(live, seat)?.as_deref() != Some(noted(live, seat, mv)?.as_str());
    Ok(other.then_some("it is marked as cut short, and is not the first legal move"))
}

/// The recorded move in notation.
pub(super) fn noted(before: &LiveMatch, seat: Seat, mv: &RawValue) -> Result<String, Refused> {
    let shown = before.game.redact_move(mv, seat, Viewer::Omniscient)?;
    Ok(shown.map(|shown| shown.notation).ok_or_else(Unreadable::logged_move)?)
}
