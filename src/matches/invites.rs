//! Invites: codes that open one match to a number of people, until a moment.
//!
//! Invariants:
//! - Nobody keeps a code but those who were given it: the store has its hash. A hash leads to its match. The match
//!   alone says whether the code is valid, for which seat, and for how many more uses. So a use and the seat that it
//!   gives are one step.
//! - The store keeps the hash before the match knows it. An instance that stops between the two leaves the match and
//!   its earlier invites unchanged, and a hash that opens nothing and expires.
//! - A code that is unknown, used up or expired gets the same answer as one of a match that has begun.
//! - The invite code of a private match, one of its terms, is an invite to any seat for as long as the match is there.

use std::sync::Arc;

use serde::Deserialize;

use aws_lc_rs::digest::{SHA256, digest};

use crate::idempotency::{Answered, Idempotency};
use crate::model::fairness::SeatEntropy;
use crate::model::log::Action;
use crate::model::refused::{Forbidden, ReadRefused, SeatRefused, Unreadable};
use crate::model::seated::Seated;
use crate::seats::Vetted;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Stage, Unread, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_rules::Seat;
use sarsen_store::{Outage, StoreError};

use crate::model::invite::StoredInvite;

/// An invite that somebody asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewInvite {
    /// The seat that it is for; any free one if there is none.
    pub seat: Option<Seat>,
    /// True if it is to take over that seat, or else one of the caller's own, while the match is played.
    pub substitutes: bool,
    /// The number of people for whom it is valid.
    pub uses: u8,
    /// The validity in seconds.
    pub seconds: u32,
}

/// An invite with its code, for the caller who made it.
#[derive(Clone, PartialEq, Eq)]
pub struct MadeInvite {
    /// Its code.
    pub code: String,
    /// The seat that it is for.
    pub seat: Option<Seat>,
    /// The time at which it expires.
    pub until: Timestamp,
}

/// The match and the seat that an invite opens.
pub struct OpenInvite {
    /// The match, as anybody sees it.
    pub viewed: ViewedMatch,
    /// The seat that the invite is for.
    pub seat: Option<Seat>,
    /// The time at which it expires; `None` if it lasts as long as the match.
    pub until: Option<Timestamp>,
}

/// The longest time for which the hash of the invite code of a private match is kept, in seconds: ten years. It is
/// forgotten with the match.
const CODE_SECONDS: u32 = 10 * 366 * 24 * 60 * 60;

/// The hash of a code, as text.
fn hashed(code: &str) -> String {
    hex::encode(digest(&SHA256, format!("sarsen/invite/1{code}").as_bytes()))
}

/// The key under which the store keeps the match of a code with this hash.
fn key_of(hash: &str) -> String {
    format!("invite:{hash}")
}

/// The tickets that lead to a stored match, to be kept with it where it is transferred. Each code that is valid at this
/// moment gives the name of its ticket and its remaining validity in seconds.
pub fn tickets_of(stored: &[u8], at: Timestamp) -> Vec<(String, u32)> {
    let Invited { terms, invites } = serde_json::from_slice(stored).unwrap_or_default();
    let good = invites.into_iter().filter(|invite| invite.is_good(at));
    let left = |until: Timestamp| u32::try_from(until.0.saturating_sub(at.0) / 1000 + 1).unwrap_or(u32::MAX);
    let of_terms = terms.code.map(|code| (key_of(&hashed(&code)), CODE_SECONDS));
    good.map(|invite| (key_of(&invite.hash), left(invite.until))).chain(of_terms).collect()
}

/// The codes of a stored match, of which the rest need not be readable.
#[derive(Default, Deserialize)]
struct Invited {
    #[serde(rename = "t", default)]
    terms: InvitedTerms,
    #[serde(rename = "iv", default)]
    invites: Vec<StoredInvite>,
}

#[derive(Default, Deserialize)]
struct InvitedTerms {
    #[serde(rename = "i", default)]
    code: Option<String>,
}

