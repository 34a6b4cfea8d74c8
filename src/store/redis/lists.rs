//! Lists of matches: sorted sets of ids, which follow the listings stored with the matches (`projection.rs`).
//!
//! Invariant: what is read off a list is checked against the listing of each match; a wrong entry is left out and
//! corrected.

use redis::{Cmd, Value};

use super::Shared;
use super::link::read;
use super::listing::decode_listing;
use super::projection::{Target, project};
use crate::ids::MatchId;
use crate::store::keys::Keys;
use crate::store::{ListQuery, ListScope, ListedMatch, Listing, Result, Stage};

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

/// Whose lists a match of this listing is on.
pub(super) fn owners(listing: &Listing) -> impl Iterator<Item = ListScope> {
    let players = listing.players.iter().cloned().map(ListScope::Player);
    listing.public.then_some(ListScope::Public).into_iter().chain(players)
}

/// Every list that a match of this listing is on, with its key.
pub(super) fn places<'a>(
    keys: &Keys,
    listing: &'a Listing,
) -> Vec<(String, ListScope, Option<Stage>, Option<&'a str>)> {
    let mut found = Vec::new();
    for scope in owners(listing) {
        for stage in [None, Some(listing.stage)] {
            for game in [None, Some(listing.game.as_str())] {
                found.push((keys.list(&scope, stage, game), scope.clone(), stage, game));
            }
        }
    }
    found
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
    let of = |id| Target { others: vec![query.scope.clone()], ..Target::unknown(id) };
    let targets = wrong.iter().filter_map(|name| name.parse().ok()).map(of).collect();
    let corrected = async {
        shared.link.send_again_if_lost(&removal).await?;
        project(shared, targets).await
    };
    if let Err(error) = corrected.await {
        tracing::debug!(%error, "wrong list entries stay for now");
    }
}
