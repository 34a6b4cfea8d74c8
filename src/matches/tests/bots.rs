//! Bots at the table, without the work that leads to them: who thinks, and what is stored of it.

use super::*;
use crate::export::verify_bots;
use crate::idempotency::Answered;
use crate::model::clock::{OnTimeout, WantedClock};
use crate::model::refused::CreateRefused;
use crate::schedule::Looked;
use crate::thinking::{Thinkers, Thinking, Thought};
use sarsen_base::telemetry::BotCounts;
use sarsen_base::worker_pool::WorkerPool;
use sarsen_games::bots::{Bots, Level, SearchMeans};

pub(super) fn bots() -> Bots {
    Bots::standard(GameSettings::default())
}

pub(super) fn thinkers() -> Thinkers {
    Thinkers::new(bots(), Arc::new(WorkerPool::new(1)), 0, Arc::new(BotCounts::unseen()))
}

pub(crate) fn thinking() -> World {
    thinking_by(thinkers())
}

fn thinking_by(thinkers: Thinkers) -> World {
    let mut world = World::new();
    world.matches.thinkers = Arc::new(thinkers);
    world
}

fn against_a_bot() -> NewMatch {
    NewMatch { bots: vec![(seat(1), Level::Easy)], ..short() }
}

pub(super) async fn found(matches: &Matches, id: &MatchId) -> Option<Thought> {
    match matches.think(id).await.unwrap() {
        Thinking::Found(thought) => Some(thought),
        Thinking::Nothing => None,
        Thinking::Full => panic!("there is room"),
    }
}

/// Makes the person's first legal move.
pub(super) async fn reply(world: &World, person: &Seated, id: &MatchId) {
    let live = world.read(person, id).await.live.clone();
    let open = live.decision(seat(0)).unwrap();
    let decision = Some(DecisionId { version: open.version, seat: seat(0) });
    world.play(person, id, decision, &legal(&live, seat(0))[0], None).await.unwrap();
}

#[tokio::test]
async fn of_two_that_think_about_a_decision_one_moves() {
    let (world, ann) = (thinking(), Seated::person(PlayerId::from_number(1), "Ann".to_owned()));
    let id = world.made(&ann, against_a_bot()).await;
    if world.read(&ann, &id).await.live.decision(seat(0)).is_some() {
        assert!(found(&world.matches, &id).await.is_none(), "it is the person's turn");
        reply(&world, &ann, &id).await;
    }
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Thinks(None));
    let other = Matches { thinkers: Arc::new(thinkers()), ..world.another() };
    let (one, two) = (found(&world.matches, &id).await.unwrap(), found(&other, &id).await.unwrap());
    assert!(world.matches.act(one).await.unwrap());
    assert!(!other.act(two).await.unwrap(), "others were quicker");
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Waits(None));
}

#[tokio::test]
async fn a_bot_that_cannot_think_makes_the_first_move_and_the_record_says_so() {
    let (world, ann) = (thinking(), Seated::person(PlayerId::from_number(1), "Ann".to_owned()));
    let id = world.made(&ann, against_a_bot()).await;
    let forgetful = world.another();
    let mut marked = 0;
    for _ in 0..4 {
        match found(&forgetful, &id).await {
            Some(first) => {
                assert!(forgetful.act(first).await.unwrap());
                marked += 1;
            }
            None => reply(&world, &ann, &id).await,
        }
    }
    assert!(marked > 0);
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let record = world.export(&id).await.unwrap();
    assert_eq!(record.steps.iter().filter(|step| step.cut_short).count(), marked);
    let games = Games::standard(GameSettings::default());
    verify(&games, &record).unwrap();
    let (_, again) = verify_bots(&games, &bots(), &record).unwrap();
    assert_eq!((again.found, again.cut_short, again.passed_over), (0, marked, 0));
    // The mark is nothing that can be added: without it the bot is asked. With it the move is looked at as well, and where
    // the bots find another one that is said.
    let mut unmarked = record.clone();
    unmarked.steps.iter_mut().for_each(|step| step.cut_short = false);
    match verify_bots(&games, &bots(), &unmarked) {
        Ok((_, unmarked)) => assert_eq!((unmarked.found, again.doubtful), (marked, 0)),
        Err(found) => assert!(matches!(found, Discrepancy::Bot { .. }) && again.doubtful > 0),
    }
}

