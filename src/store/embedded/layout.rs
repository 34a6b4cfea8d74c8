//! The layout of the file: every table with its keys and values.
//!
//! Invariant: tables change only inside the writer's transactions, and one transaction reads everything that answers
//! one question. Ids are keys as numbers ([`MatchId::number`](sarsen_base::ids::MatchId::number)), 16 bytes that sort
//! as the ids do. Moments are milliseconds since 1970.
//!
//! A change to a table's types or meaning raises [`LAYOUT`] and comes with a step that upgrades older files as they are
//! opened ([`super::open`]). A table that an older release can do without is only added: opening makes what is missing.

use redb::{Database, Key, ReadableDatabase, Table, TableDefinition, TableError, Value, WriteTransaction};

use super::database::Outcome;
use super::stretches::Place;
use crate::Stage;

/// The version of this layout. A file of a newer one is refused.
pub(super) const LAYOUT: u64 = 1;

/// `"layout"` → [`LAYOUT`] of the release that wrote the file.
pub(super) const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

/// (game, stage, public, players)
pub(super) type Listed<'a> = (&'a str, u8, bool, Vec<u128>);

/// (scope, owner, game, stage, match): scope is [`PUBLIC`] with owner 0, or [`OWN`] with a player
pub(super) type ListKey<'a> = (u8, u128, &'a str, u8, u128);

pub(super) type Reserved<'a> = (i64, &'a str, &'a str);

/// (owner, kind, name): the owner is a player, or 0 for the service
pub(super) type ItemKey<'a> = (u128, &'a str, &'a str);

/// (place on the board, rating)
pub(super) type RatedPlayer<'a> = (Option<i64>, &'a [u8]);

/// The scope of the list of public matches.
pub(super) const PUBLIC: u8 = 0;
/// The scope of players' own lists.
pub(super) const OWN: u8 = 1;

