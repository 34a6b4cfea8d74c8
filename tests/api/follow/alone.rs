//! Events alone give each viewer its view: matches of the rules layer, without a server, to every ending.

use std::collections::BTreeSet;

use sarsen::games::absolution::{self, Absolution, FirstPlayer};
use sarsen::games::henge::Henge;
use sarsen::games::sacrifice_roulette::{self, SacrificeRoulette};
use sarsen::games::stonehenge::Card;
use sarsen::games::thief_of_the_sacred_fire::{
    self as thief, ChooseStart, Ending, Reach, Space, StayHere, ThiefOfTheSacredFire,
};
use sarsen::rules::{
    Dice, DiceSeed, Game, Notation, Rules, Seat, SeatCount, Seats, Secrets, Status, Viewer, play, rehearse, settle,
};
use serde_json::json;

/// The view of a client before the first event.
type Nothing<G> = fn(&<G as Rules>::Options, SeatCount, Viewer) -> <G as Secrets>::View;

/// A client's change of its view by an event.
type Follow<G> = fn(&mut <G as Secrets>::View, &<G as Rules>::Event, Viewer);

fn dice(seed: u16) -> Dice {
    let mut bytes = [0; 32];
    bytes[..2].copy_from_slice(&seed.to_le_bytes());
    Dice::new(DiceSeed(bytes))
}

fn seats(count: u8) -> SeatCount {
    SeatCount::new(count).unwrap()
}

fn any<T: Clone>(of: &[T], dice: &mut Dice) -> T {
    of[dice.index(of.len()).unwrap()].clone()
}

/// A seat to act, and one of its legal moves.
fn any_move<G: Game>(game: &G, state: &G::State, acting: Seats, dice: &mut Dice) -> (Seat, G::Move) {
    let seat = any(&acting.iter().collect::<Vec<_>>(), dice);
    (seat, any(&game.legal_moves(state, seat).moves, dice))
}

/// A match with a client for each seat and one that looks on.
struct Table<'a, G: Game> {
    game: &'a G,
    options: &'a G::Options,
    seats: SeatCount,
    /// `None` if clients begin with the view of the start.
    nothing: Option<Nothing<G>>,
    follow: Follow<G>,
}

impl<G: Game> Table<'_, G> {
    /// Plays to the end, whose name is answered. After each move every client has the view that is served.
    fn play(&self, seed: u16, mut choose: impl FnMut(&G::State, Seats, &mut Dice) -> (Seat, G::Move)) -> String {
        let Table { game, options, seats, nothing, follow } = *self;
        let (mut dice, mut choice) = (dice(seed), dice(10_000 + seed));
        let (mut state, mut events) = game.setup(options, seats, &mut dice);
        settle(game, &mut state, &mut dice, &mut events);
        let viewers = seats.seats().map(Viewer::Seat).chain([Viewer::Spectator]);
        let mut views: Vec<(Viewer, G::View)> = match nothing {
            Some(nothing) => viewers.map(|viewer| (viewer, nothing(options, seats, viewer))).collect(),
            None => {
                events.clear();
                viewers.map(|viewer| (viewer, game.view(&state, viewer))).collect()
            }
        };
        loop {
            for (viewer, view) in &mut views {
                for event in events.iter().filter_map(|event| game.redact(event, *viewer)) {
                    follow(view, &event, *viewer);
                }
                assert_eq!(*view, game.view(&state, *viewer), "{viewer:?} of match {seed} after {events:?}");
            }
            let acting = match game.status(&state) {
                Status::ToAct(acting) => acting,
                Status::Over(outcome) => return outcome.ending.into_owned(),
                Status::Chance => panic!("chance is carried out with the move"),
            };
            let (seat, mv) = choose(&state, acting, &mut choice);
            // Only a signal may be refused.
            events = match play(game, &mut state, seat, mv, &mut dice) {
                Ok(played) => played.events,
                Err(refusal) => {
                    assert!(!game.signals().is_empty(), "{refusal:?}");
                    Vec::new()
                }
            };
        }
    }
}

