//! Logs and metrics.
//!
//! Invariants: a log line never holds a query string, a body, a token or an invite code. The labels of a metric are
//! known before the first request, so their number is bounded and counting takes neither a lock nor memory.
//!
//! Deliberately absent: any knowledge of the callers. The composition root hands down [`Metrics`], and each
//! room gets the counters of its own concern.

mod bots;
mod caught;
mod counts;
mod deliveries;
mod logs;
mod matches;
mod metrics;
mod observation;
mod pools;
mod process;
mod requests;
mod store;
mod tally;
mod timings;

pub use bots::BotCounts;
pub use caught::caught;
pub use deliveries::DeliveryCounts;
pub use logs::{LogFormat, start_logging};
pub use matches::{CountedMove, MatchCounts};
pub use metrics::{KnownLabels, Metrics};
pub use observation::{ObservedQueue, StoreObservation};
pub use pools::PoolCounter;
pub use store::{OperationCounts, StoreCounts};
pub use tally::TallyMark;
