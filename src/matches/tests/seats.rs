//! Making a match, its seats, and its start.

use super::*;
use crate::invites::NewInvite;
use crate::seats::Vetted;

#[tokio::test]
async fn wrong_settings_are_refused() {
    let world = World::new();
    let create = async |new: NewMatch| world.matches.create(world.person("Ann"), Ok(new), None).await;
    let game = NewMatch { game: "chess".to_owned(), ..contiguity() };
    refused!(create(game).await, Refused::Create(CreateRefused::GameNotFound { .. }));
    let seats = NewMatch { seats: SeatCount::new(3), ..contiguity() };
    refused!(create(seats).await, Refused::Create(CreateRefused::SeatCount { min: 2, max: 2 }));
    let own = NewMatch { seat: Seat::new(2), ..contiguity() };
    refused!(create(own).await, Refused::Seat(SeatRefused::NoSuchSeat));
    for options in [json!({"speed": 1}), json!({"jump": "long"}), json!({"turn_limit": 19}), json!([])] {
        let wrong = NewMatch { options, ..contiguity() };
        refused!(create(wrong).await, Refused::Create(CreateRefused::Options(_)));
    }
}

#[tokio::test]
async fn a_match_starts_when_its_last_seat_is_taken() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let viewed = world.read(&players[1], &id).await;
    assert_eq!((viewed.live.stored.stage, viewed.live.stored.version), (Stage::Playing, 2));
    assert_eq!(viewed.live.to_act().len(), 1);
    let log = world.matches.events(&Reader::default(), &id, None, 100).await.unwrap();
    let told = kinds(&log.items);
    assert_eq!(&told[..5], ["match_created", "player_joined", "player_joined", "entropy_given", "match_started"]);
    assert!(told.len() > 5, "the game tells of its set-up: {told:?}");
    let ids: Vec<String> = log.items.iter().map(|event| event.id.to_string()).collect();
    assert_eq!(&ids[..5], ["1.0", "1.1", "2.0", "2.1", "2.2"]);
}

#[tokio::test]
async fn a_creator_without_a_seat_is_an_insider_and_decides() {
    let world = World::new();
    let ann = world.person("Ann");
    let new = NewMatch { start: StartMode::Manual, seat: None, ..contiguity() };
    let viewed = world.matches.create(ann.clone(), Ok(new), None).await.unwrap().viewed;
    assert!(viewed.seat().is_none() && viewed.insider);
    let id = viewed.live.stored.id.clone();
    refused!(world.matches.start(&by(&ann), &id, None).await, Refused::Seat(SeatRefused::SeatsOpen));
    for name in ["Ben", "Cora"] {
        world.matches.join(world.person(name), &id, Joining::default(), None).await.unwrap();
    }
    assert_eq!(world.matches.start(&by(&ann), &id, None).await.unwrap().viewed.live.stored.stage, Stage::Playing);
}

#[tokio::test]
async fn a_seat_is_taken_once_and_by_one_player() {
    let world = World::new();
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    let id = world.made(&ann, NewMatch { seat: None, ..contiguity() }).await;
    let join = async |player: &Seated, seat: Option<u8>| {
        let joining = Joining { seat: seat.and_then(Seat::new), ..Joining::default() };
        world.matches.join(player.clone(), &id, joining, None).await
    };
    join(&ben, Some(1)).await.unwrap();
    // Joining again is no second seat, and no second version.
    assert_eq!(join(&ben, Some(1)).await.unwrap().viewed.live.stored.version, 2);
    refused!(join(&ben, Some(0)).await, Refused::Seat(SeatRefused::AlreadySeated));
    refused!(join(&ann, Some(2)).await, Refused::Seat(SeatRefused::NoSuchSeat));
    refused!(join(&ann, Some(1)).await, Refused::Seat(SeatRefused::SeatTaken));
    world.matches.leave(&by(&ben), &id, None).await.unwrap();
    refused!(world.matches.leave(&by(&ben), &id, None).await, Refused::Forbidden(Forbidden::NotSeated));
    assert_eq!(join(&ann, Some(1)).await.unwrap().viewed.seat(), Seat::new(1));
    // The lowest free seat, where none is named.
    assert_eq!(join(&ben, None).await.unwrap().viewed.seat(), Seat::new(0));
}

#[tokio::test]
async fn a_full_match_waits_for_its_creator_where_the_start_is_manual() {
    let world = World::new();
    let (id, [ann, ben]) = world.started(NewMatch { start: StartMode::Manual, ..contiguity() }).await;
    assert_eq!(world.read(&ann, &id).await.live.stored.stage, Stage::Open);
    let cora = world.person("Cora");
    refused!(world.matches.join(cora, &id, Joining::default(), None).await, Refused::Seat(SeatRefused::MatchFull));
    world.matches.give_entropy(&by(&ben), &id, Ok(entropy("thorn"))).await.unwrap();
    refused!(world.matches.start(&by(&ben), &id, None).await, Refused::Forbidden(Forbidden::NotCreator));
    assert_eq!(world.matches.start(&by(&ann), &id, None).await.unwrap().viewed.live.stored.stage, Stage::Playing);
}

