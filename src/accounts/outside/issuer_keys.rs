//! The keys of one outside issuer, kept in memory and fetched before they are missed.
//!
//! Invariants: a good set replaces the one before at once, so a key that vanished counts no more. If no good set can be
//! fetched, the last one serves [`STALE_SECONDS`] longer. Tokens with unknown keys, however many, cause at most one
//! fetch in [`PAUSE_SECONDS`].

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use tokio::sync::Mutex;

use super::key_set::KeySet;
use sarsen_base::ambient::{Ambient, Timestamp};

/// The time for which the last good set still serves after it should have been replaced, in seconds.
const STALE_SECONDS: u32 = 24 * 60 * 60;
/// The pause between two fetches that unknown keys cause, and after one that failed, in seconds.
const PAUSE_SECONDS: u32 = 30;

/// The place of a key set.
#[async_trait]
pub trait KeySetSource: Send + Sync {
    /// Reads the set, within seconds.
    ///
    /// # Errors
    /// The reason why it cannot be had, in words for the log.
    async fn fetch(&self) -> Result<FetchedKeySet, String>;
}

/// A key set as it was fetched.
pub struct FetchedKeySet {
    /// The set as JSON.
    pub json: Vec<u8>,
    /// The time after which it is fetched again, in seconds.
    pub fresh_seconds: u32,
}

/// There is no set, not even an old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoKeys {
    /// The time after which it makes sense to ask again, in seconds.
    pub(super) retry_after_seconds: u64,
}

/// The keys of an issuer.
pub(super) struct IssuerKeys {
    issuer: String,
    source: Arc<dyn KeySetSource>,
    ambient: Ambient,
    held: RwLock<Option<Held>>,
    /// One fetch at a time.
    asked: Mutex<Asked>,
}

struct Held {
    set: Arc<KeySet>,
    fresh_until: Timestamp,
}

/// The times of the last fetches of a set: by itself, and for a token.
#[derive(Default)]
struct Asked {
    by_itself: Option<Timestamp>,
    for_a_token: Option<Timestamp>,
}

impl IssuerKeys {
    pub(super) fn new(issuer: &str, source: Arc<dyn KeySetSource>, ambient: Ambient) -> IssuerKeys {
        IssuerKeys { issuer: issuer.to_owned(), source, ambient, held: RwLock::default(), asked: Mutex::default() }
    }

    /// The set that counts now.
    fn present(&self) -> Option<Arc<KeySet>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let serves = |held: &&Held| self.ambient.now() < held.fresh_until.plus_seconds(STALE_SECONDS);
        held.as_ref().filter(serves).map(|held| Arc::clone(&held.set))
    }

    fn is_fresh(&self) -> bool {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().is_some_and(|held| self.ambient.now() < held.fresh_until)
    }

    /// Fetches the set if it is time to.
    pub(super) async fn refresh(&self) {
        let mut asked = self.asked.lock().await;
        if !self.is_fresh() && self.has_paused(asked.by_itself) {
            asked.by_itself = Some(self.ambient.now());
            self.fetch().await;
        }
    }

    /// A set that has a key of this id, if there is one; otherwise the newest.
    ///
    /// # Errors
    /// [`NoKeys`] if there is no set.
    pub(super) async fn with_key(&self, kid: Option<&str>) -> Result<Arc<KeySet>, NoKeys> {
        let knows = |set: &Arc<KeySet>| set.key(kid).is_some();
        if let Some(set) = self.present().filter(knows) {
            return Ok(set);
        }
        let mut asked = self.asked.lock().await;
        // Another may have fetched it meanwhile.
        if !self.present().is_some_and(|set| knows(&set)) && self.has_paused(asked.for_a_token) {
            asked.for_a_token = Some(self.ambient.now());
            self.fetch().await;
        }
        let since = asked.for_a_token.map_or(0, |asked| self.ambient.now().0.saturating_sub(asked.0).max(0) / 1000);
        let retry_after_seconds = u64::from(PAUSE_SECONDS).saturating_sub(since as u64).max(1);
        self.present().ok_or(NoKeys { retry_after_seconds })
    }

    fn has_paused(&self, since: Option<Timestamp>) -> bool {
        since.is_none_or(|since| self.ambient.now() >= since.plus_seconds(PAUSE_SECONDS))
    }

    async fn fetch(&self) {
        let read = |fetched: FetchedKeySet| match KeySet::read(&fetched.json) {
            Ok(set) => Ok((set, fetched.fresh_seconds)),
            Err(error) => Err(error.to_string()),
        };
        match self.source.fetch().await.and_then(read) {
            Ok((set, seconds)) => {
                let held = Held { set: Arc::new(set), fresh_until: self.ambient.now().plus_seconds(seconds) };
                *self.held.write().unwrap_or_else(PoisonError::into_inner) = Some(held);
            }
            Err(error) => tracing::warn!(issuer = %self.issuer, %error, "the key set of an issuer cannot be read"),
        }
    }
}

/// A key set in a file, which is read again every half minute.
pub struct KeySetFile(pub std::path::PathBuf);

/// The largest key set that is read, in bytes.
pub const KEY_SET_MAX: usize = 256 * 1024;

