//! The relay: copies the jobs that commits have left into the work queues, and does nothing else.
//!
//! Invariant: a job goes from where its commit has left it only once it is in its queue. So it is copied at least once, by
//! whichever instance, and its id keeps it single there. Jobs of kinds that are not known here are copied like all others.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use redis::Cmd;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::link::{command, read};
use super::script::{DONE, Part};
use super::{Shared, work};
use crate::ambient::Timestamp;
use crate::ids::MatchId;
use crate::store::keys::Shard;
use crate::store::{Job, JobKind, JobOrder, Result, StoreError};

/// How long jobs may gather before the relay looks, so that it finds several.
const GATHERING: Duration = Duration::from_millis(4);
/// How often the shards are searched for what dead instances left.
const SWEEP: Duration = Duration::from_secs(2);
/// How many jobs of a shard are copied at once.
const PAGE: usize = 256;

/// A job as a commit leaves it. What a newer release may add is ignored.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    k: &'a str,
    m: MatchId,
    v: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    s: Option<u8>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    t: String,
    at: i64,
    #[serde(borrow)]
    b: &'a RawValue,
}

/// An order as a commit leaves it.
pub(super) fn line(order: &JobOrder, id: &MatchId, version: u64) -> Result<String> {
    let JobOrder { kind, seat, target, ready, body } = order;
    let (k, m, t) = (kind.name(), id.clone(), target.clone());
    let line = Line { k, m, v: version, s: *seat, t, at: ready.0, b: body };
    serde_json::to_string(&line).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// The job that a line orders; `None` if it is unreadable.
fn job(line: &str) -> Option<Job> {
    let Line { k, m, v, s, t, at, b } = serde_json::from_str(line).ok()?;
    let order = JobOrder { kind: JobKind::parse(k)?, seat: s, target: t, ready: Timestamp(at), body: b.to_owned() };
    Some(order.job(&m, v))
}

/// Copies until `closed`, and then what is marked.
pub(super) async fn relay(shared: Arc<Shared>, closed: CancellationToken) {
    let mut sweep = interval(SWEEP);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let outcome = tokio::select! {
            () = closed.cancelled() => break,
            () = shared.jobs.marked() => {
                sleep(GATHERING).await;
                copy(&shared, shared.jobs.take()).await
            }
            _ = sweep.tick() => match left_over(&shared).await {
                Ok(shards) => copy(&shared, shards).await,
                Err(error) => Err(error),
            },
        };
        if let Err(error) = outcome {
            tracing::debug!(%error, "jobs stay where they are for now");
        }
    }
    if let Err(error) = copy(&shared, shared.jobs.take()).await {
        tracing::warn!(%error, "jobs are left to another instance to be put into their queues");
    }
}

/// The shards that have jobs.
async fn left_over(shared: &Shared) -> Result<Vec<Shard>> {
    let looks = Shard::all().map(|shard| command("LLEN", shared.keys.jobs(shard)));
    let answers = shared.link.send_each_once(looks.collect()).await?;
    let lengths = answers.into_iter().map(|answer| answer.ok().and_then(|length| read::<u64>(length).ok()));
    Ok(Shard::all()
        .zip(lengths)
        .filter(|(_, length)| length.is_some_and(|length| length > 0))
        .map(|(s, _)| s)
        .collect())
}

/// A job where it was found, as its line says; `None` if that is unreadable.
struct Found {
    shard: Shard,
    line: String,
    job: Option<Job>,
}

/// Copies the oldest jobs of these shards. One that cannot be copied stays, with those after it in its shard; the other
/// shards go on.
async fn copy(shared: &Shared, shards: Vec<Shard>) -> Result<()> {
    let reads = shards.iter().map(|&shard| {
        let mut range = Cmd::new();
        range.arg("LRANGE").arg(shared.keys.jobs(shard)).arg(0).arg(PAGE - 1);
        range
    });
    let answers = shared.link.send_each_once(reads.collect()).await?;
    let mut found: Vec<Found> = Vec::new();
    for (&shard, answer) in shards.iter().zip(answers) {
        let Ok(answer) = answer else { continue };
        let lines: Vec<String> = read(answer)?;
        found.extend(lines.into_iter().map(|line| Found { shard, job: job(&line), line }));
    }
    let jobs: Vec<&Job> = found.iter().filter_map(|found| found.job.as_ref()).collect();
    let outcomes = shared.link.keep_each_once(work::enqueueing(shared, jobs.iter().copied())).await?;
    let copied: BTreeSet<&str> =
        jobs.iter().zip(outcomes).filter(|(_, outcome)| outcome.is_ok()).map(|(job, _)| job.id.as_str()).collect();
    let done = |found: &Found| match &found.job {
        Some(job) => copied.contains(job.id.as_str()),
        None => {
            // Nobody will ever read it, and all others would have to wait for it.
            // What it holds is nobody's business.
            tracing::error!(bytes = found.line.len(), shard = found.shard.number(), "a job is unreadable and dropped");
            true
        }
    };
    let mut removals = Vec::new();
    let mut full = Vec::new();
    for of_shard in found.chunk_by(|one, next| one.shard == next.shard) {
        let Some(first) = of_shard.first() else { continue };
        let count = of_shard.iter().take_while(|found| done(found)).count();
        if count > 0 {
            let arguments = vec![count.to_string(), first.line.clone()];
            removals.push(Part { key: shared.keys.jobs(first.shard), arguments });
        }
        if count == PAGE {
            full.push(first.shard);
        }
    }
    shared.link.call_for_each_maybe_twice(&DONE, &[], removals).await?;
    full.into_iter().for_each(|shard| shared.jobs.mark(shard));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_reads_back_as_the_job_that_it_orders() {
        let body = RawValue::from_string(r#"{"a":1}"#.to_owned()).unwrap();
        let kind = JobKind::new("hook");
        let order = JobOrder { kind, seat: Some(1), target: "w|1".to_owned(), ready: Timestamp(5), body };
        let id = MatchId::from_number(1);
        let text = line(&order, &id, 7).unwrap();
        let wanted =
            r#"{"k":"hook","m":"m_00000000000000000000000000000001","v":7,"s":1,"t":"w|1","at":5,"b":{"a":1}}"#;
        assert_eq!(text, wanted);
        assert_eq!(job(&text), Some(order.job(&id, 7)));
        for wrong in ["", "{}", &text.replace("hook", "ho ok"), &text.replace("m_", "p_")] {
            assert_eq!(job(wrong), None, "{wrong}");
        }
        assert_eq!(job(&text.replace("\"v\"", "\"new\":[],\"v\"")), job(&text));
    }
}
