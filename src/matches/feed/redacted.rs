//! Redaction: the events of a match as one viewer may know them.
//!
//! Invariant: events are numbered within their version after redaction, per viewer, so that nothing hidden leaves a gap.

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::feed::cursor::EventCursor;
use crate::model::events::{LifeEvent, MoveTime, PlayerInvited, PlayerJoined, PlayerSubstituted, StoredEvent};
use crate::model::log::LogEntry;
use crate::model::seated::PlayerRef;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_games::{AnyGame, Corrupt, MoveJson};
use sarsen_rules::{Seat, Viewer};
use sarsen_store::Stamp;

/// An event as one viewer may see it.
#[derive(Clone, Debug)]
pub struct RedactedEvent {
    /// Its place in the log.
    pub id: EventId,
    /// The time of the event.
    pub at: Timestamp,
    /// The stamp of the version that brought it.
    pub stamp: Stamp,
    /// True if the viewer gets no later event of that version.
    pub last: bool,
    /// The deadline of each seat that is to act after the version, where clocks run and no event of the version
    /// follows.
    pub deadlines: Option<Vec<(Seat, Timestamp)>>,
    /// The event, tagged by `type`.
    pub event: Box<RawValue>,
    /// For a move: the game's event that directly followed it, as the viewer may see it.
    pub effect: Option<Box<RawValue>>,
}

impl RedactedEvent {
    /// The cursor behind this event.
    pub fn cursor(&self) -> EventCursor {
        EventCursor { id: self.id, stamp: Some(self.stamp) }
    }
}

/// An event's place in the log as one viewer sees it: `<version>.<index>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct EventId {
    /// The version that brought it.
    pub version: u64,
    /// Its number among the viewer's events of that version, from 0.
    pub index: u32,
}

impl std::fmt::Display for EventId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.version, self.index)
    }
}

impl Serialize for EventId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number as the service writes it: at most `digits` decimal digits, none in front that is 0 and needless.
pub fn number(text: &str, digits: usize) -> Option<u64> {
    let plain = text.len() <= digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = plain && (text == "0" || !text.starts_with('0'));
    if canonical { text.parse().ok() } else { None }
}

impl std::str::FromStr for EventId {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<EventId, &'static str> {
        const WRONG: &str = "an event id is <version>.<index>";
        let (version, index) = text.split_once('.').ok_or(WRONG)?;
        let version = number(version, 16).ok_or(WRONG)?;
        let index = number(index, 9).and_then(|index| u32::try_from(index).ok()).ok_or(WRONG)?;
        Ok(EventId { version, index })
    }
}

#[derive(Serialize)]
struct MoveMade<'a> {
    r#type: &'static str,
    seat: Seat,
    #[serde(rename = "move")]
    mv: Option<&'a RawValue>,
    notation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    used_milliseconds: Option<Option<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bank_milliseconds: Option<Option<i64>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    planned: bool,
}

/// A life event with players in it, as it is read: stored events hold [`Seated`](crate::model::seated::Seated).
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "the names of the variants are the types of the events")]
enum NamesPlayers<'a> {
    PlayerJoined { seat: Seat, player: PlayerRef<'a> },
    PlayerInvited { seat: Seat, player: PlayerRef<'a>, from_match: Option<&'a MatchId> },
    PlayerSubstituted { seat: Seat, from: PlayerRef<'a>, to: PlayerRef<'a> },
}

