//! Tokens of programs and bot accounts, on the embedded store and with a clock that the tests move.

use tempfile::TempDir;

use super::*;
use crate::auth::{PlayerKind, Revocations, SigningKeys, TokenScope, Tokens};
use crate::players::AccountBounds;
use crate::programs::checked::CHECKED_FOR_SECONDS;
use crate::since::StoredSince;
use sarsen_base::ambient::{FixedClock, FixedEntropy};
use sarsen_store::embedded::Embedded;
use sarsen_store::{ItemKind, ItemOwner, ItemStore};

/// The longest life of a token.
const TOKEN_SECONDS: u32 = 7200;

struct World {
    store: Arc<Embedded>,
    clock: Arc<FixedClock>,
    ambient: Ambient,
    _dir: TempDir,
}

/// One instance on the store.
fn instance(world: &World) -> (ProgramTokens, Players) {
    let keys = SigningKeys::parse(&SigningKeys::new_key_text(&world.ambient)).unwrap();
    let tokens = Tokens::new(keys, TokenScope::default(), Arc::new(Revocations::new()), world.ambient.clone());
    let bounds = AccountBounds {
        tokens_per_player: 2,
        bot_accounts_per_player: 1,
        program_token_seconds: TOKEN_SECONDS,
        ..AccountBounds::default()
    };
    let players = Players::new(world.store.clone(), Arc::new(tokens), world.ambient.clone()).with_bounds(bounds);
    (ProgramTokens::new(world.store.clone(), players.clone(), world.ambient.clone()), players)
}

fn world() -> World {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::at(Timestamp(1_700_000_000_000)));
    let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(5)));
    let store = Arc::new(Embedded::open(dir.path(), ambient.clone()).unwrap());
    World { store, clock, ambient, _dir: dir }
}

fn terms(expires_in_seconds: u32) -> TokenTerms {
    let scopes = vec![ProgramScope::Play, ProgramScope::Read, ProgramScope::Play];
    TokenTerms { name: "trainer".to_owned(), scopes, expires_in_seconds }
}

async fn guest(players: &Players) -> PlayerId {
    players.create_guest("Ada".parse().unwrap(), None).await.unwrap().player.id
}

