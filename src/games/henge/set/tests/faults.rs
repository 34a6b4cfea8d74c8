//! Each constraint of section 1.4 broken in one way: the reference set with one change, and every fault it then has.

use serde_json::{Value, json};

use super::super::testing::load_changed;
use super::super::{ComponentSet, reference};

fn faults(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let faults = load_changed(change).err().map(|faults| faults.iter().map(ToString::to_string).collect());
    faults.unwrap_or_default()
}

/// Checks `cases` of a pointer into the file, the value put there, and the faults.
fn check(cases: &[(&str, Value, &[&str])]) {
    for (pointer, value, expected) in cases {
        let found = faults(|json| put(json, pointer, value.clone()));
        assert_eq!(&found, expected, "{pointer} = {value}");
    }
}

fn put(json: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match json.pointer_mut(parent).unwrap() {
        Value::Object(map) => drop(map.insert(key.to_owned(), value)),
        list => list[key.parse::<usize>().unwrap()] = value,
    }
}

fn remove(json: &mut Value, list: &str, at: usize) {
    json.pointer_mut(list).unwrap().as_array_mut().unwrap().remove(at);
}

#[test]
fn params_and_meta() {
    check(&[
        ("/params/start_coins", json!(11), &["params, start_coins: must be 12, not 11"]),
        ("/params/start_travel", json!(2), &["params, start_travel: must be 1, not 2"]),
        ("/params/druids_per_player", json!(11), &["params, druids_per_player: must be 12, not 11"]),
        ("/params/min_total", json!(2), &["params, min_total: must be 3, not 2"]),
        ("/params/max_total", json!(6), &["params, max_total: must be 5, not 6"]),
        ("/params/max_bots", json!(5), &["params, max_bots: must be at most 4: one of five players is a person"]),
        ("/params/quarry_size", json!(0), &["params, quarry_size: must be at least 1"]),
        ("/params/spring_deal", json!(0), &["params, spring_deal: must be at least 1"]),
        ("/params/spring_deal", json!(3), &["bonus: has 13 Spring cards in use at total 5, fewer than 15"]),
        ("/params/luck_action_draws", json!(0), &["params, luck_action_draws: must be at least 1"]),
        ("/params/bonus_discard", json!(3), &["params, bonus_discard: must be less than bonus_draw"]),
        ("/params/max_rounds", json!(0), &["params, max_rounds: must be at least 1"]),
        ("/params/travel_supply", json!(4), &["params, travel_supply: must be enough for the start tokens of five"]),
        ("/params/rank_divisors", json!([]), &["params, rank_divisors: must be a list of numbers from 1"]),
        ("/params/rank_divisors/1", json!(0), &["params, rank_divisors: must be a list of numbers from 1"]),
        ("/params/reward_face_up", json!(13), &["rewards: has 12 tiles in pool B, fewer than lie face up, 13"]),
        (
            "/params/storage_counts",
            json!("all"),
            &["params, storage_counts: unknown variant `all`, expected `in_transit` or `uninstalled`"],
        ),
        ("/params/solo_grades/0/0", json!(1), &["params, solo_grades: must begin with 0"]),
        ("/params/solo_grades/2/0", json!(60), &["params, solo_grades: must rise"]),
        (
            "/params/solo_grades/2/1",
            json!(""),
            &[
                "params, solo_grades: must be called by 1 to 64 printable characters without blanks at the ends, not \"\"",
            ],
        ),
        ("/params/carve_cost", json!(-1), &["params: has the number -1; numbers are whole, from 0 to 999"]),
        ("/params/carve_cost", json!(4.5), &["params: has the number 4.5; numbers are whole, from 0 to 999"]),
        ("/params/max_rounds", json!(1000), &["params: has the number 1000; numbers are whole, from 0 to 999"]),
        (
            "/meta/name",
            json!("a\nb"),
            &["meta, name: must be called by 1 to 64 printable characters without blanks at the ends, not \"a\\nb\""],
        ),
        (
            "/meta/version",
            json!("12345678901234567"),
            &[
                "meta, version: must be called by 1 to 16 printable characters without blanks at the ends, not \"12345678901234567\"",
            ],
        ),
    ]);
}

