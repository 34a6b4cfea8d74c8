//! Moves: of present players, as rehearsals, and for seats whose players have left; and the end that they bring.
//!
//! Invariant: what follows from a move (moves of absent seats, the end) belongs to its step, so between two steps a
//! match that is played always waits for somebody present.

use serde_json::value::RawValue;

use super::step::Step;
use super::{LiveMatch, endings};
use crate::model::events::{LifeEvent, MatchEnded, StoredEvent};
use crate::model::log::{Action, Cause, LogEntry};
use crate::model::refused::{MoveRefused, Refused, Unreadable};
use crate::model::stored::KeptMove;
use crate::model::terms::UndoTerms;
use crate::model::track::BarrierReason;
use sarsen_base::ambient::Timestamp;
use sarsen_games::{AnyMove, MoveInput, MoveJson, PlayedJson};
use sarsen_rules::{Outcome, Seat, Seats, Status};
use sarsen_store::Stage;

/// More moves than this in a row for seats whose players have left means that a game does not end.
const ABSENT_MOVES_MAX: usize = 5000;

impl LiveMatch {
    /// Makes a move of `seat` and what follows from it.
    ///
    /// # Errors
    /// [`Refused`] if the move cannot be made.
    pub fn play(&mut self, seat: Seat, mv: AnyMove, at: Timestamp) -> Result<LogEntry, Refused> {
        self.play_marked(seat, mv, at, false)
    }

    /// The same for a bot; `cut` says that its search took too long.
    ///
    /// # Errors
    /// [`Refused`] if the move cannot be made.
    pub(crate) fn play_marked(
        &mut self,
        seat: Seat,
        mv: AnyMove,
        at: Timestamp,
        cut: bool,
    ) -> Result<LogEntry, Refused> {
        let mut step = Step::begin(at);
        let mv = self.make_move(&mut step, seat, mv)?;
        Ok(self.end(step, Cause::Action(Action::Move { seat, mv, cut, planned: false }))?)
    }

    /// The same for a plan of its player, of whose time it takes none.
    ///
    /// # Errors
    /// [`Refused`] if the move cannot be made.
    pub(crate) fn play_planned(&mut self, seat: Seat, mv: AnyMove, at: Timestamp) -> Result<LogEntry, Refused> {
        let mut step = Step::begin(at);
        step.planned = true;
        let mv = self.make_move(&mut step, seat, mv)?;
        Ok(self.end(step, Cause::Action(Action::Move { seat, mv, cut: false, planned: true }))?)
    }

    /// Judges a move and shows it up to the first chance step, on this match: the caller drops it afterwards. The flag
    /// is true if more would follow that cannot be shown.
    ///
    /// # Errors
    /// [`Refused`] if the move could not be made.
    pub fn rehearse(&mut self, seat: Seat, mv: AnyMove, at: Timestamp) -> Result<(LogEntry, bool), Refused> {
        let mut step = Step::begin(at);
        self.rehearsed = true;
        self.must_be_in_play(seat)?;
        let needs_turn = mv.needs_turn;
        let can_undo = self.undo_terms() != UndoTerms::Off;
        let state = self.state_mut()?;
        let reveals = can_undo && state.reveals(seat, &mv);
        let played = state.rehearse(seat, mv)?;
        let chance_pending = played.chance;
        step.bar_if(chance_pending, reveals);
        let cause = Cause::Action(Action::Move { seat, mv: played.mv.json.clone(), cut: false, planned: false });
        self.tell_move(&mut step, seat, played, needs_turn);
        if needs_turn {
            step.played = Some(seat);
            self.turn_taken(&mut step, seat);
        }
        let resigned = self.resigned();
        let (over, absent_next) = match self.state_mut()?.status() {
            Status::Over(outcome) => (Some(outcome), false),
            Status::ToAct(seats) => (None, seats.iter().any(|seat| resigned.contains(seat))),
            Status::Chance => (None, false),
        };
        // The end of a game with secrets reveals them: only the real move may do that.
        let lays_open = over.is_some() && self.game.info().hidden_information;
        // The move of a seat whose player has left may show what only that seat knows.
        if chance_pending || lays_open || absent_next {
            // Who is to act next may depend on what is not shown: nobody is, as far as a rehearsal can tell.
            step.movers = Seats::all(self.seat_count());
            if lays_open {
                self.state = None;
            }
            return Ok((self.close(step, cause, Seats::EMPTY), true));
        }
        if let Some(outcome) = over {
            self.finish(&mut step, outcome);
        }
        Ok((self.end(step, cause)?, false))
    }

    /// Makes a move that a log or a record tells of.
    pub(super) fn move_again(&mut self, step: &mut Step, seat: Seat, mv: &RawValue) -> Result<(), Refused> {
        let json = serde_json::from_str(mv.get()).map_err(Unreadable::new)?;
        let mv = self.game.read_move(&MoveInput::Json(json)).map_err(|_| Unreadable::logged_move())?;
        self.make_move(step, seat, mv).map(drop)
    }

