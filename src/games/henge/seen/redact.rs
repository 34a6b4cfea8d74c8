//! What a viewer may know of an event or a move (section 6).

use super::events::{BonusDrawn, BonusDropped, Event, LuckDrawn, SpringChosen, SpringOffered};
use crate::games::henge::components::BonusDeck;
use crate::games::henge::moves::Move;
use crate::rules::{Seat, Viewer};

/// The event with what the viewer may not know taken out. No event is withheld as a whole: that somebody draws,
/// chooses or drops is public.
pub fn event(event: &Event, viewer: Viewer) -> Event {
    let mut seen = event.clone();
    match &mut seen {
        Event::SpringOffered(SpringOffered { seat, cards, .. })
        | Event::LuckDrawn(LuckDrawn { seat, cards, .. })
        | Event::BonusDrawn(BonusDrawn { seat, cards, .. })
            if !viewer.may_see(*seat) =>
        {
            *cards = None;
        }
        Event::SpringChosen(SpringChosen { seat, card, .. })
        | Event::BonusDropped(BonusDropped { seat, card, deck: BonusDeck::Eog, .. })
            if !viewer.may_see(*seat) =>
        {
            *card = None;
        }
        _ => {}
    }
    seen
}

/// The move, where the viewer may know it. A Spring choice stays secret until all have chosen, a dropped
/// end-of-game card for good; a drop is told by its event.
pub fn redact_move(mv: &Move, by: Seat, viewer: Viewer) -> Option<Move> {
    let is_secret = matches!(mv, Move::Spring(_) | Move::Drop(_));
    (!is_secret || viewer.may_see(by)).then_some(*mv)
}
