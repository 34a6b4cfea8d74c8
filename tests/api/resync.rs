//! A failover of the store that undoes or replaces what was told: followers are told to read again, in all three forms.
//!
//! The failover is made by putting the stored keys back to what they were at an earlier moment, as a replica has them that
//! was behind its master.
use redis::cmd;
use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::keys::Keys;
use serde_json::{Value, json};
use test_kit::redis_server::Server;
use tokio::time::timeout;

use crate::client::Client;
use crate::events::{NDJSON, SSE, Stream, Told, data};
use crate::tables::{Pair, WIN};
use crate::world::{DEADLINE, World};

/// A match of two over a Redis of its own.
struct Scene {
    redis: Server,
    world: World,
    pair: Pair,
}

/// The values stored under some keys at one moment.
struct Backup(Vec<(String, Vec<u8>)>);

impl Scene {
    async fn new() -> Scene {
        let redis = tokio::task::spawn_blocking(|| Server::start(&[])).await.unwrap();
        let world = World::on(&redis).await;
        let pair = Pair::seated(&world, json!({})).await;
        Scene { redis, world, pair }
    }

    fn match_keys(&self) -> [String; 2] {
        let (keys, id) = (Keys::new("sarsen"), self.pair.id.parse::<MatchId>().unwrap());
        [keys.the_match(&id), keys.log(&id)]
    }

    fn inbox_keys(&self) -> [String; 2] {
        let keys = Keys::new("sarsen");
        self.pair.players.each_ref().map(|player| keys.inbox(&player.id.parse::<PlayerId>().unwrap()))
    }

    /// Copies what a replica has now that falls behind from here on. The inboxes have followed the match.
    async fn replica(&self) -> Backup {
        let version = self.pair.version().await as usize;
        self.pair.players[0].inbox_of(version).await;
        self.pair.players[1].inbox_of(version - 1).await;
        let mut kept = Vec::new();
        for key in self.match_keys().into_iter().chain(self.inbox_keys()) {
            let value = self.redis.ask(cmd("DUMP").arg(&key)).await;
            kept.push((key, value));
        }
        Backup(kept)
    }

    /// Has the replica take over: what came later is gone, and so are the connections.
    async fn fail_over_to(&self, replica: &Backup) {
        // All of it at one moment.
        const RESTORE: &str = "for i = 1, #KEYS do redis.call('RESTORE', KEYS[i], 0, ARGV[i], 'REPLACE') end";
        let mut restore = cmd("EVAL");
        restore.arg(RESTORE).arg(replica.0.len());
        for (key, _) in &replica.0 {
            restore.arg(key);
        }
        for (_, value) in &replica.0 {
            restore.arg(value.as_slice());
        }
        let () = self.redis.ask(&restore).await;
        let killed: u32 = self.redis.ask(cmd("CLIENT").arg(&["KILL", "TYPE", "pubsub"])).await;
        assert!(killed > 0, "the service listens");
    }

    /// A legal move that is not the one of [`WIN`].
    async fn play_otherwise(&self) -> Value {
        let turn = self.pair.turn().await;
        let view = self.pair.players[turn.seat].get(&self.pair.path("?legal_moves=notation")).await.ok();
        let legal = view["decision"]["legal_moves"]["notations"].as_array().unwrap().clone();
        let other = legal.iter().find(|notation| !WIN.contains(&notation.as_str().unwrap())).unwrap();
        self.pair.play(other.as_str().unwrap()).await.ok()
    }

    /// Ann, who sits, and somebody who looks on.
    fn readers(&self) -> [Client; 2] {
        [self.pair.players[0].clone(), self.world.nobody()]
    }
}

/// The version that an item names which tells to read the match again.
#[track_caller]
fn resync(item: &Value) -> u64 {
    let version = item["event"]["version"].as_u64().unwrap();
    assert_eq!(item["event"], json!({"type": "resync", "version": version}));
    assert_eq!((&item["version"], item["at"].is_string()), (&json!(version), true));
    version
}

