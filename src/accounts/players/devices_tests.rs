//! Codes and keys: who is let in, how often, and what is told of it.

use std::sync::atomic::Ordering;

use futures_util::FutureExt;
use futures_util::future::join_all;

use super::*;
use crate::players::tests::{Service, service};
use crate::players::{AccountBounds, PlayersError, RevokeScope};
use sarsen_store::{Live, PlayerStore};

const ONCE: Once<'_> = Once { key: "k", fingerprint: "f" };

fn wrong(outcome: Result<Joined, CodeError>) -> bool {
    matches!(outcome, Err(CodeError::Wrong))
}

impl Service {
    async fn code(&self, of: &SignedIn) -> PairingCode {
        self.players.make_pairing_code(&of.player.id, 300).await.unwrap().0
    }
}

#[tokio::test]
async fn a_code_brings_a_second_device_of_the_same_player_once() {
    let service = service();
    let phone = service.guest().await;
    let (code, until) = service.players.make_pairing_code(&phone.player.id, 300).await.unwrap();
    assert_eq!(until, service.ambient.now().plus_seconds(300));
    let mut live = service.store.live();
    let desk = service.players.pair(&code, Some("Desk".parse().unwrap()), None).await.unwrap();
    assert!(!desk.replayed && desk.signed_in.player == phone.player);
    assert_ne!(service.principal(&desk.signed_in).session, service.principal(&phone).session);
    assert_eq!(live.try_recv().unwrap(), Live::Joined(phone.player.id.clone()), "the phone is told");
    assert!(wrong(service.players.pair(&code, None, None).await));
    let shown: Vec<Option<String>> =
        service.players.sessions_of(&phone.player.id).await.unwrap().into_iter().map(|facts| facts.device).collect();
    assert!(shown.contains(&Some("Desk".into())) && shown.contains(&None) && shown.len() == 2);
    service.players.refresh(&desk.signed_in.refresh_token).await.unwrap();
}

#[tokio::test]
async fn of_two_devices_that_send_one_code_one_is_let_in() {
    for _ in 0..20 {
        let service = service();
        let code = service.code(&service.guest().await).await;
        let two = [Some(Once { key: "a", fingerprint: "f" }), None, Some(Once { key: "b", fingerprint: "f" })];
        let outcomes = join_all(two.map(|once| service.players.pair(&code, None, once))).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        assert_eq!(outcomes.into_iter().filter_map(Result::err).filter(|it| matches!(it, CodeError::Wrong)).count(), 2);
    }
}

#[tokio::test]
async fn only_the_newest_code_counts_and_only_in_time() {
    let service = service();
    let phone = service.guest().await;
    let (first, second) = (service.code(&phone).await, service.code(&phone).await);
    assert!(wrong(service.players.pair(&first, None, None).await));
    service.clock.advance_seconds(300);
    assert!(wrong(service.players.pair(&second, None, None).await));
    let third = service.code(&phone).await;
    service.clock.advance_seconds(299);
    service.players.pair(&third, None, None).await.unwrap();
    let invented = PairingCode::generate(&service.ambient);
    assert!(wrong(service.players.pair(&invented, None, None).await));
}

#[tokio::test]
async fn a_lost_answer_is_not_a_lost_code() {
    let service = service();
    let phone = service.guest().await;
    let code = service.code(&phone).await;
    let lost = service.players.pair(&code, None, Some(ONCE)).await.unwrap().signed_in;
    // Even after the code's own end, and though another has taken its place.
    service.code(&phone).await;
    service.clock.advance_seconds(301);
    let again = service.players.pair(&code, None, Some(ONCE)).await.unwrap();
    assert!(again.replayed && again.signed_in.refresh_token == lost.refresh_token);
    assert_eq!(again.signed_in.session_expires_at, lost.session_expires_at);
    assert_eq!(service.players.sessions_of(&phone.player.id).await.unwrap().len(), 2, "one session, answered twice");

    let other = Once { fingerprint: "other", ..ONCE };
    assert!(matches!(service.players.pair(&code, None, Some(other)).await, Err(CodeError::KeyReused)));
    assert!(wrong(service.players.pair(&code, None, Some(Once { key: "other", ..ONCE })).await));
    service.players.refresh(&lost.refresh_token).await.unwrap();
    assert!(wrong(service.players.pair(&code, None, Some(ONCE)).await), "the answer has arrived");
}

#[tokio::test]
async fn a_session_that_was_ended_does_not_come_back_with_its_code() {
    let service = service();
    let phone = service.guest().await;
    let code = service.code(&phone).await;
    let thief = service.players.pair(&code, None, Some(ONCE)).await.unwrap().signed_in;
    let session = service.principal(&thief).session;
    assert!(service.players.end_session(&phone.player.id, &session).await.unwrap());
    assert!(!service.players.end_session(&phone.player.id, &session).await.unwrap());
    assert!(wrong(service.players.pair(&code, None, Some(ONCE)).await));
}

