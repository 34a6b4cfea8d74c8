//! The value that the files of this game implement the traits of a game for.

/// The game.
pub struct SacrificeRoulette;
