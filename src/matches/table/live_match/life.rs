//! The life of a match around its moves: seats, entropy, the start, calling off, draws, leaving.

use super::step::Step;
use super::{LiveMatch, endings};
use crate::model::adjudication::Adjudication;
use crate::model::events::{
    AbortReason, AbsenceClaimed, DrawAccepted, DrawDeclined, DrawOffered, EntropyGiven, HintUsed, LifeEvent,
    MatchAborted, MatchAdjudicated, MatchStarted, PlayerJoined, PlayerLeft, PlayerResigned, StoredEvent,
};
use crate::model::fairness::SeatEntropy;
use crate::model::refused::{ClaimRefused, DrawRefused, Forbidden, OutOfPlay, Refused, SeatRefused};
use crate::model::seated::Seated;
use crate::model::stored::StoredSeat;
use crate::model::terms::StartMode;
use crate::model::track::BarrierReason;
use sarsen_base::ambient::Timestamp;
use sarsen_rules::{Mode, Outcome, Seat, Seats, Verdict};
use sarsen_store::Stage;

/// More versions than this before the start mean that somebody keeps sitting down and getting up.
const OPEN_VERSIONS_MAX: u64 = 200;

impl LiveMatch {
    pub(super) fn join(
        &mut self,
        step: &mut Step,
        seat: Seat,
        player: &Seated,
        entropy: Option<&SeatEntropy>,
    ) -> Result<(), Refused> {
        self.must_be_calm()?;
        self.sit(step, seat, player, entropy)
    }

    pub(super) fn sit(
        &mut self,
        step: &mut Step,
        seat: Seat,
        player: &Seated,
        entropy: Option<&SeatEntropy>,
    ) -> Result<(), Refused> {
        let everywhere = self.stored.terms.table.hotseat && self.stored.is_made_by(&player.id);
        if self.seat_of(&player.id).is_some() && !everywhere {
            return Err(SeatRefused::AlreadySeated.into());
        }
        let stored = self.seat_mut(seat)?;
        let kept_for_another = stored.reserved.as_ref().is_some_and(|reserved| reserved.id != player.id);
        if stored.player.is_some() || self.stored.terms.bot(seat).is_some() {
            return Err(SeatRefused::SeatTaken.into());
        }
        if kept_for_another {
            return Err(SeatRefused::SeatReserved.into());
        }
        // A player who takes another seat gives up the reserved one.
        if let Some(kept) = self.reserved_seat(&player.id) {
            self.seat_mut(kept)?.reserved = None;
        }
        *self.seat_mut(seat)? =
            StoredSeat { player: Some(player.clone()), entropy: entropy.cloned(), ..StoredSeat::default() };
        step.tell(LifeEvent::PlayerJoined(PlayerJoined { seat, player: player.clone() }));
        if entropy.is_some() {
            step.tell(LifeEvent::EntropyGiven(EntropyGiven { seat }));
        }
        self.start_when_full(step)
    }

    /// Starts the match if all seats are taken and nobody has to say so.
    pub(super) fn start_when_full(&mut self, step: &mut Step) -> Result<(), Refused> {
        // What begins with a position is not set up.
        let starts = self.stored.terms.start == StartMode::WhenFull && !self.is_analysis();
        if self.is_full() && starts { self.set_up(step) } else { Ok(()) }
    }

    pub(super) fn leave(&mut self, step: &mut Step, seat: Seat) -> Result<(), SeatRefused> {
        self.must_be_open()?;
        *self.seat_mut(seat)? = StoredSeat::default();
        step.tell(LifeEvent::PlayerLeft(PlayerLeft { seat }));
        Ok(())
    }

    pub(super) fn give_entropy(
        &mut self,
        step: &mut Step,
        seat: Seat,
        entropy: &SeatEntropy,
    ) -> Result<(), SeatRefused> {
        self.must_be_calm()?;
        self.seat_mut(seat)?.entropy = Some(entropy.clone());
        step.tell(LifeEvent::EntropyGiven(EntropyGiven { seat }));
        Ok(())
    }

    pub(super) fn start(&mut self, step: &mut Step) -> Result<(), Refused> {
        self.must_be_open()?;
        if self.is_full() { self.set_up(step) } else { Err(SeatRefused::SeatsOpen.into()) }
    }

