//! One request to a service nearby: HTTP/1.1 without TLS, on a connection of its own.

use std::error::Error;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::Uri;
use hyper::body::Bytes;
use hyper::client::conn::http1::handshake;
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::time::timeout;

use super::{CommandError, chain};

/// More than any answer that is asked for here, in bytes.
const ANSWER_MAX: usize = 1 << 20;

/// The request to send.
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    /// `http://host[:port][/path]`
    pub(super) url: &'a str,
    /// The path where the URL has none.
    pub(super) default_path: &'a str,
    pub(super) token: Option<&'a str>,
    pub(super) body: Option<&'a str>,
}

/// The answer that was received.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

pub(super) fn send(request: &Request<'_>, within: Duration) -> Result<Answer, CommandError> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let answer = runtime.block_on(async { timeout(within, exchange(request)).await });
    answer.unwrap_or_else(|_| Err(format!("{} does not answer in time", request.url).into()))
}

async fn exchange(request: &Request<'_>) -> Result<Answer, CommandError> {
    let Request { method, url, default_path, token, body } = *request;
    let uri: Uri = url.parse().map_err(|_| format!("{url} is not a URL"))?;
    let host = match (uri.scheme_str(), uri.host()) {
        (Some("http"), Some(host)) => host,
        _ => return Err(format!("{url} does not start with http://; ask the service where it listens itself").into()),
    };
    let path = match uri.path_and_query().map_or("/", |path| path.as_str()) {
        "/" => default_path,
        path => path,
    };
    let port = uri.port_u16().unwrap_or(80);
    let failed = |error: &dyn Error| format!("{url}: {}", chain(error));
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await.map_err(|error| failed(&error))?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|error| failed(&error))?;
    tokio::spawn(connection);
    let head = hyper::Request::builder().method(method).uri(path).header(HOST, format!("{host}:{port}"));
    let mut head = head.header(CONNECTION, "close");
    if let Some(token) = token {
        head = head.header(AUTHORIZATION, format!("Bearer {token}"));
    }
    if body.is_some() {
        head = head.header(CONTENT_TYPE, "application/json");
    }
    let asked = head.body(Full::new(Bytes::from(body.unwrap_or_default().to_owned())))?;
    let answer = sender.send_request(asked).await.map_err(|error| failed(&error))?;
    let status = answer.status().as_u16();
    let body = Limited::new(answer.into_body(), ANSWER_MAX).collect().await?.to_bytes();
    Ok(Answer { status, body: body.into() })
}
