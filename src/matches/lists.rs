//! Lists of matches, and the lists on which a match belongs.
//!
//! Invariants: the lists on which a match belongs, and its players, are functions of the stored match alone. One match
//! that cannot be read does not hide the others.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::clock::Speed;
use crate::model::table_terms::{AddressMark, TableTerms};
use crate::model::terms::Visibility;
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Stage, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_store::{ListQuery, ListReader, ListScope, Listing};

/// The number of matches fetched at a time for "my turn" and invitations.
const SCAN_PAGE: usize = 200;
/// The most matches that one page of "my turn" looks at.
const SCAN_MAX: usize = 1000;
/// The most open matches made from one address that a page of public ones shows to strangers.
const OF_ONE_ADDRESS: u32 = 3;

/// A question for a list of matches, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchFilter {
    /// Only matches that this player made, sits in or is invited to; otherwise public ones.
    pub player: Option<PlayerId>,
    /// Only matches in which the reader is to act.
    pub my_turn: bool,
    /// Only matches in which a seat is kept for the reader.
    pub invited: bool,
    /// Only matches at this stage.
    pub stage: Option<Stage>,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches with this label.
    pub tag: Option<String>,
    /// Only matches of this speed.
    pub speed: Option<Speed>,
    /// Only matches that are rated, or only others.
    pub rated: Option<bool>,
    /// Only matches with a seat that the reader could take.
    pub joinable: bool,
    /// True for those that wait for their start the shortest first, of the newest that one page looks at; there is no
    /// further page.
    pub by_deadline: bool,
    /// Only matches older than this one.
    pub before: Option<MatchId>,
    /// The address that asks, which sees all that was made from there: people in one house play each other.
    pub near: Option<AddressMark>,
    /// At most this many.
    pub limit: usize,
}

impl Default for MatchFilter {
    /// The twenty newest public matches.
    fn default() -> MatchFilter {
        MatchFilter {
            player: None,
            my_turn: false,
            invited: false,
            stage: None,
            game: None,
            tag: None,
            speed: None,
            rated: None,
            joinable: false,
            by_deadline: false,
            before: None,
            near: None,
            limit: 20,
        }
    }
}

impl MatchFilter {
    /// Returns true if it leaves out matches of the list that it reads.
    fn picks(&self) -> bool {
        self.my_turn
            || self.invited
            || self.joinable
            || self.by_deadline
            || self.tag.is_some()
            || self.speed.is_some()
            || self.rated.is_some()
    }

    /// Returns true if speed, rating and seats of a match are as asked for.
    fn takes(&self, viewed: &ViewedMatch, reader: &Reader) -> bool {
        let (live, terms) = (&viewed.live, &viewed.live.stored.terms);
        let speed = terms.clock.map_or(Speed::Correspondence, |clock| clock.speed());
        self.tag.as_ref().is_none_or(|tag| terms.table.tags.contains(tag))
            && self.speed.is_none_or(|wanted| wanted == speed)
            && self.rated.is_none_or(|wanted| wanted == terms.is_rated())
            && (!self.joinable || live.has_seat_for(reader.player.as_ref()))
    }
}

/// A page of a list of matches.
pub struct ViewedPage {
    /// The matches, newest first.
    pub items: Vec<ViewedMatch>,
    /// The match before which the next page begins, if there may be one.
    pub next: Option<MatchId>,
}

