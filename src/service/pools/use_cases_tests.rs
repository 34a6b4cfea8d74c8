//! The use cases of pools on the embedded store, with a clock that the tests move.

use std::sync::{Arc, Mutex};

use super::record::Found;
use super::*;
use crate::tests::TestWorld as World;
use sarsen_accounts::auth::PlayerKind;
use sarsen_accounts::people::People;
use sarsen_accounts::player_status::{Ban, BanFrom, PlayerStatus};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::model::seated::Seated;
use sarsen_matches::{Reader, Stage};
use sarsen_store::{PairedMatch, PoolChange, QueuePlace, Store, StoreError, Wrapper};

const LIVE: &str = "contiguity-live";
const DAYS: &str = "contiguity-correspondence";

impl World {
    /// An instance with these pools, or the built-in ones.
    fn instance(&self, pools: Option<Vec<PlayerPool>>) -> Pools {
        let people = People::new(self.store.clone(), self.players(), self.ambient.clone());
        Pools::new(PoolsParts {
            pools: pools.unwrap_or_else(|| PlayerPool::built_in(&self.games)),
            store: self.store.clone(),
            claims: self.store.clone(),
            matches: self.matches.clone(),
            people,
            statuses: self.known.clone(),
            ratings: self.ratings.clone(),
            counts: Default::default(),
            ambient: self.ambient.clone(),
        })
    }

    fn seconds_from_now(&self, seconds: u32) -> Timestamp {
        self.ambient.now().plus_seconds(seconds)
    }

    async fn put(&self, pools: &Pools, number: u128, pool: &str) -> Result<TicketView, PoolRefused> {
        pools.put(&player(number), pools.find(pool).unwrap(), &TicketWish::default()).await
    }

    /// Puts tickets in, each a second after the one before.
    async fn queue(&self, pools: &Pools, pool: &str, numbers: &[u128]) {
        for number in numbers {
            let view = self.put(pools, *number, pool).await.unwrap();
            assert!(matches!(view.state, TicketState::Waiting { .. }), "{number}: {view:?}");
            self.clock.advance_seconds(1);
        }
    }

    async fn matched(&self, pools: &Pools, number: u128, pool: &str) -> Option<MatchId> {
        match pools.read(&player(number).id, pools.find(pool).unwrap()).await.ok()?.state {
            TicketState::Matched { match_id } => Some(match_id),
            TicketState::Waiting { .. } => None,
        }
    }

    async fn resign(&self, number: u128, id: &MatchId) {
        let resigned = self.matches.resign(&Reader::player(player(number).id), id, None).await;
        // A clock may have run out before.
        assert!(resigned.is_ok() || self.stage(id).await != Some(Stage::Playing), "{:?}", resigned.err());
    }

    async fn stage(&self, id: &MatchId) -> Option<Stage> {
        self.matches.stage_of(id).await.unwrap()
    }

    /// The players in a queue of the store.
    async fn queued(&self, queue: &str) -> Vec<u128> {
        let found = self.store.queue(queue, Timestamp(1 << 52), 10_000).await.unwrap();
        found.iter().map(|(player, _)| player.number()).collect()
    }

    /// Writes a record that cannot be read.
    async fn damage(&self, number: u128, queue: &str) {
        let enters = vec![QueuePlace { queue: queue.to_owned(), at: Timestamp(1) }];
        let (player, by) = (player(number).id, Some(b"{\"v\":2}".to_vec()));
        let change = PoolChange { player, found: None, by, leaves: Vec::new(), enters };
        assert!(self.store.change_pool_records(&[change], None).await.unwrap());
    }
}

async fn size(pools: &Pools, pool: &str) -> PoolSize {
    let place = pools.all().iter().position(|of| of.id == pool).unwrap();
    pools.sizes().await.unwrap()[place]
}

fn player(number: u128) -> Seated {
    Seated::person(PlayerId::from_number(number), format!("Player {number}"))
}

/// A store after whose first reading of a record another instance has its round.
struct PairsMeanwhile {
    store: Arc<dyn Store>,
    other: Mutex<Option<Pools>>,
}

impl Wrapper for PairsMeanwhile {
    fn chosen(&self, _: &'static str) -> Result<Arc<dyn Store>, StoreError> {
        Ok(self.store.clone())
    }

    async fn accompanied<T: Send>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let found = work.await;
        let other = if operation == "pool_record" { self.other.lock().unwrap().take() } else { None };
        if let Some(other) = other {
            assert_eq!(other.round().await.unwrap(), 1);
        }
        found
    }
}

