//! Programs: their tokens, scopes and allowances, and bot accounts.

use std::time::Duration;

use sarsen::store::{Allowance, ItemKind, ItemOwner};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::agents::refused as refused_tool;
use crate::client::Client;
use crate::tables::{Pair, WIN};
use crate::world::{Backend, Settings, World, cases};

cases!(
    a_program_acts_within_its_scopes, a_bot_account_plays_and_is_marked, no_bot_sits_where_programs_are_refused,
        a_ban_of_the_owner_holds_for_the_bot, operators_see_and_revoke_tokens_and_bots,
        a_programs_streams_end_with_its_right;
    on both stores: who_leaves_takes_tokens_bots_and_contacts_along;
);

/// A token of these scopes, as the answer that shows it.
async fn made(owner: &Client, scopes: Value) -> Value {
    owner.post("/v1/me/tokens", json!({"name": "trainer", "scopes": scopes})).await.ok()
}

/// The caller's program with these scopes.
pub async fn program(owner: &Client, scopes: Value) -> Client {
    owner.with_token(made(owner, scopes).await["secret"].as_str().unwrap())
}

/// A bot account of this owner, speaking by its token.
pub async fn bot(owner: &Client, name: &str) -> Client {
    let made = owner.post("/v1/me/bots", json!({"name": name})).await.ok();
    let mut bot = owner.with_token(made["credential"]["secret"].as_str().unwrap());
    bot.id = made["player"]["id"].as_str().unwrap().to_owned();
    bot
}

async fn a_program_acts_within_its_scopes(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = made(&ann, json!(["play", "read", "read"])).await;
    assert_eq!((&made["token"]["scopes"], &made["token"]["last_used_at"]), (&json!(["read", "play"]), &Value::Null));
    let reads = ann.with_token(made["secret"].as_str().unwrap());
    let me = reads.get("/v1/me").await.ok();
    assert_eq!((&me["player"]["id"], &me["session_id"]), (&json!(ann.id), &Value::Null));
    assert_eq!(me["token_id"], made["token"]["id"]);
    let refused = reads.post("/v1/matches", json!({"game": "contiguity"})).await.refused(403, "scope_missing");
    assert_eq!(refused["scope"], "create");
    for path in ["/v1/me/tokens", "/v1/me/bots"] {
        assert_eq!(reads.get(path).await.refused(403, "scope_missing")["scope"], "account");
    }
    let listed = ann.get("/v1/me/tokens").await.ok();
    assert!(listed["items"][0]["last_used_at"].is_string(), "{listed}");
    for (terms, code) in [
        (json!({"name": "x", "scopes": []}), "invalid_request"),
        (json!({"name": "x", "scopes": ["account"]}), "invalid_request"),
        (json!({"name": "x", "scopes": ["read"], "expires_in_seconds": 31_536_001}), "invalid_request"),
    ] {
        ann.post("/v1/me/tokens", terms).await.refused(400, code);
    }
    ann.post("/v1/me/tokens", json!({"name": "\u{202e}", "scopes": ["read"]})).await.refused(422, "invalid_name");
    for wrong in ["sarsen_pat_", "sarsen_pat_00000000_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"] {
        ann.with_token(wrong).get("/v1/me").await.refused(401, "token_invalid");
    }
    world.clock.advance_seconds(91 * 24 * 60 * 60);
    reads.get("/v1/me").await.refused(401, "token_expired");
}

