//! The progress of a plan, from what has happened since it was made.
//!
//! Invariant: it is a function of the plan and of the moves alone, in their order. A turn of the owner is all moves
//! that they make without another seat's move between them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tree::PlanBranch;
use sarsen_rules::Seat;

/// The reason why a plan is not followed any more. More may come: ignore one that you do not know.
///
/// - `own_move`: Its owner has made a move, or one was made for them because they were late.
/// - `other_moves`: The others have moved otherwise than planned.
/// - `illegal_move`: A planned move was against the rules when its time had come.
/// - `turn_differs`: The planned moves were not exactly those of one turn.
/// - `undone`: Moves were undone.
/// - `bot_took_over`: A bot plays for its owner.
/// - `played`: It was played to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum PlanDropped {
    OwnMove,
    OtherMoves,
    IllegalMove,
    TurnDiffers,
    Undone,
    BotTookOver,
    Played,
}

/// The next act for a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanCourse<'p> {
    /// Nothing yet.
    Waits,
    /// This move, in notation, is due.
    Plays(&'p str),
    /// Nothing any more.
    Dropped(PlanDropped),
}

/// Hears what has happened since a plan was made.
pub(crate) struct PlanFollower<'p> {
    owner: Seat,
    /// The branches of which one is for what comes next.
    open: &'p [PlanBranch],
    /// The moves of the others since the owner's last turn, in notation.
    heard: Vec<String>,
    /// The branch that is played, and how many of its moves were.
    playing: Option<(&'p PlanBranch, usize)>,
    dropped: Option<PlanDropped>,
}

impl<'p> PlanFollower<'p> {
    /// Follows the plan of `owner`, of whom it is not the turn.
    pub(crate) fn new(owner: Seat, tree: &'p [PlanBranch]) -> PlanFollower<'p> {
        PlanFollower { owner, open: tree, heard: Vec::new(), playing: None, dropped: None }
    }

    /// Hears of a move; `planned` says that a plan of its seat has made it.
    pub(crate) fn hear_move(&mut self, seat: Seat, notation: &str, planned: bool) {
        if self.dropped.is_some() {
            return;
        }
        let heard = if seat == self.owner { self.hear_own(notation, planned) } else { self.hear_other(notation) };
        self.dropped = heard.err();
    }

    /// Hears of something that ends the plan.
    pub(crate) fn hear_end(&mut self, reason: PlanDropped) {
        self.dropped.get_or_insert(reason);
    }

    /// Returns the next act for the plan; `to_act` says whether it is the owner's turn.
    pub(crate) fn course(&self, to_act: bool) -> PlanCourse<'p> {
        if let Some(reason) = self.dropped {
            return PlanCourse::Dropped(reason);
        }
        let next = match self.playing {
            Some((branch, made)) => branch.then.get(made),
            None if to_act => match self.fitting() {
                Some(branch) => branch.then.first(),
                None => return PlanCourse::Dropped(PlanDropped::OtherMoves),
            },
            None => return PlanCourse::Waits,
        };
        match (next, to_act) {
            (Some(next), true) => PlanCourse::Plays(next),
            (Some(_), false) | (None, true) => PlanCourse::Dropped(PlanDropped::TurnDiffers),
            (None, false) if self.playing.is_some_and(|(branch, _)| branch.next.is_empty()) => {
                PlanCourse::Dropped(PlanDropped::Played)
            }
            (None, false) => PlanCourse::Waits,
        }
    }

