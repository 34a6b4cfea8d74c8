//! Steps on a match as it was known to an instance, and reads by where it stands: one trip each, and always answered as
//! if the match had been loaded.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::relay::{Choose, Relay};
use super::*;
use sarsen_store::{self as store, Live, StoreError};

/// A store that counts what it is asked for.
pub(super) struct Counting {
    store: Arc<dyn Store>,
    asked: [AtomicUsize; 3],
    logs: AtomicUsize,
    /// True if it is away for commits.
    stopped: AtomicBool,
}

/// The numbers of loads of a match, of questions where it stands, and of attempts to commit.
pub(super) type Trips = [usize; 3];

impl Counting {
    pub(super) fn of(world: &World) -> Arc<Relay<Counting>> {
        Arc::new(Relay(Counting {
            store: world.store.clone(),
            asked: Default::default(),
            logs: AtomicUsize::default(),
            stopped: AtomicBool::default(),
        }))
    }

    /// Fails at each commit from now on, or not any more.
    pub(super) fn stop(&self, stopped: bool) {
        self.stopped.store(stopped, Ordering::SeqCst);
    }

    /// Returns the number of readings of a log since the last call.
    pub(super) fn logs(&self) -> usize {
        self.logs.swap(0, Ordering::SeqCst)
    }

    /// Returns the numbers of trips since the last call.
    pub(super) fn trips(&self) -> Trips {
        self.asked.each_ref().map(|count| count.swap(0, Ordering::SeqCst))
    }

    fn count(&self, what: usize) {
        self.asked[what].fetch_add(1, Ordering::SeqCst);
    }
}

impl Choose for Counting {
    fn choose(&self, operation: &str) -> store::Result<Arc<dyn Store>> {
        match operation {
            "load_match" => self.count(0),
            "standing" => self.count(1),
            "commit" => self.count(2),
            "log" => drop(self.logs.fetch_add(1, Ordering::SeqCst)),
            _ => {}
        }
        if operation == "commit" && self.stopped.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("it has stopped".into()));
        }
        Ok(Arc::clone(&self.store))
    }
}

fn asked(decision: DecisionId, notation: &str) -> Result<MoveRequest, Unread> {
    Ok(MoveRequest { decision: Some(decision), mv: MoveInput::Notation(notation.to_owned()) })
}

pub(super) fn once(key: &str, fingerprint: &str) -> Idempotency {
    Idempotency { key: key.to_owned(), fingerprint: fingerprint.to_owned() }
}

/// A match of two, an instance that knows it as it is now, and another that will go on without the first hearing of it.
struct Table {
    world: World,
    id: MatchId,
    players: [Seated; 2],
    counting: Arc<Relay<Counting>>,
    knows: Matches,
}

impl Table {
    async fn new(new: NewMatch) -> Table {
        let world = World::new();
        let (id, players) = world.started(new).await;
        let counting = Counting::of(&world);
        let knows = world.instance_on(counting.clone());
        let table = Table { world, id, players, counting, knows };
        table.learn().await;
        table
    }

    async fn learn(&self) {
        self.knows.read(&by(&self.players[0]), &self.id).await.unwrap();
        self.counting.trips();
    }

    async fn play(
        &self,
        player: &Seated,
        once: Option<&Idempotency>,
        request: Result<MoveRequest, Unread>,
    ) -> Result<Moved, Refused> {
        self.knows.play(&player.id, &self.id, once, request).await
    }

    /// The legal move of this number, made by whoever is to act, past the instance that knows the match.
    async fn go_on(&self, number: usize) {
        let (player, decision, moves) = self.world.turn(&self.id, &self.players).await;
        self.world.play(&player, &self.id, Some(decision), &moves[number], None).await.unwrap();
    }

    fn trips(&self) -> Trips {
        self.counting.trips()
    }

    async fn version(&self) -> u64 {
        self.world.store.standing(&self.id).await.unwrap().unwrap().version
    }
}

