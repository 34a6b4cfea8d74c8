//! Tickets: what a player does with them, and how full pools are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::try_join_all;

use super::definition::PlayerPool;
use super::making::Making;
use super::pairing::RatingRange;
use super::record::{Found, KEPT, Matched, Record, Ticket, made_in};
use crate::ratings::Ratings;
use sarsen_accounts::people::{People, PeopleRefused};
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_base::telemetry::PoolCounter;
use sarsen_matches::model::clock::Speed;
use sarsen_matches::model::fairness::{SeatEntropy, ServerSeed};
use sarsen_matches::model::seated::Seated;
use sarsen_matches::rated_result::category_of;
use sarsen_matches::{Matches, Refused};
use sarsen_store::upgrade::{self, FormError, Formed};
use sarsen_store::{PoolChange, PoolStore, QueuePlace, Schedule, StoreError};

/// The most pools in which one player may wait.
pub const TICKETS_MAX: usize = 3;
/// The rating that counts where a player has none.
const START_RATING: i32 = 1500;
/// The most attempts at a change when others are quicker.
const ATTEMPTS_MAX: usize = 50;
/// The time for which a count of waiting players is kept, in milliseconds.
const SIZE_KEPT_MILLIS: i64 = 5_000;
/// The most waiting players that are counted.
const COUNTED_MAX: usize = 500;
/// The number of matches from which the typical wait is taken.
const MATCHES_LOOKED_AT: usize = 50;
/// More records than there ever are.
const READ_MAX: usize = 1_000_000;
/// A moment behind all others.
pub(super) const LATEST: Timestamp = Timestamp(1 << 52);

/// The refusal of a ticket.
#[derive(Debug, thiserror::Error)]
pub enum PoolRefused {
    /// There is no such pool.
    #[error("there is no such pool here")]
    PoolNotFound,
    /// There is no ticket.
    #[error("you have no ticket in this pool")]
    NoTicket,
    /// The player sits in a live match that is being played.
    #[error("you sit in the live match {0}, which is being played")]
    AlreadyPlaying(MatchId),
    /// The ticket was matched before it was taken back.
    #[error("you have been matched: your match is {0}")]
    AlreadyMatched(MatchId),
    /// The player waits in as many pools as one may.
    #[error("you wait in {TICKETS_MAX} pools, and nobody may wait in more")]
    Full,
    /// Others kept changing the tickets while this was tried.
    #[error("the tickets are too busy")]
    Busy,
    /// A use case of matches failed.
    #[error(transparent)]
    Matches(#[from] Refused),
    /// A use case of people failed.
    #[error(transparent)]
    People(#[from] PeopleRefused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The wishes of a player who puts a ticket in.
#[derive(Clone, Debug, Default)]
pub struct TicketWish {
    /// The ratings of opponents that they accept; `None` for all.
    pub range: Option<RatingRange>,
    /// Entropy for the dice; `None` leaves what they gave before.
    pub entropy: Option<SeatEntropy>,
    /// The owner of a bot account.
    pub owner: Option<PlayerId>,
}

/// The state of a ticket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TicketState {
    /// It waits.
    Waiting {
        /// The time at which it lapses unless it is renewed.
        keep_until: Timestamp,
        /// The commitment to the seed that a match has of which it is the oldest ticket.
        commitment: String,
    },
    /// It was matched.
    Matched {
        /// The match.
        match_id: MatchId,
    },
}

/// A ticket as its player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TicketView {
    /// The time at which it was put in.
    pub since: Timestamp,
    /// Its state.
    pub state: TicketState,
}

/// The fullness of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PoolSize {
    /// The number of tickets that wait, rounded down to 0, 1, 2, 5, 10, 20, 50 and so on.
    pub waiting: usize,
    /// The median wait of the matches made lately, in seconds; `None` where none was.
    pub typical_wait_seconds: Option<u32>,
}

