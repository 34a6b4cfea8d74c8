//! A match in brief, for a list on a phone: a sixth of the bytes of a [`Match`](super::types::Match).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::types::{AnswerForms, LastMove};
use crate::answer::moment::Moment;
use sarsen_base::ids::MatchId;
use sarsen_matches::{Refused, Stage, ViewedMatch};
use sarsen_rules::Seat;

/// The amount that a list says of each match.
///
/// - `full`: All, in `items`.
/// - `brief`: A line of text, in `brief`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MatchFields {
    #[default]
    Full,
    Brief,
}

/// A match in brief.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BriefMatch)]
pub struct BriefMatch<'a> {
    /// Its id.
    #[schema(value_type = String, examples("m_0190163d8694739ea2a3c9f1e7d1a111"))]
    id: &'a MatchId,
    /// The game's id.
    #[schema(examples("contiguity"))]
    game: &'a str,
    /// The stage of the match.
    status: Stage,
    /// The names at the other seats in their order, a bot's as `medium bot`; of all seats where the caller has none. Free
    /// seats are left out.
    #[schema(value_type = Vec<String>, examples("Robin"))]
    opponents: Vec<Cow<'a, str>>,
    /// Indicates whether a seat of the caller's has a decision to make.
    your_turn: bool,
    /// The time by which the caller has to act, or, where it is not their turn, the first of those to act; after it the
    /// clock acts, or others may claim. Null where there is none.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    deadline_at: Option<Moment>,
    /// The last move in words, with the name of who made it; null before the first, and where the caller may not know it.
    #[schema(required, examples("Robin: Move from 29b to 5b."))]
    last_move: Option<String>,
}

impl<'a> BriefMatch<'a> {
    /// The match as its reader may see it.
    pub(crate) fn of(viewed: &'a ViewedMatch) -> Result<BriefMatch<'a>, Refused> {
        let (live, stored) = (&viewed.live, &viewed.live.stored);
        let seats =
            || stored.seats.iter().enumerate().filter_map(|(index, seat)| Some((Seat::new(index as u8)?, seat)));
        let held_by = |wanted: Seat| {
            let (_, seat) = seats().find(|(seat, _)| *seat == wanted)?;
            seat.player.as_ref()
        };
        let own = viewed.seat().and_then(held_by);
        let is_own = |seat: Seat| own.is_some() && held_by(seat) == own;
        let name = |seat: Seat| match live.bot(seat) {
            Some(bot) => Some(Cow::Owned(format!("{} bot", bot.level.name()))),
            None => held_by(seat).map(|player| Cow::Borrowed(viewed.shown(player).name)),
        };
        let to_act = || live.to_act().iter();
        let your_turn = to_act().any(is_own);
        let asked = to_act().filter(|seat| !your_turn || is_own(*seat));
        let deadlines = asked.filter_map(|seat| live.deadline(seat).or_else(|| live.claimable_at(seat)));
        let last = LastMove::of(viewed, AnswerForms { text: true, ..AnswerForms::default() })?;
        let last_move = last.and_then(|last| {
            let who = name(last.seat).unwrap_or_else(|| Cow::Owned(format!("Seat {}", last.seat)));
            Some(format!("{who}: {}", last.text?))
        });
        Ok(BriefMatch {
            id: &stored.id,
            game: &stored.terms.game,
            status: stored.stage,
            opponents: seats().filter(|(seat, _)| !is_own(*seat)).filter_map(|(seat, _)| name(seat)).collect(),
            your_turn,
            deadline_at: deadlines.min().map(Moment),
            last_move,
        })
    }
}
