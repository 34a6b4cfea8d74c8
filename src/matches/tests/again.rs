//! What happened, made again from what was done.

use std::io::Read;

use flate2::read::GzDecoder;

use super::*;
use crate::matches::again::CHECKPOINT_EVERY;
use crate::matches::follow::EVENTS_MAX;
use crate::matches::history::retake;
use crate::matches::logged::{Logged, written};
use crate::matches::recent::RecentSteps;
use crate::matches::undo::earlier::Earlier;
use crate::store::{Checkpoint, Restored, Stamp, WholeMatch};

/// Matches of every game with all that happened in them, as the last release has stored them that stored events: the
/// match, then an entry a line. Never to be edited: what these entries say is what was answered.
const OLD_LOGS: [(&str, &[u8]); 6] = [
    ("absolution", include_bytes!("../../../tests/fixtures/log_with_events_absolution_3.jsonl.gz")),
    ("contiguity", include_bytes!("../../../tests/fixtures/log_with_events_contiguity_2.jsonl.gz")),
    ("henge", include_bytes!("../../../tests/fixtures/log_with_events_henge_1.jsonl.gz")),
    ("henge", include_bytes!("../../../tests/fixtures/log_with_events_henge_3.jsonl.gz")),
    ("sacrifice_roulette", include_bytes!("../../../tests/fixtures/log_with_events_sacrifice_roulette_4.jsonl.gz")),
    (
        "thief_of_the_sacred_fire",
        include_bytes!("../../../tests/fixtures/log_with_events_thief_of_the_sacred_fire_1.jsonl.gz"),
    ),
];

struct OldLog {
    record: String,
    entries: Vec<String>,
}

impl OldLog {
    fn read(packed: &[u8]) -> OldLog {
        let mut text = String::new();
        GzDecoder::new(packed).read_to_string(&mut text).unwrap();
        let mut lines = text.lines().map(str::to_owned);
        OldLog { record: lines.next().unwrap(), entries: lines.collect() }
    }

    fn long() -> OldLog {
        OldLog::read(OLD_LOGS[3].1)
    }

    fn live(&self) -> LiveMatch {
        LiveMatch::open(&Games::standard(GameSettings::default()), self.record.as_bytes()).unwrap()
    }

    /// Every step made again, with a stamp.
    fn made_again(&self) -> Vec<LogEntry> {
        let (present, mut live, mut made) = (self.live(), None, Vec::new());
        for (version, line) in (1..).zip(&self.entries) {
            let logged = Logged::decode(line.as_bytes(), version, &present).unwrap();
            let logged = Logged { told: None, stamp: Some(Stamp::from_number(version)), ..logged };
            let (next, entry) = retake(&present, live, &logged, &mut Earlier::default()).unwrap();
            made.push(entry);
            live = Some(next);
        }
        made
    }

    /// The same match with each entry in the form that `compacted` says, for a store.
    fn whole(&self, compacted: impl Fn(u64) -> bool) -> WholeMatch {
        let live = self.live();
        let mut entries = Vec::new();
        for (entry, line) in self.made_again().iter().zip(&self.entries) {
            entries.push(if compacted(entry.version) {
                written(entry, &live).unwrap()
            } else {
                let stamp = entry.stamp.unwrap();
                line.strip_suffix('}').map(|line| format!("{line},\"s\":\"{stamp}\"}}")).unwrap().into_bytes()
            });
        }
        let version = entries.len() as u64;
        WholeMatch {
            id: live.stored.id.clone(),
            version,
            stamp: Some(Stamp::from_number(version)),
            stored: self.record.clone().into_bytes(),
            listing: Some(live.listing()),
            due: None,
            entries,
            replays: Vec::new(),
        }
    }
}

/// The match in a world of its own.
async fn world_of(log: &OldLog, compacted: impl Fn(u64) -> bool) -> (World, MatchId) {
    let (world, whole) = (World::new(), log.whole(compacted));
    let id = whole.id.clone();
    assert_eq!(world.store.restore_match(whole).await.unwrap(), Restored::Written);
    (world, id)
}

