//! Pools: playing now.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use sarsen::ids::MatchId;
use sarsen::matches::rated_result::{RatedResult, RatedSeat};
use sarsen::rules::{Dice, DiceSeed};
use serde_json::{Value, json};

use crate::client::Client;
use crate::programs::program;
use crate::tables::kinds;
use crate::world::{Settings, World, cases};

cases!(
    a_pool_refuses_what_it_must, of_two_faults_of_a_ticket_the_earlier_in_the_order_is_told,
        a_backup_has_the_tickets_that_wait, who_queues_again_from_another_device_has_one_ticket, blocks_hold_in_pools,
        tickets_of_the_banned_and_the_deleted_are_gone;
    on both stores: two_play_now, three_sit_down_together_or_two_once_they_have_waited,
        two_hundred_players_are_in_one_match_each;
);

pub const LIVE: &str = "/v1/pools/contiguity-live/ticket";

fn of(pool: &str) -> String {
    format!("/v1/pools/{pool}/ticket")
}

/// Waits until the ticket is matched, and answers the match.
pub async fn matched(player: &Client, path: &str) -> String {
    for _ in 0..20 {
        let ticket = player.put(&format!("{path}?wait=5"), json!({})).await.ok();
        if ticket["state"] == "matched" {
            return ticket["match_id"].as_str().unwrap().to_owned();
        }
    }
    panic!("no match");
}

async fn two_play_now(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let pools = world.nobody().get("/v1/pools").await.ok();
    let pool = pools["items"].as_array().unwrap().iter().find(|pool| pool["id"] == "contiguity-live").unwrap();
    let shown = ["game", "min_seats", "max_seats", "preset", "speed", "rated", "waiting", "typical_wait_seconds"];
    let expected = [
        json!("contiguity"),
        json!(2),
        json!(2),
        json!("live-5-5"),
        json!("live"),
        json!(false),
        json!(0),
        Value::Null,
    ];
    assert_eq!(shown.map(|name| pool[name].clone()), expected);
    ann.get(LIVE).await.refused(404, "not_found");
    let first = ann.put(LIVE, json!({"entropy": "ash"})).await.ok();
    assert_eq!((&first["state"], &first["match_id"]), (&json!("waiting"), &Value::Null));
    let again = ann.put(LIVE, json!({})).await.ok();
    assert_eq!((&again["since"], &again["commitment"]), (&first["since"], &first["commitment"]), "one ticket");
    assert_eq!(ann.get(LIVE).await.ok()["state"], "waiting");
    // Both wait at the same time, and the same match is told to both.
    let (one, other) = tokio::join!(matched(&ann, LIVE), matched(&ben, LIVE));
    assert_eq!(one, other);
    let seen = ann.read(&one).await;
    let view = &seen["match"];
    assert_eq!(
        (&view["status"], &view["created_by"], &view["rated"], &view["programs"]),
        (&json!("playing"), &Value::Null, &json!(false), &json!("refuse"))
    );
    assert_eq!((&view["commitment"], &view["clock"]["initial_seconds"]), (&first["commitment"], &json!(300)));
    let own = view["your_seat"].as_u64().unwrap() as usize;
    assert_eq!(
        (&view["seats"][own]["entropy_given"], &view["seats"][1 - own]["entropy_given"]),
        (&json!(true), &json!(false))
    );
    let events = ann.events(&one).await;
    assert_eq!(
        (&events[0]["event"]["type"], &events[0]["event"]["pool"]),
        (&json!("match_created"), &json!("contiguity-live"))
    );
    assert!(kinds(&events).contains(&"match_started"));
    assert_eq!(ann.call("DELETE", LIVE).await.refused(409, "already_matched")["match_id"], one);
    // A delayed ticket after the match began is refused, in this pool as told and in any other live one.
    assert_eq!(ann.put(LIVE, json!({})).await.ok()["match_id"], one);
    let other_pool = ann.put(&of("absolution-live"), json!({})).await;
    assert_eq!(other_pool.refused(409, "already_playing")["match_id"], one);
    ann.put(&of("contiguity-correspondence"), json!({})).await.ok();
    // Nobody has a creator's powers.
    for (what, code) in [("start", "forbidden"), ("abort", "forbidden")] {
        ann.act(&one, what).await.refused(403, code);
    }
    ann.act(&one, "resign").await.ok();
    assert_eq!(ann.put(LIVE, json!({})).await.ok()["state"], "waiting", "it is over");
    ann.call("DELETE", LIVE).await.ok();
    ann.call("DELETE", LIVE).await.ok();
    ann.get(LIVE).await.refused(404, "not_found");
    let record = world.nobody().get(&format!("/v1/matches/{one}/record")).await.ok();
    assert_eq!(
        (&record["created_by"], &record["pool"], &record["format"]),
        (&Value::Null, &json!("contiguity-live"), &json!("sarsen/record/2"))
    );
    let games = sarsen::games::Games::standard(sarsen::games::GameSettings::default());
    let read = |record: &Value| serde_json::from_value::<sarsen::matches::export::MatchExport>(record.clone()).unwrap();
    sarsen::matches::export::verify(&games, &read(&record)).unwrap();
    // The draw of seats is verified too.
    let mut turned = record.clone();
    turned["paired"][0]["entropy"] = json!("oak");
    turned["paired"][1]["entropy"] = json!("thorn");
    assert!(sarsen::matches::export::verify(&games, &read(&turned)).is_err());
}

