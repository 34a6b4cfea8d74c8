//! A match from its creation to a checked record.

use aws_lc_rs::digest::{SHA256, digest};
use sarsen::games::{GameSettings, Games};
use sarsen::matches::export::{Discrepancy, MatchExport, verify};
use serde_json::{Value, json};

use crate::tables::{Pair, WIN, kinds};
use crate::world::{World, cases};

cases!(
    legal_moves_come_in_the_form_asked_for, a_dry_run_stores_nothing, a_dry_run_of_the_last_move_reveals_no_seed,
        a_match_with_bidding, a_finished_match_can_be_checked_by_anyone, a_tampered_record_is_found_out,
        every_version_is_shown_again_as_it_was;
    on both stores: a_whole_match_with_both_notations_before_a_spectator;
);

fn json_move(notation: &str) -> Value {
    let (from, to) = notation.split_once('-').unwrap();
    json!({"type": "move", "from": from, "to": to})
}

async fn a_whole_match_with_both_notations_before_a_spectator(world: &mut World) {
    let spectator = world.nobody();
    let pair = Pair::seated(world, json!({})).await;
    let start = spectator.read(&pair.id).await;
    assert_eq!(start["match"]["status"], "playing");
    assert_eq!((&start["decision"], &start["match"]["your_seat"]), (&Value::Null, &Value::Null));
    let white = start["state"]["white_seat"].as_u64().unwrap() as usize;
    for (ply, notation) in WIN.iter().enumerate() {
        let turn = pair.turn().await;
        let (mover, waiter) = (&pair.players[turn.seat], &pair.players[1 - turn.seat]);
        assert_eq!(turn.seat, if ply % 2 == 0 { white } else { 1 - white });
        let before = pair.version().await;
        assert_eq!(turn.decision, format!("{before}.{}", turn.seat));

        let mut body = json!({"decision_id": turn.decision});
        if ply % 2 == 0 {
            body["move"] = json_move(notation);
        } else {
            body["notation"] = json!(notation.to_uppercase());
        }
        let answer = mover.post(&pair.path("/moves"), body).await;
        assert_eq!((answer.status, answer.header("idempotent-replayed")), (201, None));
        let moved = answer.json();
        let over = ply + 1 == WIN.len();
        assert_eq!(moved["version"], before + 1);
        assert_eq!(moved["match"]["version"], before + 1);
        assert_eq!((&moved["move"], &moved["notation"]), (&json_move(notation), &json!(notation)));
        assert_eq!((&moved["dry_run"], &moved["chance_pending"]), (&json!(false), &json!(false)));
        assert_eq!(moved["decision"], Value::Null, "the mover waits now");
        assert_eq!(moved["to_act"], if over { json!([]) } else { json!([1 - turn.seat]) });
        assert_eq!(moved["match"]["to_act"], moved["to_act"]);
        assert_eq!(moved["state"]["turns"], ply + 1);

        let events = moved["events"].as_array().unwrap();
        assert_eq!(kinds(events)[..2], ["move_made", "piece_moved"]);
        assert_eq!(kinds(events).contains(&"match_ended"), over);
        for (index, event) in events.iter().enumerate() {
            assert_eq!(event["id"], format!("{}.{index}", before + 1));
            assert_eq!(event["version"], before + 1);
        }
        for viewer in [mover, waiter, &spectator] {
            let view = viewer.read(&pair.id).await;
            assert_eq!(view["state"], moved["state"], "nothing is hidden in this game");
            let log = viewer.events(&pair.id).await;
            assert_eq!(&log[log.len() - events.len()..], events, "the log tells what the answer told");
        }
        if !over {
            let theirs = waiter.read(&pair.id).await;
            assert_eq!(theirs["decision"]["id"], format!("{}.{}", before + 1, 1 - turn.seat));
        }
    }
    let end = spectator.read(&pair.id).await;
    assert_eq!(end["match"]["status"], "finished");
    assert_eq!(end["match"]["outcome"]["ending"], "connected");
    assert_eq!(end["match"]["outcome"]["standings"][white]["verdict"], "won");
    assert_eq!(end["match"]["outcome"]["standings"][1 - white]["verdict"], "lost");
    assert!(end["match"]["ended_at"].is_string() && end["match"]["seed"].is_string());
    assert_eq!((&end["state"]["phase"], &end["state"]["white_groups"]), (&json!("over"), &json!(1)));
}

