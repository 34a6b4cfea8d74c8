//! Bots in seats: whole matches against them in every game, who may sit where, and what a record shows of them.

use std::time::Duration;

use sarsen::bots::{Bots, Level};
use sarsen::games::{GameSettings, Games};
use sarsen::matches::export::{Discrepancy, MatchExport, ReplayedBots, verify_bots};
use sarsen::rules::{Dice, DiceSeed};
use serde_json::{Value, json};
use test_kit::redis_server::Server;

use crate::client::Client;
use crate::process::{Program, bare, borrowed, on_redis, text};
use crate::world::{DEADLINE, Settings, World, cases};

cases!(
    a_person_plays_bots_in_every_game_to_the_end, bots_sit_at_once_and_are_no_players, seats_are_given_away_once,
        a_match_waits_for_its_people_and_not_for_its_bots, nobody_takes_the_seat_of_a_bot_or_claims_against_it,
        bots_decline_a_draw, bots_alone_play_for_whoever_watches, bots_stop_when_the_people_have_resigned, the_bots_of_a_game_are_listed;
);

/// Matches that never end by themselves within a test are given up after so many moves of the person.
const MOVES: usize = 400;

/// Plays at random on `seat` until the match is over.
pub async fn play_on(person: &Client, id: &str, seed: u8, most: usize) -> Value {
    let mut choice = Dice::new(DiceSeed([seed; 32]));
    let start = tokio::time::Instant::now();
    // Whoever looks again and again takes from the machine what bots and others need.
    let (path, mut tag) = (format!("/v1/matches/{id}?legal_moves=notation&wait=5"), "W/\"none\"".to_owned());
    let mut made = 0;
    loop {
        let answer = person.get_with(&path, "if-none-match", &tag).await;
        if answer.status == 304 {
            assert!(start.elapsed() < 20 * DEADLINE, "nobody moves");
            continue;
        }
        tag = answer.header("etag").unwrap().to_owned();
        let seen = answer.ok();
        if seen["match"]["status"] != "playing" {
            return seen;
        }
        let Some(decision) = seen["decision"]["id"].as_str() else { continue };
        if made == most {
            person.act(id, "resign").await.ok();
            continue;
        }
        let listed = seen["decision"]["legal_moves"]["notations"].as_array().unwrap();
        let notation = listed[choice.index(listed.len()).unwrap()].as_str().unwrap();
        let answer = person.play(id, decision, notation).await;
        // Whoever has said something has not changed whose turn it is.
        assert!(answer.status == 201, "{} {}", answer.status, answer.text());
        made += 1;
    }
}

/// Returns the record of a match, and the findings about its bots: each of their moves is found again.
pub async fn replayed_bots(client: &Client, id: &str) -> (MatchExport, ReplayedBots) {
    let record = client.get(&format!("/v1/matches/{id}/record")).await.ok();
    let record: MatchExport = serde_json::from_value(record).unwrap();
    let (games, bots) = (Games::standard(GameSettings::default()), Bots::standard(GameSettings::default()));
    let (_, again) = verify_bots(&games, &bots, &record).unwrap_or_else(|found| panic!("{}: {found}", record.game));
    (record, again)
}

async fn a_person_plays_bots_in_every_game_to_the_end(world: &mut World) {
    // Each with as few moves as the game has, so that bots that are compiled for tests are soon done.
    let tables = [
        json!({"game": "contiguity", "options": {"turn_limit": 20}, "places": [{"seat": 1, "bot": "strength_2"}]}),
        json!({"game": "absolution", "seats": 3, "places": [{"seat": 0, "bot": "easy"}, {"seat": 2, "bot": "strength_3"}]}),
        json!({"game": "sacrifice_roulette", "seats": 3,
               "places": [{"seat": 1, "bot": "easy"}, {"seat": 2, "bot": "easy"}]}),
        json!({"game": "henge", "seats": 2, "places": [{"seat": 1, "bot": "easy"}]}),
    ];
    for (number, table) in tables.into_iter().enumerate() {
        let ann = world.guest("Ann").await;
        let game = table["game"].as_str().unwrap().to_owned();
        let most = if game == "henge" { 12 } else { MOVES };
        let made = ann.post("/v1/matches", table).await.ok();
        assert_eq!(made["match"]["status"], "playing", "{game}");
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        let over = play_on(&ann, &id, number as u8, most).await;
        assert_eq!(over["match"]["status"], "finished", "{game}");
        let (record, again) = replayed_bots(&ann, &id).await;
        assert_eq!(record.format, "sarsen/record/2");
        assert!(again.found > 1 && again.passed_over == 0, "{game}: {again:?}");
    }
}

