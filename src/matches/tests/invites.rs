//! Invites by code.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::one_trip::Counting;
use super::relay::{Choose, Relay};
use super::*;
use crate::invites::NewInvite;
use crate::model::invite::INVITES_MAX;
use sarsen_store::{self as store, StoreError};

fn any(uses: u8) -> Result<NewInvite, Unread> {
    Ok(NewInvite { seat: None, substitutes: false, uses, seconds: 60 })
}

fn private(seats: u8) -> NewMatch {
    let seats = SeatCount::new(seats);
    NewMatch { game: "absolution".to_owned(), seats, visibility: Some(Visibility::Private), ..contiguity() }
}

#[tokio::test]
async fn an_invite_is_good_so_often_and_so_long() {
    let world = World::new();
    let [ann, ben, cora, dan] = ["Ann", "Ben", "Cora", "Dan"].map(|name| world.person(name));
    let id = world.made(&ann, private(4)).await;
    let made = world.matches.make_invite(&by(&ann), &id, any(1)).await.unwrap();
    let stored = String::from_utf8(world.store.load_match(&id, None).await.unwrap().unwrap().stored).unwrap();
    assert!(!stored.contains(&made.code), "only its hash is stored");
    let seen = world.matches.invitation(&made.code).await.unwrap();
    assert_eq!((seen.viewed.seat(), seen.viewed.insider, seen.until), (None, false, Some(made.until)));
    let join =
        async |player: &Seated, code: &str| world.matches.join_by_invite(player.clone(), code, None, None, None).await;
    let joined = join(&ben, &made.code).await.unwrap().viewed;
    assert_eq!(joined.seat(), Some(seat(1)));
    assert_eq!(join(&ben, &made.code).await.unwrap().viewed.live.stored.version, joined.live.stored.version);
    // Used up, unknown, expired: all alike.
    refused!(join(&cora, &made.code).await, Refused::Read(ReadRefused::WrongInvite));
    refused!(world.matches.invitation(&made.code).await, Refused::Read(ReadRefused::WrongInvite));
    refused!(join(&cora, "000000000000").await, Refused::Read(ReadRefused::WrongInvite));
    let two = world.matches.make_invite(&by(&ben), &id, any(2)).await.unwrap();
    world.clock.advance_seconds(59);
    join(&cora, &two.code).await.unwrap();
    world.clock.advance_seconds(1);
    refused!(join(&dan, &two.code).await, Refused::Read(ReadRefused::WrongInvite));
    // And so is one to a match that has begun.
    let last = world.matches.make_invite(&by(&ann), &id, any(2)).await.unwrap();
    join(&dan, &last.code).await.unwrap();
    let eve = world.person("Eve");
    refused!(join(&eve, &last.code).await, Refused::Read(ReadRefused::WrongInvite));
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let viewed = world.read(&ann, &id).await;
    let (record, _) = world.matches.export(viewed).await.unwrap();
    assert_eq!(record.format, "sarsen/record/2");
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
    let text = serde_json::to_string(&record).unwrap();
    assert!([&made.code, &two.code, &last.code].iter().all(|code| !text.contains(*code)));
}

#[tokio::test]
async fn an_invite_is_told_as_it_is_kept_and_wrong_once_its_match_is_gone() {
    let world = World::new();
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    let id = world.made(&ann, private(2)).await;
    // No step is before the one before it, whatever the clock of an instance says.
    world.clock.advance_millis(-5_000);
    let made = world.matches.make_invite(&by(&ann), &id, any(1)).await.unwrap();
    assert_eq!(world.matches.invitation(&made.code).await.unwrap().until, Some(made.until));
    let without_games = world.instance(Games::of(Vec::new()));
    let unread = without_games.join_by_invite(ben.clone(), &made.code, None, None, None).await;
    refused!(unread, Refused::Read(ReadRefused::WrongInvite));
    world.matches.delete(&id).await.unwrap();
    let gone = world.matches.join_by_invite(ben, &made.code, None, None, None).await;
    refused!(gone, Refused::Read(ReadRefused::WrongInvite));
}

