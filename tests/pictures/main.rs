//! The pictures of every game, in whole matches: what they are made of, what they hold, how large they are, and the ones
//! that the README shows.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod matches;
mod shown;

use std::collections::BTreeSet;

use matches::Table;
use roxmltree::{Document, Node};
use sarsen::games::{AnyGame, GameSettings, Games, ListForm, Sitting};
use sarsen::pictures::{Ask, DrawnPart, Layout, Svg, Theme};
use sarsen::rules::{Board, Status, Viewer};
use serde_json::Value;

/// The most that a picture may be, in bytes.
const LARGEST: usize = 200_000;

const SCRIPT: &str = "</text></svg><script>alert(1)</script>\" onload='x' &\u{7}<!--";

fn games() -> Games {
    Games::standard(GameSettings::default())
}

fn ask() -> Ask {
    Ask { coordinates: true, names: vec![Some(SCRIPT.to_owned()); 5], ..Ask::default() }
}

fn all<'a>(document: &'a Document<'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(Node::is_element)
}

/// The spaces of a picture, each checked to be named as the contract says.
fn spaces(svg: &Svg) -> BTreeSet<String> {
    let document = Document::parse(svg.as_str()).unwrap();
    let mut ids = BTreeSet::new();
    for space in all(&document).filter(|node| node.has_attribute("data-space")) {
        let id = space.attribute("data-space").unwrap();
        assert_eq!(space.attribute("id"), Some(&*format!("space-{id}")));
        assert!(ids.insert(id.to_owned()), "{id} is drawn twice");
    }
    ids
}

/// Checks the bounds and rules that every picture keeps.
fn check(svg: &Svg, boards: &[Board]) {
    assert!(svg.as_str().len() <= LARGEST, "{} bytes", svg.as_str().len());
    let document = Document::parse(svg.as_str()).unwrap();
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
    assert!(root.has_attribute("viewBox") && !root.has_attribute("width") && !root.has_attribute("height"));
    let words: Vec<&str> = root.children().take(2).map(|node| node.tag_name().name()).collect();
    assert_eq!(words, ["title", "desc"]);
    const DRAWN: &[&str] = &["svg", "title", "desc", "style", "g", "path", "rect", "circle", "text"];
    const SAID: &[&str] = &[
        "viewBox",
        "role",
        "class",
        "id",
        "data-space",
        "data-card",
        "transform",
        "d",
        "x",
        "y",
        "rx",
        "width",
        "height",
        "cx",
        "cy",
        "r",
    ];
    let mut ids = BTreeSet::new();
    for node in all(&document) {
        assert!(DRAWN.contains(&node.tag_name().name()), "{:?}", node.tag_name());
        for attribute in node.attributes() {
            assert!(SAID.contains(&attribute.name()), "{attribute:?}");
        }
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "two elements have the id {id}");
        }
        if node.attribute("class") == Some("piece") && !node.has_attribute("data-card") {
            let title = node.first_element_child().filter(|first| first.tag_name().name() == "title");
            assert!(title.is_some_and(|title| title.text().is_some_and(|text| !text.is_empty())), "{node:?}");
        }
    }
    for outside in ["url(", "@import", "http:", "https:"] {
        let own = svg.as_str().replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(outside), "a picture refers to {outside}");
    }
    let drawn = spaces(svg);
    let has_all = |board: &Board| drawn.iter().all(|id| board.places.iter().any(|place| place.id == *id));
    assert!(boards.iter().any(has_all), "a space that the board does not have");
}

