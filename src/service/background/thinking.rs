//! The work of bots: claims matches in which bots have something to do, and does it, match by match.
//!
//! Invariants:
//! - A claim is renewed while an instance thinks, and released before the result is committed. So an instance that
//!   learns of the commit can claim the match again, and another replaces one that dies once its claim has run out.
//! - The entry of a claimed match in the due index has the time at which the claim ends, so the match is due again only
//!   then.
//! - An instance without threads for bots leaves such entries to others.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::pin;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::Foundation;
use super::failures::Poison;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_matches::Refused;
use sarsen_matches::thinking::Thinking;
use sarsen_store::{DueMatch, StoreError};

/// The length of a claim on a match, in milliseconds.
const CLAIM_MILLIS: u32 = 5_000;
/// The period of renewing a claim.
const RENEW: Duration = Duration::from_millis(1_500);
/// A claim is over for sure so long after its end, in milliseconds.
const MARGIN: i64 = 20;
/// The delay before another look at a match for which there was no room, in milliseconds.
const NO_ROOM: i64 = 1_000;
/// The time for which an instance that thinks for nobody leaves an entry to others before it is in the way, in
/// milliseconds.
const IN_THE_WAY: i64 = 10_000;
/// The delay of a match that keeps failing, in milliseconds.
const PUT_OFF: i64 = 600_000;
/// The name of this work in the metrics.
pub const KIND: &str = "bots";

/// A match that this instance thinks about.
pub(super) struct ClaimedMatch {
    id: MatchId,
    /// The random name of this claim: no other claim has it, not even one of this instance.
    who: String,
    /// The time of its entry in the due index.
    stands_at: Timestamp,
    /// The time at which a clock of it runs out, if one does: it is not put off beyond that.
    clock: Option<Timestamp>,
}

/// The sender that hands over claimed matches.
pub(super) struct Claiming {
    shared: Arc<Foundation>,
    claimed: mpsc::UnboundedSender<ClaimedMatch>,
}

impl Claiming {
    /// The two ends: where claimed matches are handed over, and for [`think`].
    pub(super) fn new(shared: Arc<Foundation>) -> (Claiming, mpsc::UnboundedReceiver<ClaimedMatch>) {
        let (claimed, receiver) = mpsc::unbounded_channel();
        (Claiming { shared, claimed }, receiver)
    }

    /// Claims a match in which bots have something to do, and perhaps a clock runs out at some moment. Answers where its
    /// entry is to stand; `None` leaves it.
    pub(super) async fn claim(
        &self,
        due: &DueMatch,
        clock: Option<Timestamp>,
    ) -> Result<Option<(Timestamp, Option<ClaimedMatch>)>, StoreError> {
        let now = self.shared.ambient.now();
        let later = |millis: i64| put_off(now, millis, clock);
        let thinkers = self.shared.matches.thinkers();
        if thinkers.pool().threads() == 0 {
            let in_the_way = now.0.saturating_sub(due.at.0) > IN_THE_WAY;
            return Ok(in_the_way.then(|| (later(IN_THE_WAY), None)));
        }
        if thinkers.pool().is_full() {
            return Ok(Some((later(NO_ROOM), None)));
        }
        let who = hex::encode(self.shared.ambient.bytes::<8>());
        let left = self.shared.due.claim_match(&due.id, &who, CLAIM_MILLIS).await?;
        let ends = left.map_or(i64::from(CLAIM_MILLIS), |left| i64::try_from(left).unwrap_or(i64::MAX));
        let stands_at = later(ends.saturating_add(MARGIN));
        let claimed = left.is_none().then(|| ClaimedMatch { id: due.id.clone(), who, stands_at, clock });
        Ok(Some((stands_at, claimed)))
    }

    /// Hands a claimed match over.
    pub(super) fn hand_over(&self, claimed: ClaimedMatch) {
        // If the receiver has stopped, the claim runs out.
        let _stopped = self.claimed.send(claimed);
    }
}

/// The moment `millis` from now, but none behind that at which a clock runs out.
fn put_off(now: Timestamp, millis: i64, clock: Option<Timestamp>) -> Timestamp {
    let later = Timestamp(now.0.saturating_add(millis));
    clock.map_or(later, |clock| clock.min(later))
}

