//! The graph against the tables of the register (TH.1), and the rulings on it.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Returns what the cheapest way costs on an empty board.
fn cost(from: &str, to: &str) -> u8 {
    Reach::new(space(from), 99, &[]).cost(space(to)).unwrap()
}

/// Returns what one point reaches on an empty board.
fn steps(from: &str) -> Vec<Space> {
    Reach::new(space(from), 1, &[]).targets().collect()
}

/// The table of trilithons: path stones, view bluestones, cheapest way from 30a and from 1a.
const TRILITHONS: [(&str, &str, &str, u8, u8); 5] = [
    ("T1", "N6 D6 N7 D7", "B1 B2 B3", 10, 9),
    ("T2", "N10 D10 N11 D11", "B6 B7", 14, 13),
    ("T3", "N15 D15 N16 D16", "B9 B10 B11", 17, 17),
    ("T4", "N20 D20 N21 D21", "B13 B14", 13, 14),
    ("T5", "N24 D24 N25 D25", "B17 B18 B19", 9, 10),
];

/// The table of edges, written down again: (from, to) in any order, with the cost.
fn table() -> BTreeMap<BTreeSet<String>, u8> {
    let mut table = BTreeMap::new();
    let mut join = |from: String, to: String, cost: u8| {
        assert_eq!(table.insert(BTreeSet::from([from, to]), cost), None);
    };
    let stones: Vec<String> = (1..=30).flat_map(|n| [format!("N{n}"), format!("D{n}")]).collect();
    for number in 1..=30 {
        let next = number % 30 + 1;
        for (row, cost) in [("a", 4), ("b", 2), ("c", 1)] {
            join(format!("{number}{row}"), format!("{next}{row}"), cost);
        }
        join(format!("{number}a"), format!("{number}b"), 1);
        join(format!("{number}b"), format!("{number}c"), 1);
        join(format!("{number}c"), format!("N{number}"), 1);
        join(format!("{number}c"), format!("D{number}"), 1);
    }
    for index in 0..60 {
        join(stones[index].clone(), stones[(index + 1) % 60].clone(), 1);
    }
    for (trilithon, path, view, _, _) in TRILITHONS {
        path.split(' ').chain(view.split(' ')).for_each(|stone| join(trilithon.to_owned(), stone.to_owned(), 1));
    }
    (1..19).for_each(|number| join(format!("B{number}"), format!("B{}", number + 1), 1));
    table
}

#[test]
fn the_graph_has_174_spaces_and_the_321_edges_of_the_table() {
    assert_eq!(Space::all().count(), 174);
    let derived = edges();
    assert_eq!(derived.len(), 321);
    let derived: BTreeMap<BTreeSet<String>, u8> = derived
        .into_iter()
        .map(|(from, to, cost)| (BTreeSet::from([from.to_string(), to.to_string()]), cost))
        .collect();
    assert_eq!(derived, table());
    let count = |cost: u8| derived.values().filter(|value| **value == cost).count();
    assert_eq!((count(4), count(2), count(1)), (30, 30, 261));
}

#[test]
fn the_topology_resource_has_the_same_edges() {
    let board = ThiefOfTheSacredFire.board();
    let places: Vec<&str> = board.places.iter().map(|place| place.id.as_str()).collect();
    assert_eq!(places, Space::all().map(|space| space.to_string()).collect::<Vec<_>>());
    let shown: BTreeMap<BTreeSet<String>, u8> =
        board.edges.iter().map(|e| (BTreeSet::from([e.from.clone(), e.to.clone()]), e.cost.unwrap())).collect();
    assert_eq!(shown, table());
    let zones: Vec<&str> = board.zones.iter().map(|zone| zone.id.as_str()).collect();
    assert_eq!(zones, ["row_a", "row_b", "row_c", "inner_ring", "trilithon_places", "bluestones"]);
}

#[test]
fn every_space_round_trips_and_nothing_else_is_one() {
    for space in Space::all() {
        assert_eq!(space.to_string().parse(), Ok(space));
        let json = serde_json::to_string(&space).unwrap();
        assert_eq!(serde_json::from_str::<Space>(&json).unwrap(), space);
        assert_eq!(Space::from_index(space.index() as u8), Some(space));
    }
    assert_eq!(Space::from_index(174), None);
    for wrong in ["", "1d", "31a", "0a", "N31", "T0", "T6", "B0", "B20", "B01", "altar", "t1", "n6", "6C", "B1 ", "TW"]
    {
        assert!(wrong.parse::<Space>().is_err(), "{wrong}");
    }
}

/// Fewest edges, and cheapest ways around guards, found by relaxing all edges until nothing changes.
fn relaxed(from: Space, guarded: &[Space], weight: fn(u8) -> u32) -> Vec<u32> {
    let mut found = vec![u32::MAX; 174];
    found[from.index()] = 0;
    loop {
        let before = found.clone();
        for (a, b, cost) in edges() {
            for (a, b) in [(a, b), (b, a)] {
                if found[a.index()] != u32::MAX && !guarded.contains(&b) {
                    found[b.index()] = found[b.index()].min(found[a.index()] + weight(cost));
                }
            }
        }
        if found == before {
            return found;
        }
    }
}

