//! Absolution by Nate Christensen: two to five players against the clock, all win or all lose. Hands and the order of
//! the pile are hidden.
//!
//! Invariant: [`Absolution`] follows its rules (`rules.md`), which its refusals cite.

mod course;
mod events;
mod matching;
mod moves;
mod notation;
mod numbers;
mod options;
mod state;
mod talk;
#[cfg(test)]
mod tests;
mod track;
mod view;

pub use events::{
    AbsolutionEnded, DoomedDruidMoved, Event, ExchangeFieldLaid, FieldCardExchanged, NominationsDiffered,
    NumberDiskMoved, NumberMatched, NumberMissed, NumberTrilithonPlaced, NumberTrilithonRemoved, OpeningHandDealt,
    ReadinessTold, ReplacementsDrawn, Ring, StarterFound, StarterNominated, TrackTurnBegun, WishTold,
};
pub use moves::{Exchange, Move, Nominate, Play};
pub use numbers::NumberSet;
pub use options::{FirstPlayer, Options};
pub use state::{Ending, Player, State, Step};
pub use talk::{Ready, Talk, Wish, WishColour, Word};
pub use track::{Druid, Phase, Turn};
pub use view::{AbsolutionView, Nomination, Round, SeatView, TurnView};

use serde_json::value::RawValue;
use strum::VariantNames;

use crate::games::common::Pass;
use crate::games::stonehenge::{Card, printed_board};
use crate::rules::{
    Board, Chance, Dice, Edge, Game, GameInfo, Legal, LegalMoves, MalformedOptions, Mode, Refusal, Seat, SeatCount,
    Signal, Status, Viewer, read_options,
};

/// The game.
pub struct Absolution;

impl Game for Absolution {
    const INFO: GameInfo = GameInfo {
        id: "absolution",
        title: "Absolution",
        designer: "Nate Christensen",
        min_seats: 2,
        max_seats: 5,
        mode: Mode::Cooperative,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = AbsolutionView;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, seats: SeatCount) -> Result<(), Refusal> {
        options.check(seats)
    }

    fn setup(&self, options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let state = State::new(*options, seats, dice);
        let hands = seats.seats().zip(&state.players).map(|(seat, Player { hand, .. })| {
            Event::HandDealt(OpeningHandDealt { seat, count: hand.len() as u8, cards: Some(*hand) })
        });
        let field = ExchangeFieldLaid { cards: state.field, pile_size: state.pile.len() as u8 };
        let mut events: Vec<Event> = hands.chain([Event::FieldLaid(field)]).collect();
        state.open_day_1(options.first_player, &mut events);
        (state, events)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        match state.step {
            Step::Voting if state.undecided().contains(seat) => {
                let seats = state.seats().seats();
                LegalMoves::all(seats.map(|nominee| Move::Nominate(Nominate { seat: nominee })).collect())
            }
            Step::Playing if state.on_turn() == Some(seat) => LegalMoves::all(turn_moves(state, seat)),
            _ => LegalMoves::none(),
        }
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        match (state.step, mv) {
            (Step::Over, _) => Err(Refusal::new("match_over", "5.4", None, "the match is over")),
            (_, Move::Wish(wish)) => {
                state.players[seat.index()].talk.check()?;
                wish.check()
            }
            (_, Move::Ready(ready)) => {
                state.players[seat.index()].talk.check()?;
                check_ready(state, *ready)
            }
            (Step::Voting, Move::Nominate(nominate)) => check_nominate(state, seat, *nominate),
            (Step::Voting, _) => {
                Err(Refusal::new("vote_open", "AB-01", Some("type"), "a nomination is due; it is nobody's turn yet"))
            }
            _ if state.on_turn() != Some(seat) => {
                Err(Refusal::new("not_your_turn", "AB-03", None, "this seat has nothing to decide now"))
            }
            (_, Move::Nominate(_)) => {
                Err(Refusal::new("vote_over", "AB-01", Some("type"), "it is settled who plays Day 1"))
            }
            (_, Move::Exchange(exchange)) => check_exchange(state, seat, *exchange),
            (_, Move::Play(play)) => check_play(state, seat, *play),
            (_, Move::Pass(Pass {})) => Ok(()),
        }
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        let (seat, mut events) = (mv.seat(), Vec::new());
        match mv.mv() {
            Move::Nominate(nominate) => state.nominate(seat, *nominate, &mut events),
            Move::Exchange(exchange) => state.exchange(seat, *exchange, &mut events),
            Move::Play(play) => state.play(seat, *play, &mut events),
            Move::Pass(Pass {}) => state.pass(seat, &mut events),
            Move::Wish(wish) => state.wish(seat, wish, &mut events),
            Move::Ready(ready) => state.ready(seat, *ready, &mut events),
        }
        events
    }

