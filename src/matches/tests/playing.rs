//! Moves and rehearsals.

use super::*;

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
async fn an_illegal_request_changes_nothing_and_says_why() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let other = players.iter().find(|seated| **seated != player).unwrap();
    let stranger = world.person("Cora");
    let theirs = DecisionId { seat: Seat::new(1 - decision.seat.number()).unwrap(), ..decision };
    let stale = DecisionId { version: decision.version - 1, ..decision };
    let mv = moves[0].as_str();

    assert!(matches!(refusal(world.play(&stranger, &id, Some(decision), mv, None).await), Refused::NotSeated));
    assert!(matches!(refusal(world.play(other, &id, Some(theirs), mv, None).await), Refused::NotYourTurn(2)));
    assert!(matches!(refusal(world.play(&player, &id, Some(stale), mv, None).await), Refused::StaleDecision(2)));
    assert!(matches!(refusal(world.play(&player, &id, Some(theirs), mv, None).await), Refused::StaleDecision(2)));
    assert!(matches!(refusal(world.play(&player, &id, None, mv, None).await), Refused::DecisionMissing));
    assert!(matches!(
        refusal(world.play(&player, &id, Some(decision), "31b-5b", None).await),
        Refused::MalformedMove(_)
    ));
    let Refused::Illegal(illegal) = refusal(world.play(&player, &id, Some(decision), "15a-16a", None).await) else {
        panic!("a move from an empty space is illegal");
    };
    assert!(illegal.rule.starts_with("CO-") || !illegal.rule.is_empty());
    assert_eq!(world.read(&player, &id).await.live.stored.version, 2);
    world.play(&player, &id, Some(decision), mv, None).await.unwrap();
    assert!(matches!(refusal(world.play(&player, &id, Some(decision), mv, None).await), Refused::NotYourTurn(3)));
}

#[tokio::test]
async fn a_repeated_request_is_applied_once_and_answered_alike() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let first = world.play(&player, &id, Some(decision), &moves[3], Some(("k", "f"))).await.unwrap();
    world.play_on(&id, &players, 5).await;
    let again = world.play(&player, &id, Some(decision), &moves[3], Some(("k", "f"))).await.unwrap();
    assert!(!first.replayed && again.replayed);
    assert_eq!(texts(&first.events), texts(&again.events));
    assert_eq!(first.mv.notation, again.mv.notation);
    let answers = [&first.viewed, &again.viewed].map(|viewed| {
        (
            viewed.live.stored.version,
            viewed.live.view(viewed.viewer).unwrap().unwrap().get().to_owned(),
            viewed.live.to_act(),
        )
    });
    assert_eq!(answers[0], answers[1]);
    let other = refusal(world.play(&player, &id, Some(decision), &moves[4], Some(("k", "g"))).await);
    assert!(matches!(other, Refused::KeyReused));
    assert_eq!(world.read(&player, &id).await.live.stored.version, 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_equal_moves_are_one() {
    let world = Arc::new(World::new());
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let tasks = (0..64).map(|number| {
        let (world, player, id, mv) = (world.clone(), player.clone(), id.clone(), moves[0].clone());
        tokio::spawn(async move {
            let key = format!("k{}", number / 2);
            let moved = world.play(&player, &id, Some(decision), &mv, Some((&key, "f"))).await;
            moved.map(|moved| moved.replayed)
        })
    });
    let mut fresh = 0;
    for task in tasks.collect::<Vec<_>>() {
        match task.await.unwrap() {
            Ok(replayed) => fresh += usize::from(!replayed),
            Err(refused) => assert!(matches!(refused, Refused::NotYourTurn(3)), "{refused}"),
        }
    }
    assert_eq!(fresh, 1);
    assert_eq!(world.read(&player, &id).await.live.stored.version, 3);
}

#[tokio::test]
async fn a_rehearsal_shows_the_move_and_stores_nothing() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let mv = MoveInput::Notation(moves[0].clone());
    let request = Ok(MoveRequest { decision: Some(decision), mv: mv.clone() });
    let tried = world.matches.rehearse(&player.id, &id, request).await.unwrap();
    assert_eq!(world.read(&player, &id).await.live.stored.version, 2);
    let made = world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(texts(&tried.events), texts(&made.events));
    let view = |moved: &Moved| moved.viewed.live.view(moved.viewed.viewer).unwrap().unwrap().get().to_owned();
    assert_eq!(view(&tried), view(&made));
    assert!(!tried.chance_pending);
}

#[tokio::test]
async fn a_rehearsal_opens_the_same_next_decision_as_the_move() {
    let world = World::new();
    let (id, players) = world.started(NewMatch { options: json!({"bidding": true}), ..contiguity() }).await;
    let (player, decision, _) = world.turn(&id, &players).await;
    // A bid of 1 ends the bidding: the same seat chooses next.
    let mv = MoveInput::Notation("bid 1".to_owned());
    let request = Ok(MoveRequest { decision: Some(decision), mv: mv.clone() });
    let tried = world.matches.rehearse(&player.id, &id, request).await.unwrap();
    let made = world.play(&player, &id, Some(decision), "bid 1", None).await.unwrap();
    let next = [&tried, &made].map(|moved| moved.viewed.live.decision(decision.seat).map(|open| open.version));
    assert_eq!(next, [Some(3), Some(3)]);
}

#[tokio::test]
async fn a_rehearsal_of_the_last_move_does_not_reveal_the_seed() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    world.play_on(&id, &players, 19).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let mv = MoveInput::Notation(moves[0].clone());
    let request = Ok(MoveRequest { decision: Some(decision), mv: mv.clone() });
    let tried = world.matches.rehearse(&player.id, &id, request).await.unwrap();
    assert_eq!(tried.viewed.live.stored.stage, Stage::Finished);
    assert_eq!(tried.viewed.live.revealed_seed(), None);
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert!(world.read(&player, &id).await.live.revealed_seed().is_some());
}
