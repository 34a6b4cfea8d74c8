//! The Sentinels: which server is the master, and from when on it is not any more.
//!
//! Each Sentinel that the settings name is followed by a task of its own, which asks it twice a second and hears what it
//! tells of failovers. Invariants:
//! - Once a Sentinel has chosen a replica to be promoted, or tells that the master has been switched, there is no master
//!   until it has been asked again and names one. It tells of its choice before it promotes, and keeps the old master
//!   accepting writes for seconds after.
//! - Where Sentinels disagree, the newest configuration counts. A server that was found under a newer one is not given
//!   up for an older.
//! - Sentinels that are all away change nothing: they are not needed to go on with a master that is there.

use std::collections::HashMap;
use std::future::pending;
use std::time::Duration;

use futures_util::future::join_all;
use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, ConnectionInfo, ErrorKind, Msg, Pipeline, PushInfo, PushKind, RedisError,
    RedisResult, Value,
};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::connector::{Address, too_slow};

/// How often a Sentinel is asked.
const ASKING: Duration = Duration::from_millis(500);
/// How long it may take to answer.
const ANSWERING: Duration = Duration::from_secs(1);
/// How long to wait before a Sentinel that is away is tried again.
const RETRY: Duration = Duration::from_millis(250);
/// What a Sentinel publishes of failovers: each step of one that it leads, and that the master has been switched.
const STEPS: &str = "+failover-state-*";
const SWITCH: &str = "+switch-master";
/// The steps during which the old master is on its way out and the new one not there yet.
const BETWEEN: [&str; 3] = ["select_slave", "send_slaveof_noone", "wait_promotion"];

/// What is known from one Sentinel.
#[derive(Clone, Debug)]
enum Word {
    /// Nothing: it has not been asked yet, or does not answer, for this reason.
    Silent(Option<RedisError>),
    /// It tells of a failover, and has to be asked what came of it.
    Unsettled,
    /// The newest configuration that it knows, and the master of it unless that is just being replaced.
    Says { epoch: u64, master: Option<Address> },
}

/// What all Sentinels together say.
#[derive(PartialEq, Eq, Debug)]
enum Verdict {
    /// Nothing.
    Unknown,
    /// That the master is being replaced.
    Nobody,
    /// Which server is the master, and since which configuration.
    Master(u64, Address),
}

fn verdict(words: &[Word]) -> Verdict {
    let mut verdict = Verdict::Unknown;
    let mut newest = 0;
    for word in words {
        match word {
            Word::Silent(_) => {}
            Word::Unsettled => return Verdict::Nobody,
            Word::Says { epoch, .. } if verdict != Verdict::Unknown && *epoch < newest => {}
            Word::Says { epoch, master: None } => (newest, verdict) = (*epoch, Verdict::Nobody),
            Word::Says { epoch, .. } if verdict == Verdict::Nobody && *epoch == newest => {}
            Word::Says { epoch, master: Some(master) } => {
                (newest, verdict) = (*epoch, Verdict::Master(*epoch, master.clone()));
            }
        }
    }
    verdict
}

/// The Sentinels of one master.
pub(super) struct Sentinels {
    words: watch::Receiver<Vec<Word>>,
    /// How one connects to a server that they name, but for its address.
    server: ConnectionInfo,
}

/// The time for which a server is the master.
pub(super) struct Tenure {
    words: watch::Receiver<Vec<Word>>,
    epoch: u64,
    address: Address,
}

impl Sentinels {
    /// Begins to follow them, until `closed`. `server` is how one connects to the servers that they
    /// name, but for the address.
    pub(super) fn follow(
        infos: Vec<ConnectionInfo>,
        name: &str,
        server: ConnectionInfo,
        connect_timeout: Duration,
        closed: &CancellationToken,
    ) -> RedisResult<Sentinels> {
        let (sender, words) = watch::channel(vec![Word::Silent(None); infos.len()]);
        let mut followers = Vec::with_capacity(infos.len());
        for (place, info) in infos.into_iter().enumerate() {
            // Sentinels have no databases.
            let redis = info.redis_settings().clone().set_db(0);
            let client = Client::open(info.set_redis_settings(redis))?;
            let words = sender.clone();
            followers.push(Follower { client, name: name.to_owned(), connect_timeout, place, words });
        }
        let closed = closed.clone();
        tokio::spawn(async move {
            closed.run_until_cancelled(join_all(followers.into_iter().map(Follower::run))).await;
        });
        Ok(Sentinels { words, server })
    }

