//! The laws that every game keeps: those of the rules layer, and that the erased form says the same as the typed one.
//!
//! A game's tests call [`laws`], in this crate and in others.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a law stops at the first breach; nothing that serves calls one"
)]

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::erased::{AnyGame, AnyMove, AnyState, Erased, GameEvent, ListForm, MoveInput, PlayError, Sitting};
use crate::pictures::{Ask, Picture};
use sarsen_rules::conformance::{self, Plan, seeds, viewers};
use sarsen_rules::{Dice, DiceSeed, Seat, SeatCount, Status, Viewer, WireUnion, play, settle};

/// The number of moves from one comparison of pictures to the next.
const DRAWN_EVERY: usize = 5;

/// Checks them all. One match in ten is also played in the erased form.
///
/// # Panics
/// At the first breach, with what breaks it.
pub fn laws<G: Picture>(plan: &Plan<G>) {
    conformance::laws(plan);
    let any = Erased::of(Arc::clone(&plan.game));
    schemas_are_told_apart(&any);
    malformed_moves_cite_rules(&*plan.game, &any);
    signals_are_read_strictly(&*plan.game, &any);
    rules_show_moves_as_they_are_written::<G>();
    for number in 0..plan.matches.div_ceil(10) {
        erased_agrees(plan, &any, number);
    }
}

fn schemas_are_told_apart<G: Picture>(any: &Erased<G>) {
    for parts in [any.move_parts(), any.event_parts()] {
        let mut tags: Vec<&str> = parts.iter().map(|part| part.tag).collect();
        let mut names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        tags.sort_unstable();
        tags.dedup();
        names.sort_unstable();
        names.dedup();
        assert_eq!((tags.len(), names.len()), (parts.len(), parts.len()), "two parts share a tag or a name");
    }
    assert_eq!((any.view_part().tag, any.options_part().tag), (G::INFO.id, G::INFO.id));
}

/// JSON of a known type that is no move is refused by the rules too.
fn malformed_moves_cite_rules<G: Picture>(game: &G, any: &Erased<G>) {
    for part in any.move_parts() {
        let json = json!({"type": part.tag, "no such property": 1});
        let Err(malformed) = any.read_move(&MoveInput::Json(json.clone())) else { panic!("{json} is a move") };
        let refusal = malformed.refusal.unwrap_or_else(|| panic!("no rule says why {json} is no move"));
        assert_eq!(Some(refusal.rule), game.malformed_rule(&json));
        conformance::check_refusal(any.rulebook(), &refusal);
    }
    for json in [json!({}), json!({"type": 1}), json!({"type": "no such type"})] {
        let malformed = any.read_move(&MoveInput::Json(json.clone())).err();
        assert!(malformed.is_some_and(|malformed| malformed.refusal.is_none()), "{json}");
    }
}

/// Every value that is `given` with one of its texts in another form, that of an object with the text as its only name:
/// so decoders write a choice, and no schema has it.
fn with_a_text_as_an_object(given: &Value) -> Vec<Value> {
    match given {
        Value::String(text) => vec![json!({text: null}), json!({text: {}})],
        Value::Array(items) => {
            let places = items.iter().enumerate();
            let altered = places.flat_map(|(place, item)| {
                with_a_text_as_an_object(item).into_iter().map(move |other| {
                    let mut items = items.clone();
                    items[place] = other;
                    Value::Array(items)
                })
            });
            altered.collect()
        }
        Value::Object(object) => {
            let altered = object.iter().flat_map(|(name, value)| {
                with_a_text_as_an_object(value).into_iter().map(move |other| {
                    let mut object = object.clone();
                    object.insert(name.clone(), other);
                    Value::Object(object)
                })
            });
            altered.collect()
        }
        _ => Vec::new(),
    }
}

fn is_read_strictly<G: Picture>(any: &Erased<G>, mv: &Value) {
    assert!(any.read_move(&MoveInput::Json(mv.clone())).is_ok(), "{mv} is a move");
    for wrong in with_a_text_as_an_object(mv) {
        assert!(any.read_move(&MoveInput::Json(wrong.clone())).is_err(), "{wrong} is no move");
    }
}

/// The code spans of a Markdown text that are JSON objects.
pub(crate) fn json_examples(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|span| span.starts_with('{'))
}

