//! The life of a match, from creation to a verified record, on the embedded store.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::events::ToldEvent;
use super::export::{Discrepancy, ExportAction, verify};
use super::fairness::SeatEntropy;
use super::live::Hub;
use super::play::{DecisionId, Idempotency, MoveRequest, Moved};
use super::read::MatchFilter;
use super::record::{LogEntry, Seated, StartMode, Visibility};
use super::seats::Joining;
use super::table::Table;
use super::{Matches, NewMatch, Reader, Refused, Seen};
use crate::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
use crate::games::{Games, ListForm, MoveInput};
use crate::ids::{MatchId, PlayerId};
use crate::rules::{Dice, DiceSeed, Outcome, Seat, SeatCount, Verdict, Viewer};
use crate::store::embedded::Embedded;
use crate::store::{Stage, Store};

/// A service in miniature, with a clock that the test moves.
struct World {
    matches: Matches,
    store: Arc<dyn Store>,
    clock: Arc<FixedClock>,
    ambient: Ambient,
    dir: PathBuf,
}

impl World {
    fn new() -> World {
        let dir = std::env::temp_dir().join(format!("sarsen-matches-{}", uuid::Uuid::now_v7().simple()));
        let clock = Arc::new(FixedClock::at(Timestamp(1_800_000_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(7)));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(&dir, ambient.clone()).unwrap());
        let games = Arc::new(Games::standard());
        let matches = Matches::new(store.clone(), games, ambient.clone(), Arc::new(Hub::default()));
        World { matches, store, clock, ambient, dir }
    }

    fn person(&self, name: &str) -> Seated {
        Seated { id: PlayerId::generate(&self.ambient), name: name.to_owned() }
    }

    /// A match of two that has started, with its two players in seat order.
    async fn started(&self, new: NewMatch) -> (MatchId, [Seated; 2]) {
        let (ann, ben) = (self.person("Ann"), self.person("Ben"));
        let seen = self.matches.create(ann.clone(), new).await.unwrap();
        let id = seen.table.record.id.clone();
        let invite = seen.table.record.terms.invite.clone();
        let entropy = Some(SeatEntropy::try_from("oak".to_owned()).unwrap());
        self.matches.join(ben.clone(), &id, Joining { seat: None, entropy, invite }).await.unwrap();
        (id, [ann, ben])
    }

    async fn export(&self, id: &MatchId) -> Result<super::export::MatchExport, Refused> {
        let seen = self.matches.read(&Reader::default(), id).await?;
        self.matches.export(seen).await
    }

    async fn read(&self, player: &Seated, id: &MatchId) -> Seen {
        self.matches.read(&Reader::player(player.id.clone()), id).await.unwrap()
    }

    /// The player to act, with the decision and the legal moves as notation.
    async fn turn(&self, id: &MatchId, players: &[Seated; 2]) -> (Seated, DecisionId, Vec<String>) {
        for player in players {
            let seen = self.read(player, id).await;
            let seat = seen.seat().unwrap();
            if let Some(open) = seen.table.decision(seat) {
                let listed = seen.table.state().unwrap().legal_moves(seat, ListForm::Notation).unwrap();
                let moves = serde_json::from_str(listed.moves.get()).unwrap();
                return (player.clone(), DecisionId { version: open.version, seat }, moves);
            }
        }
        panic!("nobody is to act");
    }

    async fn play(
        &self,
        player: &Seated,
        id: &MatchId,
        decision: Option<DecisionId>,
        notation: &str,
        idempotency: Option<(&str, &str)>,
    ) -> Result<Moved, Refused> {
        let idempotency = idempotency
            .map(|(key, fingerprint)| Idempotency { key: key.to_owned(), fingerprint: fingerprint.to_owned() });
        let mv = MoveInput::Notation(notation.to_owned());
        self.matches
            .play(&player.id, id, idempotency.as_ref(), || Ok::<_, Refused>(MoveRequest { decision, mv: mv.clone() }))
            .await
    }

