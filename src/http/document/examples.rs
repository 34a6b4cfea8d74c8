//! The examples of the operations on players, matches and events.
//!
//! Invariant: what they say of a match comes from a real one, played on a table of its own with a fixed seed and clock,
//! so that it agrees with itself and cannot go out of date. Lists of legal moves are cut to two.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::ambient::Timestamp;
use crate::games::{GameSettings, Games, ListForm, MoveInput};
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::events::feed::PlayerEvent;
use crate::http::matches::{Event, LegalMovesForm, Match, MatchView, MoveResult};
use crate::ids::{MatchId, PlayerId};
use crate::matches::events::{self, ToldEvent};
use crate::matches::export::{EXPORT_FORMAT, ExportAction, ExportStep, MatchExport};
use crate::matches::fairness::{SeatEntropy, ServerSeed};
use crate::matches::live_match::LiveMatch;
use crate::matches::play::{DecisionId, Moved};
use crate::matches::read::MyEvent;
use crate::matches::stored::{Action, LogEntry, Seated, StartMode, Terms, Visibility};
use crate::matches::{Refused, ViewedMatch};
use crate::rules::{Seat, SeatCount, Viewer};

const MATCH: &str = "m_0190163d8694739ea2a3c9f1e7d1a111";
const ROWAN: &str = "p_0190163d8694739ea2a3c9f1e7d1a222";
const SORREL: &str = "p_0190163d8694739ea2a3c9f1e7d1a444";
const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
const ENTROPY: &str = "oak, ash and thorn";
const AT: &str = "2026-11-20T18:30:00.123Z";
/// Seconds for a decision.
const MOVE_TIME: u32 = 259_200;

/// The examples of one operation.
#[derive(Default)]
pub struct Examples {
    /// Its request.
    pub request: Option<Value>,
    /// Its answers of success, by content type.
    pub answers: Vec<(&'static str, Value)>,
}

impl Examples {
    fn answer(answer: Value) -> Examples {
        Examples { request: None, answers: vec![("application/json", answer)] }
    }