#[tokio::test]
async fn what_is_known_takes_one_trip() {
    let table = Table::new(contiguity()).await;
    for version in 3..8 {
        let (player, decision, moves) = table.world.turn(&table.id, &table.players).await;
        let key = once(&format!("k{version}"), "f");
        let moved = table.play(&player, Some(&key), asked(decision, &moves[0])).await.unwrap();
        assert_eq!((moved.viewed.live.stored.version, table.trips()), (version, [0, 0, 1]));
        let viewed = table.knows.read(&by(&table.players[1]), &table.id).await.unwrap();
        assert_eq!((viewed.live.stored.version, table.trips()), (version, [0, 1, 0]));
    }
    table.knows.resign(&by(&table.players[0]), &table.id, None).await.unwrap();
    assert_eq!(table.trips(), [0, 0, 1]);
}

#[tokio::test]
async fn what_is_not_known_is_loaded() {
    let table = Table::new(contiguity()).await;
    let (player, decision, moves) = table.world.turn(&table.id, &table.players).await;
    let fresh = table.world.instance_on(table.counting.clone());
    fresh.play(&player.id, &table.id, None, asked(decision, &moves[0])).await.unwrap();
    assert_eq!(table.trips(), [1, 0, 1]);
    // The one that knew it finds out, and knows it from then on.
    for wanted in [[1, 1, 0], [0, 1, 0]] {
        let viewed = table.knows.read(&Reader::default(), &table.id).await.unwrap();
        assert_eq!((viewed.live.stored.version, table.trips()), (3, wanted));
    }
}

#[tokio::test]
async fn a_step_on_an_old_match_is_taken_again_on_the_present_one() {
    let table = Table::new(contiguity()).await;
    table.go_on(0).await;
    let (player, decision, moves) = table.world.turn(&table.id, &table.players).await;
    // As this instance knows the match, it is the other one's turn.
    let moved = table.play(&player, None, asked(decision, &moves[0])).await.unwrap();
    assert_eq!((moved.viewed.live.stored.version, table.trips()), (4, [1, 0, 1]));
    table.go_on(0).await;
    // This is possible on both.
    let answered = table.knows.offer_draw(&by(&table.players[0]), &table.id, None).await.unwrap();
    assert_eq!((answered.viewed.live.stored.version, table.trips()), (6, [1, 0, 2]));
}

#[tokio::test]
async fn a_refusal_is_that_of_the_present_match() {
    let table = Table::new(contiguity()).await;
    let (player, decision, moves) = table.world.turn(&table.id, &table.players).await;
    let other = table.players.iter().find(|seated| **seated != player).unwrap();
    // Legal as it is known; by now it is not the player's turn.
    table.go_on(0).await;
    refused!(table.play(&player, None, asked(decision, &moves[1])).await, Refused::Move(MoveRefused::NotYourTurn(3)));
    // Legal on both, for a decision that is not open any more.
    table.learn().await;
    let (_, theirs, legal) = table.world.turn(&table.id, &table.players).await;
    table.go_on(0).await;
    table.go_on(0).await;
    let (_, now, still) = table.world.turn(&table.id, &table.players).await;
    assert_eq!((theirs.seat, theirs.version, now.version), (now.seat, 3, 5));
    let both = legal.iter().find(|mv| still.contains(mv)).unwrap();
    refused!(table.play(other, None, asked(theirs, both)).await, Refused::Move(MoveRefused::StaleDecision(5)));
    // Illegal as it is known, and over by now.
    table.world.matches.resign(&by(other), &table.id, None).await.unwrap();
    refused!(table.play(other, None, asked(theirs, "15a-16a")).await, Refused::OutOfPlay(OutOfPlay::MatchOver(6)));
    // What is refused for a match that has not changed is loaded just the same.
    table.trips();
    refused!(table.play(other, None, asked(theirs, "15a-16a")).await, Refused::OutOfPlay(OutOfPlay::MatchOver(6)));
    assert_eq!(table.trips(), [1, 0, 0]);
}

