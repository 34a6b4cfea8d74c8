//! A match as one reader sees it.

use std::sync::Arc;

use super::live_match::LiveMatch;
use super::refused::Forbidden;
use crate::ids::PlayerId;
use crate::rules::{Seat, Viewer};

/// Who asks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reader {
    /// The player, if signed in.
    pub player: Option<PlayerId>,
    /// The invite code that came with the request.
    pub invite: Option<String>,
}

impl Reader {
    /// A signed-in player without an invite.
    pub fn player(id: PlayerId) -> Reader {
        Reader { player: Some(id), invite: None }
    }
}

/// A match as one reader may see it.
pub struct ViewedMatch {
    /// The match.
    pub live: Arc<LiveMatch>,
    /// What the reader may see of the state.
    pub viewer: Viewer,
    /// Whether the reader may know the invite code: seats and creator.
    pub insider: bool,
}

impl ViewedMatch {
    /// The reader's seat.
    pub fn seat(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Omniscient => None,
        }
    }

    /// The reader's seat, where only seats may do what is asked.
    pub(super) fn own_seat(&self) -> Result<Seat, Forbidden> {
        self.seat().ok_or(Forbidden::NotSeated)
    }
}

impl LiveMatch {
    /// The match as the reader may see it. Whether the reader may see it at all is judged before.
    pub(crate) fn seen_by(self: Arc<LiveMatch>, reader: &Reader) -> ViewedMatch {
        let seat = reader.player.as_ref().and_then(|player| self.seat_of(player));
        let creator = reader.player.as_ref() == Some(&self.stored.creator.id);
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        ViewedMatch { viewer, insider: seat.is_some() || creator, live: self }
    }
}
