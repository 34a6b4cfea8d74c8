//! Moves and events in words that can be read aloud, with the names that the match's component set gives.
//!
//! Invariant: made from the move or the event alone, so a listener is told what a reader is.

use super::Henge;
use super::components::words::{action, privilege};
use super::components::{Area, Id, Pool, Privilege, Tables};
use super::events::{
    BonusCardDropped, CoinsGained, DecisionDue, DeckReshuffled, DruidPlaced, EndOfGameCardsDrawn, EndTriggered, Event,
    FirstUpgradeTaken, HengeScored, HengeSetUp, HengebotDidNothing, HengebotDruidPlaced, HengebotMoved,
    HengebotStoneInstalled, LuckCardDiscarded, LuckCardGivenUp, LuckCardPlayed, LuckCardsDrawn, LuckCardsSettled,
    OptionChosen, PawnMoved, PrivilegeEndGained, PrivilegeRaised, QuarryRefilled, RewardTaken, RewardsRefilled,
    RoundBegun, SpringChosen, SpringMarked, SpringOffered, SpringRevealed, StoneBought, StoneCarved, StoneInstalled,
    StonesDelivered, StonesTransported, TravelTokensTaken, TurnBegun, VictoryPointsScored,
};
use super::moves::{
    AdvanceTrack, CarveStone, ChooseOption, ChooseSpring, DiscardLuck, DropBonus, FirstUpgrade, InstallStone, Move,
    PlaceDruid, PlayLuck, QuarryStone, RaiseLevel, TakeReward, TravelRondel, WalkRondel,
};
use super::observation::{HengeBonusDeck, HengeDeck, HengeFrame, HengeSource, SourceKind};
use super::options::Options;
use super::state::{EndCause, State};
use crate::stonehenge::words::{capital, counted, listed};
use sarsen_rules::{Prompt, Seat, Words};

impl Words for Henge {
    fn prompt(&self, state: &State, seat: Seat) -> Prompt {
        state.prompt(seat)
    }

    fn move_text(&self, mv: &Move, options: &Options) -> String {
        Narrator(&options.set).mv(mv)
    }

    fn event_text(&self, event: &Event, options: &Options) -> String {
        Narrator(&options.set).event(event)
    }
}

/// Speaks with the names of a set.
pub(crate) struct Narrator<'a>(pub &'a Tables);