#[tokio::test]
async fn a_store_that_fails_in_between_loses_no_code() {
    let service = service();
    let phone = service.guest().await;
    let code = service.code(&phone).await;
    for polls in 1.. {
        // The store goes away after so many operations of the call.
        let mut call = std::pin::pin!(service.players.pair(&code, None, Some(ONCE)));
        for _ in 0..polls {
            if let Some(joined) = call.as_mut().now_or_never() {
                assert!(joined.unwrap().replayed && polls > 4, "it takes some trips");
                assert_eq!(service.players.sessions_of(&phone.player.id).await.unwrap().len(), 2);
                return;
            }
        }
        service.store.away.store(true, Ordering::SeqCst);
        let failed = call.await;
        service.store.away.store(false, Ordering::SeqCst);
        // All may have been done but the telling.
        assert!(matches!(failed, Ok(_) | Err(CodeError::Players(PlayersError::Store(_)))), "{failed:?}");
    }
}

#[tokio::test]
async fn a_recovery_key_brings_a_wiped_phone_back_until_another_takes_its_place() {
    let service = service();
    let phone = service.guest().await;
    let first = service.players.make_recovery_key(&phone.player.id).await.unwrap();
    let second = service.players.make_recovery_key(&phone.player.id).await.unwrap();
    service.players.revoke(&service.principal(&phone), RevokeScope::AllSessions).await.unwrap();
    assert!(wrong(service.players.recover(&first, None, None).await));
    for _ in 0..2 {
        let back = service.players.recover(&second, Some("New phone".parse().unwrap()), None).await.unwrap();
        assert_eq!(back.signed_in.player, phone.player);
    }
    assert_eq!(service.players.sessions_of(&phone.player.id).await.unwrap().len(), 2);
    let lost = service.players.recover(&second, None, Some(ONCE)).await.unwrap().signed_in;
    let again = service.players.recover(&second, None, Some(ONCE)).await.unwrap();
    assert!(again.replayed && again.signed_in.refresh_token == lost.refresh_token);
    let invented = RecoveryKey::generate(&service.ambient);
    assert!(wrong(service.players.recover(&invented, None, None).await));
    service.players.remove_items(&phone.player.id).await.unwrap();
    assert!(wrong(service.players.recover(&second, None, None).await), "the account is being deleted");
}

#[tokio::test]
async fn of_recovery_keys_made_at_once_one_stays() {
    let service = service();
    let phone = service.guest().await;
    let keys = join_all((0..4).map(|_| service.players.make_recovery_key(&phone.player.id))).await;
    let mut good = 0;
    for key in keys {
        good += usize::from(service.players.recover(&key.unwrap(), None, None).await.is_ok());
    }
    assert_eq!(good, 1);
}

#[tokio::test]
async fn a_player_has_so_many_sessions_and_one_more_ends_the_one_that_rested_longest() {
    let service = service();
    let bounds = AccountBounds { sessions_per_player: 7, ..AccountBounds::default() };
    let players = service.players.clone().with_bounds(bounds);
    let phone = service.guest().await;
    let key = players.make_recovery_key(&phone.player.id).await.unwrap();
    let mut sessions = vec![service.principal(&phone).session];
    for _ in 0..7 {
        service.clock.advance_seconds(3600);
        let next = players.recover(&key, None, None).await.unwrap().signed_in;
        sessions.push(service.principal(&next).session);
    }
    let kept = service.store.sessions_of(&phone.player.id).await.unwrap();
    assert_eq!(kept.len(), 7);
    assert!(!kept.contains(&sessions[0]) && sessions[1..].iter().all(|session| kept.contains(session)));
}

#[tokio::test]
async fn all_others_can_be_ended() {
    let service = service();
    let phone = service.guest().await;
    let desk = service.players.pair(&service.code(&phone).await, None, None).await.unwrap().signed_in;
    service.players.revoke(&service.principal(&desk), RevokeScope::OtherSessions).await.unwrap();
    assert_eq!(service.store.sessions_of(&phone.player.id).await.unwrap(), [service.principal(&desk).session]);
}

#[tokio::test]
async fn the_store_has_no_code_and_no_key() {
    let service = service();
    let phone = service.guest().await;
    let (code, key) = (service.code(&phone).await, service.players.make_recovery_key(&phone.player.id).await.unwrap());
    service.players.pair(&code, None, Some(ONCE)).await.unwrap();
    let kept = service.store.dump();
    assert!(kept.contains(&key.hash()) && kept.contains(&code.hash()));
    for secret in [code.expose(), key.expose()] {
        assert!(!kept.contains(&secret) && !kept.contains(&secret.replace('-', "")));
    }
}