#[tokio::test]
async fn an_invite_may_be_for_one_seat() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let reserved = vec![ReservedSeat { seat: seat(1), player: ben.clone() }];
    let table = TableTerms { reserved, ..TableTerms::default() };
    let id = world.made(&ann, NewMatch { table, ..private(3) }).await;
    let invite = async |caller: &Seated, number: u8| {
        let asked = NewInvite { seat: Seat::new(number), substitutes: false, uses: 1, seconds: 60 };
        world.matches.make_invite(&by(caller), &id, Ok(asked)).await
    };
    refused!(invite(&ben, 2).await, Refused::Forbidden(Forbidden::NotSeated));
    refused!(invite(&cora, 2).await, Refused::Read(ReadRefused::MatchNotFound));
    refused!(invite(&ann, 0).await, Refused::Seat(SeatRefused::SeatTaken));
    refused!(invite(&ann, 1).await, Refused::Seat(SeatRefused::SeatReserved));
    refused!(invite(&ann, 3).await, Refused::Seat(SeatRefused::NoSuchSeat));
    let made = invite(&ann, 2).await.unwrap();
    let joined = world.matches.join_by_invite(cora, &made.code, None, None, None).await.unwrap().viewed;
    assert_eq!(joined.seat(), Some(seat(2)));
    world.matches.join(ben, &id, Joining::default(), None).await.unwrap();
    refused!(invite(&ann, 2).await, Refused::Seat(SeatRefused::NotOpen));
}

#[tokio::test]
async fn a_match_has_so_many_invites_that_are_good() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.made(&ann, private(2)).await;
    for _ in 0..INVITES_MAX {
        world.matches.make_invite(&by(&ann), &id, any(1)).await.unwrap();
    }
    refused!(world.matches.make_invite(&by(&ann), &id, any(1)).await, Refused::Seat(SeatRefused::TooManyChanges));
    world.clock.advance_seconds(60);
    world.matches.make_invite(&by(&ann), &id, any(1)).await.unwrap();
}

#[tokio::test]
async fn of_two_who_come_with_the_last_use_one_sits_down() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let id = world.made(&ann, private(4)).await;
    let code = world.matches.make_invite(&by(&ann), &id, any(1)).await.unwrap().code;
    let other = world.another();
    let (one, two) = tokio::join!(
        world.matches.join_by_invite(ben, &code, None, None, None),
        other.join_by_invite(cora, &code, None, None, None)
    );
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|sat| **sat).count(), 1);
}

#[tokio::test]
async fn a_substitute_takes_the_seat_with_all_that_it_sees() {
    let world = World::new();
    let [ann, ben, cora, dan] = ["Ann", "Ben", "Cora", "Dan"].map(|name| world.person(name));
    let id = world.made(&ann, private(2)).await;
    let offer = |number: Option<u8>| {
        Ok(NewInvite { seat: number.and_then(Seat::new), substitutes: true, uses: 1, seconds: 600 })
    };
    let make = async |caller: &Seated, number| world.matches.make_invite(&by(caller), &id, offer(number)).await;
    refused!(make(&ann, None).await, Refused::OutOfPlay(OutOfPlay::NotStarted));
    let invite = world.matches.make_invite(&by(&ann), &id, any(1)).await.unwrap();
    world.matches.join_by_invite(ben.clone(), &invite.code, Some(entropy("oak")), None, None).await.unwrap();
    let seen = |viewed: &ViewedMatch| viewed.live.view(viewed.viewer).unwrap().unwrap().to_string();
    let before = world.read(&ben, &id).await;

    refused!(make(&ben, Some(0)).await, Refused::Forbidden(Forbidden::NotOffered));
    refused!(make(&ann, Some(1)).await, Refused::Forbidden(Forbidden::NotOffered));
    let first = make(&ben, None).await.unwrap();
    let second = make(&ben, Some(1)).await.unwrap();
    let join =
        async |player: &Seated, code: &str| world.matches.join_by_invite(player.clone(), code, None, None, None).await;
    refused!(join(&cora, &first.code).await, Refused::Read(ReadRefused::WrongInvite));
    let taken = join(&cora, &second.code).await.unwrap().viewed;
    assert_eq!((taken.seat(), seen(&taken)), (Some(seat(1)), seen(&before)));
    refused!(join(&dan, &second.code).await, Refused::Read(ReadRefused::WrongInvite));
    refused!(world.matches.read(&by(&ben), &id).await, Refused::Read(ReadRefused::MatchNotFound));
    assert!(world.matches.ids_of(&ben.id, None).await.unwrap().is_empty());
    assert_eq!(world.matches.ids_of(&cora.id, None).await.unwrap(), std::slice::from_ref(&id));
    let told = world.matches.my_events(&ann.id, NoticeCursor::default(), 100).await.unwrap();
    assert_eq!(kinds(&told.items.last().unwrap().events), ["player_substituted"]);
    // Having seen one hand, nobody plays another against it.
    let other = make(&ann, None).await.unwrap();
    refused!(join(&ben, &other.code).await, Refused::Forbidden(Forbidden::SentAway));

    world.matches.resign(&by(&cora), &id, None).await.unwrap();
    let viewed = world.read(&ann, &id).await;
    let (record, _) = world.matches.export(viewed).await.unwrap();
    assert!(record.steps.iter().any(|step| step.action == ExportAction::Substitute));
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
}

