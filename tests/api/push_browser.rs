//! The keys of a browser that has subscribed to push messages, with an implementation of its own of what a browser does.

use aws_lc_rs::agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::{aead, hkdf};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sarsen::ambient::Ambient;
use serde_json::{Value, json};

/// A browser with keys of its own.
pub struct PushBrowser {
    key: PrivateKey,
    auth: [u8; 16],
}

struct Bytes(usize);

impl hkdf::KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

impl PushBrowser {
    pub fn new() -> PushBrowser {
        PushBrowser { key: PrivateKey::generate(&ECDH_P256).unwrap(), auth: Ambient::system().bytes() }
    }

    fn public(&self) -> Vec<u8> {
        self.key.compute_public_key().unwrap().as_ref().to_vec()
    }

    /// Its subscription at a push service to notifications of these types, as the service takes it.
    pub fn terms(&self, endpoint: &str, events: &[&str]) -> Value {
        let (p256dh, auth) = (URL_SAFE_NO_PAD.encode(self.public()), URL_SAFE_NO_PAD.encode(self.auth));
        let keys = json!({"p256dh": p256dh, "auth": auth});
        json!({"endpoint": endpoint, "expirationTime": null, "keys": keys, "events": events})
    }

    /// Decrypts by RFC 8188 and RFC 8291.
    pub fn decrypt(&self, sealed: &[u8]) -> Vec<u8> {
        let (salt, rest) = sealed.split_at(16);
        assert_eq!(rest[..5], [0, 0, 16, 0, 65]);
        let (public, sealed) = rest[5..].split_at(65);
        let input = agreement::agree(&self.key, UnparsedPublicKey::new(&ECDH_P256, public), (), |shared| {
            let prk = hkdf::Salt::new(hkdf::HKDF_SHA256, &self.auth).extract(shared);
            Ok(expanded(&prk, &[b"WebPush: info\0", &self.public(), public], 32))
        });
        let prk = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(&input.unwrap());
        let key = expanded(&prk, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = expanded(&prk, &[b"Content-Encoding: nonce\0"], 12);
        let key = aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_128_GCM, &key).unwrap());
        let nonce = aead::Nonce::try_assume_unique_for_key(&nonce).unwrap();
        let mut sealed = sealed.to_vec();
        let opened = key.open_in_place(nonce, aead::Aad::empty(), &mut sealed).unwrap();
        opened.strip_suffix(&[2]).unwrap().to_vec()
    }
}

fn expanded(prk: &hkdf::Prk, info: &[&[u8]], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    prk.expand(info, Bytes(length)).unwrap().fill(&mut bytes).unwrap();
    bytes
}
