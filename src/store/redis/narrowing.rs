//! Drops the wide lists, where they are kept no more, and keeps inboxes as they are made there (`inboxes.rs`).
//!
//! Invariant: what stands on a wide list stands on a narrow one too, and an inbox keeps its notices and their numbers, so
//! nothing is lost. An instance that is set otherwise may make some of the old kind again; then the next start sees to
//! them.

use std::sync::Arc;
use std::time::Duration;

use redis::Cmd;
use tokio::time::sleep;

use super::Shared;
use super::link::command;
use super::lists::is_wide;
use crate::store::Result;

/// How many keys are seen to at once: a full inbox takes the server as long as dozens of moves.
const AT_ONCE: usize = 8;
/// How long there is between those, so that requests are not held up.
const PAUSE: Duration = Duration::from_millis(5);
/// How long there is before it is tried again after a failure.
const RETRY: Duration = Duration::from_secs(10);

/// Does so, once.
pub(super) async fn narrow(shared: Arc<Shared>) {
    while let Err(error) = narrow_all(&shared).await {
        tracing::debug!(%error, "not all lists and inboxes could be narrowed; it is tried again");
        sleep(RETRY).await;
    }
}

async fn narrow_all(shared: &Shared) -> Result<()> {
    let drop_wide = |key: String| {
        let is_wide = shared.keys.list_of(&key).is_some_and(|(_, stage, game)| is_wide(stage, game.as_deref()));
        is_wide.then(|| command("UNLINK", key))
    };
    each_key(shared, &shared.keys.every_list(), drop_wide).await?;
    // In a cluster they are of one kind.
    if shared.link.is_one_place() {
        each_key(shared, &shared.keys.every_inbox(), |key| Some(shared.keep_inbox(&key))).await?;
    }
    Ok(())
}

/// Sends what is to be done about each key that matches.
async fn each_key(shared: &Shared, pattern: &str, about: impl Fn(String) -> Option<Cmd>) -> Result<()> {
    let mut from = None;
    loop {
        let (keys, next) = shared.scan(pattern, from.as_ref()).await?;
        let mut left = keys.into_iter().filter_map(&about);
        loop {
            let some: Vec<Cmd> = left.by_ref().take(AT_ONCE).collect();
            let are_all = some.len() < AT_ONCE;
            shared.link.send_all_once(some).await?;
            sleep(PAUSE).await;
            if are_all {
                break;
            }
        }
        match next {
            Some(next) => from = Some(next),
            None => return Ok(()),
        }
    }
}
