//! Promises of this backend alone: groups, and life after a failure. The contract is tested in `tests/store`.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;

use redb::backends::InMemoryBackend;
use redb::{Database, DatabaseError, ReadableTable, ReadableTableMetadata, StorageBackend, StorageError};
use tokio::sync::broadcast::error::TryRecvError;
use tokio::task::JoinHandle;

use super::*;
use crate::{
    Beat, Commit, Committed, ExpiringStore, INBOX_KEPT, Inbox, Instances, Inventory, MatchStore, Notice, PlayerStore,
    Presence, Stamp,
};
use sarsen_base::ambient::{FixedClock, FixedEntropy, Timestamp};
use sarsen_base::ids::{InstanceId, MatchId, PlayerId, SessionId};

/// A disk in memory, which counts its syncs and repairs, and fails or is full when told to. What was written to it outlives the database.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<DiskState>);

#[derive(Debug, Default)]
struct DiskState {
    bytes: InMemoryBackend,
    syncs: AtomicUsize,
    repairs: Arc<AtomicUsize>,
    failing: AtomicBool,
    /// The end of the disk, in bytes; 0 for no end.
    room: AtomicU64,
    /// True if bytes that were read are read again each time.
    forgotten: AtomicBool,
    /// True if closing panics, as redb does where a panic poisoned its locks.
    poisoned: AtomicBool,
    /// The place of a byte that reads otherwise than it was written, and the bits that do.
    damage: Mutex<Option<(u64, u8)>>,
}

impl Disk {
    fn fail(&self, failing: bool) {
        self.0.failing.store(failing, Ordering::SeqCst);
    }

    /// Nothing more fits on it than is there now, or everything does. As on a real disk the file can be made longer all
    /// the same, and only writing there fails.
    fn fill(&self, full: bool) {
        let room = if full { self.0.bytes.len().unwrap() } else { 0 };
        self.0.room.store(room, Ordering::SeqCst);
    }

    /// Returns the disk as a crash of the process would leave it.
    fn crashed(&self) -> Disk {
        let mut bytes = vec![0; self.0.bytes.len().unwrap() as usize];
        self.0.bytes.read(0, &mut bytes).unwrap();
        let left = Disk::default();
        left.0.bytes.set_len(bytes.len() as u64).unwrap();
        left.0.bytes.write(0, &bytes).unwrap();
        left
    }

    fn syncs(&self) -> usize {
        self.0.syncs.load(Ordering::SeqCst)
    }

    fn works(&self) -> io::Result<()> {
        if self.0.failing.load(Ordering::SeqCst) { Err(io::Error::other("the disk is gone")) } else { Ok(()) }
    }

