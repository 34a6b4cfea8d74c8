//! Parameters, privilege tracks and areas.

use super::super::effects::Nested;
use super::super::fault::Faults;
use super::super::file::Draft;
use super::super::tables::{DruidLevel, LuckLevel, Meta, Params, Privileges, StoneLevel};
use super::super::terms::{Area, Privilege};

/// Adds the faults of `meta`, `params`, `privileges` and `areas`.
pub(crate) fn check(draft: &Draft, faults: &mut Faults) {
    if let Some(meta) = &draft.meta {
        check_meta(meta, faults);
    }
    if let Some(params) = &draft.params {
        check_params(params, faults);
    }
    if let Some(privileges) = &draft.privileges {
        check_privileges(privileges, faults);
    }
    check_areas(draft, faults);
}

/// Demands a name that a line can show.
pub(crate) fn check_name(at: &str, name: &str, longest: usize, faults: &mut Faults) {
    let fits = (1..=longest).contains(&name.chars().count());
    let plain = !name.chars().any(char::is_control) && name.trim() == name;
    faults.demand(fits && plain, at, || {
        format!("must be called by 1 to {longest} printable characters without blanks at the ends, not {name:?}")
    });
}

fn check_meta(meta: &Meta, faults: &mut Faults) {
    check_name("meta, name", &meta.name, 64, faults);
    check_name("meta, version", &meta.version, 16, faults);
}

fn check_params(params: &Params, faults: &mut Faults) {
    let mut exactly = |name: &str, value: u16, wanted: u16| {
        faults.demand(value == wanted, &format!("params, {name}"), || format!("must be {wanted}, not {value}"));
    };
    exactly("min_total", params.min_total.into(), 3);
    exactly("max_total", params.max_total.into(), 5);
    exactly("start_coins", params.start_coins, 12);
    exactly("start_travel", params.start_travel.into(), 1);
    exactly("druids_per_player", params.druids_per_player.into(), 12);
    let mut demand = |sound: bool, name: &str, what: &str| {
        faults.demand(sound, &format!("params, {name}"), || what.to_owned());
    };
    demand(params.max_bots < 5, "max_bots", "must be at most 4: one of five players is a person");
    demand(params.quarry_size > 0, "quarry_size", "must be at least 1");
    demand(params.spring_deal > 0, "spring_deal", "must be at least 1");
    demand(params.luck_action_draws > 0, "luck_action_draws", "must be at least 1");
    demand(params.bonus_discard < params.bonus_draw, "bonus_discard", "must be less than bonus_draw");
    demand(params.max_rounds > 0, "max_rounds", "must be at least 1");
    let supply = u16::from(params.start_travel) * 5;
    demand(u16::from(params.travel_supply) >= supply, "travel_supply", "must be enough for the start tokens of five");
    let divisors = &params.rank_divisors;
    demand(!divisors.is_empty() && !divisors.contains(&0), "rank_divisors", "must be a list of numbers from 1");
    let grades = &params.solo_grades;
    demand(grades.first().is_some_and(|grade| grade.least == 0), "solo_grades", "must begin with 0");
    demand(grades.is_sorted_by(|a, b| a.least < b.least), "solo_grades", "must rise");
    for grade in grades {
        check_name("params, solo_grades", &grade.title, 64, faults);
    }
}

fn check_privileges(privileges: &Privileges<Nested>, faults: &mut Faults) {
    let luck: Vec<(u8, u8)> =
        privileges.luck.levels.iter().map(|LuckLevel { draw, discard }| (*draw, *discard)).collect();
    let stone = privileges.stone.levels.iter().map(|StoneLevel { purchases, storage }| (*purchases, *storage));
    let druid = privileges.druid.levels.iter().map(|DruidLevel { druids, adjacent }| (*druids, *adjacent));
    let mut exactly = |privilege: Privilege, levels: Vec<(u8, u8)>, wanted: &[(u8, u8)]| {
        faults.demand(levels == wanted, &format!("privilege {}, levels", privilege.into_str()), || {
            let pairs: Vec<String> = wanted.iter().map(|(a, b)| format!("[{a}, {b}]")).collect();
            format!("must be {}", pairs.join(", "))
        });
    };
    exactly(Privilege::Luck, luck, &[(1, 0), (2, 1), (3, 2), (2, 0)]);
    exactly(Privilege::Stone, stone.collect(), &[(1, 2), (2, 2), (2, 3)]);
    exactly(Privilege::Druid, druid.collect(), &[(1, 0), (1, 1), (2, 1)]);
    let rising = [
        (
            "privilege rondel, levels",
            privileges.rondel.levels.is_sorted_by(|a, b| a < b),
            privileges.rondel.levels.len(),
        ),
        ("privilege coin, levels", privileges.coin.levels.is_sorted_by(|a, b| a < b), privileges.coin.levels.len()),
    ];
    for (at, rises, levels) in rising {
        faults.demand(rises && levels > 1, at, || "must be at least two and rise".to_owned());
    }
    for privilege in Privilege::ALL {
        check_name(&format!("privilege {}", privilege.into_str()), privileges.name(privilege), 64, faults);
        faults.demand(
            !privileges.end(privilege).0.is_empty(),
            &format!("privilege {}, end", privilege.into_str()),
            || "must give something".to_owned(),
        );
    }
}

fn check_areas(draft: &Draft, faults: &mut Faults) {
    let areas = &draft.areas;
    let count = areas.count().unwrap_or(5);
    faults.demand(count == 5, "areas", || format!("must be five, not {count}"));
    if areas.is_complete() {
        for area in Area::ALL {
            let rows = areas.read.iter().filter(|row| row.id == area).count();
            faults.demand(rows == 1, &format!("area {}", area.get()), || {
                format!("must be described once, not {rows} times")
            });
        }
    }
    for row in &areas.read {
        let at = format!("area {}", row.id.get());
        check_name(&at, &row.name, 64, faults);
        faults.demand(row.icons[0] != row.icons[1], &at, || "must have two different icons".to_owned());
    }
}
