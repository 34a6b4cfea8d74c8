//! A match as one reader sees it.

use std::sync::Arc;

use crate::feed::redacted::show_move;
use crate::model::refused::Forbidden;
use crate::model::seated::{PlayerRef, Seated};
use crate::model::stored::KeptMove;
use crate::model::track::FreeUndo;
use crate::names::{ShownName, names_tag};
use crate::table::live_match::LiveMatch;
use sarsen_accounts::auth::Principal;
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::{Corrupt, MoveJson};
use sarsen_rules::{Seat, Viewer};

/// The reader of a match: the caller of a request, with the seat and the invite code that they use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reader {
    /// The player, if signed in.
    pub player: Option<PlayerId>,
    /// The invite code that came with the request.
    pub(crate) invite: Option<String>,
    /// The seat as which they look, where one player holds several; `None` for the lowest.
    pub(crate) as_seat: Option<Seat>,
    /// True if something that leads to the match has let them in already.
    pub(super) admitted: bool,
    /// True for a program, also one that speaks for a person.
    pub(crate) program: bool,
}

impl Reader {
    /// A reader with an invite code, perhaps signed in.
    pub fn with_invite(player: Option<PlayerId>, invite: Option<String>) -> Reader {
        Reader { player, invite, ..Reader::default() }
    }

    /// The same as one who sits on this seat among several of their own.
    #[must_use]
    pub fn sitting(self, as_seat: Option<Seat>) -> Reader {
        Reader { as_seat, ..self }
    }

    /// A signed-in player without an invite.
    pub fn player(id: PlayerId) -> Reader {
        Reader { player: Some(id), ..Reader::default() }
    }
}

impl From<&PlayerId> for Reader {
    fn from(id: &PlayerId) -> Reader {
        Reader::player(id.clone())
    }
}

impl From<&Principal> for Reader {
    fn from(caller: &Principal) -> Reader {
        Reader { program: caller.program.is_some(), ..Reader::player(caller.player.clone()) }
    }
}

/// A match as one reader may see it.
pub struct ViewedMatch {
    /// The match.
    pub live: Arc<LiveMatch>,
    /// The viewer as whom the reader sees the state.
    pub viewer: Viewer,
    /// True if the reader may know the invite code: seats and creator.
    pub insider: bool,
    /// The match that follows, where that was looked up and there is one.
    pub rematch: Option<MatchId>,
    /// Those at the table who are shown under another name than the match is stored with.
    pub(super) renamed: Vec<ShownName>,
    /// True if the reader is a program at a table that takes none.
    pub(super) program_refused: bool,
}

/// A move as one reader may see it.
#[derive(Clone, Debug)]
pub struct ShownMove {
    /// The seat that made it.
    pub seat: Seat,
    /// The move; `None` where the reader may not know it.
    pub mv: Option<MoveJson>,
}

impl ViewedMatch {
    /// The last move that belonged to a turn, as the reader may see it; `None` before the first.
    ///
    /// # Errors
    /// [`Corrupt`] if it cannot be read.
    pub fn last_move(&self) -> Result<Option<ShownMove>, Corrupt> {
        let Some(KeptMove { seat, mv, notation }) = &self.live.stored.last_move else { return Ok(None) };
        let viewer = self.live.effective_viewer(self.viewer);
        let mv = show_move(&*self.live.game, *seat, mv, notation, viewer)?;
        Ok(Some(ShownMove { seat: *seat, mv }))
    }

    /// The free undo that the reader could make right now.
    pub fn free_undo(&self) -> Option<FreeUndo> {
        self.live.free_undo(self.seat()?)
    }

    /// The reader's seat.
    pub fn seat(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Omniscient => None,
        }
    }

    /// The same with everything of the game, as operators see it, and without the invite code.
    #[must_use]
    pub fn whole(self) -> ViewedMatch {
        ViewedMatch { viewer: Viewer::Omniscient, insider: false, ..self }
    }

    /// Somebody at the table under the name that is shown.
    pub fn shown<'a>(&'a self, seated: &'a Seated) -> PlayerRef<'a> {
        let name = self.renamed.iter().find(|(id, _)| *id == seated.id).map(|(_, name)| name.as_str());
        let stored = PlayerRef::from(seated);
        PlayerRef { name: name.unwrap_or(stored.name), ..stored }
    }

    /// The part of an entity tag that shown names add; empty where they are the stored ones.
    pub fn names_tag(&self) -> String {
        names_tag(&self.renamed)
    }

    /// The reader's seat, where only seats may do what is asked. A person's program acts for it only where programs may
    /// sit.
    pub(super) fn own_seat(&self) -> Result<Seat, Forbidden> {
        let seat = self.seat().ok_or(Forbidden::NotSeated)?;
        if self.program_refused { Err(Forbidden::NoPrograms) } else { Ok(seat) }
    }
}

impl LiveMatch {
    /// The match as the reader may see it. Whether the reader may see it at all is judged before.
    pub fn seen_by(self: Arc<LiveMatch>, reader: &Reader, statuses: &KnownStatuses) -> ViewedMatch {
        let seat = reader.player.as_ref().and_then(|player| self.seat_as(player, reader.as_seat));
        let creator = reader.player.as_ref().is_some_and(|player| self.stored.is_made_by(player));
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let renamed = self.renamed(statuses);
        let program_refused = reader.program && self.stored.terms.table.no_programs;
        let insider = seat.is_some() || creator;
        ViewedMatch { viewer, insider, live: self, rematch: None, renamed, program_refused }
    }
}
