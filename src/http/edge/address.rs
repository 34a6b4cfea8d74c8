//! The client address of a request, as far as the service can know it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use actix_web::http::header;
use actix_web::{HttpRequest, web};
use aws_lc_rs::digest::{SHA256, digest};

use crate::settings::ServerConfig;
use sarsen_matches::model::table_terms::AddressMark;

/// The client, for allowances, by its address: a whole one of IPv4, the /64 of one of IPv6, since that is what a
/// single client is given. The address is the peer's, or what the outermost trusted proxy saw of it. Of
/// `X-Forwarded-For` only as many entries count, from the right, as there are proxies of our own; the rest is the
/// client's to write.
pub(crate) fn client_address(request: &HttpRequest) -> String {
    let proxies = request.app_data::<web::Data<ServerConfig>>().map_or(0, |config| usize::from(config.trusted_proxies));
    let peer = request.peer_addr().map(|peer| peer.ip());
    let values = request.headers().get_all(header::X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
    let viewed: Vec<&str> = values.flat_map(|list| list.split(',')).map(str::trim).collect();
    let forwarded = proxies.checked_sub(1).and_then(|back| viewed.iter().rev().nth(back));
    let address = forwarded.and_then(|text| entry(text));
    address.or(peer).map(network).unwrap_or_default()
}

/// A mark of the client's address, which does not name it.
pub(crate) fn address_mark(request: &HttpRequest) -> AddressMark {
    let digest = digest(&SHA256, client_address(request).as_bytes());
    AddressMark::new(digest.as_ref().iter().take(2).fold(0, |mark, byte| mark << 8 | u16::from(*byte)))
}

/// The address of an entry, which some proxies write with the port, and that of IPv6 then in brackets.
fn entry(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|with_port| with_port.ip()))
}

/// Returns the part of the address space that one client may be presumed to have.
pub(crate) fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let prefix = address.to_bits() & !u128::from(u64::MAX);
            format!("{}/64", Ipv6Addr::from_bits(prefix))
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn config(trusted_proxies: u8) -> web::Data<ServerConfig> {
        web::Data::new(ServerConfig { trusted_proxies, ..ServerConfig::default() })
    }

    #[test]
    fn only_as_many_forwarded_addresses_count_as_there_are_proxies() {
        let address = |proxies, forwarded: &str| {
            let request = TestRequest::default().app_data(config(proxies)).peer_addr(([10, 0, 0, 9], 1).into());
            client_address(&request.insert_header(("x-forwarded-for", forwarded)).to_http_request())
        };
        assert_eq!(address(0, "1.1.1.1"), "10.0.0.9");
        assert_eq!(address(1, "1.1.1.1, 2.2.2.2"), "2.2.2.2");
        assert_eq!(address(2, "1.1.1.1, 2.2.2.2"), "1.1.1.1");
        assert_eq!(address(3, "1.1.1.1, 2.2.2.2"), "10.0.0.9");
        assert_eq!(address(1, "not an address"), "10.0.0.9");
        assert_eq!(address(2, "1.1.1.1:80, [2001:db8:1:2::7]:443"), "1.1.1.1");
        assert_eq!(address(1, "1.1.1.1:80, [2001:db8:1:2::7]:443"), "2001:db8:1:2::/64");
    }

    #[test]
    fn an_entry_may_have_a_port() {
        for text in ["192.0.2.7", "192.0.2.7:1", "192.0.2.7:65535"] {
            assert_eq!(entry(text), Some([192, 0, 2, 7].into()), "{text}");
        }
        for text in ["2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:443"] {
            assert_eq!(entry(text), Some("2001:db8::7".parse().unwrap()), "{text}");
        }
        for text in ["", "unknown", "_hidden", "192.0.2.7:", "192.0.2.7:65536", "[192.0.2.7", "[2001:db8::7]443", ":80"]
        {
            assert_eq!(entry(text), None, "{text}");
        }
    }

    #[test]
    fn a_client_of_ipv6_counts_by_its_64_and_one_of_ipv4_by_its_address() {
        let network = |text: &str| network(text.parse().unwrap());
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2:ffff::1"), network("2001:db8:1:2::1"));
        assert_ne!(network("2001:db8:1:3::1"), network("2001:db8:1:2::1"));
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
    }
}
