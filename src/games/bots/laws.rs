//! The laws that the bots of every game keep, checked in matches that quick players play.
//!
//! A game's tests describe the game in a [`Trial`] and call [`laws`]; games of other crates are tried by the same.

#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a law stops at the first breach and measures how soon a search ends; nothing that serves calls one"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Bot;
use super::budget::{FEWEST_SIMULATIONS, SearchMeans, Seed};
use sarsen_rules::{
    Candidates, Dice, DiceSeed, Effort, Evaluator, Method, Mode, Outcome, Seat, SeatCount, SilentWalk, Status, Viewer,
    WON, settle,
};

/// The trial of a game's bots.
pub struct Trial<G: Evaluator> {
    /// The game.
    pub game: Arc<G>,
    /// Options to play with, each as often as the others; at least one.
    pub options: Vec<G::Options>,
    /// Numbers of seats, each as often as the others; at least one.
    pub seats: Vec<u8>,
    /// The number of matches.
    pub matches: u32,
    /// A match is left after this many decisions.
    pub longest: u32,
    /// A search is made in one decision out of this number.
    pub search_every: u32,
    /// True if a signal of this seat says what the catalogue says that it means. Written from the rules, without the
    /// evaluator.
    pub honest: fn(&G::View, Seat, &G::Move) -> bool,
}

/// The function that decides for a seat in a trial: the bot itself, or a fault that a law must catch.
pub(crate) type Decide<'a, G> = &'a dyn Fn(
    &<G as sarsen_rules::Rules>::State,
    Seat,
    Seed,
    &SearchMeans<'_>,
) -> Option<<G as sarsen_rules::Rules>::Move>;

/// The effort of the searches of a trial: enough to reach every part of a search.
const TRIAL: Effort = Effort { simulations: 120, noise: 300, answer_milliseconds: 0 };

/// Checks them all.
///
/// # Panics
/// At the first breach, with what breaks it.
pub fn laws<G: Evaluator>(plan: &Trial<G>) {
    let game = &*plan.game;
    let tuning = G::TUNING;
    assert!(tuning.candidates > 0 && tuning.version > 0);
    assert!(!matches!(tuning.method, Method::Flat { horizon: 0, .. }), "nothing is played on");
    for effort in tuning.levels {
        assert!(effort.simulations == 0 || tuning.method != Method::Ranked, "simulations of which none is made");
        let simulations = effort.simulations;
        assert!(simulations == 0 || simulations >= FEWEST_SIMULATIONS, "so few simulations choose worse than none");
    }
    laws_with(plan, &|state, seat, seed, means| {
        let view = game.view(state, Viewer::Seat(seat));
        let legal = game.legal_moves(state, seat).moves;
        Bot::with_effort(game, TRIAL)
            .rank(&view, seat, &legal, seed, means)
            .moves
            .into_iter()
            .next()
            .map(|best| best.mv)
    });
    if tuning.method != Method::Ranked {
        stops(plan);
    }
}

/// Checks what can be checked of anything that decides for a seat.
///
/// # Panics
/// At the first breach, with what breaks it.
pub(crate) fn laws_with<G: Evaluator>(plan: &Trial<G>, decide: Decide<'_, G>) {
    for number in 0..plan.matches {
        one_match(plan, number, decide);
    }
}

fn one_match<G: Evaluator>(plan: &Trial<G>, number: u32, decide: Decide<'_, G>) {
    let game = &*plan.game;
    let options = &plan.options[number as usize % plan.options.len()];
    let seats = plan.seats[number as usize / plan.options.len() % plan.seats.len()];
    let count = SeatCount::new(seats).unwrap();
    let (mut dice, mut choice) = (dice(1, number), dice(2, number));
    let (mut state, mut events) = game.setup(options, count, &mut dice);
    settle(game, &mut state, &mut dice, &mut events);
    let mut walk = SilentWalk::new(game, state);
    for made in 0..plan.longest {
        values_fit(game, walk.state(), count);
        let Some(acting) = walk.to_act() else { break };
        for seat in acting.iter() {
            knows_what_the_seat_knows(game, walk.state(), seat, &mut choice);
            is_forced_in_public(game, walk.state(), seat, &mut choice);
        }
        for seat in count.seats() {
            talks_honestly(plan, walk.state(), seat);
        }
        let seat = acting.first().unwrap();
        if (made + number).is_multiple_of(plan.search_every) {
            decides_by_the_view(game, walk.state(), seat, made, decide, &mut choice);
        }
        let mv = if choice.below(4) == 0 {
            let moves = game.legal_moves(walk.state(), seat).moves;
            moves[choice.index(moves.len()).unwrap()].clone()
        } else {
            game.policy(walk.state(), seat, &mut choice).unwrap()
        };
        walk.play(seat, mv, &mut dice).unwrap();
    }
}

