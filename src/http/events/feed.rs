//! A log that can be followed, and the first of them, a match's events. The other is [`super::inbox`].
//!
//! Invariant: a page after a cursor holds what lies strictly behind it, in order, as one reader may see it at that
//! moment; or, where what the cursor names is not there any more, a resync alone.

use std::sync::Arc;

use actix_web::web;
use async_trait::async_trait;
use serde::Serialize;

use super::form::{Form, Item};
use crate::http::answer::problem::Problem;
use crate::http::matches::types::EventBody;
use crate::ids::MatchId;
use crate::matches::cursor::EventCursor;
use crate::matches::hub::{Topic, Watch};
use crate::matches::live_match::LiveMatch;
use crate::matches::shared_reads::SharedPage;
use crate::matches::spoken::Speaker;
use crate::matches::told::ToldEvent;
use crate::matches::{Matches, Reader, Refused};

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

/// A stretch as it goes out in a stream.
pub struct Written<C> {
    /// All items.
    pub text: web::Bytes,
    /// How many there are.
    pub count: usize,
    /// Where to go on.
    pub next: C,
    /// Whether more is there already.
    pub more: bool,
    /// Whether nothing will ever follow.
    pub ended: bool,
}

impl<C> Written<C> {
    /// The stretch in this form.
    pub fn of(stretch: Stretch<C>, form: Form) -> Written<C> {
        let Stretch { items, next, more, ended } = stretch;
        Written { text: form.write(&items).into(), count: items.len(), next, more, ended }
    }
}

/// A log that can be followed.
#[async_trait(?Send)]
pub trait Feed: 'static {
    /// A place in the log.
    type Cursor: Clone + std::fmt::Display + 'static;

    /// At most `limit` items behind `after`.
    async fn read(&self, after: Option<Self::Cursor>, limit: usize) -> Result<Stretch<Option<Self::Cursor>>, Problem>;

    /// The same for somebody who holds `watch`, who may be told what was read for all who wait for the same.
    async fn read_on(
        &self,
        _watch: &Watch,
        after: Option<Self::Cursor>,
        limit: usize,
    ) -> Result<Stretch<Option<Self::Cursor>>, Problem> {
        self.read(after, limit).await
    }

    /// The same as it goes out in a stream.
    async fn written_on(
        &self,
        _watch: &Watch,
        form: Form,
        after: Option<Self::Cursor>,
        limit: usize,
    ) -> Result<Written<Option<Self::Cursor>>, Problem> {
        Ok(Written::of(self.read(after, limit).await?, form))
    }

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
    /// The match once more, where each event is to be told in words too: they need its game and options, which stay.
    pub spoken_of: Option<Arc<LiveMatch>>,
}

#[async_trait(?Send)]
impl Feed for MatchFeed {
    type Cursor = EventCursor;

    async fn read(&self, after: Option<EventCursor>, limit: usize) -> Result<Stretch<Option<EventCursor>>, Problem> {
        let page = self.matches.events(&self.reader, &self.id, after, limit).await?;
        Ok(Stretch { items: self.items(&page.items)?, next: page.next, more: page.more, ended: page.ended })
    }

    async fn read_on(
        &self,
        watch: &Watch,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<Stretch<Option<EventCursor>>, Problem> {
        let Some(page) = self.shared(watch, after, limit).await else { return self.read(after, limit).await };
        Ok(Stretch { items: self.items(&page.items)?, next: Some(page.next), more: false, ended: page.ended })
    }

    async fn written_on(
        &self,
        watch: &Watch,
        form: Form,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<Written<Option<EventCursor>>, Problem> {
        let Some(page) = self.shared(watch, after, limit).await else {
            return Ok(Written::of(self.read(after, limit).await?, form));
        };
        if self.spoken_of.is_some() {
            let text = form.write(&self.items(&page.items)?).into();
            return Ok(Written {
                text,
                count: page.items.len(),
                next: Some(page.next),
                more: false,
                ended: page.ended,
            });
        }
        // Written by the first who sends it.
        let text = page.text(form as usize, |told| items(told).map(|items| form.write(&items)))?;
        let (text, count) = (web::Bytes::from_owner(text), page.items.len());
        Ok(Written { text, count, next: Some(page.next), more: false, ended: page.ended })
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Match(self.id.clone()))
    }
}

impl MatchFeed {
    /// The events as items, in words too where that is asked for.
    fn items(&self, told: &[ToldEvent]) -> Result<Vec<Item>, Problem> {
        let Some(live) = &self.spoken_of else { return items(told) };
        let speaker = Speaker::of(live);
        let spoken = |told: &ToldEvent| {
            let text = speaker.event(&told.event).map_err(Refused::from)?;
            item(told.cursor().to_string(), &EventBody { text: Some(&text), ..EventBody::from(told) })
        };
        told.iter().map(spoken).collect()
    }

    /// What was read for all who watch the match, if that tells this reader what lies behind `after`.
    async fn shared(&self, watch: &Watch, after: Option<EventCursor>, limit: usize) -> Option<Arc<SharedPage>> {
        let page = self.matches.events_together(watch, &self.reader, &self.id, after?).await;
        page.filter(|page| page.items.len() <= limit)
    }
}

fn items(told: &[ToldEvent]) -> Result<Vec<Item>, Problem> {
    told.iter().map(|told| item(told.cursor().to_string(), &EventBody::from(told))).collect()
}

/// An item of which `id` is sent as the place after which a client resumes.
pub(super) fn item(id: String, value: &impl Serialize) -> Result<Item, Problem> {
    let json = serde_json::to_vec(value).map_err(Problem::internal)?;
    Ok(Item { id, json: json.into() })
}
