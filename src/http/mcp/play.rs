//! The tools of a match that is played.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::agent::Agent;
use super::answer::{Refusal, Told};
use super::catalogue::section_of;
use super::moves::LegalMoves;
use super::names::cut_at;
use super::position::Position;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::extract::params::Within;
use crate::matches::moves::NOTATION_MAX;
use crate::matches::read::Poll;
use sarsen_base::ids::MatchId;
use sarsen_games::MoveInput;
use sarsen_games::bots::Level;
use sarsen_matches::hints::HINT_WAIT;
use sarsen_matches::play::{DecisionId, MoveRequest};
use sarsen_matches::{Refused, Unread, ViewedMatch};
use sarsen_rules::{Outcome, Seat, Viewer};

/// The longest wait for a turn, in seconds.
const WAIT_MAX: u32 = 25;
/// The highest number of a move.
const CHOICE_MAX: u32 = 10_000;
/// The most of a section that a refusal quotes, in characters.
pub(super) const RULE_MAX: usize = 600;

/// A match.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentMatchName)]
pub(super) struct MatchName {
    /// The id of the match.
    #[schema(value_type = String)]
    match_id: MatchId,
}

/// A look at a match.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentLook)]
pub(super) struct Look {
    /// The id of the match.
    #[schema(value_type = String)]
    match_id: MatchId,
    /// As which of the caller's seats, where the caller holds several; left out, the one that has a decision to make.
    #[serde(default)]
    as_seat: Option<Seat>,
    /// Lists only legal moves of this kind: those whose notation begins so.
    #[serde(default)]
    #[schema(max_length = 1000)]
    kind: Option<String>,
}

/// Shows a match.
pub(super) async fn get_match(agent: &Agent, look: Look) -> Result<Position, Refusal> {
    let kind = look.kind.unwrap_or_default();
    let reader = agent.reader_to_act(&look.match_id, look.as_seat).await;
    Ok(Position::read(agent, &reader, &look.match_id, &kind).await?)
}

/// A wait for the caller's turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentWaitWish)]
pub(super) struct WaitWish {
    /// The id of the match.
    #[schema(value_type = String)]
    match_id: MatchId,
    /// The longest time to wait, in seconds; 25 if left out.
    #[serde(default)]
    #[schema(value_type = Option<u32>, maximum = 25)]
    seconds: Option<Within<0, WAIT_MAX>>,
}

/// Waits for the caller's turn.
pub(super) async fn wait_for_turn(agent: &Agent, wish: WaitWish) -> Result<Position, Refusal> {
    let Agent { service, request, deadline, caller, .. } = agent;
    let wait = Duration::from_secs(wish.seconds.map_or(WAIT_MAX, Within::get).into());
    let poll = Poll { service, request, deadline, principal: Some(caller) };
    let acts = |viewed: &ViewedMatch| viewed.live.seat_to_act(&caller.player);
    let waits = |viewed: &ViewedMatch| acts(viewed).is_none() && !viewed.live.stored.stage.is_over();
    let seen = poll.read_while(&agent.reader(None), &wish.match_id, Some(wait), waits).await?;
    Ok(Position::read(agent, &agent.reader(acts(&seen)), &wish.match_id, "").await?)
}

/// A move to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentMoveWish)]
pub(super) struct MoveWish {
    /// The id of the match.
    #[schema(value_type = String)]
    match_id: MatchId,
    /// The id of the decision that the move answers; left out for signals.
    #[serde(default)]
    decision_id: Option<String>,
    /// The number of a move that the position lists for that decision; or else `notation`.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 10000)]
    choice: Option<Within<1, CHOICE_MAX>>,
    /// The move in the game's notation.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 1000)]
    notation: Option<String>,
}

/// Makes a move.
pub(super) async fn make_move(agent: &Agent, wish: MoveWish) -> Result<Position, Refusal> {
    let invalid = |path: &str, detail: &str| Problem::new(Code::InvalidRequest).path(path).detail(detail);
    let MoveWish { match_id, decision_id, choice, notation } = wish;
    let decision = decision_id.map(|id| id.parse::<DecisionId>()).transpose();
    let decision = decision.map_err(|wrong| invalid("decision_id", wrong))?;
    let matches = &agent.service.matches;
    // The decision says as which of several seats of their own the caller moves; another's is judged from the caller's
    // own.
    let sitting = agent.reader(decision.map(|decision| decision.seat));
    let seen = matches.read(&sitting, &match_id).await.ok();
    let reader = if seen.is_some() { sitting } else { agent.reader(None) };
    let notation = match (choice, notation, decision) {
        (None, Some(text), _) if (1..=NOTATION_MAX).contains(&text.chars().count()) => Ok(text),
        (None, Some(_), _) => Err(invalid("notation", "a notation has 1 to 1000 characters")),
        (Some(choice), None, Some(decision)) => match &seen {
            Some(viewed) => chosen(viewed, decision, choice.get() as usize),
            None => Err(Code::StaleDecision.into()),
        },
        (Some(_), None, None) => Err(invalid("decision_id", "a choice is good only with the id of its decision")),
        _ => Err(invalid(".", "exactly one of `choice` and `notation` is given")),
    };
    let asked = notation.map(|text| MoveRequest { decision, mv: MoveInput::Notation(text) }).map_err(Unread::new);
    match matches.play(reader.clone(), &match_id, None, asked).await {
        Ok(moved) => Ok(Position::after(agent, &moved.viewed).await?),
        Err(refused) => {
            let problem = Problem::from(refused);
            // A caller who may not see the match learns no more of it.
            let position = Position::read(agent, &reader, &match_id, "").await.ok();
            let below = position.map(|position| instead(agent, &problem, &position)).unwrap_or_default();
            Err(Refusal::with(problem, below))
        }
    }
}