/// The parts that [`Pools`] are made of.
pub struct PoolsParts {
    /// The pools.
    pub pools: Vec<PlayerPool>,
    /// The store of tickets.
    pub store: Arc<dyn PoolStore>,
    /// The claims of instances on pools.
    pub claims: Arc<dyn Schedule>,
    /// The use cases of matches.
    pub matches: Matches,
    /// Blocks.
    pub people: People,
    /// The statuses of players.
    pub statuses: Arc<KnownStatuses>,
    /// Ratings, for rated pools.
    pub ratings: Ratings,
    /// The metrics by pool.
    pub counts: HashMap<String, PoolCounter>,
    /// Clock and entropy.
    pub ambient: Ambient,
}

/// The use cases of pools.
pub struct Pools {
    pub(super) parts: PoolsParts,
    /// The name of this instance in claims.
    pub(super) instance: String,
    /// The fullness of pools when it was last looked at.
    sizes: Mutex<HashMap<String, (Timestamp, PoolSize)>>,
    /// By pool that has more tickets than a round looks at, the number of those behind the oldest that have had their turn.
    pub(super) turns: Mutex<HashMap<String, usize>>,
    /// The matches that could not be made, each with the moment since when.
    pub(super) unmade: Mutex<HashMap<MatchId, Timestamp>>,
}

impl Pools {
    /// The use cases of these pools.
    pub fn new(parts: PoolsParts) -> Pools {
        let instance = hex::encode(parts.ambient.bytes::<8>());
        Pools { parts, instance, sizes: Mutex::default(), turns: Mutex::default(), unmade: Mutex::default() }
    }

    /// All pools.
    pub fn all(&self) -> &[PlayerPool] {
        &self.parts.pools
    }

    /// The pool of this id.
    ///
    /// # Errors
    /// [`PoolRefused::PoolNotFound`].
    pub fn find(&self, id: &str) -> Result<&PlayerPool, PoolRefused> {
        self.parts.pools.iter().find(|pool| pool.id == id).ok_or(PoolRefused::PoolNotFound)
    }

    /// Puts a ticket in, or renews the one that is there. A ticket that has just been matched is answered as matched.
    ///
    /// # Errors
    /// [`PoolRefused::AlreadyPlaying`] in a live pool, [`PoolRefused::Full`], [`PoolRefused::Busy`], or that the store is
    /// away.
    pub async fn put(&self, player: &Seated, pool: &PlayerPool, wish: &TicketWish) -> Result<TicketView, PoolRefused> {
        for _ in 0..ATTEMPTS_MAX {
            let now = self.parts.ambient.now();
            let mut found = self.found(&player.id).await?;
            if let Some(view) = self.told(&mut found, pool, now).await? {
                return Ok(view);
            }
            let last = found.record.matched_in(&pool.id).map(|matched| matched.with.clone()).unwrap_or_default();
            if pool.speed() == Speed::Live
                && let Some(id) = self.live_match(&mut found, now).await?
            {
                // It may have been made of this very ticket since the record was read.
                let told = self.told(&mut self.found(&player.id).await?, pool, now).await?;
                return told.ok_or(PoolRefused::AlreadyPlaying(id));
            }
            found.drop_lapsed(now);
            let rating = self.rating(player, pool).await?;
            let tickets = &mut found.record.tickets;
            if !tickets.contains_key(&pool.id) && tickets.len() >= TICKETS_MAX {
                return Err(PoolRefused::Full);
            }
            let ticket = tickets.entry(pool.id.clone()).or_insert_with(|| Ticket {
                since: now,
                keep_until: now,
                player: player.clone(),
                owner: wish.owner.clone(),
                rating: START_RATING,
                range: None,
                entropy: None,
                seed: ServerSeed::generate(&self.parts.ambient),
                match_id: MatchId::generate(&self.parts.ambient),
                last,
            });
            ticket.keep_until = now.plus_seconds(pool.kept_seconds());
            ticket.rating = rating;
            ticket.range = wish.range;
            ticket.entropy = wish.entropy.clone().or_else(|| ticket.entropy.take());
            let view = ticket.view();
            if self.parts.store.change_pool_records(&[found.change()?], None).await? {
                return Ok(view);
            }
        }
        Err(PoolRefused::Busy)
    }

