//! Rounds of pairing: every two seconds one instance pairs the tickets of a pool, makes their matches, and tidies up.
//!
//! Invariant: the claim on a pool saves work and decides nothing. Two instances that pair the same tickets at once end in
//! a conflict for one of them.

use std::collections::HashSet;

use aws_lc_rs::digest;

use super::definition::PlayerPool;
use super::making::Making;
use super::pairing::{WaitingTicket, pair};
use super::record::{Found, Matched, made_in};
use super::tickets::{PoolRefused, Pools};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_matches::model::clock::Speed;
use sarsen_matches::model::terms::PairedPlayer;

/// The time for which an instance claims a pool, in milliseconds.
const CLAIM_MILLIS: u32 = 10_000;
/// The most tickets of a pool that a round looks at.
const LOOKED_AT: usize = 2_000;
/// The most matches that a round looks at to see whether they are over.
const TIDIED: usize = 100;
/// The most matches that a round makes for instances that have died.
const MADE: usize = 50;
/// The most times that a round pairs anew because players are kept apart.
const AGAIN_MAX: usize = 20;

impl Pools {
    /// One round of all pools that this instance claims, or has claimed. Returns the number of matches made.
    ///
    /// # Errors
    /// The first failure; the other pools have had their round.
    pub async fn round(&self) -> Result<usize, PoolRefused> {
        let mut made = 0;
        let mut first = self.make_noted().await;
        for pool in self.all() {
            match self.parts.claims.claim_match(&claim_of(pool), &self.instance, CLAIM_MILLIS).await {
                Ok(None) => match self.round_of(pool).await {
                    Ok(matches) => made += matches,
                    Err(error) => first = first.and(Err(error)),
                },
                Ok(Some(_)) => {}
                Err(error) => first = first.and(Err(error.into())),
            }
        }
        first.map(|()| made)
    }

    /// Makes the matches that were noted by instances that have died since. One that cannot be made keeps no other.
    async fn make_noted(&self) -> Result<(), PoolRefused> {
        for noted in self.parts.store.paired_matches(MADE).await? {
            if let Err(error) = self.make(&noted).await {
                tracing::warn!(id = %noted.id, error = &error as &dyn std::error::Error, "a match of a pool has to wait");
            }
        }
        Ok(())
    }

    /// One round of a pool.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn round_of(&self, pool: &PlayerPool) -> Result<usize, PoolRefused> {
        let now = self.parts.ambient.now();
        self.tidy(pool, now).await?;
        let (tickets, waiting) = self.tickets_of(pool, now).await?;
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
                if self.match_up(pool, found.collect::<Result<_, _>>()?, now).await? {
                    made += 1;
                }
            }
            if !refused {
                break;
            }
        }
        Ok(made)
    }

    /// The tickets that wait, in the order of age: their records, and what pairing sees of them. Those that have lapsed, or
    /// whose players may not play or sit in a live match, are taken out.
    async fn tickets_of(
        &self,
        pool: &PlayerPool,
        now: Timestamp,
    ) -> Result<(Vec<Vec<u8>>, Vec<WaitingTicket>), PoolRefused> {
        let (mut records, mut waiting) = (Vec::new(), Vec::new());
        for (player, bytes) in self.parts.store.queue(&pool.id, now, LOOKED_AT).await? {
            let mut found = Found::read(player.clone(), Some(bytes.clone()))?;
            found.drop_lapsed(now);
            if self.parts.statuses.barred_from_play(&player, now).is_some() {
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
        Ok((records, waiting))
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

    /// Pairs these players and makes their match. Returns false if one of them was quicker, or sits in a live match.
    async fn match_up(&self, pool: &PlayerPool, mut group: Vec<Found>, now: Timestamp) -> Result<bool, PoolRefused> {
        let live = pool.speed() == Speed::Live;
        if live {
            for found in &mut group {
                if self.parts.matches.live_match_of(&found.player).await?.is_some() {
                    found.record.tickets.remove(&pool.id);
                    let seated = Found::read(found.player.clone(), None)?;
                    let taken_out = std::mem::replace(found, seated).change()?;
                    self.parts.store.change_pool_records(&[taken_out], None).await?;
                    return Ok(false);
                }
            }
        }
        let tickets: Vec<_> = group.iter().filter_map(|found| found.record.tickets.get(&pool.id).cloned()).collect();
        let Some(oldest) = tickets.iter().min_by_key(|ticket| ticket.since) else { return Ok(false) };
        let paired = tickets
            .iter()
            .map(|ticket| PairedPlayer { player: ticket.player.clone(), entropy: ticket.entropy.clone() });
        let making = Making { pool: pool.id.clone(), seed: oldest.seed, players: paired.collect() };
        let noted = making.noted(oldest.match_id.clone())?;
        let mut changes = Vec::with_capacity(group.len());
        for mut found in group {
            let others = tickets.iter().map(|ticket| &ticket.player.id).filter(|other| **other != found.player);
            let since = found.record.tickets.get(&pool.id).map_or(now, |ticket| ticket.since);
            let (match_id, with) = (noted.id.clone(), others.cloned().collect());
            let mut matched = Matched { pool: pool.id.clone(), match_id, live, since, at: now, look_at: now, with };
            matched.look_later(now);
            found.record.pair(matched);
            changes.push(found.change()?);
        }
        if !self.parts.store.change_pool_records(&changes, Some(&noted)).await? {
            return Ok(false);
        }
        self.make(&noted).await?;
        Ok(true)
    }

    /// Forgets matches that are over, and those that are not live once their tickets do not tell of them any more.
    async fn tidy(&self, pool: &PlayerPool, now: Timestamp) -> Result<(), PoolRefused> {
        for (player, bytes) in self.parts.store.queue(&made_in(&pool.id), now, TIDIED).await? {
            let mut found = Found::read(player, Some(bytes))?;
            let due = found.record.matched.iter().filter(|matched| matched.look_at <= now);
            let due: Vec<(MatchId, bool)> = due.map(|matched| (matched.match_id.clone(), matched.live)).collect();
            for (id, live) in due {
                // Only a live match keeps its players from others.
                if !live || self.is_over(&id).await? {
                    found.record.forget(&id);
                }
            }
            found.record.matched.iter_mut().filter(|matched| matched.look_at <= now).for_each(|matched| {
                matched.look_later(now);
            });
            // Where the player was quicker it is looked at in the next round.
            self.parts.store.change_pool_records(&[found.change()?], None).await?;
        }
        Ok(())
    }
}

/// The id under which instances claim a pool, as they claim matches for bots: a digest of its name, which no match has.
fn claim_of(pool: &PlayerPool) -> MatchId {
    let hash = digest::digest(&digest::SHA256, pool.id.as_bytes());
    let mut number = [0; 16];
    number.copy_from_slice(&hash.as_ref()[..16]);
    MatchId::from_number(u128::from_be_bytes(number))
}