async fn who_queues_again_from_another_device_has_one_ticket(world: &mut World) {
    let ann = world.guest("Ann").await;
    let code = ann.post("/v1/me/pairing-codes", json!({})).await.ok()["code"].clone();
    let phone = world.nobody().post("/v1/tokens/pair", json!({"code": code, "device": "Phone"})).await.ok();
    let phone = world.nobody().signed_in(&phone);
    let path = of("contiguity-correspondence");
    let first = ann.put(&path, json!({})).await.ok();
    let second = phone.put(&format!("{path}?wait=5"), json!({})).await.ok();
    assert_eq!(
        (&second["state"], &second["commitment"]),
        (&json!("waiting"), &first["commitment"]),
        "never against oneself"
    );
    assert_eq!(ann.get("/v1/me/export").await.ok()["tickets"], json!([phone.get(&path).await.ok()]));
    let ben = world.guest("Ben").await;
    let (one, two, three) = tokio::join!(matched(&ann, &path), matched(&phone, &path), matched(&ben, &path));
    assert!(one == two && two == three);
    let kept = ann.get("/v1/me/export").await.ok()["tickets"].clone();
    assert_eq!(kept, json!([ann.get(&path).await.ok()]));
    assert_eq!((&kept[0]["state"], &kept[0]["match_id"]), (&json!("matched"), &json!(one)));
    let listed = ann.get("/v1/matches?mine=true").await.ok();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
}

