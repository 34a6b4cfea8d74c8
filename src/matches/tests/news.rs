//! News of matches: who is told what, and what no news can hold.

use std::collections::BTreeMap;

use super::clocks::timed;
use super::*;
use crate::model::clock::WantedClock;
use crate::news::MatchNews;
use sarsen_accounts::notifications::NotificationType as Told;
use sarsen_store::{ItemOwner, JobKind, Work};

impl World {
    /// From now on this owner listens.
    async fn listens(&self, owner: ItemOwner) {
        self.matches.listeners.add(self.store.as_ref(), &owner, &self.ambient).await.unwrap();
    }

    /// The bodies of the news that is due, which is then done.
    async fn news(&self) -> Vec<String> {
        let due = self.store.due_jobs(JobKind::Notify, 100).await.unwrap();
        for job in &due {
            assert!(self.store.move_job(job, None, None).await.unwrap());
        }
        due.into_iter().map(|job| String::from_utf8(job.body).unwrap()).collect()
    }

    /// The same as type, seat and player, in order of their names.
    async fn told(&self) -> Vec<(&'static str, u8, PlayerId)> {
        let news = self.news().await.into_iter().map(|body| MatchNews::of_body(body.as_bytes()).unwrap());
        let news = news.flat_map(|news| news.news);
        let mut told: Vec<_> = news.map(|news| (news.kind.name(), news.seat.index() as u8, news.player)).collect();
        told.sort();
        told
    }
}

#[tokio::test]
async fn a_match_without_listeners_orders_nothing() {
    let world = World::new();
    world.listens(ItemOwner::Player(world.person("Eve").id)).await;
    let (id, players) = world.started(short()).await;
    world.play_on(&id, &players, 4).await;
    assert_eq!(world.store.jobs(JobKind::Notify).await.unwrap().length, 0);
}

#[tokio::test]
async fn players_are_told_of_their_turns_and_of_what_others_do() {
    let world = World::new();
    world.listens(ItemOwner::Service).await;
    let (id, [ann, ben]) = world.started(short()).await;
    let (a, b) = (ann.id.clone(), ben.id.clone());
    let players = [ann.clone(), ben.clone()];
    let first = world.turn(&id, &players).await.1.seat.index();
    let turn = |seat: usize| (Told::TurnStarted.name(), seat as u8, players[seat].id.clone());
    let begun = vec![(Told::MatchStarted.name(), 0, a.clone()), (Told::MatchStarted.name(), 1, b.clone()), turn(first)];
    assert_eq!(world.told().await, begun);
    world.play_on(&id, &players, 1).await;
    assert_eq!(world.told().await, [turn(1 - first)]);
    world.matches.offer_draw(&by(&ann), &id, None).await.unwrap();
    assert_eq!(world.told().await, [(Told::DrawOffered.name(), 1, b.clone())]);
    world.matches.decline_draw(&by(&ben), &id, None).await.unwrap();
    assert_eq!(world.told().await, []);
    world.matches.resign(&by(&ben), &id, None).await.unwrap();
    let ended = world.news().await;
    assert_eq!(ended.len(), 1);
    let ended = MatchNews::of_body(ended[0].as_bytes()).unwrap();
    assert_eq!((ended.status, ended.outcome.unwrap().ending.as_ref()), (Stage::Finished, "resignation"));
    assert_eq!(ended.news.iter().map(|news| news.kind).collect::<Vec<_>>(), [Told::MatchEnded, Told::MatchEnded]);
}

#[tokio::test]
async fn only_those_who_listen_are_told_and_an_invited_player_is() {
    let world = World::new();
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    world.listens(ItemOwner::Player(ben.id.clone())).await;
    let reserved = vec![ReservedSeat { seat: seat(1), player: ben.clone() }];
    let kept = NewMatch { table: TableTerms { reserved, ..TableTerms::default() }, ..short() };
    let id = world.made(&ann, kept).await;
    assert_eq!(world.told().await, [(Told::MatchInvited.name(), 1, ben.id.clone())]);
    world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();
    let told = world.told().await;
    assert!(told.contains(&(Told::MatchStarted.name(), 1, ben.id.clone())), "{told:?}");
    assert!(told.iter().all(|(.., player)| *player == ben.id), "{told:?}");
    let hotseat = NewMatch { table: TableTerms { hotseat: true, ..TableTerms::default() }, ..short() };
    world.made(&ben, hotseat).await;
    assert_eq!(world.told().await, [], "nobody else plays there");
}

