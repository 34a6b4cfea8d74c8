//! The examples of the operations on plans: of a match of the first game on offer in which moves can be planned.

use std::sync::Arc;

use serde_json::{Value, json};

use super::sample::Sample;
use sarsen_games::AnyGame;

/// Request and answer of an operation, the request where it has a body; `None` for another operation, or where the
/// game's moves cannot be planned.
pub(super) fn of(game: &Arc<dyn AnyGame>, operation: &str) -> Option<(Option<Value>, Value)> {
    if !["makePlan", "getPlan", "dropPlan"].contains(&operation) || !game.info().open_information() {
        return None;
    }
    let before = Sample::playing(game)?;
    let version = before.live.stored.version;
    let when = before.moved()?.mv.notation;
    let then = Sample::playing(game)?.moved_on()?.moved()?.mv.notation;
    let tree = json!([{"when": [when], "then": [then]}]);
    let standing = match operation {
        "dropPlan" => json!({"state": "none", "version": null, "tree": null, "reason": null}),
        _ => json!({"state": "waiting", "version": version, "tree": tree, "reason": null}),
    };
    let request = (operation == "makePlan").then(|| json!({"version": version, "tree": tree}));
    Some((request, standing))
}
