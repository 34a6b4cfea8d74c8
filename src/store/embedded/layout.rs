//! The layout of the file: every table with its keys and values.
//!
//! Invariant: tables change only inside the writer's transactions, and one transaction reads everything that answers
//! one question. Ids are keys as numbers ([`MatchId::number`](sarsen_base::ids::MatchId::number)), 16 bytes that sort
//! as the ids do. Moments are milliseconds since 1970.
//!
//! A change to a table's types or meaning raises [`LAYOUT`] and comes with a step that upgrades older files as they are
//! opened ([`super::open`]). A table that an older release can do without is only added: opening makes what is missing.

use redb::{Database, ReadableDatabase, Table, TableDefinition, TableError, WriteTransaction};

use super::database::Outcome;
use super::stretches::Place;
use crate::Stage;

/// The version of this layout. A file of a newer one is refused.
pub(super) const LAYOUT: u64 = 1;

/// `"layout"` → [`LAYOUT`] of the release that wrote the file.
pub(super) const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

/// match → (version, its stamp, stored match)
pub(super) const MATCHES: TableDefinition<u128, (u64, u64, &[u8])> = TableDefinition::new("matches");

/// (match, version) → a stretch of its log: the entry of the step that made this version, and those behind it
pub(super) const LOG: TableDefinition<Place, &[u8]> = TableDefinition::new("log");

/// match that is over → its log, packed, in place of the entries in [`LOG`]
pub(super) const ARCHIVES: TableDefinition<u128, &[u8]> = TableDefinition::new("archives");

/// (match, version) → (stamp, state) of a checkpoint
pub(super) const CHECKPOINTS: TableDefinition<(u128, u64), (u64, &[u8])> = TableDefinition::new("checkpoints");

/// (match, player, idempotency key) → (version, fingerprint). Kept as long as the match.
pub(super) const REPLAYS: TableDefinition<(u128, u128, &str), (u64, &str)> = TableDefinition::new("replays");

/// (game, stage, public, players)
pub(super) type Listed<'a> = (&'a str, u8, bool, Vec<u128>);

/// match → its listing, so that it can be removed from its lists
pub(super) const LISTED: TableDefinition<u128, Listed<'static>> = TableDefinition::new("listed");

/// (scope, owner, game, stage, match): scope is [`PUBLIC`] with owner 0, or [`OWN`] with a player
pub(super) type ListKey<'a> = (u8, u128, &'a str, u8, u128);

/// One entry for every list a match is on. Each stage of each game is a stretch of keys in the order of ids; a query
/// merges the stretches it asks for.
pub(super) const LISTS: TableDefinition<ListKey<'static>, ()> = TableDefinition::new("lists");

/// The scope of the list of public matches.
pub(super) const PUBLIC: u8 = 0;
/// The scope of players' own lists.
pub(super) const OWN: u8 = 1;

/// (player, number) → a stretch of the inbox: the notice of this number, and those behind it. Trimmed to the newest 1000,
/// or a few more, and never emptied, so the last stretch of a player holds the newest number.
pub(super) const INBOX: TableDefinition<Place, &[u8]> = TableDefinition::new("inbox");

/// player → (revision, stored player)
pub(super) const PLAYERS: TableDefinition<u128, (u64, &[u8])> = TableDefinition::new("players");

/// player → (revision, stored player status)
pub(super) const MARKS: TableDefinition<u128, (u64, &[u8])> = TableDefinition::new("marks");

/// revision → player whose status has it
pub(super) const MARK_ORDER: TableDefinition<u64, u128> = TableDefinition::new("mark_order");

/// player whose deletion is under way → the moment of the next check
pub(super) const LEAVING: TableDefinition<u128, i64> = TableDefinition::new("leaving");

/// player whose deletion is under way → the moment since which no work was left; missing until the first check
pub(super) const LEAVING_QUIET: TableDefinition<u128, i64> = TableDefinition::new("leaving_quiet");

/// session → (revision, player, end, stored session)
pub(super) const SESSIONS: TableDefinition<u128, (u64, u128, i64, &[u8])> = TableDefinition::new("sessions");

/// (player, session) → end of the session
pub(super) const SESSIONS_OF: TableDefinition<(u128, u128), i64> = TableDefinition::new("sessions_of");

/// revoked session → the end of the revocation
pub(super) const REVOCATIONS: TableDefinition<u128, i64> = TableDefinition::new("revocations");

/// ticket → (end, value)
pub(super) const TICKETS: TableDefinition<&str, (i64, &[u8])> = TableDefinition::new("once");

pub(super) type Reserved<'a> = (i64, &'a str, &'a str);

/// (player, idempotency key) → its reservation outside of matches
pub(super) const RESERVATIONS: TableDefinition<(u128, &str), Reserved<'static>> = TableDefinition::new("reservations");

/// (owner, kind, name): the owner is a player, or 0 for the service
pub(super) type ItemKey<'a> = (u128, &'a str, &'a str);

