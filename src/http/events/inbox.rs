//! The events of all matches of one player, as a feed.
//!
//! Invariant: a match is shown in the newest step of it alone, as it now is; no old view is made.

use std::collections::HashMap;

use async_trait::async_trait;

use super::feed::{Feed, Stretch};
use super::form::{Form, Item};
use super::player_events::{player_resync, player_step};
use crate::answer::problem::Problem;
use crate::matches::body::{Extent, view_properties};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::feed::cursor::NoticeCursor;
use sarsen_matches::feed::follow::MyEvent;
use sarsen_matches::feed::notifier::{Topic, Watch};
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::{Matches, ViewedMatch};

/// The events of all matches of one player.
pub(crate) struct InboxFeed {
    /// The use cases.
    pub(crate) matches: Matches,
    /// Whose.
    pub(crate) player: PlayerId,
    /// The amount of each match that its newest step shows, if it shows anything.
    pub(crate) extent: Option<Extent>,
    /// Indicates whether each event comes in words too.
    pub(crate) text: bool,
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

    fn watch(&self) -> Watch {
        self.matches.watch(Topic::Inbox(self.player.clone()))
    }
}
