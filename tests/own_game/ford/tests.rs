//! The game is tried by the laws that the games of the release keep.

use std::sync::Arc;

use sarsen::games::laws::laws;
use sarsen::rules::conformance::Plan;
use sarsen::rules::{Dice, Seat, Viewer};
use test_kit::environment::CONFORMANCE_MATCHES;

use super::card::Card;
use super::state::State;
use super::wire::{Drown, Event, FordOptions, Lay, Move};
use super::{FAR_BANK, Ford};

/// Each card is in one place, hands are in order, nobody is beyond the far bank.
fn conserved(state: &State) {
    let of_walkers = state.walkers.iter().flat_map(|walker| walker.hand.iter().chain(&walker.drowned));
    let mut cards: Vec<Card> = state.laid.iter().chain(&state.deck).chain(of_walkers).copied().collect();
    cards.sort_unstable();
    assert!(cards.into_iter().eq(Card::all()), "a card is lost or doubled");
    assert!(state.walkers.iter().all(|walker| walker.hand.is_sorted() && walker.place <= FAR_BANK));
    assert!(state.top.is_none_or(|top| state.laid.last() == Some(&top)));
}

/// Every card may be tried, held or not.
fn further(_state: &State, _seat: Seat) -> Vec<Move> {
    Card::all().flat_map(|card| [Move::Lay(Lay { card }), Move::Drown(Drown { card })]).collect()
}

/// The rules hide the deck from all, and hands and drowned cards from all but their walker. Half of the time only the
/// deck is shuffled, so that hands have cards in common.
fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut twin = state.clone();
    let mut hidden = std::mem::take(&mut twin.deck);
    let hands_too = dice.below(2) == 0;
    let others = || state.count().seats().filter(|seat| hands_too && !viewer.may_see(*seat));
    for seat in others() {
        hidden.extend(state.walker(seat).hand.iter().chain(&state.walker(seat).drowned));
    }
    dice.shuffle(&mut hidden);
    for seat in others() {
        let walker = &mut twin.walkers[seat.index()];
        walker.hand = hidden.split_off(hidden.len() - walker.hand.len());
        walker.hand.sort_unstable();
        walker.drowned = hidden.split_off(hidden.len() - walker.drowned.len());
    }
    twin.deck = hidden;
    twin
}

/// A walker sees the card that it draws.
fn lays_open(event: &Event, viewer: Viewer) -> bool {
    matches!(event, Event::CardDrawn(drawn) if viewer.may_see(drawn.seat))
}

#[test]
fn ford_keeps_the_laws() {
    laws(&Plan {
        game: Arc::new(Ford),
        options: [3, 2, 5].map(|hand| FordOptions { hand }).to_vec(),
        seats: vec![2, 3, 4],
        matches: CONFORMANCE_MATCHES.value().unwrap_or(90),
        longest: 30,
        conserved,
        further,
        redeal,
        lays_open,
    });
}
