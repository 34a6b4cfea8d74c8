//! The turn flow of a match: the set-up, and what each accepted move and each chance step brings about, told by events.

use super::events::{
    AbsolutionEnded, DoomedDruidMoved, Event, ExchangeFieldLaid, FieldCardExchanged, NominationsDiffered,
    NumberDiskMoved, NumberMatched, NumberMissed, NumberTrilithonPlaced, NumberTrilithonRemoved, OpeningHandDealt,
    ReadinessTold, ReplacementsDrawn, Ring, StarterFound, StarterNominated, TrackTurnBegun, WishTold,
};
use super::moves::{Exchange, Move, Nominate, Play};
use super::numbers::NumberSet;
use super::options::{FirstPlayer, Options};
use super::state::{Ending, Player, State, Step, hand_size};
use super::talk::{Ready, Talk, Wish};
use super::track::{Druid, Phase, Turn, is_black};
use super::{Absolution, legal};
use crate::common::Pass;
use crate::stonehenge::{CardSet, Pile};
use sarsen_rules::{Audience, Dice, Legal, MalformedOptions, Refusal, Rules, Seat, SeatCount, Status, read_options};
use serde_json::value::RawValue;

/// The vote has at most this many rounds.
const ROUNDS: usize = 2;

/// The match up to the first decision: the vote, or the turn of Day 1.
pub(crate) fn set_up(options: Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
    let state = State::new(options, seats, dice);
    let hands = seats.seats().zip(&state.players).map(|(seat, Player { hand, .. })| {
        Event::HandDealt(OpeningHandDealt { seat, count: hand.len() as u8, cards: Some(*hand) })
    });
    let field = ExchangeFieldLaid { cards: state.field, pile_size: state.pile.len() as u8 };
    let mut events: Vec<Event> = hands.chain([Event::FieldLaid(field)]).collect();
    state.open_day_1(options.first_player, &mut events);
    (state, events)
}

impl State {
    /// Cards dealt, disks in place, the Druid on B1. The vote, or Day 1 where there is none.
    pub(crate) fn new(options: Options, seats: SeatCount, dice: &mut Dice) -> State {
        let mut pile = Pile::shuffled(CardSet::ALL, dice);
        let mut deal = |count: u8| -> CardSet { (0..count).filter_map(|_| pile.draw()).collect() };
        let players = seats
            .seats()
            .map(|_| Player { hand: deal(hand_size(seats)), taken: CardSet::EMPTY, talk: Talk::default() })
            .collect();
        let field = deal(seats.get());
        let first = match options.first_player {
            FirstPlayer::Vote => None,
            FirstPlayer::Random => Seat::new(dice.below(u32::from(seats.get())) as u8),
            FirstPlayer::Seat => options.first_seat,
        };
        State {
            options,
            step: if first.is_some() { Step::Playing } else { Step::Voting },
            votes: if first.is_some() { Vec::new() } else { vec![vec![None; usize::from(seats.get())]] },
            first,
            turn: Turn::FIRST,
            exchanged: false,
            druid: Druid::START,
            days_out: NumberSet::EMPTY,
            nights_out: NumberSet::EMPTY,
            trilithons: NumberSet::EMPTY,
            players,
            field,
            discards: Pile::default(),
            pile,
        }
    }

    /// A nomination, and what follows when it is the last of its round (AB-01).
    fn nominate(&mut self, seat: Seat, Nominate { seat: nominee }: Nominate, events: &mut impl Audience<Event>) {
        let rounds = self.votes.len();
        if let Some(entry) = self.votes.last_mut().and_then(|round| round.get_mut(seat.index())) {
            *entry = Some(nominee);
        }
        events.tell(|| Event::Nominated(StarterNominated { seat, nominee, round: rounds as u8 }));
        if !self.undecided().is_empty() {
            return;
        }
        let nominees: Vec<Seat> = self.votes.iter().last().into_iter().flatten().copied().flatten().collect();
        let agreed = nominees.windows(2).all(|two| two[0] == two[1]);
        if !agreed && rounds < ROUNDS {
            self.votes.push(vec![None; self.players.len()]);
            events.tell(|| Event::Differed(NominationsDiffered {}));
            return;
        }
        // The most nominations, the lowest seat among equals.
        let votes = |seat: Seat| nominees.iter().filter(|nominee| **nominee == seat).count();
        let seats: Vec<Seat> = self.seats().seats().collect();
        self.first = seats.into_iter().rev().max_by_key(|seat| votes(*seat));
        self.step = Step::Playing;
        for player in &mut self.players {
            player.talk.move_on(self.turn, false);
        }
        self.open_day_1(FirstPlayer::Vote, events);
    }

