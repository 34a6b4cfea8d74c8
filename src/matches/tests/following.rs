//! Following a match that changes meanwhile.

use super::relay::{Choose, Relay};
use super::*;
use sarsen_store as store;

/// A store in which the match is loaded as it was just before the last step, which its log has already.
struct StepBetween {
    store: Arc<dyn Store>,
    before: Arc<dyn Store>,
}

impl Choose for StepBetween {
    fn choose(&self, operation: &str) -> store::Result<Arc<dyn Store>> {
        Ok(Arc::clone(if ["load_match", "standing"].contains(&operation) { &self.before } else { &self.store }))
    }
}

#[tokio::test]
async fn who_takes_a_seat_while_reading_is_told_of_it_as_that_seat() {
    // Two worlds with the same clock and entropy, until one goes on.
    let (world, earlier) = (World::new(), World::new());
    let (ann, ben) = (world.person("Ann"), world.person("Ben"));
    let new = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let id = world.made(&ann, new.clone()).await;
    let same = (earlier.person("Ann"), earlier.person("Ben"));
    assert_eq!((earlier.made(&same.0, new).await, same), (id.clone(), (ann, ben.clone())));
    world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();

    let between = StepBetween { store: world.store.clone(), before: earlier.store.clone() };
    let reading = world.instance_on(Arc::new(Relay(between)));
    let page = reading.events(&by(&ben), &id, None, 100).await.unwrap();
    assert!(page.items.iter().all(|told| told.id.version == 1), "what comes after is for the next page");
    let after = page.next;
    let page = world.matches.events(&by(&ben), &id, after, 100).await.unwrap();
    let hand = |told: &RedactedEvent| {
        let event: Value = serde_json::from_str(told.event.get()).unwrap();
        (event["type"] == "opening_hand_dealt" && event["seat"] == 1).then(|| event["cards"].is_array())
    };
    assert_eq!(page.items.iter().find_map(hand), Some(true), "{:?}", texts(&page.items));
}
