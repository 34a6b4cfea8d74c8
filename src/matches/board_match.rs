//! A match that counts on a board of results: alone for the best score, together for the longest streak of wins.
//!
//! Invariant: a match counts or not from its start on. So the commit that starts it orders a job already, and a player who
//! starts again for a better deal is shown with one attempt more.

use serde::{Deserialize, Serialize};

use crate::model::clock::OnTimeout;
use crate::model::terms::Visibility;
use crate::table::live_match::{LiveMatch, endings};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::{Mode, Verdict};
use sarsen_store::Stage;

/// A match on a board of results: that it has started, or how it ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoardMatch {
    /// The match.
    #[serde(rename = "m")]
    pub match_id: MatchId,
    /// The board of all times: `<game>.<solo|coop>.<ranked options>`.
    #[serde(rename = "b")]
    pub board: String,
    /// The start of the match, whose month is that of the board of a month.
    #[serde(rename = "t")]
    pub started_at: Timestamp,
    /// The players, in the order of their ids.
    #[serde(rename = "p")]
    pub players: Vec<PlayerId>,
    /// The end; `None` at the start.
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<BoardEnd>,
}

/// The end of a match on a board of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoardEnd {
    /// Its moment.
    #[serde(rename = "t")]
    pub at: Timestamp,
    /// True if all have won.
    #[serde(rename = "w")]
    pub won: bool,
    /// The score of the first seat; 0 where there is none.
    #[serde(rename = "s")]
    pub score: i32,
}

impl LiveMatch {
    /// The match as a board of results has it, if it counts there: a public match with ranked options, of one seat or of a
    /// cooperative game, played by persons without hints and without bots of the service.
    pub(crate) fn board_match(&self) -> Option<BoardMatch> {
        let (stored, terms) = (&self.stored, &self.stored.terms);
        let kind = match self.game.info().mode {
            _ if stored.seats.len() == 1 => "solo",
            Mode::Cooperative => "coop",
            Mode::Solo | Mode::Competitive => return None,
        };
        let helped = self.gives_hints()
            || !terms.bots.is_empty()
            || terms.clock.is_some_and(|clock| clock.on_timeout == OnTimeout::Bot);
        let elsewhere =
            terms.visibility == Visibility::Private || terms.table.hotseat || terms.table.forked_from.is_some();
        let changed_hands = stored.seats.iter().any(|seat| seat.substituted);
        if helped || elsewhere || changed_hands {
            return None;
        }
        let ended = match stored.stage {
            Stage::Playing => None,
            Stage::Finished => {
                let outcome = stored.outcome.as_ref()?;
                let standings = &outcome.standings;
                // An organiser's ruling is no win of the players.
                let ruled = outcome.ending == endings::ADJUDICATED;
                let won = !ruled && standings.iter().all(|standing| standing.verdict == Verdict::Won);
                let score = standings.first().and_then(|standing| standing.score).unwrap_or(0);
                Some(BoardEnd { at: stored.ended_at?, won, score })
            }
            Stage::Open | Stage::Aborted => return None,
        };
        let options = self.game.ranked(&terms.options, self.seat_count())?;
        let persons = stored.seats.iter().map(|seat| seat.player.as_ref().filter(|player| player.kind.is_person()));
        let mut players: Vec<PlayerId> = persons.map(|player| Some(player?.id.clone())).collect::<Option<_>>()?;
        players.sort_unstable();
        let (match_id, board) = (stored.id.clone(), format!("{}.{kind}.{options}", terms.game));
        Some(BoardMatch { match_id, board, started_at: stored.started_at?, players, ended })
    }
}