    fn make_move(&mut self, step: &mut Step, seat: Seat, mv: AnyMove) -> Result<Box<RawValue>, Refused> {
        let needs_turn = mv.needs_turn;
        self.must_be_in_play(seat)?;
        if needs_turn {
            self.must_have_time(seat, step.at)?;
            if self.decision(seat).is_none() {
                return Err(MoveRefused::NotYourTurn(self.stored.version).into());
            }
        }
        let mut dice = self.dice();
        let can_undo = self.undo_terms() != UndoTerms::Off;
        let state = self.state_mut()?;
        let reveals = can_undo && state.reveals(seat, &mv);
        let played = state.play(seat, mv, &mut dice)?;
        self.stored.dice = dice.position();
        step.bar_if(played.chance, reveals);
        let mv = played.mv.json.clone();
        self.tell_move(step, seat, played, needs_turn);
        if needs_turn {
            step.played = Some(seat);
            self.turn_taken(step, seat);
        }
        self.go_on(step)?;
        Ok(mv)
    }

    /// Tells of a move, and keeps it as the last one if it belonged to a turn.
    fn tell_move(&mut self, step: &mut Step, seat: Seat, played: PlayedJson, needs_turn: bool) {
        let MoveJson { json: mv, notation } = played.mv;
        if needs_turn {
            self.stored.last_move = Some(KeptMove { seat, mv: mv.clone(), notation: notation.clone() });
        }
        // Moves of others that follow from it are not in the plan.
        let planned = step.planned && step.played.is_none();
        step.events.push(StoredEvent::Move { seat, mv, notation, time: None, planned });
        step.events.extend(played.events.into_iter().map(StoredEvent::Game));
    }

    /// A turn opens a new decision for its seat; a draw on offer to which the seat has not agreed lapses.
    pub(super) fn turn_taken(&mut self, step: &mut Step, seat: Seat) {
        step.movers = step.movers.with(seat);
        if !self.stored.draw.contains(&seat) {
            self.stored.draw.clear();
        }
    }

    /// Carries on until a present player is to act: moves for seats whose players have left, and the end.
    pub(super) fn go_on(&mut self, step: &mut Step) -> Result<(), Unreadable> {
        for _ in 0..ABSENT_MOVES_MAX {
            let resigned = self.resigned();
            let absent = match self.state_mut()?.status() {
                Status::Over(outcome) => {
                    self.finish(step, outcome);
                    return Ok(());
                }
                Status::ToAct(seats) => {
                    step.stayed = step.stayed.common(seats);
                    seats.iter().find(|seat| resigned.contains(*seat))
                }
                Status::Chance => return Err(Unreadable::stuck()),
            };
            let Some(seat) = absent else { return Ok(()) };
            self.move_absent(step, seat)?;
        }
        Err(Unreadable::stuck())
    }

    /// Makes the absent moves of a seat until its turn is over, after one decision or when it is not to act any more, and
    /// what follows from them.
    pub(super) fn pass_turn(&mut self, step: &mut Step, seat: Seat, one_decision: bool) -> Result<(), Unreadable> {
        for made in 0..ABSENT_MOVES_MAX {
            match self.state_mut()?.status() {
                Status::ToAct(seats) if seats.contains(seat) && !(one_decision && made > 0) => {
                    step.stayed = step.stayed.common(seats);
                }
                _ => return self.go_on(step),
            }
            self.move_absent(step, seat)?;
            self.turn_taken(step, seat);
        }
        Err(Unreadable::stuck())
    }

    /// Makes the move that is made for a seat whose player is absent.
    fn move_absent(&mut self, step: &mut Step, seat: Seat) -> Result<(), Unreadable> {
        let mut dice = self.dice();
        let state = self.state_mut()?;
        let mv = state.absent_move(seat, &mut dice).ok_or_else(Unreadable::stuck)?;
        // A refusal would be the game's own doing: nobody has asked for this move.
        let played = state.play(seat, mv, &mut dice).map_err(Unreadable::new)?;
        self.stored.dice = dice.position();
        // Nobody has decided on it, so nobody can have it back.
        step.bar(BarrierReason::Chance);
        self.tell_move(step, seat, played, true);
        step.movers = step.movers.with(seat);
        Ok(())
    }

    pub(super) fn finish(&mut self, step: &mut Step, outcome: Outcome) {
        let outcome = outcome.with_resigned_last(self.resigned());
        self.finish_as(step, outcome);
    }

    /// Finishes the match with this very outcome.
    pub(super) fn finish_as(&mut self, step: &mut Step, mut outcome: Outcome) {
        // Of an ending by the service alone, a game that knows scores says what each seat has.
        if let Some(score) = self.game.given_up_score().filter(|_| endings::ALL.contains(&&*outcome.ending)) {
            for standing in &mut outcome.standings {
                standing.score.get_or_insert(score);
            }
        }
        self.stored.stage = Stage::Finished;
        self.stored.ended_at = Some(step.at);
        self.stored.draw.clear();
        self.stored.outcome = Some(outcome.clone());
        step.tell(LifeEvent::MatchEnded(MatchEnded { outcome }));
    }
}
