//! The work of bots. A thread of its own kind thinks about a decision; the answer waits for its moment and is committed
//! like any move.
//!
//! Invariants:
//! - A move is found for the very version that it is committed on. Where another step was quicker, the move is dropped
//!   and the bot thinks again. So a record shows of each move what its bot saw.
//! - The moment of an answer follows from when its decision opened, the level, a setting, and what everybody can see, such as
//!   a single legal move; not from how much there was to think about. Only a search that takes longer shows.
//! - A search that fails does not keep a match from going on: then the first legal move is made, and marked. So is the
//!   best so far of a search that took too long.
//! - Bots know the newest rules of a game, and get a match of an earlier version as if it were of the newest. The best
//!   move that they find and that the match's own rules accept is made. Where they cannot read the match, or find
//!   nothing that is accepted, the first legal move is made.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::bots::BotTask;
use crate::model::bots::SeatBot;
use crate::model::log::Action;
use crate::model::refused::{MoveRefused, Unreadable};
use crate::model::stored::OpenDecision;
use crate::table::live_match::LiveMatch;
pub use crate::thinkers::Thinkers;
use crate::thinkers::{NotThought, move_ticket};
use crate::{Matches, Refused};
use sarsen_base::ids::MatchId;
use sarsen_games::bots::{AnyBot, Pace};
use sarsen_games::{AnyMove, ListForm, MoveInput};
use sarsen_rules::Seat;

/// An act of a bot, found but not committed.
pub struct Thought {
    before: Arc<LiveMatch>,
    deed: Deed,
}

enum Deed {
    Decline(Seat),
    Move { seat: Seat, bot: SeatBot, mv: AnyMove, cut: bool },
}

/// The result of a look at the tasks of bots.
pub enum Thinking {
    /// They have something to do.
    Found(Thought),
    /// They have nothing to do.
    Nothing,
    /// Too much waits to be thought about here.
    Full,
}

impl Matches {
    /// The bots and their threads.
    pub fn thinkers(&self) -> &Thinkers {
        &self.thinkers
    }

    /// The bots of a game that is on offer; `None` if there is no such game, and an inner `None` if it has no bots.
    pub fn bots_of(&self, game: &str) -> Option<Option<&Arc<dyn AnyBot>>> {
        self.games.newest(game)?;
        Some(self.thinkers.of(game))
    }

    /// Finds the next task of bots in a match, and waits for the moment at which it is due. Before that it sends their
    /// signals.
    ///
    /// # Errors
    /// If the match cannot be read, or the store is away.
    pub async fn think(&self, id: &MatchId) -> Result<Thinking, Refused> {
        let Some(mut live) = self.as_it_stands(id).await? else { return Ok(Thinking::Nothing) };
        if live.bot_task().is_none() {
            return Ok(Thinking::Nothing);
        }
        if let Some(after) = self.talk(&live).await? {
            live = after;
        }
        let deed = match live.bot_task() {
            None => return Ok(Thinking::Nothing),
            Some((_, BotTask::Decline(seat))) => Deed::Decline(seat),
            Some((_, BotTask::Decide(seat, open))) => match self.decide(&live, seat, open).await? {
                Some(deed) => deed,
                None => return Ok(Thinking::Full),
            },
        };
        Ok(Thinking::Found(Thought { before: live, deed }))
    }

    /// The decision of the bot on `seat`, at its moment; `None` where too much waits already.
    async fn decide(&self, live: &LiveMatch, seat: Seat, open: OpenDecision) -> Result<Option<Deed>, Refused> {
        let stored = &live.stored;
        let bot = live.bot(seat).ok_or_else(|| Unreadable::new("no bot sits there"))?;
        let found = match self.thinkers.of(&stored.terms.game) {
            None => None,
            Some(any) => {
                let question = live.question(seat, bot.level, stored.seed.bot_seed(&stored.id, open.version, seat))?;
                let pace = question.pace(&**any)?;
                let ticket = move_ticket(live, bot.level);
                let found = match self.thinkers.think(any, question, ticket, Duration::MAX).await {
                    Ok(found) => Some(found),
                    Err(NotThought::Full(_)) => return Ok(None),
                    Err(NotThought::Failed(refused)) => {
                        tracing::error!(id = %stored.id, error = &refused as &dyn std::error::Error, "a bot could not think");
                        None
                    }
                };
                let is_next = stored.last_move.as_ref().is_none_or(|last| last.seat != seat);
                let pace = Pace { begins_turn: pace.begins_turn || is_next, ..pace };
                let at = self.thinkers.answered_at(&**any, bot.level, open, pace);
                let left = u64::try_from(at.0.saturating_sub(self.now().0)).unwrap_or(0);
                sleep(Duration::from_millis(left)).await;
                found
            }
        };
        // A marked move (`cut`) is the first legal one by the rules of this very match, so that a verifier can check
        // it. The best move so far of a search that took too long needs no mark: a verifier's search ends at the same
        // place.
        let best = found.and_then(|found| found.moves.iter().find_map(|mv| live.accepted(seat, mv)));
        let cut = best.is_none();
        let mv = best.map_or_else(|| first_move(live, seat), Ok)?;
        Ok(Some(Deed::Move { seat, bot, mv, cut }))
    }