async fn a_bot_account_plays_and_is_marked(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let engine = bot(&ann, "Engine").await;
    let pair = Pair::of([ben, engine.clone()], json!({})).await;
    pair.play_all(&WIN).await;
    let read = world.nobody().read(&pair.id).await;
    let kind = |seat: usize| read["match"]["seats"][seat]["player"]["kind"].clone();
    assert_eq!((kind(0), kind(1)), (json!("person"), json!("bot")));
    assert_eq!(read["match"]["status"], "finished");
    let player = world.nobody().get(&format!("/v1/players/{}", engine.id)).await.ok();
    assert_eq!((&player["kind"], player["tag"].as_str().map(str::len)), (&json!("bot"), Some(4)));
    assert!(player.get("owner_id").is_none(), "{player}");
    let renamed = ann
        .send(
            ann.request("PATCH".parse().unwrap(), &format!("/v1/me/bots/{}", engine.id)).json(&json!({"name": "Deep"})),
        )
        .await;
    assert_eq!(renamed.ok()["name"], "Deep");
    assert_eq!(ann.get("/v1/me/bots").await.ok()["items"][0]["name"], "Deep");
    // A second token, and the first revoked.
    let tokens = format!("/v1/me/bots/{}/tokens", engine.id);
    let second = ann.post(&tokens, json!({"name": "second", "scopes": ["read"]})).await.ok();
    let first = ann.get(&tokens).await.ok()["items"][0]["id"].as_str().unwrap().to_owned();
    ann.call("DELETE", &format!("{tokens}/{first}")).await.ok();
    engine.get("/v1/me").await.refused(401, "token_revoked");
    let second = engine.with_token(second["secret"].as_str().unwrap());
    assert_eq!(second.get("/v1/me").await.ok()["player"]["kind"], "bot");
    world.guest("Eve").await.get(&tokens).await.refused(404, "player_not_found");
    // Its owner deletes it, by its id alone; asked once more, that is done already.
    let delete = async |owner: &Client, confirm: &str| {
        owner.call("DELETE", &format!("/v1/me/bots/{}?confirm={confirm}", engine.id)).await
    };
    delete(&ann, &ann.id).await.refused(400, "invalid_parameter");
    delete(&world.guest("Eve").await, &engine.id).await.refused(404, "player_not_found");
    assert_eq!(second.get("/v1/me").await.status, 200);
    for _ in 0..2 {
        assert_eq!(delete(&ann, &engine.id).await.status, 204);
    }
    second.get("/v1/me").await.refused(401, "token_revoked");
    assert_eq!(ann.get("/v1/me/bots").await.ok()["items"], json!([]));
}

async fn no_bot_sits_where_programs_are_refused(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let engine = bot(&ann, "Engine").await;
    let table = ben.create(json!({"programs": "refuse"})).await;
    assert_eq!(table["match"]["programs"], "refuse");
    let id = table["match"]["id"].as_str().unwrap();
    engine.act(id, "join").await.refused(403, "forbidden");
    let keep = json!({"player_id": engine.id});
    ben.put(&format!("/v1/matches/{id}/seats/1/reservation"), keep).await.refused(403, "forbidden");
    let places = json!([{"seat": 1, "player_id": engine.id}]);
    for (caller, fields) in [
        (&ben, json!({"game": "contiguity", "programs": "refuse", "places": places})),
        (&engine, json!({"game": "contiguity", "programs": "refuse"})),
        (&engine, json!({"like": id})),
    ] {
        caller.post("/v1/matches", fields).await.refused(400, "invalid_request");
    }
    let like = ann.post("/v1/matches", json!({"like": id})).await.ok();
    assert_eq!(like["match"]["programs"], "refuse");
    // Nor does a person's own program, by whatever way; the person does.
    let own = program(&ann, json!(["read", "play", "create"])).await;
    own.act(id, "join").await.refused(403, "forbidden");
    for fields in [json!({"game": "contiguity", "programs": "refuse"}), json!({"like": id})] {
        own.post("/v1/matches", fields).await.refused(400, "invalid_request");
    }
    let invited = ben.create(json!({"programs": "refuse", "visibility": "private"})).await;
    let code = invited["match"]["invite_code"].as_str().unwrap();
    own.post(&format!("/v1/invites/{code}/join"), json!({})).await.refused(403, "forbidden");
    own.put("/v1/pools/contiguity-correspondence/ticket", json!({})).await.refused(403, "forbidden");
    let joinable = "/v1/matches?status=open&joinable=true";
    let listed = async |client: &Client| client.get(joinable).await.text().contains(id);
    assert_eq!((listed(&ann).await, listed(&own).await), (true, false));
    ann.act(id, "join").await.ok();
    own.get(&format!("/v1/matches/{id}")).await.ok();

    // Whoever sits there by a session does not play by a program either, which still looks on.
    let pair = Pair { id: id.to_owned(), players: [ben, ann] };
    let turn = pair.turn().await;
    let own = program(&pair.players[turn.seat], json!(["read", "play", "create"])).await;
    let path = |what: &str| pair.path(&format!("/{what}"));
    let mv = json!({"decision_id": turn.decision, "notation": WIN[0]});
    for what in ["moves", "moves?dry_run=true"] {
        own.post(&path(what), mv.clone()).await.refused(403, "forbidden");
    }
    for (what, body) in [
        ("undo", json!({"to_version": 1})),
        ("takeback", json!({"to_version": 1})),
        ("claim", json!({"seat": 0})),
        ("clock/give", json!({"seat": 0, "seconds": 5})),
        ("hint", json!({"level": "easy"})),
        ("substitute/offer", json!({})),
        ("substitute/offer", json!({"seat": turn.seat})),
    ] {
        own.post(&path(what), body).await.refused(403, "forbidden");
    }
    for what in ["leave", "resign", "return", "draw/offer", "draw/accept", "draw/decline", "takeback/accept", "rematch"]
    {
        own.act(id, what).await.refused(403, "forbidden");
    }
    own.put(&path("entropy"), json!({"entropy": "oak"})).await.refused(403, "forbidden");
    own.put(&path("plan"), json!({})).await.refused(403, "forbidden");
    own.call("DELETE", &path("plan")).await.refused(403, "forbidden");
    own.get(&path("plan")).await.ok();
    let wish = json!({"match_id": id, "decision_id": turn.decision, "notation": WIN[0]});
    assert_eq!(refused_tool(&own, "make_move", wish).await.0["code"], "forbidden");
    pair.play_all(&WIN).await;
    own.act(id, "rematch").await.refused(403, "forbidden");
    let again = pair.players[0].act(id, "rematch").await.ok();
    assert_eq!(again["match"]["programs"], "refuse");
}

