//! Opens connections: to the one server, to the master that the Sentinels name, or to any node of a cluster.
//!
//! Each connection reports its end, and what it is subscribed to, on the channel it was opened with.

use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::io::tcp::TcpSettings;
use redis::sentinel::{SentinelClient, SentinelNodeConnectionInfo, SentinelServerType};
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, ErrorKind, IntoConnectionInfo, ProtocolVersion,
    PushInfo, RedisConnectionInfo, RedisError, RedisResult, TlsMode,
};
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

use super::config::{ConnectError, RedisConfig, RedisMode};

enum Target {
    /// Any of these will do.
    AnyOf(Vec<Client>),
    /// Whichever server the Sentinels name.
    Master(Box<Mutex<SentinelClient>>),
}

/// Opens connections of one kind.
pub(super) struct Connector {
    target: Target,
    per_server: Duration,
    in_all: Duration,
}

fn wrong(error: RedisError) -> ConnectError {
    // The text of such an error repeats no part of the URL.
    ConnectError::Settings(error.to_string())
}

/// The URLs as connection settings: RESP3, because subscriptions and commands share a connection and its end is
/// noticed at once; no delay of small packets.
pub(super) fn infos(config: &RedisConfig) -> Result<Vec<ConnectionInfo>, ConnectError> {
    let infos: Vec<ConnectionInfo> = config
        .urls
        .iter()
        .map(|url| {
            let info = url.as_str().into_connection_info().map_err(wrong)?;
            let redis = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
            Ok(info.set_redis_settings(redis).set_tcp_settings(tcp_settings()))
        })
        .collect::<Result<_, ConnectError>>()?;
    if infos.is_empty() { Err(ConnectError::Settings("no URL is given".to_owned())) } else { Ok(infos) }
}

/// TCP as it should be for small requests.
pub(super) fn tcp_settings() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

fn sentinel(
    infos: Vec<ConnectionInfo>,
    master: &str,
    username: Option<&str>,
    password: Option<&str>,
) -> Result<SentinelClient, ConnectError> {
    let mut node = RedisConnectionInfo::default().set_protocol(ProtocolVersion::RESP3);
    let first = infos.first();
    if let Some(info) = first {
        node = node.set_db(info.redis_settings().db());
    }
    if let Some(username) = username {
        node = node.set_username(username);
    }
    if let Some(password) = password {
        node = node.set_password(password);
    }
    let mut nodes =
        SentinelNodeConnectionInfo::default().set_redis_connection_info(node).set_tcp_settings(tcp_settings());
    if first.is_some_and(|info| matches!(info.addr(), ConnectionAddr::TcpTls { .. })) {
        nodes = nodes.set_tls_mode(TlsMode::Secure);
    }
    // Sentinels have no databases.
    let sentinels: Vec<ConnectionInfo> = infos
        .into_iter()
        .map(|info| {
            let redis = info.redis_settings().clone().set_db(0);
            info.set_redis_settings(redis)
        })
        .collect();
    SentinelClient::build(sentinels, master, Some(nodes), SentinelServerType::Master).map_err(wrong)
}

impl Connector {
    pub(super) fn new(config: &RedisConfig) -> Result<Connector, ConnectError> {
        let mut infos = infos(config)?;
        let servers = infos.len() as u32;
        let target = match &config.mode {
            RedisMode::Sentinel { master, username, password } => {
                Target::Master(Box::new(Mutex::new(sentinel(infos, master, username.as_deref(), password.as_deref())?)))
            }
            mode => {
                if *mode == RedisMode::Single {
                    infos.truncate(1);
                }
                Target::AnyOf(infos.into_iter().map(Client::open).collect::<RedisResult<_>>().map_err(wrong)?)
            }
        };
        Ok(Connector { target, per_server: config.connect_timeout, in_all: config.connect_timeout * (servers + 1) })
    }

    /// A new connection, which reports to `events`. It never waits for an answer by itself: who asks sets the limit.
    pub(super) async fn connect(&self, events: mpsc::UnboundedSender<PushInfo>) -> RedisResult<MultiplexedConnection> {
        let settings = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.per_server))
            .set_response_timeout(None)
            .set_pipeline_buffer_size(1024)
            .set_push_sender(events);
        let connecting = async {
            match &self.target {
                Target::Master(sentinels) => sentinels.lock().await.get_async_connection_with_config(&settings).await,
                Target::AnyOf(clients) => {
                    let mut failure = RedisError::from((ErrorKind::InvalidClientConfig, "no server is known"));
                    for client in clients {
                        match client.get_multiplexed_async_connection_with_config(&settings).await {
                            Ok(connection) => return Ok(connection),
                            Err(error) => failure = error,
                        }
                    }
                    Err(failure)
                }
            }
        };
        match timeout(self.in_all, connecting).await {
            Ok(result) => result,
            Err(_) => Err(too_slow()),
        }
    }
}

/// The error of a limit that was reached.
pub(super) fn too_slow() -> RedisError {
    std::io::Error::new(std::io::ErrorKind::TimedOut, "no answer in time").into()
}
