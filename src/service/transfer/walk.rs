//! A walk through everything that a store keeps.
//!
//! Invariant: inboxes are read before matches, so that every step that a notice names is in the match that follows.

use std::collections::BTreeSet;

use super::format::Item;
use super::sink::Sink;
use super::{Amounts, TransferError, Witness};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_matches::table::examining::changed_at;
use sarsen_store::{
    AuditPlace, Damage, Inbox, InventoryPage, ItemKind, ItemOwner, JobKind, PageStart, Store, StoreError,
};

/// More players than ever are to be seen off at a time.
const DELETIONS_MAX: usize = 1_000_000;
/// The number of statuses that are read at once.
const STATUSES: usize = 500;
/// The number of entries of a log of ratings or of the audit that are read at once.
const ENTRIES: usize = 500;
/// More than an inbox ever holds.
const INBOX_MAX: usize = 10_000;

/// A page of which nothing is damaged: what is left out is not carried in silence.
pub(super) fn whole<T>(page: InventoryPage<T>) -> Result<InventoryPage<T>, StoreError> {
    match page.damage.first() {
        None => Ok(page),
        Some(Damage { name, what }) => Err(StoreError::Corrupt(format!("{name} {what}"))),
    }
}

/// Hands the items of one owner to `sink`.
async fn owned(
    store: &dyn Store,
    owner: &ItemOwner,
    sink: &mut dyn Sink,
    witness: &mut dyn Witness,
) -> Result<(), TransferError> {
    for kind in ItemKind::ALL.into_iter().filter(|kind| kind.is_carried()) {
        for (name, stored) in store.items(owner, kind).await? {
            sink.take(Item::Owned(owner.clone(), kind, name, stored), witness).await?;
        }
    }
    Ok(())
}

/// Hands the audit to `sink`, the oldest entry first. The store reads it the newest first, so a first walk notes where
/// pages begin.
async fn audit(store: &dyn Store, sink: &mut dyn Sink, witness: &mut dyn Witness) -> Result<(), TransferError> {
    let newest = store.audit(None, 1).await?;
    let mut pages: Vec<AuditPlace> = newest.into_iter().map(|(place, _)| place.next()).collect();
    while let Some(before) = pages.last() {
        match store.audit(Some(*before), ENTRIES).await?.last() {
            Some((oldest, _)) => pages.push(*oldest),
            None => break,
        }
    }
    for before in pages.into_iter().rev() {
        for (place, entry) in store.audit(Some(before), ENTRIES).await?.into_iter().rev() {
            sink.take(Item::Audit(place, entry), witness).await?;
        }
    }
    Ok(())
}

/// Hands everything to `sink`; with `since` only the matches that have changed from then on.
pub(super) async fn walk(
    store: &dyn Store,
    since: Option<Timestamp>,
    sink: &mut dyn Sink,
    witness: &mut dyn Witness,
) -> Result<Amounts, TransferError> {
    let mut tally = Amounts::default();
    let mut from: Option<PageStart> = None;
    loop {
        let page = whole(store.player_ids(from.as_ref()).await?)?;
        for id in page.items {
            // A player who has gone meanwhile takes the rest along.
            let Some(player) = store.player(&id).await? else { continue };
            sink.take(Item::Player(id.clone(), player), witness).await?;
            tally.players += 1;
            owned(store, &ItemOwner::Player(id.clone()), sink, witness).await?;
            for session in whole(store.kept_sessions(&id).await?)?.items {
                sink.take(Item::Session(session), witness).await?;
                tally.sessions += 1;
            }
            let inbox: Inbox = store.inbox(&id, 0, INBOX_MAX).await?;
            if inbox.newest > 0 {
                sink.take(Item::Inbox(id, inbox), witness).await?;
                tally.inboxes += 1;
            }
        }
        witness.progress("players", tally.players);
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    owned(store, &ItemOwner::Service, sink, witness).await?;
    let deletions: BTreeSet<PlayerId> =
        store.deletions(DELETIONS_MAX).await?.into_iter().map(|deletion| deletion.player).collect();
    let mut known = 0;
    loop {
        let page = store.statuses_after(known, STATUSES).await?;
        let Some((_, newest)) = page.last() else { break };
        known = newest.revision;
        for (player, status) in page {
            let leaves = deletions.contains(&player);
            sink.take(Item::PlayerStatus(player, status.stored, leaves), witness).await?;
        }
    }
    for (id, until) in store.revocations().await? {
        sink.take(Item::Revocation(id, until), witness).await?;
        tally.revocations += 1;
    }
    loop {
        let page = whole(store.match_ids(from.as_ref()).await?)?;
        for id in page.items {
            let Some(whole) = store.whole_match(&id).await? else { continue };
            // What cannot be read is carried: it may be a newer release's.
            if since.is_some_and(|since| changed_at(&whole.stored).is_some_and(|changed| changed < since)) {
                continue;
            }
            sink.take(Item::Match(Box::new(whole)), witness).await?;
            tally.matches += 1;
        }
        witness.progress("matches", tally.matches);
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    for category in store.rating_categories().await? {
        let mut from = 0;
        loop {
            let entries = store.rating_log(&category, from, ENTRIES).await?;
            let read = entries.len() as u64;
            if read == 0 {
                break;
            }
            sink.take(Item::Ratings(category.clone(), from, entries), witness).await?;
            from += read;
        }
    }
    for kind in JobKind::ALL.into_iter().filter(|kind| kind.is_carried()) {
        for job in store.waiting_jobs(kind).await? {
            sink.take(Item::Job(job), witness).await?;
        }
    }
    audit(store, sink, witness).await?;
    Ok(tally)
}
