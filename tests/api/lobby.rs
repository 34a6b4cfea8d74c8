//! The lobby: presets, filters of the list of matches, and many matches at once.

use sarsen::ambient::Ambient;
use sarsen::games::{GameSettings, Games};
use sarsen::ids::MatchId;
use sarsen::matches::rated_result::{RatedResult, RatedSeat};
use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{World, cases};

cases!(
    a_preset_sets_the_time_of_play, a_live_match_waits_an_hour, what_cannot_be_joined_hides_nothing_that_can,
        a_league_is_made_by_one_call, an_organiser_settles_a_match,
        a_live_match_is_exclusive_unless_it_is_made_otherwise, an_open_match_is_joined_on_its_terms;
    on both stores: the_lobby_is_filtered, a_match_starts_at_its_moment_or_is_called_off;
);

async fn a_preset_sets_the_time_of_play(world: &mut World) {
    let ann = world.guest("Ann").await;
    let game = ann.get("/v1/games/contiguity").await.ok();
    let ids: Vec<&str> = game["presets"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["friendly", "live-5-5", "live-15-10", "days-1", "days-3", "daily-bank"]);
    for preset in game["presets"].as_array().unwrap() {
        let made = ann.create(json!({"preset": preset["id"], "visibility": "private"})).await;
        assert_eq!(made["match"]["clock"], preset["clock"], "{preset}");
        assert_eq!(made["match"]["move_time_seconds"], Value::Null);
    }
    let own = json!({"preset": "live-5-5", "clock": {"initial_seconds": 60}, "visibility": "private"});
    assert_eq!(
        ann.create(own).await["match"]["clock"]["initial_seconds"],
        60,
        "what is asked for goes before a preset"
    );
    let wrong = ann.post("/v1/matches", json!({"game": "contiguity", "preset": "daily"})).await;
    assert_eq!(wrong.refused(400, "invalid_request")["path"], "preset");
}

async fn a_live_match_waits_an_hour(world: &mut World) {
    let ann = world.guest("Ann").await;
    let seconds = |made: &Value| {
        let at =
            |name: &str| sarsen::ambient::Timestamp::from_rfc3339(made["match"][name].as_str().unwrap()).unwrap().0;
        (at("expires_at") - at("created_at")) / 1000
    };
    assert_eq!(seconds(&ann.create(json!({"preset": "live-5-5"})).await), 3_600);
    assert_eq!(seconds(&ann.create(json!({"preset": "live-5-5", "expires_in_seconds": 604_800})).await), 604_800);
    assert_eq!(seconds(&ann.create(json!({"preset": "days-3"})).await), 604_800);
    let private = ann.create(json!({"preset": "live-5-5", "visibility": "private"})).await;
    assert_eq!(private["match"]["expires_at"], Value::Null);
}

async fn a_match_starts_at_its_moment_or_is_called_off(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let now = world.service().clock.now();
    let at = |seconds: u32| now.plus_seconds(seconds).rfc3339();
    let made = async || ann.create(json!({"starts_at": at(600), "preset": "live-5-5"})).await["match"].clone();
    let (full, empty) = (made().await, made().await);
    assert_eq!((&full["starts_at"], &full["expires_at"]), (&json!(at(600)), &Value::Null));
    let (full, empty) = (full["id"].as_str().unwrap(), empty["id"].as_str().unwrap());
    ben.act(full, "join").await.ok();
    assert_eq!(ann.read(full).await["match"]["status"], "open", "not before its moment");
    world.clock.advance_seconds(600);
    let status = async |id: &str| ann.read(id).await["match"]["status"].clone();
    world.eventually(async || status(full).await == "playing" && status(empty).await == "aborted").await;
    let events = ann.events(empty).await;
    assert_eq!(events.last().unwrap()["event"]["reason"], "not_started_in_time");
    let begun = ann.read(full).await;
    let clock = &begun["match"]["seats"][begun["match"]["to_act"][0].as_u64().unwrap() as usize]["clock"];
    assert_eq!(
        (&clock["bank_milliseconds"], &clock["first_turn"]),
        (&json!(300_000), &json!(true)),
        "clocks begin then"
    );
    for wrong in [at(0), at(2_592_660), "tomorrow".to_owned()] {
        let refused = ann.post("/v1/matches", json!({"game": "contiguity", "starts_at": wrong})).await;
        assert_eq!(refused.refused(400, "invalid_request")["path"], "starts_at");
    }
}

