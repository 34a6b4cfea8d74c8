//! What a viewer may know of an event or a move (section 6).

use super::events::{BonusCardDropped, EndOfGameCardsDrawn, Event, LuckCardsDrawn, SpringChosen, SpringOffered};
use super::source::HengeBonusDeck;
use crate::henge::moves::Move;
use sarsen_rules::{Seat, Viewer};

/// Whether the event names no card that only one seat may know.
pub fn is_open(event: &Event) -> bool {
    let hides = matches!(
        event,
        Event::SpringOffered(_)
            | Event::LuckCardsDrawn(_)
            | Event::EndOfGameCardsDrawn(_)
            | Event::SpringChosen(_)
            | Event::BonusCardDropped(_)
    );
    !hides
}

/// The event with what the viewer may not know taken out. No event is withheld as a whole: that somebody draws,
/// chooses or drops is public.
pub fn event(event: &Event, viewer: Viewer) -> Event {
    let mut seen = event.clone();
    match &mut seen {
        Event::SpringOffered(SpringOffered { who, cards, .. })
        | Event::LuckCardsDrawn(LuckCardsDrawn { who, cards, .. })
        | Event::EndOfGameCardsDrawn(EndOfGameCardsDrawn { who, cards, .. })
            if !viewer.may_see(who.seat) =>
        {
            *cards = None;
        }
        Event::SpringChosen(SpringChosen { who, card, .. })
        | Event::BonusCardDropped(BonusCardDropped { who, card, deck: HengeBonusDeck::EndOfGame, .. })
            if !viewer.may_see(who.seat) =>
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
