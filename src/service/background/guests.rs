//! The expiry of guests: once a day one instance looks at all of them, and has those leave who were idle for long enough.
//!
//! A guest is idle without a session, a linked identity, a recovery key, a webhook, a push subscription, a token of a
//! program of theirs or of a bot account of theirs, and without a seat in an open or running match. Invariants: nobody
//! leaves on the first look, since what is counted is the time from one look to another; a guest who cannot be judged
//! keeps no other.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Foundation;
use crate::account_deletion::AccountDeletion;
use sarsen_accounts::players::Players;
use sarsen_accounts::programs::ProgramTokens;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_matches::Stage;

/// From one question whether to look today to the next.
const PERIOD: Duration = Duration::from_secs(30 * 60);
/// The pause between two pages, so that requests are not held up.
const PAUSE: Duration = Duration::from_millis(20);
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

type Looked<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The dependencies of the expiry of guests.
pub struct GuestExpiry {
    /// The number of days after which an idle guest leaves.
    pub days: u32,
    /// The players.
    pub players: Players,
    /// Their tokens and bot accounts.
    pub programs: Arc<ProgramTokens>,
    /// The process by which they leave.
    pub deletion: Arc<AccountDeletion>,
}

/// Looks once a day, where guests expire at all.
pub(super) async fn expire_guests(shared: Arc<Foundation>) {
    let Some(guests) = &shared.guests else { return };
    loop {
        let swept = match guests.players.begins_sweep().await {
            Ok(true) => sweep(&shared, guests).await,
            Ok(false) => Ok(0),
            Err(error) => Err(error.into()),
        };
        match swept {
            Ok(0) => {}
            Ok(expired) => tracing::info!(guests = expired, "idle guests are being deleted"),
            Err(error) => tracing::warn!(error = &*error as &dyn Error, "idle guests could not be looked for"),
        }
        sleep(PERIOD).await;
    }
}

/// Looks at all players; answers how many have been told to leave.
pub(super) async fn sweep(shared: &Foundation, guests: &GuestExpiry) -> Looked<u64> {
    let mut expired = 0;
    let mut from = None;
    loop {
        let page = shared.inventory.player_ids(from.as_ref()).await?;
        for id in page.items {
            match look_at(shared, guests, &id).await {
                Ok(leaves) => expired += u64::from(leaves),
                Err(error) => tracing::debug!(player = %id, error = &*error as &dyn Error, "a guest was not judged"),
            }
        }
        from = page.next;
        if from.is_none() {
            return Ok(expired);
        }
        sleep(PAUSE).await;
    }
}

/// Has a guest leave who was idle for long enough.
async fn look_at(shared: &Foundation, guests: &GuestExpiry, id: &PlayerId) -> Looked<bool> {
    let long_ago = Timestamp(shared.ambient.now().0 - i64::from(guests.days) * DAY_MILLIS);
    if !guests.players.is_guest_since(id, long_ago).await? {
        return Ok(false);
    }
    let idle = !is_in_use(shared, guests, id).await?;
    let since = guests.players.note_idle(id, idle).await?;
    let leaves = since.is_some_and(|since| since <= long_ago);
    if leaves {
        guests.deletion.leave(id).await?;
    }
    Ok(leaves)
}

async fn is_in_use(shared: &Foundation, guests: &GuestExpiry, id: &PlayerId) -> Looked<bool> {
    if guests.players.is_reachable(id).await? || !guests.programs.tokens_of(id).await?.is_empty() {
        return Ok(true);
    }
    for bot in guests.programs.bots_of(id).await? {
        if !guests.programs.tokens_of(&bot.id).await?.is_empty() {
            return Ok(true);
        }
    }
    for stage in [Stage::Open, Stage::Playing] {
        if !shared.matches.ids_of(id, Some(stage)).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
