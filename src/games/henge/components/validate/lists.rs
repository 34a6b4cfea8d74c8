//! The lists of effects of a draft, wherever they are printed.

use super::super::effects::Nested;
use super::super::file::Draft;
use super::super::terms::Privilege;

/// Every list of effects of the draft with the name of what it is printed on; `true` for Luck cards.
pub(crate) fn lists(draft: &Draft) -> Vec<(String, bool, &Nested)> {
    let mut lists = Vec::new();
    if let Some(privileges) = &draft.privileges {
        for privilege in Privilege::ALL {
            lists.push((format!("privilege {}, end", privilege.into_str()), false, privileges.end(privilege)));
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