async fn a_pool_refuses_what_it_must(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    for method in ["PUT", "GET", "DELETE"] {
        ann.call(method, &of("chess-live")).await.refused(404, "pool_not_found");
    }
    // One by hand counts too, until it is over.
    let made = ann.create(json!({"preset": "live-5-5"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    ann.put(LIVE, json!({})).await.ok();
    ben.act(id, "join").await.ok();
    assert_eq!(ben.put(LIVE, json!({})).await.refused(409, "already_playing")["match_id"], id);
    ben.put(&of("contiguity-correspondence"), json!({})).await.ok();
    ben.act(id, "resign").await.ok();
    ben.put(LIVE, json!({"rating_range": {"min": 1600, "max": 1700}})).await.ok();
    for pool in ["absolution-correspondence", "henge-correspondence"] {
        let last = ben.put(&of(pool), json!({})).await;
        if pool.starts_with("henge") {
            last.refused(409, "limit_reached")
        } else {
            last.ok()
        };
    }
    for body in [json!({"rating_range": {"min": 2, "max": 1}}), json!({"entropy": ""}), json!({"name": 1})] {
        ben.put(LIVE, body).await.refused(400, "invalid_request");
    }
    ben.put(&format!("{LIVE}?wait=31"), json!({})).await.refused(400, "invalid_parameter");
    // Whom a range leaves out is not paired, and what is not renewed lapses.
    ann.put(LIVE, json!({})).await.ok();
    assert_eq!(ann.put(&format!("{LIVE}?wait=5"), json!({})).await.ok()["state"], "waiting");
    world.clock.advance_seconds(61);
    ann.get(LIVE).await.refused(404, "not_found");
    assert_eq!(ben.get(&of("contiguity-correspondence")).await.ok()["state"], "waiting");
}

async fn blocks_hold_in_pools(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    ann.put(&format!("/v1/me/blocks/{}", ben.id), json!({})).await.ok();
    ann.put(LIVE, json!({})).await.ok();
    ben.put(LIVE, json!({})).await.ok();
    assert_eq!(ben.put(&format!("{LIVE}?wait=5"), json!({})).await.ok()["state"], "waiting");
    let (one, other) = tokio::join!(matched(&ann, LIVE), matched(&cora, LIVE));
    assert_eq!(one, other);
    assert_eq!(ben.get(LIVE).await.ok()["state"], "waiting");
}

async fn tickets_of_the_banned_and_the_deleted_are_gone(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let correspondence = of("contiguity-correspondence");
    let apart = json!({"rating_range": {"min": 9000, "max": 9001}});
    for player in [&ann, &ben] {
        player.put(LIVE, apart.clone()).await.ok();
    }
    ben.put(&correspondence, apart).await.ok();
    let operator = world.operator("admin:read,admin:moderate");
    let ban = format!("/v1/admin/players/{}/ban", ann.id);
    operator.put(&ban, json!({"until": null, "from": "play", "reason": "spam"})).await.ok();
    ann.put(LIVE, json!({})).await.refused(403, "banned");
    world.eventually(async || ann.get(LIVE).await.status == 404).await;
    ann.call("DELETE", LIVE).await.ok();
    assert_eq!(ben.call("DELETE", &format!("/v1/me?confirm={}", ben.id)).await.status, 204);
    let (store, gone) = (world.store(), ben.id.parse().unwrap());
    world.eventually(async || store.pool_record(&gone).await.unwrap().is_none()).await;
    // Whoever comes waits for others.
    cora.put(LIVE, json!({})).await.ok();
    assert_eq!(cora.put(&format!("{LIVE}?wait=3"), json!({})).await.ok()["state"], "waiting");
}

async fn three_sit_down_together_or_two_once_they_have_waited(world: &mut World) {
    let pools = json!([
        {"id": "trio", "game": "henge", "seats": {"min": 3, "max": 3}, "preset": "live-5-5", "rated": true},
        {"id": "few", "game": "absolution", "seats": {"min": 2, "max": 3}, "preset": "days-3"}
    ]);
    world.change(Settings { pools: Some(pools.to_string()), ..Settings::default() });
    world.restart().await;
    let (trio, few) = (of("trio"), of("few"));
    let mut players = Vec::new();
    for name in ["Ann", "Ben", "Cid", "Dot"] {
        let player = world.guest(name).await;
        player.put(&trio, json!({})).await.ok();
        world.clock.advance_seconds(1);
        players.push(player);
    }
    let ids = join_all(players[..3].iter().map(|player| matched(player, &trio))).await;
    let seats = async |id: &str| {
        let seen = players[0].read(id).await;
        assert_eq!(seen["match"]["status"], "playing");
        let seats = seen["match"]["seats"].as_array().unwrap().iter();
        seats.map(|seat| seat["player"]["id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let those = |count: usize| players[..count].iter().map(|player| player.id.clone()).collect::<BTreeSet<_>>();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(seats(&ids[0]).await, those(3));
    assert_eq!(players[3].get(&trio).await.ok()["state"], "waiting", "the youngest ticket is left");
    for player in &players[..2] {
        player.put(&few, json!({})).await.ok();
    }
    assert_eq!(players[0].put(&format!("{few}?wait=3"), json!({})).await.ok()["state"], "waiting");
    world.clock.advance_seconds(20);
    let (one, other) = tokio::join!(matched(&players[0], &few), matched(&players[1], &few));
    assert_eq!(one, other);
    assert_eq!(seats(&one).await, those(2));
}

async fn of_two_faults_of_a_ticket_the_earlier_in_the_order_is_told(world: &mut World) {
    let pool = |id: &str, preset: &str, rated: bool| json!({"id": id, "game": "contiguity", "seats": {"min": 2, "max": 2}, "preset": preset, "rated": rated});
    let days = ["days-a", "days-b", "days-c", "days-d"];
    let mut pools = days.map(|id| pool(id, "days-3", false)).to_vec();
    pools.extend([pool("live", "live-5-5", false), pool("duels", "live-5-5", true)]);
    let pools = Some(Value::from(pools).to_string());
    world.change(Settings { pools, rated_requires_link: true, ..Settings::default() });
    world.restart().await;
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let (reads, plays) = (program(&ann, json!(["read"])).await, program(&ann, json!(["play"])).await);
    let ban = format!("/v1/admin/players/{}/ban", ben.id);
    let ban_terms = json!({"until": null, "from": "play", "reason": "spam"});
    world.operator("admin:moderate").put(&ban, ban_terms).await.ok();
    let wrong = json!({"entropy": 7});
    let (live, duels, gone) = (of("live"), of("duels"), of("chess-live"));
    let late = format!("{gone}?wait=31");

    nobody.put(&late, wrong.clone()).await.refused(401, "unauthenticated");
    assert_eq!(reads.put(&late, wrong.clone()).await.refused(403, "scope_missing")["scope"], "play");
    ben.put(&gone, wrong.clone()).await.refused(403, "banned");
    ann.put(&late, wrong.clone()).await.refused(400, "invalid_parameter");
    ann.put(&gone, wrong.clone()).await.refused(404, "pool_not_found");
    for pool in [&live, &duels] {
        plays.put(pool, wrong.clone()).await.refused(403, "forbidden");
    }
    ann.put(&duels, wrong.clone()).await.refused(403, "linked_required");
    // Then what is wrong with the body, before what others have done meanwhile.
    let table = ann.create(json!({"preset": "live-5-5"})).await["match"]["id"].as_str().unwrap().to_owned();
    world.guest("Cid").await.act(&table, "join").await.ok();
    for pool in &days[..3] {
        ann.put(&of(pool), json!({})).await.ok();
    }
    ann.put(&live, wrong).await.refused(400, "invalid_request");
    ann.put(&live, json!({})).await.refused(409, "already_playing");
    ann.put(&of(days[3]), json!({})).await.refused(409, "limit_reached");
    for (method, other, scope) in [("GET", &plays, "read"), ("DELETE", &reads, "play")] {
        nobody.call(method, &gone).await.refused(401, "unauthenticated");
        assert_eq!(other.call(method, &gone).await.refused(403, "scope_missing")["scope"], scope);
        ann.call(method, &gone).await.refused(404, "pool_not_found");
    }
}

async fn a_backup_has_the_tickets_that_wait(world: &mut World) {
    let (ann, ben, path) = (world.guest("Ann").await, world.guest("Ben").await, of("contiguity-correspondence"));
    let waits = ann.put(&path, json!({"entropy": "ash"})).await.ok();
    let backup = world.operator("admin:operate").post("/v1/admin/backup", json!({})).await.ok();
    ann.call("DELETE", &path).await.ok();
    let mut restored = world.restored(backup["name"].as_str().unwrap()).await;
    let [ann, ben] = [ann, ben].map(|player| player.at(restored.newest_base()));
    assert_eq!(ann.get(&path).await.ok(), waits, "as it was at the moment of the backup");
    let (one, other) = tokio::join!(matched(&ann, &path), matched(&ben, &path));
    assert_eq!(one, other);
    restored.stop().await;
}

/// The number of players who queue at once.
const PLAYERS: usize = 200;

const DUELS: &str = "/v1/pools/duels/ticket";

/// In a rated pool, among players of two ratings. Some take their ticket back at once, and some of them come again, as a seed
/// says; where instances share a store, one dies while tickets are put in and another while they are waited for.
async fn two_hundred_players_are_in_one_match_each(world: &mut World) {
    let pool = json!([{
        "id": "duels", "game": "contiguity", "seats": {"min": 2, "max": 2}, "preset": "live-5-5", "rated": true
    }]);
    world.change(Settings { pools: Some(pool.to_string()), ..Settings::default() });
    let first = world.restart().await;
    let instances = if world.shares_a_store() { 3 } else { 1 };
    for _ in 1..instances {
        world.add_instance().await;
    }
    let bases: Vec<String> = (first..first + instances).map(|number| world.base(number)).collect();
    let names = (0..PLAYERS).map(|number| format!("Player {number}")).collect::<Vec<_>>();
    let players = join_all(names.iter().map(|name| world.guest(name))).await;
    let ratings = &world.service().ratings;
    for (number, two) in (0..).zip(players.chunks(2)) {
        let seat = |of: usize| RatedSeat { player: two[of].id.parse().unwrap(), rank: 1 + of as u8, counts: true };
        let (match_id, at) = (MatchId::from_number(number), world.service().clock.now());
        let category = "contiguity.2.live".to_owned();
        let seats = vec![seat(0), seat(1)];
        ratings.rate(&RatedResult { match_id, version: 9, category, at, seats, private: false }).await.unwrap();
    }
    let elsewhere = |it: Client, from: &str, to: &str| if it.base == from { it.at(to.to_owned()) } else { it };
    let players: Vec<Client> =
        players.into_iter().enumerate().map(|(number, player)| player.at(bases[number % instances].clone())).collect();
    let mut dice = Dice::new(DiceSeed([36; 32]));
    let drawn: Vec<u32> = (0..PLAYERS).map(|_| dice.below(10)).collect();
    // Two of ten take the ticket back at once, and perhaps too late; one of them comes again.
    let cancelled = join_all(players.iter().zip(&drawn).map(|(player, drawn)| async move {
        player.put(DUELS, json!({})).await.ok();
        if *drawn > 1 {
            return false;
        }
        let gone = player.call("DELETE", DUELS).await;
        let gone = if gone.status == 204 { true } else { gone.refused(409, "already_matched")["match_id"].is_null() };
        if gone && *drawn == 1 {
            player.put(DUELS, json!({})).await.ok();
        }
        gone && *drawn == 0
    }))
    .await;
    // An instance dies, perhaps between a pairing and its match; its players go on at another.
    let players: Vec<Client> = if instances > 1 {
        world.kill_instance(first);
        players.into_iter().map(|it| elsewhere(it, &bases[0], &bases[1])).collect()
    } else {
        players
    };
    let went_on =
        players.iter().zip(&cancelled).filter(|(_, cancelled)| !**cancelled).map(|(player, _)| player.clone());
    let mut waiting: Vec<Client> = went_on.collect();
    if waiting.len() % 2 == 1 {
        waiting.push(world.guest("The last").await);
    }
    if instances > 1 {
        join_all(waiting.iter().take(40).map(|player| player.put(DUELS, json!({})))).await;
        world.kill_instance(first + 1);
        waiting = waiting.into_iter().map(|it| elsewhere(it, &bases[1], &bases[2])).collect();
    }
    let told = async |player: &Client| (player.id.clone(), matched(player, DUELS).await);
    let matches = join_all(waiting.iter().map(told)).await;
    let mut seats: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (player, id) in &matches {
        seats.entry(id).or_default().insert(player);
    }
    assert!(
        seats.values().all(|seated| seated.len() == 2),
        "two who waited sit at each: nobody who cancelled was paired"
    );
    for player in &waiting {
        let listed = player.get("/v1/matches?mine=true").await.ok();
        let ids: Vec<&str> = listed["items"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        let told = matches.iter().find(|(of, _)| *of == player.id).map(|(_, id)| id.as_str()).unwrap();
        assert_eq!(ids, [told], "in one match and no other");
    }
    let (left, ratings) = (waiting.last().unwrap(), &world.service().ratings);
    for (player, cancelled) in players.iter().zip(&cancelled) {
        if *cancelled {
            let player = player.at(left.base.clone());
            assert!(player.get("/v1/matches?mine=true").await.ok()["items"].as_array().unwrap().is_empty());
        }
    }
    let mut distances = Vec::new();
    for seated in seats.values() {
        let mut shown = Vec::new();
        for player in seated {
            shown.push(ratings.shown_in("contiguity.2.live", &player.parse().unwrap()).await.unwrap());
        }
        distances.push(shown[0].abs_diff(shown[1]));
    }
    distances.sort_unstable();
    let (median, most) = (distances[distances.len() / 2], distances[distances.len() - 1]);
    eprintln!("{} pairs: median distance {median}, highest {most}", distances.len());
    assert!(median <= 100, "{distances:?}");
}