    /// Plays moves drawn at random until the end or until `most` are made.
    async fn play_on(&self, id: &MatchId, players: &[Seated; 2], most: usize) -> usize {
        let mut dice = Dice::new(DiceSeed([5; 32]));
        for made in 0..most {
            if self.read(&players[0], id).await.table.record.stage != Stage::Playing {
                return made;
            }
            let (player, decision, moves) = self.turn(id, players).await;
            let mv = &moves[dice.index(moves.len()).unwrap()];
            self.clock.advance_seconds(3);
            self.play(&player, id, Some(decision), mv, None).await.unwrap();
        }
        most
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _left_to_the_system = std::fs::remove_dir_all(&self.dir);
    }
}

fn contiguity() -> NewMatch {
    NewMatch {
        game: "contiguity".to_owned(),
        options: Value::Null,
        seats: None,
        seat: Seat::new(0),
        visibility: Visibility::Public,
        start: StartMode::WhenFull,
        move_time_seconds: Some(60),
    }
}

fn short() -> NewMatch {
    NewMatch { options: json!({"turn_limit": 20}), ..contiguity() }
}

fn refusal<T>(result: Result<T, Refused>) -> Refused {
    result.err().expect("it was to be refused")
}

fn texts(events: &[ToldEvent]) -> Vec<(String, String)> {
    events.iter().map(|told| (told.id.to_string(), told.event.get().to_owned())).collect()
}

fn kinds(events: &[ToldEvent]) -> Vec<String> {
    let kind = |told: &ToldEvent| {
        let event: Value = serde_json::from_str(told.event.get()).unwrap();
        event["type"].as_str().unwrap().to_owned()
    };
    events.iter().map(kind).collect()
}

fn outcome(seen: &Seen) -> &Outcome {
    seen.table.record.outcome.as_ref().unwrap()
}

fn summary(outcome: &Outcome) -> (String, Vec<(u8, Verdict)>) {
    let standings = outcome.standings.iter().map(|standing| (standing.rank, standing.verdict)).collect();
    (outcome.ending.clone().into_owned(), standings)
}

#[tokio::test]
async fn a_match_starts_when_its_last_seat_is_taken() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let seen = world.read(&players[1], &id).await;
    assert_eq!((seen.table.record.stage, seen.table.record.version), (Stage::Playing, 2));
    assert_eq!(seen.table.to_act().len(), 1);
    let log = world.matches.events(&Reader::default(), &id, None, 100).await.unwrap();
    let told = kinds(&log.items);
    assert_eq!(&told[..5], ["match_created", "player_joined", "player_joined", "entropy_given", "match_started"]);
    assert!(told.len() > 5, "the game tells of its set-up: {told:?}");
    let ids: Vec<String> = log.items.iter().map(|event| event.id.to_string()).collect();
    assert_eq!(&ids[..5], ["1.0", "1.1", "2.0", "2.1", "2.2"]);
}

#[tokio::test]
async fn an_illegal_request_changes_nothing_and_says_why() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let other = players.iter().find(|seated| **seated != player).unwrap();
    let stranger = world.person("Cora");
    let theirs = DecisionId { seat: Seat::new(1 - decision.seat.number()).unwrap(), ..decision };
    let stale = DecisionId { version: decision.version - 1, ..decision };
    let mv = moves[0].as_str();

    assert!(matches!(refusal(world.play(&stranger, &id, Some(decision), mv, None).await), Refused::NotSeated));
    assert!(matches!(refusal(world.play(other, &id, Some(theirs), mv, None).await), Refused::NotYourTurn(2)));
    assert!(matches!(refusal(world.play(&player, &id, Some(stale), mv, None).await), Refused::StaleDecision(2)));
    assert!(matches!(refusal(world.play(&player, &id, Some(theirs), mv, None).await), Refused::StaleDecision(2)));
    assert!(matches!(refusal(world.play(&player, &id, None, mv, None).await), Refused::DecisionMissing));
    assert!(matches!(
        refusal(world.play(&player, &id, Some(decision), "31b-5b", None).await),
        Refused::MalformedMove(_)
    ));
    let Refused::Illegal(illegal) = refusal(world.play(&player, &id, Some(decision), "15a-16a", None).await) else {
        panic!("a move from an empty space is illegal");
    };
    assert!(illegal.rule.starts_with("CO-") || !illegal.rule.is_empty());
    assert_eq!(world.read(&player, &id).await.table.record.version, 2);
    world.play(&player, &id, Some(decision), mv, None).await.unwrap();
    assert!(matches!(refusal(world.play(&player, &id, Some(decision), mv, None).await), Refused::NotYourTurn(3)));
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
    let answers = [&first.seen, &again.seen].map(|seen| {
        (
            seen.table.record.version,
            seen.table.view(seen.viewer).unwrap().unwrap().get().to_owned(),
            seen.table.to_act(),
        )
    });
    assert_eq!(answers[0], answers[1]);
    let other = refusal(world.play(&player, &id, Some(decision), &moves[4], Some(("k", "g"))).await);
    assert!(matches!(other, Refused::KeyReused));
    assert_eq!(world.read(&player, &id).await.table.record.version, 8);
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
            Err(refused) => assert!(matches!(refused, Refused::NotYourTurn(3)), "{refused}"),
        }
    }
    assert_eq!(fresh, 1);
    assert_eq!(world.read(&player, &id).await.table.record.version, 3);
}

