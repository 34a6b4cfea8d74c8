//! A match in memory: what is stored of it, its game, its decoded state, and the steps it can take.
//!
//! Invariants:
//! - Every change is one step: it raises the version by one and makes one [`LogEntry`]. A refused step changes
//!   nothing that will be stored (the caller drops the match).
//! - Steps are functions of the stored match, the action and the moment: taking the steps of a log again gives the same
//!   match and the same events.
//! - A decision's id stays the same until its seat has moved; other seats' moves leave it open.
//!
//! Deliberately missing: permissions. Callers map a player to a seat first.

mod clocks;
mod forked;
mod life;
mod moves;
mod step;
mod table;
mod undoing;

use std::sync::{Arc, OnceLock};

use crate::model::events::{LifeEvent, MatchCreated};
use crate::model::fairness::ServerSeed;
use crate::model::log::{Cause, LogEntry, UNCOMMITTED};
use crate::model::refused::{Refused, SeatRefused, Unreadable};
use crate::model::seated::Seated;
use crate::model::stored::{OpenDecision, STATE_PROPERTY, StoredMatch, StoredSeat};
use crate::model::terms::{Creation, PairedPlayer};
use crate::model::track::UndoTrack;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::{AnyGame, AnyState, Corrupt, Games};
use sarsen_rules::{Dice, DiceSeed, Seat, SeatCount, Seats, Status, Viewer};
use sarsen_store::upgrade::Formed;
use sarsen_store::{Stage, Stamp, StampedVersion};
use step::Step;

/// The service's own endings.
pub mod endings {
    pub(crate) const RESIGNATION: &str = "resignation";
    /// A seat let its time pass and another claimed.
    pub(crate) const ABANDONED: &str = "abandoned";
    /// The seats agreed on a draw.
    pub(crate) const DRAW_AGREED: &str = "draw_agreed";
    /// A seat let its time run out.
    pub(crate) const TIMEOUT: &str = "timeout";
    /// The organiser settled the match.
    pub(crate) const ADJUDICATED: &str = "adjudicated";
    /// All of them.
    pub const ALL: &[&str] = &[RESIGNATION, ABANDONED, TIMEOUT, DRAW_AGREED, ADJUDICATED];
}

/// Room for what most matches take, in bytes.
const ROOM: usize = 4096;

/// A match in memory.
pub struct LiveMatch {
    /// The stored form. `dice` follows the state when a step ends; `state` is the text that was read, until it is
    /// decoded. Boxed, since a step hands the match from one function to the next.
    pub stored: Box<StoredMatch>,
    /// Its game.
    pub game: Arc<dyn AnyGame>,
    /// The stamp of its version; [`UNCOMMITTED`] until that is committed.
    pub stamp: Stamp,
    state: Option<Box<dyn AnyState>>,
    /// The seed of the dice, once it was needed in play.
    dice_seed: OnceLock<DiceSeed>,
    /// True if the last step was only tried: then nothing may be shown that only its end reveals.
    rehearsed: bool,
}