impl Matches {
    /// A page of matches. Of public ones that wait for players it has the newest few from one address, and the next as those
    /// start, each person's first before anybody's second: so nobody fills the lobby of others. With a label it has all, since
    /// who asks for one knows what they look for.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn list(&self, reader: &Reader, filter: &MatchFilter) -> Result<ViewedPage, Refused> {
        self.list_where(reader, filter, async |_: &ViewedMatch| Ok(true)).await
    }

    /// The same of those matches only that suit the caller: looked for page by page like the rest of the filter.
    ///
    /// # Errors
    /// Those of the store, and of `suits`.
    pub async fn list_where<E: From<Refused>>(
        &self,
        reader: &Reader,
        filter: &MatchFilter,
        suits: impl AsyncFnMut(&ViewedMatch) -> Result<bool, E>,
    ) -> Result<ViewedPage, E> {
        let ViewedPage { items, next } = self.suiting_page(reader, filter, suits).await?;
        Ok(ViewedPage { items: self.with_rematches(items).await.map_err(Refused::from)?, next })
    }

    /// The same without a look at what follows each match.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn list_alone(&self, reader: &Reader, filter: &MatchFilter) -> Result<ViewedPage, Refused> {
        self.suiting_page(reader, filter, async |_: &ViewedMatch| Ok(true)).await
    }

    async fn suiting_page<E: From<Refused>>(
        &self,
        reader: &Reader,
        filter: &MatchFilter,
        mut suits: impl AsyncFnMut(&ViewedMatch) -> Result<bool, E>,
    ) -> Result<ViewedPage, E> {
        // Of another player's matches the reader may see some.
        let others = filter.player.is_some() && filter.player != reader.player;
        let mut query = ListQuery {
            scope: filter.player.clone().map_or(ListScope::Public, ListScope::Player),
            stage: match filter {
                MatchFilter { my_turn: true, .. } => Some(Stage::Playing),
                MatchFilter { invited: true, .. } | MatchFilter { joinable: true, .. } => Some(Stage::Open),
                _ => filter.stage,
            },
            game: filter.game.clone(),
            before: filter.before.clone(),
            limit: if filter.picks() { SCAN_PAGE } else { filter.limit },
            seen_by: others.then(|| ListReader(reader.player.clone())),
        };
        let mut items = Vec::new();
        let mut looked_at = 0;
        let is_lobby = filter.player.is_none() && filter.tag.is_none();
        let mut crowd = is_lobby.then(|| Crowd { near: filter.near, counts: HashMap::new() });
        let next = 'pages: loop {
            let page = self.store.list_matches(&query).await.map_err(Refused::from)?;
            let ended = page.len() < query.limit;
            for listed in page {
                // A newer release may share the store, and one match that cannot be read must not hide the others.
                let Some(live) = readable(&listed.id, LiveMatch::open_without_state(&self.games, &listed.stored))
                else {
                    query.before = Some(listed.id);
                    continue;
                };
                query.before = Some(listed.id);
                looked_at += 1;
                let Ok(viewed) = self.let_in(reader, Arc::new(live)) else { continue };
                let turn = reader.player.as_ref().is_some_and(|player| viewed.live.is_to_act(player));
                let invited = reader.player.as_ref().is_some_and(|player| viewed.live.is_invited(player));
                let own = filter.player.is_some() || viewed.insider || invited;
                if (own || viewed.live.is_for_strangers())
                    && (!filter.my_turn || turn)
                    && (!filter.invited || invited)
                    && filter.takes(&viewed, reader)
                    && (filter.by_deadline || suits(&viewed).await?)
                {
                    // The soonest are chosen when all have been looked at.
                    if !filter.by_deadline && crowd.as_mut().is_some_and(|crowd| crowd.has_enough_with(&viewed, reader))
                    {
                        // Many more may follow from the same address.
                        query.limit = SCAN_PAGE;
                        continue;
                    }
                    items.push(viewed);
                    if items.len() == filter.limit && !filter.by_deadline {
                        break 'pages query.before;
                    }
                }
            }
            if ended {
                break None;
            }
            if looked_at >= SCAN_MAX {
                break query.before;
            }
        };
        if is_lobby && query.stage == Some(Stage::Open) && !filter.by_deadline {
            // Among those of a page nobody's second comes before another's first.
            let mut made: HashMap<Option<PlayerId>, usize> = HashMap::new();
            items.sort_by_cached_key(|viewed| {
                let creator = viewed.live.stored.creator.as_ref().map(|creator| creator.id.clone());
                *made.entry(creator).and_modify(|made| *made += 1).or_default()
            });
        }
        let next = next.filter(|_| !filter.by_deadline);
        if filter.by_deadline {
            items.sort_by_key(|viewed| viewed.live.expires_at().unwrap_or(Timestamp(i64::MAX)));
            // Of most of them nobody asks, as the page is full before.
            for viewed in std::mem::take(&mut items) {
                if items.len() < filter.limit
                    && suits(&viewed).await?
                    && !crowd.as_mut().is_some_and(|crowd| crowd.has_enough_with(&viewed, reader))
                {
                    items.push(viewed);
                }
            }
        }
        Ok(ViewedPage { items, next })
    }
}

