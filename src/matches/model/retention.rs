//! Retention: the time for which matches are kept, and bounds of a player.

use crate::model::clock::{ClockTerms, Speed};
use crate::model::terms::Visibility;

/// The default time for which a public match waits for its start, in seconds: seven days.
pub const EXPIRES_AFTER_SECONDS: u32 = 7 * 24 * 60 * 60;
/// The same of a public match with a live clock: an hour.
const LIVE_EXPIRES_AFTER_SECONDS: u32 = 60 * 60;

/// The default time for which a match waits for its start, in seconds; `None` for ever.
pub(crate) fn expires_after(visibility: Visibility, clock: Option<ClockTerms>) -> Option<u32> {
    let live = clock.is_some_and(|clock| clock.speed() == Speed::Live);
    let public = visibility == Visibility::Public;
    public.then_some(if live { LIVE_EXPIRES_AFTER_SECONDS } else { EXPIRES_AFTER_SECONDS })
}

/// The time for which matches are kept, and the most that a player may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Retention {
    /// The most matches that one player may have made and sit in and that have not started; `None` for any number.
    pub open_per_player: Option<u32>,
    /// The most matches with bots that one player may have made and that are not over; `None` for any number.
    pub bots_per_player: Option<u32>,
    /// The most matches that have not started and that one player may have made for others, without a seat of their
    /// own; `None` for any number.
    pub hosted_per_player: Option<u32>,
    /// The most reviews that one player may order in 24 hours; `None` for any number.
    pub reviews_per_day: Option<u32>,
    /// The number of days after which finished matches are deleted; `None` for never.
    pub expire_finished_days: Option<u32>,
    /// The number of days after which the logs of finished matches are archived; `None` for never.
    pub archive_after_days: Option<u32>,
}
