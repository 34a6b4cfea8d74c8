//! A log that can be followed: a match's events, or the events of all matches of a player.
//!
//! Invariant: a page after a cursor holds what lies strictly behind it, in order, as one reader may see it at that
//! moment.

use actix_web::web;
use async_trait::async_trait;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::moment::Moment;
use crate::http::answer::problem::Problem;
use crate::http::matches::types::EventBody;
use crate::ids::{MatchId, PlayerId};
use crate::matches::follow::MyEvent;
use crate::matches::hub::{Topic, Watch};
use crate::matches::told::{self, EventId};
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
    type Cursor = EventId;

    async fn read(&self, after: Option<EventId>, limit: usize) -> Result<Stretch<Option<EventId>>, Problem> {
        let page = self.matches.events(&self.reader, &self.id, after, limit).await?;
        let next = page.items.last().map(|event| event.id).or(after);
        let items = page.items.iter().map(|told| item(told.id.to_string(), &EventBody::from(told)));
        Ok(Stretch { items: items.collect::<Result<_, _>>()?, next, more: page.more, ended: page.ended })
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Match(self.id.clone()))
    }
}

/// What happened in one step of one of the caller's matches.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerEvent<'a> {
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
}

impl<'a> From<&'a MyEvent> for PlayerEvent<'a> {
    fn from(event: &'a MyEvent) -> PlayerEvent<'a> {
        PlayerEvent {
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

/// The number of one of a player's events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoticeNumber(u64);

impl std::fmt::Display for NoticeNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for NoticeNumber {
    type Err = ();
    fn from_str(text: &str) -> Result<NoticeNumber, ()> {
        told::number(text, 16).map(NoticeNumber).ok_or(())
    }
}

/// The events of all matches of one player.
pub struct InboxFeed {
    /// The use cases.
    pub matches: Matches,
    /// Whose.
    pub player: PlayerId,
}

#[async_trait(?Send)]
impl Feed for InboxFeed {
    type Cursor = NoticeNumber;

    async fn read(&self, after: Option<NoticeNumber>, limit: usize) -> Result<Stretch<Option<NoticeNumber>>, Problem> {
        let NoticeNumber(from) = after.unwrap_or_default();
        let page = self.matches.my_events(&self.player, from, limit).await?;
        let items = page.items.iter().map(|event| item(event.number.to_string(), &PlayerEvent::from(event)));
        Ok(Stretch {
            items: items.collect::<Result<_, _>>()?,
            next: (page.last > 0).then_some(NoticeNumber(page.last)),
            more: page.more,
            ended: false,
        })
    }

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Inbox(self.player.clone()))
    }
}

fn item(id: String, value: &impl Serialize) -> Result<Item, Problem> {
    let json = serde_json::to_vec(value).map_err(Problem::internal)?;
    Ok(Item { id, json: json.into() })
}
