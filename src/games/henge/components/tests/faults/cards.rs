//! Parameters, privileges, areas, and how many cards there are.

use super::*;

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
