//! The worker of the outboxes, which does the work of their tasks.
//!
//! Invariant: a shard's tasks are processed from the oldest on. So the notices of a match reach an inbox in the order
//! of its versions, whichever instance adds them: it has read, and added, all that were before.
//!
//! A commit of this instance that leaves a task marks its shard, which is processed within milliseconds. A task that is
//! the first of its outbox for a whole [`SWEEP`] belongs to an instance that has died, and is taken over.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use redis::{RedisResult, Value};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::client::{command_with, read};
use super::list_index::{Target, project};
use super::matches::notice;
use super::outbox::{Before, Task};
use super::script::{DONE, NOTIFY, Part};
use crate::keys::Shard;
use crate::{INBOX_KEPT, Listing, Result};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

/// The time that tasks may gather before the worker reads them, so that it finds several.
const GATHERING: Duration = Duration::from_millis(4);
/// The interval at which the outboxes are searched for tasks of dead instances.
const SWEEP: Duration = Duration::from_secs(2);
/// The maximum number of tasks of a shard that are processed together.
const PAGE: usize = 256;

/// A task with its shard and its text; `None` if the text is unreadable.
struct Found {
    shard: Shard,
    text: String,
    task: Option<Task>,
}

/// Works until `closed`, and then processes the shards that are still marked.
pub(super) async fn work(shared: Arc<Shared>, closed: CancellationToken) {
    let mut heads = Vec::new();
    let mut sweep = interval(SWEEP);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let outcome = tokio::select! {
            () = closed.cancelled() => break,
            () = shared.outbox.marked() => {
                sleep(GATHERING).await;
                process(&shared, shared.outbox.take()).await
            }
            _ = sweep.tick() => match left_over(&shared, &mut heads).await {
                Ok(shards) => process(&shared, shards).await,
                Err(error) => Err(error),
            },
        };
        if let Err(error) = outcome {
            tracing::debug!(%error, "tasks stay in the outbox for now");
        }
    }
    if let Err(error) = process(&shared, shared.outbox.take()).await {
        tracing::warn!(%error, "tasks stay in the outbox for another instance");
    }
}

/// The first task of an outbox, and the moment since which it was seen there.
struct Head {
    text: String,
    since: Timestamp,
}

/// Returns the shards whose first task is the same as at the last sweep.
async fn left_over(shared: &Shared, heads: &mut Vec<Option<Head>>) -> Result<Vec<Shard>> {
    let looks = Shard::all().map(|shard| command_with("LINDEX", shared.keys.outbox(shard), 0));
    let answers = shared.client.send_each_once(looks.collect()).await?;
    let stuck = compare(heads, answers, shared.now());
    shared.outbox.note_waiting(heads.iter().flatten().map(|head| head.since).min());
    Ok(stuck)
}

/// Updates the first tasks, and returns the shards whose first task is unchanged. A shard that does not answer counts
/// as unchanged: its task goes on waiting.
fn compare(heads: &mut Vec<Option<Head>>, answers: Vec<RedisResult<Value>>, now: Timestamp) -> Vec<Shard> {
    let mut before = std::mem::take(heads).into_iter();
    let mut stuck = Vec::new();
    for (shard, answer) in Shard::all().zip(answers) {
        let before = before.next().flatten();
        let Ok(answer) = answer else {
            heads.push(before);
            continue;
        };
        let text: Option<String> = read(answer).unwrap_or_default();
        let same = before.filter(|before| text.as_ref() == Some(&before.text));
        if same.is_some() {
            stuck.push(shard);
        }
        heads.push(same.or_else(|| text.map(|text| Head { text, since: now })));
    }
    stuck
}

