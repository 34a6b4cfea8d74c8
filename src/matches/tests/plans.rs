//! Plans: what they play, what drops them, who may make one, and that nobody else knows of one.

use super::*;
use crate::invites::NewInvite;
use crate::model::clock::WantedClock;
use crate::model::events::StoredEvent;
use crate::model::refused::PlanRefused;
use crate::plans::tree::{PLAN_BRANCHES_MAX, PLAN_DEPTH_MAX, PLAN_NOTATION_MAX};
use crate::plans::{AskedPlan, FaultyPlan, PlanBranch, PlanDropped, PlanStanding, PlanUnsupported};
use crate::schedule::Looked;

/// White's first moves and red's answers, after which white connects.
const PLIES: [&str; 5] = ["2c-2d", "30b-10b", "29b-30b", "30d-19d", "2d-30d"];

/// A week for each.
fn slow() -> NewMatch {
    let clock = Some(WantedClock { initial_seconds: 604_800, ..WantedClock::default() });
    NewMatch { move_time_seconds: None, clock, ..contiguity() }
}

fn branch(when: &[&str], then: &[&str], next: Vec<PlanBranch>) -> PlanBranch {
    let moves = |moves: &[&str]| moves.iter().map(|&mv| mv.to_owned()).collect();
    PlanBranch { when: moves(when), then: moves(then), next }
}

/// Red's answers, to be given at once.
fn answers() -> Vec<PlanBranch> {
    vec![branch(&PLIES[..1], &PLIES[1..2], vec![branch(&PLIES[2..3], &PLIES[3..4], vec![])])]
}

/// A match that has begun, and its players: who is to act first.
async fn begun(world: &World, new: NewMatch) -> (MatchId, [Seated; 2], Seated, Seated) {
    let (id, players) = world.started(new).await;
    let (first, ..) = world.turn(&id, &players).await;
    let second = players.iter().find(|player| **player != first).unwrap().clone();
    (id, players, first, second)
}

async fn present(world: &World, id: &MatchId) -> u64 {
    world.store.standing(id).await.unwrap().unwrap().version
}

/// A plan for the match as it stands.
async fn planned(world: &World, player: &Seated, id: &MatchId, tree: Vec<PlanBranch>) -> Result<PlanStanding, Refused> {
    let version = present(world, id).await;
    world.matches.make_plan(&by(player), id, Ok(AskedPlan { version, tree })).await
}

/// Plays this move for the seat to act.
async fn played(world: &World, id: &MatchId, players: &[Seated; 2], notation: &str) {
    let (player, decision, _) = world.turn(id, players).await;
    world.clock.advance_seconds(3);
    world.play(&player, id, Some(decision), notation, None).await.unwrap();
}

/// The moves so far, in notation; `*` says that a plan has made it.
async fn moves(world: &World, id: &MatchId) -> Vec<String> {
    let live = world.matches.read(&Reader::default(), id).await.unwrap().live;
    let entries = world.matches.telling(&live).page_of_log(0, live.stored.version).await.unwrap();
    let noted = entries.iter().flat_map(|entry| &entry.events).filter_map(|event| match event {
        StoredEvent::Move { notation, planned, .. } => Some(format!("{notation}{}", if *planned { "*" } else { "" })),
        _ => None,
    });
    noted.collect()
}

async fn reason(world: &World, player: &Seated, id: &MatchId) -> Option<PlanDropped> {
    match world.matches.plan(&by(player), id).await.unwrap() {
        PlanStanding::Dropped { reason, .. } => Some(reason),
        PlanStanding::Waiting { .. } => None,
        PlanStanding::Nothing => panic!("there is no plan"),
    }
}

