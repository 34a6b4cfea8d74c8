//! Access control: the readers who may see a match.
//!
//! Invariants: a reader without access gets the same answer as for a match that does not exist. Only a reader with
//! access learns that this release cannot read a match.

use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::model::clock::{ClockTerms, Speed};
use crate::model::refused::{Forbidden, ReadRefused};
use crate::model::stored::StoredMatch;
use crate::model::terms::Visibility;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::Games;
use sarsen_store::upgrade::Formed;
use sarsen_store::{LoadedMatch, Replay, Stage};

impl Matches {
    /// Lets the reader in, or says that there is no such match.
    pub(super) fn admit(
        &self,
        reader: &Reader,
        id: &MatchId,
        loaded: Option<LoadedMatch>,
    ) -> Result<(ViewedMatch, Option<Replay>), Refused> {
        let hidden = hidden_from(reader);
        let Some(loaded) = loaded else { return Err(hidden.into()) };
        let live = self.opened(id, &loaded).map_err(|unreadable| {
            if Access::of(&loaded.stored).is_some_and(|access| access.is_open_to(reader)) {
                return Refused::from(unreadable);
            }
            tracing::error!(
                error = &unreadable as &dyn std::error::Error,
                "a match that is not to be viewed cannot be read"
            );
            hidden.into()
        })?;
        Ok((self.let_in(reader, live)?, loaded.replay))
    }

    /// Returns the match as the reader sees it. Refuses a reader without access, and a seat that is not theirs to look
    /// as.
    pub(super) fn let_in(&self, reader: &Reader, live: Arc<LiveMatch>) -> Result<ViewedMatch, Refused> {
        let terms = &live.stored.terms;
        let watched = live.stored.stage != Stage::Playing || !terms.table.no_spectators;
        let public = terms.visibility == Visibility::Public && watched;
        let open = public || opens(terms.invite.as_deref(), reader.invite.as_deref());
        let invited = reader.player.as_ref().is_some_and(|player| live.is_invited(player));
        let viewed = live.seen_by(reader, &self.statuses);
        if !(open || viewed.insider || invited || reader.admitted) {
            return Err(hidden_from(reader).into());
        }
        if reader.as_seat.is_some_and(|seat| viewed.seat() != Some(seat)) {
            return Err(Forbidden::HotseatOnly.into());
        }
        Ok(viewed)
    }
}

/// The refusal for a reader without access; it is the same for a match that does not exist.
fn hidden_from(reader: &Reader) -> ReadRefused {
    if reader.invite.is_some() { ReadRefused::WrongInvite } else { ReadRefused::MatchNotFound }
}

/// The fields of a stored match that decide who may see it and who is to act. The rest need not be readable.
#[derive(Deserialize)]
pub(super) struct Access {
    #[serde(default)]
    f: u16,
    st: Stage,
    t: AccessTerms,
    #[serde(default)]
    c: Option<AccessPlayer>,
    se: Vec<AccessSeat>,
    #[serde(default)]
    t1: Option<IgnoredAny>,
    #[serde(default)]
    t3: Option<Timestamp>,
}

#[derive(Deserialize)]
struct AccessTerms {
    #[serde(default)]
    g: String,
    #[serde(default)]
    rv: u32,
    vis: Visibility,
    #[serde(default)]
    i: Option<String>,
    #[serde(default)]
    b: Vec<IgnoredAny>,
    #[serde(default)]
    tb: AccessTable,
    #[serde(default)]
    ck: Option<ClockTerms>,
}

#[derive(Default, Deserialize)]
struct AccessTable {
    #[serde(default)]
    ns: bool,
    #[serde(default)]
    hs: bool,
}

#[derive(Deserialize)]
struct AccessSeat {
    #[serde(default)]
    p: Option<AccessPlayer>,
    #[serde(default)]
    rs: Option<AccessPlayer>,
    #[serde(default)]
    d: Option<IgnoredAny>,
    #[serde(default)]
    to: Option<IgnoredAny>,
    #[serde(default)]
    r: bool,
}

#[derive(Deserialize)]
struct AccessPlayer {
    id: PlayerId,
}