async fn every_version_is_shown_again_as_it_was(world: &mut World) {
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let viewers = [&ann, &ben, &nobody];
    let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let mut served: Vec<Vec<Value>> = Vec::new();
    let mut keep = async || {
        let mut views = Vec::new();
        for viewer in viewers {
            views.push(viewer.read(&id).await);
        }
        served.push(views);
    };
    keep().await;
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    keep().await;
    let pair = Pair { id: id.clone(), players: [ann.clone(), ben.clone()] };
    for notation in WIN {
        let early = ann.get(&pair.path("/history/1?view=full")).await;
        early.refused(409, "match_not_over");
        pair.play(notation).await.ok();
        keep().await;
    }
    for (index, views) in served.iter().enumerate() {
        let path = pair.path(&format!("/history/{}", index + 1));
        for (viewer, mut view) in viewers.into_iter().zip(views.iter().cloned()) {
            let mut then = viewer.get(&path).await.ok();
            // Ben had no seat in version 1, and looks at it from the seat he has now.
            if index == 0 {
                (view["match"]["your_seat"], then["match"]["your_seat"]) = (Value::Null, Value::Null);
            }
            assert_eq!(then, view, "version {}", index + 1);
        }
        let full = nobody.get(&format!("{path}?view=full")).await.ok();
        assert_eq!(full["state"], views[2]["state"]);
    }
    for version in ["0", "8", "999999999", "-1", "x"] {
        ann.get(&pair.path(&format!("/history/{version}"))).await.refused(404, "version_not_found");
    }
}

async fn legal_moves_come_in_the_form_asked_for(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    let of = async |form: &str| actor.get(&pair.path(form)).await.ok()["decision"].clone();

    let full = of("").await;
    assert_eq!(full, of("?legal_moves=full").await);
    let moves = full["legal_moves"]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &full["legal_moves"]["count"]), (164, &json!(164)));
    assert_eq!(full["legal_moves"]["complete"], true);
    assert!(moves.contains(&json_move(WIN[0])));

    let notation = of("?legal_moves=notation").await;
    let notations = notation["legal_moves"]["notations"].as_array().unwrap();
    assert_eq!(notations.len(), 164);
    assert!(notations.iter().zip(moves).all(|(text, json)| json_move(text.as_str().unwrap()) == *json));
    assert_eq!(notation["legal_moves"]["moves"], Value::Null);

    let none = of("?legal_moves=none").await;
    assert_eq!((&none["id"], &none["legal_moves"]), (&json!(turn.decision), &Value::Null));
    assert_eq!(pair.players[1 - turn.seat].read(&pair.id).await["decision"], Value::Null);

    // The answer to a move takes the same parameter; a bidder who passes is to act again.
    let bidding = Pair::seated(world, json!({"options": {"bidding": true}})).await;
    bidding.play("bid 2").await.ok();
    let turn = bidding.turn().await;
    let body = json!({"decision_id": turn.decision, "notation": "bid 1"});
    let moved = bidding.players[turn.seat].post(&bidding.path("/moves?legal_moves=notation"), body).await.ok();
    assert_eq!(moved["decision"]["legal_moves"]["notations"], json!(["choose first", "choose second"]));
}

