//! The laws of bots hold for the fixture, and find each fault that is planted.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::laws::{Trial, laws, laws_with};
use super::*;
use crate::fixture::Fixture;
use crate::fixture::evaluator::{
    CODE, HONEST, ILLEGAL, PEEKS, QUICK_PEEKS, REASON_PEEKS, SELFISH, TALKATIVE, TREE, honest,
};
use sarsen_rules::{Rules, Secrets, Viewer};

fn plan<const VERSION: u32>() -> Trial<Fixture<VERSION>> {
    let options = Fixture::<VERSION>.options(&serde_json::Value::Null).unwrap();
    Trial {
        game: Arc::new(Fixture),
        options: vec![options],
        seats: vec![2, 1, 3, 5],
        matches: 12,
        longest: 40,
        search_every: 2,
        honest,
    }
}

fn complaint(trial: impl FnOnce()) -> String {
    let breach = catch_unwind(AssertUnwindSafe(trial)).expect_err("the fault was not found");
    match breach.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => (*other.downcast::<&str>().expect("a text")).to_owned(),
    }
}

#[test]
fn the_fixture_keeps_the_laws_flat_and_with_a_tree() {
    laws(&plan::<HONEST>());
    laws(&plan::<TREE>());
}

#[test]
fn evaluators_with_a_fault_are_found_out() {
    let found = |trial: &dyn Fn(), words: &str| {
        let said = complaint(trial);
        assert!(said.contains(words), "{said}");
    };
    found(&|| laws(&plan::<PEEKS>()), "candidates depend on what the seat cannot know");
    found(&|| laws(&plan::<QUICK_PEEKS>()), "the quick player depends on what the seat cannot know");
    found(&|| laws(&plan::<CODE>()), "it does not say what the catalogue says");
    found(&|| laws(&plan::<ILLEGAL>()), "a candidate breaks the rules");
    found(&|| laws(&plan::<SELFISH>()), "5001");
    found(&|| laws(&plan::<TALKATIVE>()), "it goes on talking");
    found(&|| laws(&plan::<REASON_PEEKS>()), "a reason depends on what the seat cannot know");
}

/// What the honest bot decides.
fn decided(state: &<Fixture<1> as Rules>::State, seat: Seat, seed: Seed, means: &SearchMeans<'_>) -> Option<Move> {
    let game = Fixture::<HONEST>;
    let effort = Effort { simulations: 100, noise: 0, answer_milliseconds: 0 };
    let legal = game.legal_moves(state, seat).moves;
    let bot = Bot::with_effort(&game, effort);
    bot.choose(&game.view(state, Viewer::Seat(seat)), seat, &legal, seed, means).map(|(mv, _)| mv)
}

type Move = <Fixture<1> as Rules>::Move;

#[test]
fn a_bot_that_peeks_is_found_out() {
    let said = complaint(|| {
        laws_with(&plan::<HONEST>(), &|state, seat, seed, means| {
            let game = Fixture::<HONEST>;
            let secret = serde_json::to_value(state).unwrap()["deck"][0].as_u64().unwrap_or(0);
            let mut moves = game.legal_moves(state, seat).moves;
            let index = secret as usize % moves.len();
            decided(state, seat, seed, means).map(|_| moves.swap_remove(index))
        });
    });
    assert!(said.contains("depends on what the seat cannot know"), "{said}");
}

#[test]
fn a_bot_that_varies_with_threads_is_found_out() {
    let said = complaint(|| {
        laws_with(&plan::<HONEST>(), &|state, seat, mut seed, means| {
            seed[31] = means.threads as u8;
            let mut moves = Fixture::<HONEST>.legal_moves(state, seat).moves;
            let index = usize::from(seed[31] > 1) % moves.len();
            decided(state, seat, seed, means).map(|_| moves.swap_remove(index))
        });
    });
    assert!(said.contains("depends on the number of threads"), "{said}");
}
