//! A match in memory: its record, its game, its decoded state, and the steps it can take.
//!
//! Invariants:
//! - Every change is one step: it raises the version by one and makes one [`LogEntry`]. A refused step changes
//!   nothing that will be stored (the caller drops the match).
//! - Steps are functions of the record, the action and the moment: taking the actions of a log again gives the same
//!   record and the same events.
//! - A decision's id stays the same until its seat has moved; other seats' moves leave it open.
//!
//! What it deliberately lacks: who may ask for what. Callers map a player to a seat first.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::events::{
    AbsenceClaimed, DrawAccepted, DrawDeclined, DrawOffered, EntropyGiven, LifeEvent, MatchAborted, MatchCreated,
    MatchEnded, MatchStarted, PlayerJoined, PlayerLeft, PlayerResigned, StoredEvent,
};
use super::fairness::{SeatEntropy, ServerSeed};
use super::refused::Refused;
use super::stored::{Action, LogEntry, OpenDecision, STORED_FORM, Seated, StartMode, StoredMatch, StoredSeat};
use crate::ambient::Timestamp;
use crate::games::{AnyGame, AnyMove, AnyState, Corrupt, Games, MoveInput, MoveJson, PlayedJson};
use crate::ids::{MatchId, PlayerId};
use crate::rules::{Dice, Mode, Outcome, Seat, SeatCount, Seats, Status, Verdict, Viewer};
use crate::store::Stage;

/// The service's own endings.
pub mod endings {
    /// A seat resigned.
    pub const RESIGNATION: &str = "resignation";
    /// A seat let its time pass and another claimed.
    pub const ABANDONED: &str = "abandoned";
    /// The seats agreed on a draw.
    pub const DRAW_AGREED: &str = "draw_agreed";
    /// All of them.
    pub const ALL: &[&str] = &[RESIGNATION, ABANDONED, DRAW_AGREED];
}

/// More moves than this in a row for seats whose players have left means that a game does not end.
const ABSENT_MOVES_MAX: usize = 5000;

/// More versions than this before the start mean that somebody keeps sitting down and getting up.
const OPEN_VERSIONS_MAX: u64 = 200;

/// A match in memory.
pub struct LiveMatch {
    /// What is stored. `dice` follows the state when a step ends; `state` is there only while it is written.
    pub stored: StoredMatch,
    /// Its game.
    pub game: Arc<dyn AnyGame>,
    state: Option<Box<dyn AnyState>>,
    /// Whether the last step only was tried: then nothing may be shown that its end would lay open.
    rehearsed: bool,
}

/// A step under way.
struct Step {
    at: Timestamp,
    events: Vec<StoredEvent>,
    movers: Seats,
}

impl Step {
    fn tell(&mut self, event: LifeEvent) {
        self.events.push(StoredEvent::Life(event));
    }
}

impl LiveMatch {
    /// A new match and its first log entry. With the last seat taken it starts at once, if it is to.
    ///
    /// # Errors
    /// [`Refused`] where the creator's seat does not exist.
    pub fn create(
        games: &Games,
        id: MatchId,
        seed: ServerSeed,
        action: Action,
        at: Timestamp,
    ) -> Result<(LiveMatch, LogEntry), Refused> {
        let Action::Create { terms, seats, seat, creator } = &action else { return Err(Refused::MatchNotFound) };
        let game = games.find(&terms.game, terms.rules_version).ok_or(Refused::GameNotFound)?;
        if seat.is_some_and(|seat| seat.index() >= usize::from(*seats)) {
            return Err(Refused::NoSuchSeat);
        }
        let stored = StoredMatch {
            form: STORED_FORM,
            id,
            version: 0,
            terms: terms.clone(),
            creator: creator.clone(),
            stage: Stage::Open,
            seats: vec![StoredSeat::default(); usize::from(*seats)],
            seed,
            dice: 0,
            state_version: game.info().state_version,
            state: None,
            draw: Vec::new(),
            draw_offered: Vec::new(),
            outcome: None,
            created_at: at,
            started_at: None,
            updated_at: at,
            ended_at: None,
        };
        let mut live = LiveMatch { stored, game: Arc::clone(game), state: None, rehearsed: false };
        let mut step = live.begin(at);
        step.tell(LifeEvent::MatchCreated(MatchCreated {}));
        if let Some(seat) = seat {
            live.sit(&mut step, *seat, creator.clone(), None)?;
        }
        let entry = live.end(step, action.clone())?;
        Ok((live, entry))
    }

