//! Stored matches: read for good, rebuilt from the log, and small.

use super::*;
use crate::exclusive::ExclusiveStart;
use crate::model::adjudication::Adjudication;
use crate::model::clock::{CreditReason, TimeoutConsequence};
use crate::model::events::AbortReason;
use crate::model::fairness::ServerSeed;
use crate::model::invite::StoredInvite;
use crate::model::log::Action;
use crate::model::stored::StoredMatch;
use crate::news::MatchNews;
use crate::rated_result::RatingJob;
use crate::reviews::KeptReview;
use crate::reviews::review::Review;
use crate::table::earlier::Earlier;
use crate::table::log_codec::{Logged, LoggedCause, written};
use crate::table::replay::replay;
use sarsen_games::fixture::FIXTURE;
use sarsen_store::Work;
use sarsen_store::upgrade::Formed;

#[tokio::test]
async fn what_a_newer_release_has_written_is_neither_read_nor_hides_the_rest() {
    let world = World::new();
    let (id, _) = world.started(contiguity()).await;
    let other =
        world.matches.create(world.person("Cora"), Ok(contiguity()), None).await.unwrap().viewed.live.stored.id.clone();
    let loaded = world.store.load_match(&id, None).await.unwrap().unwrap();
    let text = String::from_utf8(loaded.stored).unwrap();
    let form = format!("{{\"f\":{},", StoredMatch::FORMS.present() + 1);
    for (from, to) in [("{\"f\":1,", &*form), ("\"rv\":1,", "\"rv\":2,"), ("\"g\":\"contiguity\"", "\"g\":\"chess\"")] {
        let newer = text.replace(from, to);
        assert_ne!(newer, text);
        let present = world.store.standing(&id).await.unwrap().unwrap();
        let commit = sarsen_store::Commit {
            id: id.clone(),
            expected: present.version,
            expected_stamp: Some(present.stamp),
            stamp: sarsen_store::Stamp::from_number(1),
            stored: newer.into_bytes(),
            entry: b"{}".to_vec(),
            listing: None,
            listed: None,
            replay: None,
            notify: Vec::new(),
            due: sarsen_store::Due::Leave,
            jobs: Vec::new(),
        };
        assert_eq!(world.store.commit(commit).await.unwrap(), sarsen_store::Committed::Yes);
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
    let private = NewMatch { visibility: Some(Visibility::Private), ..contiguity() };
    let made = world.matches.create(ann.clone(), Ok(private), None).await.unwrap().viewed.live.stored.clone();
    let loaded = world.store.load_match(&made.id, None).await.unwrap().unwrap();
    let newer = String::from_utf8(loaded.stored).unwrap();
    let commit = sarsen_store::Commit {
        id: made.id.clone(),
        expected: made.version,
        expected_stamp: Some(loaded.stamp),
        stamp: sarsen_store::Stamp::from_number(1),
        stored: newer.replace("{\"f\":1,", &format!("{{\"f\":{},", StoredMatch::FORMS.present() + 1)).into_bytes(),
        entry: b"{}".to_vec(),
        listing: None,
        listed: None,
        replay: None,
        notify: Vec::new(),
        due: sarsen_store::Due::Leave,
        jobs: Vec::new(),
    };
    assert_eq!(world.store.commit(commit).await.unwrap(), sarsen_store::Committed::Yes);
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
        ("f", |stored| stored.form = 7),
        ("id", |stored| stored.id = MatchId::generate(&Ambient::fixed(7, 7))),
        ("t", |stored| Arc::make_mut(&mut stored.terms).move_time_seconds = Some(77)),
        ("c", |stored| stored.creator.as_mut().unwrap().name = "Cora".to_owned()),
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

/// A match of form 1, of the game that tests alone know, then the entries of its log, one a line. Never to be edited: a
/// later form adds an upgrade and a fixture of its own.
const FORM_1: &str = include_str!("../../../tests/fixtures/match_form_1.jsonl");

fn form_1() -> LiveMatch {
    let stored = FORM_1.lines().next().unwrap();
    LiveMatch::open(&Games::of(Vec::new()).with(FIXTURE), stored.as_bytes()).unwrap()
}

/// Every action of a log, of which what it leaves unsaid in a match is no part.
fn every_action() -> Vec<Action> {
    let (seat, player, hash) = (seat(1), Seated::person(PlayerId::from_number(1), "Ann".to_owned()), "h".to_owned());
    let invite = StoredInvite {
        hash: hash.clone(),
        seat: Some(seat),
        substitutes: true,
        while_away: true,
        left: 1,
        until: Timestamp(7),
    };
    let mv = serde_json::value::RawValue::from_string("{\"type\":\"move\"}".to_owned()).unwrap();
    vec![
        Action::Join { seat, player: player.clone(), entropy: Some(entropy("oak")) },
        Action::Leave { seat },
        Action::Entropy { seat, entropy: entropy("elm") },
        Action::Start,
        Action::Abort,
        Action::CallOff { reason: AbortReason::Operator },
        Action::Move { seat, mv, cut: true, planned: true },
        Action::Resign { seat },
        Action::Claim { seat, by: seat },
        Action::OfferDraw { seat },
        Action::AcceptDraw { seat },
        Action::DeclineDraw { seat },
        Action::Hint { seat },
        Action::Undo { seat, to_version: 2 },
        Action::OfferTakeback { seat, to_version: 2 },
        Action::AcceptTakeback { seat },
        Action::DeclineTakeback { seat },
        Action::Decline { seat },
        Action::EndReservations,
        Action::Reserve { seat, player: player.clone() },
        Action::Invite { invite },
        Action::JoinByInvite { seat, player: player.clone(), entropy: None, hash: hash.clone() },
        Action::Substitute { seat, player, hash: Some(hash) },
        Action::Kick { seat },
        Action::Timeout { seat, consequence: TimeoutConsequence::Forfeit },
        Action::Return { seat },
        Action::ClockCredit { seats: vec![seat], milliseconds: 5, reason: CreditReason::Outage, by: None },
        Action::Adjudicate {
            ruling: Some(Adjudication { ranks: vec![2, 1], verdict: Verdict::Won }),
            reason: "late".to_owned(),
        },
        Action::Adjudicate { ruling: None, reason: "late".to_owned() },
    ]
}

/// Every action as form 1 of the log writes it, one a line. Never to be edited, but for actions that are added.
const ACTIONS_1: &str = include_str!("../../../tests/fixtures/log_actions_form_1.jsonl");

#[test]
fn form_1_is_read_for_good_and_written_back_byte_by_byte() {
    let mut live = form_1();
    let mut lines = FORM_1.lines();
    assert_eq!(String::from_utf8(live.encode().unwrap()).unwrap(), lines.next().unwrap());
    let mut made = None;
    for (version, line) in (1..).zip(lines) {
        let read = Logged::decode(line.as_bytes(), version, &live).unwrap();
        let (next, entry) = replay(&live, made, &read, &mut Earlier::default()).unwrap();
        assert_eq!(String::from_utf8(written(&entry, &live).unwrap()).unwrap(), line);
        made = Some(next);
    }
    assert_eq!(made.unwrap().stored.version, live.stored.version);
}

#[test]
fn every_action_of_log_form_1_is_read_and_written_back_byte_by_byte() {
    let live = form_1();
    let (events, to_act) = (Vec::new(), Vec::new());
    let entry = |action| LogEntry {
        version: 2,
        at: live.stored.created_at,
        cause: Cause::Action(action),
        events: events.clone(),
        to_act: to_act.clone(),
        deadlines: None,
        stamp: sarsen_store::Stamp::from_number(7),
    };
    let lines: Vec<String> = every_action()
        .into_iter()
        .map(|action| String::from_utf8(written(&entry(action), &live).unwrap()).unwrap())
        .collect();
    assert_eq!(lines.iter().map(|line| format!("{line}\n")).collect::<String>(), ACTIONS_1);
    for line in ACTIONS_1.lines() {
        let read = Logged::decode(line.as_bytes(), 2, &live).unwrap();
        let LoggedCause::Whole(Cause::Action(action)) = read.cause else { panic!("{line} is no action in full") };
        assert_eq!(String::from_utf8(written(&entry(action), &live).unwrap()).unwrap(), line);
    }
}

/// The bodies of jobs that matches order, as form 1 has them. Never to be edited, but for jobs that are added.
const JOBS_1: &str = include_str!("../../../tests/fixtures/jobs_form_1.jsonl");

fn assert_form_1<W: Work>(line: Option<&str>) {
    let line = line.unwrap();
    let work = W::of_body(line.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(work.to_body().unwrap()).unwrap(), line);
    let newer = line.replacen("{\"v\":1,", "{\"v\":2,", 1);
    let refused = W::of_body(newer.as_bytes()).err().unwrap().to_string();
    assert!(refused.contains(&format!("a {} of form 2; this release knows forms up to 1", W::NAME)), "{refused}");
    assert!(W::of_body(b"{}").is_err());
}

#[test]
fn every_job_of_form_1_is_read_and_written_back_byte_by_byte() {
    let mut lines = JOBS_1.lines();
    assert_form_1::<MatchNews>(lines.next());
    (0..4).for_each(|_| assert_form_1::<RatingJob>(lines.next()));
    assert_form_1::<Review>(lines.next());
    assert_form_1::<ExclusiveStart>(lines.next());
    assert_eq!(lines.next(), None);
}

#[test]
fn form_1_of_a_review_that_is_kept_is_read_and_written_alike() {
    let form_1 = r#"{"v":1,"at":5,"review":{"t":9,"i":[],"f":[0,1]}}"#;
    assert_eq!(KeptReview::decode(form_1.as_bytes()).unwrap().encode().unwrap(), form_1.as_bytes());
    assert!(KeptReview::decode(form_1.replace("\"v\":1", "\"v\":2").as_bytes()).is_err());
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
