//! Presence: which players of a match have a stream open, for streams that ask.
//!
//! Invariants: nothing is stored, it is no step of the match, and no right follows from it. An instance knows the streams
//! that it serves itself, and no others. A stream is told at most once in [`PERIOD`].

use std::time::Duration;

use actix_web::web::Bytes;
use serde::Serialize;
use tokio::time::Instant;

use crate::answer::moment::Moment;
use crate::edge::long_poll::REVOCATION_CHECK;
use sarsen_base::ambient::Timestamp;
use sarsen_rules::Seat;

/// The least time between two looks of a stream. A stream that waits wakes as often by itself.
const PERIOD: Duration = REVOCATION_CHECK;

/// The presence of a seat's player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct SeatPresence {
    /// The seat.
    pub(crate) seat: Seat,
    /// Indicates whether the player has a stream open at the instance that serves this one. It may be false of a player who
    /// streams from another instance, or is `invisible`.
    pub(crate) connected: bool,
}

/// The players of a match with a stream open: the data of a server-sent event of type `presence`, which has no id.
#[derive(Serialize)]
pub(crate) struct MatchPresence {
    /// The server's time as it sends the item, RFC 3339 in UTC.
    pub(crate) server_time: Moment,
    /// The seats that players hold, in order.
    pub(crate) presence: Vec<SeatPresence>,
}

/// The look at the seats of a match; `None` where they are not known just now.
pub(crate) type PresenceLook = Box<dyn Fn() -> Option<Vec<SeatPresence>>>;

/// The presence that a stream has told.
pub(crate) struct PresenceTold {
    look: PresenceLook,
    looked: Option<Instant>,
    told: Vec<SeatPresence>,
}

impl PresenceTold {
    /// Nothing told yet.
    pub(crate) fn new(look: PresenceLook) -> PresenceTold {
        PresenceTold { look, looked: None, told: Vec::new() }
    }

    /// The item that is due now, if anything has changed.
    pub(crate) fn due(&mut self, now: Instant, sent: Timestamp) -> Option<Bytes> {
        if self.looked.is_some_and(|looked| now - looked < PERIOD) {
            return None;
        }
        self.looked = Some(now);
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
    fn a_change_is_told_once_and_at_most_every_five_seconds() {
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
        connected.set(true);
        assert_eq!((at(1), at(4)), (None, None));
        assert_eq!(at(5), said(true));
        assert_eq!(at(10), None, "nothing has changed");
        // Off and on again between two looks is no change.
        connected.set(false);
        assert_eq!(at(11), None);
        connected.set(true);
        assert_eq!(at(15), None);
    }
}
