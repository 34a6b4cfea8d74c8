//! The tools around a match: making one, joining one, and the list of one's own.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::agent::Agent;
use super::answer::{Refusal, Told};
use super::position::Position;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::extract::body::misread;
use crate::matches::clock::NewClock;
use crate::matches::create::{self, GivenPlace};
use sarsen_base::ids::MatchId;
use sarsen_matches::lists::MatchFilter;
use sarsen_matches::model::terms::Visibility;
use sarsen_matches::seats::Joining;
use sarsen_matches::{Reader, Stage, ViewedMatch};
use sarsen_rules::{Seat, reading};

/// A match to make: the properties of `createMatch` that an agent needs, judged as there.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentTableWish)]
pub(super) struct TableWish {
    /// The game's id.
    #[schema(value_type = String)]
    game: Value,
    /// The number of seats; the fewest if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 5)]
    seats: Option<Value>,
    /// The seats that bots hold, such as `{"seat": 1, "bot": "easy"}`, or that are kept for players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<GivenPlace>>)]
    places: Option<Value>,
    /// The game's options; left out, its defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    options: Option<Map<String, Value>>,
    /// The visibility: who may find and read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Visibility>)]
    visibility: Option<Value>,
    /// The time that seats have; left out, three days for each decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<NewClock>)]
    clock: Option<Value>,
}

/// Makes a match.
pub(super) async fn create_match(agent: &Agent, wish: TableWish) -> Result<Position, Refusal> {
    let wish = serde_json::to_value(&wish).map_err(Problem::internal)?;
    let asked = reading::read(&wish).map_err(|fault| misread(&fault));
    let made = create::make(&agent.service, &agent.caller, &agent.request, asked, None).await?;
    Ok(Position::after(agent, &made.viewed).await?)
}

/// A match to join.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentJoinWish)]
pub(super) struct JoinWish {
    /// The id of the match; or else `invite_code`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    match_id: Option<MatchId>,
    /// The code of an invite.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    invite_code: Option<String>,
}

/// Takes a seat.
pub(super) async fn join_match(agent: &Agent, wish: JoinWish) -> Result<Position, Refusal> {
    let Agent { service, request, caller, .. } = agent;
    let joined = match (wish.match_id, wish.invite_code) {
        (Some(id), None) => service.join(caller, &id, Joining::default(), None).await?,
        (None, Some(code)) => {
            allowance::may_guess_an_invite(request, service)?;
            allowance::count_invite(request, service, Some(caller)).await?;
            service.join_by_invite(caller, &code, None, None).await?
        }
        _ => {
            let detail = "exactly one of `match_id` and `invite_code` is given";
            return Err(Problem::new(Code::InvalidRequest).path(".").detail(detail).into());
        }
    };
    Ok(Position::after(agent, &joined.viewed).await?)
}

/// The matches to list.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentMatchesWish)]
pub(super) struct MatchesWish {
    /// Only those that wait for the caller's move.
    #[serde(default)]
    my_turn: Option<bool>,
}

/// A match in a list.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentMatchLine)]
struct MatchLine {
    /// The id.
    match_id: String,
    /// The game's id.
    game: String,
    /// The stage.
    status: Stage,
    /// The caller's seat; null where the caller has none.
    #[schema(required)]
    your_seat: Option<Seat>,
    /// The seats that have a decision to make.
    to_act: Vec<Seat>,
}

/// The caller's matches.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentMyMatches)]
pub(super) struct MyMatches {
    /// The newest 20, newest first.
    matches: Vec<MatchLine>,
    /// Indicates whether there may be more.
    more: bool,
}

impl Told for MyMatches {
    fn text(&self) -> String {
        let line = |line: &MatchLine| {
            let seats = |seats: &[Seat]| seats.iter().map(Seat::to_string).collect::<Vec<_>>().join(", ");
            let own = line.your_seat.map(|seat| format!("; your seat {seat}")).unwrap_or_default();
            let to_act =
                if line.to_act.is_empty() { String::new() } else { format!("; to act: {}", seats(&line.to_act)) };
            format!("{}: {}, {}{own}{to_act}", line.match_id, line.game, line.status.name())
        };
        let mut lines: Vec<String> = self.matches.iter().map(line).collect();
        if self.more {
            lines.push("There may be more: my_turn lists those that wait for you.".to_owned());
        }
        if lines.is_empty() { "There are none.".to_owned() } else { lines.join("\n") }
    }
}

/// Lists the caller's matches.
pub(super) async fn my_matches(agent: &Agent, wish: MatchesWish) -> Result<MyMatches, Refusal> {
    let player = agent.caller.player.clone();
    let my_turn = wish.my_turn.unwrap_or(false);
    let filter = MatchFilter { player: Some(player.clone()), my_turn, ..MatchFilter::default() };
    let page = agent.service.matches.list(&Reader::player(player), &filter).await?;
    let line = |viewed: &ViewedMatch| {
        let stored = &viewed.live.stored;
        MatchLine {
            match_id: stored.id.to_string(),
            game: stored.terms.game.clone(),
            status: stored.stage,
            your_seat: viewed.seat(),
            to_act: viewed.live.to_act().iter().collect(),
        }
    };
    Ok(MyMatches { matches: page.items.iter().map(line).collect(), more: page.next.is_some() })
}