#[tokio::test]
async fn a_rehearsal_shows_the_move_and_stores_nothing() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let mv = MoveInput::Notation(moves[0].clone());
    let request = || Ok::<_, Refused>(MoveRequest { decision: Some(decision), mv: mv.clone() });
    let tried = world.matches.rehearse(&player.id, &id, request).await.unwrap();
    assert_eq!(world.read(&player, &id).await.table.record.version, 2);
    let made = world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(texts(&tried.events), texts(&made.events));
    let view = |moved: &Moved| moved.seen.table.view(moved.seen.viewer).unwrap().unwrap().get().to_owned();
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
    let request = || Ok::<_, Refused>(MoveRequest { decision: Some(decision), mv: mv.clone() });
    let tried = world.matches.rehearse(&player.id, &id, request).await.unwrap();
    let made = world.play(&player, &id, Some(decision), "bid 1", None).await.unwrap();
    let next = [&tried, &made].map(|moved| moved.seen.table.decision(decision.seat).map(|open| open.version));
    assert_eq!(next, [Some(3), Some(3)]);
}

#[tokio::test]
async fn what_a_newer_release_has_written_is_neither_read_nor_hides_the_rest() {
    let world = World::new();
    let (id, _) = world.started(contiguity()).await;
    let other = world.matches.create(world.person("Cora"), contiguity()).await.unwrap().table.record.id.clone();
    let loaded = world.store.load_match(&id, None).await.unwrap().unwrap();
    let text = String::from_utf8(loaded.record).unwrap();
    for (from, to) in
        [("{\"f\":1,", "{\"f\":2,"), ("\"rv\":1,", "\"rv\":2,"), ("\"g\":\"contiguity\"", "\"g\":\"chess\"")]
    {
        let newer = text.replace(from, to);
        assert_ne!(newer, text);
        let version = world.store.load_match(&id, None).await.unwrap().unwrap().version;
        let commit = crate::store::Commit {
            id: id.clone(),
            expected: version,
            record: newer.into_bytes(),
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
        let ids: Vec<_> = page.items.iter().map(|seen| seen.table.record.id.clone()).collect();
        assert_eq!(ids, std::slice::from_ref(&other));
    }
}

#[tokio::test]
async fn a_private_match_that_cannot_be_read_shows_itself_to_its_insiders_only() {
    let world = World::new();
    let (ann, eve) = (world.person("Ann"), world.person("Eve"));
    let private = NewMatch { visibility: Visibility::Private, ..contiguity() };
    let record = world.matches.create(ann.clone(), private).await.unwrap().table.record;
    let newer = String::from_utf8(world.store.load_match(&record.id, None).await.unwrap().unwrap().record).unwrap();
    let commit = crate::store::Commit {
        id: record.id.clone(),
        expected: record.version,
        record: newer.replace("{\"f\":1,", "{\"f\":2,").into_bytes(),
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
async fn an_open_match_does_not_change_for_ever() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.matches.create(ann.clone(), contiguity()).await.unwrap().table.record.id.clone();
    let by_ann = Reader::player(ann.id);
    let entropy = SeatEntropy::try_from("again".to_owned()).unwrap();
    let mut given = 0;
    while world.matches.give_entropy(&by_ann, &id, || Ok::<_, Refused>(entropy.clone())).await.is_ok() {
        given += 1;
        assert!(given < 1000);
    }
    let refused = refusal(world.matches.give_entropy(&by_ann, &id, || Ok::<_, Refused>(entropy.clone())).await);
    assert!(matches!(refused, Refused::TooManyChanges));
    assert_eq!(world.matches.abort(&by_ann, &id).await.unwrap().table.record.stage, Stage::Aborted);
}

#[tokio::test]
async fn a_rehearsal_of_the_last_move_does_not_reveal_the_seed() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    world.play_on(&id, &players, 19).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let mv = MoveInput::Notation(moves[0].clone());
    let request = || Ok::<_, Refused>(MoveRequest { decision: Some(decision), mv: mv.clone() });
    let tried = world.matches.rehearse(&player.id, &id, request).await.unwrap();
    assert_eq!(tried.seen.table.record.stage, Stage::Finished);
    assert_eq!(tried.seen.table.revealed_seed(), None);
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert!(world.read(&player, &id).await.table.revealed_seed().is_some());
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
        let mut then = world.matches.history(&reader, present, loaded.version, false).await.unwrap();
        let rebuilt: Value = serde_json::from_slice(&then.table.encode().unwrap()).unwrap();
        let record: Value = serde_json::from_slice(&loaded.record).unwrap();
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
    let games = Games::standard();
    let verified = verify(&games, &record).unwrap();
    assert_eq!((verified.match_id, verified.steps), (id.clone(), record.steps.len()));
    assert!(verified.moves > 0 && verified.dice_words > 0);

    let mut other = record.clone();
    other.seed.replace_range(0..2, if record.seed.starts_with("00") { "01" } else { "00" });
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Commitment(_)));

    // A seed that fits its commitment but not the match: the draw for colours differs for some seed.
    let differs = (0..64).any(|_| {
        let mut other = record.clone();
        let seed = super::fairness::ServerSeed::generate(&world.ambient);
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

#[tokio::test]
async fn co_17_who_resigns_loses_and_the_opponent_wins() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let seen = world.matches.resign(&Reader::player(players[0].id.clone()), &id).await.unwrap();
    assert_eq!(summary(outcome(&seen)), ("resignation".to_owned(), vec![(2, Verdict::Lost), (1, Verdict::Won)]));
    let again = world.matches.resign(&Reader::player(players[1].id.clone()), &id).await;
    assert!(matches!(refusal(again), Refused::MatchOver(3)));
    let record = world.export(&id).await.unwrap();
    verify(&Games::standard(), &record).unwrap();
}

#[tokio::test]
async fn an_absent_seat_is_claimed_against_only_when_its_time_has_passed() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, _) = world.turn(&id, &players).await;
    let other = players.iter().find(|seated| **seated != player).unwrap();
    let (absent, present) = (Reader::player(player.id.clone()), Reader::player(other.id.clone()));
    let their_seat = Seat::new(1 - decision.seat.number()).unwrap();
    world.clock.advance_seconds(59);
    let early = refusal(world.matches.claim(&present, &id, || Ok::<_, Refused>(decision.seat)).await);
    assert!(matches!(early, Refused::ClaimTooEarly { retry_after_seconds: Some(1) }), "{early:?}");
    world.clock.advance_seconds(1);
    assert!(matches!(
        refusal(world.matches.claim(&absent, &id, || Ok::<_, Refused>(decision.seat)).await),
        Refused::OwnSeat
    ));
    assert!(matches!(
        refusal(world.matches.claim(&absent, &id, || Ok::<_, Refused>(their_seat)).await),
        Refused::NotToAct
    ));
    let stranger = Reader::player(world.person("Cora").id);
    assert!(matches!(
        refusal(world.matches.claim(&stranger, &id, || Ok::<_, Refused>(decision.seat)).await),
        Refused::NotSeated
    ));
    let seen = world.matches.claim(&present, &id, || Ok::<_, Refused>(decision.seat)).await.unwrap();
    assert_eq!(summary(outcome(&seen)).0, "abandoned");
    assert_eq!(outcome(&seen).standings[decision.seat.index()].verdict, Verdict::Lost);
}

