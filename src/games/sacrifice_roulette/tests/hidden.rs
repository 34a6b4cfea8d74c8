//! What is hidden: the order of the deck, and from all but the owner a hand, less the cards that a `reverse` has made
//! known. Not from which deck a card of a hand came: everyone has seen what each reshuffle made a deck of, and who drew
//! how many cards of it.

use super::state::Player;
use super::*;

/// The deck is shuffled, half of the time together with the hidden cards of the hands that came from it; those of
/// earlier decks then change hands too.
pub fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut twin = state.clone();
    let mut hands: Vec<&mut Player> = Vec::new();
    if dice.below(2) == 0 {
        let seats = state.count().seats();
        hands.extend(seats.zip(&mut twin.players).filter(|(seat, _)| !viewer.may_see(*seat)).map(|(_, player)| player));
    }
    let latest = state.reshuffles.len();
    let from = |card: &Card| (1..=latest).rev().find(|deck| state.reshuffles[deck - 1].0.contains(*card)).unwrap_or(0);
    for deck in 0..=latest {
        let mut cards = if deck == latest { state.deck.set() } else { CardSet::EMPTY };
        let hidden = |player: &Player| -> CardSet {
            player.hand.without(player.known).iter().filter(|card| from(card) == deck).collect()
        };
        for player in &hands {
            cards = cards.union(hidden(player));
        }
        let mut cards = Pile::shuffled(cards, dice);
        for player in &mut hands {
            let old = hidden(player);
            let new = std::iter::from_fn(|| cards.draw()).take(old.len());
            player.hand = new.fold(player.hand.without(old), CardSet::with);
        }
        if deck == latest {
            twin.deck = cards;
            break;
        }
    }
    twin
}

/// A card turned up for a fall; an own draw; the end.
pub fn lays_open(event: &Event, viewer: Viewer) -> bool {
    match event {
        Event::CardsDrawn(drawn) => viewer.may_see(drawn.seat),
        Event::HandsDealt(_) => viewer != Viewer::Spectator,
        event => matches!(event, Event::FallCardDrawn(_) | Event::CardsRevealed(_)),
    }
}
