//! Who is expected at a table: seats that are kept for players, until when, and whom the creator sends away.
//!
//! Invariants: whoever is invited may see the match as those who sit there may, but for its invite code; a seat that is
//! kept is taken by nobody else.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::forking::ForkedFrom;
use super::idempotency::{Answered, Idempotency};
use super::live_match::LiveMatch;
use super::log::Action;
use super::refused::{Forbidden, SeatRefused};
use super::seats::creator;
use super::terms::Seated;
use super::{Matches, Reader, Refused, Stage};
use crate::ambient::Timestamp;
use crate::ids::{MatchId, PlayerId};
use crate::rules::Seat;

/// A seat that is kept for a player from the making of the match on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReservedSeat {
    /// Which.
    #[serde(rename = "s")]
    pub seat: Seat,
    /// For whom.
    #[serde(rename = "p")]
    pub player: Seated,
}

/// Who is expected at the table, and what may follow.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TableTerms {
    /// The seats that are kept for players, in order.
    #[serde(rename = "rs", default, skip_serializing_if = "Vec::is_empty")]
    pub reserved: Vec<ReservedSeat>,
    /// For how many seconds from the making of the match on; `None` until it starts or is called off.
    #[serde(rename = "rt", default, skip_serializing_if = "Option::is_none")]
    pub reserved_seconds: Option<u32>,
    /// The match whose rematch it is.
    #[serde(rename = "fm", default, skip_serializing_if = "Option::is_none")]
    pub from_match: Option<MatchId>,
    /// Whether only those who sit there, the creator and holders of an invite see the match while it is played.
    #[serde(rename = "ns", default, skip_serializing_if = "std::ops::Not::not")]
    pub no_spectators: bool,
    /// Whether the creator sits on every seat that is given to nobody else.
    #[serde(rename = "hs", default, skip_serializing_if = "std::ops::Not::not")]
    pub hotseat: bool,
    /// Whether nobody may call for a rematch.
    #[serde(rename = "nr", default, skip_serializing_if = "std::ops::Not::not")]
    pub no_rematch: bool,
    /// The match that it was forked from, and its version.
    #[serde(rename = "fk", default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
}

/// Who may watch a public match while it is played.
///
/// - `open`: Anyone.
/// - `none`: Nobody but its seats and its creator. Before the start and after the end anyone may see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spectators {
    /// Anyone.
    #[default]
    Open,
    /// Nobody but its seats and its creator. Before the start and after the end anyone may see it.
    None,
}

impl TableTerms {
    /// Who may watch.
    pub fn spectators(&self) -> Spectators {
        if self.no_spectators { Spectators::None } else { Spectators::Open }
    }

    /// Whether nothing is settled that is not so everywhere.
    pub(super) fn are_usual(&self) -> bool {
        *self == TableTerms::default()
    }
}

impl LiveMatch {
    /// The seat that is kept for `player`.
    pub(super) fn reserved_seat(&self, player: &PlayerId) -> Option<Seat> {
        let kept = |seat: &Seat| {
            let stored = self.stored.seats.get(seat.index());
            stored.and_then(|stored| stored.reserved.as_ref()).is_some_and(|reserved| reserved.id == *player)
        };
        self.seat_count().seats().find(kept)
    }

    /// Whether a seat is kept for `player`.
    pub(super) fn is_invited(&self, player: &PlayerId) -> bool {
        self.reserved_seat(player).is_some()
    }

    /// Where `player` sits down who asks for no seat: on the one that is kept for them, or else the lowest free one.
    pub(super) fn place_for(&self, player: &PlayerId) -> Option<Seat> {
        let free = || self.seat_count().seats().find(|seat| self.is_free(*seat));
        self.reserved_seat(player).or_else(free)
    }

    /// Refuses a player who is not to sit down here, or not any more.
    ///
    /// # Errors
    /// [`Forbidden::SentAway`], [`SeatRefused::Expired`], [`SeatRefused::NotOpen`].
    pub(super) fn must_take_in(&self, player: &PlayerId, received: Timestamp) -> Result<(), Refused> {
        self.must_welcome(player)?;
        if self.has_expired(received) {
            return Err(SeatRefused::Expired.into());
        }
        if self.stored.stage == Stage::Open { Ok(()) } else { Err(SeatRefused::NotOpen.into()) }
    }

    /// Refuses whom the creator has sent away, and who has handed on a seat.
    pub(super) fn must_welcome(&self, player: &PlayerId) -> Result<(), Forbidden> {
        if self.stored.sent_away.contains(player) { Err(Forbidden::SentAway) } else { Ok(()) }
    }

    /// Until when seats are kept, if any are and their time ends.
    pub(super) fn reserved_until(&self) -> Option<Timestamp> {
        let stored = &self.stored;
        let seconds = stored.terms.table.reserved_seconds?;
        let kept = stored.stage == Stage::Open && stored.seats.iter().any(|seat| seat.reserved.is_some());
        kept.then(|| stored.created_at.plus_seconds(seconds))
    }
}

impl Matches {
    /// Gives up the seat that is kept for the caller.
    ///
    /// # Errors
    /// [`Forbidden::NotInvited`], [`SeatRefused::NotOpen`].
    pub async fn decline(
        &self,
        reader: &Reader,
        id: &MatchId,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            let kept = reader.player.as_ref().and_then(|player| viewed.live.reserved_seat(player));
            Ok(Some(Action::Decline { seat: kept.ok_or(Forbidden::NotInvited)? }))
        })
        .await
    }

    /// Sends away who holds a seat, or for whom it is kept, before the start. Whoever was sent away does not sit down again.
    /// Where nobody is, the match stays as it is. Creator only.
    ///
    /// # Errors
    /// [`Forbidden::NotCreator`], [`Forbidden::NotSentAway`], [`SeatRefused::NoSuchSeat`], [`SeatRefused::NotOpen`].
    pub async fn send_away(&self, reader: &Reader, id: &MatchId, seat: Seat) -> Result<Answered, Refused> {
        self.step(reader, id, None, |viewed| {
            creator(viewed, reader)?;
            let live = &viewed.live;
            if seat.index() >= live.stored.seats.len() {
                return Err(SeatRefused::NoSuchSeat.into());
            }
            let own = reader.player.as_ref().is_some_and(|player| live.is_held_by(seat, player));
            if own || live.stored.terms.bot(seat).is_some() {
                return Err(Forbidden::NotSentAway.into());
            }
            if live.stored.stage != Stage::Open {
                return Err(SeatRefused::NotOpen.into());
            }
            Ok((!live.is_free(seat)).then_some(Action::Kick { seat }))
        })
        .await
    }
}