#[tokio::test]
async fn a_draw_is_offered_declined_lapsed_and_agreed() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let [ann, ben] = [0, 1].map(|index: usize| Reader::player(players[index].id.clone()));
    assert!(matches!(refusal(world.matches.accept_draw(&ben, &id).await), Refused::NoDrawOffer));
    world.matches.offer_draw(&ann, &id).await.unwrap();
    assert!(matches!(refusal(world.matches.accept_draw(&ann, &id).await), Refused::NoDrawOffer));
    assert!(matches!(refusal(world.matches.offer_draw(&ben, &id).await), Refused::DrawOnOffer));
    world.matches.decline_draw(&ben, &id).await.unwrap();
    assert!(matches!(refusal(world.matches.accept_draw(&ben, &id).await), Refused::NoDrawOffer));
    // One offer for each move of one's own.
    assert!(matches!(refusal(world.matches.offer_draw(&ann, &id).await), Refused::DrawOnOffer));
    world.play_on(&id, &players, 2).await;

    // An offer outlives the offerer's own move and lapses with the other's.
    world.matches.offer_draw(&ann, &id).await.unwrap();
    world.play_on(&id, &players, 2).await;
    assert!(matches!(refusal(world.matches.accept_draw(&ben, &id).await), Refused::NoDrawOffer));

    world.matches.offer_draw(&ben, &id).await.unwrap();
    let seen = world.matches.accept_draw(&ann, &id).await.unwrap();
    assert_eq!(summary(outcome(&seen)), ("draw_agreed".to_owned(), vec![(1, Verdict::Drawn); 2]));
}