#[tokio::test]
async fn a_deleted_match_is_not_found() {
    for visibility in [Visibility::Public, Visibility::Private] {
        let table = Table::new(NewMatch { visibility: Some(visibility), ..contiguity() }).await;
        let (player, decision, moves) = table.world.turn(&table.id, &table.players).await;
        table.world.matches.delete(&table.id).await.unwrap();
        let invited = Reader { invite: Some("x".to_owned()), ..Reader::default() };
        for _ in 0..2 {
            let not_found = |refused: Refused| matches!(refused, Refused::Read(ReadRefused::MatchNotFound));
            let played = table.play(&player, Some(&once("k", "f")), asked(decision, &moves[0])).await;
            assert!(not_found(played.map(drop).unwrap_err()));
            let read = table.knows.read(&by(&player), &table.id).await;
            assert!(not_found(read.map(drop).unwrap_err()));
            let resigned = table.knows.resign(&by(&player), &table.id, None).await;
            assert!(not_found(resigned.map(drop).unwrap_err()));
            refused!(table.knows.read(&invited, &table.id).await, Refused::Read(ReadRefused::WrongInvite));
        }
        assert!(table.world.store.load_match(&table.id, None).await.unwrap().is_none());
    }
}

#[tokio::test]
async fn whoever_has_lost_the_seat_is_refused() {
    for visibility in [Visibility::Public, Visibility::Private] {
        let table =
            Table::new(NewMatch { visibility: Some(visibility), start: StartMode::Manual, ..contiguity() }).await;
        let [ann, ben] = &table.players;
        let elsewhere = &table.world.matches;
        elsewhere.leave(&by(ben), &table.id, None).await.unwrap();
        let cora = table.world.person("Cora");
        let invite = table.world.read(ann, &table.id).await.live.stored.terms.invite.clone();
        elsewhere.join(cora.clone(), &table.id, Joining { invite, ..Joining::default() }, None).await.unwrap();
        // As it is known, Ben sits there and may leave, may give entropy, and cannot move yet.
        let old = table.knows.cache.last_known(&table.id).unwrap();
        let decision = DecisionId { version: 2, seat: seat(1) };
        for asks in 0..3 {
            table.knows.cache.keep(old.duplicate());
            let refusal = match asks {
                0 => table.knows.leave(&by(ben), &table.id, None).await.map(drop),
                1 => table.knows.give_entropy(&by(ben), &table.id, Ok(entropy("thorn"))).await.map(drop),
                _ => table.play(ben, None, asked(decision, "29b-5b")).await.map(drop),
            };
            match visibility {
                Visibility::Public => refused!(refusal, Refused::Forbidden(Forbidden::NotSeated)),
                Visibility::Private => refused!(refusal, Refused::Read(ReadRefused::MatchNotFound)),
            }
        }
        table.knows.cache.keep(old.duplicate());
        elsewhere.start(&by(ann), &table.id, None).await.unwrap();
        let (mover, decision, moves) = table.world.turn(&table.id, &[ann.clone(), cora]).await;
        assert_eq!(table.play(&mover, None, asked(decision, &moves[0])).await.unwrap().viewed.live.stored.version, 6);
    }
}

#[tokio::test]
async fn a_private_match_that_is_known_is_as_hidden_as_any() {
    let table = Table::new(NewMatch { visibility: Some(Visibility::Private), ..contiguity() }).await;
    let cora = table.world.person("Cora");
    let invite = table.world.read(&table.players[0], &table.id).await.live.stored.terms.invite.clone();
    let decision = DecisionId { version: 2, seat: seat(0) };
    let with = |invite: Option<String>| Reader { invite, ..by(&cora) };
    refused!(table.knows.read(&with(None), &table.id).await, Refused::Read(ReadRefused::MatchNotFound));
    let wrong = with(Some("wrong".to_owned()));
    refused!(table.knows.read(&wrong, &table.id).await, Refused::Read(ReadRefused::WrongInvite));
    refused!(table.play(&cora, None, asked(decision, "29b-5b")).await, Refused::Read(ReadRefused::MatchNotFound));
    let viewed = table.knows.read(&with(invite.clone()), &table.id).await.unwrap();
    assert_eq!((viewed.viewer, viewed.insider), (Viewer::Spectator, false));
    let joining = |invite| Joining { invite, ..Joining::default() };
    for (invite, right) in [(None, false), (Some("wrong".to_owned()), false), (invite, true)] {
        match table.knows.join(cora.clone(), &table.id, joining(invite), None).await.map(drop).unwrap_err() {
            Refused::Read(_) => assert!(!right),
            refused => assert!(right && matches!(refused, Refused::Seat(SeatRefused::NotOpen)), "{refused:?}"),
        }
    }
}

