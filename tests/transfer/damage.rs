//! Damage of either store: each is told with an id, nothing is quoted, and the rest is examined.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ::redis::Cmd;
use sarsen::ambient::{Ambient, Timestamp};
use sarsen::app;
use sarsen::config::StoreSettings;
use sarsen::ids::{InstanceId, MatchId, PlayerId, SessionId};
use sarsen::matches::rated_result::{RatedResult, RatedSeat};
use sarsen::ratings::Ratings;
use sarsen::store::keys::Keys;
use sarsen::store::{
    Beat, Checkpoint, Inbox, ItemKind, ItemOwner, Job, JobKind, KeptPlan, Notice, Presence, Replaced, Restored, Stage,
    Store,
};
use test_kit::redis_server::Server;
use tokio::time::sleep;

use crate::transfer::{Faults, all, checked, embedded, games, green, item_of, players, redis};

/// A word that no fault may say.
const SECRET: &str = "a-secret-of-the-store";

type Told = Vec<(String, String)>;

fn assert_quotes_nothing(told: &Told) {
    assert!(told.iter().all(|(name, what)| !name.contains(SECRET) && !what.contains(SECRET)), "{told:?}");
}

/// Values that nobody can read, as the store takes them from whoever writes them.
async fn values_are_told(store: Arc<dyn Store>) {
    let before = green(&store).await;
    let player = all(async |from| store.player_ids(from.as_ref()).await.unwrap()).await.remove(0);
    let ids = all(async |from| store.match_ids(from.as_ref()).await.unwrap()).await;
    let (mut played, mut other) = (None, None);
    for id in ids {
        let whole = store.whole_match(&id).await.unwrap().unwrap();
        let stage = whole.listing.as_ref().unwrap().stage;
        *(if stage == Stage::Playing { &mut played } else { &mut other }) = Some(whole);
    }
    let (played, other) = (played.unwrap(), other.unwrap());
    let garbage = || format!("{{\"v\":1,\"name\":7,\"is\":\"{SECRET}\"}}").into_bytes();
    let later = Timestamp(store.now().0 + 1_000_000);
    let ambient = Ambient::system();
    let (session, mine) = (SessionId::generate(&ambient), PlayerId::generate(&ambient));
    assert!(store.put_session(&session, &player, 0, garbage(), later).await.unwrap());
    assert!(store.put_player(&mine, 0, garbage()).await.unwrap());
    store.put_status(&player, 0, garbage(), true).await.unwrap().unwrap();
    let plan = KeptPlan { seat: 1, stored: garbage() };
    assert!(store.keep_plan(&played.id, played.version, played.stamp, plan).await.unwrap());
    let checkpoint = Checkpoint { version: 1, stamp: other.stamp, state: garbage() };
    store.leave_checkpoint(&other.id, &checkpoint).await.unwrap();
    let place = store.append_audit(garbage(), 1_000).await.unwrap();
    let half = Some(format!("{{\"is\":\"{SECRET}").into_bytes());
    let owner = ItemOwner::Service;
    assert_eq!(store.replace_item(&owner, ItemKind::Report, "x", None, half, 1_000).await.unwrap(), Replaced::Done);
    // JSON of another shape, of each kind that anybody reads.
    let (owner, read) = (ItemOwner::Player(player.clone()), |kind: &ItemKind| *kind != ItemKind::Listener);
    for kind in ItemKind::ALL.into_iter().filter(read) {
        assert_eq!(store.replace_item(&owner, kind, "x", None, Some(garbage()), 1_000).await.unwrap(), Replaced::Done);
        if kind.in_directory() {
            store.bind_item(kind, "x", &player).await.unwrap();
        }
    }
    let mut jobs: Vec<Job> = Vec::new();
    for (kind, id) in JobKind::ALL
        .map(|kind| (kind, played.id.to_string()))
        .into_iter()
        .chain([(JobKind::Notify, "replay.w_1".to_owned())])
    {
        jobs.push(Job { kind, id, at: later, body: format!("[\"{SECRET}\"]").into_bytes() });
    }
    store.order_jobs(&jobs).await.unwrap();

    let (found, told) = checked(&store, false).await;
    assert_quotes_nothing(&told);
    let about = |name: &str, what: &str| told.iter().filter(|(n, w)| n == name && w.contains(what)).count();
    for (name, what) in [
        (session.to_string(), "cannot be read"),
        (mine.to_string(), "cannot be read"),
        (player.to_string(), "has a status that cannot be read"),
        ("the service".to_owned(), "one of its items of the kind report cannot be read"),
        (played.id.to_string(), "the plan of its seat 1 cannot be read"),
        (other.id.to_string(), "its checkpoint of version 1 cannot be read"),
        (format!("entry {place} of the audit"), "cannot be read"),
    ] {
        assert_eq!(about(&name, what), 1, "{name} {what}: {told:?}");
    }
    for kind in ItemKind::ALL.into_iter().filter(read) {
        let what = format!("one of its items of the kind {} cannot be read", kind.name());
        assert_eq!(about(player.as_str(), &what), 1, "{what}: {told:?}");
    }
    for Job { kind, id, .. } in &jobs {
        let what = format!("is a job of the kind {} and cannot be read", kind.name());
        assert_eq!(about(id, &what), 1, "{what}: {told:?}");
    }
    let faults = 7 + ItemKind::ALL.len() - 1 + jobs.len();
    assert_eq!((told.len(), found.faults, found.repaired), (faults, faults as u64, 0), "{told:?}");
    assert_eq!((found.matches, found.inboxes), (before.matches, before.inboxes + 1), "the rest is examined");
    assert_eq!((found.players, found.sessions), (before.players + 1, before.sessions + 1));
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_of_the_embedded_store_that_cannot_be_read_are_told() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(dir.path(), 6).await;
    values_are_told(embedded(dir.path()).await).await;
}

