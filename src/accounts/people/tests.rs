//! Contacts, blocks and reports, on the embedded store.

use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::auth::{Revocations, SigningKeys, TokenScope, Tokens};
use crate::players::{AccountBounds, Players};
use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
use sarsen_base::ids::PlayerId;
use sarsen_store::embedded::Embedded;

struct World {
    people: People,
    players: Players,
    clock: Arc<FixedClock>,
    _dir: TempDir,
}

fn world() -> World {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::at(Timestamp(1_700_000_000_000)));
    let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(5)));
    let store = Arc::new(Embedded::open(dir.path(), ambient.clone()).unwrap());
    let keys = SigningKeys::parse(&SigningKeys::new_key_text(&ambient)).unwrap();
    let tokens = Tokens::new(keys, TokenScope::default(), Arc::new(Revocations::new()), ambient.clone());
    let bounds = AccountBounds { contacts_per_player: 2, reports_per_day: 2, ..AccountBounds::default() };
    let players = Players::new(store.clone(), Arc::new(tokens), ambient.clone()).with_bounds(bounds);
    World { people: People::new(store, players.clone(), ambient), players, clock, _dir: dir }
}

impl World {
    async fn guest(&self, name: &str) -> PlayerId {
        self.players.create_guest(name.parse().unwrap(), None).await.unwrap().player.id
    }
}

#[tokio::test]
async fn a_list_is_bounded_one_sided_and_comes_in_pages() {
    let world = world();
    let [ada, ben, cora, dora] =
        [world.guest("Ada").await, world.guest("Ben").await, world.guest("Cora").await, world.guest("Dora").await];
    let put = async |other: &PlayerId| world.people.put(&ada, Relation::Contact, other).await;
    let first = put(&ben).await.unwrap();
    world.clock.advance_seconds(5);
    assert_eq!(put(&ben).await.unwrap(), first, "once more changes nothing");
    put(&cora).await.unwrap();
    assert!(matches!(put(&dora).await, Err(PeopleRefused::Full(2))));
    assert!(matches!(put(&ada).await, Err(PeopleRefused::Oneself)));
    assert!(matches!(put(&PlayerId::from_number(7)).await, Err(PeopleRefused::PlayerNotFound)));
    let page = world.people.page(&ada, Relation::Contact, None, 1).await.unwrap();
    let rest = world.people.page(&ada, Relation::Contact, page.next.as_ref(), 1).await.unwrap();
    let mut names = [page.items[0].player.name.as_str(), rest.items[0].player.name.as_str()];
    names.sort_unstable();
    assert_eq!((names, rest.next), (["Ben", "Cora"], None));
    assert!(world.people.ids(&ben, Relation::Contact).await.unwrap().is_empty());
    assert!(world.people.ids(&ada, Relation::Block).await.unwrap().is_empty());
    world.people.remove(&ada, Relation::Contact, &ben).await.unwrap();
    world.people.remove(&ada, Relation::Contact, &ben).await.unwrap();
    assert_eq!(world.people.ids(&ada, Relation::Contact).await.unwrap(), [cora]);
}

#[tokio::test]
async fn a_block_shuts_both_out_and_that_of_the_other_is_told_first() {
    let world = world();
    let [ada, ben, cora] = [world.guest("Ada").await, world.guest("Ben").await, world.guest("Cora").await];
    world.people.put(&ada, Relation::Block, &ben).await.unwrap();
    let shut = async |asker: &PlayerId, others: &[&PlayerId]| {
        let others: Vec<PlayerId> = others.iter().map(|other| (*other).clone()).collect();
        world.people.shut_out(asker, &others).await.unwrap()
    };
    assert_eq!(shut(&ben, &[&cora, &ada]).await, Some(Shut::ByOther));
    assert_eq!(shut(&ada, &[&ada, &ben]).await, Some(Shut::ByAsker));
    assert_eq!(shut(&cora, &[&ada, &ben]).await, None);
    world.people.put(&ben, Relation::Block, &ada).await.unwrap();
    assert_eq!(shut(&ada, &[&ben]).await, Some(Shut::ByOther));
}

#[tokio::test]
async fn reports_are_bounded_by_the_day_listed_and_answered() {
    let world = world();
    let (ada, ben) = (world.guest("Ada").await, world.guest("Ben").await);
    let report = async || {
        let found = world.people.other(&ada, &ben).await.unwrap();
        world.people.report(&ada, found, None, "insults".to_owned()).await
    };
    let first = report().await.unwrap();
    let second = report().await.unwrap();
    assert!(matches!(report().await, Err(PeopleRefused::ReportedEnough(2))));
    assert!(matches!(world.people.other(&ben, &ben).await, Err(PeopleRefused::Oneself)));
    let query = |state, limit| ReportQuery { state, player: Some(ben.clone()), limit, ..ReportQuery::default() };
    let ids = async |query: ReportQuery| {
        let page = world.people.reports(&query).await.unwrap();
        (page.items.into_iter().map(|(id, _)| id).collect::<Vec<_>>(), page.next)
    };
    assert_eq!(ids(query(None, 1)).await.1.as_ref(), Some(&first.clone().max(second.clone())));
    let closed = world.people.answer_report(&first, "warned").await.unwrap();
    assert_eq!((closed.state(), closed.answer.as_deref()), (ReportState::Closed, Some("warned")));
    assert_eq!(ids(query(Some(ReportState::Open), 9)).await.0, [second]);
    assert_eq!(ids(query(Some(ReportState::Closed), 9)).await.0, [first]);
    let by = |player: &PlayerId| ReportQuery { by: Some(player.clone()), limit: 9, ..ReportQuery::default() };
    assert_eq!((ids(by(&ada)).await.0.len(), ids(by(&ben)).await.0.len()), (2, 0));
    world.clock.advance_seconds(24 * 60 * 60);
    report().await.unwrap();
}

#[tokio::test]
async fn beyond_the_bound_closed_reports_go_first_also_where_it_was_lowered() {
    let world = world();
    let ben = world.guest("Ben").await;
    let bounded = |reports_kept| {
        let bounds = AccountBounds { reports_kept, ..AccountBounds::default() };
        People { players: world.players.clone().with_bounds(bounds), ..world.people.clone() }
    };
    let report = async |people: &People| {
        world.clock.advance_seconds(1);
        let found = world.players.player(&ben).await.unwrap().unwrap();
        people.report(&world.guest("Ada").await, found, None, "insults".to_owned()).await.unwrap()
    };
    let mut made = Vec::new();
    for _ in 0..40 {
        made.push(report(&bounded(40)).await);
    }
    for closed in [&made[1], &made[38]] {
        world.people.answer_report(closed, "warned").await.unwrap();
    }
    // The bound is 3 now: the closed ones go, and of the open ones the newest stay.
    let newest = report(&bounded(3)).await;
    let query = ReportQuery { limit: 99, ..ReportQuery::default() };
    let kept: Vec<_> = world.people.reports(&query).await.unwrap().items.into_iter().map(|(id, _)| id).collect();
    assert_eq!(kept, [newest, made[39].clone(), made[37].clone()]);
}
