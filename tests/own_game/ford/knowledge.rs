//! Views that each viewer may have, and states at which a viewer could be looking.

use sarsen::rules::{Dice, Seat, Secrets, Status, Viewer};

use super::Ford;
use super::card::Card;
use super::state::{State, Walker};
use super::wire::{Event, FordView, FordWalker, Move};

impl Secrets for Ford {
    type View = FordView;

    fn view(&self, state: &State, viewer: Viewer) -> FordView {
        let all = viewer == Viewer::Omniscient || matches!(state.status(), Status::Over(_));
        let walkers = state.count().seats().zip(&state.walkers).map(|(seat, walker)| {
            let own = all || viewer.may_see(seat);
            FordWalker {
                place: walker.place,
                hand_size: walker.hand.len(),
                hand: own.then(|| walker.hand.clone()),
                drowned_size: walker.drowned.len(),
                drowned: own.then(|| walker.drowned.clone()),
            }
        });
        FordView {
            turn: state.turn,
            top: state.top,
            laid: state.laid.clone(),
            deck_size: state.deck.len(),
            deck: all.then(|| state.deck.clone()),
            walkers: walkers.collect(),
        }
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        let mut seen = event.clone();
        match &mut seen {
            Event::HandDealt(dealt) if !viewer.may_see(dealt.seat) => dealt.cards = None,
            Event::CardDrowned(drowned) if !viewer.may_see(drowned.seat) => drowned.card = None,
            Event::CardDrawn(drawn) if !viewer.may_see(drawn.seat) => drawn.card = None,
            _ => {}
        }
        Some(seen)
    }

    /// Hides a drowned card: it is drowned in secret.
    fn redact_move(&self, mv: &Move, by: Seat, viewer: Viewer) -> Option<Move> {
        (viewer.may_see(by) || matches!(mv, Move::Lay(_))).then(|| mv.clone())
    }

    fn imagine(&self, view: &FordView, _viewer: Viewer, dice: &mut Dice) -> State {
        let told =
            |walker: &FordWalker| walker.hand.iter().chain(&walker.drowned).flatten().copied().collect::<Vec<_>>();
        let mut known: Vec<Card> = view.walkers.iter().flat_map(told).collect();
        known.extend(view.laid.iter().chain(view.deck.iter().flatten()));
        let mut unknown: Vec<Card> = Card::all().filter(|card| !known.contains(card)).collect();
        dice.shuffle(&mut unknown);
        let mut some = |size: usize| unknown.split_off(unknown.len() - size);
        let mut walkers = Vec::new();
        for walker in &view.walkers {
            let mut hand = walker.hand.clone().unwrap_or_else(|| some(walker.hand_size));
            hand.sort_unstable();
            let drowned = walker.drowned.clone().unwrap_or_else(|| some(walker.drowned_size));
            walkers.push(Walker { place: walker.place, hand, drowned });
        }
        let deck = view.deck.clone().unwrap_or(unknown);
        State { turn: view.turn, top: view.top, laid: view.laid.clone(), deck, walkers, drawing: false }
    }

    /// A card out of the hand, unless it is drowned in secret.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Lay(_) => true,
            Move::Drown(_) => false,
        }
    }
}