#[test]
fn privileges_and_areas() {
    check(&[
        (
            "/privileges/luck/levels/1",
            json!([2, 0]),
            &["privilege luck, levels: must be [1, 0], [2, 1], [3, 2], [2, 0]"],
        ),
        ("/privileges/stone/levels/2", json!([2, 4]), &["privilege stone, levels: must be [1, 2], [2, 2], [2, 3]"]),
        (
            "/privileges/druid/levels",
            json!([[1, 0], [1, 1]]),
            &["privilege druid, levels: must be [1, 0], [1, 1], [2, 1]"],
        ),
        ("/privileges/rondel/levels/3", json!(5), &["privilege rondel, levels: must be at least two and rise"]),
        ("/privileges/coin/levels", json!([7]), &["privilege coin, levels: must be at least two and rise"]),
        ("/privileges/coin/end", json!([]), &["privilege coin, end: must give something"]),
        (
            "/privileges/coin/end",
            json!([{"do": "level", "which": "any"}]),
            &["privilege coin, end: gives a level-up, which could go on for ever"],
        ),
        (
            "/privileges/druid/levels/0",
            json!([1]),
            &["privileges, druid.levels[0]: invalid length 1, expected a tuple of size 2"],
        ),
        (
            "/areas/1/id",
            json!(1),
            &["area 1: must be described once, not 2 times", "area 2: must be described once, not 0 times"],
        ),
        ("/areas/1/id", json!(6), &["area 6, id: an area is a number from 1 to 5"]),
        ("/areas/2/icons", json!(["coin", "coin"]), &["area 3: must have two different icons"]),
        ("/areas/2/icons", json!(["coin"]), &["area 3, icons: invalid length 1, expected an array of length 2"]),
        (
            "/areas/2/icons/0",
            json!("gold"),
            &["area 3, icons[0]: unknown variant `gold`, expected one of `rondel`, `coin`, `luck`, `stone`, `druid`"],
        ),
    ]);
}

#[test]
fn counts_of_cards() {
    check(&[
        (
            "/stones/8/size",
            json!("small"),
            &["stones: must have 17 large stones, not 16", "stones: must have 12 small stones, not 13"],
        ),
        (
            "/stones/0/starter_area",
            json!(2),
            &[
                "stones: must have one starter of area 1, not 0",
                "stones: must have one starter of area 2, not 2 (S01, S02)",
            ],
        ),
        ("/stones/0/players", json!("4+"), &["stone S01: must be used at every total, being a starter"]),
        (
            "/stones/28/id",
            json!("s01"),
            &["stone s01: has the same id as stone S01; upper and lower case make no difference"],
        ),
        (
            "/stones/28/id",
            json!("L51"),
            &["luck card L51: has the same id as stone L51; upper and lower case make no difference"],
        ),
        ("/stones/28/transport", json!(0), &["stone S29: must have a transport track of at least 1 step"]),
        ("/stones/28/players", json!("many"), &["stone S29, players: \"many\" is no count mark: *, 4+, 3/4 or 5"]),
        ("/stones/28/id", json!("S 29"), &["stone S 29, id: an id is 1 to 16 letters, digits, hyphens or underscores"]),
        (
            "/first_upgrades/1/privilege",
            json!("luck"),
            &[
                "first_upgrades: must have one card for coin, not 0",
                "first_upgrades: must have one card for luck, not 2",
            ],
        ),
        (
            "/hengebot/24/icons",
            json!(["druid", "luck"]),
            &["hengebot card H25: shows luck; Hengebots know druid, install, carve, quarry and income"],
        ),
        ("/hengebot/24/icons", json!([]), &["hengebot card H25: must show one icon or two different ones"]),
        (
            "/hengebot/24/icons",
            json!(["druid", "druid"]),
            &["hengebot card H25: must show one icon or two different ones"],
        ),
        (
            "/hengebot/24/icons",
            json!(["druid", "carve", "income"]),
            &["hengebot card H25: must show one icon or two different ones"],
        ),
        (
            "/rewards/24/name",
            json!(" "),
            &["reward B12: must be called by 1 to 64 printable characters without blanks at the ends, not \" \""],
        ),
        (
            "/boards/3/totals",
            json!([3, 4]),
            &[
                "boards: must have one side for total 4, not 2",
                "stones: has 22 stones in use at total 4, more than the 20 slots of the board side",
            ],
        ),
        ("/boards/45/totals", json!([4, 5, 6]), &["side 45 totals: names 6; totals are 3 to 5"]),
    ]);
}

