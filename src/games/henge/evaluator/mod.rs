//! Evaluation of Henge for bots: what things are worth (`worth`), what a move brings of them (`moves`), how to say so
//! (`reason`), and the value of a position.
//!
//! Invariants: numbers come from the component set, so other sets are played too, if not as well; of what is hidden only the
//! seat's own is looked at, but in [`Evaluator::value`], which judges imagined states.

mod moves;
mod reason;
mod worth;

use super::Henge;
use super::moves::Move;
use super::observation::{HengeFrame, HengeStage, HengeView};
use super::state::State;
use sarsen_rules::{
    Candidate, Candidates, Dice, Effort, Evaluator, Method, Outcome, Seat, Status, Tuning, Values, WON, ladder,
};
use worth::Worths;

/// The value of a tenth of a victory point, the unit of worths, in the units of values.
const UNIT: i32 = 12;
/// The value of one point ahead.
const AHEAD: i32 = 110;
/// The value of a point to a person who plays alone.
const ALONE: i32 = 45;
/// The least and the most that a position is worth that is not over.
const OPEN: (i32, i32) = (300, 9_700);

impl Evaluator for Henge {
    const TUNING: Tuning = Tuning {
        version: 2,
        method: Method::Flat { horizon: 60, prior: 40 },
        candidates: 8,
        levels: [
            Effort { simulations: 0, noise: 2500, answer_milliseconds: 300 },
            Effort { simulations: 0, noise: 0, answer_milliseconds: 300 },
            Effort { simulations: 240, noise: 0, answer_milliseconds: 900 },
        ],
        rungs: ladder([(0, 650), (0, 510), (0, 340), (0, 170), (0, 0), (240, 200), (240, 80), (240, 0)]),
    };

    fn candidates(&self, state: &State, seat: Seat, most: usize) -> Candidates<Move> {
        let worths = Worths::new(state, seat);
        let rated = state.legal(seat).into_iter().map(|mv| Candidate { worth: worths.of_move(&mv) * UNIT, mv });
        Candidates::best_of(rated, most, true)
    }

    /// The move that brings most; equals by lot.
    fn policy(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let moves = state.legal(seat);
        if moves.len() == 1 {
            return moves.into_iter().next();
        }
        let worths = Worths::new(state, seat);
        let rated: Vec<(i32, Move)> = moves.into_iter().map(|mv| (worths.of_move(&mv), mv)).collect();
        let most = rated.iter().map(|(worth, _)| *worth).max()?;
        let best: Vec<Move> = rated.iter().filter(|(worth, _)| *worth == most).map(|(_, mv)| *mv).collect();
        dice.index(best.len()).map(|index| best[index])
    }

    /// The place first, then by how many points.
    fn reward(&self, outcome: &Outcome) -> Values {
        let mut values = Values::default();
        let score = |standing: &sarsen_rules::Standing| standing.score.unwrap_or(0);
        let best = outcome.standings.iter().map(score).max().unwrap_or(0);
        for standing in &outcome.standings {
            let others = outcome.standings.iter().filter(|other| other.seat != standing.seat).map(score).max();
            values[standing.seat.index()] = match others {
                None => (score(standing) * ALONE).clamp(0, WON),
                Some(others) if standing.rank == 1 => 7_000 + ((best - others) * AHEAD / 2).clamp(0, 3_000),
                Some(_) => 3_000 - ((best - score(standing)) * AHEAD / 2).clamp(0, 3_000),
            };
        }
        values
    }

    fn value(&self, state: &State) -> Values {
        if let Status::Over(outcome) = state.status() {
            return self.reward(&outcome);
        }
        let mut values = Values::default();
        let seats = state.count();
        let mut points = [0; sarsen_rules::MAX_SEATS as usize];
        for (seat, score) in seats.seats().zip(state.scores()) {
            points[seat.index()] = score.total as i32 * 10 + Worths::new(state, seat).of_holdings();
        }
        for seat in seats.seats() {
            let others = seats.seats().filter(|other| *other != seat).map(|other| points[other.index()]).max();
            let value = match others {
                None => points[seat.index()] * ALONE / 10,
                Some(others) => WON / 2 + (points[seat.index()] - others) * AHEAD / 20,
            };
            values[seat.index()] = value.clamp(OPEN.0, OPEN.1);
        }
        values
    }

    fn begins_turn(&self, view: &HengeView) -> bool {
        matches!(view.stack.last(), Some(HengeFrame::Move(_))) && view.luck_spent.is_empty()
    }

    /// Luck cards in hand, which the others do not see, can add moves or withhold them; where none is in hand, or the
    /// decision does not depend on them, all that makes a move legal is open.
    fn is_publicly_forced(&self, view: &HengeView, seat: Seat, legal: &[Move]) -> bool {
        let own = view.players.iter().find(|player| player.seat == Some(seat)).and_then(|player| player.mat.as_ref());
        let cards = own.map_or(u8::MAX, |mat| mat.hand_count);
        let open = match view.stack.last() {
            Some(HengeFrame::Discard(_)) => cards <= 1,
            Some(HengeFrame::Drop(_) | HengeFrame::Reward(_) | HengeFrame::Level(_) | HengeFrame::Choose(_)) => true,
            Some(_) => cards == 0,
            None => view.stage == HengeStage::Upgrade,
        };
        legal.len() == 1 && open
    }

    fn reason(&self, state: &State, seat: Seat, mv: &Move) -> Option<String> {
        Worths::new(state, seat).reason(mv)
    }
}
