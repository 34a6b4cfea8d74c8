//! Making a match.

use std::sync::Arc;

use serde_json::Value;

use crate::idempotency::{Answered, Idempotency};
use crate::model::bots::SeatedBot;
use crate::model::clock::{ClockTerms, Speed, WantedClock};
use crate::model::fairness::ServerSeed;
use crate::model::log::LogEntry;
use crate::model::refused::{CreateRefused, ReadRefused, SeatRefused, Unreadable};
use crate::model::retention::expires_after;
use crate::model::seated::Seated;
use crate::model::table_terms::{ReservedSeat, TableTerms};
use crate::model::terms::{Creation, PairedPlayer, StartMode, Terms, UndoTerms, Visibility};
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Stage, Unread};
use sarsen_base::ids::{CROCKFORD_DIGITS, MatchId, PlayerId};
use sarsen_games::bots::Level;
use sarsen_rules::{Seat, SeatCount};

/// A request to create a match.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// The game's options; `null` for all defaults.
    pub options: Value,
    /// The number of seats; `None` for the fewest that the game has.
    pub seats: Option<SeatCount>,
    /// The creator's own seat; `None` to stay out.
    pub seat: Option<Seat>,
    /// The seats that bots hold from the beginning, each with its level.
    pub bots: Vec<(Seat, Level)>,
    /// True if players may ask for hints; `None` for the default: only where one person plays.
    pub hints: Option<bool>,
    /// The undos that the match allows; `None` for the default: none in a rated match, else all.
    pub undo: Option<UndoTerms>,
    /// The visibility; `None` for public if the match has a seat for a stranger, else private.
    pub visibility: Option<Visibility>,
    /// The event that starts the match: the last seat is taken, or the creator starts it.
    pub start: StartMode,
    /// Seconds for a decision before others may claim; `None` for ever.
    pub move_time_seconds: Option<u32>,
    /// Seconds to wait for its start; `None` for the default, which is seven days for a public match, an hour for a live
    /// one, and for ever for a private one.
    pub expires_in_seconds: Option<u32>,
    /// Reserved seats, spectators, and what may follow.
    pub table: TableTerms,
    /// The clock that the service is to enforce; not beside `move_time_seconds`.
    pub clock: Option<WantedClock>,
    /// True if its result is to change the ratings of its players.
    pub rated: bool,
    /// True to have it called off as another exclusive match starts in which its creator plays; `None` for the default: if
    /// it has a live clock, no moment to start at, and a seat for somebody else.
    pub exclusive: Option<bool>,
}

impl NewMatch {
    /// A request with the usual terms: a public match of this game with its fewest seats, the creator on the first of
    /// them, nobody on the others, and no time limit.
    pub fn of(game: impl Into<String>) -> NewMatch {
        NewMatch {
            game: game.into(),
            options: Value::Null,
            seats: None,
            seat: Seat::new(0),
            bots: Vec::new(),
            hints: None,
            undo: None,
            visibility: None,
            start: StartMode::WhenFull,
            move_time_seconds: None,
            expires_in_seconds: None,
            table: TableTerms::default(),
            clock: None,
            rated: false,
            exclusive: None,
        }
    }
}

/// Returns true if these bots and the holder of `own` fill all seats: nobody looks for such a table in a lobby.
fn leaves_nobody_out<B>(bots: &[B], own: Option<Seat>, seats: usize) -> bool {
    !bots.is_empty() && bots.len() + usize::from(own.is_some()) >= seats
}