#[test]
fn too_few_or_too_many_cards() {
    let cases: [(&str, usize, &[&str]); 10] = [
        ("/stones", 27, &["stones: must have 29 entries, not 28", "stones: must have 12 small stones, not 11"]),
        ("/bonus", 43, &["bonus: must have 44 entries, not 43"]),
        ("/luck", 50, &["luck: must have 51 entries, not 50"]),
        (
            "/first_upgrades",
            4,
            &["first_upgrades: must have 5 entries, not 4", "first_upgrades: must have one card for druid, not 0"],
        ),
        ("/hengebot", 29, &["hengebot: must have 30 entries, not 29"]),
        ("/rewards", 24, &["rewards: must have 25 entries, not 24"]),
        ("/druid_track", 11, &["druid_track: must have 12 entries, not 11"]),
        ("/areas", 4, &["areas: must be five, not 4", "area 5: must be described once, not 0 times"]),
        (
            "/rondel/steps",
            19,
            &[
                "rondel, transport_after: must be the last steps of the areas, [4, 8, 12, 16, 19], not [4, 8, 12, 16, 20]",
            ],
        ),
        ("/boards/45/paths", 0, &["side 45: must have one druid path in area 1, not 0"]),
    ];
    for (list, at, expected) in cases {
        assert_eq!(faults(|json| remove(json, list, at)), expected, "{list}");
    }
    let few = faults(|json| {
        for card in json["stones"].as_array_mut().unwrap().iter_mut().skip(5).take(22) {
            card["players"] = "5".into();
        }
    });
    let few_spring = faults(|json| {
        for card in json["bonus"].as_array_mut().unwrap().iter_mut().take(9) {
            card["players"] = "5".into();
        }
    });
    assert_eq!(
        few,
        [
            "stones: has 5 stones in use at total 3, not more than total and quarry size, 7",
            "stones: has 5 stones in use at total 4, not more than total and quarry size, 8",
        ]
    );
    assert_eq!(
        few_spring,
        [
            "bonus: has 4 Spring cards in use at total 3, fewer than 6",
            "bonus: has 4 Spring cards in use at total 4, fewer than 8",
        ]
    );
    let many = faults(|json| {
        for card in json["stones"].as_array_mut().unwrap() {
            card["players"] = "*".into();
        }
    });
    assert_eq!(many, ["stones: has 29 stones in use at total 3, more than the 20 slots of the board side"]);
}

