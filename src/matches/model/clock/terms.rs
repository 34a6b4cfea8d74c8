//! The terms of a clock: what a creator may ask for, and what is settled.
//!
//! Invariant: settled terms are in their bounds and fit the table. Sudden death, Fischer, delay, days a turn, and days with
//! a bank are values of them, not kinds.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_games::bots::Level;
use sarsen_rules::{Mode, SeatCount};

const YEAR: i64 = 31_536_000;
const MONTH: i64 = 2_592_000;
const WEEK: i64 = 604_800;
/// The default time of a seat for its first turn in a live match, in seconds.
const FIRST_MOVE_SECONDS: u32 = 30;
/// The default number of consecutive turns that a seat may let pass.
const TIMEOUTS_ALLOWED: u8 = 2;
/// The delay from which on no match is live, in seconds.
const LIVE_DELAY: u64 = 3_600;
/// The number of turns by which the length of a match is estimated. A live match is shorter than `LIVE_ALTOGETHER`, in
/// seconds.
const USUAL_TURNS: u64 = 40;
const LIVE_ALTOGETHER: u64 = 14_400;

/// The consequence for a seat that has let its time run out.
///
/// - `forfeit`: The seat has lost, as if it had resigned.
/// - `absent_move`: A fixed rule makes its decisions until its turn is over.
/// - `bot`: A bot plays for it until its player is back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum OnTimeout {
    Forfeit,
    AbsentMove,
    Bot,
}

/// The pace of a match.
///
/// - `live`: Those who play sit at it together.
/// - `correspondence`: They come back to it, over days.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Speed {
    /// Those who play sit at it together.
    Live,
    /// They come back to it, over days.
    Correspondence,
}

/// A requested clock, of any size; all times in seconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WantedClock {
    /// The bank at the start.
    pub initial_seconds: i64,
    /// The increment: the time that a turn adds to the bank.
    pub increment_seconds: i64,
    /// The delay: the time of each turn that costs nothing.
    pub delay_seconds: i64,
    /// The most that the bank may hold after a turn.
    pub max_bank_seconds: Option<i64>,
    /// The time of a seat for its first turn, which costs nothing; an inner `None` for no such rule.
    pub first_move_seconds: Option<Option<i64>>,
    /// The consequence for a late seat.
    pub on_timeout: Option<OnTimeout>,
    /// The number of consecutive turns that may pass under `absent_move`.
    pub timeouts_allowed: Option<i64>,
    /// The level of the bot that plays for a late player under `bot`.
    pub takeover_bot: Option<Level>,
}

/// The fault of a requested clock.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{detail}")]
pub struct InvalidClock {
    /// The property at fault.
    pub field: &'static str,
    /// The fault, in words.
    pub(crate) detail: String,
}

/// The bot that plays for a late player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TakeoverBot {
    /// The strength of the bot.
    #[serde(rename = "l")]
    pub level: Level,
    /// The version of the game's bots when the match was made.
    #[serde(rename = "v")]
    pub(crate) version: u32,
}

/// The settled terms of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockTerms {
    /// The bank at the start, in seconds.
    #[serde(rename = "b")]
    pub initial_seconds: u32,
    /// The increment: the time that a turn adds to the bank, in seconds.
    #[serde(rename = "i", default, skip_serializing_if = "is_nought")]
    pub increment_seconds: u32,
    /// The delay: the time of each turn that costs nothing, in seconds.
    #[serde(rename = "d", default, skip_serializing_if = "is_nought")]
    pub delay_seconds: u32,
    /// The most that the bank may hold after a turn, in seconds.
    #[serde(rename = "m", default, skip_serializing_if = "Option::is_none")]
    pub max_bank_seconds: Option<u32>,
    /// The time of a seat for its first turn, which costs nothing, in seconds; `None` for no such rule.
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    pub first_move_seconds: Option<u32>,
    /// The consequence for a late seat.
    #[serde(rename = "o")]
    pub on_timeout: OnTimeout,
    /// The number of consecutive turns that may pass under `absent_move`.
    #[serde(rename = "n")]
    pub timeouts_allowed: u8,
    /// The bot that plays for a late player; there is one under `bot` alone.
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub takeover_bot: Option<TakeoverBot>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it so")]
fn is_nought(seconds: &u32) -> bool {
    *seconds == 0
}

fn invalid(field: &'static str, detail: impl Into<String>) -> InvalidClock {
    InvalidClock { field, detail: detail.into() }
}

fn within(field: &'static str, seconds: i64, bounds: RangeInclusive<i64>) -> Result<u32, InvalidClock> {
    let fitting = u32::try_from(seconds).ok().filter(|_| bounds.contains(&seconds));
    fitting.ok_or_else(|| {
        invalid(field, format!("`{field}` has to be an integer from {} to {}", bounds.start(), bounds.end()))
    })
}

