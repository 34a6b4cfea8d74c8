//! Presence: which players of a match have a stream open, for streams that ask.
//!
//! Invariants: nothing is stored, it is no step of the match, and no right follows from it. A seat changes at most once in
//! [`PERIOD`].

use std::time::Duration;

use actix_web::web::Bytes;
use serde::Serialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use crate::answer::moment::Moment;
use crate::edge::long_poll::REVOCATION_CHECK;
use sarsen_base::ambient::Timestamp;
use sarsen_rules::Seat;

/// The least time between two looks of a stream.
const PERIOD: Duration = REVOCATION_CHECK;
/// The time from the first look to the next, by which other instances have answered.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);

/// The presence of a seat's player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct SeatPresence {
    /// The seat.
    pub(crate) seat: Seat,
    /// Indicates whether the player has a stream open that is not `invisible`.
    pub(crate) connected: bool,
}

/// The players of a match with a stream open: the data of a server-sent event of type `presence`, which has no id.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchPresence {
    /// The server's time as it sends the item, RFC 3339 in UTC.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) server_time: Moment,
    /// The seats that players hold, in order.
    pub(crate) presence: Vec<SeatPresence>,
}

/// The look at the seats of a match; `None` where they are not known just now.
pub(crate) type PresenceLook = Box<dyn Fn() -> Option<Vec<SeatPresence>>>;

/// The presence that a stream has told.
pub(crate) struct PresenceTold {
    look: PresenceLook,
    /// The time of the next look; `None` before the first.
    next: Option<Instant>,
    told: Vec<SeatPresence>,
}

impl PresenceTold {
    /// Nothing told yet.
    pub(crate) fn new(look: PresenceLook) -> PresenceTold {
        PresenceTold { look, next: None, told: Vec::new() }
    }

    /// The time until the next look.
    pub(crate) fn pause(&self, now: Instant) -> Duration {
        self.next.map_or(Duration::ZERO, |next| next.saturating_duration_since(now))
    }

    /// The item that is due now, if anything has changed.
    pub(crate) fn due(&mut self, now: Instant, sent: Timestamp) -> Option<Bytes> {
        if self.next.is_some_and(|next| now < next) {
            return None;
        }
        let pause = if self.next.is_none() { ANSWERED_WITHIN } else { PERIOD };
        self.next = Some(now + pause);
        let presence = (self.look)().filter(|seats| *seats != self.told)?;
        self.told.clone_from(&presence);
        let data = serde_json::to_string(&MatchPresence { server_time: Moment(sent), presence }).ok()?;
        Some(format!("event: presence\ndata: {data}\n\n").into())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    #[test]
    fn a_change_is_told_once_and_changes_are_five_seconds_apart() {
        let connected = Rc::new(Cell::new(false));
        let seen = Rc::clone(&connected);
        let seat = Seat::new(1).unwrap();
        let mut told = PresenceTold::new(Box::new(move || Some(vec![SeatPresence { seat, connected: seen.get() }])));
        let start = Instant::now();
        let mut at = |seconds| told.due(start + Duration::from_secs(seconds), Timestamp(0));
        let said = |connected: bool| {
            let data = format!(
                r#"{{"server_time":"1970-01-01T00:00:00.000Z","presence":[{{"seat":1,"connected":{connected}}}]}}"#
            );
            Some(Bytes::from(format!("event: presence\ndata: {data}\n\n")))
        };
        assert_eq!(at(0), said(false));
        assert_eq!(at(0), None);
        // Other instances answer after the first look.
        connected.set(true);
        assert_eq!(at(1), said(true));
        connected.set(false);
        assert_eq!((at(2), at(5)), (None, None));
        assert_eq!(at(6), said(false));
        assert_eq!(at(11), None, "nothing has changed");
        // On and off again between two looks is no change.
        connected.set(true);
        assert_eq!(at(12), None);
        connected.set(false);
        assert_eq!(at(16), None);
    }
}
