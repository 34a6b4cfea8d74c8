//! Redaction of events and moves for a viewer (section 6).

use super::events::{BonusCardDropped, EndOfGameCardsDrawn, Event, LuckCardsDrawn, SpringChosen, SpringOffered};
use super::imagine::imagine;
use super::source::HengeBonusDeck;
use super::{HengeStage, HengeView};
use crate::henge::Henge;
use crate::henge::moves::Move;
use crate::henge::state::State;
use sarsen_rules::{Dice, Seat, Secrets, Viewer};

impl Secrets for Henge {
    type View = HengeView;

    fn view(&self, state: &State, viewer: Viewer) -> HengeView {
        state.view(viewer)
    }

    /// The event with what the viewer may not know taken out. No event is withheld as a whole: that somebody draws,
    /// chooses or drops is public.
    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
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
        Some(seen)
    }

    fn is_open(&self, event: &Event) -> bool {
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

    /// The move, where the viewer may know it. A Spring choice stays secret until all have chosen, a dropped
    /// end-of-game card for good. The event of a drop shows that it happened.
    fn redact_move(&self, mv: &Move, by: Seat, viewer: Viewer) -> Option<Move> {
        let is_secret = matches!(mv, Move::Spring(_) | Move::Drop(_));
        (!is_secret || viewer.may_see(by)).then_some(*mv)
    }

    fn ended(&self, view: HengeView) -> HengeView {
        HengeView { stage: HengeStage::Over, upgrading: None, stack: Vec::new(), ..view }
    }

    fn imagine(&self, view: &HengeView, _viewer: Viewer, dice: &mut Dice) -> State {
        imagine(view, &self.sets, dice)
    }

    fn is_plausible(&self, view: &HengeView) -> bool {
        view.is_plausible()
    }

    fn reveals(&self, state: &State, seat: Seat, mv: &Move) -> bool {
        state.reveals(seat, mv)
    }
}
