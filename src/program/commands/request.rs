//! One request to a service nearby: HTTP/1.1 without TLS.
//!
//! The client deliberately lacks everything that a request to one's own service on one's own machine does not need,
//! such as TLS, redirections and connections that are used again.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use actix_web::http::Uri;
use tokio::time::Instant;

use super::CommandError;

/// More than any answer that is asked for here, in bytes.
const ANSWER_MAX: u64 = 1 << 20;

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
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

pub(super) fn send(request: &Request<'_>, within: Duration) -> Result<Answer, CommandError> {
    let Request { method, url, default_path, token, body } = *request;
    let deadline = Instant::now() + within;
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
    let failed = |error: std::io::Error| -> CommandError {
        let timed_out = matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut);
        if timed_out { format!("{url} does not answer in time").into() } else { format!("{url}: {error}").into() }
    };
    let left = || {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(CommandError::from(format!("{url} does not answer in time"))) } else { Ok(left) }
    };
    let mut connection = Err(CommandError::from(format!("{url} has no address")));
    for address in (host.trim_matches(['[', ']']), port).to_socket_addrs().map_err(failed)? {
        connection = TcpStream::connect_timeout(&address, left()?).map_err(failed);
        if connection.is_ok() {
            break;
        }
    }
    let mut connection = connection?;
    connection.set_write_timeout(Some(left()?)).map_err(failed)?;
    let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let kind = body.map(|_| "Content-Type: application/json\r\n").unwrap_or_default();
    let body = body.unwrap_or_default();
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\nContent-Length: {length}\r\n\
         {kind}{bearer}\r\n{body}"
    );
    connection.write_all(text.as_bytes()).map_err(failed)?;
    let mut text = Vec::new();
    loop {
        connection.set_read_timeout(Some(left()?)).map_err(failed)?;
        let mut room = [0; 4096];
        match connection.read(&mut room).map_err(failed)? {
            0 => break,
            read => text.extend_from_slice(&room[..read]),
        }
        if let Some(answer) = whole(&text) {
            return Ok(answer);
        }
        if text.len() as u64 > ANSWER_MAX {
            break;
        }
    }
    Err(format!("{url} does not answer as a service does").into())
}

/// The answer, once all of it is there.
fn whole(text: &[u8]) -> Option<Answer> {
    let end = text.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(text.get(..end)?).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let body = text.get(end + 4..)?;
    Some(Answer { status, body: body.get(..length?)?.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_once_its_body_is() {
        let text = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\nx: y\r\n\r\nno";
        for cut in 0..text.len() {
            assert_eq!(whole(&text[..cut]), None, "{cut}");
        }
        assert_eq!(whole(text), Some(Answer { status: 503, body: b"no".to_vec() }));
        assert_eq!(whole(b"SSH-2.0-x\r\n\r\n"), None);
    }
}