    /// Tells who plays Day 1, which begins.
    fn open_day_1(&self, by: FirstPlayer, events: &mut impl Audience<Event>) {
        if let Some(seat) = self.first {
            events.tell(|| Event::StarterFound(StarterFound { seat, by }));
            events.tell(|| self.turn_begun(seat));
        }
    }

    fn turn_begun(&self, seat: Seat) -> Event {
        Event::TurnBegun(TrackTurnBegun {
            seat,
            phase: self.turn.phase(),
            number: self.number(),
            rescue_pending: self.rescue_pending(),
        })
    }

    /// A card of the hand for one of the Field.
    fn exchange(&mut self, seat: Seat, Exchange { give, take }: Exchange, events: &mut impl Audience<Event>) {
        let player = &mut self.players[seat.index()];
        player.hand.remove(give);
        player.taken.remove(give);
        player.hand.insert(take);
        player.taken.insert(take);
        self.field.remove(take);
        self.field.insert(give);
        self.exchanged = true;
        events.tell(|| Event::Exchanged(FieldCardExchanged { seat, gave: give, took: take }));
    }

    /// A match. The draw is a chance step; with an empty pile there is none.
    fn play(&mut self, seat: Seat, Play { cards }: Play, events: &mut impl Audience<Event>) {
        let player = &mut self.players[seat.index()];
        player.hand = player.hand.minus(cards);
        player.taken = player.taken.minus(cards);
        cards.iter().for_each(|card| self.discards.lay(card));
        let (phase, number) = (self.turn.phase(), self.number());
        events.tell(|| Event::Matched(NumberMatched { seat, phase, number, cards }));
        if self.due_to_draw() > 0 {
            self.step = Step::Drawing;
        } else {
            self.finish_turn(true, events);
        }
    }

    /// No match: no draw, and the Druid moves on unless the number is black.
    fn pass(&mut self, seat: Seat, events: &mut impl Audience<Event>) {
        let (phase, number) = (self.turn.phase(), self.number());
        events.tell(|| Event::Missed(NumberMissed { seat, phase, number }));
        if !is_black(number) {
            self.move_druid(self.druid.on(), events);
        }
        self.finish_turn(false, events);
    }

    fn wish(&mut self, seat: Seat, wish: &Wish, events: &mut impl Audience<Event>) {
        let talk = &mut self.players[seat.index()].talk;
        talk.wish(wish.clone());
        events.tell(|| {
            let Wish { numbers, colours } = wish.clone();
            Event::WishTold(WishTold { seat, numbers, colours, signals_left: talk.left() })
        });
    }

    fn ready(&mut self, seat: Seat, ready: Ready, events: &mut impl Audience<Event>) {
        let talk = &mut self.players[seat.index()].talk;
        talk.ready(ready);
        let Ready { phase, number, word } = ready;
        events.tell(|| Event::ReadinessTold(ReadinessTold { seat, phase, number, word, signals_left: talk.left() }));
    }

    fn draw(&mut self, events: &mut impl Audience<Event>) {
        let Some(seat) = self.on_turn() else { return };
        let cards: CardSet = (0..self.due_to_draw()).filter_map(|_| self.pile.draw()).collect();
        let player = &mut self.players[seat.index()];
        player.hand = player.hand.union(cards);
        events.tell(|| {
            Event::Drawn(ReplacementsDrawn {
                seat,
                count: cards.len() as u8,
                cards: Some(cards),
                pile_size: self.pile.len() as u8,
            })
        });
    }

