//! The inventory: stretches of the tables, in the order of their keys, so that nothing is named twice.

use async_trait::async_trait;
use redb::{ReadTransaction, ReadableTable};

use super::Embedded;
use super::database::Outcome;
use super::layout::{
    DUE_OF, LISTED, LISTS, ListKey, Listed, MATCHES, OWN, PLAYERS, PUBLIC, REPLAYS, SESSIONS, SESSIONS_OF, stage_code,
};
use super::{due, lists, log};
use crate::{
    Inventory, InventoryPage, KeptSession, ListScope, Listing, PageStart, Replay, ReplayKey, Result, Stage, Stamp,
    StoreError, StrayEntry, WholeMatch,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// How many ids a page has.
const PAGE: usize = 500;
/// How many entries of lists are looked at for a page.
const ENTRIES: usize = 5000;

/// Where a page of lists begins: scope, owner, game, stage, match.
type ListStart = (u8, String, String, u8, String);

#[async_trait]
impl Inventory for Embedded {
    async fn match_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<MatchId>> {
        let first = number(from)?;
        let found = self.read_many(PAGE, move |transaction| keys(&transaction.open_table(MATCHES)?, first)).await?;
        Ok(page(found, MatchId::from_number))
    }

    async fn listings(&self, from: Option<&PageStart>) -> Result<InventoryPage<(MatchId, Listing)>> {
        let first = number(from)?;
        let mut found = self.read_many(PAGE, move |transaction| listings(transaction, first)).await?;
        let next = found.get(PAGE).map(|(next, _)| PageStart(next.to_string()));
        found.truncate(PAGE);
        let items = found.into_iter().filter_map(|(id, listing)| Some((MatchId::from_number(id), listing?))).collect();
        Ok(InventoryPage { items, next })
    }

    async fn player_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<PlayerId>> {
        let first = number(from)?;
        let found = self.read_many(PAGE, move |transaction| keys(&transaction.open_table(PLAYERS)?, first)).await?;
        Ok(page(found, PlayerId::from_number))
    }

    async fn whole_match(&self, id: &MatchId) -> Result<Option<WholeMatch>> {
        let id = id.clone();
        self.read_many(usize::MAX, move |transaction| whole(transaction, id)).await
    }

    async fn kept_sessions(&self, player: &PlayerId) -> Result<Vec<KeptSession>> {
        let (player, now) = (player.clone(), self.ambient.now());
        self.read_many(usize::MAX, move |transaction| sessions(transaction, &player, now)).await
    }

    async fn missing_from(&self, id: &MatchId, listing: &Listing) -> Result<Vec<String>> {
        self.read(|transaction| missing(transaction, id.number(), listing))
    }

    async fn strays(&self, from: Option<&PageStart>) -> Result<InventoryPage<StrayEntry>> {
        let from = from.map(|from| serde_json::from_str::<ListStart>(&from.0)).transpose().map_err(foreign)?;
        let from = from.unwrap_or_default();
        let (found, next) = self.read_many(ENTRIES, move |transaction| strays(transaction, &from)).await?;
        let next = next.map(|next| serde_json::to_string(&next).map(PageStart)).transpose().map_err(foreign)?;
        Ok(InventoryPage { items: found, next })
    }

    async fn caught_up(&self) -> Result<bool> {
        Ok(true)
    }
}

fn foreign(error: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("not a place in this inventory: {error}"))
}

fn number(from: Option<&PageStart>) -> Result<u128> {
    from.map_or(Ok(0), |from| from.0.parse().map_err(foreign))
}

/// The keys from `first` on, a page and one more.
fn keys<V: redb::Value + 'static>(table: &impl ReadableTable<u128, V>, first: u128) -> Outcome<Vec<u128>> {
    table.range(first..)?.take(PAGE + 1).map(|entry| Ok(entry?.0.value())).collect()
}

/// The listings from the match `first` on, a page and one more.
fn listings(transaction: &ReadTransaction, first: u128) -> Outcome<Vec<(u128, Option<Listing>)>> {
    let table = transaction.open_table(LISTED)?;
    let entries = table.range(first..)?.take(PAGE + 1);
    entries.map(|entry| entry.map(|(id, listed)| (id.value(), listing(&listed.value()))).map_err(Into::into)).collect()
}

fn page<T>(mut found: Vec<u128>, id: impl Fn(u128) -> T) -> InventoryPage<T> {
    let next = found.get(PAGE).map(|next| PageStart(next.to_string()));
    found.truncate(PAGE);
    InventoryPage { items: found.into_iter().map(id).collect(), next }
}