async fn bots_sit_at_once_and_are_no_players(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = ann.create(json!({"places": [{"seat": 0, "bot": "easy"}]})).await;
    let seats = made["match"]["seats"].as_array().unwrap();
    assert_eq!((&seats[0]["player"], &seats[0]["bot"]["level"]), (&Value::Null, &json!("easy")));
    assert!(seats[0]["bot"]["version"].as_u64().is_some_and(|version| version > 0));
    assert_eq!((&seats[1]["player"]["name"], &seats[1]["bot"]), (&json!("Ann"), &Value::Null));
    assert_eq!((&made["match"]["your_seat"], &made["match"]["status"]), (&json!(1), &json!("playing")));
    assert_eq!(made["match"]["visibility"], "private", "the lobby has nobody to offer a seat to");
    let id = made["match"]["id"].as_str().unwrap();
    world.eventually(async || ann.read(id).await["decision"].is_object()).await;
    // Who begins was drawn.
    let seen = ann.read(id).await;
    assert!(seen["last_move"].is_null() || seen["last_move"]["seat"] == 0, "{}", seen["last_move"]);
    let listed = ann.get("/v1/matches?mine=true").await.ok();
    assert_eq!(listed["items"][0]["seats"], seen["match"]["seats"]);
    let log = ann.events(id).await;
    let joined = log.iter().filter(|event| event["event"]["type"] == "player_joined").count();
    assert_eq!(joined, 1, "nobody is made up");
    let inbox = ann.get("/v1/me/events").await.ok();
    assert!(inbox["items"].as_array().is_some_and(|items| !items.is_empty()), "{inbox}");
}

async fn bots_alone_play_for_whoever_watches(world: &mut World) {
    let bounds = Settings { bot_matches_per_player: Some(2), ..Settings::default() };
    let mut other = World::with(world.backend(), bounds).await;
    let ann = other.guest("Ann").await;
    let alone = json!({"game": "contiguity", "options": {"turn_limit": 20},
        "places": [{"seat": 0, "bot": "easy"}, {"seat": 1, "bot": "easy"}]});
    for seat in [None, Some(Value::Null)] {
        let mut body = alone.clone();
        if let Some(seat) = seat {
            body["seat"] = seat;
        }
        let made = ann.post("/v1/matches", body).await.ok();
        assert_eq!((&made["match"]["status"], &made["match"]["your_seat"]), (&json!("playing"), &Value::Null));
        assert_eq!((&made["match"]["visibility"], &made["decision"]), (&json!("private"), &Value::Null));
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        other.nobody().get(&format!("/v1/matches/{id}")).await.refused(404, "match_not_found");
        ann.act(&id, "resign").await.refused(403, "not_seated");
        other.eventually(async || ann.read(&id).await["match"]["status"] == "finished").await;
        let (_, again) = replayed_bots(&ann, &id).await;
        assert!(again.found > 1 && again.passed_over == 0, "{again:?}");
    }
    // It counts as any match with bots does, while it is played.
    let long = json!({"game": "henge", "seats": 2, "places": [{"seat": 0, "bot": "easy"}, {"seat": 1, "bot": "easy"}]});
    let mut refused = None;
    for _ in 0..20 {
        let answer = ann.post("/v1/matches", long.clone()).await;
        if answer.status != 201 {
            refused = Some(answer);
            break;
        }
    }
    refused.expect("a bound").refused(409, "too_many_with_bots");
    other.stop().await;
}

