//! Making a move.
//!
//! Invariants: the order in which a request is judged is the contract's: seen, seated, repeated, readable, over, turn,
//! stale, legal. An acknowledged move is committed; a repetition of it is answered from the log and applies nothing.
//!
//! A move that is legal on the match as this process knows it takes one trip, the commit. That finds out whether the match
//! is still the same and the request no repetition; if not, the answer is that to the loaded match.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::feed::redacted;
use crate::feed::redacted::{EventId, RedactedEvent};
use crate::idempotency::Idempotency;
use crate::model::log::{Action, Cause, LogEntry};
use crate::model::refused::{MoveRefused, Unreadable};
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Unread, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_base::telemetry::CountedMove;
use sarsen_games::{AnyMove, MoveInput, MoveJson};
use sarsen_rules::Seat;
use sarsen_store::{Replay, ReplayKey};

/// Names a seat's open decision: `<version at which it opened>.<seat>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecisionId {
    /// The version at which it opened.
    pub version: u64,
    /// The seat to decide.
    pub seat: Seat,
}

impl std::fmt::Display for DecisionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.version, self.seat)
    }
}

impl std::str::FromStr for DecisionId {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<DecisionId, &'static str> {
        const WRONG: &str = "a decision id is <version>.<seat>";
        let EventId { version, index } = text.parse().map_err(|_| WRONG)?;
        let seat = u8::try_from(index).ok().and_then(Seat::new).ok_or(WRONG)?;
        Ok(DecisionId { version, seat })
    }
}

/// A move as it was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRequest {
    /// The decision it answers; `None` for moves that need no turn.
    pub decision: Option<DecisionId>,
    /// The move.
    pub mv: MoveInput,
}

/// A move that was made, as the mover may see it.
pub struct Moved {
    /// The match after the move.
    pub viewed: ViewedMatch,
    /// The move as made.
    pub mv: MoveJson,
    /// The events of the step, as the mover may know them.
    pub events: Vec<RedactedEvent>,
    /// True if the move was made before, under the same idempotency key.
    pub replayed: bool,
    /// True if chance would decide what follows: only after a rehearsal.
    pub chance_pending: bool,
}

impl Moved {
    /// The game's event that directly followed the move, as its player may see it.
    pub fn effect(&self) -> Option<&RawValue> {
        self.events.iter().find_map(|told| told.effect.as_deref())
    }
}

/// A step that a move is, and whose move.
struct Made {
    seat: Seat,
    live: LiveMatch,
    entry: LogEntry,
}

impl Matches {
    /// Makes a move. `request` is asked for what it reads only when the caller has a seat and the request is no
    /// repetition.
    ///
    /// # Errors
    /// In this order: not to be seen, [`Forbidden::NotSeated`], [`Refused::KeyReused`], [`Refused::Unread`],
    /// [`MoveRefused::Malformed`], [`Refused::OutOfPlay`], [`MoveRefused::OutOfTime`], [`MoveRefused::NotYourTurn`],
    /// [`MoveRefused::StaleDecision`], [`MoveRefused::Illegal`]. A move for a decision whose time ran out is still
    /// [`MoveRefused::OutOfTime`] after any consequence of that.
    ///
    /// [`Forbidden::NotSeated`]: crate::model::refused::Forbidden::NotSeated
    pub async fn play(
        &self,
        reader: impl Into<Reader>,
        id: &MatchId,
        once: Option<&Idempotency>,
        request: Result<MoveRequest, Unread>,
    ) -> Result<Moved, Refused> {
        let reader: Reader = reader.into();
        let key = once.zip(reader.player.as_ref()).map(|(once, player)| once.of(player));
        let remember = key.as_ref().zip(once);
        // What is refused here may be allowed by now, or for another reason; a commit is made only if nothing has changed.
        if let Some(known) = self.last_known_for(&reader, id)
            && self.is_made_good(&known.live)
            && let Ok(made) = self.judge(&known, &request)
            && let Some(moved) = self.make(&reader, &known, made, remember).await?
        {
            self.counts.moved(known.live.game.info().id, CountedMove::Committed);
            return Ok(moved);
        }
        // Apart, so that a move that takes one trip does not take the room of those that take more.
        Box::pin(self.play_loaded(&reader, id, remember, &request)).await
    }

    /// Makes the move on the match as it is loaded, again from the load if others were quicker.
    async fn play_loaded(
        &self,
        reader: &Reader,
        id: &MatchId,
        once: Option<(&ReplayKey, &Idempotency)>,
        request: &Result<MoveRequest, Unread>,
    ) -> Result<Moved, Refused> {
        for _ in 0..crate::ATTEMPTS_MAX {
            let (viewed, replay) = self.load_for(reader, id, once.map(|(key, _)| key)).await?;
            if replay.is_none() && self.make_good(&viewed.live).await? {
                continue;
            }
            let game = viewed.live.game.info().id;
            let attempt = self.attempt(reader, &viewed, replay, once, request).await;
            // The answer must be true: the time-out of a late player is committed before the answer says so.
            let attempt = match self.late(&viewed, &attempt) {
                None => attempt,
                Some(seat) => match self.run_out(&viewed.live, seat).await? {
                    Some(version) if viewed.seat() == Some(seat) => Err(MoveRefused::OutOfTime(version).into()),
                    _ => Ok(None),
                },
            };
            if let Some(result) = told_of(&attempt) {
                self.counts.moved(game, result);
            }
            if let Some(moved) = attempt? {
                return Ok(moved);
            }
        }
        Err(Refused::Busy)
    }

