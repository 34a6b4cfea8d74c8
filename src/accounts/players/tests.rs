//! The life of a session: rotation, lost answers, theft, races, revocation.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::FutureExt;
use futures_util::future::join_all;
use proptest::prelude::*;

use super::fake_store::FakeStore;
use super::*;
use crate::auth::{Principal, Revocations, SigningKeys, TokenScope, Tokens};
use crate::player_status::{KnownStatuses, PlayerStatus};
use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
use sarsen_base::ids::PlayerId;
use sarsen_store::{ItemKind, ItemOwner, ItemStore, PlayerStore, StoreError};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

pub(crate) struct Service {
    pub(crate) players: Players,
    pub(crate) tickets: StreamTickets,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) store: Arc<FakeStore>,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) ambient: Ambient,
}

pub(crate) fn service() -> Service {
    let clock = Arc::new(FixedClock::at(NOW));
    let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
    let keys = SigningKeys::parse(&SigningKeys::new_key_text(&ambient)).unwrap();
    let revocations = Arc::new(Revocations::new());
    let tokens = Arc::new(Tokens::new(keys, TokenScope::default(), revocations.clone(), ambient.clone()));
    let store = Arc::new(FakeStore::new(ambient.clone()));
    let tickets = StreamTickets::new(store.clone(), revocations, ambient.clone());
    let players = Players::new(store.clone(), tokens.clone(), ambient.clone());
    Service { players, tickets, tokens, store, clock, ambient }
}

impl Service {
    pub(crate) async fn guest(&self) -> SignedIn {
        self.players.create_guest("Ada".parse().unwrap(), None).await.unwrap()
    }

    pub(crate) fn principal(&self, signed_in: &SignedIn) -> Principal {
        self.tokens.verify(&signed_in.access_token.token).unwrap()
    }

    /// The code with which an access token is refused, if it is.
    fn refusal(&self, signed_in: &SignedIn) -> Option<&'static str> {
        self.tokens.verify(&signed_in.access_token.token).err().map(|error| error.code())
    }

    async fn refresh(&self, signed_in: &SignedIn) -> SignedIn {
        self.players.refresh(&signed_in.refresh_token).await.unwrap()
    }

    /// The code with which a refresh token is refused, which it must be.
    async fn refresh_refusal(&self, signed_in: &SignedIn) -> &'static str {
        self.players.refresh(&signed_in.refresh_token).await.unwrap_err().code().unwrap()
    }

    /// A second sign-in of the same player.
    async fn another_session(&self, of: &SignedIn) -> SignedIn {
        let (code, _) = self.players.make_pairing_code(&of.player.id, 60).await.unwrap();
        self.players.pair(&code, None, None).await.unwrap().signed_in
    }
}

#[tokio::test]
async fn a_guest_is_signed_in_and_found_again() {
    let service = service();
    let signed_in = service.players.create_guest("  Ada   Lovelace ".parse().unwrap(), Some("Phone".parse().unwrap()));
    let signed_in = signed_in.await.unwrap();
    let sessions = service.players.sessions_of(&signed_in.player.id).await.unwrap();
    assert_eq!(sessions.into_iter().map(|session| session.device).collect::<Vec<_>>(), [Some("Phone".to_owned())]);
    assert_eq!((signed_in.player.name.as_str(), signed_in.player.created_at), ("Ada Lovelace", NOW));
    assert_eq!(signed_in.session_expires_at, NOW.plus_seconds(90 * 24 * 60 * 60));
    assert_eq!(service.principal(&signed_in).player, signed_in.player.id);
    assert_eq!(service.players.player(&signed_in.player.id).await.unwrap().as_ref(), Some(&signed_in.player));
    let stranger = PlayerId::generate(&service.ambient);
    assert_eq!(service.players.player(&stranger).await.unwrap(), None);
}

#[tokio::test]
async fn a_refresh_gives_new_tokens_of_the_same_session() {
    let service = service();
    let first = service.guest().await;
    service.clock.advance_seconds(3600);
    assert_eq!(service.refusal(&first), Some("token_expired"));
    let second = service.refresh(&first).await;
    assert_eq!(second.player, first.player);
    assert_ne!(second.refresh_token, first.refresh_token);
    assert_eq!(service.principal(&second).session, first.refresh_token.session);
    assert_eq!(second.session_expires_at, first.session_expires_at.plus_seconds(3600));
    let third = service.refresh(&second).await;
    assert_eq!(service.refusal(&third), None);
}

#[tokio::test]
async fn a_client_that_lost_the_answer_may_ask_again() {
    let service = service();
    let first = service.guest().await;
    let lost = service.refresh(&first).await;
    service.clock.advance_seconds(31);
    let lost_too = service.refresh(&first).await;
    service.clock.advance_seconds(31);
    let got = service.refresh(&first).await;
    assert_eq!(service.refusal(&got), None);
    assert!(got.refresh_token != lost.refresh_token && got.refresh_token != lost_too.refresh_token);
    service.refresh(&got).await;
}

