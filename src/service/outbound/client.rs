//! The client: one request, one connection.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{ACCEPT, CACHE_CONTROL, HOST, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::address::{Network, is_global};

/// The most time for resolving a name.
const RESOLVE_WITHIN: Duration = Duration::from_secs(3);
/// The most time for a connection, for TCP and TLS each.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// The most time for a request, from its beginning to the end of its answer.
const DONE_WITHIN: Duration = Duration::from_secs(15);
/// The bytes of the answer to a message that are read, and thrown away.
const RECEIPT_MAX: usize = 4096;
/// The longest URL, in bytes.
pub const URL_MAX: usize = 2048;

/// The operator's permissions besides https to addresses that everybody can reach.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutboundRules {
    /// Plain http too: for development.
    pub allow_http: bool,
    /// Networks that are allowed though they are not globally routable.
    pub allow_networks: Vec<Network>,
}

/// Resolves names to addresses.
#[async_trait]
pub(crate) trait Resolver: Send + Sync {
    /// The addresses of a host.
    ///
    /// # Errors
    /// If it has none.
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The resolver of the operating system.
struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok(lookup_host((host, port)).await?.collect())
    }
}

sarsen_base::named! {
    /// The rule that refuses a URL, in a closed list of words.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
    pub enum UrlFault {
        /// It is no absolute URL.
        #[error("it is no absolute URL")]
        Malformed = "malformed",
        /// It is longer than [`URL_MAX`].
        #[error("it has more than {URL_MAX} bytes")]
        Length = "length",
        /// Its scheme is not `https`.
        #[error("its scheme is not https")]
        Scheme = "scheme",
        /// It has user info.
        #[error("it has a user name or a password")]
        UserInfo = "user_info",
        /// It has no host.
        #[error("it has no host")]
        Host = "host",
        /// Its port is 0 or empty.
        #[error("its port cannot be")]
        Port = "port",
        /// Its host is an address that is not globally routable.
        #[error("its address is not one that everybody can reach")]
        Address = "address",
    }
}

impl From<UrlFault> for OutboundError {
    fn from(fault: UrlFault) -> OutboundError {
        if fault == UrlFault::Address { OutboundError::Blocked } else { OutboundError::Url }
    }
}

/// The reason why a request got no answer: closed words, none of the other side's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OutboundError {
    /// The URL is none that is asked: not https, with user info, without a host.
    #[error("the URL is not allowed")]
    Url,
    /// The name was not resolved in time.
    #[error("the name was not resolved")]
    Dns,
    /// An address of it is not globally routable.
    #[error("the address is not allowed")]
    Blocked,
    /// No address accepted a connection in time.
    #[error("no connection was made")]
    Connect,
    /// The other side did not prove to be that host.
    #[error("TLS failed")]
    Tls,
    /// The answer was not there in time.
    #[error("there was no answer in time")]
    Timeout,
    /// The answer was no success; a redirect is none.
    #[error("the answer had the status {0}")]
    Status(u16),
    /// The answer was longer than may be read.
    #[error("the answer was too long")]
    TooLong,
    /// The connection broke off.
    #[error("the connection broke off")]
    Broken,
}

/// A successful answer.
#[derive(Debug)]
pub(crate) struct OutboundAnswer {
    /// Its body.
    pub body: Vec<u8>,
    /// Its `Cache-Control`.
    pub cache_control: Option<String>,
}

/// The answer to a message, with any status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutboundReceipt {
    /// Its status.
    pub status: u16,
    /// Its `Retry-After`, in seconds.
    pub retry_after_seconds: Option<u32>,
}

/// The client.
pub struct Outbound {
    rules: OutboundRules,
    resolver: Arc<dyn Resolver>,
    tls: TlsConnector,
}

/// The destination of a URL.
#[derive(PartialEq, Eq, Debug)]
struct Target {
    uri: Uri,
    secure: bool,
    host: String,
    port: u16,
}