impl LiveMatch {
    /// A match on the terms of this one: the same table, with nobody at it but its bots.
    ///
    /// # Errors
    /// [`Unreadable`] where its options are no JSON.
    pub fn like(&self) -> Result<NewMatch, Unreadable> {
        let terms = &self.stored.terms;
        let TableTerms { no_spectators, no_programs, hotseat, no_rematch, exclusive, .. } = terms.table;
        Ok(NewMatch {
            game: terms.game.clone(),
            options: serde_json::from_str(terms.options.get())?,
            seats: Some(self.seat_count()),
            seat: None,
            bots: terms.bots.iter().map(|bot| (bot.seat, bot.level)).collect(),
            hints: terms.hints,
            undo: Some(self.undo_terms()),
            visibility: Some(terms.visibility),
            start: terms.start,
            move_time_seconds: terms.move_time_seconds,
            expires_in_seconds: terms.expires_in_seconds,
            table: TableTerms {
                no_spectators,
                no_programs,
                hotseat,
                no_rematch,
                join: terms.table.join.clone(),
                ..TableTerms::default()
            },
            clock: terms.clock.map(|clock| clock.wanted()),
            rated: terms.is_rated(),
            exclusive: Some(exclusive),
        })
    }
}

/// The maker of a new match.
pub(super) enum Maker {
    Player(Seated),
    /// A pool, which has paired these players and has committed itself to this seed.
    Pool {
        paired: Vec<PairedPlayer>,
        /// The seed of the match.
        seed: ServerSeed,
    },
}