    fn exchange(request: Value, answer: Value) -> Examples {
        Examples { request: Some(request), ..Examples::answer(answer) }
    }
}

/// The examples of an operation by its id; none for one that has its own.
pub fn examples(operation: &str) -> Examples {
    match operation {
        "createPlayer" => Examples::exchange(json!({"name": "Rowan"}), signed_in()),
        "refreshTokens" => Examples::exchange(json!({"refresh_token": REFRESH_TOKEN}), signed_in()),
        "revokeTokens" => Examples { request: Some(json!({"scope": "all_sessions"})), answers: vec![] },
        "getMe" => Examples::answer(json!({"player": player(), "session_id": "s_0190163d8694739ea2a3c9f1e7d1a333"})),
        "getPlayer" => Examples::answer(player()),
        "createStreamTicket" => {
            Examples::answer(json!({"ticket": "t_kq3v9cZx2dQe0n1S4mB7rg", "expires_in_seconds": 60}))
        }
        // Null where a game does not play along; the tests see to it that none is.
        _ => of_match(operation).unwrap_or_default(),
    }
}

fn of_match(operation: &str) -> Option<Examples> {
    Some(match operation {
        "createMatch" => {
            let sample = Sample::new(StartMode::WhenFull)?;
            let request = json!({"game": sample.live.stored.terms.game, "visibility": "public", "seat": 0});
            Examples::exchange(request, sample.view(ROWAN)?)
        }
        "listMatches" => {
            let open = Sample::new(StartMode::WhenFull)?.seen_by(SORREL);
            Examples::answer(json!({"items": [Match::of(&open)], "next_cursor": null}))
        }
        "joinMatch" => {
            let request = json!({"seat": 1, "entropy": ENTROPY});
            Examples::exchange(request, Sample::playing()?.view(SORREL)?)
        }
        "leaveMatch" => {
            Sample::new(StartMode::WhenFull)?.after(Action::Leave { seat: Seat::new(0)? })?.answer(ROWAN)?
        }
        "abortMatch" => Sample::new(StartMode::WhenFull)?.after(Action::Abort)?.answer(ROWAN)?,
        "startMatch" => Sample::full(StartMode::Manual)?.after(Action::Start)?.answer(ROWAN)?,
        "giveEntropy" => {
            let given = Action::Entropy { seat: Seat::new(0)?, entropy: entropy()? };
            let sample = Sample::new(StartMode::WhenFull)?.after(given)?;
            Examples::exchange(json!({"entropy": ENTROPY}), sample.view(ROWAN)?)
        }
        "getMatch" | "getMatchVersion" => {
            let sample = Sample::playing()?;
            let mover = sample.player(sample.mover()?)?;
            sample.answer(&mover)?
        }
        "resignMatch" => Sample::playing()?.after(Action::Resign { seat: Seat::new(0)? })?.answer(ROWAN)?,
        "claimAbsence" => {
            let mut sample = Sample::playing()?;
            let absent = sample.mover()?;
            let by = sample.waiting()?;
            sample.now = sample.now.plus_seconds(MOVE_TIME);
            let sample = sample.after(Action::Claim { seat: absent, by })?;
            let claimer = sample.player(by)?;
            Examples::exchange(json!({"seat": absent}), sample.view(&claimer)?)
        }
        "offerDraw" => Sample::draw_offered()?.answer(ROWAN)?,
        "acceptDraw" => Sample::draw_offered()?.after(Action::AcceptDraw { seat: Seat::new(1)? })?.answer(SORREL)?,
        "declineDraw" => Sample::draw_offered()?.after(Action::DeclineDraw { seat: Seat::new(1)? })?.answer(SORREL)?,
        "exportMatch" => Examples::answer(to_json(&record()?)?),
        "makeMove" => {
            let sample = Sample::playing()?;
            let seat = sample.mover()?;
            let decision = DecisionId { version: sample.live.decision(seat)?.version, seat }.to_string();
            let moved = sample.moved()?.ok()?;
            let request = json!({"decision_id": decision, "move": moved.mv.json});
            Examples::exchange(request, cut(to_json(&MoveResult::of(&moved, LegalMovesForm::Full, false).ok()?)?))
        }
        "listMatchEvents" => {
            let moved = Sample::playing()?.moved()?.ok()?;
            let event = moved.events.first().map(Event::from)?;
            follow(to_json(&event)?, &event.id)
        }
        "listMyEvents" => {
            let moved = Sample::playing()?.moved()?.ok()?;
            let record = &moved.viewed.live.stored;
            // The other player is told.
            let told = MyEvent {
                number: 17,
                match_id: record.id.clone(),
                game: record.terms.game.clone(),
                version: record.version,
                at: record.updated_at,
                your_turn: true,
                events: moved.events,
            };
            let event = PlayerEvent::from(&told);
            follow(to_json(&event)?, &event.id)
        }
        _ => return None,
    })
}

/// A problem as the rules bring it about, for a code that they decide.
pub fn problem(code: Code) -> Option<Problem> {
    let refused = match code {
        Code::InvalidOptions => {
            let games = Games::standard(GameSettings::default());
            let game = games.iter().next()?;
            let count = SeatCount::new(game.info().min_seats)?;
            Refused::Options(game.options(&json!({"turn_limit": 5}), count).err()?)
        }
        Code::IllegalMove => {
            let sample = Sample::playing()?;
            // A legal move the other way round: nothing stands where it would start.
            let mut mv = sample.first_move()?;
            let (from, to) = (mv["from"].take(), mv["to"].take());
            (mv["from"], mv["to"]) = (to, from);
            sample.with_move(mv)?.err()?
        }
        _ => return None,
    };
    Some(refused.into())
}

const REFRESH_TOKEN: &str = "r_s_0190163d8694739ea2a3c9f1e7d1a333_kq3v9cZx2dQe0n1S4mB7rg";

fn player() -> Value {
    json!({"id": ROWAN, "name": "Rowan", "created_at": AT})
}

fn signed_in() -> Value {
    json!({
        "player": player(), "access_token": "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.e30.c2lnbmF0dXJl",
        "access_token_expires_in_seconds": 900, "refresh_token": REFRESH_TOKEN,
        "session_expires_at": "2026-12-20T18:30:00.123Z"
    })
}

fn follow(event: Value, id: &str) -> Examples {
    let sse = json!({"id": id, "data": event.to_string()});
    let page = json!({"items": [event], "next_cursor": null});
    let forms = [("application/json", page), ("text/event-stream", sse), ("application/x-ndjson", event)];
    Examples { request: None, answers: forms.into() }
}

fn to_json(of: &impl Serialize) -> Option<Value> {
    serde_json::to_value(of).ok()
}

/// Lists two legal moves at most, and says so.
fn cut(mut view: Value) -> Value {
    if let Some(legal) = view.pointer_mut("/decision/legal_moves").and_then(Value::as_object_mut) {
        let moves = legal.get_mut("moves").and_then(Value::as_array_mut);
        if let Some(moves) = moves.filter(|moves| moves.len() > 2) {
            moves.truncate(2);
            legal.insert("count".to_owned(), json!(2));
            legal.insert("complete".to_owned(), json!(false));
        }
    }
    view
}

fn entropy() -> Option<SeatEntropy> {
    serde_json::from_value(json!(ENTROPY)).ok()
}

fn seated(id: &str, name: &str) -> Option<Seated> {
    Some(Seated { id: id.parse::<PlayerId>().ok()?, name: name.to_owned() })
}

/// The record of a short match.
fn record() -> Option<MatchExport> {
    let sample = Sample::playing()?;
    let (seat, mv) = (sample.mover()?, serde_json::value::to_raw_value(&sample.first_move()?).ok()?);
    let sample = sample.after(Action::Move { seat, mv })?.after(Action::Resign { seat: Seat::new(0)? })?;
    let record = &sample.live.stored;
    Some(MatchExport {
        format: EXPORT_FORMAT.to_owned(),
        match_id: record.id.clone(),
        game: record.terms.game.clone(),
        rules_version: record.terms.rules_version,
        options: serde_json::from_str(record.terms.options.get()).ok()?,
        seats: sample.live.seat_count().get(),
        created_by: record.creator.clone(),
        start: record.terms.start,
        move_time_seconds: record.terms.move_time_seconds,
        seed: record.seed.reveal(),
        commitment: record.seed.commitment(&record.id),
        steps: sample.log.iter().map(|entry| step(&sample.live, entry)).collect::<Option<_>>()?,
        outcome: record.outcome.clone()?,
    })
}

fn step(live: &LiveMatch, entry: &LogEntry) -> Option<ExportStep> {
    let told = events::tell(&*live.game, entry, Viewer::Omniscient).ok()?;
    let (action, seat, mv) = match &entry.action {
        Action::Create { seat, .. } => (ExportAction::Create, *seat, None),
        Action::Join { seat, .. } => (ExportAction::Join, Some(*seat), None),
        Action::Move { seat, mv } => (ExportAction::Move, Some(*seat), Some(serde_json::from_str(mv.get()).ok()?)),
        Action::Resign { seat } => (ExportAction::Resign, Some(*seat), None),
        _ => return None,
    };
    let (player, entropy) = match &entry.action {
        Action::Join { player, entropy, .. } => (Some(player.clone()), entropy.clone()),
        _ => (None, None),
    };
    Some(ExportStep {
        version: entry.version,
        at: entry.at.rfc3339(),
        action,
        seat,
        player,
        entropy,
        mv,
        claimed_by: None,
        events: told.iter().map(|told| serde_json::from_str(told.event.get()).ok()).collect::<Option<_>>()?,
    })
}

/// A match of the first game, made by Rowan, and all that happened in it.
struct Sample {
    live: LiveMatch,
    log: Vec<LogEntry>,
    now: Timestamp,
}

impl Sample {
    /// Rowan has made the match and waits on seat 0.
    fn new(start: StartMode) -> Option<Sample> {
        let games = Games::standard(GameSettings::default());
        let game = games.iter().next()?;
        let count = SeatCount::new(game.info().min_seats)?;
        let terms = Terms {
            game: game.info().id.to_owned(),
            rules_version: game.info().rules_version,
            options: game.options(&Value::Null, count).ok()?,
            visibility: Visibility::Public,
            invite: None,
            start,
            move_time_seconds: Some(MOVE_TIME),
        };
        let creator = seated(ROWAN, "Rowan")?;
        let action = Action::Create { terms, seats: count.get(), seat: Seat::new(0), creator };
        let now = Timestamp::from_rfc3339(AT)?;
        let id: MatchId = MATCH.parse().ok()?;
        let (live, entry) = LiveMatch::create(&games, id, ServerSeed::from_revealed(SEED)?, action, now).ok()?;
        Some(Sample { live, log: vec![entry], now })
    }

