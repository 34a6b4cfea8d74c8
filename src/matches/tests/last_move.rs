//! The last move that is kept beside a match, and what each reader is told of it; what is shown of a match that ends early.

use super::*;

/// The seat that moved last and, where it may be known, the notation of the move.
type Shown = Option<(u8, Option<String>)>;

fn shown(viewed: &ViewedMatch) -> Shown {
    let shown = viewed.last_move().unwrap()?;
    if let Some(mv) = &shown.mv {
        let json = serde_json::from_str::<Value>(mv.json.get()).unwrap();
        assert!(json["type"].is_string(), "{json}");
    }
    Some((shown.seat.number(), shown.mv.map(|mv| mv.notation)))
}

#[tokio::test]
async fn each_version_has_its_last_move() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    let mut expected: Vec<Shown> = vec![None, None];
    for _ in 0..6 {
        let (player, decision, moves) = world.turn(&id, &players).await;
        world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
        expected.push(Some((decision.seat.number(), Some(moves[0].clone()))));
        assert_eq!(shown(&world.read(&players[0], &id).await), expected[expected.len() - 1]);
    }
    // What is no move leaves it as it is.
    world.matches.offer_draw(&by(&players[0]), &id, None).await.unwrap();
    expected.push(expected[expected.len() - 1].clone());
    for instance in [&world.matches, &world.another()] {
        for reader in [by(&players[1]), Reader::default()] {
            for (version, expected) in (1..).zip(&expected) {
                let now = instance.read(&reader, &id).await.unwrap();
                let then = instance.history(&reader, now, version, false).await.unwrap();
                assert_eq!(shown(&then), *expected, "version {version}");
            }
        }
    }
}

#[tokio::test]
async fn a_secret_move_is_shown_to_its_maker_alone() {
    let world = World::new();
    let henge = NewMatch { game: "henge".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let (id, players) = world.started(henge).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    assert!(moves[0].starts_with("spring "), "{moves:?}");
    let mover = decision.seat.number();
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    for instance in [&world.matches, &world.another()] {
        for reader in [by(&players[0]), by(&players[1]), Reader::default()] {
            let viewed = instance.read(&reader, &id).await.unwrap();
            let own = viewed.seat().is_some_and(|seat| seat.number() == mover);
            assert_eq!(shown(&viewed), Some((mover, own.then(|| moves[0].clone()))));
        }
    }
    // Once the match is over, everything is shown.
    world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    let over = world.matches.read(&Reader::default(), &id).await.unwrap();
    assert_eq!(shown(&over), Some((mover, Some(moves[0].clone()))));
}

#[tokio::test]
async fn a_signal_is_no_last_move() {
    let world = World::new();
    let absolution = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let (id, players) = world.started(absolution).await;
    world.play(&players[1], &id, None, "wish 14", None).await.unwrap();
    assert_eq!(shown(&world.read(&players[0], &id).await), None);
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    world.play(&players[1], &id, None, "wish 15", None).await.unwrap();
    let expected = Some((decision.seat.number(), Some(moves[0].clone())));
    assert_eq!(shown(&world.read(&players[0], &id).await), expected);
}

#[tokio::test]
async fn nothing_is_due_any_more_in_a_match_that_was_given_up() {
    let world = World::new();
    let due = [
        ("contiguity", "phase", "playing", "over"),
        ("absolution", "step", "voting", "over"),
        ("sacrifice_roulette", "phase", "rolling", "over"),
        ("henge", "stage", "spring", "over"),
    ];
    for (game, property, before, after) in due {
        let new = NewMatch { game: game.to_owned(), seats: SeatCount::new(2), ..contiguity() };
        let (id, players) = world.started(new).await;
        if game == "sacrifice_roulette" {
            while world.turn(&id, &players).await.2[0].starts_with("place ") {
                world.play_on(&id, &players, 1).await;
            }
        }
        let seen = async || {
            let viewed = world.read(&players[0], &id).await;
            let view = viewed.live.view(viewed.viewer).unwrap().unwrap();
            serde_json::from_str::<Value>(view.get()).unwrap()
        };
        assert_eq!(seen().await[property], before, "{game}");
        world.matches.resign(&by(&players[1]), &id, None).await.unwrap();
        let view = seen().await;
        assert_eq!(view[property], after, "{game}");
        assert!(view["ending"].is_null() && view["stack"].as_array().is_none_or(Vec::is_empty), "{view}");
    }
}

#[tokio::test]
async fn a_thief_who_resigns_scores_nothing() {
    let world = World::new();
    let new = NewMatch { game: "thief_of_the_sacred_fire".to_owned(), seats: SeatCount::new(1), ..contiguity() };
    let ann = world.person("Ann");
    let id = world.made(&ann, new).await;
    let over = world.matches.resign(&by(&ann), &id, None).await.unwrap().viewed;
    assert_eq!(outcome(&over).standings[0].score, Some(0));
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
}
