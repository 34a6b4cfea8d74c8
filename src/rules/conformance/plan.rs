//! The plan of a trial of a game, and its dice.
//!
//! Invariant: match `number` of a plan is always the same one, so a breach can be looked at again.

use std::sync::Arc;

use crate::{Dice, DiceSeed, Game, Seat, SeatCount, Viewer};

/// The trial of a game: facts that its author knows and the laws cannot.
pub struct Plan<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// Options to play with, each as often as the others; at least one.
    pub options: Vec<G::Options>,
    /// Numbers of seats, each as often as the others; at least one.
    pub seats: Vec<u8>,
    /// The number of matches. Some hundreds of short ones take little time and find most faults.
    pub matches: u32,
    /// No match is longer than this many moves.
    pub longest: usize,
    /// Panics where a state has lost or gained a piece or a card, or contradicts itself otherwise.
    pub conserved: fn(&G::State),
    /// Moves worth trying beyond the listed ones, such as signals and what a cut list leaves out. They need not be
    /// legal; a run may play those that the rules accept.
    pub further: fn(&G::State, Seat) -> Vec<G::Move>,
    /// Another state that the viewer must not be able to tell apart from this one, in which somebody is to act: what the
    /// rules hide from the viewer (other hands, orders of piles) is dealt again among itself, what the viewer may know
    /// stays. Written from the rules, without the game's `view` and `imagine`. Now and then some of what is hidden should
    /// stay too, so that the other seats have moves in common.
    pub redeal: fn(&G::State, Viewer, &mut Dice) -> G::State,
    /// True if the rules let this event show the viewer what was hidden before: a card turned up, an own draw.
    pub lays_open: fn(&G::Event, Viewer) -> bool,
}

impl<G: Game> Plan<G> {
    /// Options and seats of match `number`.
    pub fn table(&self, number: u32) -> (&G::Options, SeatCount) {
        let options = self.options.len();
        let index = number as usize;
        let seats = self.seats[index / options % self.seats.len()];
        (&self.options[index % options], SeatCount::new(seats).unwrap())
    }
}

/// The dice of match `number`, and those that choose its moves.
pub fn seeds(number: u32) -> (DiceSeed, Dice) {
    let seed = |kind: u8| {
        let mut bytes = [kind; 32];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        DiceSeed(bytes)
    };
    (seed(1), Dice::new(seed(2)))
}

/// Everyone who may look.
pub fn viewers(count: SeatCount) -> Vec<Viewer> {
    count.seats().map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Omniscient]).collect()
}

/// `most` of `items`, any of them several times; all of them if there are no more.
pub(super) fn some<T: Clone>(items: &[T], most: usize, dice: &mut Dice) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    (0..most).filter_map(|_| dice.index(items.len()).map(|index| items[index].clone())).collect()
}
