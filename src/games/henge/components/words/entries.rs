//! The glossary of a set: an entry for each card, tile, track space, level, slot, grade, parameter and decision.

use sarsen_rules::{Edition, Glossary, GlossaryEntry};

use super::super::effects::Source;
use super::super::index::Id;
use super::super::place_ids::{self, druid_track, luck_track, place_id};
use super::super::places::{Side, SlotRow, StepRow};
use super::super::set::ComponentSet;
use super::super::tables::{AreaRow, BonusRow, BotRow, Grade, LuckRow, Marks, RewardRow, StoneRow, Tables, UpgradeRow};
use super::super::terms::{BonusDeck, Pool, Privilege, SlotKind, Window};

use super::effect::effects;
use super::numbers::{decisions, levels, parameters};
use super::phrases::{action, area, coins, privilege};
use super::score::score;
use sarsen_rules::phrases::{article, counted, either};

/// The glossary of a set.
pub fn glossary(set: &ComponentSet, edition: Edition) -> Glossary {
    let Edition { name, version, digest, offered } = edition;
    let entries = [
        privileges(set),
        areas(set),
        steps(set),
        druid_costs(set),
        slots(set),
        tracks(set),
        stones(set),
        luck(set),
        bonus(set),
        upgrades(set),
        hengebot(set),
        rewards(set),
        grades(set),
        levels(set),
        parameters(set),
        decisions(),
    ];
    Glossary { name, version, digest, offered, entries: entries.into_iter().flatten().collect() }
}

fn entry(kind: &str, id: impl ToString, name: impl ToString, text: impl ToString) -> GlossaryEntry {
    GlossaryEntry::new(kind, id.to_string(), name.to_string(), text.to_string())
}

/// Returns which kind and id the glossary lists the source of a list of effects under.
pub(crate) fn key(set: &Tables, source: Source) -> (&'static str, String) {
    let text = |id: &Id| id.as_str().to_owned();
    match source {
        Source::Luck(card) => ("luck_card", text(&set[card].id)),
        Source::Reward(tile) => ("reward", text(&set[tile].id)),
        Source::LevelEnd(which) => ("privilege", which.into_str().to_owned()),
        Source::DruidTrack(at) => (druid_track::KIND, place_id(druid_track::KIND, at + 1)),
        Source::LuckTrack(at) => (luck_track::KIND, place_id(luck_track::KIND, at + 1)),
    }
}

fn privileges(set: &Tables) -> Vec<GlossaryEntry> {
    let join = |levels: Vec<String>| levels.join(", ");
    let pairs = |levels: Vec<(u8, u8)>| join(levels.into_iter().map(|(a, b)| format!("{a}/{b}")).collect());
    let tracks = &set.privileges;
    let levels = |which: Privilege| match which {
        Privilege::Rondel => format!("Free steps: {}.", join(tracks.rondel.levels.iter().map(u8::to_string).collect())),
        Privilege::Coin => {
            format!("Coins of an Income: {}.", join(tracks.coin.levels.iter().map(u16::to_string).collect()))
        }
        Privilege::Luck => {
            let levels = tracks.luck.levels.iter().map(|level| (level.draw, level.discard)).collect();
            format!("Luck cards drawn and then discarded: {}.", pairs(levels))
        }
        Privilege::Stone => {
            let levels = tracks.stone.levels.iter().map(|level| (level.purchases, level.storage)).collect();
            format!("Stones that may be bought in a Quarry action, and storage: {}.", pairs(levels))
        }
        Privilege::Druid => {
            let levels = tracks.druid.levels.iter().map(|level| (level.druids, level.adjacent)).collect();
            format!("Druids in a Druid action, and how many of them may go to an adjacent area: {}.", pairs(levels))
        }
    };
    let row = |which: Privilege| {
        let end = effects(set, *tracks.end(which), &[]);
        let text = format!("{} Each level-up at the top: {end}", levels(which));
        entry("privilege", which.into_str(), privilege(set, which), text).figure("levels", tracks.levels(which))
    };
    Privilege::ALL.into_iter().map(row).collect()
}