/// owner, kind and name → an item
pub(super) const ITEMS: TableDefinition<ItemKey<'static>, &[u8]> = TableDefinition::new("items");

/// (kind, name) → the player who has the item of this name
pub(super) const DIRECTORY: TableDefinition<(&str, &str), u128> = TableDefinition::new("directory");

/// (place on the board, rating)
pub(super) type RatedPlayer<'a> = (Option<i64>, &'a [u8]);

/// (category, player) → (key on the board, stored rating)
pub(super) const RATINGS: TableDefinition<(&str, u128), RatedPlayer<'static>> = TableDefinition::new("ratings");

/// (category, number) → an entry of the log of its ratings
pub(super) const RATING_LOG: TableDefinition<(&str, u64), &[u8]> = TableDefinition::new("rating_log");

/// (category, match) → the number of its last entry in the log
pub(super) const RATED: TableDefinition<(&str, u128), u64> = TableDefinition::new("rated");

/// (category, key, player): a place on the board
pub(super) const BOARD: TableDefinition<(&str, i64, u128), ()> = TableDefinition::new("board");

/// a number → an unused value: the readiness check writes it
pub(super) const PROBES: TableDefinition<&str, &[u8]> = TableDefinition::new("probes");

/// (milliseconds, number) → an entry of the audit
pub(super) const AUDIT: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("audit");

/// (moment, kind, key): at this moment a value may have expired, see [`super::expiry`]
pub(super) const EXPIRIES: TableDefinition<(i64, u8, &[u8]), ()> = TableDefinition::new("expiries");

/// (moment, match): at this moment the match is due
pub(super) const DUE: TableDefinition<(u64, u128), ()> = TableDefinition::new("due");

/// match → the moment of its entry in [`DUE`]
pub(super) const DUE_OF: TableDefinition<u128, u64> = TableDefinition::new("due_of");

/// (kind, moment, id): at this moment the job is due
pub(super) const JOBS_DUE: TableDefinition<(&str, u64, &str), ()> = TableDefinition::new("jobs_due");

/// (kind, id) → the moment and the body of a job
pub(super) const JOBS: TableDefinition<(&str, &str), (u64, &[u8])> = TableDefinition::new("jobs");

/// (match, seat) → its stored plan
pub(super) const PLANS: TableDefinition<(u128, u8), &[u8]> = TableDefinition::new("plans");

/// player → their record in matchmaking
pub(super) const POOL_RECORDS: TableDefinition<u128, &[u8]> = TableDefinition::new("pool_records");

/// (queue, moment, player): the player is in this queue of matchmaking
pub(super) const POOL_QUEUES: TableDefinition<(&str, i64, u128), ()> = TableDefinition::new("pool_queues");

/// match that pairing has yet to make → all that it is made of
pub(super) const PAIRED_MATCHES: TableDefinition<u128, &[u8]> = TableDefinition::new("paired_matches");

/// deleted match → the end of its tombstone
pub(super) const DELETED: TableDefinition<u128, i64> = TableDefinition::new("deleted");

/// The moment of the last heartbeat
pub(super) const HEARTBEAT: TableDefinition<(), i64> = TableDefinition::new("heartbeat");

/// The beginning of an outage → its end
pub(super) const OUTAGES: TableDefinition<i64, i64> = TableDefinition::new("outages");

/// Returns a stage as stored.
pub(super) const fn stage_code(stage: Stage) -> u8 {
    match stage {
        Stage::Open => 0,
        Stage::Playing => 1,
        Stage::Finished => 2,
        Stage::Aborted => 3,
    }
}