/// Processes the oldest tasks of these shards.
async fn process(shared: &Shared, shards: Vec<Shard>) -> Result<()> {
    let reads = shards.iter().map(|&shard| command_with("LRANGE", shared.keys.outbox(shard), (0, PAGE - 1)));
    let answers = shared.client.send_each_once(reads.collect()).await?;
    let mut found: Vec<Found> = Vec::new();
    let mut full = Vec::new();
    for (&shard, answer) in shards.iter().zip(answers) {
        let Ok(answer) = answer else { continue };
        let texts: Vec<String> = read(answer)?;
        if texts.len() == PAGE {
            full.push(shard);
        }
        found.extend(texts.into_iter().map(|text| Found { shard, task: Task::parse(&text), text }));
    }
    // Lists and notices do not wait for each other.
    let listed = relist(shared, &found).await.unwrap_or_else(|error| {
        tracing::debug!(%error, "lists stay as they are for now");
        BTreeSet::new()
    });
    let notified = notify(shared, &found).await?;
    let done = |found: &Found| match &found.task {
        Some(task) => {
            (task.relisted.is_none() || listed.contains(&task.id))
                && task.notify.iter().all(|player| notified.contains(player))
        }
        None => {
            // No release will ever read the task, and all others would have to wait for it.
            tracing::error!(task = found.text, "a task in the outbox is unreadable and dropped");
            true
        }
    };
    let removals = found.chunk_by(|one, next| one.shard == next.shard).filter_map(|tasks| {
        let first = tasks.first()?;
        let count = tasks.iter().take_while(|found| done(found)).count();
        let arguments = vec![count.to_string(), first.text.clone()];
        (count > 0).then(|| Part { key: shared.keys.outbox(first.shard), arguments })
    });
    let removed = shared.client.call_for_each_maybe_twice(&DONE, &[], removals.collect()).await?;
    if removed.contains(&true) {
        full.into_iter().for_each(|shard| shared.outbox.mark(shard));
    }
    Ok(())
}

/// Updates the lists; returns the matches for which that succeeded.
async fn relist(shared: &Shared, found: &[Found]) -> Result<BTreeSet<MatchId>> {
    let mut befores: BTreeMap<&MatchId, Vec<Listing>> = BTreeMap::new();
    for task in found.iter().filter_map(|found| found.task.as_ref()) {
        if let Some(Before(before)) = &task.relisted {
            befores.entry(&task.id).or_default().extend(before.clone());
        }
    }
    if befores.is_empty() {
        return Ok(BTreeSet::new());
    }
    project(shared, befores.into_iter().map(|(id, before)| Target::moved(id.clone(), before)).collect()).await
}

/// Adds the notices; returns the players whose notices have all arrived.
async fn notify<'a>(shared: &Shared, found: &'a [Found]) -> Result<BTreeSet<&'a PlayerId>> {
    let mut notices: BTreeMap<&PlayerId, Vec<String>> = BTreeMap::new();
    for task in found.iter().filter_map(|found| found.task.as_ref()) {
        for player in &task.notify {
            notices.entry(player).or_default().push(notice(&task.id, task.version));
        }
    }
    let (players, parts): (Vec<&PlayerId>, Vec<Part>) = notices
        .into_iter()
        .map(|(player, members)| {
            let mut arguments = vec![player.to_string(), members.len().to_string()];
            arguments.extend(members);
            (player, Part { key: shared.keys.inbox(player), arguments })
        })
        .unzip();
    let common = [shared.keys.live(), INBOX_KEPT.to_string()];
    let arrived = shared.client.call_for_each_maybe_twice(&NOTIFY, &common, parts).await?;
    Ok(players.into_iter().zip(arrived).filter(|(_, arrived)| *arrived).map(|(player, _)| player).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_redis::limit::too_slow;

    #[test]
    fn a_task_waits_on_while_its_shard_does_not_answer() {
        let task = |text: &str| Ok(Value::BulkString(text.as_bytes().to_vec()));
        let empty = || Ok(Value::Nil);
        let mut heads = Vec::new();
        let mut look = |answers, now| {
            let stuck: Vec<u8> = compare(&mut heads, answers, Timestamp(now)).into_iter().map(Shard::number).collect();
            (stuck, heads.iter().map(|head| head.as_ref().map(|head| head.since.0)).collect::<Vec<_>>())
        };
        assert_eq!(look(vec![task("a"), task("b"), empty()], 1), (vec![], vec![Some(1), Some(1), None]));
        assert_eq!(look(vec![Err(too_slow()), task("c"), task("d")], 2), (vec![], vec![Some(1), Some(2), Some(2)]));
        assert_eq!(look(vec![task("a"), task("c"), empty()], 3), (vec![0, 1], vec![Some(1), Some(2), None]));
    }
}
