//! Observation of a match: views, events, and redaction for each viewer.
//!
//! In order: the stack and the final scores as viewers see them, events, the view, the redaction of events and moves,
//! and a full state that a viewer could be looking at. Nothing here changes a match.

pub mod events;
mod imagine;
mod plausible;
mod players;
mod redact;
mod scores;
mod source;
mod stack;
mod view;

pub(crate) use players::HengePlayer;
pub use players::{HengeHeld, HengeMat};
pub(crate) use scores::{HengeCardScore, HengeScore};
pub use source::{HengeBonusDeck, HengeDeck, HengeSource, SourceKind};
pub(crate) use stack::HengeFrame;
#[cfg(test)]
pub(crate) use stack::{HengeBonusDrawsFrame, HengeDiscardFrame, HengeDropFrame, HengeLuckDrawsFrame};
pub use view::{HengeBuilt, HengeEnd, HengeStage, HengeView};