#[tokio::test]
async fn a_ticket_that_is_matched_while_it_is_renewed_tells_of_its_match() {
    let world = World::new();
    let other = world.instance(None);
    world.queue(&other, LIVE, &[1, 2]).await;
    let mut pools = world.instance(None);
    pools.parts.store = Arc::new(PairsMeanwhile { store: world.store.clone(), other: Mutex::new(Some(other)) });
    let view = world.put(&pools, 1, LIVE).await.unwrap();
    assert!(matches!(view.state, TicketState::Matched { .. }), "{view:?}");
}

#[tokio::test]
async fn a_ticket_is_renewed_and_tells_of_its_match_for_ten_minutes() {
    let world = World::new();
    let pools = world.instance(None);
    for (pool, seconds) in [(LIVE, 60), (DAYS, 7 * 86_400)] {
        for _ in 0..2 {
            let view = world.put(&pools, 1, pool).await.unwrap();
            let TicketState::Waiting { keep_until, .. } = view.state else { panic!("{view:?}") };
            assert_eq!(keep_until, world.seconds_from_now(seconds), "each request renews it");
            world.clock.advance_seconds(40);
        }
    }
    world.put(&pools, 1, LIVE).await.unwrap();
    world.clock.advance_seconds(10);
    world.put(&pools, 2, LIVE).await.unwrap();
    let before = size(&pools, LIVE).await;
    assert_eq!((before.waiting, before.typical_wait_seconds), (2, None));
    assert_eq!(pools.round().await.unwrap(), 1);
    let id = world.matched(&pools, 1, LIVE).await.unwrap();
    assert_eq!(world.matched(&pools, 2, LIVE).await.as_ref(), Some(&id));
    // The tickets in other pools are gone too.
    assert!(matches!(pools.read(&player(1).id, pools.find(DAYS).unwrap()).await, Err(PoolRefused::NoTicket)));
    assert_eq!((world.queued(LIVE).await, world.queued(DAYS).await), (vec![], vec![]));
    world.clock.advance_seconds(6);
    let after = size(&pools, LIVE).await;
    assert_eq!((after.waiting, after.typical_wait_seconds), (0, Some(10)), "of those who have waited 0 and 10 seconds");
    // After ten minutes the ticket does not tell of the match any more; its players are kept from live pools by it.
    world.clock.advance_seconds(593);
    assert_eq!(world.matched(&pools, 1, LIVE).await.as_ref(), Some(&id));
    world.clock.advance_seconds(1);
    assert_eq!(world.matched(&pools, 1, LIVE).await, None);
    for _ in 0..2 {
        pools.round().await.unwrap();
        let refused = world.put(&pools, 1, LIVE).await;
        assert!(matches!(&refused, Err(PoolRefused::AlreadyPlaying(of)) if *of == id), "{refused:?}");
        world.put(&pools, 1, DAYS).await.unwrap();
        world.clock.advance_seconds(600);
    }
    world.resign(1, &id).await;
    pools.round().await.unwrap();
    world.put(&pools, 1, LIVE).await.unwrap();
    // Everything goes in the end.
    world.clock.advance_seconds(8 * 86_400);
    for _ in 0..2 {
        pools.round().await.unwrap();
    }
    assert_eq!(world.store.pool_record(&player(1).id).await.unwrap(), None);
    assert_eq!((world.queued("~").await, world.queued("~contiguity-live").await), (vec![], vec![]));
}

#[tokio::test]
async fn entropy_of_a_later_request_counts() {
    let world = World::new();
    let pools = world.instance(None);
    world.queue(&pools, LIVE, &[1, 2]).await;
    let wish = TicketWish { entropy: serde_json::from_value("ash".into()).unwrap(), ..TicketWish::default() };
    pools.put(&player(2), pools.find(LIVE).unwrap(), &wish).await.unwrap();
    world.put(&pools, 2, LIVE).await.unwrap();
    pools.round().await.unwrap();
    let id = world.matched(&pools, 1, LIVE).await.unwrap();
    let stored = world.matches.read(&Reader::default(), &id).await.unwrap().live.stored.clone();
    let given = stored.seats.iter().map(|seat| (seat.player.as_ref().unwrap().id.number(), seat.entropy.is_some()));
    let mut given: Vec<_> = given.collect();
    given.sort_unstable();
    assert_eq!(given, [(1, false), (2, true)]);
}

