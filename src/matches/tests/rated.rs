//! Rated matches: which can be, what they rule out, and the result that ratings are computed from.

use super::clocks::{fischer, out_of_time};
use super::*;
use crate::invites::NewInvite;
use crate::model::clock::{OnTimeout, WantedClock};
use crate::model::rating::NotRateable;
use crate::model::refused::ClockRefused;
use crate::rated_result::{RatedResult, RatedSeat, RatingJob};
use crate::schedule::Looked;
use crate::timing::TimeGiven;
use sarsen_accounts::auth::PlayerKind;
use sarsen_games::bots::Level;
use sarsen_store::{JobKind, Work};

fn rated() -> NewMatch {
    NewMatch { rated: true, move_time_seconds: None, clock: Some(fischer()), ..contiguity() }
}

fn program(world: &World, name: &str) -> Seated {
    Seated { kind: PlayerKind::Bot, ..world.person(name) }
}

fn reserved(number: u8, player: &Seated) -> TableTerms {
    TableTerms { reserved: vec![ReservedSeat { seat: seat(number), player: player.clone() }], ..TableTerms::default() }
}

impl World {
    async fn result_of(&self, id: &MatchId) -> Option<RatedResult> {
        self.matches.read(&Reader::default(), id).await.unwrap().live.rated_result()
    }
}

#[tokio::test]
async fn a_match_that_cannot_be_rated_is_refused_with_the_reason() {
    let world = super::bots::thinking();
    let (ann, ben, bot) = (world.person("Ann"), world.person("Ben"), program(&world, "Bot"));
    let hotseat = TableTerms { hotseat: true, ..TableTerms::default() };
    let taken_over = WantedClock { on_timeout: Some(OnTimeout::Bot), ..fischer() };
    let private = Some(Visibility::Private);
    let shared = NewMatch { game: "absolution".to_owned(), clock: None, ..rated() };
    for (new, reason) in [
        (NewMatch { seats: SeatCount::new(2), ..shared }, NotRateable::Game),
        (NewMatch { options: json!({"turn_limit": 20}), ..rated() }, NotRateable::Options),
        (NewMatch { clock: None, ..rated() }, NotRateable::Clock),
        (NewMatch { clock: Some(taken_over), ..rated() }, NotRateable::Clock),
        (NewMatch { bots: vec![(seat(1), Level::Easy)], ..rated() }, NotRateable::Bots),
        (NewMatch { undo: Some(UndoTerms::Turn), ..rated() }, NotRateable::Undo),
        (NewMatch { undo: Some(UndoTerms::Consent), ..rated() }, NotRateable::Undo),
        (NewMatch { hints: Some(true), ..rated() }, NotRateable::Hints),
        (NewMatch { table: hotseat, seat: None, ..rated() }, NotRateable::Hotseat),
        (NewMatch { table: reserved(1, &bot), ..rated() }, NotRateable::Seats),
        (NewMatch { visibility: private, ..rated() }, NotRateable::Private),
    ] {
        let refused = world.matches.create(ann.clone(), Ok(new), None).await;
        let why = match refused {
            Err(Refused::Create(CreateRefused::NotRateable(why))) => why,
            other => panic!("{reason:?}: {:?}", other.err()),
        };
        assert_eq!(why, reason);
    }
    let kept = NewMatch { visibility: private, table: reserved(1, &ben), ..rated() };
    let made = world.matches.create(ann, Ok(kept), None).await.unwrap().viewed.live;
    assert!(made.stored.terms.is_rated() && made.undo_terms() == UndoTerms::Off && !made.gives_hints());
}

#[tokio::test]
async fn persons_and_bot_accounts_are_not_rated_together() {
    let world = World::new();
    let (ann, bot) = (world.person("Ann"), program(&world, "Bot"));
    let id = world.made(&ann, rated()).await;
    refused!(
        world.matches.join(bot.clone(), &id, Joining::default(), None).await,
        Refused::Forbidden(Forbidden::OtherKind)
    );
    refused!(
        world.matches.keep_seat(&by(&ann), &id, seat(1), Ok(bot.clone())).await,
        Refused::Forbidden(Forbidden::OtherKind)
    );
    let id = world.made(&bot, rated()).await;
    refused!(world.matches.join(ann, &id, Joining::default(), None).await, Refused::Forbidden(Forbidden::OtherKind));
    world.matches.join(program(&world, "Other"), &id, Joining::default(), None).await.unwrap();
}

#[tokio::test]
async fn nobody_gives_time_or_hands_on_a_seat() {
    let world = World::new();
    let (id, players) = world.started(rated()).await;
    let given = TimeGiven { seat: seat(1), seconds: 60 };
    refused!(
        world.matches.give_time(&by(&players[0]), &id, Ok(given), None).await,
        Refused::Clock(ClockRefused::Rated)
    );
    let offer = NewInvite { seat: None, substitutes: true, uses: 1, seconds: 600 };
    refused!(
        world.matches.make_invite(&by(&players[0]), &id, Ok(offer)).await,
        Refused::Forbidden(Forbidden::RatedSeat)
    );
}

