//! The table of the tools: name, title, what it does, who may use it, its arguments and its answer.
//!
//! A tool is a function from an agent and its arguments to an answer; the macro makes the entry of the table and the
//! dispatch. A doc comment is what agents read of a tool.

use rmcp::model::{ErrorData, JsonObject};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::agent::Agent;
use super::answer::{Failure, Refusal, Told};
use super::names::quoted;
use super::position::Position;
use super::{catalogue, play, tables};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::edge::failure;
use crate::edge::routes::ProgramAccess;
use crate::extract::body::misread;
use crate::extract::caller::must_be_one_of;
use crate::games::options::standalone_schema;
use sarsen_accounts::auth::ProgramScope;
use sarsen_rules::{Part, reading};

/// The standing that a tool needs, as that of its HTTP operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Anybody who is signed in, counted as a read.
    Reader,
    /// The same, counted as a change.
    Writer,
    /// A writer who is not banned from playing.
    Player,
}

/// The effect of a tool, for clients that ask their user before they use one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// It changes nothing.
    Reads,
    /// Each call adds something.
    Adds,
    /// A repeated call changes nothing more.
    AddsOnce,
    /// It takes something back, or ends it.
    Ends,
}

impl Effect {
    fn annotations(self, title: &str) -> Value {
        json!({
            "title": title,
            "readOnlyHint": self == Effect::Reads,
            "destructiveHint": self == Effect::Ends,
            "idempotentHint": matches!(self, Effect::Reads | Effect::AddsOnce),
            "openWorldHint": false,
        })
    }
}

/// A tool.
struct Tool {
    name: &'static str,
    title: &'static str,
    description: &'static [&'static str],
    standing: Standing,
    scope: ProgramScope,
    effect: Effect,
    input: fn() -> Value,
    output: fn() -> Value,
}

macro_rules! tools {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $title:literal $standing:ident $scope:ident $effect:ident,
        $function:path: $arguments:ty => $answer:ty;
    )+) => {
        const TABLE: &[Tool] = &[$(Tool {
            name: stringify!($name),
            title: $title,
            description: &[$($doc),+],
            standing: Standing::$standing,
            scope: ProgramScope::$scope,
            effect: Effect::$effect,
            input: schema::<$arguments>,
            output: schema::<$answer>,
        }),+];

        async fn carry_out(agent: &Agent, tool: &Tool, arguments: Value) -> Result<(String, Value), Refusal> {
            match tool.name {
                $(stringify!($name) => told(&$function(agent, read::<$arguments>(&arguments)?).await?),)+
                _ => Err(Code::NotFound.into()),
            }
        }
    };
}

tools! {
    /// Lists the games on offer with their seats, and whether they have bots. Begin here.
    list_games "List the games" Reader Read Reads,
        catalogue::list_games: catalogue::NoArguments => catalogue::GameMenu;

    /// Explains a game. Without `section`: the rules in short, the notation of moves, and the sections of the rulebook.
    /// With `section`: that section (`4`, `4.7`), a ruling (`CO-07`), an entry of the glossary (a card or a piece by
    /// its id), or `all` for the whole rulebook.
    get_rules "Read the rules" Reader Read Reads,
        catalogue::get_rules: catalogue::RulesQuestion => catalogue::RulesText;

    /// Makes a match. The caller takes the lowest seat that `places` gives to nobody. With bots on all other seats it
    /// starts at once; otherwise others join it, those of a private match by its invite code.
    create_match "Make a match" Player Create Adds,
        tables::create_match: tables::TableWish => Position;

    /// Takes a seat of a match that waits for players, named by its id or by an invite code.
    join_match "Join a match" Player Play AddsOnce,
        tables::join_match: tables::JoinWish => Position;

    /// Lists the caller's matches, newest first; with `my_turn` those that wait for the caller's move.
    my_matches "List my matches" Reader Read Reads,
        tables::my_matches: tables::MatchesWish => tables::MyMatches;

    /// Shows a match: the position in words, what has happened since the caller's last move, and the legal moves with
    /// numbers.
    get_match "Look at a match" Reader Read Reads,
        play::get_match: play::Look => Position;

    /// Makes a move for the open decision: `decision_id` as the position shows it, and either the number of a listed
    /// move (`choice`, good only with that decision) or a move in the game's `notation`. Signals, which need no turn,
    /// carry no decision_id. Answers the position after the move. A refused move changes nothing.
    make_move "Make a move" Player Play AddsOnce,
        play::make_move: play::MoveWish => Position;

    /// Waits until the caller has a decision to make or the match is over, at most 25 seconds, and shows the match.
    /// Call it again as long as it is not the caller's turn.
    wait_for_turn "Wait for my turn" Reader Read Reads,
        play::wait_for_turn: play::WaitWish => Position;

    /// Takes the caller's last move back, where the position names a version to go back to: not once chance or another
    /// seat has had a part in what followed.
    undo "Take a move back" Player Play Ends,
        play::undo: play::UndoWish => Position;

    /// Offers the others a draw, in games that have draws.
    offer_draw "Offer a draw" Player Play Adds,
        play::offer_draw: play::MatchName => Position;

    /// Accepts or declines the draw on offer.
    answer_draw "Answer an offer of a draw" Player Play Ends,
        play::answer_draw: play::DrawAnswer => Position;

    /// Gives the match up: the caller loses, or, with more than two seats, ranks last.
    resign "Resign" Writer Play Ends,
        play::resign: play::MatchName => Position;

    /// Tells which move a bot would make for the caller's open decision. Everybody at the table sees that. Not every
    /// match gives hints.
    get_hint "Ask for a hint" Player Play Adds,
        play::get_hint: play::HintWish => play::HintTold;

    /// Reads the record of a finished match: its result, seed and moves.
    get_record "Read the record" Reader Read Reads,
        play::get_record: play::MatchName => play::RecordTold;
}

