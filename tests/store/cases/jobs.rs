//! Jobs.

use std::collections::BTreeSet;

use sarsen::ambient::Timestamp;
use sarsen::store::{Commit, Committed, Job, JobKind, QueueSize, Store};

use crate::harness::{Harness, match_id, step};

/// A job that is due so many milliseconds ago, or later if negative.
fn job(harness: &impl Harness, id: &str, ago: i64) -> Job {
    let at = Timestamp(harness.now().0 - ago);
    Job { kind: JobKind::Deliver, id: id.to_owned(), at, body: format!("\"{id}\"").into_bytes() }
}

async fn due(store: &dyn Store, kind: JobKind) -> BTreeSet<String> {
    store.due_jobs(kind, 1000).await.unwrap().into_iter().map(|job| job.id).collect()
}

pub async fn a_commit_orders_its_jobs_or_none(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let ordered = |name: &str| Job { kind: JobKind::Notify, ..job(harness, &format!("{id}{name}"), 1_000) };
    let with = |expected, jobs| Commit { jobs, ..step(&id, expected) };
    let rated = Job { kind: JobKind::Rate, ..ordered(".r") };
    let both = vec![ordered(".1"), rated.clone()];
    assert_eq!(store.commit(with(0, both)).await.unwrap(), Committed::Yes);
    assert_eq!(store.commit(with(1, vec![ordered(".2")])).await.unwrap(), Committed::Yes);
    for refused in [with(0, vec![ordered(".x")]), with(7, vec![ordered(".x")])] {
        assert_eq!(store.commit(refused).await.unwrap(), Committed::Conflict);
    }
    assert_eq!(due(&*store, JobKind::Notify).await, [".1", ".2"].map(|name| format!("{id}{name}")).into());
    assert_eq!(store.due_jobs(JobKind::Rate, 10).await.unwrap(), [rated]);
    assert_eq!(due(&*store, JobKind::Deliver).await, [].into());
}

pub async fn a_job_is_ordered_once(harness: &impl Harness) {
    let store = harness.open().await;
    let first = job(harness, "a", 5_000);
    store.order_jobs(std::slice::from_ref(&first)).await.unwrap();
    let later = Job { body: b"2".to_vec(), ..job(harness, "a", 9_000) };
    let another = Job { kind: JobKind::Rate, ..later.clone() };
    store.order_jobs(&[later, another.clone(), job(harness, "b", -60_000)]).await.unwrap();
    assert_eq!(store.due_jobs(JobKind::Deliver, 10).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(store.due_jobs(JobKind::Rate, 10).await.unwrap(), [another]);
    assert_eq!(store.jobs(JobKind::Deliver).await.unwrap(), QueueSize { length: 2, oldest: Some(first.at) });
    let mut waiting = store.waiting_jobs(JobKind::Deliver).await.unwrap();
    waiting.sort_by(|one, other| one.id.cmp(&other.id));
    let ids: Vec<&str> = waiting.iter().map(|job| job.id.as_str()).collect();
    assert_eq!((ids, waiting[0] == first), (vec![first.id.as_str(), "b"], true), "due or not");
    assert_eq!(store.jobs(JobKind::Notify).await.unwrap(), QueueSize::default());
    let queues = store.job_queues().await.unwrap().into_iter().map(|(name, size)| (name, size.length));
    assert_eq!(
        queues.collect::<Vec<_>>(),
        [("notify", 0), ("deliver", 2), ("rate", 1), ("review", 0), ("call_off", 0)]
    );
}

pub async fn a_job_is_moved_from_where_it_was_found(harness: &impl Harness) {
    let store = harness.open().await;
    let found = job(harness, "a", 5_000);
    store.order_jobs(std::slice::from_ref(&found)).await.unwrap();
    let (lease, again) = (harness.now().plus_seconds(60), Timestamp(found.at.0 + 1));
    let (mut taken, mut other) = (found.clone(), found.clone());
    assert!(store.lease_job(&mut taken, lease, None).await.unwrap());
    assert!(!store.lease_job(&mut other, again, Some(b"2".to_vec())).await.unwrap(), "another has it");
    assert_eq!((&taken, &other), (&Job { at: lease, ..found.clone() }, &found));
    assert!(!store.move_job(&found, None, None).await.unwrap());
    assert_eq!(due(&*store, JobKind::Deliver).await, [].into());
    let body = async |id| store.job_body(JobKind::Deliver, id).await.unwrap();
    assert_eq!((body("a").await, body("b").await), (Some(b"\"a\"".to_vec()), None), "whoever has it");
    assert!(store.lease_job(&mut taken, again, Some(b"2".to_vec())).await.unwrap());
    let back = Job { at: again, body: b"2".to_vec(), ..found.clone() };
    assert_eq!(taken, back);
    assert_eq!(store.due_jobs(JobKind::Deliver, 10).await.unwrap(), std::slice::from_ref(&back));
    assert!(store.move_job(&back, None, None).await.unwrap());
    assert!(!store.move_job(&back, None, None).await.unwrap());
    assert_eq!(body("a").await, None);
    assert_eq!(store.jobs(JobKind::Deliver).await.unwrap(), QueueSize::default());
    store.order_jobs(std::slice::from_ref(&found)).await.unwrap();
    assert_eq!(store.due_jobs(JobKind::Deliver, 10).await.unwrap(), [found], "what is done may be ordered anew");
}

pub async fn of_32_who_take_a_job_one_has_it(harness: &impl Harness) {
    let store = harness.open().await;
    let found = job(harness, "a", 5_000);
    store.order_jobs(std::slice::from_ref(&found)).await.unwrap();
    let takers = (0..32).map(|taker| {
        let (store, found) = (store.clone(), found.clone());
        let lease = Timestamp(found.at.0 + 60_000 + taker);
        tokio::spawn(async move { store.move_job(&found, Some(lease), None).await.unwrap() })
    });
    let mut taken = 0;
    for taker in takers.collect::<Vec<_>>() {
        taken += u32::from(taker.await.unwrap());
    }
    assert_eq!(taken, 1);
}

pub async fn jobs_survive_reopening(harness: &impl Harness) {
    let store = harness.open().await;
    let jobs: Vec<Job> = (0..40).map(|number| job(harness, &format!("n{number}"), 1_000)).collect();
    store.order_jobs(&jobs).await.unwrap();
    store.close().await;
    drop(store);
    let store = harness.open().await;
    assert_eq!(due(&*store, JobKind::Deliver).await, jobs.into_iter().map(|job| job.id).collect());
}