async fn a_dry_run_stores_nothing(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    let (view, log, inbox) =
        (actor.read(&pair.id).await, actor.events(&pair.id).await, actor.inbox_of(2 - turn.seat).await);
    let body = json!({"decision_id": turn.decision, "notation": WIN[0]});
    let path = pair.path("/moves?dry_run=true");
    let tried =
        actor.send(actor.request(reqwest::Method::POST, &path).json(&body).header("idempotency-key", "k")).await;
    assert_eq!(tried.status, 200);
    let tried = tried.json();
    assert_eq!((&tried["dry_run"], &tried["chance_pending"]), (&json!(true), &json!(false)));
    assert_eq!(actor.read(&pair.id).await, view);
    assert_eq!(actor.events(&pair.id).await, log);
    assert_eq!(actor.inbox().await, inbox);
    for (notation, code) in [("29b-29c", "illegal_move"), ("31a-1a", "malformed_move")] {
        let body = json!({"decision_id": turn.decision, "notation": notation});
        actor.post(&path, body).await.refused(422, code);
    }
    // The key was not used up, and the real move comes out as it was shown.
    let made = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k").await;
    assert_eq!((made.status, made.header("idempotent-replayed")), (201, None));
    let made = made.json();
    for part in ["version", "move", "notation", "state", "to_act", "decision"] {
        assert_eq!(tried[part], made[part], "{part}");
    }
    let told = |answer: &Value| -> Vec<Value> {
        answer["events"].as_array().unwrap().iter().map(|event| event["event"].clone()).collect()
    };
    assert_eq!(told(&tried), told(&made));
}

async fn a_dry_run_of_the_last_move_reveals_no_seed(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    pair.play_all(&WIN[..4]).await;
    let turn = pair.turn().await;
    let body = json!({"decision_id": turn.decision, "notation": WIN[4]});
    let tried = pair.players[turn.seat].post(&pair.path("/moves?dry_run=true"), body).await;
    let shown = tried.ok();
    assert_eq!(shown["match"]["status"], "finished");
    assert_eq!(shown["match"]["seed"], Value::Null);
    pair.play(WIN[4]).await.ok();
    let seed = pair.players[0].read(&pair.id).await["match"]["seed"].as_str().unwrap().to_owned();
    assert!(!tried.text().contains(&seed));
}

async fn a_match_with_bidding(world: &mut World) {
    let pair = Pair::seated(world, json!({"options": {"bidding": true, "turn_limit": 100}})).await;
    let view = pair.players[0].read(&pair.id).await;
    assert_eq!((&view["state"]["phase"], &view["state"]["white_seat"]), (&json!("bidding"), &Value::Null));
    let opener = pair.turn().await.seat;
    assert_eq!(view["state"]["opening_bidder"], opener);
    pair.play("pass").await.refused(422, "illegal_move");
    pair.play("bid 51").await.refused(422, "illegal_move");
    pair.play("bid 12").await.ok();
    assert_eq!(pair.turn().await.seat, 1 - opener);
    pair.play("bid 12").await.refused(422, "illegal_move");
    let turn = pair.turn().await;
    let body = json!({"decision_id": turn.decision, "move": {"type": "bid", "turns": 2.0}});
    pair.players[turn.seat].post(&pair.path("/moves"), body).await.ok();
    let choice = pair.play("pass").await.ok();
    assert_eq!(choice["to_act"], json!([1 - opener]));
    let chosen = pair.play("choose first").await.ok();
    assert_eq!(chosen["state"]["white_seat"], 1 - opener);
    assert_eq!(chosen["state"]["bid_turns_left"], 2);
    // Two own turns are not enough for the three that white needs.
    pair.play_all(&WIN[..2]).await;
    let end = pair.play(WIN[2]).await.ok();
    assert_eq!(end["match"]["outcome"]["ending"], "bid_missed");
    assert_eq!(end["match"]["outcome"]["standings"][opener]["verdict"], "won");
    let record: MatchExport = export(&pair).await;
    assert_eq!(verify(&Games::standard(GameSettings::default()), &record).unwrap().ending, "bid_missed");
}

async fn export(pair: &Pair) -> MatchExport {
    serde_json::from_value(pair.players[0].get(&pair.path("/record")).await.ok()).unwrap()
}