impl ClockTerms {
    /// Settles the clock of a match, if one is asked for: not beside a time for each decision. For the rest see
    /// [`ClockTerms::settle`].
    ///
    /// # Errors
    /// [`InvalidClock`], which names the property at fault.
    pub(crate) fn of_match(
        wanted: Option<&WantedClock>,
        move_time_seconds: Option<u32>,
        mode: Mode,
        seats: SeatCount,
        bots: Option<u32>,
    ) -> Result<Option<ClockTerms>, InvalidClock> {
        let Some(wanted) = wanted else { return Ok(None) };
        if move_time_seconds.is_some() {
            return Err(invalid("move_time_seconds", "a match has a `clock` or `move_time_seconds`, not both"));
        }
        ClockTerms::settle(wanted, mode, seats, bots).map(Some)
    }

    /// Settles a requested clock, at a table of `seats` seats, in a game whose bots have this version, if it has any.
    ///
    /// # Errors
    /// [`InvalidClock`], which names the property at fault.
    pub fn settle(
        wanted: &WantedClock,
        mode: Mode,
        seats: SeatCount,
        bots: Option<u32>,
    ) -> Result<ClockTerms, InvalidClock> {
        let initial_seconds = within("initial_seconds", wanted.initial_seconds, 0..=YEAR)?;
        let increment_seconds = within("increment_seconds", wanted.increment_seconds, 0..=MONTH)?;
        let delay_seconds = within("delay_seconds", wanted.delay_seconds, 0..=MONTH)?;
        if initial_seconds == 0 && delay_seconds == 0 {
            return Err(invalid("initial_seconds", "a turn needs time: an initial bank, a delay, or both"));
        }
        let least = i64::from(initial_seconds);
        let most = wanted.max_bank_seconds.map(|most| within("max_bank_seconds", most, least..=YEAR)).transpose()?;
        let alone = seats == SeatCount::ONE;
        let mut terms = ClockTerms {
            initial_seconds,
            increment_seconds,
            delay_seconds,
            max_bank_seconds: most,
            first_move_seconds: None,
            on_timeout: wanted.on_timeout.unwrap_or(match mode {
                Mode::Cooperative if !alone => OnTimeout::AbsentMove,
                _ => OnTimeout::Forfeit,
            }),
            timeouts_allowed: match wanted.timeouts_allowed {
                Some(allowed) => within("timeouts_allowed", allowed, 0..=100)? as u8,
                None => TIMEOUTS_ALLOWED,
            },
            takeover_bot: None,
        };
        terms.takeover_bot = terms.takeover(wanted.takeover_bot, bots)?;
        terms.first_move_seconds = match wanted.first_move_seconds {
            Some(Some(first)) => Some(within("first_move_seconds", first, 10..=WEEK)?),
            Some(None) => None,
            None => Some(FIRST_MOVE_SECONDS).filter(|_| !alone && terms.speed() == Speed::Live),
        };
        if alone { terms.must_fit_one() } else { Ok(terms) }
    }

    /// The bot that plays for a late player.
    fn takeover(&self, level: Option<Level>, bots: Option<u32>) -> Result<Option<TakeoverBot>, InvalidClock> {
        match (self.on_timeout, level, bots) {
            (OnTimeout::Bot, level, Some(version)) => {
                Ok(Some(TakeoverBot { level: level.unwrap_or(Level::Medium), version }))
            }
            (OnTimeout::Bot, _, None) => Err(invalid("on_timeout", "this game has no bots here")),
            (_, None, _) => Ok(None),
            (_, Some(_), _) => Err(invalid("takeover_bot", "a bot takes over only where `on_timeout` is `bot`")),
        }
    }

    /// Refuses terms that do not fit a single player, whose one turn never ends: they need an initial bank, and nothing
    /// that comes with another turn.
    fn must_fit_one(self) -> Result<ClockTerms, InvalidClock> {
        let wrong = [
            ("initial_seconds", self.initial_seconds == 0),
            ("increment_seconds", self.increment_seconds > 0),
            ("delay_seconds", self.delay_seconds > 0),
            ("max_bank_seconds", self.max_bank_seconds.is_some()),
            ("first_move_seconds", self.first_move_seconds.is_some()),
            ("on_timeout", self.on_timeout != OnTimeout::Forfeit),
        ];
        match wrong.into_iter().find(|(_, wrong)| *wrong) {
            None => Ok(self),
            Some((field, _)) => Err(invalid(
                field,
                "whoever plays alone has one turn: a clock has `initial_seconds` there and nothing else",
            )),
        }
    }

    /// The speed of a match with this clock.
    pub fn speed(&self) -> Speed {
        let turn = u64::from(self.increment_seconds) + u64::from(self.delay_seconds);
        let altogether = u64::from(self.initial_seconds) + USUAL_TURNS * turn;
        let live = u64::from(self.delay_seconds) < LIVE_DELAY && altogether < LIVE_ALTOGETHER;
        if live { Speed::Live } else { Speed::Correspondence }
    }

    /// The request for this very clock.
    pub(crate) fn wanted(&self) -> WantedClock {
        WantedClock {
            initial_seconds: self.initial_seconds.into(),
            increment_seconds: self.increment_seconds.into(),
            delay_seconds: self.delay_seconds.into(),
            max_bank_seconds: self.max_bank_seconds.map(i64::from),
            first_move_seconds: Some(self.first_move_seconds.map(i64::from)),
            on_timeout: Some(self.on_timeout),
            timeouts_allowed: Some(self.timeouts_allowed.into()),
            takeover_bot: self.takeover_bot.map(|bot| bot.level),
        }
    }
}