    fn set_up(&mut self, step: &mut Step) -> Result<(), Refused> {
        let mut dice = self.dice();
        let set_up = self.game.setup(&self.stored.terms.options, self.seat_count(), &mut dice);
        let set_up = set_up.map_err(|corrupt| self.unreadable(corrupt))?;
        self.stored.dice = dice.position();
        self.stored.stage = Stage::Playing;
        self.stored.invites.clear();
        self.stored.started_at = Some(step.at);
        self.state = Some(set_up.state);
        step.bar(BarrierReason::Chance);
        self.set_clocks();
        step.tell(LifeEvent::MatchStarted(MatchStarted {}));
        step.events.extend(set_up.events.into_iter().map(StoredEvent::Game));
        Ok(self.go_on(step)?)
    }

    pub(super) fn abort(&mut self, step: &mut Step) -> Result<(), SeatRefused> {
        self.must_be_open()?;
        self.end_without_result(step, AbortReason::Creator, None);
        Ok(())
    }

    /// Calls the match off whether it has started or not.
    pub(super) fn call_off(&mut self, step: &mut Step, reason: AbortReason) -> Result<(), OutOfPlay> {
        if self.stored.stage.is_over() {
            return Err(OutOfPlay::MatchOver(self.stored.version));
        }
        self.end_without_result(step, reason, None);
        Ok(())
    }

    /// `seat` is the one on whose account.
    pub(super) fn end_without_result(&mut self, step: &mut Step, reason: AbortReason, seat: Option<Seat>) {
        self.stored.stage = Stage::Aborted;
        self.stored.ended_at = Some(step.at);
        self.stored.draw.clear();
        step.tell(LifeEvent::MatchAborted(MatchAborted { reason, seat }));
    }

    pub(crate) fn is_full(&self) -> bool {
        !self.seat_count().seats().any(|seat| self.is_empty(seat))
    }

    pub(super) fn must_be_open(&self) -> Result<(), SeatRefused> {
        if self.stored.stage == Stage::Open { Ok(()) } else { Err(SeatRefused::NotOpen) }
    }

    /// Refuses when the match is not open, or has been changed so often that only its creator should go on.
    pub(super) fn must_be_calm(&self) -> Result<(), SeatRefused> {
        self.must_be_open()?;
        if self.stored.version < OPEN_VERSIONS_MAX { Ok(()) } else { Err(SeatRefused::TooManyChanges) }
    }

    pub(super) fn seat_mut(&mut self, seat: Seat) -> Result<&mut StoredSeat, SeatRefused> {
        self.stored.seats.get_mut(seat.index()).ok_or(SeatRefused::NoSuchSeat)
    }
}

/// Leaving a match that goes on without the seat, or ends.
impl LiveMatch {
    pub(super) fn resign(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        step.tell(LifeEvent::PlayerResigned(PlayerResigned { seat }));
        self.give_up(step, seat, endings::RESIGNATION)
    }

    pub(super) fn claim(&mut self, step: &mut Step, seat: Seat, by: Seat) -> Result<(), Refused> {
        self.must_be_in_play(by)?;
        self.must_be_absent(seat, by, step.at)?;
        step.tell(LifeEvent::AbsenceClaimed(AbsenceClaimed { seat, claimed_by: by }));
        self.give_up(step, seat, endings::ABANDONED)
    }

    pub(super) fn give_up(&mut self, step: &mut Step, seat: Seat, ending: &'static str) -> Result<(), Refused> {
        let stored = self.seat_mut(seat)?;
        (stored.resigned, stored.takeover) = (true, None);
        self.stored.draw.clear();
        let count = self.seat_count();
        let resigned = self.resigned();
        let active: Seats = count.seats().filter(|seat| !resigned.contains(*seat)).collect();
        let bots = self.stored.terms.bot_seats();
        if self.game.info().mode != Mode::Competitive || active.is_empty() {
            self.finish(step, Outcome::shared(ending, count, Verdict::Lost));
        } else if active.len() == 1 || active.iter().all(|seat| bots.contains(seat)) {
            // Bots do not play on among themselves.
            self.finish(step, Outcome::won_by(ending, count, active));
        } else {
            self.go_on(step)?;
        }
        Ok(())
    }

    /// Refuses unless the match is being played and the seat has not resigned.
    pub(crate) fn must_be_in_play(&self, seat: Seat) -> Result<(), Refused> {
        self.must_be_playing()?;
        self.must_not_have_resigned(seat)
    }

    /// Refuses before the start and after the end.
    ///
    /// # Errors
    /// [`OutOfPlay`], which says which of the two.
    pub(crate) fn must_be_playing(&self) -> Result<(), OutOfPlay> {
        match self.stored.stage {
            Stage::Playing => Ok(()),
            Stage::Open => Err(OutOfPlay::NotStarted),
            Stage::Finished | Stage::Aborted => Err(OutOfPlay::MatchOver(self.stored.version)),
        }
    }