#[test]
fn slots() {
    check(&[
        (
            "/boards/45/slots/0/size",
            json!("either"),
            &[
                "side 45: must have 0 slots for either size, not 1",
                "side 45: must have 9 small uprights, monoliths included, not 10",
                "slot 45:1c: lies on 1a, which is of another size",
            ],
        ),
        (
            "/boards/45/slots/24/size",
            json!("small"),
            &[
                "side 45: must have 12 large uprights, monoliths included, not 11",
                "side 45: must have 9 small uprights, monoliths included, not 10",
            ],
        ),
        ("/boards/45/size_exception", json!(true), &["side 45: has a size exception, which only side 3 may"]),
        ("/boards/3/slots/15/size", json!("large"), &["side 3: must have 5 slots for either size, not 4"]),
        ("/boards/3/slots/0/carved", json!(true), &["slot 3:1a: must need no carved stone, as all uprights"]),
        ("/boards/3/slots/0/vp", json!(1), &["slot 3:1a: shows 1 VP, not 0 as an upright"]),
        (
            "/boards/3/slots/2/carved",
            json!(false),
            &["slot 3:1c: must need a carved stone, as all lintels and monoliths"],
        ),
        ("/boards/3/slots/2/vp", json!(3), &["slot 3:1c: shows 3 VP, not more than 3 as a lintel"]),
        ("/boards/3/slots/15/vp", json!(4), &["slot 3:12m: shows 4 VP, not 3 as a monolith"]),
        (
            "/boards/3/slots/2/on",
            json!(["1a"]),
            &[
                "slot 3:1b: must be under one lintel as an upright, not 0",
                "slot 3:1c: must lie on two uprights, being a lintel",
            ],
        ),
        (
            "/boards/3/slots/2/on",
            json!(["1a", "1a"]),
            &[
                "slot 3:1b: must be under one lintel as an upright, not 0",
                "slot 3:1c: must lie on two uprights, being a lintel",
            ],
        ),
        (
            "/boards/3/slots/2/on",
            json!(["1a", "3a"]),
            &[
                "slot 3:1b: must be under one lintel as an upright, not 0",
                "slot 3:1c: lies on 3a, which is of other areas",
                "slot 3:3a: must be under one lintel as an upright, not 2",
            ],
        ),
        (
            "/boards/3/slots/2/on",
            json!(["1a", "9z"]),
            &[
                "slot 3:1b: must be under one lintel as an upright, not 0",
                "slot 3:1c: lies on 9z, which is no slot of this side",
            ],
        ),
        (
            "/boards/3/slots/2/on",
            json!(["1a", "12m"]),
            &[
                "slot 3:1b: must be under one lintel as an upright, not 0",
                "slot 3:1c: lies on 12m, which is no upright",
                "slot 3:1c: lies on 12m, which is of another size",
                "slot 3:1c: lies on 12m, which is of other areas",
            ],
        ),
        (
            "/boards/3/slots/11/on",
            json!(["51a", "1b"]),
            &[
                "slot 3:1b: must be under one lintel as an upright, not 2",
                "slot 3:51b: must be under one lintel as an upright, not 0",
                "slot 3:51c: lies on 1b, which is of another size",
                "slot 3:51c: lies on 1b, which is of other areas",
            ],
        ),
        (
            "/boards/3/slots/15/on",
            json!(["1a", "1b"]),
            &[
                "slot 3:1a: must be under one lintel as an upright, not 2",
                "slot 3:1b: must be under one lintel as an upright, not 2",
                "slot 3:12m: must lie on nothing, being no lintel",
            ],
        ),
        ("/boards/3/slots/15/areas", json!([1, 3]), &["slot 3:12m: joins areas that are not neighbours"]),
        ("/boards/3/slots/15/areas", json!([1, 1]), &["slot 3:12m: joins areas that are not neighbours"]),
        ("/boards/3/slots/15/areas", json!([]), &["slot 3:12m: must lie in one area or two, not 0"]),
        ("/boards/3/slots/15/areas", json!([1, 2, 3]), &["slot 3:12m: must lie in one area or two, not 3"]),
        ("/boards/3/slots/15/id", json!("1A"), &["slot 3:1A: has the same id as another; case makes no difference"]),
        (
            "/boards/3/slots/15/kind",
            json!("menhir"),
            &["slot 3:12m, kind: unknown variant `menhir`, expected one of `upright`, `lintel`, `monolith`"],
        ),
    ]);
    let more = faults(|json| {
        let slots = json.pointer_mut("/boards/45/slots").unwrap().as_array_mut().unwrap();
        let mut more = slots[24].clone();
        more["id"] = "1m".into();
        slots.push(more);
    });
    assert_eq!(
        more,
        [
            "side 45: must have at most 29 slots, not 30",
            "side 45: must have 12 large uprights, monoliths included, not 13",
        ]
    );
}

#[test]
fn paths() {
    check(&[
        ("/boards/3/paths/0/spaces/0/v", json!(1), &["path 3:1: must begin with 0"]),
        ("/boards/3/paths/0/spaces/2/v", json!(3), &["path 3:1: must rise"]),
        ("/boards/3/paths/0/spaces/5/c", json!("red"), &["path 3:1: must end with a black space, not \"red\""]),
        (
            "/boards/3/paths/0/spaces/1/c",
            json!("pink"),
            &["path 3:1: has the colour \"pink\" at 3, which has no price in druid_cost"],
        ),
        (
            "/boards/3/paths/0/spaces/1/c",
            json!("black"),
            &["path 3:1: has the colour \"black\" at 3, which has no price in druid_cost"],
        ),
        (
            "/boards/3/paths/0/spaces",
            json!([]),
            &["path 3:1: must have 2 to 99 spaces, the black one included", "path 3:1: must begin with 0"],
        ),
        (
            "/boards/3/paths/0/area",
            json!(2),
            &["side 3: must have one druid path in area 1, not 0", "side 3: must have one druid path in area 2, not 2"],
        ),
        (
            "/druid_cost",
            json!({"green": 1, "yellow": 2, "orange": 3, "red": 4, "black": 5}),
            &["druid_cost: must have no price for black"],
        ),
        (
            "/druid_cost",
            json!({"green": 1, "yellow": 2, "orange": 3}),
            &[
                "path 3:1: has the colour \"red\" at 9, which has no price in druid_cost",
                "path 3:2: has the colour \"red\" at 9, which has no price in druid_cost",
                "path 3:4: has the colour \"red\" at 10, which has no price in druid_cost",
                "path 45:1: has the colour \"red\" at 11, which has no price in druid_cost",
                "path 45:2: has the colour \"red\" at 10, which has no price in druid_cost",
                "path 45:3: has the colour \"red\" at 11, which has no price in druid_cost",
                "path 45:4: has the colour \"red\" at 11, which has no price in druid_cost",
                "path 45:5: has the colour \"red\" at 10, which has no price in druid_cost",
            ],
        ),
    ]);
    let nine = faults(|json| {
        for side in ["3", "45"] {
            for path in json["boards"][side]["paths"].as_array_mut().unwrap() {
                path["spaces"].as_array_mut().unwrap().retain(|space| space["v"] != 9);
            }
        }
    });
    assert_eq!(nine, ["boards: must have a druid path that can show 9"]);
}

