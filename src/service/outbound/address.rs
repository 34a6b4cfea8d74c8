//! The addresses that outbound requests may go to: globally routable unicast, and what the operator allows besides.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A range of addresses, as `10.0.0.0/8`; without a length one address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    base: IpAddr,
    length: u8,
}

/// A text that is no range of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a network such as 10.0.0.0/8 or fd00::/8")]
pub struct NotANetwork;

/// The address as bits from the left, and how many it has.
fn bits(address: IpAddr) -> (u128, u8) {
    match address {
        IpAddr::V4(address) => (u128::from(address.to_bits()) << 96, 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    }
}

impl Network {
    const fn v4(a: u8, b: u8, c: u8, length: u8) -> Network {
        Network { base: IpAddr::V4(Ipv4Addr::new(a, b, c, 0)), length }
    }

    const fn v6(a: u16, b: u16, length: u8) -> Network {
        Network { base: IpAddr::V6(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0)), length }
    }

    /// Returns true if the address lies within; one of the other family never does.
    pub(super) fn contains(&self, address: IpAddr) -> bool {
        let ((base, whole), (address, other)) = (bits(self.base), bits(address));
        let different = (base ^ address).leading_zeros() < u32::from(self.length);
        whole == other && !different
    }
}

impl FromStr for Network {
    type Err = NotANetwork;
    fn from_str(text: &str) -> Result<Network, NotANetwork> {
        let (base, length) = match text.split_once('/') {
            Some((base, length)) => (base, Some(length.parse().map_err(|_| NotANetwork)?)),
            None => (text, None),
        };
        let base: IpAddr = base.parse().map_err(|_| NotANetwork)?;
        let (value, whole) = bits(base);
        let length = length.unwrap_or(whole);
        // Bits behind the length are a slip of the pen.
        if length > whole || value.checked_shl(length.into()).unwrap_or(0) != 0 {
            return Err(NotANetwork);
        }
        Ok(Network { base, length })
    }
}

/// The networks that are not for everybody, by the registries of special addresses (RFC 6890) and of multicast.
const NOT_GLOBAL_V4: [Network; 15] = [
    Network::v4(0, 0, 0, 8),
    Network::v4(10, 0, 0, 8),
    Network::v4(100, 64, 0, 10),
    Network::v4(127, 0, 0, 8),
    Network::v4(169, 254, 0, 16),
    Network::v4(172, 16, 0, 12),
    Network::v4(192, 0, 0, 24),
    Network::v4(192, 0, 2, 24),
    // The relays of 6to4.
    Network::v4(192, 88, 99, 24),
    Network::v4(192, 168, 0, 16),
    Network::v4(198, 18, 0, 15),
    Network::v4(198, 51, 100, 24),
    Network::v4(203, 0, 113, 24),
    Network::v4(224, 0, 0, 4),
    Network::v4(240, 0, 0, 4),
];

/// The global unicast addresses that are given out at all; loopback, mapped, NAT64, ULA, link-local and multicast lie outside.
const GIVEN_OUT_V6: Network = Network::v6(0x2000, 0, 3);
const NOT_GLOBAL_V6: [Network; 4] = [
    // Protocol assignments: Teredo, ORCHID, benchmarking.
    Network::v6(0x2001, 0, 23),
    Network::v6(0x2001, 0xdb8, 32),
    Network::v6(0x2002, 0, 16),
    Network::v6(0x3fff, 0, 20),
];

/// Returns true if the address is globally routable unicast.
pub(super) fn is_global(address: IpAddr) -> bool {
    let denied: &[Network] = match address {
        IpAddr::V4(_) => &NOT_GLOBAL_V4,
        IpAddr::V6(_) => &NOT_GLOBAL_V6,
    };
    let given_out = address.is_ipv4() || GIVEN_OUT_V6.contains(address);
    given_out && !denied.iter().any(|network| network.contains(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_global_unicast_passes() {
        for (kind, addresses) in [
            ("unspecified", &["0.0.0.0", "0.1.2.3", "::"][..]),
            ("loopback", &["127.0.0.1", "127.255.255.254", "::1"]),
            ("private", &["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"]),
            ("link-local", &["169.254.169.254", "169.254.0.1", "fe80::1", "febf::1"]),
            ("carrier-grade NAT", &["100.64.0.1", "100.127.255.255"]),
            ("unique local and site-local", &["fc00::1", "fd12:3456::1", "fec0::1"]),
            ("mapped and compatible", &["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8"]),
            ("NAT64", &["64:ff9b::8.8.8.8", "64:ff9b::10.0.0.1", "64:ff9b:1::1"]),
            ("6to4 and Teredo", &["2002:7f00:1::1", "2002:808:808::1", "2001::1", "192.88.99.1"]),
            ("documentation", &["192.0.2.1", "198.51.100.7", "203.0.113.255", "2001:db8::1", "3fff::1", "3fff:fff::1"]),
            ("multicast", &["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"]),
            ("reserved", &["240.0.0.1", "255.255.255.255", "192.0.0.1", "4000::1", "5f00::1", "8000::1", "100::1"]),
            ("benchmarking and ORCHID", &["198.18.0.1", "198.19.255.255", "2001:2::1", "2001:10::1", "2001:20::1"]),
        ] {
            for address in addresses {
                assert!(!is_global(address.parse().unwrap()), "{kind}: {address}");
            }
        }
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:200::1",
            "2a00::1",
            "2003::1",
            "3ffe::1",
        ] {
            assert!(is_global(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn a_network_is_its_addresses_and_no_others() {
        let network = |text: &str| text.parse::<Network>();
        let within = |text: &str, address: &str| network(text).unwrap().contains(address.parse().unwrap());
        assert!(within("127.0.0.0/8", "127.9.9.9") && !within("127.0.0.0/8", "128.0.0.0"));
        assert!(within("10.1.2.3", "10.1.2.3") && !within("10.1.2.3", "10.1.2.4"));
        assert!(within("0.0.0.0/0", "10.0.0.1") && !within("0.0.0.0/0", "fd00::1"));
        assert!(within("::/0", "fd00::1") && !within("::/0", "10.0.0.1"));
        assert!(within("fd00::/8", "fdff::1") && !within("fd00::/8", "fe00::"));
        assert!(!within("10.0.0.0/8", "::ffff:10.0.0.1"));
        for wrong in
            ["", "10.0.0.0/33", "10.0.0.1/8", "10.0.0/8", "fd00::/129", "10.0.0.0/", "localhost", "10.0.0.0/-1"]
        {
            assert_eq!(network(wrong), Err(NotANetwork), "{wrong}");
        }
    }
}
