//! `sarsen admin`: what operators do on the command line.

use std::io::{self, Write};
use std::sync::Arc;

use super::{CommandError, Failed, moderate, say};
use crate::config::{AdminCommand, AdminTokenFlags};
use sarsen_accounts::auth::{Revocations, SigningKeys, Tokens};
use sarsen_base::ambient::Ambient;

/// Does what an operator asks for.
pub(super) fn admin(command: &AdminCommand) -> Result<(), Failed> {
    let done = match command {
        AdminCommand::Token(flags) => {
            let (keys, scope) = flags.signing().map_err(Failed::wrong)?;
            let keys = keys.map_or_else(|| keys_of(flags), Ok).map_err(Failed::Undone)?;
            let tokens = Tokens::new(keys, scope, Arc::new(Revocations::new()), Ambient::system());
            token(&tokens, flags)
        }
        AdminCommand::Ban(flags) => moderate::ban(flags),
        AdminCommand::Abort(flags) => moderate::abort(flags),
    };
    done.map_err(Failed::Undone)
}

fn keys_of(flags: &AdminTokenFlags) -> Result<SigningKeys, CommandError> {
    Ok(SigningKeys::load(&flags.data_dir).map_err(|error| {
        let reason = super::chain(&error);
        format!("the keys that the service signs with are needed, from its --data-dir or --token-keys: {reason}")
    })?)
}

/// The token goes to standard output and nothing else does, so that it can be put where it is needed.
fn token(tokens: &Tokens, flags: &AdminTokenFlags) -> Result<(), CommandError> {
    let made = tokens.issue_operator(&flags.label, &flags.scopes, flags.expires_in_hours)?;
    let told = format!("Token {} ends {}; keep it secret.", made.id, made.expires_at.rfc3339());
    let _nobody_listens = writeln!(io::stderr(), "{told}");
    say(&made.token);
    Ok(())
}
