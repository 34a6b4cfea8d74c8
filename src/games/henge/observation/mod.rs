//! What people see of a match: views, events, and what each viewer may know of them.
//!
//! In order: the stack and the final scores as they are told, events, the view, what is taken out of events and moves,
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

pub use players::{HengeHeld, HengeLevels, HengeMat, HengePlayer};
pub use scores::{HengeAreaScore, HengeCardScore, HengeRevealed, HengeScore};
pub use source::{HengeBonusDeck, HengeDeck, HengeSource, SourceKind};
pub use stack::{
    HengeActionFrame, HengeBonusDrawsFrame, HengeChooseFrame, HengeDiscardFrame, HengeDropFrame, HengeEffectsFrame,
    HengeEndOfTurnFrame, HengeFrame, HengeLevelFrame, HengeLuckDrawsFrame, HengeMoveFrame, HengeRewardFrame,
    HengeScoringFrame, HengeTrackFrame, HengebotFrame,
};
pub use view::{HengeBuilt, HengeEnd, HengePath, HengeRewards, HengeStage, HengeView};
