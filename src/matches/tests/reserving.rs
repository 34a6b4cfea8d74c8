//! Seats that are kept for players, and players who are sent away.

use super::*;
use crate::schedule::Looked;
use crate::summary::Waiting;

/// A match of two in which seat 1 is kept for `player`.
fn kept_for(player: &Seated) -> NewMatch {
    let reserved = vec![ReservedSeat { seat: seat(1), player: player.clone() }];
    NewMatch { table: TableTerms { reserved, ..TableTerms::default() }, ..short() }
}

fn on(number: u8) -> Joining {
    Joining { seat: Seat::new(number), ..Joining::default() }
}

async fn told(world: &World, id: &MatchId) -> Vec<String> {
    kinds(&world.matches.events(&Reader::default(), id, None, 100).await.unwrap().items)
}

#[tokio::test]
async fn a_kept_seat_is_for_one_player() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let id = world.made(&ann, kept_for(&ben)).await;
    assert_eq!(told(&world, &id).await, ["match_created", "player_invited", "player_joined"]);
    refused!(world.matches.join(cora.clone(), &id, on(1), None).await, Refused::Seat(SeatRefused::SeatReserved));
    refused!(
        world.matches.join(cora.clone(), &id, Joining::default(), None).await,
        Refused::Seat(SeatRefused::SeatReserved)
    );
    refused!(world.matches.decline(&by(&cora), &id, None).await, Refused::Forbidden(Forbidden::NotInvited));
    let joined = world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap().viewed;
    assert_eq!((joined.seat(), joined.live.stored.stage), (Some(seat(1)), Stage::Playing));
    assert!(joined.live.stored.seats.iter().all(|seat| seat.reserved.is_none()));
    // It is in the record, of which releases before read nothing.
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let record = world.export(&id).await.unwrap();
    assert_eq!((record.format.as_str(), record.reserved.len()), ("sarsen/record/2", 1));
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
    let mut other = record.clone();
    other.reserved.clear();
    other.format = "sarsen/record/1".to_owned();
    assert!(matches!(
        verify(&Games::standard(GameSettings::default()), &other),
        Err(Discrepancy::Events { step: 1, .. })
    ));
}

#[tokio::test]
async fn whoever_is_invited_sees_a_private_match_until_they_decline() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let id = world.made(&ann, NewMatch { visibility: Some(Visibility::Private), ..kept_for(&ben) }).await;
    let seen = world.read(&ben, &id).await;
    assert!(seen.seat().is_none() && !seen.insider, "without the invite code");
    refused!(world.matches.read(&by(&cora), &id).await, Refused::Read(ReadRefused::MatchNotFound));
    let inbox = world.matches.my_events(&ben.id, NoticeCursor::default(), 10).await.unwrap();
    assert_eq!(kinds(&inbox.items[0].events)[1], "player_invited");
    assert_eq!(world.matches.waiting_for(&ben.id).await.unwrap(), Waiting { invites: 1, ..Waiting::default() });
    assert_eq!(world.matches.waiting_for(&ann.id).await.unwrap(), Waiting { open: 1, ..Waiting::default() });
    let invited = MatchFilter { player: Some(ben.id.clone()), invited: true, ..MatchFilter::default() };
    assert_eq!(world.matches.list(&by(&ben), &invited).await.unwrap().items.len(), 1);

    let declined = world.matches.decline(&by(&ben), &id, None).await.unwrap().viewed;
    assert_eq!(declined.live.stored.stage, Stage::Open, "others may come");
    refused!(world.matches.read(&by(&ben), &id).await, Refused::Read(ReadRefused::MatchNotFound));
    assert_eq!(world.matches.list(&by(&ben), &invited).await.unwrap().items.len(), 0);
    assert_eq!(world.matches.waiting_for(&ben.id).await.unwrap(), Waiting::default());
    // As it was, and as it is, also for an instance that has seen nothing of it.
    let present = world.read(&ann, &id).await;
    let first = world.another().history(&by(&ann), present, 1, false).await.unwrap();
    assert_eq!(first.live.stored.seats[1].reserved.as_ref(), Some(&ben));
}