/// Sees to claimed matches until told to stop; then what is under way is given up, and others go on with it.
pub(super) async fn think(
    shared: Arc<Foundation>,
    mut claimed: mpsc::UnboundedReceiver<ClaimedMatch>,
    retiring: CancellationToken,
) {
    let poison = Poison::default();
    let mut sessions = FuturesUnordered::new();
    loop {
        tokio::select! {
            () = retiring.cancelled() => break,
            next = claimed.recv() => match next {
                Some(next) => sessions.push(session(&shared, &poison, next, &retiring)),
                None => break,
            },
            Some(()) = sessions.next(), if !sessions.is_empty() => {}
        }
    }
    while sessions.next().await.is_some() {}
}

/// Sees to one match.
async fn session(shared: &Foundation, poison: &Poison, claimed: ClaimedMatch, retiring: &CancellationToken) {
    let seen_to = AssertUnwindSafe(see_to(shared, &claimed)).catch_unwind();
    let next = match retiring.run_until_cancelled(seen_to).await {
        Some(Ok(Ok(next))) => {
            poison.went_well(&claimed.id);
            next
        }
        // It is not the match's doing.
        Some(Ok(Err(Refused::Store(StoreError::Unavailable(_)) | Refused::Busy))) => None,
        Some(failed) => {
            shared.failures.count(KIND);
            let is_poison = poison.failed(&claimed.id);
            if is_poison {
                match failed {
                    Ok(Err(refused)) => {
                        let error: &dyn std::error::Error = &refused;
                        tracing::error!(id = %claimed.id, error, "bots cannot play in a match; they are put off");
                    }
                    _ => tracing::error!(id = %claimed.id, "bots panic in a match; they are put off"),
                }
            }
            is_poison.then_some(PUT_OFF)
        }
        // Somebody else goes on at once.
        None => Some(0),
    };
    if let Err(error) = shared.due.release_match(&claimed.id, &claimed.who).await {
        tracing::debug!(%error, id = %claimed.id, "a claim runs out by itself");
    }
    if let Some(wait) = next {
        let found = DueMatch { id: claimed.id, at: claimed.stands_at };
        let later = put_off(shared.ambient.now(), wait, claimed.clock);
        if let Err(error) = shared.due.move_due(&found, Some(later)).await {
            tracing::debug!(%error, id = %found.id, "the due index leads to a match when its claim has run out");
        }
    }
}

/// Has the bots of a claimed match take their next step. Returns the time until the next look at it, in milliseconds,
/// unless the commit sets it.
async fn see_to(shared: &Foundation, claimed: &ClaimedMatch) -> Result<Option<i64>, Refused> {
    loop {
        let thought = match renewed(shared, claimed).await? {
            Some(Thinking::Found(thought)) => thought,
            Some(Thinking::Full) => return Ok(Some(NO_ROOM)),
            // A step may have come between the look and the end of the claim, so it is looked at once more.
            Some(Thinking::Nothing) => return Ok(Some(0)),
            None => return Ok(None),
        };
        shared.due.release_match(&claimed.id, &claimed.who).await?;
        if shared.matches.act(thought).await? {
            return Ok(None);
        }
        // Others were quicker, and their step may have led nobody but us here.
        if shared.due.claim_match(&claimed.id, &claimed.who, CLAIM_MILLIS).await?.is_some() {
            return Ok(None);
        }
    }
}

/// Thinks, and renews the claim meanwhile; `None` if somebody else has it.
async fn renewed(shared: &Foundation, claimed: &ClaimedMatch) -> Result<Option<Thinking>, Refused> {
    let thinking = shared.matches.think(&claimed.id);
    pin!(thinking);
    loop {
        tokio::select! {
            thought = &mut thinking => return thought.map(Some),
            () = sleep(RENEW) => {}
        }
        // A store that is away is found out about by the commit.
        if let Ok(Some(_)) = shared.due.claim_match(&claimed.id, &claimed.who, CLAIM_MILLIS).await {
            return Ok(None);
        }
    }
}
