//! Rated matches, ratings and boards.

use sarsen::ids::{MatchId, PlayerId};
use sarsen::matches::rated_result::{RatedResult, RatedSeat};
use sarsen::store::{ItemKind, ItemOwner, Replaced};
use serde_json::{Value, json};

use crate::admin::audit;
use crate::client::Client;
use crate::tables::{Pair, WIN};
use crate::world::{Settings, World, cases};

cases!(
    what_cannot_be_rated_says_why, rated_play_may_need_a_linked_account;
    on both stores: a_rated_match_is_rated_once_it_is_over, a_board_is_read_in_pages_and_corrected_by_operators;
);

const BOARD: &str = "/v1/leaderboards/contiguity.2.live";
const DAY: i64 = 86_400_000;

fn rated() -> Value {
    json!({"rated": true, "clock": {"initial_seconds": 300, "increment_seconds": 5}})
}

/// Rates matches between all of these on the last days, of which who is named first wins two of three.
async fn rate_many(world: &World, players: &[&Client]) {
    let (ratings, now) = (&world.service().ratings, world.service().clock.now());
    let mut number = 0_u128;
    for day in (1..=20).rev() {
        for (index, better) in players.iter().enumerate() {
            for worse in &players[index + 1..] {
                number += 1;
                let rank = if day % 3 == 0 { 2 } else { 1 };
                let seat = |client: &Client, rank| RatedSeat { player: client.id.parse().unwrap(), rank, counts: true };
                let result = RatedResult {
                    match_id: MatchId::from_number(number),
                    version: 9,
                    category: "contiguity.2.live".to_owned(),
                    at: sarsen::ambient::Timestamp(now.0 - day * DAY),
                    seats: vec![seat(better, rank), seat(worse, 3 - rank)],
                };
                assert!(ratings.rate(&result).await.unwrap());
            }
        }
    }
}

/// The ids of the players on the board, read in pages.
async fn board(reader: &Client, limit: usize) -> Vec<(u64, String)> {
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = reader.get(&format!("{BOARD}?limit={limit}{cursor}")).await.ok();
        for row in page["items"].as_array().unwrap() {
            rows.push((row["rank"].as_u64().unwrap(), row["player"]["id"].as_str().unwrap().to_owned()));
        }
        let Some(next) = page["next_cursor"].as_str() else { return rows };
        cursor = format!("&cursor={next}");
    }
}

async fn what_cannot_be_rated_says_why(world: &mut World) {
    let ann = world.guest("Ann").await;
    let mut wrong = vec![("clock", json!({"rated": true}))];
    for (reason, property, value) in [
        ("undo", "undo", json!("turn")),
        ("hints", "hints", json!(true)),
        ("bots", "places", json!([{"seat": 1, "bot": "easy"}])),
        ("private", "visibility", json!("private")),
        ("options", "options", json!({"turn_limit": 20})),
        ("hotseat", "hotseat", json!(true)),
    ] {
        let mut fields = rated();
        fields[property] = value;
        wrong.push((reason, fields));
    }
    for (reason, mut fields) in wrong {
        fields["game"] = json!("contiguity");
        let refused = ann.post("/v1/matches", fields).await.refused(422, "not_rateable");
        assert_eq!(refused["reason"], reason);
    }
    let made = ann.create(rated()).await;
    let shown = &made["match"];
    assert_eq!((&shown["rated"], &shown["undo"], &shown["hints"]), (&json!(true), &json!("off"), &json!(false)));
    // Whatever is copied gives way.
    let casual = ann.create(json!({"clock": {"initial_seconds": 300}})).await["match"]["id"].clone();
    let like = ann.post("/v1/matches", json!({"like": casual, "rated": true})).await.ok();
    assert_eq!((&like["match"]["rated"], &like["match"]["undo"]), (&json!(true), &json!("off")));
    let again = ann.post("/v1/matches", json!({"like": like["match"]["id"]})).await.ok();
    assert_eq!(again["match"]["rated"], true);
}