#[test]
fn absolution() {
    let choices = [
        absolution::Options::default(),
        absolution::Options { first_player: FirstPlayer::Random, first_seat: None },
        absolution::Options { first_player: FirstPlayer::Seat, first_seat: Seat::new(1) },
    ];
    let nothing = Some(super::absolution::nothing as Nothing<Absolution>);
    let follow = |view: &mut _, event: &_, _| super::absolution::follow(view, event);
    let mut endings = BTreeSet::new();
    for number in 0..100_u16 {
        let options = &choices[usize::from(number) % choices.len()];
        let table = Table { game: &Absolution, options, seats: seats(2 + number as u8 % 4), nothing, follow };
        endings.insert(table.play(number, talks_and_matches));
    }
    assert_eq!(endings, ["sacrificed", "saved", "too_few_pairs"].map(str::to_owned).into());
}

/// Some signal, or a match with as few cards as possible if there is one in hand or after an exchange.
fn talks_and_matches(state: &absolution::State, acting: Seats, dice: &mut Dice) -> (Seat, absolution::Move) {
    use absolution::Move;
    if dice.below(4) == 0 {
        let signals =
            ["wish 14 blue", "wish 3 red white", "ready night 4 poor", "ready day 9 great", "ready night 4 fair"];
        let seats: Vec<Seat> = state.seats().seats().collect();
        return (any(&seats, dice), Absolution.parse(any(&signals, dice)).unwrap());
    }
    let (seat, random) = any_move(&Absolution, state, acting, dice);
    if dice.below(8) == 0 {
        return (seat, random);
    }
    let mut moves = Absolution.legal_moves(state, seat).moves;
    dice.shuffle(&mut moves);
    let cheapest = |moves: &[Move]| {
        let plays = moves.iter().filter_map(|mv| match mv {
            Move::Play(play) => {
                let trilithons = play.cards.iter().filter(|card| card.is_trilithon()).count();
                Some(((play.cards.len(), trilithons), mv.clone()))
            }
            _ => None,
        });
        plays.min_by_key(|(price, _)| *price)
    };
    if let Some((_, mv)) = cheapest(&moves) {
        return (seat, mv);
    }
    let exchanges = moves.iter().filter_map(|mv| match mv {
        Move::Exchange(_) => {
            let mut after = state.clone();
            rehearse(&Absolution, &mut after, seat, mv.clone()).ok()?;
            Some((cheapest(&Absolution.legal_moves(&after, seat).moves)?.0, mv.clone()))
        }
        _ => None,
    });
    let best = exchanges.min_by_key(|(price, _)| *price).map(|(_, mv)| mv);
    let pass = || moves.iter().find(|mv| matches!(mv, Move::Pass(_))).cloned();
    (seat, best.or_else(pass).unwrap_or(random))
}

#[test]
fn sacrifice_roulette() {
    let nothing = Some(super::sacrifice_roulette::nothing as Nothing<SacrificeRoulette>);
    let follow = |view: &mut _, event: &_, _| super::sacrifice_roulette::follow(view, event);
    let options = &sacrifice_roulette::Options {};
    for number in 0..60_u16 {
        let table = Table { game: &SacrificeRoulette, options, seats: seats(2 + number as u8 % 4), nothing, follow };
        table.play(number, |state, acting, dice| any_move(&SacrificeRoulette, state, acting, dice));
    }
}

