//! Clients that have read what each game's events mean, and know no rules: each puts its view together from the events
//! that it is shown. `whole.rs` plays with them through the API, [`alone`] with the rules alone.

pub mod absolution;
mod alone;
pub mod henge;
pub mod sacrifice_roulette;
pub mod thief_of_the_sacred_fire;
