//! The check: whether everything that a store keeps agrees with itself.
//!
//! Invariants:
//! - Only what follows from the matches (lists, the due index), from a log (ratings) or from items (the directory) is
//!   repaired, never a match, a log or an item. A damaged ticket of a pool is removed: its player puts in another.
//! - What cannot be read is a fault with the id of what it belongs to, and the rest is examined nevertheless; only a store
//!   that is away ends the check. No fault quotes what is stored.
//! - A service may work on the store meanwhile: what may be a moment's difference counts as a fault only if it is still
//!   there once the lists have caught up.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::time::Duration;

use super::sink::caught_up;
use super::{TransferError, Witness};
use crate::admin::entry_fault;
use crate::notifications::{is_readable_item, is_readable_job};
use crate::pools;
use crate::ratings::Refold;
use sarsen_accounts::player_status::{KnownStatuses, PlayerStatus, feed};
use sarsen_accounts::players::{player_fault, session_fault};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::Games;
use sarsen_matches::examined::{checkpoint_fault, notices_of, plan_fault};
use sarsen_matches::table::examining::examine;
use sarsen_rules::phrases::counted;
use sarsen_store::{
    Damage, DueMatch, Inbox, InventoryPage, ItemKind, ItemOwner, JobKind, ListQuery, ListScope, PageStart, Store,
    StoreError, StrayEntry, WholeMatch,
};

/// The time that lists may take to follow before their gaps are a fault.
const PATIENCE: Duration = Duration::from_secs(10);
/// The number of matches with gaps in their lists that wait for that together.
const DOUBTFUL_MAX: usize = 10_000;
/// More than an inbox ever holds.
const INBOX_MAX: usize = 10_000;
/// The number of matches of a player, statuses or entries of the audit that are read at once.
const PAGE: usize = 500;
/// More players than ever are to be seen off at a time.
const DELETIONS_MAX: usize = 1_000_000;

/// The findings of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// The number of matches that were made again from their logs.
    pub matches: u64,
    /// The number of players that were read.
    pub players: u64,
    /// The number of sessions of theirs that were read.
    pub sessions: u64,
    /// The number of inboxes that were read.
    pub inboxes: u64,
    /// The number of notices that name a match that is gone. That is no fault: matches are deleted.
    pub notices_of_gone_matches: u64,
    /// The number of faults.
    pub faults: u64,
    /// The number of faults that were repaired.
    pub repaired: u64,
}

struct Check<'a> {
    store: &'a dyn Store,
    games: &'a Games,
    fix: bool,
    witness: &'a mut dyn Witness,
    found: Checked,
}

/// Examines everything; with `fix` repairs lists and the due index. Each fault is reported once, or sometimes twice
/// where the store names things twice.
///
/// # Errors
/// If the store is away.
pub async fn check(
    store: &dyn Store,
    games: &Games,
    fix: bool,
    witness: &mut dyn Witness,
) -> Result<Checked, TransferError> {
    let mut check = Check { store, games, fix, witness, found: Checked::default() };
    check.damage().await?;
    check.matches().await?;
    check.strays().await?;
    check.players().await?;
    check.jobs().await?;
    check.statuses().await?;
    check.audit().await?;
    check.ratings().await?;
    check.pools().await?;
    Ok(check.found)
}

