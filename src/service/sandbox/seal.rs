//! Sealing positions: AES-256-GCM-SIV (RFC 8452) with keys that follow from the token keys.
//!
//! The text is `sp1.` and base64url of the nonce, what is encrypted, and the tag. With it is authenticated of which game,
//! rules and form of state it is, so a position of other rules does not open, and one whose state an earlier release wrote
//! is read as such.
//!
//! Invariants: a text opens only where one of the present keys has sealed it, unchanged. Two seals of the same position
//! differ, so nobody sees by the texts that two positions are the same. Random nonces may repeat after 2^32 seals, which
//! with this cipher tells no more than that two positions were equal.

use std::error::Error;
use std::sync::Arc;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::position::SandboxPosition;
use sarsen_accounts::auth::DerivedKey;
use sarsen_base::ambient::Ambient;
use sarsen_games::{AnyGame, Corrupt, Games};

/// The prefix of the text of a position.
const PREFIX: &str = "sp1.";
/// The length of the tag, in bytes.
const TAG_LEN: usize = 16;

/// A position that could not be sealed.
#[derive(Debug, thiserror::Error)]
pub enum NotSealed {
    /// Its state has no JSON form.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// The cipher does not work, or the game is none of these.
    #[error("a position cannot be sealed")]
    Cipher(#[source] Option<Box<dyn Error + Send + Sync>>),
}

/// A game and a form of its states, in which positions open.
struct Kind {
    game: Arc<dyn AnyGame>,
    state_version: u16,
    /// The associated data that is authenticated with a position of it.
    told: String,
}

impl Kind {
    /// All of a game: the present form, in which positions are sealed, and then those of earlier releases.
    fn all_of(game: &Arc<dyn AnyGame>) -> impl Iterator<Item = Kind> {
        let info = game.info();
        (1..=info.state_version).rev().map(move |state_version| {
            let told = format!("{}|{}|{state_version}", info.id, info.rules_version);
            Kind { game: Arc::clone(game), state_version, told }
        })
    }
}

pub(super) struct Seals {
    /// The first seals, all open.
    keys: Vec<LessSafeKey>,
    kinds: Vec<Kind>,
    ambient: Ambient,
}

/// The key and the game that opened the last position: mostly those of the next too.
#[derive(Clone, Copy, Default)]
pub struct KindHint {
    key: usize,
    kind: usize,
}

impl Seals {
    pub(super) fn new(keys: &[DerivedKey], games: &Games, ambient: Ambient) -> Result<Seals, NotSealed> {
        let key = |key: &DerivedKey| UnboundKey::new(&AES_256_GCM_SIV, &key.0).map(LessSafeKey::new);
        let keys: Vec<LessSafeKey> = keys.iter().map(key).collect::<Result<_, _>>().map_err(unusable)?;
        Ok(Seals { keys, kinds: games.iter().flat_map(Kind::all_of).collect(), ambient })
    }

    pub(super) fn seal(&self, position: &SandboxPosition) -> Result<String, NotSealed> {
        let key = self.keys.first().ok_or(NotSealed::Cipher(None))?;
        let kind = self.kinds.iter().find(|kind| Arc::ptr_eq(&kind.game, &position.game));
        let kind = kind.ok_or(NotSealed::Cipher(None))?;
        let nonce: [u8; NONCE_LEN] = self.ambient.bytes();
        let mut sealed = nonce.to_vec();
        position.write(&mut sealed)?;
        let (_, plain) = sealed.split_at_mut(NONCE_LEN);
        let aad = Aad::from(kind.told.as_bytes());
        let tag = key.seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), aad, plain).map_err(unusable)?;
        sealed.extend_from_slice(tag.as_ref());
        let mut text = String::with_capacity(PREFIX.len() + sealed.len().div_ceil(3) * 4);
        text.push_str(PREFIX);
        URL_SAFE_NO_PAD.encode_string(&sealed, &mut text);
        Ok(text)
    }

    /// The position that was sealed as `text`; `None` where it was not sealed here, with a key that is still known, as one
    /// of these games.
    pub(super) fn open(&self, text: &str, hint: &mut KindHint) -> Option<SandboxPosition> {
        let sealed = URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
        let (nonce, rest) = sealed.split_at_checked(NONCE_LEN)?;
        let (encrypted, tag) = rest.split_at_checked(rest.len().checked_sub(TAG_LEN)?)?;
        let nonce: [u8; NONCE_LEN] = nonce.try_into().ok()?;
        let mut plain = vec![0; encrypted.len()];
        let mut opens = |at: KindHint| {
            let (key, kind) = (self.keys.get(at.key)?, self.kinds.get(at.kind)?);
            let aad = Aad::from(kind.told.as_bytes());
            key.open_separate_gather(Nonce::assume_unique_for_key(nonce), aad, encrypted, tag, &mut plain).ok()
        };
        let others = (0..self.keys.len()).flat_map(|key| (0..self.kinds.len()).map(move |kind| KindHint { key, kind }));
        *hint = std::iter::once(*hint).chain(others).find(|at| opens(*at).is_some())?;
        let kind = self.kinds.get(hint.kind)?;
        SandboxPosition::read(&kind.game, kind.state_version, &plain)
    }
}

fn unusable(error: aws_lc_rs::error::Unspecified) -> NotSealed {
    NotSealed::Cipher(Some(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_games::fixture::FIXTURE;
    use sarsen_rules::{Dice, DiceSeed, SeatCount};

    #[test]
    fn a_position_with_a_state_of_an_earlier_version_opens() {
        let games = Games::of(Vec::new()).with(FIXTURE);
        let seals = || Seals::new(&[DerivedKey([7; 32])], &games, Ambient::fixed(0, 1)).unwrap();
        let (game, count) = (games.newest("fixture").unwrap(), SeatCount::new(2).unwrap());
        let (seed, mut dice) = (DiceSeed([3; 32]), Dice::new(DiceSeed([3; 32])));
        let options = game.options(&serde_json::Value::Null, count).unwrap();
        let state = game.setup(&options, count, &mut dice).unwrap().state;
        let stored = state.store().unwrap();
        let position = SandboxPosition::new(Arc::clone(game), state, seed, dice);
        // The earlier kind seals; its upgrade leaves a state of today as it is.
        let mut earlier = seals();
        earlier.kinds.reverse();
        assert_eq!(earlier.kinds.iter().map(|kind| kind.state_version).collect::<Vec<_>>(), [1, 2]);
        let opened = seals().open(&earlier.seal(&position).unwrap(), &mut KindHint::default()).unwrap();
        assert_eq!(opened.state.store().unwrap().get(), stored.get());
    }
}