#[tokio::test]
async fn draw_offers_leave_decisions_open() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.matches.offer_draw(&Reader::player(players[0].id.clone()), &id).await.unwrap();
    let moved = world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(moved.seen.table.record.version, 4);
}

#[tokio::test]
async fn before_the_start_seats_are_taken_and_left_and_the_creator_decides() {
    let world = World::new();
    let (ann, ben) = (world.person("Ann"), world.person("Ben"));
    let new = NewMatch { start: StartMode::Manual, seat: None, ..contiguity() };
    let seen = world.matches.create(ann.clone(), new).await.unwrap();
    let id = seen.table.record.id.clone();
    assert!(seen.seat().is_none() && seen.insider);
    let (by_ann, by_ben) = (Reader::player(ann.id.clone()), Reader::player(ben.id.clone()));
    assert!(matches!(refusal(world.matches.start(&by_ann, &id).await), Refused::SeatsOpen));
    let high = Joining { seat: Seat::new(1), ..Joining::default() };
    world.matches.join(ben.clone(), &id, high.clone()).await.unwrap();
    // Joining again is no second seat, and no second version.
    assert_eq!(world.matches.join(ben.clone(), &id, high).await.unwrap().table.record.version, 2);
    let elsewhere = Joining { seat: Seat::new(0), ..Joining::default() };
    assert!(matches!(refusal(world.matches.join(ben.clone(), &id, elsewhere).await), Refused::AlreadySeated));
    let missing = Joining { seat: Seat::new(2), ..Joining::default() };
    assert!(matches!(refusal(world.matches.join(ann.clone(), &id, missing).await), Refused::NoSuchSeat));
    let taken = Joining { seat: Seat::new(1), ..Joining::default() };
    assert!(matches!(refusal(world.matches.join(ann.clone(), &id, taken).await), Refused::SeatTaken));
    world.matches.leave(&by_ben, &id).await.unwrap();
    assert!(matches!(refusal(world.matches.leave(&by_ben, &id).await), Refused::NotSeated));
    world.matches.join(ann, &id, Joining::default()).await.unwrap();
    world.matches.join(ben, &id, Joining::default()).await.unwrap();
    let full = refusal(world.matches.join(world.person("Cora"), &id, Joining::default()).await);
    assert!(matches!(full, Refused::MatchFull));
    let entropy = SeatEntropy::try_from("thorn".to_owned()).unwrap();
    world.matches.give_entropy(&by_ben, &id, || Ok::<_, Refused>(entropy.clone())).await.unwrap();
    assert!(matches!(refusal(world.matches.start(&by_ben, &id).await), Refused::NotCreator));
    assert_eq!(world.matches.start(&by_ann, &id).await.unwrap().table.record.stage, Stage::Playing);
    assert!(matches!(refusal(world.matches.start(&by_ann, &id).await), Refused::NotOpen));
    assert!(matches!(
        refusal(world.matches.give_entropy(&by_ben, &id, || Ok::<_, Refused>(entropy.clone())).await),
        Refused::NotOpen
    ));
    assert!(matches!(refusal(world.matches.abort(&by_ann, &id).await), Refused::NotOpen));
    assert!(matches!(refusal(world.matches.leave(&by_ben, &id).await), Refused::NotOpen));
}

