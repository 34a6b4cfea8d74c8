//! Work queues.

use std::collections::BTreeSet;
use std::sync::Arc;

use sarsen::ambient::Timestamp;
use sarsen::store::{ClaimedJob, Job, JobId, JobKind, LEASE, QueueSize, Store};

use crate::harness::{Harness, match_id};

const KIND: JobKind = JobKind::new("test");

/// A job about nothing in particular.
fn job(body: &str, ready: Timestamp) -> Job {
    let id = JobId::of(&KIND, &match_id(), 1, None, body);
    Job { kind: KIND, id, ready, body: body.to_owned() }
}

async fn claimed(store: &dyn Store) -> Vec<ClaimedJob> {
    store.claim(&KIND, 100).await.unwrap()
}

fn bodies(claimed: &[ClaimedJob]) -> BTreeSet<&str> {
    claimed.iter().map(|claimed| claimed.job.body.as_str()).collect()
}

pub async fn a_job_is_claimed_and_finished(harness: &impl Harness) {
    let store = harness.open().await;
    assert_eq!(claimed(&*store).await, []);
    let job = job("\"\u{e4}\"", harness.now());
    store.enqueue(std::slice::from_ref(&job)).await.unwrap();
    assert_eq!(store.queue(&KIND).await.unwrap(), QueueSize { length: 1, oldest: Some(job.ready) });
    harness.pass(0).await;
    let found = claimed(&*store).await;
    assert_eq!(found.len(), 1, "{found:?}");
    let mine = &found[0];
    assert_eq!((&mine.job.id, &mine.job.body, mine.claims), (&job.id, &job.body, 1));
    assert!(mine.until.0.abs_diff(harness.now().0 + LEASE.as_millis() as i64) < 5_000);
    assert_eq!(claimed(&*store).await, [], "it is taken");
    assert_eq!(store.queue(&KIND).await.unwrap(), QueueSize { length: 1, oldest: Some(mine.until) });
    assert!(store.finish(mine, 60).await.unwrap());
    assert_eq!(store.queue(&KIND).await.unwrap(), QueueSize::default());
    assert!(!store.finish(mine, 60).await.unwrap(), "once");
}

pub async fn a_job_waits_until_it_is_ready(harness: &impl Harness) {
    let store = harness.open().await;
    store.enqueue(&[job("far", harness.now().plus_seconds(3600))]).await.unwrap();
    assert_eq!(claimed(&*store).await, []);
    store.enqueue(&[job("near", harness.now().plus_seconds(2))]).await.unwrap();
    harness.pass(2).await;
    assert_eq!(bodies(&claimed(&*store).await), BTreeSet::from(["near"]));
}

pub async fn a_job_is_put_in_once(harness: &impl Harness) {
    let store = harness.open().await;
    let (one, long) = (job("1", harness.now()), job("long", harness.now()));
    store.enqueue(std::slice::from_ref(&long)).await.unwrap();
    harness.pass(0).await;
    // Remembered as done …
    assert!(store.finish(&claimed(&*store).await[0], 3600).await.unwrap());
    store.enqueue(std::slice::from_ref(&long)).await.unwrap();
    assert_eq!(store.queue(&KIND).await.unwrap().length, 0);
    store.enqueue(&[one.clone(), one.clone()]).await.unwrap();
    store.enqueue(std::slice::from_ref(&one)).await.unwrap();
    harness.pass(0).await;
    let found = claimed(&*store).await;
    assert_eq!(found.len(), 1);
    store.enqueue(&[Job { body: "other".to_owned(), ..one.clone() }]).await.unwrap();
    assert_eq!(store.queue(&KIND).await.unwrap().length, 1);
    assert!(store.finish(&found[0], 2).await.unwrap());
    // … and forgotten in time.
    harness.pass(3).await;
    store.enqueue(&[job("2", harness.now())]).await.unwrap();
    store.enqueue(&[one, long]).await.unwrap();
    assert_eq!(store.queue(&KIND).await.unwrap().length, 2);
}

pub async fn a_job_is_put_back(harness: &impl Harness) {
    let store = harness.open().await;
    store.enqueue(&[job("far", harness.now())]).await.unwrap();
    harness.pass(0).await;
    let far = claimed(&*store).await.remove(0);
    let later = harness.now().plus_seconds(3600);
    assert!(store.put_back(&far, later).await.unwrap());
    assert_eq!(store.queue(&KIND).await.unwrap().oldest, Some(later));
    assert_eq!(claimed(&*store).await, []);
    // The claim is given up.
    assert!(!store.finish(&far, 60).await.unwrap());
    assert!(!store.put_back(&far, harness.now()).await.unwrap());
    store.enqueue(&[job("near", harness.now())]).await.unwrap();
    harness.pass(0).await;
    let first = claimed(&*store).await.remove(0);
    assert!(store.put_back(&first, harness.now().plus_seconds(2)).await.unwrap());
    harness.pass(2).await;
    let found = claimed(&*store).await;
    let found: Vec<_> = found.iter().map(|found| (found.claims, &found.job.body)).collect();
    assert_eq!(found, [(2, &first.job.body)]);
}

pub async fn a_claim_is_bounded_and_kinds_are_apart(harness: &impl Harness) {
    let store = harness.open().await;
    let jobs: Vec<Job> = (0..40).map(|number| job(&number.to_string(), harness.now())).collect();
    store.enqueue(&jobs).await.unwrap();
    let other = JobKind::new("other");
    store.enqueue(&[Job { kind: other.clone(), ..jobs[0].clone() }]).await.unwrap();
    harness.pass(0).await;
    let (first, rest) = (store.claim(&KIND, 7).await.unwrap(), store.claim(&KIND, 100).await.unwrap());
    assert_eq!((first.len(), rest.len()), (7, 33));
    let all: BTreeSet<&str> = bodies(&first).union(&bodies(&rest)).copied().collect();
    assert_eq!(all, jobs.iter().map(|job| job.body.as_str()).collect());
    assert_eq!(store.claim(&other, 100).await.unwrap().len(), 1);
}

pub async fn of_16_claimants_each_gets_others(harness: &impl Harness) {
    let store = harness.open().await;
    let jobs: Vec<Job> = (0..64).map(|number| job(&number.to_string(), harness.now())).collect();
    store.enqueue(&jobs).await.unwrap();
    harness.pass(0).await;
    let claimants = (0..16).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.claim(&KIND, 64).await.unwrap() })
    });
    let mut found = Vec::new();
    for claimant in claimants.collect::<Vec<_>>() {
        found.extend(claimant.await.unwrap());
    }
    assert_eq!((found.len(), bodies(&found).len()), (64, 64));
}

pub async fn jobs_and_claims_survive_reopening(harness: &impl Harness) {
    let store = harness.open().await;
    store.enqueue(&[job("1", harness.now())]).await.unwrap();
    harness.pass(0).await;
    let mine = claimed(&*store).await.remove(0);
    store.enqueue(&[job("2", harness.now())]).await.unwrap();
    store.close().await;
    let store = harness.open().await;
    harness.pass(0).await;
    assert_eq!(bodies(&claimed(&*store).await), BTreeSet::from(["2"]));
    assert!(store.finish(&mine, 60).await.unwrap());
}
