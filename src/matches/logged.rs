//! Log entries as they are stored, in each form that they have had.
//!
//! Invariants:
//! - An entry says what was done, and all that is needed to do it again. Forms 1 and 2 say what happened besides; form 3
//!   does not: that is made again from the state before the step ([`super::again`]). A log may hold entries of several
//!   forms, where releases have taken turns.
//! - What the stored match says for good (its terms, its creator, the moment of its making) the entry of its creation does
//!   not repeat in form 3, and moments count from there. The position with which a fork began stands there alone.
//! - A move that the game's notation stands for is a line of text in a JSON string, since there are so many: form, seat,
//!   milliseconds, stamp, notation. Any other action is an object, in which older releases find all that they look for
//!   before they refuse its form.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::events::{AbortReason, StoredEvent};
use super::forking::ForkedPosition;
use super::live_match::LiveMatch;
use super::log::{Action, Cause, LogEntry};
use super::refused::Unreadable;
use super::terms::Creation;
use crate::ambient::Timestamp;
use crate::rules::Seat;
use crate::store::Stamp;

/// The newest form of log entries. Forms 1 and 2 are those of stored matches; earlier releases refuse this one.
pub(super) const LOG_FORM: u16 = 3;

/// What made a version, as an entry says it.
#[derive(Clone, Debug)]
pub(super) enum LoggedCause {
    /// In full.
    Whole(Cause),
    /// A move in notation.
    Noted {
        /// Who.
        seat: Seat,
        /// The move.
        notation: String,
    },
}

/// What happened, where an entry says it.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// What happened, unredacted.
    pub(super) events: Vec<StoredEvent>,
    /// Who was to act afterwards.
    pub(super) to_act: Vec<Seat>,
}

/// An entry as it was read.
#[derive(Clone, Debug)]
pub(super) struct Logged {
    /// Its form.
    pub(super) form: u16,
    /// The version it made.
    pub(super) version: u64,
    /// When.
    pub(super) at: Timestamp,
    /// What was done.
    pub(super) cause: LoggedCause,
    /// Which of the steps it is that have made this version.
    pub(super) stamp: Option<Stamp>,
    /// What happened; `None` where that is to be made again.
    pub(super) told: Option<Told>,
}

/// An entry of any form. What its cause is, its version says.
#[derive(Deserialize)]
struct AnyForm<'a> {
    f: u16,
    #[serde(default)]
    v: Option<u64>,
    #[serde(default)]
    t: Option<Timestamp>,
    #[serde(borrow, default)]
    a: Option<&'a RawValue>,
    #[serde(default)]
    c: Option<Seat>,
    #[serde(default)]
    p: Option<ForkedPosition>,
    #[serde(default)]
    w: Option<AbortReason>,
    #[serde(default)]
    e: Option<Vec<StoredEvent>>,
    #[serde(default)]
    n: Vec<Seat>,
    #[serde(default)]
    s: Option<Stamp>,
}

/// The cause of a first version in forms 1 and 2.
#[derive(Deserialize)]
struct CreationForm {
    create: Creation,
}

/// An entry of form 3 that is no move, as it is written.
#[derive(Serialize)]
struct Form3<'a> {
    f: u16,
    v: u64,
    /// Milliseconds since the match was made.
    t: i64,
    /// The action; nothing for the creation.
    a: Option<&'a Cause>,
    /// Always empty.
    e: [(); 0],
    /// The seat that the creator took at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<Seat>,
    /// The position with which a fork began.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<&'a ForkedPosition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    w: Option<AbortReason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<Stamp>,
}

/// A move in form 3.
struct NotedMove {
    seat: Seat,
    /// Milliseconds since the match was made.
    since: i64,
    stamp: Option<Stamp>,
    notation: String,
}

impl fmt::Display for NotedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stamp = self.stamp.map(|stamp| BASE64_URL_SAFE_NO_PAD.encode(stamp.number().to_be_bytes()));
        let NotedMove { seat, since, notation, .. } = self;
        write!(f, "{LOG_FORM} {seat} {since:x} {} {notation}", stamp.as_deref().unwrap_or("-"))
    }
}

impl NotedMove {
    /// Reads what stands in the string.
    fn read(text: &str) -> Result<NotedMove, Unreadable> {
        let mut parts = text.splitn(5, ' ');
        let form = parts.next().and_then(|form| form.parse::<u16>().ok());
        if form.is_some_and(|form| form > LOG_FORM) {
            return Err(newer());
        }
        let mut noted = || {
            let seat = parts.next()?.parse().ok().and_then(Seat::new)?;
            let since = i64::from_str_radix(parts.next()?, 16).ok()?;
            let stamp = match parts.next()? {
                "-" => None,
                stamp => Some(stamp_in(stamp)?),
            };
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
    Unreadable::new("the log is of a newer release")
}

/// No more of an entry than its stamp.
#[derive(Deserialize)]
struct StampForm {
    #[serde(default)]
    s: Option<Stamp>,
}

/// Whether an entry is a move as a line of text.
fn is_noted(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'"')
}

/// The stamp of a stored entry of which the rest need not be readable by this release.
pub(super) fn stamp_of(bytes: &[u8]) -> Option<Stamp> {
    if is_noted(bytes) {
        let text: Cow<'_, str> = serde_json::from_slice::<Text<'_>>(bytes).ok()?.0;
        return text.split(' ').nth(3).and_then(stamp_in);
    }
    serde_json::from_slice(bytes).ok().and_then(|StampForm { s }| s)
}

/// A string, copied only where it is escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Logged {
    /// Reads the stored entry of the version `version` of this match.
    ///
    /// # Errors
    /// [`Unreadable`] by this release.
    pub(super) fn decode(bytes: &[u8], version: u64, of: &LiveMatch) -> Result<Logged, Unreadable> {
        if is_noted(bytes) {
            let Text(text) = serde_json::from_slice(bytes)?;
            let NotedMove { seat, since, stamp, notation } = NotedMove::read(&text)?;
            let (at, cause) = (moment(of, since), LoggedCause::Noted { seat, notation });
            return Ok(Logged { form: LOG_FORM, version, at, cause, stamp, told: None });
        }
        let read: AnyForm<'_> = serde_json::from_slice(bytes)?;
        if read.f > LOG_FORM {
            return Err(newer());
        }
        if read.f == LOG_FORM { read.compact(version, of) } else { read.with_events() }
    }

