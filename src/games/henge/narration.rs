//! Moves and events in words for people, with the names that the match's component set gives.
//!
//! Invariant: the text of a move or an event is made from that move or event alone, so it tells a listener no more than the
//! JSON tells a reader.

use super::Henge;
use super::components::words::{action, effects, privilege};
use super::components::{Area, BonusDeck, Effect, Id, List, Privilege, Source, Tables, Window};
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
use sarsen_rules::phrases::{capital, counted, listed, named};
use sarsen_rules::{Prompt, Seat, Words};

impl Words for Henge {
    fn prompt(&self, state: &State, seat: Seat) -> Prompt {
        state.prompt(seat)
    }

    fn move_text(&self, mv: &Move, options: &Options) -> String {
        Narrator(&options.set).mv(mv)
    }

    fn listed_text(&self, state: &State, _seat: Seat, mv: &Move, options: &Options) -> String {
        match mv {
            Move::Choose(ChooseOption { option }) => state
                .option_words()
                .into_iter()
                .nth(usize::from(option.get()).saturating_sub(1))
                .unwrap_or_else(|| self.move_text(mv, options)),
            _ => self.move_text(mv, options),
        }
    }

    fn made_text(&self, mv: &Move, effect: Option<&Event>, options: &Options) -> String {
        match (mv, effect) {
            (Move::Choose(_), Some(Event::OptionChosen(OptionChosen { option, source, .. }))) => {
                Narrator(&options.set).option(source, *option)
            }
            _ => self.move_text(mv, options),
        }
    }

    fn event_text(&self, event: &Event, options: &Options) -> String {
        Narrator(&options.set).event(event)
    }
}

/// Narrates with the names of a set.
pub(crate) struct Narrator<'a>(pub &'a Tables);

