//! Boards of results: the best score alone, the longest streak together.

use sarsen::bots::{Level, SearchMeans};
use sarsen::ids::{MatchId, PlayerId};
use sarsen::matches::Reader;
use sarsen::matches::board_match::{BoardEnd, BoardMatch};
use sarsen::rules::Seat;
use serde_json::{Value, json};

use crate::client::Client;
use crate::tables::Pair;
use crate::world::{World, cases};

cases!(
    a_set_of_players_stands_with_its_streak, a_match_that_is_won_alone_comes_on_the_board;
    on both stores: every_start_alone_counts_and_the_best_score;
);

const THIEF: &str = "thief_of_the_sacred_fire";

/// Tells a board that these have played a match to this end.
async fn told(world: &World, number: u128, board: &str, players: &[&Client], (won, score): (bool, i32)) {
    let now = world.service().clock.now();
    let mut players: Vec<PlayerId> = players.iter().map(|client| client.id.parse().unwrap()).collect();
    players.sort_unstable();
    let ended = Some(BoardEnd { at: now, won, score });
    let match_id = MatchId::from_number(number);
    let found = BoardMatch { match_id, board: board.to_owned(), started_at: now, players, ended };
    world.service().ratings.record(&found).await.unwrap();
}

async fn rows(world: &World, board: &str) -> Vec<Value> {
    world.nobody().get(&format!("/v1/leaderboards/{board}")).await.ok()["items"].as_array().unwrap().clone()
}

fn of(row: &Value, names: [&str; 4]) -> [Value; 4] {
    names.map(|name| row[name].clone())
}

async fn every_start_alone_counts_and_the_best_score(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let board = format!("{THIEF}.solo.default");
    told(world, 1, &board, &[&ann], (true, 98_035)).await;
    told(world, 2, &board, &[&ben], (true, 97_020)).await;
    // A private match does not count, nor one with hints; one that is given up and one that goes on do.
    for (fields, ends) in [
        (json!({"hints": false, "visibility": "private"}), true),
        (json!({"visibility": "public"}), true),
        (json!({"hints": false, "visibility": "public"}), true),
        (json!({"hints": false, "visibility": "public"}), false),
    ] {
        let mut body = json!({"game": THIEF});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let id = ann.create(body).await["match"]["id"].as_str().unwrap().to_owned();
        if ends {
            ann.act(&id, "resign").await.ok();
        }
    }
    let counts = ["score", "played", "wins", "attempts"];
    world.eventually(async || rows(world, &board).await[0]["attempts"] == 3).await;
    world.eventually(async || rows(world, &board).await[0]["played"] == 2).await;
    let boards = world.nobody().get("/v1/leaderboards").await.ok()["items"].clone();
    let listed: Vec<&Value> =
        boards.as_array().unwrap().iter().filter(|listed| listed["id"].as_str().unwrap().starts_with(&board)).collect();
    assert_eq!(listed.len(), 2);
    assert_eq!(
        of(listed[0], ["kind", "options", "window", "seats"]),
        [json!("solo"), json!("default"), json!("all"), Value::Null]
    );
    let window = listed[1]["window"].as_str().unwrap();
    assert_eq!(listed[1]["id"], format!("{board}.{}", window.strip_prefix("month:").unwrap()));
    for listed in listed {
        let id = listed["id"].as_str().unwrap();
        // A match counts on one board after the other.
        let counted = [json!(98_035), json!(2), json!(1), json!(3)];
        world.eventually(async || of(&rows(world, id).await[0], counts) == counted).await;
        let rows = rows(world, id).await;
        assert_eq!(rows.len(), 2);
        assert_eq!(of(&rows[1], counts), [json!(97_020), json!(1), json!(1), json!(1)]);
        assert_eq!(
            of(&rows[0], ["rank", "rating", "deviation", "partners"]),
            [json!(1), Value::Null, Value::Null, json!([])]
        );
        assert_eq!(rows[0]["player"]["name"], "Ann");
        let around = format!("/v1/leaderboards/{id}/players/{}?around=0", ben.id);
        assert_eq!(world.nobody().get(&around).await.ok()["items"][0]["rank"], 2);
    }
    let kept = ann.get("/v1/me/export").await.ok()["results"].clone();
    assert_eq!(kept.as_array().unwrap().iter().filter(|kept| kept["board"] == board).count(), 1);
    assert_eq!(of(&kept[0], counts), [json!(98_035), json!(2), json!(1), json!(3)]);
    assert_eq!(kept[0]["player_ids"], json!([ann.id]));
    let (nobody, of_ann) = (world.nobody(), format!("/v1/players/{}/ratings", ann.id));
    assert_eq!(nobody.get(&of_ann).await.ok()["items"], json!([]));
    nobody.get(&format!("{of_ann}/{board}/history")).await.refused(404, "board_not_found");
    nobody.get(&format!("/v1/leaderboards/{board}.2026-13")).await.refused(404, "board_not_found");
    // Operators annul a result as they do a rated match.
    let annul = format!("/v1/admin/matches/{}/annul", MatchId::from_number(2));
    let operator = world.operator("admin:read,admin:moderate");
    assert_eq!(operator.post(&annul, json!({"reason": "a program has played"})).await.status, 204);
    world.eventually(async || rows(world, &board).await.len() == 1).await;
    assert_eq!(ann.call("DELETE", &format!("/v1/me?confirm={}", ann.id)).await.status, 204);
    world.eventually(async || rows(world, &board).await.is_empty()).await;
    let gone: PlayerId = ann.id.parse().unwrap();
    let kept = async || world.store().ratings(&board, std::slice::from_ref(&gone), None).await.unwrap().stored;
    world.eventually(async || kept().await == [None]).await;
}