    /// Reads a stored match.
    ///
    /// # Errors
    /// [`Refused::Unreadable`] if this release cannot read it.
    pub fn open(games: &Games, stored: &[u8]) -> Result<LiveMatch, Refused> {
        let mut live = LiveMatch::open_without_state(games, stored)?;
        let state = live.stored.state.take();
        live.state = state.map(|state| live.game.load(live.stored.state_version, &state)).transpose()?;
        Ok(live)
    }

    /// Reads a stored match for a list, which shows no state: [`LiveMatch::view`] has nothing to show.
    ///
    /// # Errors
    /// Those of [`LiveMatch::open`].
    pub fn open_without_state(games: &Games, stored: &[u8]) -> Result<LiveMatch, Refused> {
        let stored: StoredMatch = serde_json::from_slice(stored).map_err(Refused::unreadable)?;
        // A newer release may share the store: what it has written is not ours to read, still less to write back.
        if stored.form > STORED_FORM {
            return Err(Refused::Unreadable("the match is of a newer release".into()));
        }
        let game = games
            .find(&stored.terms.game, stored.terms.rules_version)
            .ok_or_else(|| Refused::Unreadable("the game is not here in this version of its rules".into()))?;
        Ok(LiveMatch { game: Arc::clone(game), stored, state: None, rehearsed: false })
    }

    /// The match as bytes to store.
    ///
    /// # Errors
    /// [`Refused::Unreadable`] if it cannot be written.
    pub fn encode(&mut self) -> Result<Vec<u8>, Refused> {
        self.stored.state = self.state.as_ref().map(|state| state.store()).transpose()?;
        self.stored.state_version = self.game.info().state_version;
        let bytes = serde_json::to_vec(&self.stored).map_err(Refused::unreadable);
        // From here on it is what reading the bytes would give.
        self.stored.state = None;
        bytes
    }

    /// A match like this one, to take a step on.
    pub fn duplicate(&self) -> LiveMatch {
        let state = self.state.as_ref().map(|state| state.duplicate());
        LiveMatch { stored: self.stored.clone(), game: Arc::clone(&self.game), state, rehearsed: self.rehearsed }
    }

    /// How many seats there are.
    pub fn seat_count(&self) -> SeatCount {
        SeatCount::new(self.stored.seats.len() as u8).unwrap_or(SeatCount::ONE)
    }

    /// Where `player` sits.
    pub fn seat_of(&self, player: &PlayerId) -> Option<Seat> {
        let index = self.stored.seats.iter().position(|seat| seat.player.as_ref().is_some_and(|p| p.id == *player))?;
        Seat::new(index as u8)
    }

    /// The seats with an open decision.
    pub fn to_act(&self) -> Seats {
        self.seat_count().seats().filter(|seat| self.decision(*seat).is_some()).collect()
    }

    /// The open decision of `seat`.
    pub fn decision(&self, seat: Seat) -> Option<OpenDecision> {
        self.stored.seats.get(seat.index()).and_then(|seat| seat.decision)
    }

    /// When others may claim against `seat`; never where there are no others.
    pub fn claimable_at(&self, seat: Seat) -> Option<Timestamp> {
        let open = self.decision(seat).filter(|_| self.seat_count() > SeatCount::ONE)?;
        Some(open.at.plus_seconds(self.stored.terms.move_time_seconds?))
    }

