//! Items and the directory of their names.

use std::sync::Arc;

use sarsen::ids::PlayerId;
use sarsen::store::{ItemKind, ItemOwner, Live, Replaced, Store};

use crate::harness::{Harness, player_id, subscribe};

fn owner(number: u128) -> ItemOwner {
    ItemOwner::Player(PlayerId::from_number(number))
}

async fn put(store: &dyn Store, owner: &ItemOwner, kind: ItemKind, name: &str, value: &[u8]) {
    let found = store.item(owner, kind, name).await.unwrap();
    let done = store.replace_item(owner, kind, name, found.as_deref(), Some(value.to_vec()), 100).await.unwrap();
    assert_eq!(done, Replaced::Done);
}

pub async fn an_item_is_replaced_where_it_is_what_was_found(harness: &impl Harness) {
    let store = harness.open().await;
    let (owner, kind) = (owner(7), ItemKind::Token);
    let replace = async |found: Option<&[u8]>, by: Option<&[u8]>| {
        store.replace_item(&owner, kind, "a", found, by.map(<[u8]>::to_vec), 10).await.unwrap()
    };
    assert_eq!(store.item(&owner, kind, "a").await.unwrap(), None);
    assert_eq!(replace(Some(b"1"), Some(b"2")).await, Replaced::Differs);
    assert_eq!(replace(None, Some(b"1")).await, Replaced::Done);
    assert_eq!(replace(None, Some(b"2")).await, Replaced::Differs);
    assert_eq!(replace(Some(b"1"), Some(b"2")).await, Replaced::Done);
    assert_eq!(store.item(&owner, kind, "a").await.unwrap().as_deref(), Some(&b"2"[..]));
    assert_eq!(replace(Some(b"1"), None).await, Replaced::Differs);
    assert_eq!(replace(Some(b"2"), None).await, Replaced::Done);
    // What is removed does not come back by a later write of somebody who has read it before.
    assert_eq!(replace(Some(b"2"), Some(b"3")).await, Replaced::Differs);
    assert_eq!(store.item(&owner, kind, "a").await.unwrap(), None);
}

pub async fn items_are_apart_and_in_the_order_of_names(harness: &impl Harness) {
    let store = harness.open().await;
    for (who, kind, name) in [
        (owner(7), ItemKind::Contact, "c"),
        (owner(7), ItemKind::Contact, "a"),
        (owner(7), ItemKind::Contact, "b"),
        (owner(7), ItemKind::Block, "a"),
        (owner(8), ItemKind::Contact, "a"),
        (ItemOwner::Service, ItemKind::Report, "a"),
    ] {
        put(&*store, &who, kind, name, format!("{who:?} {kind:?} {name}").as_bytes()).await;
    }
    let contacts = store.items(&owner(7), ItemKind::Contact).await.unwrap();
    assert_eq!(contacts.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    for (who, kind) in
        [(owner(7), ItemKind::Block), (owner(8), ItemKind::Contact), (ItemOwner::Service, ItemKind::Report)]
    {
        let expected = format!("{who:?} {kind:?} a").into_bytes();
        assert_eq!(store.items(&who, kind).await.unwrap(), [("a".to_owned(), expected)]);
    }
    assert_eq!(store.items(&owner(8), ItemKind::Report).await.unwrap(), []);
}

pub async fn of_32_at_once_no_more_get_in_than_there_is_room_for(harness: &impl Harness) {
    let store = harness.open().await;
    let tasks = (0..32).map(|number| {
        let store: Arc<dyn Store> = Arc::clone(&store);
        tokio::spawn(async move {
            let name = format!("n{number}");
            store.replace_item(&owner(7), ItemKind::Bot, &name, None, Some(b"{}".to_vec()), 10).await.unwrap()
        })
    });
    let mut done = 0;
    for task in tasks.collect::<Vec<_>>() {
        match task.await.unwrap() {
            Replaced::Done => done += 1,
            other => assert_eq!(other, Replaced::Full),
        }
    }
    assert_eq!(done, 10);
    let items = store.items(&owner(7), ItemKind::Bot).await.unwrap();
    assert_eq!(items.len(), 10);
    let (name, found) = &items[0];
    let again =
        store.replace_item(&owner(7), ItemKind::Bot, name, Some(found), Some(b"[]".to_vec()), 10).await.unwrap();
    assert_eq!(again, Replaced::Done, "one that is there is changed where there is no room for more");
}

pub async fn of_32_who_bind_a_name_one_has_it(harness: &impl Harness) {
    let store = harness.open().await;
    let tasks = (1..=32).map(|number| {
        let store: Arc<dyn Store> = Arc::clone(&store);
        let player = PlayerId::from_number(number);
        tokio::spawn(async move { store.bind_item(ItemKind::Identity, "n", &player).await.unwrap() })
    });
    let mut holders = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        holders.push(task.await.unwrap());
    }
    let holder = store.item_holder(ItemKind::Identity, "n").await.unwrap().unwrap();
    assert!(holders.iter().all(|found| *found == holder), "{holders:?}");
    assert_eq!(store.item_holder(ItemKind::Token, "n").await.unwrap(), None);
    store.unbind_item(ItemKind::Identity, "n", &PlayerId::from_number(99)).await.unwrap();
    assert_eq!(store.item_holder(ItemKind::Identity, "n").await.unwrap(), Some(holder.clone()));
    store.unbind_item(ItemKind::Identity, "n", &holder).await.unwrap();
    assert_eq!(store.item_holder(ItemKind::Identity, "n").await.unwrap(), None);
    let next = PlayerId::from_number(99);
    assert_eq!(store.bind_item(ItemKind::Identity, "n", &next).await.unwrap(), next);
}

pub async fn items_survive_reopening(harness: &impl Harness) {
    let store = harness.open().await;
    put(&*store, &owner(7), ItemKind::Token, "a", b"{}").await;
    store.bind_item(ItemKind::Token, "a", &PlayerId::from_number(7)).await.unwrap();
    store.close().await;
    drop(store);
    let store = harness.open().await;
    assert_eq!(store.items(&owner(7), ItemKind::Token).await.unwrap(), [("a".to_owned(), b"{}".to_vec())]);
    assert_eq!(store.item_holder(ItemKind::Token, "a").await.unwrap(), Some(PlayerId::from_number(7)));
}

pub async fn an_owner_who_begins_or_ends_to_listen_is_announced(harness: &impl Harness) {
    let (store, other) = (harness.open().await, harness.second().await);
    let (service, kind) = (ItemOwner::Service, ItemKind::Listener);
    for owner in [ItemOwner::Player(player_id()), ItemOwner::Service] {
        let name = owner.as_str();
        for (found, by) in [(None, Some(b"{}".to_vec())), (Some(&b"{}"[..]), None)] {
            let mut heard = [Some(&store), other.as_ref()].map(|store| store.map(|store| store.live()));
            let done = store.replace_item(&service, kind, name, found, by.clone(), 10).await.unwrap();
            assert_eq!(done, Replaced::Done);
            for live in heard.iter_mut().flatten() {
                subscribe(live, &Live::Listener(owner.clone())).await;
            }
            for store in [Some(&store), other.as_ref()].into_iter().flatten() {
                assert_eq!(store.item(&service, kind, name).await.unwrap(), by);
            }
        }
    }
    if let Some(other) = other {
        other.close().await;
    }
}
