//! The events of all matches of one player, as a feed.
//!
//! Invariant: a match is shown in the newest step of it alone, as it now is; no old view is made. A stream tells of
//! sessions that have begun since it did, whether or not a message on one was lost.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use async_trait::async_trait;

use super::feed::{Feed, Stretch};
use super::form::{Form, Item};
use super::player_events::{player_resync, player_session, player_step};
use crate::answer::problem::Problem;
use crate::devices::SessionBody;
use crate::matches::body::{Extent, view_properties};
use crate::service::Service;
use sarsen_accounts::auth::Principal;
use sarsen_accounts::players::{Players, SessionFacts};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};
use sarsen_matches::feed::cursor::NoticeCursor;
use sarsen_matches::feed::follow::MyEvent;
use sarsen_matches::feed::notifier::{Topic, Watch};
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::{Matches, ViewedMatch};

/// The sessions of a player that have begun since a stream did, told each once.
pub(crate) struct FurtherSessions {
    players: Players,
    /// The session that follows.
    own: SessionId,
    since: Timestamp,
    /// The number of the watch when sessions were last read, and those that were told.
    told: RefCell<(u64, HashSet<SessionId>)>,
}

impl FurtherSessions {
    /// Those that begin from now on, beside the caller's own.
    pub(crate) fn of(service: &Service, caller: &Principal) -> FurtherSessions {
        let (players, own, since) = (service.players.clone(), caller.session.clone(), service.clock.now());
        FurtherSessions { players, own, since, told: RefCell::default() }
    }

    /// The items for sessions that nobody was told of, where the watch says that there may be some.
    async fn items(&self, player: &PlayerId, watch: &Watch, newest: NoticeCursor) -> Result<Vec<Item>, Problem> {
        let joined = watch.joined();
        if self.told.borrow().0 == joined {
            return Ok(Vec::new());
        }
        let sessions = self.players.sessions_of(player).await?;
        let mut told = self.told.borrow_mut();
        told.0 = joined;
        let further = |session: &SessionFacts| session.created_at >= self.since && session.id != self.own;
        let new = sessions.into_iter().filter(further).filter(|session| told.1.insert(session.id.clone()));
        let item = |session| {
            let json = player_session(newest.number, &SessionBody::of(session, &self.own))?;
            Ok(Item { id: newest.to_string(), json: json.into() })
        };
        new.map(item).collect()
    }
}

/// The events of all matches of one player.
pub(crate) struct InboxFeed {
    pub(crate) matches: Matches,
    pub(crate) player: PlayerId,
    /// The amount of each match that its newest step shows, if it shows anything.
    pub(crate) extent: Option<Extent>,
    /// Indicates whether each event comes in words too.
    pub(crate) text: bool,
    /// The sessions that a stream tells of.
    pub(crate) sessions: FurtherSessions,
}

impl InboxFeed {
    /// The step, with the match if it is the newest of it.
    fn step(&self, event: &MyEvent, matches: &HashMap<MatchId, ViewedMatch>) -> Result<Item, Problem> {
        let viewed = matches.get(&event.match_id);
        let newest = viewed.filter(|viewed| viewed.live.stored.version == event.version);
        let view = self.extent.zip(newest).map(|(extent, viewed)| view_properties(viewed, extent)).transpose()?;
        let narrator = viewed.and_then(|viewed| MatchNarrator::if_asked(self.text, &viewed.live));
        let json = player_step(event, narrator.as_ref(), view.as_deref())?;
        Ok(Item { id: event.cursor().to_string(), json: json.into() })
    }
}

#[async_trait(?Send)]
impl Feed for InboxFeed {
    type Cursor = NoticeCursor;

    async fn read(
        &self,
        form: Form,
        after: Option<NoticeCursor>,
        limit: usize,
    ) -> Result<Stretch<Option<NoticeCursor>>, Problem> {
        let page = self.matches.my_events(&self.player, after.unwrap_or_default(), limit).await?;
        let items: Vec<Item> = if page.resync {
            vec![Item { id: page.next.to_string(), json: player_resync(page.next.number)?.into() }]
        } else {
            page.items.iter().map(|event| self.step(event, &page.matches)).collect::<Result<_, _>>()?
        };
        let next = Some(page.next).filter(|next| next.number > 0 || page.resync);
        let text = form.write(&items).into();
        Ok(Stretch { text, count: items.len(), next, more: page.more, ended: false })
    }

    async fn read_on(
        &self,
        watch: &Watch,
        form: Form,
        after: Option<NoticeCursor>,
        limit: usize,
    ) -> Result<Stretch<Option<NoticeCursor>>, Problem> {
        let mut stretch = self.read(form, after, limit).await?;
        if form != Form::Page && !stretch.more {
            let newest = stretch.next.unwrap_or_default();
            let items = self.sessions.items(&self.player, watch, newest).await?;
            if !items.is_empty() {
                stretch.text = [&stretch.text[..], &form.write(&items)].concat().into();
                stretch.count += items.len();
            }
        }
        Ok(stretch)
    }

    fn watch(&self) -> Watch {
        let watch = self.matches.watch(Topic::Inbox(self.player.clone()));
        self.sessions.told.borrow_mut().0 = watch.joined();
        watch
    }
}
