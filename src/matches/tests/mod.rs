//! The life of a match, from creation to a verified record, on the embedded store.

mod again;
mod agreement;
mod any_order;
mod bots;
mod cache;
mod clocks;
mod draws;
mod failover;
mod following;
mod forking;
mod hotseat;
mod invites;
mod last_move;
mod leaving;
mod one_trip;
mod plans;
mod playing;
mod reading;
mod records;
mod rematch;
mod reserving;
mod seats;
mod spoken;
mod stored;
mod summary;
mod together;
mod undo;
mod versions;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::cursor::{EventCursor, NoticeCursor};
use super::export::{Discrepancy, ExportAction, MatchExport, verify};
use super::fairness::SeatEntropy;
use super::hub::Hub;
use super::idempotency::{Answered, Idempotency};
use super::lists::MatchFilter;
use super::live_match::LiveMatch;
use super::log::{Cause, LogEntry};
use super::play::{DecisionId, MoveRequest, Moved};
use super::refused::{
    ClaimRefused, CreateRefused, DrawRefused, Forbidden, MoveRefused, OutOfPlay, ReadRefused, RematchRefused,
    SeatRefused,
};
use super::reserving::{ReservedSeat, TableTerms};
use super::seats::Joining;
use super::terms::{Seated, StartMode, UndoTerms, Visibility};
use super::told::ToldEvent;
use super::{Matches, NewMatch, Reader, Refused, Stage, Unread, ViewedMatch};
use crate::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
use crate::games::{GameSettings, Games, ListForm, MoveInput};
use crate::ids::{MatchId, PlayerId};
use crate::rules::{Dice, DiceSeed, Outcome, Seat, SeatCount, Verdict, Viewer};
use crate::store::embedded::Embedded;
use crate::store::{MatchStore, Store};
use crate::telemetry::MatchCounts;

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
        World::with(Games::standard(GameSettings::default()))
    }

    fn with(games: Games) -> World {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::at(Timestamp(1_800_000_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(7)));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(dir.path(), ambient.clone()).unwrap());
        let matches = Matches::new(
            store.clone(),
            store.clone(),
            store.clone(),
            Arc::new(games),
            ambient.clone(),
            Arc::new(Hub::default()),
            Arc::new(MatchCounts::unseen()),
        )
        .with_checkpoints(store.clone())
        .with_archives(store.clone())
        .with_plans(store.clone());
        World { matches, store, clock, ambient, _dir: dir }
    }

    /// The use cases of another instance on the same store, which has nothing in memory.
    fn in_another_instance(&self) -> Matches {
        let games = Arc::new(Games::standard(GameSettings::default()));
        let (hub, counts) = (Arc::new(Hub::default()), Arc::new(MatchCounts::unseen()));
        let store = || self.store.clone();
        Matches::new(store(), store(), store(), games, self.ambient.clone(), hub, counts)
            .with_checkpoints(store())
            .with_archives(store())
            .with_plans(store())
    }

    /// The same service in another release, which has these games.
    fn in_release_with(mut self, games: Games) -> World {
        self.matches = self.instance(self.store.clone(), games);
        self
    }

    /// Another instance of the service. It hears nothing of what the others do.
    fn another(&self) -> Matches {
        self.instance(self.store.clone(), Games::standard(GameSettings::default()))
    }

    /// Another instance with these games, which keeps its matches there.
    fn instance(&self, matches: Arc<dyn MatchStore>, games: Games) -> Matches {
        Matches::new(
            matches,
            self.store.clone(),
            self.store.clone(),
            Arc::new(games),
            self.ambient.clone(),
            Arc::new(Hub::default()),
            Arc::new(MatchCounts::unseen()),
        )
    }

    fn person(&self, name: &str) -> Seated {
        Seated { id: PlayerId::generate(&self.ambient), name: name.to_owned() }
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
        let joining = Joining { seat: None, entropy: Some(entropy("oak")), invite };
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
    async fn turn(&self, id: &MatchId, players: &[Seated; 2]) -> (Seated, DecisionId, Vec<String>) {
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

fn contiguity() -> NewMatch {
    NewMatch { move_time_seconds: Some(60), ..NewMatch::of("contiguity") }
}

fn short() -> NewMatch {
    NewMatch { options: json!({"turn_limit": 20}), ..contiguity() }
}

fn by(player: &Seated) -> Reader {
    Reader::player(player.id.clone())
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

fn outcome(viewed: &ViewedMatch) -> &Outcome {
    viewed.live.stored.outcome.as_ref().unwrap()
}

fn summary(outcome: &Outcome) -> (String, Vec<(u8, Verdict)>) {
    let standings = outcome.standings.iter().map(|standing| (standing.rank, standing.verdict)).collect();
    (outcome.ending.clone().into_owned(), standings)
}
