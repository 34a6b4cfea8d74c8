//! Undoing, and offering takebacks.
//!
//! Invariant: a replay makes the earlier state from the log of the very match that the step is committed on. If others
//! were quicker, the undo is judged and replayed again. So a move and an undo at the same moment end in one order or
//! the other.

use crate::idempotency::{Answered, Idempotency};
use crate::model::log::Action;
use crate::model::terms::UndoTerms;
use crate::{Matches, Reader, Refused, Unread};
use sarsen_base::ids::MatchId;

impl Matches {
    /// Puts the match back to an earlier version within the caller's own turn. `to_version` is asked for what it reads only
    /// when the caller has a seat. A match that is there already stays as it is.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`ReadRefused::NoSuchVersion`], [`Refused::OutOfPlay`],
    /// [`Refused::Undo`], and those of [`Matches::read`].
    ///
    /// [`Forbidden::NotSeated`]: crate::model::refused::Forbidden::NotSeated
    /// [`ReadRefused::NoSuchVersion`]: crate::model::refused::ReadRefused::NoSuchVersion
    pub async fn undo(
        &self,
        reader: &Reader,
        id: &MatchId,
        to_version: Result<u64, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            let (seat, to_version) = (viewed.own_seat()?, to_version.clone()?);
            viewed.live.must_be_in_play(seat)?;
            let there = viewed.live.is_put_back(seat, to_version);
            Ok((!there).then_some(Action::Undo { seat, to_version }))
        })
        .await
    }

    /// Offers to put the match back to an earlier version; it is done at once where nobody has to agree. A match that is
    /// there already stays as it is.
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
        self.step(reader, id, once, |viewed| {
            let (seat, to_version) = (viewed.own_seat()?, to_version.clone()?);
            viewed.live.must_be_in_play(seat)?;
            let allowed = viewed.live.undo_terms() == UndoTerms::Consent;
            let there = allowed && viewed.live.is_put_back(seat, to_version);
            Ok((!there).then_some(Action::OfferTakeback { seat, to_version }))
        })
        .await
    }
}
