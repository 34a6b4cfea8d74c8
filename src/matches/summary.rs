//! What waits for a player, in numbers: for a badge.

use super::live_match::LiveMatch;
use super::{Matches, Refused, Stage};
use crate::ids::PlayerId;
use crate::store::{ListQuery, ListScope};

/// How many matches are fetched at a time.
const PAGE: usize = 200;
/// The most matches of one stage that are looked at, newest first.
pub const COUNTED_MAX: usize = 1000;

/// What waits for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waiting {
    /// Matches in which the player has a decision to make.
    pub my_turn: u32,
    /// Matches in which a seat is kept for the player.
    pub invites: u32,
    /// Matches that the player made or sits in and that have not started.
    pub open: u32,
}

impl Matches {
    /// What waits for a player, among the newest [`COUNTED_MAX`] matches of theirs of each stage. What this release cannot
    /// read does not count.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn waiting_for(&self, player: &PlayerId) -> Result<Waiting, Refused> {
        let mut waiting = Waiting::default();
        for stage in [Stage::Playing, Stage::Open] {
            let scope = ListScope::Player(player.clone());
            let mut query =
                ListQuery { scope, stage: Some(stage), game: None, before: None, limit: PAGE, seen_by: None };
            let mut looked_at = 0;
            while looked_at < COUNTED_MAX {
                let page = self.store.list_matches(&query).await?;
                looked_at += page.len();
                for listed in &page {
                    if let Ok(live) = LiveMatch::open_without_state(&self.games, &listed.stored) {
                        waiting.count(&live, player);
                    }
                }
                if page.len() < PAGE {
                    break;
                }
                query.before = page.last().map(|listed| listed.id.clone());
            }
        }
        Ok(waiting)
    }
}

impl Waiting {
    fn count(&mut self, live: &LiveMatch, player: &PlayerId) {
        match live.stored.stage {
            Stage::Playing => self.my_turn += u32::from(live.is_to_act(player)),
            Stage::Open if live.is_invited(player) => self.invites += 1,
            Stage::Open => self.open += 1,
            Stage::Finished | Stage::Aborted => {}
        }
    }
}
