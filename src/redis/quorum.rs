//! The reports of the Sentinels, and the verdict that follows from all together.
//!
//! Invariant: where they disagree, the newest configuration counts; and a Sentinel that leads a failover knows more
//! than the others of the same configuration.

use std::collections::{BTreeMap, BTreeSet};

use redis::RedisError;

use crate::address::Address;

/// The report of one Sentinel.
#[derive(Clone, Debug)]
pub(crate) enum SentinelReport {
    /// No report: it has not been asked yet, or does not answer, for this reason.
    Silent(Option<RedisError>),
    /// It has announced a failover, and has to be asked for the outcome.
    Unsettled,
    /// Its knowledge of the master.
    Says(Said),
}

/// The knowledge of a Sentinel of the master.
#[derive(Clone, Default, Debug)]
pub(crate) struct Said {
    pub(crate) epoch: u64,
    /// The master of that configuration, unless it is just being replaced.
    pub(crate) master: Option<Address>,
    /// The number of Sentinels that watch it, this one included.
    pub(crate) sentinels: usize,
    /// The number of its replicas, absent ones included.
    pub(crate) replicas: u32,
}

/// The verdict of all Sentinels together.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum SentinelVerdict<'a> {
    /// There is no report.
    Unknown,
    /// The master is being replaced.
    Nobody,
    /// The master, and its configuration.
    Master(u64, &'a Address),
}

/// A Sentinel that is followed.
#[derive(Debug)]
struct Entry {
    address: Option<Address>,
    id: Option<String>,
    report: SentinelReport,
}

/// The reports of the followed Sentinels, by the place that each was given.
#[derive(Default, Debug)]
pub(crate) struct Quorum {
    entries: BTreeMap<usize, Entry>,
    /// The first place that was never given.
    free: usize,
}

impl Quorum {
    /// Adds a Sentinel without a report, and returns its place.
    pub(crate) fn add(&mut self, address: Option<Address>) -> usize {
        let place = self.free;
        self.entries.insert(place, Entry { address, id: None, report: SentinelReport::Silent(None) });
        self.free += 1;
        place
    }

    pub(crate) fn remove(&mut self, place: usize) {
        self.entries.remove(&place);
    }

    /// Notes the report of a Sentinel.
    pub(crate) fn note(&mut self, place: usize, report: SentinelReport) {
        if let Some(entry) = self.entries.get_mut(&place) {
            entry.report = report;
        }
    }

    /// Notes the id of a Sentinel, and returns true if it is followed at another place already.
    pub(crate) fn is_known_elsewhere(&mut self, place: usize, id: &str) -> bool {
        if let Some(entry) = self.entries.get_mut(&place) {
            entry.id = Some(id.to_owned());
        }
        self.entries.iter().any(|(other, entry)| *other < place && entry.id.as_deref() == Some(id))
    }

    /// Returns true if this Sentinel is followed.
    pub(crate) fn has(&self, address: &Address, id: &str) -> bool {
        self.entries.values().any(|entry| entry.address.as_ref() == Some(address) || entry.id.as_deref() == Some(id))
    }