#[tokio::test]
async fn a_token_says_for_whom_and_for_what_until_it_ends() {
    let world = world();
    let (programs, players) = instance(&world);
    let ada = guest(&players).await;
    let made = programs.make(&ada, terms(60)).await.unwrap();
    assert!(programs.known(&made.token).is_none(), "nothing is known that was not asked for");
    let caller = programs.verify(&made.token).await.unwrap();
    assert_eq!((&caller.player, caller.kind()), (&ada, PlayerKind::Person));
    assert_eq!(caller.program.as_ref().unwrap().scopes, [ProgramScope::Read, ProgramScope::Play]);
    assert_eq!(programs.known(&made.token), Some(caller));
    let text = made.token.expose();
    let (beginning, secret) = text.split_at(text.len() - 43);
    let other = if secret.starts_with('A') { 'B' } else { 'A' };
    let forged = format!("{beginning}{other}{}", &secret[1..]);
    let forged: ProgramToken = forged.parse().unwrap();
    assert!(programs.known(&forged).is_none());
    assert!(matches!(programs.verify(&forged).await, Err(ProgramRefused::Invalid)));
    world.clock.advance_seconds(60);
    assert!(programs.known(&made.token).is_none());
    assert!(matches!(programs.verify(&made.token).await, Err(ProgramRefused::Expired)));
    assert!(programs.tokens_of(&ada).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_revoked_token_is_refused_here_at_once_and_elsewhere_when_it_is_looked_up_again() {
    let world = world();
    let ((here, players), (there, _)) = (instance(&world), instance(&world));
    let ada = guest(&players).await;
    let token = here.make(&ada, terms(3600)).await.unwrap().token;
    here.verify(&token).await.unwrap();
    there.verify(&token).await.unwrap();
    here.revoke(&guest(&players).await, token.id).await.unwrap();
    here.verify(&token).await.unwrap();
    here.revoke(&ada, token.id).await.unwrap();
    assert!(here.known(&token).is_none());
    assert!(matches!(here.verify(&token).await, Err(ProgramRefused::Revoked)));
    world.clock.advance_seconds(CHECKED_FOR_SECONDS - 1);
    assert!(there.known(&token).is_some(), "nobody has told it");
    world.clock.advance_seconds(1);
    assert!(there.known(&token).is_none());
    assert!(matches!(there.verify(&token).await, Err(ProgramRefused::Invalid)));
    here.revoke(&ada, token.id).await.unwrap();
}

#[tokio::test]
async fn a_use_is_kept_to_five_minutes_and_brings_no_revoked_token_back() {
    let world = world();
    let (programs, players) = instance(&world);
    let ada = guest(&players).await;
    let token = programs.make(&ada, terms(3600)).await.unwrap().token;
    let used_at = async || programs.tokens_of(&ada).await.unwrap()[0].used_at;
    assert_eq!(used_at().await, None);
    programs.verify(&token).await.unwrap();
    let first = world.ambient.now();
    assert_eq!(used_at().await, Some(first));
    world.clock.advance_seconds(USE_KEPT_SECONDS - 1);
    programs.verify(&token).await.unwrap();
    assert_eq!(used_at().await, Some(first));
    let owner = ItemOwner::Player(ada.clone());
    let read = world.store.item(&owner, ItemKind::Token, token.id.as_str()).await.unwrap().unwrap();
    world.clock.advance_seconds(1);
    // A use that was read before the token is revoked and written after.
    programs.revoke(&ada, token.id).await.unwrap();
    let stored = StoredToken::decode(&read).unwrap();
    programs.note_use(&ada, token.id, read, stored, world.ambient.now()).await;
    assert!(programs.tokens_of(&ada).await.unwrap().is_empty());
}

#[tokio::test]
async fn nobody_has_more_tokens_than_the_bound_and_expired_ones_make_room() {
    let world = world();
    let (programs, players) = instance(&world);
    let ada = guest(&players).await;
    programs.make(&ada, terms(10)).await.unwrap();
    programs.make(&ada, terms(100)).await.unwrap();
    assert!(matches!(programs.make(&ada, terms(100)).await, Err(ProgramRefused::Full(2))));
    world.clock.advance_seconds(10);
    programs.make(&ada, terms(u32::MAX)).await.unwrap();
    let tokens = programs.tokens_of(&ada).await.unwrap();
    assert_eq!(tokens[1].expires_at, world.ambient.now().plus_seconds(TOKEN_SECONDS));
}

#[tokio::test]
async fn a_bot_account_is_its_owners_and_says_what_it_is() {
    let world = world();
    let (programs, players) = instance(&world);
    let (ada, eve) = (guest(&players).await, guest(&players).await);
    let (bot, made) = programs.make_bot(&ada, "Engine".parse().unwrap()).await.unwrap();
    let caller = programs.verify(&made.token).await.unwrap();
    assert_eq!((&caller.player, caller.kind()), (&bot.id, PlayerKind::Bot));
    let program = caller.program.as_ref().unwrap();
    assert_eq!((program.owner.as_ref(), &program.scopes[..]), (Some(&ada), &ProgramScope::ALL[..]));
    assert!(matches!(programs.make_bot(&ada, "Another".parse().unwrap()).await, Err(ProgramRefused::Full(1))));
    assert_eq!(programs.bots_of(&ada).await.unwrap(), std::slice::from_ref(&bot));
    assert!(matches!(programs.bot_of(&eve, &bot.id).await, Err(ProgramRefused::NoSuchBot)));
    let renamed = programs.rename_bot(&ada, &bot.id, &"Deep".parse().unwrap()).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.kind), ("Deep", PlayerKind::Bot));
    programs.forget_bot(&ada, &bot.id).await.unwrap();
    assert!(programs.bots_of(&ada).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_account_that_another_request_is_making_stays_on_the_list() {
    let world = world();
    let (programs, players) = instance(&world);
    let ada = guest(&players).await;
    let owner = ItemOwner::Player(ada.clone());
    let since = StoredSince::encode(world.ambient.now()).unwrap();
    let making = PlayerId::generate(&world.ambient);
    world.store.replace_item(&owner, ItemKind::Bot, making.as_str(), None, Some(since), 1).await.unwrap();
    let refused = programs.make_bot(&ada, "Engine".parse().unwrap()).await;
    assert!(matches!(refused, Err(ProgramRefused::Full(1))));
    assert_eq!(players.bot_ids(&ada).await.unwrap(), [making]);
    // Whoever was making it has died.
    world.clock.advance_seconds(601);
    let (bot, _) = programs.make_bot(&ada, "Engine".parse().unwrap()).await.unwrap();
    assert_eq!(players.bot_ids(&ada).await.unwrap(), [bot.id]);
}

#[tokio::test]
async fn the_store_and_debug_output_hold_no_secret() {
    let world = world();
    let (programs, players) = instance(&world);
    let ada = guest(&players).await;
    let made = programs.make(&ada, terms(60)).await.unwrap();
    let text = made.token.expose();
    let secret = text.split_at(text.len() - 43).1;
    let stored = world.store.items(&ItemOwner::Player(ada), ItemKind::Token).await.unwrap();
    assert!(!format!("{made:?}").contains(secret));
    assert!(stored.iter().all(|(_, stored)| !String::from_utf8_lossy(stored).contains(secret)));
}