#[test]
fn rondel() {
    check(&[
        ("/rondel/steps/4/step", json!(6), &["step 6: must be numbered 5"]),
        ("/rondel/steps/3/actions", json!([]), &["step 4: must show one action or two different ones"]),
        ("/rondel/steps/3/actions", json!(["druid", "druid"]), &["step 4: must show one action or two different ones"]),
        (
            "/rondel/steps/3/actions",
            json!(["druid", "carve", "quarry"]),
            &["step 4: must show one action or two different ones"],
        ),
        (
            "/rondel/steps/3/actions/0",
            json!("rest"),
            &[
                "rondel, steps[3].actions[0]: unknown variant `rest`, expected one of `income`, `luck`, `quarry`, `carve`, `druid`, `install`, `arrive`",
            ],
        ),
        ("/rondel/steps/1/actions", json!(["druid"]), &["rondel: must have install in area 1"]),
        (
            "/rondel/steps/9/area",
            json!(4),
            &[
                "rondel: must have install in area 3",
                "rondel: must have the steps of area 3 in one run between other areas, not 2",
                "rondel: must have the steps of area 4 in one run between other areas, not 2",
                "step 11: lies in area 3, which does not come after area 4 clockwise",
                "rondel, transport_after: must be the last steps of the areas, [4, 8, 9, 10, 12, 16, 20], not [4, 8, 12, 16, 20]",
            ],
        ),
        (
            "/rondel/steps/19/area",
            json!(1),
            &[
                "rondel, transport_after: must be the last steps of the areas, [4, 8, 12, 16, 19], not [4, 8, 12, 16, 20]",
            ],
        ),
        (
            "/rondel/transport_after",
            json!([4, 8, 12, 16]),
            &["rondel, transport_after: must be the last steps of the areas, [4, 8, 12, 16, 20], not [4, 8, 12, 16]"],
        ),
        (
            "/rondel/transport_after/0",
            json!(3),
            &[
                "rondel, transport_after: must be the last steps of the areas, [4, 8, 12, 16, 20], not [3, 8, 12, 16, 20]",
            ],
        ),
        (
            "/rondel/steps/18/actions",
            json!(["arrive"]),
            &[
                "step 17: must have income or luck within the 2 free steps of the first level",
                "step 18: must have income or luck within the 2 free steps of the first level",
            ],
        ),
        (
            "/privileges/rondel/levels/0",
            json!(1),
            &[
                "step 1: must have income or luck within the 1 free steps of the first level",
                "step 3: must have income or luck within the 1 free steps of the first level",
                "step 5: must have income or luck within the 1 free steps of the first level",
                "step 7: must have income or luck within the 1 free steps of the first level",
                "step 9: must have income or luck within the 1 free steps of the first level",
                "step 11: must have income or luck within the 1 free steps of the first level",
                "step 13: must have income or luck within the 1 free steps of the first level",
                "step 15: must have income or luck within the 1 free steps of the first level",
                "step 17: must have income or luck within the 1 free steps of the first level",
                "step 19: must have income or luck within the 1 free steps of the first level",
            ],
        ),
        (
            "/rondel/steps",
            json!([]),
            &[
                "rondel: must have 1 to 99 steps, not 0",
                "rondel: must have a step with income",
                "rondel: must have a step with luck",
                "rondel: must have a step with quarry",
                "rondel: must have a step with carve",
                "rondel: must have a step with druid",
                "rondel: must have a step with install",
                "rondel: must have a step with arrive",
                "rondel: must have install in area 1",
                "rondel: must have druid in area 1",
                "rondel: must have install in area 2",
                "rondel: must have druid in area 2",
                "rondel: must have install in area 3",
                "rondel: must have druid in area 3",
                "rondel: must have install in area 4",
                "rondel: must have druid in area 4",
                "rondel: must have install in area 5",
                "rondel: must have druid in area 5",
            ],
        ),
    ]);
    let no_arrive = faults(|json| {
        for step in json["rondel"]["steps"].as_array_mut().unwrap() {
            step["actions"].as_array_mut().unwrap().retain(|action| action != "arrive");
        }
    });
    assert_eq!(no_arrive, ["rondel: must have a step with arrive"]);
}

