//! Access to servers: their address, TLS with configured certificates, and a password that may change while the store
//! is open.

use std::fs;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

use futures_util::stream::{Stream, unfold};
use redis::aio::MultiplexedConnection;
use redis::auth::{BasicAuth, StreamingCredentialsProvider};
use redis::io::tcp::TcpSettings;
use redis::{
    AsyncConnectionConfig, Client, ClientTlsConfig, ConnectionInfo, IntoConnectionInfo, ProtocolVersion, RedisResult,
    TlsCertificates,
};
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::address::Address;
use crate::config::{ConnectError, RedisConfig, RedisMode, TlsFiles};

/// The interval at which the password file is read again.
const READING: Duration = if cfg!(test) { Duration::from_millis(20) } else { Duration::from_secs(5) };

/// The connection settings of the configured servers, and of others like them.
#[derive(Clone)]
pub struct Access {
    /// The configured servers, in order.
    pub(crate) infos: Vec<ConnectionInfo>,
    pub(crate) certificates: Option<TlsCertificates>,
    pub(crate) credentials: Option<Credentials>,
}

/// The connection settings of one server.
#[derive(Clone)]
pub(crate) struct Server {
    client: Client,
    credentials: Option<Credentials>,
}

/// A user whose password is in a file.
#[derive(Clone)]
pub(crate) struct Credentials {
    username: String,
    password: watch::Receiver<String>,
}

/// Returns the TCP settings for small requests.
pub(crate) fn tcp_settings() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

/// Reads a configured file.
fn read(flag: &str, path: &Path) -> Result<Vec<u8>, ConnectError> {
    fs::read(path).map_err(|error| ConnectError::Settings(format!("{flag} {}: {error}", path.display())))
}

impl TlsFiles {
    fn read(&self) -> Result<Option<TlsCertificates>, ConnectError> {
        let root_cert = self.ca.as_deref().map(|ca| read("--redis-ca-file", ca)).transpose()?;
        let client_tls = match &self.client {
            Some((certificate, key)) => Some(ClientTlsConfig {
                client_cert: read("--redis-certificate-file", certificate)?,
                client_key: read("--redis-key-file", key)?,
            }),
            None => None,
        };
        let any = root_cert.is_some() || client_tls.is_some();
        Ok(any.then_some(TlsCertificates { client_tls, root_cert }))
    }
}

impl Access {
    /// Returns the access that these settings describe. The password file is followed until `closed`.
    ///
    /// # Errors
    /// If a file cannot be read or a URL is no address.
    pub fn of(config: &RedisConfig, closed: &CancellationToken) -> Result<Access, ConnectError> {
        // The text of this error contains no part of the URL, and nothing of the files.
        let wrong = |error: redis::RedisError| ConnectError::Settings(error.to_string());
        let certificates = config.tls.read()?;
        let infos: Vec<ConnectionInfo> = config
            .urls
            .iter()
            .map(|url| {
                let info = url.as_str().into_connection_info()?;
                // RESP3: subscriptions and commands share a connection, and its end is noticed at once.
                let redis = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
                let info = info.set_redis_settings(redis).set_tcp_settings(tcp_settings());
                Ok(match &certificates {
                    Some(certificates) => {
                        Client::build_with_tls(info, certificates.clone())?.get_connection_info().clone()
                    }
                    None => info,
                })
            })
            .collect::<RedisResult<_>>()
            .map_err(wrong)?;
        let Some(first) = infos.first() else {
            return Err(ConnectError::Settings("no URL is given".to_owned()));
        };
        let username = match &config.mode {
            RedisMode::Sentinel { username, .. } => username.clone(),
            RedisMode::Single | RedisMode::Cluster => first.redis_settings().username().map(str::to_owned),
        };
        let file = config.password_file.as_deref();
        let credentials = file.map(|file| Credentials::follow(file, username, closed)).transpose()?;
        Ok(Access { infos, certificates, credentials })
    }

    /// Returns the server at `info`.
    pub(crate) fn server(&self, info: ConnectionInfo) -> RedisResult<Server> {
        Ok(Server { client: Client::open(info)?, credentials: self.credentials.clone() })
    }
}

impl Server {
    /// Returns the server at `address`, with these connection settings.
    pub(crate) fn at(&self, address: &Address) -> RedisResult<Server> {
        let client = Client::open(address.like(self.client.get_connection_info()))?;
        Ok(Server { client, credentials: self.credentials.clone() })
    }

