//! A digest of a file's content, to notice that a set was altered under the same name and version.
//!
//! FNV-1a of 64 bits over the JSON with sorted keys and no white space: the form of the file does not matter. It is a
//! guard against mistakes; the operator who could forge a set runs the server.

use serde_json::Value;

/// The digest in 16 hexadecimal digits.
pub(crate) fn of(json: &Value) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    feed(json, &mut hash);
    format!("{hash:016x}")
}

fn feed(json: &Value, hash: &mut u64) {
    match json {
        Value::Array(items) => {
            bytes(b"[", hash);
            for item in items {
                feed(item, hash);
                bytes(b",", hash);
            }
            bytes(b"]", hash);
        }
        Value::Object(map) => {
            bytes(b"{", hash);
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            for (key, value) in entries {
                feed(&Value::String(key.clone()), hash);
                feed(value, hash);
            }
            bytes(b"}", hash);
        }
        scalar => bytes(scalar.to_string().as_bytes(), hash),
    }
}

fn bytes(bytes: &[u8], hash: &mut u64) {
    for byte in bytes {
        *hash = (*hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
}