fn areas(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |row: &AreaRow| {
        let [one, other] = row.icons.map(|icon| privilege(set, icon));
        let text = format!("Stones with the icon {one} or {other} give a level-up here.");
        entry("area", place_id(place_ids::area::KIND, row.id.get()), &row.name, text)
            .tags(row.icons.map(|icon| icon.into_str()))
    };
    set.areas.iter().map(row).collect()
}

fn steps(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |step: &StepRow| {
        let actions = either(&step.actions.iter().map(|each| action(*each).to_owned()).collect::<Vec<_>>());
        let last = set.rondel.transport_after.contains(&step.step);
        let transport = if last { " Walking on from here advances your stones by 1 step." } else { "" };
        let text = format!("{actions}, at {}.{transport}", area(set, step.area));
        entry("step", place_id(place_ids::step::KIND, step.step), format!("Step {}", step.step), text)
            .figure("area", step.area.get())
            .tags(step.actions.iter().map(|action| action.into_str()))
    };
    set.rondel.steps.iter().map(row).collect()
}

fn druid_costs(set: &Tables) -> Vec<GlossaryEntry> {
    let spaces = set.sides.iter().flat_map(|side| side.paths.iter().flatten());
    let mut costs: Vec<(u16, &str)> = spaces.filter_map(|space| Some((space.cost?, space.colour.as_str()))).collect();
    costs.sort_unstable();
    costs.dedup();
    let row = |(cost, colour): (u16, &str)| {
        let text = format!("A druid on {} {colour} space costs {}.", article(colour), coins(cost));
        entry("druid_cost", colour, colour, text).figure("cost", cost)
    };
    costs.into_iter().map(row).collect()
}

fn slots(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |side: &Side, slot: &SlotRow| {
        let takes = match slot.size.into_str() {
            "either" => "a stone of either size".to_owned(),
            size => format!("a {size} stone"),
        };
        let carved = if slot.carved { ", carved" } else { "" };
        let places: Vec<&str> = slot.areas.iter().map(|place| area(set, *place)).collect();
        let on: Vec<&str> = slot.on.iter().map(|under| side[*under].id.as_str()).collect();
        let on = if on.is_empty() { String::new() } else { format!(" Lies on {}, once both stand.", on.join(" and ")) };
        let vp = if slot.vp == 0 { String::new() } else { format!(" Scores {} VP.", slot.vp) };
        let kind = slot.kind.into_str();
        let text = format!("Takes {takes}{carved}, in {}.{on}{vp}", places.join(" and "));
        let title = match slot.kind {
            SlotKind::Upright => "Upright",
            SlotKind::Lintel => "Lintel",
            SlotKind::Monolith => "Monolith",
        };
        // The sides have slots of the same ids.
        entry(&format!("slot_{}", side.key), slot.id, format!("{title} {}", slot.id), text)
            .figure("victory_points", slot.vp)
            .tags([kind, slot.size.into_str()])
            .tags(slot.carved.then_some("carved"))
            .tags(slot.is_border().then_some("border"))
    };
    set.sides.iter().flat_map(|side| side.slots.iter().map(move |slot| row(side, slot))).collect()
}

fn tracks(set: &Tables) -> Vec<GlossaryEntry> {
    let track = |kind: &str, at: u8, name: String, text: String| entry(kind, place_id(kind, at), name, text);
    let druids = (1..)
        .zip(&set.druid_track)
        .map(|(at, list): (u8, _)| track(druid_track::KIND, at, format!("Druid {at}"), effects(set, *list, &[])));
    let luck = (1..)
        .zip(&set.luck_track)
        .map(|(at, list): (u8, _)| track(luck_track::KIND, at, format!("Luck track {at}"), effects(set, *list, &[])));
    druids.chain(luck).collect()
}

