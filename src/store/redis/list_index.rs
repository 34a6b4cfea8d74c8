//! Brings the lists of matches up to date, where a commit has not done so itself (`commit_effects.rs`).
//!
//! Invariants:
//! - A list is a projection: it is written from the listing that the match has, which is read again afterwards until it
//!   has not changed meanwhile. So it does not matter who projects, how often, or in which order.
//! - A match is put on every list that it belongs on, and taken off those that it was on before, as the task tells that
//!   asks for it. Where more may be wrong (nobody knows where it was, or somebody else has moved it on meanwhile) it is
//!   taken off every list of all who are known to have to do with it.
//! - A task is done only once enough replicas have what it put on the lists, where that is asked for: reading a list takes
//!   wrong entries off, and nothing would ever add one that a failover has lost.
//!
//! Deliberately missing: a search for wrong entries. Whoever reads one off a list corrects it (`lists.rs`).

use std::collections::BTreeSet;

use redis::Cmd;

use super::Shared;
use super::client::read;
use super::listing::decode_listing;
use super::lists::{owners, places};
use super::script::PLACE;
use crate::{ListScope, Listing, Result, Stage};
use sarsen_base::ids::MatchId;

/// How often a listing that keeps changing is followed before it is left to the next look at the outbox.
const ROUNDS: usize = 5;

/// A match whose lists are to be brought up to date.
pub(super) struct Target {
    pub(super) id: MatchId,
    /// As what it was listed before, as far as that is known.
    pub(super) before: Vec<Listing>,
    /// Who else may have it on a list.
    pub(super) others: Vec<ListScope>,
    /// Whether it may be on other lists than what is known of it says.
    pub(super) astray: bool,
}

impl Target {
    /// One that was listed so before, or not at all.
    pub(super) fn moved(id: MatchId, before: Vec<Listing>) -> Target {
        Target { id, before, others: Vec::new(), astray: false }
    }

    /// One of which nobody knows where it was listed before.
    pub(super) fn unknown(id: MatchId) -> Target {
        Target { id, before: Vec::new(), others: Vec::new(), astray: true }
    }
}

/// The lists of one owner, on which a match is put, and off which it is taken.
struct Placing {
    on: Vec<String>,
    off: Vec<String>,
}

impl Placing {
    /// The call that does it for these.
    fn call(id: &MatchId, placings: &[Placing]) -> Cmd {
        let on = placings.iter().flat_map(|placing| &placing.on);
        let keys: Vec<&String> = on.clone().chain(placings.iter().flat_map(|placing| &placing.off)).collect();
        let mut call = PLACE.on(&keys);
        call.arg(id.as_str()).arg(on.count());
        call
    }
}

/// What is to be done on the lists of this owner, for a match that is listed like this now.
fn placing(shared: &Shared, target: &Target, now: Option<&Listing>, owner: &ListScope) -> Placing {
    let of_owner = |listing: &Listing| {
        let theirs = places(&shared.keys, listing).into_iter().filter(|(_, of)| of == owner);
        theirs.map(|(key, _)| key).collect::<Vec<_>>()
    };
    let on = now.map(of_owner).unwrap_or_default();
    let mut off: BTreeSet<String> = target.before.iter().flat_map(of_owner).collect();
    if target.astray {
        // Of a match that is no more, and of which no game is known, what it is found on again tells at the next reading.
        for listing in now.into_iter().chain(&target.before) {
            off.extend(Stage::ALL.map(|stage| shared.keys.list(owner, stage, &listing.game)));
        }
    }
    off.retain(|key| !on.contains(key));
    Placing { on, off: off.into_iter().collect() }
}

/// The calls that put a match where this listing says and take it off elsewhere: one where all lists live together, else
/// one for each owner of lists.
fn calls(shared: &Shared, target: &Target, now: Option<&Listing>) -> Vec<Cmd> {
    let mut whose: Vec<ListScope> = Vec::new();
    let people = now.into_iter().chain(&target.before).flat_map(owners).chain(target.others.iter().cloned());
    for owner in target.astray.then_some(ListScope::Public).into_iter().chain(people) {
        if !whose.contains(&owner) {
            whose.push(owner);
        }
    }
    let placings: Vec<Placing> = whose
        .iter()
        .map(|owner| placing(shared, target, now, owner))
        .filter(|placing| !placing.on.is_empty() || !placing.off.is_empty())
        .collect();
    let together = if shared.client.is_one_place() { placings.len() } else { 1 };
    placings.chunks(together.max(1)).map(|placings| Placing::call(&target.id, placings)).collect()
}

/// The stored listings of these, as they are; `None` where there is no such match.
async fn stored(shared: &Shared, targets: &[Target]) -> Result<Vec<Option<String>>> {
    let gets = targets.iter().map(|target| {
        let mut get = Cmd::new();
        get.arg("HGET").arg(shared.keys.the_match(&target.id)).arg("l");
        get
    });
    shared.client.send_all_once(gets.collect()).await?.into_iter().map(read).collect()
}

/// Brings the lists of these matches up to date, and answers for which that is done. A match that does not exist is
/// taken off where it was listed; where nothing says that, reading such a list takes it off.
pub(super) async fn project(shared: &Shared, targets: Vec<Target>) -> Result<BTreeSet<MatchId>> {
    let mut done = BTreeSet::new();
    let mut open = targets;
    let mut found = stored(shared, &open).await?;
    for _ in 0..ROUNDS {
        let mut writes = Vec::new();
        let mut written = Vec::new();
        for (mut target, text) in open.into_iter().zip(found) {
            let first = writes.len();
            match text.as_deref().map(decode_listing).transpose() {
                Ok(listing) => {
                    writes.extend(calls(shared, &target, listing.as_ref()));
                    target.before.extend(listing);
                }
                Err(error) => {
                    // Asking again will not help.
                    tracing::error!(%error, id = %target.id, "a match stays off its lists");
                    done.insert(target.id);
                    continue;
                }
            }
            written.push((target, text, first..writes.len()));
        }
        // The lists live elsewhere in a cluster than the task that asks for this, which goes once it is done.
        let outcomes = shared.client.keep_each_once(writes).await?;
        written.retain(|(_, _, calls)| {
            outcomes.get(calls.clone()).is_some_and(|calls| calls.iter().all(|call| call.is_ok()))
        });
        let (written, before): (Vec<Target>, Vec<_>) =
            written.into_iter().map(|(target, text, _)| (target, text)).unzip();
        let now = stored(shared, &written).await?;
        (open, found) = (Vec::new(), Vec::new());
        for ((target, before), now) in written.into_iter().zip(before).zip(now) {
            if before == now {
                done.insert(target.id);
            } else {
                // Others may have projected what it was in between.
                open.push(Target { astray: true, ..target });
                found.push(now);
            }
        }
        if open.is_empty() {
            break;
        }
    }
    Ok(done)
}
