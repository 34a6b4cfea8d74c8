//! Lists of matches. They follow the commits, in some backends a little later, so they are asked until they agree.

use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::{Commit, ListQuery, ListReader, ListScope, Listing, Stage, Store};

use crate::harness::{Harness, eventually, listing, match_id, player_id, step};

/// All public matches.
pub fn public() -> ListQuery {
    ListQuery { scope: ListScope::Public, stage: None, game: None, before: None, limit: 200, seen_by: None }
}

/// All matches of a player.
pub fn own(player: &PlayerId) -> ListQuery {
    ListQuery { scope: ListScope::Player(player.clone()), ..public() }
}

fn at(stage: Stage, query: ListQuery) -> ListQuery {
    ListQuery { stage: Some(stage), ..query }
}

async fn ids(store: &dyn Store, query: &ListQuery) -> Vec<MatchId> {
    store.list_matches(query).await.unwrap().into_iter().map(|listed| listed.id).collect()
}

/// Waits until a list shows exactly these matches, in this order.
pub async fn shows(store: &dyn Store, query: ListQuery, wanted: &[&MatchId]) {
    let wanted: Vec<MatchId> = wanted.iter().map(|&id| id.clone()).collect();
    eventually(wanted, || ids(store, &query)).await;
}

async fn create(store: &dyn Store, listing: Listing) -> MatchId {
    let id = match_id();
    store.commit(Commit { listing: Some(listing), ..step(&id, 0) }).await.unwrap();
    id
}

async fn relist(store: &dyn Store, id: &MatchId, expected: u64, listing: Listing) {
    store.commit(Commit { listing: Some(listing), ..step(id, expected) }).await.unwrap();
}

/// `count` ids, newest first. Ids of one millisecond have no order of their making, so they are sorted here.
fn newest_first(count: usize) -> Vec<MatchId> {
    let mut ids: Vec<_> = (0..count).map(|_| match_id()).collect();
    ids.sort_by(|a, b| b.cmp(a));
    ids
}

pub async fn strangers_see_public_matches_only(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    create(&*store, Listing { public: false, ..listing(&[&player]) }).await;
    let public_one = create(&*store, listing(&[&player])).await;
    shows(&*store, public(), &[&public_one]).await;
    shows(&*store, at(Stage::Open, public()), &[&public_one]).await;
    shows(&*store, own(&player_id()), &[]).await;
}

pub async fn players_see_their_private_matches(harness: &impl Harness) {
    let (store, creator, guest) = (harness.open().await, player_id(), player_id());
    let private = Listing { public: false, ..listing(&[&creator, &guest]) };
    let first = create(&*store, private).await;
    shows(&*store, own(&creator), &[&first]).await;
    shows(&*store, own(&guest), &[&first]).await;
    shows(&*store, public(), &[]).await;
}

pub async fn newest_first_in_pages(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let all = newest_first(7);
    // Made in another order than they are shown in.
    for at in [3, 0, 6, 2, 5, 1, 4] {
        relist(&*store, &all[at], 0, listing(&[&player])).await;
    }
    let all: Vec<_> = all.iter().collect();
    for query in [public(), own(&player)] {
        let page = |before: Option<&MatchId>, limit| ListQuery { before: before.cloned(), limit, ..query.clone() };
        shows(&*store, page(None, 200), &all).await;
        shows(&*store, page(None, 3), &all[..3]).await;
        shows(&*store, page(Some(all[2]), 3), &all[3..6]).await;
        shows(&*store, page(Some(all[5]), 3), &all[6..]).await;
        shows(&*store, page(Some(all[6]), 3), &[]).await;
        shows(&*store, page(Some(&match_id()), 1), &all[..1]).await;
    }
}

pub async fn a_match_moves_between_stages(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let id = create(&*store, listing(&[&player])).await;
    for (version, stage) in [(1, Stage::Playing), (2, Stage::Finished)] {
        relist(&*store, &id, version, Listing { stage, ..listing(&[&player]) }).await;
        for query in [public(), own(&player)] {
            shows(&*store, query.clone(), &[&id]).await;
            for other in Stage::ALL {
                let wanted: &[&MatchId] = if other == stage { &[&id] } else { &[] };
                shows(&*store, at(other, query.clone()), wanted).await;
            }
        }
    }
}