    /// Returns the number of followed Sentinels.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    fn all(&self) -> impl DoubleEndedIterator<Item = &SentinelReport> {
        self.entries.values().map(|entry| &entry.report)
    }

    fn said(&self) -> impl Iterator<Item = &Said> {
        self.all().filter_map(|report| if let SentinelReport::Says(said) = report { Some(said) } else { None })
    }

    /// Returns the verdict of all reports.
    pub(crate) fn verdict(&self) -> SentinelVerdict<'_> {
        let mut verdict = SentinelVerdict::Unknown;
        let mut newest = 0;
        for report in self.all() {
            let said = match report {
                SentinelReport::Silent(_) => continue,
                SentinelReport::Unsettled => return SentinelVerdict::Nobody,
                SentinelReport::Says(said) => said,
            };
            match &said.master {
                _ if verdict != SentinelVerdict::Unknown && said.epoch < newest => {}
                None => (newest, verdict) = (said.epoch, SentinelVerdict::Nobody),
                Some(_) if verdict == SentinelVerdict::Nobody && said.epoch == newest => {}
                Some(master) => (newest, verdict) = (said.epoch, SentinelVerdict::Master(said.epoch, master)),
            }
        }
        verdict
    }

    /// Returns true if all Sentinels that answer name another server than this one, and they are more than half of all.
    /// Configuration numbers do not count here: they start again once an operator makes Sentinels forget a master and
    /// watch one of that name.
    pub(crate) fn agree_on_another_than(&self, address: &Address) -> bool {
        let answer = self.entries.values().filter(|entry| matches!(entry.report, SentinelReport::Says(_)));
        let answering = answer.clone().filter(|entry| entry.id.is_none()).count()
            + answer.filter_map(|entry| entry.id.as_deref()).collect::<BTreeSet<_>>().len();
        let known = self.said().map(|said| said.sentinels).max().unwrap_or_default().max(self.len());
        2 * answering > known && self.said().all(|said| said.master.as_ref().is_some_and(|other| other != address))
    }

    /// Returns true if each has been asked, and none has answered.
    pub(crate) fn are_all_silent(&self) -> bool {
        self.all().all(|report| matches!(report, SentinelReport::Silent(Some(_))))
    }

    /// Returns the reason why the last one does not answer.
    pub(crate) fn failure(&self) -> Option<RedisError> {
        self.all()
            .rev()
            .find_map(|report| if let SentinelReport::Silent(error) = report { error.clone() } else { None })
    }

    /// Returns the number of the master's replicas, absent ones included: the largest of the reports.
    pub(crate) fn replicas(&self) -> Option<u32> {
        self.said().map(|said| said.replicas).max()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn at(port: u16) -> Address {
        Address { host: "127.0.0.1".to_owned(), port }
    }

    pub(crate) fn says(epoch: u64, master: u16) -> SentinelReport {
        SentinelReport::Says(Said { epoch, master: Some(at(master)), sentinels: 3, replicas: 1 })
    }

    pub(crate) fn quorum(quorum: impl IntoIterator<Item = SentinelReport>) -> Quorum {
        let mut all = Quorum::default();
        for report in quorum {
            let place = all.add(None);
            all.note(place, report);
        }
        all
    }

    fn verdict_of(all: &[SentinelReport]) -> Option<(u64, Option<u16>)> {
        match quorum(all.iter().cloned()).verdict() {
            SentinelVerdict::Unknown => None,
            SentinelVerdict::Nobody => Some((0, None)),
            SentinelVerdict::Master(epoch, address) => Some((epoch, Some(address.port))),
        }
    }

    #[test]
    fn the_newest_configuration_counts() {
        let replacing = |epoch| SentinelReport::Says(Said { epoch, master: None, ..Said::default() });
        let (master, nobody) = (|epoch, port| Some((epoch, Some(port))), Some((0, None)));
        assert_eq!(verdict_of(&[SentinelReport::Silent(None), SentinelReport::Silent(None)]), None);
        assert_eq!(verdict_of(&[SentinelReport::Silent(None), says(0, 1)]), master(0, 1));
        assert_eq!(verdict_of(&[says(4, 1), says(5, 2), says(4, 1)]), master(5, 2));
        assert_eq!(verdict_of(&[says(5, 2), says(4, 1)]), master(5, 2));
        // Whoever leads a failover knows more than the others of the same configuration, but not more than a newer one.
        assert_eq!(verdict_of(&[says(4, 1), replacing(4), says(4, 1)]), nobody);
        assert_eq!(verdict_of(&[replacing(0), says(0, 1)]), nobody);
        assert_eq!(verdict_of(&[replacing(4), says(5, 2)]), master(5, 2));
        assert_eq!(verdict_of(&[says(5, 2), SentinelReport::Unsettled]), nobody);
    }

    #[test]
    fn more_than_half_agree_on_another_in_whichever_configuration() {
        let agree = |all: &[SentinelReport]| quorum(all.iter().cloned()).agree_on_another_than(&at(2));
        assert!(agree(&[says(0, 1), says(0, 1), says(0, 1)]));
        assert!(agree(&[says(0, 1), says(7, 3), SentinelReport::Silent(None)]));
        assert!(!agree(&[says(0, 1), SentinelReport::Silent(None), SentinelReport::Silent(None)]));
        assert!(!agree(&[says(0, 1), says(0, 1), says(0, 2)]));
        assert!(!agree(&[]));
        // One that is followed twice has one voice.
        let mut twice = quorum([says(0, 1), says(0, 1), SentinelReport::Silent(None)]);
        assert!(!twice.is_known_elsewhere(0, "a"));
        assert!(twice.is_known_elsewhere(1, "a"));
        assert!(!twice.agree_on_another_than(&at(2)));
    }

    #[test]
    fn a_sentinel_is_known_by_its_address_or_its_id() {
        let mut quorum = Quorum::default();
        let place = quorum.add(Some(at(1)));
        assert!(quorum.has(&at(1), "a") && !quorum.has(&at(2), "a"));
        assert!(!quorum.is_known_elsewhere(place, "a"));
        assert!(quorum.has(&at(2), "a"));
        quorum.remove(place);
        assert!(!quorum.has(&at(1), "a") && quorum.len() == 0);
        assert_ne!(quorum.add(None), place, "a place is given once");
    }
}
