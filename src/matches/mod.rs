//! The use cases of matches: create, join, start, play, resign, claim, read, wait.
//!
//! The path of every change is the same: one load, the caller's standing, one step of the [`LiveMatch`], one atomic
//! commit. When another instance was quicker the whole path is taken again on the new version, so a change is never
//! made on a state that nobody has.
//!
//! Invariants: nothing is answered that was not committed; whoever may not see a match is told the same as if it did
//! not exist.

mod cache;
pub mod events;
pub mod export;
pub mod fairness;
mod history;
pub mod hub;
mod listing;
pub mod live_match;
pub mod play;
pub mod read;
mod refused;
pub mod seats;
pub mod stored;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use crate::ambient::{Ambient, Timestamp};
use crate::games::Games;
use crate::ids::{MatchId, PlayerId};
use crate::rules::{Seat, SeatCount, Viewer};
pub use crate::store::Stage;
use crate::store::{Commit, Committed, Inboxes, LoadedMatch, MatchStore, Replay, ReplayKey};
use cache::MatchCache;
use fairness::ServerSeed;
use hub::Hub;
use live_match::LiveMatch;
pub use refused::{Refused, Unread};
use stored::{Action, LogEntry, Seated, Sight, StartMode, Terms, Visibility};

/// How often a change is tried again when others were quicker. Each time somebody else has made progress.
const ATTEMPTS_MAX: usize = 200;

/// The use cases of matches.
#[derive(Clone)]
pub struct Matches {
    store: Arc<dyn MatchStore>,
    inboxes: Arc<dyn Inboxes>,
    games: Arc<Games>,
    ambient: Ambient,
    hub: Arc<Hub>,
    cache: Arc<MatchCache>,
}

/// Who asks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reader {
    /// The player, if signed in.
    pub player: Option<PlayerId>,
    /// The invite code that came with the request.
    pub invite: Option<String>,
}

impl Reader {
    /// A signed-in player without an invite.
    pub fn player(id: PlayerId) -> Reader {
        Reader { player: Some(id), invite: None }
    }
}

/// A match as one reader may see it.
pub struct ViewedMatch {
    /// The match.
    pub live: Arc<LiveMatch>,
    /// What the reader may see of the state.
    pub viewer: Viewer,
    /// Whether the reader may know the invite code: seats and creator.
    pub insider: bool,
}

impl ViewedMatch {
    /// The reader's seat.
    pub fn seat(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Omniscient => None,
        }
    }
}

/// What the creator of a match asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// The game's options; `null` for all defaults.
    pub options: Value,
    /// How many seats; `None` for the fewest that the game has.
    pub seats: Option<SeatCount>,
    /// The creator's own seat; `None` to stay out.
    pub seat: Option<Seat>,
    /// Who may see it.
    pub visibility: Visibility,
    /// When it starts.
    pub start: StartMode,
    /// Seconds for a decision before others may claim; `None` for ever.
    pub move_time_seconds: Option<u32>,
}

impl Matches {
    /// The use cases on these matches, and the inboxes that follow them. The hub must be fed by [`Hub::run`].
    pub fn new(
        store: Arc<dyn MatchStore>,
        inboxes: Arc<dyn Inboxes>,
        games: Arc<Games>,
        ambient: Ambient,
        hub: Arc<Hub>,
    ) -> Matches {
        Matches { store, inboxes, games, ambient, hub, cache: Arc::new(MatchCache::new()) }
    }

    /// Makes a match.
    ///
    /// # Errors
    /// [`Refused::GameNotFound`], [`Refused::SeatCount`], [`Refused::Options`], [`Refused::NoSuchSeat`].
    pub async fn create(&self, creator: Seated, new: NewMatch) -> Result<ViewedMatch, Refused> {
        let game = self.games.newest(&new.game).ok_or(Refused::GameNotFound)?;
        let info = game.info();
        let (min, max) = (info.min_seats, info.max_seats);
        let fewest = SeatCount::new(min).unwrap_or(SeatCount::ONE);
        let seats = new.seats.unwrap_or(fewest);
        if seats.get() < min || seats.get() > max {
            return Err(Refused::SeatCount { min, max });
        }
        let terms = Terms {
            game: new.game,
            rules_version: info.rules_version,
            options: game.options(&new.options, seats)?,
            visibility: new.visibility,
            invite: (new.visibility == Visibility::Private).then(|| self.invite_code()),
            start: new.start,
            move_time_seconds: new.move_time_seconds,
        };
        let player = creator.id.clone();
        let action = Action::Create { terms, seats: seats.get(), seat: new.seat, creator };
        let id = MatchId::generate(&self.ambient);
        let seed = ServerSeed::generate(&self.ambient);
        let (live, entry) = LiveMatch::create(&self.games, id, seed, action, self.now())?;
        let made = self.commit(live, &entry, None, None).await?.ok_or(Refused::Busy)?;
        Ok(made.seen_by(&Reader::player(player)))
    }

