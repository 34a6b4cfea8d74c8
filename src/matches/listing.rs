//! On which lists a match belongs, and whose it is.
//!
//! Invariant: both are functions of the record alone.

use super::record::Visibility;
use super::table::Table;
use crate::ids::PlayerId;
use crate::store::Listing;

impl Table {
    /// Which lists it belongs on.
    pub fn listing(&self) -> Listing {
        Listing {
            game: self.record.terms.game.clone(),
            stage: self.record.stage,
            public: self.record.terms.visibility == Visibility::Public,
            players: self.people(),
        }
    }

    /// Whether [`Table::listing`] of both is the same.
    pub fn is_listed_like(&self, other: &Table) -> bool {
        let (one, other_record) = (&self.record, &other.record);
        one.stage == other_record.stage
            && one.terms.visibility == other_record.terms.visibility
            && one.terms.game == other_record.terms.game
            && self.each_person().eq(other.each_person())
    }

    /// The creator and everyone seated.
    pub fn people(&self) -> Vec<PlayerId> {
        self.each_person().cloned().collect()
    }

    fn each_person(&self) -> impl Iterator<Item = &PlayerId> {
        let creator = &self.record.creator.id;
        let seated = self.record.seats.iter().filter_map(|seat| seat.player.as_ref()).map(|player| &player.id);
        // Nobody sits twice.
        std::iter::once(creator).chain(seated.filter(move |seated| *seated != creator))
    }
}
