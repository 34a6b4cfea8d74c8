//! Hand-written answers equal the serde form of the documented structs.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::body::{Extent, match_page, match_step, match_view, move_result, view_properties};
use super::brief::{BriefMatch, MatchFields};
use super::list::MatchPageBody;
use super::types::{
    AnswerForms, Decision, EventBody, LastMove, LegalMovesBody, LegalMovesForm, Match, MatchStep, MatchView, MoveResult,
};
use crate::answer::moment::Moment;
use crate::events::player_events::{PlayerEvent, PlayerStep, player_step};
use sarsen_accounts::player_status::{KnownStatuses, PlayerStatus};
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::{AnyGame, GameSettings, Games, ListForm, MoveInput};
use sarsen_matches::Stamp;
use sarsen_matches::feed::cursor::EventCursor;
use sarsen_matches::feed::follow::MyEvent;
use sarsen_matches::feed::redacted::{EventId, RedactedEvent};
use sarsen_matches::model::events::StoredEvent;
use sarsen_matches::model::fairness::ServerSeed;
use sarsen_matches::model::log::{Action, LogEntry};
use sarsen_matches::model::table_terms::{ReservedSeat, TableTerms};
use sarsen_matches::model::terms::{Creation, Seated, StartMode, Terms, Visibility};
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::play::{DecisionId, Moved, moved};
use sarsen_matches::table::live_match::LiveMatch;
use sarsen_matches::{Reader, Refused, ViewedMatch};
use sarsen_rules::{Dice, DiceSeed, Prompt, Seat, SeatCount, Viewer};

const FORMS: [AnswerForms; 5] = [
    AnswerForms { legal_moves: LegalMovesForm::Full, text: false },
    AnswerForms { legal_moves: LegalMovesForm::Notation, text: false },
    AnswerForms { legal_moves: LegalMovesForm::None, text: false },
    AnswerForms { legal_moves: LegalMovesForm::Full, text: true },
    AnswerForms { legal_moves: LegalMovesForm::None, text: true },
];
const AT: Timestamp = Timestamp(1_800_000_000_123);

/// A private match and those who are shown under other names.
struct Table {
    people: Vec<Seated>,
    statuses: KnownStatuses,
    live: Arc<LiveMatch>,
}

impl Table {
    /// An open match of as many seats as the game can have, with its creator on the first.
    fn of(game: &Arc<dyn AnyGame>) -> Table {
        let ambient = Ambient::fixed(AT.0, 3);
        let seats = SeatCount::new(game.info().max_seats).unwrap();
        let names = ["Ann \"the\" Oak", "Ben", "Cat", "Dan", "Eve"].into_iter().take(usize::from(seats.get()));
        let people: Vec<Seated> =
            names.map(|name| Seated::person(PlayerId::generate(&ambient), name.to_owned())).collect();
        let terms = Terms {
            game: game.info().id.to_owned(),
            rules_version: game.info().rules_version,
            options: game.options(&serde_json::Value::Null, seats).unwrap(),
            visibility: Visibility::Private,
            invite: Some("abcdefghijkl".to_owned()),
            start: StartMode::WhenFull,
            move_time_seconds: Some(60),
            expires_in_seconds: Some(3600),
            bots: Vec::new(),
            hints: None,
            undo: None,
            table: TableTerms {
                reserved: people
                    .get(1)
                    .map(|player| ReservedSeat { seat: Seat::new(1).unwrap(), player: player.clone() })
                    .into_iter()
                    .collect(),
                ..TableTerms::default()
            },
            clock: None,
            rated: false,
        };
        let creation = Creation {
            terms: Arc::new(terms),
            seats,
            seat: Seat::new(0),
            creator: Some(people[0].clone()),
            paired: Vec::new(),
            position: None,
        };
        let (id, seed) = (MatchId::generate(&ambient), ServerSeed::generate(&ambient));
        let (live, _) = LiveMatch::create(Arc::clone(game), id, seed, creation, AT).unwrap();
        Table { people, statuses: KnownStatuses::default(), live: Arc::new(live) }
    }

