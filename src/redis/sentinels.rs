//! The Sentinels, which name the master and announce its replacement.
//!
//! Each configured Sentinel, and each that one of them reports, is followed by a task of its own
//! (`sentinel_watcher.rs`). Invariants:
//! - Once a Sentinel has chosen a replica to be promoted, or announces a switch of the master, there is no master until
//!   it has been asked again and names one. It announces its choice before it promotes, and keeps the old master
//!   accepting writes for seconds after.
//! - Where Sentinels disagree, the newest configuration counts (`quorum.rs`). A server that was found under a newer one
//!   is given up for an older only once more than half of the Sentinels answer and all of those name another.
//! - Sentinels that are all away change nothing: the store does not need them to go on with a master that is there.

use std::future::pending;
use std::time::Duration;

use redis::{Client, ConnectionInfo, ErrorKind, RedisError, RedisResult};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::access::Server;
use crate::address::Address;
use crate::quorum::{Quorum, SentinelVerdict};
use crate::sentinel_watcher::{Other, SentinelWatcher};

/// The maximum number of followed Sentinels beside the configured ones.
const LEARNT: usize = 16;
/// The time without an answer after which one of those is dropped. If it still exists, others report it again.
const DRAINING: Duration = Duration::from_secs(60);

/// The Sentinels of one master.
pub(crate) struct Sentinels {
    quorum: watch::Receiver<Quorum>,
    /// The connection settings of a server that they name, but for its address.
    server: Server,
}

/// The time for which a server is the master.
#[derive(Clone)]
pub(crate) struct Tenure {
    quorum: watch::Receiver<Quorum>,
    epoch: u64,
    address: Address,
}

/// Starts the watchers of Sentinels.
struct Recruiter {
    /// The connection settings of a Sentinel that is not configured, but for the address.
    like: ConnectionInfo,
    name: String,
    connect_timeout: Duration,
    quorum: watch::Sender<Quorum>,
    others: mpsc::UnboundedSender<Other>,
    following: JoinSet<()>,
}

impl Recruiter {
    fn follow(&mut self, info: ConnectionInfo, left_after: Option<Duration>) -> RedisResult<()> {
        let mut place = 0;
        let address = Address::of(&info);
        let client = Client::open(info)?;
        self.quorum.send_modify(|quorum| place = quorum.add(address));
        let (name, connect_timeout) = (self.name.clone(), self.connect_timeout);
        let (quorum, others) = (self.quorum.clone(), self.others.clone());
        self.following
            .spawn(SentinelWatcher { client, name, connect_timeout, place, left_after, quorum, others }.run());
        Ok(())
    }

    /// Follows the Sentinels that others report, for ever.
    async fn learn(mut self, mut told: mpsc::UnboundedReceiver<Other>, most: usize) {
        while let Some(Other { address, id }) = told.recv().await {
            // Removes the watchers that have ended.
            while self.following.try_join_next().is_some() {}
            let is_new = !self.quorum.borrow().has(&address, &id) && self.quorum.borrow().len() < most;
            let info = address.like(&self.like);
            if is_new && let Err(error) = self.follow(info, Some(DRAINING)) {
                tracing::debug!(%error, "a Sentinel of which another tells cannot be followed");
            }
        }
    }
}

impl Sentinels {
    /// Begins to follow the Sentinels, until `closed`. `server` holds the connection settings of the servers that they
    /// name, but for the address.
    pub(crate) fn follow(
        infos: Vec<ConnectionInfo>,
        name: &str,
        server: Server,
        connect_timeout: Duration,
        closed: &CancellationToken,
    ) -> RedisResult<Sentinels> {
        // Sentinels have no databases.
        let infos: Vec<ConnectionInfo> = infos
            .into_iter()
            .map(|info| {
                let redis = info.redis_settings().clone().set_db(0);
                info.set_redis_settings(redis)
            })
            .collect();
        let unknown = || RedisError::from((ErrorKind::InvalidClientConfig, "no Sentinel is named"));
        let like = infos.first().ok_or_else(unknown)?.clone();
        let most = infos.len() + LEARNT;
        let (sender, quorum) = watch::channel(Quorum::default());
        let (others, told) = mpsc::unbounded_channel();
        let (name, following) = (name.to_owned(), JoinSet::new());
        let mut recruiter = Recruiter { like, name, connect_timeout, quorum: sender, others, following };
        for info in infos {
            recruiter.follow(info, None)?;
        }
        let closed = closed.clone();
        tokio::spawn(async move { closed.run_until_cancelled(recruiter.learn(told, most)).await });
        Ok(Sentinels { quorum, server })
    }

