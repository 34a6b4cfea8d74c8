//! The tools, as operators run them: the program itself, on stores of real services.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use sarsen::notifications::VapidKey;
use serde_json::json;
use tempfile::TempDir;
use test_kit::redis_server::Server;

use crate::client::Client;
use crate::process::{Program, bare, borrowed, on_embedded, on_redis, text};
use crate::tables::{Pair, WIN};

/// A word that is in no store.
const SECRET: &str = "kestrel7";
/// The bytes of a page of the embedded store's file.
const PAGE: usize = 4096;

fn tool(arguments: &[&str]) -> Output {
    bare().args(arguments).output().unwrap()
}

/// The output of a tool that did what it was told.
fn done(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The error of a tool that failed, in one sentence.
fn undone(output: &Output, code: i32) -> String {
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    let sentence = errors.lines().last().unwrap_or_default().to_owned();
    assert!(sentence.starts_with("error: ") || code == 2, "{errors}");
    sentence
}

/// Two guests who have played a match to its end, on a service with these settings; it is stopped afterwards.
async fn played(settings: &[String]) -> [Client; 2] {
    let program = Program::start(&borrowed(settings));
    let players = [program.guest("Ann").await, program.guest("Ben").await];
    Pair::of(players.clone(), json!({})).await.play_all(&WIN).await;
    program.terminate();
    players
}

fn data(dir: &TempDir) -> String {
    text(&dir.path().join("data")).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_moves_to_redis_and_its_players_play_on() {
    let dir = tempfile::tempdir().unwrap();
    let (data, out) = (data(&dir), text(&dir.path().join("out")).to_owned());
    let keys = SigningKeys::new_key_text(&Ambient::system());
    let settings = [on_embedded(&dir), vec!["--token-keys".to_owned(), keys.clone()]].concat();
    let players = played(&settings).await;
    let told = done(&tool(&["export", "--out", &out, "--data-dir", &data]));
    assert!(told.contains(" holds 2 players, 2 sessions, 2 inboxes and 1 match; keep"), "{told}");

    let redis = tokio::task::block_in_place(|| Server::start(&[]));
    let url = redis.url();
    let place = ["--store", "redis", "--redis-url", &url];
    let told = done(&tool(&[&["import", &out], &place[..]].concat()));
    assert!(told.contains("7 things are written, 0 were there already"), "{told}");
    let told = done(&tool(&[&["import", &out], &place[..]].concat()));
    assert!(told.contains("0 things are written, 7 were there already"), "{told}");
    let told = done(&tool(&[&["check"], &place[..]].concat()));
    assert_eq!(told, "1 match, 2 players, 2 sessions and 2 inboxes: no faults, none repaired.\n");

    let arguments = [&place[..], &["--token-keys", &keys]].concat();
    let program = Program::start(&arguments);
    let ann = players[0].at(program.base.clone());
    assert_eq!(ann.get("/v1/matches?mine=true&status=finished").await.ok()["items"].as_array().unwrap().len(), 1);
    // While the service runs on Redis, tools work beside it.
    let told = done(&tool(&[&["check"], &place[..]].concat()));
    assert!(told.contains("no faults"), "{told}");
    let back = text(&dir.path().join("back")).to_owned();
    done(&tool(&["migrate", "--from", &url, "--to", &format!("embedded:{back}")]));
    program.terminate();
    let told = done(&tool(&["check", "--fix", "--data-dir", &back]));
    assert_eq!(told, "1 match, 2 players, 2 sessions and 2 inboxes: no faults, none repaired.\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_service_makes_backups_and_a_stopped_one_is_copied() {
    let dir = tempfile::tempdir().unwrap();
    let (data, settings) = (data(&dir), on_embedded(&dir));
    let path = |name: &str| text(&dir.path().join(name)).to_owned();
    let (running, stopped, token) = (path("running.redb"), path("stopped.redb"), path("token"));
    played(&settings).await;
    let program = Program::start(&borrowed(&settings));
    let made = done(&tool(&["admin", "token", "--scopes", "admin:operate", "--data-dir", &data]));
    fs::write(&token, &made).unwrap();
    let url = program.base.clone();
    let arguments = ["--url", &url, "--data-dir", &data];

    let sentence = undone(&tool(&[&["backup", &running], &arguments[..]].concat()), 1);
    assert!(sentence.contains("SARSEN_ADMIN_TOKEN"), "{sentence}");
    let with_file = [&["backup", &running, "--token-file", &token], &arguments[..]].concat();
    done(&tool(&with_file));
    assert_eq!(fs::metadata(&running).unwrap().permissions().mode() & 0o777, 0o600);
    let sentence = undone(&tool(&with_file), 1);
    assert!(sentence.ends_with("running.redb is there already; name a new file"), "{sentence}");
    let again = path("again.redb");
    let mut by_environment = bare();
    by_environment.args(["backup", &again]).args(arguments).env("SARSEN_ADMIN_TOKEN", made.trim());
    done(&by_environment.output().unwrap());
    let (unmade, no) = (path("x"), path("no"));
    let elsewhere = ["backup", &unmade, "--token-file", &token, "--url", &url, "--data-dir", &no];
    let sentence = undone(&tool(&elsewhere), 1);
    assert!(sentence.contains("the service has made the backup sarsen-"), "{sentence}");
    let sentence = undone(&tool(&["backup", &stopped, "--data-dir", &data]), 1);
    assert!(sentence.contains("is in use by another process") && sentence.contains("--url"), "{sentence}");
    fs::write(&token, "x").unwrap();
    let wrong = [&["backup", &unmade, "--token-file", &token], &arguments[..]].concat();
    assert!(undone(&tool(&wrong), 1).contains("token_invalid"));
    program.terminate();

    done(&tool(&["backup", &stopped, "--data-dir", &data]));
    for (number, file) in [running, again, stopped].iter().enumerate() {
        let place = dir.path().join(format!("restored{number}"));
        fs::create_dir(&place).unwrap();
        fs::copy(file, place.join("sarsen.redb")).unwrap();
        let told = done(&tool(&["check", "--data-dir", text(&place)]));
        assert_eq!(told, "1 match, 2 players, 2 sessions and 2 inboxes: no faults, none repaired.\n", "{file}");
    }
    assert!(!dir.path().join("x").exists() && !dir.path().join("x.draft").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ratings_are_computed_again_by_category() {
    let dir = tempfile::tempdir().unwrap();
    let (data, settings) = (data(&dir), on_embedded(&dir));
    let program = Program::start(&borrowed(&settings));
    let players = [program.guest("Ann").await, program.guest("Ben").await];
    let pair = Pair::of(players, json!({"rated": true, "preset": "live-5-5"})).await;
    pair.play_all(&WIN).await;
    while pair.players[0].get(&pair.path("/ratings")).await.status != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    program.terminate();
    let rebuild = ["ratings", "rebuild", "--data-dir", &data];
    let told = "contiguity.2.live: 2 players, from 1 entry.\n";
    assert_eq!(done(&tool(&rebuild)), told);
    assert_eq!(done(&tool(&[&rebuild[..], &["--category", "contiguity.2.live"]].concat())), told);
    let sentence = undone(&tool(&[&rebuild[..], &["--category", "henge.2.live"]].concat()), 1);
    assert!(sentence.ends_with("nothing is rated in the category \"henge.2.live\""), "{sentence}");
    let told = done(&tool(&["check", "--data-dir", &data]));
    assert_eq!(told, "1 match, 2 players, 2 sessions and 2 inboxes: no faults, none repaired.\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_ban_players_and_call_matches_off() {
    let dir = tempfile::tempdir().unwrap();
    let (data, settings) = (data(&dir), on_embedded(&dir));
    let program = Program::start(&borrowed(&settings));
    let [ann, ben] = [program.guest("Ann").await, program.guest("Ben").await];
    let pair = Pair::of([ann.clone(), ben.clone()], json!({})).await;
    let made = done(&tool(&["admin", "token", "--scopes", "admin:moderate", "--data-dir", &data]));
    let moderate = |arguments: &[&str]| {
        let mut command = bare();
        command.args(["admin"]).args(arguments).args(["--url", &program.base]).env("SARSEN_ADMIN_TOKEN", made.trim());
        command.output().unwrap()
    };
    let abort = ["abort", &pair.id, "--reason", "both asked for it"];
    assert_eq!(done(&moderate(&abort)), format!("{} is called off.\n", pair.id));
    assert_eq!(done(&moderate(&abort)), format!("{} is called off.\n", pair.id), "and stays so");
    assert_eq!(ann.read(&pair.id).await["match"]["status"], "aborted");

    let until = "2126-01-31T12:00:00.000Z";
    let ban = ["ban", &ann.id, "--from", "all", "--reason", "abusive \"at\" the table"];
    let told = done(&moderate(&[&ban[..], &["--until", until]].concat()));
    assert_eq!(told, format!("{} is banned until {until}.\n", ann.id));
    assert_eq!(ann.get("/v1/me").await.refused(403, "banned")["until"], until);
    assert_eq!(done(&moderate(&["ban", &ben.id, "--reason", "x"])), format!("{} is banned for good.\n", ben.id));
    ben.get("/v1/me").await.ok();
    ben.post("/v1/matches", json!({"game": "contiguity"})).await.refused(403, "banned");

    let unknown = "m_0190163d8694739ea2a3c9f1e7d1a111";
    let sentence = undone(&moderate(&["abort", unknown, "--reason", "x"]), 1);
    assert!(sentence.contains("answered 404") && sentence.contains("match_not_found"), "{sentence}");
    let sentence = undone(&moderate(&[&ban[..], &["--until", "2001-01-31T12:00:00Z"]].concat()), 1);
    assert!(sentence.contains("not in the future"), "{sentence}");
    undone(&moderate(&["abort", "x", "--reason", "x"]), 2);
    undone(&moderate(&["abort", &pair.id]), 2);
    program.terminate();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_makes_its_own_backups() {
    let redis = tokio::task::block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction"]));
    let settings = on_redis(&redis);
    let program = Program::start(&borrowed(&settings));
    let keys = settings.last().unwrap();
    let made = done(&tool(&["admin", "token", "--scopes", "admin:operate", "--token-keys", keys]));
    let nobody = Client::new(crate::world::http_client(), program.base.clone());
    nobody.with_token(made.trim()).post("/v1/admin/backup", json!({})).await.refused(409, "backup_elsewhere");
    program.terminate();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_is_asked_for_at_the_port_of_the_service() {
    let dir = tempfile::tempdir().unwrap();
    let program = Program::start(&borrowed(&on_embedded(&dir)));
    let port = program.base.rsplit_once(':').unwrap().1.to_owned();
    done(&tool(&["healthcheck", "--url", &program.base]));
    done(&tool(&["healthcheck", "--url", &format!("{}/healthz", program.base)]));
    done(bare().arg("healthcheck").env("SARSEN_LISTEN", format!("0.0.0.0:{port}")).output().as_ref().unwrap());
    let sentence = undone(&tool(&["healthcheck", "--url", &format!("{}/nowhere", program.base)]), 1);
    assert!(sentence.ends_with("answered 404"), "{sentence}");
    program.terminate();
    let sentence = undone(&tool(&["healthcheck", "--url", &format!("http://127.0.0.1:{port}")]), 1);
    assert!(sentence.contains("refused"), "{sentence}");
    for (wrong, told) in [("https://127.0.0.1", "does not start with http://"), ("ftp://x", "http://"), ("a b", "URL")]
    {
        assert!(undone(&tool(&["healthcheck", "--url", wrong]), 1).contains(told), "{wrong}");
    }
}

#[test]
fn a_service_that_does_not_answer_is_not_waited_for() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let start = tokio::time::Instant::now();
    let sentence = undone(&tool(&["healthcheck", "--url", &url]), 1);
    assert!(sentence.ends_with("does not answer in time"), "{sentence}");
    assert!((2..10).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_key_for_push_services_is_one_that_the_service_takes() {
    let (one, other) = (done(&tool(&["keys", "vapid"])), done(&tool(&["keys", "vapid"])));
    assert_ne!(one, other);
    assert_eq!(one.lines().count(), 1);
    let dir = tempfile::tempdir().unwrap();
    let push = ["--vapid-key", one.trim(), "--vapid-subject", "mailto:push@example.org"];
    let settings = [on_embedded(&dir), push.map(str::to_owned).to_vec()].concat();
    let key: VapidKey = one.trim().parse().unwrap();
    // The same at each start: browsers need not subscribe again.
    for _ in 0..2 {
        let program = Program::start(&borrowed(&settings));
        let push = Client::new(crate::world::http_client(), program.base.clone()).get("/v1/push").await.ok();
        assert_eq!(push["public_key"], key.public_text());
        program.terminate();
    }
}

/// Issue 31.28, by the program.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_names_what_is_damaged_and_examines_the_rest() {
    let redis = tokio::task::block_in_place(|| Server::start(&[]));
    let url = redis.url();
    let place = ["--store", "redis", "--redis-url", &url];
    played(&on_redis(&redis)).await;
    let keys: Vec<String> = redis.ask(::redis::cmd("KEYS").arg("*m_*")).await;
    let key = keys.iter().find(|key| key.contains(":m:")).unwrap_or_else(|| panic!("{keys:?}"));
    let id = key.rsplit(':').next().unwrap();
    redis.ask::<::redis::Value>(::redis::cmd("HSET").arg(key).arg("s").arg(SECRET)).await;
    let output = tool(&[&["check"], &place[..]].concat());
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{told}{errors}");
    assert!(told.lines().any(|line| line.contains(id)), "{told}");
    assert!(told.contains("2 players, 2 sessions and 2 inboxes: "), "{told}");
    assert!(![told, errors].iter().any(|text| text.contains(SECRET)));

    // Pages of the embedded store, of which each fails its own way.
    let dir = tempfile::tempdir().unwrap();
    played(&on_embedded(&dir)).await;
    let file = dir.path().join("data/sarsen.redb");
    let whole = fs::read(&file).unwrap();
    let used = (1..whole.len() / PAGE).filter(|page| whole[page * PAGE] != 0);
    for page in used.take(24) {
        let mut damaged = whole.clone();
        damaged[page * PAGE + page % 2 * 100] ^= 0xff;
        fs::write(&file, damaged).unwrap();
        let output = tool(&["check", "--data-dir", &data(&dir)]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "page {page}: {errors}");
        assert!(output.status.success() || errors.contains("error: "), "page {page}: {errors}");
    }
}

#[test]
fn a_new_key_is_one_that_the_service_takes() {
    let (one, other) = (done(&tool(&["keys", "new"])), done(&tool(&["keys", "new"])));
    assert_ne!(one, other);
    for key in [one, other] {
        assert_eq!(key.lines().count(), 1);
        SigningKeys::parse(key.trim()).unwrap();
    }
}

#[test]
fn what_cannot_be_is_said_in_one_sentence_and_makes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| text(&dir.path().join(name)).to_owned();
    let (data, out) = (path("data"), path("out"));
    fs::write(path("file"), "x").unwrap();
    let cases: Vec<(Vec<&str>, i32, &str)> = vec![
        (vec!["export", "--out", &out, "--data-dir", &data], 1, "data holds no store"),
        (vec!["export", "--out", &out, "--since", "yesterday"], 2, ""),
        (vec!["export"], 2, ""),
        (vec!["import", &out, "--data-dir", &data], 1, "out is no directory"),
        (vec!["check", "--data-dir", &data], 1, "data holds no store"),
        (vec!["check", "--store", "redis", "--redis-url", "x"], 2, "--redis-url"),
        (vec!["check", "--store", "redis", "--redis-url", "redis://127.0.0.1:1"], 1, "Redis does not answer"),
        (vec!["backup", &out, "--data-dir", &data], 1, "data holds no store"),
        (vec!["backup", &out, "--token-file", "x"], 2, ""),
        (vec!["migrate", "--from", "here", "--to", "redis"], 2, "--from (SARSEN_FROM) is neither"),
        (vec!["migrate", "--from", "embedded:a", "--to", "embedded:a"], 1, "name the same store"),
        (vec!["migrate", "--from", "embedded:nowhere", "--to", "redis"], 1, "nowhere holds no store"),
        (vec!["keys"], 2, ""),
    ];
    for (arguments, code, told) in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_sarsen"))
            .env_clear()
            .current_dir(dir.path())
            .args(&arguments)
            .output()
            .unwrap();
        let sentence = undone(&output, code);
        assert!(sentence.contains(told), "{arguments:?}: {sentence}");
        assert!(!Path::new(&data).exists() && !Path::new(&out).exists(), "{arguments:?}");
    }
}