    /// A step on a copy of the match, which has what its original keeps.
    fn step<T>(&mut self, take: impl FnOnce(&mut LiveMatch) -> Result<T, Refused>) -> T {
        let mut live = self.live.duplicate();
        let taken = take(&mut live).unwrap();
        self.live = Arc::new(live);
        self.is_written_as_documented();
        taken
    }

    fn act(&mut self, action: Action) {
        self.step(|live| live.take_step(action, AT.plus_seconds(100)));
    }

    fn seen_by(&self, reader: &Reader) -> ViewedMatch {
        Arc::clone(&self.live).seen_by(reader, &self.statuses)
    }

    fn is_written_as_documented(&self) {
        let mut readers = vec![Reader::default()];
        readers.extend(self.people.iter().map(|person| Reader::player(person.id.clone())));
        let mut all: Vec<ViewedMatch> = readers.iter().map(|reader| self.seen_by(reader)).collect();
        all.push(self.seen_by(&Reader::default()).whole());
        for viewed in &all {
            for forms in FORMS {
                same(&match_view(viewed, forms).unwrap(), &MatchView::of(viewed, forms).unwrap());
            }
            for forms in FORMS {
                for decision in [None, Some(forms.legal_moves)] {
                    is_shown_beside_events(viewed, Extent { decision, text: forms.text });
                }
            }
        }
        let items = all.iter().map(Match::of).collect();
        let full = MatchPageBody { items, brief: None, next_cursor: None };
        same(&match_page(&all, None, MatchFields::Full).unwrap(), &full);
        let brief = all.iter().map(|viewed| BriefMatch::of(viewed).unwrap()).collect();
        let brief = MatchPageBody { items: Vec::new(), brief: Some(brief), next_cursor: None };
        same(&match_page(&all, None, MatchFields::Brief).unwrap(), &brief);
    }

    /// A move of whoever is first to act, drawn at random; false if nobody is.
    fn play(&mut self, dice: &mut Dice) -> bool {
        let Some(seat) = self.live.to_act().iter().next() else { return false };
        let listed = self.live.state().unwrap().legal_moves(seat, ListForm::Notation).unwrap();
        let moves: Vec<String> = serde_json::from_str(listed.moves.get()).unwrap();
        let mv = MoveInput::Notation(moves[dice.index(moves.len()).unwrap()].clone());
        let reader = Reader::player(self.live.stored.seats[seat.index()].player.clone().unwrap().id);

        let mut tried = self.live.duplicate();
        let read = tried.game.read_move(&mv).unwrap();
        let (entry, _) = tried.rehearse(seat, read, AT.plus_seconds(200)).unwrap();
        let tried = moved(Arc::new(tried).seen_by(&reader, &self.statuses), seat, &entry).unwrap();
        let read = self.live.game.read_move(&mv).unwrap();
        let entry = self.step(|live| live.play(seat, read, AT.plus_seconds(200)));
        self.is_told_as_it_is_read(&entry);
        let made = moved(self.seen_by(&reader), seat, &entry).unwrap();
        for (moved, dry_run) in [(tried, true), (made, false)] {
            for forms in FORMS {
                let documented = MoveResult::of(&moved, forms, dry_run).unwrap();
                same(&move_result(&moved, forms, dry_run).unwrap(), &documented);
            }
        }
        true
    }

    /// Asserts that every viewer is told the same of an event that was just made as of the one in the log.
    fn is_told_as_it_is_read(&self, entry: &LogEntry) {
        for event in &entry.events {
            let StoredEvent::Game(made) = event else { continue };
            let whole = to_raw_value(made).unwrap();
            let seats = self.live.seat_count().seats();
            for viewer in seats.map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Omniscient]) {
                let read = self.live.game.redact(&whole, viewer).unwrap().map(|json| json.to_string());
                assert_eq!(made.told(viewer).unwrap().map(|json| json.to_string()), read, "{viewer:?}");
            }
        }
    }

    /// From now on somebody is shown under another name.
    fn rename(&self, person: usize, name: &str) {
        let mut status = PlayerStatus::default();
        status.name = Some(name.to_owned());
        self.statuses.insert(self.people[person].id.clone(), person as u64 + 1, status);
    }
}