#[tokio::test]
async fn a_key_that_has_committed_is_answered_again_and_applies_nothing() {
    let table = Table::new(contiguity()).await;
    let (player, decision, moves) = table.world.turn(&table.id, &table.players).await;
    let key = once("k", "f");
    let elsewhere = &table.world.matches;
    let first = elsewhere.play(&player.id, &table.id, Some(&key), asked(decision, &moves[0])).await.unwrap();
    // Its first answer was lost, and it comes again to an instance that knows the match as it was before.
    for _ in 0..2 {
        let again = table.play(&player, Some(&key), asked(decision, &moves[0])).await.unwrap();
        assert!(again.replayed && !first.replayed);
        assert_eq!((texts(&again.events), again.mv.notation), (texts(&first.events), first.mv.notation.clone()));
    }
    // The key comes with another request, which would be made but for the key.
    table.go_on(0).await;
    table.learn().await;
    let (same, next, legal) = table.world.turn(&table.id, &table.players).await;
    assert_eq!(same, player);
    refused!(table.play(&player, Some(&once("k", "g")), asked(next, &legal[0])).await, Refused::KeyReused);
    assert_eq!(table.trips(), [1, 0, 1], "the commit looked for the key");
    let again = table.play(&player, Some(&key), asked(next, &legal[0])).await.unwrap();
    assert_eq!((again.replayed, texts(&again.events)), (true, texts(&first.events)));
    refused!(table.knows.offer_draw(&by(&player), &table.id, Some(&once("k", "g"))).await, Refused::KeyReused);
    assert_eq!(table.version().await, 4);
    // What nothing but the key keeps from being done twice, and what the same player may do again later.
    let offer = once("offer", "f");
    let first = elsewhere.offer_draw(&by(&player), &table.id, Some(&offer)).await.unwrap();
    let again = table.knows.offer_draw(&by(&player), &table.id, Some(&offer)).await.unwrap();
    assert_eq!((first.replayed, again.replayed, table.version().await), (false, true, 5));
}

#[tokio::test]
async fn of_a_match_that_is_heard_to_have_gone_on_nothing_is_known() {
    let table = Table::new(contiguity()).await;
    let notifier = Arc::new(Notifier::default());
    let (knows, counting) = (table.world.instance_on(table.counting.clone()), &table.counting);
    notifier.tell(knows.cache.clone(), Arc::default());
    let (tell, told) = broadcast::channel(4);
    let stop = CancellationToken::new();
    let running = tokio::spawn(notifier.run(told, broadcast::channel(4).0, stop.clone()));
    knows.read(&Reader::default(), &table.id).await.unwrap();
    tell.send(Live::Match(table.id.clone(), 2)).unwrap();
    tell.send(Live::Match(MatchId::from_number(7), 9)).unwrap();
    while !tell.is_empty() {
        tokio::task::yield_now().await;
    }
    counting.trips();
    knows.read(&Reader::default(), &table.id).await.unwrap();
    assert_eq!(counting.trips(), [0, 1, 0], "that version is known");
    table.go_on(0).await;
    tell.send(Live::Match(table.id.clone(), 3)).unwrap();
    while knows.cache.last_known(&table.id).is_some() {
        tokio::task::yield_now().await;
    }
    let (player, decision, moves) = table.world.turn(&table.id, &table.players).await;
    knows.play(&player.id, &table.id, None, asked(decision, &moves[0])).await.unwrap();
    assert_eq!(counting.trips(), [1, 0, 1], "no commit is tried in vain");
    stop.cancel();
    running.await.unwrap();
}
