//! The events of all matches of one player, and the shapes in which they go out.

use std::collections::HashMap;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::feed::{Feed, Stretch, item};
use super::form::Item;
use crate::http::answer::moment::Moment;
use crate::http::answer::problem::Problem;
use crate::http::answer::shapes::View;
use crate::http::matches::body::{Extent, ViewParts, view_parts};
use crate::http::matches::types::{Decision, EventBody, Match};
use crate::ids::{MatchId, PlayerId};
use crate::matches::cursor::NoticeCursor;
use crate::matches::follow::MyEvent;
use crate::matches::hub::{Topic, Watch};
use crate::matches::resync::RESYNC;
use crate::matches::{Matches, ViewedMatch};
use crate::rules::{Part, Schemas, names, open_one_of, part_schemas};

/// The value of `type` of what happened in one step.
const STEP: &str = "step";

/// What happened in one step of one of the caller's matches.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerStep<'a> {
    /// Its number among the caller's events. Resume after it with `after` or `Last-Event-ID`.
    #[schema(examples("17"))]
    pub id: String,
    /// Id of the match.
    #[schema(value_type = String, examples("m_0190163d8694739ea2a3c9f1e7d1a111"))]
    pub match_id: &'a MatchId,
    /// Id of the match's game.
    #[schema(examples("contiguity"))]
    pub game: &'a str,
    /// The version of the match that the step made.
    #[schema(minimum = 1)]
    pub version: u64,
    /// When the step was committed, RFC 3339 in UTC.
    #[schema(value_type = String, format = "date-time")]
    pub at: Moment,
    /// Whether the caller had a decision to make after it.
    pub your_turn: bool,
    /// What happened, as in the match's own event log.
    pub events: Vec<EventBody<'a>>,
    /// The match, in the newest step of each, if asked for with `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Match, required = false, nullable = false)]
    pub r#match: Option<Box<RawValue>>,
    /// What the caller may see of the game, beside `match`; null before the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<View>, required = false)]
    pub state: Option<Box<RawValue>>,
    /// The caller's open decision, beside `match` with `include=view,decision`; null if the caller has nothing to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Decision>, required = false)]
    pub decision: Option<Box<RawValue>>,
}

impl<'a> PlayerStep<'a> {
    /// With so much of the match as it is after the step.
    ///
    /// # Errors
    /// If the view or the legal moves have no JSON form.
    fn showing(self, viewed: &ViewedMatch, extent: Extent) -> Result<PlayerStep<'a>, Problem> {
        let ViewParts { r#match, state, decision } = view_parts(viewed, extent)?;
        Ok(PlayerStep { r#match: Some(r#match), state: Some(state), decision, ..self })
    }
}

impl<'a> From<&'a MyEvent> for PlayerStep<'a> {
    fn from(event: &'a MyEvent) -> PlayerStep<'a> {
        PlayerStep {
            r#match: None,
            state: None,
            decision: None,
            id: event.number.to_string(),
            match_id: &event.match_id,
            game: &event.game,
            version: event.version,
            at: Moment(event.at),
            your_turn: event.your_turn,
            events: event.events.iter().map(EventBody::from).collect(),
        }
    }
}

/// A failover has undone or replaced what the caller was told of: read all matches of yours again. What follows comes
/// after the present newest event.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerResync {
    /// The number of the caller's newest event; 0 if there is none. What comes after it follows.
    #[schema(examples("17"))]
    pub id: String,
}

/// One of a player's events.
#[derive(Debug, Serialize)]
#[serde(tag = "type")]
pub enum PlayerEvent<'a> {
    /// A step.
    #[serde(rename = "step")]
    Step(PlayerStep<'a>),
    /// What was told before does not hold.
    #[serde(rename = "resync")]
    Resync(PlayerResync),
}

impl PlayerEvent<'_> {
    fn parts() -> [Part; 2] {
        [Part::of::<PlayerStep<'static>>(STEP), Part::of::<PlayerResync>(RESYNC)]
    }
}

impl PartialSchema for PlayerEvent<'_> {
    fn schema() -> RefOr<Schema> {
        let about = "Something that concerns the caller's matches; `type` says what.";
        open_one_of(&Self::name(), "type", about, &names(&Self::parts())).into()
    }
}

impl ToSchema for PlayerEvent<'_> {
    fn name() -> std::borrow::Cow<'static, str> {
        "PlayerEvent".into()
    }

    fn schemas(schemas: &mut Schemas) {
        part_schemas(&Self::name(), Self::parts().into(), schemas);
    }
}

/// The events of all matches of one player.
pub struct InboxFeed {
    /// The use cases.
    pub matches: Matches,
    /// Whose.
    pub player: PlayerId,
    /// How much of each match its newest step shows, if it shows anything.
    pub extent: Option<Extent>,
}

impl InboxFeed {
    /// The step, with the match if it is the newest of it. No old view is made.
    fn step(&self, event: &MyEvent, matches: &HashMap<MatchId, ViewedMatch>) -> Result<Item, Problem> {
        let newest = matches.get(&event.match_id).filter(|viewed| viewed.live.stored.version == event.version);
        let step = match self.extent.zip(newest) {
            Some((extent, viewed)) => PlayerStep::from(event).showing(viewed, extent)?,
            None => event.into(),
        };
        item(event.cursor().to_string(), &PlayerEvent::Step(step))
    }
}

#[async_trait(?Send)]
impl Feed for InboxFeed {
    type Cursor = NoticeCursor;

    async fn read(&self, after: Option<NoticeCursor>, limit: usize) -> Result<Stretch<Option<NoticeCursor>>, Problem> {
        let page = self.matches.my_events(&self.player, after.unwrap_or_default(), limit).await?;
        let items = if page.resync {
            let resync = PlayerResync { id: page.next.number.to_string() };
            vec![item(page.next.to_string(), &PlayerEvent::Resync(resync))?]
        } else {
            page.items.iter().map(|event| self.step(event, &page.matches)).collect::<Result<_, _>>()?
        };
        let next = Some(page.next).filter(|next| next.number > 0 || page.resync);
        Ok(Stretch { items, next, more: page.more, ended: false })
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Inbox(self.player.clone()))
    }
}
