//! The embedded backend: every case, and what is its own.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use async_trait::async_trait;
use futures_util::future::join_all;
use sarsen::ambient::{Ambient, Clock, FixedClock, FixedEntropy, Timestamp};
use sarsen::store::embedded::{Embedded, OpenError};
use sarsen::store::{Committed, MatchStore, Store};
use tempfile::TempDir;

use crate::harness::{Harness, every_case, match_id, step};

every_case!(crate::embedded::OneProcess);

/// A directory, and a clock that the cases move.
pub struct OneProcess {
    dir: TempDir,
    clock: Arc<FixedClock>,
    ambient: Ambient,
}

#[async_trait]
impl Harness for OneProcess {
    async fn fresh() -> OneProcess {
        let clock = Arc::new(FixedClock::at(Timestamp(1_700_000_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        OneProcess { dir: tempfile::tempdir().unwrap(), clock, ambient }
    }

    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(Embedded::open(self.dir.path(), self.ambient.clone()).unwrap())
    }

    async fn second(&self) -> Option<Arc<dyn Store>> {
        None
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    async fn pass(&self, seconds: u32) {
        self.clock.advance_seconds(seconds);
    }
}

fn open(dir: &Path) -> Result<Embedded, OpenError> {
    Embedded::open(dir, Ambient::system())
}

#[tokio::test]
async fn a_second_opening_is_refused_until_the_first_is_closed() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(dir.path()).unwrap();
    let refusal = open(dir.path()).err().unwrap();
    assert!(matches!(refusal, OpenError::InUse { .. }), "{refusal}");
    first.close().await;
    open(dir.path()).unwrap();
}

#[tokio::test]
async fn missing_directories_are_made_for_the_owner_only() {
    let dir = tempfile::tempdir().unwrap();
    let nested = dir.path().join("a/b");
    open(&nested).unwrap().close().await;
    #[cfg(unix)]
    for (path, mode) in [(nested.clone(), 0o700), (nested.join("sarsen.redb"), 0o600)] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_directory_of_ones_own_that_others_may_read_is_made_private() {
    use std::os::unix::fs::PermissionsExt;
    for mode in [0o755, 0o750, 0o775, 0o701, 0o2770] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        open(dir.path()).unwrap().close().await;
        assert_eq!(std::fs::metadata(dir.path()).unwrap().permissions().mode() & 0o777, 0o700, "{mode:o}");
    }
}

#[cfg(unix)]
#[test]
fn a_directory_that_others_share_is_refused_and_left_as_it_is() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o1777)).unwrap();
    let refusal = open(dir.path()).err().unwrap();
    assert!(matches!(refusal, OpenError::Exposed { mode: 0o1777, .. }), "{refusal}");
    assert!(refusal.to_string().contains(dir.path().to_str().unwrap()), "{refusal}");

    // Somebody else's: made so by root, and found ready by everybody else.
    let theirs = if dir.path().metadata().unwrap().uid() == 0 {
        chown(dir.path(), Some(12_345), None).unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        dir.path()
    } else {
        Path::new("/usr")
    };
    let refusal = open(theirs).err().unwrap();
    assert!(matches!(refusal, OpenError::Exposed { mode: 0o755, .. }), "{refusal}");
    for dir in [dir.path(), theirs] {
        assert!(!dir.join("sarsen.redb").exists() && dir.metadata().unwrap().mode() & 0o077 != 0);
    }
}

#[test]
fn a_file_that_is_no_store_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("sarsen.redb");
    std::fs::write(&file, "a text of somebody's".repeat(1000)).unwrap();
    let refusal = open(dir.path()).err().unwrap();
    assert!(matches!(refusal, OpenError::Unreadable { .. } | OpenError::Unusable { .. }), "{refusal}");
    assert_eq!(std::fs::read(&file).unwrap(), "a text of somebody's".repeat(1000).into_bytes());
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let refusal = open(&file).err().unwrap();
    assert!(matches!(refusal, OpenError::Unusable { .. }));
    assert!(refusal.to_string().contains(file.to_str().unwrap()), "{refusal}");
}

#[tokio::test]
async fn closing_finishes_what_is_queued() {
    let dir = tempfile::tempdir().unwrap();
    let ids: Vec<_> = (0..20).map(|_| match_id()).collect();
    let store = open(dir.path()).unwrap();
    let mut commits = join_all(ids.iter().map(|id| store.commit(step(id, 0))));
    // The first poll of a commit queues it.
    let queued = poll_fn(|context| Poll::Ready(Pin::new(&mut commits).poll(context))).await;
    store.close().await;
    let answers = match queued {
        Poll::Ready(answers) => answers,
        Poll::Pending => commits.await,
    };
    assert!(answers.iter().all(|answer| matches!(answer, Ok(Committed::Yes))));
    let store = open(dir.path()).unwrap();
    for id in &ids {
        assert!(store.load_match(id, None).await.unwrap().is_some());
    }
}