    /// The decoded state, from the start on.
    pub fn state(&self) -> Option<&dyn AnyState> {
        self.state.as_deref()
    }

    /// What `viewer` may know of the state; everything once the match has ended.
    ///
    /// # Errors
    /// [`Corrupt`] if it cannot be written.
    pub fn view(&self, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt> {
        let open = self.stored.stage == Stage::Finished && !self.rehearsed;
        let viewer = if open { Viewer::Omniscient } else { viewer };
        self.state.as_ref().map(|state| state.view(viewer)).transpose()
    }

    /// The server's seed as text, once the match has ended.
    pub fn revealed_seed(&self) -> Option<String> {
        let over = matches!(self.stored.stage, Stage::Finished | Stage::Aborted);
        (over && !self.rehearsed).then(|| self.stored.seed.reveal())
    }

    /// Takes a step. For moves of live players see [`LiveMatch::play`].
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub fn take_step(&mut self, action: Action, at: Timestamp) -> Result<LogEntry, Refused> {
        let mut step = self.begin(at);
        match &action {
            Action::Create { .. } => return Err(Refused::NotOpen),
            Action::Join { seat, player, entropy } => {
                self.must_be_calm()?;
                self.sit(&mut step, *seat, player.clone(), entropy.clone())?;
            }
            Action::Leave { seat } => {
                self.must_be_open()?;
                *self.seat_mut(*seat)? = StoredSeat::default();
                step.tell(LifeEvent::PlayerLeft(PlayerLeft { seat: *seat }));
            }
            Action::Entropy { seat, entropy } => {
                self.must_be_calm()?;
                self.seat_mut(*seat)?.entropy = Some(entropy.clone());
                step.tell(LifeEvent::EntropyGiven(EntropyGiven { seat: *seat }));
            }
            Action::Start => {
                self.must_be_open()?;
                if self.stored.seats.iter().any(|seat| seat.player.is_none()) {
                    return Err(Refused::SeatsOpen);
                }
                self.start(&mut step)?;
            }
            Action::Abort => {
                self.must_be_open()?;
                self.stored.stage = Stage::Aborted;
                self.stored.ended_at = Some(at);
                step.tell(LifeEvent::MatchAborted(MatchAborted {}));
            }
            Action::Move { seat, mv } => {
                let json = serde_json::from_str(mv.get()).map_err(Refused::unreadable)?;
                let mv = self.game.read_move(&MoveInput::Json(json)).map_err(Refused::MalformedMove)?;
                self.make_move(&mut step, *seat, mv)?;
            }
            Action::Resign { seat } => {
                self.must_be_playing()?;
                self.must_be_active(*seat)?;
                step.tell(LifeEvent::PlayerResigned(PlayerResigned { seat: *seat }));
                self.give_up(&mut step, *seat, endings::RESIGNATION)?;
            }
            Action::Claim { seat, by } => {
                self.must_be_playing()?;
                self.must_be_active(*by)?;
                self.must_be_absent(*seat, *by, at)?;
                step.tell(LifeEvent::AbsenceClaimed(AbsenceClaimed { seat: *seat, claimed_by: *by }));
                self.give_up(&mut step, *seat, endings::ABANDONED)?;
            }
            Action::OfferDraw { seat } => self.offer_draw(&mut step, *seat)?,
            Action::AcceptDraw { seat } => self.accept_draw(&mut step, *seat)?,
            Action::DeclineDraw { seat } => self.decline_draw(&mut step, *seat)?,
        }
        self.end(step, action)
    }

    /// Makes a move of `seat` and what follows from it.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn play(&mut self, seat: Seat, mv: AnyMove, at: Timestamp) -> Result<LogEntry, Refused> {
        let mut step = self.begin(at);
        let mv = self.make_move(&mut step, seat, mv)?;
        self.end(step, Action::Move { seat, mv })
    }

