//! Provable fairness: a commitment before the match, the players' entropy mixed in, the seed revealed afterwards.
//!
//! - commitment = SHA-256(`sarsen/commit/1` ‖ seed ‖ match id)
//! - dice seed = SHA-256(`sarsen/dice/1` ‖ seed ‖ match id ‖ for each seat in order: length of its entropy as 16 bits,
//!   big-endian, then the entropy)
//! - seed of the draw of seats in a match of a pool = the same with `sarsen/seats/1`, and players in the order of their
//!   ids in place of seats: seat 0 is the first player's after a shuffle of that order
//!
//! - seed of a bot's search = SHA-256(`sarsen/bot/1` ‖ seed ‖ match id ‖ version at which the decision opened, as 64
//!   bits, big-endian ‖ seat, as 8 bits), and of a hint's likewise with `sarsen/hint/1`: it tells nothing of the dice,
//!   and lets a bot's moves be found again
//!
//! - seed of the review of a decision = SHA-256(`sarsen/review/1` ‖ match id ‖ version ‖ seat), without the secret, so that
//!   a review knows nothing that the players did not
//!
//! Strings are their ASCII bytes, the match id as written on the wire, the seed its 32 bytes; a seat that gave no
//! entropy counts as length 0. The dice themselves are specified in `rules::Dice`.
//!
//! Invariant: the seed is fixed before any entropy is accepted, so neither side can choose the dice; and it is never
//! shown before the match has ended.

use std::fmt;

use aws_lc_rs::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};

use sarsen_base::ambient::Ambient;
use sarsen_base::ids::MatchId;
use sarsen_rules::{DiceSeed, Seat};

/// The most characters (Unicode scalar values) of entropy a seat may give.
pub(crate) const ENTROPY_MAX_CHARACTERS: usize = 256;

/// The seed of the search that reviews the decision which `seat` made at `version`.
pub(crate) fn review_seed(id: &MatchId, version: u64, seat: Seat) -> [u8; 32] {
    hash(&[b"sarsen/review/1", id.as_str().as_bytes(), &version.to_be_bytes(), &[seat.number()]])
}

/// The server's secret of one match.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerSeed(#[serde(with = "hex::serde::no_prefix")] [u8; 32]);

impl ServerSeed {
    /// A fresh seed.
    pub fn generate(ambient: &Ambient) -> ServerSeed {
        ServerSeed(ambient.bytes())
    }

    /// The published commitment to this seed, as 64 hexadecimal digits.
    pub fn commitment(&self, id: &MatchId) -> String {
        hex::encode(hash(&[b"sarsen/commit/1", &self.0, id.as_str().as_bytes()]))
    }

    /// The seed of the match's dice, from what each seat has contributed.
    pub fn dice_seed<'a>(&self, id: &MatchId, entropy: impl Iterator<Item = Option<&'a SeatEntropy>>) -> DiceSeed {
        self.seed_of_dice(b"sarsen/dice/1", id, entropy)
    }

    /// The seed of the draw of seats, from what each paired player has contributed, in the order of their ids.
    pub(crate) fn seats_seed<'a>(
        &self,
        id: &MatchId,
        entropy: impl Iterator<Item = Option<&'a SeatEntropy>>,
    ) -> DiceSeed {
        self.seed_of_dice(b"sarsen/seats/1", id, entropy)
    }

    fn seed_of_dice<'a>(
        &self,
        what: &[u8],
        id: &MatchId,
        entropy: impl Iterator<Item = Option<&'a SeatEntropy>>,
    ) -> DiceSeed {
        let mut context = Context::new(&SHA256);
        context.update(what);
        context.update(&self.0);
        context.update(id.as_str().as_bytes());
        for given in entropy {
            let bytes = given.map_or(&[][..], |entropy| entropy.0.as_bytes());
            context.update(&(bytes.len() as u16).to_be_bytes());
            context.update(bytes);
        }
        DiceSeed(digest(context))
    }

    /// The seed of a bot's search for the decision that opened for `seat` at `version`.
    pub(crate) fn bot_seed(&self, id: &MatchId, version: u64, seat: Seat) -> [u8; 32] {
        self.seed_of_search(b"sarsen/bot/1", id, version, seat)
    }

    /// The seed of the search for a hint for that decision.
    pub(crate) fn hint_seed(&self, id: &MatchId, version: u64, seat: Seat) -> [u8; 32] {
        self.seed_of_search(b"sarsen/hint/1", id, version, seat)
    }

    fn seed_of_search(&self, what: &[u8], id: &MatchId, version: u64, seat: Seat) -> [u8; 32] {
        hash(&[what, &self.0, id.as_str().as_bytes(), &version.to_be_bytes(), &[seat.number()]])
    }

    /// The seed as 64 hexadecimal digits. Only for matches that have ended.
    pub(crate) fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// The seed that [`ServerSeed::reveal`] wrote.
    pub fn from_revealed(text: &str) -> Option<ServerSeed> {
        let mut bytes = [0; 32];
        // The decoder would take a prefix too.
        let digits = Some(text).filter(|text| text.len() == 2 * bytes.len())?;
        hex::decode_to_slice(digits, &mut bytes).ok()?;
        Some(ServerSeed(bytes))
    }
}

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(secret)")
    }
}

