//! Resigning, and claiming against an absent player.

use super::*;

#[tokio::test]
async fn co_17_who_resigns_loses_and_the_opponent_wins() {
    let world = World::new();
    let (id, [ann, ben]) = world.started(contiguity()).await;
    let viewed = world.matches.resign(&by(&ann), &id, None).await.unwrap().viewed;
    assert_eq!(summary(outcome(&viewed)), ("resignation".to_owned(), vec![(2, Verdict::Lost), (1, Verdict::Won)]));
    refused!(world.matches.resign(&by(&ben), &id, None).await, Refused::OutOfPlay(OutOfPlay::MatchOver(3)));
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
}

#[tokio::test]
async fn an_absent_seat_is_claimed_against_only_when_its_time_has_passed() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (absent, decision, _) = world.turn(&id, &players).await;
    let present = players.iter().find(|seated| **seated != absent).unwrap();
    world.clock.advance_seconds(59);
    refused!(
        world.matches.claim(&by(present), &id, Ok(decision.seat), None).await,
        Refused::Claim(ClaimRefused::TooEarly { retry_after_seconds: Some(1) })
    );
    world.clock.advance_seconds(1);
    let viewed = world.matches.claim(&by(present), &id, Ok(decision.seat), None).await.unwrap().viewed;
    assert_eq!(summary(outcome(&viewed)).0, "abandoned");
    assert_eq!(outcome(&viewed).standings[decision.seat.index()].verdict, Verdict::Lost);
}

#[tokio::test]
async fn a_claim_is_another_seats_against_a_seat_that_is_to_act() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (absent, decision, _) = world.turn(&id, &players).await;
    let present = players.iter().find(|seated| **seated != absent).unwrap();
    let waiting = seat(1 - decision.seat.number());
    world.clock.advance_seconds(60);
    refused!(
        world.matches.claim(&by(&absent), &id, Ok(decision.seat), None).await,
        Refused::Claim(ClaimRefused::OwnSeat)
    );
    refused!(world.matches.claim(&by(&absent), &id, Ok(waiting), None).await, Refused::Claim(ClaimRefused::NotToAct));
    refused!(world.matches.claim(&by(present), &id, Ok(seat(4)), None).await, Refused::Seat(SeatRefused::NoSuchSeat));
    let stranger = world.person("Cora");
    refused!(
        world.matches.claim(&by(&stranger), &id, Ok(decision.seat), None).await,
        Refused::Forbidden(Forbidden::NotSeated)
    );
}

#[tokio::test]
async fn without_a_time_to_move_nobody_can_claim() {
    let world = World::new();
    let (id, players) = world.started(NewMatch { move_time_seconds: None, ..contiguity() }).await;
    let (absent, decision, _) = world.turn(&id, &players).await;
    let present = players.iter().find(|seated| **seated != absent).unwrap();
    world.clock.advance_seconds(1_000_000);
    refused!(
        world.matches.claim(&by(present), &id, Ok(decision.seat), None).await,
        Refused::Claim(ClaimRefused::TooEarly { retry_after_seconds: None })
    );
}