    /// Judges a move and shows it up to the first chance step, on this match: the caller drops it afterwards.
    ///
    /// # Errors
    /// Why it could not be made.
    pub fn rehearse(&mut self, seat: Seat, mv: AnyMove, at: Timestamp) -> Result<(LogEntry, bool), Refused> {
        let mut step = self.begin(at);
        self.rehearsed = true;
        self.must_be_active(seat)?;
        let needs_turn = mv.needs_turn;
        let played = self.state_mut()?.rehearse(seat, mv)?;
        let chance_pending = played.chance_pending;
        let mv = played.mv.json.clone();
        Self::tell_move(&mut step, seat, played);
        if needs_turn {
            self.turn_taken(&mut step, seat);
        }
        let resigned = self.resigned();
        let (over, absent_next) = match self.state_mut()?.status() {
            Status::Over(outcome) => (Some(outcome), false),
            Status::ToAct(seats) => (None, seats.iter().any(|seat| resigned.contains(seat))),
            Status::Chance => (None, false),
        };
        // The end of a game with secrets lays them open: only the real move may do that.
        let reveals = over.is_some() && self.game.info().hidden_information;
        // The move of a seat whose player has left may show what only that seat knows.
        if chance_pending || reveals || absent_next {
            // Who is to act next may depend on what is not shown: nobody is, as far as a rehearsal can tell.
            step.movers = Seats::all(self.seat_count());
            if reveals {
                self.state = None;
            }
            return Ok((self.close(step, Action::Move { seat, mv }, Seats::NONE), true));
        }
        if let Some(outcome) = over {
            self.finish(&mut step, outcome);
        }
        Ok((self.end(step, Action::Move { seat, mv })?, false))
    }

    fn begin(&self, at: Timestamp) -> Step {
        Step { at, events: Vec::new(), movers: Seats::NONE }
    }

    fn end(&mut self, step: Step, action: Action) -> Result<LogEntry, Refused> {
        let to_act = match (&self.state, self.stored.stage) {
            (Some(state), Stage::Playing) => match state.status() {
                Status::ToAct(seats) => seats,
                Status::Chance | Status::Over(_) => return Err(Refused::stuck()),
            },
            _ => Seats::NONE,
        };
        Ok(self.close(step, action, to_act))
    }

    fn close(&mut self, step: Step, action: Action, to_act: Seats) -> LogEntry {
        let Step { at, events, movers } = step;
        self.stored.version += 1;
        self.stored.updated_at = at;
        let version = self.stored.version;
        for (index, seat) in self.stored.seats.iter_mut().enumerate() {
            let here = Seat::new(index as u8);
            let acts = here.is_some_and(|here| to_act.contains(here));
            let moved = here.is_some_and(|here| movers.contains(here));
            match seat.decision {
                Some(_) if acts && !moved => {}
                _ => seat.decision = acts.then_some(OpenDecision { version, at }),
            }
        }
        LogEntry { form: STORED_FORM, version, at, action, events, to_act: to_act.iter().collect() }
    }

    fn sit(
        &mut self,
        step: &mut Step,
        seat: Seat,
        player: Seated,
        entropy: Option<SeatEntropy>,
    ) -> Result<(), Refused> {
        if self.seat_of(&player.id).is_some() {
            return Err(Refused::AlreadySeated);
        }
        let place = self.seat_mut(seat)?;
        if place.player.is_some() {
            return Err(Refused::SeatTaken);
        }
        let gave = entropy.is_some();
        *place = StoredSeat { player: Some(player.clone()), entropy, ..StoredSeat::default() };
        step.tell(LifeEvent::PlayerJoined(PlayerJoined { seat, player }));
        if gave {
            step.tell(LifeEvent::EntropyGiven(EntropyGiven { seat }));
        }
        let full = self.stored.seats.iter().all(|seat| seat.player.is_some());
        if full && self.stored.terms.start == StartMode::WhenFull {
            self.start(step)?;
        }
        Ok(())
    }