    /// The seat whose time ran out first, if the caller is refused a move because theirs just has.
    fn late(&self, viewed: &ViewedMatch, attempt: &Result<Option<Moved>, Refused>) -> Option<Seat> {
        let Err(Refused::Move(MoveRefused::OutOfTime(_))) = attempt else { return None };
        viewed.live.first_late(viewed.seat()?, viewed.live.moment(self.received()))
    }

    /// Makes the move on the match as it was just loaded; `None` if others were quicker.
    async fn attempt(
        &self,
        reader: &Reader,
        viewed: &ViewedMatch,
        replay: Option<Replay>,
        once: Option<(&ReplayKey, &Idempotency)>,
        request: &Result<MoveRequest, Unread>,
    ) -> Result<Option<Moved>, Refused> {
        let seat = viewed.own_seat()?;
        if let (Some(replay), Some((_, once))) = (replay, once) {
            let (live, entry) = self.made_before(&viewed.live, &replay, once).await?;
            // The fingerprint is not enough: a body can be made to look like that of another operation.
            if !matches!(entry.cause, Cause::Action(Action::Move { .. })) {
                return Err(Refused::KeyReused);
            }
            return Ok(Some(Moved {
                replayed: true,
                ..moved(Arc::new(live).seen_by(reader, &self.statuses), seat, &entry)?
            }));
        }
        self.make(reader, viewed, self.judge(viewed, request)?, once).await
    }

    /// Takes the step that the move is, which is not committed yet.
    fn judge(&self, viewed: &ViewedMatch, request: &Result<MoveRequest, Unread>) -> Result<Made, Refused> {
        let seat = viewed.own_seat()?;
        let at = viewed.live.moment(self.received());
        let mv = ready(&viewed.live, seat, request, at)?;
        let mut live = viewed.live.duplicate();
        let entry = live.play(seat, mv, at)?;
        Ok(Made { seat, live, entry })
    }

    /// Commits it; `None` if the match is not any more what it was judged on, or the key has committed before.
    async fn make(
        &self,
        reader: &Reader,
        before: &ViewedMatch,
        made: Made,
        once: Option<(&ReplayKey, &Idempotency)>,
    ) -> Result<Option<Moved>, Refused> {
        let Made { seat, live, entry } = made;
        let remember = once.map(|(key, once)| (key.clone(), once.fingerprint.clone()));
        let committed = self.commit(live, entry, Some(&before.live), remember).await?;
        committed.map(|(live, entry)| moved(live.seen_by(reader, &self.statuses), seat, &entry)).transpose()
    }

    /// Judges a move and shows what it would do up to the first chance step. Nothing is stored.
    ///
    /// # Errors
    /// Those of [`Matches::play`].
    pub async fn rehearse(
        &self,
        reader: impl Into<Reader>,
        id: &MatchId,
        request: Result<MoveRequest, Unread>,
    ) -> Result<Moved, Refused> {
        let reader: Reader = reader.into();
        let mut viewed = self.read(&reader, id).await?;
        while self.make_good(&viewed.live).await? {
            viewed = self.read(&reader, id).await?;
        }
        let seat = viewed.own_seat()?;
        let at = viewed.live.moment(self.received());
        let mv = ready(&viewed.live, seat, &request, at)?;
        let mut live = viewed.live.duplicate();
        let (entry, chance_pending) = live.rehearse(seat, mv, at)?;
        Ok(Moved { chance_pending, ..moved(Arc::new(live).seen_by(&reader, &self.statuses), seat, &entry)? })
    }
}

/// The outcome of an attempt for the metrics; `None` where it is still open or unknown.
fn told_of(attempt: &Result<Option<Moved>, Refused>) -> Option<CountedMove> {
    match attempt {
        Ok(Some(moved)) if moved.replayed => Some(CountedMove::Replayed),
        Ok(Some(_)) => Some(CountedMove::Committed),
        Ok(None) | Err(Refused::Store(_) | Refused::Unreadable(_) | Refused::Busy) => None,
        Err(_) => Some(CountedMove::Refused),
    }
}

/// The move, if the seat may try it now.
fn ready(
    live: &LiveMatch,
    seat: Seat,
    request: &Result<MoveRequest, Unread>,
    at: Timestamp,
) -> Result<AnyMove, Refused> {
    let request = request.as_ref().map_err(Unread::clone)?;
    let mv = live.game.read_move(&request.mv).map_err(MoveRefused::Malformed)?;
    match (mv.needs_turn, request.decision.is_some()) {
        (true, false) => return Err(MoveRefused::DecisionMissing.into()),
        (false, true) => return Err(MoveRefused::DecisionNotAccepted.into()),
        _ => {}
    }
    let present = live.stored.version;
    if request.decision.is_some_and(|decision| live.has_missed(seat, decision.version)) {
        return Err(MoveRefused::OutOfTime(present).into());
    }
    live.must_be_playing()?;
    if let Some(decision) = request.decision {
        if live.is_late(seat, at) {
            return Err(MoveRefused::OutOfTime(present).into());
        }
        let open = live.asks_player(seat).ok_or(MoveRefused::NotYourTurn(present))?;
        if decision.seat != seat || decision.version != open.version {
            return Err(MoveRefused::StaleDecision(present).into());
        }
    }
    Ok(mv)
}

/// The answer to the maker of a move, from the match after it and its log entry.
///
/// # Errors
/// [`Refused`] if the entry cannot be read by its game.
pub fn moved(viewed: ViewedMatch, seat: Seat, entry: &LogEntry) -> Result<Moved, Refused> {
    let told = redacted::tell_mover(&*viewed.live.game, entry, seat)?;
    let (mv, events) = told.ok_or_else(|| Unreadable::new("the step tells of no move"))?;
    Ok(Moved { mv, events, viewed, replayed: false, chance_pending: false })
}
