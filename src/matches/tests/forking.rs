//! Forks: what they begin with, who may make one, and what they are to others.

use super::*;
use crate::invites::NewInvite;
use crate::model::refused::{HintRefused, UndoRefused};
use crate::model::track::UNDO_MAX;
use crate::table::examining::examine;
use sarsen_games::bots::Level;

fn at(player: &Seated, seat: Seat) -> Reader {
    by(player).sitting(Some(seat))
}

/// A match of a game in which one player sits everywhere.
fn alone(game: &str) -> NewMatch {
    let table = TableTerms { hotseat: true, ..TableTerms::default() };
    NewMatch { game: game.to_owned(), seat: None, table, move_time_seconds: None, ..contiguity() }
}

/// The views of the game that everybody can see, and the game's own state.
fn position(live: &LiveMatch) -> Vec<String> {
    let viewers = live.seat_count().seats().map(Viewer::Seat).chain([Viewer::Spectator]);
    let state = live.state().unwrap();
    let stored = state.store().unwrap().to_string();
    viewers.map(|viewer| state.view(viewer).unwrap().to_string()).chain([stored]).collect()
}

impl World {
    /// A move drawn with these dice, for whoever is to act first, all of whose seats are the player's.
    async fn moves_alone(&self, player: &Seated, id: &MatchId, dice: &mut Dice) -> Moved {
        let live = self.read(player, id).await.live;
        let seat = live.to_act().first().unwrap();
        let listed = live.state().unwrap().legal_moves(seat, ListForm::Notation).unwrap();
        let moves: Vec<String> = serde_json::from_str(listed.moves.get()).unwrap();
        let mv = MoveInput::Notation(moves[dice.index(moves.len()).unwrap()].clone());
        let decision = Some(DecisionId { version: live.decision(seat).unwrap().version, seat });
        self.clock.advance_seconds(3);
        self.matches.play(at(player, seat), id, None, Ok(MoveRequest { decision, mv })).await.unwrap()
    }

    /// Moves on until the match is over, or so many are made; answers the versions before the moves.
    async fn plays_alone(&self, player: &Seated, id: &MatchId, most: usize, dice: &mut Dice) -> Vec<u64> {
        let mut versions = Vec::new();
        while versions.len() < most && self.read(player, id).await.live.stored.stage == Stage::Playing {
            versions.push(self.moves_alone(player, id, dice).await.viewed.live.stored.version - 1);
        }
        versions
    }

    /// Gives up on all seats until the match is over.
    async fn gives_up(&self, player: &Seated, id: &MatchId) {
        while self.read(player, id).await.live.stored.stage == Stage::Playing {
            self.matches.resign(&by(player), id, None).await.unwrap();
        }
    }

    async fn forked(&self, player: &Seated, id: &MatchId, version: u64) -> Result<Arc<LiveMatch>, Refused> {
        Ok(self.matches.fork(player.clone(), id, Ok(version), None).await?.viewed.live)
    }
}

