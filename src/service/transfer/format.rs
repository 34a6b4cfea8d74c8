//! The format of an export: a directory of gzipped files of one kind each, a JSON object a line, and a manifest.
//!
//! Invariants: the manifest is written last, so that a directory without one is no export; it has the hash of each file, so
//! that one that is cut off, damaged or exchanged is found before anything is imported. A change of what a line says that
//! this release could not read raises [`FORMAT`].

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};
use sarsen_store::{
    AuditPlace, Inbox, ItemKind, ItemOwner, Job, JobKind, KeptSession, Listing, Notice, Replay, ReplayKey, Revised,
    Stage, Stamp, WholeMatch,
};

/// The version of the format. An export of a newer one is refused.
pub const FORMAT: u32 = 1;

pub(super) const MANIFEST: &str = "manifest.json";

/// The kinds of lines, each with a file of its own, in the order in which they are imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Players,
    Items,
    Statuses,
    Sessions,
    Revocations,
    Matches,
    Inboxes,
    Ratings,
    Jobs,
    Audit,
}

impl Kind {
    pub(super) const ALL: [Kind; 10] = [
        Kind::Items,
        Kind::Statuses,
        Kind::Sessions,
        Kind::Players,
        Kind::Revocations,
        Kind::Matches,
        Kind::Inboxes,
        Kind::Ratings,
        Kind::Jobs,
        Kind::Audit,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Players => "players",
            Kind::Items => "items",
            Kind::Statuses => "statuses",
            Kind::Sessions => "sessions",
            Kind::Revocations => "revocations",
            Kind::Matches => "matches",
            Kind::Inboxes => "inboxes",
            Kind::Ratings => "ratings",
            Kind::Jobs => "jobs",
            Kind::Audit => "audit",
        }
    }

    pub(super) fn file(self) -> String {
        format!("{}.ndjson.gz", self.name())
    }
}

/// The manifest of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// See [`FORMAT`].
    pub(super) format: u32,
    /// The release that made it.
    pub(super) release: String,
    /// The time at which it was begun: RFC 3339, UTC.
    pub(super) began_at: String,
    /// Matches that have not changed since then are left out: RFC 3339, UTC.
    pub(super) since: Option<String>,
    pub(super) files: Vec<FileEntry>,
}

/// One file of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct FileEntry {
    pub(super) name: String,
    pub(super) lines: u64,
    pub(super) bytes: u64,
    /// 64 hexadecimal digits.
    pub(super) sha256: String,
}

/// One thing that is carried.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Player(PlayerId, Revised),
    /// Of a player or the service: kind, name and what is stored.
    Owned(ItemOwner, ItemKind, String, Vec<u8>),
    /// Of a player, as stored, and whether the player is still to be seen off.
    PlayerStatus(PlayerId, Vec<u8>, bool),
    Session(KeptSession),
    Revocation(SessionId, Timestamp),
    Inbox(PlayerId, Inbox),
    Match(Box<WholeMatch>),
    /// Of a category: a stretch of the log of its ratings from a place on.
    Ratings(String, u64, Vec<Vec<u8>>),
    /// A job that waits.
    Job(Job),
    /// An entry of the audit.
    Audit(AuditPlace, Vec<u8>),
}

