//! The laws that every game keeps, checked in random matches.
//!
//! A game's tests describe the game in a [`Plan`] and call `games::laws`, which adds the laws of the erased form. The
//! feature `testing` compiles both, so that games of other crates are tried by the same laws.
//!
//! Invariant: the work a state costs is bounded, however long a game's lists are; long lists are sampled.
//!
//! Deliberately absent: a check that imagined states are as likely as they should be (it needs a game's own
//! knowledge of what is secret).

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a law stops at the first breach; nothing that serves calls one"
)]

mod absence;
mod facts;
mod known;
mod moves;
mod names;
mod plan;
mod reading;
mod revealing;
mod secrecy;
mod state;

pub use facts::check_refusal;
pub use plan::{Plan, seeds, viewers};

use facts::{check_options, fixed_facts};
use known::Known;
use moves::{check_moves, choose};
use names::Names;
use plan::some;
use reading::{round_trip, stored_and_loaded};
use state::{check_event_text, check_events, check_move_shown, check_state, check_text};

use super::{Chance, Dice, Game, SilentWalk, Viewer, play, rehearse, settle};

/// Checks every law in `plan.matches` random matches, and in a quarter as many that players leave.
///
/// # Panics
/// At the first breach, with what breaks it.
pub fn laws<G: Game>(plan: &Plan<G>) {
    let game = &*plan.game;
    fixed_facts(game);
    let (mut known, names) = (Known::<G>::default(), Names::of(game));
    check_options(plan, &known.rulebook);
    let mut different = 0;
    for number in 0..plan.matches {
        different += one_match(plan, number, &mut known, &names);
    }
    assert_eq!(
        different > 0,
        G::INFO.hidden_information,
        "{different} times, a viewer could take the state for another"
    );
    for number in 0..plan.matches.div_ceil(4) {
        absence::one_match(plan, number);
    }
}

/// Answers how often what a viewer could take the state for was not the state itself.
fn one_match<G: Game>(plan: &Plan<G>, number: u32, known: &mut Known<G>, names: &Names) -> u32 {
    let game = &*plan.game;
    let (options, count) = plan.table(number);
    let (seed, mut choice) = seeds(number);
    assert_eq!(game.options(&serde_json::to_value(options).unwrap()).as_ref(), Ok(options));
    assert_eq!(game.check_options(options, count), Ok(()));

    // The twin lives as it would in the service: stored after every move, with only the dice's position kept.
    let mut dice = Dice::new(seed);
    let (mut state, mut events) = game.setup(options, count, &mut dice);
    settle(game, &mut state, &mut dice, &mut events);
    let mut twin_dice = Dice::new(seed);
    let (mut twin, mut twin_events) = game.setup(options, count, &mut twin_dice);
    settle(game, &mut twin, &mut twin_dice, &mut twin_events);
    assert_eq!((&twin, &twin_events), (&state, &events));
    if G::INFO.chance == Chance::None {
        assert_eq!(dice.position(), 0, "chance in the set-up of a game without");
    }
    check_events(game, &events, count);
    events.iter().for_each(|event| names.check_event(event));
    events.iter().for_each(|event| check_event_text(game, event, options, count));

    let mut listed = Vec::new();
    let mut different = 0;
    for length in 0.. {
        assert!(length <= plan.longest, "match {number} does not end");
        twin = stored_and_loaded(game, &state);
        assert!(game.has_options(&state, options), "the options are those of the match");
        let acting = check_state(plan, &state, count, &mut choice);
        names.check_view(&game.view(&state, Viewer::Omniscient));
        for seat in acting.iter() {
            let legal = game.legal_moves(&state, seat);
            let complete = game.legal_moves_into(&state, seat, &mut listed);
            assert_eq!((&listed, complete), (&legal.moves, legal.complete), "the two lists differ");
            check_moves(game, &state, seat, &legal, known, &mut choice);
            names.check_prompt(&game.prompt(&state, seat));
            some(&legal.moves, 8, &mut choice).iter().for_each(|mv| names.check_move(mv));
        }
        if !acting.is_empty() {
            different += secrecy::check(plan, &state, acting, count, known, &mut choice);
        }
        let Some((seat, mv)) = choose(plan, &state, acting, count, known, &mut choice) else { break };

        // Without secrets what is seen is the very state, as `check_state` has found.
        let all_seen = G::INFO
            .hidden_information
            .then(|| game.imagine(&game.view(&state, Viewer::Omniscient), Viewer::Omniscient, &mut choice));
        if game.reveals(&state, seat, &mv) {
            let kind = serde_json::to_value(&mv).unwrap()["type"].clone();
            let said = G::INFO.undo_barriers.iter().any(|barrier| kind == *barrier);
            assert!(said, "undo: {kind} reveals something, and is no barrier");
        }
        let (mut rehearsed_state, before, position) = (state.clone(), state.clone(), dice.position());
        let rehearsed = rehearse(game, &mut rehearsed_state, seat, mv.clone()).unwrap();
        let played = play(game, &mut state, seat, mv.clone(), &mut dice).unwrap();
        assert!(played.events.starts_with(&rehearsed.events), "a rehearsal shows other events");
        if !rehearsed.chance_pending {
            assert_eq!((&rehearsed_state, &rehearsed.events), (&state, &played.events));
        }
        if G::INFO.chance != Chance::DuringPlay {
            assert!(!rehearsed.chance_pending && dice.position() == position, "chance during play");
        }
        check_events(game, &played.events, count);
        played.events.iter().for_each(|event| names.check_event(event));
        played.events.iter().for_each(|event| check_event_text(game, event, options, count));
        check_text(&game.move_text(&mv, options));
        names.check_move(&mv);
        check_move_shown(game, &mv, seat, count);

        if let Some(mut seen) = all_seen {
            let foreseen = play(game, &mut seen, seat, mv.clone(), &mut Dice::at(seed, position)).unwrap();
            let all = |state| game.view(state, Viewer::Omniscient);
            assert_eq!((all(&seen), &foreseen), (all(&state), &played), "whoever sees everything foresees all");
        }

        let mut walked_dice = Dice::at(seed, position);
        let mut walk = SilentWalk::new(game, before);
        walk.play(seat, mv.clone(), &mut walked_dice).unwrap();
        assert_eq!((walk.state(), walked_dice.position()), (&state, dice.position()), "a silent step goes elsewhere");

        let mut resumed = Dice::at(seed, position);
        let repeated = play(game, &mut twin, seat, round_trip(&mv), &mut resumed).unwrap();
        assert_eq!((&twin, &repeated, resumed.position()), (&state, &played, dice.position()));
    }
    different
}
