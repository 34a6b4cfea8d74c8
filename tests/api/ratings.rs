//! Rated matches, ratings and boards.

use sarsen::ambient::Timestamp;
use sarsen::ids::{MatchId, PlayerId};
use sarsen::matches::rated_result::{RatedResult, RatedSeat};
use sarsen::store::{ItemKind, ItemOwner, Replaced, Restored};
use serde_json::{Value, json};

use crate::admin::audit;
use crate::client::Client;
use crate::pools::matched;
use crate::programs::bot;
use crate::tables::{Pair, WIN};
use crate::world::{Settings, World, cases};

cases!(
    a_private_match_is_named_to_its_players_alone, what_cannot_be_rated_says_why,
        rated_play_may_need_a_linked_account, who_is_banned_stands_on_no_board,
        a_history_is_read_in_pages_while_matches_are_rated, bot_accounts_are_rated_by_the_links_of_their_owners,
        a_rated_pool_pairs_two_whom_ratings_history_and_board_show, who_is_paired_and_does_not_come_loses_alone;
    on both stores: a_rated_match_is_rated_once_it_is_over, a_board_is_read_in_pages_and_corrected_by_operators,
        equals_stand_in_one_order_on_every_page_of_every_instance;
);

const BOARD: &str = "/v1/leaderboards/contiguity.2.live";
const DAY: i64 = 86_400_000;

fn rated() -> Value {
    json!({"rated": true, "clock": {"initial_seconds": 300, "increment_seconds": 5}})
}

/// Rates a match that ended at this moment, which the first of the two has won or lost.
async fn rate(world: &World, number: u128, at: i64, two: [&Client; 2], won: bool) {
    let ranks = if won { [1, 2] } else { [2, 1] };
    let seat = |(client, rank): (&Client, u8)| RatedSeat { player: client.id.parse().unwrap(), rank, counts: true };
    let result = RatedResult {
        match_id: MatchId::from_number(number),
        version: 9,
        category: "contiguity.2.live".to_owned(),
        at: Timestamp(at),
        seats: two.into_iter().zip(ranks).map(seat).collect(),
        private: false,
    };
    assert!(world.service().ratings.rate(&result).await.unwrap());
}

/// Rates matches between all of these on the last days, of which who is named first wins two of three.
async fn rate_many(world: &World, players: &[&Client]) {
    let now = world.service().clock.now().0;
    let mut number = 0_u128;
    for day in (1..=20).rev() {
        for (index, better) in players.iter().enumerate() {
            for worse in &players[index + 1..] {
                number += 1;
                rate(world, number, now - day * DAY, [better, worse], day % 3 != 0).await;
            }
        }
    }
}

/// A reader at each of two instances where they share a store, else at the only one.
async fn readers(world: &mut World) -> Vec<Client> {
    let mut readers = vec![world.nobody()];
    if world.shares_a_store() {
        world.add_instance().await;
        readers.push(world.nobody());
    }
    readers
}

