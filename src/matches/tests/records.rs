//! The record of a finished match.

use super::*;
use crate::model::fairness::ServerSeed;

#[tokio::test]
async fn a_finished_match_verifies_and_any_change_to_its_record_is_found() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    refused!(world.export(&id).await, Refused::Read(ReadRefused::NotOver));
    world.play_on(&id, &players, 100).await;
    let record = world.export(&id).await.unwrap();
    // As a file, and back.
    let record = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    let games = Games::standard(GameSettings::default());
    let verified = verify(&games, &record).unwrap();
    assert_eq!((verified.match_id, verified.steps), (id.clone(), record.steps.len()));
    assert!(verified.moves > 0 && verified.dice_words > 0);

    let mut other = record.clone();
    other.seed.replace_range(0..2, if record.seed.starts_with("00") { "01" } else { "00" });
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Commitment(_)));

    // A seed that fits its commitment but not the match: the draw for colours differs for some seed.
    let differs = (0..64).any(|_| {
        let mut other = record.clone();
        let seed = ServerSeed::generate(&world.ambient);
        (other.seed, other.commitment) = (seed.reveal(), seed.commitment(&other.match_id));
        matches!(verify(&games, &other), Err(Discrepancy::Events { step: 2, .. } | Discrepancy::Impossible { .. }))
    });
    assert!(differs);

    let mv = record.steps.iter().position(|step| step.action == ExportAction::Move).unwrap();
    let mut other = record.clone();
    other.steps[mv].mv = Some(json!({"type": "move", "from": "15a", "to": "16a"}).into());
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Impossible { step, .. } if step == mv + 1));

    let mut other = record.clone();
    other.steps.remove(mv);
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Step { .. }));

    let mut other = record.clone();
    other.steps[mv].events.pop();
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Events { .. }));

    let mut other = record.clone();
    other.outcome.ending = "resignation".into();
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Outcome { .. }));

    let mut other = record.clone();
    other.steps[mv].entropy = Some(SeatEntropy::try_from("late".to_owned()).unwrap());
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Step { .. }));

    let mut other = record.clone();
    other.options = json!({"turn_limit": 20});
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Terms(_)));

    let mut other = record.clone();
    other.steps.pop();
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::NotOver));

    let mut other = record;
    other.rules_version += 1;
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Game(..)));
}

/// A record of format 1. Never to be edited once a release has written records.
const RECORD_1: &str = include_str!("../../../tests/fixtures/record_1.json");

#[test]
fn a_record_of_format_1_is_verified_for_good_and_written_back_byte_by_byte() {
    let record: MatchExport = serde_json::from_str(RECORD_1).unwrap();
    let verified = verify(&Games::standard(GameSettings::default()), &record).unwrap();
    assert_eq!((verified.steps, verified.moves, verified.ending.as_str()), (16, 6, "draw_agreed"));
    assert_eq!(serde_json::to_string_pretty(&record).unwrap(), RECORD_1);
}