/// Entropy that a player has contributed: 1 to [`ENTROPY_MAX_CHARACTERS`] characters; as UTF-8 it goes into the dice.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeatEntropy(String);

impl TryFrom<String> for SeatEntropy {
    type Error = String;
    fn try_from(text: String) -> Result<SeatEntropy, String> {
        if text.is_empty() || text.chars().count() > ENTROPY_MAX_CHARACTERS {
            return Err(format!("entropy is 1 to {ENTROPY_MAX_CHARACTERS} characters of text"));
        }
        Ok(SeatEntropy(text))
    }
}

impl From<SeatEntropy> for String {
    fn from(entropy: SeatEntropy) -> String {
        entropy.0
    }
}

impl fmt::Debug for SeatEntropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeatEntropy(secret)")
    }
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(part);
    }
    digest(context)
}

fn digest(context: Context) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(context.finish().as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "m_018bcfe5687b7c3d9b1e5f2a4c6d8e0f";

    fn seed() -> ServerSeed {
        let bytes: Vec<u8> = (0..32).collect();
        ServerSeed(bytes.try_into().unwrap())
    }

    fn entropy(text: &str) -> SeatEntropy {
        SeatEntropy::try_from(text.to_owned()).unwrap()
    }

    // The three vectors below were obtained a second way, with another language's SHA-256.
    #[test]
    fn commitment_vector() {
        assert_eq!(
            seed().commitment(&ID.parse().unwrap()),
            "593ec6e9289272da8fad6b62395db112e9f4810dfc1db823103a2c0b7ce5db7f"
        );
    }

    #[test]
    fn dice_seed_vector_without_entropy() {
        let dice = seed().dice_seed(&ID.parse().unwrap(), [None, None].into_iter());
        assert_eq!(hex::encode(dice.0), "52007404f93572d130b53995e7068b96ac062cd23ebf6aaee27f8e49b8673a9c");
    }

    #[test]
    fn dice_seed_vector_with_entropy() {
        let given = entropy("oak, ash & thorn ☘");
        let dice = seed().dice_seed(&ID.parse().unwrap(), [None, Some(&given)].into_iter());
        assert_eq!(hex::encode(dice.0), "63c328ca490496fa28119771130b5d85f8028030b25cc6f89531a7fcfa34815d");
    }

    #[test]
    fn entropy_of_another_seat_is_other_entropy() {
        let (id, given) = (ID.parse().unwrap(), entropy("x"));
        let first = seed().dice_seed(&id, [Some(&given), None].into_iter());
        let second = seed().dice_seed(&id, [None, Some(&given)].into_iter());
        assert!(first != second);
    }

    #[test]
    fn entropy_is_bounded() {
        assert!(SeatEntropy::try_from(String::new()).is_err());
        assert!(SeatEntropy::try_from("x".repeat(257)).is_err());
        assert!(SeatEntropy::try_from("☘".repeat(256)).is_ok());
    }

    #[test]
    fn a_seed_reveals_and_reads_back_but_does_not_print() {
        assert_eq!(ServerSeed::from_revealed(&seed().reveal()), Some(seed()));
        assert_eq!(ServerSeed::from_revealed("00"), None);
        assert_eq!(ServerSeed::from_revealed(&format!("0x{}", seed().reveal())), None);
        assert_eq!(format!("{:?} {:?}", seed(), entropy("x")), "ServerSeed(secret) SeatEntropy(secret)");
    }
}
