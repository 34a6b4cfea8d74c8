//! Encryption of push messages for one browser: RFC 8291, which is the coding `aes128gcm` of RFC 8188 in one record.
//!
//! The keys, the salt and the form of the key derivation are the RFC's; the primitives are those of `aws-lc-rs`.

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};

/// The bytes of a public key: an uncompressed point of P-256.
pub(super) const PUBLIC_KEY_BYTES: usize = 65;

/// The bytes of the secret that a browser shares with the application.
pub(super) const AUTH_BYTES: usize = 16;

/// The size of a record: more than a whole message.
const RECORD_BYTES: u32 = 4096;

/// The delimiter of the last record.
const LAST_RECORD: u8 = 2;

/// The keys of a browser's subscription.
#[derive(Clone)]
pub(super) struct BrowserKeys {
    /// The browser's public key.
    pub(super) public: [u8; PUBLIC_KEY_BYTES],
    /// The secret that it shares with the application.
    pub(super) auth: [u8; AUTH_BYTES],
}

struct Bytes(usize);

impl KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

fn expanded<const N: usize>(prk: &Prk, info: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut bytes = [0; N];
    prk.expand(info, Bytes(N))?.fill(&mut bytes)?;
    Ok(bytes)
}

impl BrowserKeys {
    /// Returns true if the public key is a point of the curve.
    pub(super) fn is_on_curve(&self) -> bool {
        let Ok(own) = PrivateKey::generate(&ECDH_P256) else { return false };
        let peer = UnparsedPublicKey::new(&ECDH_P256, self.public);
        agreement::agree(&own, peer, Unspecified, |_| Ok(())).is_ok()
    }

    /// Encrypts a message with a fresh key and salt.
    ///
    /// # Errors
    /// If the browser's key is none.
    pub(super) fn encrypt(&self, message: &[u8], salt: [u8; 16]) -> Result<Vec<u8>, Unspecified> {
        self.encrypt_by(&PrivateKey::generate(&ECDH_P256)?, message, salt)
    }

    fn encrypt_by(&self, own: &PrivateKey, message: &[u8], salt: [u8; 16]) -> Result<Vec<u8>, Unspecified> {
        let own_public = own.compute_public_key()?;
        let peer = UnparsedPublicKey::new(&ECDH_P256, self.public);
        let input: [u8; 32] = agreement::agree(own, peer, Unspecified, |shared| {
            let prk = Salt::new(HKDF_SHA256, &self.auth).extract(shared);
            expanded(&prk, &[b"WebPush: info\0", &self.public, own_public.as_ref()])
        })?;
        let prk = Salt::new(HKDF_SHA256, &salt).extract(&input);
        let key: [u8; 16] = expanded(&prk, &[b"Content-Encoding: aes128gcm\0"])?;
        let nonce: [u8; 12] = expanded(&prk, &[b"Content-Encoding: nonce\0"])?;
        let mut sealed = [message, &[LAST_RECORD]].concat();
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed)?;
        let header = [&salt[..], &RECORD_BYTES.to_be_bytes(), &[PUBLIC_KEY_BYTES as u8], own_public.as_ref()];
        Ok([&header.concat()[..], &sealed].concat())
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        URL_SAFE_NO_PAD.decode(text).unwrap().try_into().unwrap()
    }

    /// The example of RFC 8291, appendix A.
    #[test]
    fn the_example_of_the_rfc_is_encrypted() {
        let browser = BrowserKeys {
            public: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        };
        let own = bytes::<32>("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let own = PrivateKey::from_private_key(&ECDH_P256, &own).unwrap();
        let message = b"When I grow up, I want to be a watermelon";
        let sealed = browser.encrypt_by(&own, message, bytes("DGv6ra1nlYgDCS1FRnbzlw")).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tl\
                        zAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(sealed), expected);
        assert!(browser.is_on_curve());
        assert!(!BrowserKeys { public: [4; PUBLIC_KEY_BYTES], ..browser }.is_on_curve());
    }
}
