//! Drops the wide lists, where they are kept no more.
//!
//! Invariant: what stands on one of them stands on a narrow one too, so nothing is lost. An instance that still keeps them
//! may make them again; then the next start drops them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Shared;
use super::link::command;
use super::lists::is_wide;
use crate::store::Result;

/// How long there is between two pages of keys, so that requests are not held up.
const PAUSE: Duration = Duration::from_millis(20);
/// How long there is before it is tried again after a failure.
const RETRY: Duration = Duration::from_secs(10);

/// Drops them, once.
pub(super) async fn narrow(shared: Arc<Shared>) {
    while let Err(error) = drop_wide(&shared).await {
        tracing::debug!(%error, "the wide lists could not all be dropped; it is tried again");
        sleep(RETRY).await;
    }
}

async fn drop_wide(shared: &Shared) -> Result<()> {
    let mut from = None;
    loop {
        let (keys, next) = shared.scan(&shared.keys.every_list(), from.as_ref()).await?;
        let of_wide =
            |key: &String| shared.keys.list_of(key).is_some_and(|(_, stage, game)| is_wide(stage, game.as_deref()));
        let wide = keys.into_iter().filter(of_wide).map(|key| command("UNLINK", key)).collect();
        shared.link.send_all_once(wide).await?;
        match next {
            Some(next) => from = Some(next),
            None => return Ok(()),
        }
        sleep(PAUSE).await;
    }
}