fn readers(live: &LiveMatch) -> Vec<Reader> {
    let seats = live.stored.seats.iter().filter_map(|seat| seat.player.as_ref()).map(by);
    let invited = Reader { invite: live.stored.terms.invite.clone(), ..Reader::default() };
    seats.chain([invited]).collect()
}

async fn told(world: &World, reader: &Reader, id: &MatchId, limit: usize) -> Vec<(String, String)> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = world.matches.events(reader, id, after, limit).await.unwrap();
        all.extend(texts(&page.items));
        after = page.next;
        if !page.more {
            return all;
        }
    }
}

/// Whatever changes what a game tells of its moves raises its `rules_version`, or this fails.
#[test]
fn what_is_made_again_is_what_was_answered() {
    let mut games = BTreeSet::new();
    for (game, packed) in OLD_LOGS {
        let log = OldLog::read(packed);
        let present = log.live();
        assert_eq!(present.stored.terms.game, game);
        games.insert(game);
        let (mut from_old, mut from_new) = (None, None);
        for (version, line) in (1..).zip(&log.entries) {
            let logged = Logged::decode(line.as_bytes(), version, &present).unwrap();
            let said = logged.whole().unwrap();
            assert_eq!(serde_json::to_string(&said).unwrap(), *line);
            let (live, made) =
                retake(&present, from_old, &Logged { told: None, ..logged }, &mut Earlier::default()).unwrap();
            assert_eq!(serde_json::to_string(&made).unwrap(), *line, "{game}, version {version}");
            let compacted = written(&made, &live).unwrap();
            assert_eq!(LogEntry::stamp_of(&compacted), None);
            from_old = Some(live);
            let logged = Logged::decode(&compacted, version, &present).unwrap();
            assert!(logged.told.is_none(), "it says no events");
            let (live, made) = retake(&present, from_new, &logged, &mut Earlier::default()).unwrap();
            assert_eq!(serde_json::to_string(&made).unwrap(), *line, "{game}, version {version}, compact");
            from_new = Some(live);
        }
        let stored: Value = serde_json::from_str(&log.record).unwrap();
        let record: Value = serde_json::from_slice(&log.live().encode().unwrap()).unwrap();
        assert_eq!(record, stored, "{game}");
        for mut live in [from_old.unwrap(), from_new.unwrap()] {
            // The release that stored it kept no last move.
            assert!(live.stored.last_move.take().is_some(), "{game}");
            assert_eq!(serde_json::from_slice::<Value>(&live.encode().unwrap()).unwrap(), record, "{game}");
        }
    }
    let all: BTreeSet<&str> = Games::standard(GameSettings::default()).iter().map(|game| game.info().id).collect();
    assert_eq!(games, all, "every game has a log here");
}

#[test]
fn an_entry_takes_little_room() {
    for (game, packed) in OLD_LOGS {
        let log = OldLog::read(packed);
        let whole = log.whole(|_| true);
        let moves: Vec<usize> = whole.entries.iter().filter(|entry| entry.starts_with(b"\"3 ")).map(Vec::len).collect();
        let asked_for =
            |entry: &&LogEntry| matches!(entry.cause, Cause::Action(crate::matches::log::Action::Move { .. }));
        assert_eq!(moves.len(), log.made_again().iter().filter(asked_for).count(), "{game}: every move is noted");
        let each = moves.iter().sum::<usize>() / moves.len();
        let all = whole.entries.iter().map(Vec::len).sum::<usize>() / whole.entries.len();
        let before = log.entries.iter().map(String::len).sum::<usize>() / log.entries.len();
        eprintln!("{game}: {each} bytes a move, {all} an entry, with events {before}");
        assert!(each <= if game == "contiguity" { 40 } else { 60 }, "{game}: {each} bytes a move");
    }
}

