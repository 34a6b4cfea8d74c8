//! Counts and scores in words.

use super::super::scoring::{Count, Score, TallyEvent};
use super::super::tables::Tables;
use super::phrases::{area, privilege};
use sarsen_rules::phrases::{article, counted, ordinal, times};

/// Returns the thing counted, as a noun for this number: `coin`, `coins`.
pub(crate) fn noun(set: &Tables, count: &Count, number: u64) -> String {
    let one = number == 1;
    let pick = |singular: &str, plural: &str| if one { singular.to_owned() } else { plural.to_owned() };
    match count {
        Count::Installed { size: of, icon, min_cost, min_transport, max_transport } => {
            let mut text = of.map(|of| format!("{} ", of.into_str())).unwrap_or_default();
            text += &pick("stone installed", "stones installed");
            if let Some(icon) = icon {
                text += &format!(" with the icon {}", privilege(set, *icon));
            }
            if let Some(cost) = min_cost {
                text += &format!(" with a cost of at least {cost}");
            }
            let steps = |number: u8| counted(number, "step", "steps");
            match (min_transport, max_transport) {
                (Some(least), Some(most)) => text += &format!(" with a track of {least} to {}", steps(*most)),
                (Some(least), None) => text += &format!(" with a track of at least {}", steps(*least)),
                (None, Some(most)) => text += &format!(" with a track of at most {}", steps(*most)),
                (None, None) => {}
            }
            text
        }
        Count::IconKinds {} => {
            pick("different icon on your installed stones", "different icons on your installed stones")
        }
        Count::SizePairs {} => {
            pick("pair of a large and a small stone installed", "pairs of a large and a small stone installed")
        }
        Count::Druids {} => pick("druid placed", "druids placed"),
        Count::DruidsIn { area: of } => format!("{} in {}", pick("druid", "druids"), area(set, *of)),
        Count::AreasWith { n } => format!("{} with at least {n} of your druids", pick("area", "areas")),
        Count::BestArea {} => pick("druid in the area where you have most", "druids in the area where you have most"),
        Count::AreasRanked { rank } => format!("{} where you rank {} in druids", pick("area", "areas"), ordinal(*rank)),
        Count::Levels {} => pick("privilege level raised", "privilege levels raised"),
        Count::Maxed {} => pick("privilege at its top level", "privileges at their top level"),
        Count::Raised {} => pick("privilege above its start level", "privileges above their start level"),
        Count::Coins {} => pick("coin", "coins"),
        Count::LuckCards {} => pick("Luck card in your hand", "Luck cards in your hand"),
        Count::LuckSteps {} => pick("step on your Luck track", "steps on your Luck track"),
        Count::Travel {} => pick("travel token", "travel tokens"),
        Count::Held {} => pick("uninstalled stone", "uninstalled stones"),
        Count::HeldCarved {} => pick("carved uninstalled stone", "carved uninstalled stones"),
    }
}

fn event(set: &Tables, event: &TallyEvent) -> String {
    match event {
        TallyEvent::Install { kind, border, level_up } => {
            let mut text = "stone you install".to_owned();
            if let Some(kind) = kind {
                let kind = kind.into_str();
                text += &format!(" as {} {kind}", article(kind));
            }
            text += match border {
                Some(true) => " on a border of two areas",
                Some(false) => " within one area",
                None => "",
            };
            text += match level_up {
                Some(true) => " that gives you a level-up",
                Some(false) => " that gives you no level-up",
                None => "",
            };
            text
        }
        TallyEvent::DruidAction {} => "Druid action or sub-action in which you place a druid".to_owned(),
        TallyEvent::Druid { area: None } => "druid you place".to_owned(),
        TallyEvent::Druid { area: Some(of) } => format!("druid you place in {}", area(set, *of)),
        TallyEvent::Quarry {} => "stone you buy".to_owned(),
        TallyEvent::Carve {} => "stone you carve".to_owned(),
        TallyEvent::Track {} => "Luck card you give up for the Luck track".to_owned(),
    }
}

/// Returns what a bonus card is worth, as a sentence.
pub(crate) fn score(set: &Tables, score: &Score) -> String {
    let at_most = |max: &Option<u16>| max.map(|max| format!(", at most {max} VP")).unwrap_or_default();
    match score {
        Score::Goal { count, at_least, vp } => {
            format!("{vp} VP once you end a turn with at least {at_least} {}.", noun(set, count, u64::from(*at_least)))
        }
        Score::Tally { event: of, vp, max_marks } => {
            format!("{vp} VP for each {}, at most {}.", event(set, of), times(*max_marks))
        }
        Score::Per { count, vp, div: 1, max } => format!("{vp} VP for each {}{}.", noun(set, count, 1), at_most(max)),
        Score::Per { count, vp, div, max } => {
            format!("{vp} VP for every {div} {}{}.", noun(set, count, u64::from(*div)), at_most(max))
        }
        Score::Table { count, values } => {
            let last = values.len().saturating_sub(1);
            let row = |(number, vp): (usize, &u16)| match number {
                0 if last > 0 => format!("{vp} for none"),
                number if number == last => format!("{vp} for {number} or more"),
                number => format!("{vp} for {number}"),
            };
            let rows: Vec<String> = values.iter().enumerate().map(row).collect();
            format!("VP by the number of {}: {}.", noun(set, count, 2), rows.join(", "))
        }
    }
}