    /// Disks, trilithon and Druid after the draw; then the next turn or the end.
    fn finish_turn(&mut self, matched: bool, events: &mut impl Audience<Event>) {
        let number = self.number();
        match (self.turn.phase(), is_black(number), matched) {
            (Phase::Day, false, _) => self.move_disk(Phase::Day, Ring::Outer, events),
            (Phase::Day, true, true) => {
                self.trilithons.insert(number);
                events.tell(|| Event::TrilithonPlaced(NumberTrilithonPlaced { number }));
            }
            (Phase::Night, false, true) => self.move_disk(Phase::Day, Ring::Inner, events),
            (Phase::Night, false, false) => self.move_disk(Phase::Night, Ring::Outer, events),
            (Phase::Night, true, true) if self.trilithons.remove(number) => {
                events.tell(|| Event::TrilithonRemoved(NumberTrilithonRemoved { number }));
                self.move_druid(self.druid.back(), events);
            }
            (_, true, _) => {}
        }
        match self.turn.next().filter(|next| !self.druid.on_altar() || may_rescue(*next, self.trilithons)) {
            Some(next) => {
                let mover = self.on_turn();
                self.turn = next;
                self.exchanged = false;
                self.step = Step::Playing;
                for (seat, player) in self.seats().seats().zip(&mut self.players) {
                    player.talk.move_on(next, mover == Some(seat));
                }
                if let Some(seat) = self.on_turn() {
                    events.tell(|| self.turn_begun(seat));
                }
            }
            None => self.step = Step::Revealing,
        }
    }

    fn move_druid(&mut self, to: Druid, events: &mut impl Audience<Event>) {
        if to != self.druid {
            events.tell(|| Event::DruidMoved(DoomedDruidMoved { from: self.druid, to }));
            self.druid = to;
        }
    }

    fn move_disk(&mut self, disk: Phase, to: Ring, events: &mut impl Audience<Event>) {
        let number = self.number();
        let out = match disk {
            Phase::Day => &mut self.days_out,
            Phase::Night => &mut self.nights_out,
        };
        match to {
            Ring::Inner => out.remove(number),
            Ring::Outer => out.insert(number),
        };
        events.tell(|| {
            let (inner_pairs, outer_pairs) = (self.inner_pairs() as u8, self.outer_pairs() as u8);
            Event::DiskMoved(NumberDiskMoved { number, disk, to, inner_pairs, outer_pairs })
        });
    }

    fn ended(&self) -> Event {
        Event::Ended(AbsolutionEnded {
            ending: self.ending().unwrap_or(Ending::TooFewPairs),
            inner_pairs: self.inner_pairs() as u8,
            outer_pairs: self.outer_pairs() as u8,
            hands: self.players.iter().map(|player| player.hand).collect(),
            pile: self.pile.cards().iter().rev().copied().collect(),
        })
    }
}

/// Returns whether a night follows in which `number`, the next one, brings the Druid back if it is matched (AB-22, AB-23).
fn may_rescue(turn: Turn, trilithons: NumberSet) -> bool {
    turn.phase() == Phase::Night && trilithons.contains(turn.number())
}

impl Rules for Absolution {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, seats: SeatCount) -> Result<(), Refusal> {
        options.check(seats)
    }

    fn setup(&self, options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        set_up(*options, seats, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn has_options(&self, state: &State, options: &Options) -> bool {
        state.options == *options
    }

    fn seat_count(&self, state: &State) -> SeatCount {
        state.seats()
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        legal::moves_into(state, seat, moves);
        true
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>, events: &mut impl Audience<Event>) {
        let seat = mv.seat();
        match mv.mv() {
            Move::Nominate(nominate) => state.nominate(seat, *nominate, events),
            Move::Exchange(exchange) => state.exchange(seat, *exchange, events),
            Move::Play(play) => state.play(seat, *play, events),
            Move::Pass(Pass {}) => state.pass(seat, events),
            Move::Wish(wish) => state.wish(seat, wish, events),
            Move::Ready(ready) => state.ready(seat, *ready, events),
        }
    }

    fn resolve(&self, state: &mut State, _dice: &mut Dice, events: &mut impl Audience<Event>) {
        match state.step {
            Step::Drawing => {
                state.draw(events);
                state.finish_turn(true, events);
            }
            Step::Revealing => {
                events.tell(|| state.ended());
                state.step = Step::Over;
            }
            Step::Voting | Step::Playing | Step::Over => {}
        }
    }

    fn needs_turn(&self, mv: &Move) -> bool {
        !matches!(mv, Move::Wish(_) | Move::Ready(_))
    }
}
