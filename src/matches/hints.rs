//! Hints: what a bot would do on a person's seat, from what that person sees.
//!
//! Invariants: a hint is computed before its use is committed, and answered only after that. So everybody at the table
//! knows of it, and nobody pays for a hint that does not come. It is for the caller's own open decision alone.
//!
//! Deliberately missing: a place in the record for the move that was hinted at.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::timeout;

use crate::idempotency::Idempotency;
use crate::model::log::Action;
use crate::model::refused::{HintRefused, MoveRefused, Unreadable};
use crate::model::stored::OpenDecision;
use crate::model::terms::Terms;
use crate::table::live_match::LiveMatch;
use crate::thinkers::{NotThought, asked_ticket};
use crate::{Matches, Reader, Refused, Unread, ViewedMatch};
use sarsen_base::ids::MatchId;
use sarsen_games::ListForm;
use sarsen_games::bots::{Level, Noted, NotedMove};
use sarsen_rules::Seat;

/// The longest time that a hint may take, waiting included.
pub const HINT_WAIT: Duration = Duration::from_secs(10);
/// A hint whose search is expected to begin later than this is refused at once.
const HINT_PATIENCE: Duration = Duration::from_secs(8);
/// The most other moves that a hint names.
pub(crate) const ALTERNATIVES_MAX: usize = 5;

/// A hint: the move that a bot would make.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The move, as it can be sent.
    pub mv: Box<RawValue>,
    /// The best move in notation, with its assessment by the search.
    pub best: NotedMove,
    /// Other moves that were looked at, best first.
    pub others: Vec<NotedMove>,
    /// The version that the step of the hint made.
    pub version: u64,
    /// True if the request was made before, under the same idempotency key.
    pub replayed: bool,
}

impl Terms {
    /// Returns true if players may ask for hints: as the creator has said, or by default where only one person plays.
    pub(crate) fn gives_hints(&self, seats: usize) -> bool {
        self.hints.unwrap_or(seats.saturating_sub(self.bots.len()) == 1)
    }
}

impl LiveMatch {
    /// Returns true if players may ask for hints.
    pub fn gives_hints(&self) -> bool {
        self.stored.terms.gives_hints(self.stored.seats.len())
    }

    fn must_give_hints(&self) -> Result<(), HintRefused> {
        if self.gives_hints() { Ok(()) } else { Err(HintRefused::Off) }
    }

    /// The decision for which `seat` may have a hint.
    pub(crate) fn hinted(&self, seat: Seat) -> Result<OpenDecision, Refused> {
        self.must_give_hints()?;
        self.must_be_playing()?;
        Ok(self.asks_player(seat).ok_or(MoveRefused::NotYourTurn(self.stored.version))?)
    }
}

impl Matches {
    /// Returns the move that a bot of `level` would make for the caller's open decision. A request that is repeated
    /// under its key gets the hint for the decision that was open then, since everybody was told of that one. `level`
    /// is read only when the caller has a seat in a match that gives hints.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`Refused::OutOfPlay`], [`MoveRefused::NotYourTurn`],
    /// [`MoveRefused::StaleDecision`], [`HintRefused`], and those of [`Matches::read`].
    ///
    /// [`Forbidden::NotSeated`]: crate::model::refused::Forbidden::NotSeated
    pub async fn hint(
        &self,
        reader: &Reader,
        id: &MatchId,
        level: Result<Level, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Hint, Refused> {
        let key = once.zip(reader.player.as_ref()).map(|(once, player)| once.of(player));
        let (viewed, replay) = self.load_for(reader, id, key.as_ref()).await?;
        if let Some((once, replay)) = once.zip(replay) {
            once.must_fit(&replay.fingerprint)?;
            self.must_last(&viewed.live).await?;
            let (then, _) = self.match_at(&viewed.live, replay.version.saturating_sub(1)).await?;
            let then = Arc::new(then).seen_by(reader, &self.statuses);
            let (.., hint) = self.looked_for(&then, level).await?;
            return Ok(Hint { replayed: true, ..hint });
        }
        let (seat, open, hint) = self.looked_for(&viewed, level).await?;
        let told = self.step(reader, id, once, |now| {
            // What was found is of no use for another decision.
            match now.live.hinted(seat)? {
                same if same == open => Ok(Some(Action::Hint { seat })),
                _ => Err(MoveRefused::StaleDecision(now.live.stored.version).into()),
            }
        });
        let told = told.await?;
        Ok(Hint { version: told.viewed.live.stored.version, replayed: told.replayed, ..hint })
    }

    /// Computes the hint of a bot of `level` for the open decision of the reader's seat. It names the next version,
    /// which tells of it.
    async fn looked_for(
        &self,
        viewed: &ViewedMatch,
        level: Result<Level, Unread>,
    ) -> Result<(Seat, OpenDecision, Hint), Refused> {
        let seat = viewed.own_seat()?;
        viewed.live.must_give_hints()?;
        let level = level?;
        let open = viewed.live.hinted(seat)?;
        let found = self.found(viewed, seat, open, level).await?;
        let mut moves = found.moves.into_iter().filter(|mv| viewed.live.accepted(seat, mv).is_some());
        let best = moves.next().ok_or(HintRefused::Off)?;
        let mv = listed(&viewed.live, seat, &best.notation)?;
        let (others, version) = (moves.take(ALTERNATIVES_MAX).collect(), viewed.live.stored.version + 1);
        Ok((seat, open, Hint { mv, best, others, version, replayed: false }))
    }

    async fn found(
        &self,
        viewed: &ViewedMatch,
        seat: Seat,
        open: OpenDecision,
        level: Level,
    ) -> Result<Noted, Refused> {
        let stored = &viewed.live.stored;
        let bot = self.thinkers.of(&stored.terms.game).ok_or(HintRefused::Off)?;
        let question = viewed.live.question(seat, level, stored.seed.hint_seed(&stored.id, open.version, seat))?;
        let player = stored.seats.get(seat.index()).and_then(|stored| stored.player.as_ref());
        let asker = player.or(stored.creator.as_ref()).ok_or(HintRefused::Off)?;
        let ticket = asked_ticket(&asker.id);
        match timeout(HINT_WAIT, self.thinkers.think(bot, question, ticket, HINT_PATIENCE)).await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(NotThought::Failed(refused))) => Err(refused),
            Ok(Err(NotThought::Full(wait))) => Err(HintRefused::Busy { retry_after: wait }.into()),
            Err(_elapsed) => Err(HintRefused::Busy { retry_after: HINT_WAIT / 2 }.into()),
        }
    }
}

/// The legal move of this notation, as the legal moves list it.
fn listed(live: &LiveMatch, seat: Seat, notation: &str) -> Result<Box<RawValue>, Refused> {
    let state = live.state().ok_or_else(Unreadable::stuck)?;
    let notations = state.legal_moves(seat, ListForm::Notation)?.moves;
    let moves = state.legal_moves(seat, ListForm::Full)?.moves;
    let notations: Vec<String> = serde_json::from_str(notations.get()).map_err(Unreadable::new)?;
    let moves: Vec<Box<RawValue>> = serde_json::from_str(moves.get()).map_err(Unreadable::new)?;
    let found = notations.iter().zip(moves).find(|(listed, _)| *listed == notation);
    Ok(found.map(|(_, mv)| mv).ok_or_else(|| Unreadable::new("a bot would make a move that is not legal"))?)
}
