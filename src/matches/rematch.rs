//! Playing again: the match that follows a finished one, with its terms, and seats rotated by one.
//!
//! Invariants:
//! - The id of a rematch is a function of the id and the end of the match before. So one commit creates it, which
//!   succeeds once, whichever caller and instance is first. An instance that dies leaves nothing to repair: the match
//!   is there or it is not, and the next caller joins or makes it.
//! - A rematch that was called off before its start blocks nobody: the next call makes another, which follows it in the
//!   same manner. While that one is there, the called-off one is kept, since the way leads over it.
//! - The finished match stays as it is, and so do its record and archive. A read looks up the match that follows, which
//!   is no part of the version.

use std::sync::Arc;

use futures_util::future::try_join_all;

use crate::access::called_off;
use crate::create::{Maker, NewMatch};
use crate::idempotency::{Answered, Idempotency};
use crate::model::clock::Speed;
use crate::model::log::Action;
use crate::model::refused::{Forbidden, ReadRefused, RematchRefused, SeatRefused, Unreadable};
use crate::model::seated::Seated;
use crate::model::table_terms::{AddressMark, ReservedSeat, TableTerms};
use crate::model::terms::Terms;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Stage, Unread, ViewedMatch};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;
use sarsen_store::StoreError;

/// The time for which seats are reserved for those who sat there before, in seconds: a day.
const RESERVED_SECONDS: u32 = 24 * 60 * 60;
/// The same if they are about to play on: ten minutes.
const RESERVED_SECONDS_LIVE: u32 = 10 * 60;
/// The number of rematches of one match that can be called off; then it has had its last.
const CALLED_OFF_MAX: usize = 20;
/// A player with less than this for a decision plays without going away, in seconds.
const LIVE_MOVE_SECONDS: u32 = 60 * 60;

impl LiveMatch {
    /// The id of the match that may follow this one.
    ///
    /// # Errors
    /// [`ReadRefused::NotOver`], [`RematchRefused::Off`].
    pub(super) fn next_id(&self) -> Result<MatchId, Refused> {
        let stored = &self.stored;
        let ended = stored.ended_at.filter(|_| stored.stage == Stage::Finished).ok_or(ReadRefused::NotOver)?;
        if stored.terms.table.no_rematch {
            return Err(RematchRefused::Off.into());
        }
        Ok(stored.id.following(ended))
    }

    /// The same table once more, for the caller, who sat on `own`; nobody is expected of whom `is_gone` says so.
    fn again(&self, own: Seat, caller: &PlayerId, is_gone: impl Fn(&PlayerId) -> bool) -> Result<NewMatch, Unreadable> {
        let (stored, seats, like) = (&self.stored, self.seat_count(), self.like()?);
        let next = |seat: Seat| Seat::new((seat.number() + 1) % seats.get()).unwrap_or(seat);
        let mut reserved: Vec<ReservedSeat> = Vec::new();
        for seat in seats.seats() {
            let Some(player) = stored.seats.get(seat.index()).and_then(|stored| stored.player.clone()) else {
                continue;
            };
            // A player who held several seats gets one of them reserved.
            let is_expected = player.id != *caller && reserved.iter().all(|other| other.player.id != player.id);
            if is_expected && !is_gone(&player.id) {
                reserved.push(ReservedSeat { seat: next(seat), player });
            }
        }
        Ok(NewMatch {
            seat: Some(next(own)),
            bots: like.bots.iter().map(|&(seat, level)| (next(seat), level)).collect(),
            table: TableTerms {
                reserved,
                reserved_seconds: Some(reserved_seconds(&stored.terms)),
                from_match: Some(stored.id.clone()),
                // Only who made the table sits everywhere.
                hotseat: like.table.hotseat && stored.is_made_by(caller),
                ..like.table
            },
            ..like
        })
    }
}

fn reserved_seconds(terms: &Terms) -> u32 {
    let live = match terms.clock {
        Some(clock) => clock.speed() == Speed::Live,
        None => terms.move_time_seconds.is_some_and(|seconds| seconds < LIVE_MOVE_SECONDS),
    };
    if live { RESERVED_SECONDS_LIVE } else { RESERVED_SECONDS }
}

impl Matches {
    /// Calls for a rematch of a finished match in which the caller sat, or joins the one that was called for. Repeated, it
    /// answers that match as it is. `count` counts one that the lobby may list, before it is made, and returns the mark of the
    /// address that it is made from.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Forbidden::NoPrograms`], [`ReadRefused::NotOver`], [`RematchRefused::Off`], those of
    /// `count` and of [`Matches::create`] where nobody has called before, and those of [`Matches::join`] where somebody has.
    pub async fn rematch(
        &self,
        reader: &Reader,
        player: Seated,
        id: &MatchId,
        count: impl AsyncFn() -> Result<AddressMark, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        let before = self.read(reader, id).await?;
        let own = before.own_seat()?;
        let key = once.map(|once| (once, once.of(&player.id)));
        for _ in 0..crate::ATTEMPTS_MAX {
            let (mut next, mut called) = (before.live.next_id()?, 0);
            let there = loop {
                let loaded = self.store.load_match(&next, key.as_ref().map(|(_, key)| key)).await?;
                let Some(loaded) = loaded else { break false };
                // A call whose match has been called off since is answered as it was.
                if let Some((once, _)) = key.as_ref()
                    && let Some(replay) = &loaded.replay
                {
                    return self.answer_again(reader, &next, &loaded, replay, once).await;
                }
                let Some(ended) = called_off(&loaded.stored) else { break true };
                called += 1;
                if called == CALLED_OFF_MAX {
                    return Err(SeatRefused::TooManyChanges.into());
                }
                next = next.following(ended);
            };
            if there {
                let insider = Reader { admitted: true, ..reader.clone() };
                return self.sit_down_again(player, &insider, &next, once).await;
            }
            let mut new = before.live.again(own, &player.id, |player| self.statuses.is_gone(player))?;
            if self.may_be_listed(&new) {
                new.table.made_from = Some(count().await?);
            }
            let (live, entry) = self.lay_out(next.clone(), Maker::Player(player.clone()), new)?;
            let _room = self.room_for(&live).await?;
            self.keep_invite_code(&live).await?;
            let remember = key.as_ref().map(|(once, key)| (key.clone(), once.fingerprint.clone()));
            if let Some((live, _)) = self.commit(live, entry, None, remember).await? {
                return Ok(Answered::now(live.seen_by(reader, &self.statuses)));
            }
            if self.store.standing(&next).await?.is_none() {
                // Nobody was quicker, so it was made before and has been deleted since.
                return Err(ReadRefused::MatchNotFound.into());
            }
        }
        Err(Refused::Busy)
    }

