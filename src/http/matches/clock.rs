//! Clocks: how one is asked for, and how it is shown.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::answer::moment::Moment;
use crate::extract::body::given_or_null;
use sarsen_games::bots::Level;
use sarsen_matches::model::clock::{ClockTerms, OnTimeout, Speed, WantedClock};
use sarsen_matches::table::live_match::LiveMatch;
use sarsen_rules::{Seat, reading};

/// A number that is judged as part of a clock: one out of bounds is refused as such.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Judged(i64);

impl<'de> Deserialize<'de> for Judged {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Judged, D::Error> {
        reading::integer_or_nearest(deserializer, 0..=31_536_000).map(Judged)
    }
}

/// A clock to ask for. A turn has `delay_seconds` that cost nothing; what it takes beyond them is taken from the bank,
/// to which each turn adds `increment_seconds`. Sudden death: `initial_seconds` alone. Fischer: with
/// `increment_seconds`. Days a turn: `delay_seconds` alone. At least one of `initial_seconds` and `delay_seconds` is not 0.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ClockTerms)]
pub(crate) struct NewClock {
    /// The bank at the start.
    #[serde(default)]
    #[schema(value_type = i64, minimum = 0, maximum = 31536000, default = 0)]
    initial_seconds: Judged,
    /// The time that each turn adds to the bank.
    #[serde(default)]
    #[schema(value_type = i64, minimum = 0, maximum = 2592000, default = 0)]
    increment_seconds: Judged,
    /// The time of each turn that costs nothing.
    #[serde(default)]
    #[schema(value_type = i64, minimum = 0, maximum = 2592000, default = 0)]
    delay_seconds: Judged,
    /// The most that the bank may hold after a turn, no less than `initial_seconds`; null for no limit.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 31536000)]
    max_bank_seconds: Option<Judged>,
    /// The time that a seat has for its first turn, which costs nothing; null for no such rule. If left out, 30 in a
    /// live match.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<i64>, required = false, minimum = 10, maximum = 604800)]
    first_move_seconds: Option<Option<Judged>>,
    /// The consequence when a seat has let its time run out. If left out or null, `absent_move` in a cooperative game
    /// and `forfeit` in any other.
    #[serde(default)]
    on_timeout: Option<OnTimeout>,
    /// Under `absent_move`, how many turns in a row a seat may let pass; the next one it forfeits.
    #[serde(default)]
    #[schema(value_type = i64, required = false, nullable = false, minimum = 0, maximum = 100, default = 2)]
    timeouts_allowed: Option<Judged>,
    /// Under `bot`, how strong the bot is that takes over; if left out or null, `medium`.
    #[serde(default)]
    takeover_bot: Option<Level>,
}

impl From<NewClock> for WantedClock {
    fn from(new: NewClock) -> WantedClock {
        WantedClock {
            initial_seconds: new.initial_seconds.0,
            increment_seconds: new.increment_seconds.0,
            delay_seconds: new.delay_seconds.0,
            max_bank_seconds: new.max_bank_seconds.map(|most| most.0),
            first_move_seconds: new.first_move_seconds.map(|first| first.map(|first| first.0)),
            on_timeout: new.on_timeout,
            timeouts_allowed: new.timeouts_allowed.map(|allowed| allowed.0),
            takeover_bot: new.takeover_bot,
        }
    }
}

/// The time that the seats of a match have.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Clock)]
pub struct ClockBody {
    /// The bank at the start.
    #[schema(maximum = 31536000)]
    initial_seconds: u32,
    /// The time that each turn adds to the bank.
    #[schema(maximum = 2592000)]
    increment_seconds: u32,
    /// The time of each turn that costs nothing.
    #[schema(maximum = 2592000)]
    delay_seconds: u32,
    /// The most that the bank may hold after a turn; null for no limit.
    #[schema(required, maximum = 31536000)]
    max_bank_seconds: Option<u32>,
    /// The time that a seat has for its first turn, which costs nothing; null for no such rule.
    #[schema(required, minimum = 10, maximum = 604800)]
    first_move_seconds: Option<u32>,
    /// The consequence when a seat has let its time run out.
    on_timeout: OnTimeout,
    /// Under `absent_move`, how many turns in a row a seat may let pass.
    #[schema(maximum = 100)]
    timeouts_allowed: u8,
    /// Under `bot`, how strong the bot is that takes over; null otherwise.
    #[schema(required)]
    takeover_bot: Option<Level>,
    /// The speed of the match.
    speed: Speed,
}

impl From<ClockTerms> for ClockBody {
    fn from(terms: ClockTerms) -> ClockBody {
        ClockBody {
            initial_seconds: terms.initial_seconds,
            increment_seconds: terms.increment_seconds,
            delay_seconds: terms.delay_seconds,
            max_bank_seconds: terms.max_bank_seconds,
            first_move_seconds: terms.first_move_seconds,
            on_timeout: terms.on_timeout,
            timeouts_allowed: terms.timeouts_allowed,
            takeover_bot: terms.takeover_bot.map(|bot| bot.level),
            speed: terms.speed(),
        }
    }
}

/// The clock of a seat, as of the version of the match: nothing in it ticks.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = SeatClock)]
pub struct SeatClockBody {
    /// The time that was in the bank when the seat's turn began; while it is not its turn, the time that is in it.
    #[schema(minimum = 0)]
    bank_milliseconds: i64,
    /// The time at which its turn began, RFC 3339 in UTC; null while it is not its turn.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    turn_started_at: Option<Moment>,
    /// The deadline of its turn, RFC 3339 in UTC; a move is in time that is received up to
    /// `clock_grace_milliseconds` later. Null while it is not its turn.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    deadline_at: Option<Moment>,
    /// Indicates whether its first turn is under way and has `first_move_seconds`, which leave the bank as it is.
    first_turn: bool,
    /// The number of turns in a row that the seat has let pass.
    #[schema(maximum = 100)]
    timeouts: u8,
}

impl SeatClockBody {
    /// Returns the clock of a seat, where it has one.
    pub(crate) fn of(live: &LiveMatch, seat: Seat) -> Option<SeatClockBody> {
        let clock = live.clock(seat)?;
        Some(SeatClockBody {
            bank_milliseconds: clock.bank_milliseconds(),
            turn_started_at: clock.turn_started_at().map(Moment),
            deadline_at: live.deadline(seat).map(Moment),
            first_turn: live.is_in_first_turn(seat),
            timeouts: clock.timeouts(),
        })
    }
}
