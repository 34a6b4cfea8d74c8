//! Replays: events made again from the actions in the log.

use super::*;
use crate::feed::follow::EVENTS_MAX;
use crate::feed::recent::RecentSteps;
use crate::feed::redacted::tell;
use crate::log_replay::CHECKPOINT_EVERY;
use crate::model::log::Action;
use crate::model::refused::Unreadable;
use crate::table::earlier::Earlier;
use crate::table::log_codec::{Logged, LoggedCause, stamp_of, written};
use crate::table::replay::replay;
use sarsen_store::{Checkpoint, Stamp};

/// A match that was played at random, and what happened in it as it was answered.
struct Played {
    world: World,
    id: MatchId,
    answered: Vec<LogEntry>,
}

impl Played {
    /// Until the end, or until it has so many versions.
    async fn new(game: &str, most: u64) -> Played {
        let world = World::new();
        let ann = world.person("Ann");
        let alone = game == "thief_of_the_sacred_fire";
        let seats = SeatCount::new(if alone { 1 } else { 2 });
        let id = world.made(&ann, NewMatch { game: game.to_owned(), seats, ..contiguity() }).await;
        if !alone {
            world.matches.join(world.person("Ben"), &id, Joining::default(), None).await.unwrap();
        }
        let mut live = world.matches.read(&Reader::default(), &id).await.unwrap().live;
        let mut answered = Vec::new();
        for version in 1..=live.stored.version {
            answered.push(world.matches.match_at(&live, version).await.unwrap().1);
        }
        let mut dice = Dice::new(DiceSeed([5; 32]));
        while live.stored.version < most
            && let Some(seat) = live.to_act().first()
        {
            let moves = legal(&live, seat);
            let mv = MoveInput::Notation(moves[dice.index(moves.len()).unwrap()].clone());
            world.clock.advance_seconds(3);
            let mut next = live.duplicate();
            let entry = next.play(seat, next.game.read_move(&mv).unwrap(), world.ambient.now()).unwrap();
            let (next, entry) = world.matches.commit(next, entry, Some(&live), None).await.unwrap().unwrap();
            answered.push(LogEntry::clone(&entry));
            live = next;
        }
        Played { world, id, answered }
    }

    /// Long enough for two checkpoints, and for more events than one page has.
    async fn long() -> Played {
        Played::new("henge", 260).await
    }

    async fn live(&self) -> Arc<LiveMatch> {
        self.world.another().read(&Reader::default(), &self.id).await.unwrap().live
    }

    fn newest(&self) -> u64 {
        self.answered.len() as u64
    }

    async fn entries(&self) -> Vec<Vec<u8>> {
        let mut entries: Vec<Vec<u8>> = Vec::new();
        while entries.len() < self.answered.len() {
            entries.extend(self.world.store.log(&self.id, entries.len() as u64, 200).await.unwrap());
        }
        entries
    }

    fn stamp(&self, version: u64) -> Stamp {
        self.answered[version as usize - 1].stamp
    }
}

fn readers(live: &LiveMatch) -> Vec<Reader> {
    let seats = live.stored.seats.iter().filter_map(|seat| seat.player.as_ref()).map(by);
    seats.chain([Reader::default()]).collect()
}

async fn told(matches: &Matches, reader: &Reader, id: &MatchId, limit: usize) -> Vec<(String, String)> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = matches.events(reader, id, after, limit).await.unwrap();
        all.extend(texts(&page.items));
        after = page.next;
        if !page.more {
            return all;
        }
    }
}

/// All that an entry says.
fn said(live: &LiveMatch, entry: &LogEntry) -> (u64, Timestamp, Vec<(String, String)>, Vec<Seat>) {
    let events = texts(&tell(&*live.game, entry, Viewer::Omniscient).unwrap());
    (entry.version, entry.at, events, entry.to_act.clone())
}

/// Every game, with how many versions of it are played.
const GAMES: [(&str, u64); 5] = [
    ("absolution", 120),
    ("contiguity", 120),
    ("henge", 120),
    ("sacrifice_roulette", 120),
    ("thief_of_the_sacred_fire", 60),
];

#[tokio::test]
async fn what_is_made_again_is_what_was_answered() {
    let mut games = BTreeSet::new();
    for (game, most) in GAMES {
        games.insert(game);
        let played = Played::new(game, most).await;
        let present = played.live().await;
        let mut made = None;
        for ((version, bytes), answered) in (1..).zip(played.entries().await).zip(&played.answered) {
            let logged = Logged::decode(&bytes, version, &present).unwrap();
            assert_eq!(stamp_of(&bytes), Some(answered.stamp));
            let (live, entry) = replay(&present, made, &logged, &mut Earlier::default()).unwrap();
            assert_eq!(said(&live, &entry), said(&live, answered), "{game}, version {version}");
            assert_eq!(written(&entry, &live).unwrap(), bytes, "{game}, version {version}");
            made = Some(live);
        }
        let stored = |live: &LiveMatch| serde_json::from_slice::<Value>(&live.duplicate().encode().unwrap()).unwrap();
        assert_eq!(stored(&made.unwrap()), stored(&present), "{game}");
    }
    let all: BTreeSet<&str> = Games::standard(GameSettings::default()).iter().map(|game| game.info().id).collect();
    assert_eq!(games, all, "every game has a log here");
}