#[tokio::test]
async fn two_tabs_that_refresh_within_30_seconds_share_the_successor() {
    let service = service();
    let first = service.guest().await;
    let one_tab = service.refresh(&first).await;
    let further = service.refresh(&one_tab).await;
    service.clock.advance_seconds(29);
    let other_tab = service.refresh(&first).await;
    assert_eq!(other_tab.refresh_token, one_tab.refresh_token);
    assert_eq!(other_tab.session_expires_at, further.session_expires_at, "nothing was written");
    assert_eq!(service.refusal(&other_tab), None);
    let follows = service.refresh(&other_tab).await;
    assert_eq!(follows.refresh_token, further.refresh_token);
    service.refresh(&follows).await;
}

#[tokio::test]
async fn an_old_refresh_token_gives_its_session_away() {
    let service = service();
    let first = service.guest().await;
    let second = service.refresh(&first).await;
    let third = service.refresh(&second).await;
    service.clock.advance_seconds(31);
    assert_eq!(service.refresh_refusal(&first).await, "refresh_token_reused");
    for refused in [&first, &second, &third] {
        assert_eq!(service.refresh_refusal(refused).await, "refresh_token_invalid");
        assert_eq!(service.refusal(refused), Some("token_revoked"));
    }
}

#[tokio::test]
async fn a_token_whose_place_was_taken_unused_gives_its_session_away() {
    let service = service();
    let first = service.guest().await;
    let stolen = service.refresh(&first).await;
    service.clock.advance_seconds(31);
    let owners = service.refresh(&first).await;
    assert_eq!(service.refresh_refusal(&stolen).await, "refresh_token_reused");
    assert_eq!(service.refusal(&owners), Some("token_revoked"));
}

#[tokio::test]
async fn an_invented_secret_changes_nothing() {
    let service = service();
    let (first, other) = (service.guest().await, service.guest().await);
    let mut invented = first.refresh_token.clone();
    invented.secret = other.refresh_token.secret.clone();
    let error = service.players.refresh(&invented).await.unwrap_err();
    assert_eq!(error.code(), Some("refresh_token_invalid"));
    assert_eq!(service.refusal(&first), None);
    service.refresh(&first).await;
}

#[tokio::test]
async fn a_session_ends_90_days_after_its_last_refresh() {
    let service = service();
    let first = service.guest().await;
    service.clock.advance_seconds(SESSION_SECONDS - 1);
    let second = service.refresh(&first).await;
    service.clock.advance_seconds(SESSION_SECONDS - 1);
    let third = service.refresh(&second).await;
    service.clock.advance_seconds(SESSION_SECONDS);
    assert_eq!(service.refresh_refusal(&third).await, "refresh_token_invalid");
}

#[tokio::test]
async fn refreshes_at_the_same_time_revoke_nothing() {
    for callers in [2, 16] {
        let service = service();
        let first = service.guest().await;
        let answers = join_all((0..callers).map(|_| service.players.refresh(&first.refresh_token))).await;
        let answers: Vec<SignedIn> = answers.into_iter().map(Result::unwrap).collect();
        assert!(answers.iter().all(|answer| service.refusal(answer).is_none()));
        assert!(answers.iter().all(|answer| answer.refresh_token == answers[0].refresh_token));
        let next = service.refresh(&answers[0]).await;
        assert_eq!(service.refresh(&next).await.player, first.player);
    }
}

#[tokio::test]
async fn a_refresh_that_is_overtaken_twice_is_no_theft() {
    let service = service();
    let first = service.guest().await;
    // The slow call reads the session, then two refreshes in a row go by before it writes.
    let mut slow = std::pin::pin!(service.players.refresh(&first.refresh_token));
    assert!(slow.as_mut().now_or_never().is_none());
    assert!(slow.as_mut().now_or_never().is_none());
    let second = service.refresh(&first).await;
    let third = service.refresh(&second).await;
    service.clock.advance_seconds(31);
    assert_eq!(slow.await.unwrap_err().code(), Some("refresh_token_invalid"));
    assert_eq!(service.refusal(&third), None);
    service.refresh(&third).await;
}

