//! The resync event: a failover has lost a version of the match that a follower was told of, or another step has
//! replaced it.
//!
//! Invariants: the event is sent once, in place of others, with the cursor behind the present version; from there the
//! follower goes on. Every follower who could have seen the lost version gets it, since a stamp hides nothing.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::value::to_raw_value;
use utoipa::ToSchema;

use crate::feed::cursor::{EventCursor, NoticeCursor};
use crate::feed::follow::{MyEventPage, ToldPage};
use crate::feed::redacted::{self, EventId, RedactedEvent};
use crate::model::unreadable::Unreadable;
use crate::table::log_codec::stamp_of;
use crate::{Matches, Refused, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_store::{Notice, Stamp};

/// The value of `type` of what tells a follower so.
pub const RESYNC: &str = "resync";

/// A failover has undone or replaced a version of the match that the caller was told of: forget what was told of the
/// match, and read the match again. Its id is that of the last event of the present version; what follows comes after it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Resync {
    /// The present version of the match: read the match at this version or a later one, and go on from there.
    #[schema(minimum = 1)]
    pub(crate) version: u64,
}

#[derive(Serialize)]
struct Tagged {
    r#type: &'static str,
    #[serde(flatten)]
    resync: Resync,
}

impl Matches {
    /// Returns the resync for a follower of the match whose cursor names a version that is gone. `None` if the match
    /// has changed in the same way since it was loaded.
    pub(crate) async fn resync(&self, viewed: &ViewedMatch) -> Result<Option<ToldPage>, Refused> {
        let stored = &viewed.live.stored;
        let Some((cursor, at)) = self.newest_told(viewed).await? else { return Ok(None) };
        let tagged = Tagged { r#type: RESYNC, resync: Resync { version: stored.version } };
        let event = RedactedEvent {
            id: cursor.id,
            at,
            stamp: viewed.live.stamp,
            last: true,
            deadlines: None,
            effect: None,
            event: to_raw_value(&tagged).map_err(Unreadable::new)?,
        };
        let next = Some(event.cursor());
        Ok(Some(ToldPage { items: vec![event], next, more: true, ended: stored.stage.is_over() }))
    }

    /// The cursor behind the reader's last event of the present version, and the time of that version. `None` if the
    /// log turns out to be that of another match than the one that was loaded.
    pub(crate) async fn newest_told(&self, viewed: &ViewedMatch) -> Result<Option<(EventCursor, Timestamp)>, Refused> {
        let present = viewed.live.stored.version;
        let newest = self.telling(&viewed.live).page(present.saturating_sub(1), present, 1).await?;
        let Some(entry) = newest.and_then(|mut newest| newest.pop()) else { return Ok(None) };
        let told = redacted::tell(&*viewed.live.game, &entry, viewed.viewer)?.len();
        let id = EventId { version: present, index: told.saturating_sub(1) as u32 };
        Ok(Some((EventCursor { id, stamp: Some(entry.stamp) }, entry.at)))
    }

    /// Returns true if the step that a notice names still has this stamp. True also for a deleted match: its steps are
    /// gone with it, and there is nothing of it to read again.
    ///
    /// # Errors
    /// If the store fails or the entry of the log cannot be read.
    pub(crate) async fn names(&self, notice: &Notice, stamp: Stamp) -> Result<bool, Refused> {
        match self.step_of(notice).await? {
            Some(bytes) => Ok(stamp_of(&bytes) == Some(stamp)),
            None => Ok(self.store.load_match(&notice.match_id, None).await?.is_none()),
        }
    }

    /// Returns the resync for a follower of the inbox whose cursor names a notice that is gone. It reads the inbox
    /// again: a failover may follow any read, and then the newest number of that read is not the present one.
    pub(crate) async fn resync_inbox(&self, player: &PlayerId) -> Result<MyEventPage, Refused> {
        let mut newest = self.store.inbox(player, 0, 1).await?.newest;
        let notices = loop {
            let inbox = self.store.inbox(player, newest.saturating_sub(1), 1).await?;
            if inbox.newest >= newest {
                break inbox.notices;
            }
            newest = inbox.newest;
        };
        let next = match notices.first() {
            Some(notice) => {
                let stamp = self.step_of(notice).await?.and_then(|bytes| stamp_of(&bytes));
                NoticeCursor { number: notice.number, stamp }
            }
            None => NoticeCursor { number: newest, stamp: None },
        };
        Ok(MyEventPage { items: Vec::new(), matches: HashMap::new(), next, more: true, resync: true })
    }

    /// The entry of the step that a notice names, as it is stored, if it is there.
    async fn step_of(&self, notice: &Notice) -> Result<Option<Vec<u8>>, Refused> {
        Ok(self.store.log(&notice.match_id, notice.version.saturating_sub(1), 1).await?.pop())
    }
}
