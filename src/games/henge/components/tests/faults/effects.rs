//! Effects, scores, and the file as a whole.

use super::super::super::testing::reference_json;
use super::*;

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
            &["luck card L01: gains coins per luck_cards, which can shrink before the card is played (H-09)"],
        ),
        (
            "/luck/0/effects",
            coins_per("coins"),
            &["luck card L01: gains coins per coins, which can shrink before the card is played (H-09)"],
        ),
        (
            "/luck/0/effects",
            coins_per("travel"),
            &["luck card L01: gains coins per travel, which can shrink before the card is played (H-09)"],
        ),
        (
            "/luck/0/effects",
            coins_per("held"),
            &["luck card L01: gains coins per held, which can shrink before the card is played (H-09)"],
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
        assert_eq!(ComponentSet::load(text).unwrap_err().iter().len(), 1, "{}", &text[..text.len().min(9)]);
    }
}

#[test]
fn the_form_of_the_file_does_not_matter_but_every_value_does() {
    let digest =
        |json: &Value| ComponentSet::load(&serde_json::to_string_pretty(json).unwrap()).unwrap().id().digest.clone();
    let json = reference_json();
    assert_eq!(digest(&json), reference().id().digest);
    let mut other = json;
    put(&mut other, "/luck/0/effects/0/n", 6.into());
    assert_ne!(digest(&other), reference().id().digest);
}