#[tokio::test]
async fn after_the_start_nothing_of_what_comes_before_it_is_possible() {
    let world = World::new();
    let (id, [ann, ben]) = world.started(contiguity()).await;
    refused!(world.matches.start(&by(&ann), &id, None).await, Refused::Seat(SeatRefused::NotOpen));
    refused!(world.matches.abort(&by(&ann), &id, None).await, Refused::Seat(SeatRefused::NotOpen));
    refused!(world.matches.leave(&by(&ben), &id, None).await, Refused::Seat(SeatRefused::NotOpen));
    refused!(
        world.matches.give_entropy(&by(&ben), &id, Ok(entropy("late"))).await,
        Refused::Seat(SeatRefused::NotOpen)
    );
    refused!(
        world.matches.join(world.person("Cora"), &id, Joining::default(), None).await,
        Refused::Seat(SeatRefused::NotOpen)
    );
}

#[tokio::test]
async fn before_the_start_nothing_of_what_comes_after_it_is_possible() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.made(&ann, contiguity()).await;
    let early = |result: Result<Answered, Refused>| {
        refused!(result, Refused::OutOfPlay(OutOfPlay::NotStarted));
    };
    early(world.matches.resign(&by(&ann), &id, None).await);
    early(world.matches.claim(&by(&ann), &id, Ok(seat(1)), None).await);
    early(world.matches.offer_draw(&by(&ann), &id, None).await);
    early(world.matches.accept_draw(&by(&ann), &id, None).await);
    early(world.matches.decline_draw(&by(&ann), &id, None).await);
    let decision = Some(DecisionId { version: 1, seat: seat(0) });
    refused!(world.play(&ann, &id, decision, "29b-5b", None).await, Refused::OutOfPlay(OutOfPlay::NotStarted));
}

#[tokio::test]
async fn the_creator_calls_an_open_match_off() {
    let world = World::new();
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    let id = world.made(&ann, contiguity()).await;
    refused!(world.matches.abort(&by(&ben), &id, None).await, Refused::Forbidden(Forbidden::NotCreator));
    let viewed = world.matches.abort(&by(&ann), &id, None).await.unwrap().viewed;
    assert_eq!(viewed.live.stored.stage, Stage::Aborted);
    refused!(world.matches.join(ben, &id, Joining::default(), None).await, Refused::Seat(SeatRefused::NotOpen));
}

#[tokio::test]
async fn an_open_match_does_not_change_for_ever() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.made(&ann, contiguity()).await;
    let mut given = 0;
    while world.matches.give_entropy(&by(&ann), &id, Ok(entropy("again"))).await.is_ok() {
        given += 1;
        assert!(given < 1000);
    }
    refused!(
        world.matches.give_entropy(&by(&ann), &id, Ok(entropy("again"))).await,
        Refused::Seat(SeatRefused::TooManyChanges)
    );
    assert_eq!(world.matches.abort(&by(&ann), &id, None).await.unwrap().viewed.live.stored.stage, Stage::Aborted);
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_nobodys_business_but_a_seats() {
    let world = World::new();
    let (id, [ann, _]) = world.started(contiguity()).await;
    let cora = world.person("Cora");
    let unread = || Unread::new(std::fmt::Error);
    refused!(
        world.matches.give_entropy(&by(&cora), &id, Err(unread())).await,
        Refused::Forbidden(Forbidden::NotSeated)
    );
    refused!(world.matches.give_entropy(&by(&ann), &id, Err(unread())).await, Refused::Unread(_));
    refused!(world.matches.claim(&by(&cora), &id, Err(unread()), None).await, Refused::Forbidden(Forbidden::NotSeated));
    refused!(world.matches.claim(&by(&ann), &id, Err(unread()), None).await, Refused::Unread(_));
}

/// Somebody whom a block keeps from the table sits down at the same moment: who was found welcome before is looked at again.
#[tokio::test]
async fn nobody_sits_down_with_somebody_they_were_not_compared_with() {
    let world = World::new();
    let (ann, ben, cora) = (world.person("Ann"), world.person("Ben"), world.person("Cora"));
    let new = NewMatch { seats: SeatCount::new(3), ..NewMatch::of("absolution") };
    let id = world.made(&ann, new).await;
    let invite = NewInvite { seat: None, substitutes: false, uses: 9, seconds: 600 };
    let code = world.matches.make_invite(&by(&ann), &id, Ok(invite)).await.unwrap().code;
    let vetted = |people: &[&Seated]| {
        Some(Vetted { people: people.iter().map(|player| player.id.clone()).collect(), barred: None })
    };
    let alone = vetted(&[&ann]);
    world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();
    let joining = Joining { vetted: alone.clone(), ..Joining::default() };
    refused!(world.matches.join(cora.clone(), &id, joining, None).await, Refused::Seat(SeatRefused::OthersCame));
    refused!(
        world.matches.join_by_invite(cora.clone(), &code, None, alone, None).await,
        Refused::Seat(SeatRefused::OthersCame)
    );
    // Whoever has left since does no harm.
    let joining = Joining { vetted: vetted(&[&ann, &ben, &cora]), ..Joining::default() };
    let joined = world.matches.join(cora.clone(), &id, joining, None).await.unwrap().viewed;
    assert_eq!(joined.seat(), Seat::new(2));
}