#[tokio::test]
async fn the_creator_calls_an_open_match_off() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.matches.create(ann.clone(), contiguity()).await.unwrap().table.record.id.clone();
    let stranger = Reader::player(world.person("Ben").id);
    assert!(matches!(refusal(world.matches.abort(&stranger, &id).await), Refused::NotCreator));
    let seen = world.matches.abort(&Reader::player(ann.id), &id).await.unwrap();
    assert_eq!(seen.table.record.stage, Stage::Aborted);
    let late = world.matches.join(world.person("Ben"), &id, Joining::default()).await;
    assert!(matches!(refusal(late), Refused::NotOpen));
}

#[tokio::test]
async fn a_private_match_is_not_there_for_strangers() {
    let world = World::new();
    let (id, players) = world.started(NewMatch { visibility: Visibility::Private, ..contiguity() }).await;
    let invite = world.read(&players[0], &id).await.table.record.terms.invite.clone().unwrap();
    let stranger = world.person("Cora");
    let missing = MatchId::generate(&world.ambient);
    for id in [&id, &missing] {
        let plain = refusal(world.matches.read(&Reader::default(), id).await);
        assert!(matches!(plain, Refused::MatchNotFound));
        let wrong = Reader { player: Some(stranger.id.clone()), invite: Some("nonsense".to_owned()) };
        assert!(matches!(refusal(world.matches.read(&wrong, id).await), Refused::WrongInvite));
        let mv = world.play(&stranger, id, None, "29b-5b", None).await;
        assert!(matches!(refusal(mv), Refused::MatchNotFound));
    }
    let invited = Reader { player: None, invite: Some(invite) };
    let seen = world.matches.read(&invited, &id).await.unwrap();
    assert!(!seen.insider && seen.viewer == Viewer::Spectator);
}

#[tokio::test]
async fn wrong_settings_are_refused() {
    let world = World::new();
    let refused = async |new: NewMatch| refusal(world.matches.create(world.person("Ann"), new).await);
    let game = NewMatch { game: "chess".to_owned(), ..contiguity() };
    assert!(matches!(refused(game).await, Refused::GameNotFound));
    let seats = NewMatch { seats: SeatCount::new(3), ..contiguity() };
    assert!(matches!(refused(seats).await, Refused::SeatCount { min: 2, max: 2 }));
    let seat = NewMatch { seat: Seat::new(2), ..contiguity() };
    assert!(matches!(refused(seat).await, Refused::NoSuchSeat));
    for options in [json!({"speed": 1}), json!({"jump": "long"}), json!({"turn_limit": 19}), json!([])] {
        let wrong = NewMatch { options: options.clone(), ..contiguity() };
        assert!(matches!(refused(wrong).await, Refused::Options(_)), "{options}");
    }
}