    /// Gives up the seat that the rematch of a match reserves for the caller. A caller who has given it up already gets
    /// the match as it is.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`ReadRefused::NotOver`], [`RematchRefused::Off`], and those of [`Matches::decline`].
    pub async fn decline_rematch(&self, player: &PlayerId, id: &MatchId) -> Result<Answered, Refused> {
        let before = self.read(&Reader::player(player.clone()), id).await?;
        before.own_seat()?;
        before.live.next_id()?;
        let next = self.rematch_of(&before.live).await?.ok_or(Forbidden::NotInvited)?;
        // The players of the match before may see its rematch, even a private one.
        let insider = Reader { admitted: true, ..Reader::player(player.clone()) };
        self.step(&insider, &next, None, |viewed| {
            let live = &viewed.live;
            if let Some(seat) = live.reserved_seat(player) {
                return Ok(Some(Action::Decline { seat }));
            }
            let was_kept = live.stored.terms.table.reserved.iter().any(|kept| kept.player.id == *player);
            let given_up = was_kept && viewed.seat().is_none() && self.may_see_rematch(player, live);
            if given_up { Ok(None) } else { Err(Forbidden::NotInvited.into()) }
        })
        .await
    }

    /// Returns true if a player who sat at the match before, and is not expected here, may see this one. Until it
    /// starts it has nothing to hide.
    fn may_see_rematch(&self, player: &PlayerId, live: &Arc<LiveMatch>) -> bool {
        live.stored.started_at.is_none() || self.let_in(&Reader::player(player.clone()), Arc::clone(live)).is_ok()
    }

    async fn sit_down_again(
        &self,
        player: Seated,
        insider: &Reader,
        next: &MatchId,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        let received = self.received();
        self.step(insider, next, once, |viewed| {
            let (live, stored) = (&viewed.live, &viewed.live.stored);
            if viewed.seat().is_some() {
                return Ok(None);
            }
            if stored.stage == Stage::Aborted {
                let may_see = self.may_see_rematch(&player.id, live);
                return if may_see { Ok(None) } else { Err(SeatRefused::NotOpen.into()) };
            }
            live.must_take_in(&player, self.waited(live, received))?;
            let seat = live.place_or_refusal(&player.id)?;
            Ok(Some(Action::Join { seat, player: player.clone(), entropy: None }))
        })
        .await
    }

    /// The match as the reader may see it, with the one that follows it, if one does.
    ///
    /// # Errors
    /// Those of [`Matches::read`].
    pub async fn read_with_rematch(&self, reader: &Reader, id: &MatchId) -> Result<ViewedMatch, Refused> {
        Ok(self.with_rematch(self.read(reader, id).await?).await?)
    }

    /// The match that follows, if one does: of several the last, before which all were called off.
    pub(super) async fn rematch_of(&self, live: &LiveMatch) -> Result<Option<MatchId>, StoreError> {
        let Ok(mut next) = live.next_id() else { return Ok(None) };
        let mut found = None;
        for _ in 0..CALLED_OFF_MAX {
            if self.store.standing(&next).await?.is_none() {
                break;
            }
            let ended = self.store.load_match(&next, None).await?.and_then(|loaded| called_off(&loaded.stored));
            let after = ended.map(|ended| next.following(ended));
            found = Some(next);
            match after {
                Some(after) => next = after,
                None => break,
            }
        }
        Ok(found)
    }

    /// Returns true if this is a rematch that was called off before its start, and another was called for since.
    pub(super) async fn is_followed_by_another(&self, live: &LiveMatch) -> Result<bool, StoreError> {
        let stored = &live.stored;
        let rematch = stored.terms.table.from_match.is_some() && stored.stage == Stage::Aborted;
        match stored.ended_at.filter(|_| rematch && stored.started_at.is_none()) {
            Some(ended) => Ok(self.store.standing(&stored.id.following(ended)).await?.is_some()),
            None => Ok(false),
        }
    }

    /// The same with the match that follows, if one does.
    pub(super) async fn with_rematch(&self, viewed: ViewedMatch) -> Result<ViewedMatch, StoreError> {
        Ok(ViewedMatch { rematch: self.rematch_of(&viewed.live).await?, ..viewed })
    }

    /// Several of them.
    pub(super) async fn with_rematches(&self, viewed: Vec<ViewedMatch>) -> Result<Vec<ViewedMatch>, StoreError> {
        try_join_all(viewed.into_iter().map(|viewed| self.with_rematch(viewed))).await
    }
}