async fn a_ban_of_the_owner_holds_for_the_bot(world: &mut World) {
    let ann = world.guest("Ann").await;
    let engine = bot(&ann, "Engine").await;
    let operator = world.operator("admin:moderate");
    let ban = async |from: &str| {
        let ban = json!({"until": null, "from": from, "reason": "x"});
        operator.put(&format!("/v1/admin/players/{}/ban", ann.id), ban).await.ok();
    };
    engine.create(json!({})).await;
    ban("play").await;
    engine.get("/v1/me").await.ok();
    engine.post("/v1/matches", json!({"game": "contiguity"})).await.refused(403, "banned");
    engine.put("/v1/pools/contiguity-correspondence/ticket", json!({})).await.refused(403, "banned");
    ban("all").await;
    engine.get("/v1/me").await.refused(403, "banned");
}

async fn operators_see_and_revoke_tokens_and_bots(world: &mut World) {
    let ann = world.guest("Ann").await;
    let (made, engine) = (made(&ann, json!(["read"])).await, bot(&ann, "Engine").await);
    let operator = world.operator("admin:read,admin:moderate");
    let answer = operator.get(&format!("/v1/admin/players/{}", ann.id)).await;
    assert!(!answer.text().contains(made["secret"].as_str().unwrap()));
    let file = answer.ok();
    assert_eq!((&file["tokens"][0]["id"], &file["bots"][0]["id"]), (&made["token"]["id"], &json!(engine.id)));
    let of_bot = operator.get(&format!("/v1/admin/players/{}", engine.id)).await.ok();
    assert_eq!(of_bot["owner_id"], ann.id);
    let token = made["token"]["id"].as_str().unwrap();
    let path = format!("/v1/admin/players/{}/tokens/{token}?reason=leaked", ann.id);
    operator.call("DELETE", &path).await.ok();
    ann.with_token(made["secret"].as_str().unwrap()).get("/v1/me").await.refused(401, "token_revoked");
    let audit = operator.get("/v1/admin/audit").await.ok();
    assert_eq!(audit["items"][1]["operation"], "revokeProgramTokenAsOperator");
    operator.call("DELETE", &format!("/v1/admin/players/{0}?confirm={0}&reason=x", engine.id)).await.ok();
    engine.get("/v1/me").await.refused(401, "token_revoked");
}

