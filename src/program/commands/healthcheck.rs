//! `sarsen healthcheck`: whether a service is ready, for containers that have no other way to ask.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use super::CommandError;
use super::request::{Request, send};
use crate::config::HealthcheckFlags;

/// The time that the answer may take.
const WITHIN: Duration = Duration::from_secs(2);

/// Asks once.
pub(super) fn healthcheck(flags: &HealthcheckFlags) -> Result<(), CommandError> {
    let url = match &flags.url {
        Some(url) => url.clone(),
        None => format!("http://{}", here(flags.listen)),
    };
    let request = Request { method: "GET", url: &url, default_path: "/readyz", token: None, body: None };
    let answer = send(&request, WITHIN)?;
    if answer.status == 200 { Ok(()) } else { Err(format!("{url} answered {}", answer.status).into()) }
}

/// Returns the address at which this machine reaches something that listens there.
fn here(listen: SocketAddr) -> SocketAddr {
    match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, listen.port())),
        IpAddr::V6(address) if address.is_unspecified() => SocketAddr::from((Ipv6Addr::LOCALHOST, listen.port())),
        _ => listen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_that_listens_everywhere_is_asked_at_home() {
        for (listen, asked) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:9", "[::1]:9"),
            ("10.1.2.3:80", "10.1.2.3:80"),
            ("127.0.0.1:1", "127.0.0.1:1"),
        ] {
            assert_eq!(here(listen.parse().unwrap()).to_string(), asked);
        }
    }
}