/// Every example of JSON in the rules and in their summary is a move, and the game writes it as it stands there.
fn rules_show_moves_as_they_are_written<G: Picture>() {
    for example in json_examples(G::INFO.rules).chain(json_examples(G::INFO.summary)) {
        let json: Value = serde_json::from_str(example).unwrap_or_else(|error| panic!("{example} is no JSON: {error}"));
        let mv = G::Move::read(&json).unwrap_or_else(|error| panic!("{example} is no move: {error:?}"));
        assert_eq!(raw(&mv), example, "the rules show a move otherwise than the game writes it");
    }
}

/// The moves that no list holds.
fn signals_are_read_strictly<G: Picture>(game: &G, any: &Erased<G>) {
    for signal in game.signals() {
        let mv = game.parse(signal.notation).unwrap();
        is_read_strictly(any, &serde_json::to_value(mv).unwrap());
    }
}

fn options_are_read_strictly<G: Picture>(any: &Erased<G>, options: &Value, count: SeatCount) {
    for wrong in with_a_text_as_an_object(options) {
        assert!(any.options(&wrong, count).is_err(), "{wrong} are no options");
    }
}

fn raw(value: &impl Serialize) -> String {
    to_raw_value(value).unwrap().get().to_owned()
}

fn texts(events: &[GameEvent]) -> Vec<String> {
    events.iter().map(raw).collect()
}

fn erased_agrees<G: Picture>(plan: &Plan<G>, any: &Erased<G>, number: u32) {
    let game = &*plan.game;
    let (options, count) = plan.table(number);
    let (seed, mut choice) = seeds(number);

    let mut dice = Dice::new(seed);
    let (mut state, mut events) = game.setup(options, count, &mut dice);
    settle(game, &mut state, &mut dice, &mut events);

    let mut erased_dice = Dice::new(seed);
    let given = serde_json::to_value(options).unwrap();
    let options = any.options(&given, count).unwrap();
    options_are_read_strictly(any, &given, count);
    let set_up = any.setup(&options, count, &mut erased_dice).unwrap();
    let mut erased = set_up.state;
    assert_eq!(texts(&set_up.events), events.iter().map(raw).collect::<Vec<_>>());

    for turn in 0..=plan.longest {
        erased = any.load(G::INFO.state_version, &erased.store().unwrap()).unwrap();
        assert_eq!(erased.store().unwrap().get(), raw(&state));
        assert_eq!(erased.status(), game.status(&state));
        views_agree(game, &*erased, &state, count);
        if turn.is_multiple_of(DRAWN_EVERY) {
            pictures_agree(game, any, &*erased, &state, count, &mut choice);
        }
        let Status::ToAct(acting) = game.status(&state) else { return };
        lists_agree(game, &*erased, &state, count);

        let seats: Vec<Seat> = acting.iter().collect();
        let seat = seats[choice.index(seats.len()).unwrap()];
        let moves = game.legal_moves(&state, seat).moves;
        let mv = moves[choice.index(moves.len()).unwrap()].clone();
        let read = |form: usize| -> AnyMove {
            let input = match form % 2 {
                0 => MoveInput::Json(serde_json::to_value(&mv).unwrap()),
                _ => MoveInput::Notation(game.notation(&mv)),
            };
            any.read_move(&input).unwrap()
        };
        assert_eq!(read(turn).needs_turn, game.needs_turn(&mv));
        is_read_strictly(any, &serde_json::to_value(&mv).unwrap());

        let mut copy = erased.duplicate();
        let rehearsed = copy.rehearse(seat, read(turn + 1)).unwrap();
        let played = play(game, &mut state, seat, mv.clone(), &mut dice).unwrap();
        let erased_played = erased.play(seat, read(turn), &mut erased_dice).unwrap();
        let events: Vec<String> = played.events.iter().map(raw).collect();
        assert_eq!(texts(&erased_played.events), events);
        assert!(events.iter().zip(texts(&rehearsed.events)).all(|(event, rehearsed)| *event == rehearsed));
        assert_eq!((erased_played.mv.json.get(), &erased_played.mv.notation), (&*raw(&mv), &game.notation(&mv)));
        assert_eq!(erased_dice.position(), dice.position());
        redactions_agree(game, any, &played.events, &erased_played.events, &mv, seat, count);

        // What has just been played is mostly refused now, and then in both forms with the same words.
        if let Err(refusal) = game.check(&state, seat, &mv) {
            let again = erased.duplicate().play(seat, read(turn), &mut erased_dice.clone());
            assert!(matches!(again, Err(PlayError::Refused(same)) if same == refusal));
        }
    }
}

