//! Queries of an event log: cursor, wait, limit, and what comes with the events.

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::params::Within;
use crate::matches::body::Extent;
use crate::matches::types::LegalMovesForm;
use sarsen_rules::Seat;

/// The longest wait that can be asked of a stream, in seconds.
pub(crate) const STREAM_WAIT_MAX: u32 = 86_400;
/// The most items that can be asked for.
pub(crate) const LIMIT_MAX: u32 = 1000;
/// The items of a page, unless asked otherwise.
pub(crate) const PAGE_LIMIT: u32 = 100;

/// A wait, in seconds.
pub(crate) type Wait = Within<0, STREAM_WAIT_MAX>;
/// The number of items.
pub(crate) type Limit = Within<1, LIMIT_MAX>;

/// The content that is sent with the events.
///
/// - `view`: The match and the state of its game, as the caller may see them.
/// - `view,decision`: The caller's open decision too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
pub(crate) enum Include {
    #[serde(rename = "view")]
    View,
    #[serde(rename = "view,decision")]
    ViewAndDecision,
}

/// The events of a match to read, and the time to wait for them.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MatchFeedQuery {
    /// Only events after this one; all if left out. A `Last-Event-ID` header counts instead if it is sent. A cursor that
    /// the service has given (`next_cursor`, `resume_cursor`, `cursor`, the id of a server-sent event) carries behind the
    /// event's id a stamp of its version, by which a version that a failover has replaced is noticed; an event's own id,
    /// without one, is taken at its word.
    #[param(
        nullable = false,
        example = "18.0.5f0c9a7be2d41386",
        pattern = "^(0|[1-9][0-9]{0,15})\\.(0|[1-9][0-9]{0,8})(\\.[0-9a-f]{16})?$"
    )]
    after: Option<String>,
    /// For a page: how many seconds to wait for a first event, 0 to 30, 0 if left out. For a stream: end it once no
    /// event has come for this many seconds, 0 to 86400; if left out, it stays open.
    #[param(value_type = Option<u32>, nullable = false, maximum = 86400)]
    wait: Option<Wait>,
    /// At most this many events, or steps with `include`. If left out: 100 for a page, no limit for a stream.
    #[param(value_type = Option<u32>, nullable = false, minimum = 1, maximum = 1000)]
    limit: Option<Limit>,
    /// The content that is sent with the events. With it each step is one item, with the version, its events and the
    /// included content. The first item shows the present: without a cursor it has no events, with one all events
    /// since. Steps that the client misses meanwhile come in one item too, with the newest version alone.
    #[param(nullable = false)]
    include: Option<Include>,
    /// The form of legal moves, with `include=view,decision`: `full` if left out.
    #[param(nullable = false)]
    legal_moves: Option<LegalMovesForm>,
    /// Adds words that can be read aloud to events, and with `include` to moves and legal moves.
    #[serde(default)]
    #[param(default = false)]
    text: bool,
    /// Adds to a stream of server-sent events those of type `presence`, which have no id: which players have a stream open,
    /// of this match or of any other or of all theirs. The first comes at once, the second, if something has changed, after a
    /// second, then at most one in five seconds. A client that takes it must tell events apart by their type.
    #[serde(default)]
    #[param(default = false)]
    pub(super) presence: bool,
    /// Leaves this stream out of the caller's presence.
    #[serde(default)]
    #[param(default = false)]
    invisible: bool,
    /// As which of the caller's seats, where the caller holds several; the lowest if left out.
    #[param(nullable = false)]
    pub(super) as_seat: Option<Seat>,
    /// The invite code of a private match.
    #[param(nullable = false)]
    pub(super) invite: Option<String>,
    // Documented as a security scheme, not as a parameter.
    #[param(ignore)]
    #[expect(dead_code, reason = "`StreamCaller` reads it; here it is known as a parameter")]
    ticket: Option<String>,
}

/// The caller's events to read, and the time to wait for them.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MyFeedQuery {
    /// Only events after this one; all if left out. A `Last-Event-ID` header counts instead if it is sent. A cursor that
    /// the service has given (`next_cursor`, `resume_cursor`, the id of a server-sent event) carries a stamp of the step
    /// behind the event's id, by which a step that a failover has replaced is noticed; an event's own id, without one, is
    /// taken at its word.
    #[param(nullable = false, example = "17.5f0c9a7be2d41386", pattern = "^(0|[1-9][0-9]{0,15})(\\.[0-9a-f]{16})?$")]
    after: Option<String>,
    /// For a page: how many seconds to wait for a first event, 0 to 30, 0 if left out. For a stream: end it once no
    /// event has come for this many seconds, 0 to 86400; if left out, it stays open.
    #[param(value_type = Option<u32>, nullable = false, maximum = 86400)]
    wait: Option<Wait>,
    /// At most this many events. If left out: 100 for a page, no limit for a stream.
    #[param(value_type = Option<u32>, nullable = false, minimum = 1, maximum = 1000)]
    limit: Option<Limit>,
    /// The content that is sent with the events: in the newest step of each match, the match as it now is.
    #[param(nullable = false)]
    include: Option<Include>,
    /// The form of legal moves, with `include=view,decision`: `full` if left out.
    #[param(nullable = false)]
    legal_moves: Option<LegalMovesForm>,
    /// Adds words that can be read aloud to events, and with `include` to moves and legal moves.
    #[serde(default)]
    #[param(default = false)]
    text: bool,
    /// Leaves this stream out of the caller's presence.
    #[serde(default)]
    #[param(default = false)]
    invisible: bool,
    // Documented as a security scheme, not as a parameter.
    #[param(ignore)]
    #[expect(dead_code, reason = "`StreamCaller` reads it; here it is known as a parameter")]
    ticket: Option<String>,
}

/// The part of both queries that concerns the answer.
#[derive(Debug, Default)]
pub(crate) struct FeedQuery {
    pub(super) after: Option<String>,
    pub(super) wait: Option<u32>,
    pub(super) limit: Option<u32>,
    /// The content that is sent with the events, if any.
    pub(super) extent: Option<Extent>,
    /// Indicates whether events come in words too.
    pub(super) text: bool,
    /// Indicates whether the stream is left out of the caller's presence.
    pub(super) invisible: bool,
}

macro_rules! asked {
    ($($query:ident),+) => {
        $(impl $query {
            /// Returns the part of the query that concerns the answer.
            ///
            /// # Errors
            /// `invalid_parameter` for a form of legal moves that nobody will see.
            pub(super) fn asked(self) -> Result<FeedQuery, Problem> {
                Ok(FeedQuery {
                    after: self.after,
                    wait: self.wait.map(Within::get),
                    limit: self.limit.map(Within::get),
                    extent: extent(self.include, self.legal_moves, self.text)?,
                    text: self.text,
                    invisible: self.invisible,
                })
            }
        })+
    };
}

asked!(MatchFeedQuery, MyFeedQuery);

fn extent(
    include: Option<Include>,
    legal_moves: Option<LegalMovesForm>,
    text: bool,
) -> Result<Option<Extent>, Problem> {
    match (include, legal_moves) {
        (Some(Include::ViewAndDecision), form) => Ok(Some(Extent { decision: Some(form.unwrap_or_default()), text })),
        (_, Some(_)) => {
            let detail = "`legal_moves` goes with `include=view,decision` alone";
            Err(Problem::new(Code::InvalidParameter).field("legal_moves").detail(detail))
        }
        (Some(Include::View), None) => Ok(Some(Extent { decision: None, text })),
        (None, None) => Ok(None),
    }
}