impl Outbound {
    /// A client by these rules, which trusts the certificates of this machine.
    ///
    /// # Errors
    /// If there can be no TLS.
    pub fn new(rules: OutboundRules) -> Result<Outbound, rustls::Error> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if roots.is_empty() {
            tracing::warn!(
                "this machine has no root certificates (ca-certificates): nothing can be sent to an https URL"
            );
        }
        Outbound::with(rules, Arc::new(SystemResolver), roots)
    }

    fn with(
        rules: OutboundRules,
        resolver: Arc<dyn Resolver>,
        roots: RootCertStore,
    ) -> Result<Outbound, rustls::Error> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let config = config.with_root_certificates(roots).with_no_client_auth();
        Ok(Outbound { rules, resolver, tls: TlsConnector::from(Arc::new(config)) })
    }

    /// Refuses a URL that could never be asked.
    ///
    /// # Errors
    /// The rule that refuses it.
    pub fn check(&self, url: &str) -> Result<(), UrlFault> {
        let target = self.target(url)?;
        match target.host.parse() {
            Ok(address) if !self.allows(address) => Err(UrlFault::Address),
            _ => Ok(()),
        }
    }

    /// Asks for a URL and reads an answer of `most` bytes at most.
    ///
    /// # Errors
    /// See [`OutboundError`].
    pub(crate) async fn get(&self, url: &str, most: usize) -> Result<OutboundAnswer, OutboundError> {
        let head = [(ACCEPT.as_str(), "application/json".to_owned())];
        timeout(DONE_WITHIN, self.exchange(url, Method::GET, &head, Vec::new(), &|answer| Box::pin(read(answer, most))))
            .await
            .unwrap_or(Err(OutboundError::Timeout))
    }

    /// Sends a message to a URL, with these headers. Of the answer 4 KiB are read and thrown away.
    ///
    /// # Errors
    /// See [`OutboundError`]; a status is none.
    pub(crate) async fn post(
        &self,
        url: &str,
        headers: &[(&str, String)],
        body: Vec<u8>,
    ) -> Result<OutboundReceipt, OutboundError> {
        timeout(DONE_WITHIN, self.exchange(url, Method::POST, headers, body, &|answer| Box::pin(receipt(answer))))
            .await
            .unwrap_or(Err(OutboundError::Timeout))
    }

    async fn exchange<T: Send>(
        &self,
        url: &str,
        method: Method,
        headers: &[(&str, String)],
        body: Vec<u8>,
        read: Read<'_, T>,
    ) -> Result<T, OutboundError> {
        let target = self.target(url)?;
        let mut request = Request::builder()
            .method(method)
            .uri(target.uri.path_and_query().map_or("/", |path| path.as_str()))
            .header(HOST, target.uri.authority().map_or("", |authority| authority.as_str()))
            .header(USER_AGENT, concat!("sarsen/", env!("CARGO_PKG_VERSION")));
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(Full::new(Bytes::from(body))).map_err(|_| OutboundError::Url)?;
        let addresses = self.addresses(&target).await?;
        let stream = timeout(CONNECT_WITHIN, connect(&addresses)).await.map_err(|_| OutboundError::Connect)??;
        if target.secure {
            let name = ServerName::try_from(target.host).map_err(|_| OutboundError::Url)?;
            let secured = timeout(CONNECT_WITHIN, self.tls.connect(name, stream)).await;
            let secured = secured.map_err(|_| OutboundError::Tls)?.map_err(|_| OutboundError::Tls)?;
            asked(secured, request, read).await
        } else {
            asked(stream, request, read).await
        }
    }

    fn target(&self, url: &str) -> Result<Target, UrlFault> {
        if url.len() > URL_MAX {
            return Err(UrlFault::Length);
        }
        let uri: Uri = url.parse().map_err(|_| UrlFault::Malformed)?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") if self.rules.allow_http => false,
            Some(_) => return Err(UrlFault::Scheme),
            None => return Err(UrlFault::Malformed),
        };
        let authority = uri.authority().ok_or(UrlFault::Host)?;
        if authority.as_str().contains('@') {
            return Err(UrlFault::UserInfo);
        }
        if authority.host().is_empty() {
            return Err(UrlFault::Host);
        }
        let port = match (authority.port_u16(), authority.as_str().ends_with(':')) {
            (Some(0), _) | (_, true) => return Err(UrlFault::Port),
            (Some(port), _) => port,
            (None, _) => {
                if secure {
                    443
                } else {
                    80
                }
            }
        };
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Target { secure, host, port, uri })
    }

    /// The addresses of a target, each of which may be connected to. This is where that is decided.
    async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, OutboundError> {
        let addresses = match target.host.parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, target.port)],
            Err(_) => {
                let resolved = timeout(RESOLVE_WITHIN, self.resolver.resolve(&target.host, target.port)).await;
                resolved.map_err(|_| OutboundError::Dns)?.map_err(|_| OutboundError::Dns)?
            }
        };
        if addresses.is_empty() {
            return Err(OutboundError::Dns);
        }
        // One that is not allowed spoils the name: it is somebody's try to get inside.
        if addresses.iter().all(|address| self.allows(address.ip())) {
            Ok(addresses)
        } else {
            Err(OutboundError::Blocked)
        }
    }

    fn allows(&self, address: IpAddr) -> bool {
        is_global(address) || self.rules.allow_networks.iter().any(|network| network.contains(address))
    }
}

/// Connects to the first address that accepts.
async fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, OutboundError> {
    for address in addresses {
        if let Ok(stream) = TcpStream::connect(address).await {
            return Ok(stream);
        }
    }
    Err(OutboundError::Connect)
}

type Read<'a, T> = &'a (dyn Fn(Response<Incoming>) -> BoxFuture<'static, Result<T, OutboundError>> + Send + Sync);

/// Asks over this connection.
fn asked<'a, S, T: Send + 'a>(
    stream: S,
    request: Request<Full<Bytes>>,
    read: Read<'a, T>,
) -> BoxFuture<'a, Result<T, OutboundError>>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    Box::pin(async move {
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|_| OutboundError::Broken)?;
        let answering = async {
            let answer = sender.send_request(request).await.map_err(|_| OutboundError::Broken)?;
            read(answer).await
        };
        tokio::pin!(connection, answering);
        tokio::select! {
            biased;
            answer = &mut answering => answer,
            // The rest of the answer may have been read already.
            _ = &mut connection => answering.await,
        }
    })
}

async fn read(answer: Response<Incoming>, most: usize) -> Result<OutboundAnswer, OutboundError> {
    if !answer.status().is_success() {
        return Err(OutboundError::Status(answer.status().as_u16()));
    }
    let cache_control = answer.headers().get(CACHE_CONTROL).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = Limited::new(answer.into_body(), most)
        .collect()
        .await
        .map_err(|error| if error.is::<LengthLimitError>() { OutboundError::TooLong } else { OutboundError::Broken })?;
    Ok(OutboundAnswer { body: body.to_bytes().to_vec(), cache_control })
}

async fn receipt(answer: Response<Incoming>) -> Result<OutboundReceipt, OutboundError> {
    let status = answer.status().as_u16();
    let retry_after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after_seconds = retry_after.and_then(|seconds| seconds.trim().parse().ok());
    // Most answers have no body, and the rest of a long one is not read: the connection is closed.
    let _rest = Limited::new(answer.into_body(), RECEIPT_MAX).collect().await;
    Ok(OutboundReceipt { status, retry_after_seconds })
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