/// What the release before this one looks for in an entry, before it looks at the form.
#[derive(serde::Deserialize, Debug)]
struct BeforeForm3 {
    f: u16,
    #[serde(rename = "v")]
    _version: u64,
    #[serde(rename = "t")]
    _at: Timestamp,
    #[serde(rename = "a")]
    _action: Box<serde_json::value::RawValue>,
    #[serde(rename = "e")]
    _events: Vec<Value>,
}

#[test]
fn the_release_before_refuses_it_and_carries_it() {
    for (_, packed) in OLD_LOGS {
        for entry in OldLog::read(packed).whole(|_| true).entries {
            // It exports what is JSON on one line, whatever it says.
            assert!(serde_json::from_slice::<Value>(&entry).is_ok() && !entry.contains(&b'\n'));
            if let Ok(read) = serde_json::from_slice::<BeforeForm3>(&entry) {
                assert_eq!(read.f, 3, "of a newer release");
            } else {
                assert!(entry.starts_with(b"\"3 "), "{}", String::from_utf8_lossy(&entry));
            }
        }
    }
}

#[test]
fn what_a_later_release_has_written_is_refused() {
    let live = OldLog::long().live();
    for wrong in [
        "\"4 0 a AAAAAAAAAAc 1\"",
        "\"2 0 a AAAAAAAAAAc 1\"",
        "\"3 9 a AAAAAAAAAAc 1\"",
        "\"3 0 x! AAAAAAAAAAc 1\"",
        "\"3 0 a AAAAAAA 1\"",
        "\"3 0 a -\"",
        "{\"f\":4,\"v\":2,\"t\":1,\"a\":\"start\",\"e\":[]}",
        "{\"f\":3,\"v\":3,\"t\":1,\"a\":\"start\",\"e\":[]}",
        "{\"f\":3,\"v\":2,\"t\":1,\"a\":null,\"e\":[]}",
        "[]",
    ] {
        assert!(Logged::decode(wrong.as_bytes(), 2, &live).is_err(), "{wrong}");
    }
    let read = Logged::decode(b"\"3 4 ff AAAAAAAAAAc a b\"", 2, &live).unwrap();
    assert_eq!((read.at.0 - live.stored.created_at.0, read.stamp), (255, Some(Stamp::from_number(7))));
    assert!(matches!(read.cause, crate::matches::logged::LoggedCause::Noted { notation, .. } if notation == "a b"));
    for form in ["3", "4"] {
        let entry = format!("\"{form} 4 ff AAAAAAAAAAc a b\"");
        assert_eq!(LogEntry::stamp_of(entry.as_bytes()), Some(Stamp::from_number(7)), "{form}");
    }
}

#[tokio::test]
async fn a_log_of_several_forms_tells_the_same() {
    for (game, packed) in OLD_LOGS {
        let log = OldLog::read(packed);
        let (old, id) = world_of(&log, |_| false).await;
        let forms: [fn(u64) -> bool; 3] = [|_| true, |version| version % 3 != 0, |version| version > 40];
        for compacted in forms {
            for reader in readers(&log.live()) {
                let (new, _) = world_of(&log, compacted).await;
                assert_eq!(told(&old, &reader, &id, 1000).await, told(&new, &reader, &id, 37).await, "{game}");
            }
        }
    }
}

#[tokio::test]
async fn a_follower_who_lags_far_behind_is_told_everything_in_several_steps() {
    let log = OldLog::long();
    let (world, id) = world_of(&log, |_| true).await;
    let reader = &readers(&log.live())[0];
    let expected = told(&world, reader, &id, 1000).await;
    assert!(expected.len() > EVENTS_MAX, "{}", expected.len());
    let (mut after, mut heard, mut steps) = (EventCursor { id: "0.0".parse().unwrap(), stamp: None }, Vec::new(), 0);
    loop {
        let step = world.matches.step_since(reader, &id, Some(after)).await.unwrap();
        assert_eq!(step.viewed.live.stored.version, log.entries.len() as u64, "each shows the match as it is");
        assert!(step.events.len() <= EVENTS_MAX);
        heard.extend(texts(&step.events));
        (after, steps) = (step.next, steps + 1);
        if !step.more {
            break;
        }
    }
    assert_eq!(heard, expected);
    assert_eq!(steps, expected.len().div_ceil(EVENTS_MAX));
    assert_eq!(after.id.version, log.entries.len() as u64);
}