async fn rated_play_may_need_a_linked_account(world: &mut World) {
    let early = world.guest("Early").await.create(rated()).await["match"]["id"].as_str().unwrap().to_owned();
    assert_eq!(world.nobody().get("/v1/limits").await.ok()["rated_requires"], "any");
    world.change(Settings { rated_requires_link: true, ..Settings::default() });
    world.restart().await;
    assert_eq!(world.nobody().get("/v1/limits").await.ok()["rated_requires"], "linked");
    let ann = world.guest("Ann").await;
    let mut fields = rated();
    fields["game"] = json!("contiguity");
    ann.post("/v1/matches", fields).await.refused(403, "linked_required");
    ann.act(&early, "join").await.refused(403, "linked_required");
    let owner = ItemOwner::Player(ann.id.parse().unwrap());
    let linked = Some(br#"{"issuer":"acme","linked_at":0}"#.to_vec());
    let name = "0".repeat(64);
    let done = world.store().replace_item(&owner, ItemKind::Identity, &name, None, linked, 1).await.unwrap();
    assert_eq!(done, Replaced::Done);
    ann.act(&early, "join").await.ok();
    ann.create(rated()).await;
}

async fn a_rated_match_is_rated_once_it_is_over(world: &mut World) {
    let pair = Pair::seated(world, rated()).await;
    let (ratings, ann) = (pair.path("/ratings"), &pair.players[0]);
    ann.get(&ratings).await.refused(409, "match_not_over");
    let casual = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    ann.get(&format!("/v1/matches/{casual}/ratings")).await.refused(404, "not_found");
    pair.play_all(&WIN).await;
    let asked = ann.get(&ratings).await;
    if asked.status != 200 {
        asked.refused(404, "rating_not_ready");
    }
    world.eventually(async || ann.get(&ratings).await.status == 200).await;
    let changes = world.nobody().get(&ratings).await.ok();
    assert_eq!(changes["board"], "contiguity.2.live");
    let outcome = ann.read(&pair.id).await["match"]["outcome"]["standings"].clone();
    for (seat, player) in pair.players.iter().enumerate() {
        let won = outcome[seat]["rank"] == 1;
        let change = &changes["seats"][seat]["change"];
        let after = if won { 1662 } else { 1338 };
        let expected = json!({"before": 1500, "after": after, "deviation": 290, "provisional": true, "counted": true});
        assert_eq!(*change, expected);
        let own = world.nobody().get(&format!("/v1/players/{}/ratings", player.id)).await.ok();
        assert_eq!((&own["items"][0]["rating"], &own["items"][0]["played"]), (&json!(after), &json!(1)));
        let history = format!("/v1/players/{}/ratings/contiguity.2.live/history", player.id);
        let history = world.nobody().get(&history).await.ok();
        assert_eq!((&history["items"][0]["match_id"], &history["items"][0]["change"]), (&json!(pair.id), change));
        world.nobody().get(&format!("{BOARD}/players/{}", player.id)).await.refused(404, "player_not_found");
    }
    assert_eq!(world.nobody().get(BOARD).await.ok()["items"], json!([]), "both are provisional");
    let boards = world.nobody().get("/v1/leaderboards").await.ok();
    assert!(boards["items"].as_array().unwrap().iter().any(|board| board["id"] == "henge.3-5.correspondence"));
    world.nobody().get("/v1/leaderboards/chess.2.live").await.refused(404, "board_not_found");
}

async fn a_board_is_read_in_pages_and_corrected_by_operators(world: &mut World) {
    let people = [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cid").await];
    let [ann, ben, cid] = &people;
    rate_many(world, &[ann, ben, cid]).await;
    let nobody = world.nobody();
    let expected: Vec<(u64, String)> = (1..).zip([ann, ben, cid]).map(|(rank, of)| (rank, of.id.clone())).collect();
    for limit in 1..=4 {
        assert_eq!(board(&nobody, limit).await, expected, "pages of {limit}");
    }
    let page = nobody.get(&format!("{BOARD}?limit=2")).await.ok();
    let row = &page["items"][0];
    assert_eq!((&row["player"]["name"], &row["played"]), (&json!("Ann"), &json!(40)));
    if world.shares_a_store() {
        let other = world.add_instance().await;
        let second = world.nobody().at(world.base(other));
        let cursor = page["next_cursor"].as_str().unwrap();
        let rest = second.get(&format!("{BOARD}?limit=2&cursor={cursor}")).await.ok();
        assert_eq!(rest["items"][0]["player"]["id"], cid.id.as_str());
    }
    for wrong in ["x", "1.2.3", "1.2.p_1.3.4"] {
        nobody.get(&format!("{BOARD}?cursor={wrong}")).await.refused(400, "invalid_parameter");
    }
    let around = nobody.get(&format!("{BOARD}/players/{}?around=1", cid.id)).await.ok();
    let ranks: Vec<u64> = around["items"].as_array().unwrap().iter().map(|row| row["rank"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [2, 3]);

    let operator = world.operator("admin:read,admin:moderate");
    let history = format!("/v1/players/{}/ratings/contiguity.2.live/history?limit=1", ann.id);
    let newest = nobody.get(&history).await.ok()["items"][0].clone();
    let annul = format!("/v1/admin/matches/{}/annul", newest["match_id"].as_str().unwrap());
    let before = nobody.get(&format!("/v1/players/{}/ratings", ann.id)).await.ok()["items"][0].clone();
    let reason = json!({"reason": "two accounts of one person"});
    for _ in 0..2 {
        assert_eq!(operator.post(&annul, reason.clone()).await.status, 204);
    }
    assert_eq!(nobody.get(&history).await.ok()["items"][0]["change"]["counted"], false);
    let played =
        async || nobody.get(&format!("/v1/players/{}/ratings", ann.id)).await.ok()["items"][0]["played"].clone();
    world.eventually(async || played().await == 39).await;
    assert_eq!(before["played"], 40);
    let unknown = format!("/v1/admin/matches/m_{}/annul", "f".repeat(32));
    operator.post(&unknown, reason.clone()).await.refused(404, "not_found");

    assert_eq!(operator.post(&format!("/v1/admin/players/{}/unrank", ben.id), reason).await.status, 204);
    assert_eq!(nobody.get(&format!("/v1/players/{}/ratings", ben.id)).await.ok()["items"], json!([]));
    let left = [(1, ann.id.clone()), (2, cid.id.clone())];
    assert_eq!(board(&nobody, 1).await, left);
    let operations: Vec<Value> = audit(&operator).await.iter().map(|entry| entry["operation"].clone()).collect();
    assert!(operations.contains(&json!("annulMatch")) && operations.contains(&json!("unrankPlayer")), "{operations:?}");

    let confirm = format!("/v1/me?confirm={}", cid.id);
    assert_eq!(cid.call("DELETE", &confirm).await.status, 204);
    world.eventually(async || board(&nobody, 5).await == left[..1]).await;
    nobody.get(&format!("/v1/players/{}/ratings", cid.id)).await.refused(404, "player_not_found");
    let gone: PlayerId = cid.id.parse().unwrap();
    let kept = async || world.service().ratings.of_player(&gone).await.unwrap();
    world.eventually(async || kept().await.is_empty()).await;
}
