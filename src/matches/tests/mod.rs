//! The life of a match, from creation to a verified record, on the embedded store.

mod agreement;
mod any_order;
mod board_matches;
mod bots;
mod cache;
mod clocks;
mod draws;
mod failover;
mod following;
mod forking;
mod hands;
mod hotseat;
mod invites;
mod last_move;
mod leaf_records;
mod leaves;
mod leaving;
mod narration;
mod news;
mod one_trip;
mod outages;
mod plans;
mod playing;
mod rated;
mod reading;
mod records;
mod relay;
mod rematch;
mod replays;
mod reserving;
mod reviews;
mod seats;
mod stored;
mod summary;
mod together;
mod undo;
mod versions;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::export::{Discrepancy, ExportAction, MatchExport, verify};
use super::idempotency::{Answered, Idempotency};
use super::lists::MatchFilter;
use super::play::{DecisionId, MoveRequest, Moved};
use super::seats::Joining;
use super::{Matches, MatchesParts, NewMatch, Reader, Refused, Stage, Unread, ViewedMatch};
use crate::feed::cursor::{EventCursor, NoticeCursor};
use crate::feed::notifier::Notifier;
use crate::feed::redacted::RedactedEvent;
use crate::model::fairness::SeatEntropy;
use crate::model::log::{Cause, LogEntry};
use crate::model::refused::{
    ClaimRefused, CreateRefused, DrawRefused, Forbidden, MoveRefused, OutOfPlay, ReadRefused, RematchRefused,
    SeatRefused,
};
use crate::model::retention::Retention;
use crate::model::table_terms::{AddressMark, ReservedSeat, TableTerms};
use crate::model::terms::{Seated, StartMode, UndoTerms, Visibility};
use crate::table::live_match::LiveMatch;
use crate::thinking::Thinkers;
use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_base::telemetry::{BotCounts, MatchCounts};
use sarsen_base::worker_pool::WorkerPool;
use sarsen_games::bots::Bots;
use sarsen_games::{GameSettings, Games, ListForm, MoveInput};
use sarsen_rules::{Dice, DiceSeed, Outcome, Seat, SeatCount, Verdict, Viewer};
use sarsen_store::embedded::Embedded;
use sarsen_store::{MatchesStore, Store};

/// A service in miniature, with a clock that the test moves.
struct World {
    matches: Matches,
    store: Arc<dyn Store>,
    clock: Arc<FixedClock>,
    ambient: Ambient,
    _dir: TempDir,
}

impl World {
    fn new() -> World {
        World::with(standard())
    }