async fn a_set_of_players_stands_with_its_streak(world: &mut World) {
    let board = "absolution.coop.default";
    let fields = json!({"game": "absolution", "seats": 2, "start": "manual"});
    let pair = Pair::seated(world, fields).await;
    let [ann, ben] = &pair.players;
    let cid = world.guest("Cid").await;
    told(world, 1, board, &[&cid, ann], (true, 0)).await;
    for number in 2..4 {
        told(world, number, board, &[ann, ben], (true, 0)).await;
    }
    // Not before: a start between two wins ends the streak, as it may be of a match that is given up.
    ann.act(&pair.id, "start").await.ok();
    // The match that they have begun counts as an attempt before it is over.
    world.eventually(async || rows(world, board).await.first().is_some_and(|row| row["attempts"] == 3)).await;
    ann.act(&pair.id, "resign").await.ok();
    ben.act(&pair.id, "resign").await;
    world.eventually(async || rows(world, board).await[0]["played"] == 3).await;
    let found = rows(world, board).await;
    let counts = ["score", "wins", "attempts", "rank"];
    assert_eq!(of(&found[0], counts), [json!(2), json!(2), json!(3), json!(1)]);
    assert_eq!(of(&found[1], counts), [json!(1), json!(1), json!(1), json!(2)]);
    let names = |row: &Value| {
        let partners = row["partners"].as_array().unwrap().iter();
        let mut names: Vec<Value> = partners.chain([&row["player"]]).map(|player| player["name"].clone()).collect();
        names.sort_by_key(ToString::to_string);
        names
    };
    assert_eq!(
        (names(&found[0]), names(&found[1])),
        (vec![json!("Ann"), json!("Ben")], vec![json!("Ann"), json!("Cid")])
    );
    let kept = ann.get("/v1/me/export").await.ok()["results"].clone();
    let kept: Vec<&Value> = kept.as_array().unwrap().iter().filter(|kept| kept["board"] == board).collect();
    assert_eq!((kept.len(), kept[0]["player_ids"].as_array().unwrap().len()), (2, 2), "{kept:?}");
    for (player, rank) in [(ann, 1), (ben, 1), (&cid, 2)] {
        let around = format!("/v1/leaderboards/{board}/players/{}?around=0", player.id);
        assert_eq!(world.nobody().get(&around).await.ok()["items"][0]["rank"], rank);
    }
    assert_eq!(ben.call("DELETE", &format!("/v1/me?confirm={}", ben.id)).await.status, 204);
    // The others of the set are left out at once, and do not count in ranks soon.
    world.eventually(async || rows(world, board).await.len() == 1).await;
    world.eventually(async || rows(world, board).await[0]["rank"] == 1).await;
}

/// Plays the Thief to the end as a bot would, and answers the player's standing.
async fn plays_alone(world: &World, player: &Client) -> Value {
    let body = json!({"game": THIEF, "hints": false, "visibility": "public"});
    let id = player.create(body).await["match"]["id"].as_str().unwrap().to_owned();
    let (matches, seat) = (&world.service().matches, Seat::new(0).unwrap());
    let (bot, means) = (matches.bots_of(THIEF).unwrap().unwrap(), SearchMeans { threads: 1, is_over: &|| false });
    loop {
        let seen = player.read(&id).await;
        let Some(decision) = seen["decision"]["id"].as_str() else {
            return seen["match"]["outcome"]["standings"][0].clone();
        };
        let live = matches.read(&Reader::default(), &id.parse().unwrap()).await.unwrap().live;
        let found = bot.rank(Level::Medium, &live.state().unwrap().observe(seat), [7; 32], &means).unwrap();
        player.play(&id, decision, &found.moves[0].notation).await.ok();
    }
}

async fn a_match_that_is_won_alone_comes_on_the_board(world: &mut World) {
    let (ann, board) = (world.guest("Ann").await, format!("{THIEF}.solo.default"));
    let mut attempts = 0;
    // Four of five are won, by the deal.
    let won = loop {
        attempts += 1;
        assert!(attempts < 20, "never won");
        let standing = plays_alone(world, &ann).await;
        if standing["verdict"] == "won" {
            break standing["score"].clone();
        }
        assert_eq!(standing["score"], 0);
    };
    world
        .eventually(async || {
            rows(world, &board).await.first().is_some_and(|row| row["wins"] == 1 && row["played"] == attempts)
        })
        .await;
    let row = &rows(world, &board).await[0];
    assert_eq!(row["player"]["id"], ann.id.as_str());
    assert_eq!(of(row, ["score", "played", "wins", "attempts"]), [won, json!(attempts), json!(1), json!(attempts)]);
}
