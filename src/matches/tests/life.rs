//! Seats, endings, draws, and what comes before the start.

use super::*;

#[tokio::test]
async fn an_open_match_does_not_change_for_ever() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.matches.create(ann.clone(), contiguity()).await.unwrap().live.stored.id.clone();
    let by_ann = Reader::player(ann.id);
    let entropy = SeatEntropy::try_from("again".to_owned()).unwrap();
    let mut given = 0;
    while world.matches.give_entropy(&by_ann, &id, Ok(entropy.clone())).await.is_ok() {
        given += 1;
        assert!(given < 1000);
    }
    let refused = refusal(world.matches.give_entropy(&by_ann, &id, Ok(entropy.clone())).await);
    assert!(matches!(refused, Refused::TooManyChanges));
    assert_eq!(world.matches.abort(&by_ann, &id).await.unwrap().live.stored.stage, Stage::Aborted);
}

#[tokio::test]
async fn co_17_who_resigns_loses_and_the_opponent_wins() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let viewed = world.matches.resign(&Reader::player(players[0].id.clone()), &id).await.unwrap();
    assert_eq!(summary(outcome(&viewed)), ("resignation".to_owned(), vec![(2, Verdict::Lost), (1, Verdict::Won)]));
    let again = world.matches.resign(&Reader::player(players[1].id.clone()), &id).await;
    assert!(matches!(refusal(again), Refused::MatchOver(3)));
    let record = world.export(&id).await.unwrap();
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
}

#[tokio::test]
async fn an_absent_seat_is_claimed_against_only_when_its_time_has_passed() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, _) = world.turn(&id, &players).await;
    let other = players.iter().find(|seated| **seated != player).unwrap();
    let (absent, present) = (Reader::player(player.id.clone()), Reader::player(other.id.clone()));
    let their_seat = Seat::new(1 - decision.seat.number()).unwrap();
    world.clock.advance_seconds(59);
    let early = refusal(world.matches.claim(&present, &id, Ok(decision.seat)).await);
    assert!(matches!(early, Refused::ClaimTooEarly { retry_after_seconds: Some(1) }), "{early:?}");
    world.clock.advance_seconds(1);
    assert!(matches!(refusal(world.matches.claim(&absent, &id, Ok(decision.seat)).await), Refused::OwnSeat));
    assert!(matches!(refusal(world.matches.claim(&absent, &id, Ok(their_seat)).await), Refused::NotToAct));
    let stranger = Reader::player(world.person("Cora").id);
    assert!(matches!(refusal(world.matches.claim(&stranger, &id, Ok(decision.seat)).await), Refused::NotSeated));
    let viewed = world.matches.claim(&present, &id, Ok(decision.seat)).await.unwrap();
    assert_eq!(summary(outcome(&viewed)).0, "abandoned");
    assert_eq!(outcome(&viewed).standings[decision.seat.index()].verdict, Verdict::Lost);
}

#[tokio::test]
async fn a_draw_is_offered_declined_lapsed_and_agreed() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let [ann, ben] = [0, 1].map(|index: usize| Reader::player(players[index].id.clone()));
    assert!(matches!(refusal(world.matches.accept_draw(&ben, &id).await), Refused::NoDrawOffer));
    world.matches.offer_draw(&ann, &id).await.unwrap();
    assert!(matches!(refusal(world.matches.accept_draw(&ann, &id).await), Refused::NoDrawOffer));
    assert!(matches!(refusal(world.matches.offer_draw(&ben, &id).await), Refused::DrawOnOffer));
    world.matches.decline_draw(&ben, &id).await.unwrap();
    assert!(matches!(refusal(world.matches.accept_draw(&ben, &id).await), Refused::NoDrawOffer));
    // One offer for each move of one's own.
    assert!(matches!(refusal(world.matches.offer_draw(&ann, &id).await), Refused::DrawOnOffer));
    world.play_on(&id, &players, 2).await;

    // An offer outlives the offerer's own move and lapses with the other's.
    world.matches.offer_draw(&ann, &id).await.unwrap();
    world.play_on(&id, &players, 2).await;
    assert!(matches!(refusal(world.matches.accept_draw(&ben, &id).await), Refused::NoDrawOffer));

    world.matches.offer_draw(&ben, &id).await.unwrap();
    let viewed = world.matches.accept_draw(&ann, &id).await.unwrap();
    assert_eq!(summary(outcome(&viewed)), ("draw_agreed".to_owned(), vec![(1, Verdict::Drawn); 2]));
}

#[tokio::test]
async fn draw_offers_leave_decisions_open() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.matches.offer_draw(&Reader::player(players[0].id.clone()), &id).await.unwrap();
    let moved = world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(moved.viewed.live.stored.version, 4);
}