    /// Commits what was found; answers whether it did, or else others were quicker, or an outage was made good first.
    ///
    /// # Errors
    /// If it cannot be done, or the store is away.
    pub async fn act(&self, thought: Thought) -> Result<bool, Refused> {
        let Thought { before, deed } = thought;
        if self.make_good(&before).await? {
            return Ok(false);
        }
        let mut live = before.duplicate();
        let at = before.moment(self.now());
        let (entry, made) = match deed {
            Deed::Decline(seat) => (live.take_step(Action::DeclineDraw { seat }, at)?, None),
            Deed::Move { seat, bot, mv, cut } => (live.play_marked(seat, mv, at, cut)?, Some((bot, cut))),
        };
        let Some((live, _)) = self.commit(live, entry, Some(&before), None).await? else { return Ok(false) };
        if let Some((bot, cut)) = made {
            self.thinkers.counts.moved(&live.stored.terms.game, bot.level.name(), cut);
        }
        // Now it may be somebody's turn who can use it.
        self.talk(&live).await?;
        Ok(true)
    }

    /// Has the bots say what they have to say; answers the match after it, if anything was said.
    async fn talk(&self, live: &Arc<LiveMatch>) -> Result<Option<Arc<LiveMatch>>, Refused> {
        let terms = &live.stored.terms;
        let bots = live.bot_seats();
        if live.game.signals().is_empty() || bots.is_empty() {
            return Ok(None);
        }
        let Some(any) = self.thinkers.of(&terms.game) else { return Ok(None) };
        let (mut present, mut said) = (Arc::clone(live), false);
        for seat in bots.iter() {
            for signal in signals(&present, &**any, seat)? {
                let mut next = present.duplicate();
                let Ok(mv) = next.game.read_move(&MoveInput::Notation(signal)) else { continue };
                let Ok(entry) = next.play_marked(seat, mv, present.moment(self.now()), false) else { continue };
                // Others were quicker: the remaining signals follow later, or are not needed any more.
                let Some((after, _)) = self.commit(next, entry, Some(&present), None).await? else {
                    return Ok(Some(present).filter(|_| said));
                };
                (present, said) = (after, true);
            }
        }
        Ok(Some(present).filter(|_| said))
    }
}

/// The signals that the bot on `seat` has to send now, in notation.
pub(super) fn signals(live: &LiveMatch, bot: &dyn AnyBot, seat: Seat) -> Result<Vec<String>, Refused> {
    let Some(state) = live.state().filter(|_| !live.stored.stage.is_over()) else { return Ok(Vec::new()) };
    Ok(bot.talk(&state.observe(seat)).map_err(Unreadable::new)?)
}

/// The first legal move of `seat`, in notation; `None` where it is not to act.
pub(super) fn first_legal(live: &LiveMatch, seat: Seat) -> Result<Option<String>, Refused> {
    let state = live.state().ok_or_else(|| Unreadable::new("a match that is played has no state"))?;
    let listed = state.legal_moves(seat, ListForm::Notation)?.moves;
    let listed: Vec<String> = serde_json::from_str(listed.get()).map_err(Unreadable::new)?;
    Ok(listed.into_iter().next())
}

/// The move that is made where nothing was found.
fn first_move(live: &LiveMatch, seat: Seat) -> Result<AnyMove, Refused> {
    let first = first_legal(live, seat)?.ok_or_else(Unreadable::stuck)?;
    Ok(live.game.read_move(&MoveInput::Notation(first)).map_err(MoveRefused::Malformed)?)
}
