//! Lists of matches: sorted sets of ids, which follow the listings stored with the matches.
//!
//! Invariants:
//! - A list is a projection: it is written from the listing that the match has, which is read again afterwards until it
//!   has not changed meanwhile. So it does not matter who projects, how often, or in which order.
//! - A task is done only once enough replicas have what it put on the lists, where that is asked for: reading a list takes
//!   wrong entries off, and nothing would ever add one that a failover has lost.
//! - What is read off a list is checked against the listing of each match; a wrong entry is left out and corrected.

use std::collections::BTreeSet;

use redis::{Cmd, Value};

use super::Shared;
use super::link::read;
use super::listing::decode_listing;
use super::script::PLACE;
use crate::ids::{MatchId, PlayerId};
use crate::store::keys::Keys;
use crate::store::{ListQuery, ListScope, ListedMatch, Listing, Result, Stage};

/// How often a listing that keeps changing is followed before it is left to the next look at the outbox.
const ROUNDS: usize = 5;

fn fits(listing: &Listing, query: &ListQuery) -> bool {
    belongs(listing, &query.scope, query.stage, query.game.as_deref())
}

/// Whether a match of this listing is on a list.
pub(super) fn belongs(listing: &Listing, scope: &ListScope, stage: Option<Stage>, game: Option<&str>) -> bool {
    let owner = match scope {
        ListScope::Public => listing.public,
        ListScope::Player(player) => listing.players.contains(player),
    };
    owner && stage.is_none_or(|stage| stage == listing.stage) && game.is_none_or(|game| *game == listing.game)
}

/// Every list that a match of this listing is on, with its key.
pub(super) fn places<'a>(
    keys: &Keys,
    listing: &'a Listing,
) -> Vec<(String, ListScope, Option<Stage>, Option<&'a str>)> {
    let owners = listing.players.iter().cloned().map(ListScope::Player);
    let mut found = Vec::new();
    for scope in listing.public.then_some(ListScope::Public).into_iter().chain(owners) {
        for stage in [None, Some(listing.stage)] {
            for game in [None, Some(listing.game.as_str())] {
                found.push((keys.list(&scope, stage, game), scope.clone(), stage, game));
            }
        }
    }
    found
}

/// A match whose lists are to be brought up to date, and the players who may be on whose lists it was.
pub(super) struct Target {
    pub(super) id: MatchId,
    pub(super) others: BTreeSet<PlayerId>,
    /// Its game, if that is known: it is needed for a match that was deleted.
    pub(super) game: Option<String>,
}

impl Target {
    pub(super) fn new(id: MatchId) -> Target {
        Target { id, others: BTreeSet::new(), game: None }
    }
}

/// The call that puts a match on the lists of one owner that fit its stage, or takes it off all.
fn place(shared: &Shared, id: &MatchId, game: &str, scope: &ListScope, on: Option<Stage>) -> Cmd {
    let game = Some(game);
    let stages = std::iter::once(None).chain(Stage::ALL.into_iter().map(Some));
    let keys: Vec<String> =
        stages.clone().flat_map(|stage| [None, game].map(|game| shared.keys.list(scope, stage, game))).collect();
    let pair = on.and_then(|on| stages.into_iter().position(|stage| stage == Some(on))).map_or(0, |place| place + 1);
    let mut call = PLACE.on(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    call.arg(id.as_str()).arg(pair);
    call
}

/// The calls that put a match where this listing says and take it off elsewhere.
fn placements(shared: &Shared, target: &Target, listing: &Listing) -> Vec<Cmd> {
    let (id, game, stage) = (&target.id, &listing.game, Some(listing.stage));
    let mut calls = vec![place(shared, id, game, &ListScope::Public, stage.filter(|_| listing.public))];
    let players: BTreeSet<&PlayerId> = listing.players.iter().chain(&target.others).collect();
    calls.extend(players.into_iter().map(|player| {
        let on = stage.filter(|_| listing.players.contains(player));
        place(shared, id, game, &ListScope::Player(player.clone()), on)
    }));
    calls
}

/// The calls that take a match that is no more off all lists on which it was.
fn removals(shared: &Shared, target: &Target) -> Vec<Cmd> {
    let Some(game) = &target.game else { return Vec::new() };
    let owners = target.others.iter().cloned().map(ListScope::Player);
    std::iter::once(ListScope::Public)
        .chain(owners)
        .map(|scope| place(shared, &target.id, game, &scope, None))
        .collect()
}

/// The stored listings of these, as they are; `None` where there is no such match.
async fn stored(shared: &Shared, targets: &[&Target]) -> Result<Vec<Option<String>>> {
    let gets = targets.iter().map(|target| {
        let mut get = Cmd::new();
        get.arg("HGET").arg(shared.keys.the_match(&target.id)).arg("l");
        get
    });
    shared.link.send_all_once(gets.collect()).await?.into_iter().map(read).collect()
}

/// Brings the lists of these matches up to date, and answers for which that is done. A match that does not exist is
/// taken off where it was listed; where nothing says that, reading such a list takes it off.
pub(super) async fn project(shared: &Shared, targets: &[Target]) -> Result<BTreeSet<MatchId>> {
    let mut done = BTreeSet::new();
    let mut open: Vec<&Target> = targets.iter().collect();
    let mut found = stored(shared, &open).await?;
    for _ in 0..ROUNDS {
        let mut calls = Vec::new();
        let mut written = Vec::new();
        for (target, text) in open.into_iter().zip(found) {
            let first = calls.len();
            match text.as_deref().map(decode_listing).transpose() {
                Ok(Some(listing)) => calls.extend(placements(shared, target, &listing)),
                Ok(None) => calls.extend(removals(shared, target)),
                Err(error) => {
                    // Asking again will not help.
                    tracing::error!(%error, id = %target.id, "a match stays off its lists");
                    done.insert(target.id.clone());
                    continue;
                }
            }
            written.push((target, text, first..calls.len()));
        }
        // The lists live elsewhere in a cluster than the task that asks for this, which goes once it is done.
        let outcomes = shared.link.keep_each_once(calls).await?;
        written.retain(|(_, _, calls)| {
            outcomes.get(calls.clone()).is_some_and(|calls| calls.iter().all(|call| call.is_ok()))
        });
        let now = stored(shared, &written.iter().map(|(target, ..)| *target).collect::<Vec<_>>()).await?;
        (open, found) = written
            .into_iter()
            .zip(now)
            .filter_map(|((target, before, _), now)| {
                if before == now {
                    done.insert(target.id.clone());
                    return None;
                }
                Some((target, now))
            })
            .unzip();
        if open.is_empty() {
            break;
        }
    }
    Ok(done)
}

/// The matches of a list.
pub(super) async fn list(shared: &Shared, query: &ListQuery) -> Result<Vec<ListedMatch>> {
    list_as(shared, query).await
}

/// Their ids, of which only the listings are read.
pub(super) async fn list_ids(shared: &Shared, query: &ListQuery) -> Result<Vec<MatchId>> {
    list_as(shared, query).await
}

/// What is read of a match on a list, beside its listing.
trait FromFields: Sized {
    /// The names of the fields.
    const FIELDS: &'static [&'static str];

    /// From the id and these fields; `None` where half of the match is missing.
    fn from_fields(id: MatchId, fields: Vec<Value>) -> Result<Option<Self>>;
}