impl Narrator<'_> {
    fn luck_name(&self, id: &Id) -> String {
        let row = self.0.find_luck(id).and_then(|card| self.0.luck_card(card));
        row.map_or_else(|| id.to_string(), |row| row.name.clone())
    }

    fn luck(&self, id: &Id) -> String {
        format!("the Luck card {}", self.luck_name(id))
    }

    fn bonus_name(&self, id: &Id) -> String {
        let row = self.0.find_bonus(id).and_then(|card| self.0.bonus_card(card));
        row.map_or_else(|| id.to_string(), |row| row.name.clone())
    }

    fn bonus(&self, id: &Id) -> String {
        let row = self.0.find_bonus(id).and_then(|card| self.0.bonus_card(card));
        let kind = match row.map(|row| row.deck) {
            Some(BonusDeck::Spring) => "Spring",
            Some(BonusDeck::EndOfGame) => "end-of-game",
            None => "Bonus",
        };
        format!("the {kind} card {}", self.bonus_name(id))
    }

    fn stone_name(&self, id: &Id) -> String {
        let row = self.0.find_stone(id).and_then(|card| self.0.stone(card));
        row.map_or_else(|| id.to_string(), |row| row.name.clone())
    }

    fn stone(&self, id: &Id) -> String {
        format!("the stone {}", self.stone_name(id))
    }

    fn tile_name(&self, id: &Id) -> String {
        let row = self.0.find_tile(id).and_then(|tile| self.0.tile(tile));
        row.map_or_else(|| id.to_string(), |row| row.name.clone())
    }

    fn tile(&self, id: &Id) -> String {
        format!("the reward {}", self.tile_name(id))
    }

    fn area(&self, area: Area) -> &str {
        &self.0.areas[area.index()].name
    }

    fn privilege(&self, which: Privilege) -> String {
        format!("the {} privilege", privilege(self.0, which))
    }

    fn names(&self, ids: &[Id], name: impl Fn(&Self, &Id) -> String) -> Vec<String> {
        ids.iter().map(|id| name(self, id)).collect()
    }

    /// The names of the cards where the viewer may know them, otherwise their number.
    fn cards(&self, count: u8, cards: Option<&[Id]>, kind: &str, name: impl Fn(&Self, &Id) -> String) -> String {
        let (one, many) = (format!("{kind} card"), format!("{kind} cards"));
        match cards {
            Some(cards) if !cards.is_empty() => named(&self.names(cards, name), &one, &many),
            _ => counted(count, &one, &many),
        }
    }

    /// The words of an alternative, where its source offers only one choice; otherwise its number.
    fn option(&self, source: &HengeSource, option: u8) -> String {
        let set = self.0;
        let printed_on = match source {
            HengeSource { kind: SourceKind::LuckCard, card: Some(id), .. } => set.find_luck(id).map(Source::Luck),
            HengeSource { kind: SourceKind::Reward, card: Some(id), .. } => set.find_tile(id).map(Source::Reward),
            HengeSource { kind: SourceKind::PrivilegeEnd, privilege: Some(which), .. } => {
                Some(Source::LevelEnd(*which))
            }
            HengeSource { kind: SourceKind::DruidTrack, step: Some(step), .. } => {
                step.checked_sub(1).map(Source::DruidTrack)
            }
            HengeSource { kind: SourceKind::LuckTrack, step: Some(step), .. } => {
                step.checked_sub(1).map(Source::LuckTrack)
            }
            _ => None,
        };
        let windows: &[Window] = match printed_on {
            Some(Source::Luck(card)) => set.luck_card(card).map_or(&[], |row| &row.when),
            _ => &[],
        };
        let lists = (0..set.lists.len()).filter_map(|index| u16::try_from(index).ok()).map(List);
        let mut choices = lists
            .filter(|list| printed_on.is_some() && set.lists.source(*list) == printed_on)
            .flat_map(|list| set.lists.effects(list))
            .filter_map(|effect| if let Effect::Choose { of } = effect { Some(of) } else { None });
        match (choices.next(), choices.next()) {
            (Some(of), None) => of
                .get(usize::from(option).saturating_sub(1))
                .map_or_else(|| format!("Alternative {option}."), |list| effects(set, *list, windows)),
            _ => format!("Alternative {option}."),
        }
    }

    /// ` from …`, or nothing where the action itself is the source.
    fn from(&self, source: &HengeSource) -> String {
        let HengeSource { kind, card, privilege, step } = source;
        match (kind, card, privilege, step) {
            (SourceKind::Rondel, ..) => " for the borders passed".to_owned(),
            (SourceKind::LuckCard, Some(card), ..) => format!(" from {}", self.luck(card)),
            (SourceKind::Reward, Some(tile), ..) => format!(" from {}", self.tile(tile)),
            (SourceKind::PrivilegeEnd, _, Some(which), _) => format!(" from the end of {}", self.privilege(*which)),
            (SourceKind::DruidTrack, _, _, Some(step)) => format!(" from space {step} of the druid track"),
            (SourceKind::LuckTrack, _, _, Some(step)) => format!(" from step {step} of the Luck track"),
            _ => String::new(),
        }
    }

    /// A move, as an order to make it.
    pub(crate) fn mv(&self, mv: &Move) -> String {
        let steps = |steps: u8| counted(steps, "step", "steps");
        match mv {
            Move::Spring(ChooseSpring { card }) => format!("Keep {}.", self.bonus(card)),
            Move::Upgrade(FirstUpgrade { privilege }) => {
                format!("Take the First Upgrade for {}.", self.privilege(*privilege))
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
            Move::Arrive(_) => "Deliver all stones that are in transit.".to_owned(),
            Move::Quarry(QuarryStone { position }) => format!("Buy the stone at quarry position {}.", position.get()),
            Move::Carve(CarveStone { stone }) => format!("Carve {}.", self.stone(stone)),
            Move::Druid(PlaceDruid { area }) => format!("Place a druid at {}.", self.area(*area)),
            Move::Install(InstallStone { stone, slot }) => format!("Install {} in slot {slot}.", self.stone(stone)),
            Move::Done(_) => "Finish.".to_owned(),
            Move::Discard(DiscardLuck { card }) => format!("Discard {}.", self.luck(card)),
            Move::Drop(DropBonus { card }) => format!("Drop {}.", self.bonus(card)),
            Move::Reward(TakeReward { tile }) => format!("Take {}.", self.tile(tile)),
            Move::Level(RaiseLevel { privilege }) => format!("Raise {}.", self.privilege(*privilege)),
            Move::Choose(ChooseOption { option }) => format!("Choose alternative {}.", option.get()),
            Move::Track(AdvanceTrack { card }) => format!("Give up {} for the Luck track.", self.luck(card)),
        }
    }

    /// Returns what happens: at the table, by Hengebots, to one person.
    pub(crate) fn event(&self, event: &Event) -> String {
        let coins = |number: u16| counted(number, "coin", "coins");
        let vp = |number: u16| counted(number, "point", "points");
        match event {
            Event::SetUp(HengeSetUp { side, pawn, quarry, .. }) => {
                let stones = named(&self.names(quarry, Self::stone_name), "stone", "stones");
                format!(
                    "Side {side} of the board is set up. The pawn starts on step {pawn}, and the quarry has {stones}."
                )
            }
            Event::RoundBegun(RoundBegun { number }) => format!("Round {number} begins."),
            Event::TurnBegun(TurnBegun { seat: Some(seat), .. }) => format!("It is seat {seat}'s turn."),
            Event::TurnBegun(TurnBegun { chair, seat: None }) => {
                format!("The Hengebot on chair {chair} takes its turn.")
            }
            Event::QuarryRefilled(QuarryRefilled { stones, left }) => {
                let laid =
                    stones.iter().map(|laid| format!("{} at position {}", self.stone(&laid.stone), laid.position));
                let left = match left {
                    0 => "the stone deck is now empty".to_owned(),
                    left => format!("{} in the stone deck", remain(*left, "stone", "stones")),
                };
                format!("New in the quarry: {}; {left}.", listed(&laid.collect::<Vec<_>>()))
            }
            Event::RewardsRefilled(RewardsRefilled { pool, tiles, .. }) => {
                format!("New in pool {pool}: {}.", named(&self.names(tiles, Self::tile_name), "reward", "rewards"))
            }
            Event::DeckReshuffled(DeckReshuffled { deck, left }) => {
                let (used, deck, one, many) = match deck {
                    HengeDeck::Luck => ("Luck cards", "Luck deck", "card", "cards"),
                    HengeDeck::EndOfGame => ("end-of-game cards", "end-of-game deck", "card", "cards"),
                    HengeDeck::Hengebot => ("Hengebot cards", "Hengebot deck", "card", "cards"),
                    HengeDeck::RewardsA => ("rewards of pool A", "stack of pool A", "chit", "chits"),
                    HengeDeck::RewardsB => ("rewards of pool B", "stack of pool B", "chit", "chits"),
                };
                format!("The used {used} are shuffled: the {deck} now has {}.", counted(*left, one, many))
            }
            Event::LuckCardsSettled(LuckCardsSettled { count }) => {
                let cards = counted(*count, "Luck card joins", "Luck cards join");
                format!("{} the discards.", capital(&cards))
            }
            Event::EndTriggered(EndTriggered { round, cause }) => {
                let cause = match cause {
                    EndCause::Deck => "the stone deck is empty",
                    EndCause::RoundLimit => "the round limit is reached",
                };
                format!("Round {round} triggers the end, for {cause}. One more round follows it.")
            }
            Event::StonesDelivered(StonesDelivered { final_round }) => {
                format!("All stones are delivered; round {final_round} is the last.")
            }
            Event::Scored(HengeScored { scores, .. }) => {
                let score = |score: &super::HengeScore| {
                    format!("seat {} has {}", score.who.seat, counted(score.total, "point", "points"))
                };
                let title = if scores.len() == 1 { "The final score" } else { "The final scores" };
                format!("{title}: {}.", listed(&scores.iter().map(score).collect::<Vec<_>>()))
            }
            Event::DecisionDue(DecisionDue { turn, stack }) => {
                format!("The player on chair {turn} has to decide: {}.", due(stack.last()))
            }
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
            Event::SpringOffered(SpringOffered { who, count, cards }) => {
                let offered = self.cards(*count, cards.as_deref(), "Spring", Self::bonus_name);
                format!("Seat {} is offered {offered}.", who.seat)
            }
            Event::SpringChosen(SpringChosen { who, card }) => match card {
                Some(card) => format!("Seat {} keeps {}.", who.seat, self.bonus(card)),
                None => format!("Seat {} has chosen a Spring card.", who.seat),
            },
            Event::SpringRevealed(SpringRevealed { who, card }) => {
                format!("Seat {}'s Spring card is {}.", who.seat, self.bonus_name(card))
            }
            Event::FirstUpgradeTaken(FirstUpgradeTaken { who, privilege }) => {
                format!("Seat {} takes the First Upgrade for {}.", who.seat, self.privilege(*privilege))
            }
            Event::PawnMoved(PawnMoved { who, from, to, action: then, paid, token, .. }) => {
                let moves = match (token, paid) {
                    (true, _) => "spends a travel token to move".to_owned(),
                    (false, 0) => "moves".to_owned(),
                    (false, paid) => format!("pays {} to move", coins(*paid)),
                };
                let (seat, then) = (who.seat, action(*then));
                format!("Seat {seat} {moves} the pawn from step {from} to step {to}, for the {then} action.")
            }
            Event::StonesTransported(StonesTransported { who, stones, source }) => {
                let one = |at: &super::events::StoneAt| {
                    format!("{} is now {} along", self.stone_name(&at.stone), counted(at.at, "step", "steps"))
                };
                let reached = listed(&stones.iter().map(one).collect::<Vec<_>>());
                let advance = if stones.len() == 1 { "stone advances" } else { "stones advance" };
                format!("Seat {}'s {advance}{}: {reached}.", who.seat, self.from(source))
            }
            Event::CoinsGained(CoinsGained { who, amount, total, source }) => {
                let (gained, by) = (coins(*amount), self.from(source));
                format!("Seat {} gains {gained}{by} and now has {total}.", who.seat)
            }
            Event::VictoryPointsScored(VictoryPointsScored { who, amount, total, source }) => {
                let (scored, by) = (vp(*amount), self.from(source));
                format!("Seat {} scores {scored}{by} and now has {total}.", who.seat)
            }
            Event::LuckCardPlayed(LuckCardPlayed { who, card }) => {
                format!("Seat {} plays {}.", who.seat, self.luck(card))
            }
            Event::LuckCardsDrawn(LuckCardsDrawn { who, count, cards, .. }) => {
                format!("Seat {} draws {}.", who.seat, self.cards(*count, cards.as_deref(), "Luck", Self::luck_name))
            }
            Event::LuckCardDiscarded(LuckCardDiscarded { who, card }) => {
                format!("Seat {} discards {}.", who.seat, self.luck(card))
            }
            Event::LuckCardGivenUp(LuckCardGivenUp { who, card, step }) => {
                format!("Seat {} gives up {} and reaches step {step} of the Luck track.", who.seat, self.luck(card))
            }
            Event::EndOfGameCardsDrawn(EndOfGameCardsDrawn { who, count, cards, .. }) => {
                let drawn = self.cards(*count, cards.as_deref(), "end-of-game", Self::bonus_name);
                format!("Seat {} draws {drawn}.", who.seat)
            }
            Event::BonusCardDropped(BonusCardDropped { who, deck, card }) => match (card, deck) {
                (Some(card), _) => format!("Seat {} drops {}.", who.seat, self.bonus(card)),
                (None, HengeBonusDeck::Spring) => format!("Seat {} drops its Spring card.", who.seat),
                (None, HengeBonusDeck::EndOfGame) => format!("Seat {} drops an end-of-game card.", who.seat),
            },
            Event::OptionChosen(OptionChosen { who, option, source }) => {
                format!("Seat {} chooses{}: {}", who.seat, self.from(source), self.option(source, *option))
            }
            Event::StoneBought(StoneBought { who, stone, price, .. }) => {
                format!("Seat {} buys {}{}.", who.seat, self.stone(stone), price_of(*price))
            }
            Event::StoneCarved(StoneCarved { who, stone, price }) => {
                format!("Seat {} carves {}{}.", who.seat, self.stone(stone), price_of(*price))
            }
            Event::DruidPlaced(DruidPlaced { who, area, price }) => {
                format!("Seat {} places a druid at {}{}.", who.seat, self.area(*area), price_of(*price))
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
                format!("Seat {}'s Spring card {} now has {marks}.", who.seat, self.bonus_name(card))
            }
        }
    }

    fn installed(&self, installed: &StoneInstalled) -> String {
        let StoneInstalled { who, stone, slot, stone_victory_points, slot_victory_points, card_victory_points, .. } =
            installed;
        let points = stone_victory_points + slot_victory_points + card_victory_points;
        let stone = self.stone(stone);
        format!("Seat {} installs {stone} in slot {slot} and scores {}.", who.seat, counted(points, "point", "points"))
    }
}

