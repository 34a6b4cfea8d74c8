//! Reviews: what they say of a match, and how they are gone on with.

use super::*;
use crate::model::refused::ReviewRefused;
use crate::reviews::review::{Review, ReviewLevel};
use crate::reviews::{ReviewProgress, ReviewState, review_record};
use sarsen_store::{Job, JobKind, Work};

const LEVEL: ReviewLevel = ReviewLevel::Medium;

/// An instance that has bots.
fn thinking(world: &World) -> Matches {
    let bots = Bots::standard(GameSettings::default());
    let pool = Arc::new(WorkerPool::new(1));
    let mut matches = world.another();
    matches.thinkers = Arc::new(Thinkers::new(bots, pool, 0, Arc::new(BotCounts::unseen())));
    matches
}

/// Goes on with the review that is due, once; what its job is then.
async fn one_piece(world: &World, matches: &Matches) -> Option<Job> {
    let mut job = world.store.due_jobs(JobKind::Review, 1).await.unwrap().pop()?;
    match matches.go_on_with_review(&job).await.unwrap() {
        ReviewProgress::Over => assert!(world.store.move_job(&job, None, None).await.unwrap()),
        ReviewProgress::Further(body) => {
            let to = Timestamp(job.at.0 + 1);
            assert!(world.store.move_job(&job, Some(to), Some(body.clone())).await.unwrap());
            (job.at, job.body) = (to, body);
        }
    }
    Some(job)
}

async fn state(matches: &Matches, reader: &Reader, id: &MatchId) -> ReviewState {
    matches.review(reader, id, LEVEL).await.unwrap().1
}

fn versions(review: &Review) -> Vec<u64> {
    review.items.iter().map(|item| item.version).collect()
}

#[tokio::test]
async fn another_instance_goes_on_where_one_died_and_the_record_gives_the_same() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    let (ann, [one, other]) = (by(&players[0]), [thinking(&world), thinking(&world)]);
    let order = async |matches: &Matches| matches.order_review(&ann, &players[0].id, &id, Ok(LEVEL)).await;
    refused!(order(&one).await, Refused::Review(ReviewRefused::NotPossible));
    world.play_on(&id, &players, 100).await;
    refused!(
        world.matches.order_review(&ann, &players[0].id, &id, Ok(LEVEL)).await,
        Refused::Review(ReviewRefused::NotPossible)
    );
    assert_eq!(state(&one, &ann, &id).await, ReviewState::None);
    assert_eq!(order(&one).await.unwrap().2, ReviewState::Underway(Review::default()));
    let job = one_piece(&world, &one).await.unwrap();
    let ReviewState::Underway(begun) = state(&other, &ann, &id).await else { panic!("it is being made") };
    assert_eq!(begun.items.len(), 10);
    // It dies with what it has found beyond that; the other begins where the body ends.
    drop(one.go_on_with_review(&job).await.unwrap());
    while one_piece(&world, &other).await.is_some() {}
    let ReviewState::Done(done) = state(&one, &ann, &id).await else { panic!("it is done") };
    assert_eq!(done.items[..10], begun.items);
    let record = world.export(&id).await.unwrap();
    let bots = Bots::standard(GameSettings::default());
    let (again, _) = review_record(&standard(), &bots, &record, LEVEL).unwrap();
    assert_eq!(again, done);
    let moves = record.steps.iter().filter(|step| step.mv.is_some());
    let moves: Vec<u64> = moves.map(|step| step.version).collect();
    assert!(versions(&done).iter().all(|version| moves.contains(version)));
    let sums = done.seats([seat(0), seat(1)].into_iter());
    let judged: u32 = sums.iter().map(|sum| sum.best + sum.good + sum.inaccuracies + sum.mistakes + sum.blunders).sum();
    let forced: u32 = sums.iter().map(|sum| sum.forced).sum();
    assert_eq!((judged as usize, (judged + forced) as usize), (done.items.len(), moves.len()));
    assert!(sums.iter().all(|sum| sum.mistakes + sum.blunders > 0), "players by lot err: {sums:?}");
    // Whoever orders it again finds it, and nothing is made.
    assert_eq!(order(&other).await.unwrap().2, ReviewState::Done(done));
    assert!(one_piece(&world, &other).await.is_none());
}

#[tokio::test]
async fn a_review_is_kept_for_a_month_after_it_was_read_and_orders_are_bounded() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    let mut matches = thinking(&world);
    matches.retention.reviews_per_day = Some(2);
    let ann = by(&players[0]);
    let order = async |matches: &Matches, level| matches.order_review(&ann, &players[0].id, &id, Ok(level)).await;
    order(&matches, LEVEL).await.unwrap();
    while one_piece(&world, &matches).await.is_some() {}
    let day = 24 * 60 * 60;
    for _ in 0..2 {
        world.clock.advance_seconds(29 * day);
        assert_eq!(state(&matches, &ann, &id).await, ReviewState::Done(Review { reached: 3, ..Review::default() }));
    }
    world.clock.advance_seconds(30 * day + 1);
    assert_eq!(state(&matches, &ann, &id).await, ReviewState::None);
    // The same review takes one slot, however often it is ordered.
    for _ in 0..3 {
        order(&matches, LEVEL).await.unwrap();
    }
    order(&matches, ReviewLevel::Hard).await.unwrap();
    matches.retention.reviews_per_day = Some(1);
    while one_piece(&world, &matches).await.is_some() {}
    world.clock.advance_seconds(31 * day);
    order(&matches, LEVEL).await.unwrap();
    refused!(order(&matches, ReviewLevel::Hard).await, Refused::Review(ReviewRefused::OrderedEnough(1)));
}

#[tokio::test]
async fn an_order_that_nobody_can_do_is_dropped() {
    let world = World::new();
    let (id, players) = world.started(short()).await;
    world.matches.resign(&by(&players[0]), &id, None).await.unwrap();
    let at = world.ambient.now();
    let ordered = |id: String| Job { kind: JobKind::Review, id, at, body: Review::default().to_body().unwrap() };
    let gone = MatchId::generate(&world.ambient);
    let matches = thinking(&world);
    let version = matches.reviewer_version("contiguity").unwrap();
    let orders = [format!("{id}.medium.999"), format!("{gone}.medium.{version}"), "nonsense".to_owned()].map(ordered);
    world.store.order_jobs(&orders).await.unwrap();
    for _ in 0..3 {
        assert!(one_piece(&world, &matches).await.is_some());
    }
    assert!(one_piece(&world, &matches).await.is_none());
    // What cannot be read has failed, and may be ordered again.
    let broken = Job { body: b"7".to_vec(), ..ordered(format!("{id}.medium.{version}")) };
    world.store.order_jobs(&[broken]).await.unwrap();
    one_piece(&world, &matches).await.unwrap();
    let ann = by(&players[0]);
    assert_eq!(state(&matches, &ann, &id).await, ReviewState::Failed);
    let ordered = matches.order_review(&ann, &players[0].id, &id, Ok(LEVEL)).await.unwrap();
    assert_eq!(ordered.2, ReviewState::Underway(Review::default()));
    assert_eq!(state(&matches, &ann, &id).await, ReviewState::Underway(Review::default()));
}