async fn a_programs_streams_end_with_its_right(world: &mut World) {
    let (ann, eve) = (world.guest("Ann").await, world.guest("Eve").await);
    let revoked = made(&ann, json!(["read"])).await;
    let short = json!({"name": "short", "scopes": ["read"], "expires_in_seconds": 60});
    let short = ann.post("/v1/me/tokens", short).await.ok();
    let engine = bot(&eve, "Engine").await;
    let ticket = engine.call("POST", "/v1/stream-tickets").await.ok()["ticket"].as_str().unwrap().to_owned();
    let path = "/v1/me/stream?wait=3600";
    let following = [
        (ann.with_token(revoked["secret"].as_str().unwrap()), path.to_owned()),
        (ann.with_token(short["secret"].as_str().unwrap()), path.to_owned()),
        (world.nobody(), format!("{path}&ticket={ticket}")),
    ];
    let following = following.map(|(program, path)| tokio::spawn(async move { program.get(&path).await }));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!following.iter().any(tokio::task::JoinHandle::is_finished));
    // One is revoked, one expires, and the owner of the bot account that came by a ticket is banned.
    ann.call("DELETE", &format!("/v1/me/tokens/{}", revoked["token"]["id"].as_str().unwrap())).await.ok();
    world.clock.advance_seconds(60);
    let ban = json!({"until": null, "from": "all", "reason": "x"});
    world.operator("admin:moderate").put(&format!("/v1/admin/players/{}/ban", eve.id), ban).await.ok();
    let begun = Instant::now();
    for following in following {
        following.await.unwrap();
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

async fn who_leaves_takes_tokens_bots_and_contacts_along(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let (trainer, engine) = (program(&ann, json!(["read"])).await, bot(&ann, "Engine").await);
    ann.put(&format!("/v1/me/contacts/{}", ben.id), json!({})).await.ok();
    ann.put(&format!("/v1/me/blocks/{}", ben.id), json!({})).await.ok();
    let hook = json!({"url": "https://hook.example/", "events": ["match.ended"]});
    ann.post("/v1/me/webhooks", hook).await.ok();
    let export = ann.get("/v1/me/export").await.ok();
    assert_eq!((&export["contact_ids"], &export["blocked_ids"]), (&json!([ben.id]), &json!([ben.id])));
    let bots = &export["bots"];
    assert_eq!((export["tokens"].as_array().unwrap().len(), &bots[0]["player"]["id"]), (1, &json!(engine.id)));
    assert_eq!(bots[0]["tokens"], ann.get(&format!("/v1/me/bots/{}/tokens", engine.id)).await.ok()["items"]);
    trainer.get("/v1/me").await.ok();
    engine.get("/v1/me").await.ok();
    ann.call("DELETE", &format!("/v1/me?confirm={}", ann.id)).await.ok();
    trainer.get("/v1/me").await.refused(401, "token_revoked");
    world.eventually(async || engine.get("/v1/me").await.status == 401).await;
    let store = world.store();
    let owners = [&ann.id, &engine.id].map(|id| ItemOwner::Player(id.parse().unwrap()));
    world
        .eventually(async || {
            for owner in &owners {
                for kind in ItemKind::ALL {
                    if !store.items(owner, kind).await.unwrap().is_empty() {
                        return false;
                    }
                }
            }
            true
        })
        .await;
    let player = ben.get(&format!("/v1/players/{}", engine.id)).await.ok();
    assert_eq!((&player["name"], &player["kind"]), (&json!("deleted player"), &json!("bot")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_instances_refuse_a_revoked_token_within_ten_seconds() {
    let mut world = World::start(Backend::Redis).await;
    world.add_instance().await;
    world.add_instance().await;
    let ann = world.guest("Ann").await;
    let made = made(&ann, json!(["read"])).await;
    let programs: Vec<Client> =
        (0..3).map(|number| ann.with_token(made["secret"].as_str().unwrap()).at(world.base(number))).collect();
    for program in &programs {
        program.get("/v1/me").await.ok();
    }
    ann.call("DELETE", &format!("/v1/me/tokens/{}", made["token"]["id"].as_str().unwrap())).await.ok();
    let begun = Instant::now();
    for program in &programs {
        world.eventually(async || program.get("/v1/me").await.status == 401).await;
    }
    eprintln!("three instances refused the token after {:.2} s", begun.elapsed().as_secs_f64());
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_token_has_an_allowance_of_its_own() {
    let mut settings = Settings::default();
    let once = Some(Allowance { burst: 1, per_minute: 1 });
    settings.allowances.program_writes = Some(Allowance { burst: 6, per_minute: 1 });
    (settings.allowances.reads, settings.allowances.tables, settings.allowances.invites) = (once, once, once);
    let mut world = World::with(Backend::Embedded, settings).await;
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    for _ in 0..2 {
        let hidden = ben.create(json!({"visibility": "private"})).await;
        let program = program(&ann, json!(["read", "create", "play"])).await;
        let ticket = async || program.call("POST", "/v1/stream-tickets").await;
        assert_eq!(ticket().await.header("ratelimit"), Some("\"program_writes\";r=5;t=0"));
        let read = async || program.get("/v1/me").await;
        let table = async || program.post("/v1/matches", json!({"game": "contiguity"})).await;
        let invited = format!("/v1/invites/{}/join", hidden["match"]["invite_code"].as_str().unwrap());
        let join = async || program.call("POST", &invited).await;
        read().await.ok();
        table().await.ok();
        join().await.ok();
        for answer in [read().await, table().await, join().await] {
            answer.refused(429, "rate_limited");
        }
        ticket().await.ok();
        ticket().await.refused(429, "rate_limited");
    }
    // The address and the person have what they had.
    ann.get("/v1/me").await.ok();
    ann.create(json!({})).await;
    let hidden = ben.create(json!({"visibility": "private"})).await;
    ann.call("POST", &format!("/v1/invites/{}/join", hidden["match"]["invite_code"].as_str().unwrap())).await.ok();
    world.stop().await;
}
