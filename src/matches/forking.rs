//! Forks: a match of one's own that begins with the position to which another has come, to try out how it could have
//! gone on.
//!
//! Invariants:
//! - A fork tells nothing that its maker could not know. Of a match that has finished everything is open, as its
//!   record is. One that has not can be forked only where its game hides nothing and leaves nothing to chance
//!   ([`GameInfo::open_information`]). A match that was called off has no record, so it counts as one that has not
//!   finished.
//! - A fork foretells nothing. What is still to be drawn from piles was settled with the position; dice that are
//!   thrown from there on are the fork's own, of a seed that has nothing to do with the other match's.
//! - Nobody has the service think about a match that is being played: there are no bots in a fork, and hints only
//!   where the match before has finished, and gives some itself if it was forked too. So neither does a chain of
//!   forks.
//! - The other match does not change, and its players get no event.
//! - The creation entry of a fork holds the position, so its log and record are complete even without the other match.
//!   The log and record of the other match show that it had this position.
//!
//! [`GameInfo::open_information`]: sarsen_rules::GameInfo::open_information

use std::sync::Arc;

pub use crate::model::fork::ForkedFrom;
pub(crate) use crate::model::fork::ForkedPosition;

use crate::create::Making;
use crate::idempotency::{Answered, Idempotency};
use crate::model::fairness::ServerSeed;
use crate::model::log::LogEntry;
use crate::model::refused::{Forbidden, OutOfPlay};
use crate::model::seated::Seated;
use crate::model::table_terms::TableTerms;
use crate::model::terms::{Creation, StartMode, Terms, Visibility};
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Stage, Unread};
use sarsen_base::ids::MatchId;
use sarsen_rules::Status;

impl LiveMatch {
    /// Returns true if the match is an analysis: it is its creator's alone, to try something out.
    pub fn is_analysis(&self) -> bool {
        self.stored.terms.table.forked_from.is_some()
    }

    /// Refuses where a fork would tell something.
    fn must_be_forkable(&self) -> Result<(), Forbidden> {
        let open = self.stored.stage == Stage::Finished || self.game.info().open_information();
        if open { Ok(()) } else { Err(Forbidden::ForkSecret) }
    }

    /// The present position of the match, if it leaves something to decide.
    fn position(&self) -> Result<ForkedPosition, Refused> {
        let Some(state) = self.state() else { return Err(OutOfPlay::NotStarted.into()) };
        // What was given up can be played on.
        if matches!(state.status(), Status::Over(_)) {
            return Err(OutOfPlay::MatchOver(self.stored.version).into());
        }
        Ok(ForkedPosition { state_version: self.game.info().state_version, state: state.store()? })
    }

    /// All that a fork of this match is made of, which was `then` at the version that it begins with.
    ///
    /// # Errors
    /// [`OutOfPlay`] if there is nothing to be decided then, [`Unreadable`](crate::model::unreadable::Unreadable) if its
    /// state has no JSON form.
    pub fn fork(&self, then: &LiveMatch, creator: Seated) -> Result<Creation, Refused> {
        let (terms, position) = (self.forked_terms(then.stored.version), then.position()?);
        Ok(Creation {
            terms: Arc::new(terms),
            seats: self.seat_count(),
            seat: None,
            creator: Some(creator),
            paired: Vec::new(),
            position: Some(position),
        })
    }

    /// The terms of a fork of this match at one of its versions.
    fn forked_terms(&self, version: u64) -> Terms {
        let Terms { game, rules_version, options, .. } = &*self.stored.terms;
        let hints = self.stored.stage == Stage::Finished && (!self.is_analysis() || self.gives_hints());
        Terms {
            game: game.clone(),
            rules_version: *rules_version,
            options: options.clone(),
            visibility: Visibility::Private,
            // Nobody comes in.
            invite: None,
            start: StartMode::WhenFull,
            move_time_seconds: None,
            expires_in_seconds: None,
            bots: Vec::new(),
            hints: Some(hints),
            undo: None,
            table: TableTerms {
                no_spectators: true,
                hotseat: true,
                no_rematch: true,
                forked_from: Some(ForkedFrom { match_id: self.stored.id.clone(), version }),
                ..TableTerms::default()
            },
            clock: None,
            rated: false,
        }
    }
}

impl Matches {
    /// Makes a match that begins with the position of another at a version, with its maker on every seat. `version`
    /// is asked for what it reads only when that may be forked and the request is no repetition.
    ///
    /// # Errors
    /// [`Forbidden::ForkSecret`], [`Refused::KeyReused`], [`Refused::Unread`], [`ReadRefused::NoSuchVersion`],
    /// [`OutOfPlay::NotStarted`] and [`OutOfPlay::MatchOver`] of that version, and those of [`Matches::read`].
    ///
    /// [`ReadRefused::NoSuchVersion`]: crate::model::refused::ReadRefused::NoSuchVersion
    pub async fn fork(
        &self,
        creator: Seated,
        id: &MatchId,
        version: Result<u64, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        let (original, _) = self.load_for(&Reader::player(creator.id.clone()), id, None).await?;
        original.live.must_be_forkable()?;
        self.make_once(creator, Making::Fork(&original.live, version), once).await
    }

    /// A fork of a match at a version, not yet committed, and the entry of its first step.
    pub(super) async fn lay_out_fork(
        &self,
        id: MatchId,
        creator: Seated,
        original: &LiveMatch,
        version: u64,
    ) -> Result<(LiveMatch, LogEntry), Refused> {
        let (then, _) = self.match_at(original, version).await?;
        let creation = original.fork(&then, creator)?;
        let (game, seed) = (Arc::clone(&original.game), ServerSeed::generate(&self.ambient));
        LiveMatch::create(game, id, seed, creation, self.received())
    }
}
