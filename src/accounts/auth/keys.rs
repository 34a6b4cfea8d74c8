//! Signing keys: HMAC-SHA-256 secrets, each with a key id (`kid`).
//!
//! Invariant: there is at least one key, ids are distinct, and every secret has at least 32 bytes. The first key signs,
//! all verify. To rotate, put a new key in front and keep the old ones until their tokens have expired; nobody is
//! logged out. Secrets appear in no `Debug` output and in no error.

use std::fmt;

use aws_lc_rs::hkdf::{HKDF_SHA256, Prk, Salt};
use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use jsonwebtoken::{DecodingKey, EncodingKey};

use sarsen_base::ambient::Ambient;

/// The minimum size of a secret, in bytes: the size of the hash (RFC 7518 section 3.2).
const MIN_SECRET_BYTES: usize = 32;

/// The longest key id, in characters.
const MAX_KID_LENGTH: usize = 32;

/// base64url, with or without padding.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_encode_padding(false).with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The reason why a text of keys was refused. Names keys by their place (from 1), because the text in place of an id
/// may be a secret.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeysError {
    /// There is nothing in it.
    #[error("no token key is given; a key is written kid:secret, several are separated by commas")]
    Empty,
    /// An entry has no colon.
    #[error("token key {0} is not of the form kid:secret")]
    Form(usize),
    /// An id is too long, too short or has other characters.
    #[error("the id of token key {0} is not 1 to {MAX_KID_LENGTH} letters, digits, '-' or '_'")]
    Kid(usize),
    /// A secret is not base64url.
    #[error("the secret of token key '{0}' is not base64url (letters, digits, '-' and '_')")]
    Encoding(String),
    /// A secret is too short.
    #[error("the secret of token key '{0}' has {1} bytes; at least {MIN_SECRET_BYTES} are needed")]
    Short(String, usize),
    /// Two keys have the same id.
    #[error("two token keys have the id '{0}'")]
    Duplicate(String),
}

/// One key, prepared for use.
pub(super) struct Key {
    pub(super) kid: String,
    pub(super) encoding: EncodingKey,
    pub(super) decoding: DecodingKey,
    /// The source from which keys for other purposes are derived.
    source: Prk,
}

/// A key for another purpose than tokens, derived from a token key: it tells nothing of that key, nor of those for other
/// purposes.
pub struct DerivedKey(pub [u8; DERIVED_KEY_BYTES]);

/// The length of a derived key.
pub(crate) const DERIVED_KEY_BYTES: usize = 32;

impl fmt::Debug for DerivedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DerivedKey(secret)")
    }
}

/// A key could not be derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a key cannot be derived from the token keys")]
pub struct NotDerived;

impl Key {
    /// HKDF-SHA-256 (RFC 5869) without salt, for the secret is uniformly random.
    fn derived(&self, purpose: &'static str) -> Result<DerivedKey, NotDerived> {
        let info = [purpose.as_bytes()];
        let material = self.source.expand(&info, HKDF_SHA256).map_err(|_| NotDerived)?;
        let mut key = [0; DERIVED_KEY_BYTES];
        material.fill(&mut key).map_err(|_| NotDerived)?;
        Ok(DerivedKey(key))
    }
}

/// The keys of this service.
pub struct SigningKeys {
    first: Key,
    others: Vec<Key>,
}

impl SigningKeys {
    /// Reads `kid:secret[,kid:secret…]`: ids of 1 to 32 characters of `[A-Za-z0-9_-]`, secrets in base64url of at least
    /// 32 bytes. White space around entries is ignored.
    ///
    /// # Errors
    /// If it is empty, or an entry is not as described; the error shows nothing of a secret.
    pub fn parse(text: &str) -> Result<SigningKeys, KeysError> {
        if text.trim().is_empty() {
            return Err(KeysError::Empty);
        }
        let mut keys: Vec<Key> = Vec::new();
        for (index, entry) in text.split(',').enumerate() {
            let key = parse_key(index + 1, entry.trim())?;
            if keys.iter().any(|known| known.kid == key.kid) {
                return Err(KeysError::Duplicate(key.kid));
            }
            keys.push(key);
        }
        let mut keys = keys.into_iter();
        let first = keys.next().ok_or(KeysError::Empty)?;
        Ok(SigningKeys { first, others: keys.collect() })
    }

    /// A new key with a random id and a random secret, in the form that [`SigningKeys::parse`] reads. A secret: show it
    /// to its owner only.
    pub fn new_key_text(ambient: &Ambient) -> String {
        let kid = u32::from_be_bytes(ambient.bytes());
        format!("{kid:08x}:{}", BASE64URL.encode(ambient.bytes::<MIN_SECRET_BYTES>()))
    }

    /// A key for another purpose from each of these, that of the signing key first.
    ///
    /// # Errors
    /// If the library of cryptography fails.
    pub fn derived(&self, purpose: &'static str) -> Result<Vec<DerivedKey>, NotDerived> {
        self.all().map(|key| key.derived(purpose)).collect()
    }

