//! Secrets: the order of the deck, and from all but the owner a hand, less the cards that a `reverse` has made
//! known. Not from which deck a card of a hand came: everyone has seen what each reshuffle made a deck of, and who drew
//! how many cards of it.

use super::state::Player;
use super::*;

/// The deck is shuffled, half of the time together with the hidden cards of the hands that came from it; those of
/// earlier decks then change hands too.
pub(crate) fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
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
            player.hand.minus(player.known).iter().filter(|card| from(card) == deck).collect()
        };
        for player in &hands {
            cards = cards.union(hidden(player));
        }
        let mut cards = Pile::shuffled(cards, dice);
        for player in &mut hands {
            let old = hidden(player);
            let new = std::iter::from_fn(|| cards.draw()).take(old.len());
            player.hand = new.fold(player.hand.minus(old), CardSet::with);
        }
        if deck == latest {
            twin.deck = cards;
            break;
        }
    }
    twin
}

/// A card turned up for a fall; an own draw; the end.
pub(crate) fn lays_open(event: &Event, viewer: Viewer) -> bool {
    match event {
        Event::CardsDrawn(drawn) => viewer.may_see(drawn.seat),
        Event::HandsDealt(_) => viewer != Viewer::Spectator,
        event => matches!(event, Event::FallCardDrawn(_) | Event::CardsRevealed(_)),
    }
}

/// Cards drawn into a hand are told to nobody else, and neither view nor event lays open the deck before the end.
#[test]
fn nobody_is_told_of_other_hands() {
    for number in 0..12 {
        let count = 2 + (number % 4) as u8;
        let (mut dice, mut choice) = (dice(3000 + number), dice(4000 + number));
        let (mut state, mut events) = SacrificeRoulette.setup(&Options {}, seats(count), &mut dice);
        settle(&SacrificeRoulette, &mut state, &mut dice, &mut events);
        while let Some(actor) = state.actor() {
            for viewer in seats(count).seats().map(Viewer::Seat).chain([Viewer::Spectator]) {
                let view = SacrificeRoulette.view(&state, viewer);
                let shown = |seat: Seat| view.players[seat.index()].hand.is_some();
                assert!(view.deck.is_none() && seats(count).seats().all(|seat| shown(seat) == viewer.may_see(seat)));
                for event in events.iter().filter_map(|event| SacrificeRoulette.redact(event, viewer)) {
                    match event {
                        Event::HandsDealt(dealt) => {
                            assert!(dealt.hands.iter().all(|hand| hand.cards.is_some() == viewer.may_see(hand.seat)));
                        }
                        Event::CardsDrawn(drawn) => assert_eq!(drawn.cards.is_some(), viewer.may_see(drawn.seat)),
                        Event::CardsRevealed(_) => panic!("revealed before the end"),
                        _ => {}
                    }
                }
            }
            let moves = SacrificeRoulette.legal_moves(&state, actor).moves;
            let mv = moves[choice.index(moves.len()).unwrap()];
            events = play(&SacrificeRoulette, &mut state, actor, mv, &mut dice).unwrap().events;
        }
    }
}

/// It is played from a hand without number cards, so the rest of the hand is known to be trilithon cards.
#[test]
fn a_reverse_gives_the_hand_away() {
    let mut state = Table::new(3, 3, "TW TB TG TY TR").state();
    make(&mut state, &["reverse TY"]);
    assert_eq!(state.view(Viewer::Spectator).players[0].known, cards("TW TB TG TR"));
}
