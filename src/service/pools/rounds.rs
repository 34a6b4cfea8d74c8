//! Rounds of pairing: every two seconds one instance pairs the tickets of a pool, makes their matches, and tidies up.
//!
//! Invariant: the claim on a pool saves work and decides nothing. Two instances that pair the same tickets at once end in
//! a conflict for one of them.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::Duration;

use super::definition::PlayerPool;
use super::making::Making;
use super::pairing::{WaitingTicket, pair};
use super::record::{Found, KEPT, Matched, made_in};
use super::tickets::{PoolRefused, Pools};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, hashed_number};
use sarsen_base::telemetry::PoolCounter;
use sarsen_matches::model::clock::Speed;
use sarsen_matches::model::terms::PairedPlayer;
use sarsen_store::{PairedMatch, StoreError};

/// The time for which an instance claims a pool, in milliseconds.
const CLAIM_MILLIS: u32 = 10_000;
/// The most tickets of a pool that a round reads: as many as one slot takes.
const READ: usize = 10_000;
/// The most of them that it looks at.
const LOOKED_AT: usize = 2_000;
/// The most matches that a round looks at to see whether they are over.
const TIDIED: usize = 100;
/// The most times that a round pairs again because players are kept apart.
const AGAIN_MAX: usize = 20;

impl Pools {
    /// One round of all pools that this instance claims, or has claimed. Returns the number of matches made.
    ///
    /// # Errors
    /// The first failure; the other pools have had their round.
    pub(crate) async fn round(&self) -> Result<usize, PoolRefused> {
        let mut made = 0;
        let mut first = self.make_noted().await.and(self.sweep().await);
        for pool in self.all() {
            match self.parts.claims.claim_match(&claim_of(pool), &self.instance, CLAIM_MILLIS).await {
                Ok(None) => match self.round_of(pool).await {
                    Ok(matches) => made += matches,
                    Err(error) => first = first.and(Err(error)),
                },
                Ok(Some(_)) => self.count(pool, |counts| counts.wait(0)),
                Err(error) => first = first.and(Err(error.into())),
            }
        }
        first.map(|()| made)
    }

    fn count(&self, pool: &PlayerPool, count: impl FnOnce(&PoolCounter)) {
        self.parts.counts.get(&pool.id).map(count);
    }

    /// Takes out of records what is of no use any more, also of pools that are gone.
    async fn sweep(&self) -> Result<(), PoolRefused> {
        let now = self.parts.ambient.now();
        for (player, bytes) in self.parts.store.queue(KEPT, now, TIDIED).await? {
            let Ok(mut found) = Found::read(player, Some(bytes)) else { continue };
            found.drop_lapsed(now);
            self.parts.store.change_pool_records(&[found.change()?], None).await?;
        }
        Ok(())
    }

    /// One round of a pool.
    ///
    /// # Errors
    /// If the store is away, or a record cannot be read; the others have been paired then.
    pub(super) async fn round_of(&self, pool: &PlayerPool) -> Result<usize, PoolRefused> {
        let now = self.parts.ambient.now();
        self.tidy(pool, now).await?;
        let (tickets, waiting, unreadable) = self.tickets_of(pool, now).await?;
        let mut apart: HashSet<(usize, usize)> = HashSet::new();
        let mut done: HashSet<usize> = HashSet::new();
        let mut made = 0;
        for _ in 0..AGAIN_MAX {
            let kept_apart = |one: usize, other: usize| {
                done.contains(&one) || done.contains(&other) || apart.contains(&(one.min(other), one.max(other)))
            };
            let groups = pair(pool.seats, pool.rated, &waiting, now, &kept_apart);
            let mut refused = false;
            for group in groups {
                if group.iter().any(|one| done.contains(one)) {
                    continue;
                }
                let blocks = self.blocks(&group, &waiting).await?;
                if !blocks.is_empty() {
                    apart.extend(blocks);
                    refused = true;
                    continue;
                }
                done.extend(&group);
                let found =
                    group.iter().map(|&one| Found::read(waiting[one].player.clone(), Some(tickets[one].clone())));
                if let Some(noted) = self.note_match(pool, found.collect::<Result<_, _>>()?, now).await? {
                    self.make(&noted).await?;
                    made += 1;
                }
            }
            if !refused {
                break;
            }
        }
        self.count(pool, |counts| counts.wait(waiting.len() - done.len()));
        unreadable.map_or(Ok(made), |error| Err(error.into()))
    }

    /// The tickets that wait, in the order of age: their records, what pairing sees of them, and why one cannot be read.
    /// Those that have lapsed, or whose players or the owners of these may not play, or sit in a live match, are taken out.
    async fn tickets_of(
        &self,
        pool: &PlayerPool,
        now: Timestamp,
    ) -> Result<(Vec<Vec<u8>>, Vec<WaitingTicket>, Option<StoreError>), PoolRefused> {
        let (mut records, mut waiting, mut unreadable) = (Vec::new(), Vec::new(), None);
        for (player, bytes) in self.looked_at(pool, now).await? {
            let mut found = match Found::read(player.clone(), Some(bytes.clone())) {
                Ok(found) => found,
                Err(error) => {
                    unreadable = Some(error);
                    continue;
                }
            };
            found.drop_lapsed(now);
            let owner = found.record.tickets.get(&pool.id).and_then(|ticket| ticket.owner.as_ref());
            let is_barred = |player: &PlayerId| self.parts.statuses.barred_from_play(player, now).is_some();
            if owner.is_some_and(is_barred) || is_barred(&player) {
                found.record.tickets.clear();
            }
            let Some(ticket) = found.record.tickets.get(&pool.id) else {
                // Where the player was quicker there is nothing to take out.
                self.parts.store.change_pool_records(&[found.change()?], None).await?;
                continue;
            };
            records.push(bytes);
            waiting.push(WaitingTicket {
                player,
                person: ticket.player.kind.is_person(),
                since: ticket.since,
                rating: ticket.rating,
                range: ticket.range,
                last: ticket.last.clone(),
            });
        }
        Ok((records, waiting, unreadable))
    }

