//! Resources: rulebooks, glossaries, and matches as JSON.

use rmcp::model::{ErrorData, JsonObject};
use serde_json::{Value, json};

use super::agent::Agent;
use super::answer::Failure;
use super::names::with_cut_names;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::routes::ProgramAccess;
use crate::extract::caller::must_be_one_of;
use crate::matches::body::match_view;
use crate::matches::types::{AnswerForms, LegalMovesForm};
use sarsen_accounts::auth::ProgramScope;
use sarsen_base::ids::MatchId;

const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";

/// The resources that are the same for everybody.
pub(super) fn list(agent: &Agent) -> Value {
    let of = |id: &str, title: &str, part: &str, words: &str, kind: &str| {
        json!({
            "uri": format!("sarsen://games/{id}/{part}"),
            "name": format!("{id}-{part}"),
            "title": format!("{title}: {words}"),
            "mimeType": kind,
        })
    };
    let both = agent.catalogue.all().map(|game| game.info()).flat_map(|info| {
        [
            of(info.id, info.title, "rules", "the rules", MARKDOWN),
            of(info.id, info.title, "glossary", "cards, pieces and decisions", JSON),
        ]
    });
    json!({"resources": both.collect::<Vec<_>>()})
}

/// The forms of all resources.
pub(super) fn templates() -> Value {
    let template = |uri: &str, description: &str, kind: &str| {
        let name = uri.rsplit('/').find(|part| !part.starts_with('{')).unwrap_or_default();
        json!({"uriTemplate": uri, "name": name, "description": description, "mimeType": kind})
    };
    json!({"resourceTemplates": [
        template("sarsen://games/{game}/rules", "The complete rules of a game.", MARKDOWN),
        template("sarsen://games/{game}/glossary", "The cards, pieces and decisions of a game.", JSON),
        template("sarsen://matches/{id}", "A match with the state of its game as the caller may see it.", JSON),
    ]})
}

/// Reads one, with the scope that its HTTP operation needs.
///
/// # Errors
/// A resource that there is not, or that the caller may not see.
pub(super) async fn read(agent: &Agent, params: &JsonObject) -> Result<Value, Failure> {
    must_be_one_of(ProgramAccess::With(ProgramScope::Read), &agent.caller)?;
    let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
    let none = || Failure::from(ErrorData::invalid_params("there is no resource of this uri", None));
    let path = uri.strip_prefix("sarsen://").ok_or_else(none)?;
    let (kind, text) = match path.split('/').collect::<Vec<_>>()[..] {
        ["games", game, part] => {
            let answers = agent.catalogue.find(game).map_err(|_| none())?;
            match part {
                "rules" => (MARKDOWN, answers.game().rulebook().text().to_owned()),
                "glossary" => (JSON, answers.glossary_text()),
                _ => return Err(none()),
            }
        }
        ["matches", id] => {
            let id: MatchId = id.parse().map_err(|_| none())?;
            let viewed = agent.service.matches.read_with_rematch(&agent.reader(None), &id).await;
            let viewed = viewed.map_err(Problem::from).map_err(|problem| match problem.code() {
                Code::MatchNotFound => none(),
                _ => problem.into(),
            })?;
            let forms = AnswerForms { legal_moves: LegalMovesForm::Notation, text: false };
            let bytes = match_view(&viewed, forms)?;
            let json = serde_json::from_slice(&bytes).map_err(Problem::internal)?;
            (JSON, with_cut_names(json).to_string())
        }
        _ => return Err(none()),
    };
    Ok(json!({"contents": [{"uri": uri, "mimeType": kind, "text": text}]}))
}
