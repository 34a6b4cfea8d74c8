//! The stored form of log entries.
//!
//! Invariants:
//! - An entry says what was done, and all that is needed to do it again. A replay makes the events again from the state
//!   before the step (`table::replay`).
//! - The entry of the creation does not repeat what the stored match says for good (its terms, its creator, the moment
//!   of its making), and moments count from there. Only that entry has the position with which a fork began.
//! - A move that its notation determines is a line of text in a JSON string, since moves are frequent: form, seat,
//!   milliseconds, stamp, notation. Any other action is an object.
//! - An entry of a later form is refused, never guessed at.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::events::StoredEvent;
use crate::model::fork::ForkedPosition;
use crate::model::log::{Action, Cause, LogEntry};
use crate::model::terms::{Creation, PairedPlayer};
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use sarsen_base::ambient::Timestamp;
use sarsen_rules::Seat;
use sarsen_store::Stamp;

/// The form of log entries.
const LOG_FORM: u16 = 1;

/// The cause of a version, as an entry says it.
#[derive(Clone, Debug)]
pub(crate) enum LoggedCause {
    Whole(Cause),
    /// A move in notation.
    Noted {
        /// The seat that moved.
        seat: Seat,
        notation: String,
    },
}

/// An entry as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    /// The version it made.
    pub(crate) version: u64,
    /// The moment of the step.
    pub(crate) at: Timestamp,
    pub(crate) cause: LoggedCause,
    /// The stamp under which it was committed.
    pub(crate) stamp: Stamp,
}

/// An entry that is no move, as it is read.
#[derive(Deserialize)]
struct Read<'a> {
    f: u16,
    v: u64,
    t: i64,
    #[serde(borrow, default)]
    a: Option<&'a RawValue>,
    #[serde(default)]
    c: Option<Seat>,
    #[serde(default)]
    p: Option<ForkedPosition>,
    #[serde(default)]
    w: Vec<PairedPlayer>,
    s: Stamp,
}

/// The same, as it is written.
#[derive(Serialize)]
struct Written<'a> {
    f: u16,
    v: u64,
    /// Milliseconds since the match was made.
    t: i64,
    /// The action; nothing for the creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<&'a Action>,
    /// The seat that the creator took at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<Seat>,
    /// The position with which a fork began.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<&'a ForkedPosition>,
    /// The players whom the service paired.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    w: &'a [PairedPlayer],
    s: Stamp,
}

/// The form of an entry, of which the rest need not be readable.
#[derive(Deserialize)]
struct FormOnly {
    f: u16,
}

struct NotedMove {
    seat: Seat,
    /// Milliseconds since the match was made.
    since: i64,
    stamp: Stamp,
    notation: String,
}

impl fmt::Display for NotedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotedMove { seat, since, stamp, notation } = self;
        let stamp = BASE64_URL_SAFE_NO_PAD.encode(stamp.number().to_be_bytes());
        write!(f, "{LOG_FORM} {seat} {since:x} {stamp} {notation}")
    }
}

impl NotedMove {
    /// Parses the line of text.
    fn read(text: &str) -> Result<NotedMove, Unreadable> {
        let mut parts = text.splitn(5, ' ');
        let form = parts.next().and_then(|form| form.parse::<u16>().ok());
        if form.is_some_and(|form| form > LOG_FORM) {
            return Err(newer());
        }
        let mut noted = || {
            let seat = parts.next()?.parse().ok().and_then(Seat::new)?;
            // No step comes before the creation (`LiveMatch::moment`), and a sign would not be written back.
            let since = i64::from_str_radix(parts.next()?, 16).ok().filter(|since| *since >= 0)?;
            let stamp = stamp_in(parts.next()?)?;
            Some(NotedMove { seat, since, stamp, notation: parts.next()?.to_owned() })
        };
        noted().filter(|_| form == Some(LOG_FORM)).ok_or_else(|| Unreadable::new("a log entry is no move of its form"))
    }
}

/// The stamp that a word is.
fn stamp_in(word: &str) -> Option<Stamp> {
    let bits = BASE64_URL_SAFE_NO_PAD.decode(word).ok()?;
    Some(Stamp::from_number(u64::from_be_bytes(bits.try_into().ok()?)))
}

fn newer() -> Unreadable {
    Unreadable::new("the log is of a later release")
}

/// No more of an entry than its stamp.
#[derive(Deserialize)]
struct StampForm {
    s: Stamp,
}

/// Returns true if an entry is a move as a line of text.
fn is_noted(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'"')
}

/// The stamp of a stored entry of which the rest need not be readable by this release.
pub(crate) fn stamp_of(bytes: &[u8]) -> Option<Stamp> {
    if is_noted(bytes) {
        let text: Cow<'_, str> = serde_json::from_slice::<Text<'_>>(bytes).ok()?.0;
        return text.split(' ').nth(3).and_then(stamp_in);
    }
    serde_json::from_slice(bytes).ok().map(|StampForm { s }| s)
}

