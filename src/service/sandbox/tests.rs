//! The laws of the sandbox, for every game: positions are those of the rules, sealed texts open here alone, and whatever is
//! sent as a view is a view or is refused.

mod fuzz;
mod playouts;
mod seals;

use std::sync::Arc;

use serde_json::Value;

use super::imagine::ImagineOrder;
use super::seal::KindHint;
use super::set_up::{Reached, SetUpOrder};
use super::step::{Choice, NotStepped, StepOrder};
use super::*;
use sarsen_games::{AnyState, GameSettings, ListForm, MoveInput};
use sarsen_rules::{Dice, Seat, SeatCount, Status, Viewer};

/// Longer than any match that is played at random here.
const LONGEST: usize = 6000;

fn games() -> Arc<Games> {
    Arc::new(Games::standard(GameSettings::default()))
}

fn keys(ambient: &Ambient) -> SigningKeys {
    SigningKeys::parse(&SigningKeys::new_key_text(ambient)).unwrap()
}

fn sandbox(number: u64) -> Sandbox {
    let ambient = Ambient::fixed(0, number);
    Sandbox::new(games(), &keys(&ambient), ambient).unwrap()
}

fn order(game: &str, seats: Option<u8>, seed: DiceSeed, count: usize) -> SetUpOrder {
    let seats = seats.and_then(SeatCount::new);
    SetUpOrder { game: game.to_owned(), options: Value::Null, seats, seed: Some(seed), count }
}

/// The first position of a seed.
fn first(sandbox: &Sandbox, game: &str, seats: Option<u8>, seed: DiceSeed) -> Reached {
    sandbox.set_up(order(game, seats, seed, 1)).unwrap().next().unwrap().unwrap()
}

fn notations(state: &dyn AnyState, seat: Seat) -> Vec<String> {
    serde_json::from_str(state.legal_moves(seat, ListForm::Notation).unwrap().moves.get()).unwrap()
}

/// A seat that is to act and one of its moves, by its place and in notation; `None` once the match is over.
fn chosen(state: &dyn AnyState, choice: &mut Dice) -> Option<(Seat, usize, String)> {
    let Status::ToAct(seats) = state.status() else { return None };
    let seats: Vec<Seat> = seats.iter().collect();
    let seat = seats[choice.index(seats.len()).unwrap()];
    let mut moves = notations(state, seat);
    let index = choice.index(moves.len()).unwrap();
    Some((seat, index, moves.swap_remove(index)))
}

fn views(state: &dyn AnyState) -> Vec<(Option<Seat>, Value)> {
    let seats = state.seat_count().seats().map(Some).chain([None]);
    let view = |seat: Option<Seat>| {
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        (seat, serde_json::from_str(state.view(viewer).unwrap().get()).unwrap())
    };
    seats.map(view).collect()
}

/// Steps sealed positions to the end, and plays the same match with the rules alone.
#[test]
fn sealed_positions_lead_through_the_match_of_their_seed() {
    let sandbox = sandbox(1);
    for (number, game) in sandbox.games.iter().enumerate() {
        let info = game.info();
        for seats in info.min_seats..=info.max_seats {
            let seed = DiceSeed([number as u8 * 16 + seats; 32]);
            let mut choice = Dice::new(DiceSeed([99; 32]));
            let (mut dice, count) = (Dice::new(seed), SeatCount::new(seats).unwrap());
            let options = game.options(&Value::Null, count).unwrap();
            let mut state = game.setup(&options, count, &mut dice).unwrap().state;
            let mut sealed = sandbox.seal(&first(&sandbox, info.id, Some(seats), seed).position).unwrap();
            let mut hint = KindHint::default();
            for length in 0.. {
                assert!(length < LONGEST, "{} does not end", info.id);
                let opened = sandbox.seals.open(&sealed, &mut hint).unwrap();
                assert_eq!(opened.state.store().unwrap().get(), state.store().unwrap().get());
                assert_eq!((opened.dice.position(), opened.seat_count()), (dice.position(), count));
                let Some((seat, index, notation)) = chosen(&*state, &mut choice) else { break };
                let choice = match length % 2 {
                    0 => Choice::Index(index),
                    _ => Choice::Move(MoveInput::Notation(notation.clone())),
                };
                let step = StepOrder { position: sealed.clone(), seat, choice };
                let (reached, again) = (sandbox.step(&step, &mut hint), sandbox.step(&step, &mut hint));
                let (reached, again) = (reached.unwrap(), again.unwrap());
                let mv = game.read_move(&MoveInput::Notation(notation)).unwrap();
                let played = state.play(seat, mv, &mut dice).unwrap();
                let told = |events: &[sarsen_games::GameEvent]| serde_json::to_string(events).unwrap();
                assert_eq!(told(&reached.events), told(&played.events));
                assert_eq!(told(&again.events), told(&played.events), "a copy of the text is a copy of the position");
                assert_eq!(again.position.state.store().unwrap().get(), reached.position.state.store().unwrap().get());
                assert_eq!(again.position.dice.position(), reached.position.dice.position());
                sealed = sandbox.seal(&reached.position).unwrap();
                assert_ne!(sealed, sandbox.seal(&reached.position).unwrap(), "two seals of a position are equal");
            }
        }
    }
}

