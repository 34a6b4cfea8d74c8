//! Items and jobs as they are stored, for the check of a store: those of notifications here, others by their owners.

use super::delivery::Delivery;
use super::replaying::{PREFIX, Replay};
use super::subscriptions::StoredSubscription;
use super::webhook::StoredWebhook;
use sarsen_accounts::stored_items::is_readable_account_item;
use sarsen_matches::examined::is_readable_start;
use sarsen_matches::news::MatchNews;
use sarsen_matches::rated_result::RatingJob;
use sarsen_matches::reviews::review::Review;
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemKind, Job, JobKind, Work};

/// Returns true if an item can be read as its kind is read.
pub(crate) fn is_readable_item(kind: ItemKind, stored: &[u8]) -> bool {
    match kind {
        ItemKind::Webhook => StoredWebhook::decode(stored).is_ok(),
        ItemKind::PushSubscription => StoredSubscription::decode(stored).is_ok(),
        ItemKind::Delivery => Delivery::decode(stored).is_ok(),
        _ => is_readable_account_item(kind, stored),
    }
}

/// Returns true if a job's body can be read by the code for its kind.
pub(crate) fn is_readable_job(job: &Job) -> bool {
    match job.kind {
        JobKind::Notify if job.id.starts_with(PREFIX) => Replay::of_body(&job.body).is_ok(),
        JobKind::Notify => MatchNews::of_body(&job.body).is_ok(),
        JobKind::Deliver => Delivery::decode(&job.body).is_ok(),
        JobKind::Rate => RatingJob::of_body(&job.body).is_ok(),
        JobKind::Review => Review::of_body(&job.body).is_ok(),
        JobKind::CallOff => is_readable_start(&job.body),
    }
}