    /// Returns the key that signs.
    pub(super) fn signing(&self) -> &Key {
        &self.first
    }

    /// Returns the key of this id.
    pub(super) fn by_kid(&self, kid: &str) -> Option<&Key> {
        self.all().find(|key| key.kid == kid)
    }

    fn all(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl fmt::Debug for SigningKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.all().map(|key| &key.kid)).finish()
    }
}

fn parse_key(place: usize, entry: &str) -> Result<Key, KeysError> {
    let (kid, secret) = entry.split_once(':').ok_or(KeysError::Form(place))?;
    let valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if kid.is_empty() || kid.len() > MAX_KID_LENGTH || !kid.bytes().all(valid) {
        return Err(KeysError::Kid(place));
    }
    // The decoder's own error quotes a byte of the secret, so it is not kept as a source.
    let secret = BASE64URL.decode(secret).map_err(|_| KeysError::Encoding(kid.to_owned()))?;
    if secret.len() < MIN_SECRET_BYTES {
        return Err(KeysError::Short(kid.to_owned(), secret.len()));
    }
    Ok(Key {
        kid: kid.to_owned(),
        encoding: EncodingKey::from_secret(&secret),
        decoding: DecodingKey::from_secret(&secret),
        source: Salt::none(HKDF_SHA256).extract(&secret),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DERIVED_FROM_SEVENS: &str = "2be1604292badce768e060ace7b4c7616bbd060b3f97fd003fc16621b34abd4e";

    fn secret(byte: u8, length: usize) -> String {
        BASE64URL.encode(vec![byte; length])
    }

    #[test]
    fn the_first_key_signs_and_all_are_found() {
        let text = format!(" new:{},\n old-1_A:{}\n", secret(1, 32), secret(2, 64));
        let keys = SigningKeys::parse(&text).unwrap();
        assert_eq!(keys.signing().kid, "new");
        assert!(keys.by_kid("old-1_A").is_some());
        assert!(keys.by_kid("").is_none() && keys.by_kid("NEW").is_none());
    }

    #[test]
    fn padding_is_optional() {
        let padded = format!("k:{}=", secret(1, 32));
        assert!(SigningKeys::parse(&padded).is_ok());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let good = secret(1, 32);
        let long = "k".repeat(33);
        let table = [
            (String::new(), KeysError::Empty),
            (" \n".into(), KeysError::Empty),
            (good.clone(), KeysError::Form(1)),
            (format!("a:{good},"), KeysError::Form(2)),
            (format!(":{good}"), KeysError::Kid(1)),
            (format!("a b:{good}"), KeysError::Kid(1)),
            (format!("{long}:{good}"), KeysError::Kid(1)),
            (format!("a:{good},é:{good}"), KeysError::Kid(2)),
            ("a:".into(), KeysError::Short("a".into(), 0)),
            (format!("a:{}", secret(1, 31)), KeysError::Short("a".into(), 31)),
            (format!("a:{}+", &good[..42]), KeysError::Encoding("a".into())),
            (format!("a:{good},a:{}", secret(2, 32)), KeysError::Duplicate("a".into())),
        ];
        for (text, error) in table {
            assert_eq!(SigningKeys::parse(&text).err(), Some(error), "{text:?}");
        }
    }

    #[test]
    fn secrets_are_in_no_debug_output_and_no_error() {
        let good = secret(7, 32);
        let keys = SigningKeys::parse(&format!("visible:{good}")).unwrap();
        assert_eq!(format!("{keys:?}"), r#"{"visible"}"#);
        for wrong in [good.clone(), format!("{good}!:x"), format!("k:{good}!"), format!("k:{}", secret(7, 31))] {
            let error = SigningKeys::parse(&wrong).unwrap_err();
            for shown in [error.to_string(), format!("{error:?}")] {
                assert!(!shown.contains(&good[..20]), "{shown}");
            }
        }
    }

    #[test]
    fn a_new_key_parses_and_differs_from_the_next() {
        let ambient = Ambient::fixed(0, 1);
        let (one, two) = (SigningKeys::new_key_text(&ambient), SigningKeys::new_key_text(&ambient));
        assert_ne!(one, two);
        assert!(SigningKeys::parse(&format!("{one},{two}")).is_ok());
    }

    #[test]
    fn derived_keys_are_those_of_rfc_5869() {
        // Found a second way: HMAC-SHA-256 of the extracted key over the purpose and a byte of one.
        let keys = SigningKeys::parse(&format!("a:{},b:{}", secret(7, 32), secret(8, 40))).unwrap();
        let [one, other] = &keys.derived("a purpose").unwrap()[..] else { panic!("two keys") };
        assert_eq!(hex::encode(one.0), DERIVED_FROM_SEVENS);
        assert_ne!(one.0, other.0);
        assert_ne!(one.0, keys.derived("another").unwrap()[0].0);
        assert_eq!(format!("{one:?}"), "DerivedKey(secret)");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in ".*") {
            let _ = SigningKeys::parse(&text);
        }
    }
}
