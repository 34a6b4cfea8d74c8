//! Items of accounts as they are stored, for the check of a store.

use serde::de::IgnoredAny;

use crate::outside::read_identity;
use crate::people::Report;
use crate::programs::StoredToken;
use crate::since::StoredSince;
use sarsen_store::ItemKind;
use sarsen_store::upgrade::Formed;

/// Returns true if an item can be read as accounts read its kind. An item of a kind that is not theirs, or of which the
/// name alone counts, has to be JSON.
pub fn is_readable_account_item(kind: ItemKind, stored: &[u8]) -> bool {
    match kind {
        ItemKind::Identity => read_identity(String::new(), stored).is_ok(),
        ItemKind::Token => StoredToken::decode(stored).is_ok(),
        ItemKind::Recovery | ItemKind::Bot | ItemKind::Contact | ItemKind::Block | ItemKind::Idle => {
            StoredSince::decode(stored).is_ok()
        }
        ItemKind::Report => Report::decode(stored).is_ok(),
        ItemKind::Webhook | ItemKind::PushSubscription | ItemKind::Delivery | ItemKind::Listener => {
            serde_json::from_slice::<IgnoredAny>(stored).is_ok()
        }
    }
}
