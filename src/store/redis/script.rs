//! The server-side scripts of the store.

use redis::Cmd;
use sarsen_redis::script::Script;

macro_rules! scripts {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(super) static $name: Script = Script::new(include_str!($file));)*
    };
}

scripts! {
    COMMIT = "commit.lua",
    NOTIFY = "notify.lua",
    INBOX = "inbox.lua",
    PLACE = "place.lua",
    PUT_PLAYER = "put_player.lua",
    PUT_STATUS = "put_status.lua",
    PUT_OFF = "put_off.lua",
    STATUSES_AFTER = "statuses_after.lua",
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

/// The key and arguments of one part of a call of a script that does the same for each of its keys.
pub(super) struct Part {
    pub(super) key: String,
    pub(super) arguments: Vec<String>,
}

/// Makes a call of a script with several keys that each have arguments of their own, after `common` ones.
pub(super) fn on_each(script: &Script, common: &[String], parts: &[Part]) -> Cmd {
    let mut call = script.on(&parts.iter().map(|part| part.key.as_str()).collect::<Vec<_>>());
    call.arg(common);
    for part in parts {
        call.arg(&part.arguments);
    }
    call
}
