//! Sacrifice Roulette by Jason Bulmahn: two to five players roll a boulder over pits full of each other's sacrifices.
//! Hands and the deck's order are secret; falls and draws are left to chance.
//!
//! Invariant: [`SacrificeRoulette`] follows its rules (`rules.md`), which its refusals cite.

mod events;
mod listing;
mod moves;
mod notation;
mod options;
mod setup;
mod state;
#[cfg(test)]
mod tests;
mod track;
mod turn;
mod view;

pub use events::{
    BoulderFell, BoulderRolled, BoulderSetUp, CardsDrawn, CardsRevealed, DeckDepleted, DeckReshuffled, Event,
    FallCardDrawn, Hand, HandsDealt, PitEmptied, SacrificePlaced, SacrificesSetUp, SeatSacrifices, TrilithonsPlayed,
    TurnBegun,
};
pub use moves::{Ending, Move, Place, Reverse, Roll};
pub use options::Options;
pub use state::{Pits, Player, Reshuffle, Stage, State};
pub use track::Direction;
pub use view::{Phase, Pit, PlayerView, SacrificeRouletteView, ScoringPile};

use serde_json::value::RawValue;

use crate::games::stonehenge::{Stone, printed_board};
use crate::rules::{
    Board, Chance, Dice, Game, GameInfo, Legal, LegalMoves, MalformedOptions, Mode, Refusal, Seat, SeatCount, Status,
    Viewer, read_options,
};

/// The game.
pub struct SacrificeRoulette;

impl Game for SacrificeRoulette {
    const INFO: GameInfo = GameInfo {
        id: "sacrifice_roulette",
        title: "Sacrifice Roulette",
        designer: "Jason Bulmahn",
        min_seats: 2,
        max_seats: 5,
        mode: Mode::Competitive,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: &[state::ENDING],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = SacrificeRouletteView;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, _options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        Ok(())
    }

    fn setup(&self, _options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let (state, event) = setup::begin(seats, dice);
        (state, vec![event])
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        match (state.stage, state.boulder) {
            _ if state.actor() != Some(seat) => LegalMoves::none(),
            (Stage::Placing { .. }, _) => {
                let free = Stone::all().filter(|pit| state.pits.at(*pit).is_none());
                LegalMoves::all(free.map(|pit| Move::Place(Place { pit })).collect())
            }
            (Stage::Turn(_), Some(boulder)) => {
                listing::turns(state.players[seat.index()].hand, boulder, state.direction())
            }
            _ => LegalMoves::none(),
        }
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        let refuse = |code, rule, field, detail: &'static str| Err(Refusal::new(code, rule, Some(field), detail));
        if state.actor() != Some(seat) {
            return Err(not_your_turn(state.stage));
        }
        let hand = state.players[seat.index()].hand;
        match (mv, state.stage, state.boulder) {
            (Move::Place(Place { pit }), Stage::Placing { .. }, _) => match state.pits.at(*pit) {
                None => Ok(()),
                Some(_) => refuse("occupied", "SR-04", "pit", "a sacrifice lies in this pit"),
            },
            (Move::Roll(roll), Stage::Turn(_), Some(boulder)) => {
                listing::check_roll(hand, boulder, state.direction(), roll)
            }
            (Move::Reverse(reverse), Stage::Turn(_), _) => listing::check_reverse(hand, *reverse),
            (Move::Place(_), ..) => refuse("no_placing", "2.3", "type", "all sacrifices have been placed"),
            _ => refuse("placing_due", "SR-04", "type", "a sacrifice is to be placed"),
        }
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        match mv.mv() {
            Move::Place(place) => vec![turn::place(state, mv.seat(), *place)],
            Move::Roll(roll) => turn::roll(state, mv.seat(), roll),
            Move::Reverse(reverse) => turn::reverse(state, mv.seat(), *reverse),
        }
    }

    fn resolve(&self, state: &mut State, dice: &mut Dice) -> Vec<Event> {
        match state.stage {
            Stage::Placing { boulder_cards } => setup::draw_boulder(state, boulder_cards, dice),
            Stage::Dealing => setup::deal(state, dice),
            Stage::Falling(seat) => turn::fall(state, seat, dice),
            Stage::Drawing(seat) => turn::draw_up(state, seat, dice),
            Stage::Turn(_) | Stage::Over => Vec::new(),
        }
    }

    fn view(&self, state: &State, viewer: Viewer) -> SacrificeRouletteView {
        state.view(viewer)
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(events::redact(event, viewer))
    }

    /// Every card is laid openly.
    fn redact_move(&self, mv: &Move, _by: Seat, _viewer: Viewer) -> Option<Move> {
        Some(*mv)
    }

    fn imagine(&self, view: &SacrificeRouletteView, _viewer: Viewer, dice: &mut Dice) -> State {
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

    fn board(&self) -> Board {
        printed_board()
    }
}

/// Whose turn it is follows from what is due.
fn not_your_turn(stage: Stage) -> Refusal {
    let rule = match stage {
        Stage::Placing { .. } => "SR-03",
        Stage::Dealing | Stage::Turn(_) | Stage::Falling(_) | Stage::Drawing(_) => "3.1",
        Stage::Over => "6.1",
    };
    Refusal::new("not_your_turn", rule, None, "this seat has nothing to decide now")
}