    fn start(&mut self, step: &mut Step) -> Result<(), Refused> {
        let mut dice = self.dice();
        let set_up = self.game.setup(&self.stored.terms.options, self.seat_count(), &mut dice)?;
        self.stored.dice = dice.position();
        self.stored.stage = Stage::Playing;
        self.stored.started_at = Some(step.at);
        self.state = Some(set_up.state);
        step.tell(LifeEvent::MatchStarted(MatchStarted {}));
        step.events.extend(set_up.events.into_iter().map(StoredEvent::Game));
        self.go_on(step)
    }

    fn make_move(&mut self, step: &mut Step, seat: Seat, mv: AnyMove) -> Result<Box<RawValue>, Refused> {
        let needs_turn = mv.needs_turn;
        self.must_be_playing()?;
        self.must_be_active(seat)?;
        if needs_turn && self.decision(seat).is_none() {
            return Err(Refused::NotYourTurn(self.stored.version));
        }
        let mut dice = self.dice();
        let played = self.state_mut()?.play(seat, mv, &mut dice)?;
        self.stored.dice = dice.position();
        let mv = played.mv.json.clone();
        Self::tell_move(step, seat, played);
        if needs_turn {
            self.turn_taken(step, seat);
        }
        self.go_on(step)?;
        Ok(mv)
    }

    fn tell_move(step: &mut Step, seat: Seat, played: PlayedJson) {
        let MoveJson { json: mv, notation } = played.mv;
        step.events.push(StoredEvent::Move { seat, mv, notation: Some(notation) });
        step.events.extend(played.events.into_iter().map(StoredEvent::Game));
    }

    /// Carries on until a present player is to act: moves for seats whose players have left, and the end.
    fn go_on(&mut self, step: &mut Step) -> Result<(), Refused> {
        for _ in 0..ABSENT_MOVES_MAX {
            let resigned = self.resigned();
            let state = self.state_mut()?;
            let absent = match state.status() {
                Status::Over(outcome) => {
                    self.finish(step, outcome);
                    return Ok(());
                }
                Status::ToAct(seats) => seats.iter().find(|seat| resigned.contains(*seat)),
                Status::Chance => return Err(Refused::stuck()),
            };
            let Some(seat) = absent else { return Ok(()) };
            let mv = state.absent_move(seat).ok_or_else(Refused::stuck)?;
            let mut dice = self.dice();
            let played = self.state_mut()?.play(seat, mv, &mut dice)?;
            self.stored.dice = dice.position();
            Self::tell_move(step, seat, played);
            step.movers = step.movers.with(seat);
        }
        Err(Refused::stuck())
    }

    fn give_up(&mut self, step: &mut Step, seat: Seat, ending: &'static str) -> Result<(), Refused> {
        self.seat_mut(seat)?.resigned = true;
        self.stored.draw.clear();
        let count = self.seat_count();
        if self.game.info().mode != Mode::Competitive {
            self.finish(step, Outcome::shared(ending, count, Verdict::Lost));
            return Ok(());
        }
        let resigned = self.resigned();
        let active: Seats = count.seats().filter(|seat| !resigned.contains(*seat)).collect();
        if active.is_empty() {
            self.finish(step, Outcome::shared(ending, count, Verdict::Lost));
            return Ok(());
        }
        if active.len() == 1 {
            self.finish(step, Outcome::won_by(ending, count, active));
            return Ok(());
        }
        self.go_on(step)
    }

    fn finish(&mut self, step: &mut Step, outcome: Outcome) {
        let outcome = outcome.with_resigned_last(self.resigned());
        self.stored.stage = Stage::Finished;
        self.stored.ended_at = Some(step.at);
        self.stored.draw.clear();
        self.stored.outcome = Some(outcome.clone());
        step.tell(LifeEvent::MatchEnded(MatchEnded { outcome }));
    }

