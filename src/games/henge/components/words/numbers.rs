//! The numbers of a set as entries of its glossary: the parameters that the rules speak of by name, and what each level of
//! a privilege gives; and the questions that a person may be asked.
//!
//! Invariant: every parameter of a set has an entry of its name; the figure `value` is its number. Where a parameter is a
//! word, that is its tag; where it is a list, its figures are counted.

use sarsen_rules::GlossaryEntry;

use super::super::place_ids::place_id;
use super::super::tables::{Params, Tables};
use super::super::terms::{Privilege, StorageCounts};
use super::phrases::{coins, privilege};
use sarsen_rules::phrases::counted;

/// The kind of a parameter's entry.
pub(crate) const PARAMETER: &str = "parameter";
/// The kind of a level's entry.
const LEVEL: &str = "privilege_level";

fn parameter(id: &str, name: &str, text: impl Into<String>) -> GlossaryEntry {
    GlossaryEntry::new(PARAMETER, id.to_owned(), name.to_owned(), text.into())
}

/// The parameters of the set.
pub(crate) fn parameters(set: &Tables) -> Vec<GlossaryEntry> {
    // Each is named, so that none that is added is left out.
    let Params {
        min_total,
        max_total,
        max_bots,
        start_coins,
        start_travel,
        travel_supply,
        druids_per_player,
        quarry_size,
        carve_cost,
        step_cost,
        luck_action_draws,
        bonus_draw,
        bonus_discard,
        spring_deal,
        reward_face_up,
        storage_counts,
        max_rounds,
        rank_divisors,
        solo_grades: _,
    } = &set.params;
    let number = |id: &str, name: &str, number: u16, text: &str| parameter(id, name, text).figure("value", number);
    let small = |id: &str, name: &str, value: u8, text: &str| number(id, name, value.into(), text);
    let (counts, stored) = match storage_counts {
        StorageCounts::InTransit => ("in_transit", "Stones on their way count against storage, delivered ones do not."),
        StorageCounts::Uninstalled => ("uninstalled", "All stones that are not installed count against storage."),
    };
    let divisors = (1..)
        .zip(rank_divisors)
        .fold(parameter("rank_divisors", "Rank divisors", ""), |entry, (rank, divisor): (u8, &u8)| {
            entry.figure(&format!("rank_{rank}"), *divisor)
        });
    let ranks = "Divisors of an area's value for the first, second … rank in druids there, rounded down; further ranks \
                 score nothing.";
    vec![
        small("min_total", "Fewest players", *min_total, "Fewest players at the table, Hengebots counted."),
        small("max_total", "Most players", *max_total, "Most players at the table, Hengebots counted."),
        small("max_bots", "Most Hengebots", *max_bots, "Most Hengebots at the table."),
        number("start_coins", "Coins at the start", *start_coins, "Coins that each person starts with."),
        small(
            "start_travel",
            "Travel tokens at the start",
            *start_travel,
            "Travel tokens that each person starts with.",
        ),
        small("travel_supply", "Travel tokens", *travel_supply, "Travel tokens in the game."),
        small("druids_per_player", "Druids", *druids_per_player, "Druids of each player."),
        small("quarry_size", "Quarry", *quarry_size, "Positions of the quarry."),
        number("carve_cost", "Carve cost", *carve_cost, "Coins for carving a stone, before discounts."),
        number("step_cost", "Step cost", *step_cost, "Coins for each step of the pawn beyond the free ones."),
        small("luck_action_draws", "Luck draws", *luck_action_draws, "Draws of a Luck action."),
        small("bonus_draw", "Bonus draw", *bonus_draw, "End-of-game cards that are drawn together."),
        small("bonus_discard", "Bonus discard", *bonus_discard, "Bonus cards that are dropped after such a draw."),
        small("spring_deal", "Spring deal", *spring_deal, "Spring cards that each person chooses from."),
        small("reward_face_up", "Rewards face up", *reward_face_up, "Reward chits face up in each pool."),
        parameter("storage_counts", "Storage rule", stored).tags([counts]),
        number("max_rounds", "Round limit", *max_rounds, "The end is triggered in this round at the latest."),
        GlossaryEntry { text: ranks.to_owned(), ..divisors },
    ]
}

