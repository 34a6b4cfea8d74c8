//! Matches of all games at every stage, played at random in this process.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use futures_util::future::{join, join_all};
use sarsen::app::{self, Running};
use sarsen::config::Settings;
use sarsen::games::{ListForm, MoveInput};
use sarsen::http::service::Shared;
use sarsen::http::settings::ServerConfig;
use sarsen::ids::MatchId;
use sarsen::matches::idempotency::Idempotency;
use sarsen::matches::model::terms::{Seated, Visibility};
use sarsen::matches::play::{DecisionId, MoveRequest};
use sarsen::matches::seats::Joining;
use sarsen::matches::{NewMatch, Reader, Stage};
use sarsen::rules::{Dice, DiceSeed, Seat, SeatCount};
use sarsen::store::Store;

use crate::transfer::games;

/// The number of matches that are played at once.
const AT_ONCE: usize = 32;
/// After at most so many moves a match stays as it is, or somebody resigns.
const MOVES: usize = 24;

/// Makes so many matches in a store in this directory.
pub async fn fill(directory: &Path, matches: usize) {
    fill_while(directory, matches, async |_| ()).await;
}

/// The same, while something else is done with the store.
pub async fn fill_while<T>(directory: &Path, matches: usize, besides: impl AsyncFn(Arc<dyn Store>) -> T) -> T {
    let server = ServerConfig { workers: Some(1), ..ServerConfig::default() };
    let settings = Settings { server, ..Settings::local(directory) };
    let running: Running = app::start(settings, games()).await.unwrap();
    let service = &running.service;
    let ids: Vec<String> = games().iter().map(|game| game.info().id.to_owned()).collect();
    let guests = join_all((0..8).map(|number| guest(service, number))).await;
    let (guests, ids) = (Arc::new(guests), Arc::new(ids));
    let filling = async {
        let mut done = 0;
        while done < matches {
            let batch = (done..matches.min(done + AT_ONCE)).map(|number| {
                let (service, guests, ids) = (service.clone(), Arc::clone(&guests), Arc::clone(&ids));
                tokio::spawn(async move { play(&service, &guests, &ids[number % ids.len()], number).await })
            });
            for played in join_all(batch.collect::<Vec<_>>()).await {
                played.unwrap();
            }
            done += AT_ONCE;
        }
    };
    let ((), besides) = join(filling, besides(running.store.clone())).await;
    running.stop().await.unwrap();
    besides
}

async fn guest(service: &Shared, number: usize) -> Seated {
    let name = format!("Guest {number}");
    let made = service.players.create_guest(name.parse().unwrap(), None).await.unwrap();
    Seated::person(made.player.id.clone(), name)
}

/// Makes a match and plays it for some time; every tenth stays open, every seventh is private.
async fn play(service: &Shared, guests: &[Seated], game: &str, number: usize) {
    let mut dice = Dice::new(DiceSeed([number as u8; 32]));
    let info = *games().iter().find(|found| found.info().id == game).unwrap().info();
    let seats = SeatCount::new(info.min_seats.max(1 + (number % 3) as u8).min(info.max_seats)).unwrap();
    let new = NewMatch {
        seats: Some(seats),
        seat: Seat::new(0).filter(|_| !number.is_multiple_of(10)),
        visibility: Some(if number.is_multiple_of(7) { Visibility::Private } else { Visibility::Public }),
        ..NewMatch::of(game)
    };
    let once = Idempotency { key: format!("make {number}"), fingerprint: "f".to_owned() };
    let creator = guests[number % guests.len()].clone();
    let viewed = service.matches.create(creator.clone(), Ok(new), Some(&once)).await.unwrap().viewed;
    let (id, invite) = (viewed.live.stored.id.clone(), viewed.live.stored.terms.invite.clone());
    if number.is_multiple_of(10) {
        if number.is_multiple_of(20) {
            service.matches.abort(&Reader::player(creator.id), &id, None).await.unwrap();
        }
        return;
    }
    for place in 1..usize::from(seats.get()) {
        let joining = Joining { invite: invite.clone(), ..Joining::default() };
        let guest = guests[(number + place) % guests.len()].clone();
        service.matches.join(guest, &id, joining, None).await.unwrap();
    }
    for made in 0..MOVES {
        if !make_move(service, guests, &id, &mut dice, made).await {
            return;
        }
    }
    if number.is_multiple_of(3) {
        let creator = Reader::player(creator.id);
        if service.matches.read(&creator, &id).await.unwrap().live.stored.stage == Stage::Playing {
            service.matches.resign(&creator, &id, None).await.unwrap();
        }
    }
}

/// Makes a move of whoever is to act; answers whether there was one.
async fn make_move(service: &Shared, guests: &[Seated], id: &MatchId, dice: &mut Dice, made: usize) -> bool {
    let players: BTreeSet<usize> = (0..guests.len()).collect();
    for player in players {
        let reader = Reader::player(guests[player].id.clone());
        let Ok(viewed) = service.matches.read(&reader, id).await else { continue };
        if viewed.live.stored.stage != Stage::Playing {
            return false;
        }
        let Some(seat) = viewed.seat() else { continue };
        let Some(open) = viewed.live.decision(seat) else { continue };
        let listed = viewed.live.state().unwrap().legal_moves(seat, ListForm::Notation).unwrap();
        let moves: Vec<String> = serde_json::from_str(listed.moves.get()).unwrap();
        let mv = MoveInput::Notation(moves[dice.index(moves.len()).unwrap()].clone());
        let request = MoveRequest { decision: Some(DecisionId { version: open.version, seat }), mv };
        let once = Idempotency { key: format!("move {made}"), fingerprint: "f".to_owned() };
        service.matches.play(&guests[player].id, id, Some(&once), Ok(request)).await.unwrap();
        return true;
    }
    false
}
