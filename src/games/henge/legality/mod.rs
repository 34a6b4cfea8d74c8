//! What may be done: which units an action allows, which moves are legal, and why others are not.

mod feasibility;
mod guard;
mod legal;
mod refusals;

pub use feasibility::{Means, Uses};
