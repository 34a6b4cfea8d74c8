//! Heartbeats, and what is known of the time without any.

use std::time::Duration;

use sarsen::ambient::{Ambient, Timestamp};
use sarsen::ids::InstanceId;
use sarsen::store::{Beat, Beaten, Outage, Presence, Store};

use crate::harness::Harness;

fn instance() -> InstanceId {
    InstanceId::generate(&Ambient::system())
}

/// A heartbeat of whoever knows of no outage.
async fn beat(store: &dyn Store, id: &InstanceId, presence: Presence) -> Beaten {
    store.confirm().await.unwrap();
    store.beat(Beat { id: id.clone(), works: true, presence, known: None }).await.unwrap()
}

fn near(moment: Timestamp, wanted: Timestamp) -> bool {
    moment.0.abs_diff(wanted.0) < 400
}

pub async fn those_that_work_are_counted(harness: &impl Harness) {
    let (store, one) = (harness.open().await, instance());
    assert_eq!(beat(&*store, &one, Presence::Started).await.working, 1);
    assert_eq!(beat(&*store, &one, Presence::Unbroken).await.working, 1);
    let Some(beside) = harness.second().await else { return };
    let other = instance();
    assert_eq!(beat(&*beside, &other, Presence::Started).await.working, 2);
    let serves = Beat { id: instance(), works: false, presence: Presence::Started, known: None };
    assert_eq!(beside.beat(serves.clone()).await.unwrap().working, 2);
    store.leave(&other, harness.now()).await.unwrap();
    store.leave(&serves.id, harness.now()).await.unwrap();
    assert_eq!(beat(&*store, &one, Presence::Unbroken).await.working, 1);
}

pub async fn an_outage_is_as_long_as_nobody_was_there(harness: &impl Harness) {
    let (store, one) = (harness.open().await, instance());
    assert_eq!(beat(&*store, &one, Presence::Started).await.outages, None, "nothing is known of the time before");
    harness.pass(1).await;
    let last = harness.now();
    assert_eq!(beat(&*store, &one, Presence::Unbroken).await.outages, None);
    store.leave(&one, last).await.unwrap();
    harness.pass(1).await;
    // The next process, alone: whatever there was between the two.
    let two = instance();
    let started = beat(&*store, &two, Presence::Started).await;
    let found = started.outages.clone().unwrap();
    assert_eq!(found.len(), 1);
    let first = found[0];
    assert!(near(first.from, last) && first.to == started.at, "{first:?}");
    // It could not reach the store for a moment.
    harness.pass(1).await;
    let resumed = beat(&*store, &two, Presence::Resumed(Duration::from_millis(600))).await;
    let found = resumed.outages.clone().unwrap();
    assert_eq!((found.len(), found[0]), (2, first));
    let second = found[1];
    assert_eq!((second.to, second.to.0 - second.from.0), (resumed.at, 600), "no longer than it was silent");
    // And once more, with no heartbeat between: it is one outage.
    harness.pass(1).await;
    let again = beat(&*store, &two, Presence::Resumed(Duration::from_secs(60))).await;
    let second = Outage { from: second.from, to: again.at };
    assert_eq!(again.outages, Some(vec![first, second]));
    // Of what an instance knows it is told no more.
    let known = Beat { id: two, works: true, presence: Presence::Unbroken, known: Some(second) };
    assert_eq!(store.beat(known).await.unwrap().outages, None);
}

pub async fn whoever_was_there_meanwhile_makes_it_none(harness: &impl Harness) {
    let (store, one, two) = (harness.open().await, instance(), instance());
    beat(&*store, &one, Presence::Started).await;
    let Some(beside) = harness.second().await else { return };
    beat(&*beside, &two, Presence::Started).await;
    harness.pass(2).await;
    beat(&*store, &one, Presence::Unbroken).await;
    // Its store was away for this instance alone.
    let resumed = beat(&*beside, &two, Presence::Resumed(Duration::from_secs(2))).await;
    assert_eq!(resumed.outages, None);
    assert_eq!(beat(&*beside, &instance(), Presence::Started).await.outages, None, "nor for one that starts beside");
    // Nobody was there, and no process has said that it ends.
    harness.pass(2).await;
    let started = beat(&*beside, &instance(), Presence::Started).await;
    assert!(matches!(started.outages.as_deref(), Some([Outage { to, .. }]) if *to == started.at), "{started:?}");
}

pub async fn outages_survive_reopening(harness: &impl Harness) {
    let store = harness.open().await;
    beat(&*store, &instance(), Presence::Started).await;
    store.close().await;
    harness.pass(2).await;
    let store = harness.open().await;
    let found = beat(&*store, &instance(), Presence::Started).await.outages.unwrap();
    assert_eq!(found.len(), 1);
    store.close().await;
    let kept = beat(&*harness.open().await, &instance(), Presence::Unbroken).await.outages.unwrap();
    assert_eq!(kept, found);
}

/// Several instances that start together find the same outage.
pub async fn an_outage_is_noted_once(harness: &impl Harness) {
    let store = harness.open().await;
    beat(&*store, &instance(), Presence::Started).await;
    let Some(beside) = harness.second().await else { return };
    harness.pass(2).await;
    let (one, other) = (instance(), instance());
    let (first, second) =
        tokio::join!(beat(&*store, &one, Presence::Started), beat(&*beside, &other, Presence::Started));
    assert_eq!((first.outages.unwrap().len(), second.outages.unwrap().len()), (1, 1));
}
