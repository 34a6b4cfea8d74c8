//! What people see of a match: views, events, and what each viewer may know of them.
//!
//! In order: the stack and the final scores as they are told, events, the view, what is taken out of events and moves,
//! and a full state that a viewer could be looking at. Nothing here changes a match.

pub mod events;
pub mod imagine;
pub mod redact;
mod scores;
mod stack;
mod view;

pub use scores::{HengeAreaScore, HengeCardScore, HengeScore};
pub use stack::{HengeAct, HengeDeck, HengeFrame, HengeRevealed, HengeSource, SourceKind};
pub use view::{HengeBuilt, HengeEnd, HengeHeld, HengeMat, HengePlace, HengeStage, HengeView};