#[async_trait]
impl KeySetSource for KeySetFile {
    async fn fetch(&self) -> Result<FetchedKeySet, String> {
        let path = self.0.clone();
        let read = tokio::task::spawn_blocking(move || {
            use std::io::Read;
            let mut json = Vec::new();
            std::fs::File::open(path)?.take(KEY_SET_MAX as u64 + 1).read_to_end(&mut json)?;
            Ok::<_, std::io::Error>(json)
        });
        let json = read.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        if json.len() > KEY_SET_MAX {
            return Err(format!("it has more than {KEY_SET_MAX} bytes"));
        }
        Ok(FetchedKeySet { json, fresh_seconds: PAUSE_SECONDS })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex as StdMutex;

    use futures_util::future::join_all;
    use sarsen_base::ambient::{FixedClock, FixedEntropy};
    use serde_json::json;

    use super::*;

    /// The answers of the issuer, and the number of times that it was asked.
    #[derive(Default)]
    struct Issuer(StdMutex<(Vec<&'static str>, Option<u32>, usize)>);

    impl Issuer {
        fn publish(&self, kids: &[&'static str], fresh_seconds: u32) {
            let mut state = self.0.lock().unwrap();
            (state.0, state.1) = (kids.to_vec(), Some(fresh_seconds));
        }

        fn fail(&self) {
            self.0.lock().unwrap().1 = None;
        }

        fn asked(&self) -> usize {
            self.0.lock().unwrap().2
        }
    }

    #[async_trait]
    impl KeySetSource for Issuer {
        async fn fetch(&self) -> Result<FetchedKeySet, String> {
            tokio::task::yield_now().await;
            let mut state = self.0.lock().unwrap();
            state.2 += 1;
            let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
            let keys: Vec<_> =
                state.0.iter().map(|kid| json!({"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x})).collect();
            let json = json!({"keys": keys}).to_string().into_bytes();
            state.1.map(|fresh_seconds| FetchedKeySet { json, fresh_seconds }).ok_or_else(|| "away".to_owned())
        }
    }

    fn setup() -> (Arc<Issuer>, Arc<FixedClock>, IssuerKeys) {
        let clock = Arc::new(FixedClock::at(Timestamp(1_700_000_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let issuer = Arc::new(Issuer::default());
        let keys = IssuerKeys::new("acme", issuer.clone(), ambient);
        (issuer, clock, keys)
    }

    async fn knows(keys: &IssuerKeys, kid: &str) -> Option<bool> {
        keys.with_key(Some(kid)).await.ok().map(|set| set.key(Some(kid)).is_some())
    }

    #[tokio::test]
    async fn a_new_key_is_fetched_once_and_a_vanished_one_stops_at_once() {
        let (issuer, clock, keys) = setup();
        issuer.publish(&["a"], 600);
        keys.refresh().await;
        assert_eq!((knows(&keys, "a").await, issuer.asked()), (Some(true), 1));
        issuer.publish(&["b"], 600);
        clock.advance_seconds(1);
        assert_eq!((knows(&keys, "b").await, issuer.asked()), (Some(true), 2), "a rotation right after a fetch");
        assert_eq!((knows(&keys, "a").await, issuer.asked()), (Some(false), 2));
    }

    #[tokio::test]
    async fn a_flood_of_unknown_keys_makes_one_fetch_in_half_a_minute() {
        let (issuer, clock, keys) = setup();
        issuer.publish(&["a"], 600);
        keys.refresh().await;
        let flood = join_all((0..200).map(|_| knows(&keys, "wrong"))).await;
        assert!(flood.iter().all(|known| *known == Some(false)));
        assert_eq!(issuer.asked(), 2);
        clock.advance_seconds(29);
        assert_eq!((knows(&keys, "wrong").await, issuer.asked()), (Some(false), 2));
        clock.advance_seconds(1);
        assert_eq!((knows(&keys, "wrong").await, issuer.asked()), (Some(false), 3));
        assert_eq!((knows(&keys, "a").await, issuer.asked()), (Some(true), 3), "a known key asks nobody");
    }

    #[tokio::test]
    async fn the_last_good_set_serves_a_day_longer_than_it_is_fresh() {
        let (issuer, clock, keys) = setup();
        issuer.publish(&["a"], 600);
        keys.refresh().await;
        issuer.fail();
        clock.advance_seconds(600);
        for asked in 2..5 {
            keys.refresh().await;
            keys.refresh().await;
            assert_eq!(issuer.asked(), asked, "tried again every half minute");
            clock.advance_seconds(30);
        }
        clock.advance_seconds(STALE_SECONDS - 91);
        assert_eq!(knows(&keys, "a").await, Some(true));
        clock.advance_seconds(1);
        assert_eq!(keys.with_key(Some("a")).await.err(), Some(NoKeys { retry_after_seconds: 30 }));
        clock.advance_seconds(10);
        assert_eq!(keys.with_key(None).await.err(), Some(NoKeys { retry_after_seconds: 20 }));
        issuer.publish(&["a"], 60);
        clock.advance_seconds(20);
        assert_eq!(knows(&keys, "a").await, Some(true), "the first token after the outage brings it back");
    }

    #[tokio::test]
    async fn a_file_is_read_again_and_a_broken_one_changes_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("keys.json");
        let clock = Arc::new(FixedClock::at(Timestamp(0)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let keys = IssuerKeys::new("acme", Arc::new(KeySetFile(path.clone())), ambient);
        assert!(keys.with_key(None).await.is_err(), "there is no file");
        let set = |kid: &str| {
            let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
            json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x}]}).to_string()
        };
        std::fs::write(&path, set("a")).unwrap();
        clock.advance_seconds(30);
        keys.refresh().await;
        assert_eq!(knows(&keys, "a").await, Some(true));
        for broken in ["{".to_owned(), " ".repeat(KEY_SET_MAX + 1)] {
            std::fs::write(&path, broken).unwrap();
            clock.advance_seconds(30);
            keys.refresh().await;
            assert_eq!(knows(&keys, "a").await, Some(true));
        }
        std::fs::write(&path, set("b")).unwrap();
        clock.advance_seconds(30);
        keys.refresh().await;
        assert_eq!((knows(&keys, "b").await, knows(&keys, "a").await), (Some(true), Some(false)));
    }
}
