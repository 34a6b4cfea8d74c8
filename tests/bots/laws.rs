//! The laws of bots hold for every game of the service.

use std::sync::Arc;

use sarsen::bots::laws::{Trial, laws};
use sarsen::games::absolution::{Absolution, AbsolutionView, Move, Turn, Word};
use sarsen::games::contiguity::Contiguity;
use sarsen::games::henge::Henge;
use sarsen::games::sacrifice_roulette::SacrificeRoulette;
use sarsen::games::stonehenge::{Card, Number};
use sarsen::games::thief_of_the_sacred_fire::ThiefOfTheSacredFire;
use sarsen::rules::{Evaluator, Seat};
use serde_json::{Value, json};

fn plan<G: Evaluator>(
    game: G,
    options: &[Value],
    seats: &[u8],
    matches: u32,
    longest: u32,
    search_every: u32,
) -> Trial<G> {
    let options = options.iter().map(|json| game.options(json).unwrap()).collect();
    let silent = |_: &G::View, _: Seat, _: &G::Move| false;
    Trial { game: Arc::new(game), options, seats: seats.to_vec(), matches, longest, search_every, honest: silent }
}

#[test]
fn contiguity() {
    laws(&plan(Contiguity, &[Value::Null, json!({"bidding": true, "jump": "short"})], &[2], 6, 60, 20));
}

#[test]
fn thief_of_the_sacred_fire() {
    laws(&plan(ThiefOfTheSacredFire, &[Value::Null], &[1], 6, 60, 10));
}

#[test]
fn sacrifice_roulette() {
    laws(&plan(SacrificeRoulette, &[Value::Null], &[2, 3, 4, 5], 4, 60, 30));
}

#[test]
fn henge() {
    laws(&plan(Henge::default(), &[json!({"table": "hbb"})], &[1], 1, 200, 90));
    laws(&plan(Henge::default(), &[json!({"table": "hhb"})], &[2], 1, 200, 90));
    laws(&plan(Henge::default(), &[json!({"table": "hhhh"})], &[4], 1, 120, 90));
}

#[test]
fn absolution() {
    let options = [Value::Null, json!({"first_player": "random"})];
    laws(&Trial { honest, ..plan(Absolution, &options, &[2, 3, 4, 5], 4, 160, 60) });
}

/// The values for which a card can stand on a number.
fn values(card: Card, on: Number) -> Vec<u8> {
    match card.number() {
        Some(number) => vec![number.get()],
        None if card.colour() == on.colour() => {
            Number::all().filter(|number| number.colour() == card.colour()).map(Number::get).collect()
        }
        None => Vec::new(),
    }
}

fn alone(card: Card, on: Number) -> bool {
    values(card, on).contains(&on.get())
}

fn together(one: Card, other: Card, on: Number) -> bool {
    let (ones, others) = (values(one, on), values(other, on));
    ones.iter().any(|a| others.iter().any(|b| a + b == on.get() || a.abs_diff(*b) == on.get()))
}

/// A word says how the hand stands for the number, and a wish names what would help with the number of the next own turn.
fn honest(view: &AbsolutionView, seat: Seat, signal: &Move) -> bool {
    let hand: Vec<Card> = view.seats[seat.index()].hand.unwrap().iter().collect();
    let stands = |number: Number| {
        let pairs = |(index, one): (usize, &Card)| hand[index + 1..].iter().any(|other| together(*one, *other, number));
        if hand.iter().any(|card| alone(*card, number)) {
            Word::Great
        } else if hand.iter().enumerate().any(pairs) {
            Word::Fair
        } else {
            Word::Poor
        }
    };
    // The next own turn on the track; the first of all before it is settled who begins.
    let track = |turn: Turn| usize::from(turn.index());
    let seats = view.seats.len();
    let next = match (view.first_seat, view.turn) {
        (Some(first), Some(turn)) => {
            let now = track(Turn::of(turn.phase, turn.number));
            (now + 1..60).find(|ahead| (first.index() + ahead) % seats == seat.index())
        }
        _ => Some(0),
    };
    let Some(next) = next else { return false };
    match signal {
        Move::Ready(ready) => track(ready.turn()) == next && ready.word == stands(ready.number),
        Move::Wish(wish) => {
            let helps = |wished: Number, number: Number| {
                wished == number || {
                    let card = Card::numbers().find(|card| card.number() == Some(wished)).unwrap();
                    hand.iter().any(|own| together(card, *own, number))
                }
            };
            let fits = |number: Number| wish.numbers.iter().all(|wished| helps(wished, number));
            wish.colours.is_empty() && fits(Number::in_column(next as u8))
        }
        _ => false,
    }
}