#[tokio::test]
async fn a_long_turn_has_a_reminder_at_four_fifths() {
    let world = World::new();
    world.listens(ItemOwner::Service).await;
    let (id, players) = world
        .started(timed(WantedClock {
            initial_seconds: 7_200,
            first_move_seconds: Some(None),
            ..WantedClock::default()
        }))
        .await;
    let (mover, DecisionId { version, seat: first }, _) = world.turn(&id, &players).await;
    assert_eq!(world.told().await.len(), 3);
    world.clock.advance_seconds(5_759);
    assert_eq!(world.told().await, []);
    world.clock.advance_seconds(1);
    assert_eq!(world.told().await, [(Told::TurnReminder.name(), first.index() as u8, mover.id.clone())]);
    let turn = world.matches.open_turn(&id, first).await.unwrap().unwrap();
    assert_eq!((turn.version, turn.player == mover.id), (version, true));
    assert_eq!(turn.deadline_at, Some(world.ambient.now().plus_seconds(1_440)));
    assert_eq!(world.matches.open_turn(&id, seat(1 - first.index() as u8)).await.unwrap(), None);
    let (_, _) = world.started(timed(super::clocks::fischer())).await;
    assert_eq!(world.told().await.len(), 3);
    assert_eq!(world.store.jobs(JobKind::Notify).await.unwrap().length, 0, "five minutes have no reminder");
}

/// A turn may have several decisions, and whoever decides last of several at the same time may have the next turn at once.
#[tokio::test]
async fn each_turn_has_one_reminder() {
    let (mut goes_on, mut together) = (false, false);
    for game in ["henge", "absolution", "sacrifice_roulette"] {
        let world = World::new();
        world.listens(ItemOwner::Service).await;
        let clock = WantedClock { initial_seconds: 7_200, first_move_seconds: Some(None), ..WantedClock::default() };
        let of_game = NewMatch { game: game.to_owned(), seats: SeatCount::new(2), ..contiguity() };
        let new = NewMatch { move_time_seconds: None, clock: Some(clock), ..of_game };
        let (id, players) = world.started(new).await;
        let (mut turns, mut had) = (BTreeSet::new(), Vec::new());
        for _ in 0..40 {
            world.news().await;
            let live = world.read(&players[0], &id).await.live;
            let now: Vec<_> = live.to_act().iter().map(|seat| (seat.index(), live.turn_began(seat).unwrap())).collect();
            goes_on |= now.len() == 1 && now == had;
            together |= now.len() > 1;
            turns.extend(now.iter().copied());
            let waiting = world.store.jobs(JobKind::Notify).await.unwrap().length;
            assert_eq!(waiting, turns.len() as u64, "{game} at {}: {turns:?}", live.stored.version);
            had = now;
            if world.play_on(&id, &players, 1).await == 0 {
                break;
            }
        }
    }
    assert!(goes_on && together, "{goes_on} {together}");
}

/// Two matches in which the same players do the same at the same time, and in which different cards are dealt.
#[tokio::test]
async fn news_is_the_same_whatever_is_hidden() {
    let world = World::new();
    world.listens(ItemOwner::Service).await;
    let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
    // By the seats to act, which everybody sees.
    let mut told = BTreeMap::<Vec<usize>, BTreeSet<Vec<String>>>::new();
    let mut states = BTreeSet::new();
    for _ in 0..6 {
        let hidden = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
        let id = world.made(&ann, hidden).await;
        world.matches.join(ben.clone(), &id, Joining::default(), None).await.unwrap();
        let viewed = world.read(&ann, &id).await;
        let mut state = Vec::new();
        viewed.live.write_view(Viewer::Omniscient, &mut state).unwrap();
        states.insert(state);
        let to_act = viewed.live.to_act().iter().map(|seat| seat.index()).collect();
        let news = world.news().await.iter().map(|body| body.replace(id.as_str(), "m")).collect();
        told.entry(to_act).or_default().insert(news);
    }
    assert_eq!(states.len(), 6, "other cards");
    assert!(told.len() < 6 && told.values().all(|news| news.len() == 1), "{told:#?}");
}