    /// The ticket of a player in a pool.
    ///
    /// # Errors
    /// [`PoolRefused::NoTicket`], or that the store is away.
    pub async fn read(&self, player: &PlayerId, pool: &PlayerPool) -> Result<TicketView, PoolRefused> {
        let now = self.parts.ambient.now();
        let mut found = self.found(player).await?;
        if let Some(view) = self.told(&mut found, pool, now).await? {
            return Ok(view);
        }
        found.drop_lapsed(now);
        found.record.tickets.get(&pool.id).map(Ticket::view).ok_or(PoolRefused::NoTicket)
    }

    /// Returns all that is kept of a player: the tickets that wait, by pool, and the matches of pools of which tickets
    /// still tell.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn kept_of(&self, player: &PlayerId) -> Result<Vec<(String, TicketView)>, PoolRefused> {
        let (mut found, now) = (self.found(player).await?, self.parts.ambient.now());
        found.drop_lapsed(now);
        let Record { tickets, matched, .. } = found.record;
        let waiting = tickets.into_iter().map(|(pool, ticket)| (pool, ticket.view()));
        let matched = matched.into_iter().filter(|matched| matched.is_told(now));
        Ok(waiting.chain(matched.map(|matched| (matched.pool.clone(), matched.view()))).collect())
    }

    /// Takes a ticket back, which may not be there.
    ///
    /// # Errors
    /// [`PoolRefused::AlreadyMatched`], [`PoolRefused::Busy`], or that the store is away.
    pub async fn take_back(&self, player: &PlayerId, pool: &PlayerPool) -> Result<(), PoolRefused> {
        for _ in 0..ATTEMPTS_MAX {
            let mut found = self.found(player).await?;
            if let Some(TicketView { state: TicketState::Matched { match_id }, .. }) =
                self.told(&mut found, pool, self.parts.ambient.now()).await?
            {
                return Err(PoolRefused::AlreadyMatched(match_id));
            }
            if found.record.tickets.remove(&pool.id).is_none()
                || self.parts.store.change_pool_records(&[found.change()?], None).await?
            {
                return Ok(());
            }
        }
        Err(PoolRefused::Busy)
    }

    /// The fullness of all pools, in their order, as it was up to five seconds ago. They are read together.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn sizes(&self) -> Result<Vec<PoolSize>, PoolRefused> {
        try_join_all(self.all().iter().map(|pool| self.size(pool))).await
    }

    async fn size(&self, pool: &PlayerPool) -> Result<PoolSize, PoolRefused> {
        let now = self.parts.ambient.now();
        let known = self.sizes.lock().unwrap_or_else(PoisonError::into_inner).get(&pool.id).copied();
        if let Some((_, size)) = known.filter(|(at, _)| now.0 - at.0 < SIZE_KEPT_MILLIS) {
            return Ok(size);
        }
        let (store, made) = (&self.parts.store, made_in(&pool.id));
        let waiting = store.queue(&pool.id, LATEST, COUNTED_MAX);
        let (waiting, matched) = tokio::try_join!(waiting, store.queue(&made, LATEST, MATCHES_LOOKED_AT))?;
        let read = matched.into_iter().filter_map(|(player, bytes)| Found::read(player, Some(bytes)).ok());
        let told = read.filter_map(|found| found.record.matched_in(&pool.id).filter(|it| !it.over).cloned());
        let mut waits: Vec<i64> = told.map(|Matched { since, at, .. }| at.0 - since.0).collect();
        waits.sort_unstable();
        let median = waits.get(waits.len() / 2).map(|wait| u32::try_from(wait / 1000).unwrap_or(0));
        let size = PoolSize { waiting: rounded(waiting.len()), typical_wait_seconds: median };
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner).insert(pool.id.clone(), (now, size));
        Ok(size)
    }

    /// The rating of a player in the category of a rated pool.
    async fn rating(&self, player: &Seated, pool: &PlayerPool) -> Result<i32, StoreError> {
        if !pool.rated {
            return Ok(START_RATING);
        }
        let category = category_of(&pool.game, usize::from(pool.seats.max), pool.speed(), player.kind);
        self.parts.ratings.shown_in(&category, &player.id).await
    }

    pub(super) async fn found(&self, player: &PlayerId) -> Result<Found, PoolRefused> {
        Ok(Found::read(player.clone(), self.parts.store.pool_record(player).await?)?)
    }

    /// The ticket as matched, while it tells of a match that is not over.
    async fn told(
        &self,
        found: &mut Found,
        pool: &PlayerPool,
        now: Timestamp,
    ) -> Result<Option<TicketView>, PoolRefused> {
        let Some(matched) = found.record.matched_in(&pool.id).filter(|matched| matched.is_told(now)).cloned() else {
            return Ok(None);
        };
        if self.is_over(&matched.match_id).await? {
            return Ok(None);
        }
        Ok(Some(matched.view()))
    }

    /// The live match in which the player sits; of those of pools that are over it is noted.
    async fn live_match(&self, found: &mut Found, now: Timestamp) -> Result<Option<MatchId>, PoolRefused> {
        let live: Vec<MatchId> = found
            .record
            .matched
            .iter()
            .filter(|matched| matched.live && !matched.over)
            .map(|matched| matched.match_id.clone())
            .collect();
        for id in live {
            if !self.is_over(&id).await? {
                return Ok(Some(id));
            }
            found.record.end(&id, now);
        }
        Ok(self.parts.matches.live_match_of(&found.player).await?)
    }
}

