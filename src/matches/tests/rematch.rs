//! Playing again.

use super::*;
use crate::schedule::Looked;
use sarsen_games::bots::Level;

/// A match of two that is over.
async fn over(world: &World, new: NewMatch) -> (MatchId, [Seated; 2]) {
    let (id, players) = world.started(new).await;
    world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    (id, players)
}

fn id_of(answered: &Answered) -> MatchId {
    answered.viewed.live.stored.id.clone()
}

/// The match that follows, as its player reads it.
async fn next_of(world: &World, player: &Seated, id: &MatchId) -> Option<MatchId> {
    world.matches.read_with_rematch(&by(player), id).await.unwrap().rematch
}

#[tokio::test]
async fn both_come_to_one_match_with_seats_rotated() {
    let world = World::new();
    let (id, [ann, ben]) = over(&world, NewMatch { visibility: Some(Visibility::Private), ..short() }).await;
    assert_eq!(next_of(&world, &ann, &id).await, None);
    world.clock.advance_seconds(60);
    let called = world.matches.rematch(&by(&ben), ben.clone(), &id, uncounted, None).await.unwrap();
    let stored = &called.viewed.live.stored;
    assert_eq!((called.viewed.seat(), stored.stage), (Some(seat(0)), Stage::Open));
    assert_eq!((stored.seats[1].reserved.as_ref(), &stored.terms.table.from_match), (Some(&ann), &Some(id.clone())));
    let before = world.store.load_match(&id, None).await.unwrap().unwrap().stored;
    let before: Value = serde_json::from_slice(&before).unwrap();
    assert_eq!((&before["t"]["o"]["turn_limit"], &before["t"]["vis"]), (&json!(20), &json!("private")));
    assert_eq!(serde_json::from_str::<Value>(stored.terms.options.get()).unwrap(), before["t"]["o"]);
    assert_ne!(stored.terms.invite.as_deref(), before["t"]["i"].as_str(), "a code of its own");
    // Again, it is the same; with another instance, too.
    assert_eq!(
        id_of(&world.matches.rematch(&by(&ben), ben.clone(), &id, uncounted, None).await.unwrap()),
        id_of(&called)
    );
    assert_eq!(next_of(&world, &ann, &id).await, Some(id_of(&called)));
    let joined = world.another().rematch(&by(&ann), ann.clone(), &id, uncounted, None).await.unwrap();
    assert_eq!((id_of(&joined), joined.viewed.live.stored.stage), (id_of(&called), Stage::Playing));
    assert_eq!(joined.viewed.seat(), Some(seat(1)));
    // And its record says what it follows.
    world.matches.resign(&by(&ann), &id_of(&called), None).await.unwrap();
    let viewed = world.read(&ann, &id_of(&called)).await;
    let (record, _) = world.matches.export(viewed).await.unwrap();
    assert_eq!(record.from_match, Some(id.clone()));
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
    // The match before is as it was.
    let viewed = world.read(&ann, &id).await;
    let (record, _) = world.matches.export(viewed).await.unwrap();
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
}

#[tokio::test]
async fn whoever_calls_at_the_same_time_sits_at_the_same_table() {
    let world = World::new();
    let (id, [ann, ben]) = over(&world, short()).await;
    let other = world.another();
    let (by_ann, by_ben) = (by(&ann), by(&ben));
    let (one, two) = tokio::join!(
        world.matches.rematch(&by_ann, ann.clone(), &id, uncounted, None),
        other.rematch(&by_ben, ben.clone(), &id, uncounted, None)
    );
    assert_eq!(id_of(&one.unwrap()), id_of(&two.unwrap()));
    let next = next_of(&world, &ann, &id).await.unwrap();
    let (first, second) = (world.read(&ann, &next).await, world.read(&ben, &next).await);
    assert_eq!(first.live.stored.stage, Stage::Playing);
    assert_eq!((first.seat(), second.seat()), (Some(seat(1)), Some(seat(0))));
}

