//! The stored forms of a player and of a session: JSON that begins with the number of its form.
//!
//! Invariant: each release reads the values of earlier ones (see [`Formed`]); the tests hold a fixture of every form.

use serde::{Deserialize, Serialize};

use super::refresh_token::{Bytes32, Secret, SessionKey};
use crate::auth::PlayerKind;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::PlayerId;
use sarsen_store::StoreError;
use sarsen_store::upgrade::Formed;

/// The time after its first use for which a secret gets the same successor, in milliseconds: long enough for tabs of
/// one browser that wake up together, too short to live on with a copy unnoticed.
const SHARED_MILLISECONDS: u64 = 30_000;

/// The maximum number of secrets of that time that a session remembers. No honest client refreshes as often.
const REMEMBERED: usize = 16;

/// A player as stored, under its id.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPlayer {
    #[serde(rename = "v")]
    form: u16,
    pub(super) name: String,
    pub(super) created_at: Timestamp,
    /// The time at which the player last changed the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) renamed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "PlayerKind::is_person")]
    pub(super) kind: PlayerKind,
    /// The person to whom a bot account belongs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<PlayerId>,
}

sarsen_store::formed!(StoredPlayer, "player", "v", &[]);

impl StoredPlayer {
    pub(super) fn new(name: String, created_at: Timestamp) -> StoredPlayer {
        let form = StoredPlayer::FORMS.present();
        StoredPlayer { form, name, created_at, renamed_at: None, kind: PlayerKind::Person, owner: None }
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, StoreError> {
        Formed::encode(self)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<StoredPlayer, StoreError> {
        Formed::decode(bytes)
    }
}

/// The status of a secret in its session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It is the newest.
    Current,
    /// It was used at this moment, a short while ago: a client that sends it again gets the same successor.
    Shared(Timestamp),
    /// It was used to get the newest, which itself has never been used: the answer may have been lost.
    Previous,
    /// The session issued it once, and it is used up.
    Retired,
    /// The session never issued it.
    Foreign,
}

/// A session as stored, under its id.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredSession {
    #[serde(rename = "v")]
    form: u16,
    pub(super) player: PlayerId,
    pub(super) created_at: Timestamp,
    /// The label that its device was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) device: Option<String>,
    /// Makes the secrets of this session and recognises them.
    key: SessionKey,
    /// The hash of the newest secret.
    current: Bytes32,
    /// The hash of the secret with which the newest was got; none before the first refresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<Bytes32>,
    /// The secrets that were used lately, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    used: Vec<Used>,
}

/// A secret that was used.
#[derive(Clone, Serialize, Deserialize)]
struct Used {
    hash: Bytes32,
    at: Timestamp,
}

impl Used {
    fn is_shared(&self, now: Timestamp) -> bool {
        now.0.abs_diff(self.at.0) <= SHARED_MILLISECONDS
    }
}

sarsen_store::formed!(StoredSession, "session", "v", &[]);

impl StoredSession {
    /// A new session of a player, and its first secret, which follows from a proof that the store does not have.
    pub(super) fn begin(
        player: PlayerId,
        device: Option<String>,
        proof: &[u8],
        ambient: &Ambient,
    ) -> (StoredSession, Secret) {
        let key = SessionKey::generate(ambient);
        let secret = key.first(proof);
        let (form, current) = (StoredSession::FORMS.present(), secret.hash());
        let created_at = ambient.now();
        (StoredSession { form, player, created_at, device, key, current, previous: None, used: Vec::new() }, secret)
    }

    /// The first secret, if this proof was given and nothing has followed.
    pub(super) fn first_secret(&self, proof: &[u8]) -> Option<Secret> {
        Some(self.key.first(proof)).filter(|secret| secret.hash().matches(&self.current))
    }

    /// Returns the present status of a secret.
    pub(super) fn standing(&self, secret: &Secret, now: Timestamp) -> Standing {
        let shown = secret.hash();
        let shared = self.used.iter().find(|used| used.is_shared(now) && used.hash.matches(&shown));
        if self.current.matches(&shown) {
            Standing::Current
        } else if let Some(used) = shared {
            Standing::Shared(used.at)
        } else if self.previous.as_ref().is_some_and(|previous| previous.matches(&shown)) {
            Standing::Previous
        } else if self.key.has_minted(secret) {
            Standing::Retired
        } else {
            Standing::Foreign
        }
    }

    /// The session after a refresh with `used` now, and its new secret. The newest secret until now, if it is not `used`
    /// itself, was never used and is retired.
    pub(super) fn rotate(&self, used: &Secret, now: Timestamp) -> (StoredSession, Secret) {
        let secret = self.successor(used, now);
        let mut lately = vec![Used { hash: used.hash(), at: now }];
        lately.extend(self.used.iter().filter(|used| used.is_shared(now)).take(REMEMBERED - 1).cloned());
        let next = StoredSession { current: secret.hash(), previous: Some(used.hash()), used: lately, ..self.clone() };
        (next, secret)
    }

