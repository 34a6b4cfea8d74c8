//! The undo track of a match: it tells what can be undone, without a look at the log.
//!
//! Invariants: it is a function of the log, kept only while the match is played. It does not grow with the number of undos:
//! a replay reads from the log where they go back to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::Array;

use sarsen_rules::Seat;

/// The number of times that a seat may have a match put back, so that nobody keeps the others waiting.
pub(crate) const UNDO_MAX: u64 = 20;

/// The reason why no undo goes back behind a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
pub enum BarrierReason {
    /// Chance had a part in it.
    #[serde(rename = "c")]
    Chance,
    /// It has shown somebody what was hidden from them.
    #[serde(rename = "r")]
    Revealed,
    /// It is another seat's, or changed who plays.
    #[serde(rename = "o")]
    OtherSeat,
    /// It has ended the turn.
    #[serde(rename = "t")]
    TurnPassed,
}

/// A step behind which no undo goes back: its version can still be gone back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Barrier {
    /// The version that it has made.
    #[serde(rename = "v")]
    pub version: u64,
    /// The reason.
    #[serde(rename = "r")]
    pub reason: BarrierReason,
}

/// The newest steps, as far as they are one seat's own moves and free undos.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct OwnRun {
    /// The seat whose steps they are.
    #[serde(rename = "s")]
    pub(crate) seat: Seat,
    /// The version before the first of them.
    #[serde(rename = "f")]
    pub(crate) from: u64,
    /// The version before the move that has led to the present state; `None` where the state is that before the first.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub(crate) back: Option<u64>,
}

/// The newest step in which a seat has put the match back, and how often it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Undone {
    /// The seat that asked for it.
    #[serde(rename = "s")]
    pub(crate) seat: Seat,
    /// The number of times that it has.
    #[serde(rename = "n")]
    pub(crate) times: u64,
    /// The version that the newest step has made.
    #[serde(rename = "v")]
    pub(crate) version: u64,
    /// The version whose state the match has had again since.
    #[serde(rename = "t")]
    pub(crate) to: u64,
}

/// A free undo that the caller could make right now. It tells of the moves that led to where the match is; versions that were
/// undone in this turn can be gone to besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct FreeUndo {
    /// The version to go back to so that the caller's last move is undone.
    #[schema(minimum = 1)]
    pub to_version: u64,
    /// The earliest version that the caller can go back to without asking; any from there on will do.
    #[schema(minimum = 1)]
    pub(crate) earliest_version: u64,
}

fn agreed_by() -> Array {
    Seat::list_schema("The seats that have accepted it so far.")
}

/// A takeback on offer. It lapses with any move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Takeback {
    /// The seat that offers it.
    pub(crate) by: Seat,
    /// The version to whose state the match would be put back.
    #[schema(minimum = 1)]
    pub(crate) to_version: u64,
    /// The seats that have accepted it so far.
    #[schema(schema_with = agreed_by)]
    pub(crate) agreed_by: Vec<Seat>,
}

/// The undo track of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct UndoTrack {
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub(crate) barrier: Option<Barrier>,
    /// The newest steps of one seat.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<OwnRun>,
    /// The takeback on offer.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub(crate) offer: Option<Takeback>,
    /// Seats that have offered a takeback since their own last turn.
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) offered: Vec<Seat>,
    /// Seats that have put the match back, the last to do so at the end.
    #[serde(rename = "u", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) undone: Vec<Undone>,
}

/// The kind of a step, as far as it matters to undos after it.
#[derive(Clone, Debug)]
pub(crate) enum Passed {
    Barrier(BarrierReason),
    /// A move of a seat.
    Move(Seat),
    /// A free undo, after which the newest steps of the seat are these.
    Undo(OwnRun),
    /// A takeback that was carried out.
    Takeback,
    /// Something that a seat said, which leaves the game as it is, and takes nothing from the seat to act.
    Talk,
    /// A step that concerns neither the game nor what was said.
    Aside,
}

