//! Identities: whom a token signs in, and whose an account is.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use serde_json::json;

use super::super::issuer_keys::FetchedKeySet;
use super::*;
use crate::players::tests::{Service, service};
use sarsen_store::ItemStore;

struct Keys(Option<Vec<u8>>);

#[async_trait::async_trait]
impl KeySetSource for Keys {
    async fn fetch(&self) -> Result<FetchedKeySet, String> {
        self.0.clone().map(|json| FetchedKeySet { json, fresh_seconds: 600 }).ok_or_else(|| "away".to_owned())
    }
}

fn pair() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
}

/// A service with the issuers `acme` and `away`, whose keys cannot be had.
fn setup() -> (Service, OutsideAccounts) {
    let service = service();
    let terms = |name: &str| {
        let terms = json!([{"name": name, "iss": format!("https://{name}.example/"), "aud": ["sarsen"],
            "jwks": "file:x", "algorithms": ["EdDSA"], "name_claim": "nickname"}]);
        IssuerTerms::read_list(&terms.to_string()).unwrap().remove(0)
    };
    let x = URL_SAFE_NO_PAD.encode(pair().public_key().as_ref());
    let set = json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": x}]}).to_string().into_bytes();
    let issuers: Vec<(IssuerTerms, Arc<dyn KeySetSource>)> =
        vec![(terms("acme"), Arc::new(Keys(Some(set)))), (terms("away"), Arc::new(Keys(None)))];
    let outside = OutsideAccounts::new(issuers, service.players.clone());
    (service, outside)
}