    fn open(&self, ambient: Ambient) -> Result<Arc<Embedded>, OpenError> {
        let disk = self.clone();
        let opener = move || {
            disk.works().map_err(|error| DatabaseError::Storage(StorageError::Io(error)))?;
            let repairs = Arc::clone(&disk.0.repairs);
            let mut builder = Database::builder();
            if disk.0.forgotten.load(Ordering::SeqCst) {
                builder.set_cache_size(0);
            }
            builder
                .set_repair_callback(move |_| {
                    repairs.fetch_add(1, Ordering::SeqCst);
                })
                .create_with_backend(disk.clone())
        };
        Embedded::with(Box::new(opener), Path::new("memory"), ambient).map(Arc::new)
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.0.bytes.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.works()?;
        self.0.bytes.read(offset, out)?;
        if let Some((at, bits)) = *self.0.damage.lock().unwrap()
            && let Some(byte) = at.checked_sub(offset).and_then(|at| out.get_mut(at as usize))
        {
            *byte ^= bits;
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.works()?;
        self.0.bytes.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.works()?;
        self.0.syncs.fetch_add(1, Ordering::SeqCst);
        self.0.bytes.sync_data()
    }

    fn close(&self) -> io::Result<()> {
        assert!(!self.0.poisoned.load(Ordering::SeqCst), "poisoned");
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.works()?;
        let room = self.0.room.load(Ordering::SeqCst);
        if room > 0 && offset + data.len() as u64 > room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.bytes.write(offset, data)
    }
}

fn id(number: u128) -> MatchId {
    MatchId::from_number(number)
}

fn step(number: u128, expected: u64) -> Commit {
    Commit {
        id: id(number),
        expected,
        expected_stamp: (expected > 0).then(|| Stamp::from_number(expected)),
        stamp: Stamp::from_number(expected + 1),
        stored: vec![1; 100],
        entry: vec![2; 100],
        listing: None,
        listed: None,
        replay: None,
        notify: vec![PlayerId::from_number(1)],
        due: crate::Due::Leave,
        jobs: Vec::new(),
    }
}

async fn version(store: &Embedded, number: u128) -> u64 {
    store.load_match(&id(number), None).await.unwrap().map_or(0, |found| found.version)
}

/// Waits until the store is ready again: after a failed probe it takes a moment for the next.
async fn until_ready(store: &Embedded) {
    let start = Instant::now();
    while let Err(error) = store.ready().await {
        assert!(start.elapsed() < Duration::from_secs(60), "{error}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Holds the writer in the middle of a group until the answer is sent to.
async fn hold(store: &Arc<Embedded>) -> mpsc::Sender<()> {
    let (begun, beginning) = tokio::sync::oneshot::channel();
    let (release, released) = mpsc::channel();
    let store = Arc::clone(store);
    tokio::spawn(async move {
        let held = store.write(move |group| {
            let _ = begun.send(());
            let _ = released.recv();
            writer::nothing(group)
        });
        held.await.unwrap();
    });
    beginning.await.unwrap();
    release
}

/// Queues writes behind the held one, in this order.
async fn queue<T, F>(store: &Arc<Embedded>, works: Vec<F>) -> Vec<JoinHandle<Result<T>>>
where
    F: FnOnce(&mut Group<'_>) -> Outcome<T> + Send + 'static,
    T: Send + 'static,
{
    let count = works.len();
    let start = |work| {
        let store = Arc::clone(store);
        tokio::spawn(async move { store.write(work).await })
    };
    let tasks = works.into_iter().map(start).collect();
    // The test's runtime has one thread: a turn of it runs tasks up to the wait for their answers.
    while store.queue().unwrap().waiting() < count {
        tokio::task::yield_now().await;
    }
    tasks
}

fn committing(commits: Vec<Commit>) -> Vec<impl FnOnce(&mut Group<'_>) -> Outcome<Committed> + Send + 'static> {
    commits.into_iter().map(|commit| move |group: &mut Group<'_>| matches::step(group, &commit)).collect()
}

#[tokio::test]
async fn what_is_queued_shares_one_transaction() {
    let disk = Disk::default();
    let store = disk.open(Ambient::fixed(0, 1)).unwrap();
    store.commit(step(0, 0)).await.unwrap();
    let before = disk.syncs();
    store.commit(step(0, 1)).await.unwrap();
    let of_one = disk.syncs() - before;

    let release = hold(&store).await;
    let tasks = queue(&store, committing((1..=200).map(|number| step(number, 0)).collect())).await;
    let before = disk.syncs();
    release.send(()).unwrap();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap(), Committed::Yes);
    }
    assert_eq!(disk.syncs() - before, of_one);
}

#[tokio::test]
async fn a_write_sees_those_before_it_in_the_group() {
    let store = Disk::default().open(Ambient::fixed(0, 1)).unwrap();
    let release = hold(&store).await;
    let tasks = queue(&store, committing(vec![step(1, 0), step(1, 0), step(1, 1), step(1, 3)])).await;
    release.send(()).unwrap();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap().unwrap());
    }
    assert_eq!(results, [Committed::Yes, Committed::Conflict, Committed::Yes, Committed::Conflict]);
    assert_eq!(version(&store, 1).await, 2);
    let inbox = store.inbox(&PlayerId::from_number(1), 0, 10).await.unwrap();
    assert_eq!(inbox.notices.iter().map(|notice| notice.version).collect::<Vec<_>>(), [1, 2]);
}

#[tokio::test]
async fn what_has_nothing_to_write_costs_no_sync() {
    let disk = Disk::default();
    let store = disk.open(Ambient::fixed(0, 1)).unwrap();
    store.commit(step(1, 0)).await.unwrap();
    let before = disk.syncs();
    assert_eq!(store.commit(step(1, 0)).await.unwrap(), Committed::Conflict);
    assert_eq!(store.take_ticket("k").await.unwrap(), None);
    // The commit has just shown that writes reach the disk.
    store.ready().await.unwrap();
    assert_eq!(disk.syncs(), before);
}

#[tokio::test]
async fn on_a_full_disk_the_store_is_not_ready_and_goes_on_when_there_is_room() {
    let disk = Disk::default();
    let store = disk.open(Ambient::fixed(0, 1)).unwrap();
    store.ready().await.unwrap();
    disk.fill(true);
    let (mut done, mut still_ready) = (0, 0);
    loop {
        while store.commit(step(done, 0)).await.is_ok() {
            done += 1;
            assert!(done < 1_000_000, "the disk is never full");
        }
        match store.ready().await {
            // Pages that the commits before have left become free as the file is opened anew, and the probe may take the
            // last of them.
            Ok(()) => still_ready += 1,
            Err(error) => break assert!(matches!(error, StoreError::Unavailable(_)), "{error}"),
        }
        assert!(still_ready < 4, "it is ready for ever");
    }
    assert_eq!(version(&store, 0).await, 1);
    // Whether or not a heartbeat finds room, it shows nothing of the rest.
    let beat = Beat { id: InstanceId::from_number(1), works: true, presence: Presence::Unbroken, known: None };
    let _found_room = store.beat(beat).await;
    // Where nothing can be changed, nobody is there.
    assert!(matches!(store.confirm().await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.ready().await, Err(StoreError::Unavailable(_))));

    disk.fill(false);
    until_ready(&store).await;
    for number in 0..done {
        assert_eq!(version(&store, number).await, 1);
    }
    assert_eq!(store.commit(step(done + 1, 0)).await.unwrap(), Committed::Yes);
}

#[tokio::test]
async fn a_start_after_a_crash_does_not_read_the_whole_file() {
    let disk = Disk::default();
    let store = disk.open(Ambient::fixed(0, 1)).unwrap();
    for done in 0..20 {
        let left = disk.crashed();
        let opened = left.open(Ambient::fixed(0, 1)).unwrap();
        assert_eq!(left.0.repairs.load(Ordering::SeqCst), 0);
        assert_eq!(
            (version(&opened, done).await, version(&opened, done.saturating_sub(1)).await),
            (0, done.min(1) as u64)
        );
        store.commit(step(done, 0)).await.unwrap();
    }
}

#[tokio::test]
async fn a_panic_fails_its_group_and_nothing_of_it_is_stored_or_announced() {
    let store = Disk::default().open(Ambient::fixed(0, 1)).unwrap();
    store.commit(step(1, 0)).await.unwrap();
    let mut live = store.live();
    let release = hold(&store).await;
    let mut before = queue(&store, committing(vec![step(1, 1), step(2, 0)])).await;
    let panicking = store.clone();
    before.push(tokio::spawn(async move { panicking.write(|_| panic!("of the test")).await }));
    let after = store.clone();
    before.push(tokio::spawn(async move { after.commit(step(3, 0)).await }));
    while store.queue().unwrap().waiting() < before.len() {
        tokio::task::yield_now().await;
    }
    release.send(()).unwrap();
    for task in before {
        assert!(matches!(task.await.unwrap(), Err(StoreError::Unavailable(_))));
    }
    store.ready().await.unwrap();
    assert_eq!((version(&store, 1).await, version(&store, 2).await, version(&store, 3).await), (1, 0, 0));
    assert_eq!(live.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(store.commit(step(1, 1)).await.unwrap(), Committed::Yes);
}

#[tokio::test]
async fn the_store_is_away_with_its_disk_and_comes_back_with_it() {
    let disk = Disk::default();
    let store = disk.open(Ambient::fixed(0, 1)).unwrap();
    store.commit(step(1, 0)).await.unwrap();
    let mut live = store.live();

    disk.fail(true);
    let release = hold(&store).await;
    let tasks = queue(&store, committing(vec![step(1, 1), step(2, 0), step(3, 0)])).await;
    release.send(()).unwrap();
    for task in tasks {
        assert!(matches!(task.await.unwrap(), Err(StoreError::Unavailable(_))));
    }
    assert!(matches!(store.ready().await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.load_match(&id(1), None).await, Err(StoreError::Unavailable(_))));
    assert_eq!(live.try_recv(), Err(TryRecvError::Empty));

    disk.fail(false);
    until_ready(&store).await;
    // The failed group happened whole or not at all: which of the two is not known to who asked.
    let found = (version(&store, 1).await, version(&store, 2).await, version(&store, 3).await);
    assert!([(1, 0, 0), (2, 1, 1)].contains(&found), "{found:?}");
    assert_eq!(store.commit(step(1, found.0)).await.unwrap(), Committed::Yes);
    assert_eq!(store.log(&id(1), 0, 10).await.unwrap().len() as u64, found.0 + 1);
}

#[tokio::test]
async fn a_file_of_a_newer_layout_is_refused() {
    let disk = Disk::default();
    let store = disk.open(Ambient::fixed(0, 1)).unwrap();
    store.close().await;
    let database = Database::builder().create_with_backend(disk.clone()).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(layout::META).unwrap().insert("layout", layout::LAYOUT + 1).unwrap();
    transaction.commit().unwrap();
    drop(database);
    let refusal = disk.open(Ambient::fixed(0, 1)).err().unwrap();
    assert!(matches!(refusal, OpenError::Newer { found, known, .. } if found == known + 1), "{refusal}");
}

/// Covers both occasions on which the database closes: when a store is refused, and when one is closed.
#[tokio::test]
async fn a_panic_of_the_database_as_it_closes_is_no_panic_of_the_store() {
    let disk = Disk::default();
    let store = disk.open(Ambient::fixed(0, 1)).unwrap();
    disk.0.poisoned.store(true, Ordering::SeqCst);
    assert_eq!(store.commit(step(1, 0)).await.unwrap(), Committed::Yes);
    store.database.close();
    disk.0.poisoned.store(false, Ordering::SeqCst);
    let database = Database::builder().create_with_backend(disk.clone()).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(layout::META).unwrap().insert("layout", layout::LAYOUT + 1).unwrap();
    transaction.commit().unwrap();
    drop(database);
    disk.0.poisoned.store(true, Ordering::SeqCst);
    let refusal = disk.open(Ambient::fixed(0, 1)).err().unwrap();
    assert!(matches!(refusal, OpenError::Newer { .. }), "{refusal}");
}

/// Trimming works wherever the stretches of the inbox begin.
#[tokio::test]
async fn an_inbox_is_trimmed_to_what_is_kept() {
    let store = Disk::default().open(Ambient::fixed(0, 1)).unwrap();
    for begin in 1..=16 {
        let player = PlayerId::from_number(begin);
        let first = Notice { number: begin as u64, match_id: id(1), version: 1 };
        let begun = Inbox { newest: first.number, notices: vec![first] };
        store.restore_inbox(&player, begun).await.unwrap();
        let pushed = store.write(move |group| {
            for newest in begin as u64 + 1..INBOX_KEPT + 60 {
                inboxes::push(&mut group.tables, begin, 1, newest)?;
                let oldest = group.tables.inbox.range((begin, 0)..)?.next().unwrap()?.0.value().1;
                let kept = newest + 1 - oldest;
                let wanted = (newest + 1 - begin as u64).min(INBOX_KEPT);
                assert!(kept >= wanted && kept <= INBOX_KEPT + 30, "{kept} of {newest} from {begin} on");
            }
            Ok(())
        });
        pushed.await.unwrap();
        let inbox = store.inbox(&player, 0, usize::MAX).await.unwrap();
        let numbers = inbox.notices.iter().map(|notice| notice.number);
        assert!(inbox.newest == INBOX_KEPT + 59 && numbers.eq(inbox.notices[0].number..=inbox.newest));
    }
}

#[tokio::test]
async fn what_has_expired_is_swept() {
    let clock = Arc::new(FixedClock::at(Timestamp(0)));
    let store = Disk::default().open(Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)))).unwrap();
    let (player, minute) = (PlayerId::from_number(1), Timestamp(60_000));
    for number in 0..200 {
        let session = SessionId::from_number(number);
        let end = if number % 2 == 0 { minute } else { Timestamp(600_000) };
        assert!(store.put_session(&session, &player, 0, vec![1], end).await.unwrap());
        store.revoke_session(&SessionId::from_number(1000 + number), &player, end).await.unwrap();
        store.put_ticket(&number.to_string(), vec![1], (end.0 / 1000) as u32).await.unwrap();
    }
    // Written again with a later end: the note of the earlier end finds nothing to do.
    assert!(store.put_session(&SessionId::from_number(0), &player, 1, vec![1], Timestamp(600_000)).await.unwrap());
    clock.advance_seconds(60);
    for written in 0..300_u64.div_ceil(64) {
        assert!(store.put_player(&player, written, vec![1]).await.unwrap());
    }
    let left = |transaction: &Snapshot| {
        Ok((
            transaction.open_table(layout::SESSIONS)?.len()?,
            transaction.open_table(layout::SESSIONS_OF)?.len()?,
            transaction.open_table(layout::REVOCATIONS)?.len()?,
            transaction.open_table(layout::TICKETS)?.len()?,
            transaction.open_table(layout::EXPIRIES)?.len()?,
        ))
    };
    assert_eq!(store.read(left).unwrap(), (101, 101, 100, 100, 301));
}

/// Returns what can be read of a damaged store: the tables that are told of, the matches that are named, those that can
/// be read, and whether something between them is told to be missing.
async fn left_of(store: &Embedded) -> (Vec<String>, usize, usize, bool) {
    let (mut told, mut ids, mut gap, mut from) = (Vec::new(), Vec::new(), false, None);
    loop {
        let page = store.damaged(from.as_ref()).await.unwrap();
        told.extend(page.items.into_iter().map(|damage| damage.name));
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    loop {
        // The table may not even begin.
        let Ok(page) = store.match_ids(from.as_ref()).await else { break };
        ids.extend(page.items);
        gap |= !page.damage.is_empty();
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    let mut whole = 0;
    for id in &ids {
        match store.whole_match(id).await {
            Ok(found) => whole += usize::from(found.is_some()),
            Err(StoreError::Corrupt(what)) => assert!(what.contains("in the table "), "{what}"),
            Err(away) => panic!("{away}"),
        }
    }
    (told, ids.len(), whole, gap)
}

#[tokio::test]
async fn a_damaged_page_is_told_with_its_table_and_what_lies_elsewhere_is_read() {
    const PAGE: u64 = 4096;
    const MATCHES: u32 = 200;
    let disk = Disk::default();
    disk.0.forgotten.store(true, Ordering::SeqCst);
    let store = disk.open(Ambient::fixed(1_800_000_000_000, 1)).unwrap();
    let later = Timestamp(1_900_000_000_000);
    for number in 1..=u128::from(MATCHES) {
        let player = PlayerId::from_number(number);
        let commit = Commit { notify: vec![player.clone()], ..step(number, 0) };
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
        assert!(store.put_player(&player, 0, vec![3; 50]).await.unwrap());
        assert!(store.put_session(&SessionId::from_number(number), &player, 0, vec![4; 50], later).await.unwrap());
    }
    let all = MATCHES as usize;
    assert_eq!(left_of(&store).await, (Vec::new(), all, all, false));
    let (mut tables, mut gaps) = (BTreeSet::new(), 0);
    for page in 1..disk.0.bytes.len().unwrap() / PAGE {
        let mut kind = [0];
        disk.0.bytes.read(page * PAGE, &mut kind).unwrap();
        if kind == [0] {
            continue;
        }
        *disk.0.damage.lock().unwrap() = Some((page * PAGE, 0xff));
        let (told, named, whole, gap) = left_of(&store).await;
        *disk.0.damage.lock().unwrap() = None;
        assert!(whole == all || !told.is_empty(), "page {page}: {whole} without a word");
        // One leaf of many is missing, or the way to all of them.
        assert!(!gap || named == 0 || named > all / 2, "page {page}: {named}");
        gaps += usize::from(gap && named > 0);
        tables.extend(told);
    }
    for table in ["matches", "log", "inbox", "players", "sessions", "sessions_of"] {
        assert!(tables.contains(&format!("the table {table}")), "{table}: {tables:?}");
    }
    assert!(gaps > 1, "ids were named before or behind a damaged page");
    assert_eq!(left_of(&store).await, (Vec::new(), all, all, false), "the store goes on");
}
