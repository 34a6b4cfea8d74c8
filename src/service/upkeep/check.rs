//! The check: whether everything that a store keeps agrees with itself.
//!
//! Invariants: only what follows from the matches is repaired (lists, the due index), never a match.
//! A service may work on the store meanwhile: what may be a moment's difference counts as a fault only if it is still
//! there once the lists have caught up.

use std::collections::HashMap;
use std::time::Duration;

use super::sink::caught_up;
use super::{UpkeepError, Witness};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::Games;
use sarsen_matches::table::examining::examine;
use sarsen_store::{DueMatch, PageStart, Store, StrayEntry};

/// How long lists may take to follow before what they lack is a fault.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many matches whose lists lack something wait for that together.
const DOUBTFUL_MAX: usize = 10_000;
/// More than an inbox ever holds.
const INBOX_MAX: usize = 10_000;

/// What a check has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// How many matches were made again from their logs.
    pub matches: u64,
    /// How many inboxes were read.
    pub inboxes: u64,
    /// How many notices name a match that is gone. That is no fault: matches are deleted.
    pub notices_of_gone_matches: u64,
    /// How many faults there were.
    pub faults: u64,
    /// How many of them were repaired.
    pub repaired: u64,
}

struct Check<'a> {
    store: &'a dyn Store,
    games: &'a Games,
    fix: bool,
    witness: &'a mut dyn Witness,
    found: Checked,
}

/// Examines everything; with `fix` puts lists and the due index right. Each fault is told once, or at times twice where
/// the store names things twice.
///
/// # Errors
/// If the store fails.
pub async fn check(
    store: &dyn Store,
    games: &Games,
    fix: bool,
    witness: &mut dyn Witness,
) -> Result<Checked, UpkeepError> {
    let mut check = Check { store, games, fix, witness, found: Checked::default() };
    check.matches().await?;
    check.strays().await?;
    check.inboxes().await?;
    Ok(check.found)
}