/// The seat to be taken over, and whether it is the caller's own or that of an absent player. Only a creator who has
/// never sat at the table offers the latter: a player could have a friend look into the hand of an opponent.
fn offered(
    viewed: &ViewedMatch,
    reader: &Reader,
    seat: Option<Seat>,
    now: Timestamp,
    outages: &[Outage],
) -> Result<(Seat, bool), Forbidden> {
    let live = &viewed.live;
    if live.is_analysis() {
        return Err(Forbidden::AnalysisAlone);
    }
    let own = viewed.own_seat();
    let Some(seat) = seat else { return own.map(|seat| (seat, false)) };
    let holds = reader.player.as_ref().is_some_and(|player| live.is_held_by(seat, player));
    if holds {
        own?;
    }
    // What an outage has taken is made good to the absent before anybody takes the seat.
    let counted = Timestamp(now.0.saturating_sub(live.owed(seat, outages, now)));
    let made = reader.player.as_ref().is_some_and(|asker| live.stored.is_made_by(asker) && !live.has_sat(asker));
    if holds || (made && live.is_away(seat, counted)) { Ok((seat, !holds)) } else { Err(Forbidden::NotOffered) }
}

impl LiveMatch {
    fn invite(&self, hash: &str, at: Timestamp) -> Option<&StoredInvite> {
        let stage = self.stored.stage;
        let fits = |invite: &StoredInvite| stage == if invite.substitutes { Stage::Playing } else { Stage::Open };
        self.stored.invites.iter().find(|invite| invite.hash == hash && invite.is_good(at) && fits(invite))
    }
}

impl Matches {
    /// Makes an invite to a match that has not started, for its seats and its creator. `asked` is asked for what it reads
    /// only when the caller is one of them.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`SeatRefused::NotOpen`], [`SeatRefused::NoSuchSeat`],
    /// [`SeatRefused::SeatTaken`], [`SeatRefused::SeatReserved`], [`SeatRefused::TooManyChanges`]; of one to take over a seat
    /// [`Forbidden::NotOffered`], [`Forbidden::AnalysisAlone`] and [`Refused::OutOfPlay`].
    pub async fn make_invite(
        &self,
        reader: &Reader,
        id: &MatchId,
        asked: Result<NewInvite, Unread>,
    ) -> Result<MadeInvite, Refused> {
        let (code, received) = (self.invite_code(), self.received());
        let hash = hashed(&code);
        let outages = match asked.as_ref() {
            Ok(NewInvite { substitutes: true, .. }) => self.outage_detector.wait(&self.ambient, None).await?,
            _ => Arc::default(),
        };
        let invite = |viewed: &ViewedMatch| {
            if !viewed.insider {
                return Err(Refused::from(Forbidden::NotSeated));
            }
            let NewInvite { seat, substitutes, uses, seconds } = asked.clone()?;
            let (seat, while_away) = match substitutes {
                true => offered(viewed, reader, seat, received, &outages).map(|(seat, away)| (Some(seat), away))?,
                false => (seat, false),
            };
            let until = viewed.live.moment(received).plus_seconds(seconds);
            let hash = hash.clone();
            Ok(Some(Action::Invite { invite: StoredInvite { hash, seat, substitutes, while_away, left: uses, until } }))
        };
        let (key, seconds) = (key_of(&hash), asked.as_ref().map_or(0, |asked| asked.seconds));
        let keep = || self.store.put_ticket(&key, id.as_str().as_bytes().to_vec(), seconds);
        // Of what is refused nothing is kept.
        let judged = |viewed: &ViewedMatch| match invite(viewed)? {
            Some(action) => viewed.live.duplicate().take_step(action, viewed.live.moment(received)).map(drop),
            None => Ok(()),
        };
        let allowed = judged(&self.read(reader, id).await?).is_ok();
        if allowed {
            keep().await?;
        }
        let made = self.step(reader, id, None, invite).await?;
        if !allowed {
            // It has been allowed since.
            keep().await?;
        }
        let kept = made.viewed.live.stored.invites.iter().find(|made| made.hash == hash);
        let StoredInvite { seat, until, .. } =
            kept.ok_or_else(|| Unreadable::new("an invite that was made is not kept"))?;
        Ok(MadeInvite { code, seat: *seat, until: *until })
    }