#[tokio::test]
async fn a_substitute_finds_a_match_that_nobody_watches_and_the_one_before_knows_no_more_of_it() {
    let world = World::new();
    let cora = world.person("Cora");
    let table = TableTerms { no_spectators: true, ..TableTerms::default() };
    let absolution = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let (id, [_, ben]) = world.started(NewMatch { table, ..absolution.clone() }).await;
    let offer = || Ok(NewInvite { seat: None, substitutes: true, uses: 1, seconds: 600 });
    let made = world.matches.make_invite(&by(&ben), &id, offer()).await.unwrap();
    world.matches.join_by_invite(cora.clone(), &made.code, None, None, None).await.unwrap();
    refused!(world.matches.read(&by(&ben), &id).await, Refused::Read(ReadRefused::MatchNotFound));

    // Where everybody may watch, an earlier version is shown to the player before as to a stranger.
    let (id, [ann, ben]) = world.started(absolution).await;
    let made = world.matches.make_invite(&by(&ben), &id, offer()).await.unwrap();
    world.matches.join_by_invite(cora.clone(), &made.code, None, None, None).await.unwrap();
    let viewer = async |reader: &Reader| {
        let viewed = world.matches.read(reader, &id).await.unwrap();
        world.matches.history(reader, viewed, 2, false).await.unwrap().viewer
    };
    assert_eq!(viewer(&by(&ben)).await, Viewer::Spectator);
    assert_eq!(viewer(&by(&ann)).await, Viewer::Seat(seat(0)));
    assert_eq!(viewer(&by(&cora)).await, Viewer::Seat(seat(1)));
}

/// An instance that stops between keeping a code and telling its match of it.
#[tokio::test]
async fn an_invite_that_was_half_made_stands_in_nobodys_way() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let id = world.made(&ann, private(2)).await;
    let store = Counting::of(&world);
    let stops = world.instance_on(store.clone());
    store.stop(true);
    // As often as there can be good invites, and once more.
    for _ in 0..=INVITES_MAX {
        refused!(stops.make_invite(&by(&ann), &id, any(1)).await, Refused::Store(_));
    }
    let stored = async || world.read(&ann, &id).await.live.stored.clone();
    assert_eq!((stored().await.version, stored().await.invites), (1, Vec::new()), "the match knows nothing of it");
    let made = world.matches.make_invite(&by(&ann), &id, any(1)).await.unwrap();
    world.matches.join_by_invite(ben.clone(), &made.code, None, None, None).await.unwrap();

    // Nor is an offer ended in whose place another was to come.
    let offer = || Ok(NewInvite { seat: None, substitutes: true, uses: 1, seconds: 600 });
    let first = world.matches.make_invite(&by(&ben), &id, offer()).await.unwrap();
    refused!(stops.make_invite(&by(&ben), &id, offer()).await, Refused::Store(_));
    world.matches.join_by_invite(cora, &first.code, None, None, None).await.unwrap();
}

/// Codes cannot be kept: the match is told of none.
#[tokio::test]
async fn an_invite_whose_code_cannot_be_kept_is_not_made() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.made(&ann, private(2)).await;
    let codes = Arc::new(Relay(Codes { store: world.store.clone(), kept: AtomicUsize::default(), away: true.into() }));
    let matches = world.instance_on(codes.clone());
    refused!(matches.make_invite(&by(&ann), &id, any(1)).await, Refused::Store(_));
    assert_eq!(world.read(&ann, &id).await.live.stored.version, 1);
    codes.away.store(false, Ordering::SeqCst);
    // And none is kept for whoever may make no invite.
    let eve = world.person("Eve");
    refused!(matches.make_invite(&by(&eve), &id, any(1)).await, Refused::Read(ReadRefused::MatchNotFound));
    let taken = NewInvite { seat: Seat::new(0), substitutes: false, uses: 1, seconds: 60 };
    refused!(matches.make_invite(&by(&ann), &id, Ok(taken)).await, Refused::Seat(SeatRefused::SeatTaken));
    assert_eq!(codes.kept.load(Ordering::SeqCst), 0);
    matches.make_invite(&by(&ann), &id, any(1)).await.unwrap();
    assert_eq!(codes.kept.load(Ordering::SeqCst), 1);
}

/// Codes in a store, counted, that may be away.
struct Codes {
    store: Arc<dyn Store>,
    kept: AtomicUsize,
    away: AtomicBool,
}

impl Choose for Codes {
    fn choose(&self, operation: &str) -> store::Result<Arc<dyn Store>> {
        if operation == "put_ticket" {
            if self.away.load(Ordering::SeqCst) {
                return Err(StoreError::Unavailable("it is away".into()));
            }
            self.kept.fetch_add(1, Ordering::SeqCst);
        }
        Ok(Arc::clone(&self.store))
    }
}