    fn with(games: Games) -> World {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::at(Timestamp(1_800_000_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(7)));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(dir.path(), ambient.clone()).unwrap());
        let matches = instance(store.clone(), games, &ambient, Arc::default());
        World { matches, store, clock, ambient, _dir: dir }
    }

    /// The same service in another release, which has these games.
    fn in_release_with(mut self, games: Games) -> World {
        self.matches = self.instance(games);
        self
    }

    /// Another instance of the service. It hears nothing of what the others do.
    fn another(&self) -> Matches {
        self.instance(standard())
    }

    /// Another instance with these games.
    fn instance(&self, games: Games) -> Matches {
        instance(self.store.clone(), games, &self.ambient, Arc::default())
    }

    /// Another instance on a store that is watched or fails.
    fn instance_on(&self, store: Arc<dyn MatchesStore>) -> Matches {
        instance(store, standard(), &self.ambient, Arc::default())
    }

    fn person(&self, name: &str) -> Seated {
        Seated::person(PlayerId::generate(&self.ambient), name.to_owned())
    }

    /// A match that nobody has joined yet.
    async fn made(&self, creator: &Seated, new: NewMatch) -> MatchId {
        self.matches.create(creator.clone(), Ok(new), None).await.unwrap().viewed.live.stored.id.clone()
    }

    /// A match of two that has started, with its two players in seat order.
    async fn started(&self, new: NewMatch) -> (MatchId, [Seated; 2]) {
        let (ann, ben) = (self.person("Ann"), self.person("Ben"));
        let viewed = self.matches.create(ann.clone(), Ok(new), None).await.unwrap().viewed;
        let id = viewed.live.stored.id.clone();
        let invite = viewed.live.stored.terms.invite.clone();
        let joining = Joining { entropy: Some(entropy("oak")), invite, ..Joining::default() };
        self.matches.join(ben.clone(), &id, joining, None).await.unwrap();
        (id, [ann, ben])
    }

    async fn export(&self, id: &MatchId) -> Result<MatchExport, Refused> {
        let viewed = self.matches.read(&Reader::default(), id).await?;
        self.matches.export(viewed).await.map(|(record, _)| record)
    }

    async fn read(&self, player: &Seated, id: &MatchId) -> ViewedMatch {
        self.matches.read(&Reader::player(player.id.clone()), id).await.unwrap()
    }

    /// The player to act, with the decision and the legal moves as notation.
    async fn turn(&self, id: &MatchId, players: &[Seated]) -> (Seated, DecisionId, Vec<String>) {
        for player in players {
            let viewed = self.read(player, id).await;
            let seat = viewed.seat().unwrap();
            if let Some(open) = viewed.live.decision(seat) {
                return (player.clone(), DecisionId { version: open.version, seat }, legal(&viewed.live, seat));
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
        self.matches.play(&player.id, id, idempotency.as_ref(), Ok(MoveRequest { decision, mv: mv.clone() })).await
    }

    /// Plays moves drawn at random until the end or until `most` are made.
    async fn play_on(&self, id: &MatchId, players: &[Seated; 2], most: usize) -> usize {
        let mut dice = Dice::new(DiceSeed([5; 32]));
        for made in 0..most {
            if self.read(&players[0], id).await.live.stored.stage != Stage::Playing {
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

/// An instance that has nothing in memory, and no bots.
fn instance(store: Arc<dyn MatchesStore>, games: Games, ambient: &Ambient, notifier: Arc<Notifier>) -> Matches {
    let thinkers = Thinkers::new(Bots::default(), Arc::new(WorkerPool::new(0)), 0, Arc::new(BotCounts::unseen()));
    let parts = MatchesParts {
        store,
        games: Arc::new(games),
        ambient: ambient.clone(),
        notifier,
        counts: Arc::new(MatchCounts::unseen()),
        statuses: Arc::default(),
        listeners: Arc::default(),
        retention: Retention::default(),
        thinkers: Arc::new(thinkers),
    };
    Matches::new(parts).0
}

fn standard() -> Games {
    Games::standard(GameSettings::default())
}

fn contiguity() -> NewMatch {
    NewMatch { move_time_seconds: Some(60), visibility: Some(Visibility::Public), ..NewMatch::of("contiguity") }
}

fn short() -> NewMatch {
    NewMatch { options: json!({"turn_limit": 20}), ..contiguity() }
}

fn by(player: &Seated) -> Reader {
    Reader::player(player.id.clone())
}

/// The mark of some address, from which nobody counts what is made.
async fn uncounted() -> Result<AddressMark, Unread> {
    Ok(AddressMark::new(7))
}

fn entropy(text: &str) -> SeatEntropy {
    SeatEntropy::try_from(text.to_owned()).unwrap()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// The legal moves of a seat, as notation.
fn legal(live: &LiveMatch, seat: Seat) -> Vec<String> {
    let listed = live.state().unwrap().legal_moves(seat, ListForm::Notation).unwrap();
    serde_json::from_str(listed.moves.get()).unwrap()
}

/// Asserts that something is refused, and why.
macro_rules! refused {
    ($result:expr, $why:pat $(if $when:expr)?) => {
        match $result {
            Err($why) $(if $when)? => {}
            Err(other) => panic!("refused otherwise: {other:?}"),
            Ok(_) => panic!("it was to be refused: {}", stringify!($why)),
        }
    };
}
use refused;

fn texts(events: &[RedactedEvent]) -> Vec<(String, String)> {
    events.iter().map(|told| (told.id.to_string(), told.event.get().to_owned())).collect()
}

fn kinds(events: &[RedactedEvent]) -> Vec<String> {
    let kind = |told: &RedactedEvent| {
        let event: Value = serde_json::from_str(told.event.get()).unwrap();
        event["type"].as_str().unwrap().to_owned()
    };
    events.iter().map(kind).collect()
}

fn outcome(viewed: &ViewedMatch) -> &Outcome {
    viewed.live.stored.outcome.as_ref().unwrap()
}

fn summary(outcome: &Outcome) -> (String, Vec<(u8, Verdict)>) {
    let standings = outcome.standings.iter().map(|standing| (standing.rank, standing.verdict)).collect();
    (outcome.ending.clone().into_owned(), standings)
}
