//! A match as an example: of one game on offer, played at a table of its own with a fixed seed and clock.
//!
//! It answers `None` where the game does not play along: one without draws has no match in which one is offered.

use std::sync::Arc;

use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_games::{AnyGame, ListForm, MoveInput};
use sarsen_matches::export::{MatchExport, export};
use sarsen_matches::feed::follow::{MyEvent, my_event};
use sarsen_matches::model::clock::{ClockTerms, OnTimeout, WantedClock};
use sarsen_matches::model::fairness::{SeatEntropy, ServerSeed};
use sarsen_matches::model::log::{Action, LogEntry};
use sarsen_matches::model::retention::EXPIRES_AFTER_SECONDS;
use sarsen_matches::model::table_terms::{ReservedSeat, TableTerms};
use sarsen_matches::model::terms::{Creation, Seated, StartMode, Terms, Visibility};
use sarsen_matches::play::{Moved, moved};
use sarsen_matches::table::live_match::LiveMatch;
use sarsen_matches::{Reader, Refused, ViewedMatch};
use sarsen_rules::{Seat, SeatCount};

const MATCH: &str = "m_0190163d8694739ea2a3c9f1e7d1a111";
/// A fork of it.
const FORK: &str = "m_0190163d8694739ea2a3c9f1e7d1a112";
/// The player who makes the match, and sits on seat 0.
pub(crate) const ROBIN: &str = "p_0190163d8694739ea2a3c9f1e7d1a222";
/// The player who joins it on seat 1.
pub(crate) const SORREL: &str = "p_0190163d8694739ea2a3c9f1e7d1a444";
/// The players who join it on the seats from 1 on, as many as it takes.
const GUESTS: [(&str, &str); 4] = [
    (SORREL, "Sorrel"),
    ("p_0190163d8694739ea2a3c9f1e7d1a555", "Bramble"),
    ("p_0190163d8694739ea2a3c9f1e7d1a666", "Hazel"),
    ("p_0190163d8694739ea2a3c9f1e7d1a777", "Alder"),
];
/// The time at which the match is made.
pub(crate) const AT: &str = "2026-11-20T18:30:00.123Z";
/// The entropy that joining players give to the dice.
pub(crate) const ENTROPY: &str = "oak, ash and thorn";
/// Seconds for a decision.
pub(crate) const MOVE_TIME: u32 = 259_200;
const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// [`ENTROPY`], as a seat gives it.
pub(crate) fn entropy() -> Option<SeatEntropy> {
    serde_json::from_value(json!(ENTROPY)).ok()
}

fn seated(id: &str, name: &str) -> Option<Seated> {
    Some(Seated::person(id.parse().ok()?, name.to_owned()))
}

/// A match of a game with as few seats as it can have, made by Robin, and all that happened in it.
pub(crate) struct Sample {
    /// The match as it now is.
    pub(crate) live: LiveMatch,
    log: Vec<LogEntry>,
    now: Timestamp,
}

impl Sample {
    /// Robin has made the match and waits on seat 0.
    pub(crate) fn new(game: &Arc<dyn AnyGame>, start: StartMode) -> Option<Sample> {
        Sample::at_table(game, start, TableTerms::default(), None)
    }

    /// The same with seat 1 kept for Sorrel, perhaps because they sat in a match before.
    pub(crate) fn reserved(game: &Arc<dyn AnyGame>, from_match: Option<&str>) -> Option<Sample> {
        let kept = ReservedSeat { seat: Seat::new(1)?, player: seated(SORREL, "Sorrel")? };
        let from_match = from_match.and_then(|id| id.parse().ok());
        let table = TableTerms { reserved: vec![kept], from_match, ..TableTerms::default() };
        Sample::at_table(game, StartMode::WhenFull, table, None)
    }

    /// Robin tries out how a match could have gone on that has ended soon after its first move.
    pub(crate) fn forked(game: &Arc<dyn AnyGame>) -> Option<Sample> {
        let before = Sample::finished(game)?.live;
        Sample::made(game, FORK, before.fork(&before, seated(ROBIN, "Robin")?).ok()?)
    }