impl Check<'_> {
    fn fault(&mut self, name: impl Display, what: &str) {
        self.found.faults += 1;
        self.witness.fault(&name.to_string(), what);
    }

    fn repaired(&mut self, name: impl Display, what: &str) {
        self.found.faults += 1;
        self.found.repaired += 1;
        self.witness.fault(&name.to_string(), &format!("{what}; repaired"));
    }

    /// Returns the stored value that was asked for under this name; a value that cannot be read counts as a fault of
    /// it.
    fn read<T>(&mut self, name: impl Display, asked: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match asked {
            Ok(found) => Ok(Some(found)),
            Err(StoreError::Corrupt(what)) => {
                self.fault(name, &format!("cannot be read: {what}"));
                Ok(None)
            }
            Err(away) => Err(away),
        }
    }

    /// The things of a page, whose damage is reported; none of an inventory that cannot be read at all.
    fn page<T>(
        &mut self,
        kind: &str,
        asked: Result<InventoryPage<T>, StoreError>,
    ) -> Result<(Vec<T>, Option<PageStart>), StoreError> {
        let Some(InventoryPage { items, next, damage }) = self.read(kind, asked)? else {
            return Ok((Vec::new(), None));
        };
        for Damage { name, what } in damage {
            self.fault(name, &what);
        }
        Ok((items, next))
    }

    /// Tells of what is damaged in the store itself.
    async fn damage(&mut self) -> Result<(), TransferError> {
        let mut from: Option<PageStart> = None;
        loop {
            let asked = self.store.damaged(from.as_ref()).await;
            let (items, next) = self.page("the store", asked)?;
            for Damage { name, what } in items {
                self.fault(name, &what);
            }
            from = next;
            if from.is_none() {
                return Ok(());
            }
        }
    }

    async fn matches(&mut self) -> Result<(), TransferError> {
        let mut doubtful: Vec<MatchId> = Vec::new();
        let mut from: Option<PageStart> = None;
        loop {
            let asked = self.store.match_ids(from.as_ref()).await;
            let (ids, next) = self.page("the matches", asked)?;
            for id in ids {
                if self.examine(&id).await? {
                    doubtful.push(id);
                }
                if self.found.matches.is_multiple_of(100) {
                    self.witness.progress("matches", self.found.matches);
                }
            }
            if doubtful.len() >= DOUBTFUL_MAX {
                self.lists(std::mem::take(&mut doubtful)).await?;
            }
            from = next;
            if from.is_none() {
                break;
            }
        }
        self.witness.progress("matches", self.found.matches);
        self.lists(doubtful).await
    }

    /// The match, if it is there and can be read; with `telling` one that cannot be read is reported.
    async fn whole(&mut self, id: &MatchId, telling: bool) -> Result<Option<WholeMatch>, StoreError> {
        match self.store.whole_match(id).await {
            Err(StoreError::Corrupt(_)) if !telling => Ok(None),
            asked => Ok(self.read(id, asked)?.flatten()),
        }
    }

    /// Examines a match and what is kept beside it; answers whether it seems to be missing from a list.
    async fn examine(&mut self, id: &MatchId) -> Result<bool, TransferError> {
        let Some(whole) = self.whole(id, true).await? else { return Ok(false) };
        let examined = examine(self.games, &whole);
        self.found.matches += 1;
        for fault in &examined.faults {
            self.fault(id, fault);
        }
        let plans = self.store.plans(id).await;
        for plan in self.read(id, plans)?.unwrap_or_default() {
            if let Some(fault) = plan_fault(&plan) {
                self.fault(id, &fault);
            }
        }
        self.checkpoints(&whole).await?;
        if examined.due.is_some() && whole.due.is_none() {
            self.due(id).await?;
        }
        let Some(listing) = &examined.listing else { return Ok(false) };
        let missing = self.store.missing_from(id, listing).await;
        Ok(self.read(id, missing)?.is_some_and(|missing| !missing.is_empty()))
    }

    async fn checkpoints(&mut self, whole: &WholeMatch) -> Result<(), TransferError> {
        let mut at_most = whole.version;
        loop {
            let asked = self.store.checkpoint(&whole.id, at_most).await;
            let Some(found) = self.read(&whole.id, asked)?.flatten() else { return Ok(()) };
            if let Some(fault) = checkpoint_fault(self.games, whole, &found) {
                self.fault(&whole.id, &fault);
            }
            match found.version.checked_sub(1) {
                Some(before) if before < at_most => at_most = before,
                _ => return Ok(()),
            }
        }
    }

    /// Looks again at a match that nothing leads to when it is due. An entry too many only costs a look and is no fault.
    async fn due(&mut self, id: &MatchId) -> Result<(), TransferError> {
        let Some(whole) = self.whole(id, false).await? else { return Ok(()) };
        let Some(at) = examine(self.games, &whole).due.filter(|_| whole.due.is_none()) else {
            return Ok(());
        };
        let what = format!("nothing leads to it when it is due, at {}", at.rfc3339());
        if self.fix && self.store.note_due(&[DueMatch { id: id.clone(), at }]).await? > 0 {
            self.repaired(id, &what);
        } else {
            self.fault(id, &what);
        }
        Ok(())
    }

    /// Looks again at matches whose lists lacked something.
    async fn lists(&mut self, doubtful: Vec<MatchId>) -> Result<(), TransferError> {
        if doubtful.is_empty() {
            return Ok(());
        }
        caught_up(self.store, PATIENCE).await?;
        for id in doubtful {
            let Some(whole) = self.whole(&id, false).await? else { continue };
            let Some(listing) = examine(self.games, &whole).listing else { continue };
            let missing = self.store.missing_from(&id, &listing).await;
            let missing = self.read(&id, missing)?.unwrap_or_default();
            let fixed = self.fix && !missing.is_empty() && {
                let relisted = self.store.relist(&id, whole.version, &listing).await;
                self.read(&id, relisted)?.unwrap_or_default()
            };
            for fault in missing {
                if fixed { self.repaired(&id, &fault) } else { self.fault(&id, &fault) }
            }
        }
        Ok(())
    }

    async fn strays(&mut self) -> Result<(), TransferError> {
        let first = self.all_strays(true).await?;
        if first.is_empty() {
            return Ok(());
        }
        caught_up(self.store, PATIENCE).await?;
        for stray in self.all_strays(false).await?.into_iter().filter(|stray| first.contains(stray)) {
            let whose = match &stray.scope {
                ListScope::Public => "the public list".to_owned(),
                ListScope::Player(player) => format!("the list of {player}"),
            };
            let (stage, game) = (stray.stage.name(), &stray.game);
            let what = format!("it is on {whose} of {stage} matches of {game}, where it does not belong");
            let unlisted = self.fix && {
                let unlisted = self.store.unlist(&stray).await;
                self.read(&stray.id, unlisted)?.is_some()
            };
            if unlisted { self.repaired(&stray.id, &what) } else { self.fault(&stray.id, &what) }
        }
        Ok(())
    }

    async fn all_strays(&mut self, telling: bool) -> Result<Vec<StrayEntry>, TransferError> {
        let (mut found, mut from): (Vec<StrayEntry>, Option<PageStart>) = (Vec::new(), None);
        loop {
            let asked = self.store.strays(from.as_ref()).await;
            let (items, next) = match asked {
                Err(StoreError::Corrupt(_)) if !telling => (Vec::new(), None),
                asked => self.page("the lists", asked)?,
            };
            found.extend(items);
            from = next;
            if from.is_none() {
                return Ok(found);
            }
        }
    }

    async fn players(&mut self) -> Result<(), TransferError> {
        let mut from: Option<PageStart> = None;
        loop {
            let asked = self.store.player_ids(from.as_ref()).await;
            let (ids, next) = self.page("the players", asked)?;
            for id in ids {
                self.player(&id).await?;
                self.items(&ItemOwner::Player(id.clone())).await?;
                self.inbox(&id).await?;
            }
            self.witness.progress("players", self.found.players);
            from = next;
            if from.is_none() {
                return self.items(&ItemOwner::Service).await;
            }
        }
    }

    async fn player(&mut self, id: &PlayerId) -> Result<(), TransferError> {
        let asked = self.store.player(id).await;
        if let Some(Some(kept)) = self.read(id, asked)? {
            self.found.players += 1;
            if let Some(fault) = player_fault(&kept.stored) {
                self.fault(id, &fault);
            }
        }
        let asked = self.store.kept_sessions(id).await;
        let Some(InventoryPage { items, damage, .. }) = self.read(id, asked)? else { return Ok(()) };
        for Damage { name, what } in damage {
            self.fault(name, &what);
        }
        for session in items {
            self.found.sessions += 1;
            if let Some(fault) = session_fault(id, &session.stored) {
                self.fault(&session.id, &fault);
            }
        }
        Ok(())
    }

    /// Looks for items that cannot be read, and for those that the directory does not lead to.
    async fn items(&mut self, owner: &ItemOwner) -> Result<(), TransferError> {
        let whose = match owner {
            ItemOwner::Player(player) => player.to_string(),
            ItemOwner::Service => "the service".to_owned(),
        };
        for kind in ItemKind::ALL {
            let asked = self.store.items(owner, kind).await;
            for (name, stored) in self.read(&whose, asked)?.unwrap_or_default() {
                if !is_readable_item(kind, &stored) {
                    self.fault(&whose, &format!("one of its items of the kind {} cannot be read", kind.name()));
                }
                let (true, ItemOwner::Player(player)) = (kind.in_directory(), owner) else { continue };
                let asked = self.store.item_holder(kind, &name).await;
                let Some(holder) = self.read(player, asked)? else { continue };
                if holder.as_ref() == Some(player) {
                    continue;
                }
                let what = format!("nothing leads to one of its items of the kind {}", kind.name());
                let bound = self.fix && holder.is_none() && {
                    let bound = self.store.bind_item(kind, &name, player).await;
                    self.read(player, bound)?.as_ref() == Some(player)
                };
                if bound { self.repaired(player, &what) } else { self.fault(player, &what) }
            }
        }
        Ok(())
    }

    async fn inbox(&mut self, player: &PlayerId) -> Result<(), TransferError> {
        let asked = self.store.inbox(player, 0, INBOX_MAX).await;
        let Some(inbox) = self.read(player, asked)? else { return Ok(()) };
        self.found.inboxes += 1;
        let mut before = None;
        for notice in &inbox.notices {
            if before.is_some_and(|before: u64| before + 1 != notice.number) {
                self.fault(player, &format!("the inbox has no notice before number {}", notice.number));
            }
            before = Some(notice.number);
        }
        let noted = by_match(&inbox);
        let mut ids: BTreeSet<MatchId> = noted.keys().cloned().collect();
        // Of an inbox that has dropped nothing every step of every match of theirs is asked for.
        if is_complete(&inbox) {
            ids.extend(self.own_matches(player).await?);
        }
        let mut doubtful = Vec::new();
        for id in ids {
            let versions = noted.get(&id);
            let Some(whole) = self.whole(&id, false).await? else {
                // A match that cannot be read is reported with the matches.
                if self.store.standing(&id).await.is_ok_and(|standing| standing.is_none()) {
                    self.found.notices_of_gone_matches += versions.map_or(0, BTreeMap::len) as u64;
                }
                continue;
            };
            for (version, number) in versions.into_iter().flatten().filter(|(version, _)| **version > whole.version) {
                let at = whole.version;
                self.fault(player, &format!("notice {number} names version {version} of {id}, which is at {at}"));
            }
            if !missing(self.games, &whole, player, &inbox).is_empty() {
                doubtful.push(id);
            }
        }
        if doubtful.is_empty() {
            return Ok(());
        }
        // The matches first: of each of their steps the inbox then has had time to hear.
        let mut wholes = Vec::new();
        for id in doubtful {
            wholes.extend(self.whole(&id, false).await?);
        }
        caught_up(self.store, PATIENCE).await?;
        let inbox = self.store.inbox(player, 0, INBOX_MAX).await?;
        for whole in wholes {
            let missing = missing(self.games, &whole, player, &inbox);
            if let Some(first) = missing.first() {
                let (id, more) = (&whole.id, missing.len() - 1);
                let more = if more > 0 { format!(" and {more} more of it") } else { String::new() };
                self.fault(player, &format!("the inbox lacks the notice of version {first} of {id}{more}"));
            }
        }
        Ok(())
    }

    /// The matches on the lists of a player.
    async fn own_matches(&mut self, player: &PlayerId) -> Result<Vec<MatchId>, StoreError> {
        let (mut all, mut before): (Vec<MatchId>, Option<MatchId>) = (Vec::new(), None);
        loop {
            let scope = ListScope::Player(player.clone());
            let query = ListQuery { scope, stage: None, game: None, before, limit: PAGE, seen_by: None };
            let asked = self.store.list_ids(&query).await;
            let page = self.read(player, asked)?.unwrap_or_default();
            before = page.last().cloned();
            let more = page.len() == PAGE;
            all.extend(page);
            if !more {
                return Ok(all);
            }
        }
    }

    async fn jobs(&mut self) -> Result<(), TransferError> {
        for kind in JobKind::ALL {
            let asked = self.store.waiting_jobs(kind).await;
            let jobs = self.read("the jobs", asked)?.unwrap_or_default();
            for job in jobs.iter().filter(|job| !is_readable_job(job)) {
                self.fault(&job.id, &format!("is a job of the kind {} and cannot be read", kind.name()));
            }
        }
        Ok(())
    }

    async fn statuses(&mut self) -> Result<(), TransferError> {
        let mut known = 0;
        loop {
            let asked = self.store.statuses_after(known, PAGE).await;
            let page = self.read("the statuses", asked)?.unwrap_or_default();
            let Some((_, newest)) = page.last() else { break };
            known = newest.revision;
            for (player, status) in page {
                if let Err(unreadable) = PlayerStatus::decode(&status.stored) {
                    self.fault(player, &format!("has a status that cannot be read: {unreadable}"));
                }
            }
        }
        let deletions = self.store.deletions(DELETIONS_MAX).await;
        self.read("those who leave", deletions)?;
        let revocations = self.store.revocations().await;
        self.read("the revocations", revocations)?;
        Ok(())
    }

    /// Compares ratings with what follows from their logs.
    async fn ratings(&mut self) -> Result<(), TransferError> {
        let known = KnownStatuses::default();
        let statuses = feed::read(self.store, &known).await;
        let Some(()) = self.read("the player statuses", statuses)? else { return Ok(()) };
        let refold = Refold { store: self.store, known: &known, now: self.store.now() };
        let asked = self.store.rating_categories().await;
        for category in self.read("the ratings", asked)?.unwrap_or_default() {
            let differing = refold.differing(&category).await;
            let Some(players @ 1..) = self.read(&category, differing)? else { continue };
            let players = counted(players as u64, "player", "players");
            let what = format!("the ratings of {players} are not what follows from the log");
            let rebuilt = self.fix && {
                let rebuilt = refold.rebuild(&category).await;
                self.read(&category, rebuilt)?.is_some()
            };
            if rebuilt { self.repaired(&category, &what) } else { self.fault(&category, &what) }
        }
        Ok(())
    }

    /// Reads what pools keep.
    async fn pools(&mut self) -> Result<(), TransferError> {
        let asked = pools::unreadable(self.store, self.fix).await;
        for (name, why, removed) in self.read("the pools", asked)?.unwrap_or_default() {
            let what = format!("is of pools and cannot be read: {why}");
            if removed { self.repaired(name, &what) } else { self.fault(name, &what) }
        }
        Ok(())
    }

    async fn audit(&mut self) -> Result<(), TransferError> {
        let mut before = None;
        loop {
            let asked = self.store.audit(before, PAGE).await;
            let page = self.read("the audit", asked)?.unwrap_or_default();
            for (place, entry) in &page {
                if let Some(fault) = entry_fault(entry) {
                    self.fault(format_args!("entry {place} of the audit"), &fault);
                }
            }
            before = page.last().map(|(place, _)| *place);
            if page.len() < PAGE {
                return Ok(());
            }
        }
    }
}

