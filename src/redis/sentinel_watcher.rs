//! The watcher of one Sentinel: asks it twice a second, and receives its announcements of failovers and of other
//! Sentinels.

use std::collections::HashMap;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, ErrorKind, Msg, Pipeline, PushInfo, PushKind, RedisError, RedisResult, Value,
};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout_at};

use crate::address::Address;
use crate::limit::within;
use crate::quorum::{Quorum, Said, SentinelReport, SentinelVerdict};

/// The interval at which a Sentinel is asked.
const ASKING: Duration = Duration::from_millis(500);
/// The interval at which it is asked for other Sentinels, in questions. The first time is the second question: by then
/// the configured ones have told their ids.
const OTHERS: u32 = 20;
/// The time limit for its answer.
const ANSWERING: Duration = Duration::from_secs(1);
/// The pause before the next try to reach an absent Sentinel.
const RETRY: Duration = Duration::from_millis(250);
/// The channels on which a Sentinel publishes failovers: each step of one that it leads, and the switch of the master.
const STEPS: &str = "+failover-state-*";
const SWITCH: &str = "+switch-master";
/// The steps during which the old master is being replaced and the new one is not promoted yet.
const BETWEEN: [&str; 3] = ["select_slave", "send_slaveof_noone", "wait_promotion"];

/// Another Sentinel, by the report of one.
pub(crate) struct Other {
    pub(crate) address: Address,
    pub(crate) id: String,
}

/// The watcher of one Sentinel.
pub(crate) struct SentinelWatcher {
    pub(crate) client: Client,
    /// The name of the master.
    pub(crate) name: String,
    pub(crate) connect_timeout: Duration,
    pub(crate) place: usize,
    /// The time without an answer after which it is dropped; never, if it is configured.
    pub(crate) left_after: Option<Duration>,
    pub(crate) quorum: watch::Sender<Quorum>,
    /// The channel for reports of other Sentinels.
    pub(crate) others: mpsc::UnboundedSender<Other>,
}

/// The reason why a Sentinel is not followed any more.
enum End {
    /// It is followed at another place.
    Twice,
    Away(RedisError),
}

impl From<RedisError> for End {
    fn from(error: RedisError) -> End {
        End::Away(error)
    }
}

impl SentinelWatcher {
    /// Follows the Sentinel for ever, or until it is gone if it is not configured.
    pub(crate) async fn run(self) {
        let mut heard = Instant::now();
        loop {
            let Err(end) = self.follow(&mut heard).await;
            let is_twice = matches!(end, End::Twice);
            if let End::Away(error) = end {
                tracing::debug!(%error, sentinel = self.place, "a Sentinel is away");
                self.note(SentinelReport::Silent(Some(error)));
            }
            if self.left_after.is_some_and(|limit| is_twice || heard.elapsed() > limit) {
                self.quorum.send_modify(|quorum| quorum.remove(self.place));
                return;
            }
            sleep(RETRY).await;
        }
    }

    fn note(&self, report: SentinelReport) {
        self.quorum.send_modify(|quorum| quorum.note(self.place, report));
    }

