//! From a sound draft to the tables of a set: ids become numbers, effect lists move into one table.

use super::effects::{Lists, Nested, Source};
use super::file::{Draft, PathRow, SIDES, SideDraft};
use super::index::{Id, List, LuckCard, Slot, Tile};
use super::places::{Side, SlotRow, Space};
use super::tables::{LuckRow, Privileges, RewardRow, Tables, Track};
use super::terms::{AREAS, Privilege};
use std::collections::BTreeMap;

/// The black space's colour, which has no price.
pub(crate) const BLACK: &str = "black";

/// The tables; `None` if the draft lacks a part, which a fault has named already.
pub(crate) fn tables(draft: Draft) -> Option<Tables> {
    let mut lists = Lists::default();
    let privileges = privileges(draft.privileges?, &mut lists);
    let druid_track = track(draft.druid_track.read, Source::DruidTrack, &mut lists);
    let luck_track = track(draft.luck_track.read, Source::LuckTrack, &mut lists);
    let luck = (0..=u8::MAX).zip(draft.luck.read).map(|(at, row)| {
        let LuckRow { id, name, when, sub_ok, effects } = row;
        LuckRow { id, name, when, sub_ok, effects: lists.add(Source::Luck(LuckCard(at)), effects) }
    });
    let luck = luck.collect();
    let rewards = (0..=u8::MAX).zip(draft.rewards.read).map(|(at, row)| {
        let RewardRow { id, pool, name, effects } = row;
        RewardRow { id, pool, name, effects: lists.add(Source::Reward(Tile(at)), effects) }
    });
    let rewards = rewards.collect();
    let mut areas = draft.areas.read;
    areas.sort_by_key(|row| row.id);
    let costs = draft.druid_cost?;
    let [three, four_five] = draft.sides;
    Some(Tables {
        meta: draft.meta?,
        params: draft.params?,
        privileges,
        areas: areas.try_into().ok()?,
        rondel: draft.rondel?,
        sides: [side(SIDES[0], three?, &costs)?, side(SIDES[1], four_five?, &costs)?],
        druid_track,
        luck_track,
        stones: draft.stones.read,
        luck,
        bonus: draft.bonus.read,
        first_upgrades: draft.first_upgrades.read,
        hengebot: draft.hengebot.read,
        rewards,
        lists,
    })
}

fn privileges(file: Privileges<Nested>, lists: &mut Lists) -> Privileges {
    fn of<V>(track: Track<V, Nested>, privilege: Privilege, lists: &mut Lists) -> Track<V> {
        let Track { name, levels, end } = track;
        Track { name, levels, end: lists.add(Source::LevelEnd(privilege), end) }
    }
    Privileges {
        rondel: of(file.rondel, Privilege::Rondel, lists),
        coin: of(file.coin, Privilege::Coin, lists),
        luck: of(file.luck, Privilege::Luck, lists),
        stone: of(file.stone, Privilege::Stone, lists),
        druid: of(file.druid, Privilege::Druid, lists),
    }
}

fn track(steps: Vec<Nested>, source: impl Fn(u8) -> Source, lists: &mut Lists) -> Vec<List> {
    (0..=u8::MAX).zip(steps).map(|(at, step)| lists.add(source(at), step)).collect()
}

fn side(key: &'static str, draft: SideDraft, costs: &BTreeMap<String, u16>) -> Option<Side> {
    let ids: Vec<Id> = draft.slots.read.iter().map(|slot| slot.id).collect();
    let place = |id: &Id| ids.iter().position(|other| other == id).and_then(|at| u8::try_from(at).ok()).map(Slot);
    let slot = |row: SlotRow<Id>| {
        let SlotRow { id, areas, kind, size, carved, vp, on } = row;
        Some(SlotRow { id, areas, kind, size, carved, vp, on: on.iter().map(place).collect::<Option<_>>()? })
    };
    let mut paths = draft.paths.read;
    paths.sort_by_key(|path| path.area);
    let path = |path: PathRow| {
        let space = path.spaces.into_iter();
        space.map(|space| Space { value: space.v, cost: costs.get(&space.c).copied(), colour: space.c }).collect()
    };
    let paths: Vec<Vec<Space>> = paths.into_iter().map(path).collect();
    let paths: [Vec<Space>; AREAS] = paths.try_into().ok()?;
    Some(Side {
        key,
        name: draft.name,
        totals: draft.totals,
        size_exception: draft.size_exception,
        slots: draft.slots.read.into_iter().map(slot).collect::<Option<_>>()?,
        paths,
    })
}