/// A string, copied only where it is escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Logged {
    /// Reads the stored entry of the version `version` of this match.
    ///
    /// # Errors
    /// [`Unreadable`] by this release.
    pub(crate) fn decode(bytes: &[u8], version: u64, of: &LiveMatch) -> Result<Logged, Unreadable> {
        if is_noted(bytes) {
            let Text(text) = serde_json::from_slice(bytes)?;
            let NotedMove { seat, since, stamp, notation } = NotedMove::read(&text)?;
            let (at, cause) = (moment(of, since), LoggedCause::Noted { seat, notation });
            return Ok(Logged { version, at, cause, stamp });
        }
        if serde_json::from_slice::<FormOnly>(bytes)?.f > LOG_FORM {
            return Err(newer());
        }
        serde_json::from_slice::<Read<'_>>(bytes)?.of_match(version, of)
    }

    /// Returns the version whose state the match has again by this, or by what is agreed to after it.
    pub(crate) fn to_version(&self) -> Option<u64> {
        let LoggedCause::Whole(Cause::Action(action)) = &self.cause else { return None };
        match action {
            Action::Undo { to_version, .. } | Action::OfferTakeback { to_version, .. } => Some(*to_version),
            _ => None,
        }
    }
}

impl Read<'_> {
    fn of_match(self, version: u64, of: &LiveMatch) -> Result<Logged, Unreadable> {
        let stored = &of.stored;
        if (self.f, self.v) != (LOG_FORM, version) {
            return Err(Unreadable::new("the log has an entry of another version here"));
        }
        let cause = match (version, self.a) {
            (1, None) => Cause::Creation(Box::new(Creation {
                terms: stored.terms.clone(),
                seats: of.seat_count(),
                seat: self.c,
                creator: stored.creator.clone(),
                paired: self.w,
                position: self.p,
            })),
            (2.., Some(action)) => Cause::Action(serde_json::from_str(action.get())?),
            _ => return Err(Unreadable::new("a log begins with the creation, and has no second one")),
        };
        Ok(Logged { version, at: moment(of, self.t), cause: LoggedCause::Whole(cause), stamp: self.s })
    }
}

/// The moment this many milliseconds after the match was made.
fn moment(of: &LiveMatch, since: i64) -> Timestamp {
    Timestamp(of.stored.created_at.0.saturating_add(since))
}

/// The entry of a step of this match, as it is stored; `live` is the match at any version.
///
/// # Errors
/// [`Unreadable`] if it has no JSON form.
pub(crate) fn written(entry: &LogEntry, live: &LiveMatch) -> Result<Vec<u8>, Unreadable> {
    let t = entry.at.0.saturating_sub(live.stored.created_at.0);
    if let Some(noted) = noted(entry, live, t) {
        return Ok(serde_json::to_vec(&noted.to_string())?);
    }
    let (a, c, p, w) = match &entry.cause {
        Cause::Creation(creation) => (None, creation.seat, creation.position.as_ref(), creation.paired.as_slice()),
        Cause::Action(action) => (Some(action), None, None, &[][..]),
    };
    Ok(serde_json::to_vec(&Written { f: LOG_FORM, v: entry.version, t, a, c, p, w, s: entry.stamp })?)
}

/// An entry of this match, read and written again.
///
/// # Errors
/// [`Unreadable`] where it cannot be read.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn rewritten(bytes: &[u8], version: u64, of: &LiveMatch) -> Result<Vec<u8>, Unreadable> {
    let Logged { version, at, cause, stamp } = Logged::decode(bytes, version, of)?;
    match cause {
        LoggedCause::Noted { seat, notation } => {
            let since = at.0.saturating_sub(of.stored.created_at.0);
            Ok(serde_json::to_vec(&NotedMove { seat, since, stamp, notation }.to_string())?)
        }
        LoggedCause::Whole(cause) => {
            let (events, to_act) = (Vec::new(), Vec::new());
            written(&LogEntry { version, at, cause, events, to_act, deadlines: None, stamp }, of)
        }
    }
}

/// The move of the entry, if its notation determines it.
fn noted(entry: &LogEntry, live: &LiveMatch, since: i64) -> Option<NotedMove> {
    // A mark has no place in the line.
    let Cause::Action(Action::Move { seat, mv, cut: false, planned: false }) = &entry.cause else { return None };
    // The first move of a version is the one that was asked for; others follow from it.
    let notation = entry.events.iter().find_map(|event| match event {
        StoredEvent::Move { seat: by, notation, .. } if by == seat => Some(notation),
        _ => None,
    })?;
    // The notation always does, by a law of `rules::conformance`; a log must stay right even if a game breaks that law.
    let stands = live.game.is_noted_as(mv, notation);
    stands.then(|| NotedMove { seat: *seat, since, stamp: entry.stamp, notation: notation.clone() })
}
