//! What is stored, read again, rebuilt and exported.

use super::*;
use crate::matches::fairness::ServerSeed;

#[tokio::test]
async fn what_a_newer_release_has_written_is_neither_read_nor_hides_the_rest() {
    let world = World::new();
    let (id, _) = world.started(contiguity()).await;
    let other = world.matches.create(world.person("Cora"), contiguity()).await.unwrap().live.stored.id.clone();
    let loaded = world.store.load_match(&id, None).await.unwrap().unwrap();
    let text = String::from_utf8(loaded.stored).unwrap();
    for (from, to) in
        [("{\"f\":1,", "{\"f\":2,"), ("\"rv\":1,", "\"rv\":2,"), ("\"g\":\"contiguity\"", "\"g\":\"chess\"")]
    {
        let newer = text.replace(from, to);
        assert_ne!(newer, text);
        let version = world.store.load_match(&id, None).await.unwrap().unwrap().version;
        let commit = crate::store::Commit {
            id: id.clone(),
            expected: version,
            stored: newer.into_bytes(),
            entry: b"{}".to_vec(),
            listing: None,
            replay: None,
            notify: Vec::new(),
        };
        assert_eq!(world.store.commit(commit).await.unwrap(), crate::store::Committed::Yes);
        let unread = refusal(world.matches.read(&Reader::default(), &id).await);
        assert!(matches!(unread, Refused::Unreadable(_)), "{unread}");
        let filter = MatchFilter { mine: None, my_turn: false, stage: None, game: None, before: None, limit: 10 };
        let page = world.matches.list(&Reader::default(), &filter).await.unwrap();
        let ids: Vec<_> = page.items.iter().map(|viewed| viewed.live.stored.id.clone()).collect();
        assert_eq!(ids, std::slice::from_ref(&other));
    }
}

#[tokio::test]
async fn a_private_match_that_cannot_be_read_shows_itself_to_its_insiders_only() {
    let world = World::new();
    let (ann, eve) = (world.person("Ann"), world.person("Eve"));
    let private = NewMatch { visibility: Visibility::Private, ..contiguity() };
    let record = world.matches.create(ann.clone(), private).await.unwrap().live.stored.clone();
    let newer = String::from_utf8(world.store.load_match(&record.id, None).await.unwrap().unwrap().stored).unwrap();
    let commit = crate::store::Commit {
        id: record.id.clone(),
        expected: record.version,
        stored: newer.replace("{\"f\":1,", "{\"f\":2,").into_bytes(),
        entry: b"{}".to_vec(),
        listing: None,
        replay: None,
        notify: Vec::new(),
    };
    assert_eq!(world.store.commit(commit).await.unwrap(), crate::store::Committed::Yes);
    let invited = |code: &str| Reader { invite: Some(code.to_owned()), ..Reader::default() };
    let readers = [Reader::player(ann.id), invited(&record.terms.invite.unwrap())];
    for insider in readers {
        assert!(matches!(refusal(world.matches.read(&insider, &record.id).await), Refused::Unreadable(_)));
    }
    let stranger = refusal(world.matches.read(&Reader::player(eve.id), &record.id).await);
    assert!(matches!(stranger, Refused::MatchNotFound));
    assert!(matches!(refusal(world.matches.read(&invited("0"), &record.id).await), Refused::WrongInvite));
}

#[tokio::test]
async fn every_version_is_rebuilt_as_it_was() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    let mut stored = Vec::new();
    for _ in 0..20 {
        stored.push(world.store.load_match(&id, None).await.unwrap().unwrap());
        world.play_on(&id, &players, 1).await;
    }
    let reader = Reader::player(players[0].id.clone());
    for loaded in stored {
        let present = world.matches.read(&reader, &id).await.unwrap();
        let then = world.matches.history(&reader, present, loaded.version, false).await.unwrap();
        let rebuilt: Value = serde_json::from_slice(&then.live.duplicate().encode().unwrap()).unwrap();
        let record: Value = serde_json::from_slice(&loaded.stored).unwrap();
        assert_eq!(rebuilt, record, "version {}", loaded.version);
        assert_eq!(then.viewer, Viewer::Seat(Seat::new(0).unwrap()));
    }
    for missing in [0, 999] {
        let present = world.matches.read(&reader, &id).await.unwrap();
        let refused = refusal(world.matches.history(&reader, present, missing, false).await);
        assert!(matches!(refused, Refused::NoSuchVersion));
    }
}

#[tokio::test]
async fn a_finished_match_verifies_and_any_change_to_its_record_is_found() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    assert!(matches!(refusal(world.export(&id).await), Refused::NotOver));
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
    other.steps[mv].mv = Some(json!({"type": "move", "from": "15a", "to": "16a"}));
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
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Options(_)));

    let mut other = record.clone();
    other.steps.pop();
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::NotOver));

    let mut other = record;
    other.rules_version += 1;
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Game(..)));
}

/// A match as form 1 stores it, from the release that introduced the form. Never to be edited: a later form adds an
/// upgrade and a fixture of its own.
const FORM_1: &str = include_str!("../../../tests/fixtures/match_form_1.json");

#[test]
fn form_1_is_read_for_good() {
    let stored: Value = serde_json::from_str(FORM_1).unwrap();
    let games = Games::standard(GameSettings::default());
    let mut live = LiveMatch::open(&games, stored["record"].to_string().as_bytes()).unwrap();
    let written: Value = serde_json::from_slice(&live.encode().unwrap()).unwrap();
    assert_eq!(written, stored["record"]);
    for entry in stored["log"].as_array().unwrap() {
        let read = LogEntry::decode(entry.to_string().as_bytes()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), *entry);
    }
    assert_eq!(live.stored.version, stored["log"].as_array().unwrap().len() as u64);
}

/// A whole match of every game with all its seats, drawn at random: a record is loaded and stored at every move.
#[tokio::test]
async fn records_stay_small_to_the_end() {
    let world = World::new();
    let games = Games::standard(GameSettings::default());
    for game in games.iter() {
        let seats = SeatCount::new(game.info().max_seats);
        let new = NewMatch { game: game.info().id.to_owned(), seats, ..contiguity() };
        let id = world.matches.create(world.person("Ann"), new).await.unwrap().live.stored.id.clone();
        for _ in 1..game.info().max_seats {
            world.matches.join(world.person("Ben"), &id, Joining::default()).await.unwrap();
        }
        let mut live = world.matches.read(&Reader::default(), &id).await.unwrap().live.duplicate();
        let mut dice = Dice::new(DiceSeed([3; 32]));
        let mut longest = 0;
        while let Some(seat) = live.to_act().first() {
            let listed = live.state().unwrap().legal_moves(seat, ListForm::Notation).unwrap();
            let mut moves: Vec<String> = serde_json::from_str(listed.moves.get()).unwrap();
            let mv = moves.swap_remove(dice.index(moves.len()).unwrap());
            let mv = live.game.read_move(&MoveInput::Notation(mv)).unwrap();
            live.play(seat, mv, Timestamp(1_800_000_000_000)).unwrap();
            longest = longest.max(live.encode().unwrap().len());
        }
        eprintln!("{}: at most {longest} bytes", game.info().id);
        assert!(longest < 16 * 1024, "{}: {longest} bytes", game.info().id);
    }
}