fn in_matches(mut each: impl FnMut(&Table<'_>)) {
    for game in games().iter() {
        let info = game.info();
        for seats in [info.min_seats, info.max_seats] {
            let mut table = Table::new(&**game, &Value::Null, seats, 7);
            each(&table);
            for moves in 0.. {
                if !table.step() {
                    break;
                }
                if moves % 23 == 0 {
                    each(&table);
                }
            }
            each(&table);
        }
    }
}

#[test]
fn every_picture_of_whole_matches_is_sound() {
    in_matches(|table| {
        for viewer in table.viewers() {
            check(&table.drawn(viewer, ask()), &table.game.boards());
            let narrow = Ask { layout: Layout::Narrow, ..ask() };
            check(&table.drawn(viewer, narrow), &table.game.boards());
        }
    });
}

#[test]
fn every_place_of_an_empty_board_is_a_space() {
    for game in games().iter() {
        for board in game.boards() {
            let svg = game.draw_empty(&board, &ask()).unwrap();
            check(&svg, std::slice::from_ref(&board));
            let places: BTreeSet<String> = board.places.iter().map(|place| place.id.clone()).collect();
            assert_eq!(spaces(&svg), places, "{}", game.info().id);
        }
    }
}

#[test]
fn the_parts_show_what_the_whole_shows_and_none_of_them_all() {
    for game in games().iter() {
        let table = Table::new(&**game, &Value::Null, game.info().max_seats, 7).steps(3);
        for layout in [Layout::Wide, Layout::Narrow] {
            let drawn = |part| table.drawn(Viewer::Spectator, Ask { layout, part, ..ask() });
            let whole = drawn(None);
            let parts = [DrawnPart::Board, DrawnPart::Tracks].map(|part| spaces(&drawn(Some(part))));
            assert_eq!(&parts[0] | &parts[1], spaces(&whole), "{}", game.info().id);
            assert!(parts[0].is_disjoint(&parts[1]));
            assert!(
                spaces(&drawn(Some(DrawnPart::Hand))).is_empty() && spaces(&drawn(Some(DrawnPart::Mats))).is_empty()
            );
            for part in [DrawnPart::Board, DrawnPart::Hand, DrawnPart::Mats, DrawnPart::Tracks] {
                let svg = drawn(Some(part));
                check(&svg, &table.game.boards());
                assert!(svg.as_str().len() < whole.as_str().len(), "{part:?} of {}", game.info().id);
            }
        }
    }
}

/// The spaces that are marked as legal.
fn marked(svg: &Svg) -> BTreeSet<String> {
    let document = Document::parse(svg.as_str()).unwrap();
    let legal = |node: &Node<'_, '_>| node.children().any(|child| child.attribute("class") == Some("legal"));
    let marked = all(&document).filter(legal).filter_map(|node| node.attribute("data-space"));
    marked.map(str::to_owned).collect()
}

#[test]
fn movable_pieces_are_marked_first_and_targets_of_the_chosen_one_then() {
    let games = games();
    let game: &dyn AnyGame = &**games.newest("contiguity").unwrap();
    let table = Table::new(game, &Value::Null, 2, 1);
    let Status::ToAct(acting) = table.state.status() else { panic!("it is over") };
    let seat = acting.iter().next().unwrap();
    let moves = table.state.legal_moves(seat, ListForm::Notation).unwrap().moves;
    let moves: Vec<String> = serde_json::from_str(moves.get()).unwrap();
    let ends: Vec<(&str, &str)> = moves.iter().map(|mv| mv.split_once('-').unwrap()).collect();
    let drawn = |from: Option<&str>| {
        let from = from.map(str::to_owned);
        table.drawn(Viewer::Seat(seat), Ask { from, ..Ask::default() })
    };
    assert_eq!(marked(&drawn(None)), ends.iter().map(|(from, _)| (*from).to_owned()).collect());
    for (chosen, _) in &ends {
        let targets = ends.iter().filter(|(from, _)| from == chosen).map(|(_, to)| (*to).to_owned());
        let svg = drawn(Some(chosen));
        assert_eq!(marked(&svg), targets.collect(), "{chosen}");
        assert_eq!(svg.as_str().matches("class=\"lit\"").count(), 1);
    }
    assert!(marked(&drawn(Some("15d"))).is_empty(), "nothing of the player's stands there");
}

#[test]
fn a_board_shows_only_what_its_game_uses() {
    let svg = games().newest("contiguity").unwrap().draw_empty(&games().newest("contiguity").unwrap().board(), &ask());
    let svg = svg.unwrap();
    assert_eq!(spaces(&svg).len(), 120);
    assert!(spaces(&svg).iter().all(|id| id.ends_with(['a', 'b', 'c', 'd'])));
    assert!(!svg.as_str().contains("class=\"strip-") && !svg.as_str().contains("class=\"solid\""));
}

#[test]
fn the_theme_and_whose_side_is_down_are_as_asked() {
    let games = games();
    let game: &dyn AnyGame = &**games.newest("contiguity").unwrap();
    let table = Table::new(game, &Value::Null, 2, 1);
    let drawn = |theme, seat: u8| {
        let ask = Ask { theme, seat: sarsen::rules::Seat::new(seat), ..Ask::default() };
        table.drawn(Viewer::Spectator, ask).into_text()
    };
    assert!(drawn(Theme::Dark, 0).contains("class=\"sarsen dark\""));
    assert!(drawn(Theme::Auto, 0).contains("prefers-color-scheme:dark"));
    assert_eq!(drawn(Theme::Light, 0), drawn(Theme::Light, 0));
    assert_ne!(drawn(Theme::Light, 0), drawn(Theme::Light, 1));
}

#[test]
fn what_is_not_there_cannot_be_pointed_out() {
    for game in games().iter() {
        let table = Table::new(&**game, &Value::Null, game.info().max_seats, 1);
        let sitting = Sitting { viewer: Viewer::Spectator, legal_of: None, last_move: None, ended_early: false };
        let asked = |id: &str| Ask { highlight: [id.to_owned()].into(), ..Ask::default() };
        let board = game.board();
        for id in ["99z", "", SCRIPT] {
            assert!(table.state.draw(&sitting, asked(id)).is_err(), "{id}");
            assert!(game.draw_empty(&board, &asked(id)).is_err(), "{id}");
        }
        for place in &board.places {
            assert!(game.draw_empty(&board, &asked(&place.id)).unwrap().as_str().contains("class=\"lit\""));
        }
    }
}

/// The texts of a picture, with those that name its pieces.
fn written(svg: &Svg) -> Vec<String> {
    let document = Document::parse(svg.as_str()).unwrap();
    let texts = all(&document).filter(|node| ["text", "title"].contains(&node.tag_name().name()));
    texts.filter_map(|node| node.text().map(str::to_owned)).collect()
}

/// A match of this game as soon as what the spectator sees is `wanted`.
fn as_soon_as<'a>(game: &'a dyn AnyGame, seats: u8, wanted: impl Fn(&Value) -> bool) -> (Table<'a>, Value) {
    (1..100)
        .find_map(|seed| {
            let mut table = Table::new(game, &Value::Null, seats, seed);
            loop {
                let view = table.state.view(Viewer::Spectator).unwrap();
                let view = serde_json::from_str(view.get()).unwrap();
                if wanted(&view) {
                    return Some((table, view));
                }
                if !table.step() {
                    return None;
                }
            }
        })
        .unwrap()
}