#[test]
fn effects_and_scores() {
    let coins_per =
        |what: &str| json!([{"do": "choose", "of": [[{"do": "coins_per", "count": {"what": what}, "n": 1}]]}]);
    check(&[
        (
            "/luck/0/effects/0/do",
            json!("gold"),
            &[
                "luck card L01, effects[0].do: unknown variant `gold`, expected one of `coins`, `coins_per`, `vp_per`, `vp`, `luck`, `bonus`, `travel`, `reward`, `level`, `transport`, `sub`, `choose`, `mod`",
            ],
        ),
        ("/luck/0/effects/0/n", json!(100), &["luck card L01: has the number 100; numbers are whole, from 0 to 99"]),
        ("/luck/0/effects/0/max", json!(1), &["luck card L01, effects[0]: unknown field `max`, expected `n`"]),
        (
            "/luck/0/effects",
            json!([{"do": "transport", "n": "far"}]),
            &["luck card L01, effects[0]: \"far\" is neither a number of steps nor \"end\""],
        ),
        (
            "/luck/0/effects",
            json!([{"do": "reward", "pool": "C"}]),
            &["luck card L01, effects[0]: unknown variant `C`, expected `A` or `B`"],
        ),
        (
            "/luck/0/effects",
            json!([{"do": "level", "which": "all"}]),
            &[
                "luck card L01, effects[0]: unknown variant `all`, expected one of `any`, `rondel`, `coin`, `luck`, `stone`, `druid`",
            ],
        ),
        ("/luck/0/effects", json!([{"do": "choose", "of": []}]), &["luck card L01: offers a choice of nothing"]),
        (
            "/luck/10/effects/0/action",
            json!("income"),
            &[
                "luck card L11, effects[0]: unknown variant `income`, expected one of `quarry`, `carve`, `druid`, `install`",
            ],
        ),
        (
            "/luck/10/effects/0/reach",
            json!("remote"),
            &["luck card L11, effects[0]: unknown variant `remote`, expected one of `local`, `adjacent`, `any`"],
        ),
        (
            "/luck/0/effects",
            json!([{"do": "mod", "what": "discount", "n": 1}]),
            &["luck card L01: has the mod discount, which means nothing in the window any"],
        ),
        (
            "/luck/24/effects/0/what",
            json!("reach_adjacent"),
            &["luck card L25: has the mod reach_adjacent, which means nothing in the window quarry"],
        ),
        (
            "/luck/24/effects/0/what",
            json!("speed"),
            &[
                "luck card L25, effects[0]: unknown variant `speed`, expected one of `free_steps`, `double_transport`, `discount`, `limit`, `storage`, `start`, `unit_vp`, `reach_adjacent`, `reach_remote`, `as_carved`, `any_level`",
            ],
        ),
        (
            "/luck/24/when",
            json!(["quarry", "install"]),
            &["luck card L25: has the mod discount, which means nothing in the window install"],
        ),
        ("/luck/24/when", json!([]), &["luck card L25: must have a window"]),
        ("/luck/24/when", json!(["quarry", "quarry"]), &["luck card L25: names a window twice"]),
        (
            "/luck/24/when",
            json!(["night"]),
            &[
                "luck card L25, when[0]: unknown variant `night`, expected one of `any`, `move`, `income`, `luck`, `quarry`, `carve`, `druid`, `install`, `arrive`",
            ],
        ),
        (
            "/luck/16/when",
            json!(["move", "income"]),
            &[
                "luck card L17: has the window move beside others",
                "luck card L17: has the mod free_steps, which means nothing in the window income",
            ],
        ),
        (
            "/luck/16/effects",
            json!([{"do": "coins", "n": 2}]),
            &["luck card L17: has the window move, but not only mods"],
        ),
        (
            "/luck/0/effects",
            coins_per("luck_cards"),
            &["luck card L01: gains coins per luck_cards, which can shrink before the card is played (H-9)"],
        ),
        (
            "/luck/0/effects",
            coins_per("coins"),
            &["luck card L01: gains coins per coins, which can shrink before the card is played (H-9)"],
        ),
        (
            "/luck/0/effects",
            coins_per("travel"),
            &["luck card L01: gains coins per travel, which can shrink before the card is played (H-9)"],
        ),
        (
            "/luck/0/effects",
            coins_per("held"),
            &["luck card L01: gains coins per held, which can shrink before the card is played (H-9)"],
        ),
        (
            "/luck/0/effects",
            coins_per("sheep"),
            &[
                "luck card L01, effects[0]: unknown variant `sheep`, expected one of `installed`, `icon_kinds`, `size_pairs`, `druids`, `druids_in`, `areas_with`, `best_area`, `areas_ranked`, `levels`, `maxed`, `raised`, `coins`, `luck_cards`, `luck_steps`, `travel`, `held`, `held_carved`",
            ],
        ),
        (
            "/rewards/0/effects",
            json!([{"do": "mod", "what": "discount", "n": 1}]),
            &["reward A01: has the mod discount, which only Luck cards may have"],
        ),
        (
            "/druid_track/3",
            json!([{"do": "mod", "what": "discount", "n": 1}]),
            &["druid_track #4: has the mod discount, which only Luck cards may have"],
        ),
        ("/bonus/0/deck", json!("eog"), &["bonus card P01: is an end-of-game card with a goal or tally"]),
        ("/bonus/20/deck", json!("spring"), &["bonus card E07: is a Spring card without goal or tally"]),
        (
            "/bonus/0/score",
            json!({"goal": {"what": "coins"}, "vp": 3}),
            &[
                "bonus card P01, score: a score is goal, at_least, vp; or tally, vp, max_marks; or per, vp and perhaps div, max; or table, values",
            ],
        ),
        ("/bonus/40/score/div", json!(0), &["bonus card E27: divides by 0"]),
        ("/bonus/22/score/values", json!([]), &["bonus card E09: has a table without values"]),
        (
            "/bonus/9/score/tally/event",
            json!("feast"),
            &[
                "bonus card P10, score.tally.event: unknown variant `feast`, expected one of `install`, `druid_action`, `druid`, `quarry`, `carve`, `track`",
            ],
        ),
        (
            "/bonus/9/score/tally/kind",
            json!("lintel"),
            &["bonus card P10, score.tally: unknown field `kind`, there are no fields"],
        ),
        ("/bonus/27/score/per/area", json!(6), &["bonus card E14, score.per: an area is a number from 1 to 5"]),
    ]);
}

