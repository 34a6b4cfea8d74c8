//! What is stored: read for good, rebuilt from the log, and small.

use super::*;
use crate::matches::events::AbortReason;
use crate::matches::fairness::ServerSeed;
use crate::matches::log::Action;
use crate::matches::logged::{Logged, LoggedCause};
use crate::matches::stored::{STORED_FORM, StoredMatch};

#[tokio::test]
async fn what_a_newer_release_has_written_is_neither_read_nor_hides_the_rest() {
    let world = World::new();
    let (id, _) = world.started(contiguity()).await;
    let other =
        world.matches.create(world.person("Cora"), Ok(contiguity()), None).await.unwrap().viewed.live.stored.id.clone();
    let loaded = world.store.load_match(&id, None).await.unwrap().unwrap();
    let text = String::from_utf8(loaded.stored).unwrap();
    let form = format!("{{\"f\":{},", STORED_FORM + 1);
    for (from, to) in [("{\"f\":1,", &*form), ("\"rv\":1,", "\"rv\":2,"), ("\"g\":\"contiguity\"", "\"g\":\"chess\"")] {
        let newer = text.replace(from, to);
        assert_ne!(newer, text);
        let version = world.store.load_match(&id, None).await.unwrap().unwrap().version;
        let commit = crate::store::Commit {
            id: id.clone(),
            expected: version,
            expected_stamp: None,
            stamp: None,
            stored: newer.into_bytes(),
            entry: b"{}".to_vec(),
            listing: None,
            listed: None,
            replay: None,
            notify: Vec::new(),
            due: crate::store::Due::Leave,
        };
        assert_eq!(world.store.commit(commit).await.unwrap(), crate::store::Committed::Yes);
        refused!(world.matches.read(&Reader::default(), &id).await, Refused::Unreadable(_));
        let page = world.matches.list(&Reader::default(), &MatchFilter::default()).await.unwrap();
        let ids: Vec<_> = page.items.iter().map(|viewed| viewed.live.stored.id.clone()).collect();
        assert_eq!(ids, std::slice::from_ref(&other));
    }
}

#[tokio::test]
async fn a_private_match_that_cannot_be_read_shows_itself_to_its_insiders_only() {
    let world = World::new();
    let (ann, eve) = (world.person("Ann"), world.person("Eve"));
    let private = NewMatch { visibility: Visibility::Private, ..contiguity() };
    let made = world.matches.create(ann.clone(), Ok(private), None).await.unwrap().viewed.live.stored.clone();
    let newer = String::from_utf8(world.store.load_match(&made.id, None).await.unwrap().unwrap().stored).unwrap();
    let commit = crate::store::Commit {
        id: made.id.clone(),
        expected: made.version,
        expected_stamp: None,
        stamp: None,
        stored: newer.replace("{\"f\":1,", &format!("{{\"f\":{},", STORED_FORM + 1)).into_bytes(),
        entry: b"{}".to_vec(),
        listing: None,
        listed: None,
        replay: None,
        notify: Vec::new(),
        due: crate::store::Due::Leave,
    };
    assert_eq!(world.store.commit(commit).await.unwrap(), crate::store::Committed::Yes);
    let invited = |code: &str| Reader { invite: Some(code.to_owned()), ..Reader::default() };
    let readers = [by(&ann), invited(&made.terms.invite.clone().unwrap())];
    for insider in readers {
        refused!(world.matches.read(&insider, &made.id).await, Refused::Unreadable(_));
    }
    refused!(world.matches.read(&by(&eve), &made.id).await, Refused::Read(ReadRefused::MatchNotFound));
    refused!(world.matches.read(&invited("0"), &made.id).await, Refused::Read(ReadRefused::WrongInvite));
}