    /// How to connect to the master, and the time for which it is that. Waits until there is one; fails once no Sentinel
    /// answers.
    pub(super) async fn master(&self) -> RedisResult<(Client, Tenure)> {
        let mut words = self.words.clone();
        let settled = words.wait_for(|words| match verdict(words) {
            Verdict::Master(..) => true,
            Verdict::Nobody => false,
            Verdict::Unknown => words.iter().all(|word| matches!(word, Word::Silent(Some(_)))),
        });
        let (found, failure) = match settled.await.as_deref() {
            Ok(words) => (verdict(words), words.iter().rev().find_map(Word::failure)),
            Err(_) => (Verdict::Unknown, None),
        };
        let Verdict::Master(epoch, address) = found else {
            return Err(failure.unwrap_or_else(|| RedisError::from((ErrorKind::Client, "the store is closed"))));
        };
        let client = Client::open(address.like(&self.server))?;
        Ok((client, Tenure { words: self.words.clone(), epoch, address }))
    }
}

impl Tenure {
    /// Returns when the server is not the master any more, or is about to be replaced.
    pub(super) async fn over(&mut self) {
        let over = self.words.wait_for(|words| match verdict(words) {
            Verdict::Unknown => false,
            Verdict::Nobody => true,
            Verdict::Master(epoch, address) => epoch >= self.epoch && address != self.address,
        });
        if over.await.is_err() {
            pending().await
        }
    }
}

impl Word {
    fn failure(&self) -> Option<RedisError> {
        if let Word::Silent(Some(error)) = self { Some(error.clone()) } else { None }
    }
}

/// Follows one Sentinel.
struct Follower {
    client: Client,
    name: String,
    connect_timeout: Duration,
    place: usize,
    words: watch::Sender<Vec<Word>>,
}

impl Follower {
    async fn run(self) {
        loop {
            let Err(error) = self.follow().await;
            tracing::debug!(%error, sentinel = self.place, "a Sentinel is away");
            self.note(Word::Silent(Some(error)));
            sleep(RETRY).await;
        }
    }

    fn note(&self, word: Word) {
        self.words.send_modify(|words| {
            if let Some(place) = words.get_mut(self.place) {
                *place = word;
            }
        });
    }

    /// Listens and asks until that fails.
    async fn follow(&self) -> RedisResult<std::convert::Infallible> {
        let (sender, mut events) = mpsc::unbounded_channel();
        let settings = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.connect_timeout))
            .set_response_timeout(Some(ANSWERING))
            .set_push_sender(sender);
        let connecting = self.client.get_multiplexed_async_connection_with_config(&settings);
        let mut connection = timeout(self.connect_timeout, connecting).await.unwrap_or_else(|_| Err(too_slow()))?;
        match listen(&mut connection).await {
            // A user of the Sentinel may be allowed to ask it and not to listen.
            Err(error) if error.code().is_some() => {
                tracing::warn!(%error, "a Sentinel does not let us listen; it is only asked, twice a second");
            }
            heard => heard?,
        }
        loop {
            let word = self.ask(&mut connection).await?;
            self.note(word);
            self.told(&mut events, Instant::now() + ASKING).await?;
        }
    }

    /// Asks for the master.
    async fn ask(&self, connection: &mut MultiplexedConnection) -> RedisResult<Word> {
        let mut questions = Pipeline::with_capacity(2);
        questions.cmd("SENTINEL").arg("GET-MASTER-ADDR-BY-NAME").arg(&self.name);
        questions.cmd("SENTINEL").arg("MASTER").arg(&self.name);
        let answers = connection.send_packed_commands(&questions, 0, 2).await?;
        let mut answers = answers.into_iter().map(Value::extract_error);
        let unknown = || {
            let sentence = "a Sentinel does not know the master of this name";
            RedisError::from((ErrorKind::MasterNameNotFoundBySentinel, sentence, self.name.clone()))
        };
        let (Some(Ok(address)), Some(Ok(about))) = (answers.next(), answers.next()) else { return Err(unknown()) };
        let address: Option<(String, u16)> = redis::from_redis_value(address)?;
        let about: HashMap<String, String> = redis::from_redis_value(about)?;
        let (host, port) = address.ok_or_else(unknown)?;
        let epoch = about.get("config-epoch").and_then(|epoch| epoch.parse().ok()).unwrap_or_default();
        let between = about.get("failover-state").is_some_and(|state| BETWEEN.contains(&state.as_str()));
        Ok(Word::Says { epoch, master: (!between).then_some(Address { host, port }) })
    }

    /// Returns when it is time to ask: at `next`, or as soon as the Sentinel tells of a failover of this master.
    async fn told(&self, events: &mut mpsc::UnboundedReceiver<PushInfo>, next: Instant) -> RedisResult<()> {
        loop {
            let event = match timeout_at(next, events.recv()).await {
                Ok(Some(event)) if event.kind != PushKind::Disconnection => event,
                Ok(_) => return Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset).into()),
                Err(_) => return Ok(()),
            };
            let message = Msg::from_push_info(event);
            let Some(message) = message else { continue };
            let text = std::str::from_utf8(message.get_payload_bytes()).unwrap_or_default();
            if text.split(' ').any(|word| word == self.name) {
                if self.unsettles(message.get_channel_name(), text) {
                    self.note(Word::Unsettled);
                }
                return Ok(());
            }
        }
    }

    /// Whether what a Sentinel tells means that the master which is known is none any more. A switch to that very master
    /// does not: every Sentinel tells of it in its own time, when the new one has long been in use.
    fn unsettles(&self, channel: &str, text: &str) -> bool {
        if channel != SWITCH {
            return BETWEEN.iter().any(|step| channel.ends_with(&step.replace('_', "-")));
        }
        let mut new = text.split(' ').skip(3);
        let (host, port) = (new.next().unwrap_or_default(), new.next().and_then(|port| port.parse().ok()));
        match (verdict(&self.words.borrow()), port) {
            (Verdict::Master(_, known), Some(port)) => known != Address { host: host.to_owned(), port },
            _ => true,
        }
    }
}