/// The move of this number, as it was listed for a decision that is still open.
fn chosen(viewed: &ViewedMatch, decision: DecisionId, choice: usize) -> Result<String, Problem> {
    let stored = &viewed.live.stored;
    let refused = |code| Err(Problem::new(code).version(stored.version));
    if stored.stage.is_over() {
        return refused(Code::MatchOver);
    }
    let own = viewed.seat().filter(|seat| *seat == decision.seat);
    match own.and_then(|seat| viewed.live.asks_player(seat)) {
        None => refused(Code::NotYourTurn),
        Some(open) if open.version != decision.version => refused(Code::StaleDecision),
        Some(_) => {
            let legal = LegalMoves::of(&viewed.live, decision.seat)?;
            let detail = || format!("the moves of this decision are numbered from 1 to {}", legal.count());
            let none = || Problem::new(Code::InvalidRequest).path("choice").detail(detail());
            legal.notation(choice).map(str::to_owned).ok_or_else(none)
        }
    }
}

/// The rule that refuses a move, and what would be legal.
fn instead(agent: &Agent, problem: &Problem, position: &Position) -> String {
    let game = agent.catalogue.find(position.game()).ok().map(|answers| answers.game());
    let book = game.map(|game| game.rulebook().text());
    let rule = problem.body().rule.as_deref().and_then(|rule| rule_told(book?, rule));
    format!("{}{}", rule.unwrap_or_default(), position.decision_text())
}

/// The section or ruling of this id, as a refusal quotes it.
pub(super) fn rule_told(book: &'static str, id: &str) -> Option<String> {
    section_of(book, id).map(|rule| format!("Rule: {}\n", cut_at(rule, RULE_MAX)))
}

/// A move to take back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentUndoWish)]
pub(super) struct UndoWish {
    /// The id of the match.
    #[schema(value_type = String)]
    match_id: MatchId,
    /// The version to go back to; left out, the one before the caller's last move.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4294967295_i64)]
    to_version: Option<Within<1, { u32::MAX }>>,
    /// As which of the caller's seats, where the caller holds several.
    #[serde(default)]
    as_seat: Option<Seat>,
}

/// Takes a move back.
pub(super) async fn undo(agent: &Agent, wish: UndoWish) -> Result<Position, Refusal> {
    let (reader, matches) = (agent.reader(wish.as_seat), &agent.service.matches);
    let free = matches.read(&reader, &wish.match_id).await?.free_undo().map(|undo| undo.to_version);
    let nothing =
        || Problem::new(Code::UndoOff).detail("there is no move of the caller's that can be taken back alone");
    let to = wish.to_version.map(|version| version.get().into()).or(free).ok_or_else(nothing).map_err(Unread::new);
    Ok(Position::after(agent, &matches.undo(&reader, &wish.match_id, to, None).await?.viewed).await?)
}

/// Offers a draw.
pub(super) async fn offer_draw(agent: &Agent, MatchName { match_id }: MatchName) -> Result<Position, Refusal> {
    Ok(Position::after(agent, &agent.service.matches.offer_draw(&agent.reader(None), &match_id, None).await?.viewed)
        .await?)
}

/// An answer to the offer of a draw.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentDrawAnswer)]
pub(super) struct DrawAnswer {
    /// The id of the match.
    #[schema(value_type = String)]
    match_id: MatchId,
    /// True accepts, false declines.
    accept: bool,
}

/// Accepts or declines a draw.
pub(super) async fn answer_draw(agent: &Agent, answer: DrawAnswer) -> Result<Position, Refusal> {
    let (reader, matches, id) = (agent.reader(None), &agent.service.matches, &answer.match_id);
    let answered = match answer.accept {
        true => matches.accept_draw(&reader, id, None).await?,
        false => matches.decline_draw(&reader, id, None).await?,
    };
    Ok(Position::after(agent, &answered.viewed).await?)
}