    /// The tickets that a round looks at, in the order of age. Where there are more, those behind the oldest half take turns,
    /// so that oldest whom nobody suits hide nobody.
    async fn looked_at(&self, pool: &PlayerPool, now: Timestamp) -> Result<Vec<(PlayerId, Vec<u8>)>, PoolRefused> {
        let mut found = self.parts.store.queue(&pool.id, now, READ).await?;
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() <= LOOKED_AT {
            turns.remove(&pool.id);
            return Ok(found);
        }
        let rest = found.split_off(LOOKED_AT / 2);
        let turn = turns.entry(pool.id.clone()).or_default();
        let from = Some(*turn).filter(|turn| *turn < rest.len()).unwrap_or(0);
        *turn = from + LOOKED_AT / 2;
        found.extend(rest.into_iter().skip(from).take(LOOKED_AT / 2));
        Ok(found)
    }

    /// The pairs of a group of whom one has blocked the other.
    async fn blocks(&self, group: &[usize], waiting: &[WaitingTicket]) -> Result<Vec<(usize, usize)>, PoolRefused> {
        let mut blocks = Vec::new();
        for (place, &one) in group.iter().enumerate() {
            for &other in &group[place + 1..] {
                let others = std::slice::from_ref(&waiting[other].player);
                if self.parts.people.shut_out(&waiting[one].player, others).await?.is_some() {
                    blocks.push((one.min(other), one.max(other)));
                }
            }
        }
        Ok(blocks)
    }

    /// Pairs these players and notes the match to make. Returns none if one of them was quicker, or sits in a live match.
    pub(super) async fn note_match(
        &self,
        pool: &PlayerPool,
        mut group: Vec<Found>,
        now: Timestamp,
    ) -> Result<Option<PairedMatch>, PoolRefused> {
        let live = pool.speed() == Speed::Live;
        if live {
            for found in &mut group {
                if self.parts.matches.live_match_of(&found.player).await?.is_some() {
                    found.record.tickets.remove(&pool.id);
                    let seated = Found::read(found.player.clone(), None)?;
                    let taken_out = std::mem::replace(found, seated).change()?;
                    self.parts.store.change_pool_records(&[taken_out], None).await?;
                    return Ok(None);
                }
            }
        }
        let tickets: Vec<_> = group.iter().filter_map(|found| found.record.tickets.get(&pool.id).cloned()).collect();
        let Some(oldest) = tickets.iter().min_by_key(|ticket| ticket.since) else { return Ok(None) };
        let paired = tickets
            .iter()
            .map(|ticket| PairedPlayer { player: ticket.player.clone(), entropy: ticket.entropy.clone() });
        let noted = Making::new(pool, oldest.seed, paired.collect()).noted(oldest.match_id.clone())?;
        let mut changes = Vec::with_capacity(group.len());
        for mut found in group {
            let others = tickets.iter().map(|ticket| &ticket.player.id).filter(|other| **other != found.player);
            let since = found.record.tickets.get(&pool.id).map_or(now, |ticket| ticket.since);
            let (match_id, with) = (noted.id.clone(), others.cloned().collect());
            let pool = pool.id.clone();
            let mut matched = Matched { pool, match_id, live, since, at: now, look_at: now, with, over: false };
            matched.look_later(now);
            found.record.pair(matched);
            changes.push(found.change()?);
        }
        let paired = self.parts.store.change_pool_records(&changes, Some(&noted)).await?;
        for ticket in tickets.iter().filter(|_| paired) {
            let waited = u64::try_from(now.0 - ticket.since.0).unwrap_or(0);
            self.count(pool, |counts| counts.paired(Duration::from_millis(waited)));
        }
        Ok(paired.then_some(noted))
    }

    /// Notes which matches are over, and which tickets do not tell of theirs any more where it is not live.
    async fn tidy(&self, pool: &PlayerPool, now: Timestamp) -> Result<(), PoolRefused> {
        for (player, bytes) in self.parts.store.queue(&made_in(&pool.id), now, TIDIED).await? {
            // `sarsen check` tells of it.
            let Ok(mut found) = Found::read(player, Some(bytes)) else { continue };
            found.drop_lapsed(now);
            let due = found.record.matched.iter_mut().filter(|matched| matched.look_at <= now);
            for matched in due {
                // Only a live match keeps its players from others.
                if !matched.live || self.is_over(&matched.match_id).await? {
                    matched.end(now);
                } else {
                    matched.look_later(now);
                }
            }
            // Where the player was quicker it is looked at in the next round.
            self.parts.store.change_pool_records(&[found.change()?], None).await?;
        }
        Ok(())
    }
}

/// The id under which instances claim a pool, as they claim matches for bots: a digest of its name, which no match has.
fn claim_of(pool: &PlayerPool) -> MatchId {
    MatchId::from_number(hashed_number(&[pool.id.as_bytes()]))
}