pub async fn an_aborted_match_is_listed_as_such(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let id = create(&*store, listing(&[&player])).await;
    relist(&*store, &id, 1, Listing { stage: Stage::Aborted, ..listing(&[&player]) }).await;
    shows(&*store, at(Stage::Aborted, own(&player)), &[&id]).await;
    shows(&*store, at(Stage::Aborted, public()), &[&id]).await;
    shows(&*store, at(Stage::Open, own(&player)), &[]).await;
    shows(&*store, at(Stage::Open, public()), &[]).await;
}

pub async fn games_are_told_apart(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let ids = newest_first(4);
    // One game's id begins with the other's.
    for (id, game) in ids.iter().zip(["henge", "hengex", "henge", "hengex"]) {
        relist(&*store, id, 0, Listing { game: game.to_owned(), ..listing(&[&player]) }).await;
    }
    relist(&*store, &ids[2], 1, Listing { game: "henge".into(), stage: Stage::Playing, ..listing(&[&player]) }).await;
    for query in [public(), own(&player)] {
        let of = |game: &str| ListQuery { game: Some(game.to_owned()), ..query.clone() };
        shows(&*store, of("henge"), &[&ids[0], &ids[2]]).await;
        shows(&*store, of("hengex"), &[&ids[1], &ids[3]]).await;
        shows(&*store, of("heng"), &[]).await;
        shows(&*store, at(Stage::Playing, of("henge")), &[&ids[2]]).await;
        shows(&*store, at(Stage::Open, of("henge")), &[&ids[0]]).await;
        shows(&*store, at(Stage::Open, query.clone()), &[&ids[0], &ids[1], &ids[3]]).await;
        shows(&*store, query.clone(), &ids.iter().collect::<Vec<_>>()).await;
        let page = ListQuery { before: Some(ids[0].clone()), limit: 2, ..query.clone() };
        shows(&*store, page, &[&ids[1], &ids[2]]).await;
    }
}

pub async fn who_is_not_named_is_taken_off(harness: &impl Harness) {
    let (store, stays, leaves, joins) = (harness.open().await, player_id(), player_id(), player_id());
    let id = create(&*store, listing(&[&stays, &leaves])).await;
    shows(&*store, own(&leaves), &[&id]).await;
    relist(&*store, &id, 1, Listing { stage: Stage::Playing, ..listing(&[&stays, &joins]) }).await;
    shows(&*store, own(&leaves), &[]).await;
    shows(&*store, at(Stage::Open, own(&leaves)), &[]).await;
    shows(&*store, own(&stays), &[&id]).await;
    shows(&*store, own(&joins), &[&id]).await;
}

pub async fn a_match_can_become_private(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let id = create(&*store, listing(&[&player])).await;
    shows(&*store, public(), &[&id]).await;
    relist(&*store, &id, 1, Listing { public: false, ..listing(&[&player]) }).await;
    shows(&*store, public(), &[]).await;
    shows(&*store, own(&player), &[&id]).await;
}

pub async fn a_step_without_listing_changes_no_list(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let id = create(&*store, listing(&[&player])).await;
    shows(&*store, public(), &[&id]).await;
    // The notice tells when the step has been worked through.
    store.commit(Commit { notify: vec![player.clone()], ..step(&id, 1) }).await.unwrap();
    super::inboxes::holds(&*store, &player, &[(&id, 2)]).await;
    shows(&*store, at(Stage::Open, public()), &[&id]).await;
    shows(&*store, at(Stage::Open, own(&player)), &[&id]).await;
}

pub async fn a_list_shows_the_latest_step(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let id = create(&*store, listing(&[&player])).await;
    shows(&*store, own(&player), &[&id]).await;
    store.commit(step(&id, 1)).await.unwrap();
    let listed = store.list_matches(&own(&player)).await.unwrap();
    assert_eq!((listed[0].stored.as_slice(), listed[0].version), (&b"match 2"[..], 2));
}

