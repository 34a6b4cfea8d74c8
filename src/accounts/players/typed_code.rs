//! Codes that people read from one screen and type into another: pairing codes and recovery keys.
//!
//! Invariants: a code is digits of Crockford's base32, five bits each, in groups of five. Reading forgives what people
//! do: small letters, I and L for 1, O for 0, hyphens and blanks anywhere. `Debug` never shows a code, and the store has
//! only its hash.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::digest::{SHA256, digest};

use sarsen_base::ambient::Ambient;
use sarsen_base::ids::CROCKFORD_DIGITS;

const GROUP: usize = 5;

/// A code of `N` digits, 5 bits each: a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct TypedCode<const N: usize>([u8; N]);

/// The code that one device shows and another one sends: 50 bits.
pub type PairingCode = TypedCode<10>;

/// The key with which a player comes back without any device: six groups, 150 bits.
pub type RecoveryKey = TypedCode<30>;

/// A text that is no code of that length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a code of that length")]
pub struct MalformedCode;

impl<const N: usize> TypedCode<N> {
    pub(super) fn generate(ambient: &Ambient) -> TypedCode<N> {
        TypedCode(ambient.bytes::<N>().map(|byte| CROCKFORD_DIGITS[usize::from(byte % 32)].to_ascii_uppercase()))
    }

    /// The text to show to its player, and to nobody else.
    pub fn expose(&self) -> String {
        let groups: Vec<String> =
            self.0.chunks(GROUP).map(|group| String::from_utf8_lossy(group).into_owned()).collect();
        groups.join("-")
    }

    /// The digits: what a session is begun for.
    pub(super) fn digits(&self) -> &[u8] {
        &self.0
    }

    /// The SHA-256 by which the store knows it, as hexadecimal digits.
    pub(super) fn hash(&self) -> String {
        hex::encode(digest(&SHA256, &self.0))
    }
}

impl<const N: usize> FromStr for TypedCode<N> {
    type Err = MalformedCode;
    fn from_str(text: &str) -> Result<TypedCode<N>, MalformedCode> {
        let mut read = [0; N];
        let mut places = read.iter_mut();
        for typed in text.bytes().filter(|byte| !matches!(byte, b'-' | b' ')) {
            let digit = match typed.to_ascii_uppercase() {
                b'I' | b'L' => b'1',
                b'O' => b'0',
                digit if CROCKFORD_DIGITS.contains(&digit.to_ascii_lowercase()) => digit,
                _ => return Err(MalformedCode),
            };
            *places.next().ok_or(MalformedCode)? = digit;
        }
        if places.next().is_some() { Err(MalformedCode) } else { Ok(TypedCode(read)) }
    }
}

impl<const N: usize> fmt::Debug for TypedCode<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypedCode")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_code_is_shown_in_groups_and_read_as_people_type_it() {
        let code: PairingCode = "K7QD3-MPX2A".parse().unwrap();
        assert_eq!((code.expose().as_str(), format!("{code:?}").as_str()), ("K7QD3-MPX2A", "TypedCode"));
        for typed in ["k7qd3mpx2a", " K7QD3 - mpx2a ", "K-7-Q-D-3-M-P-X-2-A"] {
            assert_eq!(typed.parse(), Ok(code.clone()), "{typed}");
        }
        let zeros: PairingCode = "0101101011".parse().unwrap();
        assert_eq!("oIOlL-0i0l1".parse(), Ok(zeros));
        for wrong in ["", "K7QD3-MPX2", "K7QD3-MPX2AA", "K7QD3-MPX2U", "K7QD3_MPX2A", "K7QD3-MPX2\u{c4}"] {
            assert_eq!(wrong.parse::<PairingCode>(), Err(MalformedCode), "{wrong}");
        }
        let key = RecoveryKey::generate(&Ambient::fixed(0, 1)).expose();
        assert_eq!(key.split('-').map(str::len).collect::<Vec<_>>(), [5; 6]);
    }

    #[test]
    fn codes_differ_and_use_every_digit() {
        let ambient = Ambient::fixed(0, 2);
        let codes: Vec<String> = (0..200).map(|_| RecoveryKey::generate(&ambient).expose()).collect();
        assert!(
            CROCKFORD_DIGITS
                .map(|digit| char::from(digit.to_ascii_uppercase()))
                .iter()
                .all(|digit| codes.iter().any(|code| code.contains(*digit)))
        );
        assert_ne!(RecoveryKey::generate(&ambient).hash(), RecoveryKey::generate(&ambient).hash());
    }

    proptest! {
        #[test]
        fn what_reads_is_shown_so_that_it_reads_the_same(text in "[0-9A-Za-z -]{8,14}|.*") {
            if let Ok(code) = text.parse::<PairingCode>() {
                prop_assert_eq!(code.expose().parse::<PairingCode>(), Ok(code));
            }
        }
    }
}