    /// Returns the master and its tenure. Waits until there is one; fails once no Sentinel answers.
    pub(crate) async fn master(&self) -> RedisResult<(Server, Tenure)> {
        let mut quorum = self.quorum.clone();
        let settled = quorum.wait_for(|quorum| match quorum.verdict() {
            SentinelVerdict::Master(..) => true,
            SentinelVerdict::Nobody => false,
            SentinelVerdict::Unknown => quorum.are_all_silent(),
        });
        let (found, failure) = match settled.await {
            Ok(quorum) => match quorum.verdict() {
                SentinelVerdict::Master(epoch, address) => (Some((epoch, address.clone())), None),
                SentinelVerdict::Unknown | SentinelVerdict::Nobody => (None, quorum.failure()),
            },
            Err(_) => (None, None),
        };
        let Some((epoch, address)) = found else {
            return Err(failure.unwrap_or_else(|| RedisError::from((ErrorKind::Client, "the store is closed"))));
        };
        let server = self.server.at(&address)?;
        Ok((server, Tenure { quorum: self.quorum.clone(), epoch, address }))
    }
}

impl Tenure {
    /// Returns true if the server is not the master any more, or is about to be replaced.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over_by(&self.quorum.borrow())
    }

    /// Returns when the server is not the master any more, or is about to be replaced.
    pub(crate) async fn over(&mut self) {
        let mut quorum = self.quorum.clone();
        if quorum.wait_for(|quorum| self.is_over_by(quorum)).await.is_err() {
            pending().await
        }
    }

    /// Returns the number of the server's replicas by the Sentinels' reports, absent ones included.
    pub(crate) fn replicas(&self) -> Option<u32> {
        self.quorum.borrow().replicas()
    }

    fn is_over_by(&self, quorum: &Quorum) -> bool {
        match quorum.verdict() {
            SentinelVerdict::Unknown => false,
            SentinelVerdict::Nobody => true,
            SentinelVerdict::Master(epoch, address) => {
                *address != self.address && (epoch >= self.epoch || quorum.agree_on_another_than(&self.address))
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::quorum::SentinelReport;
    use crate::quorum::tests::{at, quorum, says};

    /// The tenure of the server at port 2 in configuration 5, by what Sentinels say.
    pub(crate) fn tenure_beside<const N: usize>(all: [SentinelReport; N]) -> Tenure {
        Tenure { quorum: watch::channel(quorum(all)).1, epoch: 5, address: at(2) }
    }

    #[test]
    fn a_master_is_given_up_for_a_newer_configuration_or_by_all_that_answer() {
        let (sender, receiver) = watch::channel(Quorum::default());
        let tenure = Tenure { quorum: receiver, epoch: 5, address: at(2) };
        let stays = |all: Vec<SentinelReport>| {
            sender.send_replace(quorum(all));
            !tenure.is_over()
        };
        assert!(stays(vec![says(5, 2), says(5, 2)]));
        assert!(stays(vec![says(4, 1), SentinelReport::Silent(None)]));
        assert!(stays(vec![SentinelReport::Silent(None), SentinelReport::Silent(None)]));
        assert!(stays(vec![says(0, 1), says(0, 1), says(5, 2)]));
        assert!(!stays(vec![says(0, 1), says(0, 1), SentinelReport::Silent(None)]));
        assert!(!stays(vec![says(5, 2), says(6, 1)]));
        assert!(!stays(vec![says(5, 2), SentinelReport::Unsettled]));
    }
}
