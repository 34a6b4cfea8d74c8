//! The bounds of accounts: one list for the settings, their defaults and the values in force.

use clap::Args;

macro_rules! bounds {
    ($($(#[$doc:meta])+ $name:ident = $default:literal, $range:expr, env = $variable:literal, $unit:literal;)+) => {
        /// The bounds of each player, and of what players leave with the service.
        #[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
        pub struct AccountBounds {$(
            $(#[$doc])+
            #[arg(long, env = $variable, default_value_t = $default, value_name = $unit,
                  value_parser = clap::value_parser!(u32).range($range))]
            pub $name: u32,
        )+}

        impl Default for AccountBounds {
            fn default() -> AccountBounds {
                AccountBounds { $($name: $default),+ }
            }
        }
    };
}

bounds! {
    /// Sessions that one player may have (1 to 1000); one more ends the one that was not used for longest.
    sessions_per_player = 100, 1..=1000, env = "SARSEN_SESSIONS_PER_PLAYER", "NUMBER";
    /// Linked identities that one player may have (1 to 1000).
    identities_per_player = 20, 1..=1000, env = "SARSEN_IDENTITIES_PER_PLAYER", "NUMBER";
    /// Tokens of programs that one player or bot account may have (1 to 1000).
    tokens_per_player = 20, 1..=1000, env = "SARSEN_TOKENS_PER_PLAYER", "NUMBER";
    /// Longest life of a program's token that is made from now on, in seconds (1 to 31536000, a year).
    program_token_seconds = 31_536_000, 1..=31_536_000, env = "SARSEN_PROGRAM_TOKEN_SECONDS", "SECONDS";
    /// Bot accounts that one player may have (1 to 1000).
    bot_accounts_per_player = 10, 1..=1000, env = "SARSEN_BOT_ACCOUNTS_PER_PLAYER", "NUMBER";
    /// Contacts that one player may have, and players that one may block (1 to 10000).
    contacts_per_player = 500, 1..=10_000, env = "SARSEN_CONTACTS_PER_PLAYER", "NUMBER";
    /// Finished matches, the newest, whose players are a player's recent opponents (1 to 1000).
    opponent_matches = 100, 1..=1000, env = "SARSEN_OPPONENT_MATCHES", "NUMBER";
    /// Reports of other players that one player may make in 24 hours (1 to 1000).
    reports_per_day = 10, 1..=1000, env = "SARSEN_REPORTS_PER_DAY", "NUMBER";
    /// Reports that are kept (1 to 100000). One more takes the place of the oldest that is closed, or else of the oldest.
    reports_kept = 10_000, 1..=100_000, env = "SARSEN_REPORTS_KEPT", "NUMBER";
    /// Time from one change of a player's name to the next, in seconds (0 to 31536000).
    name_change_seconds = 86_400, 0..=31_536_000, env = "SARSEN_NAME_CHANGE_SECONDS", "SECONDS";
    /// Longest life of a pairing code, in seconds (60 to 600).
    pairing_code_seconds = 600, 60..=600, env = "SARSEN_PAIRING_CODE_SECONDS", "SECONDS";
    /// Longest token of an outside issuer that is looked at, in bytes (1024 to 32768).
    outside_token_bytes = 8192, 1024..=32_768, env = "SARSEN_OUTSIDE_TOKEN_BYTES", "BYTES";
}