#[tokio::test]
async fn a_fork_begins_with_the_position_and_with_dice_of_its_own() {
    let games = Games::standard(GameSettings::default());
    for game in games.iter().map(|game| game.info().id) {
        let world = World::new();
        let [ann, ben] = ["Ann", "Ben"].map(|name| world.person(name));
        let id = world.made(&ann, alone(game)).await;
        let mut dice = Dice::new(DiceSeed([11; 32]));
        let versions = world.plays_alone(&ann, &id, 12, &mut dice).await;
        world.gives_up(&ann, &id).await;
        let before = world.read(&ben, &id).await;
        let original = world.store.whole_match(&id).await.unwrap().unwrap();

        // Whoever may read what has finished may fork it.
        let version = versions[versions.len() / 2];
        let then = world.matches.history(&by(&ben), before, version, true).await.unwrap();
        let fork = world.forked(&ben, &id, version).await.unwrap();
        let stored = &fork.stored;
        assert_eq!(position(&fork), position(&then.live), "{game}");
        assert_eq!((stored.version, stored.stage, stored.dice), (1, Stage::Playing, 0), "{game}");
        assert_ne!(stored.seed.reveal(), then.live.stored.seed.reveal(), "{game}");
        assert_eq!(stored.terms.rules_version, then.live.stored.terms.rules_version);
        assert_eq!(stored.terms.options.get(), then.live.stored.terms.options.get());
        assert!(stored.seats.iter().all(|seat| seat.player.as_ref() == Some(&ben)), "{game}");
        assert!(fork.is_analysis() && fork.gives_hints() && stored.terms.clock.is_none());
        let forked = stored.id.clone();

        // It is played on, read at each of its versions by whoever has nothing of it in memory, and verified.
        let mut known = vec![position(&fork)];
        for _ in 0..6 {
            if world.read(&ben, &forked).await.live.stored.stage != Stage::Playing {
                break;
            }
            known.push(position(&world.moves_alone(&ben, &forked, &mut dice).await.viewed.live));
        }
        world.gives_up(&ben, &forked).await;
        let elsewhere = world.another();
        for (version, known) in (1..).zip(&known) {
            let present = elsewhere.read(&by(&ben), &forked).await.unwrap();
            let then = elsewhere.history(&by(&ben), present, version, true).await.unwrap();
            assert_eq!(position(&then.live), *known, "{game} at version {version}");
        }
        let (record, _) = elsewhere.export(elsewhere.read(&by(&ben), &forked).await.unwrap()).await.unwrap();
        assert_eq!((record.format.as_str(), record.steps[0].action), ("sarsen/record/2", ExportAction::Fork));
        assert_eq!(record.forked_from.as_ref().map(|from| (&from.match_id, from.version)), Some((&id, version)));
        let verified = verify(&games, &record).unwrap();
        assert_eq!(verified.moves, known.len() - 1, "{game}");
        let written = serde_json::to_string(&record).unwrap();
        verify(&games, &serde_json::from_str(&written).unwrap()).unwrap();
        let whole = world.store.whole_match(&forked).await.unwrap().unwrap();
        assert_eq!(examine(&games, &whole).faults, Vec::<String>::new(), "{game}");

        // Of all that the match before has heard nothing.
        let after = world.store.whole_match(&id).await.unwrap().unwrap();
        assert_eq!((after.stored, after.entries, after.stamp), (original.stored, original.entries, original.stamp));
    }
}

#[tokio::test]
async fn a_changed_beginning_is_found() {
    let world = World::new();
    let ann = world.person("Ann");
    let id = world.made(&ann, alone("contiguity")).await;
    let mut dice = Dice::new(DiceSeed([3; 32]));
    world.plays_alone(&ann, &id, 2, &mut dice).await;
    let forked = world.forked(&ann, &id, 2).await.unwrap().stored.id.clone();
    world.plays_alone(&ann, &forked, 1, &mut dice).await;
    world.gives_up(&ann, &forked).await;
    let games = Games::standard(GameSettings::default());
    let (record, _) = world.matches.export(world.read(&ann, &forked).await).await.unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut changed = serde_json::to_value(&record).unwrap();
        change(&mut changed);
        verify(&games, &serde_json::from_value(changed).unwrap())
    };
    changed(&|_| {}).unwrap();
    changed(&|record| drop(record["steps"][0].as_object_mut().unwrap().remove("position"))).unwrap_err();
    changed(&|record| drop(record.as_object_mut().unwrap().remove("forked_from"))).unwrap_err();
    changed(&|record| record["steps"][0]["action"] = json!("create")).unwrap_err();
    changed(&|record| record["steps"][0]["position"]["state_version"] = json!(999)).unwrap_err();
    changed(&|record| record["steps"][0]["position"]["state"] = json!({})).unwrap_err();
    changed(&|record| record["steps"][1]["position"] = record["steps"][0]["position"].clone()).unwrap_err();
}

#[tokio::test]
async fn a_fork_tells_no_secret() {
    let world = World::new();
    let (id, players) =
        world.started(NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() }).await;
    for player in &players {
        refused!(world.forked(player, &id, 2).await, Refused::Forbidden(Forbidden::ForkSecret));
        // What is wrong with the request besides, nobody is told.
        refused!(world.forked(player, &id, 99).await, Refused::Forbidden(Forbidden::ForkSecret));
    }
    // One that was called off has no record either.
    world.matches.abort_whole(&id).await.unwrap();
    refused!(world.forked(&players[0], &id, 2).await, Refused::Forbidden(Forbidden::ForkSecret));
    let open = world.made(&players[0], alone("henge")).await;
    refused!(world.forked(&players[0], &open, 1).await, Refused::Forbidden(Forbidden::ForkSecret));
    world.gives_up(&players[0], &open).await;
    world.forked(&players[0], &open, 1).await.unwrap();
    // And what one may not see, is not there.
    let private =
        world.made(&players[0], NewMatch { visibility: Some(Visibility::Private), ..alone("contiguity") }).await;
    refused!(world.forked(&players[1], &private, 1).await, Refused::Read(ReadRefused::MatchNotFound));
}