impl Item {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Item::Player(..) => Kind::Players,
            Item::Owned(..) => Kind::Items,
            Item::PlayerStatus(..) => Kind::Statuses,
            Item::Session(_) => Kind::Sessions,
            Item::Revocation(..) => Kind::Revocations,
            Item::Inbox(..) => Kind::Inboxes,
            Item::Match(_) => Kind::Matches,
            Item::Ratings(..) => Kind::Ratings,
            Item::Job(_) => Kind::Jobs,
            Item::Audit(..) => Kind::Audit,
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Item::Player(id, _) | Item::PlayerStatus(id, ..) | Item::Inbox(id, _) => id.as_str(),
            Item::Owned(ItemOwner::Player(id), ..) => id.as_str(),
            Item::Owned(ItemOwner::Service, kind, ..) => kind.name(),
            Item::Session(session) => session.id.as_str(),
            Item::Revocation(id, _) => id.as_str(),
            Item::Match(whole) => whole.id.as_str(),
            Item::Ratings(category, ..) => category,
            Item::Job(job) => &job.id,
            Item::Audit(..) => Kind::Audit.name(),
        }
    }

    /// About how much room it takes, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Item::Match(whole) => whole.stored.len() + whole.entries.iter().map(Vec::len).sum::<usize>(),
            Item::Inbox(_, inbox) => inbox.notices.len() * 64,
            Item::Ratings(_, _, entries) => entries.iter().map(Vec::len).sum(),
            _ => 512,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct PlayerLine {
    id: PlayerId,
    revision: u64,
    stored: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct ItemLine {
    /// Missing for the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<PlayerId>,
    kind: ItemKind,
    name: String,
    stored: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct StatusLine {
    player: PlayerId,
    deleting: bool,
    stored: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct SessionLine {
    id: SessionId,
    player: PlayerId,
    revision: u64,
    expires: Timestamp,
    stored: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct RevocationLine {
    id: SessionId,
    until: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct InboxLine {
    player: PlayerId,
    newest: u64,
    notices: Vec<NoticeLine>,
}

#[derive(Serialize, Deserialize)]
struct NoticeLine {
    #[serde(rename = "n")]
    number: u64,
    #[serde(rename = "m")]
    match_id: MatchId,
    #[serde(rename = "v")]
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct MatchLine {
    id: MatchId,
    version: u64,
    stamp: Stamp,
    listing: Option<ListingLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due: Option<Timestamp>,
    stored: Box<RawValue>,
    log: Vec<Box<RawValue>>,
    replays: Vec<ReplayLine>,
}

#[derive(Serialize, Deserialize)]
struct RatingsLine {
    category: String,
    from: u64,
    log: Vec<Box<RawValue>>,
}

#[derive(Serialize, Deserialize)]
struct JobLine {
    kind: String,
    id: String,
    at: Timestamp,
    body: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct AuditLine {
    place: String,
    entry: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct ListingLine {
    game: String,
    stage: Stage,
    public: bool,
    players: Vec<PlayerId>,
}

#[derive(Serialize, Deserialize)]
struct ReplayLine {
    player: PlayerId,
    key: String,
    version: u64,
    fingerprint: String,
}

/// Stored bytes as the JSON that they are. `None` if they are none, or not just these bytes on one line.
fn raw(stored: &[u8]) -> Option<Box<RawValue>> {
    let raw: Box<RawValue> = serde_json::from_slice(stored).ok()?;
    (raw.get().as_bytes() == stored && !stored.contains(&b'\n')).then_some(raw)
}

fn bytes(raw: Box<RawValue>) -> Vec<u8> {
    String::from(Box::<str>::from(raw)).into_bytes()
}

/// The line of an item, without its end; `None` if what is stored is not JSON.
pub(super) fn write(item: Item) -> Option<Vec<u8>> {
    let line = match item {
        Item::Player(id, Revised { stored, revision }) => {
            serde_json::to_vec(&PlayerLine { id, revision, stored: raw(&stored)? })
        }
        Item::Owned(owner, kind, name, stored) => {
            let player = match owner {
                ItemOwner::Player(player) => Some(player),
                ItemOwner::Service => None,
            };
            serde_json::to_vec(&ItemLine { player, kind, name, stored: raw(&stored)? })
        }
        Item::PlayerStatus(player, stored, deleting) => {
            serde_json::to_vec(&StatusLine { player, deleting, stored: raw(&stored)? })
        }
        Item::Session(KeptSession { id, player, revision, stored, expires }) => {
            serde_json::to_vec(&SessionLine { id, player, revision, expires, stored: raw(&stored)? })
        }
        Item::Revocation(id, until) => serde_json::to_vec(&RevocationLine { id, until }),
        Item::Inbox(player, Inbox { notices, newest }) => {
            let notices = notices.into_iter().map(|Notice { number, match_id, version }| NoticeLine {
                number,
                match_id,
                version,
            });
            serde_json::to_vec(&InboxLine { player, newest, notices: notices.collect() })
        }
        Item::Match(whole) => {
            let WholeMatch { id, version, stamp, stored, listing, due, entries, replays } = *whole;
            let listing =
                listing.map(|Listing { game, stage, public, players }| ListingLine { game, stage, public, players });
            let replays = replays.into_iter().map(|(ReplayKey { player, key }, Replay { version, fingerprint })| {
                ReplayLine { player, key, version, fingerprint }
            });
            let (stored, replays) = (raw(&stored)?, replays.collect());
            let log = entries.iter().map(|entry| raw(entry)).collect::<Option<_>>()?;
            serde_json::to_vec(&MatchLine { id, version, stamp, listing, due, stored, log, replays })
        }
        Item::Ratings(category, from, entries) => {
            let log = entries.iter().map(|entry| raw(entry)).collect::<Option<_>>()?;
            serde_json::to_vec(&RatingsLine { category, from, log })
        }
        Item::Job(Job { kind, id, at, body }) => {
            serde_json::to_vec(&JobLine { kind: kind.name().to_owned(), id, at, body: raw(&body)? })
        }
        Item::Audit(place, entry) => serde_json::to_vec(&AuditLine { place: place.to_string(), entry: raw(&entry)? }),
    };
    line.ok()
}

/// Reads a line of this kind.
pub(super) fn read(kind: Kind, line: &str) -> serde_json::Result<Item> {
    Ok(match kind {
        Kind::Players => {
            let PlayerLine { id, revision, stored } = serde_json::from_str(line)?;
            Item::Player(id, Revised { stored: bytes(stored), revision })
        }
        Kind::Items => {
            let ItemLine { player, kind, name, stored } = serde_json::from_str(line)?;
            Item::Owned(player.map_or(ItemOwner::Service, ItemOwner::Player), kind, name, bytes(stored))
        }
        Kind::Statuses => {
            let StatusLine { player, deleting, stored } = serde_json::from_str(line)?;
            Item::PlayerStatus(player, bytes(stored), deleting)
        }
        Kind::Sessions => {
            let SessionLine { id, player, revision, expires, stored } = serde_json::from_str(line)?;
            Item::Session(KeptSession { id, player, revision, stored: bytes(stored), expires })
        }
        Kind::Revocations => {
            let RevocationLine { id, until } = serde_json::from_str(line)?;
            Item::Revocation(id, until)
        }
        Kind::Inboxes => {
            let InboxLine { player, newest, notices } = serde_json::from_str(line)?;
            let notices = notices.into_iter().map(|NoticeLine { number, match_id, version }| Notice {
                number,
                match_id,
                version,
            });
            Item::Inbox(player, Inbox { notices: notices.collect(), newest })
        }
        Kind::Matches => {
            let MatchLine { id, version, stamp, listing, due, stored, log, replays } = serde_json::from_str(line)?;
            let listing =
                listing.map(|ListingLine { game, stage, public, players }| Listing { game, stage, public, players });
            let replays = replays.into_iter().map(|ReplayLine { player, key, version, fingerprint }| {
                (ReplayKey { player, key }, Replay { version, fingerprint })
            });
            let (replays, entries) = (replays.collect(), log.into_iter().map(bytes).collect());
            let stored = bytes(stored);
            Item::Match(Box::new(WholeMatch { id, version, stamp, stored, listing, due, entries, replays }))
        }
        Kind::Ratings => {
            let RatingsLine { category, from, log } = serde_json::from_str(line)?;
            Item::Ratings(category, from, log.into_iter().map(bytes).collect())
        }
        Kind::Jobs => {
            let JobLine { kind, id, at, body } = serde_json::from_str(line)?;
            let kind = JobKind::ALL.into_iter().find(|known| known.name() == kind && known.is_carried());
            let kind = kind.ok_or_else(|| serde::de::Error::custom("a job of a kind that is not carried"))?;
            Item::Job(Job { kind, id, at, body: bytes(body) })
        }
        Kind::Audit => {
            let AuditLine { place, entry } = serde_json::from_str(line)?;
            Item::Audit(place.parse().map_err(serde::de::Error::custom)?, bytes(entry))
        }
    })
}
