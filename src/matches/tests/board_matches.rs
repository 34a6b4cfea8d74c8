//! Matches that count on boards of results: which do, from their start on, and which never.

use super::*;
use crate::board_match::BoardMatch;
use crate::model::clock::{OnTimeout, WantedClock};
use crate::rated_result::RatingJob;
use sarsen_accounts::auth::PlayerKind;
use sarsen_games::bots::Level;
use sarsen_store::{JobKind, Work};

const THIEF: &str = "thief_of_the_sacred_fire";

fn alone() -> NewMatch {
    NewMatch { visibility: Some(Visibility::Public), hints: Some(false), ..NewMatch::of(THIEF) }
}

fn together() -> NewMatch {
    NewMatch { seats: SeatCount::new(2), ..NewMatch::of("absolution") }
}

impl World {
    /// Returns the matches that the jobs tell boards, in order.
    async fn told_to_boards(&self) -> Vec<BoardMatch> {
        let mut jobs = self.store.due_jobs(JobKind::Rate, 50).await.unwrap();
        jobs.sort_by_key(|job| job.at);
        let told = jobs.iter().map(|job| match RatingJob::of_body(&job.body).unwrap() {
            RatingJob::Board(found) => found,
            other => panic!("{other:?}"),
        });
        told.collect()
    }
}

#[tokio::test]
async fn the_start_of_a_match_alone_is_told_and_so_is_its_end() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.made(&ann, alone()).await;
    let start = world.told_to_boards().await;
    let expected = BoardMatch {
        match_id: id.clone(),
        board: format!("{THIEF}.solo.default"),
        started_at: world.ambient.now(),
        players: vec![ann.id.clone()],
        ended: None,
    };
    assert_eq!(start, [expected]);
    world.clock.advance_seconds(5);
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let told = world.told_to_boards().await;
    let end = told[1].ended.unwrap();
    assert_eq!((end.won, end.score, end.at), (false, 0, world.ambient.now()));
    assert_eq!((told.len(), &told[1].started_at, &told[1].players), (2, &start[0].started_at, &start[0].players));
}

#[tokio::test]
async fn a_match_together_is_told_with_its_players_in_order() {
    let world = World::new();
    let (id, players) = world.started(together()).await;
    let mut expected = players.map(|player| player.id);
    expected.sort_unstable();
    let told = world.told_to_boards().await;
    assert_eq!((told.len(), &told[0].match_id, told[0].players.as_slice()), (1, &id, &expected[..]));
    assert_eq!(told[0].board, "absolution.coop.default");
}

#[tokio::test]
async fn a_match_that_is_private_or_helped_or_of_other_options_is_not_told() {
    let world = super::bots::thinking();
    let ann = world.person("Ann");
    let bot = Seated { kind: PlayerKind::Bot, ..world.person("Bot") };
    let by_a_bot = WantedClock { on_timeout: Some(OnTimeout::Bot), ..super::clocks::fischer() };
    for (who, new) in [
        (&ann, NewMatch::of(THIEF)),
        (&ann, NewMatch { visibility: Some(Visibility::Private), ..alone() }),
        (&ann, NewMatch { hints: Some(true), ..alone() }),
        (&ann, NewMatch { hints: None, ..alone() }),
        (&ann, NewMatch { options: json!({"turn_limit": 20}), ..alone() }),
        (
            &ann,
            NewMatch {
                bots: vec![(seat(1), Level::Easy)],
                hints: Some(false),
                visibility: Some(Visibility::Public),
                ..together()
            },
        ),
        (&bot, alone()),
    ] {
        let id = world.made(who, new.clone()).await;
        world.matches.resign(&by(who), &id, None).await.unwrap();
        assert_eq!(world.told_to_boards().await, [], "{new:?}");
    }
    // Neither is one against another, or one in which a bot may take over, or one that is called off before its start.
    for new in [contiguity(), NewMatch { clock: Some(by_a_bot), ..together() }] {
        let (id, players) = world.started(new).await;
        world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    }
    let id = world.made(&ann, together()).await;
    world.matches.abort(&by(&ann), &id, None).await.unwrap();
    assert_eq!(world.told_to_boards().await, []);
}