#[tokio::test]
async fn lists_show_what_each_caller_may_see_and_page() {
    let world = World::new();
    let (public, players) = world.started(contiguity()).await;
    let private = NewMatch { visibility: Visibility::Private, ..contiguity() };
    let private = world.matches.create(players[0].clone(), private).await.unwrap().table.record.id.clone();
    let open = world.matches.create(players[1].clone(), contiguity()).await.unwrap().table.record.id.clone();
    let filter = MatchFilter { mine: None, my_turn: false, stage: None, game: None, before: None, limit: 10 };
    let list = async |filter: MatchFilter| {
        let page = world.matches.list(&Reader { player: filter.mine.clone(), invite: None }, &filter).await.unwrap();
        page.items.iter().map(|seen| seen.table.record.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(BTreeSet::from_iter(list(filter.clone()).await), BTreeSet::from([public.clone(), open.clone()]));
    assert_eq!(list(MatchFilter { stage: Some(Stage::Open), ..filter.clone() }).await, [open]);
    assert_eq!(list(MatchFilter { game: Some("other".to_owned()), ..filter.clone() }).await, []);
    let mine = MatchFilter { mine: Some(players[0].id.clone()), ..filter.clone() };
    assert_eq!(BTreeSet::from_iter(list(mine).await), BTreeSet::from([public.clone(), private]));
    let (player, ..) = world.turn(&public, &players).await;
    for person in &players {
        let turn = MatchFilter { mine: Some(person.id.clone()), my_turn: true, ..filter.clone() };
        let expected = if *person == player { vec![public.clone()] } else { vec![] };
        assert_eq!(list(turn).await, expected);
    }
    let first = world.matches.list(&Reader::default(), &MatchFilter { limit: 1, ..filter.clone() }).await.unwrap();
    let rest = list(MatchFilter { before: first.next.clone(), ..filter }).await;
    assert_eq!((first.items.len(), rest.len()), (1, 1));
}

#[tokio::test]
async fn the_event_log_pages_without_gaps_or_repeats() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    world.play_on(&id, &players, 100).await;
    let reader = Reader::default();
    let whole = world.matches.events(&reader, &id, None, 1000).await.unwrap();
    assert!(whole.ended && !whole.more);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = world.matches.events(&reader, &id, after, 3).await.unwrap();
        after = page.items.last().map(|event| event.id).or(after);
        paged.extend(texts(&page.items));
        if !page.more {
            break;
        }
    }
    assert_eq!(paged, texts(&whole.items));
    assert_eq!(kinds(&whole.items).last().unwrap(), "match_ended");
}

#[tokio::test]
async fn my_events_tell_of_all_my_matches_and_of_my_turn() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let (first, decision, moves) = world.turn(&id, &players).await;
    world.play(&first, &id, Some(decision), &moves[0], None).await.unwrap();
    let (second, ..) = world.turn(&id, &players).await;
    let page = world.matches.my_events(&second.id, 0, 100).await.unwrap();
    let last = page.items.last().unwrap();
    assert!(last.your_turn && last.match_id == id && last.version == 3 && !page.more);
    assert!(kinds(&last.events).contains(&"move_made".to_owned()));
    let page = world.matches.my_events(&first.id, 0, 100).await.unwrap();
    assert!(!page.items.last().unwrap().your_turn);
    assert!(world.matches.my_events(&first.id, page.last, 100).await.unwrap().items.is_empty());
    let numbers: Vec<u64> = page.items.iter().map(|event| event.number).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
}

/// A match as form 1 stores it, from the release that introduced the form. Never to be edited: a later form adds an
/// upgrade and a fixture of its own.
const FORM_1: &str = include_str!("../../tests/fixtures/match_form_1.json");

#[test]
fn form_1_is_read_for_good() {
    let stored: Value = serde_json::from_str(FORM_1).unwrap();
    let games = Games::standard();
    let mut table = Table::open(&games, stored["record"].to_string().as_bytes()).unwrap();
    let written: Value = serde_json::from_slice(&table.encode().unwrap()).unwrap();
    assert_eq!(written, stored["record"]);
    for entry in stored["log"].as_array().unwrap() {
        let read = LogEntry::decode(entry.to_string().as_bytes()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), *entry);
    }
    assert_eq!(table.record.version, stored["log"].as_array().unwrap().len() as u64);
}
