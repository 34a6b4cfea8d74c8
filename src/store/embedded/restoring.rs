//! Restoring: each thing in one write, which looks before it writes.

use async_trait::async_trait;
use redb::ReadableTable;

use super::database::Outcome;
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::{OWN, PUBLIC, stage_code};
use super::stretches::{self, End};
use super::{Embedded, due, inboxes, lists, log};
use crate::{
    Due, Inbox, KeptSession, ListScope, Listing, Live, Restored, Restoring, Result, Revised, StrayEntry, WholeMatch,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

#[async_trait]
impl Restoring for Embedded {
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
        self.write(move |group| revoke(group, &id, until)).await
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

fn idle(group: &mut Group<'_>, restored: Restored) -> Outcome<Restored> {
    group.idle += 1;
    Ok(restored)
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
            return idle(group, if same { Restored::Same } else { Restored::Kept });
        }
        Some((version, _)) if version > whole.version => return idle(group, Restored::Kept),
        None if tables.deleted.get(id)?.is_some() => return idle(group, Restored::Kept),
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
        Some((revision, true)) if revision == player.revision => return idle(group, Restored::Same),
        Some((revision, _)) if revision >= player.revision => return idle(group, Restored::Kept),
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
        _ if revoked || session.expires.0 <= now => return idle(group, Restored::Kept),
        Some((revision, true)) if revision == session.revision => return idle(group, Restored::Same),
        Some((revision, _)) if revision >= session.revision => return idle(group, Restored::Kept),
        _ => {}
    }
    let player = session.player.number();
    tables.sessions.insert(id, (session.revision, player, session.expires.0, session.stored.as_slice()))?;
    tables.sessions_of.insert((player, id), session.expires.0)?;
    expiry::note(tables, session.expires, Kind::Session, &id.to_be_bytes())?;
    Ok(Restored::Written)
}

fn revoke(group: &mut Group<'_>, id: &SessionId, until: Timestamp) -> Outcome<()> {
    let number = id.number();
    let tables = &mut group.tables;
    let player = tables.sessions.remove(number)?.map(|session| session.value().1);
    if let Some(player) = player {
        tables.sessions_of.remove((player, number))?;
    }
    let known = tables.revocations.get(number)?.map_or(i64::MIN, |until| until.value());
    tables.revocations.insert(number, known.max(until.0))?;
    expiry::note(tables, until, Kind::Revocation, &number.to_be_bytes())?;
    group.live.push(Live::Revoked(id.clone(), until));
    Ok(())
}

fn restore_inbox(group: &mut Group<'_>, player: &PlayerId, inbox: &Inbox) -> Outcome<Restored> {
    let owner = player.number();
    let table = &mut group.tables.inbox;
    let newest = End::of(table, owner)?.last();
    if newest >= inbox.newest {
        return idle(group, if newest == inbox.newest { Restored::Same } else { Restored::Kept });
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
        group.idle += 1;
        return Ok(false);
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
