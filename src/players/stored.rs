//! What is stored of a player and of a session: JSON with its form in front.
//!
//! Invariant: what a release has written the next one reads (see [`upgrade`]); the tests hold a fixture of every form.

use serde::{Deserialize, Serialize};

use super::refresh_token::{Bytes32, Secret, SessionKey};
use crate::ambient::{Ambient, Timestamp};
use crate::ids::PlayerId;
use crate::store::StoreError;
use crate::store::upgrade::{self, Formed, Forms};

/// A player as stored, under its id.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPlayer {
    #[serde(rename = "v")]
    form: u16,
    pub(super) name: String,
    pub(super) created_at: Timestamp,
}

impl Formed for StoredPlayer {
    const FORMS: Forms = Forms { kind: "player", property: "v", steps: &[] };

    fn form(&self) -> u16 {
        self.form
    }
}

impl StoredPlayer {
    pub(super) fn new(name: String, created_at: Timestamp) -> StoredPlayer {
        StoredPlayer { form: StoredPlayer::FORMS.present(), name, created_at }
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, StoreError> {
        encode(self)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<StoredPlayer, StoreError> {
        Ok(upgrade::decode(bytes)?)
    }
}

/// Where a secret stands in its session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It is the newest.
    Current,
    /// It was used to get the newest, which itself has never been used: the answer may have been lost.
    Previous,
    /// The session gave it out once, and it has had its turn.
    Retired,
    /// The session never gave it out.
    Foreign,
}

/// A session as stored, under its id.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredSession {
    #[serde(rename = "v")]
    form: u16,
    pub(super) player: PlayerId,
    /// Makes the secrets of this session and recognises them.
    key: SessionKey,
    /// The hash of the newest secret.
    current: Bytes32,
    /// The hash of the secret with which the newest was got; none before the first refresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<Bytes32>,
}

impl Formed for StoredSession {
    const FORMS: Forms = Forms { kind: "session", property: "v", steps: &[] };

    fn form(&self) -> u16 {
        self.form
    }
}

impl StoredSession {
    /// A new session of a player, and its first secret.
    pub(super) fn begin(player: PlayerId, ambient: &Ambient) -> (StoredSession, Secret) {
        let key = SessionKey::generate(ambient);
        let secret = key.mint(ambient);
        let form = StoredSession::FORMS.present();
        (StoredSession { form, player, current: secret.hash(), previous: None, key }, secret)
    }

    /// Where a secret that was shown stands.
    pub(super) fn standing(&self, secret: &Secret) -> Standing {
        let shown = secret.hash();
        if self.current.matches(&shown) {
            Standing::Current
        } else if self.previous.as_ref().is_some_and(|previous| previous.matches(&shown)) {
            Standing::Previous
        } else if self.key.has_minted(secret) {
            Standing::Retired
        } else {
            Standing::Foreign
        }
    }

    /// The session after a refresh with `used`, and its new secret. The newest secret until now, if it is not `used`
    /// itself, was never used and is retired.
    pub(super) fn rotate(&self, used: &Secret, ambient: &Ambient) -> (StoredSession, Secret) {
        let secret = self.key.mint(ambient);
        let next = StoredSession { current: secret.hash(), previous: Some(used.hash()), ..self.clone() };
        (next, secret)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, StoreError> {
        encode(self)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<StoredSession, StoreError> {
        Ok(upgrade::decode(bytes)?)
    }
}

fn encode(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value)
        .map_err(|error| StoreError::Corrupt(format!("a player or session cannot be written: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As form 1 was first written. Never to be edited: a later form adds a step and a fixture of its own.
    const PLAYER_1: &str = include_str!("../../tests/fixtures/player_form_1.json");
    const SESSION_1: &str = include_str!("../../tests/fixtures/session_form_1.json");

    #[test]
    fn form_1_is_read_for_good() {
        let player = StoredPlayer::decode(PLAYER_1.as_bytes()).unwrap();
        assert_eq!((player.name.as_str(), player.created_at), ("Ada", Timestamp(1_700_000_000_000)));
        assert_eq!(player.encode().unwrap(), PLAYER_1.trim_end().as_bytes());
        let session = StoredSession::decode(SESSION_1.as_bytes()).unwrap();
        assert_eq!(session.encode().unwrap(), SESSION_1.trim_end().as_bytes());
    }

    #[test]
    fn anything_else_is_refused_without_quoting_it() {
        let key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";
        for wrong in [
            String::new(),
            SESSION_1.replace("\"v\":1", "\"v\":2"),
            SESSION_1.replace("\"v\":1", "\"v\":\"1\""),
            SESSION_1.replace(key, "AQEB"),
            SESSION_1.replace("p_", "m_"),
            SESSION_1.replace(&format!("\"{key}\""), "7"),
        ] {
            match StoredSession::decode(wrong.as_bytes()) {
                Err(StoreError::Corrupt(reason)) => assert!(!reason.contains("AQEB"), "{reason}"),
                other => panic!("{wrong}: {:?}", other.map(|_| ())),
            }
        }
    }

    #[test]
    fn secrets_pass_from_current_through_previous_to_retired() {
        let ambient = Ambient::fixed(0, 1);
        let (begun, first) = StoredSession::begin(PlayerId::generate(&ambient), &ambient);
        let (_, foreign) = StoredSession::begin(PlayerId::generate(&ambient), &ambient);
        assert_eq!((begun.standing(&first), begun.standing(&foreign)), (Standing::Current, Standing::Foreign));

        let (once, second) = begun.rotate(&first, &ambient);
        assert_eq!((once.standing(&second), once.standing(&first)), (Standing::Current, Standing::Previous));

        let (lost, third) = once.rotate(&first, &ambient);
        assert_eq!((lost.standing(&third), lost.standing(&first)), (Standing::Current, Standing::Previous));
        assert_eq!(lost.standing(&second), Standing::Retired, "it was never used and another took its place");

        let (twice, _) = once.rotate(&second, &ambient);
        assert_eq!((twice.standing(&second), twice.standing(&first)), (Standing::Previous, Standing::Retired));
    }
}
