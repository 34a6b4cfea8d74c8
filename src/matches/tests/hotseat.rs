//! One player on every seat.

use super::*;

fn everywhere() -> NewMatch {
    let table = TableTerms { hotseat: true, ..TableTerms::default() };
    NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), seat: None, table, ..contiguity() }
}

fn at(player: &Seated, number: u8) -> Reader {
    Reader { as_seat: Seat::new(number), ..by(player) }
}

#[tokio::test]
async fn the_creator_sits_everywhere_and_looks_as_any_seat() {
    let world = World::new();
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    let id = world.made(&ann, everywhere()).await;
    let read = async |reader: Reader| world.matches.read(&reader, &id).await;
    let (lowest, first, second) =
        (read(by(&ann)).await.unwrap(), read(at(&ann, 0)).await.unwrap(), read(at(&ann, 1)).await.unwrap());
    assert_eq!(lowest.live.stored.stage, Stage::Playing);
    assert_eq!([lowest.seat(), first.seat(), second.seat()], [Some(seat(0)), Some(seat(0)), Some(seat(1))]);
    let view = |viewed: &ViewedMatch| viewed.live.view(viewed.viewer).unwrap().unwrap().to_string();
    assert_ne!(view(&first), view(&second), "each hand is seen by its own seat alone");
    refused!(read(at(&ann, 2)).await, Refused::Forbidden(Forbidden::HotseatOnly));
    refused!(read(at(&ben, 0)).await, Refused::Forbidden(Forbidden::HotseatOnly));
    refused!(
        world.matches.read(&Reader { as_seat: Seat::new(0), ..Reader::default() }, &id).await,
        Refused::Forbidden(Forbidden::HotseatOnly)
    );
    assert_eq!(world.matches.waiting_for(&ann.id).await.unwrap().my_turn, 0, "nobody waits but they themselves");
    let mine = MatchFilter { player: Some(ann.id.clone()), my_turn: true, ..MatchFilter::default() };
    assert_eq!(world.matches.list(&by(&ann), &mine).await.unwrap().items.len(), 0);
    world.clock.advance_seconds(61);
    for number in [0, 1] {
        assert_eq!(lowest.live.claimable_at(seat(number)), None);
        let claimed = world.matches.claim(&at(&ann, 1 - number), &id, Ok(seat(number)), None).await;
        refused!(claimed, Refused::Claim(ClaimRefused::OwnSeat));
    }

    // Whoever is to act moves, until nobody is.
    let mut dice = Dice::new(DiceSeed([3; 32]));
    for _ in 0..6 {
        let live = read(by(&ann)).await.unwrap().live;
        let Some(mover) = live.to_act().iter().next() else { break };
        let open = live.decision(mover).unwrap();
        let moves = legal(&live, mover);
        let mv = MoveInput::Notation(moves[dice.index(moves.len()).unwrap()].clone());
        let request = MoveRequest { decision: Some(DecisionId { version: open.version, seat: mover }), mv };
        let wrong = at(&ann, 1 - mover.number());
        assert!(world.matches.play(wrong, &id, None, Ok(request.clone())).await.is_err(), "as another seat");
        let moved = world.matches.play(at(&ann, mover.number()), &id, None, Ok(request)).await.unwrap();
        assert_eq!(moved.viewed.seat(), Some(mover));
    }
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let viewed = world.read(&ann, &id).await;
    let (record, _) = world.matches.export(viewed).await.unwrap();
    assert_eq!((record.format.as_str(), record.hotseat), ("sarsen/record/2", true));
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
    // And once more, with everybody on their seats.
    let again = world.matches.rematch(&by(&ann), ann, &id, uncounted, None).await.unwrap().viewed;
    assert_eq!(again.live.stored.stage, Stage::Playing);
}

#[tokio::test]
async fn a_seat_can_be_given_to_somebody_else() {
    let world = World::new();
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    let reserved = vec![ReservedSeat { seat: seat(1), player: ben.clone() }];
    let new = everywhere();
    let table = TableTerms { reserved, ..new.table.clone() };
    let id = world.made(&ann, NewMatch { seats: SeatCount::new(3), table, ..new }).await;
    let joined = world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap().viewed;
    assert_eq!((joined.seat(), joined.live.stored.stage), (Some(seat(1)), Stage::Playing));
    refused!(world.matches.read(&at(&ann, 1), &id).await, Refused::Forbidden(Forbidden::HotseatOnly));
    refused!(world.matches.read(&at(&ben, 2), &id).await, Refused::Forbidden(Forbidden::HotseatOnly));
    assert_eq!(world.matches.read(&at(&ann, 2), &id).await.unwrap().seat(), Some(seat(2)));
    // With somebody else at the table both wait for each other.
    let live = joined.live;
    let asked = [&ann, &ben].map(|player| live.is_to_act(&player.id));
    let acting: Vec<bool> = live.to_act().iter().map(|acting| acting == seat(1)).collect();
    assert_eq!(asked, [acting.contains(&false), acting.contains(&true)]);
    assert!(live.to_act().iter().all(|acting| live.claimable_at(acting).is_some()));
}