    /// The branch that is for exactly what the others have played.
    fn fitting(&self) -> Option<&'p PlanBranch> {
        self.open.iter().find(|branch| branch.when == self.heard)
    }

    fn hear_own(&mut self, notation: &str, planned: bool) -> Result<(), PlanDropped> {
        let (branch, made) = match self.playing {
            Some(playing) => playing,
            None => (self.fitting().ok_or(PlanDropped::OwnMove)?, 0),
        };
        // What a plan before this one has made is its owner's own move for this one.
        let fits = planned && branch.then.get(made).is_some_and(|next| next == notation);
        self.playing = Some((branch, made + 1));
        if fits { Ok(()) } else { Err(PlanDropped::OwnMove) }
    }

    fn hear_other(&mut self, notation: &str) -> Result<(), PlanDropped> {
        if let Some((branch, made)) = self.playing.take() {
            if made < branch.then.len() {
                return Err(PlanDropped::TurnDiffers);
            }
            if branch.next.is_empty() {
                return Err(PlanDropped::Played);
            }
            self.open = &branch.next;
            self.heard.clear();
        }
        self.heard.push(notation.to_owned());
        let goes_on = self.open.iter().any(|branch| branch.when.starts_with(&self.heard));
        if goes_on { Ok(()) } else { Err(PlanDropped::OtherMoves) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(when: &[&str], then: &[&str], next: Vec<PlanBranch>) -> PlanBranch {
        let moves = |moves: &[&str]| moves.iter().map(|&mv| mv.to_owned()).collect();
        PlanBranch { when: moves(when), then: moves(then), next }
    }

    /// The course of a plan of seat 0 after these moves: a number is the seat, `*` says that the plan has made the
    /// move.
    fn after(tree: &[PlanBranch], moves: &str, to_act: bool) -> String {
        let mut follower = PlanFollower::new(Seat::new(0).unwrap(), tree);
        for mv in moves.split_whitespace() {
            let (seat, notation) = mv.split_once(':').unwrap();
            let seat = Seat::new(seat.parse().unwrap()).unwrap();
            follower.hear_move(seat, notation.trim_end_matches('*'), notation.ends_with('*'));
        }
        match follower.course(to_act) {
            PlanCourse::Waits => "waits".to_owned(),
            PlanCourse::Plays(next) => format!("plays {next}"),
            PlanCourse::Dropped(reason) => format!("{reason:?}"),
        }
    }

    #[test]
    fn a_branch_is_played_when_the_others_have_moved_as_it_says() {
        let tree = [branch(&["a"], &["x"], vec![branch(&["c"], &["z"], vec![])]), branch(&["b"], &["y"], vec![])];
        for (moves, to_act, expected) in [
            ("", false, "waits"),
            ("1:a", true, "plays x"),
            ("1:b", true, "plays y"),
            ("1:c", true, "OtherMoves"),
            ("1:a 0:x*", false, "waits"),
            ("1:b 0:y*", false, "Played"),
            ("1:b 0:y* 1:c", true, "Played"),
            ("1:a 0:x* 1:c", true, "plays z"),
            ("1:a 0:x* 1:b", true, "OtherMoves"),
            ("1:a 0:x* 1:c 0:z*", false, "Played"),
        ] {
            assert_eq!(after(&tree, moves, to_act), expected, "{moves}");
        }
    }

    #[test]
    fn a_move_of_the_owners_own_drops_it() {
        let tree = [branch(&["a"], &["x"], vec![branch(&["c"], &["z"], vec![])])];
        for moves in ["0:x", "1:a 0:x", "1:a 0:w", "1:a 0:w*", "0:w*", "1:a 0:x* 0:z", "1:a 0:x* 1:c 0:z"] {
            assert_eq!(after(&tree, moves, false), "OwnMove", "{moves}");
        }
        assert_eq!(after(&tree, "1:a 0:x 1:c", true), "OwnMove", "it does not come back");
    }

    #[test]
    fn all_moves_of_the_others_are_waited_for_and_all_of_a_turn_are_made() {
        let tree = [branch(&["a", "b"], &["x", "y"], vec![branch(&["c"], &["z"], vec![])])];
        for (moves, to_act, expected) in [
            ("1:a", false, "waits"),
            ("1:a", true, "OtherMoves"),
            ("1:b", false, "OtherMoves"),
            ("1:a 2:b", true, "plays x"),
            ("1:a 2:b", false, "waits"),
            ("1:a 2:b 0:x*", true, "plays y"),
            ("1:a 2:b 0:x* 0:y*", false, "waits"),
            ("1:a 2:b 0:x* 0:y*", true, "TurnDiffers"),
            ("1:a 2:b 0:x*", false, "TurnDiffers"),
            ("1:a 2:b 0:x* 1:c", true, "TurnDiffers"),
            ("1:a 2:b 0:x* 0:y* 1:c", true, "plays z"),
            ("1:a 2:b 2:c", true, "OtherMoves"),
        ] {
            assert_eq!(after(&tree, moves, to_act), expected, "{moves}");
        }
    }

    #[test]
    fn what_has_dropped_it_first_stays_the_reason() {
        let tree = [branch(&["a"], &["x"], vec![])];
        let mut follower = PlanFollower::new(Seat::new(0).unwrap(), &tree);
        follower.hear_end(PlanDropped::Undone);
        follower.hear_move(Seat::new(1).unwrap(), "a", false);
        follower.hear_end(PlanDropped::BotTookOver);
        assert!(follower.course(true) == PlanCourse::Dropped(PlanDropped::Undone));
    }
}
