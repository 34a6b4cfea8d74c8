//! Replay: the steps of a log, taken again.
//!
//! Invariant: a logged step is taken at its logged moment, and nothing else enters but the seed. The result is the match that
//! was stored at that version, and what happened in the step.

use std::sync::Arc;

use super::earlier::Earlier;
use super::live_match::LiveMatch;
use super::log_codec::{Logged, LoggedCause};
use crate::model::log::{Cause, LogEntry};
use crate::model::terms::Creation;
use crate::model::unreadable::Unreadable;
use sarsen_games::MoveInput;

/// Takes one more logged step: the creation where there is no match yet, an action where there is; one that puts the match
/// back finds what it goes back to in `earlier`, which keeps what later ones may need.
pub(crate) fn replay(
    present: &LiveMatch,
    rebuilt: Option<LiveMatch>,
    logged: &Logged,
    earlier: &mut Earlier,
) -> Result<(LiveMatch, LogEntry), Unreadable> {
    let taken = match (rebuilt, &logged.cause) {
        (None, LoggedCause::Whole(Cause::Creation(creation))) => {
            let (id, seed) = (present.stored.id.clone(), present.stored.seed);
            LiveMatch::create(Arc::clone(&present.game), id, seed, Creation::clone(creation), logged.at)
        }
        (Some(mut live), LoggedCause::Whole(Cause::Action(action))) => {
            let then = live.goes_back_to(action).ok().flatten();
            let then = then.and_then(|version| earlier.find(logged.version, version));
            live.take_step_back(action.clone(), logged.at, then).map(|entry| (live, entry))
        }
        (Some(mut live), LoggedCause::Noted { seat, notation }) => {
            let mv =
                live.game.read_move(&MoveInput::Notation(notation.clone())).map_err(|_| Unreadable::logged_move())?;
            live.play(*seat, mv, logged.at).map(|entry| (live, entry))
        }
        _ => return Err(Unreadable::new("a log begins with the creation, and has no second one")),
    };
    let (mut live, mut entry) = taken.map_err(Unreadable::new)?;
    (live.stamp, entry.stamp) = (logged.stamp, logged.stamp);
    earlier.pass(&live);
    Ok((live, entry))
}