impl Narrator<'_> {
    fn luck(&self, id: &Id) -> String {
        let row = self.0.find_luck(id).and_then(|card| self.0.luck_card(card));
        row.map_or_else(|| format!("the Luck card {id}"), |row| format!("the Luck card {}", row.name))
    }

    fn bonus(&self, id: &Id) -> String {
        let row = self.0.find_bonus(id).and_then(|card| self.0.bonus_card(card));
        row.map_or_else(|| format!("the Bonus card {id}"), |row| format!("the card {}", row.name))
    }

    fn stone(&self, id: &Id) -> String {
        let row = self.0.find_stone(id).and_then(|card| self.0.stone(card));
        row.map_or_else(|| format!("the stone {id}"), |row| format!("the stone {}", row.name))
    }

    fn tile(&self, id: &Id) -> String {
        let row = self.0.find_tile(id).and_then(|tile| self.0.tile(tile));
        row.map_or_else(|| format!("the reward {id}"), |row| format!("the reward {}", row.name))
    }

    fn area(&self, area: Area) -> &str {
        &self.0.areas[area.index()].name
    }

    fn privilege(&self, which: Privilege) -> String {
        format!("the {} privilege", privilege(self.0, which))
    }

    fn each(&self, ids: &[Id], name: impl Fn(&Self, &Id) -> String) -> String {
        listed(&ids.iter().map(|id| name(self, id)).collect::<Vec<_>>())
    }

    /// Cards by name where they are told, otherwise how many.
    fn cards(&self, count: u8, cards: Option<&[Id]>, what: &str, name: impl Fn(&Self, &Id) -> String) -> String {
        match cards {
            Some(cards) if !cards.is_empty() => self.each(cards, name),
            _ => counted(count, &format!("{what} card"), &format!("{what} cards")),
        }
    }

    /// ` by …`, or nothing where the action itself is the source.
    fn by(&self, source: &HengeSource) -> String {
        let HengeSource { kind, card, privilege, step } = source;
        match (kind, card, privilege, step) {
            (SourceKind::Rondel, ..) => ", by the borders passed".to_owned(),
            (SourceKind::LuckCard, Some(card), ..) => format!(", by {}", self.luck(card)),
            (SourceKind::Reward, Some(tile), ..) => format!(", by {}", self.tile(tile)),
            (SourceKind::PrivilegeEnd, _, Some(which), _) => format!(", by the end of {}", self.privilege(*which)),
            (SourceKind::DruidTrack, _, _, Some(step)) => format!(", by druid {step}"),
            (SourceKind::LuckTrack, _, _, Some(step)) => format!(", by step {step} of the Luck track"),
            _ => String::new(),
        }
    }

    /// A move, as an order to make it.
    pub(crate) fn mv(&self, mv: &Move) -> String {
        let steps = |steps: u8| counted(steps, "step", "steps");
        match mv {
            Move::Spring(ChooseSpring { card }) => format!("Keep {}.", self.bonus(card)),
            Move::Upgrade(FirstUpgrade { privilege }) => {
                format!("Take the First Upgrade of {}.", self.privilege(*privilege))
            }
            Move::Rondel(WalkRondel { steps: number, action: then, .. }) => {
                format!("Walk {} and take the {} action.", steps(number.get()), action(*then))
            }
            Move::Travel(TravelRondel { steps: number, action: then, .. }) => {
                format!("Spend a travel token to go {} and take the {} action.", steps(number.get()), action(*then))
            }
            Move::Luck(PlayLuck { card }) => format!("Play {}.", self.luck(card)),
            Move::Income(_) => "Take the income.".to_owned(),
            Move::Draw(_) => "Draw Luck cards.".to_owned(),
            Move::Arrive(_) => "Bring all stones to the henge.".to_owned(),
            Move::Quarry(QuarryStone { position }) => format!("Buy the stone at quarry position {}.", position.get()),
            Move::Carve(CarveStone { stone }) => format!("Carve {}.", self.stone(stone)),
            Move::Druid(PlaceDruid { area }) => format!("Place a druid at {}.", self.area(*area)),
            Move::Install(InstallStone { stone, slot }) => format!("Install {} in slot {slot}.", self.stone(stone)),
            Move::Done(_) => "End this.".to_owned(),
            Move::Discard(DiscardLuck { card }) => format!("Discard {}.", self.luck(card)),
            Move::Drop(DropBonus { card }) => format!("Drop {}.", self.bonus(card)),
            Move::Reward(TakeReward { tile }) => format!("Take {}.", self.tile(tile)),
            Move::Level(RaiseLevel { privilege }) => format!("Raise {}.", self.privilege(*privilege)),
            Move::Choose(ChooseOption { option }) => format!("Choose alternative {}.", option.get()),
            Move::Track(AdvanceTrack { card }) => format!("Give up {} for the Luck track.", self.luck(card)),
        }
    }

    /// Returns what happened.
    pub(crate) fn event(&self, event: &Event) -> String {
        self.table(event).or_else(|| self.hengebot(event)).unwrap_or_else(|| self.person(event))
    }

    /// Returns what happens at the table.
    fn table(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::SetUp(HengeSetUp { side, pawn, quarry, .. }) => {
                let stones = self.each(quarry, Self::stone);
                format!("The henge is set up on side {side}: the pawn on step {pawn}, in the quarry {stones}.")
            }
            Event::RoundBegun(RoundBegun { number }) => format!("Round {number} begins."),
            Event::TurnBegun(TurnBegun { seat: Some(seat), .. }) => format!("It is the turn of seat {seat}."),
            Event::TurnBegun(TurnBegun { chair, seat: None }) => {
                format!("It is the turn of the Hengebot on chair {chair}.")
            }
            Event::QuarryRefilled(QuarryRefilled { stones, left }) => {
                let laid =
                    stones.iter().map(|laid| format!("{} at position {}", self.stone(&laid.stone), laid.position));
                format!("New in the quarry: {}; {left} are left in the deck.", listed(&laid.collect::<Vec<_>>()))
            }
            Event::RewardsRefilled(RewardsRefilled { pool, tiles, .. }) => {
                let pool = match pool {
                    Pool::A => "A",
                    Pool::B => "B",
                };
                format!("New in pool {pool}: {}.", self.each(tiles, Self::tile))
            }
            Event::DeckReshuffled(DeckReshuffled { deck, left }) => {
                let deck = match deck {
                    HengeDeck::Luck => "the Luck deck",
                    HengeDeck::EndOfGame => "the end-of-game deck",
                    HengeDeck::Hengebot => "the Hengebot deck",
                    HengeDeck::RewardsA => "pool A",
                    HengeDeck::RewardsB => "pool B",
                };
                format!("The discards of {deck} are shuffled into it; it has {left}.")
            }
            Event::LuckCardsSettled(LuckCardsSettled { count }) => {
                let cards = counted(*count, "Luck card of this turn joins", "Luck cards of this turn join");
                format!("{cards} the discards.")
            }
            Event::EndTriggered(EndTriggered { round, cause }) => {
                let cause = match cause {
                    EndCause::Deck => "the stone deck is empty",
                    EndCause::RoundLimit => "the round limit is reached",
                };
                format!("In round {round} the end is triggered: {cause}. One more round follows.")
            }
            Event::StonesDelivered(StonesDelivered { final_round }) => {
                format!("All stones are delivered; round {final_round} is the last.")
            }
            Event::Scored(HengeScored { scores, .. }) => {
                let score = |score: &super::HengeScore| {
                    format!("seat {} has {}", score.who.seat, counted(score.total, "point", "points"))
                };
                format!("The final scores: {}.", listed(&scores.iter().map(score).collect::<Vec<_>>()))
            }
            Event::DecisionDue(DecisionDue { turn, stack }) => {
                format!("The player on chair {turn} is to {}.", due(stack.last()))
            }
            _ => return None,
        })
    }

    /// Returns what Hengebots do.
    fn hengebot(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::HengebotMoved(HengebotMoved { chair, from, to, .. }) => {
                format!("The Hengebot on chair {chair} moves the pawn from step {from} to step {to}.")
            }
            Event::HengebotDruidPlaced(HengebotDruidPlaced { chair, area }) => {
                format!("The Hengebot on chair {chair} places a druid at {}.", self.area(*area))
            }
            Event::HengebotStoneInstalled(HengebotStoneInstalled { chair, stone, slot, .. }) => {
                format!("The Hengebot on chair {chair} installs {} in slot {slot}.", self.stone(stone))
            }
            Event::HengebotDidNothing(HengebotDidNothing { chair }) => {
                format!("The Hengebot on chair {chair} has nothing to do.")
            }
            _ => return None,
        })
    }

    /// Returns what happens to one person.
    fn person(&self, event: &Event) -> String {
        let coins = |number: u16| counted(number, "coin", "coins");
        let vp = |number: u16| counted(number, "point", "points");
        match event {
            Event::SpringOffered(SpringOffered { who, count, cards }) => {
                format!("Seat {} is offered {}.", who.seat, self.cards(*count, cards.as_deref(), "Spring", Self::bonus))
            }
            Event::SpringChosen(SpringChosen { who, card }) => match card {
                Some(card) => format!("Seat {} keeps {}.", who.seat, self.bonus(card)),
                None => format!("Seat {} has chosen a Spring card.", who.seat),
            },
            Event::SpringRevealed(SpringRevealed { who, card }) => {
                format!("The Spring card of seat {} is {}.", who.seat, self.bonus(card))
            }
            Event::FirstUpgradeTaken(FirstUpgradeTaken { who, privilege }) => {
                format!("Seat {} takes the First Upgrade of {}.", who.seat, self.privilege(*privilege))
            }
            Event::PawnMoved(PawnMoved { who, from, to, action: then, paid, token, .. }) => {
                let how = match (token, paid) {
                    (true, _) => " with a travel token".to_owned(),
                    (false, 0) => String::new(),
                    (false, paid) => format!(" for {}", coins(*paid)),
                };
                let then = action(*then);
                format!("Seat {} moves the pawn from step {from} to step {to}{how} for the {then} action.", who.seat)
            }
            Event::StonesTransported(StonesTransported { who, stones, source }) => {
                let one = |at: &super::events::StoneAt| {
                    format!("{} is {} along", self.stone(&at.stone), counted(at.at, "step", "steps"))
                };
                let stones = listed(&stones.iter().map(one).collect::<Vec<_>>());
                format!("The stones of seat {} advance{}: {stones}.", who.seat, self.by(source))
            }
            Event::CoinsGained(CoinsGained { who, amount, total, source }) => {
                let (gained, by) = (coins(*amount), self.by(source));
                format!("Seat {} gains {gained}{by}, and has {total}.", who.seat)
            }
            Event::VictoryPointsScored(VictoryPointsScored { who, amount, total, source }) => {
                let (scored, by) = (vp(*amount), self.by(source));
                format!("Seat {} scores {scored}{by}, and has {total}.", who.seat)
            }
            Event::LuckCardPlayed(LuckCardPlayed { who, card }) => {
                format!("Seat {} plays {}.", who.seat, self.luck(card))
            }
            Event::LuckCardsDrawn(LuckCardsDrawn { who, count, cards, .. }) => {
                format!("Seat {} draws {}.", who.seat, self.cards(*count, cards.as_deref(), "Luck", Self::luck))
            }
            Event::LuckCardDiscarded(LuckCardDiscarded { who, card }) => {
                format!("Seat {} discards {}.", who.seat, self.luck(card))
            }
            Event::LuckCardGivenUp(LuckCardGivenUp { who, card, step }) => {
                format!("Seat {} gives up {} and reaches step {step} of the Luck track.", who.seat, self.luck(card))
            }
            Event::EndOfGameCardsDrawn(EndOfGameCardsDrawn { who, count, cards, .. }) => {
                let drawn = self.cards(*count, cards.as_deref(), "end-of-game", Self::bonus);
                format!("Seat {} draws {drawn}.", who.seat)
            }
            Event::BonusCardDropped(BonusCardDropped { who, deck, card }) => match (card, deck) {
                (Some(card), _) => format!("Seat {} drops {}.", who.seat, self.bonus(card)),
                (None, HengeBonusDeck::Spring) => format!("Seat {} drops its Spring card.", who.seat),
                (None, HengeBonusDeck::EndOfGame) => format!("Seat {} drops an end-of-game card.", who.seat),
            },
            Event::OptionChosen(OptionChosen { who, option, source }) => {
                format!("Seat {} chooses alternative {option}{}.", who.seat, self.by(source))
            }
            Event::StoneBought(StoneBought { who, stone, price, .. }) => {
                format!("Seat {} buys {} for {}.", who.seat, self.stone(stone), coins(*price))
            }
            Event::StoneCarved(StoneCarved { who, stone, price }) => {
                format!("Seat {} carves {} for {}.", who.seat, self.stone(stone), coins(*price))
            }
            Event::DruidPlaced(DruidPlaced { who, area, price }) => {
                format!("Seat {} places a druid at {} for {}.", who.seat, self.area(*area), coins(*price))
            }
            Event::StoneInstalled(installed) => self.installed(installed),
            Event::PrivilegeRaised(PrivilegeRaised { who, privilege, level }) => {
                format!("Seat {} raises {} to level {level}.", who.seat, self.privilege(*privilege))
            }
            Event::PrivilegeEndGained(PrivilegeEndGained { who, privilege }) => {
                format!("Seat {} gains the benefit at the end of {}.", who.seat, self.privilege(*privilege))
            }
            Event::RewardTaken(RewardTaken { who, tile }) => format!("Seat {} takes {}.", who.seat, self.tile(tile)),
            Event::TravelTokensTaken(TravelTokensTaken { who, amount, .. }) => {
                format!("Seat {} takes {}.", who.seat, counted(*amount, "travel token", "travel tokens"))
            }
            Event::SpringMarked(SpringMarked { who, card, marks }) => {
                let marks = counted(*marks, "mark", "marks");
                format!("{} of seat {} has {marks}.", capital(&self.bonus(card)), who.seat)
            }
            // These are told before; named one by one, so that a new event is put into words.
            Event::SetUp(_)
            | Event::RoundBegun(_)
            | Event::TurnBegun(_)
            | Event::QuarryRefilled(_)
            | Event::RewardsRefilled(_)
            | Event::DeckReshuffled(_)
            | Event::LuckCardsSettled(_)
            | Event::HengebotMoved(_)
            | Event::HengebotDruidPlaced(_)
            | Event::HengebotStoneInstalled(_)
            | Event::HengebotDidNothing(_)
            | Event::EndTriggered(_)
            | Event::StonesDelivered(_)
            | Event::Scored(_)
            | Event::DecisionDue(_) => "Something happens.".to_owned(),
        }
    }

    fn installed(&self, installed: &StoneInstalled) -> String {
        let StoneInstalled { who, stone, slot, stone_victory_points, slot_victory_points, card_victory_points, .. } =
            installed;
        let points = stone_victory_points + slot_victory_points + card_victory_points;
        let stone = self.stone(stone);
        format!("Seat {} installs {stone} in slot {slot} for {}.", who.seat, counted(points, "point", "points"))
    }
}

/// Returns what is to be done in words, from the entry on top of the stack.
fn due(top: Option<&HengeFrame>) -> &'static str {
    match top {
        Some(HengeFrame::Move(_)) => "move the pawn",
        Some(HengeFrame::Action(_)) => "act",
        Some(HengeFrame::Discard(_)) => "discard a Luck card",
        Some(HengeFrame::Drop(_)) => "drop a Bonus card",
        Some(HengeFrame::Reward(_)) => "take a reward",
        Some(HengeFrame::Level(_)) => "raise a privilege",
        Some(HengeFrame::Choose(_)) => "choose an alternative",
        Some(HengeFrame::Track(_)) => "give up a Luck card or end the turn",
        _ => "wait",
    }
}