#[tokio::test]
async fn any_version_is_rebuilt_and_told_from_any_place() {
    let log = OldLog::long();
    let (world, id) = world_of(&log, |_| true).await;
    let reader = &readers(&log.live())[0];
    let newest = log.entries.len() as u64;
    let made = log.made_again();
    let mut whole = told(&world, reader, &id, 1000).await;
    whole.reverse();
    // Backwards and to and fro: states that are kept are mostly those of later versions.
    for version in (1..=newest).rev().step_by(7).chain([1, 2, 63, 64, 65, 127, 128, 129, newest]) {
        let fresh = World { matches: world.in_another_instance(), ..World::new() };
        for world in [&world, &fresh] {
            let present = world.matches.read(reader, &id).await.unwrap();
            let (live, entry) = world.matches.match_at(&present.live, version).await.unwrap();
            let made = &made[version as usize - 1];
            assert_eq!((live.stored.version, live.stamp), (version, made.stamp));
            assert_eq!(serde_json::to_string(&*entry).unwrap(), serde_json::to_string(made).unwrap());
            let after = EventCursor { id: format!("{version}.0").parse().unwrap(), stamp: made.stamp };
            let page = world.matches.events(reader, &id, Some(after), 5).await.unwrap();
            let mut from = whole.clone();
            from.retain(|(id, _)| id.parse::<crate::matches::told::EventId>().unwrap() > after.id);
            from.reverse();
            assert_eq!(texts(&page.items), from[..from.len().min(5)], "version {version}");
        }
    }
    let left = world.store.checkpoint(&id, newest).await.unwrap().unwrap();
    assert!(left.version > newest - 2 * CHECKPOINT_EVERY && left.version % CHECKPOINT_EVERY == 0, "{}", left.version);
    assert_eq!(left.stamp, Stamp::from_number(left.version));
}

#[tokio::test]
async fn a_checkpoint_that_is_not_of_this_log_is_passed_over() {
    let log = OldLog::long();
    let (world, id) = world_of(&log, |_| true).await;
    let reader = &readers(&log.live())[0];
    let expected = told(&world, reader, &id, 1000).await;
    let present = world.matches.read(reader, &id).await.unwrap();
    world.matches.match_at(&present.live, 200).await.unwrap();
    let good = world.store.checkpoint(&id, 128).await.unwrap().unwrap();
    let other_state = world.store.checkpoint(&id, 64).await.unwrap().unwrap().state;
    for wrong in [
        Checkpoint { stamp: Stamp::from_number(1), ..good.clone() },
        Checkpoint { state: b"of a newer release".to_vec(), ..good.clone() },
        Checkpoint { state: other_state, ..good.clone() },
    ] {
        world.store.leave_checkpoint(&id, &wrong).await.unwrap();
        let fresh = World { matches: world.in_another_instance(), ..World::new() };
        let present = fresh.matches.read(reader, &id).await.unwrap();
        let (live, _) = fresh.matches.match_at(&present.live, 140).await.unwrap();
        assert_eq!((live.stored.version, live.stamp), (140, Some(Stamp::from_number(140))));
        assert_eq!(told(&fresh, reader, &id, 50).await, expected);
    }
}