async fn seats_are_given_away_once(world: &mut World) {
    let ann = world.guest("Ann").await;
    for (fields, code) in [
        (json!({"seat": 0, "places": [{"seat": 0, "bot": "easy"}, {"seat": 1, "bot": "hard"}]}), "invalid_request"),
        (json!({"places": [{"seat": 1, "bot": "easy"}, {"seat": 1, "bot": "hard"}]}), "invalid_request"),
        (json!({"seat": 1, "places": [{"seat": 1, "bot": "easy"}]}), "invalid_request"),
        (json!({"places": [{"seat": 1, "bot": "godlike"}]}), "invalid_request"),
        (json!({"places": [{"seat": 1}]}), "invalid_request"),
        (json!({"places": [{"seat": 1, "player_id": "p_0190163d8694739ea2a3c9f1e7d1a111"}]}), "invalid_request"),
        (json!({"places": [{"seat": 1, "bot": "easy", "player_id": ann.id}]}), "invalid_request"),
        (json!({"places": {"1": "easy"}}), "invalid_request"),
    ] {
        let mut body = json!({"game": "contiguity"});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let problem = ann.post("/v1/matches", body.clone()).await.refused(400, code);
        assert!(problem["path"].as_str().is_some_and(|path| path.starts_with("places")), "{body}: {problem}");
    }
    let far = json!({"game": "contiguity", "places": [{"seat": 2, "bot": "easy"}]});
    ann.post("/v1/matches", far).await.refused(409, "no_such_seat");
    assert_eq!(ann.get("/v1/matches?mine=true").await.ok()["items"], json!([]));
}

async fn a_match_waits_for_its_people_and_not_for_its_bots(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made =
        ann.post("/v1/matches", json!({"game": "absolution", "seats": 3, "places": [{"seat": 1, "bot": "easy"}]}));
    let made = made.await.ok();
    assert_eq!(made["match"]["status"], "open");
    let id = made["match"]["id"].as_str().unwrap();
    let joined = ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    assert_eq!((&joined["match"]["status"], &joined["match"]["your_seat"]), (&json!("playing"), &json!(2)));

    let none = ann.create(json!({"seat": null, "places": [{"seat": 0, "bot": "easy"}]})).await;
    assert_eq!((&none["match"]["status"], &none["match"]["your_seat"]), (&json!("open"), &Value::Null));
    let id = none["match"]["id"].as_str().unwrap();
    let joined = ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    assert_eq!((&joined["match"]["status"], &joined["match"]["your_seat"]), (&json!("playing"), &json!(1)));

    let manual = ann.create(json!({"start": "manual", "places": [{"seat": 1, "bot": "easy"}]})).await;
    assert_eq!(manual["match"]["status"], "open");
    let id = manual["match"]["id"].as_str().unwrap();
    assert_eq!(ann.act(id, "start").await.ok()["match"]["status"], "playing");
}

async fn nobody_takes_the_seat_of_a_bot_or_claims_against_it(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let fields =
        json!({"game": "absolution", "seats": 3, "move_time_seconds": 1, "places": [{"seat": 1, "bot": "easy"}]});
    let made = ann.post("/v1/matches", fields).await.ok();
    let id = made["match"]["id"].as_str().unwrap();
    let join = format!("/v1/matches/{id}/join");
    cora.post(&join, json!({"seat": 1})).await.refused(409, "seat_taken");
    ben.post(&join, json!({"seat": 2})).await.ok();
    world.clock.advance_seconds(60);
    let claim = ann.post(&format!("/v1/matches/{id}/claim"), json!({"seat": 1})).await;
    claim.refused(409, "claim_not_possible");
    assert_eq!(ann.read(id).await["match"]["seats"][1]["claimable_at"], Value::Null);
    // Nobody could claim against the only person.
    let alone = ann.create(json!({"move_time_seconds": 1, "places": [{"seat": 1, "bot": "easy"}]})).await;
    assert_eq!(alone["match"]["seats"][0]["claimable_at"], Value::Null);
}