    fn resolve(&self, state: &mut State, _dice: &mut Dice) -> Vec<Event> {
        let mut events = Vec::new();
        state.resolve(&mut events);
        events
    }

    fn view(&self, state: &State, viewer: Viewer) -> AbsolutionView {
        state.view(viewer)
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(event.seen_by(viewer))
    }

    /// Every move is made openly.
    fn redact_move(&self, mv: &Move, _by: Seat, _viewer: Viewer) -> Option<Move> {
        Some(mv.clone())
    }

    fn imagine(&self, view: &AbsolutionView, _viewer: Viewer, dice: &mut Dice) -> State {
        State::imagined(view, dice)
    }

    fn notation(&self, mv: &Move) -> String {
        notation::write(mv)
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        notation::read(text)
    }

    fn malformed_rule(&self, json: &serde_json::Value) -> Option<&'static str> {
        notation::malformed_rule(json)
    }

    fn needs_turn(&self, mv: &Move) -> bool {
        !matches!(mv, Move::Wish(_) | Move::Ready(_))
    }

    fn signals(&self) -> &'static [Signal] {
        talk::SIGNALS
    }

    /// The printed board, with the Druid's way joined up.
    fn board(&self) -> Board {
        let mut board = printed_board();
        board.edges.extend(Druid::way().filter(|druid| !druid.on_altar()).map(|druid| Edge {
            from: druid.to_string(),
            to: druid.on().to_string(),
            cost: None,
        }));
        board
    }
}

/// Matches, then the pass, then the exchanges; cards in board order. The first is what an absent seat does.
fn turn_moves(state: &State, seat: Seat) -> Vec<Move> {
    let hand = state.players[seat.index()].hand;
    let matches = matching::matches(hand, state.number());
    let mut moves: Vec<Move> = matches.into_iter().map(|cards| Move::Play(Play { cards })).collect();
    moves.push(Move::Pass(Pass {}));
    if !state.exchanged {
        let take_for = |give: Card| state.field.iter().map(move |take| Move::Exchange(Exchange { give, take }));
        moves.extend(hand.iter().flat_map(take_for));
    }
    moves
}

fn check_nominate(state: &State, seat: Seat, Nominate { seat: nominee }: Nominate) -> Result<(), Refusal> {
    if !state.undecided().contains(seat) {
        let detail = "a nomination is final for its round";
        return Err(Refusal::new("already_nominated", "AB-01", None, detail));
    }
    if !state.seats().contains(nominee) {
        return Err(Refusal::new("no_such_seat", "AB-01", Some("seat"), format!("there is no seat {nominee}")));
    }
    Ok(())
}

fn check_exchange(state: &State, seat: Seat, Exchange { give, take }: Exchange) -> Result<(), Refusal> {
    if state.exchanged {
        return Err(Refusal::new("already_exchanged", "AB-07", None, "the Field is used at most once in a turn"));
    }
    if !state.players[seat.index()].hand.contains(give) {
        return Err(Refusal::new("not_in_hand", "AB-08", Some("give"), format!("{give} is not in your hand")));
    }
    if !state.field.contains(take) {
        return Err(Refusal::new("not_in_field", "AB-08", Some("take"), format!("{take} is not in the Field")));
    }
    Ok(())
}

fn check_play(state: &State, seat: Seat, Play { cards }: Play) -> Result<(), Refusal> {
    let (hand, number) = (state.players[seat.index()].hand, state.number());
    let refuse = |code, rule, detail: String| Err(Refusal::new(code, rule, Some("cards"), detail));
    if !(1..=2).contains(&cards.len()) {
        let rule = if cards.is_empty() { "4.3" } else { "AB-12" };
        return refuse("one_or_two_cards", rule, "a match is one card or two".to_owned());
    }
    if let Some(card) = cards.without(hand).iter().next() {
        return refuse("not_in_hand", "AB-34", format!("{card} is not in your hand"));
    }
    if matching::is_match(cards, number) {
        return Ok(());
    }
    match cards.iter().find(|card| card.is_trilithon() && card.colour() != number.colour()) {
        Some(_) if track::is_black(number) => {
            refuse("wrong_colour", "AB-14", "no trilithon card is played on a black number".to_owned())
        }
        Some(card) => refuse("wrong_colour", "AB-13", format!("{card} is played on {} only", card.colour())),
        None => refuse("no_match", "AB-34", format!("these cards do not match {number}")),
    }
}

fn check_ready(state: &State, ready: Ready) -> Result<(), Refusal> {
    if ready.turn() >= state.turn {
        return Ok(());
    }
    Err(Refusal::new("turn_over", "AB-36", Some("number"), "the turn on this number is over"))
}