impl OutsideAccounts {
    async fn of(&self, subject: &str, nickname: &str) -> VerifiedIdentity {
        let now = self.players.ambient.now().unix_seconds();
        let claims = json!({"iss": "https://acme.example/", "aud": "sarsen", "sub": subject, "iat": now,
            "exp": now + 60, "nickname": nickname});
        let message = [json!({"alg": "EdDSA"}), claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let signature = URL_SAFE_NO_PAD.encode(pair().sign(message.as_bytes()).as_ref());
        self.verify("acme", &format!("{message}.{signature}")).await.unwrap()
    }
}

#[tokio::test]
async fn an_account_is_one_player_from_its_first_token_on() {
    let (service, outside) = setup();
    let rowan = outside.of("user-1", "Rowan").await;
    let (first, new) = outside.sign_in(&rowan, None).await.unwrap();
    assert!(new && first.player.name.as_str() == "Rowan");
    let (second, new) = outside.sign_in(&rowan, Some("Desk".parse().unwrap())).await.unwrap();
    assert!(!new && second.player == first.player);
    assert_ne!(service.principal(&second).session, service.principal(&first).session);
    let (other, new) = outside.sign_in(&outside.of("user-2", "\u{202E}").await, None).await.unwrap();
    assert!(new && other.player.id != first.player.id);
    let name = other.player.name.as_str();
    assert!(name.starts_with("Player ") && name.len() == 11, "{name}");
    let listed = outside.identities(&first.player.id).await.unwrap();
    assert_eq!((listed.len(), listed[0].issuer.as_str()), (1, "acme"));
    assert!(!service.store.dump().contains("user-1"), "of an account a hash is kept");
}

#[tokio::test]
async fn first_tokens_that_come_at_once_make_one_player() {
    let (_, outside) = setup();
    let rowan = outside.of("user-1", "Rowan").await;
    let all = join_all((0..8).map(|_| outside.sign_in(&rowan, None))).await;
    let all: Vec<(SignedIn, bool)> = all.into_iter().map(Result::unwrap).collect();
    assert_eq!(all.iter().filter(|(_, new)| *new).count(), 1);
    assert!(all.iter().all(|(signed_in, _)| signed_in.player.id == all[0].0.player.id));
}

#[tokio::test]
async fn an_account_is_linked_to_one_player_and_can_be_taken_back() {
    let (service, outside) = setup();
    let (ann, ben) = (service.guest().await.player.id, service.guest().await.player.id);
    let account = outside.of("user-1", "Rowan").await;
    let linked = outside.link(&ann, &account).await.unwrap();
    assert_eq!(outside.link(&ann, &account).await.unwrap(), linked, "once more changes nothing");
    assert!(matches!(outside.link(&ben, &account).await, Err(OutsideError::Taken)));
    let (signed_in, new) = outside.sign_in(&account, None).await.unwrap();
    assert!(!new && signed_in.player.id == ann);
    assert!(!outside.unlink(&ben, &linked.id).await.unwrap());
    assert!(outside.unlink(&ann, &linked.id).await.unwrap());
    assert!(!outside.unlink(&ann, &linked.id).await.unwrap());
    assert_eq!(outside.identity(&ann, &linked.id).await.unwrap(), None);
    assert_eq!(outside.link(&ben, &account).await.unwrap().id, linked.id);
    assert_eq!(outside.sign_in(&account, None).await.unwrap().0.player.id, ben);
}

#[tokio::test]
async fn a_player_has_so_many_identities_and_no_more() {
    let (service, outside) = setup();
    let ann = service.guest().await.player.id;
    for number in 0..service.players.bounds().identities_per_player {
        outside.link(&ann, &outside.of(&number.to_string(), "").await).await.unwrap();
    }
    let further = outside.of("further", "").await;
    assert!(matches!(outside.link(&ann, &further).await, Err(OutsideError::TooMany)));
    assert!(outside.sign_in(&further, None).await.unwrap().1, "it was left free");
    // Bound before a crash, it is listed beyond the bound.
    let lost = outside.of("lost", "").await;
    service.store.bind_item(KIND, &lost.id, &ann).await.unwrap();
    assert_eq!(outside.sign_in(&lost, None).await.unwrap().0.player.id, ann);
    assert!(outside.identity(&ann, &lost.id).await.unwrap().is_some());
}

#[tokio::test]
async fn the_players_own_list_is_repaired_at_sign_in() {
    let (service, outside) = setup();
    let ann = service.guest().await.player.id;
    let account = outside.of("user-1", "").await;
    // As a crash between the two leaves it.
    service.store.bind_item(KIND, &account.id, &ann).await.unwrap();
    assert_eq!(outside.identities(&ann).await.unwrap(), []);
    assert_eq!(outside.sign_in(&account, None).await.unwrap().0.player.id, ann);
    assert_eq!(outside.identities(&ann).await.unwrap().len(), 1);
    // And one of a player who was never made.
    let (ghost, other) = (PlayerId::generate(&service.ambient), outside.of("user-2", "Wren").await);
    service.store.bind_item(KIND, &other.id, &ghost).await.unwrap();
    let (signed_in, new) = outside.sign_in(&other, None).await.unwrap();
    assert!(new && signed_in.player.id == ghost && signed_in.player.name.as_str() == "Wren");
}

#[tokio::test]
async fn an_issuer_is_named_and_answers_or_not() {
    let (_, outside) = setup();
    assert!(matches!(outside.verify("other", "x").await, Err(OutsideError::IssuerNotFound)));
    assert!(matches!(outside.verify("acme", "x").await, Err(OutsideError::Invalid(OutsideFlaw::Form))));
    let header = URL_SAFE_NO_PAD.encode(json!({"alg": "EdDSA"}).to_string());
    let away = outside.verify("away", &format!("{header}.e30.AA")).await;
    assert!(matches!(away, Err(OutsideError::Unavailable { retry_after_seconds: 30 })), "{away:?}");
}

#[test]
fn form_1_of_an_identity_is_read_and_written_alike() {
    let form_1 = br#"{"v":1,"issuer":"acme","linked_at":7}"#;
    let stored = StoredIdentity::decode(form_1).unwrap();
    assert_eq!((stored.issuer.as_str(), stored.linked_at), ("acme", Timestamp(7)));
    assert_eq!(stored.encode().unwrap(), form_1);
    assert!(read("id".to_owned(), br#"{"v":2,"issuer":"acme","linked_at":7}"#).is_err());
}
