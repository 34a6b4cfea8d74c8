//! Checks of the numbers of cards, at each total, and of their ids.

use std::collections::BTreeMap;

use super::super::fault::Faults;
use super::super::file::Draft;
use super::super::index::Id;
use super::super::terms::{Action, Area, BonusDeck, Pool, Privilege, Size};
use super::numbers::check_name;
use sarsen_rules::phrases::counted;

/// Totals of players that every set must serve.
const TOTALS: [u8; 3] = [3, 4, 5];

/// Adds the faults of the decks.
pub(crate) fn check(draft: &Draft, faults: &mut Faults) {
    counts(draft, faults);
    ids(draft, faults);
    names(draft, faults);
    stones(draft, faults);
    totals(draft, faults);
    upgrades_and_rewards(draft, faults);
    hengebot(draft, faults);
}

fn counts(draft: &Draft, faults: &mut Faults) {
    let mut exactly = |at: &str, count: Option<usize>, wanted: usize| {
        let sound = count.is_none_or(|count| count == wanted);
        let entries = || counted(wanted as u64, "entry", "entries");
        faults.demand(sound, at, || format!("must have {}, not {}", entries(), count.unwrap_or(0)));
    };
    exactly("stones", draft.stones.count(), 29);
    exactly("bonus", draft.bonus.count(), 44);
    exactly("luck", draft.luck.count(), 51);
    exactly("first_upgrades", draft.first_upgrades.count(), 5);
    exactly("hengebot", draft.hengebot.count(), 30);
    exactly("rewards", draft.rewards.count(), 25);
    exactly("druid_track", draft.druid_track.count(), 12);
    let steps = draft.luck_track.count().unwrap_or(0);
    faults.demand(steps <= 99, "luck_track", || format!("must have at most 99 entries, not {steps}"));
}

fn ids(draft: &Draft, faults: &mut Faults) {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut unique = |noun: &str, id: &Id| {
        let name = format!("{noun} {id}");
        if let Some(other) = seen.insert(id.as_str().to_ascii_lowercase(), name.clone()) {
            faults.add(name, format!("has the same id as {other}; upper and lower case make no difference"));
        }
    };
    draft.stones.read.iter().for_each(|row| unique("stone", &row.id));
    draft.luck.read.iter().for_each(|row| unique("luck card", &row.id));
    draft.bonus.read.iter().for_each(|row| unique("bonus card", &row.id));
    draft.first_upgrades.read.iter().for_each(|row| unique("first upgrade", &row.id));
    draft.hengebot.read.iter().for_each(|row| unique("hengebot card", &row.id));
    draft.rewards.read.iter().for_each(|row| unique("reward", &row.id));
}

fn names(draft: &Draft, faults: &mut Faults) {
    let mut name = |noun: &str, id: &Id, name: &str| check_name(&format!("{noun} {id}"), name, 64, faults);
    draft.stones.read.iter().for_each(|row| name("stone", &row.id, &row.name));
    draft.luck.read.iter().for_each(|row| name("luck card", &row.id, &row.name));
    draft.bonus.read.iter().for_each(|row| name("bonus card", &row.id, &row.name));
    draft.rewards.read.iter().for_each(|row| name("reward", &row.id, &row.name));
}

fn stones(draft: &Draft, faults: &mut Faults) {
    for stone in &draft.stones.read {
        let at = format!("stone {}", stone.id);
        faults.demand(stone.transport > 0, &at, || "must have a transport track of at least 1 step".to_owned());
        if stone.starter_area.is_some() {
            let always = TOTALS.iter().all(|total| stone.players.fits(*total));
            faults.demand(always, &at, || "must be used at every total, being a starter".to_owned());
        }
    }
    if !draft.stones.is_complete() {
        return;
    }
    for (size, word, wanted) in [(Size::Large, "large", 17), (Size::Small, "small", 12)] {
        let count = draft.stones.read.iter().filter(|stone| stone.size == size).count();
        faults.demand(count == wanted, "stones", || format!("must have {wanted} {word} stones, not {count}"));
    }
    for area in Area::ALL {
        let starters: Vec<&str> = draft
            .stones
            .read
            .iter()
            .filter(|stone| stone.starter_area == Some(area))
            .map(|stone| stone.id.as_str())
            .collect();
        faults.demand(starters.len() == 1, "stones", || {
            let list = if starters.is_empty() { String::new() } else { format!(" ({})", starters.join(", ")) };
            format!("must have one starter of area {}, not {}{list}", area.get(), starters.len())
        });
    }
}

