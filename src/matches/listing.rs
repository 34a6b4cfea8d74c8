//! On which lists a match belongs, and whose it is.
//!
//! Invariant: both are functions of the record alone.

use super::live_match::LiveMatch;
use super::stored::Visibility;
use crate::ids::PlayerId;
use crate::store::Listing;

impl LiveMatch {
    /// Which lists it belongs on.
    pub fn listing(&self) -> Listing {
        Listing {
            game: self.stored.terms.game.clone(),
            stage: self.stored.stage,
            public: self.stored.terms.visibility == Visibility::Public,
            players: self.people(),
        }
    }

    /// Whether [`LiveMatch::listing`] of both is the same.
    pub fn is_listed_like(&self, other: &LiveMatch) -> bool {
        let (one, two) = (&self.stored, &other.stored);
        one.stage == two.stage
            && one.terms.visibility == two.terms.visibility
            && one.terms.game == two.terms.game
            && self.each_person().eq(other.each_person())
    }

    /// The creator and everyone seated.
    pub fn people(&self) -> Vec<PlayerId> {
        self.each_person().cloned().collect()
    }

    fn each_person(&self) -> impl Iterator<Item = &PlayerId> {
        let creator = &self.stored.creator.id;
        let seated = self.stored.seats.iter().filter_map(|seat| seat.player.as_ref()).map(|player| &player.id);
        // Nobody sits twice.
        std::iter::once(creator).chain(seated.filter(move |seated| *seated != creator))
    }
}
