//! A program's token as it is stored: an item of its player, under its id.

use serde::{Deserialize, Serialize};

use crate::auth::{ProgramScope, SecretHash};
use sarsen_base::ambient::Timestamp;
use sarsen_store::upgrade::Formed;

/// A token as stored.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct StoredToken {
    #[serde(rename = "v")]
    form: u16,
    pub(super) name: String,
    /// The digest of the secret.
    hash: String,
    pub(super) scopes: Vec<ProgramScope>,
    pub(super) created_at: Timestamp,
    pub(super) expires_at: Timestamp,
    /// The last use, to some minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) used_at: Option<Timestamp>,
}

sarsen_store::formed!(StoredToken, "program token", "v", &[]);

impl StoredToken {
    pub(super) fn new(
        name: String,
        hash: &SecretHash,
        scopes: Vec<ProgramScope>,
        created_at: Timestamp,
        expires_at: Timestamp,
    ) -> StoredToken {
        let (form, hash) = (StoredToken::FORMS.present(), hash.text());
        StoredToken { form, name, hash, scopes, created_at, expires_at, used_at: None }
    }

    /// Returns true if this is the digest of the token's secret.
    pub(super) fn opens(&self, hash: &SecretHash) -> bool {
        SecretHash::of_text(&self.hash).is_some_and(|own| own.is(hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_store::StoreError;

    /// A token as form 1 has it.
    const TOKEN_1: &str = r#"{"v":1,"name":"my bot","hash":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE","scopes":["read","play"],"created_at":1,"expires_at":2,"used_at":1}"#;

    #[test]
    fn form_1_is_read_and_written_alike() {
        let read = StoredToken::decode(TOKEN_1.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(read.encode().unwrap()).unwrap(), TOKEN_1);
        assert!(read.opens(&SecretHash::of_text("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE").unwrap()));
        assert!(
            !read.opens(
                &SecretHash::of_text("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQI")
                    .unwrap_or(SecretHash::of_text("AgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE").unwrap())
            )
        );
        let newer = TOKEN_1.replace("\"v\":1", "\"v\":2");
        assert!(matches!(StoredToken::decode(newer.as_bytes()), Err(StoreError::Corrupt(_))));
    }
}
