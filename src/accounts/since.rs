//! The stored form of what a player simply has, such as a recovery key or a contact: the time since when.

use serde::{Deserialize, Serialize};

use sarsen_base::ambient::Timestamp;
use sarsen_store::StoreError;
use sarsen_store::upgrade::Formed;

/// The time since when a player has something.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct StoredSince {
    #[serde(rename = "v")]
    form: u16,
    pub(crate) since: Timestamp,
}

sarsen_store::formed!(StoredSince, "time since", "v", &[]);

impl StoredSince {
    pub(crate) fn encode(since: Timestamp) -> Result<Vec<u8>, StoreError> {
        Formed::encode(&StoredSince { form: StoredSince::FORMS.present(), since })
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<StoredSince, StoreError> {
        Formed::decode(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_1_is_read_and_written_alike() {
        let form_1 = br#"{"v":1,"since":7}"#;
        assert_eq!(StoredSince::decode(form_1).unwrap().since, Timestamp(7));
        assert_eq!(StoredSince::encode(Timestamp(7)).unwrap(), form_1);
        assert!(StoredSince::decode(br#"{"v":2,"since":7}"#).is_err());
    }
}