/// Random play hardly ever meets a hand of trilithon cards alone, so one is made.
#[test]
fn a_reverse_in_sacrifice_roulette() {
    let (mut dice, mut choice) = (dice(1), dice(2));
    let game = &SacrificeRoulette;
    let (mut state, mut events) = game.setup(&sacrifice_roulette::Options {}, seats(3), &mut dice);
    settle(game, &mut state, &mut dice, &mut events);
    while let (Status::ToAct(acting), true) = (game.status(&state), state.boulder.is_none()) {
        let (seat, mv) = any_move(game, &state, acting, &mut choice);
        play(game, &mut state, seat, mv, &mut dice).unwrap();
    }
    let Status::ToAct(acting) = game.status(&state) else { panic!("{:?}", state.stage) };
    let actor = acting.first().unwrap();
    state.players[actor.index()].hand = Card::trilithons().collect();
    for viewer in [Viewer::Seat(actor), Viewer::Spectator] {
        let (mut state, mut view) = (state.clone(), game.view(&state, viewer));
        let reverse = game.legal_moves(&state, actor).moves[0];
        assert!(matches!(reverse, sacrifice_roulette::Move::Reverse(_)), "{reverse:?}");
        let played = play(game, &mut state, actor, reverse, &mut dice).unwrap();
        for event in played.events.iter().filter_map(|event| game.redact(event, viewer)) {
            super::sacrifice_roulette::follow(&mut view, &event);
        }
        assert_eq!(view, game.view(&state, viewer), "{:?}", played.events);
    }
}

#[test]
fn thief_of_the_sacred_fire() {
    let nothing = Some(super::thief_of_the_sacred_fire::nothing as Nothing<ThiefOfTheSacredFire>);
    let follow = |view: &mut _, event: &_, _| super::thief_of_the_sacred_fire::follow(view, event);
    let mut endings = BTreeSet::new();
    for number in 0..60_u16 {
        let options = &thief::Options { turn_limit: 20 + number };
        let table = Table { game: &ThiefOfTheSacredFire, options, seats: SeatCount::ONE, nothing, follow };
        endings.insert(match number % 3 {
            0 => table.play(number, |state, acting, dice| any_move(&ThiefOfTheSacredFire, state, acting, dice)),
            1 => table.play(number, hurries),
            _ => table.play(number, stays),
        });
    }
    assert_eq!(
        endings,
        [Ending::Caught, Ending::Dawn, Ending::FireHome].map(|end| <&str>::from(end).to_owned()).into()
    );
}

/// To the fire and home by the fewest points, whoever looks.
fn hurries(state: &thief::State, acting: Seats, dice: &mut Dice) -> (Seat, thief::Move) {
    let cost = |from: Space, to: Space| u32::from(Reach::new(from, 99, &[]).cost(to).unwrap());
    let needed = |state: &thief::State| match (&state.thief, &state.fire) {
        (Some(thief), _) if thief.has_fire => cost(thief.at, thief.start),
        (Some(thief), Some(fire)) => {
            cost(thief.at, fire.trilithon) + u32::from(4 - thief.progress) + cost(fire.trilithon, thief.start)
        }
        _ => 0,
    };
    let seat = acting.first().unwrap();
    let mut moves = ThiefOfTheSacredFire.legal_moves(state, seat).moves;
    dice.shuffle(&mut moves);
    let worth = |mv: &thief::Move| {
        let mut after = state.clone();
        rehearse(&ThiefOfTheSacredFire, &mut after, seat, *mv).unwrap();
        match after.ending() {
            Some(Ending::FireHome) => 0,
            Some(_) => u32::MAX,
            None => 1 + needed(&after),
        }
    };
    (seat, moves.into_iter().min_by_key(worth).unwrap())
}

/// Waits where it began, until it is caught or day breaks.
fn stays(state: &thief::State, acting: Seats, _: &mut Dice) -> (Seat, thief::Move) {
    let start = thief::Move::Start(ChooseStart { space: Space::START_1 });
    let stay = thief::Move::Stay(StayHere {});
    (acting.first().unwrap(), if state.turn == 0 { start } else { stay })
}

#[test]
fn henge() {
    let game = &Henge::default();
    for (seed, table) in (40..).zip(["hbb", "hbh", "hhh", "hhbb", "hhhh", "hhhhh"]) {
        let options = &game.options(&json!({"table": table})).unwrap();
        let people = seats(table.matches('h').count() as u8);
        let table = Table { game, options, seats: people, nothing: None, follow: super::henge::follow };
        table.play(seed, |state, acting, dice| any_move(game, state, acting, dice));
    }
}
