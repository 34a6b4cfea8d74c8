//! Taking and leaving seats, starting, calling off, giving up, and agreeing on a draw or a takeback.
//!
//! Invariant: each is one action of the caller's own seat (or of the creator), decided on the version it is
//! committed to. A request that comes `once` more with its idempotency key is answered as it was, before anything else
//! is judged.

use crate::idempotency::{Answered, Idempotency};
use crate::model::adjudication::Adjudication;
use crate::model::fairness::SeatEntropy;
use crate::model::log::Action;
use crate::model::refused::{Forbidden, SeatRefused};
use crate::model::seated::Seated;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Stage, Unread, ViewedMatch};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;

/// The people at a table at the moment when a player was found welcome or barred who is about to sit down there.
#[derive(Clone, Debug)]
pub struct Vetted {
    /// The people.
    pub people: Vec<PlayerId>,
    /// The reason why the player may not sit down with them.
    pub barred: Option<Unread>,
}

impl Vetted {
    /// Refuses a barred player before the start of the match, and one who was not compared with everybody at the table
    /// ([`SeatRefused::OthersCame`]: try again).
    pub(super) fn must_hold(&self, live: &LiveMatch) -> Result<(), Refused> {
        let met = live.people().iter().all(|player| self.people.contains(player));
        match &self.barred {
            _ if live.stored.stage != Stage::Open => Ok(()),
            Some(barred) => Err(barred.clone().into()),
            None if met => Ok(()),
            None => Err(SeatRefused::OthersCame.into()),
        }
    }
}

/// A request to take a seat.
#[derive(Clone, Debug, Default)]
pub struct Joining {
    /// The seat; `None` for the lowest free one.
    pub seat: Option<Seat>,
    /// Entropy for the dice.
    pub entropy: Option<SeatEntropy>,
    /// The invite code of a private match.
    pub invite: Option<String>,
    /// The error if the request could not be read. Only callers who see the match and may join it get it.
    pub unread: Option<Unread>,
    /// The people with whom the caller may sit there, or may not; `None` for anybody.
    pub vetted: Option<Vetted>,
}

impl Matches {
    /// Sits down. A caller who sits there already and asks for nothing else gets the match as it is.
    ///
    /// # Errors
    /// [`Forbidden::SentAway`], [`Refused::Unread`], [`SeatRefused::OthersCame`], [`SeatRefused::Expired`],
    /// [`SeatRefused::NotOpen`], [`SeatRefused::MatchFull`], [`SeatRefused::SeatTaken`], [`SeatRefused::SeatReserved`],
    /// [`SeatRefused::NoSuchSeat`], [`SeatRefused::AlreadySeated`], and those of [`Matches::read`].
    pub async fn join(
        &self,
        player: Seated,
        id: &MatchId,
        joining: Joining,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        let reader = Reader { invite: joining.invite.clone(), ..Reader::player(player.id.clone()) };
        let received = self.received();
        self.step(&reader, id, once, |viewed| {
            if viewed.seat().is_none() {
                viewed.live.must_welcome(&player)?;
                joining.vetted.iter().try_for_each(|vetted| vetted.must_hold(&viewed.live))?;
            }
            if let Some(unread) = &joining.unread {
                return Err(unread.clone().into());
            }
            if let Some(own) = viewed.seat() {
                let same = joining.seat.is_none_or(|seat| seat == own) && joining.entropy.is_none();
                return if same { Ok(None) } else { Err(SeatRefused::AlreadySeated.into()) };
            }
            viewed.live.must_take_in(&player, self.waited(&viewed.live, received))?;
            let seat = joining.seat.map_or_else(|| viewed.live.place_or_refusal(&player.id), Ok)?;
            Ok(Some(Action::Join { seat, player: player.clone(), entropy: joining.entropy.clone() }))
        })
        .await
    }