    /// Two others play a match of Robin's league.
    pub(crate) fn organised(game: &Arc<dyn AnyGame>) -> Option<Sample> {
        let tags = vec!["round-3".to_owned(), "spring-cup".to_owned()];
        let table = TableTerms { tags, ..TableTerms::default() };
        Sample::made(game, MATCH, Sample::creation(game, StartMode::WhenFull, table, None, None)?)?.joined()
    }

    fn at_table(
        game: &Arc<dyn AnyGame>,
        start: StartMode,
        table: TableTerms,
        clock: Option<ClockTerms>,
    ) -> Option<Sample> {
        Sample::made(game, MATCH, Sample::creation(game, start, table, clock, Seat::new(0))?)
    }

    fn creation(
        game: &Arc<dyn AnyGame>,
        start: StartMode,
        table: TableTerms,
        clock: Option<ClockTerms>,
        seat: Option<Seat>,
    ) -> Option<Creation> {
        let count = SeatCount::new(game.info().min_seats)?;
        let terms = Terms {
            game: game.info().id.to_owned(),
            rules_version: game.info().rules_version,
            options: game.options(&Value::Null, count).ok()?,
            visibility: Visibility::Public,
            invite: None,
            start,
            move_time_seconds: if clock.is_none() { Some(MOVE_TIME) } else { None },
            expires_in_seconds: Some(EXPIRES_AFTER_SECONDS),
            bots: Vec::new(),
            hints: None,
            undo: None,
            table,
            clock,
            rated: false,
        };
        let creator = seated(ROBIN, "Robin")?;
        Some(Creation {
            terms: Arc::new(terms),
            seats: count,
            seat,
            creator: Some(creator),
            paired: Vec::new(),
            position: None,
        })
    }

    fn made(game: &Arc<dyn AnyGame>, id: &str, creation: Creation) -> Option<Sample> {
        let now = Timestamp::from_rfc3339(AT)?;
        let id: MatchId = id.parse().ok()?;
        let seed = ServerSeed::from_revealed(SEED)?;
        let (live, entry) = LiveMatch::create(Arc::clone(game), id, seed, creation, now).ok()?;
        Some(Sample { live, log: vec![entry], now })
    }

    /// Everybody has joined, and given entropy.
    pub(crate) fn full(game: &Arc<dyn AnyGame>, start: StartMode) -> Option<Sample> {
        Sample::new(game, start)?.joined()
    }

    fn joined(self) -> Option<Sample> {
        let stored = &self.live.stored;
        let free = |seat: &Seat| stored.seats.get(seat.index()).is_some_and(|held| held.player.is_none());
        let seats: Vec<Seat> = self.live.seat_count().seats().filter(free).collect();
        seats.into_iter().zip(GUESTS).try_fold(self, |sample, (seat, (id, name))| {
            sample.after(Action::Join { seat, player: seated(id, name)?, entropy: entropy() })
        })
    }

    /// The match has begun.
    pub(crate) fn playing(game: &Arc<dyn AnyGame>) -> Option<Sample> {
        Sample::full(game, StartMode::WhenFull)
    }

    /// The match has begun, with five minutes for each and five seconds a turn.
    pub(crate) fn timed(game: &Arc<dyn AnyGame>, on_timeout: Option<OnTimeout>) -> Option<Sample> {
        let wanted = WantedClock {
            initial_seconds: 300,
            increment_seconds: 5,
            first_move_seconds: Some(None),
            on_timeout,
            ..WantedClock::default()
        };
        let seats = SeatCount::new(game.info().min_seats)?;
        let clock = ClockTerms::settle(&wanted, game.info().mode, seats, Some(1)).ok()?;
        Sample::at_table(game, StartMode::WhenFull, TableTerms::default(), Some(clock))?.joined()
    }

    /// Robin has offered a draw.
    pub(crate) fn draw_offered(game: &Arc<dyn AnyGame>) -> Option<Sample> {
        Sample::playing(game)?.after(Action::OfferDraw { seat: Seat::new(0)? })
    }

    /// The match has ended, soon after its first move.
    pub(crate) fn finished(game: &Arc<dyn AnyGame>) -> Option<Sample> {
        Sample::playing(game)?.moved_on()?.after(Action::Resign { seat: Seat::new(0)? })
    }

