//! The examples of the operations on players, matches and events.
//!
//! Invariant: what a game says in them comes from the game itself, set up with fixed dice, so that it cannot go out of
//! date. Lists of legal moves are cut to two.

use serde_json::{Value, json};

use crate::games::{Games, ListForm};
use crate::matches::events::MOVE_MADE;
use crate::rules::{DICE_SEED_BYTES, Dice, DiceSeed, Seat, SeatCount, Viewer};

const MATCH: &str = "m_0190163d8694739ea2a3c9f1e7d1a111";
const AT: &str = "2026-11-20T18:30:00.000Z";

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
        "createMatch" => {
            let sample = Sample::new();
            Examples::exchange(json!({"game": sample.game, "visibility": "public", "seat": 0}), sample.view())
        }
        "listMatches" => Examples::answer(json!({"items": [Sample::new().of_match()], "next_cursor": null})),
        "getMatch" | "getMatchVersion" | "leaveMatch" | "startMatch" | "abortMatch" | "resignMatch" | "offerDraw"
        | "acceptDraw" | "declineDraw" => Examples::answer(Sample::new().view()),
        "joinMatch" => Examples::exchange(json!({"seat": 1, "entropy": "oak, ash and thorn"}), Sample::new().view()),
        "giveEntropy" => Examples::exchange(json!({"entropy": "oak, ash and thorn"}), Sample::new().view()),
        "claimAbsence" => Examples::exchange(json!({"seat": 1}), Sample::new().view()),
        "exportMatch" => Examples::answer(Sample::new().record()),
        "makeMove" => {
            let sample = Sample::new();
            Examples::exchange(json!({"decision_id": "4.0", "move": sample.moves[0]}), sample.move_result())
        }
        "listMatchEvents" => {
            let event = Sample::new().event();
            follow(json!({"items": [event], "next_cursor": null}), event, "5.0")
        }
        "listMyEvents" => {
            let event = json!({
                "id": "17", "match_id": MATCH, "game": Sample::new().game, "version": 5, "at": AT, "your_turn": true,
                "events": [Sample::new().event()]
            });
            follow(json!({"items": [event], "next_cursor": null}), event, "17")
        }
        _ => Examples::default(),
    }
}

const REFRESH_TOKEN: &str = "r_s_0190163d8694739ea2a3c9f1e7d1a333_kq3v9cZx2dQe0n1S4mB7rg";

fn player() -> Value {
    json!({"id": "p_0190163d8694739ea2a3c9f1e7d1a222", "name": "Rowan", "created_at": AT})
}

fn player_ref() -> Value {
    json!({"id": "p_0190163d8694739ea2a3c9f1e7d1a222", "name": "Rowan"})
}

fn signed_in() -> Value {
    json!({
        "player": player(), "access_token": "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.e30.c2lnbmF0dXJl",
        "access_token_expires_in_seconds": 900, "refresh_token": REFRESH_TOKEN, "session_expires_at": AT
    })
}

fn follow(page: Value, event: Value, id: &str) -> Examples {
    let sse = json!({"id": id, "data": event.to_string()});
    let forms = [("application/json", page), ("text/event-stream", sse), ("application/x-ndjson", event)];
    Examples { request: None, answers: forms.into() }
}

/// A match of the first game, just started.
struct Sample {
    game: &'static str,
    rules_version: u32,
    seats: u8,
    options: Value,
    state: Value,
    moves: [Value; 2],
    notation: String,
}

impl Sample {
    /// Null where a game does not answer; the tests check that the examples are whole.
    fn new() -> Sample {
        Sample::of_first_game().unwrap_or_else(|| Sample {
            game: "",
            rules_version: 1,
            seats: 1,
            options: Value::Null,
            state: Value::Null,
            moves: [Value::Null, Value::Null],
            notation: String::new(),
        })
    }

    fn of_first_game() -> Option<Sample> {
        let games = Games::standard();
        let game = games.iter().next()?;
        let count = SeatCount::new(game.info().min_seats)?;
        let options = game.options(&Value::Null, count).ok()?;
        let state = game.setup(&options, count, &mut Dice::new(DiceSeed([7; DICE_SEED_BYTES]))).ok()?.state;
        let first = Seat::new(0)?;
        let list = |form| serde_json::from_str::<Vec<Value>>(state.legal_moves(first, form).ok()?.moves.get()).ok();
        let mut moves = list(ListForm::Full)?.into_iter();
        Some(Sample {
            game: game.info().id,
            rules_version: game.info().rules_version,
            seats: count.get(),
            options: serde_json::from_str(options.get()).ok()?,
            state: serde_json::from_str(state.view(Viewer::Seat(first)).ok()?.get()).ok()?,
            moves: [moves.next()?, moves.next()?],
            notation: list(ListForm::Notation)?.first()?.as_str()?.to_owned(),
        })
    }

    fn of_match(&self) -> Value {
        let seat = |seat| {
            json!({"seat": seat, "player": player_ref(), "resigned": false, "entropy_given": false,
                   "claimable_at": null})
        };
        let seats: Vec<Value> = (0..self.seats).map(seat).collect();
        json!({
            "id": MATCH, "game": self.game, "rules_version": self.rules_version, "options": self.options,
            "visibility": "public", "status": "playing", "version": 4, "seats": seats, "created_by": player_ref(),
            "start": "when_full", "move_time_seconds": 259200, "created_at": AT, "started_at": AT, "updated_at": AT,
            "ended_at": null, "to_act": [0], "draw_agreed_by": [],
            "commitment": "5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592", "seed": null,
            "outcome": null, "your_seat": 0, "invite_code": null
        })
    }

    fn view(&self) -> Value {
        let legal = json!({"complete": true, "count": 2, "moves": self.moves});
        let decision = json!({"id": "4.0", "seat": 0, "opened_at": AT, "legal_moves": legal});
        json!({"match": self.of_match(), "state": self.state, "decision": decision})
    }

    fn event(&self) -> Value {
        let event = json!({"type": MOVE_MADE, "seat": 0, "move": self.moves[0], "notation": self.notation});
        json!({"id": "5.0", "version": 5, "at": AT, "event": event})
    }

    fn move_result(&self) -> Value {
        json!({
            "version": 5, "move": self.moves[0], "notation": self.notation, "events": [self.event()],
            "match": self.of_match(), "state": self.state, "to_act": [1], "decision": null, "dry_run": false,
            "chance_pending": false
        })
    }

    fn record(&self) -> Value {
        let seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
        let standing = |seat: u8| {
            let verdict = if seat == 0 { "won" } else { "lost" };
            json!({"seat": seat, "verdict": verdict, "rank": seat + 1, "score": null, "figures": {}})
        };
        let standings: Vec<Value> = (0..self.seats).map(standing).collect();
        json!({
            "format": "sarsen/record/1", "match_id": MATCH, "game": self.game, "rules_version": self.rules_version,
            "options": self.options, "seats": self.seats, "created_by": player_ref(), "start": "when_full",
            "move_time_seconds": 259200, "seed": seed, "commitment": seed,
            "steps": [{"version": 1, "at": AT, "action": "create", "events": [{"type": "match_created"}]}],
            "outcome": {"ending": "resignation", "standings": standings, "figures": {}}
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_game_gives_a_whole_example() {
        let sample = Sample::of_first_game().unwrap();
        assert_eq!(sample.state["game"], sample.game);
        assert!(sample.moves.iter().all(|mv| mv["type"].is_string()) && !sample.notation.is_empty());
    }
}
