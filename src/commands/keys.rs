//! `sarsen keys`: new keys.

use super::say;
use crate::ambient::Ambient;
use crate::auth::SigningKeys;
use crate::config::KeysCommand;

/// Makes a key and prints it, and nothing else.
pub fn keys(command: &KeysCommand) {
    match command {
        KeysCommand::New => say(&SigningKeys::new_key_text(&Ambient::system())),
    }
}
