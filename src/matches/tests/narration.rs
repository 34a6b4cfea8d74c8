//! Narration of a match: a whole match of each game as its seat 0 and a spectator hear it. Nobody is told in words what
//! is not shown.

use std::sync::Arc;

use test_kit::golden;

use super::super::narration::MatchNarrator;
use super::*;
use crate::feed::redacted::tell;
use sarsen_games::AnyGame;

/// A match of the game with its fewest seats, all taken, and the entries of its steps so far.
fn table(game: &Arc<dyn AnyGame>, ambient: &Ambient) -> (LiveMatch, Vec<LogEntry>) {
    use crate::model::fairness::ServerSeed;
    use crate::model::log::Action;
    use crate::model::terms::Creation;
    let seats = SeatCount::new(game.info().min_seats).unwrap();
    let people: Vec<Seated> = ["Ann", "Ben", "Cat"]
        .into_iter()
        .take(usize::from(seats.get()))
        .map(|name| Seated::person(PlayerId::generate(ambient), name.to_owned()))
        .collect();
    let terms = super::leaf_records::terms(game.info().id, seats.get(), Value::Null);
    let at = Timestamp(1_800_000_000_000);
    let creation = Creation {
        terms: Arc::new(terms),
        seats,
        seat: Seat::new(0),
        creator: Some(people[0].clone()),
        paired: Vec::new(),
        position: None,
    };
    let (id, seed) = (MatchId::generate(ambient), ServerSeed::generate(ambient));
    let (mut live, entry) = LiveMatch::create(Arc::clone(game), id, seed, creation, at).unwrap();
    let mut entries = vec![entry];
    for seat in seats.seats().skip(1) {
        let player = people[seat.index()].clone();
        entries.push(live.take_step(Action::Join { seat, player, entropy: None }, at).unwrap());
    }
    (live, entries)
}

/// The narration of a step as the viewer hears it, a line for each event.
fn heard(live: &LiveMatch, entry: &LogEntry, viewer: Viewer) -> Vec<String> {
    let narrator = MatchNarrator::of(live);
    let told = tell(&*live.game, entry, viewer).unwrap();
    told.iter().map(|told| narrator.event(told).unwrap()).collect()
}

/// Issue 31.22.
#[test]
fn whoever_has_run_out_of_time_is_told_of_with_what_follows() {
    let game = Arc::clone(Games::standard(GameSettings::default()).newest("contiguity").unwrap());
    let (live, entries) = table(&game, &Ambient::fixed(1_800_000_000_000, 9));
    let mut told = tell(&*game, &entries[0], Viewer::Spectator).unwrap().remove(0);
    for (consequence, then) in [
        ("forfeit", "it loses the match"),
        ("bot", "a bot takes over"),
        ("absent_move", "a move is drawn for it"),
        ("no_start", "the match is called off"),
    ] {
        let event = json!({"type": "clock_expired", "seat": 1, "consequence": consequence});
        told.event = serde_json::value::to_raw_value(&event).unwrap();
        let said = MatchNarrator::of(&live).event(&told).unwrap();
        assert_eq!(said, format!("Seat 1 has run out of time: {then}."));
    }
}

#[test]
fn a_match_of_each_game_golden() {
    for game in Games::standard(GameSettings::default()).iter() {
        let ambient = Ambient::fixed(1_800_000_000_000, 9);
        let (mut live, entries) = table(game, &ambient);
        let mut text = String::new();
        let mut hear = |live: &LiveMatch, entry: &LogEntry| {
            let (own, open) = (heard(live, entry, Viewer::Seat(seat(0))), heard(live, entry, Viewer::Spectator));
            assert_eq!(own.len(), open.len());
            for (own, open) in own.into_iter().zip(open) {
                text.push_str(&open);
                if own != open {
                    text.push_str(&format!("\n  Seat 0 hears: {own}"));
                }
                text.push('\n');
            }
        };
        entries.iter().for_each(|entry| hear(&live, entry));
        let mut dice = Dice::new(DiceSeed([8; 32]));
        while let Some(seat) = live.to_act().first() {
            let moves = legal(&live, seat);
            let mv =
                live.game.read_move(&MoveInput::Notation(moves[dice.index(moves.len()).unwrap()].clone())).unwrap();
            let entry = live.play(seat, mv, Timestamp(1_800_000_000_000)).unwrap();
            hear(&live, &entry);
        }
        // Issue 31.22: what was chosen is said, not which number it has.
        assert!(!text.contains("Choose alternative"), "{text}");
        golden::compare("narration", game.info().id, &text);
    }
}

/// No text says more than the JSON beside it: both are of the redacted event. Cards that are hidden from a spectator are
/// named by neither.
#[test]
fn a_spectator_hears_no_hidden_card() {
    let games = Games::standard(GameSettings::default());
    let game = games.newest("absolution").unwrap();
    let (live, entries) = table(game, &Ambient::fixed(1_800_000_000_000, 9));
    let start = entries.last().unwrap();
    let open = heard(&live, start, Viewer::Spectator).join("\n");
    let own = heard(&live, start, Viewer::Seat(seat(0))).join("\n");
    assert!(open.contains("Seat 0 is dealt 9 cards.") && open.contains("Seat 1 is dealt 9 cards."), "{open}");
    assert!(own.contains("Seat 0 is dealt 9 cards: ") && own.contains("Seat 1 is dealt 9 cards."), "{own}");
}
