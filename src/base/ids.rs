//! Prefixed identifiers: `m_…` a match, `p_…` a player, `s_…` a session, `o_…` an operator's
//! token, `c_…` a report of a player, `w_…` a webhook, `u_…` a push subscription, `i_…` an instance.
//!
//! Invariant: an id is its prefix and 32 lower-case hexadecimal digits of a version 7 UUID, so ids sort by the
//! millisecond of their making. Anything else does not parse, and what does not parse cannot name anything.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::digest;
use serde::{Deserialize, Serialize, Serializer};

use crate::ambient::{Ambient, Timestamp};

/// A text that is not an id of the kind asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an id of the form {prefix}followed by 32 hexadecimal digits")]
pub struct InvalidId {
    prefix: &'static str,
}

fn digits(bytes: &str) -> bool {
    bytes.len() == 32 && bytes.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The length of every id in bytes. Ids are stored inline, because a request copies them some dozens of times.
pub const LENGTH: usize = 34;

/// The bytes of an id with this number.
fn written(prefix: &str, number: u128) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let mut digits = hex::Buffer::<16>::new();
    let digits = digits.format(&number.to_be_bytes());
    bytes.iter_mut().zip(prefix.bytes().chain(digits.bytes())).for_each(|(byte, written)| *byte = written);
    bytes
}

/// Returns the first 128 bits of the SHA-256 of these parts: the number of an id that follows from other data.
pub fn hashed_number(parts: &[&[u8]]) -> u128 {
    let mut hash = digest::Context::new(&digest::SHA256);
    parts.iter().for_each(|part| hash.update(part));
    hash.finish().as_ref().iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name([u8; LENGTH]);

        impl $name {
            /// A new id, made of the present time and fresh entropy.
            pub fn generate(ambient: &Ambient) -> $name {
                let Timestamp(millis) = ambient.now();
                let uuid = uuid::Builder::from_unix_timestamp_millis(millis.max(0) as u64, &ambient.bytes());
                $name::from_number(uuid.into_uuid().as_u128())
            }

            /// The id as written on the wire.
            pub fn as_str(&self) -> &str {
                // Always text, by the invariant of this module.
                std::str::from_utf8(&self.0).unwrap_or_default()
            }

            /// The id's UUID as a number, for compact keys. Numbers sort as ids do.
            pub fn number(&self) -> u128 {
                // Always digits, by the invariant of this module.
                let digits = self.as_str().get($prefix.len()..).unwrap_or_default();
                u128::from_str_radix(digits, 16).unwrap_or_default()
            }

            /// The id with this number.
            pub fn from_number(number: u128) -> $name {
                $name(written($prefix, number))
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<$name, InvalidId> {
                let invalid = InvalidId { prefix: $prefix };
                let named = text.strip_prefix($prefix).is_some_and(digits);
                text.as_bytes().try_into().ok().filter(|_| named).map($name).ok_or(invalid)
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<$name, InvalidId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.as_str().to_owned()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

id! {
    /// Names a match.
    MatchId, "m_"
}
impl MatchId {
    /// The id of the match that follows this one, which ended at that moment: always the same, and made as if then.
    pub fn following(&self, ended: Timestamp) -> MatchId {
        let mut random = [0; 10];
        let hash = digest::digest(&digest::SHA256, format!("sarsen/rematch/1{self}").as_bytes());
        random.iter_mut().zip(hash.as_ref()).for_each(|(byte, hashed)| *byte = *hashed);
        let uuid = uuid::Builder::from_unix_timestamp_millis(ended.0.max(0) as u64, &random);
        MatchId::from_number(uuid.into_uuid().as_u128())
    }
}

id! {
    /// Names a player.
    PlayerId, "p_"
}
id! {
    /// Names a session: one sign-in of one player, kept alive by its refresh token.
    SessionId, "s_"
}
id! {
    /// Names an operator's token.
    OperatorTokenId, "o_"
}
id! {
    /// Names a report of a player.
    ReportId, "c_"
}
id! {
    /// Names a webhook.
    WebhookId, "w_"
}
id! {
    /// Names a push subscription.
    PushSubscriptionId, "u_"
}
id! {
    /// Names an instance of the service: one process, from its start to its end.
    InstanceId, "i_"
}

/// The digits of Crockford's base 32, in lower case.
pub const CROCKFORD_DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl PlayerId {
    /// The last 20 bits in Crockford's base 32: four digits that tell players of one name apart.
    pub fn tag(&self) -> [u8; 4] {
        let number = self.number();
        [15, 10, 5, 0].map(|shift| CROCKFORD_DIGITS[(number >> shift) as usize & 31])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_round_trips_and_nothing_else_parses() {
        let id = MatchId::generate(&Ambient::fixed(1_700_000_000_000, 1));
        assert_eq!(id.as_str().parse::<MatchId>().as_ref(), Ok(&id));
        for wrong in ["", "m_", "p_0123", &id.as_str().to_uppercase(), &id.as_str()[..33], &format!("{id}0")] {
            assert!(wrong.parse::<MatchId>().is_err(), "{wrong}");
        }
        assert!(id.as_str().parse::<PlayerId>().is_err());
    }

    #[test]
    fn ids_and_their_numbers_are_the_same() {
        let id = SessionId::generate(&Ambient::fixed(1_700_000_000_000, 2));
        assert_eq!(SessionId::from_number(id.number()), id);
        assert_eq!(MatchId::from_number(0x1f).as_str(), format!("m_{:032x}", 31));
    }

    #[test]
    fn what_follows_a_match_has_one_id_behind_its_end() {
        let [one, two] = [1, 2].map(|seed| MatchId::generate(&Ambient::fixed(1_700_000_000_000, seed)));
        let ended = Timestamp(1_700_000_060_000);
        assert_eq!(one.following(ended), one.following(ended));
        assert_ne!(one.following(ended), two.following(ended));
        assert!(one.following(ended).as_str().parse::<MatchId>().is_ok());
        assert!(one.following(ended) < MatchId::generate(&Ambient::fixed(ended.0 + 1, 1)));
        assert!(one.following(ended) > MatchId::generate(&Ambient::fixed(ended.0 - 1, 1)));
    }

    #[test]
    fn ids_sort_by_time() {
        let early = MatchId::generate(&Ambient::fixed(1_700_000_000_000, 9));
        let late = MatchId::generate(&Ambient::fixed(1_700_000_000_001, 1));
        assert!(early < late);
    }
}