#[tokio::test]
async fn a_plan_plays_to_its_end_and_takes_none_of_its_players_time() {
    let world = World::new();
    let (id, players, _, red) = begun(&world, slow()).await;
    let (version, number) = (present(&world, &id).await, world.read(&red, &id).await.seat().unwrap());
    let asked = vec![branch(&[" 2C-2d"], &["30B-10b"], answers().remove(0).next)];
    let standing = planned(&world, &red, &id, asked).await.unwrap();
    assert!(standing == PlanStanding::Waiting { version, tree: answers() }, "moves are kept as the game writes them");
    assert_ne!(world.matches.see_to(&id).await.unwrap(), Looked::Acted, "it is not red's turn");

    for ply in [0, 2] {
        played(&world, &id, &players, PLIES[ply]).await;
        assert_eq!(reason(&world, &red, &id).await, None);
        world.clock.advance_seconds(3_600);
        assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
        assert_ne!(world.matches.see_to(&id).await.unwrap(), Looked::Acted, "and no more");
        let told = world.matches.events(&by(&players[0]), &id, None, 1000).await.unwrap().items;
        let told = told.iter().map(|told| serde_json::from_str::<Value>(told.event.get()).unwrap());
        let made = told.collect::<Vec<_>>().into_iter().rfind(|event| event["type"] == "move_made").unwrap();
        assert_eq!(
            (&made["notation"], &made["planned"], &made["used_milliseconds"], &made["bank_milliseconds"]),
            (&json!(PLIES[ply + 1]), &json!(true), &json!(0), &json!(604_800_000))
        );
        // Whoever is next has the time that they had.
        let live = world.read(&red, &id).await.live;
        let clock = live.clock(seat(1 - number.number())).unwrap();
        assert_eq!(clock.turn_started_at(), Some(world.ambient.now()));
    }
    assert_eq!(reason(&world, &red, &id).await, Some(PlanDropped::Played));
    let stored = world.store.load_match(&id, None).await.unwrap().unwrap();
    let seen = world.another().read(&by(&red), &id).await.unwrap();
    let then = world.another().history(&by(&red), seen, stored.version, false).await.unwrap();
    let rebuilt: Value = serde_json::from_slice(&then.live.duplicate().encode().unwrap()).unwrap();
    assert_eq!(rebuilt, serde_json::from_slice::<Value>(&stored.stored).unwrap());

    played(&world, &id, &players, PLIES[4]).await;
    world.matches.see_to(&id).await.unwrap();
    assert!(world.store.plans(&id).await.unwrap().is_empty(), "nothing is left after the end");
    assert!(world.matches.plan(&by(&red), &id).await.unwrap() == PlanStanding::Nothing);
    let record = world.export(&id).await.unwrap();
    let record: MatchExport = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
    assert_eq!(record.steps.iter().filter(|step| step.planned).count(), 2);
    let mut other = record;
    other.steps.iter_mut().for_each(|step| step.planned = false);
    assert!(matches!(
        verify(&Games::standard(GameSettings::default()), &other).unwrap_err(),
        Discrepancy::Events { .. }
    ));
}

#[tokio::test]
async fn a_plan_is_followed_in_a_match_without_a_clock() {
    let world = World::new();
    let (id, players, _, red) = begun(&world, contiguity()).await;
    planned(&world, &red, &id, answers()).await.unwrap();
    played(&world, &id, &players, PLIES[0]).await;
    world.matches.see_to(&id).await.unwrap();
    played(&world, &id, &players, PLIES[2]).await;
    world.matches.see_to(&id).await.unwrap();
    played(&world, &id, &players, PLIES[4]).await;
    let record = world.export(&id).await.unwrap();
    assert_eq!(record.format, "sarsen/record/2");
    verify(&Games::standard(GameSettings::default()), &record).unwrap();
}

#[tokio::test]
async fn two_instances_make_each_move_once() {
    let world = World::new();
    let (id, players, _, red) = begun(&world, contiguity()).await;
    planned(&world, &red, &id, answers()).await.unwrap();
    let other = world.another();
    for ply in [0, 2] {
        played(&world, &id, &players, PLIES[ply]).await;
        let (here, there) = tokio::join!(world.matches.see_to(&id), other.see_to(&id));
        assert!([here.unwrap(), there.unwrap()].contains(&Looked::Acted));
    }
    assert_eq!(moves(&world, &id).await, ["2c-2d", "30b-10b*", "29b-30b", "30d-19d*"]);
}