#[tokio::test]
async fn nobody_has_a_match_thought_about_that_is_being_played() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let [ann, _] = &players;
    world.play_on(&id, &players, 3).await;
    let fork = world.forked(ann, &id, 3).await.unwrap();
    let forked = fork.stored.id.clone();
    assert!(!fork.gives_hints());
    let hint = |id: MatchId| {
        let (matches, reader) = (world.matches.clone(), at(ann, seat(0)));
        async move { matches.hint(&reader, &id, Ok(Level::Easy), None).await.map(drop) }
    };
    refused!(hint(forked.clone()).await, Refused::Hint(HintRefused::Off));
    // Nor by way of the fork, which finishes first.
    world.gives_up(ann, &forked).await;
    let again = world.forked(ann, &forked, 1).await.unwrap();
    assert!(!again.gives_hints());
    // Once it has finished it may be looked into.
    world.matches.resign(&by(ann), &id, None).await.unwrap();
    assert!(world.forked(ann, &id, 3).await.unwrap().gives_hints());
}

#[tokio::test]
async fn a_position_can_be_played_on_in_which_something_is_left_to_be_decided() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    let [ann, ben] = &players;
    refused!(world.forked(ann, &id, 1).await, Refused::OutOfPlay(OutOfPlay::NotStarted));
    for version in [0, 3, 1 << 40] {
        refused!(world.forked(ann, &id, version).await, Refused::Read(ReadRefused::NoSuchVersion));
    }
    let unread = Unread::new(std::fmt::Error);
    refused!(world.matches.fork(ann.clone(), &id, Err(unread), None).await, Refused::Unread(_));
    world.play_on(&id, &players, 1000).await;
    let last = world.read(ann, &id).await.live.stored.version;
    refused!(world.forked(ben, &id, last).await, Refused::OutOfPlay(OutOfPlay::MatchOver(version)) if version == last);
    // What was given up is not decided.
    let (id, players) = world.started(contiguity()).await;
    world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    let fork = world.forked(&players[0], &id, 3).await.unwrap();
    assert_eq!((fork.stored.stage, fork.to_act().len()), (Stage::Playing, 1));
    assert!(fork.stored.seats.iter().all(|seat| !seat.resigned));
}

#[tokio::test]
async fn moves_of_all_seats_are_undone_freely() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let ann = &players[0];
    let fork = world.forked(ann, &id, 2).await.unwrap();
    let (forked, start) = (fork.stored.id.clone(), position(&fork));
    let mut dice = Dice::new(DiceSeed([9; 32]));
    world.plays_alone(ann, &forked, 3, &mut dice).await;
    let live = world.read(ann, &forked).await.live;
    for seat in live.seat_count().seats() {
        let free = live.free_undo(seat).map(|free| (free.to_version, free.earliest_version));
        assert_eq!(free, Some((3, 1)), "whichever seat");
    }
    let one = world.matches.undo(&at(ann, seat(0)), &forked, Ok(3), None).await.unwrap().viewed.live;
    assert_eq!((one.stored.version, one.free_undo(seat(1)).map(|free| free.to_version)), (5, Some(2)));
    let all = world.matches.undo(&at(ann, seat(1)), &forked, Ok(1), None).await.unwrap().viewed.live;
    assert_eq!(position(&all), start);
    let mover = all.to_act().first().unwrap();
    assert_eq!(all.decision(mover).unwrap().version, 6, "decisions open anew");
    assert!(all.free_undo(mover).is_none());
    refused!(world.matches.undo(&by(ann), &forked, Ok(0), None).await, Refused::Undo(UndoRefused::Barrier { .. }));
    // Another line, and back to a version of the first.
    world.plays_alone(ann, &forked, 2, &mut dice).await;
    world.matches.undo(&by(ann), &forked, Ok(7), None).await.unwrap();
    world.plays_alone(ann, &forked, 2, &mut dice).await;
    let back = world.matches.offer_takeback(&by(ann), &forked, Ok(1), None).await.unwrap().viewed.live;
    assert_eq!(position(&back), start, "nobody has to agree");
    world.plays_alone(ann, &forked, 2, &mut dice).await;
    world.gives_up(ann, &forked).await;
    let (record, _) = world.matches.export(world.read(ann, &forked).await).await.unwrap();
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
    let whole = world.store.whole_match(&forked).await.unwrap().unwrap();
    assert_eq!(examine(&Games::standard(GameSettings::default()), &whole).faults, Vec::<String>::new());
}