    /// Returns the server's address on the network; `None` for a socket of this machine.
    pub(crate) fn address(&self) -> Option<Address> {
        Address::of(self.client.get_connection_info())
    }

    /// Opens a connection, with the present password.
    pub(crate) async fn connect(&self, settings: &AsyncConnectionConfig) -> RedisResult<MultiplexedConnection> {
        match &self.credentials {
            Some(credentials) => {
                let settings = settings.clone().set_credentials_provider(credentials.clone());
                self.client.get_multiplexed_async_connection_with_config(&settings).await
            }
            None => self.client.get_multiplexed_async_connection_with_config(settings).await,
        }
    }
}

impl Credentials {
    fn follow(file: &Path, username: Option<String>, closed: &CancellationToken) -> Result<Credentials, ConnectError> {
        let first = password_in(file)
            .map_err(|error| ConnectError::Settings(format!("--redis-password-file {}: {error}", file.display())))?;
        let (sender, password) = watch::channel(first);
        let following = reread(file.to_owned(), sender);
        let closed = closed.clone();
        tokio::spawn(async move { closed.run_until_cancelled(following).await });
        // Without a name it is the default user, which every server has.
        Ok(Credentials { username: username.unwrap_or_else(|| "default".to_owned()), password })
    }
}

/// Reads the password, without the end of its line.
fn password_in(file: &Path) -> std::io::Result<String> {
    Ok(fs::read_to_string(file)?.trim_end_matches(['\r', '\n']).to_owned())
}

/// Reads the file periodically and publishes each change. Open connections authenticate again with the changed
/// password, and later ones use it.
async fn reread(file: PathBuf, password: watch::Sender<String>) {
    loop {
        sleep(READING).await;
        match password_in(&file) {
            Ok(read) => {
                let changed = password.send_if_modified(|known| {
                    let changed = *known != read;
                    *known = read;
                    changed
                });
                if changed {
                    tracing::info!("the password for Redis has changed");
                }
            }
            Err(error) => tracing::warn!(%error, file = %file.display(), "the password for Redis cannot be read again"),
        }
    }
}

impl StreamingCredentialsProvider for Credentials {
    fn subscribe(&self) -> Pin<Box<dyn Stream<Item = RedisResult<BasicAuth>> + Send + 'static>> {
        let Credentials { username, mut password } = self.clone();
        password.mark_changed();
        Box::pin(unfold((username, password), |(username, mut password)| async move {
            password.changed().await.ok()?;
            let now = password.borrow_and_update().clone();
            Some((Ok(BasicAuth::new(username.clone(), now)), (username, password)))
        }))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::*;

    #[tokio::test]
    async fn a_password_is_read_again_and_told_to_every_connection() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("password");
        fs::write(&file, "one\n").unwrap();
        let config = RedisConfig { password_file: Some(file.clone()), ..RedisConfig::single("redis://ann@127.0.0.1") };
        let closed = CancellationToken::new();
        let credentials = Access::of(&config, &closed).unwrap().credentials.unwrap();
        let mut told = credentials.subscribe();
        let mut next = async || {
            let auth = told.next().await.unwrap().unwrap();
            (auth.username().to_owned(), auth.password().to_owned())
        };
        assert_eq!(next().await, ("ann".to_owned(), "one".to_owned()));
        fs::write(&file, "two").unwrap();
        assert_eq!(next().await, ("ann".to_owned(), "two".to_owned()));
        // Who comes later begins with what holds then.
        assert_eq!(credentials.subscribe().next().await.unwrap().unwrap().password(), "two");
        // A file that is being replaced is not there for a moment.
        fs::remove_file(&file).unwrap();
        sleep(3 * READING).await;
        fs::write(&file, "three").unwrap();
        assert_eq!(next().await.1, "three");
        closed.cancel();
        assert!(told.next().await.is_none());
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_refused_with_its_name() {
        let nowhere = || Some(PathBuf::from("/nowhere/file"));
        let secure = RedisConfig::single("rediss://127.0.0.1");
        let cases = [
            (RedisConfig { password_file: nowhere(), ..secure.clone() }, "--redis-password-file /nowhere/file"),
            (RedisConfig { tls: TlsFiles { ca: nowhere(), client: None }, ..secure }, "--redis-ca-file /nowhere/file"),
        ];
        for (config, expected) in cases {
            let refused = Access::of(&config, &CancellationToken::new()).err().unwrap().to_string();
            assert!(refused.contains(expected), "{refused}");
        }
    }
}
