//! Plays and makes the examples that stand in `document/examples`, and holds them against the files.
//!
//! Invariant: an example is an answer of the code that serves: of the games on offer, and of a real match ([`Sample`]) of the
//! first of them that can show the operation. So it agrees with itself and cannot go out of date. Lists of legal moves are
//! cut to two.

mod admin;
mod games;
mod plans;
mod pools;
mod sample;
mod sandbox;
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use test_kit::golden;

use self::sample::{AT, ENTROPY, MOVE_TIME, ROBIN, SORREL, Sample, entropy};
use super::examples::OperationExamples;
use super::openapi;
use super::paths::operations;
use super::problems::problem_body;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::devices::{PairingCodeBody, RecoveryKeyBody, SessionBody, SessionList};
use crate::events::pages::page;
use crate::events::player_events::player_step;
use crate::identities::{IdentityBody, IdentityList};
use crate::matches::body::{invitation, match_page, match_view, move_result};
use crate::matches::brief::MatchFields;
use crate::matches::results::MatchResult;
use crate::matches::review::ReviewBody;
use crate::matches::types::{EventBody, LegalMovesForm};
use crate::my_export::MyExport;
use crate::players::{Me, PlayerBody, SignedInPlayer};
use crate::summary::Summary;
use crate::tickets::StreamTicket;
use sarsen_accounts::auth::AccessToken;
use sarsen_accounts::players::{self, SignedIn, TICKET_SECONDS};
use sarsen_base::ambient::Timestamp;
use sarsen_games::bots::Bots;
use sarsen_games::{AnyGame, GameSettings, Games, MoveJson, OptionsError};
use sarsen_matches::export::verify;
use sarsen_matches::invites::OpenInvite;
use sarsen_matches::model::adjudication::Adjudication;
use sarsen_matches::model::clock::{CreditReason, OnTimeout, TimeoutConsequence};
use sarsen_matches::model::events::AbortReason;
use sarsen_matches::model::log::Action;
use sarsen_matches::model::terms::StartMode;
use sarsen_matches::play::DecisionId;
use sarsen_matches::reviews::review::{Review, ReviewLevel};
use sarsen_matches::reviews::{ReviewState, review_record};
use sarsen_matches::{Refused, ViewedMatch};
use sarsen_rules::{Seat, SeatCount, Verdict};

/// The operations that answer with a picture.
const PICTURES: [&str; 4] = ["getBoardPicture", "getMatchPicture", "getMatchVersionPicture", "getReviewChart"];

impl OperationExamples {
    fn answer(answer: Value) -> OperationExamples {
        OperationExamples::forms(vec![("application/json", answer)])
    }

