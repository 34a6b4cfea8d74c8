//! The sinks of the carried data: files, or a store.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use tokio::time::{Instant, sleep};

use super::files::LineWriter;
use super::format::{FileEntry, Item, Kind};
use super::{TransferError, Witness};
use crate::ratings::Refold;
use sarsen_accounts::player_status::{KnownStatuses, feed};
use sarsen_matches::invites::tickets_of;
use sarsen_store::{ItemKind, ItemOwner, Replaced, Restored, Store, StoreError};

/// The number of things that are written at once.
const AT_ONCE: usize = 64;
/// The most that they may take together, in bytes.
const ROOM: usize = 16 << 20;
/// The time that lists may take to follow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Takes what is carried.
#[async_trait]
pub(super) trait Sink: Send {
    async fn take(&mut self, item: Item, witness: &mut dyn Witness) -> Result<(), TransferError>;
}

/// A file for each kind.
pub(super) struct Files {
    writers: Vec<(Kind, LineWriter)>,
    /// The number of things that could not be written as they are.
    pub(super) left_out: u64,
}

impl Files {
    pub(super) fn create(directory: &Path) -> Result<Files, TransferError> {
        let writers = Kind::ALL.into_iter().map(|kind| Ok((kind, LineWriter::create(directory, kind)?)));
        Ok(Files { writers: writers.collect::<Result<_, TransferError>>()?, left_out: 0 })
    }

    pub(super) fn finish(self) -> Result<Vec<FileEntry>, TransferError> {
        self.writers.into_iter().map(|(_, writer)| writer.finish()).collect()
    }
}

#[async_trait]
impl Sink for Files {
    async fn take(&mut self, item: Item, witness: &mut dyn Witness) -> Result<(), TransferError> {
        let (kind, name) = (item.kind(), item.name().to_owned());
        for (of, writer) in &mut self.writers {
            if *of == kind {
                if !writer.add(item)? {
                    self.left_out += 1;
                    witness.fault(&name, "what is stored is not JSON; it is left out");
                }
                break;
            }
        }
        Ok(())
    }
}

/// The outcome of the writes into a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Carried {
    /// It is there now.
    pub written: u64,
    /// It was there already, just so.
    pub same: u64,
    /// The store has it newer, or it has ended or was given up: it was left as it is.
    pub kept: u64,
    /// Those of the latter that are matches, players, statuses or items of players, logs of ratings or entries of the audit.
    pub refused: u64,
}

/// A store that what is carried goes into.
pub(super) struct Target<'a> {
    store: &'a dyn Store,
    waiting: Vec<Item>,
    room: usize,
    /// The categories whose logs of ratings have grown.
    rated: BTreeSet<String>,
    /// True if those whom the store knows have given up what they do not have there.
    pub(super) settled: bool,
    pub(super) carried: Carried,
}

impl Target<'_> {
    pub(super) fn new(store: &dyn Store) -> Target<'_> {
        let (rated, carried) = (BTreeSet::new(), Carried::default());
        Target { store, waiting: Vec::new(), room: 0, rated, settled: false, carried }
    }

    pub(super) async fn flush(&mut self, witness: &mut dyn Witness) -> Result<(), TransferError> {
        self.room = 0;
        let items = std::mem::take(&mut self.waiting);
        let (store, settled) = (self.store, self.settled);
        let outcomes = join_all(items.into_iter().map(|item| async move {
            let (kind, name) = (item.kind(), item.name().to_owned());
            let given_up = settled && was_given_up(store, &item).await?;
            let restored = if given_up { Restored::Kept } else { restore(store, item).await? };
            let told = !given_up && !matches!(kind, Kind::Sessions | Kind::Revocations | Kind::Inboxes | Kind::Jobs);
            Ok::<_, StoreError>((kind, name, restored, told))
        }));
        for outcome in outcomes.await {
            let (kind, name, restored, told) = outcome?;
            match restored {
                Restored::Written => self.carried.written += 1,
                Restored::Same => self.carried.same += 1,
                Restored::Kept => self.carried.kept += 1,
            }
            if restored == Restored::Written && kind == Kind::Ratings {
                self.rated.insert(name.clone());
            }
            if restored == Restored::Kept && told {
                self.carried.refused += 1;
                let what = if kind == Kind::Items { "an item of it" } else { "it" };
                witness.fault(&name, &format!("the store has {what} in a newer or another state, which is kept"));
            }
        }
        Ok(())
    }

    /// Writes what waits, and waits until the lists have followed.
    pub(super) async fn finish(mut self, witness: &mut dyn Witness) -> Result<Carried, TransferError> {
        self.flush(witness).await?;
        let known = KnownStatuses::default();
        feed::read(self.store, &known).await?;
        let refold = Refold { store: self.store, known: &known, now: self.store.now() };
        for category in &self.rated {
            refold.rebuild(category).await?;
        }
        if !caught_up(self.store, PATIENCE).await? {
            return Err(TransferError::Behind);
        }
        Ok(self.carried)
    }
}

