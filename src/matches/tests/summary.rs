//! Numbers of the matches that wait for a player.

use super::*;
use crate::model::clock::{OnTimeout, WantedClock};
use crate::summary::Waiting;

#[tokio::test]
async fn a_badge_counts_what_the_lists_show() {
    let world = super::bots::thinking();
    let on_timeout = Some(OnTimeout::Bot);
    let clock = WantedClock { initial_seconds: 300, first_move_seconds: Some(None), on_timeout, ..Default::default() };
    let new = NewMatch { move_time_seconds: None, clock: Some(clock), ..short() };
    let (id, players) = world.started(new).await;
    let turns = async |matches: &Matches| {
        let mut turns = Vec::new();
        for player in &players {
            let filter = MatchFilter { player: Some(player.id.clone()), my_turn: true, ..MatchFilter::default() };
            let listed = matches.list(&by(player), &filter).await.unwrap().items.len() as u32;
            let waiting = matches.waiting_for(&player.id).await.unwrap();
            assert_eq!(waiting, Waiting { my_turn: listed, ..Waiting::default() });
            turns.push(listed);
        }
        turns
    };
    let (mover, ..) = world.turn(&id, &players).await;
    assert_eq!(turns(&world.matches).await, players.each_ref().map(|player| u32::from(*player == mover)));
    let without_games = world.instance(Games::of(Vec::new()));
    assert_eq!(turns(&without_games).await, [0, 0], "what cannot be read does not count");
    world.clock.advance_seconds(310);
    world.matches.see_to(&id).await.unwrap();
    assert_eq!(turns(&world.matches).await, [0, 0], "a bot plays for whose time has run out");
}