#[tokio::test]
async fn strangers_are_shown_open_matches_with_a_seat_for_them() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let kept = world.made(&ann, kept_for(&ben)).await;
    let manual = world.made(&ann, NewMatch { start: StartMode::Manual, ..short() }).await;
    let listed = async |reader: &Reader| {
        let mut ids = Vec::new();
        for filter in [MatchFilter { stage: Some(Stage::Open), ..MatchFilter::default() }, MatchFilter::default()] {
            let page = world.matches.list(reader, &filter).await.unwrap();
            ids.push(page.items.iter().map(|viewed| viewed.live.stored.id.clone()).collect::<BTreeSet<_>>());
        }
        assert_eq!(ids[0], ids[1]);
        ids.remove(0)
    };
    let both = BTreeSet::from([kept.clone(), manual.clone()]);
    assert_eq!(listed(&by(&cora)).await, BTreeSet::from([manual.clone()]));
    assert_eq!(listed(&by(&ben)).await, both);
    world.matches.join(cora.clone(), &manual, Joining::default(), None).await.unwrap();
    assert_eq!(listed(&Reader::default()).await, BTreeSet::new());
    assert_eq!((listed(&by(&ann)).await, listed(&by(&cora)).await), (both, BTreeSet::from([manual.clone()])));
    world.matches.decline(&by(&ben), &kept, None).await.unwrap();
    assert_eq!(listed(&Reader::default()).await, BTreeSet::from([kept]));
    world.matches.start(&by(&ann), &manual, None).await.unwrap();
    let page = world.matches.list(&Reader::default(), &MatchFilter::default()).await.unwrap();
    assert_eq!(page.items.len(), 2, "what is played can be watched");
}

#[tokio::test]
async fn nobody_is_expected_twice() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let table = |reserved: &[(u8, &Seated)]| {
        let kept = |(number, player): &(u8, &Seated)| ReservedSeat { seat: seat(*number), player: (*player).clone() };
        let table = TableTerms { reserved: reserved.iter().map(kept).collect(), ..TableTerms::default() };
        NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(3), table, ..contiguity() }
    };
    let create = async |new: NewMatch| world.matches.create(ann.clone(), Ok(new), None).await;
    let twice = create(table(&[(1, &ben), (2, &ben)])).await;
    refused!(twice, Refused::Create(CreateRefused::InvitedTwice(_)));
    refused!(create(table(&[(1, &ann)])).await, Refused::Create(CreateRefused::InvitedTwice(_)));
    refused!(create(table(&[(0, &ben)])).await, Refused::Create(CreateRefused::SeatedTwice(_)));
    refused!(create(table(&[(1, &ben), (1, &cora)])).await, Refused::Create(CreateRefused::SeatedTwice(_)));
    refused!(create(table(&[(3, &ben)])).await, Refused::Seat(SeatRefused::NoSuchSeat));
    let made = create(table(&[(2, &cora), (1, &ben)])).await.unwrap().viewed;
    // Whoever takes another seat leaves the kept one to others.
    let id = made.live.stored.id.clone();
    world.matches.decline(&by(&ben), &id, None).await.unwrap();
    let moved = world.matches.join(cora.clone(), &id, on(1), None).await.unwrap().viewed;
    assert_eq!(moved.live.place_for(&ben.id), Some(seat(2)));
}

#[tokio::test]
async fn whoever_was_sent_away_does_not_come_back() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let id = world.made(&ann, NewMatch { start: StartMode::Manual, ..short() }).await;
    world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();
    let send = async |caller: &Seated, number| world.matches.send_away(&by(caller), &id, seat(number)).await;
    refused!(send(&ben, 0).await, Refused::Forbidden(Forbidden::NotCreator));
    refused!(send(&ann, 0).await, Refused::Forbidden(Forbidden::NotSentAway));
    refused!(send(&ann, 2).await, Refused::Seat(SeatRefused::NoSuchSeat));
    send(&ann, 1).await.unwrap();
    let same = send(&ann, 1).await.unwrap().viewed;
    assert_eq!(same.live.stored.version, 3, "a free seat stays as it is");
    let inbox = world.matches.my_events(&ben.id, NoticeCursor::default(), 10).await.unwrap();
    assert_eq!(kinds(&inbox.items.last().unwrap().events), ["player_removed"]);
    let unread = || Joining { unread: Some(Unread::new(std::fmt::Error)), ..Joining::default() };
    refused!(world.matches.join(ben.clone(), &id, unread(), None).await, Refused::Forbidden(Forbidden::SentAway));
    refused!(world.matches.join(cora.clone(), &id, unread(), None).await, Refused::Unread(_));
    let joins = async |player: &Seated| world.matches.join(player.clone(), &id, Joining::default(), None).await;
    refused!(joins(&ben).await, Refused::Forbidden(Forbidden::SentAway));
    // Unless a seat is kept for them since; and whom the seat was kept for before is not barred for good either.
    let keep =
        async |number, player: &Seated| world.matches.keep_seat(&by(&ann), &id, seat(number), Ok(player.clone())).await;
    refused!(
        world.matches.keep_seat(&by(&ben), &id, seat(1), Err(Unread::new(std::fmt::Error))).await,
        Refused::Forbidden(Forbidden::NotCreator)
    );
    refused!(keep(0, &ben).await, Refused::Seat(SeatRefused::SeatTaken));
    refused!(keep(2, &ben).await, Refused::Seat(SeatRefused::NoSuchSeat));
    refused!(keep(1, &ann).await, Refused::Seat(SeatRefused::AlreadySeated));
    let kept = keep(1, &ben).await.unwrap().viewed.live;
    assert_eq!(keep(1, &ben).await.unwrap().viewed.live.stored.version, kept.stored.version);
    refused!(keep(1, &cora).await, Refused::Seat(SeatRefused::SeatReserved));
    refused!(joins(&cora).await, Refused::Seat(SeatRefused::SeatReserved));
    assert_eq!(world.matches.waiting_for(&ben.id).await.unwrap().invites, 1);
    send(&ann, 1).await.unwrap();
    refused!(joins(&ben).await, Refused::Forbidden(Forbidden::SentAway));
    keep(1, &ben).await.unwrap();
    joins(&ben).await.unwrap();
    send(&ann, 1).await.unwrap();
    joins(&cora).await.unwrap();
    world.matches.start(&by(&ann), &id, None).await.unwrap();
    refused!(send(&ann, 1).await, Refused::Seat(SeatRefused::NotOpen));
    refused!(keep(1, &ben).await, Refused::Seat(SeatRefused::NotOpen));
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let record = world.export(&id).await.unwrap();
    assert_eq!(record.format, "sarsen/record/2");
    assert!(record.steps.iter().any(|step| step.action == ExportAction::Kick));
    assert!(record.steps.iter().any(|step| step.action == ExportAction::Reserve && step.player.is_some()));
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
}

