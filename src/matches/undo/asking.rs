//! Undoing, and offering, accepting and declining takebacks.
//!
//! Invariant: the state that is gone back to is made again from the log of the very match that the step is committed on; if
//! others were quicker, it is judged and made anew. So a move and an undo at the same moment end in one order or the other.

use crate::ids::MatchId;
use crate::matches::idempotency::{Answered, Idempotency};
use crate::matches::log::Action;
use crate::matches::{ATTEMPTS_MAX, Matches, Reader, Refused, Unread, ViewedMatch};
use crate::store::LoadedMatch;

impl Matches {
    /// Puts the match back to an earlier version within the caller's own turn. `to_version` is asked for what it reads only
    /// when the caller has a seat. A match that is there already stays as it is.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`ReadRefused::NoSuchVersion`], [`Refused::OutOfPlay`],
    /// [`Refused::Undo`], or that the match is not to be seen.
    ///
    /// [`Forbidden::NotSeated`]: crate::matches::refused::Forbidden::NotSeated
    /// [`ReadRefused::NoSuchVersion`]: crate::matches::refused::ReadRefused::NoSuchVersion
    pub async fn undo(
        &self,
        reader: &Reader,
        id: &MatchId,
        to_version: Result<u64, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.go_back(reader, id, once, |viewed| {
            let (seat, to_version) = (viewed.own_seat()?, to_version.clone()?);
            viewed.live.must_be_in_play(seat)?;
            let there = viewed.live.is_put_back(seat, to_version);
            Ok((!there).then_some(Action::Undo { seat, to_version }))
        })
        .await
    }

    /// Offers to put the match back to an earlier version; it is done at once where nobody has to agree.
    ///
    /// # Errors
    /// Those of [`Matches::undo`].
    pub async fn offer_takeback(
        &self,
        reader: &Reader,
        id: &MatchId,
        to_version: Result<u64, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.go_back(reader, id, once, |viewed| {
            Ok(Some(Action::OfferTakeback { seat: viewed.own_seat()?, to_version: to_version.clone()? }))
        })
        .await
    }

    /// Accepts the takeback on offer; it is done when everybody has whom it takes.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::OutOfPlay`], [`UndoRefused::NoTakebackOffer`], or that the match is not to be seen.
    ///
    /// [`Forbidden::NotSeated`]: crate::matches::refused::Forbidden::NotSeated
    /// [`UndoRefused::NoTakebackOffer`]: crate::matches::refused::UndoRefused::NoTakebackOffer
    pub async fn accept_takeback(
        &self,
        reader: &Reader,
        id: &MatchId,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.go_back(reader, id, once, |viewed| Ok(Some(Action::AcceptTakeback { seat: viewed.own_seat()? }))).await
    }

    /// Declines the takeback on offer.
    ///
    /// # Errors
    /// Those of [`Matches::accept_takeback`].
    pub async fn decline_takeback(
        &self,
        reader: &Reader,
        id: &MatchId,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.go_back(reader, id, once, |viewed| Ok(Some(Action::DeclineTakeback { seat: viewed.own_seat()? }))).await
    }

    /// The path of a step that may put the match back. It is not taken often, so it begins with a load.
    async fn go_back(
        &self,
        reader: &Reader,
        id: &MatchId,
        once: Option<&Idempotency>,
        decide: impl Fn(&ViewedMatch) -> Result<Option<Action>, Refused>,
    ) -> Result<Answered, Refused> {
        let once = once.zip(reader.player.as_ref()).map(|(once, player)| (once, once.of(player)));
        let received = self.received();
        for _ in 0..ATTEMPTS_MAX {
            let loaded = self.store.load_match(id, once.as_ref().map(|(_, key)| key)).await?;
            if let (Some((once, _)), Some(before @ LoadedMatch { replay: Some(replay), .. })) = (&once, &loaded) {
                return self.answer_again(reader, id, before, replay, once).await;
            }
            let (viewed, _) = self.admit(reader, id, loaded)?;
            // Whose time is over cannot have it back.
            if let Some(seat) = viewed.live.overdue(self.now()) {
                self.run_out(&viewed.live, seat).await?;
                continue;
            }
            let Some(action) = decide(&viewed)? else {
                self.must_last(&viewed.live).await?;
                return Ok(Answered::now(viewed));
            };
            let then = match viewed.live.goes_back_to(&action)? {
                Some(version) => Some(self.match_at(&viewed.live, version).await?.0),
                None => None,
            };
            let mut live = viewed.live.duplicate();
            let entry = live.take_step_back(action, viewed.live.moment(received), then.as_ref())?;
            let remember = once.as_ref().map(|(once, key)| (key.clone(), once.fingerprint.clone()));
            if let Some((live, _)) = self.commit(live, entry, Some(&viewed.live), remember).await? {
                return Ok(Answered::now(live.seen_by(reader, &self.marks)));
            }
        }
        Err(Refused::Busy)
    }
}
