//! Lists of matches.
//!
//! Invariant: the entries of [`LISTS`] are exactly those that the last listings of the matches ask for.

use redb::{Range, ReadableTable};

use super::database::{Outcome, Snapshot};
use super::layout::{LISTED, LISTS, ListKey, Listed, MATCHES, OWN, PUBLIC, Tables, stage_code};
use crate::{LOOKED_AT, ListQuery, ListReader, ListScope, ListedMatch, Listing, Stage};
use sarsen_base::ids::{MatchId, PlayerId};

/// Lists a match, in place of its listing from before.
pub(super) fn put(tables: &mut Tables<'_>, id: u128, listing: &Listing) -> Outcome<()> {
    let new = as_listed(listing);
    let keys = keys_of(id, &new);
    if let Some(old) = tables.listed.insert(id, &new)? {
        for key in keys_of(id, &old.value()) {
            if !keys.contains(&key) {
                tables.lists.remove(key)?;
            }
        }
    }
    for key in keys {
        tables.lists.insert(key, ())?;
    }
    Ok(())
}

/// Removes a match from its lists.
pub(super) fn remove(tables: &mut Tables<'_>, id: u128) -> Outcome<()> {
    if let Some(old) = tables.listed.remove(id)? {
        for key in keys_of(id, &old.value()) {
            tables.lists.remove(key)?;
        }
    }
    Ok(())
}

/// Returns a listing as stored.
pub(super) fn as_listed(listing: &Listing) -> Listed<'_> {
    let players = listing.players.iter().map(PlayerId::number).collect();
    (&listing.game, stage_code(listing.stage), listing.public, players)
}

/// Returns the entries that a listing asks for.
pub(super) fn keys_of<'a>(id: u128, (game, stage, public, players): &Listed<'a>) -> Vec<ListKey<'a>> {
    let own = players.iter().map(|player| (OWN, *player, *game, *stage, id));
    public.then_some((PUBLIC, 0, *game, *stage, id)).into_iter().chain(own).collect()
}

/// Returns the matches that a query asks for.
pub(super) fn list(transaction: &Snapshot, query: &ListQuery) -> Outcome<Vec<ListedMatch>> {
    let matches = transaction.open_table(MATCHES)?;
    let mut found = Vec::new();
    for id in list_ids(transaction, query)? {
        let Some(stored) = matches.get(id.number())? else {
            return Err(redb::Error::Corrupted(format!("{id} is listed and does not exist")));
        };
        let (version, _, stored) = stored.value();
        found.push(ListedMatch { stored: stored.to_vec(), version, id });
    }
    Ok(found)
}

/// Returns the ids of the matches that a query asks for.
pub(super) fn list_ids(transaction: &Snapshot, query: &ListQuery) -> Outcome<Vec<MatchId>> {
    let lists = transaction.open_table(LISTS)?;
    let (scope, owner) = match &query.scope {
        ListScope::Public => (PUBLIC, 0),
        ListScope::Player(player) => (OWN, player.number()),
    };
    let games = match &query.game {
        Some(game) => vec![game.clone()],
        None => games_on(&lists, scope, owner)?,
    };
    let stages = match query.stage {
        Some(stage) => vec![stage],
        None => Stage::ALL.to_vec(),
    };
    let before = query.before.as_ref().map(MatchId::number);
    let mut stretches = Vec::with_capacity(games.len() * stages.len());
    for game in &games {
        for stage in stages.iter().copied().map(stage_code) {
            let first = (scope, owner, game.as_str(), stage, 0);
            let range = match before {
                Some(before) => lists.range(first..(scope, owner, game.as_str(), stage, before))?,
                None => lists.range(first..=(scope, owner, game.as_str(), stage, u128::MAX))?,
            };
            stretches.push(Stretch::new(range)?);
        }
    }
    let listed = transaction.open_table(LISTED)?;
    let is_shown = |id: u128, reader: &ListReader| -> Outcome<bool> {
        let Some(listed) = listed.get(id)? else { return Ok(true) };
        let (_, _, public, players) = listed.value();
        Ok(reader.is_shown(public, |player| players.contains(&player.number())))
    };
    let mut found = Vec::new();
    let mut looked_at = 0;
    while found.len() < query.limit {
        let newest = stretches.iter_mut().filter(|stretch| stretch.next.is_some()).max_by_key(|stretch| stretch.next);
        let Some((id, stretch)) = newest.and_then(|stretch| stretch.next.map(|id| (id, stretch))) else { break };
        stretch.advance()?;
        if let Some(reader) = &query.seen_by {
            looked_at += 1;
            if looked_at > LOOKED_AT {
                break;
            }
            if !is_shown(id, reader)? {
                continue;
            }
        }
        found.push(MatchId::from_number(id));
    }
    Ok(found)
}

/// Returns the games with matches on a list: one step of the tree each.
fn games_on(lists: &impl ReadableTable<ListKey<'static>, ()>, scope: u8, owner: u128) -> Outcome<Vec<String>> {
    let mut games = Vec::new();
    let mut from = String::new();
    while let Some(entry) = lists.range((scope, owner, from.as_str(), 0, 0)..)?.next() {
        let (key, _) = entry?;
        let (found_scope, found_owner, game, ..) = key.value();
        if (found_scope, found_owner) != (scope, owner) {
            break;
        }
        games.push(game.to_owned());
        // The least text above the game's name.
        from = format!("{game}\0");
    }
    Ok(games)
}

/// The rest of one stretch of a list, newest first.
struct Stretch<'a> {
    entries: Range<'a, ListKey<'static>, ()>,
    next: Option<u128>,
}

impl<'a> Stretch<'a> {
    fn new(entries: Range<'a, ListKey<'static>, ()>) -> Outcome<Stretch<'a>> {
        let mut stretch = Stretch { entries, next: None };
        stretch.advance()?;
        Ok(stretch)
    }

    fn advance(&mut self) -> Outcome<()> {
        self.next = self.entries.next_back().transpose()?.map(|(key, _)| key.value().4);
        Ok(())
    }
}