/// By match and version, the number of the notice.
fn by_match(inbox: &Inbox) -> BTreeMap<MatchId, BTreeMap<u64, u64>> {
    let mut noted: BTreeMap<MatchId, BTreeMap<u64, u64>> = BTreeMap::new();
    for notice in &inbox.notices {
        noted.entry(notice.match_id.clone()).or_default().insert(notice.version, notice.number);
    }
    noted
}

/// Returns true if an inbox has all notices that there ever were for it.
fn is_complete(inbox: &Inbox) -> bool {
    inbox.notices.first().map_or(inbox.newest == 0, |first| first.number == 1)
}

/// The versions of a match of which the player was to have a notice and has none. Where the inbox has dropped old ones, those
/// before the first of this match that is left are not asked for.
fn missing(games: &Games, whole: &WholeMatch, player: &PlayerId, inbox: &Inbox) -> Vec<u64> {
    let has: BTreeSet<u64> =
        inbox.notices.iter().filter(|notice| notice.match_id == whole.id).map(|notice| notice.version).collect();
    let from = if is_complete(inbox) { Some(1) } else { has.first().copied() };
    let Some(from) = from else { return Vec::new() };
    let wanted = notices_of(games, whole, player);
    wanted.into_iter().filter(|version| *version >= from && !has.contains(version)).collect()
}