/// Removes all that pools keep of a player who leaves. Returns true if there was anything.
///
/// # Errors
/// If the store is away, or others keep changing it.
pub(crate) async fn forget(store: &dyn PoolStore, player: &PlayerId) -> Result<bool, StoreError> {
    for _ in 0..ATTEMPTS_MAX {
        let Some(found) = store.pool_record(player).await? else { return Ok(false) };
        if store.change_pool_records(&[removal(player.clone(), found)], None).await? {
            return Ok(true);
        }
    }
    Err(StoreError::Unavailable("others keep changing these tickets".into()))
}

/// The removal of a record. Of one that cannot be read only the queue of all records is known.
fn removal(player: PlayerId, found: Vec<u8>) -> PoolChange {
    let kept = |_| vec![QueuePlace { queue: KEPT.to_owned(), at: LATEST }];
    let leaves = Record::decode(&found).map_or_else(kept, |record| record.places());
    PoolChange { player, found: Some(found), by: None, leaves, enters: Vec::new() }
}

/// The players whose tickets cannot be read, and the noted matches, each with the reason, and true if `fix` has removed it.
/// Those of a later release stay.
///
/// # Errors
/// If the store is away.
pub(crate) async fn unreadable(store: &dyn PoolStore, fix: bool) -> Result<Vec<(String, FormError, bool)>, StoreError> {
    let (mut unreadable, goes) = (Vec::new(), |why: FormError| fix && matches!(why, FormError::Unreadable { .. }));
    for (player, found) in store.queue(KEPT, LATEST, READ_MAX).await? {
        let Err(why) = upgrade::decode::<Record>(&found) else { continue };
        let name = player.to_string();
        let gone = goes(why) && store.change_pool_records(&[removal(player, found)], None).await?;
        unreadable.push((name, why, gone));
    }
    for noted in store.paired_matches(READ_MAX).await? {
        let Err(why) = upgrade::decode::<Making>(&noted.stored) else { continue };
        if goes(why) {
            store.forget_paired_match(&noted.id).await?;
        }
        unreadable.push((noted.id.to_string(), why, goes(why)));
    }
    Ok(unreadable)
}

impl Ticket {
    fn view(&self) -> TicketView {
        let commitment = self.seed.commitment(&self.match_id);
        TicketView { since: self.since, state: TicketState::Waiting { keep_until: self.keep_until, commitment } }
    }
}

impl Matched {
    fn view(self) -> TicketView {
        TicketView { since: self.since, state: TicketState::Matched { match_id: self.match_id } }
    }
}

/// The number rounded down to 0, 1, 2, 5, 10, 20, 50 and so on.
fn rounded(number: usize) -> usize {
    let steps =
        std::iter::successors(Some(1), |power| Some(power * 10)).flat_map(|power| [power, 2 * power, 5 * power]);
    steps.take_while(|step| *step <= number).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_rounded_down() {
        let found = [0, 1, 2, 3, 4, 5, 9, 10, 19, 20, 49, 50, 99, 100, 499, 500].map(rounded);
        assert_eq!(found, [0, 1, 2, 2, 2, 5, 5, 10, 10, 20, 20, 50, 50, 100, 200, 500]);
    }
}
