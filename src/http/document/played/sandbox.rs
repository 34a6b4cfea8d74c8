//! The examples of the sandbox, made by a sandbox with a key of its own.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::sandbox::forms::{SandboxForms, SandboxLegalMoves, SandboxViews};
use crate::sandbox::items::{Answer, Shown};
use sarsen_accounts::auth::SigningKeys;
use sarsen_base::ambient::Ambient;
use sarsen_games::{AnyGame, Games, ListForm};
use sarsen_rules::{DiceSeed, Status, Viewer};
use sarsen_service::sandbox::Sandbox;
use sarsen_service::sandbox::imagine::ImagineOrder;
use sarsen_service::sandbox::playout::{PlayedOut, PlayoutMeans, PlayoutOrder};
use sarsen_service::sandbox::seal::KindHint;
use sarsen_service::sandbox::set_up::SetUpOrder;
use sarsen_service::sandbox::step::{Choice, StepOrder};

/// The seed of the example positions: nobody plays them, so any seed will do.
const SEED: DiceSeed = DiceSeed([7; 32]);
/// Lists are long, and the views say where everything is.
const FORMS: SandboxForms = SandboxForms { views: SandboxViews::Actor, legal: SandboxLegalMoves::Count };

/// Returns an example request and its answer, by operation, with this game.
pub(super) fn of(game: &Arc<dyn AnyGame>, operation: &str) -> Option<(Value, Value)> {
    if !["createPositions", "stepPositions", "playOut", "imaginePositions"].contains(&operation) {
        return None;
    }
    let ambient = Ambient::fixed(0, 1);
    let keys = SigningKeys::parse(&SigningKeys::new_key_text(&ambient)).ok()?;
    let sandbox = Sandbox::new(Arc::new(Games::of(vec![Arc::clone(game)])), &keys, ambient).ok()?;
    let id = game.info().id;
    let order = SetUpOrder { game: id.to_owned(), options: Value::Null, seats: None, seed: Some(SEED), count: 1 };
    let first = sandbox.set_up(order).ok()?.next()?.ok()?;
    let mut answer = Answer::of(1, FORMS);
    let request = match operation {
        "createPositions" => {
            answer
                .add(&sandbox, Shown { position: &first.position, moves: 0, events: &first.events }, &|| false)
                .ok()?;
            json!({"game": id, "seed": hex::encode(SEED.0), "legal": "count"})
        }
        "stepPositions" => {
            let Status::ToAct(seats) = first.position.state.status() else { return None };
            let (seat, position) = (seats.first()?, sandbox.seal(&first.position).ok()?);
            let listed = first.position.state.legal_moves(seat, ListForm::Notation).ok()?;
            let notation = serde_json::from_str::<Vec<String>>(listed.moves.get()).ok()?.swap_remove(0);
            let step = StepOrder { position: position.clone(), seat, choice: Choice::Index(0) };
            let reached = sandbox.step(&step, &mut KindHint::default()).ok()?;
            answer
                .add(&sandbox, Shown { position: &reached.position, moves: 1, events: &reached.events }, &|| false)
                .ok()?;
            json!({"steps": [{"position": position, "seat": seat, "notation": notation}], "legal": "count"})
        }
        "playOut" => {
            let positions = vec![sandbox.seal(&first.position).ok()?];
            let order =
                PlayoutOrder { positions: positions.clone(), count: 1, moves: 4, level: None, seed: Some(SEED) };
            let mut means = PlayoutMeans { pay: &mut |_| Ok(()), is_over: &|| false };
            sandbox
                .play_out(&order, &mut means, &mut |played| {
                    let PlayedOut { position, moves } = played.map_err(|_| ())?;
                    let shown = Shown { position: &position, moves: moves as u32, events: &[] };
                    answer.add(&sandbox, shown, &|| false).map_err(|_| ())
                })
                .ok()?;
            json!({"positions": positions, "moves": 4, "seed": hex::encode(SEED.0), "views": "actor", "legal": "count"})
        }
        "imaginePositions" => {
            let Status::ToAct(seats) = first.position.state.status() else { return None };
            let seat = seats.first()?;
            let view = first.position.state.view(Viewer::Seat(seat)).ok()?;
            let view: Value = serde_json::from_str(view.get()).ok()?;
            let (game, seed, seat) = (id.to_owned(), Some(SEED), Some(seat));
            let order = ImagineOrder { game, view: view.clone(), seat, seed, count: 1 };
            for position in sandbox.imagine(&order).ok()? {
                answer.add(&sandbox, Shown { position: &position, moves: 0, events: &[] }, &|| false).ok()?;
            }
            json!({"game": id, "view": view, "seat": seat, "legal": "count"})
        }
        _ => return None,
    };
    Some((request, serde_json::from_slice(&answer.end().ok()?).ok()?))
}