/// ` Only with 3 or 4 players.`, or nothing for a card that is always used.
fn marks(set: &Tables, marks: Marks) -> String {
    let totals = || set.params.min_total..=set.params.max_total;
    if totals().all(|total| marks.fits(total)) {
        return String::new();
    }
    let used: Vec<String> = totals().filter(|total| marks.fits(*total)).map(|total| total.to_string()).collect();
    let noun = if used == ["1"] { "player" } else { "players" };
    if used.is_empty() { " Never used.".to_owned() } else { format!(" Only with {} {noun}.", either(&used)) }
}

fn stones(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |stone: &StoneRow| {
        let starter = stone.starter_area.map(|of| format!(" Starter of {}.", area(set, of))).unwrap_or_default();
        let text = format!(
            "A {} stone. Costs {}, scores {} VP, travels {}, raises {}.{starter}{}",
            stone.size.into_str(),
            coins(stone.cost),
            stone.vp,
            counted(stone.transport, "step", "steps"),
            privilege(set, stone.icon),
            marks(set, stone.players),
        );
        entry("stone", stone.id, &stone.name, text)
            .figure("cost", stone.cost)
            .figure("victory_points", stone.vp)
            .figure("transport", stone.transport)
            .tags([stone.size.into_str(), stone.icon.into_str()])
            .tags(stone.starter_area.map(|_| "starter"))
    };
    set.stones.iter().map(row).collect()
}

fn when(card: &LuckRow) -> String {
    if card.when.contains(&Window::Any) {
        return "Play during any action.".to_owned();
    }
    if card.plays_before_move() {
        return "Play before you move the pawn.".to_owned();
    }
    let names: Vec<String> =
        card.when.iter().filter_map(|window| window.action()).map(|each| action(each).to_owned()).collect();
    let names = either(&names);
    let sub = if card.sub_ok { " or sub-action" } else { "" };
    format!("Play during {} {names} action{sub}.", article(&names))
}

fn luck(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |card: &LuckRow| {
        let text = format!("{} {}", when(card), effects(set, card.effects, &card.when));
        entry("luck_card", card.id, &card.name, text)
            .tags(card.when.iter().map(|window| window.into_str()))
            .tags(card.sub_ok.then_some("sub_action"))
    };
    set.luck.iter().map(row).collect()
}

fn bonus(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |card: &BonusRow| {
        let kind = match card.deck {
            BonusDeck::Spring => "spring_card",
            BonusDeck::EndOfGame => "end_of_game_card",
        };
        entry(kind, card.id, &card.name, score(set, &card.score) + &marks(set, card.players))
    };
    set.bonus.iter().map(row).collect()
}

fn upgrades(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |card: &UpgradeRow| {
        let name = privilege(set, card.privilege);
        entry("first_upgrade", card.id, name, format!("Raise your {name} privilege by one level."))
            .tags([card.privilege.into_str()])
    };
    set.first_upgrades.iter().map(row).collect()
}

fn hengebot(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |card: &BotRow| {
        let icons = either(&card.icons.iter().map(|icon| action(*icon).to_owned()).collect::<Vec<_>>());
        let text = format!("The Hengebot moves the pawn to the next step with {icons} and acts there.");
        entry("hengebot_card", card.id, &icons, text).tags(card.icons.iter().map(|icon| icon.into_str()))
    };
    set.hengebot.iter().map(row).collect()
}

fn rewards(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |tile: &RewardRow| {
        let pool = match tile.pool {
            Pool::A => "A",
            Pool::B => "B",
        };
        entry("reward", tile.id, &tile.name, effects(set, tile.effects, &[])).tags([pool])
    };
    set.rewards.iter().map(row).collect()
}

fn grades(set: &Tables) -> Vec<GlossaryEntry> {
    let row = |(number, grade): (usize, &Grade)| {
        let text = format!("For a solo game with at least {} VP.", grade.least);
        entry("solo_grade", number, &grade.title, text).figure("least", grade.least)
    };
    (1..).zip(&set.params.solo_grades).map(row).collect()
}
