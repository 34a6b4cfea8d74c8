//! Both ways to learn of a revocation, each with the other cut off. Waiting is bounded; nothing depends on how long it
//! takes.

use std::sync::atomic::Ordering;

use super::super::RevokeScope;
use super::super::tests::{Service, service};
use super::*;
use crate::auth::Principal;
use sarsen_base::ids::SessionId;

/// A period that never comes round in a test.
const NEVER: Duration = Duration::from_secs(3600);

const SHORT: Duration = Duration::from_millis(5);

/// Another instance's set, fed from the same store until dropped.
struct Instance {
    revocations: Arc<Revocations>,
    task: tokio::task::JoinHandle<()>,
}

impl Instance {
    /// Starts one and waits until it has read the store once.
    async fn start(service: &Service, period: Duration) -> Instance {
        let revocations = Arc::new(Revocations::new());
        let readings = service.store.readings.load(Ordering::SeqCst);
        let (store, fed, ambient) = (service.store.clone(), revocations.clone(), service.ambient.clone());
        let live = store.live();
        let task = tokio::spawn(async move { feed(store.as_ref(), live, &fed, &ambient, period).await });
        until("the first reading", || service.store.readings.load(Ordering::SeqCst) > readings).await;
        Instance { revocations, task }
    }

    async fn refuses(&self, session: &SessionId) {
        until("the revocation", || self.revocations.is_revoked(session)).await;
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let waited = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(10), waited).await.unwrap_or_else(|_| panic!("{what} did not arrive"));
}

async fn principal(service: &Service) -> Principal {
    service.principal(&service.guest().await)
}

async fn revoke(service: &Service, principal: &Principal) {
    service.players.revoke(principal, RevokeScope::ThisSession).await.unwrap();
}

#[tokio::test]
async fn a_live_message_takes_effect_without_a_reading() {
    let service = service();
    let principal = principal(&service).await;
    let instance = Instance::start(&service, NEVER).await;
    revoke(&service, &principal).await;
    instance.refuses(&principal.session).await;
    assert_eq!(service.store.readings.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_revocation_from_before_the_start_is_known() {
    let service = service();
    let principal = principal(&service).await;
    revoke(&service, &principal).await;
    let revocations = Revocations::new();
    read(service.store.as_ref(), &revocations, &service.ambient).await.unwrap();
    assert!(revocations.is_revoked(&principal.session));
    Instance::start(&service, NEVER).await.refuses(&principal.session).await;
}

#[tokio::test]
async fn without_live_messages_the_store_is_read_again() {
    let service = service();
    let principal = principal(&service).await;
    let instance = Instance::start(&service, SHORT).await;
    service.store.mute.store(true, Ordering::SeqCst);
    revoke(&service, &principal).await;
    instance.refuses(&principal.session).await;
}

#[tokio::test]
async fn after_a_gap_the_store_is_read_at_once() {
    let service = service();
    let principal = principal(&service).await;
    let instance = Instance::start(&service, NEVER).await;
    service.store.mute.store(true, Ordering::SeqCst);
    revoke(&service, &principal).await;
    service.store.say(Live::Resync);
    instance.refuses(&principal.session).await;
}

#[tokio::test]
async fn a_listener_that_lags_reads_the_store() {
    let service = service();
    let principal = principal(&service).await;
    let instance = Instance::start(&service, NEVER).await;
    service.store.mute.store(true, Ordering::SeqCst);
    revoke(&service, &principal).await;
    // More than the channel holds, before the feed gets a turn.
    for _ in 0..16 {
        service.store.say(Live::Inbox(principal.player.clone()));
    }
    instance.refuses(&principal.session).await;
}

#[tokio::test]
async fn a_store_that_was_away_is_read_when_it_is_back() {
    let service = service();
    let principal = principal(&service).await;
    let instance = Instance::start(&service, SHORT).await;
    service.store.mute.store(true, Ordering::SeqCst);
    revoke(&service, &principal).await;
    service.store.away.store(true, Ordering::SeqCst);
    let failed = read(service.store.as_ref(), &instance.revocations, &service.ambient).await;
    assert!(matches!(failed, Err(StoreError::Unavailable(_))));
    service.store.away.store(false, Ordering::SeqCst);
    instance.refuses(&principal.session).await;
}

#[tokio::test]
async fn a_revocation_is_forgotten_once_its_tokens_have_expired() {
    let service = service();
    let principal = principal(&service).await;
    let instance = Instance::start(&service, SHORT).await;
    revoke(&service, &principal).await;
    instance.refuses(&principal.session).await;
    service.clock.advance_seconds(3600);
    until("the end of the revocation", || instance.revocations.is_empty()).await;
}

#[tokio::test]
async fn the_feed_ends_when_cancelled() {
    let service = service();
    let cancel = CancellationToken::new();
    let (store, live) = (service.store.clone(), service.store.live());
    let task = tokio::spawn(run(store, live, Arc::new(Revocations::new()), service.ambient.clone(), cancel.clone()));
    cancel.cancel();
    timeout(Duration::from_secs(10), task).await.unwrap().unwrap();
}

#[test]
fn the_worst_case_is_within_ten_seconds() {
    // A reading that just missed the revocation takes its whole time, then the next one does.
    let after_success = DEADLINE + PERIOD + DEADLINE;
    // One that failed is repeated.
    let after_failure = DEADLINE + RETRY + DEADLINE;
    assert!(after_success.max(after_failure) < Duration::from_secs(10));
}