/// A record of a step with so much of the match, in the log of the match and in that of a player.
fn is_shown_beside_events(viewed: &ViewedMatch, extent: Extent) {
    let version = viewed.live.stored.version;
    let next = EventCursor { id: EventId { version, index: 1 }, stamp: Some(viewed.live.stamp) };
    let event = to_raw_value(&serde_json::json!({"type": "draw_offered", "seat": 0})).unwrap();
    let told = RedactedEvent {
        id: EventId { version, index: 0 },
        at: AT,
        stamp: Stamp::from_number(7),
        last: true,
        event,
        effect: None,
        deadlines: None,
    };
    let forms = AnswerForms { legal_moves: extent.decision.unwrap_or_default(), text: extent.text };
    let narrator = MatchNarrator::if_asked(extent.text, &viewed.live);
    let narrator = narrator.as_ref();
    let view = view_properties(viewed, extent).unwrap();

    let MatchView { r#match, state, last_move, undo, takeback, decision } = MatchView::of(viewed, forms).unwrap();
    let (events, decision) = (vec![EventBody::of(&told, narrator).unwrap()], extent.decision.map(|_| decision));
    assert_eq!(events[0].text.as_deref(), extent.text.then_some("Seat 0 offers a draw."));
    let documented = MatchStep {
        server_time: None,
        cursor: next.to_string(),
        version,
        events,
        r#match,
        state,
        last_move,
        undo,
        takeback,
        decision,
    };
    same(&match_step(next, version, std::slice::from_ref(&told), narrator, &view).unwrap(), &documented);

    let stored = &viewed.live.stored;
    let (match_id, game) = (stored.id.clone(), stored.terms.game.clone());
    let events = vec![told.clone()];
    let mine =
        MyEvent { number: 17, match_id, stamp: Stamp::from_number(7), game, version, at: AT, your_turn: true, events };
    let step = || PlayerStep {
        server_time: None,
        id: "17".to_owned(),
        match_id: &mine.match_id,
        game: &mine.game,
        version,
        at: Moment(AT),
        your_turn: true,
        events: vec![EventBody::of(&mine.events[0], narrator).unwrap()],
        r#match: None,
        state: None,
        last_move: None,
        undo: None,
        takeback: None,
        decision: None,
    };
    same(&player_step(&mine, narrator, None).unwrap(), &PlayerEvent::Step(Box::new(step())));
    let MatchStep { r#match, state, last_move, undo, takeback, decision, .. } = documented;
    let shown = PlayerStep {
        r#match: Some(r#match),
        state: Some(state),
        last_move: Some(last_move),
        undo: Some(undo),
        takeback: Some(takeback),
        decision,
        ..step()
    };
    same(&player_step(&mine, narrator, Some(&view)).unwrap(), &PlayerEvent::Step(Box::new(shown)));
}

fn same(written: &[u8], documented: &impl Serialize) {
    assert_eq!(std::str::from_utf8(written).unwrap(), serde_json::to_string(documented).unwrap());
}

#[test]
fn every_answer_of_every_game_is_written_as_documented() {
    for game in Games::standard(GameSettings::default()).iter() {
        let mut table = Table::of(game);
        table.is_written_as_documented();
        for seat in table.live.seat_count().seats().skip(1) {
            let player = table.people[seat.index()].clone();
            let entropy = serde_json::from_str("\"oak\"").unwrap();
            table.act(Action::Join { seat, player, entropy: Some(entropy) });
        }
        let mut dice = Dice::new(DiceSeed([7; 32]));
        let mut moves = 0;
        while moves < 40 && table.play(&mut dice) {
            moves += 1;
            if moves == 5 {
                table.rename(0, "Somebody else");
                table.is_written_as_documented();
            }
        }
        assert!(moves > 5, "{}: only {moves} moves", game.info().id);
        if game.info().draws {
            table.act(Action::OfferDraw { seat: Seat::new(1).unwrap() });
        }
        if !table.live.stored.stage.is_over() {
            table.act(Action::Resign { seat: Seat::new(0).unwrap() });
        }
    }
}

impl Decision {
    fn of(viewed: &ViewedMatch, forms: AnswerForms) -> Result<Option<Decision>, Refused> {
        let form = forms.legal_moves;
        let Some(seat) = viewed.seat() else { return Ok(None) };
        let (Some(open), Some(state)) = (viewed.live.asks_player(seat), viewed.live.state()) else { return Ok(None) };
        let listed = match form {
            LegalMovesForm::None => None,
            LegalMovesForm::Full => Some(state.legal_moves(seat, ListForm::Full)?),
            LegalMovesForm::Notation => Some(state.legal_moves(seat, ListForm::Notation)?),
        };
        let legal_moves = listed.map(|listed| {
            let (moves, notations) = match form {
                LegalMovesForm::Notation => (None, Some(listed.moves)),
                LegalMovesForm::Full | LegalMovesForm::None => (Some(listed.moves), None),
            };
            let texts = forms.text.then(|| {
                let mut texts = Vec::new();
                state.list(seat).write_texts(&viewed.live.stored.terms.options, &mut texts).unwrap();
                RawValue::from_string(String::from_utf8(texts).unwrap()).unwrap()
            });
            LegalMovesBody { complete: listed.complete, count: listed.count, moves, notations, texts }
        });
        let id = DecisionId { version: open.version, seat }.to_string();
        let Prompt { kind, text, source } = state.prompt(seat);
        Ok(Some(Decision { id, seat, opened_at: Moment(open.at), kind, text, source, legal_moves }))
    }
}

/// The state as the reader may see it, if the match has one.
fn state(viewed: &ViewedMatch) -> Result<Option<Box<RawValue>>, Refused> {
    let mut view = Vec::new();
    viewed.live.write_view(viewed.viewer, &mut view)?;
    let view = String::from_utf8(view).ok().filter(|view| view != "null");
    Ok(view.and_then(|view| RawValue::from_string(view).ok()))
}

impl<'a> MatchView<'a> {
    /// The match as its reader may see it.
    fn of(viewed: &'a ViewedMatch, forms: AnswerForms) -> Result<MatchView<'a>, Refused> {
        Ok(MatchView {
            r#match: Match::of(viewed),
            state: state(viewed)?,
            last_move: LastMove::of(viewed, forms)?,
            undo: viewed.free_undo(),
            takeback: viewed.live.takeback().cloned(),
            decision: Decision::of(viewed, forms)?,
        })
    }
}

impl<'a> MoveResult<'a> {
    /// The answer to a move.
    fn of(moved: &'a Moved, forms: AnswerForms, dry_run: bool) -> Result<MoveResult<'a>, Refused> {
        let view = MatchView::of(&moved.viewed, forms)?;
        let narrator = MatchNarrator::if_asked(forms.text, &moved.viewed.live);
        let said = narrator.as_ref().map(|narrator| narrator.made(&moved.mv.json, moved.effect()));
        Ok(MoveResult {
            version: view.r#match.version,
            r#move: &moved.mv.json,
            notation: &moved.mv.notation,
            text: said.transpose()?,
            events: moved.events.iter().map(|told| EventBody::of(told, narrator.as_ref())).collect::<Result<_, _>>()?,
            to_act: view.r#match.to_act.clone(),
            r#match: view.r#match,
            state: view.state,
            last_move: view.last_move,
            undo: view.undo,
            takeback: view.takeback,
            decision: view.decision,
            dry_run,
            chance_pending: moved.chance_pending,
        })
    }
}