impl LiveMatch {
    /// A new match and its first log entry. With the last seat taken it starts at once, if it is to.
    ///
    /// # Errors
    /// [`SeatRefused::NoSuchSeat`] where the creator's seat does not exist; [`Unreadable`] where the game cannot be set
    /// up.
    ///
    /// [`SeatRefused::NoSuchSeat`]: crate::model::refused::SeatRefused::NoSuchSeat
    pub fn create(
        game: Arc<dyn AnyGame>,
        id: MatchId,
        seed: ServerSeed,
        creation: Creation,
        at: Timestamp,
    ) -> Result<(LiveMatch, LogEntry), Refused> {
        let Creation { terms, seats, seat, creator, paired, position } = &creation;
        let stored = Box::new(StoredMatch {
            form: StoredMatch::FORMS.present(),
            id,
            version: 0,
            terms: terms.clone(),
            creator: creator.clone(),
            stage: Stage::Open,
            seats: vec![StoredSeat::default(); usize::from(seats.get())],
            seed,
            dice: 0,
            state_version: game.info().state_version,
            state: None,
            last_move: None,
            draw: Vec::new(),
            draw_offered: Vec::new(),
            undo: UndoTrack::default(),
            sent_away: Vec::new(),
            invites: Vec::new(),
            outcome: None,
            created_at: at,
            started_at: None,
            updated_at: at,
            ended_at: None,
        });
        let mut live = LiveMatch::of(stored, game);
        let mut step = Step::begin(at);
        step.tell(LifeEvent::MatchCreated(MatchCreated { pool: terms.table.pool.clone() }));
        live.reserve(&mut step)?;
        let hotseat = terms.table.hotseat;
        let everywhere = live.seat_count().seats().filter(|seat| hotseat && live.is_free(*seat)).collect::<Seats>();
        for seat in everywhere.iter().chain(seat.filter(|_| !hotseat)) {
            live.sit(&mut step, seat, creator.as_ref().ok_or(SeatRefused::NoSuchSeat)?, None)?;
        }
        for (seat, PairedPlayer { player, entropy }) in live.drawn_seats(paired) {
            live.sit(&mut step, seat, player, entropy.as_ref())?;
        }
        // Bots are there already; where they hold every seat, nobody else comes.
        if live.stored.terms.bots.len() == usize::from(seats.get()) {
            live.start_when_full(&mut step)?;
        }
        live.begin_forked(&mut step, position.as_ref())?;
        let entry = live.end(step, Cause::Creation(Box::new(creation)))?;
        Ok((live, entry))
    }