    /// The entry with all that happened, if it says that itself.
    pub(super) fn whole(&self) -> Option<LogEntry> {
        let (Some(Told { events, to_act }), LoggedCause::Whole(cause)) = (&self.told, &self.cause) else { return None };
        Some(LogEntry {
            form: self.form,
            version: self.version,
            at: self.at,
            called_off: cause.called_off(),
            cause: cause.clone(),
            events: events.clone(),
            to_act: to_act.clone(),
            stamp: self.stamp,
        })
    }
}

impl AnyForm<'_> {
    /// Forms 1 and 2.
    fn with_events(self) -> Result<Logged, Unreadable> {
        let missing = |what| move || Unreadable::new(format!("a log entry has no {what}"));
        let version = self.v.ok_or_else(missing("version"))?;
        let cause = self.a.ok_or_else(missing("action"))?;
        let cause = if version == 1 {
            let CreationForm { create } = serde_json::from_str(cause.get())?;
            Cause::Creation(Box::new(create))
        } else {
            Cause::Action(action(cause, self.w)?)
        };
        Ok(Logged {
            form: self.f,
            version,
            at: self.t.ok_or_else(missing("moment"))?,
            cause: LoggedCause::Whole(cause),
            stamp: self.s,
            told: Some(Told { events: self.e.ok_or_else(missing("event"))?, to_act: self.n }),
        })
    }

    /// Form 3.
    fn compact(self, version: u64, of: &LiveMatch) -> Result<Logged, Unreadable> {
        let stored = &of.stored;
        if self.v != Some(version) {
            return Err(Unreadable::new("the log has an entry of another version here"));
        }
        let cause = match (version, self.a) {
            (1, None) => Cause::Creation(Box::new(Creation {
                terms: stored.terms.clone(),
                seats: of.seat_count(),
                seat: self.c,
                creator: stored.creator.clone(),
                position: self.p,
            })),
            (2.., Some(written)) => Cause::Action(action(written, self.w)?),
            _ => return Err(Unreadable::new("a log begins with the creation, and has no second one")),
        };
        let (at, cause) = (moment(of, self.t.map_or(0, |since| since.0)), LoggedCause::Whole(cause));
        Ok(Logged { form: self.f, version, at, cause, stamp: self.s, told: None })
    }
}

/// So many milliseconds after the match was made.
fn moment(of: &LiveMatch, since: i64) -> Timestamp {
    Timestamp(of.stored.created_at.0.saturating_add(since))
}

/// An action, with what stands beside it.
fn action(written: &RawValue, called_off: Option<AbortReason>) -> Result<Action, Unreadable> {
    Ok(match (serde_json::from_str(written.get())?, called_off) {
        (Action::Abort, Some(reason)) => Action::CallOff { reason },
        (action, _) => action,
    })
}

/// The entry of a step of this match, as it is stored; `live` is the match at any version.
///
/// # Errors
/// [`Unreadable`] if it has no JSON form.
pub(super) fn written(entry: &LogEntry, live: &LiveMatch) -> Result<Vec<u8>, Unreadable> {
    let t = entry.at.0.saturating_sub(live.stored.created_at.0);
    if let Some(noted) = noted(entry, live, t) {
        return Ok(serde_json::to_vec(&noted.to_string())?);
    }
    let (a, c, p) = match &entry.cause {
        Cause::Creation(creation) => (None, creation.seat, creation.position.as_ref()),
        cause => (Some(cause), None, None),
    };
    let (v, w, s) = (entry.version, entry.called_off, entry.stamp);
    Ok(serde_json::to_vec(&Form3 { f: LOG_FORM, v, t, a, e: [], c, p, w, s })?)
}

/// The move of the entry, if its notation stands for it.
fn noted(entry: &LogEntry, live: &LiveMatch, since: i64) -> Option<NotedMove> {
    // Releases there were that let a clock go back behind the making of the match.
    if since < 0 {
        return None;
    }
    // A mark has no place in the line.
    let Cause::Action(Action::Move { seat, mv, cut: false, planned: false }) = &entry.cause else { return None };
    // The first move of a version is the one that was asked for; others follow from it.
    let notation = entry.events.iter().find_map(|event| match event {
        StoredEvent::Move { seat: by, notation: Some(notation), .. } if by == seat => Some(notation),
        _ => None,
    })?;
    // That it does is a law of `rules::conformance`; what a log says must not depend on every game's keeping it.
    let stands = live.game.is_noted_as(mv, notation);
    stands.then(|| NotedMove { seat: *seat, since, stamp: entry.stamp, notation: notation.clone() })
}