#[tokio::test]
async fn whoever_dies_between_two_moves_of_a_turn_loses_and_doubles_nothing() {
    let world = World::new();
    let bidding = NewMatch { options: json!({"bidding": true}), ..contiguity() };
    let (id, players, opener, _) = begun(&world, bidding).await;
    played(&world, &id, &players, "bid 9").await;
    let tree = vec![branch(&["pass"], &["choose first", "2c-2d"], vec![branch(&["30b-10b"], &["29b-30b"], vec![])])];
    planned(&world, &opener, &id, tree).await.unwrap();
    played(&world, &id, &players, "pass").await;
    let live = world.read(&opener, &id).await.live;
    assert_eq!(world.matches.follow_plans(&live).await.unwrap(), Some(true));
    assert_eq!(world.matches.follow_plans(&live).await.unwrap(), Some(false), "the match is not there any more");
    let before = ["bid 9", "pass", "choose first*"];
    assert_eq!(moves(&world, &id).await, before);

    let another = world.another();
    assert_eq!(another.see_to(&id).await.unwrap(), Looked::Acted);
    assert_ne!(another.see_to(&id).await.unwrap(), Looked::Acted);
    assert_eq!(moves(&world, &id).await, [&before[..], &["2c-2d*"][..]].concat());
    played(&world, &id, &players, "30b-10b").await;
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    assert_eq!(reason(&world, &opener, &id).await, Some(PlanDropped::Played));
}

#[tokio::test]
async fn what_goes_otherwise_drops_a_plan_and_is_no_step() {
    let world = World::new();
    let illegal = vec![branch(&PLIES[..1], &["15a-16a"], vec![])];
    let long = vec![branch(&PLIES[..1], &["30b-10b", "30d-19d"], vec![])];
    for (tree, does, expected) in [
        (vec![branch(&["1a-2a"], &PLIES[1..2], vec![])], "", PlanDropped::OtherMoves),
        (answers(), "moves", PlanDropped::OwnMove),
        (answers(), "takes back", PlanDropped::Undone),
        (illegal, "", PlanDropped::IllegalMove),
        (long, "", PlanDropped::TurnDiffers),
    ] {
        let (id, players, white, red) = begun(&world, contiguity()).await;
        let start = present(&world, &id).await;
        planned(&world, &red, &id, tree).await.unwrap();
        played(&world, &id, &players, PLIES[0]).await;
        match does {
            "moves" => played(&world, &id, &players, PLIES[1]).await,
            "takes back" => {
                world.matches.offer_takeback(&by(&white), &id, Ok(start), None).await.unwrap();
                world.matches.accept_takeback(&by(&red), &id, None).await.unwrap();
            }
            _ => {}
        }
        let before = present(&world, &id).await;
        // Whether or not somebody has looked at it, as far as nobody has to.
        let at_once = reason(&world, &red, &id).await;
        assert!(at_once.is_none_or(|reason| reason == expected), "{at_once:?}");
        world.matches.see_to(&id).await.unwrap();
        assert_eq!(reason(&world, &red, &id).await, Some(expected));
        let made = u64::from(expected == PlanDropped::TurnDiffers);
        assert_eq!(present(&world, &id).await, before + made, "{expected:?} is no step");
        world.matches.see_to(&id).await.unwrap();
        assert_eq!(reason(&world, &red, &id).await, Some(expected));
        let kept = world.store.plans(&id).await.unwrap();
        assert!(!String::from_utf8_lossy(&kept[0].stored).contains("30b-10b"), "only why is left of it");
        // And it can be made anew.
        if present(&world, &id).await == start + 2 {
            assert!(planned(&world, &red, &id, answers()).await.is_ok());
        }
    }
}

