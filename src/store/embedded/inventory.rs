//! The inventory. Pages are stretches of the tables, in the order of their keys, so that nothing is named twice. Each
//! restore is one write, which checks before it writes.

use async_trait::async_trait;
use redb::{ReadableTable, TableDefinition, TableHandle};

use super::database::{Outcome, Snapshot};
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::{
    DUE_OF, LISTED, LISTS, ListKey, Listed, MATCHES, OWN, PLAYERS, PUBLIC, REPLAYS, SESSIONS, SESSIONS_OF, stage_code,
};
use super::stretches::{self, End};
use super::{Embedded, damage, due, inboxes, lists, log, players};
use crate::{
    Damage, Due, Inbox, Inventory, InventoryPage, KeptSession, ListScope, Listing, Live, PageStart, Replay, ReplayKey,
    Restored, Result, Revised, Stage, Stamp, StoreError, StrayEntry, WholeMatch,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// The number of ids on a page.
const PAGE: usize = 500;
/// The number of entries of lists that are checked for a page.
const ENTRIES: usize = 5000;

/// The beginning of a page of lists: scope, owner, game, stage, match.
type ListStart = (u8, String, String, u8, String);

#[async_trait]
impl Inventory for Embedded {
    async fn match_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<MatchId>> {
        let first = number(from)?;
        let found = self.read_many(PAGE, move |transaction| keys(transaction, MATCHES, first)).await?;
        Ok(found.page(MatchId::from_number))
    }

    async fn listings(&self, from: Option<&PageStart>) -> Result<InventoryPage<(MatchId, Listing)>> {
        let first = number(from)?;
        let mut found = self.read_many(PAGE, move |transaction| listings(transaction, first)).await?;
        let next = found.get(PAGE).map(|(next, _)| PageStart(next.to_string()));
        found.truncate(PAGE);
        let items = found.into_iter().filter_map(|(id, listing)| Some((MatchId::from_number(id), listing?))).collect();
        Ok(InventoryPage { items, next, damage: Vec::new() })
    }

    async fn player_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<PlayerId>> {
        let first = number(from)?;
        let found = self.read_many(PAGE, move |transaction| keys(transaction, PLAYERS, first)).await?;
        Ok(found.page(PlayerId::from_number))
    }

    async fn whole_match(&self, id: &MatchId) -> Result<Option<WholeMatch>> {
        let id = id.clone();
        self.read_many(usize::MAX, move |transaction| whole(transaction, id)).await
    }

    async fn kept_sessions(&self, player: &PlayerId) -> Result<InventoryPage<KeptSession>> {
        let (player, now) = (player.clone(), self.ambient.now());
        let items = self.read_many(usize::MAX, move |transaction| sessions(transaction, &player, now)).await?;
        Ok(InventoryPage { items, next: None, damage: Vec::new() })
    }

    async fn missing_from(&self, id: &MatchId, listing: &Listing) -> Result<Vec<String>> {
        self.read(|transaction| missing(transaction, id.number(), listing))
    }

    async fn strays(&self, from: Option<&PageStart>) -> Result<InventoryPage<StrayEntry>> {
        let from = from.map(|from| serde_json::from_str::<ListStart>(&from.0)).transpose().map_err(foreign)?;
        let from = from.unwrap_or_default();
        let (found, next) = self.read_many(ENTRIES, move |transaction| strays(transaction, &from)).await?;
        let next = next.map(|next| serde_json::to_string(&next).map(PageStart)).transpose().map_err(foreign)?;
        Ok(InventoryPage { items: found, next, damage: Vec::new() })
    }

    async fn damaged(&self, _: Option<&PageStart>) -> Result<InventoryPage<Damage>> {
        let items = self.read_many(usize::MAX, damage::all).await?;
        Ok(InventoryPage { items, next: None, damage: Vec::new() })
    }

    async fn caught_up(&self) -> Result<bool> {
        Ok(true)
    }

    async fn restore_match(&self, whole: WholeMatch) -> Result<Restored> {
        self.write(move |group| restore_match(group, &whole)).await
    }

    async fn restore_player(&self, id: &PlayerId, player: Revised) -> Result<Restored> {
        let id = id.number();
        self.write(move |group| restore_player(group, id, &player)).await
    }

    async fn restore_session(&self, session: KeptSession) -> Result<Restored> {
        self.write(move |group| restore_session(group, &session)).await
    }

    async fn restore_revocation(&self, id: &SessionId, until: Timestamp) -> Result<()> {
        let id = id.clone();
        self.write(move |group| players::revoke(group, &id, until)).await
    }

    async fn restore_inbox(&self, player: &PlayerId, inbox: Inbox) -> Result<Restored> {
        let player = player.clone();
        self.write(move |group| restore_inbox(group, &player, &inbox)).await
    }

    async fn relist(&self, id: &MatchId, version: u64, listing: &Listing) -> Result<bool> {
        let (id, listing) = (id.number(), listing.clone());
        self.write(move |group| relist(group, id, version, &listing)).await
    }

    async fn unlist(&self, stray: &StrayEntry) -> Result<()> {
        let stray = stray.clone();
        self.write(move |group| unlist(group, &stray)).await
    }
}

fn foreign(error: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("not a place in this inventory: {error}"))
}

