//! Heartbeats, and what is known of the time without any.

use sarsen::ambient::{Ambient, Timestamp};
use sarsen::ids::InstanceId;
use sarsen::store::Outage;

use crate::harness::Harness;

fn instance() -> InstanceId {
    InstanceId::generate(&Ambient::system())
}

/// A moment so many seconds after another.
fn after(moment: Timestamp, seconds: i64) -> Timestamp {
    Timestamp(moment.0 + seconds * 1000)
}

pub async fn the_living_are_counted(harness: &impl Harness) {
    let (store, one) = (harness.open().await, instance());
    assert_eq!(store.beat(&one, harness.now()).await.unwrap(), 1);
    assert_eq!(store.beat(&one, harness.now()).await.unwrap(), 1);
    let Some(beside) = harness.second().await else { return };
    let other = instance();
    assert_eq!(beside.beat(&other, harness.now()).await.unwrap(), 2);
    assert_eq!(store.beat(&one, harness.now()).await.unwrap(), 2);
}

pub async fn a_gap_between_heartbeats_is_an_outage(harness: &impl Harness) {
    let (store, one) = (harness.open().await, instance());
    let start = harness.now();
    store.beat(&one, start).await.unwrap();
    assert_eq!(store.outages().await.unwrap(), [], "nothing is known of the time before");
    // It knows to have lived since, or shortly after.
    for alive_since in [start, after(start, 9)] {
        store.beat(&one, alive_since).await.unwrap();
        assert_eq!(store.outages().await.unwrap(), []);
    }
    let again = after(start, 60);
    store.beat(&instance(), again).await.unwrap();
    let found = store.outages().await.unwrap();
    assert!(matches!(found[..], [Outage { from, to }] if to == again && from.0.abs_diff(start.0) < 5_000), "{found:?}");
}

pub async fn outages_survive_reopening(harness: &impl Harness) {
    let store = harness.open().await;
    let start = harness.now();
    store.beat(&instance(), start).await.unwrap();
    store.close().await;
    let store = harness.open().await;
    let again = after(start, 11);
    store.beat(&instance(), again).await.unwrap();
    store.close().await;
    let found = harness.open().await.outages().await.unwrap();
    assert!(matches!(found[..], [Outage { to, .. }] if to == again), "{found:?}");
}

/// Several instances that start together find the same outage.
pub async fn an_outage_is_noted_once(harness: &impl Harness) {
    let store = harness.open().await;
    store.beat(&instance(), harness.now()).await.unwrap();
    let Some(beside) = harness.second().await else { return };
    harness.pass(10).await;
    let (one, other, now) = (instance(), instance(), harness.now());
    let (first, second) = tokio::join!(store.beat(&one, now), beside.beat(&other, now));
    first.unwrap();
    second.unwrap();
    assert_eq!(store.outages().await.unwrap().len(), 1);
}