fn dice(kind: u8, number: u32) -> Dice {
    let mut seed = [kind; 32];
    seed[..4].copy_from_slice(&number.to_le_bytes());
    Dice::new(DiceSeed(seed))
}

/// Candidates and the quick player are legal, and they and the reasons the same in whatever the seat could be looking at.
fn knows_what_the_seat_knows<G: Evaluator>(game: &G, state: &G::State, seat: Seat, choice: &mut Dice) {
    let most = G::TUNING.candidates;
    let candidates = game.candidates(state, seat, most);
    candidates_fit(game, state, seat, &candidates);
    let lot = choice.clone();
    let quick = game.policy(state, seat, &mut lot.clone());
    let quick = quick.unwrap_or_else(|| panic!("the quick player knows no move"));
    assert_eq!(game.check(state, seat, &quick), Ok(()), "the quick player breaks the rules: {quick:?}");
    let reasons = |state: &G::State| {
        let told = candidates.list.iter().take(3).map(|candidate| game.reason(state, seat, &candidate.mv));
        told.collect::<Vec<Option<String>>>()
    };
    let told = reasons(state);
    for reason in told.iter().flatten() {
        let is_sentence = reason.starts_with(|first: char| first.is_uppercase() || first.is_numeric());
        assert!(is_sentence && reason.ends_with('.') && reason.len() <= 240, "not a sentence: {reason:?}");
    }
    let view = game.view(state, Viewer::Seat(seat));
    for _ in 0..2 {
        let other = game.imagine(&view, Viewer::Seat(seat), choice);
        assert_eq!(game.candidates(&other, seat, most), candidates, "candidates depend on what the seat cannot know");
        assert_eq!(reasons(&other), told, "a reason depends on what the seat cannot know");
        let again = game.policy(&other, seat, &mut lot.clone());
        assert_eq!(again.as_ref(), Some(&quick), "the quick player depends on what the seat cannot know");
    }
    choice.below(2);
}

/// A bot answers at once only where everybody sees that the seat has one legal move: the same in whatever a spectator could
/// be looking at.
fn is_forced_in_public<G: Evaluator>(game: &G, state: &G::State, seat: Seat, choice: &mut Dice) {
    let forced = |state: &G::State| {
        let (view, legal) = (game.view(state, Viewer::Seat(seat)), game.legal_moves(state, seat).moves);
        let forced = game.is_publicly_forced(&view, seat, &legal);
        assert!(!forced || legal.len() == 1, "a forced move out of {}", legal.len());
        forced
    };
    let public = game.view(state, Viewer::Spectator);
    let other = game.imagine(&public, Viewer::Spectator, choice);
    assert_eq!(forced(state), forced(&other), "the time of an answer depends on what a spectator cannot know");
}

fn candidates_fit<G: Evaluator>(game: &G, state: &G::State, seat: Seat, candidates: &Candidates<G::Move>) {
    let list = &candidates.list;
    assert!(!list.is_empty(), "no candidates for a seat that is to act");
    assert!(list.len() <= G::TUNING.candidates, "{} candidates", list.len());
    assert!(list.windows(2).all(|two| two[0].worth >= two[1].worth), "the best does not stand first");
    for (index, candidate) in list.iter().enumerate() {
        assert_eq!(game.check(state, seat, &candidate.mv), Ok(()), "a candidate breaks the rules: {:?}", candidate.mv);
        assert!(game.needs_turn(&candidate.mv), "a signal among the candidates");
        assert!(list[..index].iter().all(|other| other.mv != candidate.mv), "twice: {:?}", candidate.mv);
    }
}

/// Values are in range, the same for seats that win together, and at the end what the result is worth.
fn values_fit<G: Evaluator>(game: &G, state: &G::State, count: SeatCount) {
    let values = game.value(state);
    let seated = &values[..usize::from(count.get())];
    assert!(values.iter().all(|value| (0..=WON).contains(value)), "{values:?}");
    assert!(values[seated.len()..].iter().all(|value| *value == 0 || seated.len() == 1), "{values:?}");
    if G::INFO.mode == Mode::Cooperative {
        assert!(seated.iter().all(|value| *value == seated[0]), "{values:?}");
    }
    if let Status::Over(outcome) = game.status(state) {
        assert_eq!(values, game.reward(&outcome), "the end is judged otherwise than the result");
        rewards_fit(&values, &outcome);
    }
}

fn rewards_fit(values: &[i32], outcome: &Outcome) {
    for one in &outcome.standings {
        for other in &outcome.standings {
            let (a, b) = (values[one.seat.index()], values[other.seat.index()]);
            assert!(one.rank >= other.rank || a >= b, "a better place is worth less: {values:?}");
        }
    }
}