#[tokio::test]
async fn an_entry_takes_little_room() {
    for (game, most) in GAMES {
        let played = Played::new(game, most).await;
        let entries = played.entries().await;
        let moves: Vec<usize> = entries.iter().filter(|entry| entry.starts_with(b"\"1 ")).map(Vec::len).collect();
        let asked_for = |entry: &&LogEntry| matches!(entry.cause, Cause::Action(Action::Move { .. }));
        assert_eq!(moves.len(), played.answered.iter().filter(asked_for).count(), "{game}: every move is noted");
        let each = moves.iter().sum::<usize>() / moves.len();
        assert!(each <= if game == "contiguity" { 40 } else { 60 }, "{game}: {each} bytes a move");
    }
}

#[tokio::test]
async fn what_a_later_release_has_written_is_refused() {
    let played = Played::new("contiguity", 4).await;
    let live = played.live().await;
    let later = |error: Unreadable| std::error::Error::source(&error).unwrap().to_string();
    for wrong in ["\"2 0 a AAAAAAAAAAc 1\"", "{\"f\":2,\"v\":2,\"then\":\"other\"}"] {
        let error = Logged::decode(wrong.as_bytes(), 2, &live).unwrap_err();
        assert_eq!(later(error), "the log is of a later release", "{wrong}");
    }
    for wrong in [
        "\"0 0 a AAAAAAAAAAc 1\"",
        "\"1 9 a AAAAAAAAAAc 1\"",
        "\"1 0 x! AAAAAAAAAAc 1\"",
        "\"1 0 a AAAAAAA 1\"",
        "\"1 0 a AAAAAAAAAAc\"",
        "{\"f\":1,\"v\":3,\"t\":1,\"a\":\"start\",\"s\":\"0000000000000007\"}",
        "{\"f\":1,\"v\":2,\"t\":1,\"s\":\"0000000000000007\"}",
        "{\"f\":1,\"v\":2,\"t\":1,\"a\":\"start\"}",
        "[]",
    ] {
        assert!(Logged::decode(wrong.as_bytes(), 2, &live).is_err(), "{wrong}");
    }
    let read = Logged::decode(b"\"1 4 ff AAAAAAAAAAc a b\"", 2, &live).unwrap();
    assert_eq!((read.at.0 - live.stored.created_at.0, read.stamp), (255, Stamp::from_number(7)));
    assert!(matches!(read.cause, LoggedCause::Noted { notation, .. } if notation == "a b"));
    for form in ["1", "2"] {
        let entry = format!("\"{form} 4 ff AAAAAAAAAAc a b\"");
        assert_eq!(stamp_of(entry.as_bytes()), Some(Stamp::from_number(7)), "{form}");
    }
}

#[tokio::test]
async fn a_follower_who_lags_far_behind_is_told_everything_in_several_steps() {
    let played = Played::long().await;
    let matches = played.world.another();
    let live = played.live().await;
    let reader = &readers(&live)[0];
    let expected = told(&matches, reader, &played.id, 1000).await;
    assert!(expected.len() > EVENTS_MAX, "{}", expected.len());
    let (mut after, mut heard, mut steps) = (EventCursor { id: "0.0".parse().unwrap(), stamp: None }, Vec::new(), 0);
    loop {
        let step = matches.step_since(reader, &played.id, Some(after)).await.unwrap();
        assert_eq!(step.viewed.live.stored.version, played.newest(), "each shows the match as it is");
        assert!(step.events.len() <= EVENTS_MAX);
        heard.extend(texts(&step.events));
        (after, steps) = (step.next, steps + 1);
        if !step.more {
            break;
        }
    }
    assert_eq!(heard, expected);
    assert_eq!(steps, expected.len().div_ceil(EVENTS_MAX));
    assert_eq!(after.id.version, played.newest());
}

#[tokio::test]
async fn any_version_is_rebuilt_and_told_from_any_place() {
    let played = Played::long().await;
    let (store, id, newest) = (&played.world.store, &played.id, played.newest());
    let matches = played.world.another();
    let live = played.live().await;
    let reader = &readers(&live)[0];
    let whole = told(&matches, reader, id, 1000).await;
    // Backwards and to and fro: states that are kept are mostly those of later versions.
    for version in (1..=newest).rev().step_by(7).chain([1, 2, 63, 64, 65, 127, 128, 129, newest]) {
        for matches in [&matches, &played.world.another()] {
            let present = matches.read(reader, id).await.unwrap();
            let (live, entry) = matches.match_at(&present.live, version).await.unwrap();
            assert_eq!((live.stored.version, live.stamp), (version, played.stamp(version)));
            assert_eq!(said(&live, &entry), said(&live, &played.answered[version as usize - 1]));
            let stamp = Some(played.stamp(version));
            let after = EventCursor { id: format!("{version}.0").parse().unwrap(), stamp };
            let page = matches.events(reader, id, Some(after), 5).await.unwrap();
            let mut from = whole.clone();
            from.retain(|(id, _)| id.parse::<crate::feed::redacted::EventId>().unwrap() > after.id);
            assert_eq!(texts(&page.items), from[..from.len().min(5)], "version {version}");
        }
    }
    let left = store.checkpoint(id, newest).await.unwrap().unwrap();
    assert!(left.version > newest - 2 * CHECKPOINT_EVERY && left.version % CHECKPOINT_EVERY == 0, "{}", left.version);
    assert_eq!(left.stamp, played.stamp(left.version));
}