fn number(from: Option<&PageStart>) -> Result<u128> {
    from.map_or(Ok(0), |from| from.0.parse().map_err(foreign))
}

/// A page of the keys of a table.
#[derive(Default)]
struct Keys {
    found: Vec<u128>,
    next: Option<u128>,
    /// The table, and the first and the last key that cannot be read.
    gap: Option<(String, u128, u128)>,
}

impl Keys {
    fn page<T: std::fmt::Display>(self, id: impl Fn(u128) -> T) -> InventoryPage<T> {
        let damage = self.gap.map(|(table, first, last)| {
            Damage::of(format!("the table {table}"), format!("cannot be read from {} to {}", id(first), id(last)))
        });
        InventoryPage {
            items: self.found.into_iter().map(id).collect(),
            next: self.next.map(|next| PageStart(next.to_string())),
            damage: damage.into_iter().collect(),
        }
    }
}

/// Returns a page of the keys from `first` on. Where the first cannot be read, the next page begins behind the damage.
fn keys<V: redb::Value + 'static>(
    file: &Snapshot,
    definition: TableDefinition<'static, u128, V>,
    first: u128,
) -> Outcome<Keys> {
    let table = file.open_table(definition)?;
    let mut found = Vec::new();
    let read = file.read(|_| {
        for entry in table.range(first..)?.take(PAGE + 1) {
            found.push(entry?.0.value());
        }
        Ok(())
    });
    let gap = |last| Some((definition.name().to_owned(), first, last));
    match read {
        Ok(()) => {
            let next = found.get(PAGE).copied();
            found.truncate(PAGE);
            return Ok(Keys { found, next, gap: None });
        }
        Err(redb::Error::Corrupted(_)) => {}
        Err(other) => return Err(other),
    }
    if let Some(last) = found.last() {
        // The next page begins at the damage.
        let next = last.checked_add(1);
        return Ok(Keys { found, next, gap: None });
    }
    let begins = |from: u128| file.read(|_| Ok(table.range(from..)?.next().transpose()?.map(drop))).is_ok();
    let (mut damaged, mut whole) = (first, u128::MAX);
    if !begins(whole) {
        return Ok(Keys { gap: gap(whole), ..Keys::default() });
    }
    while whole - damaged > 1 {
        let middle = damaged + (whole - damaged) / 2;
        *(if begins(middle) { &mut whole } else { &mut damaged }) = middle;
    }
    Ok(Keys { found, next: Some(whole), gap: gap(damaged) })
}

/// Returns the listings from the match `first` on, a page and one more.
fn listings(transaction: &Snapshot, first: u128) -> Outcome<Vec<(u128, Option<Listing>)>> {
    let table = transaction.open_table(LISTED)?;
    let entries = table.range(first..)?.take(PAGE + 1);
    entries.map(|entry| entry.map(|(id, listed)| (id.value(), listing(&listed.value()))).map_err(Into::into)).collect()
}

fn whole(transaction: &Snapshot, id: MatchId) -> Outcome<Option<WholeMatch>> {
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
    Stage::ALL.get(usize::from(code)).copied()
}

fn listing((game, stage, public, players): &Listed<'_>) -> Option<Listing> {
    let players = players.iter().map(|player| PlayerId::from_number(*player)).collect();
    Some(Listing { game: (*game).to_owned(), stage: stage_of(*stage)?, public: *public, players })
}

fn sessions(transaction: &Snapshot, player: &PlayerId, now: Timestamp) -> Outcome<Vec<KeptSession>> {
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

fn missing(transaction: &Snapshot, id: u128, wanted: &Listing) -> Outcome<Vec<String>> {
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
            let stage = wanted.stage.name();
            faults.push(format!("it is missing from {whose} of {stage} matches of {game}"));
        }
    }
    Ok(faults)
}