    /// The secret that was given out for `used` when that was used at this moment.
    pub(super) fn successor(&self, used: &Secret, at: Timestamp) -> Secret {
        self.key.successor(used, at)
    }

    /// The time at which the newest secret was issued.
    pub(super) fn refreshed_at(&self) -> Timestamp {
        self.used.first().map_or(self.created_at, |used| used.at)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, StoreError> {
        Formed::encode(self)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<StoredSession, StoreError> {
        Formed::decode(bytes)
    }
}

/// Returns the fault of a stored player, in a sentence that quotes nothing.
pub fn player_fault(stored: &[u8]) -> Option<String> {
    StoredPlayer::decode(stored).err().map(|unreadable| format!("cannot be read: {unreadable}"))
}

/// Returns the fault of a stored session of `player`, likewise.
pub fn session_fault(player: &PlayerId, stored: &[u8]) -> Option<String> {
    match StoredSession::decode(stored) {
        Ok(session) if session.player == *player => None,
        Ok(_) => Some(format!("is kept as a session of {player}, and is another player's")),
        Err(unreadable) => Some(format!("cannot be read: {unreadable}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As form 1 is written. Never to be edited: a later form adds a step and a fixture of its own.
    const PLAYER_1: &str = include_str!("../../../tests/fixtures/player_form_1.json");
    const SESSION_1: &str = include_str!("../../../tests/fixtures/session_form_1.json");

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

    /// A session, the two secrets that were used of it in a row, at 0 and at 1 s, and the newest one.
    fn used_twice() -> (StoredSession, [Secret; 3]) {
        let ambient = Ambient::fixed(0, 1);
        let (begun, first) = StoredSession::begin(PlayerId::generate(&ambient), None, b"proof", &ambient);
        let (once, second) = begun.rotate(&first, Timestamp(0));
        let (twice, third) = once.rotate(&second, Timestamp(1000));
        (twice, [first, second, third])
    }

    #[test]
    fn secrets_pass_from_current_through_previous_to_retired() {
        let ambient = Ambient::fixed(0, 1);
        let (begun, first) = StoredSession::begin(PlayerId::generate(&ambient), None, b"proof", &ambient);
        let (_, foreign) = StoredSession::begin(PlayerId::generate(&ambient), None, b"proof", &ambient);
        let (start, later) = (Timestamp(0), Timestamp(30_001));
        assert_eq!(begun.standing(&first, start), Standing::Current);
        assert_eq!(begun.standing(&foreign, start), Standing::Foreign);

        let (once, second) = begun.rotate(&first, start);
        assert_eq!(once.standing(&second, later), Standing::Current);
        assert_eq!(once.standing(&first, later), Standing::Previous);

        let (lost, third) = once.rotate(&first, later);
        assert!(third != second, "so late, the first answer may have reached somebody else");
        assert_eq!(lost.standing(&third, later), Standing::Current);
        assert_eq!(lost.standing(&second, later), Standing::Retired, "it was never used and another took its place");

        let (twice, _) = once.rotate(&second, later);
        assert_eq!(twice.standing(&second, Timestamp(60_002)), Standing::Previous);
        assert_eq!(twice.standing(&first, later), Standing::Retired);
    }

    #[test]
    fn for_30_seconds_a_used_secret_leads_to_the_same_successor() {
        let (session, [first, second, third]) = used_twice();
        for (secret, used_at, successor) in [(&first, 0, &second), (&second, 1000, &third)] {
            for now in [used_at - 500, used_at, used_at + 29_000, used_at + 30_000] {
                assert_eq!(session.standing(secret, Timestamp(now)), Standing::Shared(Timestamp(used_at)));
            }
            assert!(session.successor(secret, Timestamp(used_at)) == *successor);
        }
        assert_eq!(session.standing(&first, Timestamp(30_001)), Standing::Retired);
        assert_eq!(session.standing(&second, Timestamp(31_001)), Standing::Previous);
    }

    #[test]
    fn a_session_remembers_little_of_what_was_used() {
        let ambient = Ambient::fixed(0, 1);
        let (mut session, mut secret) = StoredSession::begin(PlayerId::generate(&ambient), None, b"proof", &ambient);
        for at in 0..100 {
            (session, secret) = session.rotate(&secret, Timestamp(at));
        }
        assert_eq!(session.used.len(), REMEMBERED);
        (session, _) = session.rotate(&secret, Timestamp(40_000));
        assert_eq!(session.used.len(), 1);
    }
}