/// Signals are legal and honest, and one of each kind a turn at most.
fn talks_honestly<G: Evaluator>(plan: &Trial<G>, state: &G::State, seat: Seat) {
    let game = &*plan.game;
    let view = game.view(state, Viewer::Seat(seat));
    let mut told = state.clone();
    let mut kinds: Vec<String> = Vec::new();
    for signal in game.talk(&view, seat) {
        assert!(!game.needs_turn(&signal), "not a signal: {signal:?}");
        assert!((plan.honest)(&view, seat, &signal), "it does not say what the catalogue says: {signal:?}");
        let kind = serde_json::to_value(&signal).unwrap()["type"].to_string();
        assert!(!kinds.contains(&kind), "twice in a turn: {kind}");
        kinds.push(kind);
        let mut walk = SilentWalk::new(game, told);
        walk.play(seat, signal, &mut dice(3, 0)).unwrap();
        told = walk.state().clone();
    }
    let again = game.talk(&game.view(&told, Viewer::Seat(seat)), seat);
    assert!(again.is_empty(), "it goes on talking: {again:?}");
}

/// The same move in whatever the seat could be looking at, with any number of threads, each time.
fn decides_by_the_view<G: Evaluator>(
    game: &G,
    state: &G::State,
    seat: Seat,
    made: u32,
    decide: Decide<'_, G>,
    choice: &mut Dice,
) {
    let mut seed = [7; 32];
    seed[..4].copy_from_slice(&made.to_le_bytes());
    let means = |threads| SearchMeans { threads, is_over: &|| false };
    let mv = decide(state, seat, seed, &means(1)).unwrap_or_else(|| panic!("a bot that is to act makes no move"));
    assert_eq!(game.check(state, seat, &mv), Ok(()), "a bot breaks the rules: {mv:?}");
    assert_eq!(decide(state, seat, seed, &means(4)).as_ref(), Some(&mv), "it depends on the number of threads");
    let view = game.view(state, Viewer::Seat(seat));
    let other = game.imagine(&view, Viewer::Seat(seat), choice);
    assert_eq!(decide(&other, seat, seed, &means(1)), Some(mv), "it depends on what the seat cannot know");
}

/// A search without end is ended when its caller says so: at once with what stands first among the candidates, later with a
/// legal move.
fn stops<G: Evaluator>(plan: &Trial<G>) {
    let game = &*plan.game;
    let count = SeatCount::new(plan.seats[0]).unwrap();
    let mut dice = dice(4, 0);
    let (mut state, mut events) = game.setup(&plan.options[0], count, &mut dice);
    settle(game, &mut state, &mut dice, &mut events);
    let mut walk = SilentWalk::new(game, state);
    // A decision with a choice that a search is made for.
    let seat = loop {
        let seat = walk.to_act().and_then(|seats| seats.first()).unwrap();
        let several = game.candidates(walk.state(), seat, G::TUNING.candidates).list.len() > 1;
        if several && walk.list(seat).len() > 2 {
            break seat;
        }
        let mv = game.policy(walk.state(), seat, &mut dice).unwrap();
        walk.play(seat, mv, &mut dice).unwrap();
    };
    let (view, legal) = (game.view(walk.state(), Viewer::Seat(seat)), game.legal_moves(walk.state(), seat).moves);
    let endless = Bot::with_effort(game, Effort { simulations: 100_000_000, noise: 0, answer_milliseconds: 0 });
    let chosen = |means: &SearchMeans<'_>| {
        let ranking = endless.rank(&view, seat, &legal, [9; 32], means);
        ranking.moves.into_iter().next().map(|best| (best.mv, ranking.cut))
    };
    let at_once = chosen(&SearchMeans { threads: 1, is_over: &|| true });
    let first = game.candidates(walk.state(), seat, G::TUNING.candidates).list.swap_remove(0).mv;
    assert_eq!(at_once, Some((first, true)), "a search that is stopped at once does not take what is ranked first");
    // The machine may be busy: the quickest of some tries counts.
    let late = |_| {
        let stop = AtomicBool::new(false);
        let is_over = || stop.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            let search = scope.spawn(|| (chosen(&SearchMeans { threads: 2, is_over: &is_over }), Instant::now()));
            std::thread::sleep(Duration::from_millis(30));
            let set = Instant::now();
            stop.store(true, Ordering::Relaxed);
            let (chosen, ended) = search.join().unwrap();
            let (mv, cut) = chosen.unwrap_or_else(|| panic!("a search that is stopped has found nothing"));
            assert!(cut && game.check(walk.state(), seat, &mv).is_ok(), "it is stopped with {mv:?}, marked {cut}");
            ended.saturating_duration_since(set)
        })
    };
    let quickest = (0..8).map(late).min().unwrap();
    assert!(quickest <= Duration::from_millis(50), "it goes on for {quickest:?}");
}
