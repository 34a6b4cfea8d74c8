//! The inputs of a picture of Henge, which its parts share.

use super::cards::Cut;
use crate::henge::components::{Side, Tables};
use crate::henge::observation::HengeView;
use crate::henge::state::Chair;
use crate::pictures::{Ask, cut};
use sarsen_rules::Board;

/// The sources of a picture of Henge.
pub(super) struct Desk<'a> {
    pub(super) set: &'a Tables,
    pub(super) side: &'a Side,
    pub(super) board: &'a Board,
    /// `None` for a board without a match.
    pub(super) view: Option<&'a HengeView>,
    pub(super) ask: &'a Ask,
}

impl Desk<'_> {
    /// Returns what the player on a chair is called.
    pub(super) fn name(&self, chair: Chair) -> String {
        let seat = self.view.and_then(|view| view.players.get(chair.index())).and_then(|player| player.seat);
        seat.map_or_else(|| format!("Hengebot {chair}"), |seat| cut(&self.ask.name(seat), 20))
    }

    /// The size of cards.
    pub(super) fn cut(&self) -> Cut {
        if self.ask.is_narrow() { Cut::NARROW } else { Cut::WIDE }
    }

    /// The chair whose side is down.
    pub(super) fn below(&self) -> usize {
        let players = self.view.map_or(&[][..], |view| &view.players);
        let own = |seat| players.iter().position(|player| player.seat == Some(seat));
        self.ask.seat.and_then(own).unwrap_or(0)
    }
}
