//! Replays: sends the kept deliveries of a webhook once more, from a time on.
//!
//! A replay is a job of one id a webhook, so there is one at a time, and another instance goes on where one dies. It goes from
//! the newest delivery to the oldest, a page at a time.

use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};

use super::delivery::DeliveryState;
use super::service::{NotificationRefused, Notifications, REPLAYED_DAYS, Result};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, WebhookId};
use sarsen_matches::Matches;
use sarsen_store::{ItemOwner, Job, JobKind, Work};

/// The deliveries of a page.
const AT_ONCE: usize = 50;

/// The beginning of the id of a replay's job, before that of the webhook.
pub(super) const PREFIX: &str = "replay.";

/// The remaining work of a replay.
#[derive(Serialize, Deserialize)]
pub(super) struct Replay {
    /// The player who owns the webhook; none for the operators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<PlayerId>,
    webhook: WebhookId,
    /// The time of the request.
    at: Timestamp,
    since: Timestamp,
    failed_only: bool,
    /// The place where the next page begins; none at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<String>,
}

impl Work for Replay {
    const NAME: &'static str = "replay";
}

impl Notifications {
    /// Does a job that notifies: makes deliveries of the news of a match, or sends kept ones again. Returns the moment and
    /// the body of the rest of the work, where some is left.
    ///
    /// # Errors
    /// If the store is away, or the job cannot be read.
    pub(crate) async fn spread(&self, matches: &Matches, job: &Job) -> Result<Option<(Timestamp, Vec<u8>)>> {
        if job.id.starts_with(PREFIX) {
            let rest = self.go_on_replaying(&job.body).await?;
            return Ok(rest.map(|rest| (self.parts.ambient.now(), rest)));
        }
        let later = self.fan_out(matches, &job.body).await?;
        Ok(later.map(|at| (at, job.body.clone())))
    }

    /// Sends the kept deliveries of a webhook since a time once more, as [`Notifications::resend`] does; with `failed_only`
    /// those that have failed.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], [`NotificationRefused::TooLongAgo`], [`NotificationRefused::ReplayRunning`], or
    /// that the store is away.
    pub async fn replay(
        &self,
        owner: &ItemOwner,
        webhook: &WebhookId,
        since: Timestamp,
        failed_only: bool,
    ) -> Result<()> {
        self.webhook(owner, webhook).await?;
        let at = self.parts.ambient.now();
        if since.plus_seconds(REPLAYED_DAYS * 24 * 60 * 60) < at {
            return Err(NotificationRefused::TooLongAgo);
        }
        let player = match owner {
            ItemOwner::Player(player) => Some(player.clone()),
            ItemOwner::Service => None,
        };
        let replay = Replay { owner: player, webhook: webhook.clone(), at, since, failed_only, before: None };
        let (kind, id) = (JobKind::Notify, format!("{PREFIX}{webhook}"));
        let job = Job { kind, id, at, body: replay.to_body()? };
        // Where one runs, ordering would change nothing. It may end meanwhile, so it is looked for before and after.
        if self.parts.jobs.job_body(kind, &job.id).await?.is_some() {
            return Err(NotificationRefused::ReplayRunning);
        }
        self.parts.jobs.order_jobs(std::slice::from_ref(&job)).await?;
        match self.parts.jobs.job_body(kind, &job.id).await? {
            Some(standing) if Replay::of_body(&standing)?.at != at => Err(NotificationRefused::ReplayRunning),
            _ => {
                self.parts.listeners.wake();
                Ok(())
            }
        }
    }

    /// Sends the next page of a replay once more. Returns the body for the rest.
    async fn go_on_replaying(&self, body: &[u8]) -> Result<Option<Vec<u8>>> {
        let mut replay = Replay::of_body(body)?;
        let owner = replay.owner.clone().map_or(ItemOwner::Service, ItemOwner::Player);
        let state = replay.failed_only.then_some(DeliveryState::Failed);
        let page = match self.deliveries(&owner, &replay.webhook, state, replay.before.as_deref(), AT_ONCE).await {
            Err(NotificationRefused::NotFound) => return Ok(None),
            page => page?,
        };
        let goes_on = page.items.last().is_some_and(|oldest| oldest.created_at >= replay.since);
        replay.before = page.next.filter(|_| goes_on);
        // What is made meanwhile is sent anyway.
        let asked = replay.since..=replay.at;
        let asked = page.items.into_iter().filter(|delivery| asked.contains(&delivery.created_at));
        try_join_all(asked.map(|delivery| self.again(delivery))).await?;
        Ok(replay.before.is_some().then(|| replay.to_body()).transpose()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_1_is_read_and_written_alike() {
        let form_1 = r#"{"v":1,"w":{"owner":"p_0190163d8694739ea2a3c9f1e7d1a222","webhook":"w_0190163d8694739ea2a3c9f1e7d1a222","at":5,"since":3,"failed_only":true,"before":"x"}}"#;
        assert_eq!(Replay::of_body(form_1.as_bytes()).unwrap().to_body().unwrap(), form_1.as_bytes());
        assert!(Replay::of_body(form_1.replace("\"v\":1", "\"v\":2").as_bytes()).is_err());
    }
}
