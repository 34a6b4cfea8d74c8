//! What people see of a match: views, events, and what each viewer may know of them.

pub mod events;
pub mod imagine;
pub mod redact;
mod stack;
mod view;

pub use stack::{HengeAct, HengeDeck, HengeFrame, HengeRevealed, HengeSource, SourceKind};
pub use view::{HengeBuilt, HengeEnd, HengeHeld, HengeMat, HengePlace, HengeStage, HengeView};