#[tokio::test]
async fn who_leaves_for_good_is_expected_nowhere() {
    let world = World::new();
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    let id = world.made(&ann, kept_for(&ben)).await;
    assert_eq!(world.matches.ids_of(&ben.id, None).await.unwrap(), std::slice::from_ref(&id));
    assert!(world.matches.see_off(&ben.id, &id).await.unwrap());
    assert!(!world.matches.see_off(&ben.id, &id).await.unwrap());
    assert_eq!(world.read(&ann, &id).await.live.place_for(&ben.id), Some(seat(1)), "anybody's");
}

#[tokio::test]
async fn kept_seats_are_free_once_their_time_is_over() {
    let world = World::new();
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let new = kept_for(&ben);
    let table = TableTerms { reserved_seconds: Some(600), ..new.table.clone() };
    let id = world.made(&ann, NewMatch { table, ..new }).await;
    world.clock.advance_seconds(599);
    let due = Timestamp(1_800_000_000_000).plus_seconds(600);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Waits(Some(due)));
    world.clock.advance_seconds(1);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    assert_eq!(told(&world, &id).await.last().unwrap(), "invitation_declined");
    world.matches.join(cora, &id, on(1), None).await.unwrap();
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
}

#[tokio::test]
async fn without_spectators_a_match_is_seen_by_its_players_while_it_is_played() {
    let world = World::new();
    let table = TableTerms { no_spectators: true, ..TableTerms::default() };
    let [ann, ben, cora] = ["Ann", "Ben", "Cora"].map(|name| world.person(name));
    let id = world.made(&ann, NewMatch { table, ..short() }).await;
    let listed = async || world.matches.list(&by(&cora), &MatchFilter::default()).await.unwrap().items.len();
    world.read(&cora, &id).await;
    assert_eq!(listed().await, 1, "whoever wants to join finds it");
    world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();
    for reader in [by(&cora), Reader::default()] {
        refused!(world.matches.read(&reader, &id).await, Refused::Read(ReadRefused::MatchNotFound));
        refused!(world.another().read(&reader, &id).await, Refused::Read(ReadRefused::MatchNotFound));
    }
    assert_eq!(listed().await, 0);
    world.matches.resign(&by(&ben), &id, None).await.unwrap();
    world.read(&cora, &id).await;
    assert_eq!(listed().await, 1);
}

/// Issue 31.29: nobody's second table stands before another's first.
#[tokio::test]
async fn in_the_lobby_the_first_table_of_each_comes_before_anybodys_second() {
    let world = World::new();
    let (ann, ben) = (world.person("Ann"), world.person("Ben"));
    let mut made = Vec::new();
    for creator in [&ben, &ann, &ann, &ann] {
        made.push(world.made(creator, contiguity()).await);
        world.clock.advance_seconds(1);
    }
    let listed = async |stage: Option<Stage>, limit: usize| {
        let (mut filter, mut pages) = (MatchFilter { stage, limit, ..MatchFilter::default() }, Vec::new());
        loop {
            let page = world.matches.list(&Reader::default(), &filter).await.unwrap();
            let place = |id: &MatchId| made.iter().position(|made| made == id).unwrap();
            pages.push(page.items.iter().map(|viewed| place(&viewed.live.stored.id)).collect::<Vec<_>>());
            filter.before = page.next;
            if filter.before.is_none() {
                return pages;
            }
        }
    };
    assert_eq!(listed(Some(Stage::Open), 20).await, [[3, 0, 2, 1]]);
    assert_eq!(listed(Some(Stage::Open), 3).await, [vec![3, 2, 1], vec![0]], "the cursor is that of the newest first");
    assert_eq!(listed(None, 20).await, [[3, 2, 1, 0]]);
}