/// ` for 2 coins`, or nothing where it costs nothing.
fn price_of(coins: u16) -> String {
    match coins {
        0 => String::new(),
        coins => format!(" for {}", counted(coins, "coin", "coins")),
    }
}

/// `1 stone remains`, `2 stones remain`.
fn remain(number: u8, one: &str, many: &str) -> String {
    counted(number, &format!("{one} remains"), &format!("{many} remain"))
}

/// The decision on top of the stack, as an order.
fn due(top: Option<&HengeFrame>) -> String {
    let order = match top {
        Some(HengeFrame::Move(_)) => "move the pawn",
        Some(HengeFrame::Action(frame)) => {
            let order = if frame.units == 0 { "begin" } else { "go on with" };
            return format!("{order} the {} action", action(frame.action));
        }
        Some(HengeFrame::Discard(_)) => "discard a Luck card",
        Some(HengeFrame::Drop(_)) => "drop a Bonus card",
        Some(HengeFrame::Reward(_)) => "take a reward",
        Some(HengeFrame::Level(_)) => "raise a privilege",
        Some(HengeFrame::Choose(frame)) => return format!("choose one of {} alternatives", frame.options.len()),
        Some(HengeFrame::Track(_)) => "give up a Luck card or end the turn",
        _ => "wait",
    };
    order.to_owned()
}