impl<'a> NamesPlayers<'a> {
    fn of(event: &'a LifeEvent) -> Option<NamesPlayers<'a>> {
        Some(match event {
            LifeEvent::PlayerJoined(PlayerJoined { seat, player }) => {
                NamesPlayers::PlayerJoined { seat: *seat, player: player.into() }
            }
            LifeEvent::PlayerInvited(PlayerInvited { seat, player, from_match }) => {
                let from_match = from_match.as_ref();
                NamesPlayers::PlayerInvited { seat: *seat, player: player.into(), from_match }
            }
            LifeEvent::PlayerSubstituted(PlayerSubstituted { seat, from, to }) => {
                NamesPlayers::PlayerSubstituted { seat: *seat, from: from.into(), to: to.into() }
            }
            _ => return None,
        })
    }
}

/// The value of `type` of the event that tells of a move.
pub const MOVE_MADE: &str = "move_made";

/// The events of one version of a match, as `viewer` may know them.
///
/// # Errors
/// [`Corrupt`] if a stored event cannot be read.
pub(crate) fn tell(game: &dyn AnyGame, entry: &LogEntry, viewer: Viewer) -> Result<Vec<RedactedEvent>, Corrupt> {
    tell_all(game, entry, viewer, |_| ())
}

/// The events of the version that `seat`'s own move made, as `seat` may know them, and the move as it is shown. `None`
/// if no move of the seat is among them.
///
/// # Errors
/// [`Corrupt`] if a stored event cannot be read.
pub(crate) fn tell_mover(
    game: &dyn AnyGame,
    entry: &LogEntry,
    seat: Seat,
) -> Result<Option<(MoveJson, Vec<RedactedEvent>)>, Corrupt> {
    let mut own = None;
    // The first move of a version is the one that was asked for; others follow from it.
    let told = tell_all(game, entry, Viewer::Seat(seat), |shown| {
        own.get_or_insert(shown);
    })?;
    Ok(own.map(|own| (own, told)))
}

fn tell_all(
    game: &dyn AnyGame,
    entry: &LogEntry,
    viewer: Viewer,
    mut on_move: impl FnMut(MoveJson),
) -> Result<Vec<RedactedEvent>, Corrupt> {
    let mut told: Vec<RedactedEvent> = Vec::with_capacity(entry.events.len());
    let mut after: Option<&StoredEvent> = None;
    for stored in &entry.events {
        let event = match stored {
            StoredEvent::Move { seat, mv, notation, time, planned } => {
                let shown = show_move(game, *seat, mv, notation, viewer)?;
                let event = move_made(game, *seat, shown.as_ref(), Some(*time), *planned)?;
                shown.into_iter().for_each(&mut on_move);
                Some(event)
            }
            other => tell_one(game, other, viewer)?,
        };
        if let Some(event) = event {
            if let (Some(StoredEvent::Move { .. }), StoredEvent::Game(_), Some(made)) = (after, stored, told.last_mut())
            {
                made.effect = Some(event.clone());
            }
            let id = EventId { version: entry.version, index: told.len() as u32 };
            let (at, stamp) = (entry.at, entry.stamp);
            told.push(RedactedEvent { id, at, stamp, last: false, deadlines: None, event, effect: None });
        }
        after = Some(stored);
    }
    if let Some(last) = told.last_mut() {
        (last.last, last.deadlines) = (true, entry.deadlines.clone());
    }
    Ok(told)
}

/// One event as `viewer` may know it, in the form of records: with times only where there is a clock.
pub(crate) fn tell_one(
    game: &dyn AnyGame,
    event: &StoredEvent,
    viewer: Viewer,
) -> Result<Option<Box<RawValue>>, Corrupt> {
    match event {
        StoredEvent::Life(event) => {
            let told = match NamesPlayers::of(event) {
                Some(event) => to_raw_value(&event),
                None => to_raw_value(event),
            };
            told.map(Some).map_err(|source| Corrupt::unwritable(game.info().id, source))
        }
        StoredEvent::Game(event) => event.told(viewer),
        StoredEvent::Move { seat, mv, notation, time, planned } => {
            let shown = show_move(game, *seat, mv, notation, viewer)?;
            move_made(game, *seat, shown.as_ref(), time.map(Some), *planned).map(Some)
        }
    }
}

/// The move as `viewer` may see it. Its maker sees it whole: a law of `rules::conformance`.
pub(crate) fn show_move(
    game: &dyn AnyGame,
    seat: Seat,
    mv: &RawValue,
    notation: &str,
    viewer: Viewer,
) -> Result<Option<MoveJson>, Corrupt> {
    if viewer.may_see(seat) || game.moves_are_open() {
        return Ok(Some(MoveJson { json: mv.to_owned(), notation: notation.to_owned() }));
    }
    game.redact_move(mv, seat, viewer)
}

/// The event of a move. `time` is its time if the event has one, null without a clock; `planned` is true if a plan made
/// it.
fn move_made(
    game: &dyn AnyGame,
    seat: Seat,
    shown: Option<&MoveJson>,
    time: Option<Option<MoveTime>>,
    planned: bool,
) -> Result<Box<RawValue>, Corrupt> {
    let event = MoveMade {
        r#type: MOVE_MADE,
        seat,
        mv: shown.map(|shown| &*shown.json),
        notation: shown.map(|shown| shown.notation.as_str()),
        used_milliseconds: time.map(|time| time.map(|time| time.used_milliseconds)),
        bank_milliseconds: time.map(|time| time.map(|time| time.bank_milliseconds)),
        planned,
    };
    to_raw_value(&event).map_err(|source| Corrupt::unwritable(game.info().id, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_ids_read_back_and_refuse_nonsense() {
        let id = EventId { version: 17, index: 2 };
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in ["", "17", "17.", ".2", "-1.0", "1.0.0", "+1.0", "1.x", "99999999999999999999.0"] {
            assert!(wrong.parse::<EventId>().is_err(), "{wrong}");
        }
    }
}