/// Checks the rules for each total of players.
fn totals(draft: &Draft, faults: &mut Faults) {
    for total in TOTALS {
        let sides: Vec<_> = draft.sides.iter().flatten().filter(|side| side.totals.contains(&total)).collect();
        if draft.sides.iter().all(Option::is_some) {
            let count = sides.len();
            faults.demand(count == 1, "boards", || format!("must have one side for total {total}, not {count}"));
        }
        let in_use = draft.stones.read.iter().filter(|stone| stone.players.fits(total)).count();
        if draft.stones.is_complete() {
            for side in &sides {
                let slots = side.slots.count().unwrap_or(usize::MAX);
                faults.demand(in_use <= slots, "stones", || {
                    format!(
                        "has {in_use} stones in use at total {total}, more than the {slots} slots of the board side"
                    )
                });
            }
            if let Some(params) = &draft.params {
                let needed = usize::from(total) + usize::from(params.quarry_size);
                faults.demand(in_use > needed, "stones", || {
                    format!(
                        "has {in_use} stones in use at total {total}, not more than total and quarry size, {needed}"
                    )
                });
            }
        }
        if let (true, Some(params)) = (draft.bonus.is_complete(), &draft.params) {
            let spring = draft.bonus.read.iter().filter(|card| card.deck == BonusDeck::Spring);
            let spring = spring.filter(|card| card.players.fits(total)).count();
            let needed = usize::from(total) * usize::from(params.spring_deal);
            faults.demand(spring >= needed, "bonus", || {
                format!("has {spring} Spring cards in use at total {total}, fewer than {needed}")
            });
        }
    }
    for (key, side) in super::super::file::SIDES.iter().zip(&draft.sides) {
        let Some(side) = side else { continue };
        for total in side.totals.iter().filter(|total| !TOTALS.contains(total)) {
            faults.add(format!("side {key} totals"), format!("names {total}; totals are 3 to 5"));
        }
    }
}

fn upgrades_and_rewards(draft: &Draft, faults: &mut Faults) {
    if draft.first_upgrades.is_complete() {
        for privilege in Privilege::ALL {
            let cards = draft.first_upgrades.read.iter().filter(|card| card.privilege == privilege).count();
            faults.demand(cards == 1, "first_upgrades", || {
                format!("must have one card for {}, not {cards}", privilege.into_str())
            });
        }
    }
    if let (true, Some(params)) = (draft.rewards.is_complete(), &draft.params) {
        for pool in [Pool::A, Pool::B] {
            let tiles = draft.rewards.read.iter().filter(|tile| tile.pool == pool).count();
            let needed = usize::from(params.reward_face_up);
            faults.demand(tiles >= needed, "rewards", || {
                format!("has {tiles} tiles in pool {pool:?}, fewer than lie face up, {needed}")
            });
        }
    }
}

fn hengebot(draft: &Draft, faults: &mut Faults) {
    for card in &draft.hengebot.read {
        let at = format!("hengebot card {}", card.id);
        let icons = &card.icons;
        let distinct = icons.len() < 2 || icons[0] != icons[1];
        faults.demand((1..=2).contains(&icons.len()) && distinct, &at, || {
            "must show one icon or two different ones".to_owned()
        });
        for icon in icons.iter().filter(|icon| matches!(icon, Action::Luck | Action::Arrive)) {
            faults.add(
                &at,
                format!("shows {}; Hengebots know druid, install, carve, quarry and income", icon.into_str()),
            );
        }
    }
}