#[tokio::test]
async fn a_rematch_of_two_is_with_the_other_or_none() {
    let world = World::new();
    for declined in [true, false] {
        let (id, [ann, ben]) = over(&world, short()).await;
        refused!(world.matches.decline_rematch(&ben.id, &id).await, Refused::Forbidden(Forbidden::NotInvited));
        let once = Idempotency { key: "k".to_owned(), fingerprint: "f".to_owned() };
        let next = id_of(&world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, Some(&once)).await.unwrap());
        if declined {
            world.matches.decline_rematch(&ben.id, &id).await.unwrap();
        } else {
            // With a minute for each decision, ten minutes are long.
            world.clock.advance_seconds(600);
            assert_eq!(world.matches.see_to(&next).await.unwrap(), Looked::Acted);
        }
        let log = world.matches.events(&by(&ann), &next, None, 100).await.unwrap().items;
        let ends: Vec<Value> =
            log.iter().rev().take(2).map(|told| serde_json::from_str(told.event.get()).unwrap()).collect();
        let reason = if declined { "declined" } else { "expired" };
        assert_eq!(ends[1], json!({"type": "invitation_declined", "seat": 0, "reason": reason}));
        assert_eq!(ends[0], json!({"type": "match_aborted", "reason": reason}));
        // Whoever declines again is answered alike, and a repeated call too.
        assert_eq!(id_of(&world.matches.decline_rematch(&ben.id, &id).await.unwrap()), next);
        let called = world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, Some(&once)).await.unwrap();
        assert_eq!((id_of(&called), called.replayed), (next.clone(), true));
        assert_eq!(next_of(&world, &ann, &id).await, Some(next.clone()));

        // A new call makes a new table, at which whoever calls on another instance sits down.
        let again = world.matches.rematch(&by(&ben), ben.clone(), &id, uncounted, None).await.unwrap();
        assert_eq!((again.viewed.live.stored.stage, again.viewed.seat()), (Stage::Open, Some(seat(0))));
        assert_ne!(id_of(&again), next);
        assert_eq!(next_of(&world, &ann, &id).await, Some(id_of(&again)));
        assert_eq!(
            id_of(&world.matches.rematch(&by(&ben), ben.clone(), &id, uncounted, None).await.unwrap()),
            id_of(&again)
        );
        let joined = world.another().rematch(&by(&ann), ann.clone(), &id, uncounted, None).await.unwrap();
        assert_eq!((id_of(&joined), joined.viewed.live.stored.stage), (id_of(&again), Stage::Playing));
        refused!(world.matches.decline_rematch(&ann.id, &id).await, Refused::Forbidden(Forbidden::NotInvited));
        // While that is there, the one that was called off is kept, over which the way leads to it.
        world.clock.advance_seconds(8 * 24 * 60 * 60);
        assert_eq!(world.matches.see_to(&next).await.unwrap(), Looked::Waits(None));
        assert_eq!(world.matches.due_at(&next).await.unwrap(), None);
        assert_eq!(next_of(&world, &ann, &id).await, Some(id_of(&again)));
        world.matches.delete(&id_of(&again)).await.unwrap();
        assert_eq!(world.matches.see_to(&next).await.unwrap(), Looked::Acted);
        assert!(world.store.load_match(&next, None).await.unwrap().is_none(), "with nothing behind it it is deleted");
    }
}

#[tokio::test]
async fn a_match_has_so_many_rematches_that_are_called_off() {
    let world = World::new();
    let (id, [ann, ben]) = over(&world, short()).await;
    for _ in 0..20 {
        world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, None).await.unwrap();
        world.clock.advance_seconds(1);
        world.matches.decline_rematch(&ben.id, &id).await.unwrap();
    }
    let more = world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, None).await;
    refused!(more, Refused::Seat(SeatRefused::TooManyChanges));
    assert!(next_of(&world, &ann, &id).await.is_some());
}

#[tokio::test]
async fn a_rematch_is_for_those_who_have_finished_a_match() {
    let world = World::new();
    let (id, [ann, _]) = world.started(short()).await;
    refused!(
        world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, None).await,
        Refused::Read(ReadRefused::NotOver)
    );
    let stranger = world.person("Cora");
    refused!(
        world.matches.rematch(&by(&stranger), stranger, &id, uncounted, None).await,
        Refused::Forbidden(Forbidden::NotSeated)
    );
    world.matches.abort_whole(&id).await.unwrap();
    refused!(world.matches.rematch(&by(&ann), ann, &id, uncounted, None).await, Refused::Read(ReadRefused::NotOver));
    let table = TableTerms { no_rematch: true, ..TableTerms::default() };
    let (id, [ann, _]) = over(&world, NewMatch { table, ..short() }).await;
    refused!(
        world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, None).await,
        Refused::Rematch(RematchRefused::Off)
    );
    refused!(world.matches.decline_rematch(&ann.id, &id).await, Refused::Rematch(RematchRefused::Off));
}

#[tokio::test]
async fn a_key_counts_for_the_call_and_for_the_joining() {
    let world = World::new();
    let (id, [ann, ben]) = over(&world, short()).await;
    let once = |key: &str| Idempotency { key: key.to_owned(), fingerprint: "f".to_owned() };
    let first = world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, Some(&once("a"))).await.unwrap();
    let joined = world.matches.rematch(&by(&ben), ben.clone(), &id, uncounted, Some(&once("b"))).await.unwrap();
    assert!(!first.replayed && !joined.replayed);
    let again = world.matches.rematch(&by(&ann), ann, &id, uncounted, Some(&once("a"))).await.unwrap();
    assert_eq!((again.replayed, again.viewed.live.stored.version), (true, 1), "as it was answered first");
    let again = world.matches.rematch(&by(&ben), ben.clone(), &id, uncounted, Some(&once("b"))).await.unwrap();
    assert_eq!((again.replayed, again.viewed.live.stored.version), (true, 2));
    let other = Idempotency { fingerprint: "g".to_owned(), ..once("b") };
    refused!(world.matches.rematch(&by(&ben), ben, &id, uncounted, Some(&other)).await, Refused::KeyReused);
}

#[tokio::test]
async fn bots_sit_down_by_themselves_one_seat_further_on() {
    let world = super::bots::thinking();
    let ann = world.person("Ann");
    let new = NewMatch {
        game: "absolution".to_owned(),
        seats: SeatCount::new(3),
        bots: vec![(seat(1), Level::Easy), (seat(2), Level::Hard)],
        ..contiguity()
    };
    let id = world.made(&ann, new).await;
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let again = world.matches.rematch(&by(&ann), ann, &id, uncounted, None).await.unwrap().viewed;
    assert_eq!((again.seat(), again.live.stored.stage), (Some(seat(1)), Stage::Playing));
    let levels = [0, 1, 2].map(|number| again.live.stored.terms.bot(seat(number)).map(|bot| bot.level));
    assert_eq!(levels, [Some(Level::Hard), None, Some(Level::Easy)]);
}
