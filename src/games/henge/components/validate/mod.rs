//! The validator (section 1.4): what the rulebook forces on every set, and what our rules need to stay total.
//!
//! Invariants: all faults are found, each naming the table, card, slot or step; no input makes it panic. Sums over a
//! table are judged only if every row of it could be read, so that one unreadable row is one fault.

mod board;
mod cards;
mod decks;
mod numbers;
mod rondel;

use super::effects::Nested;
use super::fault::Faults;
use super::file::Draft;

/// Adds every fault of the draft.
pub fn check(draft: &Draft, faults: &mut Faults) {
    numbers::check(draft, faults);
    decks::check(draft, faults);
    cards::check(draft, faults);
    board::check(draft, faults);
    rondel::check(draft, faults);
}

/// Totals of players that every set must serve.
const TOTALS: [u8; 3] = [3, 4, 5];

/// Every list of effects of the draft with the name of what it is printed on; `true` for Luck cards.
fn lists(draft: &Draft) -> Vec<(String, bool, &Nested)> {
    let mut lists = Vec::new();
    if let Some(privileges) = &draft.privileges {
        for privilege in super::terms::Privilege::ALL {
            lists.push((format!("privilege {}, end", privilege.word()), false, privileges.end(privilege)));
        }
    }
    for (name, track) in [("druid_track", &draft.druid_track), ("luck_track", &draft.luck_track)] {
        for (at, list) in track.read.iter().enumerate() {
            lists.push((format!("{name} #{}", at + 1), false, list));
        }
    }
    lists.extend(draft.luck.read.iter().map(|card| (format!("luck card {}", card.id), true, &card.effects)));
    lists.extend(draft.rewards.read.iter().map(|tile| (format!("reward {}", tile.id), false, &tile.effects)));
    lists
}
