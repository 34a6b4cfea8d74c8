//! Players, each a string: what is stored of the player, and behind it the revision in white space (see
//! [`keys`](crate::store::keys)).

use async_trait::async_trait;

use super::RedisStore;
use super::link::{command, read};
use super::script::PUT_PLAYER;
use crate::ids::PlayerId;
use crate::store::{PlayerStore, Result, Revised};

/// What begins a trailer, and is none of its digits.
const START: u8 = b'\n';
const ZERO: u8 = b' ';
const ONE: u8 = b'\t';

/// The revision as it stands behind what is stored: a line break, then binary digits, a space for 0 and a tab for 1.
/// Nothing for revision 0, at which nothing is stored.
pub(super) fn trailer(revision: u64) -> Vec<u8> {
    if revision == 0 {
        return Vec::new();
    }
    let digits = (0..u64::BITS - revision.leading_zeros()).rev();
    let digit = |place| if revision >> place & 1 == 1 { ONE } else { ZERO };
    std::iter::once(START).chain(digits.map(digit)).collect()
}

/// What is stored and its revision, from a value with a trailer. Without one it is of a release that had no revisions,
/// and so at revision 1.
fn unpack(mut value: Vec<u8>) -> Revised {
    let digits = value.rsplit(|byte| *byte == START).next().unwrap_or_default();
    let revision = digits.iter().fold(0, |revision: u64, digit| revision << 1 | u64::from(*digit == ONE));
    let trailer = trailer(revision);
    if revision == 0 || !value.ends_with(&trailer) {
        return Revised { stored: value, revision: 1 };
    }
    value.truncate(value.len() - trailer.len());
    Revised { stored: value, revision }
}

#[async_trait]
impl PlayerStore for RedisStore {
    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool> {
        let value = [stored, trailer(expected.saturating_add(1))].concat();
        let mut put = PUT_PLAYER.on(&[self.shared.keys.player(id)]);
        put.arg(trailer(expected)).arg(value);
        read(self.shared.link.keep_once(put).await?)
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>> {
        let value: Option<Vec<u8>> =
            read(self.shared.link.send_again_if_lost(&command("GET", self.shared.keys.player(id))).await?)?;
        Ok(value.map(unpack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_stands_in_white_space_behind_what_is_stored() {
        assert_eq!([0, 1, 2, 5].map(trailer), [&b""[..], b"\n\t", b"\n\t ", b"\n\t \t"]);
        for revision in [1, 2, 3, 1000, u64::MAX] {
            for stored in [&b"{}"[..], b"", b"\n", b"\n\t", b"\n\t \n", b" \t", b"\xff\0"] {
                let value = [stored, &trailer(revision)].concat();
                assert_eq!(unpack(value), Revised { stored: stored.to_vec(), revision });
            }
        }
    }

    #[test]
    fn what_has_no_trailer_is_at_revision_1() {
        for stored in [&b"{}"[..], b"", b"\n", b"{} ", b"\t", b"{}\n\t\n", b"{}\n \t"] {
            assert_eq!(unpack(stored.to_vec()), Revised { stored: stored.to_vec(), revision: 1 }, "{stored:?}");
        }
    }

    #[test]
    fn an_earlier_release_reads_the_value_as_json() {
        let value = [&br#"{"name":"Ada"}"#[..], &trailer(6)].concat();
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&value).unwrap(), serde_json::json!({"name": "Ada"}));
    }
}
