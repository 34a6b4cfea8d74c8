//! Updates of the lists of matches, where a commit has not made them itself (`commit_effects.rs`).
//!
//! Invariants:
//! - A list is a projection: it is written from the listing of the match, which is read again afterwards until it has
//!   not changed meanwhile. So it does not matter which instance projects, how often, or in which order.
//! - A match is put on every list that it belongs on, and removed from those that it was on before, by the task. Where
//!   more may be wrong (its earlier listing is unknown, or another instance has changed it meanwhile), it is removed
//!   from every other list of all its known owners.
//! - A task is done only once enough replicas have its list entries, where the store waits for replicas: a reader
//!   removes wrong entries, but nothing would ever add one that a failover has lost.
//!
//! A search for wrong entries is deliberately absent: a reader that finds one corrects it (`lists.rs`).

use std::collections::BTreeSet;

use redis::Cmd;

use super::Shared;
use super::client::{command_with, read};
use super::listing::decode_listing;
use super::lists::{owners, places};
use super::script::PLACE;
use crate::{ListScope, Listing, Result, Stage};
use sarsen_base::ids::MatchId;

/// The number of rounds in which a changing listing is followed, before it is left to the next sweep of the outbox.
const ROUNDS: usize = 5;

/// A match whose lists need an update.
pub(super) struct Target {
    pub(super) id: MatchId,
    /// Its earlier listings, as far as they are known.
    pub(super) before: Vec<Listing>,
    /// Further owners whose lists may have it.
    pub(super) others: Vec<ListScope>,
    /// True if it may be on more lists than those of the known listings.
    pub(super) astray: bool,
}

impl Target {
    /// Makes the target of a match with these earlier listings, or none.
    pub(super) fn moved(id: MatchId, before: Vec<Listing>) -> Target {
        Target { id, before, others: Vec::new(), astray: false }
    }

    /// Makes the target of a match whose earlier listing is unknown.
    pub(super) fn unknown(id: MatchId) -> Target {
        Target { id, before: Vec::new(), others: Vec::new(), astray: true }
    }
}

/// The lists of one owner: those that the match is put on, and those that it is removed from.
struct Placing {
    on: Vec<String>,
    off: Vec<String>,
}

impl Placing {
    /// Makes the call that does both.
    fn call(id: &MatchId, placings: &[Placing]) -> Cmd {
        let on = placings.iter().flat_map(|placing| &placing.on);
        let keys: Vec<&String> = on.clone().chain(placings.iter().flat_map(|placing| &placing.off)).collect();
        PLACE.call(&keys, (id.as_str(), on.count()))
    }
}

/// Returns the changes to the lists of this owner, for a match with this listing now.
fn placing(shared: &Shared, target: &Target, now: Option<&Listing>, owner: &ListScope) -> Placing {
    let of_owner = |listing: &Listing| {
        let theirs = places(&shared.keys, listing).into_iter().filter(|(_, of)| of == owner);
        theirs.map(|(key, _)| key).collect::<Vec<_>>()
    };
    let on = now.map(of_owner).unwrap_or_default();
    let mut off: BTreeSet<String> = target.before.iter().flat_map(of_owner).collect();
    if target.astray {
        // For a deleted match of an unknown game, the next reader finds the remaining entries.
        for listing in now.into_iter().chain(&target.before) {
            off.extend(Stage::ALL.map(|stage| shared.keys.list(owner, stage, &listing.game)));
        }
    }
    off.retain(|key| !on.contains(key));
    Placing { on, off: off.into_iter().collect() }
}

/// Returns the calls that put a match on the lists of this listing and remove it from others: one where all lists live
/// together, else one for each owner of lists.
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

/// Returns the stored listings of these matches, as text; `None` where there is no such match.
async fn stored(shared: &Shared, targets: &[Target]) -> Result<Vec<Option<String>>> {
    let gets = targets.iter().map(|target| command_with("HGET", shared.keys.the_match(&target.id), "l"));
    shared.client.send_all_once(gets.collect()).await?.into_iter().map(read).collect()
}

/// Updates the lists of these matches, and returns those for which that succeeded. A match that does not exist is
/// removed from its earlier lists; where these are unknown, a reader of such a list removes it.
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
                    // A retry does not help.
                    tracing::error!(%error, id = %target.id, "a match stays off its lists");
                    done.insert(target.id);
                    continue;
                }
            }
            written.push((target, text, first..writes.len()));
        }
        // In a cluster the lists live elsewhere than the task behind this update, which is removed once it is done.
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
                // Others may have projected the listing in between.
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