#[tokio::test]
async fn the_newest_step_is_told_from_memory_and_by_its_stamp_alone() {
    let log = OldLog::read(OLD_LOGS[1].1);
    let steps = log.made_again();
    let mut live = log.live();
    live.stamp = steps.last().unwrap().stamp;
    let live = Arc::new(live);
    let (recent, id, newest) = (RecentSteps::default(), live.stored.id.clone(), live.stored.version);
    let steps: Vec<Arc<LogEntry>> = steps.into_iter().map(Arc::new).collect();
    recent.keep(live.clone(), &steps);
    let kept = recent.of(&id).unwrap();
    assert_eq!(kept.find(newest, live.stamp).map(|step| step.version), Some(newest));
    assert!(kept.find(newest, Some(Stamp::from_number(0))).is_none(), "another step made this version");
    assert!(kept.find(newest, None).is_none() && kept.find(1, steps[0].stamp).is_none());
    assert!(kept.state(newest - 1).is_none() && kept.state(newest).is_some());
    // A step of another instance is missing between two: the state before it is kept.
    let mut later = log.live();
    (later.stored.version, later.stamp) = (newest + 2, Some(Stamp::from_number(newest + 2)));
    let step = LogEntry { version: newest + 2, stamp: later.stamp, ..LogEntry::clone(steps.last().unwrap()) };
    recent.keep(Arc::new(later), &[Arc::new(step)]);
    let kept = recent.of(&id).unwrap();
    assert_eq!(kept.state(newest + 1).map(|state| state.stored.version), Some(newest));
    assert!(
        kept.find(newest, live.stamp).is_some()
            && kept.find(newest + 2, Some(Stamp::from_number(newest + 2))).is_some()
    );
    let newest = newest + 2;
    // What is read of earlier versions does not take the place of the newest.
    let mut earlier = log.live();
    (earlier.stored.version, earlier.stamp) = (1, steps[0].stamp);
    recent.keep(Arc::new(earlier), &steps[..1]);
    assert_eq!(recent.of(&id).unwrap().live.stored.version, newest);
}

#[tokio::test]
async fn steps_are_kept_only_where_somebody_is_told_them() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    world.play_on(&id, &players, 3).await;
    assert!(world.matches.recent.of(&id).is_none(), "answers to moves alone need no steps");
    let (reader, newest) = (Reader::player(players[0].id.clone()), world.read(&players[0], &id).await.live);
    world.matches.events(&reader, &id, None, 1000).await.unwrap();
    let kept = world.matches.recent.of(&id).unwrap();
    assert!(kept.find(newest.stored.version, newest.stamp).is_some());
    world.play_on(&id, &players, 1).await;
    let newest = world.read(&players[0], &id).await.live;
    let kept = world.matches.recent.of(&id).unwrap();
    assert!(kept.find(newest.stored.version, newest.stamp).is_some(), "from then on each as it is made");
}

#[tokio::test]
async fn an_old_log_is_archived_without_what_is_made_again_and_told_as_before() {
    for (game, packed) in OLD_LOGS {
        let log = OldLog::read(packed);
        let (world, id) = world_of(&log, |version| version % 5 == 0).await;
        let live = log.live();
        let before: Vec<_> =
            futures_util::future::join_all(readers(&live).iter().map(|reader| told(&world, reader, &id, 1000))).await;
        let loaded = world.store.load_match(&id, None).await.unwrap().unwrap();
        let mut over = log.live();
        over.stamp = loaded.stamp;
        assert_eq!(world.matches.archive(&over, None).await.unwrap(), crate::store::Archived::Yes);
        assert_eq!(world.matches.archive(&over, None).await.unwrap(), crate::store::Archived::Already);
        let entries = world.store.log(&id, 0, 1000).await.unwrap();
        assert_eq!(entries, log.whole(|_| true).entries, "{game}");
        let fresh = World { matches: world.in_another_instance(), ..World::new() };
        for (reader, before) in readers(&live).iter().zip(&before) {
            assert_eq!(told(&fresh, reader, &id, 50).await, *before, "{game}");
        }
        let whole = world.store.whole_match(&id).await.unwrap().unwrap();
        let games = Games::standard(GameSettings::default());
        assert_eq!(crate::matches::examining::examine(&games, &whole, None).faults, Vec::<String>::new());
    }
}
