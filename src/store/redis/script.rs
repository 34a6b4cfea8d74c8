//! The server-side scripts, called by hash, and in full only where the server does not know them yet.

use std::sync::LazyLock;

use redis::{Cmd, ErrorKind, RedisError, ServerErrorKind};

/// The number of arguments beside its keys for which a call reserves room.
const ARGUMENTS: usize = 32;
/// The maximum size of the name of the command and the number of its keys, in bytes.
const CALL: usize = 16;

/// A script and its hash.
pub(super) struct Script {
    source: &'static str,
    hash: LazyLock<String>,
}

macro_rules! scripts {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(super) static $name: Script = Script {
            source: include_str!($file),
            hash: LazyLock::new(|| redis::Script::new(include_str!($file)).get_hash().to_owned()),
        };)*
        static ALL: &[&Script] = &[$(&$name),*];
    };
}

scripts! {
    COMMIT = "commit.lua",
    NOTIFY = "notify.lua",
    INBOX = "inbox.lua",
    PLACE = "place.lua",
    PUT_PLAYER = "put_player.lua",
    PUT_MARK = "put_mark.lua",
    PUT_OFF = "put_off.lua",
    MARKS_AFTER = "marks_after.lua",
    PUT_SESSION = "put_session.lua",
    LIST_SESSION = "list_session.lua",
    END_SESSION = "end_session.lua",
    REVOKE = "revoke.lua",
    TAKE = "take.lua",
    TIME = "time.lua",
    RESERVE = "reserve.lua",
    DELETE = "delete.lua",
    CHECKPOINT = "checkpoint.lua",
    ARCHIVE = "archive.lua",
    MOVE_DUE = "due.lua",
    DONE = "done.lua",
    HEAR = "hear.lua",
    BEAT = "beat.lua",
    LEAVE = "leave.lua",
    RESTORE_MATCH = "restore_match.lua",
    RESTORE_INBOX = "restore_inbox.lua",
    RELIST = "relist.lua",
    CLAIM_MATCH = "claim_match.lua",
    RELEASE = "release.lua",
    REPLACE_ITEM = "replace_item.lua",
    BIND_ITEM = "bind_item.lua",
    PAIR = "pair.lua",
    RATINGS = "ratings.lua",
    CHANGE_RATINGS = "change_ratings.lua",
    REPLACE_RATINGS = "replace_ratings.lua",
    ORDER_JOB = "order_job.lua",
    DUE_JOBS = "due_jobs.lua",
    MOVE_JOB = "move_job.lua",
    KEEP_PLAN = "keep_plan.lua",
    REPLACE_PLAN = "replace_plan.lua",
}

impl Script {
    /// Makes a call with these keys; its arguments are added later.
    pub(super) fn on(&self, keys: &[impl AsRef<str>]) -> Cmd {
        self.on_with_room(keys, 0)
    }

    /// The same with room for `room` bytes of arguments.
    pub(super) fn on_with_room(&self, keys: &[impl AsRef<str>], room: usize) -> Cmd {
        let keyed: usize = keys.iter().map(|key| key.as_ref().len()).sum();
        let mut call = Cmd::with_capacity(keys.len() + ARGUMENTS, keyed + self.hash.len() + CALL + room);
        call.arg("EVALSHA").arg(self.hash.as_str()).arg(keys.len());
        for key in keys {
            call.arg(key.as_ref());
        }
        call
    }

    /// Makes a call with several keys that each have arguments of their own, after `common` ones.
    pub(super) fn on_each(&self, common: &[String], parts: &[Part]) -> Cmd {
        let mut call = self.on(&parts.iter().map(|part| part.key.as_str()).collect::<Vec<_>>());
        call.arg(common);
        for part in parts {
            call.arg(&part.arguments);
        }
        call
    }
}

/// The key and arguments of one part of a call of a script that does the same for each of its keys.
pub(super) struct Part {
    pub(super) key: String,
    pub(super) arguments: Vec<String>,
}

/// Returns the first key of a call or a command.
pub(super) fn key_of(command: &Cmd) -> &[u8] {
    let argument = |place| match command.args_iter().nth(place) {
        Some(redis::Arg::Simple(bytes)) => bytes,
        _ => b"",
    };
    argument(if argument(0).starts_with(b"EVAL") { 3 } else { 1 })
}

/// Returns true if a server refused a call because it does not know the script.
pub(super) fn unknown_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

/// Returns the same call with the script's text in place of its hash.
pub(super) fn in_full(call: &Cmd) -> Cmd {
    let mut full = Cmd::new();
    for (place, arg) in call.args_iter().enumerate() {
        let redis::Arg::Simple(bytes) = arg else { continue };
        match place {
            0 => full.arg("EVAL"),
            1 => match ALL.iter().find(|script| script.hash.as_bytes() == bytes) {
                Some(script) => full.arg(script.source),
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

    #[test]
    fn the_first_key_is_found_in_calls_and_commands() {
        assert_eq!(key_of(&COMMIT.on(&["a", "b"])), b"a");
        assert_eq!(key_of(&in_full(&COMMIT.on(&["a", "b"]))), b"a");
        assert_eq!(key_of(redis::cmd("SET").arg("a").arg("b")), b"a");
        assert_eq!(key_of(&redis::cmd("PING")), b"");
    }

    #[test]
    fn a_call_in_full_differs_only_in_naming_the_script() {
        let mut call = COMMIT.on(&["a", "b"]);
        call.arg("x").arg(&[0_u8, 255][..]);
        let mut expected = redis::cmd("EVAL");
        expected.arg(include_str!("commit.lua")).arg(2).arg("a").arg("b").arg("x").arg(&[0_u8, 255][..]);
        assert_eq!(in_full(&call).get_packed_command(), expected.get_packed_command());
    }
}
