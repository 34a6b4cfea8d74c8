//! Laws of a game independent of its state: facts, rulebook, boards, signals and options.

use std::collections::HashSet;
use std::fmt::Debug;

use serde_json::{Value, json};

use super::plan::Plan;
use crate::rulebook::headings;
use crate::{Board, Catalogue, Edition, Game, Glossary, MAX_SEATS, Refusal, Rulebook, SeatCount, WireUnion};

pub(super) fn fixed_facts<G: Game>(game: &G) {
    let info = G::INFO;
    assert!(1 <= info.min_seats && info.min_seats <= info.max_seats && info.max_seats <= MAX_SEATS);
    assert!(!info.summary.is_empty() && !info.notation.is_empty() && !info.designer.is_empty());
    assert_unique(info.endings.iter());
    let earlier: Vec<u32> = game.earlier().iter().map(Catalogue::rules_version).collect();
    assert!(earlier.iter().all(|version| *version < info.rules_version), "{earlier:?} are not earlier");
    assert_unique(earlier.iter());
    assert_unique(info.undo_barriers.iter());
    let kinds: Vec<&str> = G::Move::parts().iter().map(|part| part.tag).collect();
    assert!(info.undo_barriers.iter().all(|kind| kinds.contains(kind)), "{:?} of {kinds:?}", info.undo_barriers);
    check_rulebook::<G>(&Rulebook::read(info.rules));
    check_vocabulary(game);
    check_editions(game);
    for board in game.boards() {
        check_board(&board);
    }
}

/// Options that are almost those of the plan are refused by the rules, are malformed, or are as good.
pub(super) fn check_options<G: Game>(plan: &Plan<G>, rulebook: &Rulebook) {
    let wrong = [json!(0), json!(1), json!(99), json!(1 << 20), json!(true), json!(""), json!("b"), json!("hbhbhbh")];
    for options in &plan.options {
        let Value::Object(good) = serde_json::to_value(options).unwrap() else { panic!("options are an object") };
        for (name, value) in good.keys().flat_map(|name| wrong.iter().map(move |value| (name, value))) {
            let mut changed = good.clone();
            changed[name] = value.clone();
            let Ok(changed) = plan.game.options(&Value::Object(changed)) else { continue };
            for count in (1..=MAX_SEATS).filter_map(SeatCount::new) {
                if let Err(refusal) = plan.game.check_options(&changed, count) {
                    check_refusal(rulebook, &refusal);
                }
            }
        }
    }
}

/// A refusal cites what the game has published.
pub fn check_refusal(rulebook: &Rulebook, refusal: &Refusal) {
    assert!(!refusal.detail.is_empty(), "{refusal:?}");
    assert!(refusal.code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_')), "{refusal:?}");
    assert!(rulebook.ids().any(|id| id == refusal.rule), "not in the rules: {refusal:?}");
}

/// The rules are complete in form: title, designer, and headings that can be cited.
fn check_rulebook<G: Game>(rulebook: &Rulebook) {
    let introduction = rulebook.text().split("\n## ").next().unwrap_or_default();
    assert!(introduction.starts_with(&format!("# {}\n", G::INFO.title)), "the rules have another title");
    assert!(introduction.contains(G::INFO.designer), "the rules do not credit {}", G::INFO.designer);
    assert_unique(rulebook.ids());
    for (heading, _) in headings(rulebook.text()) {
        let id = heading.split(' ').next().unwrap_or_default();
        assert!(rulebook.ids().any(|known| known == id), "cannot be cited: {heading}");
    }
    for ruling in rulebook.rulings() {
        assert!(ruling.question.ends_with('?') && !ruling.decision.is_empty(), "{ruling:?}");
        assert_eq!(ruling.id.len(), rulebook.rulings()[0].id.len(), "{ruling:?} is padded otherwise");
    }
}

/// The signals of the catalogue are moves that need no turn.
fn check_vocabulary<G: Game>(game: &G) {
    assert_unique(game.signals().iter().map(|signal| signal.kind));
    for signal in game.signals() {
        let example = game.parse(signal.notation).unwrap();
        assert_eq!(serde_json::to_value(&example).unwrap()["type"], signal.kind);
        assert!(!game.needs_turn(&example) && !signal.meaning.is_empty() && !signal.limit_scope.is_empty());
        for values in signal.values {
            let has_words = values.words.is_empty() == (values.minimum.is_some() && values.maximum.is_some());
            assert!(has_words && values.minimum <= values.maximum && values.fewest <= values.most, "{values:?}");
        }
    }
}

/// New matches have one of the boards, and what has a glossary has a board.
fn check_editions<G: Game>(game: &G) {
    let (glossaries, boards) = (game.glossaries(), game.boards());
    assert_unique(boards.iter().map(|board| (&board.edition, &board.side)));
    let offered = game.board();
    assert!(boards.contains(&offered) && offered.edition.as_ref().is_none_or(|edition| edition.offered));
    if boards.iter().any(|board| board.edition.is_none()) {
        assert_eq!((boards.len(), glossaries.len() <= 1), (1, true), "a board of no edition beside others");
        return;
    }
    for edition in boards.iter().filter_map(|board| board.edition.as_ref()) {
        let digits = edition.digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        assert!(digits && edition.digest.len() == 16, "{edition:?}");
        assert!(!edition.offered || offered.edition.as_ref() == Some(edition), "{edition:?} is offered too");
    }
    for Glossary { name, version, digest, offered, .. } in glossaries {
        let edition = Some(Edition { name, version, digest, offered });
        assert!(boards.iter().any(|board| board.edition == edition), "{edition:?} has a glossary and no board");
    }
}

fn check_board(board: &Board) {
    assert_unique(board.zones.iter().map(|zone| &zone.id));
    assert_unique(board.places.iter().map(|place| &place.id));
    let zones: HashSet<&String> = board.zones.iter().map(|zone| &zone.id).collect();
    let places: HashSet<&String> = board.places.iter().map(|place| &place.id).collect();
    for place in &board.places {
        assert!(zones.contains(&place.zone), "{place:?} is in no zone");
        assert!(place.x.hypot(place.y) <= 1.0 + 1e-9, "{place:?} is off the unit disc");
    }
    let mut pairs = HashSet::new();
    for edge in &board.edges {
        assert!(edge.from != edge.to && places.contains(&edge.from) && places.contains(&edge.to), "{edge:?}");
        assert!(pairs.insert((edge.from.clone().min(edge.to.clone()), edge.from.clone().max(edge.to.clone()))));
    }
}

fn assert_unique<T: std::hash::Hash + Eq + Debug + Clone>(items: impl Iterator<Item = T>) {
    let mut seen = HashSet::new();
    for item in items {
        assert!(seen.insert(item.clone()), "{item:?} occurs twice");
    }
}