fn told(answer: &impl Told) -> Result<(String, Value), Refusal> {
    Ok((answer.text(), serde_json::to_value(answer).map_err(Problem::internal)?))
}

fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, Problem> {
    reading::read(arguments).map_err(|fault| misread(&fault))
}

/// The JSON Schema of a type, which refers to nothing outside itself.
fn schema<T: ToSchema>() -> Value {
    // A test writes all of them.
    standalone_schema(&Part::of::<T>("")).unwrap_or_else(|_| json!({"type": "object"}))
}

impl Tool {
    fn entry(&self) -> Value {
        let lines: Vec<&str> = self.description.iter().map(|line| line.trim()).collect();
        json!({
            "name": self.name,
            "title": self.title,
            "description": lines.join(" "),
            "inputSchema": (self.input)(),
            "outputSchema": (self.output)(),
            "annotations": self.effect.annotations(self.title),
            "_meta": {"sarsen/scope": self.scope.name()},
        })
    }

    /// Admits the caller, and counts the call.
    async fn admit(&self, agent: &Agent) -> Result<(), Problem> {
        must_be_one_of(ProgramAccess::With(self.scope), &agent.caller)?;
        if self.standing == Standing::Reader {
            return agent.count_read();
        }
        allowance::count_write(&agent.request, &agent.service, &agent.caller).await?;
        if self.standing == Standing::Player { agent.service.must_be_free_to_play(&agent.caller) } else { Ok(()) }
    }
}

/// The tools, as they are listed.
pub(super) fn list() -> Value {
    json!({"tools": TABLE.iter().map(Tool::entry).collect::<Vec<_>>()})
}

/// Calls a tool. What it refuses is its result, so that the agent reads why.
///
/// # Errors
/// A tool that there is not; a token that does not count any more.
pub(super) async fn call(agent: &Agent, params: &JsonObject) -> Result<Value, Failure> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let tool = TABLE.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| ErrorData::invalid_params(format!("there is no tool {}", quoted(name)), None))?;
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => json!({}),
        Some(arguments @ Value::Object(_)) => arguments.clone(),
        Some(_) => return Err(ErrorData::invalid_params("`arguments` is an object", None).into()),
    };
    let answered = async {
        tool.admit(agent).await?;
        carry_out(agent, tool, arguments).await
    };
    match answered.await {
        Ok((text, fields)) => {
            Ok(json!({"content": [{"type": "text", "text": text}], "structuredContent": fields, "isError": false}))
        }
        Err(refusal) if refusal.problem.code().status_number() == 401 => Err(refusal.problem.into()),
        Err(refusal) => {
            failure::log(&refusal.problem, tool.name);
            agent.count_problem(refusal.problem.code());
            Ok(json!({
                "content": [{"type": "text", "text": refusal.text()}],
                "isError": true,
                "_meta": {"sarsen/problem": refusal.problem.body()},
            }))
        }
    }
}