#[test]
fn what_is_imagined_of_a_view_shows_that_view_and_can_be_played_on() {
    let sandbox = sandbox(2);
    for game in sandbox.games.iter() {
        let info = game.info();
        for seats in info.min_seats..=info.max_seats {
            let mut choice = Dice::new(DiceSeed([seats; 32]));
            let reached = first(&sandbox, info.id, Some(seats), DiceSeed([seats + 50; 32]));
            let (mut state, mut dice) = (reached.position.state, reached.position.dice);
            for length in 0.. {
                assert!(length < LONGEST, "{} does not end", info.id);
                let over = matches!(state.status(), Status::Over(_));
                if length % 23 == 0 || over {
                    all_views_can_be_imagined(&sandbox, info.id, &*state);
                }
                let Some((seat, _, notation)) = chosen(&*state, &mut choice) else { break };
                let mv = game.read_move(&MoveInput::Notation(notation)).unwrap();
                state.play(seat, mv, &mut dice).unwrap();
            }
        }
    }
}

fn all_views_can_be_imagined(sandbox: &Sandbox, game: &str, state: &dyn AnyState) {
    for (seat, view) in views(state) {
        let order = ImagineOrder { game: game.to_owned(), view: view.clone(), seat, seed: None, count: 3 };
        let positions = sandbox.imagine(&order).unwrap_or_else(|why| panic!("{game}: {why}: {view}"));
        assert_eq!(positions.len(), 3);
        for position in positions {
            let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
            let seen: Value = serde_json::from_str(position.state.view(viewer).unwrap().get()).unwrap();
            assert_eq!(seen, view);
            assert_eq!(position.state.status(), state.status());
            let sealed = sandbox.seal(&position).unwrap();
            let Some((seat, index, _)) = chosen(&*position.state, &mut Dice::new(DiceSeed([1; 32]))) else { continue };
            let step = StepOrder { position: sealed, seat, choice: Choice::Index(index) };
            sandbox.step(&step, &mut KindHint::default()).unwrap();
        }
    }
}

#[test]
fn positions_of_a_request_differ_and_follow_from_the_seed() {
    let sandbox = sandbox(3);
    for game in sandbox.games.ids() {
        let states = |count| -> Vec<String> {
            let reached = sandbox.set_up(order(game, None, DiceSeed([5; 32]), count)).unwrap();
            reached.map(|reached| reached.unwrap().position.state.store().unwrap().get().to_owned()).collect()
        };
        let (few, many) = (states(3), states(8));
        assert_eq!(few[..], many[..3]);
        assert!(many.iter().any(|state| *state != many[0]), "{game}: one set-up for all seeds");
    }
}

#[test]
fn a_step_is_judged_in_the_order_of_a_move() {
    let sandbox = sandbox(4);
    let position = sandbox.seal(&first(&sandbox, "contiguity", None, DiceSeed([1; 32])).position).unwrap();
    let opened = sandbox.seals.open(&position, &mut KindHint::default()).unwrap();
    let seat = |number| Seat::new(number).unwrap();
    let actor = if opened.is_to_act(seat(0)) { seat(0) } else { seat(1) };
    let other = if actor == seat(0) { seat(1) } else { seat(0) };
    let refused = |position: &str, seat, choice| {
        let order = StepOrder { position: position.to_owned(), seat, choice };
        sandbox.step(&order, &mut KindHint::default()).err().unwrap()
    };
    let noted = |text: &str| Choice::Move(MoveInput::Notation(text.to_owned()));
    assert!(matches!(refused("sp1.AAAA", seat(4), noted("?")), NotStepped::PositionInvalid));
    assert!(matches!(refused(&position, seat(4), noted("?")), NotStepped::Malformed(_)));
    assert!(matches!(refused(&position, seat(4), noted("1a-2a")), NotStepped::NoSuchSeat(_)));
    assert!(matches!(refused(&position, other, noted("1a-2a")), NotStepped::NotYourTurn(_)));
    assert!(matches!(refused(&position, other, Choice::Index(0)), NotStepped::NotYourTurn(_)));
    assert!(matches!(refused(&position, actor, noted("10a-11a")), NotStepped::Illegal(_)));
    let count = notations(&*opened.state, actor).len();
    assert!(
        matches!(refused(&position, actor, Choice::Index(count)), NotStepped::NoSuchIndex(known) if known == count)
    );
}