#[tokio::test]
async fn a_plan_is_nobodys_but_whose_it_is() {
    let world = World::new();
    let (id, players, white, red) = begun(&world, contiguity()).await;
    let cora = world.person("Cora");
    let seen = async || {
        let loaded = world.store.load_match(&id, None).await.unwrap();
        let (log, due) = (world.store.log(&id, 0, 1000).await.unwrap(), world.store.backlog().await.unwrap().due);
        let events = world.matches.events(&by(&white), &id, None, 1000).await.unwrap().items;
        (loaded, log, due, texts(&events), world.store.whole_match(&id).await.unwrap())
    };
    let before = seen().await;
    planned(&world, &red, &id, answers()).await.unwrap();
    assert_eq!(seen().await, before);
    assert!(world.matches.plan(&by(&white), &id).await.unwrap() == PlanStanding::Nothing);
    refused!(world.matches.plan(&by(&cora), &id).await, Refused::Forbidden(Forbidden::NotSeated));
    refused!(world.matches.drop_plan(&by(&cora), &id).await, Refused::Forbidden(Forbidden::NotSeated));
    refused!(planned(&world, &cora, &id, answers()).await, Refused::Forbidden(Forbidden::NotSeated));
    world.matches.drop_plan(&by(&white), &id).await.unwrap();
    assert_eq!(reason(&world, &red, &id).await, None, "another's is not dropped with one's own");
    // What is asked for again is answered as it stands; a plan takes the place of the one before.
    let again = planned(&world, &red, &id, answers()).await.unwrap();
    assert!(again == PlanStanding::Waiting { version: present(&world, &id).await, tree: answers() });
    let other = vec![branch(&["1a-2a"], &["30b-10b"], vec![])];
    planned(&world, &red, &id, other.clone()).await.unwrap();
    let asked = AskedPlan { version: present(&world, &id).await, tree: other.clone() };
    played(&world, &id, &players, PLIES[0]).await;
    let late = world.matches.make_plan(&by(&red), &id, Ok(asked.clone())).await.unwrap();
    assert!(late == PlanStanding::Dropped { version: asked.version, reason: PlanDropped::OtherMoves });
    world.matches.drop_plan(&by(&red), &id).await.unwrap();
    assert!(world.matches.plan(&by(&red), &id).await.unwrap() == PlanStanding::Nothing);
    world.matches.drop_plan(&by(&red), &id).await.unwrap();
    assert_eq!(seen().await.0.unwrap().version, before.0.unwrap().version + 1);
}

#[tokio::test]
async fn whoever_takes_over_a_seat_finds_no_plan_and_whoever_leaves_keeps_none() {
    let world = World::new();
    let (id, players, _, red) = begun(&world, contiguity()).await;
    planned(&world, &red, &id, answers()).await.unwrap();
    let offer = NewInvite { seat: None, substitutes: true, uses: 1, seconds: 600 };
    let code = world.matches.make_invite(&by(&red), &id, Ok(offer)).await.unwrap().code;
    let cora = world.person("Cora");
    world.matches.join_by_invite(cora.clone(), &code, None, None, None).await.unwrap();
    assert!(world.matches.plan(&by(&cora), &id).await.unwrap() == PlanStanding::Nothing);
    refused!(world.matches.plan(&by(&red), &id).await, Refused::Forbidden(Forbidden::NotSeated));
    let table = players.map(|player| if player == red { cora.clone() } else { player });
    played(&world, &id, &table, PLIES[0]).await;
    assert_ne!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    assert!(world.store.plans(&id).await.unwrap().is_empty());

    let (id, _, _, red) = begun(&world, contiguity()).await;
    planned(&world, &red, &id, answers()).await.unwrap();
    assert!(world.matches.see_off(&red.id, &id).await.unwrap());
    world.matches.see_to(&id).await.unwrap();
    assert!(world.store.plans(&id).await.unwrap().is_empty());
}