    /// The match after the first legal move of the seat that is to act.
    pub(crate) fn moved_on(self) -> Option<Sample> {
        let (seat, mv) = (self.mover()?, to_raw_value(&self.first_move()?).ok()?);
        self.after(Action::Move { seat, mv, cut: false, planned: false })
    }

    /// The match after one more step, a minute later.
    pub(crate) fn after(mut self, action: Action) -> Option<Sample> {
        self.now = self.now.plus_seconds(60);
        self.log.push(self.live.take_step(action, self.now).ok()?);
        Some(self)
    }

    /// The same, where the step puts the match back to what it is `then`.
    pub(crate) fn after_going_back(mut self, action: Action, then: &Sample) -> Option<Sample> {
        self.now = self.now.plus_seconds(60);
        self.log.push(self.live.take_step_back(action, self.now, Some(&then.live)).ok()?);
        Some(self)
    }

    /// The match has begun, and the first legal move has been made `moves` times.
    pub(crate) fn after_moves(game: &Arc<dyn AnyGame>, moves: usize) -> Option<Sample> {
        (0..moves).try_fold(Sample::playing(game)?, |sample, _| sample.moved_on())
    }

    /// The match after `seconds` have passed.
    pub(crate) fn waited(self, seconds: u32) -> Sample {
        Sample { now: self.now.plus_seconds(seconds), ..self }
    }

    /// The seat that is to act.
    pub(crate) fn mover(&self) -> Option<Seat> {
        self.live.to_act().iter().next()
    }

    pub(crate) fn other(&self) -> Option<Seat> {
        let mover = self.mover()?;
        self.live.seat_count().seats().find(|seat| *seat != mover)
    }

    /// Returns the id of the player on the seat.
    pub(crate) fn player(&self, seat: Seat) -> Option<String> {
        let player = self.live.stored.seats.get(seat.index())?.player.as_ref()?;
        Some(player.id.as_str().to_owned())
    }

    /// The match as the player sees it.
    pub(crate) fn seen_by(self, player: &str) -> Option<ViewedMatch> {
        Some(Arc::new(self.live).seen_by(&Reader::player(player.parse().ok()?), &KnownStatuses::default()))
    }

    /// The first legal move of the seat that is to act.
    pub(crate) fn first_move(&self) -> Option<Value> {
        let listed = self.live.state()?.legal_moves(self.mover()?, ListForm::Full).ok()?;
        serde_json::from_str::<Vec<Value>>(listed.moves.get()).ok()?.into_iter().next()
    }

    /// Makes the first legal move and returns its result, as the mover sees it.
    pub(crate) fn moved(self) -> Option<Moved> {
        let mv = self.first_move()?;
        self.with_move(mv)?.ok()
    }

    /// Makes a move of the seat that is to act and returns its result.
    pub(crate) fn with_move(mut self, mv: Value) -> Option<Result<Moved, Refused>> {
        let seat = self.mover()?;
        let mv = self.live.game.read_move(&MoveInput::Json(mv)).ok()?;
        let entry = match self.live.play(seat, mv, self.now.plus_seconds(60)) {
            Ok(entry) => entry,
            Err(refused) => return Some(Err(refused)),
        };
        let player = self.player(seat)?;
        Some(moved(self.seen_by(&player)?, seat, &entry))
    }

    /// Makes the first legal move and returns it as the other seat sees it, as its `number`th event.
    pub(crate) fn told(mut self, number: u64) -> Option<MyEvent> {
        let mv = to_raw_value(&self.first_move()?).ok()?;
        let (mover, other) = (self.mover()?, self.other()?);
        let entry = self
            .live
            .take_step(Action::Move { seat: mover, mv, cut: false, planned: false }, self.now.plus_seconds(60))
            .ok()?;
        let player = self.player(other)?;
        my_event(number, &self.seen_by(&player)?, &entry).ok()
    }

    /// The record of the match.
    pub(crate) fn record(self) -> Option<MatchExport> {
        export(&self.live, &self.log).ok()
    }
}
