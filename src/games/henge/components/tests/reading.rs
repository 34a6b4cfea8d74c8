//! The reference set, read.

use serde_json::Value;

use super::super::*;

fn id(text: &str) -> Id {
    Id::parse(text).unwrap()
}

#[test]
fn the_embedded_file_is_the_offered_set() {
    let sets = ComponentSets::default();
    let set = sets.offered();
    assert_eq!(set.id().name, "Henge reference component set");
    assert_eq!(set.stones.len() + set.luck.len() + set.bonus.len() + set.rewards.len(), 29 + 51 + 44 + 25);
    assert_eq!((sets.find(set.id()), sets.all().count()), (Ok(set), 1));
}

#[test]
fn rows_are_found_by_id_and_by_number() {
    let set = reference();
    let card = set.find_luck(&id("L16")).unwrap();
    assert_eq!((card, set[card].name.as_str()), (LuckCard(15), "Crossroads"));
    assert_eq!((set.find_luck(&id("S01")), set.find_luck(&id("l16"))), (None, None), "case counts");
    let side = set.side(3).unwrap();
    let lintel = side.find(&id("51c")).unwrap();
    let under: Vec<&str> = side[lintel].on.iter().map(|slot| side[*slot].id.as_str()).collect();
    assert_eq!(under, ["51a", "51b"]);
    assert_eq!(set.side(5).unwrap().key, "45");
    assert!(set.side(2).is_none() && set.tile(Tile(200)).is_none());
}

#[test]
fn lists_are_reached_by_number_and_know_where_they_are_printed() {
    let set = reference();
    let card = set.find_luck(&id("L16")).unwrap();
    let [Effect::Choose { of }] = set.lists.effects(set[card].effects) else { panic!("a choice") };
    assert_eq!(set.lists.effects(of[1]), [Effect::Transport { n: Distance::Steps(4) }]);
    assert_eq!(set.lists.source(of[1]), Some(Source::Luck(card)));
    assert_eq!(set.lists.source(set.druid_track[2]), Some(Source::DruidTrack(2)));
    assert_eq!(set.lists.effects(List(9999)), []);
}

#[test]
fn the_rondel_counts_borders_left_behind() {
    let rondel = &reference().rondel;
    let fourth = Step(3);
    assert_eq!(rondel[fourth].step, fourth.number());
    assert_eq!(rondel.borders(fourth, 1), 1);
    assert_eq!(rondel.borders(Step(0), 3), 0);
    assert_eq!(rondel.borders(Step(0), 20), 5);
    assert_eq!(rondel.ahead(Step(19), 1), Step(0));
    assert_eq!(rondel.first_of(Area::ALL[0]), Some(Step(0)));
    assert_eq!(rondel.first_of(Area::ALL[4]), Some(Step(16)));
}

#[test]
fn a_state_writes_its_set_as_an_id_and_finds_it_again() {
    let (set, sets) = (reference(), ComponentSets::default());
    let find = |json: Value| sets.find(&serde_json::from_value(json).unwrap());
    let json = serde_json::to_value(&set).unwrap();
    assert_eq!(json["version"], "1.0");
    assert_eq!(find(json.clone()), Ok(set));
    let mut altered = json.clone();
    altered["digest"] = "0000000000000000".into();
    let error = find(altered).unwrap_err().to_string();
    assert!(error.contains("has other content here"), "{error}");
    let mut unknown = json;
    unknown["name"] = "another".into();
    let error = find(unknown).unwrap_err().to_string();
    assert!(error.contains("is not here"), "{error}");
}

/// The reference file with this name and version, and cost of the first stone.
fn edition(name: &str, version: &str, cost: u8) -> String {
    let mut json = super::super::testing::reference_json();
    json["meta"]["name"] = name.into();
    json["meta"]["version"] = version.into();
    json["stones"][0]["cost"] = cost.into();
    json.to_string()
}

