//! As which of several seats of one's own something is asked: the whole query of most operations that a seat can do.
//!
//! Handlers take it before they take the caller: what the query must not have is refused first, as where there is no query.

use serde::Deserialize;
use utoipa::IntoParams;

use sarsen_accounts::auth::Principal;
use sarsen_matches::Reader;
use sarsen_rules::Seat;

/// As which seat.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SeatQuery {
    /// As which of the caller's seats, where the caller holds several; the lowest if left out.
    #[param(nullable = false)]
    as_seat: Option<Seat>,
}

impl SeatQuery {
    /// The caller on that seat.
    pub(crate) fn reader(self, caller: &Principal) -> Reader {
        Reader::from(caller).sitting(self.as_seat)
    }

    /// Returns the part that it adds to a request's fingerprint; nothing where no seat is named.
    pub(crate) fn fingerprint(self) -> String {
        seat_fingerprint(self.as_seat)
    }
}

/// The same for a seat from another query.
pub(crate) fn seat_fingerprint(as_seat: Option<Seat>) -> String {
    as_seat.map(|seat| format!("\nas {seat}")).unwrap_or_default()
}