/// A view as serde tags it.
#[derive(Serialize)]
struct TaggedView<'a, V> {
    game: &'static str,
    #[serde(flatten)]
    view: &'a V,
}

fn views_agree<G: Picture>(game: &G, erased: &dyn AnyState, state: &G::State, count: SeatCount) {
    for viewer in viewers(count) {
        let typed = raw(&TaggedView { game: G::INFO.id, view: &game.view(state, viewer) });
        assert_eq!(erased.view(viewer).unwrap().get(), typed);
        let mut behind = b"[1,".to_vec();
        erased.write_view(viewer, &mut behind).unwrap();
        assert_eq!(behind, format!("[1,{typed}").into_bytes());
    }
}

/// Equal views have equal pictures, whatever the state is that they are of: what nobody has shown to a viewer is in no
/// picture for that viewer.
fn pictures_agree<G: Picture>(
    game: &G,
    any: &Erased<G>,
    erased: &dyn AnyState,
    state: &G::State,
    count: SeatCount,
    dice: &mut Dice,
) {
    for viewer in viewers(count) {
        let imagined = game.imagine(&game.view(state, viewer), viewer, dice);
        let imagined = any.load(G::INFO.state_version, &to_raw_value(&imagined).unwrap()).unwrap();
        let legal_of = count.seats().find(|seat| viewer == Viewer::Seat(*seat));
        let drawn = |state: &dyn AnyState| {
            let sitting = Sitting { viewer, legal_of, last_move: None, ended_early: false };
            state.draw(&sitting, Ask { coordinates: true, ..Ask::default() }).unwrap()
        };
        assert!(drawn(erased) == drawn(&*imagined), "{viewer:?} is shown what the view does not tell");
    }
}

fn lists_agree<G: Picture>(game: &G, erased: &dyn AnyState, state: &G::State, count: SeatCount) {
    for seat in count.seats() {
        let legal = game.legal_moves(state, seat);
        let full = erased.legal_moves(seat, ListForm::Full).unwrap();
        let notations = erased.legal_moves(seat, ListForm::Notation).unwrap();
        let listed = |mv: &G::Move| match game.listed(state, seat, mv) {
            Some(listed) => {
                let json = raw(&listed);
                let read = G::Move::read(&serde_json::from_str(&json).unwrap());
                assert_eq!(read.as_ref(), Ok(mv), "{json} is not read as the move that it lists");
                json
            }
            None => raw(mv),
        };
        assert_eq!(full.moves.get(), format!("[{}]", legal.moves.iter().map(listed).collect::<Vec<_>>().join(",")));
        assert_eq!(notations.moves.get(), raw(&legal.moves.iter().map(|mv| game.notation(mv)).collect::<Vec<_>>()));
        assert_eq!((full.count, full.complete), (legal.moves.len(), legal.complete));
        assert!(erased.listed_move(seat, 0).is_ok_and(|mv| erased.accepts(seat, &mv)) || legal.moves.is_empty());
        let mut dice = [0, 0].map(|seed| Dice::new(DiceSeed([seed; 32])));
        let [of_erased, of_typed] = &mut dice;
        let absent = erased.absent_move(seat, of_erased);
        assert_eq!(absent.is_some(), game.absent_move(state, seat, of_typed).is_some());
        assert_eq!(of_erased.position(), of_typed.position());
    }
}

fn redactions_agree<G: Picture>(
    game: &G,
    any: &Erased<G>,
    events: &[G::Event],
    erased: &[GameEvent],
    mv: &G::Move,
    by: Seat,
    count: SeatCount,
) {
    for viewer in viewers(count) {
        for (event, made) in events.iter().zip(erased) {
            let typed = game.redact(event, viewer).map(|seen| raw(&seen));
            for seen in [made.told(viewer), any.redact(&to_raw_value(made).unwrap(), viewer)] {
                assert_eq!(seen.unwrap().map(|seen| seen.get().to_owned()), typed);
            }
        }
        let seen = any.redact_move(&to_raw_value(mv).unwrap(), by, viewer).unwrap();
        assert_eq!(seen.map(|seen| seen.notation), game.redact_move(mv, by, viewer).map(|seen| game.notation(&seen)));
    }
}