impl FromFields for ListedMatch {
    const FIELDS: &'static [&'static str] = &["v", "r"];

    fn from_fields(id: MatchId, fields: Vec<Value>) -> Result<Option<ListedMatch>> {
        let (version, stored): (Option<u64>, Option<Vec<u8>>) = read(Value::Array(fields))?;
        Ok(version.zip(stored).map(|(version, stored)| ListedMatch { id, stored, version }))
    }
}

impl FromFields for MatchId {
    const FIELDS: &'static [&'static str] = &[];

    fn from_fields(id: MatchId, _: Vec<Value>) -> Result<Option<MatchId>> {
        Ok(Some(id))
    }
}

async fn list_as<T: FromFields>(shared: &Shared, query: &ListQuery) -> Result<Vec<T>> {
    let key = shared.keys.list(&query.scope, query.stage, query.game.as_deref());
    let mut listed = Vec::with_capacity(query.limit);
    let mut below = query.before.as_ref().map(|id| format!("({id}"));
    loop {
        let wanted = query.limit - listed.len();
        let mut range = Cmd::new();
        range.arg("ZREVRANGEBYLEX").arg(&key).arg(below.as_deref().unwrap_or("+")).arg("-");
        range.arg("LIMIT").arg(0).arg(wanted);
        let names: Vec<String> = read(shared.link.send_again_if_lost(&range).await?)?;
        below = names.last().map(|name| format!("({name}"));
        let end = names.len() < wanted;
        let wrong = check(shared, query, &names, &mut listed).await?;
        if !wrong.is_empty() {
            correct(shared, query, &key, wrong).await;
        }
        if end || listed.len() >= query.limit {
            return Ok(listed);
        }
    }
}

/// Reads the matches of these names into `listed` and answers the names that do not belong on the list.
async fn check<T: FromFields>(
    shared: &Shared,
    query: &ListQuery,
    names: &[String],
    listed: &mut Vec<T>,
) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let mut gets = Vec::new();
    let mut ids = Vec::new();
    for name in names {
        match name.parse::<MatchId>() {
            Ok(id) => {
                let mut get = Cmd::new();
                get.arg("HMGET").arg(shared.keys.the_match(&id)).arg("l").arg(T::FIELDS);
                gets.push(get);
                ids.push(id);
            }
            Err(_) => wrong.push(name.clone()),
        }
    }
    for (id, answer) in ids.into_iter().zip(shared.link.send_all_once(gets).await?) {
        let mut fields: Vec<Value> = read(answer)?;
        let listing: Option<String> = if fields.is_empty() { None } else { read(fields.remove(0))? };
        let listing = listing.as_deref().map(decode_listing).transpose()?;
        let found = match listing {
            Some(listing) if fits(&listing, query) => T::from_fields(id.clone(), fields)?,
            _ => None,
        };
        match found {
            Some(found) => listed.push(found),
            None => wrong.push(id.into()),
        }
    }
    Ok(wrong)
}

/// Takes wrong entries off the list they were found on, and puts their matches where they belong. What fails here is
/// found wrong again at the next reading.
async fn correct(shared: &Shared, query: &ListQuery, key: &str, wrong: Vec<String>) {
    let mut removal = Cmd::new();
    removal.arg("ZREM").arg(key).arg(&wrong);
    let others: BTreeSet<PlayerId> = match &query.scope {
        ListScope::Public => BTreeSet::new(),
        ListScope::Player(player) => BTreeSet::from([player.clone()]),
    };
    let targets: Vec<Target> = wrong
        .iter()
        .filter_map(|name| name.parse().ok())
        .map(|id| Target { others: others.clone(), ..Target::new(id) })
        .collect();
    let corrected = async {
        shared.link.send_again_if_lost(&removal).await?;
        project(shared, &targets).await
    };
    if let Err(error) = corrected.await {
        tracing::debug!(%error, "wrong list entries stay for now");
    }
}
