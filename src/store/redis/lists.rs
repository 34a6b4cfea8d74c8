//! Lists of matches: sorted sets of ids, which follow the listings stored with the matches (`list_index.rs`).
//!
//! Each owner has one for every stage and game; a reader merges the lists of a query.
//!
//! Invariant: each entry of a list is checked against the listing of its match; a wrong entry is left out and
//! corrected.

use redis::Value;

use super::Shared;
use super::client::{command_with, read};
use super::list_index::{Target, project};
use super::listing::decode_listing;
use crate::keys::Keys;
use crate::{LOOKED_AT, ListQuery, ListScope, ListedMatch, Listing, Result, Stage};
use sarsen_base::ids::{MatchId, PlayerId};

/// Returns true if a match of this listing answers the query.
fn fits(listing: &Listing, query: &ListQuery) -> bool {
    is_of(listing, &query.scope)
        && query.stage.is_none_or(|stage| stage == listing.stage)
        && query.game.as_ref().is_none_or(|game| *game == listing.game)
}

/// Returns true if a match of this listing is on a list of this owner.
pub(super) fn is_of(listing: &Listing, scope: &ListScope) -> bool {
    match scope {
        ListScope::Public => listing.public,
        ListScope::Player(player) => listing.players.contains(player),
    }
}

/// Returns the owners of the lists that a match of this listing is on.
pub(super) fn owners(listing: &Listing) -> impl Iterator<Item = ListScope> {
    let players = listing.players.iter().cloned().map(ListScope::Player);
    listing.public.then_some(ListScope::Public).into_iter().chain(players)
}

/// Returns the lists that a match of this listing is on: the key and the owner of each.
pub(super) fn places(keys: &Keys, listing: &Listing) -> Vec<(String, ListScope)> {
    owners(listing).map(|scope| (keys.list(&scope, listing.stage, &listing.game), scope)).collect()
}

/// Returns the keys of the lists that hold the answer to a query.
fn sources(shared: &Shared, query: &ListQuery) -> Vec<String> {
    let games: Vec<&str> = match &query.game {
        Some(game) => vec![game.as_str()],
        None => shared.games.iter().map(String::as_str).collect(),
    };
    let stages = Stage::ALL.into_iter().filter(|stage| query.stage.is_none_or(|asked| asked == *stage));
    stages.flat_map(|stage| games.iter().map(move |game| shared.keys.list(&query.scope, stage, game))).collect()
}

/// The part of a listed match that is read beside its listing.
pub(super) trait FromFields: Sized {
    /// The names of the fields.
    const FIELDS: &'static [&'static str];

    /// Makes the value from the id and these fields; `None` where half of the match is missing.
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

/// Returns the matches that a query asks for, whole or only their ids; for these only the listings are read.
pub(super) async fn list<T: FromFields>(shared: &Shared, query: &ListQuery) -> Result<Vec<T>> {
    let keys = sources(shared, query);
    let mut listed = Vec::with_capacity(query.limit);
    let mut below = query.before.as_ref().map(|id| format!("({id}"));
    let (mut looked_at, mut wanted) = (0, query.limit);
    loop {
        let names = newest(shared, &keys, below.as_deref(), wanted).await?;
        below = names.last().map(|name| format!("({name}"));
        looked_at += names.len();
        let end = names.len() < wanted || (query.seen_by.is_some() && looked_at >= LOOKED_AT);
        let wrong = check(shared, query, &names, &mut listed).await?;
        if !wrong.is_empty() {
            correct(shared, query, &keys, wrong).await;
        }
        if end || listed.len() >= query.limit {
            listed.truncate(query.limit);
            return Ok(listed);
        }
        wanted = match query.seen_by {
            // Many of them may be hidden from the reader.
            Some(_) => (wanted * 2).clamp(SEEN_AT_ONCE_MIN, SEEN_AT_ONCE_MAX),
            None => query.limit - listed.len(),
        };
    }
}

/// The minimum and maximum number of matches that one trip checks, after one in which some were hidden from the reader.
const SEEN_AT_ONCE_MIN: usize = 20;
const SEEN_AT_ONCE_MAX: usize = 200;

/// Returns the newest ids of these lists together, each once. Each list is read by a command of its own, because a
/// cluster refuses commands on several keys while their slot moves.
async fn newest(shared: &Shared, keys: &[String], below: Option<&str>, wanted: usize) -> Result<Vec<String>> {
    let looks = keys
        .iter()
        .map(|key| command_with("ZREVRANGEBYLEX", key.clone(), (below.unwrap_or("+"), "-", "LIMIT", 0, wanted)));
    let mut names: Vec<String> = Vec::new();
    for answer in shared.client.send_all_once(looks.collect()).await? {
        names.extend(read::<Vec<String>>(answer)?);
    }
    names.sort_unstable_by(|one, other| other.cmp(one));
    names.dedup();
    names.truncate(wanted);
    Ok(names)
}

/// Reads the matches of these names into `listed`, those that the reader is shown, and returns the names that do not
/// belong on the list.
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
                gets.push(command_with("HMGET", shared.keys.the_match(&id), ("l", T::FIELDS)));
                ids.push(id);
            }
            Err(_) => wrong.push(name.clone()),
        }
    }
    for (id, answer) in ids.into_iter().zip(shared.client.send_all_once(gets).await?) {
        let mut fields: Vec<Value> = read(answer)?;
        let listing: Option<String> = if fields.is_empty() { None } else { read(fields.remove(0))? };
        let listing = listing.as_deref().map(decode_listing).transpose()?;
        let is_shown = |listing: &Listing| {
            let has = |player: &PlayerId| listing.players.contains(player);
            query.seen_by.as_ref().is_none_or(|reader| reader.is_shown(listing.public, has))
        };
        let found = match listing {
            Some(listing) if fits(&listing, query) && !is_shown(&listing) => continue,
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

/// Removes wrong entries from these lists, and puts their matches where they belong. The next reader finds the failed
/// ones again.
async fn correct(shared: &Shared, query: &ListQuery, keys: &[String], wrong: Vec<String>) {
    let removals = keys.iter().map(|key| command_with("ZREM", key.clone(), &wrong));
    let of = |id| Target { others: vec![query.scope.clone()], ..Target::unknown(id) };
    let targets = wrong.iter().filter_map(|name| name.parse().ok()).map(of).collect();
    let corrected = async {
        shared.client.send_all_once(removals.collect()).await?;
        project(shared, targets).await
    };
    if let Err(error) = corrected.await {
        tracing::debug!(%error, "wrong list entries stay for now");
    }
}
