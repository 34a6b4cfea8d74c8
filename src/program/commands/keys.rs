//! `sarsen keys`: new keys.

use super::say;
use crate::config::KeysCommand;
use sarsen_accounts::auth::SigningKeys;
use sarsen_base::ambient::Ambient;
use sarsen_service::notifications::VapidKey;

/// Makes a key and prints it, and nothing else.
pub(super) fn keys(command: &KeysCommand) {
    match command {
        KeysCommand::New => say(&SigningKeys::new_key_text(&Ambient::system())),
        KeysCommand::Vapid => say(&VapidKey::new_key_text(&Ambient::system())),
    }
}
