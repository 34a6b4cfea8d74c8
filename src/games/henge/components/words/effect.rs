//! Effects in words.

use super::super::effects::{Distance, Effect, Sub, Which};
use super::super::index::List;
use super::super::tables::Tables;
use super::super::terms::{Action, ModKind, Reach, SubAction, Window};
use super::phrases::{coins, privilege};
use super::score::noun;
use sarsen_rules::phrases::{article, counted, either, times};

/// A list of effects as sentences. `windows` is when the card may be played; empty for what is no Luck card.
pub(crate) fn effects(set: &Tables, list: List, windows: &[Window]) -> String {
    let sentences: Vec<String> = set.lists.effects(list).iter().map(|effect| sentence(set, effect, windows)).collect();
    if sentences.is_empty() { "Nothing.".to_owned() } else { sentences.join(" ") }
}

fn sentence(set: &Tables, effect: &Effect, windows: &[Window]) -> String {
    let at_most = |max: Option<String>| max.map(|max| format!(", at most {max}")).unwrap_or_default();
    match effect {
        Effect::Coins { n } => format!("Gain {}.", coins(*n)),
        Effect::CoinsPer { count, n, max } => {
            format!("Gain {} for each {}{}.", coins(*n), noun(set, count, 1), at_most(max.map(coins)))
        }
        Effect::VpPer { count, n, max } => {
            let max = max.map(|max| format!("{max} VP"));
            format!("Score {n} VP for each {}{}.", noun(set, count, 1), at_most(max))
        }
        Effect::Vp { n } => format!("Score {n} VP."),
        Effect::Luck { n: 1 } => "Draw Luck cards by your Luck level.".to_owned(),
        Effect::Luck { n } => format!("Draw Luck cards by your Luck level {}.", times(*n)),
        Effect::Bonus { n } => {
            let (draw, discard) = (set.params.bonus_draw, set.params.bonus_discard);
            let cards = counted(draw, "end-of-game bonus card", "end-of-game bonus cards");
            let often = if *n == 1 { String::new() } else { format!(" Do so {}.", times(*n)) };
            format!("Draw {cards}, then drop {discard} of all your bonus cards.{often}")
        }
        Effect::Travel { n } => format!("Take {}.", counted(*n, "travel token", "travel tokens")),
        Effect::Reward { pool } => format!("Take a face-up reward of pool {pool:?}."),
        Effect::Level { which: Which::Any } => "Raise a privilege of your choice by one level.".to_owned(),
        Effect::Level { which: Which::Of(which) } => {
            format!("Raise your {} privilege by one level.", privilege(set, *which))
        }
        Effect::Transport { n: Distance::Steps(n) } => {
            format!("Advance all your uninstalled stones by {}.", counted(*n, "step", "steps"))
        }
        Effect::Transport { n: Distance::End } => {
            "Move all your uninstalled stones to the end of their tracks.".to_owned()
        }
        Effect::Sub(sub) => sub_action(sub),
        Effect::Choose { of } => {
            let options =
                (1..).zip(of).map(|(number, list): (u32, _)| format!("({number}) {}", effects(set, *list, windows)));
            format!("Choose one: {}", options.collect::<Vec<_>>().join(" "))
        }
        Effect::Mod { what, n } => modification(*what, *n, windows),
    }
}

fn sub_action(sub: &Sub) -> String {
    let up_to = |one: &str, many: &str| match sub.limit {
        1 => format!("1 {one}"),
        limit => format!("up to {limit} {many}"),
    };
    let place = match sub.reach {
        Reach::Local => " in the local area",
        Reach::Adjacent => " in the local area or adjacent ones",
        Reach::Any => " in any area",
    };
    let less = match sub.discount {
        0 => String::new(),
        discount if sub.limit == 1 => format!(", for {} less", coins(discount)),
        discount => format!(", each for {} less", coins(discount)),
    };
    match sub.action {
        SubAction::Quarry => format!("You may buy {} from the quarry{less}.", up_to("stone", "stones")),
        SubAction::Carve => format!("You may carve {}{less}.", up_to("stone", "stones")),
        SubAction::Druid => format!("You may place {}{place}{less}.", up_to("druid", "druids")),
        SubAction::Install => format!("You may install {}{place}.", up_to("delivered stone", "delivered stones")),
    }
}

/// The thing that an action handles, as `stone you buy`.
fn unit(action: Action) -> &'static str {
    match action {
        Action::Quarry => "stone you buy",
        Action::Carve => "stone you carve",
        Action::Druid => "druid you place",
        Action::Install => "stone you install",
        Action::Income | Action::Luck | Action::Arrive => "unit",
    }
}

fn modification(what: ModKind, n: u16, windows: &[Window]) -> String {
    let actions = || windows.iter().filter_map(|window| window.action());
    let units = || either(&actions().map(|action| unit(action).to_owned()).collect::<Vec<_>>());
    match what {
        ModKind::FreeSteps => format!("Walk {} free in this move.", counted(n, "more step", "more steps")),
        ModKind::DoubleTransport => {
            "Each border you walk across in this move advances your stones by 2 steps instead of 1.".to_owned()
        }
        ModKind::Discount => format!("From now on each {} costs {} less in this action.", units(), coins(n)),
        ModKind::Limit => {
            let more = actions().map(|action| match action {
                Action::Druid => format!("place {}", counted(n, "more druid", "more druids")),
                _ => format!("buy {}", counted(n, "more stone", "more stones")),
            });
            format!("You may {} in this action.", either(&more.collect::<Vec<_>>()))
        }
        ModKind::Storage => format!("Your storage is {n} higher in this action."),
        ModKind::Start => {
            format!(
                "From now on stones you buy in this action start {} along their tracks.",
                counted(n, "step", "steps")
            )
        }
        ModKind::UnitVp => format!("From now on each {} in this action scores {n} VP.", units()),
        ModKind::ReachAdjacent => reach(n, "adjacent", actions()),
        ModKind::ReachRemote => reach(n, "remote", actions()),
        ModKind::AsCarved => match n {
            1 => "1 uncarved stone may use a slot that needs a carved one in this action.".to_owned(),
            n => format!("{n} uncarved stones may use slots that need carved ones in this action."),
        },
        ModKind::AnyLevel => {
            "From now on every stone you install in this action raises its own privilege, whatever the area.".to_owned()
        }
    }
}

fn reach(n: u16, place: &str, actions: impl Iterator<Item = Action>) -> String {
    let units = actions.map(|action| match action {
        Action::Druid => "druids you place".to_owned(),
        _ => "stones you install".to_owned(),
    });
    let areas = if n == 1 { format!("{} {place} area", article(place)) } else { format!("{place} areas") };
    format!("Of the {} in this action {n} more may go to {areas}.", either(&units.collect::<Vec<_>>()))
}