#[tokio::test]
async fn plans_are_for_slow_matches_of_open_games_and_for_turns_to_come() {
    let world = World::new();
    let refused_for = async |new: NewMatch, tree: Vec<PlanBranch>| {
        let (id, _, _, second) = begun(&world, new).await;
        match planned(&world, &second, &id, tree).await {
            Err(Refused::Plan(PlanRefused::NotSupported(why))) => why,
            _ => panic!("it was to be refused"),
        }
    };
    let absolution = NewMatch { game: "absolution".to_owned(), seats: SeatCount::new(2), ..contiguity() };
    let both = vec![branch(&["pass"], &["pass"], vec![])];
    assert_eq!(refused_for(absolution, both).await, PlanUnsupported::Game);
    let live = WantedClock { initial_seconds: 300, ..WantedClock::default() };
    let live = NewMatch { move_time_seconds: None, clock: Some(live), ..contiguity() };
    assert_eq!(refused_for(live, answers()).await, PlanUnsupported::Live);
    let ann = world.person("Ann");
    let table = TableTerms { hotseat: true, ..TableTerms::default() };
    let id = world.made(&ann, NewMatch { seat: None, table, ..contiguity() }).await;
    let everywhere = planned(&world, &ann, &id, answers()).await;
    refused!(everywhere, Refused::Plan(PlanRefused::NotSupported(PlanUnsupported::Alone)));
    let waiting = world.made(&ann, contiguity()).await;
    refused!(planned(&world, &ann, &waiting, answers()).await, Refused::OutOfPlay(OutOfPlay::NotStarted));

    let (id, _, white, red) = begun(&world, contiguity()).await;
    let own = planned(&world, &white, &id, answers()).await;
    refused!(own, Refused::Plan(PlanRefused::NotSupported(PlanUnsupported::OwnTurn)));
    let version = present(&world, &id).await;
    for other in [version - 1, version + 1] {
        let stale = world.matches.make_plan(&by(&red), &id, Ok(AskedPlan { version: other, tree: answers() })).await;
        refused!(stale, Refused::Plan(PlanRefused::Stale(found)) if found == version);
    }
    world.matches.resign(&by(&red), &id, None).await.unwrap();
    refused!(planned(&world, &red, &id, answers()).await, Refused::OutOfPlay(OutOfPlay::MatchOver(_)));
}

#[tokio::test]
async fn a_faulty_plan_is_told_where_it_is() {
    let world = World::new();
    let (id, _, _, red) = begun(&world, contiguity()).await;
    let deep = (0..PLAN_DEPTH_MAX).fold(Vec::new(), |next, _| vec![branch(&["2c-2d"], &["30b-10b"], next)]);
    let deeper = vec![branch(&["2c-2d"], &["30b-10b"], deep.clone())];
    let bids: Vec<String> = (1..=99).map(|bid| format!("bid {bid}")).collect();
    let wide: Vec<PlanBranch> = bids.iter().map(|bid| branch(&[bid], &["pass"], vec![])).collect();
    let long = "2".repeat(PLAN_NOTATION_MAX + 1);
    let one = || branch(&["2c-2d"], &["30b-10b"], vec![]);
    for (tree, expected) in [
        (vec![], "tree"),
        (vec![branch(&[], &["30b-10b"], vec![])], "tree[0].when"),
        (vec![branch(&["2c-2d"], &[], vec![])], "tree[0].then"),
        (vec![branch(&["2c-2d"; 33], &["30b-10b"], vec![])], "tree[0].when"),
        (vec![one(), branch(&["2c-2d", "nonsense"], &["30b-10b"], vec![])], "tree[1].when[1]"),
        (vec![branch(&["2c-2d"], &["30b-31b"], vec![])], "tree[0].then[0]"),
        (vec![branch(&["2c-2d"], &[&long], vec![])], "tree[0].then[0]"),
        (vec![one(), branch(&["2C-2D"], &["30d-19d"], vec![])], "tree[1].when"),
        (vec![branch(&["2c-2d"], &["30b-10b"], vec![one(), one()])], "tree[0].next[1].when"),
        (deeper, format!("tree{}", "[0].next".repeat(PLAN_DEPTH_MAX)).as_str()),
        (wide.clone(), format!("tree[{PLAN_BRANCHES_MAX}]").as_str()),
    ] {
        match planned(&world, &red, &id, tree).await {
            Err(Refused::Plan(PlanRefused::Faulty(FaultyPlan { path, .. }))) => assert_eq!(path, expected),
            _ => panic!("{expected}: it was to be refused"),
        }
    }
    assert!(planned(&world, &red, &id, deep).await.is_ok());
    assert!(planned(&world, &red, &id, wide[..PLAN_BRANCHES_MAX].to_vec()).await.is_ok());
}

#[test]
fn of_the_games_here_one_has_nothing_hidden_and_nothing_left_to_chance() {
    let games = Games::standard(GameSettings::default());
    let open: Vec<_> = games.iter().map(|game| game.info()).filter(|info| info.open_information()).collect();
    assert_eq!(open.iter().map(|info| info.id).collect::<Vec<_>>(), ["contiguity"]);
}
