//! Reasons for good moves, in words: the number matched, the cards kept for the seat's own turns, and the seat helped.

use super::super::matching;
use super::super::moves::{Exchange, Move, Nominate, Play};
use super::super::state::State;
use super::super::talk::Word;
use super::super::track::{Phase, Turn, is_black};
use super::Table;
use super::matching::Fit;
use crate::common::Pass;
use crate::stonehenge::words::card_name;
use crate::stonehenge::{Card, CardSet, Number};
use sarsen_rules::Seat;
use sarsen_rules::phrases::either;

/// The reason for a legal move.
pub(crate) fn of(state: &State, seat: Seat, mv: &Move) -> Option<String> {
    let hand = state.players[seat.index()].hand;
    let table = Table::of(state, seat);
    match mv {
        Move::Play(Play { cards }) => Some(played(state, &table.ahead, hand.minus(*cards))),
        Move::Pass(Pass {}) => Some(passed(state, hand)),
        Move::Exchange(Exchange { give, take }) => exchanged(state, seat, &table.ahead, *give, *take),
        Move::Nominate(Nominate { seat: nominee }) => {
            let words = &state.players[nominee.index()].talk.ready;
            let great = words.iter().any(|ready| ready.turn() == Turn::FIRST && ready.word == Word::Great);
            great.then(|| format!("Seat {nominee} calls its hand great for Day 1."))
        }
        Move::Wish(_) | Move::Ready(_) => None,
    }
}

/// The numbers among those of the own turns to come that a hand matches.
fn matched(ahead: &[Number], hand: CardSet) -> Vec<String> {
    let stands = ahead.iter().filter(|number| matching::fit(hand, **number) != Fit::None);
    stands.map(|number| number.to_string()).collect()
}

fn played(state: &State, ahead: &[Number], left: CardSet) -> String {
    let number = state.number();
    let done = match state.turn.phase() {
        Phase::Night if is_black(number) && state.rescue_pending() => {
            "It brings the Druid back from the altar".to_owned()
        }
        Phase::Night if is_black(number) && state.trilithons.contains(number) => {
            format!("It matches {number} and takes the Druid back one step")
        }
        Phase::Night if !is_black(number) => format!("It matches {number} and keeps a pair of disks together"),
        _ => format!("It matches {number}"),
    };
    match matched(ahead, left) {
        numbers if numbers.is_empty() => format!("{done}."),
        numbers => format!("{done}, and the cards left can match {} in a later turn of yours.", either(&numbers)),
    }
}

fn passed(state: &State, hand: CardSet) -> String {
    let number = state.number();
    match (matching::fit(hand, number), is_black(number)) {
        (Fit::None, _) => format!("Nothing in your hand matches {number}."),
        (_, true) => format!("{number} is black, so a pass costs nothing, and the cards are of more use later."),
        (_, false) => "The cards are of more use in your later turns.".to_owned(),
    }
}

fn exchanged(state: &State, seat: Seat, ahead: &[Number], give: Card, take: Card) -> Option<String> {
    let before = state.players[seat.index()].hand;
    let mut hand = before.with(take);
    hand.remove(give);
    let number = state.number();
    let (card, fit) = (card_name(take), |hand, number| matching::fit(hand, number));
    if fit(hand, number) > fit(before, number) {
        let better = if fit(before, number) == Fit::None { "" } else { " at a lower cost" };
        return Some(format!("With {card} you can match {number}{better}."));
    }
    let later = ahead.iter().find(|number| fit(hand, **number) > fit(before, **number));
    if let Some(later) = later {
        return Some(format!("With {card} your hand fits {later} better, which comes in a later turn of yours."));
    }
    let wishes = |other: &Seat| {
        let wish = state.players[other.index()].talk.wish.as_ref();
        give.number().is_some_and(|number| wish.is_some_and(|wish| wish.numbers.contains(number)))
    };
    let wished = state.seats().seats().filter(|other| *other != seat).find(wishes);
    wished.map(|other| format!("It puts {} into the Field, and seat {other} wished for that number.", card_name(give)))
}