#[tokio::test]
async fn the_last_opponent_is_kept_apart_while_others_wait() {
    for (pool, pause) in [(LIVE, 700), (DAYS, 86_400)] {
        let world = World::new();
        let pools = world.instance(None);
        world.queue(&pools, pool, &[1, 2]).await;
        assert_eq!(pools.round().await.unwrap(), 1);
        let id = world.matched(&pools, 1, pool).await.unwrap();
        // Some rounds later the ticket has stopped to tell of the match, and the match is over.
        for _ in 0..2 {
            world.clock.advance_seconds(601);
            pools.round().await.unwrap();
        }
        world.resign(1, &id).await;
        world.clock.advance_seconds(pause);
        pools.round().await.unwrap();
        // A ticket that was taken back makes nobody forget.
        world.queue(&pools, pool, &[1, 2]).await;
        for number in [1, 2] {
            pools.take_back(&player(number).id, pools.find(pool).unwrap()).await.unwrap();
        }
        world.queue(&pools, pool, &[1, 2, 3]).await;
        assert_eq!(pools.round().await.unwrap(), 1);
        let second = world.matched(&pools, 1, pool).await.unwrap();
        assert_eq!(world.matched(&pools, 3, pool).await, Some(second), "{pool}");
        assert_eq!(world.matched(&pools, 2, pool).await, None);
        assert_eq!(world.queued(pool).await, [2]);
    }
}

#[tokio::test]
async fn a_match_that_one_instance_has_noted_is_made_by_another_and_once() {
    let world = World::new();
    let (dead, other) = (world.instance(None), world.instance(None));
    world.queue(&dead, LIVE, &[1, 2]).await;
    let found = world.store.queue(LIVE, world.ambient.now(), 10).await.unwrap();
    let group = found.into_iter().map(|(player, bytes)| Found::read(player, Some(bytes)).unwrap()).collect();
    let noted = dead.note_match(dead.find(LIVE).unwrap(), group, world.ambient.now()).await.unwrap().unwrap();
    assert_eq!(world.stage(&noted.id).await, None);
    // Whoever asks first has it made, and a round takes it off.
    assert_eq!(world.matched(&other, 1, LIVE).await.as_ref(), Some(&noted.id));
    assert_eq!(world.stage(&noted.id).await, Some(Stage::Playing));
    world.resign(1, &noted.id).await;
    dead.make(&noted).await.unwrap();
    assert_eq!(world.stage(&noted.id).await, Some(Stage::Finished), "it is not made again");
    // The same by a round alone.
    world.queue(&dead, DAYS, &[3, 4]).await;
    let found = world.store.queue(DAYS, world.ambient.now(), 10).await.unwrap();
    let group = found.into_iter().map(|(player, bytes)| Found::read(player, Some(bytes)).unwrap()).collect();
    let noted = dead.note_match(dead.find(DAYS).unwrap(), group, world.ambient.now()).await.unwrap().unwrap();
    other.round().await.unwrap();
    assert_eq!(world.stage(&noted.id).await, Some(Stage::Playing));
    assert_eq!(world.store.paired_matches(10).await.unwrap(), []);
}

#[tokio::test]
async fn a_record_that_cannot_be_read_keeps_nobody_else() {
    let world = World::new();
    let pools = world.instance(None);
    for queue in [LIVE, "~contiguity-live", "~"] {
        world.damage(100 + queue.len() as u128, queue).await;
    }
    world.queue(&pools, LIVE, &[1, 2]).await;
    assert!(pools.round().await.is_err(), "it is told");
    assert!(world.matched(&pools, 1, LIVE).await.is_some());
    assert_eq!(size(&pools, LIVE).await.waiting, 1);
    let told = unreadable(&*world.store, true).await.unwrap();
    let told = told.iter().map(|(name, _, removed)| (name.as_str(), *removed)).collect::<Vec<_>>();
    assert_eq!(told, [(PlayerId::from_number(101).as_str(), false)], "one of a later release stays");
}

