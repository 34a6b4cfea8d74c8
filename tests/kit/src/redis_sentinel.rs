//! A master with replicas, and three Sentinels that watch it, for tests.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::proxy::{Proxy, SERVERS};
use crate::redis_server::{Server, free_port};

/// The name under which the Sentinels know the master.
pub const NAME: &str = "stones";
const SETTLING: Duration = Duration::from_secs(60);

/// The servers and their Sentinels.
#[derive(Default)]
pub struct Watched {
    /// The master, and then its replicas; until a failover.
    pub servers: Vec<Server>,
    /// The Sentinels.
    pub sentinels: Vec<Server>,
    /// The proxies before the servers, if they stand behind any.
    pub cables: Vec<Proxy>,
}

fn sentinel(what: &str) -> redis::Cmd {
    let mut command = redis::cmd("SENTINEL");
    command.arg(what).arg(NAME);
    command
}

impl Watched {
    /// Starts a master with replicas, all with these settings more, and three Sentinels; and waits until they are all
    /// ready for a failover.
    pub async fn start(replicas: usize, settings: &[&str]) -> Watched {
        Watched::launch(replicas, settings, false).await
    }

    /// The same with a proxy before each server, through which everybody reaches it. The servers and the Sentinels
    /// connect from [`SERVERS`].
    pub async fn behind_proxies(replicas: usize, settings: &[&str]) -> Watched {
        Watched::launch(replicas, settings, true).await
    }

    async fn launch(replicas: usize, settings: &[&str], proxies: bool) -> Watched {
        let (from, mut watched) = (SERVERS.to_string(), Watched::default());
        let mut main: Option<String> = None;
        for _ in 0..=replicas {
            let port = free_port();
            if proxies {
                watched.cables.push(Proxy::before(port).await);
            }
            let announced = watched.cables.last().map_or(port, |cable| cable.port).to_string();
            let mut all = settings.to_vec();
            all.extend(["--repl-diskless-sync-delay", "0", "--replica-announce-port", &announced]);
            if proxies {
                all.extend(["--bind-source-addr", &from, "--replica-announce-ip", "127.0.0.1"]);
            }
            if let Some(main) = &main {
                all.extend(["--replicaof", "127.0.0.1", main]);
            }
            watched.servers.push(Server::at(port, &all));
            main.get_or_insert(announced);
        }
        let main = main.expect("a master");
        let source =
            if proxies { format!("bind-source-addr {from}\nsentinel announce-ip 127.0.0.1\n") } else { String::new() };
        let configuration = format!(
            "{source}sentinel monitor {NAME} 127.0.0.1 {main} 2\nsentinel down-after-milliseconds {NAME} 1000\n\
             sentinel failover-timeout {NAME} 6000\n"
        );
        watched.sentinels.extend((0..3).map(|_| Server::sentinel(&configuration)));
        watched.ready().await;
        watched
    }

    /// The port on which everybody reaches a server.
    fn port(&self, place: usize) -> u16 {
        self.cables.get(place).map_or(self.servers[place].port, |cable| cable.port)
    }

    /// The addresses of the Sentinels.
    pub fn urls(&self) -> Vec<String> {
        self.sentinels.iter().map(Server::url).collect()
    }

    /// Returns the number of the server that the first Sentinel names.
    pub async fn master(&self) -> usize {
        let (_, port): (String, u16) = self.sentinels[0].ask(&sentinel("GET-MASTER-ADDR-BY-NAME")).await;
        (0..self.servers.len()).find(|place| self.port(*place) == port).expect("one of the servers")
    }

    /// Has another server promoted, and answers which is the master then.
    pub async fn fail_over(&self) -> usize {
        let before = self.master().await;
        let _: () = self.sentinels[0].ask(&sentinel("FAILOVER")).await;
        self.another_master(before).await
    }

    /// Waits until the first Sentinel names another server than this one, and answers which.
    pub async fn another_master(&self, before: usize) -> usize {
        until("another master", async || self.master().await != before).await;
        self.master().await
    }

    /// Waits until all replicas follow one master, and all Sentinels know of everyone.
    pub async fn ready(&self) {
        let replicas = self.servers.len() - 1;
        until("replicas that follow", async || {
            let master = self.master().await;
            let about: String = self.servers[master].ask(redis::cmd("INFO").arg("replication")).await;
            about.contains("role:master") && about.matches("state=online").count() == replicas
        })
        .await;
        for one in &self.sentinels {
            until("Sentinels that know each other", async || {
                let usable: redis::RedisResult<String> = one.try_to_ask(&sentinel("CKQUORUM")).await;
                let about: String = one.ask(redis::cmd("INFO").arg("sentinel")).await;
                let all = format!("status=ok,address=127.0.0.1:{},slaves={replicas},", self.port(self.master().await));
                usable.is_ok_and(|answer| answer.starts_with("OK 3 usable")) && about.contains(&all)
            })
            .await;
        }
    }
}

/// Asks until the answer is yes.
async fn until(what: &str, ask: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !ask().await {
        assert!(start.elapsed() < SETTLING, "no {what}");
        sleep(Duration::from_millis(20)).await;
    }
}
