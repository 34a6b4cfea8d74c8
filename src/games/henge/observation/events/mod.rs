//! Events of Henge on the wire (section 7): fine enough to animate from and to rebuild a view from.
//!
//! Every event that belongs to a player names the player's chair, and for a person the seat too. What
//! only the owner may know is an `Option` that [`super::redact`] empties for others.

mod player;
mod table;

pub(crate) use player::{
    BonusCardDropped, CoinsGained, DruidPlaced, EndOfGameCardsDrawn, FirstUpgradeTaken, LuckCardDiscarded,
    LuckCardGivenUp, LuckCardPlayed, LuckCardsDrawn, OptionChosen, PrivilegeEndGained, PrivilegeRaised, RewardTaken,
    SpringChosen, SpringMarked, SpringOffered, SpringRevealed, StoneAt, StoneBought, StoneCarved, StoneInstalled,
    StonesTransported, TravelTokensTaken, VictoryPointsScored,
};
pub(crate) use table::{
    DecisionDue, DeckReshuffled, EndTriggered, HengeScored, HengeSetUp, HengebotDidNothing, HengebotDruidPlaced,
    HengebotMoved, HengebotStoneInstalled, LuckCardsSettled, PawnMoved, QuarryRefilled, RewardsRefilled, RoundBegun,
    StarterDealt, StoneLaid, StonesDelivered, TurnBegun,
};

use sarsen_rules::tagged_union;

tagged_union! {
    /// Something that happened.
    pub enum Event {
        "henge_set_up" => SetUp(HengeSetUp),
        "spring_offered" => SpringOffered(SpringOffered),
        "spring_chosen" => SpringChosen(SpringChosen),
        "spring_revealed" => SpringRevealed(SpringRevealed),
        "first_upgrade_taken" => FirstUpgradeTaken(FirstUpgradeTaken),
        "henge_round_begun" => RoundBegun(RoundBegun),
        "henge_turn_begun" => TurnBegun(TurnBegun),
        "pawn_moved" => PawnMoved(PawnMoved),
        "stones_transported" => StonesTransported(StonesTransported),
        "coins_gained" => CoinsGained(CoinsGained),
        "victory_points_scored" => VictoryPointsScored(VictoryPointsScored),
        "luck_card_played" => LuckCardPlayed(LuckCardPlayed),
        "luck_cards_drawn" => LuckCardsDrawn(LuckCardsDrawn),
        "luck_card_discarded" => LuckCardDiscarded(LuckCardDiscarded),
        "luck_card_given_up" => LuckCardGivenUp(LuckCardGivenUp),
        "end_of_game_cards_drawn" => EndOfGameCardsDrawn(EndOfGameCardsDrawn),
        "bonus_card_dropped" => BonusCardDropped(BonusCardDropped),
        "option_chosen" => OptionChosen(OptionChosen),
        "stone_bought" => StoneBought(StoneBought),
        "stone_carved" => StoneCarved(StoneCarved),
        "druid_placed" => DruidPlaced(DruidPlaced),
        "stone_installed" => StoneInstalled(StoneInstalled),
        "privilege_raised" => PrivilegeRaised(PrivilegeRaised),
        "privilege_end_gained" => PrivilegeEndGained(PrivilegeEndGained),
        "reward_taken" => RewardTaken(RewardTaken),
        "travel_tokens_taken" => TravelTokensTaken(TravelTokensTaken),
        "spring_marked" => SpringMarked(SpringMarked),
        "quarry_refilled" => QuarryRefilled(QuarryRefilled),
        "rewards_refilled" => RewardsRefilled(RewardsRefilled),
        "henge_deck_reshuffled" => DeckReshuffled(DeckReshuffled),
        "luck_cards_settled" => LuckCardsSettled(LuckCardsSettled),
        "hengebot_moved" => HengebotMoved(HengebotMoved),
        "hengebot_druid_placed" => HengebotDruidPlaced(HengebotDruidPlaced),
        "hengebot_stone_installed" => HengebotStoneInstalled(HengebotStoneInstalled),
        "hengebot_did_nothing" => HengebotDidNothing(HengebotDidNothing),
        "end_triggered" => EndTriggered(EndTriggered),
        "stones_delivered" => StonesDelivered(StonesDelivered),
        "henge_scored" => Scored(HengeScored),
        "henge_decision_due" => DecisionDue(DecisionDue),
    }
}