    /// Sorrel has joined too, and given entropy.
    fn full(start: StartMode) -> Option<Sample> {
        let player = seated(SORREL, "Sorrel")?;
        Sample::new(start)?.after(Action::Join { seat: Seat::new(1)?, player, entropy: entropy() })
    }

    /// The match has begun.
    fn playing() -> Option<Sample> {
        Sample::full(StartMode::WhenFull)
    }

    fn draw_offered() -> Option<Sample> {
        Sample::playing()?.after(Action::OfferDraw { seat: Seat::new(0)? })
    }

    /// The match after one more step, a minute later.
    fn after(mut self, action: Action) -> Option<Sample> {
        self.now = self.now.plus_seconds(60);
        self.log.push(self.live.take_step(action, self.now).ok()?);
        Some(self)
    }

    /// The seat that is to act.
    fn mover(&self) -> Option<Seat> {
        self.live.to_act().iter().next()
    }

    /// A seat that is not.
    fn waiting(&self) -> Option<Seat> {
        self.live.seat_count().seats().find(|seat| !self.live.to_act().contains(*seat))
    }

    fn player(&self, seat: Seat) -> Option<String> {
        let player = self.live.stored.seats.get(seat.index())?.player.as_ref()?;
        Some(player.id.as_str().to_owned())
    }

