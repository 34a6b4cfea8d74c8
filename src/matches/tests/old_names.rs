//! Matches of Henge that were stored, and records that were exported, when events, entries of the stack and figures had
//! other names. The fixtures are from that release and are never to be edited.

use super::*;

const RECORDS: [&str; 2] = [
    include_str!("../../../tests/fixtures/henge_old_names_record_hbb.json"),
    include_str!("../../../tests/fixtures/henge_old_names_record_hhb.json"),
];

/// In the middle of a turn: a carving that a druid has brought.
const PLAYING: &str = include_str!("../../../tests/fixtures/henge_match_state_1.json");
const FINISHED: &str = include_str!("../../../tests/fixtures/henge_match_finished_state_1.json");

/// Puts a match into the store as that release has left it there, and answers its id and players.
async fn stored(world: &World, fixture: &str) -> (MatchId, [Seated; 2]) {
    let stored: Value = serde_json::from_str(fixture).unwrap();
    let live = LiveMatch::open(&games(), stored["record"].to_string().as_bytes()).unwrap();
    let id = live.stored.id.clone();
    let players: Vec<Seated> = live.stored.seats.iter().filter_map(|seat| seat.player.clone()).collect();
    for (expected, entry) in (0..).zip(stored["log"].as_array().unwrap()) {
        let listing = crate::store::Listing {
            game: "henge".to_owned(),
            stage: live.stored.stage,
            public: true,
            players: players.iter().map(|player| player.id.clone()).collect(),
        };
        let commit = crate::store::Commit {
            id: id.clone(),
            expected,
            expected_stamp: None,
            stamp: None,
            stored: stored["record"].to_string().into_bytes(),
            entry: entry.to_string().into_bytes(),
            listing: Some(listing),
            listed: None,
            replay: None,
            notify: Vec::new(),
            due: crate::store::Due::Leave,
        };
        assert_eq!(world.store.commit(commit).await.unwrap(), crate::store::Committed::Yes);
    }
    (id, players.try_into().unwrap())
}

fn games() -> Games {
    Games::standard(GameSettings::default())
}

async fn log(world: &World, id: &MatchId) -> Vec<Value> {
    let mut events = Vec::new();
    let mut after = None;
    loop {
        let page = world.matches.events(&Reader::default(), id, after, 100).await.unwrap();
        let Some(last) = page.items.last() else { return events };
        after = Some(last.cursor());
        events.extend(page.items.iter().map(|told| serde_json::from_str::<Value>(told.event.get()).unwrap()));
    }
}

fn of_type<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

#[tokio::test]
async fn an_old_match_is_told_read_and_played_on_to_a_record_that_verifies() {
    let world = World::new();
    let (id, players) = stored(&world, PLAYING).await;
    let before = log(&world, &id).await;
    assert!(of_type(&before, "luckdraw").is_empty() && !of_type(&before, "luck_cards_drawn").is_empty());
    let due = of_type(&before, "henge_decision_due");
    assert_eq!(due.last().unwrap()["stack"][2]["type"], "action");
    assert_eq!(due.last().unwrap()["stack"][2]["units"], 1);

    let viewed = world.read(&players[0], &id).await;
    let view: Value = serde_json::from_str(viewed.live.state().unwrap().view(viewed.viewer).unwrap().get()).unwrap();
    assert_eq!(view["stack"], due.last().unwrap()["stack"]);
    let version = viewed.live.stored.version;
    let then = world.matches.history(&Reader::default(), viewed, version / 2, false).await.unwrap();
    assert!(then.live.state().is_some());

    world.play_on(&id, &players, 1000).await;
    let record = world.export(&id).await.unwrap();
    assert!(record.steps.len() as u64 > version);
    let verified = verify(&games(), &record).unwrap();
    assert_eq!(verified.steps, record.steps.len());
    assert!(record.outcome.standings.iter().all(|standing| standing.figures.contains_key("end_of_game")));
}

#[tokio::test]
async fn an_old_finished_match_has_its_result_under_the_names_of_today() {
    let world = World::new();
    let (id, players) = stored(&world, FINISHED).await;
    let viewed = world.read(&players[0], &id).await;
    let outcome = viewed.live.stored.outcome.clone().unwrap();
    assert!(outcome.standings.iter().all(|standing| {
        let figures = &standing.figures;
        figures.contains_key("end_of_game_cards") && !figures.keys().any(|name| name.contains("eog"))
    }));
    let events = log(&world, &id).await;
    assert_eq!(of_type(&events, "match_ended")[0]["outcome"], serde_json::to_value(&outcome).unwrap());
    let record = world.export(&id).await.unwrap();
    assert_eq!(verify(&games(), &record).unwrap().steps, record.steps.len());
}

#[test]
fn old_records_verify_and_any_change_to_them_is_found() {
    for record in RECORDS {
        let record: crate::matches::export::MatchExport = serde_json::from_str(record).unwrap();
        let verified = verify(&games(), &record).unwrap();
        assert_eq!(verified.steps, record.steps.len());

        let find = |record: &crate::matches::export::MatchExport, kind: &str| {
            let at =
                |step: &crate::matches::export::ExportStep| step.events.iter().position(|e| e.value()["type"] == kind);
            record.steps.iter().enumerate().find_map(|(step, found)| Some((step, at(found)?))).unwrap()
        };
        for (kind, field, value) in [
            ("luckdraw", "left", json!(0)),
            ("druid", "place", json!(2)),
            ("decision", "stack", json!([])),
            ("botnothing", "place", json!(0)),
            ("match_ended", "outcome", json!(null)),
        ] {
            let mut other = record.clone();
            let (step, event) = find(&other, kind);
            let mut said = other.steps[step].events[event].value();
            said[field] = value;
            other.steps[step].events[event] = said.into();
            let found = verify(&games(), &other).unwrap_err();
            assert!(matches!(found, Discrepancy::Events { step: at, .. } if at == step + 1), "{kind}: {found}");
        }
        let mut other = record.clone();
        *other.outcome.standings[0].figures.get_mut("eog").unwrap() += 1;
        assert!(matches!(verify(&games(), &other).unwrap_err(), Discrepancy::Outcome { .. }));
    }
}
