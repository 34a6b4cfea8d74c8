//! Server-side scripts, called by hash, and in full only where the server does not know them yet.

use std::collections::BTreeMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use redis::{Cmd, ErrorKind, RedisError, ServerErrorKind, ToRedisArgs};

/// The number of arguments beside its keys for which a call reserves room.
const ARGUMENTS: usize = 32;
/// The maximum size of the name of the command and the number of its keys, in bytes.
const CALL: usize = 16;

/// The sources of the scripts that this process has called, by their hashes.
static CALLED: RwLock<BTreeMap<String, &str>> = RwLock::new(BTreeMap::new());

/// A script and, once it was called, its hash.
pub struct Script {
    source: &'static str,
    hash: OnceLock<String>,
}

impl Script {
    /// Makes a script of its source.
    pub const fn new(source: &'static str) -> Script {
        Script { source, hash: OnceLock::new() }
    }

    fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let hash = redis::Script::new(self.source).get_hash().to_owned();
            CALLED.write().unwrap_or_else(PoisonError::into_inner).insert(hash.clone(), self.source);
            hash
        })
    }

    /// Makes a call with these keys; its arguments are added later.
    pub fn on(&self, keys: &[impl AsRef<str>]) -> Cmd {
        self.on_with_room(keys, 0)
    }

    /// Makes a call with these keys and arguments.
    pub fn call(&self, keys: &[impl AsRef<str>], arguments: impl ToRedisArgs) -> Cmd {
        let mut call = self.on(keys);
        call.arg(arguments);
        call
    }

    /// Makes a call with these keys and room for `room` bytes of arguments.
    pub fn on_with_room(&self, keys: &[impl AsRef<str>], room: usize) -> Cmd {
        let hash = self.hash();
        let keyed: usize = keys.iter().map(|key| key.as_ref().len()).sum();
        let mut call = Cmd::with_capacity(keys.len() + ARGUMENTS, keyed + hash.len() + CALL + room);
        call.arg("EVALSHA").arg(hash).arg(keys.len());
        for key in keys {
            call.arg(key.as_ref());
        }
        call
    }
}

/// Returns the first key of a call or a command.
pub(crate) fn key_of(command: &Cmd) -> &[u8] {
    let argument = |place| match command.args_iter().nth(place) {
        Some(redis::Arg::Simple(bytes)) => bytes,
        _ => b"",
    };
    argument(if argument(0).starts_with(b"EVAL") { 3 } else { 1 })
}

/// Returns true if a server refused a call because it does not know the script.
pub fn unknown_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

/// Returns the same call with the script's text in place of its hash.
pub fn in_full(call: &Cmd) -> Cmd {
    let called = CALLED.read().unwrap_or_else(PoisonError::into_inner);
    let mut full = Cmd::new();
    for (place, arg) in call.args_iter().enumerate() {
        let redis::Arg::Simple(bytes) = arg else { continue };
        match place {
            0 => full.arg("EVAL"),
            1 => match std::str::from_utf8(bytes).ok().and_then(|hash| called.get(hash)) {
                Some(source) => full.arg(*source),
                None => full.arg(bytes),
            },
            _ => full.arg(bytes),
        };
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    static SET: Script = Script::new("return redis.call('SET', KEYS[1], ARGV[1])");

    #[test]
    fn the_first_key_is_found_in_calls_and_commands() {
        assert_eq!(key_of(&SET.on(&["a", "b"])), b"a");
        assert_eq!(key_of(&in_full(&SET.on(&["a", "b"]))), b"a");
        assert_eq!(key_of(redis::cmd("SET").arg("a").arg("b")), b"a");
        assert_eq!(key_of(&redis::cmd("PING")), b"");
    }

    #[test]
    fn a_call_in_full_differs_only_in_naming_the_script() {
        let mut call = SET.on(&["a", "b"]);
        call.arg("x").arg(&[0_u8, 255][..]);
        let mut expected = redis::cmd("EVAL");
        expected.arg(SET.source).arg(2).arg("a").arg("b").arg("x").arg(&[0_u8, 255][..]);
        assert_eq!(in_full(&call).get_packed_command(), expected.get_packed_command());
    }
}