#[test]
fn ranges_and_ways_agree_with_plain_relaxation() {
    let mut dice = dice(1);
    for _ in 0..40 {
        let any = |dice: &mut Dice| Space::from_index(dice.below(174) as u8).unwrap();
        let from = any(&mut dice);
        let guarded: Vec<Space> = (0..5).map(|_| any(&mut dice)).filter(|space| *space != from).collect();
        let (ranges, costs) = (relaxed(from, &[], |_| 1), relaxed(from, &guarded, u32::from));
        let points = dice.below(12) as u8;
        let reach = Reach::new(from, points, &guarded);
        for to in Space::all() {
            assert_eq!(u32::from(range(from, to)), ranges[to.index()]);
            let expected = costs[to.index()];
            let within = (expected <= u32::from(points)).then_some(expected);
            assert_eq!(reach.cost(to).map(u32::from), within, "{from} to {to}");
            let Some(cost) = within else { continue };
            let way = reach.way(to);
            let walked: u32 = std::iter::once(&from)
                .chain(&way)
                .zip(&way)
                .map(|(a, b)| {
                    let edge = edges().into_iter().find(|e| (e.0, e.1) == (*a, *b) || (e.1, e.0) == (*a, *b));
                    u32::from(edge.unwrap().2)
                })
                .sum();
            assert_eq!((walked, way.iter().any(|step| guarded.contains(step))), (cost, false));
        }
    }
}

#[test]
fn th_01_from_1a_it_is_9_points_to_t1_from_30a_10() {
    for (trilithon, _, _, from_30, from_1) in TRILITHONS {
        assert_eq!((cost("30a", trilithon), cost("1a", trilithon)), (from_30, from_1), "{trilithon}");
    }
    let (state, ..) = created(1);
    assert_eq!(targets(&state, "start"), ["1a", "30a"]);
}

#[test]
fn th_08_darkness_has_thirty_spaces() {
    assert_eq!((cost("30a", "1a"), range(space("30a"), space("1a"))), (4, 1));
}

#[test]
fn th_09_every_change_of_ring_costs_1() {
    assert!(targets(&scene("1a", 1), "go").contains(&"1b".to_owned()));
    assert_eq!((cost("1b", "1a"), cost("1c", "1b"), cost("N1", "1c")), (1, 1, 1));
}

#[test]
fn th_10_rings_close_and_the_bluestones_do_not() {
    assert_eq!((cost("30c", "1c"), cost("30b", "1b"), cost("D30", "N1")), (1, 2, 1));
    assert_eq!(steps("B1"), spaces("T1 B2"));
}

#[test]
fn th_11_no_diagonal_steps() {
    assert_eq!(cost("6c", "N7"), 2);
}

#[test]
fn th_12_light_touches_both_stones_of_its_number() {
    assert_eq!(steps("6c"), spaces("6b 5c 7c N6 D6"));
}

#[test]
fn th_13_no_ring_is_skipped() {
    assert_eq!((cost("1a", "1c"), steps("1a")), (2, spaces("1b")));
}

#[test]
fn th_14_all_four_path_stones_touch_the_trilithon() {
    assert!(targets(&scene("N6", 1), "go").contains(&"T1".to_owned()));
    for (trilithon, path, view, _, _) in TRILITHONS {
        assert_eq!(steps(trilithon), spaces(&format!("{path} {view}")));
    }
}

#[test]
fn th_15_all_view_bluestones_touch_the_trilithon_and_no_other() {
    let reached = targets(&scene("T3", 1), "go");
    assert_eq!(reached, ["N15", "D15", "N16", "D16", "B9", "B10", "B11"]);
}

#[test]
fn th_16_no_step_from_a_small_stone_to_a_bluestone() {
    assert_eq!(targets(&scene("D8", 1), "go"), ["8c", "N8", "N9"]);
}

#[test]
fn th_17_the_altar_is_no_space() {
    assert!(ThiefOfTheSacredFire.board().places.iter().all(|place| place.id != "altar"));
    let refusal = ThiefOfTheSacredFire.parse("go altar").unwrap_err();
    assert_eq!((refusal.code, refusal.rule, refusal.field), ("unknown_space", "TH-17", Some("to")));
}

#[test]
fn th_51_bars_block_nothing() {
    assert_eq!(cost("D5", "N6"), 1);
}

#[test]
fn th_52_the_list_of_bars_gives_the_table_of_paths_and_views() {
    // The bars lie between these neighbours: on the inner ring, and on the bluestones (0 and 20 are beyond the ends).
    let bars = [
        (("D5", "D7"), (0, 3)),
        (("D9", "D11"), (5, 7)),
        (("D14", "D16"), (8, 11)),
        (("D19", "D21"), (12, 14)),
        (("D23", "D25"), (16, 19)),
    ];
    for ((before, last), (below, highest)) in bars {
        let path = Space::all().filter(|stone| space(before) < *stone && *stone <= space(last));
        let view = (below + 1..=highest).map(Space::bluestone);
        let row = TRILITHONS.iter().find(|row| spaces(row.1)[3] == space(last)).unwrap();
        assert_eq!(path.chain(view).collect::<Vec<_>>(), spaces(&format!("{} {}", row.1, row.2)));
    }
}