/// Gives a match up.
pub(super) async fn resign(agent: &Agent, MatchName { match_id }: MatchName) -> Result<Position, Refusal> {
    Ok(Position::after(agent, &agent.service.matches.resign(&agent.reader(None), &match_id, None).await?.viewed)
        .await?)
}

/// A hint that is asked for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentHintWish)]
pub(super) struct HintWish {
    /// The id of the match.
    #[schema(value_type = String)]
    match_id: MatchId,
    /// The level of the bot that gives it; `medium` if left out.
    #[serde(default)]
    level: Option<Level>,
}

/// A hint.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentHint)]
pub(super) struct HintTold {
    /// The move that the bot would make, in notation.
    notation: String,
    /// The reason, in a sentence; null where the figures are all there is to say.
    #[schema(required)]
    reason: Option<String>,
    /// Other moves that the bot has looked at, best first, in notation.
    alternatives: Vec<String>,
}

impl Told for HintTold {
    fn text(&self) -> String {
        let reason = self.reason.as_deref().unwrap_or("The bot expects most of it.");
        let others = match self.alternatives.is_empty() {
            true => String::new(),
            false => format!(" Others, best first: {}.", self.alternatives.join(", ")),
        };
        format!("Hint: {}. {reason}{others}", self.notation)
    }
}

/// Asks for a hint.
pub(super) async fn get_hint(agent: &Agent, wish: HintWish) -> Result<HintTold, Refusal> {
    allowance::count_hint(&agent.request, &agent.service, &agent.caller.player).await?;
    agent.deadline.extend(HINT_WAIT);
    let level = wish.level.unwrap_or(Level::Medium);
    let reader = agent.reader_to_act(&wish.match_id, None).await;
    let hint = agent.service.matches.hint(&reader, &wish.match_id, Ok(level), None).await?;
    let alternatives = hint.others.into_iter().map(|other| other.notation).collect();
    Ok(HintTold { notation: hint.best.notation, reason: hint.best.reason, alternatives })
}

/// The record of a finished match, in short.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentRecord)]
pub(super) struct RecordTold {
    /// The id of the match.
    match_id: String,
    /// The game's id.
    game: String,
    /// The result.
    outcome: Outcome,
    /// The commitment to the seed that was published beforehand.
    commitment: String,
    /// The server's seed.
    seed: String,
    /// Every move, with its seat and in notation.
    moves: Vec<RecordedMove>,
    /// The address of the whole record, which `sarsen verify` checks.
    address: String,
}

/// A move in a record.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentRecordedMove)]
struct RecordedMove {
    /// The version that it made.
    #[schema(minimum = 1)]
    version: u64,
    /// The seat.
    seat: Seat,
    /// The move in notation.
    notation: String,
}

impl Told for RecordTold {
    fn text(&self) -> String {
        let standings = self.outcome.standings.iter().map(|row| {
            let score = row.score.map(|score| format!(", score {score}")).unwrap_or_default();
            format!("seat {} rank {}{score}", row.seat, row.rank)
        });
        let moves: Vec<String> = self.moves.iter().map(|made| format!("{}: {}", made.seat, made.notation)).collect();
        format!(
            "Match {} of {} ended by {}: {}.\nSeed {}, commitment {}.\nMoves, each behind its seat: {}\n\
             Whole record: GET {}",
            self.match_id,
            self.game,
            self.outcome.ending,
            standings.collect::<Vec<_>>().join("; "),
            self.seed,
            self.commitment,
            moves.join("; "),
            self.address
        )
    }
}

/// Reads the record of a finished match.
pub(super) async fn get_record(agent: &Agent, MatchName { match_id }: MatchName) -> Result<RecordTold, Refusal> {
    let matches = &agent.service.matches;
    let viewed = matches.read(&agent.reader(None), &match_id).await?;
    let (game, commitment) = (std::sync::Arc::clone(&viewed.live.game), viewed.live.stored.seed.commitment(&match_id));
    let (record, _) = matches.export(viewed).await?;
    let mut moves = Vec::new();
    for step in &record.steps {
        let (Some(seat), Some(mv)) = (step.seat, &step.mv) else { continue };
        let noted = game.redact_move(mv.raw(), seat, Viewer::Omniscient).map_err(Refused::from)?;
        moves.extend(noted.map(|noted| RecordedMove { version: step.version, seat, notation: noted.notation }));
    }
    Ok(RecordTold {
        address: format!("/v1/matches/{match_id}/record"),
        match_id: record.match_id.to_string(),
        game: record.game,
        outcome: record.outcome,
        commitment,
        seed: record.seed,
        moves,
    })
}