    /// The seats of paired players, drawn with dice of the match. The order of `paired` does not change the draw.
    fn drawn_seats<'a>(&self, paired: &'a [PairedPlayer]) -> Vec<(Seat, &'a PairedPlayer)> {
        let mut order: Vec<&PairedPlayer> = paired.iter().collect();
        order.sort_by(|one, other| one.player.id.cmp(&other.player.id));
        let entropy = order.iter().map(|paired| paired.entropy.as_ref());
        Dice::new(self.stored.seed.seats_seed(&self.stored.id, entropy)).shuffle(&mut order);
        self.seat_count().seats().zip(order).collect()
    }

    /// A match without its state.
    fn of(stored: Box<StoredMatch>, game: Arc<dyn AnyGame>) -> LiveMatch {
        LiveMatch { stored, game, stamp: UNCOMMITTED, state: None, dice_seed: OnceLock::new(), rehearsed: false }
    }

    /// Reads a stored match.
    ///
    /// # Errors
    /// [`Unreadable`] by this release.
    pub(crate) fn open(games: &Games, stored: &[u8]) -> Result<LiveMatch, Unreadable> {
        let mut live = LiveMatch::open_without_state(games, stored)?;
        let state = live.stored.state.take();
        let state = state.map(|state| live.game.load(live.stored.state_version, &state)).transpose();
        live.state = state.map_err(|corrupt| live.unreadable(corrupt))?;
        Ok(live)
    }

    /// The missing components of the match, in a sentence for operators; `None` where nothing is missing.
    pub(crate) fn missing_components(&self) -> Option<String> {
        self.game.missing_components(&self.stored.terms.options)
    }

    /// The error for a state that cannot be read or made.
    fn unreadable(&self, corrupt: Corrupt) -> Unreadable {
        self.missing_components().map_or_else(|| corrupt.into(), Unreadable::without_components)
    }

    /// Reads a stored match for a list, which shows no state: [`LiveMatch::write_view`] writes null.
    ///
    /// # Errors
    /// Those of [`LiveMatch::open`].
    pub(crate) fn open_without_state(games: &Games, stored: &[u8]) -> Result<LiveMatch, Unreadable> {
        let stored = Box::new(StoredMatch::decode(stored)?);
        let game = games
            .find(&stored.terms.game, stored.terms.rules_version)
            .ok_or_else(|| Unreadable::new("the game is not here in this version of its rules"))?;
        Ok(LiveMatch::of(stored, Arc::clone(game)))
    }

    /// The same match in another state of it, as it was stored.
    ///
    /// # Errors
    /// [`Unreadable`] by this release.
    pub(crate) fn at(&self, stored: &[u8]) -> Result<LiveMatch, Unreadable> {
        let mut stored = Box::new(StoredMatch::decode(stored)?);
        let state = stored.state.take().map(|state| self.game.load(stored.state_version, &state)).transpose();
        let state = state.map_err(|corrupt| self.unreadable(corrupt))?;
        Ok(LiveMatch { state, ..LiveMatch::of(stored, Arc::clone(&self.game)) })
    }

    /// The match as bytes to store.
    ///
    /// # Errors
    /// [`Unreadable`] if it cannot be written.
    pub fn encode(&mut self) -> Result<Vec<u8>, Unreadable> {
        self.stored.state_version = self.game.info().state_version;
        let mut bytes = Vec::with_capacity(ROOM);
        serde_json::to_writer(&mut bytes, &self.stored)?;
        let Some(state) = &self.state else { return Ok(bytes) };
        // It is most of what is stored, and written straight to its place: behind the other properties.
        bytes.pop();
        bytes.extend_from_slice(STATE_PROPERTY);
        state.write_stored(&mut bytes)?;
        bytes.push(b'}');
        Ok(bytes)
    }

    /// A match like this one, to take a step on.
    pub fn duplicate(&self) -> LiveMatch {
        let state = self.state.as_ref().map(|state| state.duplicate());
        LiveMatch {
            stored: self.stored.clone(),
            game: Arc::clone(&self.game),
            stamp: self.stamp,
            state,
            dice_seed: self.dice_seed.clone(),
            rehearsed: self.rehearsed,
        }
    }

    /// Returns true if the match has this very version and stamp.
    pub(crate) fn stands_at(&self, standing: StampedVersion) -> bool {
        self.stored.version == standing.version && self.stamp == standing.stamp
    }

    /// The number of seats.
    pub fn seat_count(&self) -> SeatCount {
        SeatCount::new(self.stored.seats.len() as u8).unwrap_or(SeatCount::ONE)
    }

    /// The lowest seat of `player`.
    pub(crate) fn seat_of(&self, player: &PlayerId) -> Option<Seat> {
        let index = self.stored.seats.iter().position(|seat| seat.player.as_ref().is_some_and(|p| p.id == *player))?;
        Seat::new(index as u8)
    }

    /// The seat of `player` who would look as `as_seat`: that one if it is theirs, else their lowest.
    pub(crate) fn seat_as(&self, player: &PlayerId, as_seat: Option<Seat>) -> Option<Seat> {
        as_seat.filter(|seat| self.is_held_by(*seat, player)).or_else(|| self.seat_of(player))
    }

    /// The lowest seat of the player that has not resigned.
    pub(crate) fn seat_in_play(&self, player: &PlayerId) -> Option<Seat> {
        let resigned = self.resigned();
        self.seat_count().seats().find(|seat| self.is_held_by(*seat, player) && !resigned.contains(*seat))
    }

    /// Returns true if this seat is the player's.
    pub(crate) fn is_held_by(&self, seat: Seat, player: &PlayerId) -> bool {
        self.holder(seat).is_some_and(|holder| holder.id == *player)
    }

    /// The player who holds the seat, if one does.
    pub(crate) fn holder(&self, seat: Seat) -> Option<&Seated> {
        self.stored.seats.get(seat.index())?.player.as_ref()
    }

    /// Returns true if one player plays the whole table at one device, so that nobody else waits.
    pub(crate) fn is_alone(&self) -> bool {
        let mut seated = self.stored.seats.iter().filter_map(|seat| seat.player.as_ref());
        self.stored.terms.table.hotseat && seated.all(|player| self.stored.is_made_by(&player.id))
    }

    /// Returns true if the player has a decision to make, on any seat, that somebody waits for.
    pub(crate) fn is_to_act(&self, player: &PlayerId) -> bool {
        !self.is_alone() && self.to_act().iter().any(|seat| self.is_held_by(seat, player) && !self.is_taken_over(seat))
    }

    /// The moment of a step that was asked for at `received`: never before the step that led here.
    pub(crate) fn moment(&self, received: Timestamp) -> Timestamp {
        received.max(self.stored.updated_at)
    }

    /// The seats with an open decision.
    pub fn to_act(&self) -> Seats {
        self.seat_count().seats().filter(|seat| self.decision(*seat).is_some()).collect()
    }

    /// The open decision of `seat`.
    pub fn decision(&self, seat: Seat) -> Option<OpenDecision> {
        self.stored.seats.get(seat.index()).and_then(|seat| seat.decision)
    }

    /// The time from which on others may claim against `seat`; `None` for a bot, and where nobody could claim.
    pub fn claimable_at(&self, seat: Seat) -> Option<Timestamp> {
        let holder = self.holder(seat)?;
        let mut players = self.stored.seats.iter().filter_map(|stored| stored.player.as_ref());
        let can_be = players.any(|other| other.id != holder.id);
        let open = self.decision(seat).filter(|_| can_be)?;
        let counts_from = Timestamp(open.at.0.saturating_add(open.credit.milliseconds()));
        Some(counts_from.plus_seconds(self.stored.terms.move_time_seconds?))
    }

    /// The decoded state, from the start on.
    pub fn state(&self) -> Option<&dyn AnyState> {
        self.state.as_deref()
    }

    /// Appends the view of `viewer` (everything once the match has ended); null where there is no state.
    ///
    /// # Errors
    /// [`Corrupt`] if it cannot be written.
    pub fn write_view(&self, viewer: Viewer, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        match &self.state {
            Some(state) if self.has_ended_early() => state.write_ended_view(into),
            Some(state) => state.write_view(self.effective_viewer(viewer), into),
            None => {
                into.extend_from_slice(b"null");
                Ok(())
            }
        }
    }

    /// The same as a value of its own.
    ///
    /// # Errors
    /// [`Corrupt`] if it cannot be written.
    #[cfg(test)]
    pub(crate) fn view(&self, viewer: Viewer) -> Result<Option<Box<serde_json::value::RawValue>>, Corrupt> {
        let mut view = Vec::new();
        self.write_view(viewer, &mut view)?;
        let view = String::from_utf8(view).ok().filter(|view| view != "null");
        Ok(view.and_then(|view| serde_json::value::RawValue::from_string(view).ok()))
    }

    /// The viewer with whose rights `viewer` sees the state: one who sees everything, once the match has ended.
    pub(crate) fn effective_viewer(&self, viewer: Viewer) -> Viewer {
        let open = self.stored.stage.is_over() && !self.rehearsed;
        if open { Viewer::Omniscient } else { viewer }
    }

    /// Returns true if the match is over and its game is not: it was given up, called off or agreed to be drawn.
    pub(crate) fn has_ended_early(&self) -> bool {
        let over = self.stored.stage.is_over() && !self.rehearsed;
        over && self.state.as_ref().is_some_and(|state| !matches!(state.status(), Status::Over(_)))
    }

    /// The server's seed as text, once the match has ended.
    pub fn revealed_seed(&self) -> Option<String> {
        (self.stored.stage.is_over() && !self.rehearsed).then(|| self.stored.seed.reveal())
    }

    fn resigned(&self) -> Seats {
        self.seat_count().seats().filter(|seat| self.stored.seats[seat.index()].resigned).collect()
    }

    fn dice(&self) -> Dice {
        let hashed = || {
            let entropy = self.stored.seats.iter().map(|seat| seat.entropy.as_ref());
            self.stored.seed.dice_seed(&self.stored.id, entropy)
        };
        // Until the start there may be more entropy.
        let playing = self.stored.stage == Stage::Playing;
        let seed = if playing { *self.dice_seed.get_or_init(hashed) } else { hashed() };
        Dice::at(seed, self.stored.dice)
    }

    fn state_mut(&mut self) -> Result<&mut Box<dyn AnyState>, Unreadable> {
        self.state.as_mut().ok_or_else(|| Unreadable::new("a match that has started has no state"))
    }
}