impl Access {
    /// Reads no more than it needs; `None` where even that is not there.
    pub(super) fn of(stored: &[u8]) -> Option<Access> {
        serde_json::from_slice(stored).ok()
    }

    /// Returns true if this release knows the form of the match, and its game at its rules version.
    pub(super) fn is_known(&self, games: &Games) -> bool {
        self.f <= StoredMatch::FORMS.present() && games.find(&self.t.g, self.t.rv).is_some()
    }

    pub(super) fn stage(&self) -> Stage {
        self.st
    }

    /// Returns true if the player has a seat in play at a match with a live clock.
    pub(super) fn is_live_for(&self, player: &PlayerId) -> bool {
        let live = self.t.ck.is_some_and(|clock| clock.speed() == Speed::Live);
        let mut playing = self.se.iter().filter(|seat| !seat.r).filter_map(|seat| seat.p.as_ref());
        live && playing.any(|holder| holder.id == *player)
    }

    fn is_made_by(&self, player: &PlayerId) -> bool {
        self.c.as_ref().is_some_and(|creator| creator.id == *player)
    }

    /// See [`LiveMatch::is_to_act`].
    pub(super) fn is_to_act(&self, player: &PlayerId) -> bool {
        let mut seated = self.se.iter().filter_map(|seat| seat.p.as_ref());
        let alone = self.t.tb.hs && seated.all(|holder| self.is_made_by(&holder.id));
        let asked = self.se.iter().filter(|seat| !alone && seat.d.is_some() && seat.to.is_none());
        asked.filter_map(|seat| seat.p.as_ref()).any(|holder| holder.id == *player)
    }

    /// See [`LiveMatch::is_invited`].
    pub(super) fn is_invited(&self, player: &PlayerId) -> bool {
        self.se.iter().filter_map(|seat| seat.rs.as_ref()).any(|invited| invited.id == *player)
    }

    /// Returns true if `player` created the match, sits at it or is invited to it.
    fn is_insider(&self, player: &PlayerId) -> bool {
        let seated = self.se.iter().flat_map(|seat| seat.p.iter().chain(&seat.rs));
        self.c.iter().chain(seated).any(|insider| insider.id == *player)
    }

    /// Returns true if the reader may see the match.
    fn is_open_to(&self, reader: &Reader) -> bool {
        let insider = reader.player.as_ref().is_some_and(|player| self.is_insider(player));
        let watched = self.st != Stage::Playing || !self.t.tb.ns;
        (self.t.vis == Visibility::Public && watched) || insider || opens(self.t.i.as_deref(), reader.invite.as_deref())
    }
}

impl LiveMatch {
    /// Returns true if `code` is the invite code of this private match.
    pub(super) fn is_opened_by(&self, code: &str) -> bool {
        opens(self.stored.terms.invite.as_deref(), Some(code))
    }
}

/// Returns true if both invite codes exist and are equal. The comparison takes constant time, so timing does not tell
/// how much fits.
fn opens(invite: Option<&str>, given: Option<&str>) -> bool {
    invite.zip(given).is_some_and(|(invite, given)| {
        aws_lc_rs::constant_time::verify_slices_are_equal(invite.as_bytes(), given.as_bytes()).is_ok()
    })
}

/// Returns true if `player` created the stored match. `seated` says which: one where they sit, or one for others.
pub(super) fn is_made_by(stored: &[u8], player: &PlayerId, seated: bool) -> bool {
    let sits = |access: &Access| access.se.iter().filter_map(|seat| seat.p.as_ref()).any(|holder| holder.id == *player);
    Access::of(stored).is_some_and(|access| access.is_made_by(player) && sits(&access) == seated)
}

/// The time at which a stored match was called off before its start; `None` for any other match.
pub(super) fn called_off(stored: &[u8]) -> Option<Timestamp> {
    Access::of(stored).filter(|access| access.st == Stage::Aborted && access.t1.is_none())?.t3
}

/// Returns true if `player` created the stored match and it has bots.
pub(super) fn is_made_with_bots_by(stored: &[u8], player: &PlayerId) -> bool {
    Access::of(stored).is_some_and(|access| access.is_made_by(player) && !access.t.b.is_empty())
}
