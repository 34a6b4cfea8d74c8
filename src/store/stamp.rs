//! Stamps, which tell apart two steps that made the same version of a match.
//!
//! A failover can undo a version, and another step makes it again. A version's number alone does not tell the two
//! apart; its stamp does. So no step is computed from the one and committed on the other, and a client that has seen
//! the one learns of it.
//!
//! Invariant: a stamp is 64 random bits, drawn for each commit and never derived from other data. So it reveals nothing
//! of the step, of its moment or of what is hidden in it, and anyone who may know that there is such a version may see
//! its stamp.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use sarsen_base::ambient::Ambient;

/// The mark that tells a step from every other that makes the same version. As text 16 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp(u64);

/// The error for a text that is not a stamp.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a stamp is 16 lowercase hexadecimal digits")]
pub struct NoStamp;

impl Stamp {
    /// Draws a random stamp.
    pub fn draw(ambient: &Ambient) -> Stamp {
        Stamp(u64::from_be_bytes(ambient.nonce()))
    }

    /// Makes the stamp with these bits.
    pub const fn from_number(number: u64) -> Stamp {
        Stamp(number)
    }

    /// Returns its bits.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(hex::Buffer::<8>::new().format(&self.0.to_be_bytes()))
    }
}

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stamp({self})")
    }
}

impl FromStr for Stamp {
    type Err = NoStamp;

    fn from_str(text: &str) -> Result<Stamp, NoStamp> {
        let plain = text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if plain { u64::from_str_radix(text, 16).map(Stamp).map_err(|_| NoStamp) } else { Err(NoStamp) }
    }
}

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(hex::Buffer::<8>::new().format(&self.0.to_be_bytes()))
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stamp, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_16_lowercase_digits_and_nothing_else() {
        for (number, text) in [(0, "0000000000000000"), (0xab, "00000000000000ab"), (u64::MAX, "ffffffffffffffff")] {
            assert_eq!(Stamp::from_number(number).to_string(), text);
            assert_eq!(text.parse(), Ok(Stamp::from_number(number)));
            let json = serde_json::to_string(&Stamp::from_number(number)).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Stamp>(&json).unwrap().number(), number);
        }
        for wrong in ["", "ab", "00000000000000AB", "+0000000000000ab", "00000000000000000", "000000000000000g"] {
            assert_eq!(wrong.parse::<Stamp>(), Err(NoStamp), "{wrong}");
            assert!(serde_json::from_str::<Stamp>(&format!("\"{wrong}\"")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_is_drawn_anew() {
        let ambient = Ambient::fixed(0, 1);
        assert_ne!(Stamp::draw(&ambient), Stamp::draw(&ambient));
    }
}