async fn bots_decline_a_draw(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = ann.create(json!({"places": [{"seat": 1, "bot": "easy"}]})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let offered = ann.act(id, "draw/offer").await.ok();
    assert_eq!(offered["match"]["draw_agreed_by"], json!([0]));
    world.eventually(async || ann.read(id).await["match"]["draw_agreed_by"] == json!([])).await;
    let log = ann.events(id).await;
    let declined = json!({"type": "draw_declined", "seat": 1});
    assert_eq!(log.iter().filter(|event| event["event"] == declined).count(), 1);
    assert_eq!(ann.read(id).await["match"]["status"], "playing");
}

async fn bots_stop_when_the_people_have_resigned(world: &mut World) {
    let ann = world.guest("Ann").await;
    let places = json!([{"seat": 1, "bot": "easy"}, {"seat": 2, "bot": "easy"}]);
    let made = ann.post("/v1/matches", json!({"game": "sacrifice_roulette", "seats": 3, "places": places})).await.ok();
    let id = made["match"]["id"].as_str().unwrap();
    let over = ann.act(id, "resign").await.ok();
    assert_eq!(
        (&over["match"]["status"], &over["match"]["outcome"]["ending"]),
        (&json!("finished"), &json!("resignation"))
    );
    let verdicts: Vec<&Value> =
        over["match"]["outcome"]["standings"].as_array().unwrap().iter().map(|standing| &standing["verdict"]).collect();
    assert_eq!(verdicts, ["lost", "won", "won"]);
    replayed_bots(&ann, id).await;
}

async fn the_bots_of_a_game_are_listed(world: &mut World) {
    let nobody = world.nobody();
    let games = nobody.get("/v1/games").await.ok();
    for game in games["items"].as_array().unwrap() {
        let listed = nobody.get(&format!("/v1/games/{}/bots", game["id"].as_str().unwrap())).await.ok();
        let levels: Vec<&Value> = listed["items"].as_array().unwrap().iter().map(|bot| &bot["level"]).collect();
        assert_eq!(levels[..3], ["easy", "medium", "hard"], "{}", game["id"]);
        let rungs: Vec<Value> = (1..=8).map(|rung| json!(format!("strength_{rung}"))).collect();
        assert_eq!(levels[3..], rungs.iter().collect::<Vec<_>>(), "{}", game["id"]);
        for bot in listed["items"].as_array().unwrap() {
            assert!(bot["answer_milliseconds"].as_u64().unwrap() > 0 && bot["version"].as_u64().unwrap() > 0, "{bot}");
            let (simulations, told) = (bot["simulations"].as_u64().unwrap(), bot["description"].as_str().unwrap());
            assert_eq!(told.contains(&format!("looks {simulations} times")), simulations > 0, "{bot}");
        }
        // No two levels with a name are told alike but where they play alike.
        let told = |level: usize| listed["items"][level]["description"].as_str().unwrap();
        assert!(told(0) != told(1) && told(1) != told(2) && told(0).contains("misjudges moves on purpose"));
    }
    nobody.get("/v1/games/chess/bots").await.refused(404, "game_not_found");
}

/// The claims of matches that somebody thinks about.
async fn claims(redis: &Server) -> Vec<String> {
    let client = ::redis::Client::open(redis.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    ::redis::cmd("KEYS").arg("*:think:*").query_async(&mut connection).await.unwrap()
}

/// The settings of an instance, like `settings`, whose bots move after so many milliseconds.
fn thinking_after(settings: &[String], delay: &str) -> Vec<String> {
    let more = ["--bot-threads", "1", "--bot-delay-milliseconds", delay].map(str::to_owned);
    settings.iter().cloned().chain(more).collect()
}

/// A match in which it is the turn of a bot, which the program thinks for, and the person in it.
async fn thought_about(program: &Program, redis: &Server) -> (Client, String) {
    let ann = program.guest("Ann").await;
    let fields = json!({"options": {"turn_limit": 20}, "places": [{"seat": 1, "bot": "easy"}]});
    let made = ann.create(fields).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    if made["match"]["to_act"] == json!([0]) {
        let first = ann.get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
        let (decision, listed) = (&first["decision"], &first["decision"]["legal_moves"]["notations"]);
        ann.play(&id, decision["id"].as_str().unwrap(), listed[0].as_str().unwrap()).await.ok();
    }
    let start = tokio::time::Instant::now();
    while !claims(redis).await.iter().any(|key| key.ends_with(&id)) {
        assert!(start.elapsed() < DEADLINE, "nobody thinks");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    (ann, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_stops_gives_back_the_match_that_it_thinks_about() {
    let redis = tokio::task::block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction"]));
    let stopping = Program::start(&borrowed(&thinking_after(&on_redis(&redis), "60000")));
    let (_, id) = thought_about(&stopping, &redis).await;
    assert_eq!(tokio::task::block_in_place(|| stopping.terminate()).0, Some(0));
    // A claim that is not given back stands for 3.5 seconds yet, at least.
    let kept: Vec<String> = claims(&redis).await.into_iter().filter(|key| key.ends_with(&id)).collect();
    assert_eq!(kept, Vec::<String>::new());
}

/// Three instances share the thinking; the one that thinks dies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_instance_goes_on_when_the_thinking_one_is_killed() {
    let redis = tokio::task::block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction"]));
    let settings = on_redis(&redis);
    let with = |delay: &str| thinking_after(&settings, delay);
    // The one that is killed has found its move long before, and waits to make it.
    let dying = Program::start(&borrowed(&with("60000")));
    let (ann, id) = thought_about(&dying, &redis).await;
    let [second, third] = ["0", "0"].map(|delay| Program::start(&borrowed(&with(delay))));
    let before = ann.read(&id).await["match"]["version"].clone();
    assert_eq!(ann.read(&id).await["match"]["to_act"], json!([1]));
    dying.kill();
    let killed = tokio::time::Instant::now();
    let ann = ann.at(second.base.clone());
    let after = format!("/v1/matches/{id}/events?wait=10&after={before}.99");
    assert!(!ann.get(&after).await.ok()["items"].as_array().unwrap().is_empty(), "nobody goes on");
    // The claim of the dead runs out after five seconds; a busy machine has one more to think.
    assert!(killed.elapsed() < Duration::from_secs(7), "{:?}", killed.elapsed());

    let over = play_on(&ann.at(third.base.clone()), &id, 7, MOVES).await;
    assert_eq!(over["match"]["status"], "finished");
    let (record, again) = replayed_bots(&ann, &id).await;
    assert!(again.found > 1 && again.passed_over == 0, "{again:?}");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("record.json");
    std::fs::write(&file, serde_json::to_vec(&record).unwrap()).unwrap();
    let verified = bare().args(["verify", "--bots", text(&file)]).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.success() && said.contains(&format!("{} found again", again.found)), "{said}");
    let unchecked = |said: &str| {
        let last = said.lines().last().unwrap();
        let open = last
            .strip_prefix("Not checked, and not to be found out from a record: ")
            .unwrap_or_else(|| panic!("{said}"));
        open.trim_end_matches('.').split("; ").map(str::to_owned).collect::<Vec<_>>()
    };
    let (published, levels) = ("that the commitment was published before the match", "the levels and versions of bots");
    let open = unchecked(&said);
    assert!(open.iter().any(|open| open == published) && open.iter().all(|open| open != levels), "{said}");
    another_move_is_found_out(&record);

    // None of the moves of other bots can be judged, which is neither a success nor a discrepancy.
    let mut older = record;
    older.bots[0].version -= 1;
    std::fs::write(&file, serde_json::to_vec(&older).unwrap()).unwrap();
    let unjudged = bare().args(["verify", "--bots", text(&file)]).output().unwrap();
    let reason = String::from_utf8_lossy(&unjudged.stderr).into_owned();
    assert_eq!(unjudged.status.code(), Some(3), "{reason}");
    assert!(reason.contains("not checked: no move of a bot could be found again"), "{reason}");
    let open = unchecked(&String::from_utf8_lossy(&unjudged.stdout));
    assert!(open.iter().any(|open| open == levels), "{open:?}");
}

/// A record in which a bot is said to have moved otherwise agrees with itself, but not with the bot.
fn another_move_is_found_out(record: &MatchExport) {
    let (games, bots) = (Games::standard(GameSettings::default()), Bots::standard(GameSettings::default()));
    let mut forged = record.clone();
    forged.bots[0].level = Level::Hard;
    assert!(matches!(verify_bots(&games, &bots, &forged), Err(Discrepancy::Bot { .. })), "another level");
    let mut older = record.clone();
    older.bots[0].version -= 1;
    let (_, again) = verify_bots(&games, &bots, &older).unwrap();
    assert_eq!((again.found, again.passed_over > 1), (0, true), "bots of another version cannot be judged");
}
