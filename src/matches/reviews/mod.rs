//! Reviews of matches that are over: ordered by a player, made by whichever instance has time, shared by all readers.
//!
//! Invariants:
//! - A review under way is a job whose body holds the findings so far. Only the holder of the job's lease replaces the
//!   body, after each [`PIECE`] decisions, so an instance that dies at work loses that many at most. A finished review
//!   is an expiring value, written before its job is removed.
//! - Each decision is judged on what its seat could see ([`DecisionMade`] holds no state), behind all other work that thinks.
//! - An order for bots of another version than this release's is dropped: nobody can ever go on with it.

mod decision;
pub mod review;

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use self::decision::{DecisionMade, Judged};
use self::review::{Review, ReviewLevel};
use crate::model::log::Cause;
use crate::model::refused::{ReviewRefused, Unreadable};
use crate::thinkers::NotThought;
use crate::{Matches, Reader, Refused, Unread, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::bots::AnyBot;
use sarsen_store::upgrade::Formed;
use sarsen_store::{Job, JobKind, ReplayKey, Reservation, StoreError, Work};

pub use self::decision::review_record;

/// The number of decisions after which the findings are stored.
const PIECE: usize = 10;
/// The time for which a finished review is kept after a read, in seconds.
const KEPT_SECONDS: u32 = 30 * 24 * 60 * 60;
/// The age from which a read stores a review again and so extends its life, in milliseconds: not every read writes.
const KEEP_ANEW_MILLIS: i64 = 24 * 60 * 60 * 1000;
/// The time for which a failure is reported, in seconds; then the review may be ordered again.
const FAILED_SECONDS: u32 = 60 * 60;
/// The time for which an order counts against the limit of its player, in seconds.
const DAY_SECONDS: u32 = 24 * 60 * 60;
/// The pause before another try where the threads are busy.
const BUSY: Duration = Duration::from_secs(1);

/// The state of a review.
#[derive(Clone, PartialEq, Debug)]
pub enum ReviewState {
    /// Nobody has ordered it, or it was not read for long.
    None,
    /// It is being made, and has come so far; at version 0 nobody has begun.
    Underway(Review),
    /// It is done.
    Done(Review),
    /// It could not be made.
    Failed,
}

/// A finished review as it is kept; without one the making has failed.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptReview {
    #[serde(rename = "v")]
    form: u16,
    at: Timestamp,
    review: Option<Review>,
}

sarsen_store::formed!(KeptReview, "review", "v", &[]);

/// The name of a review: one a match, level and version of the bots.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ReviewName {
    id: MatchId,
    level: ReviewLevel,
    version: u32,
}

impl ReviewName {
    fn text(&self) -> String {
        format!("{}.{}.{}", self.id, self.level.name(), self.version)
    }

    fn ticket(&self) -> String {
        format!("review:{}", self.text())
    }
}

impl FromStr for ReviewName {
    type Err = Unreadable;
    fn from_str(text: &str) -> Result<ReviewName, Unreadable> {
        let parts: Vec<&str> = text.split('.').collect();
        let unreadable = || Unreadable::new("a review has no such name");
        let [id, level, version] = parts[..] else { return Err(unreadable()) };
        let level = ReviewLevel::ALL.into_iter().find(|known| known.name() == level);
        Ok(ReviewName {
            id: id.parse().map_err(|_| unreadable())?,
            level: level.ok_or_else(unreadable)?,
            version: version.parse().map_err(Unreadable::new)?,
        })
    }
}

/// The progress of a review.
pub enum ReviewProgress {
    /// There is more to do; the body of its job from now on.
    Further(Vec<u8>),
    /// It is kept, or nobody wants it any more: its job goes.
    Over,
}

impl Matches {
    /// Orders a review of a match that `reader` may see, unless it is done or being made.
    ///
    /// # Errors
    /// Those of [`Matches::read`], [`Refused::Unread`], [`ReviewRefused`].
    pub async fn order_review(
        &self,
        reader: &Reader,
        player: &PlayerId,
        id: &MatchId,
        level: Result<ReviewLevel, Unread>,
    ) -> Result<(ViewedMatch, ReviewLevel, ReviewState), Refused> {
        let viewed = self.read(reader, id).await?;
        let level = level?;
        let name = self.review_name(&viewed, level).ok_or(ReviewRefused::NotPossible)?;
        let state = self.review_state(&name).await?;
        if !matches!(state, ReviewState::None | ReviewState::Failed) {
            return Ok((viewed, level, state));
        }
        self.count_review(player, &name).await?;
        if state == ReviewState::Failed {
            self.store.take_ticket(&name.ticket()).await?;
        }
        let job = Job { kind: JobKind::Review, id: name.text(), at: self.now(), body: Review::default().to_body()? };
        self.store.order_jobs(&[job]).await?;
        Ok((viewed, level, ReviewState::Underway(Review::default())))
    }

    /// A match that `reader` may see, and the state of its review.
    ///
    /// # Errors
    /// Those of [`Matches::read`].
    pub async fn review(
        &self,
        reader: &Reader,
        id: &MatchId,
        level: ReviewLevel,
    ) -> Result<(ViewedMatch, ReviewState), Refused> {
        let viewed = self.read(reader, id).await?;
        let state = match self.review_name(&viewed, level) {
            Some(name) => self.review_state(&name).await?,
            None => ReviewState::None,
        };
        Ok((viewed, state))
    }