#[tokio::test]
async fn every_version_is_rebuilt_as_it_was() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    let mut versions = Vec::new();
    for _ in 0..20 {
        versions.push(world.store.load_match(&id, None).await.unwrap().unwrap());
        world.play_on(&id, &players, 1).await;
    }
    let reader = Reader::player(players[0].id.clone());
    for loaded in versions {
        let present = world.matches.read(&reader, &id).await.unwrap();
        let then = world.matches.history(&reader, present, loaded.version, false).await.unwrap();
        let rebuilt: Value = serde_json::from_slice(&then.live.duplicate().encode().unwrap()).unwrap();
        let stored: Value = serde_json::from_slice(&loaded.stored).unwrap();
        assert_eq!(rebuilt, stored, "version {}", loaded.version);
        assert_eq!(then.viewer, Viewer::Seat(Seat::new(0).unwrap()));
    }
    for missing in [0, 999] {
        let present = world.matches.read(&reader, &id).await.unwrap();
        let missing = world.matches.history(&reader, present, missing, false).await;
        refused!(missing, Refused::Read(ReadRefused::NoSuchVersion));
    }
}

#[test]
fn a_changed_fact_is_stored_though_it_was_written_before() {
    let mut live = form_1();
    let mut before: Value = serde_json::from_slice(&live.encode().unwrap()).unwrap();
    type Change = fn(&mut StoredMatch);
    let changes: [(&str, Change); 7] = [
        ("f", |stored| stored.needs_form(STORED_FORM)),
        ("id", |stored| stored.id = MatchId::generate(&Ambient::fixed(7, 7))),
        ("t", |stored| Arc::make_mut(&mut stored.terms).move_time_seconds = Some(77)),
        ("c", |stored| stored.creator.name = "Cora".to_owned()),
        ("sd", |stored| stored.seed = ServerSeed::generate(&Ambient::fixed(7, 7))),
        ("t0", |stored| stored.created_at = Timestamp(7)),
        ("t1", |stored| stored.started_at = Some(Timestamp(8))),
    ];
    for (name, change) in changes {
        change(&mut live.stored);
        let after: Value = serde_json::from_slice(&live.encode().unwrap()).unwrap();
        assert_ne!(after[name], before[name], "{name}");
        before[name] = after[name].clone();
        assert_eq!(after, before, "{name} alone");
    }
}

/// A match as form 1 stores it, from the release that introduced the form. Never to be edited: a later form adds an
/// upgrade and a fixture of its own.
const FORM_1: &str = include_str!("../../../tests/fixtures/match_form_1.json");

fn form_1() -> LiveMatch {
    let stored: Value = serde_json::from_str(FORM_1).unwrap();
    LiveMatch::open(&Games::standard(GameSettings::default()), stored["record"].to_string().as_bytes()).unwrap()
}

#[test]
fn form_1_is_read_for_good() {
    let stored: Value = serde_json::from_str(FORM_1).unwrap();
    let mut live = form_1();
    let written: Value = serde_json::from_slice(&live.encode().unwrap()).unwrap();
    assert_eq!(written, stored["record"]);
    for (version, entry) in (1..).zip(stored["log"].as_array().unwrap()) {
        let read = Logged::decode(entry.to_string().as_bytes(), version, &live).unwrap().whole().unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), *entry);
    }
    assert_eq!(live.stored.version, stored["log"].as_array().unwrap().len() as u64);
}

/// Logs of four matches as form 1 stores them, from the release that introduced the form; together they hold every
/// action. Never to be edited.
const LOG_FORM_1: &str = include_str!("../../../tests/fixtures/log_form_1.jsonl");

#[test]
fn every_action_of_log_form_1_is_read_and_written_back_byte_by_byte() {
    let mut actions = BTreeSet::new();
    let live = form_1();
    for line in LOG_FORM_1.lines() {
        let read = Logged::decode(line.as_bytes(), 0, &live).unwrap().whole().unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
        assert_eq!(matches!(read.cause, Cause::Creation(_)), read.version == 1);
        let action: Value = serde_json::to_value(&read.cause).unwrap();
        let name = action.as_str().unwrap_or_else(|| action.as_object().unwrap().keys().next().unwrap()).to_owned();
        actions.insert(name);
    }
    let all = [
        "abort",
        "accept_draw",
        "claim",
        "create",
        "decline_draw",
        "entropy",
        "join",
        "leave",
        "move",
        "offer_draw",
        "resign",
        "start",
    ];
    assert_eq!(actions, BTreeSet::from(all.map(str::to_owned)));
}

