//! Survival of acknowledged steps through failovers: pairs play at two instances of the program while masters are
//! replaced, killed, halted or cut off and instances are killed. Afterwards each acknowledged creation and move is
//! looked for in the logs.
//!
//! Invariant: where all replicas are waited for and a master takes nothing without any, nothing is lost and nothing
//! doubled, whatever happens of what [`rig::Fault`] lists. Otherwise the same is counted and shown, since no promise is
//! made then.
//! A fault in the test's own bookkeeping is looked for as well: a run without moves during a fault fails.
//!
//! The ordinary run plays a small plan; `tests/full.sh failover` plays the plans of [`plan`] and prints their tables.
//! Deliberately missing: power failures, of which only a machine with a plug can tell, and other networks than loopback.

mod cluster;
mod ledger;
mod plan;
mod players;
mod rig;
mod sentinel;
mod service;
mod table;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use test_kit::environment::FAILOVER;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use self::ledger::Ledger;
use self::plan::Plan;
use self::players::Pair;
use self::rig::{Fault, Rig};
use self::service::Service;

/// The time to play between two faults.
const CALM: Duration = Duration::from_secs(2);
/// The longest time of one plan in all.
const LIMIT: Duration = Duration::from_secs(600);

/// Has everything happen that is planned, with the time that it takes until everyone plays again.
async fn fail(plan: &Plan, rig: &mut dyn Rig, service: &Service) {
    service.everyone_moves().await;
    for &fault in &plan.faults {
        sleep(CALM).await;
        service.ledger().begins(fault);
        match fault {
            Fault::InstanceKilled => service.kill_an_instance().await,
            fault => rig.happens(fault).await,
        }
        service.everyone_moves().await;
        service.ledger().is_over();
    }
    sleep(CALM).await;
}

/// Plays a plan and answers what was acknowledged, with what became of it.
async fn play(plan: &Plan) -> Ledger {
    let mut rig = plan.build().await;
    let service = Arc::new(Service::start(rig.settings(plan.replicas)).await);
    let pairs = join_all((0..plan.pairs).map(|number| Pair::sign_in(number, Arc::clone(&service)))).await;
    let mut playing: JoinSet<()> = pairs.into_iter().map(Pair::play_until_stopped).collect();
    tokio::select! {
        () = fail(plan, rig.as_mut(), &service) => {}
        Some(ended) = playing.join_next() => panic!("a pair has stopped playing: {ended:?}"),
    }
    service.stop();
    playing.join_all().await;
    service.look_everything_up().await;
    service.end()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_failovers() {
    let plans = if FAILOVER.text().is_some_and(|what| what == "whole") { plan::whole() } else { vec![plan::small()] };
    let mut broken = Vec::new();
    for plan in plans {
        let ledger = timeout(LIMIT, play(&plan)).await.expect("a plan in time");
        println!("{}", table::of(&plan, &ledger));
        let sums = ledger.sums();
        assert!(sums.iter().all(|sum| sum.moves > 0), "{}: nothing was played during a fault", plan.name);
        if plan.promises && (sums.iter().any(ledger::Sum::is_broken) || ledger.refused() > 0) {
            broken.push(plan.name);
        }
    }
    assert!(broken.is_empty(), "acknowledged, and lost or doubled, although replicas were waited for: {broken:?}");
}