/// A Redis with some matches.
async fn on_redis() -> (Server, Arc<dyn Store>) {
    let dir = tempfile::tempdir().unwrap();
    players::fill(dir.path(), 6).await;
    let from = embedded(dir.path()).await;
    let server = tokio::task::block_in_place(|| Server::start(&[]));
    let store = redis(&server).await;
    sarsen::transfer::migrate::migrate(&*from, &*store, &mut Faults::default()).await.unwrap();
    from.close().await;
    (server, store)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_on_redis_that_cannot_be_read_are_told() {
    let (_server, store) = on_redis().await;
    values_are_told(store).await;
}

/// The player with the most notices: by chance others may have none.
async fn with_most_notices(store: &Arc<dyn Store>) -> (PlayerId, Inbox) {
    let mut most = None;
    for player in all(async |from| store.player_ids(from.as_ref()).await.unwrap()).await {
        let inbox = store.inbox(&player, 0, 1_000).await.unwrap();
        if most.as_ref().is_none_or(|(_, most): &(PlayerId, Inbox)| inbox.newest > most.newest) {
            most = Some((player, inbox));
        }
    }
    most.unwrap()
}

fn cmd(words: &[&str]) -> Cmd {
    let mut cmd = ::redis::cmd(words[0]);
    cmd.arg(&words[1..]);
    cmd
}

/// Returns the findings while one key is not what it was.
async fn while_damaged(server: &Server, store: &Arc<dyn Store>, key: &str, damage: &[&[&str]]) -> Told {
    let kept: Vec<u8> = server.ask(&cmd(&["DUMP", key])).await;
    for words in damage {
        server.ask::<::redis::Value>(&cmd(words)).await;
    }
    let (_, told) = checked(store, false).await;
    server.ask::<::redis::Value>(&cmd(&["DEL", key])).await;
    let mut restore = cmd(&["RESTORE", key, "0"]);
    server.ask::<::redis::Value>(restore.arg(kept)).await;
    assert_quotes_nothing(&told);
    told
}

/// Rates a match of the player.
async fn give_rating(store: &Arc<dyn Store>, player: &PlayerId) {
    let (ambient, games) = (Ambient::system(), Arc::new(games()));
    let ratings = Ratings::new(store.clone(), store.clone(), Arc::default(), games, ambient.clone());
    let seat = |player: &PlayerId, rank| RatedSeat { player: player.clone(), rank, counts: true };
    let result = RatedResult {
        match_id: MatchId::generate(&ambient),
        version: 9,
        category: "contiguity.2.live".to_owned(),
        at: ambient.now(),
        seats: vec![seat(player, 1), seat(&PlayerId::generate(&ambient), 2)],
        private: false,
    };
    assert!(ratings.rate(&result).await.unwrap());
}

/// The id that a key is of.
fn id_of(key: &str) -> Option<&str> {
    let is_id = |part: &&str| ["m_", "p_", "s_"].iter().any(|kind| part.starts_with(kind)) && part.len() == 34;
    key.split(['{', '}', ':']).rfind(is_id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_key_of_redis_that_is_damaged_is_told() {
    let (server, store) = on_redis().await;
    let (player, _) = with_most_notices(&store).await;
    store.put_status(&player, 0, b"{\"v\":1}".to_vec(), true).await.unwrap();
    store.append_audit(b"{}".to_vec(), 1_000).await.unwrap();
    let (owner, token) = (ItemOwner::Player(player.clone()), ItemKind::Token);
    store.replace_item(&owner, token, "a", None, Some(item_of(token)), 1).await.unwrap();
    store.bind_item(token, "a", &player).await.unwrap();
    let webhook = ItemKind::Webhook;
    store.replace_item(&owner, webhook, "b", None, Some(item_of(webhook)), 1).await.unwrap();
    let later = Timestamp(store.now().0 + 1_000_000);
    let job =
        Job { kind: JobKind::CallOff, id: "c".to_owned(), at: later, body: br#"{"v":1,"w":{"t":1,"p":[]}}"#.to_vec() };
    store.order_jobs(&[job]).await.unwrap();
    give_rating(&store, &player).await;
    let instance = InstanceId::generate(&Ambient::system());
    let beat = async || {
        let beat = Beat { id: instance.clone(), works: true, presence: Presence::Started, known: None };
        store.beat(beat).await.unwrap().outages.unwrap_or_default()
    };
    beat().await;
    store.leave(&instance, store.now()).await.unwrap();
    sleep(Duration::from_millis(20)).await;
    assert_eq!(beat().await.len(), 1);
    server.ask::<::redis::Value>(&cmd(&["DEL", "sarsen:1:admin:audit"])).await;
    let matches = green(&store).await.matches;

    let keys: Vec<String> = server.ask(&cmd(&["KEYS", "sarsen:1:*"])).await;
    let mut kinds = BTreeSet::new();
    for key in &keys {
        let kind: String = server.ask(&cmd(&["TYPE", key])).await;
        let other: &[&str] = if kind == "string" { &["RPUSH", key, SECRET] } else { &["SET", key, SECRET] };
        let told = while_damaged(&server, &store, key, &[&["DEL", key], other]).await;
        let (name, what) = ("", "where a");
        assert!(told.iter().any(|(_, told)| told.contains(what)), "{name}{key}: {told:?}");
        if let Some(id) = id_of(key) {
            assert!(told.iter().any(|(name, _)| name == id), "{key}: {told:?}");
        }
        kinds.insert(key.split(':').skip(2).filter(|part| !part.contains('_')).collect::<Vec<_>>().join(":"));
    }
    assert!(kinds.len() > 20, "{kinds:?}");
    for kind in ["{instances}:beats", "{instances}:there", "{instances}:outages", "ratings"] {
        assert!(kinds.contains(kind), "{kind}: {kinds:?}");
    }
    let outages = "sarsen:1:{instances}:outages".to_owned();
    // Other shards may still have jobs too.
    let bodies = keys.iter().find(|key| keys.iter().any(|other| *other == format!("{key}s:call_off"))).unwrap();
    let told = while_damaged(&server, &store, &outages, &[&["RPUSH", &outages, SECRET]]).await;
    assert_eq!(told, [("the outages".to_owned(), "has a key with entries that name nothing: 1".to_owned())]);
    server.ask::<::redis::Value>(&cmd(&["RPUSH", &outages, SECRET])).await;
    assert_eq!(beat().await.len(), 2, "it stops no heartbeat, which ends one more outage");
    assert_eq!(green(&store).await.matches, matches, "and the heartbeat has removed it");
    let told = while_damaged(&server, &store, bodies, &[&["HSET", bodies, "call_off:c", SECRET]]).await;
    assert_eq!(told, [("c".to_owned(), "is a job of the kind call_off and cannot be read".to_owned())]);

    let ids = all(async |from| store.match_ids(from.as_ref()).await.unwrap()).await;
    let named = Keys::new("sarsen");
    let (id, own) = (&ids[0], named.the_match(&ids[0]));
    for field in ["v", "s", "r", "l"] {
        let told = while_damaged(&server, &store, &own, &[&["HSET", &own, field, SECRET]]).await;
        assert!(told.iter().any(|(name, _)| name == id.as_str()), "{field}: {told:?}");
        let told = while_damaged(&server, &store, &own, &[&["HDEL", &own, field]]).await;
        assert!(told.iter().any(|(name, _)| name == id.as_str()), "without {field}: {told:?}");
    }
    let log = named.log(id);
    for entry in ["0", "1", "-1"] {
        let told = while_damaged(&server, &store, &log, &[&["LSET", &log, entry, SECRET]]).await;
        assert!(told.iter().any(|(name, _)| name == id.as_str()), "{entry}: {told:?}");
    }
    let told = while_damaged(&server, &store, &log, &[&["RPOP", &log]]).await;
    assert!(told.iter().any(|(name, what)| name == id.as_str() && what.contains("its log has")), "{told:?}");

    let kept = named.player(&player);
    for field in ["n", "r"] {
        let told = while_damaged(&server, &store, &kept, &[&["HSET", &kept, field, SECRET]]).await;
        assert!(told.iter().any(|(name, _)| name == player.as_str()), "{field}: {told:?}");
    }
    let session = store.kept_sessions(&player).await.unwrap().items.remove(0).id;
    let kept = format!("sarsen:1:{{{session}}}:session");
    for field in ["n", "r", "e"] {
        let told = while_damaged(&server, &store, &kept, &[&["HSET", &kept, field, SECRET]]).await;
        assert!(told.iter().any(|(name, _)| name == session.as_str()), "{field}: {told:?}");
    }
    let inbox = named.inbox(&player);
    for (entry, by) in [("0", SECRET), ("1", SECRET), ("1", "m_7:x")] {
        let told = while_damaged(&server, &store, &inbox, &[&["LSET", &inbox, entry, by]]).await;
        assert!(told.iter().any(|(name, _)| name == player.as_str()), "{entry}: {told:?}");
    }
    let sessions = format!("sarsen:1:{{{player}}}:sessions");
    let told = while_damaged(&server, &store, &sessions, &[&["ZADD", &sessions, "9999999999999", SECRET]]).await;
    assert!(
        told.iter().any(|(name, what)| name == player.as_str() && what.contains("that name nothing: 1")),
        "{told:?}"
    );
    let statuses = "sarsen:1:{statuses}:of".to_owned();
    let told = while_damaged(&server, &store, &statuses, &[&["HSET", &statuses, player.as_str(), SECRET]]).await;
    assert!(!told.is_empty());
    assert_eq!(green(&store).await.matches, matches, "all was put back");
    store.close().await;
}

/// A notice that is gone, and the others renumbered as if there had never been one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notice_that_is_missing_is_told() {
    let (server, store) = on_redis().await;
    let (of, inbox) = with_most_notices(&store).await;
    let key = Keys::new("sarsen").inbox(&of);
    for gone in [0, inbox.notices.len() / 2, inbox.notices.len() - 1] {
        let Notice { match_id, version, .. } = &inbox.notices[gone];
        let member = format!("{match_id}:{version}");
        let told = while_damaged(&server, &store, &key, &[&["LREM", &key, "1", &member]]).await;
        let sentence = format!("the inbox lacks the notice of version {version} of {match_id}");
        assert_eq!(told, [(of.to_string(), sentence)]);
    }
    green(&store).await;

    // The same in the other store, where numbers stand with the notices.
    let dir = tempfile::tempdir().unwrap();
    let elsewhere = embedded(dir.path()).await;
    for id in all(async |from| store.match_ids(from.as_ref()).await.unwrap()).await {
        elsewhere.restore_match(store.whole_match(&id).await.unwrap().unwrap()).await.unwrap();
    }
    let player = store.player(&of).await.unwrap().unwrap();
    assert_eq!(elsewhere.restore_player(&of, player).await.unwrap(), Restored::Written);
    let Notice { match_id, version, .. } = inbox.notices[1].clone();
    let left = inbox.notices.iter().filter(|notice| notice.number != inbox.notices[1].number);
    let notices: Vec<Notice> = (1..).zip(left).map(|(number, notice)| Notice { number, ..notice.clone() }).collect();
    let inbox = Inbox { newest: notices.len() as u64, notices };
    assert_eq!(elsewhere.restore_inbox(&of, inbox).await.unwrap(), Restored::Written);
    let (_, told) = checked(&elsewhere, true).await;
    assert_eq!(told, [(of.to_string(), format!("the inbox lacks the notice of version {version} of {match_id}"))]);
    elsewhere.close().await;
    store.close().await;
}

/// Opens the embedded store; `None` where it says that it cannot be read.
async fn opened(directory: &Path) -> Option<Arc<dyn Store>> {
    match app::open_store(&StoreSettings::Embedded, directory, &Ambient::system()).await {
        Ok(store) => Some(store),
        Err(error) => {
            let why = std::error::Error::source(&error).unwrap().to_string();
            let names = ["only a backup helps", "the table "].into_iter().any(|part| why.contains(part));
            assert!(why.contains("is not a readable store: ") && names, "{error}: {why}");
            None
        }
    }
}

/// The bytes of a page of the file.
const PAGE: usize = 4096;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_page_of_the_file_ends_no_check() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(dir.path(), 6).await;
    let store = embedded(dir.path()).await;
    let whole = green(&store).await;
    store.close().await;
    let bytes = fs::read(dir.path().join("sarsen.redb")).unwrap();
    let used: Vec<usize> = (1..bytes.len() / PAGE).filter(|page| bytes[page * PAGE] != 0).collect();
    // Of each page its kind, and of some a bit of what it holds.
    let kinds = used.iter().map(|page| (page * PAGE, 0xff));
    let bits = used
        .iter()
        .enumerate()
        .step_by(4)
        .map(|(number, page)| (page * PAGE + (7 * number + number % 2 * PAGE / 2) % PAGE, 1_u8 << (number % 8)));
    let damage: Vec<(usize, u8)> = kinds.chain(bits).collect();
    let mut opened_yet = 0;
    for (at, flipped) in &damage {
        let mut damaged = bytes.clone();
        damaged[*at] ^= flipped;
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("sarsen.redb"), damaged).unwrap();
        // A build with debug assertions reads all of the file as it opens it.
        let Some(store) = opened(elsewhere.path()).await else { continue };
        let (found, told) = checked(&store, false).await;
        opened_yet += 1;
        assert!(found.matches == whole.matches || !told.is_empty(), "{at}: {} without a word", found.matches);
        assert!(told.iter().all(|(_, what)| !what.contains("Guest")), "{told:?}");
        store.close().await;
    }
    assert!(opened_yet > 0, "of {}", damage.len());
}
