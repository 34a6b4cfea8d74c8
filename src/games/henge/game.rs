//! The value that the files of this game implement the traits of a game for.

use super::components::ComponentSets;

/// The game, with the component sets that it is played with.
#[derive(Clone, Debug, Default)]
pub struct Henge {
    pub(super) sets: ComponentSets,
}

impl Henge {
    /// The game with these sets.
    pub(crate) fn new(sets: ComponentSets) -> Henge {
        Henge { sets }
    }
}
