//! The turn flow of a match: automatic frames are worked off until a decision or a chance step is on top, and one chance
//! step is carried out at a time.
//!
//! It depends on the machine, which carries out moves, and on legality, which says whether an action has ended.

use super::Henge;
use super::machine::{Machine, setup};
use super::moves::Move;
use super::observation::events::{DecisionDue, Event};
use super::options::Options;
use super::state::{EndStep, Frame, Stage, State, StoredEquipment};
use sarsen_rules::{Audience, Dice, Legal, MalformedOptions, Refusal, Rules, Seat, SeatCount, Seats, Status};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

impl State {
    /// Returns what happens next.
    pub(crate) fn status(&self) -> Status {
        match self.stage {
            Stage::Spring => match self.undecided() {
                nobody if nobody.is_empty() => Status::Chance,
                seats => Status::ToAct(seats),
            },
            Stage::Upgrade { seat } => Status::ToAct(Seats::one(seat)),
            Stage::Play => match (self.decision(), self.mover()) {
                (Some(_), Some(seat)) => Status::ToAct(Seats::one(seat)),
                _ => Status::Chance,
            },
            Stage::Over => Status::Over(self.outcome()),
        }
    }

    /// The frame that waits for a player's decision, if one does.
    pub(crate) fn decision(&self) -> Option<&Frame> {
        self.top().filter(|frame| {
            matches!(
                frame,
                Frame::Move { .. }
                    | Frame::Action(_)
                    | Frame::Discard { .. }
                    | Frame::Drop { .. }
                    | Frame::Reward { .. }
                    | Frame::Level
                    | Frame::Choose { .. }
                    | Frame::Track
            )
        })
    }
}

impl Machine<'_> {
    /// Works off automatic frames; at a decision, says what it is.
    pub(crate) fn advance(&mut self) {
        while self.step() {}
        if !self.is_silent && self.state.stage == Stage::Play && self.state.decision().is_some() {
            let stack = self.state.stack_told();
            self.emit(Event::DecisionDue(DecisionDue { turn: self.state.turn, stack }));
        }
    }

    /// One automatic frame; whether there may be another.
    fn step(&mut self) -> bool {
        if let Some(Frame::EndOfTurn { step }) = self.state.top() {
            return self.end_step(*step);
        }
        let Some(seat) = self.state.mover() else { return false };
        let person = self.state.person(seat);
        let hand_is_empty = person.hand.is_empty();
        match self.state.top() {
            None => return false,
            Some(Frame::Effects { list, at }) => {
                let (list, at) = (*list, *at);
                self.run_effect(seat, list, at);
            }
            Some(Frame::LuckDraws { times }) => {
                let piles = &self.state.luck;
                if *times > 0 && !(piles.deck.is_empty() && piles.discards.is_empty()) {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::BonusDraws { times }) => {
                if *times > 0
                    && !(self.state.end_of_game_deck.is_empty() && self.state.end_of_game_discards().is_empty())
                {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Discard { left }) => {
                if *left > 0 && !hand_is_empty {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Drop { left }) => {
                if *left > 0 && (person.spring.is_some() || !person.end_of_game_cards.is_empty()) {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Reward { pool }) => {
                if !self.state.pool(*pool).face_up.is_empty() {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Action(act)) => {
                if !hand_is_empty || !(act.is_sub_action || act.units > 0) || self.state.any_unit(seat) {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Track) => {
                let is_full = usize::from(person.luck_steps) >= self.state.equipment.set().luck_track.len();
                if !hand_is_empty && !is_full {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(_) => return false,
        }
        true
    }

    /// One chance step, and what follows up to the next decision or chance step.
    pub(crate) fn resolve(&mut self, dice: &mut Dice) {
        match (self.state.stage, self.state.top()) {
            (Stage::Spring, _) => self.reveal_spring(),
            (_, Some(Frame::LuckDraws { .. })) => self.draw_luck(dice),
            (_, Some(Frame::BonusDraws { .. })) => self.draw_bonus(dice),
            (_, Some(Frame::EndOfTurn { step: EndStep::Quarry })) => self.refill_quarry(dice),
            (_, Some(Frame::EndOfTurn { .. })) => self.refill_chits(dice),
            (_, Some(Frame::Hengebot)) => self.bot_turn(dice),
            // Frames that are no chance step do not get here.
            _ => self.score_match(),
        }
        self.advance();
    }
}

impl Rules for Henge {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type State = State;

    fn options(&self, json: &Value) -> Result<Options, MalformedOptions> {
        Options::read(json, &self.sets)
    }

    fn check_options(&self, options: &Options, seats: SeatCount) -> Result<(), Refusal> {
        options.check(seats)
    }

    fn setup(&self, options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let (seating, equipment) = options.played(seats);
        setup::set_up(&seating, equipment, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        let stored: State<StoredEquipment> = serde_json::from_str(state.get())?;
        stored.open(&self.sets)
    }

    fn has_options(&self, state: &State, options: &Options) -> bool {
        let (seating, equipment) = options.played(state.count());
        (&state.chairs, &state.equipment) == (&seating.chairs(), &equipment)
    }

    fn seat_count(&self, state: &State) -> SeatCount {
        state.count()
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        *moves = state.legal(seat);
        true
    }

    fn listed(&self, state: &State, seat: Seat, mv: &Move) -> Option<impl Serialize> {
        state.listed(seat, mv)
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        state.check(seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>, events: &mut impl Audience<Event>) {
        let mut run = Machine::heard_by(state, events);
        run.act(mv.seat(), mv.mv());
        run.advance();
        events.tell_all(run.events);
    }

    fn resolve(&self, state: &mut State, dice: &mut Dice, events: &mut impl Audience<Event>) {
        let mut run = Machine::heard_by(state, events);
        run.resolve(dice);
        events.tell_all(run.events);
    }

    /// Ends what may be ended (section 9.2). Otherwise a move is drawn.
    fn absent_move(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let moves = state.legal(seat);
        let done = moves.iter().find(|mv| matches!(mv, Move::Done(_))).copied();
        done.or_else(|| dice.one_of(moves))
    }
}