/// The source of a new match.
pub(super) enum Making<'a> {
    /// A request of a caller.
    New(&'a Result<NewMatch, Unread>),
    /// Another match, at one of its versions.
    Fork(&'a LiveMatch, Result<u64, Unread>),
}

impl Matches {
    /// Returns whether the lobby may list the match: not a private one, nor one without a seat for a stranger.
    pub fn may_be_listed(&self, new: &NewMatch) -> bool {
        let fewest = self.games.newest(&new.game).map_or(0, |game| game.info().min_seats);
        let seats = new.seats.map_or(fewest, SeatCount::get);
        let alone = new.table.hotseat || leaves_nobody_out(&new.bots, new.seat, seats.into());
        new.visibility.map_or(!alone, |visibility| visibility == Visibility::Public)
    }

    /// Makes a match; `new` is read only when the request is no repetition. Under an idempotency key the id is reserved
    /// first: a repeated request finds it, and makes the match under it if that has not happened.
    ///
    /// # Errors
    /// [`Refused::KeyReused`], [`Refused::Unread`], those of [`CreateRefused`], [`SeatRefused::NoSuchSeat`], and
    /// [`ReadRefused::MatchNotFound`] where the match that was made under the key has been deleted.
    ///
    /// [`SeatRefused::NoSuchSeat`]: crate::model::refused::SeatRefused::NoSuchSeat
    pub async fn create(
        &self,
        creator: Seated,
        new: Result<NewMatch, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.make_once(creator, Making::New(&new), once).await
    }

    /// Makes the match of players whom a pool has paired, which starts at once; does nothing where it is made already.
    ///
    /// # Errors
    /// Those of [`CreateRefused`], or that the store is away.
    pub async fn create_paired(
        &self,
        id: MatchId,
        new: NewMatch,
        paired: Vec<PairedPlayer>,
        seed: ServerSeed,
    ) -> Result<(), Refused> {
        let (live, entry) = self.lay_out(id, Maker::Pool { paired, seed }, new)?;
        // A conflict means that another instance was quicker.
        self.commit(live, entry, None, None).await.map(drop)
    }

    /// Makes a match, once if the request has a key. `making` is asked for what it reads only when the request is no
    /// repetition.
    ///
    /// # Errors
    /// Those of [`Matches::create`] and [`Matches::fork`].
    pub(super) async fn make_once(
        &self,
        creator: Seated,
        making: Making<'_>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        let reader = Reader::player(creator.id.clone());
        let once = once.map(|once| (once, once.of(&creator.id)));
        let mut reserved = match &once {
            Some((once, key)) => self.reserved(key, once).await?,
            None => None,
        };
        let mut conflicted = false;
        // Each further round is due to a request under the same key that was quicker.
        for _ in 0..crate::ATTEMPTS_MAX {
            if let Some(id) = &reserved
                && let Some(answered) = self.created_before(&reader, id).await?
            {
                return Ok(answered);
            }
            if conflicted {
                // Nobody else has made it, so it was made before and has been deleted since.
                return Err(ReadRefused::MatchNotFound.into());
            }
            let id = reserved.clone().unwrap_or_else(|| MatchId::generate(&self.ambient));
            // What is refused reserves nothing.
            let ((live, entry), _room) = match &making {
                Making::New(new) => {
                    let maker = Maker::Player(creator.clone());
                    let (live, entry) = self.lay_out(id.clone(), maker, (*new).clone()?)?;
                    let room = self.room_for(&live).await?;
                    ((live, entry), room)
                }
                Making::Fork(original, version) => {
                    (self.lay_out_fork(id.clone(), creator.clone(), original, version.clone()?).await?, None)
                }
            };
            if let Some((once, key)) = &once {
                // Where it is reserved already, the request that did so may not have heard that it will last.
                let standing = self.reserve(key, once, &id).await?;
                if standing != id {
                    reserved = Some(standing);
                    continue;
                }
            }
            self.keep_invite_code(&live).await?;
            if let Some((live, _)) = self.commit(live, entry, None, None).await? {
                return Ok(Answered::now(live.seen_by(&reader, &self.statuses)));
            }
            reserved = Some(id).filter(|_| once.is_some());
            conflicted = reserved.is_some();
        }
        Err(Refused::Busy)
    }

    /// Refuses a match that waits for its start if its creator has made too many that do.
    pub(super) async fn must_have_room(&self, live: &LiveMatch) -> Result<(), Refused> {
        let Some(Seated { id: creator, .. }) = &live.stored.creator else { return Ok(()) };
        let seated = live.seat_of(creator).is_some();
        let most = if seated { self.retention.open_per_player } else { self.retention.hosted_per_player };
        match most {
            Some(most) if live.stored.stage == Stage::Open => {
                let made = self.open_made_by(creator, seated, most as usize).await?;
                if made < most as usize { Ok(()) } else { Err(CreateRefused::TooManyOpen { most, seated }.into()) }
            }
            _ => Ok(()),
        }
    }

    /// A new match, not yet committed, and the entry of its first step.
    pub(super) fn lay_out(&self, id: MatchId, maker: Maker, new: NewMatch) -> Result<(LiveMatch, LogEntry), Refused> {
        let (creator, paired, seed) = match maker {
            Maker::Player(creator) => (Some(creator), Vec::new(), ServerSeed::generate(&self.ambient)),
            Maker::Pool { paired, seed } => (None, paired, seed),
        };
        let game =
            self.games.newest(&new.game).ok_or_else(|| CreateRefused::GameNotFound { here: self.games.ids() })?;
        let info = game.info();
        let (min, max) = (info.min_seats, info.max_seats);
        let fewest = SeatCount::new(min).unwrap_or(SeatCount::ONE);
        let seats = new.seats.unwrap_or(fewest);
        if seats.get() < min || seats.get() > max {
            return Err(CreateRefused::SeatCount { min, max }.into());
        }
        let bots = self.seated_bots(&new, seats)?;
        // Where bots hold every seat, the seat behind them is none.
        let seat = new.seat.filter(|own| bots.len() < usize::from(seats.get()) || own.index() < bots.len());
        let mut table = expected(&new, seats, creator.as_ref())?;
        let version = self.bots_of(&new.game).flatten().map(|bot| bot.tuning().version);
        let clock = ClockTerms::of_match(new.clock.as_ref(), new.move_time_seconds, info.mode, seats, version);
        let clock = clock.map_err(CreateRefused::Clock)?;
        let usual = usize::from(seats.get()) - bots.len() == 1;
        let alone = table.hotseat || leaves_nobody_out(&bots, seat, seats.get().into());
        let live = clock.is_some_and(|clock| clock.speed() == Speed::Live);
        table.exclusive = new.exclusive.unwrap_or(live && !alone && table.starts_at.is_none());
        let undo = new.undo.unwrap_or(if new.rated { UndoTerms::Off } else { UndoTerms::default() });
        let visibility = new.visibility.unwrap_or(if alone { Visibility::Private } else { Visibility::Public });
        let terms = Terms {
            game: new.game,
            rules_version: info.rules_version,
            options: game.options(&new.options, seats).map_err(CreateRefused::Options)?,
            visibility,
            invite: (visibility == Visibility::Private).then(|| self.invite_code()),
            // A scheduled match is stored as manual, so that a replay need not know the moment.
            start: if table.starts_at.is_some() { StartMode::Manual } else { new.start },
            move_time_seconds: new.move_time_seconds,
            expires_in_seconds: new
                .expires_in_seconds
                .filter(|seconds| expires_after(visibility, clock) != Some(*seconds)),
            bots,
            hints: new.hints.filter(|hints| *hints != usual),
            undo: Some(undo).filter(|undo| *undo != UndoTerms::default()),
            table,
            clock,
            rated: new.rated,
        };
        let own = creator.as_ref().filter(|_| seat.is_some()).or(paired.first().map(|paired| &paired.player));
        terms.must_be_rateable(&**game, seats, own.map(|own| own.kind)).map_err(CreateRefused::NotRateable)?;
        let creation = Creation { terms: Arc::new(terms), seats, seat, creator, paired, position: None };
        LiveMatch::create(Arc::clone(game), id, seed, creation, self.received())
    }

    /// The bots that are asked for, by seat.
    fn seated_bots(&self, new: &NewMatch, seats: SeatCount) -> Result<Vec<SeatedBot>, Refused> {
        if new.bots.is_empty() {
            return Ok(Vec::new());
        }
        let bot = self.bots_of(&new.game).flatten().ok_or(CreateRefused::NoBots)?;
        let version = bot.tuning().version;
        let mut bots: Vec<_> = new.bots.iter().map(|&(seat, level)| SeatedBot { seat, level, version }).collect();
        bots.sort_by_key(|bot| bot.seat);
        if bots.iter().any(|bot| bot.seat.index() >= usize::from(seats.get())) {
            return Err(SeatRefused::NoSuchSeat.into());
        }
        if let Some(twice) = bots.windows(2).find(|two| two[0].seat == two[1].seat) {
            return Err(CreateRefused::SeatedTwice(twice[0].seat).into());
        }
        match new.seat.filter(|own| bots.iter().any(|bot| bot.seat == *own)) {
            Some(own) => Err(CreateRefused::SeatedTwice(own).into()),
            None => Ok(bots),
        }
    }

    /// A fresh invite code: 12 letters and digits that are not mistaken for each other, 60 bits.
    pub(super) fn invite_code(&self) -> String {
        self.ambient.bytes::<12>().iter().map(|byte| char::from(CROCKFORD_DIGITS[usize::from(byte % 32)])).collect()
    }
}

/// The table terms with the expected players by seat. Refuses a player who is expected twice, and a seat that is given
/// to another.
fn expected(new: &NewMatch, seats: SeatCount, creator: Option<&Seated>) -> Result<TableTerms, Refused> {
    let mut table = new.table.clone();
    table.reserved.sort_by_key(|reserved| reserved.seat);
    let mut given: Vec<Seat> = new.seat.into_iter().chain(new.bots.iter().map(|(seat, _)| *seat)).collect();
    let sits = new.seat.is_some() || table.hotseat;
    if creator.is_some_and(|creator| sits && !table.takes(creator))
        || table.reserved.iter().any(|reserved| !table.takes(&reserved.player))
    {
        return Err(CreateRefused::NoPrograms.into());
    }
    let mut known: Vec<&PlayerId> = creator.iter().map(|creator| &creator.id).collect();
    for ReservedSeat { seat, player } in &table.reserved {
        if seat.index() >= usize::from(seats.get()) {
            return Err(SeatRefused::NoSuchSeat.into());
        }
        if given.contains(seat) {
            return Err(CreateRefused::SeatedTwice(*seat).into());
        }
        if known.contains(&&player.id) {
            return Err(CreateRefused::InvitedTwice(player.id.clone()).into());
        }
        given.push(*seat);
        known.push(&player.id);
    }
    Ok(table)
}
