//! A log that can be followed, and the first of them, a match's events. The other is [`super::inbox`].
//!
//! Invariant: a page after a cursor holds what lies strictly behind it, in order, as one reader may see it at that
//! moment; or, where what the cursor names is not there any more, a resync alone.

use actix_web::web;
use async_trait::async_trait;
use serde::Serialize;

use crate::http::answer::problem::Problem;
use crate::http::matches::types::EventBody;
use crate::ids::MatchId;
use crate::matches::cursor::EventCursor;
use crate::matches::hub::{Topic, Watch};
use crate::matches::{Matches, Reader};

/// One item of a feed, written once for whichever form it goes out in.
pub struct Item {
    /// Its id, after which a client resumes.
    pub id: String,
    /// It as JSON.
    pub json: web::Bytes,
}

/// What lies behind a cursor.
pub struct Stretch<C> {
    /// The items, in order.
    pub items: Vec<Item>,
    /// Where to go on.
    pub next: C,
    /// Whether more is there already.
    pub more: bool,
    /// Whether nothing will ever follow.
    pub ended: bool,
}

/// A log that can be followed.
#[async_trait(?Send)]
pub trait Feed: 'static {
    /// A place in the log.
    type Cursor: Clone + std::fmt::Display + 'static;

    /// At most `limit` items behind `after`.
    async fn read(&self, after: Option<Self::Cursor>, limit: usize) -> Result<Stretch<Option<Self::Cursor>>, Problem>;

    /// Begins to watch for more.
    fn watch(&self) -> Watch;
}

/// The events of one match.
pub struct MatchFeed {
    /// The use cases.
    pub matches: Matches,
    /// Who reads.
    pub reader: Reader,
    /// The match.
    pub id: MatchId,
}

#[async_trait(?Send)]
impl Feed for MatchFeed {
    type Cursor = EventCursor;

    async fn read(&self, after: Option<EventCursor>, limit: usize) -> Result<Stretch<Option<EventCursor>>, Problem> {
        let page = self.matches.events(&self.reader, &self.id, after, limit).await?;
        let items = page.items.iter().map(|told| item(told.cursor().to_string(), &EventBody::from(told)));
        Ok(Stretch { items: items.collect::<Result<_, _>>()?, next: page.next, more: page.more, ended: page.ended })
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Match(self.id.clone()))
    }
}

/// An item of which `id` is sent as the place after which a client resumes.
pub(super) fn item(id: String, value: &impl Serialize) -> Result<Item, Problem> {
    let json = serde_json::to_vec(value).map_err(Problem::internal)?;
    Ok(Item { id, json: json.into() })
}
