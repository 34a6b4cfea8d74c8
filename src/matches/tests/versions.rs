//! A later version of a game's rules beside the one before it.

use super::bots::found;
use super::*;
use crate::thinking::Thinkers;
use sarsen_base::telemetry::BotCounts;
use sarsen_base::worker_pool::WorkerPool;
use sarsen_games::bots::{Bots, Level};
use sarsen_games::fixture::Fixture;
use sarsen_games::{AnyGame, Erased};

fn game<const VERSION: u32>() -> Arc<dyn AnyGame> {
    Arc::new(Erased::new(Fixture::<VERSION>))
}

fn fixture() -> NewMatch {
    NewMatch { game: "fixture".to_owned(), seats: SeatCount::new(2), ..contiguity() }
}

#[test]
fn a_game_is_found_by_id_and_rules_version() {
    let games = Games::of(vec![game::<2>(), game::<1>()]);
    let version = |game: Option<&Arc<dyn AnyGame>>| game.map(|game| game.info().rules_version);
    assert_eq!([1, 2, 3].map(|wanted| version(games.find("fixture", wanted))), [Some(1), Some(2), None]);
    assert_eq!((version(games.newest("fixture")), version(games.newest("henge"))), (Some(2), None));
    assert_eq!(games.iter().map(|game| game.info().rules_version).collect::<Vec<_>>(), [2], "a game is offered once");
    let (games, again) = (games.with(Fixture::<2>), game::<1>());
    assert_eq!([1, 2, 3].map(|wanted| version(games.find("fixture", wanted))), [Some(1), Some(2), None]);
    let games = Games::of(vec![game::<1>(), Arc::clone(&again)]);
    assert!(games.find("fixture", 1).is_some_and(|found| Arc::ptr_eq(found, &again)), "the last of its kind counts");
}

#[tokio::test]
async fn a_match_keeps_the_version_of_the_rules_that_it_was_created_by() {
    let world = World::with(Games::of(vec![game::<1>()]));
    let (old, old_players) = world.started(fixture()).await;
    world.play_on(&old, &old_players, 1).await;

    let both = || Games::of(vec![game::<1>(), game::<2>()]);
    let world = world.in_release_with(both());
    let (new, new_players) = world.started(fixture()).await;
    for (id, players, version) in [(old, old_players, 1), (new, new_players, 2)] {
        assert_eq!(world.read(&players[0], &id).await.live.stored.terms.rules_version, version);
        world.play_on(&id, &players, 100).await;
        let record = world.export(&id).await.unwrap();
        assert_eq!((record.rules_version, verify(&both(), &record).unwrap().match_id), (version, id));
        let other = if version == 1 { game::<2>() } else { game::<1>() };
        assert!(
            matches!(verify(&Games::of(vec![other]), &record).unwrap_err(), Discrepancy::Game(_, pinned) if pinned == version)
        );
    }
}

#[tokio::test]
async fn a_match_of_a_version_that_is_not_here_is_not_read() {
    let world = World::with(Games::of(vec![game::<2>()]));
    let (id, players) = world.started(fixture()).await;
    let world = world.in_release_with(Games::of(vec![game::<1>()]));
    refused!(world.matches.read(&by(&players[0]), &id).await, Refused::Unreadable(_));
}

#[tokio::test]
async fn a_bot_moves_in_a_match_of_earlier_rules() {
    let bots = || Bots::standard(GameSettings::default()).with(Fixture::<2>);
    let thinkers = || Arc::new(Thinkers::new(bots(), Arc::new(WorkerPool::new(1)), 0, Arc::new(BotCounts::unseen())));
    let mut world = World::with(Games::of(vec![game::<1>()]));
    world.matches = world.matches.clone().with_thinkers(thinkers());
    let ann = world.person("Ann");
    let id = world.made(&ann, NewMatch { bots: vec![(seat(1), Level::Easy)], ..fixture() }).await;
    let mut world = world.in_release_with(Games::of(vec![game::<1>(), game::<2>()]));
    world.matches = world.matches.clone().with_thinkers(thinkers());
    let before = world.read(&ann, &id).await.live;
    assert!(world.matches.act(found(&world.matches, &id).await.unwrap()).await.unwrap());
    let after = world.read(&ann, &id).await.live;
    assert!(after.stored.version > before.stored.version && after.stored.last_move.is_some());
    assert_eq!(after.stored.terms.rules_version, 1);
}
