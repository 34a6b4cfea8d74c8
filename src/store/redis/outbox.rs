//! The outbox: tasks of commits outside their own slot.
//!
//! Invariant: one script writes a commit and its task. A task is removed only after all its work is done
//! ([`super::outbox_worker`]). So any instance does it, at least once, and doing it twice changes nothing.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use tokio::sync::Notify;

use super::listing::decode_listing;
use crate::Listing;
use crate::keys::{SHARDS, Shard};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

/// The work that a commit left.
#[derive(Debug, PartialEq)]
pub(super) struct Task {
    pub(super) id: MatchId,
    pub(super) version: u64,
    pub(super) notify: Vec<PlayerId>,
    /// The listing before, if the match's listing changed.
    pub(super) relisted: Option<Before>,
}

/// The listing of a match before a step; `None` if it was on no list.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Before(pub(super) Option<Listing>);

/// The separator between players.
const COMMA: &str = ",";

/// Returns these players in order, each once.
pub(super) fn each_once(players: &[PlayerId]) -> Vec<&PlayerId> {
    let mut each: Vec<&PlayerId> = players.iter().collect();
    each.sort_unstable();
    each.dedup();
    each
}

/// Returns those players as a task names them.
pub(super) fn told(players: &[&PlayerId]) -> String {
    players.iter().map(|player| player.as_str()).collect::<Vec<_>>().join(COMMA)
}

impl Task {
    /// Returns the task's text: `<match> <version> <players to notify, as [`told`]>`, if the listing changed a line
    /// break, and then (added by the script) the listing before. `None` if there is nothing to do.
    pub(super) fn head(id: &MatchId, version: u64, relisted: bool, told: &str) -> Option<String> {
        if told.is_empty() && !relisted {
            return None;
        }
        let mut task = [id.as_str(), &version.to_string(), told].join(" ");
        if relisted {
            task.push('\n');
        }
        Some(task)
    }

    /// Reads a task; `None` if it is unreadable.
    pub(super) fn parse(text: &str) -> Option<Task> {
        let (head, before) = match text.split_once('\n') {
            Some((head, before)) => (head, Some(before)),
            None => (text, None),
        };
        let mut parts = head.split(' ');
        let (id, version, notify) = (parts.next()?, parts.next()?, parts.next()?);
        let notify =
            notify.split(COMMA).filter(|id| !id.is_empty()).map(|id| id.parse().ok()).collect::<Option<_>>()?;
        let relisted = match before {
            None => None,
            Some("") => Some(Before::default()),
            Some(listing) => Some(Before(Some(decode_listing(listing).ok()?))),
        };
        Some(Task { id: id.parse().ok()?, version: version.parse().ok()?, notify, relisted })
    }
}

/// The shards that have tasks.
#[derive(Default)]
pub(super) struct Outbox {
    marked: AtomicU64,
    wake: Notify,
    /// The moment since which the longest waiting first task of an outbox was seen there, in milliseconds; 0 if there
    /// is none.
    waiting_since: AtomicI64,
}

const _: () = assert!(SHARDS as u32 == u64::BITS, "one bit a shard");

impl Outbox {
    /// Asks the worker to process a shard soon.
    pub(super) fn mark(&self, shard: Shard) {
        let bit = 1 << shard.number();
        if self.marked.fetch_or(bit, Ordering::AcqRel) & bit == 0 {
            self.wake.notify_one();
        }
    }

    /// Notes the moment since which the longest waiting first task of an outbox was seen there.
    pub(super) fn note_waiting(&self, since: Option<Timestamp>) {
        self.waiting_since.store(since.map_or(0, |since| since.0), Ordering::Relaxed);
    }

    /// Returns the moment that was last noted.
    pub(super) fn waiting_since(&self) -> Option<Timestamp> {
        Some(Timestamp(self.waiting_since.load(Ordering::Relaxed))).filter(|since| since.0 != 0)
    }

    /// Waits until a shard is marked.
    pub(super) async fn marked(&self) {
        self.wake.notified().await;
    }

    /// Returns the marked shards, and removes their marks.
    pub(super) fn take(&self) -> Vec<Shard> {
        let marked = self.marked.swap(0, Ordering::AcqRel);
        Shard::all().filter(|shard| marked & (1 << shard.number()) != 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;

    #[test]
    fn tasks_round_trip() {
        let (id, a, b) = (MatchId::from_number(1), PlayerId::from_number(2), PlayerId::from_number(3));
        assert_eq!(Task::head(&id, 7, false, ""), None);
        let moved = Task::head(&id, 7, false, &told(&each_once(&[b.clone(), a.clone(), b.clone()]))).unwrap();
        let both = vec![a.clone(), b];
        assert_eq!(Task::parse(&moved), Some(Task { id: id.clone(), version: 7, notify: both, relisted: None }));
        let made = Task::head(&id, 1, true, "").unwrap();
        let first = Task { id: id.clone(), version: 1, notify: vec![], relisted: Some(Before::default()) };
        assert_eq!(Task::parse(&made), Some(first));
        let before = format!(r#"{{"g":"x","s":"open","u":true,"p":["{a}"]}}"#);
        let listed = Listing { game: "x".to_owned(), stage: Stage::Open, public: true, players: vec![a] };
        let listed = Before(Some(listed));
        let left = Task { id: id.clone(), version: 1, notify: vec![], relisted: Some(listed) };
        assert_eq!(Task::parse(&format!("{made}{before}")), Some(left));
        for wrong in ["", "m 1 ", &moved[..20], &format!("{made}nonsense")] {
            assert_eq!(Task::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_mark_is_taken_once() {
        let outbox = Outbox::default();
        let shard = Shard::of(&MatchId::from_number(5));
        outbox.mark(shard);
        outbox.mark(shard);
        assert_eq!(outbox.take(), vec![shard]);
        assert_eq!(outbox.take(), vec![]);
    }
}