    /// The match as the reader may see it.
    ///
    /// # Errors
    /// [`Refused::MatchNotFound`] or [`Refused::WrongInvite`] for what the reader may not see.
    pub async fn read(&self, reader: &Reader, id: &MatchId) -> Result<ViewedMatch, Refused> {
        let loaded = self.store.load_match(id, None).await?;
        self.admit(reader, id, loaded).map(|(viewed, _)| viewed)
    }

    /// Loads, lets `decide` find the action from the caller's standing, takes the step and commits it; again from the
    /// load if others were quicker.
    async fn step(
        &self,
        reader: &Reader,
        id: &MatchId,
        decide: impl Fn(&ViewedMatch) -> Result<Option<Action>, Refused>,
    ) -> Result<ViewedMatch, Refused> {
        for _ in 0..ATTEMPTS_MAX {
            let viewed = self.read(reader, id).await?;
            let Some(action) = decide(&viewed)? else { return Ok(viewed) };
            let mut live = viewed.live.duplicate();
            let entry = live.take_step(action, self.now())?;
            if let Some(live) = self.commit(live, &entry, Some(&viewed.live), None).await? {
                return Ok(live.seen_by(reader));
            }
        }
        Err(Refused::Busy)
    }

    /// Lets the reader in, or says that there is no such match.
    fn admit(
        &self,
        reader: &Reader,
        id: &MatchId,
        loaded: Option<LoadedMatch>,
    ) -> Result<(ViewedMatch, Option<Replay>), Refused> {
        let hidden = if reader.invite.is_some() { Refused::WrongInvite } else { Refused::MatchNotFound };
        let Some(LoadedMatch { stored, replay, .. }) = loaded else { return Err(hidden) };
        let live = self.cache.open(&self.games, id, &stored).map_err(|unread| {
            // What cannot be read may be private: only who could see it anyway learns that it is there.
            if Sight::of(&stored).is_some_and(|sight| sight.is_open_to(reader)) {
                return unread;
            }
            tracing::error!(
                error = &unread as &dyn std::error::Error,
                "a match that is not to be viewed cannot be read"
            );
            if reader.invite.is_some() { Refused::WrongInvite } else { Refused::MatchNotFound }
        })?;
        let terms = &live.stored.terms;
        let invited = match (&terms.invite, &reader.invite) {
            (Some(invite), Some(given)) => same(invite, given),
            _ => false,
        };
        let open = terms.visibility == Visibility::Public || invited;
        let viewed = live.seen_by(reader);
        if open || viewed.insider { Ok((viewed, replay)) } else { Err(hidden) }
    }

    /// Commits the step that led from `before` to `live`; `None` if others were quicker.
    async fn commit(
        &self,
        mut live: LiveMatch,
        entry: &LogEntry,
        before: Option<&LiveMatch>,
        replay: Option<(ReplayKey, String)>,
    ) -> Result<Option<Arc<LiveMatch>>, Refused> {
        let listing = (!before.is_some_and(|before| live.is_listed_like(before))).then(|| live.listing());
        let mut notify = before.map(LiveMatch::people).unwrap_or_default();
        for player in listing.iter().flat_map(|listing| &listing.players) {
            if !notify.contains(player) {
                notify.push(player.clone());
            }
        }
        let stored = live.encode()?;
        let bytes = Arc::from(stored.as_slice());
        let commit = Commit {
            id: live.stored.id.clone(),
            expected: entry.version - 1,
            stored,
            entry: serde_json::to_vec(entry).map_err(Refused::unreadable)?,
            listing,
            replay: replay.map(|(key, fingerprint)| (key, Replay { version: entry.version, fingerprint })),
            notify,
        };
        match self.store.commit(commit).await? {
            Committed::Yes => Ok(Some(self.cache.keep(bytes, live))),
            Committed::Conflict => Ok(None),
        }
    }

    fn now(&self) -> Timestamp {
        self.ambient.now()
    }

    /// A fresh invite code: 12 letters and digits that are not mistaken for each other, 60 bits.
    fn invite_code(&self) -> String {
        const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        self.ambient.bytes::<12>().iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
    }
}

impl Sight {
    /// Whether the reader may see the match.
    fn is_open_to(&self, reader: &Reader) -> bool {
        let invited = self.invite().zip(reader.invite.as_deref()).is_some_and(|(invite, given)| same(invite, given));
        self.is_public() || invited || reader.player.as_ref().is_some_and(|player| self.is_insider(player))
    }
}

impl LiveMatch {
    /// The match as the reader may see it. Whether the reader may see it at all is judged before.
    pub(crate) fn seen_by(self: Arc<LiveMatch>, reader: &Reader) -> ViewedMatch {
        let seat = reader.player.as_ref().and_then(|player| self.seat_of(player));
        let creator = reader.player.as_ref() == Some(&self.stored.creator.id);
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        ViewedMatch { viewer, insider: seat.is_some() || creator, live: self }
    }
}

/// Compares an invite code without telling by timing how much of it fits.
fn same(invite: &str, given: &str) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(invite.as_bytes(), given.as_bytes()).is_ok()
}