/// Work on tables of any key and value types.
pub(super) trait TableVisitor {
    fn visit<K: Key + 'static, V: Value + 'static>(&mut self, table: TableDefinition<'static, K, V>) -> Outcome<()>;
}

/// Declares all tables but [`META`]: the definition of each, [`Tables`] and [`visit_all`].
macro_rules! tables {
    ($($(#[$doc:meta])* $field:ident: $name:ident<$key:ty, $value:ty>;)+) => {
        $(
            $(#[$doc])*
            pub(super) const $name: TableDefinition<$key, $value> = TableDefinition::new(stringify!($field));
        )+

        /// All tables, open for writing.
        pub(super) struct Tables<'txn> {
            $(pub(crate) $field: Table<'txn, $key, $value>,)+
        }

        impl<'txn> Tables<'txn> {
            /// Opens all tables, and makes missing ones.
            pub(super) fn open(transaction: &'txn WriteTransaction) -> Result<Tables<'txn>, TableError> {
                Ok(Tables { $($field: transaction.open_table($name)?,)+ })
            }
        }

        /// Has the visitor work on every table of the file.
        pub(super) fn visit_all(visitor: &mut impl TableVisitor) -> Outcome<()> {
            visitor.visit(META)?;
            $(visitor.visit($name)?;)+
            Ok(())
        }
    };
}

tables! {
    /// match → (version, its stamp, stored match)
    matches: MATCHES<u128, (u64, u64, &'static [u8])>;
    /// (match, version) → a stretch of its log: the entry of the step that made this version, and those behind it
    log: LOG<Place, &'static [u8]>;
    /// match that is over → its log, packed, in place of the entries in [`LOG`]
    archives: ARCHIVES<u128, &'static [u8]>;
    /// (match, version) → (stamp, state) of a checkpoint
    checkpoints: CHECKPOINTS<(u128, u64), (u64, &'static [u8])>;
    /// (match, player, idempotency key) → (version, fingerprint). Kept as long as the match.
    replays: REPLAYS<(u128, u128, &'static str), (u64, &'static str)>;
    /// match → its listing, so that it can be removed from its lists
    listed: LISTED<u128, Listed<'static>>;
    /// One entry for every list a match is on. Each stage of each game is a stretch of keys in the order of ids; a query
    /// merges the stretches it asks for.
    lists: LISTS<ListKey<'static>, ()>;
    /// (player, number) → a stretch of the inbox: the notice of this number, and those behind it. Trimmed to the newest 1000,
    /// or a few more, and never emptied, so the last stretch of a player holds the newest number.
    inbox: INBOX<Place, &'static [u8]>;
    /// player → (revision, stored player)
    players: PLAYERS<u128, (u64, &'static [u8])>;
    /// player → (revision, stored player status)
    statuses: STATUSES<u128, (u64, &'static [u8])>;
    /// revision → player whose status has it
    status_order: STATUS_ORDER<u64, u128>;
    /// player whose deletion is under way → the moment of the next check
    deletions: DELETIONS<u128, i64>;
    /// player whose deletion is under way → the moment since which no work was left; missing until the first check
    deletions_quiet: DELETIONS_QUIET<u128, i64>;
    /// session → (revision, player, end, stored session)
    sessions: SESSIONS<u128, (u64, u128, i64, &'static [u8])>;
    /// (player, session) → end of the session
    sessions_of: SESSIONS_OF<(u128, u128), i64>;
    /// revoked session → the end of the revocation
    revocations: REVOCATIONS<u128, i64>;
    /// ticket → (end, value)
    once: TICKETS<&'static str, (i64, &'static [u8])>;
    /// (player, idempotency key) → its reservation outside of matches
    reservations: RESERVATIONS<(u128, &'static str), Reserved<'static>>;
    /// owner, kind and name → an item
    items: ITEMS<ItemKey<'static>, &'static [u8]>;
    /// (kind, name) → the player who has the item of this name
    directory: DIRECTORY<(&'static str, &'static str), u128>;
    /// (category, player) → (key on the board, stored rating)
    ratings: RATINGS<(&'static str, u128), RatedPlayer<'static>>;
    /// (category, number) → an entry of the log of its ratings
    rating_log: RATING_LOG<(&'static str, u64), &'static [u8]>;
    /// (category, match) → the number of its last entry in the log
    rated: RATED<(&'static str, u128), u64>;
    /// (category, key, player): a place on the board
    board: BOARD<(&'static str, i64, u128), ()>;
    /// a number → an unused value: the readiness check writes it
    probes: PROBES<&'static str, &'static [u8]>;
    /// (milliseconds, number) → an entry of the audit
    audit: AUDIT<(u64, u64), &'static [u8]>;
    /// (moment, kind, key): at this moment a value may have expired, see [`super::expiry`]
    expiries: EXPIRIES<(i64, u8, &'static [u8]), ()>;
    /// (moment, match): at this moment the match is due
    due: DUE<(u64, u128), ()>;
    /// match → the moment of its entry in [`DUE`]
    due_of: DUE_OF<u128, u64>;
    /// (kind, moment, id): at this moment the job is due
    jobs_due: JOBS_DUE<(&'static str, u64, &'static str), ()>;
    /// (kind, id) → the moment and the body of a job
    jobs: JOBS<(&'static str, &'static str), (u64, &'static [u8])>;
    /// (match, seat) → its stored plan
    plans: PLANS<(u128, u8), &'static [u8]>;
    /// player → their record in matchmaking
    pool_records: POOL_RECORDS<u128, &'static [u8]>;
    /// (queue, moment, player): the player is in this queue of matchmaking
    pool_queues: POOL_QUEUES<(&'static str, i64, u128), ()>;
    /// match that pairing has yet to make → all that it is made of
    paired_matches: PAIRED_MATCHES<u128, &'static [u8]>;
    /// deleted match → the end of its tombstone
    deleted: DELETED<u128, i64>;
    /// The moment of the last heartbeat
    heartbeat: HEARTBEAT<(), i64>;
    /// The beginning of an outage → its end
    outages: OUTAGES<i64, i64>;
}

/// Returns a stage as stored: its place among all, which must not change.
pub(super) const fn stage_code(stage: Stage) -> u8 {
    stage as u8
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