/// The questions that a person may be asked: the `kind` of a decision.
pub(crate) fn decisions() -> Vec<GlossaryEntry> {
    [
        ("spring", "Spring card", "Keep one of the Spring cards offered."),
        ("upgrade", "First Upgrade", "Take a First Upgrade: that privilege starts one level higher."),
        ("move", "Move the pawn", "Walk the pawn, or spend a travel token, and name the action."),
        ("action", "Act", "Do the next unit of the action, play a Luck card, or end the action."),
        ("discard", "Discard a Luck card", "After a draw: discard a Luck card from hand."),
        ("drop", "Drop a Bonus card", "After a draw of Bonus cards: drop one."),
        ("reward", "Take a reward", "Take a face-up reward chit."),
        ("level", "Raise a privilege", "Name the privilege to raise."),
        ("choose", "Choose", "Choose one of the alternatives of a card, chit or benefit."),
        ("track", "Luck track", "At the end of the turn: give up a Luck card for the Luck track, or not."),
    ]
    .into_iter()
    .map(|(id, name, text)| GlossaryEntry::new("decision", id, name, text))
    .collect()
}

/// Returns what the levels of the privileges give.
pub(crate) fn levels(set: &Tables) -> Vec<GlossaryEntry> {
    Privilege::ALL.into_iter().flat_map(|which| track(set, which)).collect()
}

fn track(set: &Tables, which: Privilege) -> Vec<GlossaryEntry> {
    let tracks = &set.privileges;
    let entry = |level: usize, text: String| {
        let id = place_id(which.into_str(), u8::try_from(level).unwrap_or(u8::MAX));
        GlossaryEntry::new(LEVEL, id, format!("{} {level}", privilege(set, which)), text).figure("level", level as u64)
    };
    match which {
        Privilege::Rondel => (0..)
            .zip(&tracks.rondel.levels)
            .map(|(level, free)| {
                let text = match free {
                    0 => "No step of a walk is free.".to_owned(),
                    1 => "The first step of a walk is free.".to_owned(),
                    free => format!("The first {free} steps of a walk are free."),
                };
                entry(level, text).figure("free_steps", *free)
            })
            .collect(),
        Privilege::Coin => (0..)
            .zip(&tracks.coin.levels)
            .map(|(level, gained)| {
                entry(level, format!("An Income brings {}.", coins(*gained))).figure("coins", *gained)
            })
            .collect(),
        Privilege::Luck => (0..)
            .zip(&tracks.luck.levels)
            .map(|(level, luck)| {
                let cards = counted(luck.draw, "Luck card", "Luck cards");
                let text = match luck.discard {
                    0 => format!("Draw {cards}."),
                    discard => format!("Draw {cards}, then discard {discard}."),
                };
                entry(level, text).figure("draw", luck.draw).figure("discard", luck.discard)
            })
            .collect(),
        Privilege::Stone => (0..)
            .zip(&tracks.stone.levels)
            .map(|(level, stone)| {
                let bought = counted(stone.purchases, "stone", "stones");
                entry(level, format!("Buy up to {bought} in a Quarry action, and store up to {}.", stone.storage))
                    .figure("purchases", stone.purchases)
                    .figure("storage", stone.storage)
            })
            .collect(),
        Privilege::Druid => (0..)
            .zip(&tracks.druid.levels)
            .map(|(level, druid)| {
                let placed = counted(druid.druids, "druid", "druids");
                let text = match druid.adjacent {
                    0 => format!("Place up to {placed} in a Druid action."),
                    adjacent => {
                        format!("Place up to {placed} in a Druid action, {adjacent} of them in adjacent areas.")
                    }
                };
                entry(level, text).figure("druids", druid.druids).figure("adjacent", druid.adjacent)
            })
            .collect(),
    }
}