    /// The version of the bots that review a game; `None` if it has none.
    pub fn reviewer_version(&self, game: &str) -> Option<u32> {
        self.thinkers.of(game).map(|bot| bot.tuning().version)
    }

    /// The review that a match can have: of one that began, is over, and has a game with bots.
    fn review_name(&self, viewed: &ViewedMatch, level: ReviewLevel) -> Option<ReviewName> {
        let stored = &viewed.live.stored;
        stored.started_at.filter(|_| stored.stage.is_over())?;
        let version = self.reviewer_version(&stored.terms.game)?;
        Some(ReviewName { id: stored.id.clone(), level, version })
    }

    async fn review_state(&self, name: &ReviewName) -> Result<ReviewState, Refused> {
        // The job first: what is done is kept before its job goes.
        let body = self.store.job_body(JobKind::Review, &name.text()).await?;
        if let Some(kept) = self.store.read_ticket(&name.ticket()).await? {
            let kept = KeptReview::decode(&kept).map_err(Unreadable::new)?;
            let Some(review) = kept.review else { return Ok(ReviewState::Failed) };
            if self.now().0.saturating_sub(kept.at.0) > KEEP_ANEW_MILLIS {
                self.keep_review(name, Some(review.clone())).await?;
            }
            return Ok(ReviewState::Done(review));
        }
        Ok(match body {
            None => ReviewState::None,
            Some(body) => ReviewState::Underway(Review::of_body(&body).map_err(Unreadable::new)?),
        })
    }

    async fn keep_review(&self, name: &ReviewName, review: Option<Review>) -> Result<(), Refused> {
        let seconds = if review.is_some() { KEPT_SECONDS } else { FAILED_SECONDS };
        let kept = KeptReview { form: KeptReview::FORMS.present(), at: self.now(), review };
        Ok(self.store.put_ticket(&name.ticket(), kept.encode()?, seconds).await?)
    }

    /// Takes one of the slots that a player has for reviews; each is free again after a day. The same review takes one.
    async fn count_review(&self, player: &PlayerId, name: &ReviewName) -> Result<(), Refused> {
        let Some(most) = self.retention.reviews_per_day else { return Ok(()) };
        for slot in 0..most {
            // No client can send a key that begins with a blank.
            let key = ReplayKey { player: player.clone(), key: format!(" review {slot}") };
            let mine = Reservation { id: name.text(), fingerprint: "review".to_owned() };
            if self.store.reserve(&key, mine.clone(), DAY_SECONDS).await? == mine {
                return Ok(());
            }
        }
        Err(ReviewRefused::OrderedEnough(most).into())
    }

    /// Goes on with a review by [`PIECE`] decisions. The caller holds the lease of its job, and keeps the body that is
    /// answered.
    ///
    /// # Errors
    /// Only those after which it is worth trying again: the store is away.
    pub async fn go_on_with_review(&self, job: &Job) -> Result<ReviewProgress, Refused> {
        let Ok(name) = job.id.parse::<ReviewName>() else { return Ok(ReviewProgress::Over) };
        match self.reviewed_further(&name, job).await {
            Ok(progress) => Ok(progress),
            Err(error @ (Refused::Store(StoreError::Unavailable(_)) | Refused::Busy)) => Err(error),
            Err(error) => {
                tracing::error!(
                    id = %name.id,
                    error = &error as &dyn std::error::Error,
                    "a match cannot be reviewed"
                );
                self.keep_review(&name, None).await?;
                Ok(ReviewProgress::Over)
            }
        }
    }

    async fn reviewed_further(&self, name: &ReviewName, job: &Job) -> Result<ReviewProgress, Refused> {
        let mut review = Review::of_body(&job.body).map_err(Unreadable::new)?;
        let Some(live) = self.as_it_stands(&name.id).await? else { return Ok(ReviewProgress::Over) };
        let bot = self.thinkers.of(&live.stored.terms.game).filter(|bot| bot.tuning().version == name.version);
        let Some(bot) = bot else { return Ok(ReviewProgress::Over) };
        let (last, mut telling, mut judged) = (live.stored.version, self.telling(&live), 0);
        // The first version has nothing before it.
        review.reached = review.reached.max(1);
        while review.reached < last && judged < PIECE {
            let (before, entry) = telling.step_behind(review.reached).await?;
            review.reached += 1;
            let Cause::Action(action) = &entry.cause else { continue };
            if let Some(made) = DecisionMade::of(&before, action)? {
                review.add(self.judged(bot, made, name).await?);
                judged += 1;
            }
        }
        if review.reached < last {
            return Ok(ReviewProgress::Further(review.to_body()?));
        }
        self.keep_review(name, Some(review)).await?;
        Ok(ReviewProgress::Over)
    }

    /// Judges a decision on a thread for what nobody waits for, as soon as there is room.
    async fn judged(&self, bot: &Arc<dyn AnyBot>, made: DecisionMade, name: &ReviewName) -> Result<Judged, Refused> {
        let made = Arc::new(made);
        loop {
            let (bot, made, level) = (Arc::clone(bot), Arc::clone(&made), name.level);
            let judge = move |is_over: &(dyn Fn() -> bool + Sync)| made.judge(&*bot, level, is_over);
            match self.thinkers.done_last(name.id.to_string(), judge).await {
                Ok(judged) => return judged,
                Err(NotThought::Failed(failed)) => return Err(failed),
                Err(NotThought::Full(_)) => sleep(BUSY).await,
            }
        }
    }
}
