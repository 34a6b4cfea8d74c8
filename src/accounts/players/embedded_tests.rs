//! Identity on the embedded store: the same promises, through a restart.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tempfile::TempDir;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::auth::{Revocations, SigningKeys, TokenScope, Tokens};
use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
use sarsen_store::Store;
use sarsen_store::embedded::Embedded;

/// One run of a service on a data directory.
struct Run {
    clock: Arc<FixedClock>,
    ambient: Ambient,
    store: Arc<dyn Store>,
    tokens: Arc<Tokens>,
    players: Arc<Players>,
}

impl Run {
    fn start(directory: &TempDir) -> Run {
        let clock = Arc::new(FixedClock::at(Timestamp(1_700_000_000_000)));
        let seed = u64::from_be_bytes(Ambient::system().bytes());
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(seed)));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(directory.path(), ambient.clone()).unwrap());
        let keys = SigningKeys::load_or_create(directory.path(), &ambient).unwrap();
        let tokens = Arc::new(Tokens::new(keys, TokenScope::default(), Arc::new(Revocations::new()), ambient.clone()));
        let players = Arc::new(Players::new(store.clone(), tokens.clone(), ambient.clone()));
        Run { clock, ambient, store, tokens, players }
    }

    fn refusal(&self, signed_in: &SignedIn) -> Option<&'static str> {
        self.tokens.verify(&signed_in.access_token.token).err().map(|error| error.code())
    }
}

#[tokio::test]
async fn sessions_keys_and_revocations_survive_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let before = Run::start(&directory);
    let kept = before.players.create_guest("Ada".parse().unwrap(), None).await.unwrap();
    let revoked = before.players.create_guest("Ben".parse().unwrap(), None).await.unwrap();
    let principal = before.tokens.verify(&revoked.access_token.token).unwrap();
    before.players.revoke(&principal, RevokeScope::AllSessions).await.unwrap();
    before.store.close().await;
    drop(before);

    let after = Run::start(&directory);
    revocation_feed::read(after.store.as_ref(), after.tokens.revocations(), &after.ambient).await.unwrap();
    assert_eq!((after.refusal(&kept), after.refusal(&revoked)), (None, Some("token_revoked")));
    let refreshed = after.players.refresh(&kept.refresh_token).await.unwrap();
    assert_eq!(refreshed.player, kept.player);
    let error = after.players.refresh(&revoked.refresh_token).await.unwrap_err();
    assert_eq!(error.code(), Some("refresh_token_invalid"));
    after.store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refreshes_at_the_same_time_give_one_token_and_a_reuse_revokes() {
    let directory = tempfile::tempdir().unwrap();
    let run = Run::start(&directory);
    let first = run.players.create_guest("Ada".parse().unwrap(), None).await.unwrap();
    let callers = (0..8).map(|_| {
        let (players, token) = (run.players.clone(), first.refresh_token.clone());
        tokio::spawn(async move { players.refresh(&token).await })
    });
    let second = run.players.refresh(&first.refresh_token).await.unwrap();
    for answer in join_all(callers).await {
        let answer = answer.unwrap().unwrap();
        assert_eq!(run.refusal(&answer), None);
        assert_eq!(answer.refresh_token, second.refresh_token);
    }
    let third = run.players.refresh(&second.refresh_token).await.unwrap();
    run.clock.advance_seconds(31);
    let error = run.players.refresh(&first.refresh_token).await.unwrap_err();
    assert_eq!(error.code(), Some("refresh_token_reused"));
    assert_eq!(run.refusal(&third), Some("token_revoked"));
    run.store.close().await;
}

#[tokio::test]
async fn another_instance_hears_of_a_revocation() {
    let directory = tempfile::tempdir().unwrap();
    let run = Run::start(&directory);
    let signed_in = run.players.create_guest("Ada".parse().unwrap(), None).await.unwrap();
    let principal = run.tokens.verify(&signed_in.access_token.token).unwrap();
    let (elsewhere, cancel) = (Arc::new(Revocations::new()), CancellationToken::new());
    let feed = revocation_feed::run(
        run.store.clone(),
        run.store.live(),
        elsewhere.clone(),
        run.ambient.clone(),
        cancel.clone(),
    );
    let feed = tokio::spawn(feed);
    run.players.revoke(&principal, RevokeScope::ThisSession).await.unwrap();
    let heard = async {
        while !elsewhere.is_revoked(&principal.session) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(10), heard).await.unwrap();
    cancel.cancel();
    feed.await.unwrap();
    run.store.close().await;
}
