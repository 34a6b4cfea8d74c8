//! Draws by agreement.

use super::*;

#[tokio::test]
async fn a_draw_is_agreed_when_every_seat_has_accepted() {
    let world = World::new();
    let (id, [ann, ben]) = world.started(contiguity()).await;
    refused!(world.matches.accept_draw(&by(&ben), &id, None).await, Refused::Draw(DrawRefused::NoDrawOffer));
    world.matches.offer_draw(&by(&ben), &id, None).await.unwrap();
    // Whoever has offered has accepted.
    refused!(world.matches.accept_draw(&by(&ben), &id, None).await, Refused::Draw(DrawRefused::NoDrawOffer));
    let viewed = world.matches.accept_draw(&by(&ann), &id, None).await.unwrap().viewed;
    assert_eq!(summary(outcome(&viewed)), ("draw_agreed".to_owned(), vec![(1, Verdict::Drawn); 2]));
}

#[tokio::test]
async fn one_draw_is_on_offer_at_a_time_and_declining_takes_it_away() {
    let world = World::new();
    let (id, [ann, ben]) = world.started(contiguity()).await;
    world.matches.offer_draw(&by(&ann), &id, None).await.unwrap();
    refused!(world.matches.offer_draw(&by(&ben), &id, None).await, Refused::Draw(DrawRefused::DrawOnOffer));
    world.matches.decline_draw(&by(&ben), &id, None).await.unwrap();
    refused!(world.matches.accept_draw(&by(&ben), &id, None).await, Refused::Draw(DrawRefused::NoDrawOffer));
}

#[tokio::test]
async fn a_seat_offers_a_draw_once_for_each_move_of_its_own() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let [ann, ben] = &players;
    world.matches.offer_draw(&by(ann), &id, None).await.unwrap();
    world.matches.decline_draw(&by(ben), &id, None).await.unwrap();
    refused!(world.matches.offer_draw(&by(ann), &id, None).await, Refused::Draw(DrawRefused::DrawOnOffer));
    world.play_on(&id, &players, 2).await;
    world.matches.offer_draw(&by(ann), &id, None).await.unwrap();
}

#[tokio::test]
async fn an_offer_outlives_the_offerers_own_move_and_lapses_with_the_others() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (mover, ..) = world.turn(&id, &players).await;
    let other = players.iter().find(|seated| **seated != mover).unwrap();
    world.matches.offer_draw(&by(&mover), &id, None).await.unwrap();
    world.play_on(&id, &players, 1).await;
    assert_eq!(world.read(&mover, &id).await.live.stored.draw.len(), 1);
    world.play_on(&id, &players, 1).await;
    refused!(world.matches.accept_draw(&by(other), &id, None).await, Refused::Draw(DrawRefused::NoDrawOffer));
}

#[tokio::test]
async fn draw_offers_leave_decisions_open() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.matches.offer_draw(&by(&players[0]), &id, None).await.unwrap();
    let moved = world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(moved.viewed.live.stored.version, 4);
}
