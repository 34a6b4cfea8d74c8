//! Getting a player who leaves for good out of their matches, and one who plays elsewhere out of those that wait.
//!
//! Invariant: it ends by itself and may be done again at any time: what is over is left as it is.

use crate::exclusive::ExclusiveStart;
use crate::model::events::AbortReason;
use crate::model::log::Action;
use crate::{Matches, Reader, Refused, Stage, ViewedMatch};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_store::{Job, ListQuery, ListScope, Work};

/// The number of ids read at a time.
const PAGE: usize = 1000;

impl Matches {
    /// The ids of all matches that a player made or sits in, newest first; of one stage if that is given.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn ids_of(&self, player: &PlayerId, stage: Option<Stage>) -> Result<Vec<MatchId>, Refused> {
        let scope = ListScope::Player(player.clone());
        let mut query = ListQuery { scope, stage, game: None, before: None, limit: PAGE, seen_by: None };
        let mut ids = Vec::new();
        loop {
            let page = self.store.list_ids(&query).await?;
            let ended = page.len() < PAGE;
            ids.extend(page);
            if ended {
                return Ok(ids);
            }
            query.before = ids.last().cloned();
        }
    }

    /// Has a player call off, leave or decline a match that is open, or resign from one that is played. Answers whether
    /// there was anything to do.
    ///
    /// # Errors
    /// Those of the store, [`Refused::Busy`], and that the match cannot be read: by this release, perhaps by a newer one.
    pub async fn see_off(&self, player: &PlayerId, id: &MatchId) -> Result<bool, Refused> {
        let reader = Reader::player(player.clone());
        let Some(loaded) = self.store.load_match(id, None).await? else { return Ok(false) };
        // Not as a reader does, from whom a match that cannot be read is hidden.
        let seen = self.opened(id, &loaded)?.seen_by(&reader, &self.statuses);
        if departure(&seen, player).is_none() {
            return Ok(false);
        }
        self.step(&reader, id, None, |viewed| Ok(departure(viewed, player))).await?;
        Ok(true)
    }
}

impl Matches {
    /// Calls off the other exclusive matches of those who sit at one that has started, as its job says.
    ///
    /// # Errors
    /// Those of the store, that the job or a match cannot be read, and [`Refused::Busy`]; asking again does the rest.
    pub async fn call_off_others(&self, job: &Job) -> Result<(), Refused> {
        let ExclusiveStart { at, players } = ExclusiveStart::of_body(&job.body)?;
        for player in players {
            for id in self.ids_of(&player, Some(Stage::Open)).await? {
                for _ in 0..crate::ATTEMPTS_MAX {
                    let Some(loaded) = self.store.load_match(&id, None).await? else { break };
                    let live = self.opened(&id, &loaded)?;
                    let reason = AbortReason::StartedElsewhere;
                    if !live.waits_only_for(&player, at)
                        || self.act_on(&live, Action::CallOff { reason }, self.now()).await?
                    {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The action by which a player leaves a match for good; `None` if nothing is left to do.
fn departure(viewed: &ViewedMatch, player: &PlayerId) -> Option<Action> {
    let stored = &viewed.live.stored;
    match stored.stage {
        Stage::Open if stored.is_made_by(player) => Some(Action::Abort),
        Stage::Open => {
            let leave = viewed.seat().map(|seat| Action::Leave { seat });
            leave.or_else(|| viewed.live.reserved_seat(player).map(|seat| Action::Decline { seat }))
        }
        Stage::Playing => viewed.live.seat_in_play(player).map(|seat| Action::Resign { seat }),
        Stage::Finished | Stage::Aborted => None,
    }
}
