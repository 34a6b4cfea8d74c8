//! What is hidden: the order of the pile, and from all but the owner a hand, less the cards that it took from the Field.

use super::*;

/// The pile is shuffled, half of the time together with the hidden cards of the hands.
pub fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut twin = state.clone();
    let mut cards = state.pile.set();
    let mut hands: Vec<&mut state::Player> = Vec::new();
    if dice.below(2) == 0 {
        let seats = state.seats().seats();
        hands.extend(seats.zip(&mut twin.players).filter(|(seat, _)| !viewer.may_see(*seat)).map(|(_, player)| player));
    }
    for player in &hands {
        cards = cards.union(player.hand.without(player.taken));
    }
    let mut pile = Pile::shuffled(cards, dice);
    for player in hands {
        let hidden = player.hand.len() - player.taken.len();
        player.hand = std::iter::from_fn(|| pile.draw()).take(hidden).fold(player.taken, CardSet::with);
    }
    twin.pile = pile;
    twin
}

/// An own draw; the end.
pub fn lays_open(event: &Event, viewer: Viewer) -> bool {
    match event {
        Event::Drawn(drawn) => viewer.may_see(drawn.seat),
        event => matches!(event, Event::Ended(_)),
    }
}