#[tokio::test]
async fn a_checkpoint_that_is_not_of_this_log_is_passed_over() {
    let played = Played::long().await;
    let (store, id) = (&played.world.store, &played.id);
    let matches = played.world.another();
    let live = played.live().await;
    let reader = &readers(&live)[0];
    let expected = told(&matches, reader, id, 1000).await;
    let present = matches.read(reader, id).await.unwrap();
    matches.match_at(&present.live, played.newest()).await.unwrap();
    let good = store.checkpoint(id, 128).await.unwrap().unwrap();
    let other_state = store.checkpoint(id, 64).await.unwrap().unwrap().state;
    for wrong in [
        Checkpoint { stamp: Stamp::from_number(1), ..good.clone() },
        Checkpoint { state: b"of a later release".to_vec(), ..good.clone() },
        Checkpoint { state: other_state, ..good.clone() },
    ] {
        store.leave_checkpoint(id, &wrong).await.unwrap();
        let fresh = played.world.another();
        let present = fresh.read(reader, id).await.unwrap();
        let (live, _) = fresh.match_at(&present.live, 129).await.unwrap();
        assert_eq!((live.stored.version, live.stamp), (129, played.stamp(129)));
        assert_eq!(told(&fresh, reader, id, 50).await, expected);
    }
}

#[tokio::test]
async fn the_newest_step_is_told_from_memory_and_by_its_stamp_alone() {
    let played = Played::new("contiguity", 40).await;
    let live = played.live().await;
    let (recent, id, newest) = (RecentSteps::default(), live.stored.id.clone(), live.stored.version);
    let steps: Vec<Arc<LogEntry>> = played.answered.iter().cloned().map(Arc::new).collect();
    recent.keep(live.clone(), &steps);
    let kept = recent.of(&id).unwrap();
    assert_eq!(kept.find(newest, live.stamp).map(|step| step.version), Some(newest));
    assert!(kept.find(newest, Stamp::from_number(1)).is_none(), "another step made this version");
    assert!(kept.find(1, steps[0].stamp).is_none());
    assert!(kept.state(newest - 1).is_none() && kept.state(newest).is_some());
    // A step of another instance is missing between two: the state before it is kept.
    let mut later = live.duplicate();
    (later.stored.version, later.stamp) = (newest + 2, Stamp::from_number(newest + 2));
    let step = LogEntry { version: newest + 2, stamp: later.stamp, ..LogEntry::clone(steps.last().unwrap()) };
    let later_stamp = later.stamp;
    recent.keep(Arc::new(later), &[Arc::new(step)]);
    let kept = recent.of(&id).unwrap();
    assert_eq!(kept.state(newest + 1).map(|state| state.stored.version), Some(newest));
    assert!(kept.find(newest, live.stamp).is_some() && kept.find(newest + 2, later_stamp).is_some());
    // What is read of earlier versions does not take the place of the newest.
    let mut earlier = live.duplicate();
    (earlier.stored.version, earlier.stamp) = (1, steps[0].stamp);
    recent.keep(Arc::new(earlier), &steps[..1]);
    assert_eq!(recent.of(&id).unwrap().live.stored.version, newest + 2);
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
async fn an_archived_log_is_told_as_before() {
    for (game, most) in GAMES {
        let played = Played::new(game, most).await;
        let (world, id) = (&played.world, &played.id);
        let live = played.live().await;
        if !live.stored.stage.is_over() {
            world.matches.abort_whole(id).await.unwrap();
        }
        let over = world.matches.read(&Reader::default(), id).await.unwrap().live;
        let before: Vec<_> =
            futures_util::future::join_all(readers(&live).iter().map(|reader| told(&world.matches, reader, id, 1000)))
                .await;
        let entries = world.store.log(id, 0, 1000).await.unwrap();
        assert_eq!(world.matches.archive(&over, None).await.unwrap(), sarsen_store::Archived::Yes);
        assert_eq!(world.matches.archive(&over, None).await.unwrap(), sarsen_store::Archived::Already);
        assert_eq!(world.store.log(id, 0, 1000).await.unwrap(), entries, "{game}");
        for (reader, before) in readers(&live).iter().zip(&before) {
            assert_eq!(told(&world.another(), reader, id, 50).await, *before, "{game}");
        }
        let whole = world.store.whole_match(id).await.unwrap().unwrap();
        let games = Games::standard(GameSettings::default());
        assert_eq!(crate::table::examining::examine(&games, &whole).faults, Vec::<String>::new());
    }
}