fn whole(transaction: &ReadTransaction, id: MatchId) -> Outcome<Option<WholeMatch>> {
    let number = id.number();
    let Some(found) = transaction.open_table(MATCHES)?.get(number)? else { return Ok(None) };
    let (version, stamp, stored) = found.value();
    let (stamp, stored) = (Stamp::from_number(stamp), stored.to_vec());
    let listing = transaction.open_table(LISTED)?.get(number)?.and_then(|listed| listing(&listed.value()));
    let due = transaction.open_table(DUE_OF)?.get(number)?.map(|at| due::moment(at.value()));
    let entries = log::read(transaction, &id, 0, usize::MAX)?;
    let mut replays = Vec::new();
    for entry in transaction.open_table(REPLAYS)?.range((number, 0, "")..)? {
        let (key, value) = entry?;
        let ((of, player, key), (version, fingerprint)) = (key.value(), value.value());
        if of != number {
            break;
        }
        let key = ReplayKey { player: PlayerId::from_number(player), key: key.to_owned() };
        replays.push((key, Replay { version, fingerprint: fingerprint.to_owned() }));
    }
    Ok(Some(WholeMatch { id, version, stamp, stored, listing, due, entries, replays }))
}

fn stage_of(code: u8) -> Option<Stage> {
    Stage::ALL.into_iter().find(|stage| stage_code(*stage) == code)
}

fn listing((game, stage, public, players): &Listed<'_>) -> Option<Listing> {
    let players = players.iter().map(|player| PlayerId::from_number(*player)).collect();
    Some(Listing { game: (*game).to_owned(), stage: stage_of(*stage)?, public: *public, players })
}

fn sessions(transaction: &ReadTransaction, player: &PlayerId, now: Timestamp) -> Outcome<Vec<KeptSession>> {
    let (sessions, owner) = (transaction.open_table(SESSIONS)?, player.number());
    let mut kept = Vec::new();
    for entry in transaction.open_table(SESSIONS_OF)?.range((owner, 0)..=(owner, u128::MAX))? {
        let id = entry?.0.value().1;
        let Some(found) = sessions.get(id)? else { continue };
        let (revision, _, end, stored) = found.value();
        if end > now.0 {
            let (id, stored) = (SessionId::from_number(id), stored.to_vec());
            kept.push(KeptSession { id, player: player.clone(), revision, stored, expires: Timestamp(end) });
        }
    }
    Ok(kept)
}

fn missing(transaction: &ReadTransaction, id: u128, wanted: &Listing) -> Outcome<Vec<String>> {
    let mut faults = Vec::new();
    let noted = transaction.open_table(LISTED)?.get(id)?.and_then(|listed| listing(&listed.value()));
    if noted.as_ref() != Some(wanted) {
        faults.push("it is noted as listed otherwise".to_owned());
    }
    let lists = transaction.open_table(LISTS)?;
    for (scope, owner, game, stage, id) in lists::keys_of(id, &lists::as_listed(wanted)) {
        if lists.get((scope, owner, game, stage, id))?.is_none() {
            let whose = match scope {
                PUBLIC => "the public list".to_owned(),
                _ => format!("the list of {}", PlayerId::from_number(owner)),
            };
            faults.push(format!("it is missing from {whose} of {} matches of {game}", wanted.stage.name()));
        }
    }
    Ok(faults)
}

fn strays(transaction: &ReadTransaction, from: &ListStart) -> Outcome<(Vec<StrayEntry>, Option<ListStart>)> {
    let (listed, lists) = (transaction.open_table(LISTED)?, transaction.open_table(LISTS)?);
    let (scope, owner, game, stage, id) = from;
    let (owner, id) = (owner.parse().unwrap_or(0), id.parse().unwrap_or(0));
    let mut found = Vec::new();
    for (count, entry) in lists.range((*scope, owner, game.as_str(), *stage, id)..)?.enumerate() {
        let (key, ()) = { entry.map(|(key, _)| (key, ()))? };
        let key: ListKey<'_> = key.value();
        let (scope, owner, game, stage, id) = key;
        if count == ENTRIES {
            return Ok((found, Some((scope, owner.to_string(), game.to_owned(), stage, id.to_string()))));
        }
        let fits = listed.get(id)?.is_some_and(|listed| lists::keys_of(id, &listed.value()).contains(&key));
        if !fits {
            let scope = if scope == OWN { ListScope::Player(PlayerId::from_number(owner)) } else { ListScope::Public };
            let Some(stage) = stage_of(stage) else { continue };
            found.push(StrayEntry { scope, stage, game: game.to_owned(), id: MatchId::from_number(id) });
        }
    }
    Ok((found, None))
}
