//! How a store is kept whose settings leave that to it: a word in the store itself.
//!
//! Invariant: the word is narrow only where the settings said so, or where nothing was there when this release came. So
//! earlier releases, which cannot read everything that is narrow, find what they left as they left it.

use super::link::{command, read};
use super::{ListsKept, Shared};
use crate::store::Result;

fn word(lists: ListsKept) -> &'static str {
    match lists {
        ListsKept::Wide => "wide",
        ListsKept::Narrow => "narrow",
    }
}

/// After so many pages of keys without one of ours the rest of a database that others use too is not looked at.
const PAGES: usize = 100;

impl Shared {
    /// How lists are kept from now on: as `wanted`, which is noted for those who leave it to the store; or else as the store
    /// says.
    ///
    /// # Errors
    /// If the store does not say it.
    pub(super) async fn settle_lists(&self, wanted: Option<ListsKept>) -> Result<ListsKept> {
        let Some(lists) = wanted else { return self.lists_of_store().await };
        let mut set = command("SET", self.keys.lists());
        if let Err(error) = self.link.send_again_if_lost(set.arg(word(lists))).await {
            tracing::warn!(%error, "how the lists of the store are kept could not be noted in it");
        }
        Ok(lists)
    }

    /// Whoever begins a store writes its word before anything else. So if something is there by now, the word is too.
    async fn lists_of_store(&self) -> Result<ListsKept> {
        if self.noted_lists().await?.is_none() && self.is_new().await? {
            let mut begin = command("SET", self.keys.lists());
            begin.arg(word(ListsKept::Narrow)).arg("NX");
            self.link.send_again_if_lost(&begin).await?;
        }
        let noted = self.noted_lists().await?;
        Ok(if noted.as_deref() == Some(word(ListsKept::Narrow)) { ListsKept::Narrow } else { ListsKept::Wide })
    }

    async fn noted_lists(&self) -> Result<Option<String>> {
        read(self.link.send_again_if_lost(&command("GET", self.keys.lists())).await?)
    }

    /// Whether nothing is there yet, but for what is there for a moment only.
    async fn is_new(&self) -> Result<bool> {
        if read(self.link.send_again_if_lost(&command("EXISTS", self.keys.moments())).await?)? {
            return Ok(false);
        }
        let mut from = None;
        for _ in 0..PAGES {
            let (keys, next) = self.scan(&self.keys.every_key(), from.as_ref()).await?;
            if keys.iter().any(|key| *key != self.keys.ready()) {
                return Ok(false);
            }
            match next {
                Some(next) => from = Some(next),
                None => return Ok(true),
            }
        }
        tracing::info!("the database holds much else: lists are kept wide; --redis-lists narrow takes less memory");
        Ok(false)
    }
}