#[tokio::test]
async fn a_search_that_takes_too_long_is_ended_with_the_best_so_far() {
    let world = thinking_by(thinkers().ended_after(0));
    let ann = Seated::person(PlayerId::from_number(1), "Ann".to_owned());
    let id = world.made(&ann, NewMatch { bots: vec![(seat(1), Level::Hard)], ..short() }).await;
    if world.read(&ann, &id).await.live.decision(seat(0)).is_some() {
        reply(&world, &ann, &id).await;
    }
    let live = world.read(&ann, &id).await.live;
    let observation = live.state().unwrap().observe(seat(1));
    let means = SearchMeans { threads: 1, is_over: &|| true };
    let ranked = bots().of("contiguity").unwrap().rank(Level::Hard, &observation, [0; 32], &means).unwrap();
    assert!(ranked.cut && ranked.moves[0].notation != legal(&live, seat(1))[0]);
    let thought = found(&world.matches, &id).await.unwrap();
    assert!(world.matches.act(thought).await.unwrap());
    let made = world.read(&ann, &id).await.live.stored.last_move.as_ref().unwrap().notation.clone();
    assert_eq!(made, ranked.moves[0].notation, "no less than what is ranked first");
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    // Whoever verifies ends it at the same step.
    let record = world.export(&id).await.unwrap();
    assert_eq!(record.steps.iter().filter(|step| step.cut_short).count(), 0);
}

#[tokio::test]
async fn nobody_makes_more_matches_with_bots_than_one_may_have() {
    let mut world = thinking();
    world.matches.retention.bots_per_player = Some(3);
    let (ann, ben) = [1, 2].map(|number| Seated::person(PlayerId::from_number(number), "Ann".to_owned())).into();
    let make = |player: &Seated, new: NewMatch| world.matches.create(player.clone(), Ok(new), None);
    // All at once: each is counted before the next.
    let made = futures_util::future::join_all((0..10).map(|_| make(&ann, against_a_bot()))).await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 3);
    let refused = |made: &Result<Answered, Refused>| {
        matches!(made, Err(Refused::Create(CreateRefused::TooManyWithBots { most: 3 })))
    };
    assert_eq!(made.iter().filter(|made| refused(made)).count(), 7);
    // Others, and matches without bots, are not concerned; one that is over makes room.
    assert!(make(&ben, against_a_bot()).await.is_ok());
    assert!(make(&ann, short()).await.is_ok(), "without bots");
    let first = made.into_iter().find_map(Result::ok).unwrap().viewed.live.stored.id.clone();
    world.matches.resign(&by(&ann), &first, None).await.unwrap();
    assert!(make(&ann, against_a_bot()).await.is_ok());
    assert!(refused(&make(&ann, against_a_bot()).await));
}

#[tokio::test]
async fn what_is_said_while_a_bot_plays_is_not_taken_for_what_the_bot_says() {
    let world = thinking();
    let clock = WantedClock {
        initial_seconds: 60,
        on_timeout: Some(OnTimeout::Bot),
        takeover_bot: Some(Level::Easy),
        ..WantedClock::default()
    };
    let new = NewMatch {
        game: "absolution".to_owned(),
        options: json!({}),
        seats: SeatCount::new(2),
        move_time_seconds: None,
        clock: Some(clock),
        ..contiguity()
    };
    let (id, players) = world.started(new).await;
    let has_moved = async |number| world.read(&players[0], &id).await.live.clock(seat(number)).unwrap().has_moved();
    while !(has_moved(0).await && has_moved(1).await) {
        world.play_on(&id, &players, 1).await;
    }
    let (player, decision, _) = world.turn(&id, &players).await;
    world.clock.advance_seconds(63);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Thinks(None));
    assert!(world.read(&player, &id).await.live.is_taken_over(decision.seat));
    world.play(&player, &id, None, "wish 3", None).await.unwrap();
    for player in &players {
        let _over = world.matches.resign(&by(player), &id, None).await;
    }
    let record = world.export(&id).await.unwrap();
    let (_, again) = verify_bots(&Games::standard(GameSettings::default()), &bots(), &record).unwrap();
    assert_eq!((again.found, again.passed_over), (0, 1));
}
