//! How a store is kept whose settings leave that to it: a word in the store itself.
//!
//! Invariant: the word is narrow only where the settings said so, or where nothing was there when this release came. So
//! earlier releases, which cannot read everything that is narrow, find what they left as they left it.

use redis::Cmd;

use super::link::{command, read};
use super::{ListsKept, Shared};
use crate::store::Result;

fn word(lists: ListsKept) -> &'static str {
    match lists {
        ListsKept::Wide => "wide",
        ListsKept::Narrow => "narrow",
    }
}

impl Shared {
    /// How lists are kept from now on: as `wanted`, or else as the store says. Where neither can be found out it is the way
    /// that every release can read.
    pub(super) async fn settle_lists(&self, wanted: Option<ListsKept>) -> ListsKept {
        let settled = match wanted {
            Some(lists) => self.note_lists(lists).await.map(|()| lists),
            None => self.lists_of_store().await,
        };
        settled.unwrap_or_else(|error| {
            tracing::warn!(%error, "how the lists of the store are to be kept could not be settled");
            wanted.unwrap_or(ListsKept::Wide)
        })
    }

    async fn note_lists(&self, lists: ListsKept) -> Result<()> {
        let mut set = command("SET", self.keys.lists());
        set.arg(word(lists));
        self.link.send_again_if_lost(&set).await.map(drop)
    }

    async fn lists_of_store(&self) -> Result<ListsKept> {
        let found: Option<String> = read(self.link.send_again_if_lost(&command("GET", self.keys.lists())).await?)?;
        match found.as_deref() {
            Some(found) if found == word(ListsKept::Narrow) => return Ok(ListsKept::Narrow),
            None if self.is_new().await? => {}
            _ => return Ok(ListsKept::Wide),
        }
        self.note_lists(ListsKept::Narrow).await?;
        Ok(ListsKept::Narrow)
    }

    /// Whether nothing is there yet, but for what is there for a moment only.
    async fn is_new(&self) -> Result<bool> {
        let mut exists = Cmd::new();
        exists.arg("EXISTS").arg(self.keys.moments());
        if read(self.link.send_again_if_lost(&exists).await?)? {
            return Ok(false);
        }
        let mut from = None;
        loop {
            let (keys, next) = self.scan(&self.keys.every_key(), from.as_ref()).await?;
            if keys.iter().any(|key| *key != self.keys.ready()) {
                return Ok(false);
            }
            match next {
                Some(next) => from = Some(next),
                None => return Ok(true),
            }
        }
    }
}
