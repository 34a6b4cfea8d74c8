//! Matches that began by an earlier version of their game's rules, and records of them. The fixtures are from the last
//! release that had that version as its newest, and never to be edited: the record of a whole match, then the same match
//! half-way as it was stored, then its log. In each a seat has resigned, for which moves were made.

use std::io::Read;

use flate2::read::GzDecoder;

use super::bots::{reply, thinkers};
use super::*;
use crate::bots::Level;
use crate::games::henge::Henge;
use crate::games::sacrifice_roulette::SacrificeRoulette;
use crate::games::{AnyGame, Erased};
use crate::matches::examining::examine;
use crate::matches::thinking::Thinking;
use crate::pictures::Ask;
use crate::rules::Game;
use crate::store::{Restored, WholeMatch};

const OLD: [(&str, u32, &[u8]); 2] = [
    ("sacrifice_roulette", 1, include_bytes!("../../../tests/fixtures/rules_1_sacrifice_roulette.jsonl.gz")),
    ("henge", 1, include_bytes!("../../../tests/fixtures/rules_1_henge.jsonl.gz")),
];

fn games() -> Games {
    Games::standard(GameSettings::default())
}

fn read(packed: &[u8]) -> (MatchExport, WholeMatch) {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let (record, stored) = (lines.next().unwrap(), lines.next().unwrap());
    let entries: Vec<Vec<u8>> = lines.map(|line| line.as_bytes().to_vec()).collect();
    let live = LiveMatch::open(&games(), stored.as_bytes()).unwrap();
    let whole = WholeMatch {
        id: live.stored.id.clone(),
        version: live.stored.version,
        stamp: LogEntry::stamp_of(entries.last().unwrap()),
        stored: stored.as_bytes().to_vec(),
        listing: Some(live.listing()),
        due: None,
        entries,
        replays: Vec::new(),
    };
    (serde_json::from_str(record).unwrap(), whole)
}

#[tokio::test]
async fn a_match_goes_on_by_the_rules_by_which_it_began() {
    for (game, version, packed) in OLD {
        let (record, whole) = read(packed);
        assert_eq!(examine(&games(), &whole).faults, Vec::<String>::new(), "{game}");
        let (world, id, half) = (World::new(), whole.id.clone(), whole.version);
        assert_eq!(world.store.restore_match(whole).await.unwrap(), Restored::Written);
        let viewed = world.matches.read(&Reader::default(), &id).await.unwrap();
        let stored = &viewed.live.stored;
        assert_eq!((stored.version, viewed.live.game.info().rules_version), (half, version), "{game}");
        assert!(stored.seats.iter().any(|seat| seat.resigned) && half < record.steps.len() as u64);
        assert!(viewed.draw(Ask::default(), true, true).is_ok());
        let players: Vec<_> = stored.seats.iter().map(|seat| seat.player.clone().unwrap()).collect();
        let then = world.matches.history(&Reader::default(), viewed, half - 2, false).await.unwrap();
        assert_eq!(then.live.stored.version, half - 2);

        for step in &record.steps[half as usize..] {
            let player = &players[step.seat.unwrap().index()];
            let live = world.read(player, &id).await.live;
            let open = live.decision(step.seat.unwrap()).unwrap();
            let decision = Some(DecisionId { version: open.version, seat: step.seat.unwrap() });
            let mv = MoveInput::Json(step.mv.as_ref().unwrap().value());
            world.matches.play(&player.id, &id, None, Ok(MoveRequest { decision, mv })).await.unwrap();
        }
        let made = world.export(&id).await.unwrap();
        assert_eq!(made.outcome, record.outcome, "{game}");
        for (made, told) in made.steps.iter().zip(&record.steps) {
            assert_eq!(made.events, told.events, "{game}, version {}", told.version);
        }
        assert_eq!((made.rules_version, verify(&games(), &made).unwrap().match_id), (version, id));
    }
}

#[test]
fn a_record_is_verified_by_the_rules_of_its_match_and_by_no_others() {
    for (game, version, packed) in OLD {
        let (record, _) = read(packed);
        assert_eq!((&*record.game, record.rules_version), (game, version));
        assert_eq!(verify(&games(), &record).unwrap().steps, record.steps.len());
        let newest = games().newest(game).unwrap().info().rules_version;
        let other = MatchExport { rules_version: newest, ..record };
        assert!(matches!(verify(&games(), &other).unwrap_err(), Discrepancy::Events { .. }), "{game}");
    }
}

#[tokio::test]
async fn new_matches_begin_by_the_newest_rules() {
    let world = World::new();
    for (game, version, _) in OLD {
        let (id, players) =
            world.started(NewMatch { game: game.to_owned(), seats: SeatCount::new(2), ..contiguity() }).await;
        let pinned = world.read(&players[0], &id).await.live.stored.terms.rules_version;
        assert!(pinned > version && pinned == games().newest(game).unwrap().info().rules_version);
        let offered: Vec<u32> =
            games().iter().filter(|any| any.info().id == game).map(|any| any.info().rules_version).collect();
        assert_eq!(offered, [pinned], "a game is offered once");
    }
}

#[tokio::test]
async fn a_bot_moves_in_a_match_of_earlier_rules() {
    let first: Vec<Arc<dyn AnyGame>> = vec![
        Arc::new(Erased::new(SacrificeRoulette::default().earlier().remove(0))),
        Arc::new(Erased::new(Henge::default().earlier().remove(0))),
    ];
    let mut world = World::with(Games::of(first));
    let thinkers = Arc::new(thinkers());
    world.matches = world.matches.clone().with_thinkers(thinkers.clone());
    let matches = world.another().with_thinkers(thinkers);
    let ann = world.person("Ann");
    for game in ["sacrifice_roulette", "henge"] {
        let new = NewMatch {
            game: game.to_owned(),
            seats: SeatCount::new(2),
            bots: vec![(seat(1), Level::Easy)],
            ..contiguity()
        };
        let id = world.made(&ann, new).await;
        let before = world.read(&ann, &id).await.live;
        assert_eq!(before.stored.terms.rules_version, 1);
        let (mut version, mut moved) = (before.stored.version, 0);
        while moved < 2 {
            match matches.think(&id).await.unwrap() {
                Thinking::Found(thought) => {
                    assert!(matches.act(thought).await.unwrap());
                    moved += 1;
                }
                Thinking::Nothing => reply(&world, &ann, &id).await,
                Thinking::Full => panic!("there is room"),
            }
            let now = world.read(&ann, &id).await.live.stored.version;
            assert!(now > version);
            version = now;
        }
        let made = matches.read(&by(&ann), &id).await.unwrap();
        assert_eq!(made.live.stored.terms.rules_version, 1);
    }
}