    pub(super) fn must_not_have_resigned(&self, seat: Seat) -> Result<(), Refused> {
        match self.stored.seats.get(seat.index()) {
            Some(stored) if stored.resigned => Err(OutOfPlay::Resigned.into()),
            Some(_) => Ok(()),
            None => Err(SeatRefused::NoSuchSeat.into()),
        }
    }

    fn must_be_absent(&self, seat: Seat, by: Seat, at: Timestamp) -> Result<(), Refused> {
        if self.holder(by).is_some_and(|own| self.is_held_by(seat, &own.id)) {
            return Err(ClaimRefused::OwnSeat.into());
        }
        if self.stored.terms.clock.is_some() {
            return Err(ClaimRefused::Clock.into());
        }
        self.must_not_have_resigned(seat)?;
        if self.decision(seat).is_none() {
            return Err(ClaimRefused::NotToAct.into());
        }
        match self.claimable_at(seat) {
            Some(from) if from <= at => Ok(()),
            from => {
                let left = from.map(|from| (from.0 - at.0).max(0).cast_unsigned().div_ceil(1000));
                Err(ClaimRefused::TooEarly { retry_after_seconds: left }.into())
            }
        }
    }
}

impl LiveMatch {
    /// Refuses where the creator is no organiser of this match: it is rated or has no tags, or the creator has sat there.
    pub(crate) fn must_be_organised(&self) -> Result<(), Forbidden> {
        let terms = &self.stored.terms;
        let apart = self.stored.creator.as_ref().is_some_and(|creator| !self.has_sat(&creator.id));
        let organised = apart && !terms.table.tags.is_empty() && !terms.is_rated();
        if organised { Ok(()) } else { Err(Forbidden::NotOrganiser) }
    }

    pub(super) fn adjudicate(
        &mut self,
        step: &mut Step,
        ruling: Option<&Adjudication>,
        reason: &str,
    ) -> Result<(), Refused> {
        self.must_be_organised()?;
        if let Some(ruling) = ruling {
            ruling.must_be_possible(self.game.info().mode, self.seat_count())?;
        }
        self.must_be_playing()?;
        step.tell(LifeEvent::MatchAdjudicated(MatchAdjudicated { reason: reason.to_owned() }));
        match ruling {
            Some(Adjudication { ranks, verdict }) => {
                let ranks = ranks.iter().map(|rank| (*rank, None));
                self.finish_as(step, Outcome::by_rank(endings::ADJUDICATED, ranks, *verdict));
            }
            None => self.end_without_result(step, AbortReason::Adjudicated, None),
        }
        Ok(())
    }
}

impl LiveMatch {
    /// Tells that a hint is used.
    pub(super) fn use_hint(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.hinted(seat)?;
        step.tell(LifeEvent::HintUsed(HintUsed { seat }));
        Ok(())
    }
}

impl LiveMatch {
    pub(super) fn offer_draw(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        if !self.game.info().draws {
            return Err(DrawRefused::NoDraws.into());
        }
        // One offer for each turn of one's own: an offer is not to be a way to wear the others down.
        if !self.stored.draw.is_empty() || self.stored.draw_offered.contains(&seat) {
            return Err(DrawRefused::DrawOnOffer.into());
        }
        self.stored.draw.push(seat);
        self.stored.draw_offered.push(seat);
        step.tell(LifeEvent::DrawOffered(DrawOffered { seat }));
        Ok(())
    }

    pub(super) fn accept_draw(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        self.must_be_offered(seat)?;
        self.stored.draw.push(seat);
        step.tell(LifeEvent::DrawAccepted(DrawAccepted { seat }));
        let resigned = self.resigned();
        let mut active = self.seat_count().seats().filter(|seat| !resigned.contains(*seat));
        if active.all(|seat| self.stored.draw.contains(&seat)) {
            self.finish(step, Outcome::shared(endings::DRAW_AGREED, self.seat_count(), Verdict::Drawn));
        }
        Ok(())
    }

    pub(super) fn decline_draw(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        self.must_be_offered(seat)?;
        self.stored.draw.clear();
        step.tell(LifeEvent::DrawDeclined(DrawDeclined { seat }));
        Ok(())
    }

    fn must_be_offered(&self, seat: Seat) -> Result<(), DrawRefused> {
        if self.stored.draw.is_empty() || self.stored.draw.contains(&seat) {
            return Err(DrawRefused::NoDrawOffer);
        }
        Ok(())
    }
}
