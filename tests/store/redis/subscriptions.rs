//! Recipients of messages: on one server nobody hears of what nobody has asked for.

use sarsen::store::redis::{RedisConfig, RedisStore};
use sarsen::store::{Commit, Committed, Live, MatchStore, PlayerStore, Store, Subscriptions, Topic};

use super::connect;
use super::server::Server;
use crate::harness::{match_id, player_id, session_id, step, subscribe};

/// A match and a player who do not share a bucket with those.
async fn apart_from(store: &RedisStore, of: &[Topic]) -> (sarsen::ids::MatchId, sarsen::ids::PlayerId) {
    store.subscribe(of).await.unwrap();
    loop {
        let (id, player) = (match_id(), player_id());
        if ![Topic::Match(id.clone()), Topic::Inbox(player.clone())].iter().any(|topic| store.is_subscribed(topic)) {
            return (id, player);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_has_asked_for_is_not_told() {
    let server = Server::start(&[]);
    let (one, other) =
        (connect(&RedisConfig::single(server.url())).await, connect(&RedisConfig::single(server.url())).await);
    let (wanted, reader) = (match_id(), player_id());
    let asked = [Topic::Match(wanted.clone()), Topic::Inbox(reader.clone())];
    let (ignored, stranger) = apart_from(&other, &asked).await;
    assert!(asked.iter().all(|topic| other.is_subscribed(topic) && !one.is_subscribed(topic)));
    let (mut here, mut there, session) = (one.live(), other.live(), session_id());
    let with = |id, player: &sarsen::ids::PlayerId| Commit { notify: vec![player.clone()], ..step(id, 0) };
    assert_eq!(one.commit(with(&ignored, &stranger)).await.unwrap(), Committed::Yes);
    assert_eq!(one.commit(with(&wanted, &reader)).await.unwrap(), Committed::Yes);
    one.revoke_session(&session, &stranger, sarsen::ambient::Timestamp(i64::MAX / 4)).await.unwrap();
    for live in [&mut here, &mut there] {
        let mut heard = Vec::new();
        while !matches!(heard.last(), Some(Live::Revoked(..))) {
            heard.push(live.recv().await.unwrap());
        }
        let of_the_wanted = [Live::Match(wanted.clone(), 1), Live::Inbox(reader.clone())];
        assert_eq!(heard[..2], of_the_wanted, "what is said of sessions needs no asking: {heard:?}");
        assert_eq!(heard.len(), 3);
    }
    // What is asked for from now on is told from now on.
    one.subscribe(&[Topic::Match(ignored.clone()), Topic::Inbox(stranger.clone())]).await.unwrap();
    assert_eq!(
        other.commit(Commit { notify: vec![stranger.clone()], ..step(&ignored, 1) }).await.unwrap(),
        Committed::Yes
    );
    subscribe(&mut there, &Live::Match(ignored.clone(), 2)).await;
    subscribe(&mut there, &Live::Inbox(stranger.clone())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_longer_asked_for_is_told_no_more() {
    let server = Server::start(&[]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let (id, end) = (match_id(), session_id());
    store.subscribe(&[Topic::Match(id.clone())]).await.unwrap();
    let key = sarsen::store::keys::Keys::new("sarsen").heard();
    let left: i64 = server.ask(::redis::cmd("TTL").arg(&key)).await;
    assert!((180..=240).contains(&left), "{left}");
    let buckets: Vec<(String, u64)> = server.ask(::redis::cmd("HGETALL").arg(&key)).await;
    // As it will be minutes later.
    server.ask::<()>(::redis::cmd("HSET").arg(&key).arg(&buckets[0].0).arg(buckets[0].1 - 300)).await;
    let mut live = store.live();
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    store.revoke_session(&end, &player_id(), sarsen::ambient::Timestamp(i64::MAX / 4)).await.unwrap();
    assert!(matches!(live.recv().await.unwrap(), Live::Revoked(..)));
}
