//! A match as it was at an earlier version, rebuilt from its log.
//!
//! Invariant: rebuilding takes the logged steps again, in order, at their logged moments; nothing else enters but the
//! seed. The result is the match that was stored at that version. From where it begins, [`super::again`] decides.

use std::sync::Arc;

use super::live_match::LiveMatch;
use super::log::{Cause, LogEntry};
use super::logged::{Logged, LoggedCause};
use super::refused::{ReadRefused, Unreadable};
use super::terms::Creation;
use super::undo::earlier::Earlier;
use super::{Matches, Reader, Refused, ViewedMatch};
use crate::games::MoveInput;
use crate::rules::Viewer;
use crate::store::Stamp;

impl Matches {
    /// The match at an earlier version: as the reader of `viewed` could see it then, or, after the end, with everything
    /// shown.
    ///
    /// # Errors
    /// [`ReadRefused::NoSuchVersion`], [`ReadRefused::FullTooEarly`].
    pub async fn history(
        &self,
        reader: &Reader,
        viewed: ViewedMatch,
        version: u64,
        full: bool,
    ) -> Result<ViewedMatch, Refused> {
        if full && !viewed.live.stored.stage.is_over() {
            return Err(ReadRefused::FullTooEarly.into());
        }
        let (live, _) = self.match_at(&viewed.live, version).await?;
        let then = Arc::new(live).seen_by(reader, &self.marks);
        let viewer = match then.viewer {
            _ if full => Viewer::Omniscient,
            // Whoever has handed a seat on knows no more of it than a stranger.
            Viewer::Seat(seat)
                if !reader.player.as_ref().is_some_and(|player| viewed.live.is_held_by(seat, player)) =>
            {
                viewed.viewer
            }
            viewer => viewer,
        };
        Ok(ViewedMatch { viewer, insider: viewed.insider, ..then })
    }

    /// The stamp of the step that made `version`, which the match has reached; `None` if it has none.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn stamp_at(&self, viewed: &ViewedMatch, version: u64) -> Result<Option<Stamp>, Refused> {
        let live = &viewed.live;
        if version == live.stored.version {
            return Ok(live.stamp);
        }
        let entries = self.store.log(&live.stored.id, version.saturating_sub(1), 1).await?;
        Ok(entries.first().and_then(|bytes| LogEntry::stamp_of(bytes)))
    }
}

/// Takes one more logged step: the creation where there is no match yet, an action where there is; one that puts the match
/// back finds what it goes back to in `earlier`, which keeps what later ones may need. What happened is as the entry says, if
/// it does.
pub(super) fn retake(
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
            let then = live.goes_back_to(action).ok().flatten().and_then(|version| earlier.find(version));
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
    if let Some(told) = logged.told.clone() {
        (entry.events, entry.to_act) = (told.events, told.to_act);
    }
    earlier.pass(&live);
    Ok((live, entry))
}
