//! Opens connections: to the one server, to the master that the Sentinels name, or to any node of a cluster.
//!
//! Each connection reports its end and its messages on the channel it was opened with. A connection to a master is
//! opened only if the server itself says that it is one.

use std::future::pending;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, ConnectionInfo, ErrorKind, ProtocolVersion, PushInfo, RedisConnectionInfo, RedisError,
    RedisResult, Role, ServerErrorKind,
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::access::{Access, Server};
use crate::config::{ConnectError, RedisConfig, RedisMode};
use crate::limit::{PIPELINED, within};
use crate::sentinels::{Sentinels, Tenure};

enum Target {
    /// Any of these servers.
    AnyOf(Vec<Server>),
    /// The master, by the Sentinels.
    Master(Box<Sentinels>),
}

/// An opened connection.
pub struct Opened {
    /// The connection, with the server that was found to be right.
    pub connection: MultiplexedConnection,
    /// Opens more of them.
    pub(crate) server: Server,
    /// The tenure of the server, where that can end before the connection does.
    tenure: Option<Tenure>,
}

impl Opened {
    /// Returns when the connection leads to the wrong server.
    pub async fn wrong(&mut self) {
        match &mut self.tenure {
            Some(tenure) => tenure.over().await,
            None => pending().await,
        }
    }

    /// Returns the tenure of the server, if Sentinels have named it.
    pub(crate) fn tenure(&self) -> Option<&Tenure> {
        self.tenure.as_ref()
    }
}

/// Opens connections of one kind.
pub struct Connector {
    target: Target,
    per_server: Duration,
    in_all: Duration,
}

fn wrong(error: RedisError) -> ConnectError {
    // The text of this error contains no part of the URL.
    ConnectError::Settings(error.to_string())
}

/// Returns the connection settings of the servers that this Sentinel names, but for the address.
fn server(sentinel: &ConnectionInfo, username: Option<&str>, password: Option<&str>) -> ConnectionInfo {
    let db = sentinel.redis_settings().db();
    let mut server = RedisConnectionInfo::default().set_protocol(ProtocolVersion::RESP3).set_db(db);
    if let Some(username) = username {
        server = server.set_username(username);
    }
    if let Some(password) = password {
        server = server.set_password(password);
    }
    sentinel.clone().set_redis_settings(server)
}

impl Connector {
    /// Makes the connector of these settings. Sentinels are followed until `closed`.
    ///
    /// # Errors
    /// If the settings do not fit.
    pub fn new(config: &RedisConfig, access: &Access, closed: &CancellationToken) -> Result<Connector, ConnectError> {
        let mut infos = access.infos.clone();
        let servers = infos.len() as u32;
        let target = match &config.mode {
            RedisMode::Sentinel { master, username, password } => {
                let server = server(&infos[0], username.as_deref(), password.as_deref());
                let server = access.server(server).map_err(wrong)?;
                let sentinels = Sentinels::follow(infos, master, server, config.connect_timeout, closed);
                Target::Master(Box::new(sentinels.map_err(wrong)?))
            }
            mode => {
                if *mode == RedisMode::Single {
                    infos.truncate(1);
                }
                Target::AnyOf(
                    infos.into_iter().map(|info| access.server(info)).collect::<RedisResult<_>>().map_err(wrong)?,
                )
            }
        };
        Ok(Connector { target, per_server: config.connect_timeout, in_all: config.connect_timeout * (servers + 1) })
    }

    /// Opens a connection, which reports to `events`. The connection sets no limit to the wait for an answer: the
    /// caller does.
    ///
    /// # Errors
    /// If no right server answers in time.
    pub async fn connect(&self, events: mpsc::UnboundedSender<PushInfo>) -> RedisResult<Opened> {
        let settings = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.per_server))
            .set_response_timeout(None)
            .set_pipeline_buffer_size(PIPELINED)
            .set_push_sender(events);
        let connecting = async {
            match &self.target {
                Target::Master(sentinels) => {
                    loop {
                        let (server, mut tenure) = sentinels.master().await?;
                        // A server that is replaced meanwhile may hang.
                        let opening = open_master(&server, &settings);
                        let connection = tokio::select! {
                            connection = opening => connection?,
                            () = tenure.over() => continue,
                        };
                        return Ok(Opened { connection, server, tenure: Some(tenure) });
                    }
                }
                Target::AnyOf(servers) => {
                    let mut failure = RedisError::from((ErrorKind::InvalidClientConfig, "no server is known"));
                    for server in servers {
                        match server.connect(&settings).await {
                            Ok(connection) => {
                                return Ok(Opened { connection, server: server.clone(), tenure: None });
                            }
                            Err(error) => failure = error,
                        }
                    }
                    Err(failure)
                }
            }
        };
        within(self.in_all, connecting).await
    }
}

async fn open_master(server: &Server, settings: &AsyncConnectionConfig) -> RedisResult<MultiplexedConnection> {
    let connection = server.connect(settings).await?;
    if is_master(&connection).await? == Some(false) {
        let sentence = "the server that the Sentinels name is not a master";
        return Err(RedisError::from((ErrorKind::Client, sentence)));
    }
    Ok(connection)
}

/// Returns true if the server says that it is a master; `None` if this user may not ask.
pub(crate) async fn is_master(connection: &MultiplexedConnection) -> RedisResult<Option<bool>> {
    let mut connection = connection.clone();
    match redis::cmd("ROLE").query_async(&mut connection).await {
        Ok(role) => Ok(Some(matches!(role, Role::Primary { .. }))),
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoPerm) => Ok(None),
        Err(error) => Err(error),
    }
}