fn strays(transaction: &Snapshot, from: &ListStart) -> Outcome<(Vec<StrayEntry>, Option<ListStart>)> {
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

fn restore_match(group: &mut Group<'_>, whole: &WholeMatch) -> Outcome<Restored> {
    let id = whole.id.number();
    let tables = &mut group.tables;
    let standing = tables.matches.get(id)?.map(|found| {
        let (version, stamp, stored) = found.value();
        (version, stamp == whole.stamp.number() && stored == whole.stored)
    });
    match standing {
        Some((version, same)) if version == whole.version => {
            return group.unchanged(if same { Restored::Same } else { Restored::Kept });
        }
        Some((version, _)) if version > whole.version => return group.unchanged(Restored::Kept),
        None if tables.deleted.get(id)?.is_some() => return group.unchanged(Restored::Kept),
        _ => {}
    }
    tables.matches.insert(id, (whole.version, whole.stamp.number(), whole.stored.as_slice()))?;
    log::remove(tables, id)?;
    tables.archives.remove(id)?;
    for (version, entry) in (1..).zip(&whole.entries) {
        log::push(tables, id, version, entry)?;
    }
    for (key, replay) in &whole.replays {
        let value = (replay.version, replay.fingerprint.as_str());
        tables.replays.insert((id, key.player.number(), key.key.as_str()), value)?;
    }
    if let Some(listing) = &whole.listing {
        lists::put(tables, id, listing)?;
    }
    due::set(tables, id, whole.due.map_or(Due::Remove, Due::At))?;
    group.live.push(Live::Match(whole.id.clone(), whole.version));
    Ok(Restored::Written)
}

fn restore_player(group: &mut Group<'_>, id: u128, player: &Revised) -> Outcome<Restored> {
    let tables = &mut group.tables;
    let standing = tables.players.get(id)?.map(|found| {
        let (revision, stored) = found.value();
        (revision, stored == player.stored)
    });
    match standing {
        Some((revision, true)) if revision == player.revision => return group.unchanged(Restored::Same),
        Some((revision, _)) if revision >= player.revision => return group.unchanged(Restored::Kept),
        _ => {}
    }
    tables.players.insert(id, (player.revision, player.stored.as_slice()))?;
    Ok(Restored::Written)
}

fn restore_session(group: &mut Group<'_>, session: &KeptSession) -> Outcome<Restored> {
    let (id, now) = (session.id.number(), group.now.0);
    let tables = &mut group.tables;
    let revoked = tables.revocations.get(id)?.is_some_and(|until| until.value() > now);
    let standing = tables.sessions.get(id)?.and_then(|found| {
        let (revision, _, end, stored) = found.value();
        (end > now).then_some((revision, stored == session.stored))
    });
    match standing {
        _ if revoked || session.expires.0 <= now => return group.unchanged(Restored::Kept),
        Some((revision, true)) if revision == session.revision => return group.unchanged(Restored::Same),
        Some((revision, _)) if revision >= session.revision => return group.unchanged(Restored::Kept),
        _ => {}
    }
    let player = session.player.number();
    tables.sessions.insert(id, (session.revision, player, session.expires.0, session.stored.as_slice()))?;
    tables.sessions_of.insert((player, id), session.expires.0)?;
    expiry::note(tables, session.expires, Kind::Session, &id.to_be_bytes())?;
    Ok(Restored::Written)
}

fn restore_inbox(group: &mut Group<'_>, player: &PlayerId, inbox: &Inbox) -> Outcome<Restored> {
    let owner = player.number();
    let table = &mut group.tables.inbox;
    let newest = End::of(table, owner)?.last();
    if newest >= inbox.newest {
        return group.unchanged(if newest == inbox.newest { Restored::Same } else { Restored::Kept });
    }
    stretches::remove(table, owner)?;
    for notice in &inbox.notices {
        let item = inboxes::written(notice.match_id.number(), notice.version);
        End::of(table, owner)?.push(table, notice.number, &item)?;
    }
    group.live.push(Live::Inbox(player.clone()));
    Ok(Restored::Written)
}

fn relist(group: &mut Group<'_>, id: u128, version: u64, listing: &Listing) -> Outcome<bool> {
    let stands_at = group.tables.matches.get(id)?.map(|found| found.value().0);
    if stands_at != Some(version) {
        return group.unchanged(false);
    }
    lists::put(&mut group.tables, id, listing)?;
    Ok(true)
}

fn unlist(group: &mut Group<'_>, stray: &StrayEntry) -> Outcome<()> {
    let (scope, owner) = match &stray.scope {
        ListScope::Public => (PUBLIC, 0),
        ListScope::Player(player) => (OWN, player.number()),
    };
    group.tables.lists.remove((scope, owner, stray.game.as_str(), stage_code(stray.stage), stray.id.number()))?;
    Ok(())
}
