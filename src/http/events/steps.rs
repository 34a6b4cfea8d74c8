//! A match step by step: each item is the match as it now is, with what has happened since the one before.
//!
//! Invariants: no old view is made, so a reader who lags gets one item with the newest version and all events since.
//! For each version it is checked again as which viewer a reader sees the match. All readers of one class at the same
//! event are sent the same bytes, which are made and written once ([`sarsen_matches::feed::coalesced_reads`]).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use actix_web::web::Bytes;
use async_trait::async_trait;

use super::feed::{Feed, Stretch};
use super::form::{Form, Item};
use crate::answer::problem::Problem;
use crate::matches::body::{Extent, match_step, view_properties};
use sarsen_base::ids::MatchId;
use sarsen_matches::feed::coalesced_look::CoalescedLook;
use sarsen_matches::feed::coalesced_reads::SharedPage;
use sarsen_matches::feed::cursor::EventCursor;
use sarsen_matches::feed::follow::ToldStep;
use sarsen_matches::feed::notifier::{Topic, Watch};
use sarsen_matches::feed::redacted::RedactedEvent;
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::{Matches, Reader, Stamp, ViewedMatch};

/// The steps of one match.
pub(crate) struct StepFeed {
    pub(crate) matches: Matches,
    /// The reader of the steps.
    pub(crate) reader: Reader,
    pub(crate) id: MatchId,
    /// The amount of the match that each item shows.
    pub(crate) extent: Extent,
    /// Sends a first item with the present state of the match even to a reader who has missed nothing.
    pub(crate) greets: bool,
}

/// The place that a reader has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    after: EventCursor,
    /// The version that the reader was last shown, if that was here.
    shown: Option<Shown>,
}

/// A version as it was shown, with its stamp.
type Shown = (u64, Stamp);

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
        Stretch { text: Bytes::new(), count: 0, next: Some(place), more: false, ended }
    }

    /// Returns true if a reader at that place, who has no event before them, is sent the present state of the match.
    fn is_new(&self, viewed: &ViewedMatch, place: &Place) -> bool {
        match place.shown {
            Some(last) => last != shown(viewed),
            // A reader who has the last event of a finished match knows all of it.
            None => self.greets && !viewed.live.stored.stage.is_over(),
        }
    }

    /// Returns the look that all watchers of the match share, and its page for a reader at that place; `None` where the
    /// reader has to look alone.
    async fn look(&self, watch: &Watch, place: &Place) -> Option<(CoalescedLook, Arc<SharedPage>)> {
        let look = self.matches.look_together(watch, &self.reader, &self.id).await?;
        let page = look.page(place.after)?;
        // A look that others have begun may be older than what this reader was shown.
        place.shown.is_none_or(|last| shown(&look.viewed).0 >= last.0).then_some((look, page))
    }

    /// The item that such a reader is sent, written once for all who are sent the same.
    fn item(
        &self,
        (look, page): &(CoalescedLook, Arc<SharedPage>),
        place: &Place,
        form: Form,
    ) -> Result<Stretch<Option<Place>>, Problem> {
        let (now, next) = (shown(&look.viewed), look.next(page));
        let text = look.step(
            self.extent.number(),
            place.after,
            form.number(self.extent.text),
            |viewed| view_properties(viewed, self.extent),
            |view| self.write(form, next, &look.viewed, &page.items, view),
        )?;
        let next = Some(Place { after: next, shown: Some(now) });
        Ok(Stretch { text: Bytes::from_owner(text), count: 1, next, more: false, ended: page.ended })
    }

    /// One item: the match as `view` shows it, with these events.
    fn write(
        &self,
        form: Form,
        next: EventCursor,
        viewed: &ViewedMatch,
        events: &[RedactedEvent],
        view: &[u8],
    ) -> Result<Vec<u8>, Problem> {
        let narrator = MatchNarrator::if_asked(self.extent.text, &viewed.live);
        let json = match_step(next, viewed.live.stored.version, events, narrator.as_ref(), view)?;
        Ok(form.write(&[Item { id: next.to_string(), json: json.into() }]))
    }
}

#[async_trait(?Send)]
impl Feed for StepFeed {
    type Cursor = Place;

    async fn read(&self, form: Form, place: Option<Place>, _: usize) -> Result<Stretch<Option<Place>>, Problem> {
        let after = place.map(|place| place.after);
        let ToldStep { viewed, events, next, more } = self.matches.step_since(&self.reader, &self.id, after).await?;
        if let Some(place) = place.filter(|place| events.is_empty() && !self.is_new(&viewed, place)) {
            return Ok(StepFeed::nothing(&viewed, place));
        }
        let text = self.write(form, next, &viewed, &events, &view_properties(&viewed, self.extent)?)?.into();
        let next = Some(Place { after: next, shown: Some(shown(&viewed)) });
        Ok(Stretch { text, count: 1, next, more, ended: viewed.live.stored.stage.is_over() })
    }

    async fn read_on(
        &self,
        watch: &Watch,
        form: Form,
        place: Option<Place>,
        limit: usize,
    ) -> Result<Stretch<Option<Place>>, Problem> {
        let Some(at) = place else { return self.read(form, place, limit).await };
        let Some(seen) = self.look(watch, &at).await else { return self.read(form, place, limit).await };
        if seen.1.items.is_empty() && !self.is_new(&seen.0.viewed, &at) {
            return Ok(StepFeed::nothing(&seen.0.viewed, at));
        }
        self.item(&seen, &at, form)
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Match(self.id.clone()))
    }
}