#[test]
fn thief_names_its_numbers_the_start_and_the_spaces_that_figures_cover() {
    let games = games();
    let game: &dyn AnyGame = &**games.newest("thief_of_the_sacred_fire").unwrap();
    let (table, view) = as_soon_as(game, 1, |view| !view["fire"].is_null() && !view["thief"].is_null());
    let druids = view["druids"].as_array().unwrap();
    for layout in [Layout::Wide, Layout::Narrow] {
        let written = written(&table.drawn(Viewer::Spectator, Ask { layout, ..Ask::default() }));
        let has = |text: &str| assert!(written.iter().any(|it| it == text), "{text:?} in {written:?}");
        has("alertness");
        has(&format!("start {}", view["thief"]["start"].as_str().unwrap()));
        for druid in druids {
            let (name, alertness) = (druid["druid"].as_str().unwrap(), &druid["alertness"]);
            has(&format!("alertness of the {name} druid: {alertness}"));
            has(&alertness.to_string());
            let at = druid["at"].as_str().unwrap();
            let names = [at.to_owned(), format!("{at}, fire"), format!("start {at}")];
            assert!(written.iter().any(|it| names.contains(it)), "{at} in {written:?}");
        }
    }
    assert_eq!(druids.len(), 5);
    // What lies under a figure is named.
    let (table, view) = as_soon_as(game, 1, |view| {
        let (thief, at) = (&view["thief"], &view["fire"]["trilithon"]);
        let mut figures = view["druids"].as_array().unwrap().iter().chain([thief]);
        thief["has_fire"] == false && figures.any(|figure| figure["at"] == *at) && thief["start"] != *at
    });
    let written = written(&table.drawn(Viewer::Spectator, Ask::default()));
    let named = format!("{}, fire", view["fire"]["trilithon"].as_str().unwrap());
    assert!(written.contains(&named), "{named} in {written:?}");
}

#[test]
fn the_backs_of_luck_and_end_of_game_cards_differ() {
    let games = games();
    let game: &dyn AnyGame = &**games.newest("henge").unwrap();
    let has_both = |view: &Value| {
        let mats = view["players"].as_array().unwrap().iter().map(|player| &player["mat"]);
        let holds = |what: &str| mats.clone().any(|mat| mat[what].as_u64().is_some_and(|count| count > 0));
        holds("hand_count") && holds("end_of_game_count")
    };
    let (table, _) = as_soon_as(game, 2, has_both);
    let written = written(&table.drawn(Viewer::Spectator, Ask::default()));
    for text in ["Luck card, face down", "Luck", "End card, face down", "End"] {
        assert!(written.iter().any(|it| it == text), "{text:?} in {written:?}");
    }
}

#[test]
fn a_narrow_picture_has_no_ids_however_it_is_asked_for() {
    for game in games().iter() {
        let table = Table::new(&**game, &Value::Null, game.info().max_seats, 7).steps(3);
        let drawn = |coordinates, layout| {
            table.drawn(Viewer::Spectator, Ask { coordinates, layout, ..Ask::default() }).into_text()
        };
        assert_eq!(drawn(true, Layout::Narrow), drawn(false, Layout::Narrow), "{}", game.info().id);
        assert_ne!(drawn(true, Layout::Wide), drawn(false, Layout::Wide), "{}", game.info().id);
    }
}

#[test]
fn no_area_is_called_like_a_guest() {
    let script = include_str!("../../src/http/playground/playground.js");
    let (_, names) = script.split_once("const NAMES = [").unwrap();
    let names: Vec<&str> = names.split_once(']').unwrap().0.split(", ").map(|name| name.trim_matches('\'')).collect();
    assert_eq!(names.len(), 5);
    let readme = include_str!("../../README.md").split("$(guest ").skip(1);
    let names: Vec<&str> = names.into_iter().chain(readme.map(|rest| rest.split_once(')').unwrap().0)).collect();
    assert_eq!(names[5..], ["Robin", "Hazel"]);
    for game in games().iter() {
        let written = written(&game.draw_empty(&game.board(), &ask()).unwrap());
        let table = Table::new(&**game, &Value::Null, game.info().max_seats, 7);
        let more = self::written(&table.drawn(Viewer::Spectator, Ask::default()));
        for text in written.iter().chain(&more) {
            assert!(!text.split_whitespace().any(|word| names.contains(&word)), "{text:?} in {}", game.info().id);
        }
    }
}