#[test]
fn missing_and_unknown_parts() {
    let cases = [
        ("", "luck", "luck: is missing"),
        ("", "params", "params: is missing"),
        ("", "boards", "boards: is missing"),
        ("/boards", "45", "side 45: is missing"),
        ("/boards/3", "paths", "side 3 paths: is missing"),
        ("/boards/3", "name", "side 3 name: is missing"),
        ("/params", "max_rounds", "params: missing field `max_rounds`"),
        ("/luck/0", "sub_ok", "luck card L01: missing field `sub_ok`"),
        ("/privileges", "coin", "privileges: missing field `coin`"),
    ];
    for (pointer, key, expected) in cases {
        let found = faults(|json| drop(json.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key)));
        assert_eq!(found, [expected]);
    }
    check(&[
        ("/extra", json!(1), &["file: has an unknown table \"extra\""]),
        ("/boards/6", json!(1), &["boards: has an unknown table \"6\""]),
        ("/boards/3/colour", json!(1), &["side 3: has an unknown table \"colour\""]),
        (
            "/luck/0/text",
            json!(""),
            &["luck card L01, text: unknown field `text`, expected one of `id`, `name`, `when`, `sub_ok`, `effects`"],
        ),
        ("/druid_track/0/0/x", json!(1), &["druid_track #1, [0]: unknown field `x`, expected `n`"]),
        ("/bonus/0/score/goal/x", json!(1), &["bonus card P01, score.goal: unknown field `x`, expected `n`"]),
        ("/bonus/2/score/goal/x", json!(1), &["bonus card P03, score.goal: unknown field `x`, there are no fields"]),
        ("/luck", json!({}), &["luck: is not a list"]),
        ("/boards/3", json!(3), &["side 3: is not an object"]),
    ]);
}

