//! The player statuses that this instance knows.
//!
//! Invariant: of two statuses of one player the later counts, in any order of arrival.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use super::stored::{Ban, BanFrom, PlayerStatus};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;

/// The reason why a player is barred.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Barred {
    /// The player was deleted.
    Gone,
    /// The player is banned, until this moment if it ends by itself.
    Banned(Option<Timestamp>),
}

#[derive(Default)]
struct Known {
    statuses: HashMap<PlayerId, (u64, PlayerStatus)>,
    newest: u64,
    /// The number of statuses that were inserted one by one.
    insertions: u64,
}

/// The player statuses that this instance knows, shared by all their readers.
#[derive(Default)]
pub struct KnownStatuses {
    known: RwLock<Known>,
    /// The number of statuses, so that the usual answer (none) takes no lock.
    count: AtomicUsize,
    /// The number of players who are shown under another name.
    renamed: AtomicUsize,
}

impl KnownStatuses {
    /// Inserts a status, unless a later one is known.
    pub fn insert(&self, player: PlayerId, revision: u64, status: PlayerStatus) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.statuses.get(&player).is_none_or(|(older, _)| *older < revision) {
            let gained = usize::from(status.shown_name().is_some());
            let before = known.statuses.insert(player, (revision, status));
            let lost = usize::from(before.is_some_and(|(_, before)| before.shown_name().is_some()));
            self.renamed.fetch_add(gained, Ordering::Release);
            self.renamed.fetch_sub(lost, Ordering::Release);
            known.insertions += 1;
        }
        self.count.store(known.statuses.len(), Ordering::Release);
    }

    /// Inserts the store's statuses after the known ones, up to this revision.
    pub(super) fn extend(&self, statuses: Vec<(PlayerId, u64, PlayerStatus)>, newest: u64) {
        for (player, revision, status) in statuses {
            self.insert(player, revision, status);
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.newest = newest.max(known.newest);
    }

    /// Returns the number of statuses that were inserted one by one so far, for [`KnownStatuses::replace`].
    pub(super) fn insertions(&self) -> u64 {
        self.known.read().unwrap_or_else(PoisonError::into_inner).insertions
    }

    /// Replaces all statuses: the store may have gone back. Returns false, and does nothing, if the number of
    /// `insertions` has changed: the new statuses may have been read before the insertion.
    pub(super) fn replace(&self, statuses: Vec<(PlayerId, u64, PlayerStatus)>, newest: u64, insertions: u64) -> bool {
        let statuses: HashMap<_, _> = statuses.into_iter().map(|(player, at, status)| (player, (at, status))).collect();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.insertions != insertions {
            return false;
        }
        let renamed = statuses.values().filter(|(_, status)| status.shown_name().is_some()).count();
        self.renamed.store(renamed, Ordering::Release);
        self.count.store(statuses.len(), Ordering::Release);
        *known = Known { statuses, newest, insertions };
        true
    }

    /// Returns true if a status of this revision contradicts the statuses that were read here: then the store has gone
    /// back and given the revision again.
    pub(super) fn contradicts(&self, player: &PlayerId, revision: u64) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        revision <= known.newest && known.statuses.get(player).is_none_or(|(found, _)| *found != revision)
    }

    /// Returns the revision up to which the store has been read.
    pub(super) fn newest(&self) -> u64 {
        self.known.read().unwrap_or_else(PoisonError::into_inner).newest
    }

    /// Returns true if no player has a status.
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    /// Returns true if any player is shown under another name.
    pub fn shows_other_names(&self) -> bool {
        self.renamed.load(Ordering::Acquire) > 0
    }

    fn with<T>(&self, player: &PlayerId, ask: impl FnOnce(&PlayerStatus) -> Option<T>) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.statuses.get(player).and_then(|(_, status)| ask(status))
    }

    /// Returns the name that is shown in place of the player's own.
    pub fn name_of(&self, player: &PlayerId) -> Option<String> {
        self.with(player, |status| status.shown_name().map(str::to_owned))
    }

    /// Returns the names that are shown in place of their own, for those of these players who have one: all of one
    /// moment.
    pub fn names_of<'a>(&self, players: impl IntoIterator<Item = &'a PlayerId>) -> HashMap<PlayerId, String> {
        if self.is_empty() {
            return HashMap::new();
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let named = |player: &'a PlayerId| {
            let (_, status) = known.statuses.get(player)?;
            Some((player.clone(), status.shown_name()?.to_owned()))
        };
        players.into_iter().filter_map(named).collect()
    }

    /// Returns true if the player was deleted.
    pub fn is_gone(&self, player: &PlayerId) -> bool {
        self.with(player, |status| status.gone.then_some(())).is_some()
    }

    /// Returns the reason why the player may do nothing with a token, if there is one.
    pub fn barred(&self, player: &PlayerId, now: Timestamp) -> Option<Barred> {
        self.with(player, |status| match &status.ban {
            _ if status.gone => Some(Barred::Gone),
            Some(ban) if ban.from == BanFrom::All => ban.standing(now),
            _ => None,
        })
    }

    /// Returns the reason why the player may not play, if there is one.
    pub fn barred_from_play(&self, player: &PlayerId, now: Timestamp) -> Option<Barred> {
        self.with(player, |status| match &status.ban {
            _ if status.gone => Some(Barred::Gone),
            Some(ban) => ban.standing(now),
            None => None,
        })
    }
}