#[test]
fn a_creation_is_the_first_entry_of_a_log_and_no_other() {
    let [first, second] = [0, 1].map(|line| LOG_FORM_1.lines().nth(line).unwrap());
    for wrong in [first.replace("\"v\":1,", "\"v\":2,"), second.replace("\"v\":2,", "\"v\":1,")] {
        Logged::decode(wrong.as_bytes(), 0, &form_1()).unwrap_err();
    }
}

/// A whole match of every game with all its seats, drawn at random: a match is loaded and stored at every move.
#[tokio::test]
async fn stored_matches_stay_small_to_the_end() {
    let world = World::new();
    let games = Games::standard(GameSettings::default());
    for game in games.iter() {
        let seats = SeatCount::new(game.info().max_seats);
        let new = NewMatch { game: game.info().id.to_owned(), seats, ..contiguity() };
        let id = world.matches.create(world.person("Ann"), Ok(new), None).await.unwrap().viewed.live.stored.id.clone();
        for _ in 1..game.info().max_seats {
            world.matches.join(world.person("Ben"), &id, Joining::default(), None).await.unwrap();
        }
        let mut live = world.matches.read(&Reader::default(), &id).await.unwrap().live.duplicate();
        let mut dice = Dice::new(DiceSeed([3; 32]));
        let mut longest = 0;
        while let Some(seat) = live.to_act().first() {
            let mut moves = legal(&live, seat);
            let mv = moves.swap_remove(dice.index(moves.len()).unwrap());
            let mv = live.game.read_move(&MoveInput::Notation(mv)).unwrap();
            live.play(seat, mv, Timestamp(1_800_000_000_000)).unwrap();
            longest = longest.max(live.encode().unwrap().len());
        }
        eprintln!("{}: at most {longest} bytes", game.info().id);
        assert!(longest < 16 * 1024, "{}: {longest} bytes", game.info().id);
    }
}

#[tokio::test]
async fn a_match_is_stored_in_the_lowest_form_that_can_express_it() {
    let world = World::new();
    let form = async |visibility, expires_in_seconds| {
        let new = NewMatch { visibility, expires_in_seconds, ..contiguity() };
        let made = world.matches.create(world.person("Ann"), Ok(new), None).await.unwrap().viewed;
        let id = &made.live.stored.id;
        let stored = world.store.load_match(id, None).await.unwrap().unwrap().stored;
        serde_json::from_slice::<Value>(&stored).unwrap()["f"].as_u64().unwrap()
    };
    // The release before this one would write it back without its time.
    assert_eq!(form(Visibility::Public, Some(60)).await, 2);
    assert_eq!(form(Visibility::Private, Some(604_800)).await, 2);
    assert_eq!(form(Visibility::Public, Some(604_800)).await, 1);
    assert_eq!(form(Visibility::Public, None).await, 1);
    assert_eq!(form(Visibility::Private, None).await, 1);
}

#[tokio::test]
async fn what_others_call_off_is_logged_in_a_word_that_earlier_releases_read() {
    let world = World::new();
    let (id, _) = world.started(contiguity()).await;
    world.matches.abort_whole(&id).await.unwrap();
    let logged = world.store.log(&id, 2, 1).await.unwrap().remove(0);
    let entry: Value = serde_json::from_slice(&logged).unwrap();
    assert_eq!((entry["a"].as_str(), entry["w"].as_str()), (Some("abort"), Some("operator")));
    let history = world.matches.read(&Reader::default(), &id).await.unwrap();
    let read = Logged::decode(&logged, 3, &history.live).unwrap();
    let called_off = Cause::Action(Action::CallOff { reason: AbortReason::Operator });
    assert!(matches!(&read.cause, LoggedCause::Whole(cause) if format!("{cause:?}") == format!("{called_off:?}")));
    let rebuilt = world.matches.history(&Reader::default(), history, 3, true).await.unwrap();
    assert_eq!(rebuilt.live.stored.stage, Stage::Aborted);
}