pub async fn pages_are_full_until_the_end(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let ids = newest_first(60);
    let mut open = Vec::new();
    for (place, id) in ids.iter().enumerate() {
        // Most matches are not asked for, in long stretches.
        let wanted = place % 20 == 19;
        let (stage, game) = if wanted { (Stage::Open, "rare") } else { (Stage::ALL[place % 4], "common") };
        relist(&*store, id, 0, Listing { stage, game: game.to_owned(), ..listing(&[&player]) }).await;
        if wanted {
            open.push(id);
        }
    }
    for query in [public(), own(&player)] {
        shows(&*store, query.clone(), &ids.iter().collect::<Vec<_>>()).await;
        let rare = ListQuery { game: Some("rare".to_owned()), ..query };
        shows(&*store, ListQuery { limit: 2, ..rare.clone() }, &open[..2]).await;
        shows(&*store, ListQuery { limit: 2, ..at(Stage::Open, rare.clone()) }, &open[..2]).await;
        shows(&*store, ListQuery { limit: 2, before: Some(open[1].clone()), ..rare }, &open[2..]).await;
    }
}

pub async fn the_ids_alone_are_those_of_the_matches(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let ids = newest_first(210);
    for (place, id) in ids.iter().enumerate() {
        let listing = Listing { stage: Stage::ALL[place % 4], public: place % 3 > 0, ..listing(&[&player]) };
        relist(&*store, id, 0, listing).await;
    }
    let found = async |query: ListQuery| store.list_ids(&query).await.unwrap();
    let whole = ListQuery { limit: 1000, ..own(&player) };
    eventually(ids.clone(), || found(whole.clone())).await;
    assert_eq!(found(ListQuery { limit: 7, before: Some(ids[99].clone()), ..whole }).await, ids[100..107]);
    for query in [public(), own(&player), at(Stage::Playing, own(&player))] {
        let wanted: Vec<_> = store.list_matches(&query).await.unwrap().into_iter().map(|listed| listed.id).collect();
        assert_eq!(found(query).await, wanted);
    }
}

pub async fn of_anothers_list_only_what_the_reader_is_shown_is_found(harness: &impl Harness) {
    let (store, player, friend) = (harness.open().await, player_id(), player_id());
    let ids = newest_first(450);
    // Public ones far apart, behind many private ones; a few that the friend sits in.
    let (public, together) = (|number: usize| number % 150 == 149, |number: usize| number % 100 == 7);
    for (number, id) in ids.iter().enumerate() {
        let both = listing(&[&player, &friend]);
        let players = if together(number) { both.players } else { vec![player.clone()] };
        let listing = Listing { public: public(number), players, ..listing(&[]) };
        store.commit(Commit { listing: Some(listing), ..step(id, 0) }).await.unwrap();
    }
    let whole = |seen_by| ListQuery { seen_by, ..own(&player) };
    let of = |wanted: &dyn Fn(usize) -> bool| -> Vec<MatchId> {
        ids.iter().enumerate().filter(|(number, _)| wanted(*number)).map(|(_, id)| id.clone()).collect()
    };
    let public_ones = of(&public);
    for stranger in [None, Some(player_id())] {
        let seen_by = Some(ListReader(stranger));
        shows(&*store, whole(seen_by.clone()), &public_ones.iter().collect::<Vec<_>>()).await;
        let first = ListQuery { limit: 2, ..whole(seen_by.clone()) };
        assert_eq!(store.list_ids(&first).await.unwrap(), public_ones[..2]);
        let rest = ListQuery { before: Some(public_ones[1].clone()), ..first };
        assert_eq!(store.list_ids(&rest).await.unwrap(), public_ones[2..]);
    }
    let theirs = of(&|number| public(number) || together(number));
    shows(&*store, whole(Some(ListReader(Some(friend)))), &theirs.iter().collect::<Vec<_>>()).await;
    let all = ListQuery { limit: 1000, ..whole(None) };
    eventually(ids.clone(), || async { store.list_ids(&all).await.unwrap() }).await;
}
