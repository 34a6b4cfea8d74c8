//! A decision of a match that is over, and its judgement; the review of a record.
//!
//! Invariant: a decision holds what its seat could see and no state, so a judgement cannot depend on anything else.

use super::review::{Review, ReviewItem, ReviewLevel};
use crate::Refused;
use crate::export::{self, Discrepancy, MatchExport, Verbatim};
use crate::model::fairness::review_seed;
use crate::model::log::Action;
use crate::model::refused::{MoveRefused, Unreadable};
use crate::table::live_match::LiveMatch;
use sarsen_games::bots::{AnyBot, Bots, SearchMeans};
use sarsen_games::{Games, MoveInput, SeatObservation};
use sarsen_rules::{Seat, Viewer};

/// A decision of a match that is over, with all that its judgement follows from.
pub(super) struct DecisionMade {
    version: u64,
    seat: Seat,
    mv: Verbatim,
    notation: String,
    observation: SeatObservation,
    seed: [u8; 32],
}

impl DecisionMade {
    /// The decision that `action` made in the match before it; `None` for any other step.
    ///
    /// # Errors
    /// A move that cannot be read.
    pub(super) fn of(before: &LiveMatch, action: &Action) -> Result<Option<DecisionMade>, Refused> {
        let Action::Move { seat, mv, .. } = action else { return Ok(None) };
        let Some(state) = before.state().filter(|_| before.decision(*seat).is_some()) else { return Ok(None) };
        let json = serde_json::from_str(mv.get()).map_err(Unreadable::new)?;
        let read = before.game.read_move(&MoveInput::Json(json)).map_err(MoveRefused::Malformed)?;
        if !read.needs_turn {
            return Ok(None);
        }
        let shown = before.game.redact_move(mv, *seat, Viewer::Omniscient)?;
        let version = before.stored.version + 1;
        Ok(Some(DecisionMade {
            version,
            seat: *seat,
            mv: mv.clone().into(),
            notation: shown.ok_or_else(Unreadable::logged_move)?.notation,
            observation: state.observe(*seat),
            seed: review_seed(&before.stored.id, version, *seat),
        }))
    }

    /// Judges it, until it `is_over`.
    pub(super) fn judge(
        &self,
        bot: &dyn AnyBot,
        level: ReviewLevel,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Judged, Refused> {
        let means = SearchMeans { threads: 1, is_over };
        let found = bot.assess(level.level(), &self.observation, &self.notation, self.seed, &means);
        let found = found.map_err(Unreadable::new)?;
        Ok(found.map_or(Judged::Forced(self.seat), |found| {
            let mv = (self.mv.clone(), self.notation.clone());
            Judged::Item(Box::new(ReviewItem::of(self.version, self.seat, mv, found)))
        }))
    }
}

pub(super) enum Judged {
    /// There was no choice.
    Forced(Seat),
    Item(Box<ReviewItem>),
}

impl Review {
    pub(super) fn add(&mut self, judged: Judged) {
        match judged {
            Judged::Forced(seat) => self.count_forced(seat),
            Judged::Item(item) => self.items.push(*item),
        }
    }
}

/// The review of the match of a record, which is verified on the way, and the version of the bots that made it.
///
/// # Errors
/// The first [`Discrepancy`].
pub fn review_record(
    games: &Games,
    bots: &Bots,
    record: &MatchExport,
    level: ReviewLevel,
) -> Result<(Review, u32), Discrepancy> {
    let known = bots.of(&record.game);
    let bot = known.ok_or_else(|| Discrepancy::Game(record.game.clone(), record.rules_version))?;
    let mut review = Review { reached: record.steps.len() as u64, ..Review::default() };
    export::replayed(games, record, &mut |step, before, action| {
        let impossible = |source| Discrepancy::Impossible { step, source };
        if let Some(made) = DecisionMade::of(before, action).map_err(impossible)? {
            review.add(made.judge(&**bot, level, &|| false).map_err(impossible)?);
        }
        Ok(())
    })?;
    Ok((review, bot.tuning().version))
}