/// The ids of the players on the board, read in pages by turns.
async fn board(readers: &[Client], limit: usize) -> Vec<(u64, String)> {
    let (mut rows, mut cursor, mut turns) = (Vec::new(), String::new(), readers.iter().cycle());
    loop {
        let page = turns.next().unwrap().get(&format!("{BOARD}?limit={limit}{cursor}")).await.ok();
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
    with_a_rated_pool(world, true).await;
    assert_eq!(world.nobody().get("/v1/limits").await.ok()["rated_requires"], "linked");
    let ann = world.guest("Ann").await;
    let mut fields = rated();
    fields["game"] = json!("contiguity");
    ann.post("/v1/matches", fields).await.refused(403, "linked_required");
    ann.act(&early, "join").await.refused(403, "linked_required");
    ann.put(RATED_POOL, json!({})).await.refused(403, "linked_required");
    link(world, &ann).await;
    ann.act(&early, "join").await.ok();
    ann.create(rated()).await;
}

/// Links an account of an outside issuer.
async fn link(world: &World, player: &Client) {
    let owner = ItemOwner::Player(player.id.parse().unwrap());
    let linked = Some(br#"{"v":1,"issuer":"acme","linked_at":0}"#.to_vec());
    let name = format!("{:0>64}", player.id.trim_start_matches("p_"));
    let done = world.store().replace_item(&owner, ItemKind::Identity, &name, None, linked, 1).await.unwrap();
    assert_eq!(done, Replaced::Done);
}

async fn bot_accounts_are_rated_by_the_links_of_their_owners(world: &mut World) {
    with_a_rated_pool(world, true).await;
    let owners = [world.guest("Ann").await, world.guest("Ben").await];
    let bots = [bot(&owners[0], "Engine").await, bot(&owners[1], "Other").await];
    for (owner, bot) in owners.iter().zip(&bots) {
        bot.put(RATED_POOL, json!({})).await.refused(403, "linked_required");
        link(world, owner).await;
    }
    // An owner waits there too, and is not paired with a bot account.
    owners[0].put(RATED_POOL, json!({})).await.ok();
    let pair = paired(bots).await;
    // A ticket of a bot account that comes late, after its match began, is refused.
    let late = pair.players[1].put("/v1/pools/casual/ticket", json!({})).await;
    assert_eq!(late.refused(409, "already_playing")["match_id"], pair.id);
    pair.play_all(&WIN).await;
    let (changes, nobody) = (changes(world, &pair).await, world.nobody());
    let board = "contiguity.2.live.programs";
    assert_eq!(nobody.get(&pair.path("/ratings")).await.ok()["board"], board);
    for (bot, seat) in pair.players.iter().zip(changes.as_array().unwrap()) {
        let own = nobody.get(&format!("/v1/players/{}/ratings", bot.id)).await.ok()["items"][0].clone();
        assert_eq!((&own["board"], &own["rating"]), (&json!(board), &seat["change"]["after"]));
        assert_eq!(seat["change"]["counted"], true);
    }
    for owner in &owners {
        assert_eq!(nobody.get(&format!("/v1/players/{}/ratings", owner.id)).await.ok()["items"], json!([]));
    }
    assert_eq!(owners[0].get(RATED_POOL).await.ok()["state"], "waiting");
    let boards = nobody.get("/v1/leaderboards").await.ok();
    let programs = boards["items"].as_array().unwrap().iter().filter(|board| board["programs"] == true);
    assert_eq!(programs.map(|listed| listed["id"].clone()).collect::<Vec<_>>(), [json!(board)]);
}

async fn a_rated_match_is_rated_once_it_is_over(world: &mut World) {
    let pair = Pair::seated(world, rated()).await;
    let (ratings, ann) = (pair.path("/ratings"), &pair.players[0]);
    ann.get(&ratings).await.refused(409, "match_not_over");
    let casual = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    ann.get(&format!("/v1/matches/{casual}/ratings")).await.refused(404, "not_found");
    // The clock alone ends the turn of who is absent.
    let absent = pair.turn().await.seat;
    let claim = pair.players[1 - absent].post(&pair.path("/claim"), json!({"seat": absent})).await;
    claim.refused(409, "claim_not_possible");
    assert_eq!(ann.read(&pair.id).await["match"]["seats"][absent]["claimable_at"], Value::Null);
    pair.play_all(&WIN).await;
    world.eventually(async || ann.get(&ratings).await.status == 200).await;
    // Where a match has come without its rating, that is ordered as somebody asks for it.
    let whole = world.store().whole_match(&pair.id.parse().unwrap()).await.unwrap().unwrap();
    let mut elsewhere = World::start(world.backend()).await;
    assert_eq!(elsewhere.store().restore_match(whole).await.unwrap(), Restored::Written);
    elsewhere.nobody().get(&ratings).await.refused(404, "rating_not_ready");
    elsewhere.eventually(async || elsewhere.nobody().get(&ratings).await.status == 200).await;
    elsewhere.stop().await;
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
        assert_eq!(player.get("/v1/me/export").await.ok()["ratings"], own["items"]);
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
    let readers = readers(world).await;
    let nobody = readers[0].clone();
    let expected: Vec<(u64, String)> = (1..).zip([ann, ben, cid]).map(|(rank, of)| (rank, of.id.clone())).collect();
    for limit in 1..=4 {
        assert_eq!(board(&readers, limit).await, expected, "pages of {limit}");
    }
    let row = nobody.get(&format!("{BOARD}?limit=2")).await.ok()["items"][0].clone();
    assert_eq!((&row["player"]["name"], &row["played"]), (&json!("Ann"), &json!(40)));
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
    assert_eq!(board(&readers[..1], 1).await, left);
    let operations: Vec<Value> = audit(&operator).await.iter().map(|entry| entry["operation"].clone()).collect();
    assert!(operations.contains(&json!("annulMatch")) && operations.contains(&json!("unrankPlayer")), "{operations:?}");

    let confirm = format!("/v1/me?confirm={}", cid.id);
    assert_eq!(cid.call("DELETE", &confirm).await.status, 204);
    world.eventually(async || board(&readers[..1], 5).await == left[..1]).await;
    nobody.get(&format!("/v1/players/{}/ratings", cid.id)).await.refused(404, "player_not_found");
    let gone: PlayerId = cid.id.parse().unwrap();
    let kept = async || world.service().ratings.of_player(&gone).await.unwrap();
    world.eventually(async || kept().await.is_empty()).await;
}

async fn equals_stand_in_one_order_on_every_page_of_every_instance(world: &mut World) {
    let mut players = Vec::new();
    for number in 0..8 {
        players.push(world.guest(&format!("Player {number}")).await);
    }
    // Three pairs with the same results, each a second after the one before, and one in which the better wins more.
    let (now, mut number) = (world.service().clock.now().0, 0);
    for day in (1..=28).rev() {
        for (place, two) in (0..).zip(players.chunks(2)) {
            number += 1;
            let lost_one_of = if place == 3 { 4 } else { 3 };
            let at = now - day * DAY + 1000 * place;
            rate(world, number, at, [&two[0], &two[1]], day % lost_one_of != 0).await;
        }
    }
    let ranked = [(1, 6), (2, 0), (2, 2), (2, 4), (5, 1), (5, 3), (5, 5), (8, 7)];
    let expected = ranked.map(|(rank, place): (u64, usize)| (rank, players[place].id.clone()));
    let readers = readers(world).await;
    for limit in 1..=8 {
        assert_eq!(board(&readers, limit).await, expected, "pages of {limit}");
    }
    for reader in &readers {
        let around = reader.get(&format!("{BOARD}/players/{}?around=1", players[2].id)).await.ok();
        let ids: Vec<&Value> = around["items"].as_array().unwrap().iter().map(|row| &row["player"]["id"]).collect();
        assert_eq!(ids, [&players[0].id, &players[2].id, &players[4].id]);
    }
}

async fn who_is_banned_stands_on_no_board(world: &mut World) {
    let people = [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cid").await];
    let [ann, ben, cid] = &people;
    rate_many(world, &[ann, ben, cid]).await;
    let (readers, operator) = (readers(world).await, world.operator("admin:moderate"));
    let place = |rank: u64, player: &Client| (rank, player.id.clone());
    let (all, left) = ([place(1, ann), place(2, ben), place(3, cid)], [place(1, ann), place(3, cid)]);
    let ban = format!("/v1/admin/players/{}/ban", ben.id);
    operator.put(&ban, json!({"until": null, "from": "play", "reason": "spam"})).await.ok();
    for reader in readers.chunks(1) {
        world.eventually(async || board(reader, 1).await == left).await;
        reader[0].get(&format!("{BOARD}/players/{}", ben.id)).await.refused(404, "player_not_found");
        let around = reader[0].get(&format!("{BOARD}/players/{}?around=2", cid.id)).await.ok();
        let ids: Vec<&Value> = around["items"].as_array().unwrap().iter().map(|row| &row["player"]["id"]).collect();
        assert_eq!(ids, [&ann.id, &cid.id]);
    }
    operator.call("DELETE", &format!("{ban}?reason=mistake")).await.ok();
    for reader in readers.chunks(1) {
        world.eventually(async || board(reader, 3).await == all).await;
    }
}

async fn a_history_is_read_in_pages_while_matches_are_rated(world: &mut World) {
    let (ann, ben, cid) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cid").await);
    rate_many(world, &[&ann, &ben]).await;
    let readers = readers(world).await;
    let history = |of: &Client, query: &str| format!("/v1/players/{}/ratings/contiguity.2.live/history{query}", of.id);
    let (mut found, mut pages, mut cursor) = (Vec::new(), Vec::new(), String::new());
    for reader in readers.iter().cycle() {
        let page = reader.get(&history(&ann, &format!("?limit=7{cursor}"))).await.ok();
        let items = page["items"].as_array().unwrap();
        pages.push(items.len());
        found.extend(items.iter().map(|item| item["match_id"].as_str().unwrap().to_owned()));
        rate(world, 100 + pages.len() as u128, world.service().clock.now().0, [&ann, &ben], true).await;
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let expected: Vec<String> = (1..=20).rev().map(|number| MatchId::from_number(number).to_string()).collect();
    assert_eq!((pages, found), (vec![7, 7, 6], expected));
    let newest = readers[0].get(&history(&ben, "?limit=1")).await.ok()["items"][0]["match_id"].clone();
    assert_eq!(newest, json!(MatchId::from_number(103)));
    assert_eq!(readers[0].get(&history(&cid, "")).await.ok()["items"], json!([]));
    for (of, wrong) in [(&ann, "x"), (&ann, "-1"), (&ann, "999"), (&ann, "4294967296"), (&cid, "3")] {
        let refused = readers[0].get(&history(of, &format!("?cursor={wrong}"))).await;
        assert_eq!(refused.refused(400, "invalid_parameter")["field"], "cursor", "{wrong}");
    }
}

const RATED_POOL: &str = "/v1/pools/duels/ticket";

/// Two who were paired by a rated pool, in the order of their seats.
async fn paired(players: [Client; 2]) -> Pair {
    for player in &players {
        assert_eq!(player.put(RATED_POOL, json!({})).await.ok()["state"], "waiting");
    }
    let [one, other] = &players;
    let (id, same) = tokio::join!(matched(one, RATED_POOL), matched(other, RATED_POOL));
    assert_eq!(id, same);
    let view = one.read(&id).await;
    assert_eq!((&view["match"]["rated"], &view["match"]["status"]), (&json!(true), &json!("playing")));
    let [one, other] = players;
    Pair { id, players: if view["match"]["your_seat"] == 0 { [one, other] } else { [other, one] } }
}

async fn with_a_rated_pool(world: &mut World, rated_requires_link: bool) {
    let pool = |id: &str, rated: bool| json!({"id": id, "game": "contiguity", "seats": {"min": 2, "max": 2}, "preset": "live-5-5", "rated": rated});
    let pools = Some(json!([pool("duels", true), pool("casual", false)]).to_string());
    world.change(Settings { rated_requires_link, pools, ..Settings::default() });
    world.restart().await;
    let pools = world.nobody().get("/v1/pools").await.ok();
    assert_eq!((&pools["items"][0]["id"], &pools["items"][0]["rated"]), (&json!("duels"), &json!(true)));
}

/// The changes of the seats, once the match is rated.
async fn changes(world: &World, pair: &Pair) -> Value {
    let (nobody, path) = (world.nobody(), pair.path("/ratings"));
    world.eventually(async || nobody.get(&path).await.status == 200).await;
    nobody.get(&path).await.ok()["seats"].clone()
}

async fn a_rated_pool_pairs_two_whom_ratings_history_and_board_show(world: &mut World) {
    with_a_rated_pool(world, false).await;
    let (ann, ben, cid) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cid").await);
    rate_many(world, &[&ann, &ben, &cid]).await;
    let nobody = world.nobody();
    let pair = paired([ann, ben]).await;
    pair.play_all(&WIN).await;
    let changes = changes(world, &pair).await;
    let outcome = pair.players[0].read(&pair.id).await["match"]["outcome"]["standings"].clone();
    for (seat, player) in pair.players.iter().enumerate() {
        let change = &changes[seat]["change"];
        let rose = change["after"].as_i64() > change["before"].as_i64();
        assert_eq!((rose, &change["counted"]), (outcome[seat]["rank"] == 1, &json!(true)));
        let own = nobody.get(&format!("/v1/players/{}/ratings", player.id)).await.ok()["items"][0].clone();
        assert_eq!((&own["rating"], &own["played"]), (&change["after"], &json!(41)));
        let history = format!("/v1/players/{}/ratings/contiguity.2.live/history?limit=1", player.id);
        let newest = nobody.get(&history).await.ok()["items"][0].clone();
        assert_eq!((&newest["match_id"], &newest["change"]), (&json!(pair.id), change));
        let around = nobody.get(&format!("{BOARD}/players/{}?around=0", player.id)).await.ok();
        let row = &around["items"][0];
        assert_eq!((&row["player"]["id"], &row["rating"]), (&json!(player.id), &change["after"]));
        assert_eq!(row["played"], 41);
    }
}

async fn who_is_paired_and_does_not_come_loses_alone(world: &mut World) {
    with_a_rated_pool(world, false).await;
    let pair = paired([world.guest("Ann").await, world.guest("Ben").await]).await;
    let first = pair.turn().await.seat;
    pair.play(WIN[0]).await.ok();
    let nobody = world.nobody();
    world.clock.advance_seconds(35);
    world.eventually(async || nobody.read(&pair.id).await["match"]["status"] == "finished").await;
    assert_eq!(nobody.read(&pair.id).await["match"]["outcome"]["ending"], "timeout");
    let changes = changes(world, &pair).await;
    let (came, absent) = (&changes[first]["change"], &changes[1 - first]["change"]);
    assert_eq!((&came["counted"], &came["before"], &came["after"]), (&json!(false), &json!(1500), &json!(1500)));
    assert_eq!((&absent["counted"], &absent["before"], &absent["after"]), (&json!(true), &json!(1500), &json!(1338)));
    let kept = async |seat: usize| {
        nobody.get(&format!("/v1/players/{}/ratings", pair.players[seat].id)).await.ok()["items"].clone()
    };
    assert_eq!(kept(first).await, json!([]), "nothing is stored for who came");
    let absent = kept(1 - first).await;
    assert_eq!((&absent[0]["rating"], &absent[0]["played"]), (&json!(1338), &json!(1)));
}

async fn a_private_match_is_named_to_its_players_alone(world: &mut World) {
    let (ann, ben, cid) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cid").await);
    let mut fields = rated();
    fields["visibility"] = json!("private");
    fields["places"] = json!([{"seat": 1, "player_id": ben.id}]);
    let pair = Pair::of([ann, ben], fields).await;
    pair.play_all(&WIN).await;
    let [ann, ben] = &pair.players;
    world.eventually(async || ann.get(&pair.path("/ratings")).await.status == 200).await;
    for player in [ann, ben] {
        let history = format!("/v1/players/{}/ratings/contiguity.2.live/history", player.id);
        for (reader, named) in [(ann, true), (ben, true), (&cid, false), (&world.nobody(), false)] {
            let change = reader.get(&history).await.ok()["items"][0].clone();
            assert_eq!(change["match_id"], if named { json!(pair.id) } else { Value::Null });
            assert_eq!(change["change"]["counted"], true);
        }
    }
}