    /// Returns the match and the seat that a code opens.
    ///
    /// # Errors
    /// [`ReadRefused::WrongInvite`].
    pub async fn invitation(&self, code: &str) -> Result<OpenInvite, Refused> {
        let hash = hashed(code);
        let id = self.invited_to(&hash).await?;
        let live = self.as_it_stands(&id).await?.ok_or(ReadRefused::WrongInvite)?;
        let (seat, until) = match live.invite(&hash, self.received()) {
            Some(invite) => (invite.seat, Some(invite.until)),
            // The code of a private match always lets its holder look at the match.
            None if live.is_opened_by(code) => (None, None),
            None => return Err(ReadRefused::WrongInvite.into()),
        };
        Ok(OpenInvite { viewed: live.seen_by(&Reader::default(), &self.statuses), seat, until })
    }

    /// Sits down with a code. A caller who sits there already gets the match as it is. `vetted` are the people with whom the
    /// player may sit there before the start, or may not.
    ///
    /// # Errors
    /// [`ReadRefused::WrongInvite`], and those of [`Matches::join`].
    pub async fn join_by_invite(
        &self,
        player: Seated,
        code: &str,
        entropy: Option<SeatEntropy>,
        vetted: Option<Vetted>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        let may_sit = |live: &LiveMatch| vetted.iter().try_for_each(|vetted| vetted.must_hold(live));
        let (hash, received) = (hashed(code), self.received());
        let id = self.invited_to(&hash).await?;
        // The code lets its holder see the match. If the match is gone, the error is a wrong code.
        let invited = Reader { invite: Some(code.to_owned()), admitted: true, ..Reader::player(player.id.clone()) };
        self.step(&invited, &id, once, |viewed| {
            if viewed.seat().is_some() {
                return if entropy.is_none() { Ok(None) } else { Err(SeatRefused::AlreadySeated.into()) };
            }
            let live = &viewed.live;
            let Some(invite) = live.invite(&hash, received) else {
                if live.stored.stage != Stage::Open || !live.is_opened_by(code) {
                    return Err(ReadRefused::WrongInvite.into());
                }
                may_sit(live)?;
                live.must_take_in(&player, self.waited(live, received))?;
                let (seat, player) = (live.place_or_refusal(&player.id)?, player.clone());
                return Ok(Some(Action::Join { seat, player, entropy: entropy.clone() }));
            };
            if let (true, Some(seat)) = (invite.substitutes, invite.seat) {
                live.must_welcome(&player)?;
                let (player, hash) = (player.clone(), Some(hash.clone()));
                return Ok(Some(Action::Substitute { seat, player, hash }));
            }
            may_sit(live)?;
            live.must_take_in(&player, self.waited(live, received))?;
            let seat = invite.seat.map_or_else(|| live.place_or_refusal(&player.id), Ok)?;
            let (player, entropy) = (player.clone(), entropy.clone());
            Ok(Some(Action::JoinByInvite { seat, player, entropy, hash: hash.clone() }))
        })
        .await
    }

    /// Keeps what leads from the invite code of a private match to it, which is about to be made.
    pub(super) async fn keep_invite_code(&self, live: &LiveMatch) -> Result<(), StoreError> {
        let Some(code) = &live.stored.terms.invite else { return Ok(()) };
        self.store.put_ticket(&key_of(&hashed(code)), live.stored.id.as_str().as_bytes().to_vec(), CODE_SECONDS).await
    }

    /// Forgets it, with a match that was stored so.
    pub(super) async fn forget_invite_code(&self, stored: &[u8]) -> Result<(), StoreError> {
        let Invited { terms, .. } = serde_json::from_slice(stored).unwrap_or_default();
        if let Some(code) = terms.code {
            self.store.take_ticket(&key_of(&hashed(&code))).await?;
        }
        Ok(())
    }

    /// The match that a code of this hash was made for.
    async fn invited_to(&self, hash: &str) -> Result<MatchId, Refused> {
        let kept = self.store.read_ticket(&key_of(hash)).await?;
        let id = kept.and_then(|kept| String::from_utf8(kept).ok()).and_then(|id| id.parse().ok());
        Ok(id.ok_or(ReadRefused::WrongInvite)?)
    }
}
