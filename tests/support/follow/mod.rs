//! What a client does that has read what each game's events mean, and no rules: the games' own tests use it, and those
//! that play through the API.

pub mod absolution;
pub mod henge;
pub mod sacrifice_roulette;
pub mod thief_of_the_sacred_fire;
