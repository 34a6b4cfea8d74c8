//! What happens, as it crosses the wire (section 7): fine enough to animate from and to rebuild a view from.
//!
//! Every event that belongs to a player names the place at the table and the seat there; a Hengebot has no seat. What
//! only the owner may know is an `Option` that [`super::redact`] empties for others.

mod player;
mod table;

pub use player::{
    BonusDrawn, BonusDropped, CoinsGained, DruidPlaced, LevelEnded, LevelRaised, LuckDiscarded, LuckDrawn, LuckPlayed,
    LuckTracked, OptionChosen, PointsScored, RewardTaken, SpringChosen, SpringMarked, SpringOffered, SpringRevealed,
    StoneAt, StoneCarved, StoneInstalled, StoneQuarried, StonesTransported, TokensTaken, UpgradeTaken,
};
pub use table::{
    BotIdle, BotInstalled, BotMoved, BotPlacedDruid, DecisionDue, DeckReshuffled, EndTriggered, LuckSettled, PawnMoved,
    QuarryRefilled, RewardsRefilled, RoundBegun, Scored, SetUp, StarterDealt, StoneLaid, StonesDelivered, TurnBegun,
};

use crate::rules::tagged_union;

tagged_union! {
    /// Something that happened.
    pub enum Event {
        "henge_set_up" => SetUp(SetUp),
        "spring_offered" => SpringOffered(SpringOffered),
        "spring_chosen" => SpringChosen(SpringChosen),
        "spring_revealed" => SpringRevealed(SpringRevealed),
        "upgrade" => UpgradeTaken(UpgradeTaken),
        "round" => RoundBegun(RoundBegun),
        "turn" => TurnBegun(TurnBegun),
        "moved" => PawnMoved(PawnMoved),
        "transported" => StonesTransported(StonesTransported),
        "coins" => CoinsGained(CoinsGained),
        "vp" => PointsScored(PointsScored),
        "luck" => LuckPlayed(LuckPlayed),
        "luckdraw" => LuckDrawn(LuckDrawn),
        "discard" => LuckDiscarded(LuckDiscarded),
        "track" => LuckTracked(LuckTracked),
        "eogdraw" => BonusDrawn(BonusDrawn),
        "drop" => BonusDropped(BonusDropped),
        "choice" => OptionChosen(OptionChosen),
        "quarried" => StoneQuarried(StoneQuarried),
        "carved" => StoneCarved(StoneCarved),
        "druid" => DruidPlaced(DruidPlaced),
        "installed" => StoneInstalled(StoneInstalled),
        "levelup" => LevelRaised(LevelRaised),
        "levelend" => LevelEnded(LevelEnded),
        "reward" => RewardTaken(RewardTaken),
        "tokens" => TokensTaken(TokensTaken),
        "mark" => SpringMarked(SpringMarked),
        "refill" => QuarryRefilled(QuarryRefilled),
        "chits" => RewardsRefilled(RewardsRefilled),
        "reshuffle" => DeckReshuffled(DeckReshuffled),
        "spent" => LuckSettled(LuckSettled),
        "bot" => BotMoved(BotMoved),
        "botdruid" => BotPlacedDruid(BotPlacedDruid),
        "botinstall" => BotInstalled(BotInstalled),
        "botnothing" => BotIdle(BotIdle),
        "trigger" => EndTriggered(EndTriggered),
        "delivery" => StonesDelivered(StonesDelivered),
        "henge_scored" => Scored(Scored),
        "decision" => DecisionDue(DecisionDue),
    }
}