#[test]
fn several_sets_are_read_if_no_two_are_called_the_same() {
    let mut sets = ComponentSets::default();
    let refused = |sets: &mut ComponentSets, file: &str, text: &str| sets.read(file, text).unwrap_err().to_string();
    assert_eq!(sets.read("two.json", &edition("Winter set", "2", 4)), Ok(()));
    assert_eq!(sets.read("one.json", &edition("Winter set", "1", 4)), Ok(()));
    assert_eq!(sets.read("summer.json", &edition("Summer set", "2", 4)), Ok(()));
    assert_eq!(sets.all().count(), 4);
    assert_eq!(sets.read("copy.json", registry::REFERENCE), Ok(()), "the reference may be named too");
    assert_eq!((sets.all().count(), sets.offered().id().version.as_str()), (4, "2"), "the first is offered");

    // The form of a file makes no difference.
    let pretty: serde_json::Value = serde_json::from_str(&edition("Winter set", "1", 4)).unwrap();
    let same = refused(&mut sets, "again.json", &format!("{pretty:#}"));
    assert!(same.starts_with("meta: is \"Winter set\" version \"1\" ("), "{same}");
    assert!(same.ends_with("), the same set as in one.json"), "{same}");
    assert!(refused(&mut sets, "copies.json", registry::REFERENCE).ends_with("the same set as in copy.json"));
    let altered = refused(&mut sets, "altered.json", &edition("Winter set", "2", 5));
    let ending = "has the name and version of the set in two.json, but the content differs";
    assert!(altered.starts_with("meta: is \"Winter set\" version \"2\" (") && altered.ends_with(ending), "{altered}");
    let impostor = refused(&mut sets, "impostor.json", &edition("Henge reference component set", "1.0", 5));
    assert!(impostor.contains("meta: has the name and version of the reference set, but the content differs"));
    // What is wrong inside a file is said whatever was read before.
    assert_eq!(refused(&mut sets, "empty.json", "").lines().count(), 1);
}

#[test]
fn marks_say_with_which_totals_a_card_is_used() {
    let fits = |text: &str| {
        let marks = Marks::try_from(text.to_owned()).unwrap();
        (3..=5).filter(|total| marks.fits(*total)).collect::<Vec<_>>()
    };
    assert_eq!(fits("*"), [3, 4, 5], "H-03");
    assert_eq!(fits("4+"), [4, 5], "H-03");
    assert_eq!(fits("3/4"), [3, 4], "H-03");
    assert_eq!(fits("5"), [5], "H-03");
    for wrong in ["", "+", "3/", "x", "10", "0", "3-5"] {
        assert!(Marks::try_from(wrong.to_owned()).is_err(), "{wrong:?}");
    }
}

#[test]
fn ids_are_short_and_plain() {
    assert_eq!(id("S08").to_string(), "S08");
    assert_eq!(id("a-b_c4567890abcd").as_str().len(), 16);
    for wrong in ["", "a b", "12345678901234567", "é", "a@b"] {
        assert!(Id::parse(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn neighbours_go_round() {
    let area = |number: u8| Area::try_from(number).unwrap();
    let adjacent = Area::ALL.into_iter().filter(|other| area(1).is_adjacent(*other)).map(Area::get);
    let remote = Area::ALL.into_iter().filter(|other| area(1).is_remote(*other)).map(Area::get);
    assert_eq!(adjacent.collect::<Vec<_>>(), [2, 5], "H-56");
    assert_eq!(remote.collect::<Vec<_>>(), [3, 4], "H-56");
}

/// All words after these keys in the reference file, at any depth.
fn words(json: &serde_json::Value, keys: &[&str], found: &mut std::collections::BTreeSet<String>) {
    match json {
        serde_json::Value::Array(items) => items.iter().for_each(|item| words(item, keys, found)),
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                if let (true, Some(word)) = (keys.contains(&key.as_str()), value.as_str()) {
                    found.insert(word.to_owned());
                }
                words(value, keys, found);
            }
        }
        _ => {}
    }
}

#[test]
fn the_description_of_the_format_names_every_table_and_word() {
    let format = include_str!("../FORMAT.md");
    let json = super::super::testing::reference_json();
    let mut names: std::collections::BTreeSet<String> = json.as_object().unwrap().keys().cloned().collect();
    words(&json, &["do", "what", "event", "reach", "kind", "size"], &mut names);
    for row in ["stones", "luck", "bonus", "rewards", "hengebot"] {
        names.extend(json[row][0].as_object().unwrap().keys().cloned());
    }
    names.extend(ModKind::ALL.map(|kind| kind.into_str().to_owned()));
    names.extend(Action::ALL.map(|action| action.into_str().to_owned()));
    names.extend(Privilege::ALL.map(|privilege| privilege.into_str().to_owned()));
    let missing: Vec<&String> = names.iter().filter(|name| !format.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