impl Ban {
    fn standing(&self, now: Timestamp) -> Option<Barred> {
        self.until.is_none_or(|until| until > now).then_some(Barred::Banned(self.until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player_status::DELETED;

    fn player(number: u128) -> PlayerId {
        PlayerId::from_number(number)
    }

    fn ban(from: BanFrom, until: Option<i64>) -> PlayerStatus {
        let ban = Ban { until: until.map(Timestamp), from, reason: "why".to_owned() };
        PlayerStatus { ban: Some(ban), ..PlayerStatus::default() }
    }

    #[test]
    fn the_later_status_counts() {
        let known = KnownStatuses::default();
        assert_eq!((known.is_empty(), known.name_of(&player(1))), (true, None));
        known.insert(player(1), 5, PlayerStatus { name: Some("new".to_owned()), ..PlayerStatus::default() });
        known.insert(player(1), 4, PlayerStatus { name: Some("old".to_owned()), ..PlayerStatus::default() });
        assert_eq!(known.name_of(&player(1)).as_deref(), Some("new"));
        let gone = || vec![(player(1), 4, PlayerStatus { gone: true, ..PlayerStatus::default() })];
        assert!(!known.replace(gone(), 4, 0), "one was taken in meanwhile");
        assert_eq!(known.name_of(&player(1)).as_deref(), Some("new"));
        assert!(known.replace(gone(), 4, known.insertions()));
        assert_eq!((known.name_of(&player(1)).as_deref(), known.newest()), (Some(DELETED), 4));
    }

    #[test]
    fn only_other_names_count_as_such() {
        let known = KnownStatuses::default();
        known.insert(player(1), 1, ban(BanFrom::All, None));
        assert_eq!((known.is_empty(), known.shows_other_names()), (false, false));
        known.insert(player(1), 2, PlayerStatus { name: Some("new".to_owned()), ..PlayerStatus::default() });
        known.insert(player(1), 3, PlayerStatus { gone: true, ..PlayerStatus::default() });
        assert!(known.shows_other_names());
        known.insert(player(1), 4, ban(BanFrom::All, None));
        assert!(!known.shows_other_names());
        assert!(known.replace(
            vec![(player(2), 5, PlayerStatus { gone: true, ..PlayerStatus::default() })],
            5,
            known.insertions()
        ));
        assert!(known.shows_other_names());
        assert!(known.replace(Vec::new(), 6, known.insertions()));
        assert!(!known.shows_other_names());
    }

    #[test]
    fn a_revision_that_was_given_twice_is_noticed() {
        let known = KnownStatuses::default();
        known.extend(vec![(player(1), 1, PlayerStatus::default()), (player(2), 2, PlayerStatus::deleted())], 2);
        for (whose, revision, contradicts) in [(1, 1, false), (2, 2, false), (3, 3, false), (1, 2, true), (3, 2, true)]
        {
            assert_eq!(known.contradicts(&player(whose), revision), contradicts, "{whose} {revision}");
        }
    }

    #[test]
    fn names_are_those_of_one_moment_and_of_whoever_has_one() {
        let known = KnownStatuses::default();
        known.insert(player(1), 1, PlayerStatus { name: Some("new".to_owned()), ..PlayerStatus::default() });
        known.insert(player(2), 2, ban(BanFrom::All, None));
        let names = known.names_of(&[player(1), player(2), player(3)]);
        assert_eq!(names, HashMap::from([(player(1), "new".to_owned())]));
    }

    #[test]
    fn a_ban_ends_and_keeps_from_what_it_says() {
        let known = KnownStatuses::default();
        known.insert(player(1), 1, ban(BanFrom::Play, Some(10)));
        known.insert(player(2), 2, ban(BanFrom::All, None));
        let barred = |number, now| {
            let (player, now) = (player(number), Timestamp(now));
            (known.barred(&player, now), known.barred_from_play(&player, now))
        };
        assert_eq!(barred(1, 9), (None, Some(Barred::Banned(Some(Timestamp(10))))));
        assert_eq!(barred(1, 10), (None, None));
        assert_eq!(barred(2, 99), (Some(Barred::Banned(None)), Some(Barred::Banned(None))));
        assert_eq!(barred(3, 0), (None, None));
        known.insert(player(1), 3, PlayerStatus { gone: true, ..ban(BanFrom::Play, Some(10)) });
        assert_eq!(barred(1, 99), (Some(Barred::Gone), Some(Barred::Gone)));
    }
}