#[test]
fn all_faults_are_listed_at_once() {
    let found = faults(|json| {
        put(json, "/luck/3/effects/0/do", "gold".into());
        put(json, "/stones/4/cost", "much".into());
        put(json, "/boards/45/slots/2/vp", 2.into());
        put(json, "/rondel/steps/0/step", 7.into());
        remove(json, "/rewards", 0);
    });
    let named: Vec<&str> = found.iter().filter_map(|fault| fault.split([':', ',']).next()).collect();
    assert_eq!(named, ["stone S05", "luck card L04", "rewards", "slot 45", "step 7"], "{found:#?}");
}

#[test]
fn what_is_no_json_is_a_fault() {
    for text in ["", "{", "[]", "null", "1", &"[".repeat(100_000)] {
        assert_eq!(ComponentSet::load(text).unwrap_err().len(), 1, "{}", &text[..text.len().min(9)]);
    }
}

#[test]
fn the_form_of_the_file_does_not_matter_but_every_value_does() {
    let digest =
        |json: &Value| ComponentSet::load(&serde_json::to_string_pretty(json).unwrap()).unwrap().id().digest.clone();
    let json = super::super::testing::reference_json();
    assert_eq!(digest(&json), reference().id().digest);
    let mut other = json;
    put(&mut other, "/luck/0/effects/0/n", 6.into());
    assert_ne!(digest(&other), reference().id().digest);
}

/// Lists of effects are counted in small numbers, and an option is named by a number up to 99.
#[test]
fn lists_and_choices_have_a_greatest_length() {
    let coins = |count: usize| Value::Array(vec![json!({"do": "coins", "n": 1}); count]);
    let options = |count: usize| json!([{"do": "choose", "of": vec![json!([]); count]}]);
    let nested = |inner: Value| json!([{"do": "choose", "of": [[], inner]}]);
    for sound in [coins(99), options(1), options(99), nested(coins(99)), nested(options(99))] {
        assert_eq!(faults(|json| put(json, "/luck/0/effects", sound)), Vec::<String>::new());
    }
    let long = |at: &str, count: usize| format!("{at}: has a list of {count} effects, more than 99");
    let wide = |at: &str, count: usize| format!("{at}: offers a choice of {count}, more than 99");
    for (pointer, value, expected) in [
        ("/luck/0/effects", coins(100), long("luck card L01", 100)),
        ("/luck/0/effects", coins(256), long("luck card L01", 256)),
        ("/luck/0/effects", nested(coins(300)), long("luck card L01", 300)),
        ("/rewards/0/effects", coins(100), long("reward A01", 100)),
        ("/druid_track/2", coins(100), long("druid_track #3", 100)),
        ("/luck_track/1", coins(100), long("luck_track #2", 100)),
        ("/privileges/coin/end", coins(100), long("privilege coin, end", 100)),
        ("/luck/0/effects", options(100), wide("luck card L01", 100)),
        ("/luck/0/effects", options(256), wide("luck card L01", 256)),
        ("/luck/0/effects", nested(options(256)), wide("luck card L01", 256)),
    ] {
        assert_eq!(faults(|json| put(json, pointer, value)), [expected], "{pointer}");
    }
}

/// Lists are told apart by a number of 16 bits.
#[test]
fn a_file_has_no_more_lists_than_can_be_numbered() {
    let choice = json!({"do": "choose", "of": vec![json!([]); 99]});
    let found = faults(|json| {
        for card in 0..7 {
            put(json, &format!("/luck/{card}/effects"), Value::Array(vec![choice.clone(); 99]));
        }
    });
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("file: has 68") && found[0].ends_with(" lists of effects, more than 65536"),
        "{found:?}"
    );
}
