//! A log that can be followed, and the first of them, a match's events. Others are [`super::steps`] and [`super::inbox`].
//!
//! Invariant: a page after a cursor holds what lies strictly behind it, in order, as one reader may see it at that
//! moment; or, where what the cursor names is not there any more, a resync alone.

use std::sync::Arc;

use actix_web::web::Bytes;
use async_trait::async_trait;

use super::form::{Form, Item};
use crate::answer::problem::Problem;
use crate::matches::types::EventBody;
use sarsen_base::ids::MatchId;
use sarsen_matches::feed::coalesced_look::CoalescedLook;
use sarsen_matches::feed::coalesced_reads::SharedPage;
use sarsen_matches::feed::cursor::EventCursor;
use sarsen_matches::feed::notifier::{Topic, Watch};
use sarsen_matches::feed::redacted::RedactedEvent;
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::table::live_match::LiveMatch;
use sarsen_matches::{Matches, Reader};

/// The items behind a cursor, in the form in which they go out.
pub(crate) struct Stretch<C> {
    /// All items, in order, in the form that was asked for.
    pub(crate) text: Bytes,
    /// The number of items.
    pub(crate) count: usize,
    /// The cursor to continue from.
    pub(crate) next: C,
    /// Indicates whether more items are there already.
    pub(crate) more: bool,
    /// Indicates whether nothing will ever follow.
    pub(crate) ended: bool,
}

/// A log that can be followed.
#[async_trait(?Send)]
pub(crate) trait Feed: 'static {
    /// A place in the log.
    type Cursor: Clone + std::fmt::Display + 'static;

    /// At most `limit` items behind `after`.
    async fn read(
        &self,
        form: Form,
        after: Option<Self::Cursor>,
        limit: usize,
    ) -> Result<Stretch<Option<Self::Cursor>>, Problem>;

    /// The same for somebody who holds `watch`, who may be told what was read for all who wait for the same.
    async fn read_on(
        &self,
        _watch: &Watch,
        form: Form,
        after: Option<Self::Cursor>,
        limit: usize,
    ) -> Result<Stretch<Option<Self::Cursor>>, Problem> {
        self.read(form, after, limit).await
    }

    /// Begins to watch for more.
    fn watch(&self) -> Watch;
}

/// The events of one match.
pub(crate) struct MatchFeed {
    pub(crate) matches: Matches,
    /// The reader of the events.
    pub(crate) reader: Reader,
    pub(crate) id: MatchId,
    /// Indicates whether each event comes in words too.
    pub(crate) text: bool,
}

#[async_trait(?Send)]
impl Feed for MatchFeed {
    type Cursor = EventCursor;

    async fn read(
        &self,
        form: Form,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<Stretch<Option<EventCursor>>, Problem> {
        let (viewed, page) = self.matches.events_and_match(&self.reader, &self.id, after, limit).await?;
        let text = form.write(&self.items(&viewed.live, &page.items)?).into();
        Ok(Stretch { text, count: page.items.len(), next: page.next, more: page.more, ended: page.ended })
    }

    async fn read_on(
        &self,
        watch: &Watch,
        form: Form,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<Stretch<Option<EventCursor>>, Problem> {
        let Some((look, page)) = self.look(watch, after, limit).await else {
            return self.read(form, after, limit).await;
        };
        // Written by the first who sends it.
        let write = |told: &[RedactedEvent]| self.items(&look.viewed.live, told).map(|items| form.write(&items));
        let text = Bytes::from_owner(page.text(form.number(self.text), write)?);
        Ok(Stretch { text, count: page.items.len(), next: Some(page.next), more: false, ended: page.ended })
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Match(self.id.clone()))
    }
}

impl MatchFeed {
    /// The events as items, in words too where that is asked for.
    fn items(&self, live: &LiveMatch, told: &[RedactedEvent]) -> Result<Vec<Item>, Problem> {
        let narrator = MatchNarrator::if_asked(self.text, live);
        let item = |told: &RedactedEvent| {
            let json = serde_json::to_vec(&EventBody::of(told, narrator.as_ref())?).map_err(Problem::internal)?;
            Ok(Item { id: told.cursor().to_string(), json: json.into() })
        };
        told.iter().map(item).collect()
    }

    /// Returns the look that all watchers of the match share, if it tells this reader the events behind `after`.
    async fn look(
        &self,
        watch: &Watch,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Option<(CoalescedLook, Arc<SharedPage>)> {
        let after = after?;
        let look = self.matches.look_together(watch, &self.reader, &self.id).await?;
        let page = look.page(after).filter(|page| page.items.len() <= limit)?;
        Some((look, page))
    }
}