/// Neither the match nor its replay grows with the number of undos, however many lead to one another.
#[tokio::test]
async fn who_plays_alone_undoes_without_end() {
    const VERSIONS: u64 = 1_200;
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let ann = &players[0];
    let fork = world.forked(ann, &id, 2).await.unwrap();
    let forked = fork.stored.id.clone();
    let mut dice = Dice::new(DiceSeed([11; 32]));
    let mut positions = vec![position(&fork)];
    let mut undone = 0;
    while positions.len() < VERSIONS as usize {
        let live = world.moves_alone(ann, &forked, &mut dice).await.viewed.live;
        positions.push(position(&live));
        let version = live.stored.version;
        // Mostly about a checkpoint back, where another undo has led further back.
        let to = match dice.below(3) {
            0 => 1 + u64::from(dice.below(version as u32 - 1)),
            _ => version.saturating_sub(60 + u64::from(dice.below(20))).max(1),
        };
        let back = world.matches.undo(&by(ann), &forked, Ok(to), None).await.unwrap().viewed.live;
        assert_eq!(position(&back), positions[to as usize - 1], "version {version} to {to}");
        positions.push(position(&back));
        undone += 1;
    }
    let live = world.read(ann, &forked).await.live;
    let times: Vec<u64> = live.stored.undo.undone.iter().map(|undone| undone.times).collect();
    assert_eq!(times.iter().sum::<u64>(), undone);
    assert!(times.len() <= 2 && undone > 2 * UNDO_MAX);
    // Another instance, also on a store that has no checkpoint yet, from the newest version on or the oldest.
    let copied = World::new();
    let whole = world.store.whole_match(&forked).await.unwrap().unwrap();
    copied.store.restore_match(whole).await.unwrap();
    for version in (1..=VERSIONS).rev().step_by(97).chain([1, 64, 65, VERSIONS]) {
        for matches in [world.another(), copied.another()] {
            let (then, _) = matches.match_at(&live, version).await.unwrap();
            assert_eq!(position(&then), positions[version as usize - 1], "version {version}");
        }
    }
    let told = async |limit| {
        let (matches, mut all, mut after) = (world.another(), Vec::new(), None);
        loop {
            let page = matches.events(&by(ann), &forked, after, limit).await.unwrap();
            all.extend(texts(&page.items));
            after = page.next;
            if !page.more {
                return all;
            }
        }
    };
    assert_eq!(told(1000).await, told(33).await);
    world.gives_up(ann, &forked).await;
    let (record, _) = world.matches.export(world.read(ann, &forked).await).await.unwrap();
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
    let whole = world.store.whole_match(&forked).await.unwrap().unwrap();
    assert_eq!(examine(&Games::standard(GameSettings::default()), &whole).faults, Vec::<String>::new());
}

#[tokio::test]
async fn a_fork_is_nobodys_but_its_makers() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let [ann, ben] = &players;
    let waiting = world.matches.waiting_for(&ben.id).await.unwrap();
    let forked = world.forked(ben, &id, 2).await.unwrap().stored.id.clone();
    refused!(world.matches.read(&by(ann), &forked).await, Refused::Read(ReadRefused::MatchNotFound));
    let stored = world.read(ben, &forked).await.live.stored.clone();
    assert_eq!((stored.terms.invite.clone(), stored.terms.visibility), (None, Visibility::Private));
    // Nobody waits for it.
    assert_eq!(world.matches.waiting_for(&ben.id).await.unwrap(), waiting);
    let asked = NewInvite { seat: None, substitutes: true, uses: 1, seconds: 60 };
    let matches = world.matches.clone();
    refused!(matches.make_invite(&by(ben), &forked, Ok(asked)).await, Refused::Forbidden(Forbidden::AnalysisAlone));
    world.gives_up(ben, &forked).await;
    refused!(
        world.matches.rematch(&by(ben), ben.clone(), &forked, uncounted, None).await,
        Refused::Rematch(RematchRefused::Off)
    );
}

#[tokio::test]
async fn a_fork_is_made_once() {
    let world = World::new();
    let (id, players) = world.started(contiguity()).await;
    let [ann, _] = &players;
    let once = |fingerprint: &str| Idempotency { key: "k".to_owned(), fingerprint: fingerprint.to_owned() };
    let fork = async |version: u64, fingerprint: &str| {
        world.matches.fork(ann.clone(), &id, Ok(version), Some(&once(fingerprint))).await
    };
    refused!(fork(99, "first").await, Refused::Read(ReadRefused::NoSuchVersion));
    let first = fork(2, "second").await.unwrap();
    world.play_on(&id, &players, 2).await;
    let again = fork(2, "second").await.unwrap();
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(first.viewed.live.stored.id, again.viewed.live.stored.id);
    refused!(fork(99, "first").await, Refused::KeyReused);
}
