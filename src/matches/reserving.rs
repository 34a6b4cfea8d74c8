//! Reserved seats: for which players, and until when. Also the players whom the creator sends away.
//!
//! Invariants: an invited player may see the match as a seated one may, but for its invite code. A reserved seat is
//! taken by nobody else.

use crate::idempotency::{Answered, Idempotency};
use crate::model::log::Action;
use crate::model::refused::{Forbidden, SeatRefused};
use crate::model::seated::Seated;
use crate::seats::creator;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Stage, Unread};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;

impl LiveMatch {
    /// The seat that is kept for `player`.
    pub(super) fn reserved_seat(&self, player: &PlayerId) -> Option<Seat> {
        let kept = |seat: &Seat| {
            let stored = self.stored.seats.get(seat.index());
            stored.and_then(|stored| stored.reserved.as_ref()).is_some_and(|reserved| reserved.id == *player)
        };
        self.seat_count().seats().find(kept)
    }

    /// Returns true if a seat is reserved for `player`.
    pub fn is_invited(&self, player: &PlayerId) -> bool {
        self.reserved_seat(player).is_some()
    }

    /// The seat for a `player` who asks for none: the one that is reserved for them, or else the lowest free one.
    pub(super) fn place_for(&self, player: &PlayerId) -> Option<Seat> {
        let free = || self.seat_count().seats().find(|seat| self.is_free(*seat));
        self.reserved_seat(player).or_else(free)
    }

    /// The same, or the refusal if there is none.
    pub(super) fn place_or_refusal(&self, player: &PlayerId) -> Result<Seat, SeatRefused> {
        let kept = self.stored.seats.iter().any(|seat| seat.reserved.is_some());
        let none = if kept { SeatRefused::SeatReserved } else { SeatRefused::MatchFull };
        self.place_for(player).ok_or(none)
    }

    /// Refuses a player who is not to sit down here, or not any more at this moment, outages left out.
    ///
    /// # Errors
    /// [`Forbidden::SentAway`], [`Forbidden::NoPrograms`], [`SeatRefused::Expired`], [`SeatRefused::NotOpen`].
    pub(super) fn must_take_in(&self, player: &Seated, waited: Timestamp) -> Result<(), Refused> {
        self.must_welcome(player)?;
        if self.has_expired(waited) {
            return Err(SeatRefused::Expired.into());
        }
        if self.stored.stage == Stage::Open { Ok(()) } else { Err(SeatRefused::NotOpen.into()) }
    }

    /// Refuses a player whom the creator has sent away, or who has handed on a seat, and a bot account where none may sit.
    ///
    /// # Errors
    /// [`Forbidden::SentAway`], [`Forbidden::NoPrograms`], [`Forbidden::OtherKind`].
    pub(super) fn must_welcome(&self, player: &Seated) -> Result<(), Forbidden> {
        if self.stored.sent_away.contains(&player.id) {
            return Err(Forbidden::SentAway);
        }
        self.must_suit(player)
    }

    /// Refuses a bot account where none may sit, and at a rated table a player of another kind than the others.
    pub(super) fn must_suit(&self, player: &Seated) -> Result<(), Forbidden> {
        let mut there = self.stored.seats.iter().filter_map(|seat| seat.player.as_ref().or(seat.reserved.as_ref()));
        if !self.stored.terms.table.takes(player) {
            return Err(Forbidden::NoPrograms);
        }
        let suits = !self.stored.terms.is_rated() || there.all(|other| other.kind == player.kind);
        if suits { Ok(()) } else { Err(Forbidden::OtherKind) }
    }

    /// The time until which seats are reserved, if any are and it ends.
    pub(super) fn reserved_until(&self) -> Option<Timestamp> {
        let stored = &self.stored;
        let seconds = stored.terms.table.reserved_seconds?;
        let mut kept = stored.seats.iter().filter(|seat| seat.reserved.is_some() && !seat.reserved_later);
        let kept = stored.stage == Stage::Open && kept.next().is_some();
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

    /// Keeps a free seat for a player, whom that welcomes again if they were sent away. Where it is kept for them already the
    /// match stays as it is. Creator only; `player` is asked for what it reads only when the caller is that.
    ///
    /// # Errors
    /// [`Forbidden::NotCreator`], [`Refused::Unread`], [`Forbidden::NoPrograms`], [`SeatRefused::NoSuchSeat`],
    /// [`SeatRefused::NotOpen`], [`SeatRefused::SeatTaken`], [`SeatRefused::SeatReserved`], [`SeatRefused::AlreadySeated`],
    /// [`SeatRefused::TooManyChanges`].
    pub async fn keep_seat(
        &self,
        reader: &Reader,
        id: &MatchId,
        seat: Seat,
        player: Result<Seated, Unread>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, None, |viewed| {
            creator(viewed, reader)?;
            let player = player.clone()?;
            viewed.live.must_suit(&player)?;
            let kept = viewed.live.reserved_seat(&player.id) == Some(seat);
            Ok((!kept).then_some(Action::Reserve { seat, player }))
        })
        .await
    }

    /// Sends away the player who holds a seat, or for whom it is reserved, before the start. A player who was sent away
    /// cannot sit down again, unless a seat is reserved for them. Where nobody is, the match stays as it is. Creator
    /// only.
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