    fn forms(answers: Vec<(&'static str, Value)>) -> OperationExamples {
        let answers = answers.into_iter().map(|(form, answer)| (form.to_owned(), answer)).collect();
        OperationExamples { answers, ..OperationExamples::default() }
    }

    fn asked(request: Value) -> OperationExamples {
        OperationExamples { request: Some(request), ..OperationExamples::default() }
    }

    fn exchange(request: Value, answer: Value) -> OperationExamples {
        OperationExamples { request: Some(request), ..OperationExamples::answer(answer) }
    }
}

/// The examples of an operation by its id; `None` for one that is not played.
fn of_operation(games: &Games, operation: &str) -> Option<OperationExamples> {
    if let Some(example) = games::of(games).remove(operation) {
        return Some(OperationExamples::forms(vec![example]));
    }
    if PICTURES.contains(&operation) {
        let board = |game: &Arc<dyn AnyGame>| format!("/v1/games/{}/board.svg", game.info().id);
        return Some(OperationExamples { picture: games.iter().next().map(board), ..OperationExamples::default() });
    }
    of_player(operation)
        .or_else(|| of_operator(operation))
        .or_else(|| exchanged(pools::of(games, operation)?))
        .or_else(|| games.iter().find_map(|game| of_sandbox_or_plan(game, operation)))
        .or_else(|| games.iter().find_map(|game| of_match(game, operation)))
}

/// A problem as the rules bring it about, for a code that they decide.
fn of_code(games: &Games, code: Code) -> Option<Problem> {
    games.iter().find_map(|game| of_refusal(game, code)).map(Problem::from)
}

/// The first game that knows a turn limit, or a move from one place to another, shows what is refused of them.
fn of_refusal(game: &Arc<dyn AnyGame>, code: Code) -> Option<Refused> {
    match code {
        Code::InvalidOptions => {
            let count = SeatCount::new(game.info().min_seats)?;
            let refused = game.options(&json!({"turn_limit": 5}), count).err()?;
            matches!(refused, OptionsError::Refused(_)).then(|| Refused::Create(refused.into()))
        }
        Code::IllegalMove => {
            let sample = Sample::playing(game)?;
            // A legal move in reverse: the space where it starts is empty.
            let mut mv = sample.first_move()?;
            let (from, to) = (mv.get("from")?.clone(), mv.get("to")?.clone());
            (mv["from"], mv["to"]) = (to, from);
            sample.with_move(mv)?.err()
        }
        _ => None,
    }
}

fn of_sandbox_or_plan(game: &Arc<dyn AnyGame>, operation: &str) -> Option<OperationExamples> {
    if let Some((request, answer)) = sandbox::of(game, operation) {
        return Some(OperationExamples::exchange(request, answer));
    }
    exchanged(plans::of(game, operation)?)
}

fn exchanged((request, answer): (Option<Value>, Value)) -> Option<OperationExamples> {
    Some(OperationExamples { request, ..OperationExamples::answer(answer) })
}

fn of_match(game: &Arc<dyn AnyGame>, operation: &str) -> Option<OperationExamples> {
    Some(match operation {
        "createMatch" => {
            let sample = Sample::new(game, StartMode::WhenFull)?;
            let request = json!({"game": sample.live.stored.terms.game, "visibility": "public", "seat": 0});
            OperationExamples::exchange(request, view(sample, ROBIN)?)
        }
        "listMatches" => {
            let open = Sample::new(game, StartMode::WhenFull)?.seen_by(SORREL)?;
            OperationExamples::answer(parsed(match_page(&[open], None, MatchFields::Full))?)
        }
        "listResults" => {
            let league = Sample::organised(game)?.moved_on()?.after(ruling()?)?.seen_by(ROBIN)?;
            let line = to_json(&MatchResult::of(&league)?)?;
            OperationExamples::forms(vec![("application/x-ndjson", line)])
        }
        "adjudicateMatch" => {
            let view = view(Sample::organised(game)?.moved_on()?.after(ruling()?)?, ROBIN)?;
            let outcome = json!({"ranks": [1, 2], "verdict": "won"});
            OperationExamples::exchange(json!({"outcome": outcome, "reason": RULED}), view)
        }
        "joinMatch" => {
            let sample = Sample::playing(game)?;
            let guest = sample.player(Seat::new(1)?)?;
            OperationExamples::exchange(json!({"seat": 1, "entropy": ENTROPY}), view(sample, &guest)?)
        }
        "leaveMatch" => {
            answer(Sample::new(game, StartMode::WhenFull)?.after(Action::Leave { seat: Seat::new(0)? })?, ROBIN)?
        }
        "createInvite" | "offerSubstitute" => {
            let _two = Sample::reserved(game, None)?;
            let invite = json!({
                "code": CODE, "url": format!("https://app.example/join/{CODE}"), "seat": 1, "expires_at": SESSION_EXPIRES_AT
            });
            OperationExamples::exchange(json!({"seat": 1}), invite)
        }
        "getInvite" => {
            let viewed = Sample::new(game, StartMode::WhenFull)?.seen_by(SORREL)?;
            let until = Timestamp::from_rfc3339(SESSION_EXPIRES_AT)?;
            OperationExamples::answer(parsed(invitation(&OpenInvite {
                viewed,
                seat: Seat::new(1),
                until: Some(until),
            }))?)
        }
        "joinByInvite" => {
            let sample = Sample::playing(game)?;
            let guest = sample.player(Seat::new(1)?)?;
            OperationExamples::exchange(json!({"entropy": ENTROPY}), view(sample, &guest)?)
        }
        "declineInvitation" => {
            answer(Sample::reserved(game, None)?.after(Action::Decline { seat: Seat::new(1)? })?, SORREL)?
        }
        "removePlayer" => answer(Sample::reserved(game, None)?.after(Action::Kick { seat: Seat::new(1)? })?, ROBIN)?,
        "reserveSeat" => {
            let view = view(Sample::reserved(game, None)?, ROBIN)?;
            OperationExamples::exchange(json!({"player_id": SORREL}), view)
        }
        "forkMatch" => {
            let sample = Sample::forked(game)?;
            let version = sample.live.stored.terms.table.forked_from.as_ref()?.version;
            OperationExamples::exchange(json!({"version": version}), view(sample, ROBIN)?)
        }
        "callRematch" => answer(Sample::reserved(game, Some(BEFORE))?, ROBIN)?,
        "declineRematch" => {
            answer(Sample::reserved(game, Some(BEFORE))?.after(Action::Decline { seat: Seat::new(1)? })?, SORREL)?
        }
        "abortMatch" => answer(Sample::new(game, StartMode::WhenFull)?.after(Action::Abort)?, ROBIN)?,
        "startMatch" => answer(Sample::full(game, StartMode::Manual)?.after(Action::Start)?, ROBIN)?,
        "giveEntropy" => {
            let given = Action::Entropy { seat: Seat::new(0)?, entropy: entropy()? };
            let sample = Sample::new(game, StartMode::WhenFull)?.after(given)?;
            OperationExamples::exchange(json!({"entropy": ENTROPY}), view(sample, ROBIN)?)
        }
        "getMatch" | "getMatchVersion" => {
            let sample = Sample::playing(game)?;
            let mover = sample.player(sample.mover()?)?;
            answer(sample, &mover)?
        }
        "resignMatch" => answer(Sample::playing(game)?.after(Action::Resign { seat: Seat::new(0)? })?, ROBIN)?,
        "claimAbsence" => {
            let sample = Sample::playing(game)?;
            let (absent, by) = (sample.mover()?, sample.other()?);
            let sample = sample.waited(MOVE_TIME).after(Action::Claim { seat: absent, by })?;
            let claimer = sample.player(by)?;
            OperationExamples::exchange(json!({"seat": absent}), view(sample, &claimer)?)
        }
        "giveTime" => {
            let (reason, seats) = (CreditReason::Given, vec![Seat::new(1)?]);
            let given = Action::ClockCredit { seats, milliseconds: 60_000, reason, by: Seat::new(0) };
            OperationExamples::exchange(
                json!({"seat": 1, "seconds": 60}),
                view(Sample::timed(game, None)?.after(given)?, ROBIN)?,
            )
        }
        "comeBack" => {
            let sample = Sample::timed(game, Some(OnTimeout::Bot))?;
            let sample = sample.moved_on()?.moved_on()?;
            let seat = sample.mover()?;
            let player = sample.player(seat)?;
            let late = Action::Timeout { seat, consequence: TimeoutConsequence::Bot };
            answer(sample.waited(300).after(late)?.after(Action::Return { seat })?, &player)?
        }
        "offerDraw" => answer(Sample::draw_offered(game)?, ROBIN)?,
        "acceptDraw" => answer(Sample::draw_offered(game)?.after(Action::AcceptDraw { seat: Seat::new(1)? })?, SORREL)?,
        "declineDraw" => {
            answer(Sample::draw_offered(game)?.after(Action::DeclineDraw { seat: Seat::new(1)? })?, SORREL)?
        }
        "undoMove" | "offerTakeback" | "acceptTakeback" | "declineTakeback" => of_undo(game, operation)?,
        "getMatchAsOperator" => OperationExamples::answer(whole(Sample::playing(game)?)?),
        "abortMatchAsOperator" => {
            let called_off = Action::CallOff { reason: AbortReason::Operator };
            let request = json!({"reason": "the players asked for it"});
            OperationExamples::exchange(request, whole(Sample::playing(game)?.after(called_off)?)?)
        }
        "exportMatch" => OperationExamples::answer(to_json(&Sample::finished(game)?.record()?)?),
        "makeMove" => {
            let sample = Sample::playing(game)?;
            let seat = sample.mover()?;
            let decision = DecisionId { version: sample.live.decision(seat)?.version, seat }.to_string();
            let moved = sample.moved()?;
            let request = json!({"decision_id": decision, "move": moved.mv.json});
            OperationExamples::exchange(request, cut(parsed(move_result(&moved, LegalMovesForm::Full.into(), false))?))
        }
        "getHint" => {
            let MoveJson { json: mv, notation } = Sample::playing(game)?.moved()?.mv;
            let hint = json!({
                "move": mv, "notation": notation, "reason": null, "score": 6120, "standard_error": 85, "line": [],
                "alternatives": [], "version": 3
            });
            OperationExamples::exchange(json!({"level": "medium"}), hint)
        }
        "orderReview" => {
            let (request, state) = (json!({"level": "medium"}), ReviewState::Underway(Review::default()));
            OperationExamples::exchange(request, review(&Sample::finished(game)?.seen_by(ROBIN)?, &state)?)
        }
        "getReview" => {
            let sample = Sample::finished(game)?;
            let (review_of, _) = review_record(
                &standard(),
                &Bots::standard(GameSettings::default()),
                &Sample::finished(game)?.record()?,
                ReviewLevel::Medium,
            )
            .ok()?;
            OperationExamples::answer(review(&sample.seen_by(ROBIN)?, &ReviewState::Done(review_of))?)
        }
        "listMatchEvents" => {
            let moved = Sample::playing(game)?.moved()?;
            let event = EventBody::of(moved.events.first()?, None).ok()?;
            let (event, id) = (to_json(&event)?, event.id);
            follow(event, &id.to_string())?
        }
        "streamMatch" => {
            let moved = Sample::playing(game)?.moved()?;
            streamed(to_json(&EventBody::of(moved.events.first()?, None).ok()?)?)
        }
        "streamMyEvents" => {
            let event = Sample::playing(game)?.told(17)?;
            streamed(parsed(player_step(&event, None, None))?)
        }
        "listMyEvents" => {
            // The other player gets the event.
            let event = Sample::playing(game)?.told(17)?;
            follow(parsed(player_step(&event, None, None))?, &event.number.to_string())?
        }
        _ => return None,
    })
}

/// The reason of an organiser.
const RULED: &str = "seat 1 did not appear for round 3";

/// An organiser's ruling for seat 0 of two.
fn ruling() -> Option<Action> {
    let ruling = Adjudication { ranks: vec![1, 2], verdict: Verdict::Won };
    Some(Action::Adjudicate { ruling: Some(ruling), reason: RULED.to_owned() })
}

/// In the first game whose first moves can be undone: the one who made them undoes the last, or asks for it back.
fn of_undo(game: &Arc<dyn AnyGame>, operation: &str) -> Option<OperationExamples> {
    if operation == "undoMove" {
        let (moves, seat, back) = (1..=UNDONE_AFTER).find_map(|moves| {
            let sample = Sample::after_moves(game, moves)?;
            let seat = sample.mover()?;
            Some((moves, seat, sample.live.free_undo(seat)?.to_version))
        })?;
        let then = Sample::after_moves(game, moves - 1).filter(|then| then.live.stored.version == back)?;
        let undo = Action::Undo { seat, to_version: back };
        let undone = Sample::after_moves(game, moves)?.after_going_back(undo, &then)?;
        let player = undone.player(seat)?;
        return Some(OperationExamples::exchange(json!({"to_version": back}), view(undone, &player)?));
    }
    let before = Sample::playing(game)?;
    let (by, to_version) = (before.mover()?, before.live.stored.version);
    let offered = Sample::after_moves(game, 1)?.after(Action::OfferTakeback { seat: by, to_version })?;
    let seat = offered.live.seat_count().seats().find(|seat| *seat != by)?;
    let (after, player) = match operation {
        "offerTakeback" => {
            let player = offered.player(by)?;
            return Some(OperationExamples::exchange(json!({"to_version": to_version}), view(offered, &player)?));
        }
        "acceptTakeback" => (offered.after_going_back(Action::AcceptTakeback { seat }, &before)?, seat),
        _ => (offered.after(Action::DeclineTakeback { seat })?, seat),
    };
    let player = after.player(player)?;
    answer(after, &player)
}

/// Within this number of moves there is one that can be undone.
const UNDONE_AFTER: usize = 20;

const ACCESS_TOKEN: &str = "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.e30.c2lnbmF0dXJl";
/// The code of an invite.
const CODE: &str = "7k2mq9xw4tbz";
/// A match that another one follows.
const BEFORE: &str = "m_0190163d8694739ea2a3c9f1e7d1a110";
/// A player who sits nowhere.
const NOBODY: &str = "p_0190163d8694739ea2a3c9f1e7d1a999";
const REFRESH_TOKEN: &str = "r_0190163d8694739ea2a3c9f1e7d1a333_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const SESSION: &str = "s_0190163d8694739ea2a3c9f1e7d1a333";
const USED_AT: &str = "2026-11-22T13:00:00.000Z";
const PAIRING_CODE: &str = "K7QD3-MPX2A";
const RECOVERY_KEY: &str = "9J2TX-0VHQ8-M6KRB-4ZC1W-S7PDE-3NYGA";
const OUTSIDE_TOKEN: &str = "eyJhbGciOiJFUzI1NiIsImtpZCI6ImExIn0.e30.c2lnbmF0dXJl";
const IDENTITY: &str = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c";
const SESSION_EXPIRES_AT: &str = "2026-12-20T18:30:00.123Z";

fn of_player(operation: &str) -> Option<OperationExamples> {
    Some(match operation {
        "createPlayer" => OperationExamples::exchange(json!({"name": "Robin"}), signed_in()?),
        "refreshTokens" => OperationExamples::exchange(json!({"refresh_token": REFRESH_TOKEN}), signed_in()?),
        "revokeTokens" => OperationExamples::asked(json!({"scope": "all_sessions"})),
        "getMe" => OperationExamples::answer(to_json(&Me {
            player: rowan()?.into(),
            session_id: SESSION.parse().ok(),
            token_id: None,
        })?),
        "getSummary" => OperationExamples::answer(to_json(&Summary { my_turn: 3, invites: 1, open: 2 })?),
        "getPlayer" => OperationExamples::answer(to_json(&PlayerBody::from(rowan()?))?),
        "changeName" => OperationExamples::exchange(json!({"name": "Robin"}), to_json(&PlayerBody::from(rowan()?))?),
        "exportMe" => {
            let session = session()?;
            let match_ids = vec!["m_0190163d8694739ea2a3c9f1e7d1a111".parse().ok()?];
            OperationExamples::answer(to_json(&MyExport {
                player: rowan()?.into(),
                sessions: vec![session],
                identities: vec![identity()],
                recovery_key_created_at: None,
                tokens: Vec::new(),
                bots: Vec::new(),
                webhooks: Vec::new(),
                push_subscriptions: Vec::new(),
                contact_ids: Vec::new(),
                blocked_ids: Vec::new(),
                reports: Vec::new(),
                tickets: Vec::new(),
                ratings: Vec::new(),
                results: Vec::new(),
                match_ids,
            })?)
        }
        "createPairingCode" => {
            let made = PairingCodeBody { code: PAIRING_CODE.to_owned(), expires_at: AT.to_owned() };
            OperationExamples::exchange(json!({"expires_in_seconds": 300}), to_json(&made)?)
        }
        "pairDevice" => OperationExamples::exchange(json!({"code": PAIRING_CODE, "device": "Phone"}), signed_in()?),
        "createRecoveryKey" => {
            OperationExamples::answer(to_json(&RecoveryKeyBody { recovery_key: RECOVERY_KEY.to_owned() })?)
        }
        "recoverPlayer" => {
            OperationExamples::exchange(json!({"recovery_key": RECOVERY_KEY, "device": "Phone"}), signed_in()?)
        }
        "listSessions" => {
            OperationExamples::answer(to_json(&SessionList { items: vec![session()?], next_cursor: None })?)
        }
        "exchangeToken" => {
            let request = json!({"issuer": "acme", "token": OUTSIDE_TOKEN, "device": "Phone"});
            OperationExamples::exchange(request, signed_in()?)
        }
        "listIdentities" => {
            OperationExamples::answer(to_json(&IdentityList { items: vec![identity()], next_cursor: None })?)
        }
        "linkIdentity" => {
            OperationExamples::exchange(json!({"issuer": "acme", "token": OUTSIDE_TOKEN}), to_json(&identity())?)
        }
        "getIdentity" => OperationExamples::answer(to_json(&identity())?),
        "createStreamTicket" => {
            let ticket = "t_kq3v9cZx2dQe0n1S4mB7rg".to_owned();
            OperationExamples::answer(to_json(&StreamTicket { ticket, expires_in_seconds: TICKET_SECONDS })?)
        }
        _ => return None,
    })
}

fn session() -> Option<SessionBody> {
    Some(SessionBody {
        id: SESSION.parse().ok()?,
        device: Some("Phone".to_owned()),
        created_at: AT.to_owned(),
        last_used_at: USED_AT.to_owned(),
        current: true,
    })
}

fn identity() -> IdentityBody {
    IdentityBody { id: IDENTITY.to_owned(), issuer: "acme".to_owned(), linked_at: AT.to_owned() }
}

fn of_operator(operation: &str) -> Option<OperationExamples> {
    let (request, answer) = admin::of(operation)?;
    let answers = answer.into_iter().map(|answer| ("application/json", answer)).collect();
    Some(OperationExamples { request, ..OperationExamples::forms(answers) })
}

fn rowan() -> Option<players::Player> {
    let created_at = Timestamp::from_rfc3339(AT)?;
    Some(players::Player::person(ROBIN.parse().ok()?, "Robin".parse().ok()?, created_at))
}

fn signed_in() -> Option<Value> {
    let player = rowan()?;
    let expires_at = player.created_at.plus_seconds(900);
    let access_token = AccessToken { token: ACCESS_TOKEN.to_owned(), expires_at, expires_in_seconds: 900 };
    to_json(&SignedInPlayer::from(SignedIn {
        player,
        access_token,
        refresh_token: REFRESH_TOKEN.parse().ok()?,
        session_expires_at: Timestamp::from_rfc3339(SESSION_EXPIRES_AT)?,
    }))
}

/// The data of one event of a stream.
fn streamed(event: Value) -> OperationExamples {
    OperationExamples::forms(vec![("text/event-stream", event)])
}

/// One event in the forms of a feed.
fn follow(event: Value, id: &str) -> Option<OperationExamples> {
    let cursor = format!("{id}.5f0c9a7be2d41386");
    let page = parsed(page(event.to_string().as_bytes(), Some(&cursor), false))?;
    let forms = [("application/json", page), ("application/x-ndjson", event)];
    Some(OperationExamples::forms(forms.into()))
}

/// The body of a review, with two judged decisions at most.
fn review(viewed: &ViewedMatch, state: &ReviewState) -> Option<Value> {
    let mut body = parsed(ReviewBody::of(viewed, ReviewLevel::Medium, Some(4), state))?;
    body.get_mut("items")?.as_array_mut()?.truncate(2);
    Some(body)
}

fn view(sample: Sample, player: &str) -> Option<Value> {
    Some(cut(parsed(match_view(&sample.seen_by(player)?, LegalMovesForm::Full.into()))?))
}

/// The match as an operator sees it: whose seat is nobody's, and to whom everything is shown.
fn whole(sample: Sample) -> Option<Value> {
    parsed(match_view(&sample.seen_by(NOBODY)?.whole(), LegalMovesForm::None.into()))
}

fn answer(sample: Sample, player: &str) -> Option<OperationExamples> {
    Some(OperationExamples::answer(view(sample, player)?))
}

fn parsed(body: Result<Vec<u8>, Problem>) -> Option<Value> {
    serde_json::from_slice(&body.ok()?).ok()
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

fn standard() -> Games {
    Games::standard(GameSettings::default())
}