/// Waits until lists and inboxes have followed all commits; answers whether they have in time.
pub(super) async fn caught_up(store: &dyn Store, patience: Duration) -> Result<bool, StoreError> {
    let start = Instant::now();
    while !store.caught_up().await? {
        if start.elapsed() > patience {
            return Ok(false);
        }
        sleep(Duration::from_millis(50)).await;
    }
    Ok(true)
}

/// Returns true for an item or a session that the store does not have, of an owner whom it knows.
async fn was_given_up(store: &dyn Store, item: &Item) -> Result<bool, StoreError> {
    let (player, is_there) = match item {
        Item::Owned(owner, kind, name, _) => {
            let player = match owner {
                ItemOwner::Player(player) => Some(player),
                ItemOwner::Service => None,
            };
            (player, store.item(owner, *kind, name).await?.is_some())
        }
        Item::Session(session) => (Some(&session.player), store.session(&session.id).await?.is_some()),
        _ => return Ok(false),
    };
    let is_known = match player {
        Some(player) => store.player(player).await?.is_some(),
        None => true,
    };
    Ok(is_known && !is_there)
}

async fn restore(store: &dyn Store, item: Item) -> Result<Restored, StoreError> {
    match item {
        Item::Player(id, player) => store.restore_player(&id, player).await,
        Item::Owned(owner, kind, name, stored) => restore_item(store, &owner, kind, &name, stored).await,
        Item::PlayerStatus(player, stored, deleting) => {
            // Revisions of two stores cannot be compared: a status that is there is left as it is.
            match store.status(&player).await? {
                Some(status) if status.stored == stored => Ok(Restored::Same),
                Some(_) => Ok(Restored::Kept),
                None => match store.put_status(&player, 0, stored, deleting).await? {
                    Some(_) => Ok(Restored::Written),
                    None => Ok(Restored::Kept),
                },
            }
        }
        Item::Session(session) => store.restore_session(session).await,
        Item::Revocation(id, until) => store.restore_revocation(&id, until).await.map(|()| Restored::Written),
        Item::Inbox(player, inbox) => store.restore_inbox(&player, inbox).await,
        Item::Ratings(category, from, entries) => {
            let known = KnownStatuses::default();
            Refold { store, known: &known, now: store.now() }.restore(&category, from, entries).await
        }
        Item::Job(job) => {
            let waits = store.job_body(job.kind, &job.id).await?.is_some();
            store.order_jobs(&[job]).await?;
            Ok(if waits { Restored::Same } else { Restored::Written })
        }
        Item::Audit(place, entry) => store.restore_audit(place, entry).await,
        Item::Match(whole) => {
            let (id, tickets) = (whole.id.clone(), tickets_of(&whole.stored, store.now()));
            let restored = store.restore_match(*whole).await?;
            if restored != Restored::Kept {
                for (name, seconds) in tickets {
                    store.put_ticket(&name, id.as_str().as_bytes().to_vec(), seconds).await?;
                }
            }
            Ok(restored)
        }
    }
}

/// Writes an item where there is none, and its name into the directory. One that is there or whose name is another's is
/// left as it is.
async fn restore_item(
    store: &dyn Store,
    owner: &ItemOwner,
    kind: ItemKind,
    name: &str,
    stored: Vec<u8>,
) -> Result<Restored, StoreError> {
    if let ItemOwner::Player(player) = owner
        && kind.in_directory()
        && store.bind_item(kind, name, player).await? != *player
    {
        return Ok(Restored::Kept);
    }
    if store.item(owner, kind, name).await?.as_ref() == Some(&stored) {
        return Ok(Restored::Same);
    }
    match store.replace_item(owner, kind, name, None, Some(stored), usize::MAX).await? {
        Replaced::Done => Ok(Restored::Written),
        Replaced::Differs | Replaced::Full => Ok(Restored::Kept),
    }
}

#[async_trait]
impl Sink for Target<'_> {
    async fn take(&mut self, item: Item, witness: &mut dyn Witness) -> Result<(), TransferError> {
        // Of a log each part comes behind the one before.
        if matches!(item.kind(), Kind::Ratings | Kind::Audit) {
            self.flush(witness).await?;
        }
        self.room += item.size();
        self.waiting.push(item);
        if self.waiting.len() >= AT_ONCE || self.room >= ROOM {
            self.flush(witness).await?;
        }
        Ok(())
    }
}
