//! The stored form of a listing, in its match and in the task of the commit that replaced it.

use crate::{Listing, Result, StoreError};

/// Returns a listing as stored.
pub(super) fn encode_listing(listing: &Listing) -> Result<String> {
    serde_json::to_string(listing).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// Reads a stored listing.
pub(super) fn decode_listing(text: &str) -> Result<Listing> {
    serde_json::from_str(text).map_err(|_| StoreError::Corrupt("a listing is unreadable".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;
    use sarsen_base::ids::PlayerId;

    #[test]
    fn listings_are_stored_compactly_and_for_good() {
        let player = PlayerId::from_number(1);
        let listing = Listing { game: "henge".into(), stage: Stage::Open, public: true, players: vec![player] };
        let stored = r#"{"g":"henge","s":"open","u":true,"p":["p_00000000000000000000000000000001"]}"#;
        assert_eq!(encode_listing(&listing).unwrap(), stored);
        assert_eq!(decode_listing(stored).unwrap(), listing);
        for wrong in ["", "{}", r#"{"g":"henge","s":"gone","u":true,"p":[]}"#] {
            assert!(decode_listing(wrong).is_err(), "{wrong}");
        }
    }
}