/// All tables, open for writing.
pub(super) struct Tables<'txn> {
    pub(crate) matches: Table<'txn, u128, (u64, u64, &'static [u8])>,
    pub(crate) log: Table<'txn, Place, &'static [u8]>,
    pub(crate) archives: Table<'txn, u128, &'static [u8]>,
    pub(crate) checkpoints: Table<'txn, (u128, u64), (u64, &'static [u8])>,
    pub(crate) replays: Table<'txn, (u128, u128, &'static str), (u64, &'static str)>,
    pub(crate) listed: Table<'txn, u128, Listed<'static>>,
    pub(crate) lists: Table<'txn, ListKey<'static>, ()>,
    pub(crate) inbox: Table<'txn, Place, &'static [u8]>,
    pub(crate) players: Table<'txn, u128, (u64, &'static [u8])>,
    pub(crate) marks: Table<'txn, u128, (u64, &'static [u8])>,
    pub(crate) mark_order: Table<'txn, u64, u128>,
    pub(crate) leaving: Table<'txn, u128, i64>,
    pub(crate) leaving_quiet: Table<'txn, u128, i64>,
    pub(crate) sessions: Table<'txn, u128, (u64, u128, i64, &'static [u8])>,
    pub(crate) sessions_of: Table<'txn, (u128, u128), i64>,
    pub(crate) revocations: Table<'txn, u128, i64>,
    pub(crate) tickets: Table<'txn, &'static str, (i64, &'static [u8])>,
    pub(crate) reservations: Table<'txn, (u128, &'static str), Reserved<'static>>,
    pub(crate) items: Table<'txn, ItemKey<'static>, &'static [u8]>,
    pub(crate) directory: Table<'txn, (&'static str, &'static str), u128>,
    pub(crate) ratings: Table<'txn, (&'static str, u128), RatedPlayer<'static>>,
    pub(crate) rating_log: Table<'txn, (&'static str, u64), &'static [u8]>,
    pub(crate) rated: Table<'txn, (&'static str, u128), u64>,
    pub(crate) board: Table<'txn, (&'static str, i64, u128), ()>,
    pub(crate) probes: Table<'txn, &'static str, &'static [u8]>,
    pub(crate) audit: Table<'txn, (u64, u64), &'static [u8]>,
    pub(crate) due: Table<'txn, (u64, u128), ()>,
    pub(crate) due_of: Table<'txn, u128, u64>,
    pub(crate) jobs_due: Table<'txn, (&'static str, u64, &'static str), ()>,
    pub(crate) jobs: Table<'txn, (&'static str, &'static str), (u64, &'static [u8])>,
    pub(crate) plans: Table<'txn, (u128, u8), &'static [u8]>,
    pub(crate) pool_records: Table<'txn, u128, &'static [u8]>,
    pub(crate) pool_queues: Table<'txn, (&'static str, i64, u128), ()>,
    pub(crate) paired_matches: Table<'txn, u128, &'static [u8]>,
    pub(crate) deleted: Table<'txn, u128, i64>,
    pub(crate) heartbeat: Table<'txn, (), i64>,
    pub(crate) outages: Table<'txn, i64, i64>,
    pub(crate) expiries: Table<'txn, (i64, u8, &'static [u8]), ()>,
}

impl<'txn> Tables<'txn> {
    /// Opens all tables, and makes missing ones.
    pub(super) fn open(transaction: &'txn WriteTransaction) -> Result<Tables<'txn>, TableError> {
        Ok(Tables {
            matches: transaction.open_table(MATCHES)?,
            log: transaction.open_table(LOG)?,
            archives: transaction.open_table(ARCHIVES)?,
            checkpoints: transaction.open_table(CHECKPOINTS)?,
            replays: transaction.open_table(REPLAYS)?,
            listed: transaction.open_table(LISTED)?,
            lists: transaction.open_table(LISTS)?,
            inbox: transaction.open_table(INBOX)?,
            players: transaction.open_table(PLAYERS)?,
            marks: transaction.open_table(MARKS)?,
            mark_order: transaction.open_table(MARK_ORDER)?,
            leaving: transaction.open_table(LEAVING)?,
            leaving_quiet: transaction.open_table(LEAVING_QUIET)?,
            sessions: transaction.open_table(SESSIONS)?,
            sessions_of: transaction.open_table(SESSIONS_OF)?,
            revocations: transaction.open_table(REVOCATIONS)?,
            tickets: transaction.open_table(TICKETS)?,
            reservations: transaction.open_table(RESERVATIONS)?,
            items: transaction.open_table(ITEMS)?,
            directory: transaction.open_table(DIRECTORY)?,
            ratings: transaction.open_table(RATINGS)?,
            rating_log: transaction.open_table(RATING_LOG)?,
            rated: transaction.open_table(RATED)?,
            board: transaction.open_table(BOARD)?,
            probes: transaction.open_table(PROBES)?,
            audit: transaction.open_table(AUDIT)?,
            due: transaction.open_table(DUE)?,
            due_of: transaction.open_table(DUE_OF)?,
            jobs_due: transaction.open_table(JOBS_DUE)?,
            jobs: transaction.open_table(JOBS)?,
            plans: transaction.open_table(PLANS)?,
            pool_records: transaction.open_table(POOL_RECORDS)?,
            pool_queues: transaction.open_table(POOL_QUEUES)?,
            paired_matches: transaction.open_table(PAIRED_MATCHES)?,
            deleted: transaction.open_table(DELETED)?,
            heartbeat: transaction.open_table(HEARTBEAT)?,
            outages: transaction.open_table(OUTAGES)?,
            expiries: transaction.open_table(EXPIRIES)?,
        })
    }
}

/// Returns the layout of the file, `None` if it is new.
pub(super) fn found(database: &Database) -> Outcome<Option<u64>> {
    let transaction = database.begin_read()?;
    match transaction.open_table(META) {
        Ok(meta) => Ok(meta.get("layout")?.map(|layout| layout.value())),
        Err(TableError::TableDoesNotExist(_)) if transaction.list_tables()?.next().is_none() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes the missing tables, all at once, so that readers find them.
pub(super) fn prepare(database: &Database) -> Outcome<()> {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    transaction.open_table(META)?.insert("layout", LAYOUT)?;
    drop(Tables::open(&transaction)?);
    Ok(transaction.commit()?)
}