impl Check<'_> {
    fn fault(&mut self, name: &str, what: &str) {
        self.found.faults += 1;
        self.witness.fault(name, what);
    }

    fn repaired(&mut self, name: &str, what: &str) {
        self.found.faults += 1;
        self.found.repaired += 1;
        self.witness.fault(name, &format!("{what}; repaired"));
    }

    async fn matches(&mut self) -> Result<(), UpkeepError> {
        let mut doubtful: Vec<MatchId> = Vec::new();
        let mut from: Option<PageStart> = None;
        loop {
            let page = self.store.match_ids(from.as_ref()).await?;
            for id in page.items {
                let Some(whole) = self.store.whole_match(&id).await? else { continue };
                let examined = examine(self.games, &whole);
                self.found.matches += 1;
                for fault in &examined.faults {
                    self.fault(id.as_str(), fault);
                }
                if let Some(listing) = &examined.listing
                    && !self.store.missing_from(&id, listing).await?.is_empty()
                {
                    doubtful.push(id.clone());
                }
                if examined.due.is_some() && whole.due.is_none() {
                    self.due(&id).await?;
                }
                if self.found.matches.is_multiple_of(100) {
                    self.witness.progress("matches", self.found.matches);
                }
            }
            if doubtful.len() >= DOUBTFUL_MAX {
                self.lists(std::mem::take(&mut doubtful)).await?;
            }
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        self.witness.progress("matches", self.found.matches);
        self.lists(doubtful).await
    }

    /// Looks again at a match that nothing leads to when it is due. An entry too many only costs a look and is no fault.
    async fn due(&mut self, id: &MatchId) -> Result<(), UpkeepError> {
        let Some(whole) = self.store.whole_match(id).await? else { return Ok(()) };
        let Some(at) = examine(self.games, &whole).due.filter(|_| whole.due.is_none()) else {
            return Ok(());
        };
        let what = format!("nothing leads to it when it is due, at {}", at.rfc3339());
        if self.fix && self.store.note_due(&[DueMatch { id: id.clone(), at }]).await? > 0 {
            self.repaired(id.as_str(), &what);
        } else {
            self.fault(id.as_str(), &what);
        }
        Ok(())
    }

    /// Looks again at matches whose lists lacked something.
    async fn lists(&mut self, doubtful: Vec<MatchId>) -> Result<(), UpkeepError> {
        if doubtful.is_empty() {
            return Ok(());
        }
        caught_up(self.store, PATIENCE).await?;
        for id in doubtful {
            let Some(whole) = self.store.whole_match(&id).await? else { continue };
            let Some(listing) = examine(self.games, &whole).listing else { continue };
            let missing = self.store.missing_from(&id, &listing).await?;
            let fixed = self.fix && !missing.is_empty() && self.store.relist(&id, whole.version, &listing).await?;
            for fault in missing {
                if fixed { self.repaired(id.as_str(), &fault) } else { self.fault(id.as_str(), &fault) }
            }
        }
        Ok(())
    }

    async fn strays(&mut self) -> Result<(), UpkeepError> {
        let first = self.all_strays().await?;
        if first.is_empty() {
            return Ok(());
        }
        caught_up(self.store, PATIENCE).await?;
        for stray in self.all_strays().await?.into_iter().filter(|stray| first.contains(stray)) {
            let list = format!(
                "{} of {} matches of {}",
                match &stray.scope {
                    sarsen_store::ListScope::Public => "the public list".to_owned(),
                    sarsen_store::ListScope::Player(player) => format!("the list of {player}"),
                },
                stray.stage.name(),
                stray.game,
            );
            let what = format!("it is on {list}, where it does not belong");
            if self.fix {
                self.store.unlist(&stray).await?;
                self.repaired(stray.id.as_str(), &what);
            } else {
                self.fault(stray.id.as_str(), &what);
            }
        }
        Ok(())
    }

    async fn all_strays(&mut self) -> Result<Vec<StrayEntry>, UpkeepError> {
        let (mut found, mut from): (Vec<StrayEntry>, Option<PageStart>) = (Vec::new(), None);
        loop {
            let page = self.store.strays(from.as_ref()).await?;
            found.extend(page.items);
            from = page.next;
            if from.is_none() {
                return Ok(found);
            }
        }
    }

    async fn inboxes(&mut self) -> Result<(), UpkeepError> {
        let mut from: Option<PageStart> = None;
        loop {
            let page = self.store.player_ids(from.as_ref()).await?;
            for player in page.items {
                self.inbox(&player).await?;
                self.found.inboxes += 1;
            }
            self.witness.progress("inboxes", self.found.inboxes);
            from = page.next;
            if from.is_none() {
                return Ok(());
            }
        }
    }

    async fn inbox(&mut self, player: &PlayerId) -> Result<(), UpkeepError> {
        let inbox = self.store.inbox(player, 0, INBOX_MAX).await?;
        let mut versions: HashMap<MatchId, Option<u64>> = HashMap::new();
        let mut before = None;
        for notice in inbox.notices {
            if before.is_some_and(|before: u64| before + 1 != notice.number) {
                self.fault(player.as_str(), &format!("the inbox has no notice before number {}", notice.number));
            }
            before = Some(notice.number);
            let known = versions.get(&notice.match_id).copied();
            let version = match known {
                Some(version) => version,
                None => {
                    let version = self.store.load_match(&notice.match_id, None).await?.map(|loaded| loaded.version);
                    versions.insert(notice.match_id.clone(), version);
                    version
                }
            };
            match version {
                None => self.found.notices_of_gone_matches += 1,
                Some(version) if version < notice.version => {
                    let (number, id, named) = (notice.number, &notice.match_id, notice.version);
                    let what = format!("notice {number} names version {named} of {id}, which is at {version}");
                    self.fault(player.as_str(), &what);
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
