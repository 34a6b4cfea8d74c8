//! A cluster: commands go to the node that has their slot, redirections are followed, and a client that hangs is replaced.
//!
//! The cluster client's own retries are off, because it also repeats commands that may have been carried out. A command
//! is sent again only where a node has refused it and named another: nothing had happened. The client can deadlock
//! while a node is away (its reconnecting and its search for slots wait for each other), so a new one replaces it
//! whenever an answer is late.
//!
//! A client for each runtime, like the connections of each runtime to one server (`own.rs`), is deliberately absent. A
//! client learns from failed commands that a node has died or that a slot has moved. After a failover each of many
//! clients would have to fail a request first; the one client learns it from background work.

use std::collections::BTreeSet;
use std::time::Duration;

use redis::aio::ConnectionLike;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::SingleNodeRoutingInfo;
use redis::{Cmd, ErrorKind, Pipeline, ProtocolVersion, RedisError, RedisResult, ServerErrorKind, Value};
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::access::{Access, tcp_settings};
use crate::address::Address;
use crate::config::{ConnectError, RedisConfig};
use crate::shards::{SETTLING, read_view};

/// The minimum time between two clients.
const RENEWAL: Duration = Duration::from_millis(500);

/// The client of a cluster.
pub struct Clustered {
    client: watch::Receiver<ClusterConnection>,
    suspicions: mpsc::Sender<()>,
}

impl Clustered {
    /// Connects to the nodes that can be reached, and follows the cluster from then on.
    ///
    /// # Errors
    /// If the settings do not fit, or no node answers.
    pub async fn open(
        config: &RedisConfig,
        access: &Access,
        closed: CancellationToken,
    ) -> Result<Clustered, ConnectError> {
        let patience = config.connect_timeout * (access.infos.len() as u32 + 1);
        let mut builder = ClusterClient::builder(access.infos.clone());
        if let Some(certificates) = &access.certificates {
            builder = builder.certs(certificates.clone());
        }
        if let Some(credentials) = &access.credentials {
            builder = builder.set_credentials_provider(credentials.clone());
        }
        let cluster = builder
            .retries(0)
            .use_protocol(ProtocolVersion::RESP3)
            .connection_timeout(config.connect_timeout)
            .response_timeout(config.response_timeout)
            .overall_response_timeout(None)
            .tcp_settings(tcp_settings())
            .build()
            .map_err(|error| ConnectError::Settings(error.to_string()))?;
        let first = cluster.get_async_connection().await.map_err(ConnectError::Unreachable)?;
        let (sender, client) = watch::channel(first);
        let (suspicions, mut suspected) = mpsc::channel(1);
        let renewing = async move {
            while suspected.recv().await.is_some() {
                if let Ok(Ok(renewed)) = timeout(patience, cluster.get_async_connection()).await {
                    tracing::warn!("the cluster did not answer in time; trying with a new client");
                    sender.send_replace(renewed);
                }
                sleep(RENEWAL).await;
            }
        };
        tokio::spawn(async move { closed.run_until_cancelled(renewing).await });
        Ok(Clustered { client, suspicions })
    }

    /// Starts the replacement of the client after an error that it may have caused.
    pub fn suspect(&self, error: &RedisError) {
        if error.is_timeout() {
            // A full channel means that a replacement is under way.
            let _ = self.suspicions.try_send(());
        }
    }

    /// Sends a command to the node of its slot. The caller bounds the time.
    ///
    /// # Errors
    /// The server's, or the loss of the connection.
    pub async fn send(&self, command: &Cmd) -> RedisResult<Value> {
        let mut client = self.client.borrow().clone();
        let mut waits = SETTLING.into_iter();
        loop {
            let answer = client.req_packed_command(command).await.and_then(Value::extract_error);
            let answer = match answer {
                Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::Ask) => {
                    asking(&client, command, &error).await
                }
                answer => answer,
            };
            match answer {
                Err(error) if elsewhere(&error) => match waits.next() {
                    Some(wait) => sleep(wait).await,
                    None => return Err(error),
                },
                answer => return answer,
            }
        }
    }

    /// Returns the addresses of the masters, each once, as one of the nodes states them. The caller bounds the time.
    ///
    /// # Errors
    /// If no node answers, or one does not know its own address.
    pub async fn masters(&self) -> RedisResult<Vec<String>> {
        let question = redis::cmd("CLUSTER").arg("SLOTS").take();
        let client = self.client.borrow().clone();
        let mut answers = carry(client, vec![question], SingleNodeRoutingInfo::RandomPrimary).await?;
        let view = read_view(answers.pop().unwrap_or(Ok(Value::Nil))?, None)?;
        let masters: BTreeSet<Address> = view.into_iter().map(|(_, _, master)| master).collect();
        Ok(masters.into_iter().map(|Address { host, port }| format!("{host}:{port}")).collect())
    }

    /// Sends several commands to the node at `address`, in one trip. The caller bounds the time.
    ///
    /// # Errors
    /// If the node does not answer, or refuses one of them.
    pub async fn ask(&self, address: &str, questions: Vec<Cmd>) -> RedisResult<Vec<Value>> {
        let unknown = || RedisError::from((ErrorKind::InvalidClientConfig, "no such node"));
        let route = route_to(address).ok_or_else(unknown)?;
        let client = self.client.borrow().clone();
        carry(client, questions, route).await?.into_iter().collect()
    }
}

fn route_to(address: &str) -> Option<SingleNodeRoutingInfo> {
    let Address { host, port } = Address::parse(address)?;
    Some(SingleNodeRoutingInfo::ByAddress { host, port })
}

/// Sends several commands to one node, in one trip.
async fn carry(
    mut client: ClusterConnection,
    commands: Vec<Cmd>,
    route: SingleNodeRoutingInfo,
) -> RedisResult<Vec<RedisResult<Value>>> {
    let count = commands.len();
    let mut pipeline = Pipeline::with_capacity(count);
    for command in commands {
        pipeline.add_command(command);
    }
    let answers = client.route_pipeline(pipeline, 0, count, route).await?;
    Ok(answers.into_iter().map(Value::extract_error).collect())
}

/// Returns true if a node refused a command because its slot is on, or moves to, another node.
fn elsewhere(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::Server(ServerErrorKind::Moved | ServerErrorKind::TryAgain))
}

/// Follows a redirection for one command, while a slot moves to another node.
async fn asking(client: &ClusterConnection, command: &Cmd, redirection: &RedisError) -> RedisResult<Value> {
    let Some(route) = redirection.redirect_node().and_then(|(address, _)| route_to(address)) else {
        return Err(redirection.clone());
    };
    let mut answers = carry(client.clone(), vec![redis::cmd("ASKING"), command.clone()], route).await?;
    answers.pop().unwrap_or(Ok(Value::Nil))
}
