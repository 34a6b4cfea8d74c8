//! Reserved seats and invites: reserving, declining, running out, sending away.

use super::LiveMatch;
use super::step::Step;
use crate::model::clock::SeatClock;
use crate::model::events::{
    AbortReason, DeclineReason, InvitationDeclined, LifeEvent, PlayerInvited, PlayerRemoved, PlayerSubstituted,
};
use crate::model::invite::{INVITES_MAX, StoredInvite};
use crate::model::refused::{Forbidden, OutOfPlay, ReadRefused, Refused, SeatRefused};
use crate::model::seated::Seated;
use crate::model::stored::{StoredSeat, Takeover};
use crate::model::table_terms::ReservedSeat;
use crate::model::track::BarrierReason;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_rules::Seat;

/// The number of players of whom each is the only one for whom the other waits.
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

    /// Keeps a free seat for a player, whom the creator may have sent away before.
    pub(super) fn reserve_later(&mut self, step: &mut Step, seat: Seat, player: &Seated) -> Result<(), Refused> {
        self.must_be_calm()?;
        self.seat_mut(seat)?;
        if !self.is_empty(seat) {
            return Err(SeatRefused::SeatTaken.into());
        }
        if !self.is_free(seat) {
            return Err(SeatRefused::SeatReserved.into());
        }
        if self.seat_of(&player.id).is_some() || self.is_invited(&player.id) {
            return Err(SeatRefused::AlreadySeated.into());
        }
        self.stored.sent_away.retain(|away| *away != player.id);
        let stored = self.seat_mut(seat)?;
        (stored.reserved, stored.reserved_later) = (Some(player.clone()), true);
        let (player, from_match) = (player.clone(), self.stored.terms.table.from_match.clone());
        step.tell(LifeEvent::PlayerInvited(PlayerInvited { seat, player, from_match }));
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
            let stored = self.seat_mut(seat)?;
            if !stored.reserved_later && stored.reserved.take().is_some() {
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
            self.must_hand_on_seats()?;
            let seat = invite.seat.ok_or(SeatRefused::NoSuchSeat)?;
            self.must_be_in_play(seat)?;
            // One at a time for each seat.
            self.stored.invites.retain(|other| other.seat != Some(seat));
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

    /// The player of `seat` has done something: unless a bot has, in their place, they are not away any more.
    pub(super) fn be_back(&mut self, seat: Seat, at: Timestamp) {
        let away = self.has_let_time_pass(seat, at);
        let Some(stored) = self.stored.seats.get_mut(seat.index()) else { return };
        if stored.takeover == Some(Takeover::Plays) {
            return;
        }
        stored.back = away;
        self.stored.invites.retain(|invite| !(invite.while_away && invite.seat == Some(seat)));
    }

    /// Returns true if the seat is offered to others as that of an absent player.
    pub(super) fn is_offered_as_away(&self, seat: Seat, at: Timestamp) -> bool {
        let mut invites = self.stored.invites.iter();
        invites.any(|invite| invite.while_away && invite.seat == Some(seat) && invite.is_good(at))
    }

    /// Returns true if the player of `seat` is away: they have let their time pass, and have done nothing since.
    pub(crate) fn is_away(&self, seat: Seat, at: Timestamp) -> bool {
        self.has_let_time_pass(seat, at) && self.stored.seats.get(seat.index()).is_some_and(|stored| !stored.back)
    }

    fn has_let_time_pass(&self, seat: Seat, at: Timestamp) -> bool {
        let claimable = self.claimable_at(seat).is_some_and(|from| from <= at);
        claimable || self.clock(seat).is_some_and(|clock| clock.timeouts() > 0)
    }

    /// Returns true if `player` sits at this table or has handed on a seat of it, so may have seen a hand.
    pub(crate) fn has_sat(&self, player: &PlayerId) -> bool {
        self.seat_of(player).is_some() || self.stored.sent_away.contains(player)
    }

    /// Refuses to hand on a seat of a rated match, whose result would be another's.
    fn must_hand_on_seats(&self) -> Result<(), Forbidden> {
        if self.stored.terms.is_rated() { Err(Forbidden::RatedSeat) } else { Ok(()) }
    }

    /// Gives a seat to somebody else, with all that belongs to it.
    pub(super) fn substitute(&mut self, step: &mut Step, seat: Seat, to: &Seated) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        self.must_hand_on_seats()?;
        if self.seat_of(&to.id).is_some() {
            return Err(SeatRefused::AlreadySeated.into());
        }
        let stored = self.seat_mut(seat)?;
        let from = stored.player.replace(to.clone()).ok_or(SeatRefused::NoSuchSeat)?;
        (stored.substituted, stored.takeover, stored.back) = (true, None, false);
        stored.clock.iter_mut().for_each(SeatClock::hand_on);
        // What was agreed to was agreed to by another.
        self.stored.draw.clear();
        // A creator who sits down has no say over the seats of others any more.
        let sits = self.stored.is_made_by(&to.id);
        self.stored.invites.retain(|invite| invite.seat != Some(seat) && !(sits && invite.while_away));
        // Nobody plays one hand against another that they have seen.
        self.stored.sent_away.push(from.id.clone());
        // The new player sees everything that the seat sees.
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