    fn seen_by(self, player: &str) -> ViewedMatch {
        let seat = player.parse().ok().and_then(|player| self.live.seat_of(&player));
        let insider = seat.is_some() || player == ROWAN;
        ViewedMatch { viewer: seat.map_or(Viewer::Spectator, Viewer::Seat), insider, live: Arc::new(self.live) }
    }

    fn view(self, player: &str) -> Option<Value> {
        Some(cut(to_json(&MatchView::of(&self.seen_by(player), LegalMovesForm::Full).ok()?)?))
    }

    fn answer(self, player: &str) -> Option<Examples> {
        Some(Examples::answer(self.view(player)?))
    }

    /// The first legal move of the seat that is to act.
    fn first_move(&self) -> Option<Value> {
        let listed = self.live.state()?.legal_moves(self.mover()?, ListForm::Full).ok()?;
        serde_json::from_str::<Vec<Value>>(listed.moves.get()).ok()?.into_iter().next()
    }

    /// What comes of that move, as its maker is told.
    fn moved(self) -> Option<Result<Moved, Refused>> {
        let mv = self.first_move()?;
        self.with_move(mv)
    }

    fn with_move(mut self, mv: Value) -> Option<Result<Moved, Refused>> {
        let seat = self.mover()?;
        let mv = self.live.game.read_move(&MoveInput::Json(mv)).ok()?;
        self.now = self.now.plus_seconds(60);
        let entry = match self.live.play(seat, mv, self.now) {
            Ok(entry) => entry,
            Err(refused) => return Some(Err(refused)),
        };
        let Action::Move { mv, .. } = &entry.action else { return None };
        let mv = self.live.game.redact_move(mv, seat, Viewer::Seat(seat)).ok()??;
        let events: Vec<ToldEvent> = events::tell(&*self.live.game, &entry, Viewer::Seat(seat)).ok()?;
        let player = self.player(seat)?;
        Some(Ok(Moved { viewed: self.seen_by(&player), mv, events, replayed: false, chance_pending: false }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::export::verify;

    fn answer(operation: &str) -> Value {
        of_match(operation).unwrap().answers.remove(0).1
    }

    #[test]
    fn the_examples_show_what_the_operations_do() {
        let viewed = |operation, pointer: &str| answer(operation).pointer(pointer).unwrap().clone();
        assert_eq!(viewed("createMatch", "/match/status"), "open");
        assert_eq!(viewed("startMatch", "/match/status"), "playing");
        assert_eq!(viewed("abortMatch", "/match/status"), "aborted");
        assert_eq!(viewed("leaveMatch", "/match/seats/0/player"), Value::Null);
        assert_eq!(viewed("giveEntropy", "/match/seats/0/entropy_given"), true);
        assert_eq!(viewed("joinMatch", "/match/your_seat"), 1);
        assert_eq!(viewed("resignMatch", "/match/outcome/ending"), "resignation");
        assert_eq!(viewed("claimAbsence", "/match/outcome/ending"), "abandoned");
        assert_eq!(viewed("offerDraw", "/match/draw_agreed_by"), json!([0]));
        assert_eq!(viewed("acceptDraw", "/match/outcome/ending"), "draw_agreed");
        assert_eq!(viewed("declineDraw", "/match/draw_agreed_by"), json!([]));
        assert_eq!(viewed("getMatch", "/decision/legal_moves/moves").as_array().unwrap().len(), 2);
        assert_eq!(viewed("listMatches", "/items/0/status"), "open");
        assert_eq!(viewed("listMyEvents", "/items/0/your_turn"), true);
    }

    #[test]
    fn the_example_of_a_move_agrees_with_itself() {
        let example = of_match("makeMove").unwrap();
        let (request, answer) = (example.request.unwrap(), &example.answers[0].1);
        assert_eq!(request["move"], answer["move"]);
        assert_eq!((&answer["version"], &answer["to_act"]), (&answer["match"]["version"], &answer["match"]["to_act"]));
        assert_eq!(answer["events"][0]["event"]["move"], request["move"]);
    }

    #[test]
    fn the_example_of_a_record_can_be_verified() {
        verify(&Games::standard(GameSettings::default()), &record().unwrap()).unwrap();
    }

    #[test]
    fn the_examples_of_refusals_are_the_rules_own() {
        let illegal = problem(Code::IllegalMove).unwrap();
        assert_eq!((illegal.code(), illegal.body().reason.as_deref()), (Code::IllegalMove, Some("empty_space")));
        let options = problem(Code::InvalidOptions).unwrap();
        assert_eq!((options.code(), options.body().rule.as_deref()), (Code::InvalidOptions, Some("CO-15")));
    }
}
