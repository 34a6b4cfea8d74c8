//! Resigning, and claiming against an absent player.

use super::*;
use sarsen_games::bots::Level;

#[tokio::test]
async fn co_17_who_resigns_loses_and_the_opponent_wins() {
    let world = World::new();
    let (id, [ann, ben]) = world.started(contiguity()).await;
    let viewed = world.matches.resign(&by(&ann), &id, None).await.unwrap().viewed;
    assert_eq!(summary(outcome(&viewed)), ("resignation".to_owned(), vec![(2, Verdict::Lost), (1, Verdict::Won)]));
    refused!(world.matches.resign(&by(&ben), &id, None).await, Refused::OutOfPlay(OutOfPlay::MatchOver(3)));
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
}

/// Section 10.2 of Sacrifice Roulette, which Henge's 9.1 shares.
#[tokio::test]
async fn with_more_than_two_seats_a_match_ends_when_only_one_or_only_bots_are_left() {
    let world = super::bots::thinking();
    for game in ["sacrifice_roulette", "henge"] {
        let of = |seats, bots: &[u8]| NewMatch {
            game: game.to_owned(),
            seats: SeatCount::new(seats),
            bots: bots.iter().map(|bot| (seat(*bot), Level::Easy)).collect(),
            ..contiguity()
        };
        // Who is left: two bots; a person and two bots; two persons, and after one more a single one.
        let ann = world.person("Ann");
        let id = world.made(&ann, of(3, &[1, 2])).await;
        let viewed = world.matches.resign(&by(&ann), &id, None).await.unwrap().viewed;
        let won = |seats: usize| (1..=seats).map(|_| (1, Verdict::Won));
        let lost = |rank| std::iter::once((rank, Verdict::Lost));
        assert_eq!(summary(outcome(&viewed)), ("resignation".to_owned(), lost(3).chain(won(2)).collect()), "{game}");

        let ben = world.person("Ben");
        let id = world.made(&ann, of(4, &[2, 3])).await;
        world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();
        let viewed = world.matches.resign(&by(&ann), &id, None).await.unwrap().viewed;
        assert_eq!(viewed.live.stored.stage, Stage::Playing, "{game}");

        let (id, players) = world.at_table(of(3, &[])).await;
        let viewed = world.matches.resign(&by(&players[0]), &id, None).await.unwrap().viewed;
        assert_eq!(viewed.live.stored.stage, Stage::Playing, "{game}");
        let viewed = world.matches.resign(&by(&players[1]), &id, None).await.unwrap().viewed;
        assert!(summary(outcome(&viewed)).1.contains(&(1, Verdict::Won)), "{game}");
    }
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