fn ids(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

async fn the_lobby_is_filtered(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let made = async |by: &Client, body: Value| {
        // Ids of one millisecond are in no order.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        by.create(body).await["match"]["id"].as_str().unwrap().to_owned()
    };
    let days = made(&ann, json!({"preset": "days-3"})).await;
    let live = made(&ann, json!({"preset": "live-5-5"})).await;
    let soon = made(&ann, json!({"expires_in_seconds": 60})).await;
    let own = made(&ben, json!({})).await;
    let kept = made(&ann, json!({"places": [{"seat": 1, "player_id": cora.id}], "visibility": "public"})).await;
    let list = async |by: &Client, query: &str| ids(&by.get(&format!("/v1/matches?{query}")).await.ok());
    world.eventually(async || list(&ben, "status=open").await.len() == 4).await;
    assert_eq!(list(&ben, "speed=live").await, std::slice::from_ref(&live));
    assert_eq!(list(&ben, "speed=correspondence&joinable=true").await, [soon.clone(), days.clone()]);
    assert_eq!(list(&ben, "joinable=true&sort=deadline&limit=2").await, [soon.clone(), live.clone()]);
    assert!(list(&ben, "rated=true").await.is_empty());
    assert_eq!(list(&cora, "joinable=true").await, [kept, own, soon.clone(), live.clone(), days.clone()]);
    // A page that is cut goes on where it ended.
    let first = ben.get("/v1/matches?joinable=true&limit=1").await.ok();
    let next = first["next_cursor"].as_str().unwrap();
    assert_eq!(
        (ids(&first), list(&ben, &format!("joinable=true&cursor={next}")).await),
        (vec![soon], vec![live, days])
    );
    ann.put(&format!("/v1/me/blocks/{}", ben.id), json!({})).await.ok();
    assert!(list(&ben, "joinable=true").await.is_empty(), "nothing is shown where the caller is blocked");
    ben.get("/v1/matches?joinable=true&status=playing").await.refused(400, "invalid_parameter");
    ben.get(&format!("/v1/matches?sort=deadline&cursor={next}")).await.refused(400, "invalid_parameter");
}

async fn what_cannot_be_joined_hides_nothing_that_can(world: &mut World) {
    let (cora, host) = (world.guest("Cora").await, world.guest("Host").await);
    let fits = cora.create(json!({"expires_in_seconds": 6_000})).await["match"]["id"].as_str().unwrap().to_owned();
    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    // Two pages of newer ones that end sooner, for those of a higher rating.
    let above = json!({"game": "contiguity", "seat": null, "join": {"rating_min": 1600}, "expires_in_seconds": 600});
    let made = host.post("/v1/matches/bulk", json!({"items": vec![above; 45]})).await.ok();
    assert!(made["items"].as_array().unwrap().iter().all(|item| item["problem"].is_null()), "{made}");
    // A stranger: all of them were made from one address, of which a page shows three.
    let nobody = world.nobody_at("127.0.0.2");
    let ben = nobody.signed_in(&nobody.post("/v1/players", json!({"name": "Ben"})).await.ok());
    let page = async |query: &str| ben.get(&format!("/v1/matches?joinable=true&limit=20{query}")).await.ok();
    world.eventually(async || ids(&cora.get("/v1/matches?status=open&limit=100").await.ok()).len() == 46).await;
    for query in ["", "&sort=deadline"] {
        let found = page(query).await;
        assert_eq!((ids(&found), &found["next_cursor"]), (vec![fits.clone()], &Value::Null), "{query}");
    }
    cora.put(&format!("/v1/me/blocks/{}", ben.id), json!({})).await.ok();
    assert!(ids(&page("").await).is_empty() && ids(&page("&sort=deadline").await).is_empty());
}

async fn an_organiser_settles_a_match(world: &mut World) {
    let [host, ann, ben] = [world.guest("Host").await, world.guest("Ann").await, world.guest("Ben").await];
    let made = async |body: Value| {
        let mut terms = json!({"seat": null, "visibility": "private", "tags": ["spring-cup"],
            "places": [{"seat": 0, "player_id": ann.id}, {"seat": 1, "player_id": ben.id}]});
        terms.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        host.create(terms).await["match"]["id"].as_str().unwrap().to_owned()
    };
    let settle =
        async |by: &Client, id: &str, body: Value| by.post(&format!("/v1/matches/{id}/adjudicate"), body).await;
    let won = json!({"outcome": {"ranks": [2, 1], "verdict": "won"}, "reason": "  seat 0 did not  come "});
    let id = made(json!({})).await;
    settle(&host, &id, won.clone()).await.refused(409, "match_not_playing");
    for player in [&ann, &ben] {
        player.act(&id, "join").await.ok();
    }
    settle(&ann, &id, won.clone()).await.refused(403, "forbidden");
    settle(&world.guest("Cora").await, &id, won.clone()).await.refused(404, "match_not_found");
    for (path, wrong) in [
        ("outcome", json!({"reason": "x"})),
        ("outcome", json!({"outcome": {"ranks": [1, 2], "verdict": "won"}, "abort": true, "reason": "x"})),
        ("outcome.ranks", json!({"outcome": {"ranks": [1, 2, 3], "verdict": "won"}, "reason": "x"})),
        ("outcome.ranks", json!({"outcome": {"ranks": [1, 2], "verdict": "drawn"}, "reason": "x"})),
        ("reason", json!({"abort": true, "reason": " "})),
    ] {
        assert_eq!(settle(&host, &id, wrong).await.refused(400, "invalid_request")["path"], path);
    }
    let settled = settle(&host, &id, won.clone()).await.ok();
    assert_eq!(
        (&settled["match"]["status"], &settled["match"]["outcome"]["ending"]),
        (&json!("finished"), &json!("adjudicated"))
    );
    let standings = settled["match"]["outcome"]["standings"].as_array().unwrap();
    assert_eq!(standings.iter().map(|it| it["verdict"].as_str().unwrap()).collect::<Vec<_>>(), ["lost", "won"]);
    settle(&host, &id, won).await.refused(409, "match_over");
    for player in [&ann, &ben] {
        let told = player.events(&id).await;
        let told: Vec<&Value> = told.iter().rev().take(2).map(|event| &event["event"]).collect();
        assert_eq!(told[1], &json!({"type": "match_adjudicated", "reason": "seat 0 did not come"}));
        assert_eq!(told[0]["type"], "match_ended");
    }
    let record = host.get(&format!("/v1/matches/{id}/record")).await.ok();
    let record = serde_json::from_value(record).unwrap();
    sarsen::matches::export::verify(&Games::standard(GameSettings::default()), &record).unwrap();

    let off = made(json!({})).await;
    for player in [&ann, &ben] {
        player.act(&off, "join").await.ok();
    }
    let called_off = settle(&host, &off, json!({"abort": true, "reason": "the round is void"})).await.ok();
    assert_eq!((&called_off["match"]["status"], &called_off["match"]["outcome"]), (&json!("aborted"), &Value::Null));
    assert_eq!(ben.events(&off).await.last().unwrap()["event"]["reason"], "adjudicated");

    // Neither without tags, nor where the organiser plays, nor where it counts for ratings.
    let clock = json!({"initial_seconds": 300, "increment_seconds": 5});
    let own = json!({"seat": 0, "places": [{"seat": 1, "player_id": ben.id}]});
    for terms in [json!({"tags": []}), own, json!({"rated": true, "clock": clock})] {
        let id = made(terms).await;
        for player in [&ann, &ben] {
            player.act(&id, "join").await;
        }
        assert_eq!(host.read(&id).await["match"]["status"], "playing");
        settle(&host, &id, json!({"abort": true, "reason": "x"})).await.refused(403, "forbidden");
    }
}

async fn an_open_match_is_joined_on_its_terms(world: &mut World) {
    let [host, ann, ben] = [world.guest("Host").await, world.guest("Ann").await, world.guest("Ben").await];
    let made = async |join: Value, more: Value| {
        let mut terms = json!({"preset": "days-3", "visibility": "public", "join": join});
        terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        host.create(terms).await["match"].clone()
    };
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    // Ann has won against somebody else, in the category of these matches and in another.
    let rated = |category: &str| RatedResult {
        match_id: MatchId::generate(&Ambient::system()),
        version: 9,
        category: category.to_owned(),
        at: world.service().clock.now(),
        seats: [(&ann, 1), (&host, 2)]
            .map(|(player, rank)| RatedSeat { player: player.id.parse().unwrap(), rank, counts: true })
            .to_vec(),
        private: false,
    };
    world.service().ratings.rate(&rated("contiguity.2.correspondence")).await.unwrap();

    let strong = made(json!({"rating_min": 1600}), json!({})).await;
    assert_eq!(strong["join"], json!({"rating_min": 1600, "rating_max": null, "kind": "any"}));
    let strong = id(&strong);
    let weak = id(&made(json!({"rating_min": 1400, "rating_max": 1600}), json!({})).await);
    let linked = id(&made(json!({"kind": "linked"}), json!({})).await);
    let live = id(&made(json!({"rating_min": 1600}), json!({"preset": "live-5-5"})).await);
    let kept =
        id(&made(json!({"rating_min": 1600, "kind": "linked"}), json!({"places": [{"seat": 1, "player_id": ben.id}]}))
            .await);
    let anybody = made(Value::Null, json!({})).await;
    assert_eq!(anybody["join"], Value::Null);
    let anybody = id(&anybody);
    let joinable = async |by: &Client| {
        let mut found = ids(&by.get("/v1/matches?joinable=true").await.ok());
        found.sort();
        found
    };
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    let for_ann = sorted(vec![strong.clone(), anybody.clone()]);
    world.eventually(async || joinable(&ann).await == for_ann).await;
    assert_eq!(joinable(&ben).await, sorted(vec![weak.clone(), kept.clone(), anybody]));
    ben.act(&strong, "join").await.refused(403, "rating_out_of_range");
    ann.act(&weak, "join").await.refused(403, "rating_out_of_range");
    ann.act(&live, "join").await.refused(403, "rating_out_of_range");
    ann.act(&linked, "join").await.refused(403, "linked_required");
    assert_eq!(ann.act(&strong, "join").await.ok()["match"]["status"], "playing");
    assert_eq!(ben.act(&weak, "join").await.ok()["match"]["status"], "playing", "who has no rating counts as 1500");
    assert_eq!(ben.act(&kept, "join").await.ok()["match"]["status"], "playing", "a kept seat asks for nothing");
    for wrong in [json!({"rating_min": 2, "rating_max": 1}), json!({"rating_min": -1}), json!({"rating_max": 10_001})] {
        let refused = host.post("/v1/matches", json!({"game": "contiguity", "join": wrong})).await;
        assert_eq!(refused.refused(400, "invalid_request")["path"], "join");
    }
}

async fn a_live_match_is_exclusive_unless_it_is_made_otherwise(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made = async |body: Value| ann.create(body).await["match"].clone();
    let exclusive = async |body: Value| made(body).await["exclusive"] == true;
    assert!(exclusive(json!({"preset": "live-5-5"})).await);
    assert!(exclusive(json!({"preset": "days-3", "exclusive": true})).await);
    assert!(!exclusive(json!({"preset": "days-3"})).await);
    assert!(!exclusive(json!({"preset": "live-5-5", "exclusive": false})).await);
    assert!(!exclusive(json!({"preset": "live-5-5", "hotseat": true})).await);
    let waits = made(json!({"preset": "live-5-5"})).await["id"].as_str().unwrap().to_owned();
    let stays = made(json!({"preset": "live-5-5", "exclusive": false})).await["id"].as_str().unwrap().to_owned();
    let theirs = ben.create(json!({"preset": "live-5-5"})).await["match"]["id"].as_str().unwrap().to_owned();
    assert_eq!(ann.act(&theirs, "join").await.ok()["match"]["status"], "playing");
    world.eventually(async || ann.read(&waits).await["match"]["status"] == "aborted").await;
    assert_eq!(ann.events(&waits).await.last().unwrap()["event"]["reason"], "started_elsewhere");
    assert_eq!(ann.read(&stays).await["match"]["status"], "open");
}

/// The lines of the results with a label.
async fn results(by: &Client, query: &str) -> Vec<Value> {
    let answer = by.get(&format!("/v1/matches/results?{query}")).await;
    assert_eq!(answer.status, 200);
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn a_league_is_made_by_one_call(world: &mut World) {
    let host = world.guest("Host").await;
    let mut players = Vec::new();
    for number in 0..16 {
        players.push(world.guest(&format!("Player {number}")).await);
    }
    let boards = players.chunks(2).map(|two| {
        let places = json!([{"seat": 0, "player_id": two[0].id}, {"seat": 1, "player_id": two[1].id}]);
        json!({"game": "contiguity", "preset": "days-3", "seat": null, "places": places, "visibility": "private",
               "tags": ["spring-cup", "round-1"]})
    });
    let mut items: Vec<Value> = boards.collect();
    items.push(json!({"game": "chess"}));
    let bulk = async |body: &Value| {
        let request = host.request(reqwest::Method::POST, "/v1/matches/bulk").header("idempotency-key", "round 1");
        host.send(request.json(body)).await
    };
    let body = json!({"items": items});
    let answer = bulk(&body).await.ok();
    let made = answer["items"].as_array().unwrap();
    assert!(made[..8].iter().all(|item| item["match"]["status"] == "open" && item["problem"].is_null()), "{answer}");
    assert_eq!((&made[8]["match"], &made[8]["problem"]["code"]), (&Value::Null, &json!("game_not_found")));
    let again = bulk(&body).await.ok();
    let id = |answer: &Value, item: usize| answer["items"][item]["match"]["id"].clone();
    assert!((0..8).all(|item| id(&again, item) == id(&answer, item)), "one key makes each once");
    bulk(&json!({"items": [{"game": "contiguity"}]})).await.refused(422, "idempotency_key_reused");
    for (board, two) in players.chunks(2).enumerate() {
        for player in two {
            player.act(id(&answer, board).as_str().unwrap(), "join").await.ok();
        }
        assert_eq!(host.read(id(&answer, board).as_str().unwrap()).await["match"]["status"], "playing");
    }
    let listed = host.get("/v1/matches?mine=true&tag=spring-cup&status=playing&limit=3").await.ok();
    assert_eq!((ids(&listed).len(), &listed["items"][0]["tags"]), (3, &json!(["round-1", "spring-cup"])));
    let next = listed["next_cursor"].as_str().unwrap();
    let rest = host.get(&format!("/v1/matches?mine=true&tag=spring-cup&cursor={next}")).await.ok();
    assert_eq!(ids(&rest).len(), 5, "a cut page goes on where it ended");
    let seen = players[0].get(&format!("/v1/matches?player={}&tag=round-1", host.id)).await.ok();
    assert_eq!(ids(&seen).len(), 1, "of private matches a player sees their own");
    assert!(ids(&host.get("/v1/matches?mine=true&tag=autumn-cup").await.ok()).is_empty());
    // The table of the round: five boards are played out, one is settled by the organiser, one is called off.
    assert!(results(&host, "tag=spring-cup").await.is_empty(), "nothing has ended");
    for (board, two) in players.chunks(2).enumerate().take(5) {
        two[board % 2].act(id(&answer, board).as_str().unwrap(), "resign").await.ok();
    }
    let settle = async |board: usize, body: Value| {
        let id = id(&answer, board);
        host.post(&format!("/v1/matches/{}/adjudicate", id.as_str().unwrap()), body).await.ok();
    };
    settle(5, json!({"outcome": {"ranks": [1, 1], "verdict": "drawn"}, "reason": "a draw by lot"})).await;
    settle(6, json!({"abort": true, "reason": "to be played again"})).await;
    world.eventually(async || results(&host, "tag=spring-cup").await.len() == 6).await;
    let mut points = [0; 16];
    for line in results(&host, "tag=spring-cup").await {
        let board = (0..8).find(|board| id(&answer, *board) == line["match_id"]).unwrap();
        for (seat, standing) in line["outcome"]["standings"].as_array().unwrap().iter().enumerate() {
            assert_eq!(line["seats"][seat]["player"]["id"], players[2 * board + seat].id.as_str());
            points[2 * board + seat] += match standing["verdict"].as_str().unwrap() {
                "won" => 2,
                "drawn" => 1,
                _ => 0,
            };
        }
        assert!(line["ended_at"].as_str().unwrap() > "2026" && line["tags"] == json!(["round-1", "spring-cup"]));
    }
    assert_eq!(points, [0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 1, 1, 0, 0, 0, 0]);
    let of_host = format!("tag=spring-cup&player={}", host.id);
    assert_eq!(results(&players[0], &of_host).await.len(), 1, "of private matches a player sees their own");
    assert_eq!(results(&players[0], "tag=spring-cup").await.len(), 1);
    assert!(results(&world.nobody(), &of_host).await.is_empty());
    world.nobody().get("/v1/matches/results?tag=spring-cup").await.refused(401, "unauthenticated");
    host.get("/v1/matches/results?tag=Spring").await.refused(400, "invalid_parameter");
    host.get("/v1/matches/results").await.refused(400, "invalid_parameter");
    host.get("/v1/matches?tag=Spring").await.refused(400, "invalid_parameter");
    let nine: Vec<String> = (0..9).map(|number| format!("tag-{number}")).collect();
    for tags in [json!(nine), json!(["Cup"]), json!([""]), json!(["x".repeat(33)])] {
        let refused = host.post("/v1/matches", json!({"game": "contiguity", "tags": tags})).await;
        assert_eq!(refused.refused(400, "invalid_request")["path"], "tags");
    }
    host.post("/v1/matches/bulk", json!({"items": []})).await.refused(400, "invalid_request");
    host.post("/v1/matches/bulk", json!({"items": vec![json!({}); 101]})).await.refused(400, "invalid_request");
}