async fn a_finished_match_can_be_checked_by_anyone(world: &mut World) {
    let pair = Pair::seated(world, json!({"start": "manual"})).await;
    let (ann, id) = (&pair.players[0], &pair.id);
    let published = ann.read(id).await["match"]["commitment"].as_str().unwrap().to_owned();
    ann.put(&pair.path("/entropy"), json!({"entropy": "rowan"})).await.ok();
    ann.act(id, "start").await.ok();
    world.nobody().get(&pair.path("/record")).await.refused(409, "match_not_over");
    pair.play_all(&WIN).await;

    let end = ann.read(id).await;
    assert_eq!(end["match"]["commitment"], published.as_str(), "it was fixed before any entropy");
    let seed = hex::decode(end["match"]["seed"].as_str().unwrap()).unwrap();
    let committed = [b"sarsen/commit/1", &seed[..], id.as_bytes()].concat();
    assert_eq!(hex::encode(digest(&SHA256, &committed)), published);

    let record: MatchExport = export(&pair).await;
    let stranger = world.nobody().get(&pair.path("/record")).await.ok();
    assert_eq!(serde_json::to_value(&record).unwrap(), stranger);
    let verified = verify(&Games::standard(GameSettings::default()), &record).unwrap();
    assert_eq!((verified.match_id.as_str(), verified.moves, verified.ending.as_str()), (id.as_str(), 5, "connected"));
    assert!(verified.dice_words > 0, "the colours were drawn");

    // The dice: SHA-256 over seed, id and each seat's entropy with its length, then the rules' own set-up draw.
    let mut dice = [b"sarsen/dice/1", &seed[..], id.as_bytes()].concat();
    for entropy in ["rowan", "oak, ash and thorn"] {
        dice.extend((entropy.len() as u16).to_be_bytes());
        dice.extend(entropy.as_bytes());
    }
    let dice_seed: [u8; 32] = digest(&SHA256, &dice).as_ref().try_into().unwrap();
    let mut dice = sarsen::rules::Dice::new(sarsen::rules::DiceSeed(dice_seed));
    let options = sarsen::games::contiguity::Options::default();
    let seats = sarsen::rules::SeatCount::new(2).unwrap();
    use sarsen::rules::Rules;
    let drawn = sarsen::games::contiguity::Contiguity.setup(&options, seats, &mut dice).0.white().unwrap();
    assert_eq!(end["state"]["white_seat"], drawn.index());
}

async fn a_tampered_record_is_found_out(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    pair.play_all(&WIN).await;
    let (record, games) = (export(&pair).await, Games::standard(GameSettings::default()));
    verify(&games, &record).unwrap();
    let tampered = |change: &dyn Fn(&mut MatchExport)| {
        let mut record = record.clone();
        change(&mut record);
        verify(&games, &record).unwrap_err()
    };
    assert!(matches!(tampered(&|record| record.seed = "0".repeat(64)), Discrepancy::Commitment(_)));
    assert!(matches!(tampered(&|record| record.outcome.ending = "turn_limit".into()), Discrepancy::Outcome { .. }));
    assert!(matches!(tampered(&|record| drop(record.steps.pop())), Discrepancy::NotOver));
    let moved = tampered(&|record| record.steps[2].mv = Some(json_move("2c-2a").into()));
    assert!(matches!(moved, Discrepancy::Events { step: 3, .. } | Discrepancy::Impossible { step: 3, .. }), "{moved}");
    let swapped = tampered(&|record| record.steps.swap(3, 4));
    assert!(matches!(swapped, Discrepancy::Step { step: 4, .. }), "{swapped}");
    let claimed = tampered(&|record| {
        let mut event = record.steps[6].events[0].value();
        event["seat"] = json!(4);
        record.steps[6].events[0] = event.into();
    });
    assert!(matches!(claimed, Discrepancy::Events { step: 7, event: 0, .. }), "{claimed}");
}
