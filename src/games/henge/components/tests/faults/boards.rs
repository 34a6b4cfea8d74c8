//! Slots, paths, the rondel.

use super::*;

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
