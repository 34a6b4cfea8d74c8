//! Bots at the table: who they are, and what there is for them to do.
//!
//! Invariants: a bot sits where the creator has put it for as long as the match lasts, so it is one of the terms; where a
//! player's time has run out, it may play for that player until they are back. It is no
//! player: it is on no list, gives nothing to the dice, and never resigns. What it has to do follows from the match alone.

pub use crate::model::bots::SeatBot;

use crate::model::stored::OpenDecision;
use crate::table::live_match::LiveMatch;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_rules::{Seat, Seats};
use sarsen_store::Stage;

/// A task of bots in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BotTask {
    /// To decline the draw on offer.
    Decline(Seat),
    Decide(Seat, OpenDecision),
}

impl LiveMatch {
    /// The bot that plays on a seat, for itself or for a player whose time has run out.
    pub fn bot(&self, seat: Seat) -> Option<SeatBot> {
        let terms = &self.stored.terms;
        terms.bot(seat).or_else(|| {
            let takeover = terms.clock.filter(|_| self.is_taken_over(seat))?.takeover_bot?;
            Some(SeatBot { level: takeover.level, version: takeover.version })
        })
    }

    /// Returns true if a bot plays for the player of this seat.
    pub(crate) fn is_taken_over(&self, seat: Seat) -> bool {
        self.stored.seats.get(seat.index()).is_some_and(|stored| stored.takeover.is_some())
    }

    /// The seats on which bots play.
    pub(super) fn bot_seats(&self) -> Seats {
        let taken_over = self.seat_count().seats().filter(|seat| self.is_taken_over(*seat)).collect();
        self.stored.terms.bot_seats().union(taken_over)
    }

    /// The open decision of `seat`, if its player is to make it.
    pub fn asks_player(&self, seat: Seat) -> Option<OpenDecision> {
        self.decision(seat).filter(|_| !self.is_taken_over(seat))
    }

    /// The lowest seat of `player` that has a decision of theirs to make.
    pub fn seat_to_act(&self, player: &PlayerId) -> Option<Seat> {
        let own = self.seat_count().seats().filter(|seat| self.is_held_by(*seat, player));
        own.into_iter().find(|seat| self.asks_player(*seat).is_some())
    }

    /// Returns true if one player holds every seat, so that nobody else waits for anything.
    pub(crate) fn is_one_players(&self) -> bool {
        let mut holders = self.seat_count().seats().map(|seat| self.holder(seat).map(|holder| &holder.id));
        let first = holders.next().flatten();
        first.is_some() && holders.all(|holder| holder == first)
    }

    /// Returns true if nobody, person or bot, holds this seat and it is reserved for nobody.
    pub(super) fn is_free(&self, seat: Seat) -> bool {
        self.is_empty(seat) && self.stored.seats.get(seat.index()).is_some_and(|stored| stored.reserved.is_none())
    }

    /// Returns true if nobody, person or bot, holds this seat.
    pub(super) fn is_empty(&self, seat: Seat) -> bool {
        let empty = self.stored.seats.get(seat.index()).is_some_and(|stored| stored.player.is_none());
        empty && self.stored.terms.bot(seat).is_none()
    }

    /// The first task of the bots, and the time since which it waits.
    pub(super) fn bot_task(&self) -> Option<(Timestamp, BotTask)> {
        let stored = &self.stored;
        let bots = self.bot_seats();
        if bots.is_empty() || stored.stage != Stage::Playing {
            return None;
        }
        if !stored.draw.is_empty()
            && let Some(seat) = bots.iter().find(|seat| !stored.draw.contains(seat))
        {
            return Some((stored.updated_at, BotTask::Decline(seat)));
        }
        let open = bots.iter().filter_map(|seat| Some((seat, self.decision(seat)?)));
        let (seat, open) = open.min_by_key(|(seat, open)| (open.version, *seat))?;
        Some((open.at, BotTask::Decide(seat, open)))
    }
}