    /// Gives entropy to the dice before the start. `entropy` is asked for what it reads only when the caller has a seat.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`SeatRefused::NotOpen`].
    pub async fn give_entropy(
        &self,
        reader: &Reader,
        id: &MatchId,
        entropy: Result<SeatEntropy, Unread>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, None, |viewed| {
            let seat = viewed.own_seat()?;
            Ok(Some(Action::Entropy { seat, entropy: entropy.clone()? }))
        })
        .await
    }

    /// Starts a match whose seats are all taken. Creator only.
    ///
    /// # Errors
    /// [`Forbidden::NotCreator`], [`SeatRefused::Expired`], [`SeatRefused::NotOpen`], [`SeatRefused::SeatsOpen`].
    pub async fn start(&self, reader: &Reader, id: &MatchId, once: Option<&Idempotency>) -> Result<Answered, Refused> {
        let received = self.received();
        self.step(reader, id, once, |viewed| {
            creator(viewed, reader)?;
            if viewed.live.has_expired(self.waited(&viewed.live, received)) {
                return Err(SeatRefused::Expired.into());
            }
            Ok(Some(Action::Start))
        })
        .await
    }

    /// Calls off a match before its start. Creator only.
    ///
    /// # Errors
    /// [`Forbidden::NotCreator`], [`SeatRefused::NotOpen`].
    pub async fn abort(&self, reader: &Reader, id: &MatchId, once: Option<&Idempotency>) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            creator(viewed, reader)?;
            Ok(Some(Action::Abort))
        })
        .await
    }

    /// Settles a match while it is played, with a result or without. For its organiser: its creator, who has never sat
    /// there, and only if it is not rated and has tags. `ruling` is asked for what it reads only then.
    ///
    /// # Errors
    /// [`Forbidden::NotCreator`], [`Forbidden::NotOrganiser`], [`Refused::Unread`], [`Refused::Ruling`],
    /// [`Refused::OutOfPlay`].
    pub async fn adjudicate(
        &self,
        reader: &Reader,
        id: &MatchId,
        ruling: Result<(Option<Adjudication>, String), Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            creator(viewed, reader)?;
            viewed.live.must_be_organised()?;
            let (ruling, reason) = ruling.clone()?;
            Ok(Some(Action::Adjudicate { ruling, reason }))
        })
        .await
    }

    /// Resigns.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::OutOfPlay`].
    pub async fn resign(&self, reader: &Reader, id: &MatchId, once: Option<&Idempotency>) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            let own = viewed.own_seat()?;
            let in_play = reader.player.as_ref().and_then(|player| viewed.live.seat_in_play(player));
            // Who holds several seats and names none gives up the next of them.
            Ok(Some(Action::Resign { seat: in_play.filter(|_| reader.as_seat.is_none()).unwrap_or(own) }))
        })
        .await
    }

    /// Has a seat whose time has passed treated as resigned. `absent` is asked for what it reads only when the caller
    /// has a seat.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`Refused::Claim`] and those of
    /// [`Matches::resign`].
    pub async fn claim(
        &self,
        reader: &Reader,
        id: &MatchId,
        absent: Result<Seat, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            let by = viewed.own_seat()?;
            Ok(Some(Action::Claim { seat: absent.clone()?, by }))
        })
        .await
    }
}

macro_rules! steps_of_own_seat {
    ($($(#[$doc:meta])+ $name:ident: $action:ident;)+) => {
        impl Matches {
            $(
                $(#[$doc])+
                pub async fn $name(
                    &self,
                    reader: &Reader,
                    id: &MatchId,
                    once: Option<&Idempotency>,
                ) -> Result<Answered, Refused> {
                    self.step(reader, id, once, |viewed| Ok(Some(Action::$action { seat: viewed.own_seat()? }))).await
                }
            )+
        }
    };
}

steps_of_own_seat! {
    /// Gives up one's own seat before the start.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`SeatRefused::NotOpen`].
    leave: Leave;
    /// Offers a draw, at most once for each move of one's own. The offer is open until somebody declines it, a seat
    /// that has not agreed moves, or a seat resigns.
    ///
    /// # Errors
    /// [`Refused::Draw`] and those of [`Matches::resign`].
    offer_draw: OfferDraw;
    /// Accepts the draw on offer; the match ends when every seat has.
    ///
    /// # Errors
    /// [`Refused::Draw`] and those of [`Matches::resign`].
    accept_draw: AcceptDraw;
    /// Declines the draw on offer.
    ///
    /// # Errors
    /// [`Refused::Draw`] and those of [`Matches::resign`].
    decline_draw: DeclineDraw;
    /// Accepts the takeback on offer; it is done when everybody has whom it takes.
    ///
    /// # Errors
    /// [`Refused::Undo`] and those of [`Matches::resign`].
    accept_takeback: AcceptTakeback;
    /// Declines the takeback on offer.
    ///
    /// # Errors
    /// Those of [`Matches::accept_takeback`].
    decline_takeback: DeclineTakeback;
}

pub(super) fn creator(viewed: &ViewedMatch, reader: &Reader) -> Result<(), Forbidden> {
    let made = reader.player.as_ref().is_some_and(|player| viewed.live.stored.is_made_by(player));
    if made { Ok(()) } else { Err(Forbidden::NotCreator) }
}
