//! Backups of the embedded store while it serves: what is copied is a store that agrees with itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::store::embedded::Embedded;
use sarsen::store::{BackupError, Commit, Due, MatchStore, Stamp, Store};

use crate::transfer::round_trip::{everything, give_items};
use crate::transfer::{all, embedded, green, players};

/// The number of backups that are made.
const BACKUPS: usize = 10;

/// Opens a backup as it is restored: put in place.
async fn restored(backup: &Path, directory: &Path) -> Arc<dyn Store> {
    fs::create_dir(directory).unwrap();
    fs::copy(backup, directory.join("sarsen.redb")).unwrap();
    embedded(directory).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_backups_under_load_are_ten_stores_that_agree() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let kept = players::fill_while(&data, 160, async |store| {
        let mut kept = Vec::new();
        for number in 0..BACKUPS {
            let made = store.back_up().await.unwrap();
            let (file, copy) = (data.join("backups").join(&made.name), dir.path().join(format!("{number}.redb")));
            assert_eq!(fs::metadata(&file).unwrap().len(), made.bytes);
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            fs::copy(&file, &copy).unwrap();
            kept.push(copy);
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        kept
    })
    .await;
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(data.join("backups")).unwrap() {
        names.push(entry.unwrap().file_name().into_string().unwrap());
    }
    assert_eq!(names.len(), 2, "{names:?}");
    let mut before = 0;
    for (number, backup) in kept.iter().enumerate() {
        let store = restored(backup, &dir.path().join(format!("restored {number}"))).await;
        let checked = green(&store).await;
        assert!(checked.matches >= before, "a later backup has no fewer matches");
        before = checked.matches;
        store.close().await;
    }
    assert!(before > 0, "nothing was played meanwhile");
}

/// A large step, so that copying takes some time.
fn large(number: u128) -> Commit {
    Commit {
        id: sarsen::ids::MatchId::from_number(number),
        expected: 0,
        expected_stamp: None,
        stamp: Stamp::from_number(1),
        stored: vec![1; 1 << 20],
        entry: vec![2; 1 << 20],
        listing: None,
        listed: None,
        replay: None,
        notify: Vec::new(),
        due: Due::Leave,
        jobs: Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_backup_is_made_at_a_time_and_ends_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Embedded::open(dir.path(), Ambient::system()).unwrap());
    for number in 0..32 {
        store.commit(large(number)).await.unwrap();
    }
    // Left by one that was killed.
    fs::create_dir(dir.path().join("backups")).unwrap();
    fs::write(dir.path().join("backups/draft.redb"), "half").unwrap();
    let mut first = Box::pin(store.back_up());
    assert!(tokio::time::timeout(std::time::Duration::ZERO, &mut first).await.is_err());
    assert!(matches!(store.back_up().await, Err(BackupError::Running)));
    // Whoever asked is gone.
    drop(first);
    let second = loop {
        match store.back_up().await {
            Err(BackupError::Running) => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
            made => break made.unwrap(),
        }
    };
    let names = || fs::read_dir(dir.path().join("backups")).unwrap().count();
    assert_eq!(names(), 2, "the one that nobody waited for is there too");
    store.close().await;
    assert!(store.back_up().await.is_err());
    assert_eq!(names(), 2);
    let restored = restored(&dir.path().join("backups").join(second.name), &dir.path().join("restored")).await;
    assert_eq!(all(async |from| restored.match_ids(from.as_ref()).await.unwrap()).await.len(), 32);
    restored.close().await;
}

#[tokio::test]
async fn a_copy_has_every_table_and_replaces_no_file() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(&dir.path().join("data"), 3).await;
    let store = Embedded::open(&dir.path().join("data"), Ambient::system()).unwrap();
    give_items(&store).await;
    let file = dir.path().join("copy.redb");
    assert_eq!(store.copy_to(&file).await.unwrap(), fs::metadata(&file).unwrap().len());
    assert!(matches!(store.copy_to(&file).await, Err(BackupError::File { .. })));
    assert!(file.exists());
    let nowhere = store.copy_to(&dir.path().join("no/copy.redb")).await.unwrap_err();
    assert!(nowhere.to_string().ends_with("no/copy.redb"), "{nowhere}");
    let store: Arc<dyn Store> = Arc::new(store);
    let original = everything(&store).await;
    store.close().await;
    let copy = restored(&file, &dir.path().join("restored")).await;
    assert!(everything(&copy).await == original, "the copy holds something else");
    green(&copy).await;
    copy.close().await;
    let tables = |file: &Path| {
        use redb::{ReadableDatabase, ReadableTableMetadata, TableHandle};
        let database = redb::Database::open(file).unwrap();
        let seen = database.begin_read().unwrap();
        let mut tables: Vec<(String, u64)> = Vec::new();
        for table in seen.list_tables().unwrap() {
            let (name, length) = (table.name().to_owned(), seen.open_untyped_table(table).unwrap().len().unwrap());
            tables.push((name, length));
        }
        tables.sort();
        tables
    };
    assert_eq!(tables(&file), tables(&dir.path().join("data/sarsen.redb")));
}