#[tokio::test]
async fn whoever_lets_the_first_turn_pass_has_lost_and_is_the_only_one_rated() {
    let world = World::new();
    for on_timeout in [OnTimeout::Forfeit, OnTimeout::AbsentMove] {
        let clock = WantedClock { on_timeout: Some(on_timeout), ..fischer() };
        let (id, players) = world.started(NewMatch { clock: Some(clock), ..rated() }).await;
        let (player, decision, moves) = world.turn(&id, &players).await;
        world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
        let (late, decision, moves) = world.turn(&id, &players).await;
        world.clock.advance_seconds(33);
        assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
        let viewed = world.read(&late, &id).await;
        assert_eq!(outcome(&viewed).ending, "timeout");
        out_of_time(world.play(&late, &id, Some(decision), &moves[0], None).await);
        let result = world.result_of(&id).await.unwrap();
        assert_eq!(result.category, "contiguity.2.live");
        let seats: Vec<_> =
            result.seats.iter().map(|RatedSeat { player, rank, counts }| (player, rank, counts)).collect();
        for (place, of) in [(0, &players[0]), (1, &players[1])] {
            let was_late = of.id == late.id;
            assert_eq!(seats[place], (&of.id, &if was_late { 2 } else { 1 }, &was_late));
        }
        verify(&standard(), &world.export(&id).await.unwrap()).unwrap();
    }
}

#[tokio::test]
async fn a_match_in_which_all_have_moved_counts_for_all_and_one_called_off_for_nobody() {
    let world = World::new();
    let (id, players) = world.started(rated()).await;
    assert_eq!(world.result_of(&id).await, None);
    world.play_on(&id, &players, 2).await;
    world.matches.resign(&by(&players[1]), &id, None).await.unwrap();
    let result = world.result_of(&id).await.unwrap();
    let of = |seat: &RatedSeat| (seat.rank, seat.counts);
    assert_eq!(result.seats.iter().map(of).collect::<Vec<_>>(), [(1, true), (2, true)]);
    assert_eq!((&result.match_id, result.at), (&id, world.ambient.now()));
    let jobs = world.store.due_jobs(JobKind::Rate, 10).await.unwrap();
    let ordered: Vec<RatingJob> = jobs.iter().map(|job| RatingJob::of_body(&job.body).unwrap()).collect();
    assert_eq!(ordered, [RatingJob::Match(result)]);
    // Before both have moved only the one who gives up is rated: a bad deal is not left for nothing.
    let (id, players) = world.started(rated()).await;
    world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    let result = world.result_of(&id).await.unwrap();
    assert_eq!(result.seats.iter().map(of).collect::<Vec<_>>(), [(2, true), (1, false)]);
    let (id, _) = world.started(NewMatch { rated: false, ..rated() }).await;
    world.matches.resign(&by(&players[0]), &id, None).await.err();
    assert_eq!(world.result_of(&id).await, None);
    let ann = world.person("Ann");
    let id = world.made(&ann, rated()).await;
    world.matches.abort(&by(&ann), &id, None).await.unwrap();
    assert_eq!(world.result_of(&id).await, None);
}

#[tokio::test]
async fn a_rematch_is_rated_as_the_match_before_and_a_fork_is_not() {
    let world = World::new();
    let (id, players) = world.started(rated()).await;
    world.play_on(&id, &players, 2).await;
    world.matches.resign(&by(&players[1]), &id, None).await.unwrap();
    let next =
        world.matches.rematch(&by(&players[0]), players[0].clone(), &id, uncounted, None).await.unwrap().viewed.live;
    assert!(next.stored.terms.is_rated() && next.undo_terms() == UndoTerms::Off);
    let fork = world.matches.fork(players[0].clone(), &id, Ok(3), None).await.unwrap().viewed.live;
    assert!(!fork.stored.terms.is_rated());
}

#[tokio::test]
async fn a_record_that_says_rated_must_be_one_that_could_be() {
    let world = World::new();
    let (id, players) = world.started(rated()).await;
    world.play_on(&id, &players, 2).await;
    world.matches.resign(&by(&players[1]), &id, None).await.unwrap();
    let record = world.export(&id).await.unwrap();
    assert_eq!(serde_json::to_value(&record).unwrap()["rated"], true);
    verify(&standard(), &record).unwrap();
    let undoing = MatchExport { undo: UndoTerms::Consent, ..record };
    assert!(matches!(verify(&standard(), &undoing), Err(Discrepancy::Terms(_))));
}