fn id(told: &Told) -> &str {
    told.id.as_deref().unwrap()
}

/// The only item of a page, and where to go on.
#[track_caller]
fn alone(page: &Value) -> (Value, String) {
    let items = page["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{page}");
    assert_eq!(page["next_cursor"], page["resume_cursor"]);
    (items[0].clone(), page["next_cursor"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_follows_a_match_is_told_in_all_three_forms() {
    let mut scene = Scene::new().await;
    let path = scene.pair.path("/events");
    let replica = scene.replica().await;
    scene.pair.play(WIN[0]).await.ok();
    let so_far = scene.pair.players[0].events(&scene.pair.id).await.len();
    let mut following = Vec::new();
    for reader in scene.readers() {
        let mut sent = Stream::open(&reader, &path, SSE, None).await;
        let told = sent.take(so_far).await;
        assert!(told.iter().all(Told::is_stamped));
        let mut lines = Stream::open(&reader, &path, NDJSON, None).await;
        assert_eq!(data(lines.take(so_far).await), data(told.clone()));
        let last = id(told.last().unwrap()).to_owned();
        let page = reader.get(&format!("{path}?limit=1000")).await.ok();
        assert_eq!((&page["next_cursor"], &page["resume_cursor"]), (&Value::Null, &json!(last)));
        let (waiting, wait) = (reader.clone(), format!("{path}?wait=30&after={last}"));
        let poll = tokio::spawn(async move { waiting.get(&wait).await.ok() });
        following.push((reader, sent, lines, poll, last));
    }
    scene.fail_over_to(&replica).await;
    let mut resumed = Vec::new();
    for (reader, mut sent, mut lines, poll, last) in following {
        let told = sent.next().await.unwrap();
        assert_eq!(resync(&told.data), 2, "the last move is undone");
        assert!(told.is_stamped() && told.data["id"].as_str().unwrap().starts_with("2."), "{told:?}");
        assert_eq!(lines.next().await.unwrap().data, told.data);
        let page = timeout(DEADLINE, poll).await.expect("the poll ends well before its wait").unwrap();
        assert_eq!(alone(&page), (told.data.clone(), id(&told).to_owned()));
        resumed.push((reader, sent, lines, id(&told).to_owned(), last));
    }
    // Another move in its place: who has been told goes on, who has not is told.
    let made = scene.play_otherwise().await;
    let mut behind = Vec::new();
    for (reader, mut sent, mut lines, cursor, last) in resumed {
        let told = sent.next().await.unwrap();
        assert_eq!((&told.data, &told.data["version"]), (&made["events"][0], &json!(3)));
        assert_eq!(lines.next().await.unwrap().data, told.data);
        let again = Stream::open(&reader, &path, SSE, Some(&cursor)).await.next().await.unwrap();
        assert_eq!(again, told, "an event source comes back with the cursor of the resync");
        let mut late = Stream::open(&reader, &path, SSE, Some(&last)).await;
        let again = late.next().await.unwrap();
        assert_eq!((resync(&again.data), again.is_stamped()), (3, true), "the version is there, and is another one");
        let line = Stream::open(&reader, &format!("{path}?after={last}"), NDJSON, None).await.next().await.unwrap();
        assert_eq!(line.data, again.data);
        let page = reader.get(&format!("{path}?after={last}&limit=1")).await.ok();
        let (item, next) = alone(&page);
        assert_eq!((&item, next.as_str()), (&again.data, id(&again)));
        let page = reader.get(&format!("{path}?after={next}")).await.ok();
        assert_eq!((&page["items"], &page["next_cursor"]), (&json!([]), &Value::Null), "what follows comes later");
        // An event's own id is taken at its word.
        let bare = last.rsplit_once('.').unwrap().0;
        let page = reader.get(&format!("{path}?after={bare}")).await.ok();
        assert_eq!(page["items"], json!([]), "{page}");
        behind.push(late);
    }
    let next = scene.play_otherwise().await;
    for mut stream in behind {
        assert_eq!(stream.next().await.unwrap().data, next["events"][0], "it goes on behind the present version");
    }
    scene.world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_follows_all_their_matches_is_told_in_all_three_forms() {
    const PATH: &str = "/v1/me/events";
    let mut scene = Scene::new().await;
    let ann = scene.pair.players[0].clone();
    let replica = scene.replica().await;
    scene.pair.play(WIN[0]).await.ok();
    let so_far = ann.inbox_of(3).await;
    assert!(so_far.iter().all(|item| item["type"] == "step"));
    let mut sent = Stream::open(&ann, PATH, SSE, None).await;
    let mut lines = Stream::open(&ann, PATH, NDJSON, None).await;
    let told = sent.take(3).await;
    assert!(told.iter().all(Told::is_stamped));
    assert_eq!((data(lines.take(3).await), data(told.clone())), (so_far.clone(), so_far));
    let last = id(&told[2]).to_owned();
    let page = ann.get(PATH).await.ok();
    assert_eq!((&page["next_cursor"], &page["resume_cursor"]), (&Value::Null, &json!(last)));
    let (waiting, wait) = (ann.clone(), format!("{PATH}?wait=30&after={last}"));
    let poll = tokio::spawn(async move { waiting.get(&wait).await.ok() });

    scene.fail_over_to(&replica).await;
    let gone = sent.next().await.unwrap();
    assert_eq!((&gone.data, gone.is_stamped()), (&json!({"type": "resync", "id": "2"}), true));
    assert_eq!(lines.next().await.unwrap().data, gone.data);
    let page = timeout(DEADLINE, poll).await.expect("the poll ends well before its wait").unwrap();
    assert_eq!(alone(&page), (gone.data.clone(), id(&gone).to_owned()));

    let made = scene.play_otherwise().await;
    let next = sent.next().await.unwrap();
    assert_eq!((&next.data["id"], &next.data["events"]), (&json!("3"), &made["events"]));
    assert_eq!(lines.next().await.unwrap().data, next.data);
    assert_eq!(Stream::open(&ann, PATH, SSE, Some(id(&gone))).await.next().await.unwrap(), next);
    // The number is there again, and names another step.
    let other = Stream::open(&ann, PATH, SSE, Some(&last)).await.next().await.unwrap();
    assert_eq!((&other.data, id(&other)), (&json!({"type": "resync", "id": "3"}), id(&next)));
    let line = Stream::open(&ann, &format!("{PATH}?after={last}"), NDJSON, None).await.next().await.unwrap();
    assert_eq!(line.data, other.data);
    let page = ann.get(&format!("{PATH}?after={last}")).await.ok();
    assert_eq!(alone(&page), (other.data.clone(), id(&other).to_owned()));
    let page = ann.get(&format!("{PATH}?after={}", id(&other))).await.ok();
    assert_eq!((&page["items"], &page["next_cursor"]), (&json!([]), &Value::Null));
    let page = ann.get(&format!("{PATH}?after=3")).await.ok();
    assert_eq!(page["items"], json!([]), "an event's own id is taken at its word");
    scene.world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_shown_the_match_is_shown_the_one_in_its_place() {
    let mut scene = Scene::new().await;
    let readers = scene.readers();
    let mut before = Vec::new();
    for reader in &readers {
        before.push(reader.read(&scene.pair.id).await);
    }
    let replica = scene.replica().await;
    scene.pair.play(WIN[0]).await.ok();
    let mut following = Vec::new();
    for (reader, before) in readers.iter().zip(&before) {
        for (path, form) in [("/stream?include=view", SSE), ("/events?include=view", NDJSON)] {
            let mut stream = Stream::open(reader, &scene.pair.path(path), form, None).await;
            let now = stream.next().await.unwrap().data;
            assert_eq!((&now["version"], &now["events"]), (&json!(3), &json!([])));
            following.push((reader, path, form, before, stream, now["cursor"].as_str().unwrap().to_owned()));
        }
    }
    scene.fail_over_to(&replica).await;
    for (_, path, _, before, stream, _) in &mut following {
        let shown = stream.next().await.unwrap().data;
        assert_eq!((resync(&shown["events"][0]), shown["events"].as_array().unwrap().len()), (2, 1), "{path}");
        assert_eq!((&shown["match"], &shown["state"]), (&before["match"], &before["state"]), "the last move is undone");
        assert!(shown["last_move"].is_null(), "{shown}");
    }
    let made = scene.play_otherwise().await;
    for (reader, path, form, _, mut stream, undone) in following {
        let shown = stream.next().await.unwrap().data;
        assert_eq!((&shown["version"], &shown["events"]), (&json!(3), &made["events"]));
        let read = reader.read(&scene.pair.id).await;
        for part in ["match", "state", "last_move"] {
            assert_eq!(shown[part], read[part]);
        }
        // Who comes back with what was undone is told so, and shown what is there instead.
        let after = format!("{}&after={undone}", scene.pair.path(path));
        let again = Stream::open(reader, &after, form, None).await.next().await.unwrap().data;
        assert_eq!((resync(&again["events"][0]), again["events"].as_array().unwrap().len()), (3, 1));
        assert_eq!((&again["state"], &again["cursor"]), (&shown["state"], &shown["cursor"]));
    }
    scene.world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_that_is_lost_altogether_is_begun_anew() {
    let mut scene = Scene::new().await;
    let ann = scene.pair.players[0].clone();
    ann.inbox_of(2).await;
    let last = ann.get("/v1/me/events").await.ok()["resume_cursor"].as_str().unwrap().to_owned();
    let () = scene.redis.ask(cmd("DEL").arg(&scene.inbox_keys()[0])).await;
    let (item, next) = alone(&ann.get(&format!("/v1/me/events?after={last}")).await.ok());
    assert_eq!((&item, next.as_str()), (&json!({"type": "resync", "id": "0"}), "0"));
    scene.pair.play(WIN[0]).await.ok();
    ann.inbox_of(1).await;
    let page = ann.get(&format!("/v1/me/events?after={next}")).await.ok();
    assert_eq!((&page["items"][0]["id"], &page["items"][0]["version"]), (&json!("1"), &json!(3)));
    scene.world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_client_keeps_of_a_version_is_not_taken_for_the_one_in_its_place() {
    let mut scene = Scene::new().await;
    let replica = scene.replica().await;
    scene.pair.play(WIN[0]).await.ok();
    let paths = [scene.pair.path(""), scene.pair.path("/history/3")];
    let readers = scene.readers();
    let mut kept = Vec::new();
    for (reader, path) in readers.iter().flat_map(|reader| paths.iter().map(move |path| (reader, path))) {
        let tag = reader.get(path).await.header("etag").unwrap().to_owned();
        assert_eq!(reader.get_with(path, "if-none-match", &tag).await.status, 304);
        kept.push((reader, path, tag));
    }
    scene.fail_over_to(&replica).await;
    scene.play_otherwise().await;
    for (reader, path, tag) in &kept {
        let answer = reader.get_with(path, "if-none-match", tag).await;
        assert_eq!((answer.status, &answer.ok()["match"]["version"]), (200, &json!(3)), "{path}");
    }
    // An earlier version is checked likewise once it is not the present one.
    scene.play_otherwise().await;
    for (reader, path, tag) in &kept {
        let answer = reader.get_with(path, "if-none-match", tag).await;
        assert_eq!(answer.status, 200, "{path}");
        let tag = answer.header("etag").unwrap();
        assert_eq!(reader.get_with(path, "if-none-match", tag).await.status, 304, "{path}");
    }
    scene.world.stop().await;
}