impl Passed {
    /// The same where one player alone moves for all seats: as if it were done by the seat whose newest steps these are.
    pub(crate) fn whoever(self, run: Option<&OwnRun>) -> Passed {
        match (self, run) {
            (Passed::Move(_), Some(run)) => Passed::Move(run.seat),
            (passed, _) => passed,
        }
    }
}

impl UndoTrack {
    /// Returns true if there is nothing to keep.
    pub(crate) fn is_empty(&self) -> bool {
        *self == UndoTrack::default()
    }

    /// Notes the step that has made `version`.
    pub(crate) fn pass(&mut self, version: u64, passed: Passed) {
        let before = version.saturating_sub(1);
        if !matches!(passed, Passed::Talk | Passed::Aside) {
            self.offer = None;
        }
        self.run = match (passed, self.run.take()) {
            (Passed::Barrier(reason), _) => {
                self.barrier = Some(Barrier { version, reason });
                None
            }
            (Passed::Move(seat), Some(run)) if run.seat == seat => Some(OwnRun { back: Some(before), ..run }),
            (Passed::Move(seat), _) => Some(OwnRun { seat, from: before, back: Some(before) }),
            (Passed::Undo(run), _) => Some(run),
            (Passed::Talk | Passed::Aside, run) => run,
            (Passed::Takeback, _) => None,
        };
    }

    /// Notes that the step to `version`, which `seat` asked for, puts the match back to that of `to`.
    pub(crate) fn put_back(&mut self, seat: Seat, version: u64, to: u64) {
        let times = self.times_undone(seat) + 1;
        self.undone.retain(|undone| undone.seat != seat);
        self.undone.push(Undone { seat, times, version, to });
    }

    /// The newest step of a match at `version` behind which nobody can go back.
    pub(crate) fn barrier(&self, version: u64) -> Barrier {
        self.barrier.unwrap_or(Barrier { version, reason: BarrierReason::Revealed })
    }

    /// The number of times that the seat has had the match put back.
    pub(crate) fn times_undone(&self, seat: Seat) -> u64 {
        self.undone.iter().find(|undone| undone.seat == seat).map_or(0, |undone| undone.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    #[test]
    fn a_run_is_of_one_seat_and_ends_at_a_barrier() {
        let mut track = UndoTrack::default();
        track.pass(2, Passed::Barrier(BarrierReason::Chance));
        assert_eq!((track.barrier(2).version, &track.run), (2, &None));
        track.pass(3, Passed::Move(seat(0)));
        track.pass(4, Passed::Move(seat(0)));
        track.pass(5, Passed::Talk);
        assert_eq!(track.run, Some(OwnRun { seat: seat(0), from: 2, back: Some(3) }));
        track.pass(6, Passed::Move(seat(1)));
        assert_eq!(track.run, Some(OwnRun { seat: seat(1), from: 5, back: Some(5) }));
        track.pass(7, Passed::Talk);
        assert_eq!(track.run, Some(OwnRun { seat: seat(1), from: 5, back: Some(5) }), "talk is no move");
        assert_eq!(track.barrier(7).version, 2);
        track.pass(8, Passed::Move(seat(1)));
        assert_eq!(track.run, Some(OwnRun { seat: seat(1), from: 5, back: Some(7) }));
        track.pass(9, Passed::Barrier(BarrierReason::Revealed));
        assert_eq!(
            (track.run.clone(), track.barrier(9)),
            (None, Barrier { version: 9, reason: BarrierReason::Revealed })
        );
    }

    #[test]
    fn an_offer_lapses_with_anything_but_talk() {
        let offer = Takeback { by: seat(0), to_version: 2, agreed_by: Vec::new() };
        for (passed, stands) in [
            (Passed::Talk, true),
            (Passed::Aside, true),
            (Passed::Move(seat(1)), false),
            (Passed::Barrier(BarrierReason::OtherSeat), false),
            (Passed::Takeback, false),
        ] {
            let mut track = UndoTrack { offer: Some(offer.clone()), ..UndoTrack::default() };
            track.pass(9, passed);
            assert_eq!(track.offer.is_some(), stands);
        }
    }
}