    /// Listens and asks until an error.
    async fn follow(&self, heard: &mut Instant) -> Result<std::convert::Infallible, End> {
        let (sender, mut events) = mpsc::unbounded_channel();
        let settings = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.connect_timeout))
            .set_response_timeout(Some(ANSWERING))
            .set_push_sender(sender);
        let connecting = self.client.get_multiplexed_async_connection_with_config(&settings);
        let mut connection = within(self.connect_timeout, connecting).await?;
        match listen(&mut connection).await {
            // The user may lack the permission to subscribe and still be allowed to ask.
            Err(error) if error.code().is_some() => {
                tracing::warn!(%error, "a Sentinel does not let us listen; it is only asked, twice a second");
            }
            heard => heard?,
        }
        self.introduce(&mut connection).await?;
        for number in 0.. {
            let report = self.ask(&mut connection).await?;
            self.note(report);
            *heard = Instant::now();
            if number % OTHERS == 1 {
                self.ask_for_others(&mut connection).await?;
            }
            self.told(&mut events, Instant::now() + ASKING).await?;
        }
        Err(End::Away(lost()))
    }

    /// Asks for its id, if that is allowed.
    async fn introduce(&self, connection: &mut MultiplexedConnection) -> Result<(), End> {
        let Some(id) = if_allowed(redis::cmd("SENTINEL").arg("MYID").query_async::<String>(connection).await)? else {
            return Ok(());
        };
        let mut is_twice = false;
        self.quorum.send_modify(|quorum| is_twice = quorum.is_known_elsewhere(self.place, &id));
        if is_twice && self.left_after.is_some() { Err(End::Twice) } else { Ok(()) }
    }

    /// Asks for the master.
    async fn ask(&self, connection: &mut MultiplexedConnection) -> RedisResult<SentinelReport> {
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
        let number = |name| about.get(name).and_then(|number| number.parse().ok()).unwrap_or_default();
        let between = about.get("failover-state").is_some_and(|state| BETWEEN.contains(&state.as_str()));
        Ok(SentinelReport::Says(Said {
            epoch: number("config-epoch"),
            master: (!between).then_some(Address { host, port }),
            sentinels: 1 + usize::try_from(number("num-other-sentinels")).unwrap_or_default(),
            replicas: u32::try_from(number("num-slaves")).unwrap_or_default(),
        }))
    }

    /// Asks for the other Sentinels that it knows, and passes them on.
    async fn ask_for_others(&self, connection: &mut MultiplexedConnection) -> RedisResult<()> {
        let mut question = redis::cmd("SENTINEL");
        question.arg("SENTINELS").arg(&self.name);
        let answer = if_allowed(question.query_async::<Vec<HashMap<String, String>>>(connection).await)?;
        for about in answer.unwrap_or_default() {
            let (host, port) = (about.get("ip"), about.get("port").and_then(|port| port.parse().ok()));
            if let (Some(host), Some(port), Some(id)) = (host, port, about.get("runid")) {
                // Without a receiver the store is closed.
                let _ = self.others.send(Other { address: Address { host: host.clone(), port }, id: id.clone() });
            }
        }
        Ok(())
    }

    /// Returns at the time of the next question: at `next`, or as soon as the Sentinel announces a failover of this
    /// master.
    async fn told(&self, events: &mut mpsc::UnboundedReceiver<PushInfo>, next: Instant) -> RedisResult<()> {
        loop {
            let event = match timeout_at(next, events.recv()).await {
                Ok(Some(event)) if event.kind != PushKind::Disconnection => event,
                Ok(_) => return Err(lost()),
                Err(_) => return Ok(()),
            };
            let message = Msg::from_push_info(event);
            let Some(message) = message else { continue };
            let text = std::str::from_utf8(message.get_payload_bytes()).unwrap_or_default();
            if text.split(' ').any(|word| word == self.name) {
                if self.unsettles(message.get_channel_name(), text) {
                    self.note(SentinelReport::Unsettled);
                }
                return Ok(());
            }
        }
    }

    /// Returns true if an announcement means that the known master is not the master any more. A switch to that very
    /// master does not: every Sentinel announces it in its own time, when the new one has long been in use.
    fn unsettles(&self, channel: &str, text: &str) -> bool {
        if channel != SWITCH {
            return BETWEEN.iter().any(|step| channel.ends_with(&step.replace('_', "-")));
        }
        let mut new = text.split(' ').skip(3);
        let (host, port) = (new.next().unwrap_or_default(), new.next().and_then(|port| port.parse().ok()));
        match (self.quorum.borrow().verdict(), port) {
            (SentinelVerdict::Master(_, known), Some(port)) => *known != Address { host: host.to_owned(), port },
            _ => true,
        }
    }
}

fn lost() -> RedisError {
    std::io::Error::from(std::io::ErrorKind::ConnectionReset).into()
}

/// Returns the answer, unless the Sentinel refuses to give one.
fn if_allowed<T>(answer: RedisResult<T>) -> RedisResult<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.code().is_some() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Subscribes to announcements of failovers.
async fn listen(connection: &mut MultiplexedConnection) -> RedisResult<()> {
    connection.subscribe(SWITCH).await?;
    connection.psubscribe(STEPS).await
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::quorum::tests::{quorum, says};

    fn watcher(url: &str, left_after: Option<Duration>) -> SentinelWatcher {
        let (quorum, others) = (watch::Sender::new(quorum([says(5, 2)])), mpsc::unbounded_channel().0);
        let (client, name, connect_timeout) = (Client::open(url).unwrap(), "stones".to_owned(), Duration::from_secs(1));
        SentinelWatcher { client, name, connect_timeout, place: 0, left_after, quorum, others }
    }

    #[tokio::test]
    async fn one_that_is_silent_is_left_unless_the_settings_name_it() {
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let url = format!("redis://{closed}");
        let learnt = watcher(&url, Some(Duration::ZERO));
        let quorum = learnt.quorum.clone();
        learnt.run().await;
        assert_eq!(quorum.borrow().len(), 0);
        let named = watcher(&url, None);
        let quorum = named.quorum.clone();
        assert!(timeout(3 * RETRY, named.run()).await.is_err());
        assert!(quorum.borrow().are_all_silent() && quorum.borrow().len() == 1);
    }

    #[test]
    fn only_the_loss_of_the_known_master_unsettles() {
        let watcher = watcher("redis://127.0.0.1", None);
        assert!(!watcher.unsettles(SWITCH, "stones 127.0.0.1 1 127.0.0.1 2"));
        assert!(watcher.unsettles(SWITCH, "stones 127.0.0.1 2 127.0.0.1 3"));
        assert!(watcher.unsettles(SWITCH, "stones"));
        let master = "master stones 127.0.0.1 2";
        assert!(watcher.unsettles("+failover-state-select-slave", master));
        assert!(watcher.unsettles("+failover-state-send-slaveof-noone", master));
        assert!(watcher.unsettles("+failover-state-wait-promotion", master));
        assert!(!watcher.unsettles("+failover-state-reconf-slaves", master));
    }
}