/// The number of open matches on a page that strangers to them have made, from each address other than the reader's.
struct Crowd {
    near: Option<AddressMark>,
    counts: HashMap<AddressMark, u32>,
}

impl Crowd {
    /// Counts a match that the page may show; returns true if it has enough from its address.
    fn has_enough_with(&mut self, viewed: &ViewedMatch, reader: &Reader) -> bool {
        let ViewedMatch { live, insider, .. } = viewed;
        let own = *insider || reader.player.as_ref().is_some_and(|player| live.is_invited(player));
        let mark = live.stored.terms.table.made_from.filter(|mark| !own && self.near != Some(*mark));
        let Some(mark) = mark.filter(|_| live.stored.stage == Stage::Open) else { return false };
        let count = self.counts.entry(mark).or_default();
        *count += 1;
        *count > OF_ONE_ADDRESS
    }
}

impl LiveMatch {
    /// Returns true if the list of public matches shows it to strangers: until it starts, only while a seat is free.
    fn is_for_strangers(&self) -> bool {
        self.stored.stage != Stage::Open || self.seat_count().seats().any(|seat| self.is_free(seat))
    }

    /// Returns true if `player` has nothing to do with the match yet and could take a seat that is kept for nobody else.
    fn has_seat_for(&self, player: Option<&PlayerId>) -> bool {
        let stored = &self.stored;
        let stranger = player.is_none_or(|player| !stored.is_made_by(player) && !self.has_sat(player));
        let free = self.seat_count().seats().any(|seat| self.is_free(seat));
        stranger && (free || player.is_some_and(|player| self.is_invited(player)))
    }

    /// The lists on which it belongs.
    pub(crate) fn listing(&self) -> Listing {
        Listing {
            game: self.stored.terms.game.clone(),
            stage: self.stored.stage,
            public: self.stored.terms.visibility == Visibility::Public,
            players: self.people(),
        }
    }

    /// Returns true if this is a rematch, of a match at which `player` sat.
    pub fn has_sat_before(&self, player: &PlayerId) -> bool {
        let TableTerms { from_match, reserved, .. } = &self.stored.terms.table;
        let expected = || reserved.iter().any(|kept| kept.player.id == *player);
        from_match.is_some() && (self.stored.is_made_by(player) || expected())
    }

    /// The creator, everyone seated, and those for whom seats are kept.
    pub fn people(&self) -> Vec<PlayerId> {
        let creator = self.stored.creator.as_ref().map(|creator| &creator.id);
        let seats = self.stored.seats.iter().filter_map(|seat| seat.player.as_ref().or(seat.reserved.as_ref()));
        let seated = seats.map(|player| &player.id);
        // Nobody sits twice, or sits and is invited.
        creator.into_iter().chain(seated.filter(|seated| Some(*seated) != creator)).cloned().collect()
    }
}

/// The match, unless this release cannot read it.
fn readable(id: &MatchId, live: Result<LiveMatch, Unreadable>) -> Option<LiveMatch> {
    live.inspect_err(|error| tracing::error!(%id, error = error as &dyn std::error::Error, "a match cannot be read"))
        .ok()
}
