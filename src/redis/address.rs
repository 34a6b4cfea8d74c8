//! Addresses of servers.

use redis::{ConnectionAddr, ConnectionInfo};

/// The address of a server.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Address {
    /// Reads `host:port`, where the host may be an IPv6 address and so have colons too.
    pub(crate) fn parse(text: &str) -> Option<Address> {
        let (host, port) = text.rsplit_once(':')?;
        Some(Address { host: host.to_owned(), port: port.parse().ok()? })
    }

    /// Returns the address of a server on the network; `None` for a socket.
    pub(crate) fn of(info: &ConnectionInfo) -> Option<Address> {
        match info.addr() {
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
                Some(Address { host: host.clone(), port: *port })
            }
            _ => None,
        }
    }

    /// Returns the connection settings for this address, otherwise those of another server.
    pub(crate) fn like(&self, other: &ConnectionInfo) -> ConnectionInfo {
        let Address { host, port } = self.clone();
        let address = match other.addr() {
            ConnectionAddr::TcpTls { insecure, tls_params, .. } => {
                ConnectionAddr::TcpTls { host, port, insecure: *insecure, tls_params: tls_params.clone() }
            }
            _ => ConnectionAddr::Tcp(host, port),
        };
        other.clone().set_addr(address)
    }
}