#[tokio::test]
async fn a_match_that_cannot_be_made_is_given_up_after_a_minute() {
    let world = World::new();
    let (pools, elsewhere) = (world.instance(None), world.instance(Some(Vec::new())));
    world.queue(&pools, LIVE, &[1, 2]).await;
    let found = world.store.queue(LIVE, world.ambient.now(), 10).await.unwrap();
    let group = found.into_iter().map(|(player, bytes)| Found::read(player, Some(bytes)).unwrap()).collect();
    let noted = pools.note_match(pools.find(LIVE).unwrap(), group, world.ambient.now()).await.unwrap().unwrap();
    let unreadable_one = PairedMatch { id: MatchId::from_number(1), stored: b"{\"v\":2}".to_vec() };
    assert!(world.store.change_pool_records(&[], Some(&unreadable_one)).await.unwrap());
    assert_eq!(unreadable(&*world.store, false).await.unwrap().len(), 1);
    // An instance without that pool leaves it to others for a minute.
    for _ in 0..6 {
        elsewhere.round().await.unwrap();
        assert_eq!(world.store.paired_matches(10).await.unwrap().len(), 2);
        world.clock.advance_seconds(10);
    }
    elsewhere.round().await.unwrap();
    assert_eq!(world.store.paired_matches(10).await.unwrap(), []);
    assert_eq!(world.stage(&noted.id).await, None);
    for number in [1, 2] {
        let view = world.put(&pools, number, LIVE).await.unwrap();
        assert!(matches!(view.state, TicketState::Waiting { .. }), "its players are free");
    }
}

#[tokio::test]
async fn whoever_leaves_or_is_banned_is_taken_out() {
    let world = World::new();
    let pools = world.instance(None);
    world.queue(&pools, LIVE, &[1, 2, 3]).await;
    world.queue(&pools, DAYS, &[1]).await;
    let ban = Ban { until: None, from: BanFrom::All, reason: "spam".to_owned() };
    world.known.insert(player(1).id, 1, PlayerStatus::default().with_ban(Some(ban)));
    world.known.insert(player(2).id, 1, PlayerStatus::deleted());
    // Bot accounts of the banned one.
    let wish = TicketWish { owner: Some(player(1).id), ..TicketWish::default() };
    for number in [5, 6] {
        let bot = Seated { kind: PlayerKind::Bot, ..player(number) };
        pools.put(&bot, pools.find(LIVE).unwrap(), &wish).await.unwrap();
    }
    assert_eq!(pools.round().await.unwrap(), 0, "nobody is left to play with");
    assert_eq!((world.queued(LIVE).await, world.queued(DAYS).await), (vec![3], vec![]));
    for number in [1, 5, 6] {
        assert_eq!(world.store.pool_record(&player(number).id).await.unwrap(), None);
    }
    // With the account everything goes, read or not.
    world.damage(4, LIVE).await;
    for number in [3, 4] {
        assert!(forget(&*world.store, &player(number).id).await.unwrap());
        assert!(!forget(&*world.store, &player(number).id).await.unwrap());
    }
    assert_eq!((world.queued(LIVE).await, world.queued("~").await), (vec![], vec![]));
    world.queue(&pools, DAYS, &[4]).await;
    assert!(world.queued(LIVE).await.is_empty(), "nor does a queue keep a place for whoever comes again");
}

#[tokio::test]
async fn tickets_of_a_pool_that_is_gone_go_once_they_lapse() {
    let world = World::new();
    world.queue(&world.instance(None), DAYS, &[1]).await;
    let without = world.instance(Some(Vec::new()));
    world.clock.advance_seconds(7 * 86_400 - 2);
    without.round().await.unwrap();
    assert_eq!(world.queued(DAYS).await, [1]);
    world.clock.advance_seconds(2);
    without.round().await.unwrap();
    assert_eq!(world.store.pool_record(&player(1).id).await.unwrap(), None);
    assert_eq!((world.queued(DAYS).await, world.queued("~").await), (vec![], vec![]));
}

#[tokio::test]
async fn two_thousand_tickets_that_suit_nobody_hide_no_newer_ones() {
    let world = World::new();
    let pools = world.instance(None);
    let apart = TicketWish { range: Some(RatingRange { min: 9_000, max: 9_001 }), ..TicketWish::default() };
    for number in 0..3_200 {
        pools.put(&player(number), pools.find(DAYS).unwrap(), &apart).await.unwrap();
        world.clock.advance_millis(1);
    }
    world.queue(&pools, DAYS, &[4_000, 4_001]).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(pools.round().await.unwrap());
    }
    assert_eq!(made, [0, 0, 1], "the third part of those behind the oldest thousand");
    assert!(world.matched(&pools, 4_001, DAYS).await.is_some());
}