/// Has a Sentinel tell of failovers.
async fn listen(connection: &mut MultiplexedConnection) -> RedisResult<()> {
    connection.subscribe(SWITCH).await?;
    connection.psubscribe(STEPS).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(port: u16) -> Address {
        Address { host: "127.0.0.1".to_owned(), port }
    }

    fn says(epoch: u64, master: u16) -> Word {
        Word::Says { epoch, master: Some(at(master)) }
    }

    #[test]
    fn the_newest_configuration_counts() {
        let replacing = |epoch| Word::Says { epoch, master: None };
        assert_eq!(verdict(&[Word::Silent(None), Word::Silent(None)]), Verdict::Unknown);
        assert_eq!(verdict(&[Word::Silent(None), says(0, 1)]), Verdict::Master(0, at(1)));
        assert_eq!(verdict(&[says(4, 1), says(5, 2), says(4, 1)]), Verdict::Master(5, at(2)));
        assert_eq!(verdict(&[says(5, 2), says(4, 1)]), Verdict::Master(5, at(2)));
        // Whoever leads a failover knows more than the others of the same configuration, but not more than a newer one.
        assert_eq!(verdict(&[says(4, 1), replacing(4), says(4, 1)]), Verdict::Nobody);
        assert_eq!(verdict(&[replacing(0), says(0, 1)]), Verdict::Nobody);
        assert_eq!(verdict(&[replacing(4), says(5, 2)]), Verdict::Master(5, at(2)));
        assert_eq!(verdict(&[says(5, 2), Word::Unsettled]), Verdict::Nobody);
    }

    #[test]
    fn only_the_loss_of_the_known_master_unsettles() {
        let (words, _) = watch::channel(vec![says(5, 2)]);
        let client = Client::open("redis://127.0.0.1").unwrap();
        let connect_timeout = Duration::ZERO;
        let follower = Follower { client, name: "stones".to_owned(), connect_timeout, place: 0, words };
        assert!(!follower.unsettles(SWITCH, "stones 127.0.0.1 1 127.0.0.1 2"));
        assert!(follower.unsettles(SWITCH, "stones 127.0.0.1 2 127.0.0.1 3"));
        assert!(follower.unsettles(SWITCH, "stones"));
        let master = "master stones 127.0.0.1 2";
        assert!(follower.unsettles("+failover-state-select-slave", master));
        assert!(follower.unsettles("+failover-state-send-slaveof-noone", master));
        assert!(follower.unsettles("+failover-state-wait-promotion", master));
        assert!(!follower.unsettles("+failover-state-reconf-slaves", master));
    }

    #[tokio::test]
    async fn a_master_is_given_up_for_a_newer_configuration_only() {
        let (sender, words) = watch::channel(vec![says(5, 2), says(5, 2)]);
        let mut tenure = Tenure { words, epoch: 5, address: at(2) };
        let mut stays = async |words: Vec<Word>| {
            sender.send_replace(words);
            timeout(Duration::ZERO, tenure.over()).await.is_err()
        };
        assert!(stays(vec![says(5, 2), says(5, 2)]).await);
        assert!(stays(vec![says(4, 1), Word::Silent(None)]).await);
        assert!(stays(vec![Word::Silent(None), Word::Silent(None)]).await);
        assert!(!stays(vec![says(5, 2), says(6, 1)]).await);
        assert!(!stays(vec![says(5, 2), Word::Unsettled]).await);
    }
}
