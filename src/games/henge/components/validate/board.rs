//! The two sides of the board: slots and druid paths.

use std::collections::BTreeSet;

use super::super::build::BLACK;
use super::super::fault::Faults;
use super::super::file::{Draft, SIDES, SideDraft};
use super::super::index::Id;
use super::super::places::SlotRow;
use super::super::terms::{Area, SlotKind, SlotSize};

/// Points of a monolith's slot; a lintel's shows more.
const MONOLITH_VP: u16 = 3;

/// Adds the faults of the boards.
pub(crate) fn check(draft: &Draft, faults: &mut Faults) {
    if let Some(costs) = &draft.druid_cost {
        faults.demand(!costs.contains_key(BLACK), "druid_cost", || "must have no price for black".to_owned());
    }
    for (key, side) in SIDES.iter().zip(&draft.sides) {
        let Some(side) = side else { continue };
        super::numbers::check_name(&format!("side {key} name"), &side.name, 64, faults);
        figures(key, side, faults);
        let mut seen = BTreeSet::new();
        for slot in &side.slots.read {
            if !seen.insert(slot.id.as_str().to_ascii_lowercase()) {
                faults.add(format!("slot {key}:{}", slot.id), "has the same id as another; case makes no difference");
            }
            check_slot(key, slot, side, faults);
        }
        paths(key, side, draft, faults);
    }
    let spaces = |side: &'_ SideDraft| side.paths.read.iter().any(|path| path.spaces.iter().any(|space| space.v == 9));
    let readable = draft.sides.iter().all(|side| side.as_ref().is_some_and(|side| side.paths.is_complete()));
    if readable && !draft.sides.iter().flatten().any(spaces) {
        faults.add("boards", "must have a druid path that can show 9");
    }
}

/// The number of slots of each kind and size, against the figures in the box.
fn figures(key: &str, side: &SideDraft, faults: &mut Faults) {
    let at = format!("side {key}");
    let count = side.slots.count().unwrap_or(0);
    faults.demand(count <= 29, &at, || format!("must have at most 29 slots, not {count}"));
    faults.demand(key == "3" || !side.size_exception, &at, || "has a size exception, which only side 3 may".to_owned());
    if !side.slots.is_complete() {
        return;
    }
    let either = side.slots.read.iter().filter(|slot| slot.size == SlotSize::Either).count();
    let wanted = if key == "3" { 5 } else { 0 };
    faults.demand(either == wanted, &at, || format!("must have {wanted} slots for either size, not {either}"));
    let figures = [
        (SlotSize::Large, false, 12, "large uprights, monoliths included"),
        (SlotSize::Small, false, 9, "small uprights, monoliths included"),
        (SlotSize::Large, true, 5, "large lintels"),
        (SlotSize::Small, true, 3, "small lintels"),
    ];
    for (size, lintel, figures, what) in figures {
        let slots = side.slots.read.iter().filter(|slot| (slot.kind == SlotKind::Lintel) == lintel);
        let slots = slots.filter(|slot| slot.size == size || slot.size == SlotSize::Either).count();
        if key == "3" {
            faults.demand(slots <= figures, &at, || format!("must have at most {figures} {what}, not {slots}"));
        } else {
            faults.demand(slots == figures, &at, || format!("must have {figures} {what}, not {slots}"));
        }
    }
}

fn check_slot(key: &str, slot: &SlotRow<Id>, side: &SideDraft, faults: &mut Faults) {
    let at = format!("slot {key}:{}", slot.id);
    match slot.areas[..] {
        [_] => {}
        [one, other] => faults.demand(one.is_adjacent(other), &at, || "joins areas that are not neighbours".to_owned()),
        _ => faults.add(&at, format!("must lie in one area or two, not {}", slot.areas.len())),
    }
    let special = slot.kind != SlotKind::Upright;
    faults.demand(slot.carved == special, &at, || {
        if special {
            "must need a carved stone, as all lintels and monoliths"
        } else {
            "must need no carved stone, as all uprights"
        }
        .to_owned()
    });
    let vp_sound = match slot.kind {
        SlotKind::Upright => slot.vp == 0,
        SlotKind::Monolith => slot.vp == MONOLITH_VP,
        SlotKind::Lintel => slot.vp > MONOLITH_VP,
    };
    faults.demand(vp_sound, &at, || {
        let wanted = match slot.kind {
            SlotKind::Upright => "0 as an upright",
            SlotKind::Monolith => "3 as a monolith",
            SlotKind::Lintel => "more than 3 as a lintel",
        };
        format!("shows {} VP, not {wanted}", slot.vp)
    });
    match slot.kind {
        SlotKind::Lintel => check_uprights(&at, slot, side, faults),
        _ => faults.demand(slot.on.is_empty(), &at, || "must lie on nothing, being no lintel".to_owned()),
    }
    if slot.kind == SlotKind::Upright && side.slots.is_complete() {
        let lintels = side.slots.read.iter().filter(|other| other.on.contains(&slot.id)).count();
        faults.demand(lintels == 1, &at, || format!("must be under one lintel as an upright, not {lintels}"));
    }
}

fn check_uprights(at: &str, lintel: &SlotRow<Id>, side: &SideDraft, faults: &mut Faults) {
    let distinct = lintel.on.len() == 2 && lintel.on[0] != lintel.on[1];
    faults.demand(distinct, at, || "must lie on two uprights, being a lintel".to_owned());
    let areas = |slot: &SlotRow<Id>| slot.areas.iter().copied().collect::<BTreeSet<Area>>();
    for id in &lintel.on {
        let Some(under) = side.slots.read.iter().find(|slot| slot.id == *id) else {
            if side.slots.is_complete() {
                faults.add(at, format!("lies on {id}, which is no slot of this side"));
            }
            continue;
        };
        faults.demand(under.kind == SlotKind::Upright, at, || format!("lies on {id}, which is no upright"));
        faults.demand(under.size == lintel.size, at, || format!("lies on {id}, which is of another size"));
        faults.demand(areas(under) == areas(lintel), at, || format!("lies on {id}, which is of other areas"));
    }
}

fn paths(key: &str, side: &SideDraft, draft: &Draft, faults: &mut Faults) {
    if side.paths.is_complete() {
        for area in Area::ALL {
            let count = side.paths.read.iter().filter(|path| path.area == area).count();
            faults.demand(count == 1, &format!("side {key}"), || {
                format!("must have one druid path in area {}, not {count}", area.get())
            });
        }
    }
    for path in &side.paths.read {
        let at = format!("path {key}:{}", path.area.get());
        let spaces = &path.spaces;
        faults.demand((2..=99).contains(&spaces.len()), &at, || {
            "must have 2 to 99 spaces, the black one included".to_owned()
        });
        faults.demand(spaces.first().is_some_and(|space| space.v == 0), &at, || "must begin with 0".to_owned());
        faults.demand(spaces.is_sorted_by(|a, b| a.v < b.v), &at, || "must rise".to_owned());
        let Some((last, others)) = spaces.split_last() else { continue };
        faults.demand(last.c == BLACK, &at, || format!("must end with a black space, not {:?}", last.c));
        for space in others {
            let Some(costs) = &draft.druid_cost else { continue };
            faults.demand(costs.contains_key(&space.c), &at, || {
                format!("has the colour {:?} at {}, which has no price in druid_cost", space.c, space.v)
            });
        }
    }
}
