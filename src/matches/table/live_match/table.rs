//! Seats that are kept for players, and invites: whom seats are kept for, who declines, whose time is over, who is sent away.

use super::LiveMatch;
use super::step::Step;
use crate::model::clock::SeatClock;
use crate::model::events::{
    AbortReason, DeclineReason, InvitationDeclined, LifeEvent, PlayerInvited, PlayerRemoved, PlayerSubstituted,
};
use crate::model::invite::{INVITES_MAX, StoredInvite};
use crate::model::refused::{Forbidden, OutOfPlay, ReadRefused, Refused, SeatRefused};
use crate::model::seated::Seated;
use crate::model::stored::StoredSeat;
use crate::model::table_terms::ReservedSeat;
use crate::model::track::{BarrierReason, Passed};
use sarsen_base::ambient::Timestamp;
use sarsen_rules::Seat;

/// Of so many players each is the only one whom the other waits for.
const TWO: usize = 2;

impl LiveMatch {
    /// Keeps the seats that the terms name.
    pub(super) fn reserve(&mut self, step: &mut Step) -> Result<(), SeatRefused> {
        let table = self.stored.terms.table.clone();
        for ReservedSeat { seat, player } in table.reserved {
            self.seat_mut(seat)?;
            if !self.is_free(seat) {
                return Err(SeatRefused::SeatTaken);
            }
            self.seat_mut(seat)?.reserved = Some(player.clone());
            let from_match = table.from_match.clone();
            step.tell(LifeEvent::PlayerInvited(PlayerInvited { seat, player, from_match }));
        }
        Ok(())
    }

    pub(super) fn decline(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_open()?;
        self.seat_mut(seat)?.reserved.take().ok_or(Forbidden::NotInvited)?;
        step.tell(LifeEvent::InvitationDeclined(InvitationDeclined { seat, reason: DeclineReason::Declined }));
        Ok(self.call_off_without_the_other(step, AbortReason::Declined)?)
    }

    pub(super) fn end_reservations(&mut self, step: &mut Step) -> Result<(), Refused> {
        self.must_be_open()?;
        for seat in self.seat_count().seats() {
            if self.seat_mut(seat)?.reserved.take().is_some() {
                step.tell(LifeEvent::InvitationDeclined(InvitationDeclined { seat, reason: DeclineReason::Expired }));
            }
        }
        Ok(self.call_off_without_the_other(step, AbortReason::Expired)?)
    }

    /// A rematch of two is one with the other or none.
    fn call_off_without_the_other(&mut self, step: &mut Step, reason: AbortReason) -> Result<(), OutOfPlay> {
        let rematch_of_two = self.stored.terms.table.from_match.is_some() && self.stored.seats.len() == TWO;
        if rematch_of_two { self.call_off(step, reason) } else { Ok(()) }
    }

    /// Adds an invite, and forgets those that are good no more.
    pub(super) fn add_invite(&mut self, step: &mut Step, invite: &StoredInvite) -> Result<(), Refused> {
        if invite.substitutes {
            let seat = invite.seat.ok_or(SeatRefused::NoSuchSeat)?;
            self.must_be_in_play(seat)?;
            // One at a time for each seat.
            self.stored.invites.retain(|other| other.seat != Some(seat));
            step.passed = Some(Passed::Talk(seat));
        } else {
            self.must_be_calm()?;
        }
        if let Some(seat) = invite.seat.filter(|_| !invite.substitutes) {
            self.seat_mut(seat)?;
            match self.is_free(seat) {
                true => {}
                false if self.is_empty(seat) => return Err(SeatRefused::SeatReserved.into()),
                false => return Err(SeatRefused::SeatTaken.into()),
            }
        }
        self.stored.invites.retain(|invite| invite.is_good(step.at));
        if self.stored.invites.len() >= INVITES_MAX {
            return Err(SeatRefused::TooManyChanges.into());
        }
        self.stored.invites.push(invite.clone());
        Ok(())
    }

    pub(super) fn use_invite(&mut self, hash: &str, at: Timestamp) -> Result<(), ReadRefused> {
        let mut invites = self.stored.invites.iter_mut();
        let invite = invites.find(|invite| invite.hash == hash && invite.is_good(at));
        invite.ok_or(ReadRefused::WrongInvite)?.left -= 1;
        Ok(())
    }

    /// The seat has moved: unless a bot has moved for it, its player is not away any more.
    pub(super) fn be_back(&mut self, seat: Seat) {
        if !self.is_taken_over(seat) {
            self.stored.invites.retain(|invite| !(invite.while_away && invite.seat == Some(seat)));
        }
    }

    /// Gives a seat to somebody else, with all that belongs to it.
    pub(super) fn substitute(&mut self, step: &mut Step, seat: Seat, to: &Seated) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        if self.seat_of(&to.id).is_some() {
            return Err(SeatRefused::AlreadySeated.into());
        }
        let stored = self.seat_mut(seat)?;
        let from = stored.player.replace(to.clone()).ok_or(SeatRefused::NoSuchSeat)?;
        (stored.substituted, stored.takeover) = (true, None);
        stored.clock.iter_mut().for_each(SeatClock::hand_on);
        // What was agreed to was agreed to by another.
        self.stored.draw.clear();
        self.stored.invites.retain(|invite| invite.seat != Some(seat));
        // Nobody plays one hand against another that they have seen.
        self.stored.sent_away.push(from.id.clone());
        // Whoever comes sees what the seat sees.
        step.bar(BarrierReason::Revealed);
        step.tell(LifeEvent::PlayerSubstituted(PlayerSubstituted { seat, from, to: to.clone() }));
        Ok(())
    }

    pub(super) fn kick(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_open()?;
        let StoredSeat { player, reserved, .. } = std::mem::take(self.seat_mut(seat)?);
        let Some(gone) = player.or(reserved) else { return Err(SeatRefused::NoSuchSeat.into()) };
        self.stored.sent_away.push(gone.id);
        step.tell(LifeEvent::PlayerRemoved(PlayerRemoved { seat }));
        Ok(())
    }
}
