//! Moves and rehearsals.

use super::*;

/// Every request here has all the faults of those after it.
#[tokio::test]
async fn a_request_is_judged_in_the_contracts_order() {
    let world = World::new();
    let (id, players) = world.started(NewMatch { visibility: Some(Visibility::Private), ..contiguity() }).await;
    let (mover, decision, moves) = world.turn(&id, &players).await;
    let other = players.iter().find(|seated| **seated != mover).unwrap();
    let cora = world.person("Cora");
    let theirs = DecisionId { seat: seat(1 - decision.seat.number()), ..decision };
    let stale = DecisionId { version: decision.version - 1, ..decision };
    let asked = |decision, notation: &str| {
        Ok(MoveRequest { decision: Some(decision), mv: MoveInput::Notation(notation.to_owned()) })
    };
    let unread = || Err(Unread::new(std::fmt::Error));
    let again = Idempotency { key: "k".to_owned(), fingerprint: "f".to_owned() };
    let play = async |player: &Seated, request| world.matches.play(&player.id, &id, None, request).await;

    // Not to be seen, not seated.
    refused!(play(&cora, unread()).await, Refused::Read(ReadRefused::MatchNotFound));
    let (public, _) = world.started(contiguity()).await;
    refused!(
        world.matches.play(&cora.id, &public, Some(&again), unread()).await,
        Refused::Forbidden(Forbidden::NotSeated)
    );
    // Not readable, not a move.
    refused!(play(other, unread()).await, Refused::Unread(_));
    refused!(play(other, asked(theirs, "31b-5b")).await, Refused::Move(MoveRefused::Malformed(_)));
    let undecided = MoveRequest { decision: None, mv: MoveInput::Notation("15a-16a".to_owned()) };
    refused!(play(other, Ok(undecided)).await, Refused::Move(MoveRefused::DecisionMissing));
    // Not the seat's turn, not its open decision, not legal.
    refused!(play(other, asked(theirs, "15a-16a")).await, Refused::Move(MoveRefused::NotYourTurn(2)));
    refused!(play(&mover, asked(stale, "15a-16a")).await, Refused::Move(MoveRefused::StaleDecision(2)));
    refused!(play(&mover, asked(theirs, "15a-16a")).await, Refused::Move(MoveRefused::StaleDecision(2)));
    refused!(play(&mover, asked(decision, "15a-16a")).await, Refused::Move(MoveRefused::Illegal(_)));
    // A repetition comes before all that the body says.
    let made = world.matches.play(&mover.id, &id, Some(&again), asked(decision, &moves[0])).await.unwrap();
    let repeated = world.matches.play(&mover.id, &id, Some(&again), unread()).await.unwrap();
    assert!(!made.replayed && repeated.replayed);
    // Over comes before turn.
    world.matches.resign(&by(&mover), &id, None).await.unwrap();
    refused!(play(&mover, asked(stale, "31b-5b")).await, Refused::Move(MoveRefused::Malformed(_)));
    refused!(play(&mover, asked(stale, "15a-16a")).await, Refused::OutOfPlay(OutOfPlay::MatchOver(4)));
}

#[tokio::test]
async fn a_refused_move_changes_nothing_and_says_why() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let Err(Refused::Move(MoveRefused::Illegal(illegal))) =
        world.play(&player, &id, Some(decision), "15a-16a", None).await
    else {
        panic!("a move from an empty space is illegal");
    };
    assert_eq!(illegal.code, "empty_space");
    assert!(!illegal.rule.is_empty());
    assert_eq!(world.read(&player, &id).await.live.stored.version, 2);
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    refused!(
        world.play(&player, &id, Some(decision), &moves[0], None).await,
        Refused::Move(MoveRefused::NotYourTurn(3))
    );
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
    let other = world.play(&player, &id, Some(decision), &moves[4], Some(("k", "g"))).await;
    refused!(other, Refused::KeyReused);
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
            Err(refused) => assert!(matches!(refused, Refused::Move(MoveRefused::NotYourTurn(3))), "{refused}"),
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
