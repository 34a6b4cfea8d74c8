//! The glossary, read as a person would.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::testing::load_changed;
use super::super::words::{effects, glossary, key, score};
use super::super::*;
use crate::henge::Henge;
use sarsen_rules::{Catalogue, Edition};

/// The text of effects on a Luck card with these windows.
fn card(when: &[&str], list: Value) -> String {
    let set = load_changed(|json| {
        json["luck"][0]["when"] = json!(when);
        json["luck"][0]["effects"] = list;
    });
    let set = set.unwrap();
    effects(&set, set.luck[0].effects, &set.luck[0].when)
}

/// The text of a bonus card's score.
fn bonus(at: usize, form: Value) -> String {
    let set = load_changed(|json| json["bonus"][at]["score"] = form).unwrap();
    score(&set, &set.bonus[at].score)
}

fn text_of(kind: &str, id: &str) -> String {
    let glossary = Henge::default().glossaries().remove(0);
    let entry = glossary.entries.into_iter().find(|entry| entry.kind == kind && entry.id == id);
    entry.unwrap_or_else(|| panic!("no {kind} {id}")).text
}

#[test]
fn every_effect_has_words_in_singular_and_plural() {
    let cases = [
        (json!({"do": "coins", "n": 1}), "Gain 1 coin."),
        (json!({"do": "coins", "n": 2}), "Gain 2 coins."),
        (
            json!({"do": "coins_per", "count": {"what": "druids"}, "n": 1, "max": 1}),
            "Gain 1 coin for each druid placed, at most 1 coin.",
        ),
        (
            json!({"do": "coins_per", "count": {"what": "raised"}, "n": 2}),
            "Gain 2 coins for each privilege above its start level.",
        ),
        (
            json!({"do": "vp_per", "count": {"what": "held"}, "n": 2, "max": 6}),
            "Score 2 VP for each uninstalled stone, at most 6 VP.",
        ),
        (json!({"do": "vp", "n": 1}), "Score 1 VP."),
        (json!({"do": "luck", "n": 1}), "Draw Luck cards by your Luck level."),
        (json!({"do": "luck", "n": 2}), "Draw Luck cards by your Luck level twice."),
        (json!({"do": "luck", "n": 3}), "Draw Luck cards by your Luck level 3 times."),
        (json!({"do": "bonus", "n": 1}), "Draw 3 end-of-game bonus cards, then drop 2 of all your bonus cards."),
        (
            json!({"do": "bonus", "n": 2}),
            "Draw 3 end-of-game bonus cards, then drop 2 of all your bonus cards. Do so twice.",
        ),
        (json!({"do": "travel", "n": 1}), "Take 1 travel token."),
        (json!({"do": "travel", "n": 2}), "Take 2 travel tokens."),
        (json!({"do": "reward", "pool": "B"}), "Take a face-up reward of pool B."),
        (json!({"do": "level", "which": "any"}), "Raise a privilege of your choice by one level."),
        (json!({"do": "level", "which": "rondel"}), "Raise your Free Rondel Steps privilege by one level."),
        (json!({"do": "transport", "n": 1}), "Advance all your uninstalled stones by 1 step."),
        (json!({"do": "transport", "n": 4}), "Advance all your uninstalled stones by 4 steps."),
        (json!({"do": "transport", "n": "end"}), "Move all your uninstalled stones to the end of their tracks."),
        (
            json!({"do": "sub", "action": "quarry", "limit": 2, "discount": 1, "reach": "local"}),
            "You may buy up to 2 stones from the quarry, each for 1 coin less.",
        ),
        (
            json!({"do": "sub", "action": "carve", "limit": 1, "discount": 3, "reach": "local"}),
            "You may carve 1 stone, for 3 coins less.",
        ),
        (
            json!({"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "local"}),
            "You may place 1 druid in the local area.",
        ),
        (
            json!({"do": "sub", "action": "druid", "limit": 2, "discount": 9, "reach": "adjacent"}),
            "You may place up to 2 druids in the local area or adjacent ones, each for 9 coins less.",
        ),
        (
            json!({"do": "sub", "action": "install", "limit": 1, "discount": 0, "reach": "any"}),
            "You may install 1 delivered stone in any area.",
        ),
        (
            json!({"do": "choose", "of": [[{"do": "coins", "n": 5}, {"do": "vp", "n": 1}], []]}),
            "Choose one: (1) Gain 5 coins. Score 1 VP. (2) Nothing.",
        ),
    ];
    for (effect, words) in cases {
        assert_eq!(card(&["any"], json!([effect])), words, "{effect}");
    }
}

#[test]
fn every_mod_has_words_that_fit_its_windows() {
    let cases: [(&[&str], &str, u16, &str); 18] = [
        (&["move"], "free_steps", 1, "Walk 1 more step free in this move."),
        (&["move"], "free_steps", 8, "Walk 8 more steps free in this move."),
        (
            &["move"],
            "double_transport",
            1,
            "Each border you walk across in this move advances your stones by 2 steps instead of 1.",
        ),
        (&["quarry"], "discount", 1, "From now on each stone you buy costs 1 coin less in this action."),
        (
            &["carve", "druid"],
            "discount",
            5,
            "From now on each stone you carve or druid you place costs 5 coins less in this action.",
        ),
        (&["quarry"], "limit", 1, "You may buy 1 more stone in this action."),
        (&["druid"], "limit", 2, "You may place 2 more druids in this action."),
        (&["quarry"], "storage", 1, "Your storage is 1 higher in this action."),
        (&["quarry"], "start", 1, "From now on stones you buy in this action start 1 step along their tracks."),
        (&["quarry"], "start", 4, "From now on stones you buy in this action start 4 steps along their tracks."),
        (&["install"], "unit_vp", 3, "From now on each stone you install in this action scores 3 VP."),
        (&["druid"], "reach_adjacent", 1, "Of the druids you place in this action 1 more may go to an adjacent area."),
        (
            &["install"],
            "reach_adjacent",
            2,
            "Of the stones you install in this action 2 more may go to adjacent areas.",
        ),
        (&["druid"], "reach_remote", 1, "Of the druids you place in this action 1 more may go to a remote area."),
        (&["install"], "reach_remote", 2, "Of the stones you install in this action 2 more may go to remote areas."),
        (&["install"], "as_carved", 1, "1 uncarved stone may use a slot that needs a carved one in this action."),
        (&["install"], "as_carved", 2, "2 uncarved stones may use slots that need carved ones in this action."),
        (
            &["install"],
            "any_level",
            1,
            "From now on every stone you install in this action raises its own privilege, whatever the area.",
        ),
    ];
    for (when, what, n, words) in cases {
        assert_eq!(card(when, json!([{"do": "mod", "what": what, "n": n}])), words);
    }
    let covered: BTreeSet<&str> = cases.iter().map(|(_, what, ..)| *what).collect();
    assert!(ModKind::ALL.iter().all(|kind| covered.contains(kind.into_str())));
}

#[test]
fn every_count_has_words_in_singular_and_plural() {
    let cases = [
        (json!({"what": "installed"}), "stone installed", "stones installed"),
        (
            json!({"what": "installed", "size": "small", "icon": "coin", "min_cost": 6, "min_transport": 2, "max_transport": 4}),
            "small stone installed with the icon Coin with a cost of at least 6 with a track of 2 to 4 steps",
            "small stones installed with the icon Coin with a cost of at least 6 with a track of 2 to 4 steps",
        ),
        (
            json!({"what": "installed", "max_transport": 1}),
            "stone installed with a track of at most 1 step",
            "stones installed with a track of at most 1 step",
        ),
        (
            json!({"what": "icon_kinds"}),
            "different icon on your installed stones",
            "different icons on your installed stones",
        ),
        (
            json!({"what": "size_pairs"}),
            "pair of a large and a small stone installed",
            "pairs of a large and a small stone installed",
        ),
        (json!({"what": "druids"}), "druid placed", "druids placed"),
        (json!({"what": "druids_in", "area": 2}), "druid in Oak", "druids in Oak"),
        (
            json!({"what": "areas_with", "n": 1}),
            "area with at least 1 of your druids",
            "areas with at least 1 of your druids",
        ),
        (
            json!({"what": "best_area"}),
            "druid in the area where you have most",
            "druids in the area where you have most",
        ),
        (
            json!({"what": "areas_ranked", "rank": 3}),
            "area where you rank 3rd in druids",
            "areas where you rank 3rd in druids",
        ),
        (json!({"what": "levels"}), "privilege level raised", "privilege levels raised"),
        (json!({"what": "maxed"}), "privilege at its top level", "privileges at their top level"),
        (json!({"what": "raised"}), "privilege above its start level", "privileges above their start level"),
        (json!({"what": "coins"}), "coin", "coins"),
        (json!({"what": "luck_cards"}), "Luck card in your hand", "Luck cards in your hand"),
        (json!({"what": "luck_steps"}), "step on your Luck track", "steps on your Luck track"),
        (json!({"what": "travel"}), "travel token", "travel tokens"),
        (json!({"what": "held"}), "uninstalled stone", "uninstalled stones"),
        (json!({"what": "held_carved"}), "carved uninstalled stone", "carved uninstalled stones"),
    ];
    for (count, one, many) in cases {
        assert_eq!(bonus(20, json!({"per": count, "vp": 2})), format!("2 VP for each {one}."));
        assert_eq!(
            bonus(0, json!({"goal": count, "at_least": 3, "vp": 7})),
            format!("7 VP once you end a turn with at least 3 {many}.")
        );
        assert_eq!(
            bonus(0, json!({"goal": count, "at_least": 1, "vp": 7})),
            format!("7 VP once you end a turn with at least 1 {one}.")
        );
    }
}

#[test]
fn every_score_and_tally_has_words() {
    let cases = [
        (json!({"event": "install"}), 1, "stone you install, at most once."),
        (
            json!({"event": "install", "kind": "upright", "border": false, "level_up": false}),
            2,
            "stone you install as an upright within one area that gives you no level-up, at most twice.",
        ),
        (
            json!({"event": "install", "kind": "monolith", "border": true, "level_up": true}),
            3,
            "stone you install as a monolith on a border of two areas that gives you a level-up, at most 3 times.",
        ),
        (
            json!({"event": "druid_action"}),
            8,
            "Druid action or sub-action in which you place a druid, at most 8 times.",
        ),
        (json!({"event": "druid"}), 4, "druid you place, at most 4 times."),
        (json!({"event": "druid", "area": 5}), 4, "druid you place in Yew, at most 4 times."),
        (json!({"event": "quarry"}), 4, "stone you buy, at most 4 times."),
        (json!({"event": "carve"}), 4, "stone you carve, at most 4 times."),
        (json!({"event": "track"}), 4, "Luck card you give up for the Luck track, at most 4 times."),
    ];
    for (tally, marks, words) in cases {
        let text = bonus(0, json!({"tally": tally, "vp": 2, "max_marks": marks}));
        assert_eq!(text, format!("2 VP for each {words}"));
    }
    assert_eq!(
        bonus(20, json!({"per": {"what": "coins"}, "vp": 1, "div": 2, "max": 8})),
        "1 VP for every 2 coins, at most 8 VP."
    );
    assert_eq!(
        bonus(20, json!({"table": {"what": "coins"}, "values": [0, 3, 7]})),
        "VP by the number of coins: 0 for none, 3 for 1, 7 for 2 or more."
    );
    assert_eq!(
        bonus(20, json!({"table": {"what": "coins"}, "values": [4]})),
        "VP by the number of coins: 4 for 0 or more."
    );
}

#[test]
fn cards_of_the_reference_set_read_well() {
    let cases = [
        (
            "luck_card",
            "L16",
            "Play during any action. Choose one: (1) Gain 6 coins. (2) Advance all your uninstalled stones by 4 steps.",
        ),
        ("luck_card", "L17", "Play before you move the pawn. Walk 8 more steps free in this move."),
        ("luck_card", "L20", "Play during an Income action. Gain 6 coins."),
        (
            "luck_card",
            "L40",
            "Play during a Druid action or sub-action. From now on each druid you place costs 5 coins less in this action.",
        ),
        (
            "stone",
            "S01",
            "A small stone. Costs 4 coins, scores 4 VP, travels 3 steps, raises Druid. Starter of Hawthorn.",
        ),
        (
            "stone",
            "S29",
            "A large stone. Costs 7 coins, scores 9 VP, travels 5 steps, raises Druid. Only with 5 players.",
        ),
        (
            "spring_card",
            "P07",
            "7 VP once you end a turn with at least 5 steps on your Luck track. Only with 3 or 4 players.",
        ),
        ("reward", "B10", "You may carve up to 2 stones, each for 4 coins less."),
        ("privilege", "coin", "Coins of an Income: 7, 9, 11, 13. Each level-up at the top: Gain 5 coins."),
        ("druid_cost", "orange", "A druid on an orange space costs 3 coins."),
        (
            "slot_45",
            "12c",
            "Takes a small stone, carved, in Hawthorn and Oak. Lies on 12a and 12b, once both stand. Scores 5 VP.",
        ),
        ("step", "step.4", "Druid, at Hawthorn. Walking on from here advances your stones by 1 step."),
        ("hengebot_card", "H25", "The Hengebot moves the pawn to the next step with Druid or Carve and acts there."),
        ("first_upgrade", "F2", "Raise your Coin privilege by one level."),
        ("solo_grade", "3", "For a solo game with at least 75 VP."),
    ];
    for (kind, id, text) in cases {
        assert_eq!(text_of(kind, id), text);
    }
}

#[test]
fn the_glossary_has_every_component_once() {
    let glossary = Henge::default().glossaries().remove(0);
    assert!(glossary.offered);
    let count = |kind: &str| glossary.entries.iter().filter(|entry| entry.kind == kind).count();
    let kinds = ["luck_card", "stone", "reward", "hengebot_card", "first_upgrade", "privilege", "area", "step"];
    assert_eq!(kinds.map(count), [51, 29, 25, 30, 5, 5, 5, 20]);
    assert_eq!([count("spring_card"), count("end_of_game_card")], [14, 30]);
    assert_eq!(["druid_track", "luck_track", "solo_grade"].map(count), [12, 8, 6]);
    assert_eq!(["slot_3", "slot_45", "decision"].map(count), [20, 29, 10]);
    assert_eq!([count("parameter"), count("privilege_level")], [18, 18]);
    let ids: BTreeSet<_> = glossary.entries.iter().map(|entry| (&entry.kind, &entry.id)).collect();
    assert_eq!(ids.len(), glossary.entries.len(), "kind and id together are unique");
    for entry in &glossary.entries {
        assert!(entry.text.ends_with('.') && !entry.text.contains("  ") && !entry.name.is_empty(), "{entry:?}");
    }
}

#[test]
fn what_the_rules_speak_of_by_name_is_a_number_in_the_glossary() {
    let set = load_changed(|json| {
        json["params"]["carve_cost"] = 7.into();
        json["params"]["storage_counts"] = "uninstalled".into();
    })
    .unwrap();
    let glossary =
        glossary(&set, Edition { name: String::new(), version: String::new(), digest: String::new(), offered: true });
    let entry = |kind: &str, id: &str| glossary.find(kind, id).unwrap_or_else(|| panic!("no {kind} {id}"));
    assert_eq!(entry("parameter", "carve_cost").figures["value"], 7);
    assert_eq!(entry("parameter", "storage_counts").tags, ["uninstalled"]);
    assert_eq!(entry("parameter", "rank_divisors").figures.keys().collect::<Vec<_>>(), ["rank_1", "rank_2", "rank_3"]);
    assert_eq!(entry("privilege_level", "coin.0").figures["coins"], 7);
    assert_eq!(entry("privilege_level", "stone.1").figures["level"], 1);
    let figures: Vec<&str> = entry("privilege_level", "druid.2").figures.keys().map(String::as_str).collect();
    assert_eq!(figures, ["adjacent", "druids", "level"]);
}

#[test]
fn every_list_of_effects_leads_to_an_entry() {
    let set = reference();
    let listed = Henge::default().glossaries().remove(0);
    for list in (0..).map(List).take(set.lists.len()) {
        let (kind, id) = key(&set, set.lists.source(list).unwrap());
        assert!(listed.find(kind, &id).is_some(), "{kind} {id}");
    }
}

#[test]
fn numbers_are_read_from_the_set() {
    let set = load_changed(|json| {
        json["params"]["bonus_draw"] = 4.into();
        json["luck"][8]["effects"][0]["n"] = 2.into();
        json["privileges"]["coin"]["name"] = "Purse".into();
    });
    let set = set.unwrap();
    assert_eq!(
        effects(&set, set.luck[8].effects, &[]),
        "Draw 4 end-of-game bonus cards, then drop 2 of all your bonus cards. Do so twice."
    );
}