#[tokio::test]
async fn a_refresh_during_a_revocation_does_not_bring_the_session_back() {
    let service = service();
    let first = service.guest().await;
    let mut slow = std::pin::pin!(service.players.refresh(&first.refresh_token));
    assert!(slow.as_mut().now_or_never().is_none());
    assert!(slow.as_mut().now_or_never().is_none());
    service.players.revoke(&service.principal(&first), RevokeScope::ThisSession).await.unwrap();
    assert_eq!(slow.await.unwrap_err().code(), Some("refresh_token_invalid"));
    assert!(service.store.sessions_of(&first.player.id).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_session_can_be_revoked_alone() {
    let service = service();
    let one = service.guest().await;
    let other = service.another_session(&one).await;
    service.players.revoke(&service.principal(&one), RevokeScope::ThisSession).await.unwrap();
    assert_eq!(service.refusal(&one), Some("token_revoked"));
    assert_eq!(service.refresh_refusal(&one).await, "refresh_token_invalid");
    assert_eq!(service.refusal(&other), None);
    service.refresh(&other).await;
}

#[tokio::test]
async fn all_sessions_of_a_player_can_be_revoked_and_only_those() {
    let service = service();
    let (one, stranger) = (service.guest().await, service.guest().await);
    let other = service.another_session(&one).await;
    assert_eq!(other.player.id, one.player.id);
    service.players.revoke(&service.principal(&one), RevokeScope::AllSessions).await.unwrap();
    for revoked in [&one, &other] {
        assert_eq!(service.refusal(revoked), Some("token_revoked"));
        assert_eq!(service.refresh_refusal(revoked).await, "refresh_token_invalid");
    }
    assert_eq!(service.refusal(&stranger), None);
    service.refresh(&stranger).await;
}

#[tokio::test]
async fn a_store_that_is_away_fails_everything_and_harms_nothing() {
    let service = service();
    let first = service.guest().await;
    let principal = service.principal(&first);
    service.store.away.store(true, Ordering::SeqCst);
    let players = &service.players;
    for error in [
        players.create_guest("Ada".parse().unwrap(), None).await.unwrap_err(),
        players.refresh(&first.refresh_token).await.unwrap_err(),
        players.player(&first.player.id).await.unwrap_err(),
        players.revoke(&principal, RevokeScope::AllSessions).await.unwrap_err(),
    ] {
        assert!(matches!(error, PlayersError::Store(StoreError::Unavailable(_))), "{error:?}");
        assert_eq!(error.code(), None);
    }
    service.store.away.store(false, Ordering::SeqCst);
    assert_eq!(service.refusal(&first), None);
    service.refresh(&first).await;
}

#[tokio::test]
async fn a_player_is_known_by_the_newest_name_and_an_operator_has_the_last_word() {
    let Service { players, .. } = service();
    let statuses = Arc::new(KnownStatuses::default());
    let players = players.with_statuses(Arc::clone(&statuses));
    let ada = players.create_guest("Ada".parse().unwrap(), None).await.unwrap().player.id;
    let name = async || players.player(&ada).await.unwrap().map(|player| player.name.to_string());
    assert_eq!(name().await.as_deref(), Some("Ada"));
    players.rename(&ada, "Eda".parse().unwrap()).await.unwrap();
    assert_eq!(name().await.as_deref(), Some("Eda"));
    let mut renamed = PlayerStatus::default();
    renamed.name = Some("Eve".into());
    statuses.insert(ada.clone(), 1, renamed);
    assert_eq!(name().await.as_deref(), Some("Eve"), "what an operator has said counts as soon as it is known");
}

#[tokio::test]
async fn the_store_and_debug_output_hold_no_token() {
    let service = service();
    let first = service.guest().await;
    let second = service.refresh(&first).await;
    let shown = service.store.dump() + &format!("{first:?}{second:?}");
    for signed_in in [&first, &second] {
        let text = signed_in.refresh_token.expose();
        let (_, secret) = text.split_at(text.len() - 43);
        assert!(!shown.contains(secret) && !shown.contains(&signed_in.access_token.token));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_token_text_makes_a_refresh_panic(digits in "[0-9a-f]{32}", secret in "[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]") {
        let token: RefreshToken = format!("r_{digits}_{secret}").parse().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let error = runtime.block_on(service().players.refresh(&token)).unwrap_err();
        prop_assert_eq!(error.code(), Some("refresh_token_invalid"));
    }
}

#[tokio::test]
async fn all_items_of_a_player_are_removed_with_their_names() {
    let service = service();
    let (mine, other) = (service.guest().await.player.id, service.guest().await.player.id);
    let owners = [&mine, &other].map(|player| ItemOwner::Player(player.clone()));
    for kind in ItemKind::ALL {
        for (owner, player) in owners.iter().zip([&mine, &other]) {
            service.store.replace_item(owner, kind, player.as_str(), None, Some(b"{}".to_vec()), 1).await.unwrap();
            service.store.bind_item(kind, player.as_str(), player).await.unwrap();
        }
    }
    assert!(service.players.remove_items(&mine).await.unwrap());
    assert!(!service.players.remove_items(&mine).await.unwrap(), "nothing is left");
    for kind in ItemKind::ALL {
        assert_eq!(service.store.items(&owners[0], kind).await.unwrap(), []);
        assert_eq!(service.store.items(&owners[1], kind).await.unwrap().len(), 1, "another's stay");
        if kind.in_directory() {
            assert_eq!(service.store.item_holder(kind, mine.as_str()).await.unwrap(), None);
        }
        assert_eq!(service.store.item_holder(kind, other.as_str()).await.unwrap().as_ref(), Some(&other));
    }
}
