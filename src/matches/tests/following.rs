//! Following a match that changes meanwhile.

use async_trait::async_trait;

use super::*;
use sarsen_store::{
    self as store, Commit, Committed, ListQuery, ListedMatch, LoadedMatch, MatchStore, ReplayKey, Stamp, StampedVersion,
};

/// A store in which the match is loaded as it was just before the last step, which its log has already.
struct StepBetween {
    store: Arc<dyn Store>,
    before: LoadedMatch,
}

#[async_trait]
impl MatchStore for StepBetween {
    async fn load_match(&self, _: &MatchId, _: Option<&ReplayKey>) -> store::Result<Option<LoadedMatch>> {
        Ok(Some(self.before.clone()))
    }

    async fn standing(&self, _: &MatchId) -> store::Result<Option<StampedVersion>> {
        Ok(Some(StampedVersion { version: self.before.version, stamp: self.before.stamp }))
    }

    async fn commit(&self, commit: Commit) -> store::Result<Committed> {
        self.store.commit(commit).await
    }

    async fn delete_match(&self, id: &MatchId, expected: u64, stamp: Stamp) -> store::Result<Committed> {
        self.store.delete_match(id, expected, stamp).await
    }

    async fn settle(&self, id: &MatchId) -> store::Result<()> {
        self.store.settle(id).await
    }

    async fn log(&self, id: &MatchId, after: u64, limit: usize) -> store::Result<Vec<Vec<u8>>> {
        self.store.log(id, after, limit).await
    }

    async fn list_matches(&self, query: &ListQuery) -> store::Result<Vec<ListedMatch>> {
        self.store.list_matches(query).await
    }

    async fn list_ids(&self, query: &ListQuery) -> store::Result<Vec<MatchId>> {
        self.store.list_ids(query).await
    }
}

#[tokio::test]
async fn who_takes_a_seat_while_reading_is_told_of_it_as_that_seat() {
    let world = World::new();
    let (ann, ben) = (world.person("Ann"), world.person("Ben"));
    let new = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let id = world.made(&ann, new).await;
    let before = world.store.load_match(&id, None).await.unwrap().unwrap();
    world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();

    let (store, games) = (world.store.clone(), Arc::new(Games::standard(GameSettings::default())));
    let between = Arc::new(StepBetween { store: store.clone(), before });
    let reading = Matches::new(
        between,
        store.clone(),
        store,
        games,
        world.ambient.clone(),
        Arc::new(Hub::default()),
        Arc::new(MatchCounts::unseen()),
    );
    let page = reading.events(&by(&ben), &id, None, 100).await.unwrap();
    assert!(page.items.iter().all(|told| told.id.version == 1), "what comes after is for the next page");
    let after = page.next;
    let page = world.matches.events(&by(&ben), &id, after, 100).await.unwrap();
    let hand = |told: &ToldEvent| {
        let event: Value = serde_json::from_str(told.event.get()).unwrap();
        (event["type"] == "opening_hand_dealt" && event["seat"] == 1).then(|| event["cards"].is_array())
    };
    assert_eq!(page.items.iter().find_map(hand), Some(true), "{:?}", texts(&page.items));
}
