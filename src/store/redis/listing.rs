//! The stored form of a listing, in its match and in the task of the commit that replaced it.

use serde::{Deserialize, Serialize};

use crate::{Listing, Result, Stage, StoreError};
use sarsen_base::ids::PlayerId;

#[derive(Serialize, Deserialize)]
struct StoredListing<'a> {
    #[serde(rename = "g")]
    game: std::borrow::Cow<'a, str>,
    #[serde(rename = "s")]
    stage: std::borrow::Cow<'a, str>,
    #[serde(rename = "u")]
    public: bool,
    #[serde(rename = "p")]
    players: Vec<PlayerId>,
}

/// Returns a listing as stored.
pub(super) fn encode_listing(listing: &Listing) -> Result<String> {
    let stored = StoredListing {
        game: listing.game.as_str().into(),
        stage: listing.stage.name().into(),
        public: listing.public,
        players: listing.players.clone(),
    };
    serde_json::to_string(&stored).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// Reads a stored listing.
pub(super) fn decode_listing(text: &str) -> Result<Listing> {
    let stored: StoredListing<'_> =
        serde_json::from_str(text).map_err(|_| StoreError::Corrupt("a listing is unreadable".to_owned()))?;
    let stage = Stage::ALL.into_iter().find(|stage| stage.name() == stored.stage);
    let stage = stage.ok_or_else(|| StoreError::Corrupt("a listing of no stage".to_owned()))?;
    Ok(Listing { game: stored.game.into_owned(), stage, public: stored.public, players: stored.players })
}

#[cfg(test)]
mod tests {
    use super::*;

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
