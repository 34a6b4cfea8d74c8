//! Work queues: jobs that outlive whoever ordered them, each done at least once by whichever instance.
//!
//! Invariants:
//! - A job is put in once: its id follows from what it is about, and what has that id already, done or not, stays.
//! - Who claims a job has it alone for [`LEASE`]. Then it is anybody's again, so a worker that dies loses nothing. Doing a
//!   job twice must do no harm.
//! - Jobs of a kind that nobody here knows are left alone: a newer release has put them there.

use std::borrow::Cow;
use std::time::Duration;

use async_trait::async_trait;
use aws_lc_rs::digest::{Context, SHA256};
use serde_json::value::RawValue;

use super::Result;
use crate::ambient::Timestamp;
use crate::ids::MatchId;

/// For so long a claimed job belongs to the one who claimed it.
pub const LEASE: Duration = Duration::from_secs(45);

/// What kind of job it is: an open list, to which releases add.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JobKind(Cow<'static, str>);

impl JobKind {
    /// The kind of this name: 1 to 16 small letters.
    pub const fn new(name: &'static str) -> JobKind {
        JobKind(Cow::Borrowed(name))
    }

    /// The kind of this name, if it can be one.
    pub fn parse(name: &str) -> Option<JobKind> {
        let fits = (1..=16).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
        fits.then(|| JobKind(Cow::Owned(name.to_owned())))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Names a job: 26 digits of base 32, a digest of what the job is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JobId(Box<str>);

impl JobId {
    /// Into how many parts each queue is divided.
    pub const PARTS: u8 = 16;

    const LENGTH: usize = 26;
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

    /// The id of what is to be done about a version of a match: for one of its seats, perhaps, and for one `target`
    /// among several, or an empty one.
    pub fn of(kind: &JobKind, id: &MatchId, version: u64, seat: Option<u8>, target: &str) -> JobId {
        let seat = seat.map(|seat| seat.to_string()).unwrap_or_default();
        JobId::about(kind, &[id.as_str(), &version.to_string(), &seat, target])
    }

    /// The id of what these texts tell apart from all other jobs of the kind. None but the last has a `|` in it.
    pub fn about(kind: &JobKind, texts: &[&str]) -> JobId {
        let mut digest = Context::new(&SHA256);
        digest.update(kind.name().as_bytes());
        for text in texts {
            digest.update(b"|");
            digest.update(text.as_bytes());
        }
        let digest = digest.finish();
        let bit = |at: usize| digest.as_ref().get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
        let digit = |place: usize| (0..5).fold(0, |digit, at| digit << 1 | usize::from(bit(place * 5 + at)));
        JobId((0..JobId::LENGTH).map(|place| char::from(JobId::DIGITS[digit(place)])).collect())
    }

    /// Reads an id.
    pub fn parse(text: &str) -> Option<JobId> {
        let fits = text.len() == JobId::LENGTH && text.bytes().all(|byte| JobId::DIGITS.contains(&byte));
        fits.then(|| JobId(text.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part of its queue that the job is in, below [`JobId::PARTS`].
    pub fn part(&self) -> u8 {
        let first = self.0.bytes().next().and_then(|first| JobId::DIGITS.iter().position(|digit| *digit == first));
        first.map_or(0, |digit| (digit % usize::from(JobId::PARTS)) as u8)
    }
}

/// What a commit orders: a job about the version that it makes.
#[derive(Clone, Debug)]
pub struct JobOrder {
    /// What kind of job it is.
    pub kind: JobKind,
    /// The seat that it is about, if there are several jobs of the kind and it is not the target that tells them apart.
    pub seat: Option<u8>,
    /// Tells apart several jobs of the kind; empty if there is one.
    pub target: String,
    /// When it is to be done.
    pub ready: Timestamp,
    /// All else that its worker must know.
    pub body: Box<RawValue>,
}

impl JobOrder {
    /// The job that it orders, for the commit that has made this version of the match.
    pub fn job(&self, id: &MatchId, version: u64) -> Job {
        let JobOrder { kind, seat, target, ready, body } = self;
        Job {
            id: JobId::of(kind, id, version, *seat, target),
            kind: kind.clone(),
            ready: *ready,
            body: body.get().to_owned(),
        }
    }
}

/// Two orders are the same if they order the same job.
impl PartialEq for JobOrder {
    fn eq(&self, other: &JobOrder) -> bool {
        let told_apart = |order: &JobOrder| (order.kind.clone(), order.seat, order.target.clone(), order.ready);
        told_apart(self) == told_apart(other) && self.body.get() == other.body.get()
    }
}

impl Eq for JobOrder {}

/// Something to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// What kind of job it is.
    pub kind: JobKind,
    /// Its name.
    pub id: JobId,
    /// When it is to be done.
    pub ready: Timestamp,
    /// All that its worker must know: JSON.
    pub body: String,
}

/// A job and the claim to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimedJob {
    /// The job; it was ready before, and `ready` tells no more when.
    pub job: Job,
    /// Until when it belongs to the claimant.
    pub until: Timestamp,
    /// How often it has been claimed, this time included.
    pub claims: u32,
}

/// How much waits in a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueueSize {
    /// How many entries.
    pub length: u64,
    /// When the first of them is to be done, or was.
    pub oldest: Option<Timestamp>,
}

impl QueueSize {
    /// Both queues together.
    #[must_use]
    pub fn and(self, other: QueueSize) -> QueueSize {
        let oldest = [self.oldest, other.oldest].into_iter().flatten().min();
        QueueSize { length: self.length + other.length, oldest }
    }
}

/// Keeps jobs.
#[async_trait]
pub trait WorkQueues: Send + Sync + 'static {
    /// Puts jobs into their queues. One whose id is there already, or was done and is remembered, stays as it is.
    async fn enqueue(&self, jobs: &[Job]) -> Result<()>;

    /// Claims jobs of this kind that are ready, at most `limit`, those that are ready for longest first in each part of
    /// the queue.
    async fn claim(&self, kind: &JobKind, limit: usize) -> Result<Vec<ClaimedJob>>;

    /// Takes a job off its queue: it is done. It is remembered for so many seconds, so that it is not put in again.
    /// Answers false where the claim had run out; then somebody else has the job or will.
    async fn finish(&self, claimed: &ClaimedJob, remember_seconds: u32) -> Result<bool>;

    /// Gives up the claim; the job is ready again at `ready`. Answers false where the claim had run out.
    async fn put_back(&self, claimed: &ClaimedJob, ready: Timestamp) -> Result<bool>;

    /// How much waits in the queue of this kind, what is being done included.
    async fn queue(&self, kind: &JobKind) -> Result<QueueSize>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_beginning_of_a_digest_of_what_it_names() {
        let kind = JobKind::new("hook");
        let id = JobId::of(&kind, &MatchId::from_number(1), 7, Some(0), "a");
        // printf 'hook|m_00000000000000000000000000000001|7|0|a' | sha256sum
        assert_eq!(id.as_str(), "2hs5q1d3xnthcevs2es9wc0z6f");
        assert_eq!(JobId::parse(id.as_str()), Some(id.clone()));
        assert_ne!(id, JobId::of(&kind, &MatchId::from_number(1), 7, None, "a"));
        for wrong in ["", "0", &id.as_str()[1..], &format!("{id:?}"), "U1234567890123456789012345"] {
            assert_eq!(JobId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_kind_is_a_few_small_letters() {
        assert_eq!(JobKind::parse("hook"), Some(JobKind::new("hook")));
        for wrong in ["", "Hook", "a:b", "seventeenletterss", "{"] {
            assert_eq!(JobKind::parse(wrong), None, "{wrong}");
        }
    }
}
