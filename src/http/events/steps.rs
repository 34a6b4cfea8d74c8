//! A match step by step: each item is the match as it now is, with what has happened since the one before.
//!
//! Invariants: no old view is made, so whoever lags gets one item with the newest version and all events since. As which
//! viewer a reader sees the match is asked of each version anew. What readers of one class are sent who have come to the
//! same event is made and written once ([`crate::matches::shared_reads`]), and sent as the same bytes.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use actix_web::web;
use async_trait::async_trait;

use super::feed::{Feed, Stretch, Written};
use super::form::{Form, Item};
use crate::http::answer::problem::Problem;
use crate::http::matches::body::{Extent, match_step, view_properties};
use crate::ids::MatchId;
use crate::matches::cursor::EventCursor;
use crate::matches::follow::ToldStep;
use crate::matches::hub::{Topic, Watch};
use crate::matches::shared_reads::SharedPage;
use crate::matches::together::SharedLook;
use crate::matches::{Matches, Reader, Stamp, ViewedMatch};

/// The steps of one match.
pub struct StepFeed {
    /// The use cases.
    pub matches: Matches,
    /// Who reads.
    pub reader: Reader,
    /// The match.
    pub id: MatchId,
    /// How much of the match each item shows.
    pub extent: Extent,
    /// Whether a reader who has missed nothing is told how the match stands all the same, at first.
    pub greets: bool,
}

/// Where a reader has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    after: EventCursor,
    /// What the reader was last shown, if that was here.
    shown: Option<Shown>,
}

/// A version as it was shown, with its stamp.
type Shown = (u64, Option<Stamp>);

fn shown(viewed: &ViewedMatch) -> Shown {
    (viewed.live.stored.version, viewed.live.stamp)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.after.fmt(f)
    }
}

impl FromStr for Place {
    type Err = <EventCursor as FromStr>::Err;
    fn from_str(text: &str) -> Result<Place, Self::Err> {
        text.parse().map(|after| Place { after, shown: None })
    }
}

impl StepFeed {
    fn nothing(viewed: &ViewedMatch, place: Place) -> Stretch<Option<Place>> {
        let ended = viewed.live.stored.stage.is_over();
        Stretch { items: Vec::new(), next: Some(place), more: false, ended }
    }

    /// Whether a reader who has come there and has no event before them is told how the match stands.
    fn is_new(&self, viewed: &ViewedMatch, place: &Place) -> bool {
        match place.shown {
            Some(last) => last != shown(viewed),
            // Of a match that is over, whoever knows its last event knows all.
            None => self.greets && !viewed.live.stored.stage.is_over(),
        }
    }

    /// What was looked at for all who watch the match, and what that tells a reader who has come there; `None` where the
    /// reader has to look alone.
    async fn look(&self, watch: &Watch, place: &Place) -> Option<(SharedLook, Arc<SharedPage>)> {
        let look = self.matches.look_together(watch, &self.reader, &self.id).await?;
        let page = look.page(place.after)?;
        // A look that others have begun may be older than what this reader was shown.
        place.shown.is_none_or(|last| shown(&look.viewed).0 >= last.0).then_some((look, page))
    }

    /// The item that such a reader is sent, written once for all who are sent the same: in a form of this number by
    /// `frame`.
    fn item(
        &self,
        (look, page): &(SharedLook, Arc<SharedPage>),
        place: &Place,
        form: usize,
        frame: impl FnOnce(Item) -> Vec<u8>,
    ) -> Result<(web::Bytes, Place), Problem> {
        let (now, next) = (shown(&look.viewed), look.next(page));
        let text = look.step(
            self.extent.number(),
            place.after,
            form,
            |viewed| view_properties(viewed, self.extent),
            |view| {
                let json = match_step(next, now.0, &page.items, view)?;
                Ok::<_, Problem>(frame(Item { id: next.to_string(), json: json.into() }))
            },
        )?;
        Ok((web::Bytes::from_owner(text), Place { after: next, shown: Some(now) }))
    }
}

/// The number of the form in which an item stands in a page: behind those of streams.
const IN_A_PAGE: usize = 2;

#[async_trait(?Send)]
impl Feed for StepFeed {
    type Cursor = Place;

    async fn read(&self, place: Option<Place>, _: usize) -> Result<Stretch<Option<Place>>, Problem> {
        let after = place.map(|place| place.after);
        let ToldStep { viewed, events, next, more } = self.matches.step_since(&self.reader, &self.id, after).await?;
        if let Some(place) = place.filter(|place| events.is_empty() && !self.is_new(&viewed, place)) {
            return Ok(StepFeed::nothing(&viewed, place));
        }
        let (version, stamp) = shown(&viewed);
        let json = match_step(next, version, &events, &view_properties(&viewed, self.extent)?)?;
        let items = vec![Item { id: next.to_string(), json: json.into() }];
        let next = Some(Place { after: next, shown: Some((version, stamp)) });
        Ok(Stretch { items, next, more, ended: viewed.live.stored.stage.is_over() })
    }

    async fn read_on(
        &self,
        watch: &Watch,
        place: Option<Place>,
        limit: usize,
    ) -> Result<Stretch<Option<Place>>, Problem> {
        let Some(place) = place else { return self.read(place, limit).await };
        let Some(seen) = self.look(watch, &place).await else { return self.read(Some(place), limit).await };
        let ended = seen.1.ended;
        if seen.1.items.is_empty() && !self.is_new(&seen.0.viewed, &place) {
            return Ok(StepFeed::nothing(&seen.0.viewed, place));
        }
        let (json, next) = self.item(&seen, &place, IN_A_PAGE, |item| item.json.to_vec())?;
        let items = vec![Item { id: next.to_string(), json }];
        Ok(Stretch { items, next: Some(next), more: false, ended })
    }

    async fn written_on(
        &self,
        watch: &Watch,
        form: Form,
        place: Option<Place>,
        limit: usize,
    ) -> Result<Written<Option<Place>>, Problem> {
        let alone = async || Ok(Written::of(self.read(place, limit).await?, form));
        let Some(place) = place else { return alone().await };
        let Some(seen) = self.look(watch, &place).await else { return alone().await };
        let ended = seen.1.ended;
        if seen.1.items.is_empty() && !self.is_new(&seen.0.viewed, &place) {
            return Ok(Written::of(StepFeed::nothing(&seen.0.viewed, place), form));
        }
        let (text, next) = self.item(&seen, &place, form as usize, |item| form.write(&[item]))?;
        Ok(Written { text, count: 1, next: Some(next), more: false, ended })
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Match(self.id.clone()))
    }
}