#[tokio::test]
async fn before_the_start_seats_are_taken_and_left_and_the_creator_decides() {
    let world = World::new();
    let (ann, ben) = (world.person("Ann"), world.person("Ben"));
    let new = NewMatch { start: StartMode::Manual, seat: None, ..contiguity() };
    let viewed = world.matches.create(ann.clone(), new).await.unwrap();
    let id = viewed.live.stored.id.clone();
    assert!(viewed.seat().is_none() && viewed.insider);
    let (by_ann, by_ben) = (Reader::player(ann.id.clone()), Reader::player(ben.id.clone()));
    assert!(matches!(refusal(world.matches.start(&by_ann, &id).await), Refused::SeatsOpen));
    let high = Joining { seat: Seat::new(1), ..Joining::default() };
    world.matches.join(ben.clone(), &id, high.clone()).await.unwrap();
    // Joining again is no second seat, and no second version.
    assert_eq!(world.matches.join(ben.clone(), &id, high).await.unwrap().live.stored.version, 2);
    let elsewhere = Joining { seat: Seat::new(0), ..Joining::default() };
    assert!(matches!(refusal(world.matches.join(ben.clone(), &id, elsewhere).await), Refused::AlreadySeated));
    let missing = Joining { seat: Seat::new(2), ..Joining::default() };
    assert!(matches!(refusal(world.matches.join(ann.clone(), &id, missing).await), Refused::NoSuchSeat));
    let taken = Joining { seat: Seat::new(1), ..Joining::default() };
    assert!(matches!(refusal(world.matches.join(ann.clone(), &id, taken).await), Refused::SeatTaken));
    world.matches.leave(&by_ben, &id).await.unwrap();
    assert!(matches!(refusal(world.matches.leave(&by_ben, &id).await), Refused::NotSeated));
    world.matches.join(ann, &id, Joining::default()).await.unwrap();
    world.matches.join(ben, &id, Joining::default()).await.unwrap();
    let full = refusal(world.matches.join(world.person("Cora"), &id, Joining::default()).await);
    assert!(matches!(full, Refused::MatchFull));
    let entropy = SeatEntropy::try_from("thorn".to_owned()).unwrap();
    world.matches.give_entropy(&by_ben, &id, Ok(entropy.clone())).await.unwrap();
    assert!(matches!(refusal(world.matches.start(&by_ben, &id).await), Refused::NotCreator));
    assert_eq!(world.matches.start(&by_ann, &id).await.unwrap().live.stored.stage, Stage::Playing);
    assert!(matches!(refusal(world.matches.start(&by_ann, &id).await), Refused::NotOpen));
    assert!(matches!(refusal(world.matches.give_entropy(&by_ben, &id, Ok(entropy.clone())).await), Refused::NotOpen));
    assert!(matches!(refusal(world.matches.abort(&by_ann, &id).await), Refused::NotOpen));
    assert!(matches!(refusal(world.matches.leave(&by_ben, &id).await), Refused::NotOpen));
}

#[tokio::test]
async fn the_creator_calls_an_open_match_off() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.matches.create(ann.clone(), contiguity()).await.unwrap().live.stored.id.clone();
    let stranger = Reader::player(world.person("Ben").id);
    assert!(matches!(refusal(world.matches.abort(&stranger, &id).await), Refused::NotCreator));
    let viewed = world.matches.abort(&Reader::player(ann.id), &id).await.unwrap();
    assert_eq!(viewed.live.stored.stage, Stage::Aborted);
    let late = world.matches.join(world.person("Ben"), &id, Joining::default()).await;
    assert!(matches!(refusal(late), Refused::NotOpen));
}

#[tokio::test]
async fn wrong_settings_are_refused() {
    let world = World::new();
    let refused = async |new: NewMatch| refusal(world.matches.create(world.person("Ann"), new).await);
    let game = NewMatch { game: "chess".to_owned(), ..contiguity() };
    assert!(matches!(refused(game).await, Refused::GameNotFound));
    let seats = NewMatch { seats: SeatCount::new(3), ..contiguity() };
    assert!(matches!(refused(seats).await, Refused::SeatCount { min: 2, max: 2 }));
    let seat = NewMatch { seat: Seat::new(2), ..contiguity() };
    assert!(matches!(refused(seat).await, Refused::NoSuchSeat));
    for options in [json!({"speed": 1}), json!({"jump": "long"}), json!({"turn_limit": 19}), json!([])] {
        let wrong = NewMatch { options: options.clone(), ..contiguity() };
        assert!(matches!(refused(wrong).await, Refused::Options(_)), "{options}");
    }
}