    fn offer_draw(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_playing()?;
        self.must_be_active(seat)?;
        if !self.game.info().draws {
            return Err(Refused::NoDraws);
        }
        // One offer for each move of one's own: an offer is not to be a way to wear the others down.
        if !self.stored.draw.is_empty() || self.stored.draw_offered.contains(&seat) {
            return Err(Refused::DrawOnOffer);
        }
        self.stored.draw.push(seat);
        self.stored.draw_offered.push(seat);
        step.tell(LifeEvent::DrawOffered(DrawOffered { seat }));
        Ok(())
    }

    fn accept_draw(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_playing()?;
        self.must_be_active(seat)?;
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

    fn decline_draw(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_playing()?;
        self.must_be_active(seat)?;
        self.must_be_offered(seat)?;
        self.stored.draw.clear();
        step.tell(LifeEvent::DrawDeclined(DrawDeclined { seat }));
        Ok(())
    }

    /// A turn opens a new decision for its seat and lets it offer a draw again; an offer to which the seat has not
    /// agreed lapses.
    fn turn_taken(&mut self, step: &mut Step, seat: Seat) {
        step.movers = step.movers.with(seat);
        self.stored.draw_offered.retain(|offered| *offered != seat);
        if !self.stored.draw.contains(&seat) {
            self.stored.draw.clear();
        }
    }

    fn must_be_open(&self) -> Result<(), Refused> {
        if self.stored.stage == Stage::Open { Ok(()) } else { Err(Refused::NotOpen) }
    }

    /// Refuses when the match is not open, or has been changed so often that only its creator should go on.
    fn must_be_calm(&self) -> Result<(), Refused> {
        self.must_be_open()?;
        if self.stored.version < OPEN_VERSIONS_MAX { Ok(()) } else { Err(Refused::TooManyChanges) }
    }

    /// Refuses before the start and after the end.
    pub fn must_be_playing(&self) -> Result<(), Refused> {
        match self.stored.stage {
            Stage::Playing => Ok(()),
            Stage::Open => Err(Refused::NotPlaying),
            Stage::Finished | Stage::Aborted => Err(Refused::MatchOver(self.stored.version)),
        }
    }

    fn must_be_active(&self, seat: Seat) -> Result<(), Refused> {
        match self.stored.seats.get(seat.index()) {
            Some(here) if !here.resigned => Ok(()),
            Some(_) => Err(Refused::AlreadyResigned),
            None => Err(Refused::NoSuchSeat),
        }
    }

    fn must_be_absent(&self, seat: Seat, by: Seat, at: Timestamp) -> Result<(), Refused> {
        if seat == by {
            return Err(Refused::OwnSeat);
        }
        self.must_be_active(seat)?;
        if self.decision(seat).is_none() {
            return Err(Refused::NotToAct);
        }
        match self.claimable_at(seat) {
            Some(from) if from <= at => Ok(()),
            from => {
                let left = from.map(|from| (from.0 - at.0).max(0).cast_unsigned().div_ceil(1000));
                Err(Refused::ClaimTooEarly { retry_after_seconds: left })
            }
        }
    }

    fn must_be_offered(&self, seat: Seat) -> Result<(), Refused> {
        if self.stored.draw.is_empty() || self.stored.draw.contains(&seat) {
            return Err(Refused::NoDrawOffer);
        }
        Ok(())
    }

    fn resigned(&self) -> Seats {
        self.seat_count().seats().filter(|seat| self.stored.seats[seat.index()].resigned).collect()
    }

    fn seat_mut(&mut self, seat: Seat) -> Result<&mut StoredSeat, Refused> {
        self.stored.seats.get_mut(seat.index()).ok_or(Refused::NoSuchSeat)
    }

    fn state_mut(&mut self) -> Result<&mut Box<dyn AnyState>, Refused> {
        self.state.as_mut().ok_or(Refused::NotPlaying)
    }

    fn dice(&self) -> Dice {
        let entropy = self.stored.seats.iter().map(|seat| seat.entropy.as_ref());
        Dice::at(self.stored.seed.dice_seed(&self.stored.id, entropy), self.stored.dice)
    }
}
