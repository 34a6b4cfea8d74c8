//! All keys of Sarsen in Redis: the only place where their names are made.
//!
//! All keys start with `<prefix>:1:`, where 1 is the version of this layout. The part in braces is the hash tag, which
//! determines the slot in a cluster: keys that one script touches share it.
//!
//! | key | type | holds | expires |
//! |---|---|---|---|
//! | `{a07}:m:<match>` | hash | `v` version, `r` the stored match, `s` version and stamp (`<version>.<stamp>`, ignored where that is not `v`), `l` listing (JSON), `p` where a seat has a plan, `k<player>\|<key>` the replay of an idempotency key (`<version>:<fingerprint>`) | with the match: a week after it was called off before its start, or as the operator has configured for finished ones |
//! | `{a07}:log:<match>` | list | one entry a version | with the match |
//! | `{a07}:arc:<match>` | string | in place of the log, once the match has been over for long: all entries, packed | with the match |
//! | `{a07}:cp:<match>` | sorted set | checkpoints by version: each the 8 bytes of its stamp and a state | a week after the last was left; with the match |
//! | `{a07}:plan:<match>` | hash | the stored plans by seat | 400 days after the last was made; with the match |
//! | `{a07}:outbox` | list | tasks that commits of the shard left, oldest first: in a cluster all changes to lists and inboxes, on one server those that the commit could not make itself | entries go when done |
//! | `{a07}:due` | sorted set | ids of the shard's matches by the moment at which they are due (ms), one entry a match | entries go when nothing is due any more |
//! | `{a07}:jobs:<kind>` | sorted set | ids of the shard's jobs of a kind (`notify`, `deliver`, `rate`, `review`, `call_off`) by the moment at which they are due (ms). Those of `rate` and `call_off` are exported | entries go when done |
//! | `{a07}:job` | hash | by `<kind>:<id>`, the bodies of the shard's jobs | fields go when done |
//! | `{a07}:deleted:<match>` | string | a tombstone of a deleted match, which is not made again under its id; the value is unused | after 25 hours |
//! | `{a07}:think:<match>` | string | the holder of the claim on the match for its bots | after 5 s, unless renewed; goes when done |
//! | `{a07}:settled` | string | an unused value: written before a wait for replicas where nothing else is written | after 10 s |
//! | `{public}:list:<stage>:<game>` | sorted set | ids of public matches, all at score 0, so in the order of ids | never; entries go with the match |
//! | `{<player>}:list:<stage>:<game>` | sorted set | ids of the player's matches, likewise | never; entries go with the match |
//! | `{<player>}:inbox` | list | `<match>:<version>` in order, behind the number of those that were dropped | never; trimmed now and then to the newest 1000, of which those of deleted matches are skipped |
//! | `{<player>}:player` | hash | `n` revision, `r` the stored player | never |
//! | `{<player>}:sessions` | sorted set | ids of sessions by their end (ms) | at the end of the last; entries past theirs go when one is added |
//! | `{<player>}:replay:<key>` | string | the reservation of an idempotency key outside of matches (`<id>:<fingerprint>`), of a pairing code or of a recovery. Left out of exports | after 24 h; that of a pairing code after 15 minutes |
//! | `{<player>}:items:<kind>`, `{service}:items:<kind>` | hash | by name, small things of one kind that belong to the player or the service: `identity`, `recovery`, `token`, `bot`, `contact`, `block`, `report`, `idle`, `webhook`, `push_subscription`, `delivery`, `listener`. Exports carry all but `delivery`; the check reads all, and the deletion of the player removes them (not those of the service) | never; fields go with their items; a `delivery` is shown for 4 days |
//! | `directory:<kind>:<name>` | string | the player whose `identity`, `recovery` key or `token` has this name. Left out of exports: an import makes it from the items, and `check --fix` too where it is missing | never; goes with the item |
//! | `ratings` | set | the categories that have a log of ratings or of results | never; a board of a month goes 13 months after it, with its keys |
//! | `{r:<category>}:log` | list | entries of the log of its ratings. Exported; the other keys of ratings follow from it | never |
//! | `{r:<category>}:done` | hash | by match, the place of its last entry in that log, from 0 | never |
//! | `{r:<category>}:p`, `{r:<category>}:board` | hash, sorted set | stored ratings by player; the players on the board by key | never; entries go with the player |
//! | `{r:<category>}:2:p`, `{r:<category>}:2:board` | hash, sorted set | the same, computed again; with the moment behind it (ms) | after an hour, unless they take the place of the others |
//! | `{<session>}:session` | hash | `n` revision or `revoked`, `r` the stored session, `e` end (ms) | at `e` |
//! | `revocations` | sorted set | ids of revoked sessions by the end of the revocation (ms) | never; entries past theirs go when one is added |
//! | `{statuses}:of` | hash | player statuses by player: the revision, a space, the stored status | never |
//! | `{statuses}:order` | sorted set | the players with a status by its revision | never |
//! | `{statuses}:deletions` | sorted set | players whose deletion is under way, by the moment of the next check (ms) | entries go when done |
//! | `{statuses}:quiet` | hash | by such a player, the moment since which no work was left (ms) | fields go when done |
//! | `{mm}:t` | hash | by player, their record in matchmaking: the tickets that wait, and the last match of each pool. Left out of exports | never; fields go with the last of it, and with the account |
//! | `{mm}:p:<queue>` | sorted set | players by moment (ms): with a pool's id those who wait in it, with `~` and the id those whose match the service then checks for its end, with `~` alone all by the moment at which their record is of no use. Left out of exports | entries go with tickets and matches |
//! | `{mm}:made` | hash | by match, all that a match is made of that pairing has yet to make. Left out of exports | fields go when made |
//! | `admin:audit` | stream | one entry a call of an operator: `e` the action, the operator, the reason | never; entries past 400 days go when one is added |
//! | `bucket:<name>` | hash | `t` the level (60000 a unit), `m` its moment (server time, ms) | a second after it would be full |
//! | `once:<name>` | string | a ticket: a value that can be taken once; with the name `pair:<sha256>` the player of a pairing code, and with `pairing:<player>` the hash of the player's newest, which stay; with the name `invite:<sha256>` the match of an invite whose code has this hash, which stays; with the name `review:<match>.<level>.<version of the bots>` a review, likewise. Left out of exports | as asked |
//! | `{instances}:beats` | sorted set | ids of instances by their last heartbeat (ms), with `-` in front where they only serve | never; the dead go with the next heartbeat |
//! | `{instances}:there` | string | the last moment at which the service was there (ms): of the last heartbeat, or of the last instance's closing of its listener | never |
//! | `{instances}:outages` | list | outages as `<from>:<to>` (ms) | never; those of more than 30 days ago go with a heartbeat |
//! | `{instances}:settled` | string | an unused value: written where a heartbeat waits for replicas | after 10 s |
//! | `ready` | string | an unused value: the readiness check writes it | after 10 s |
//! | `heard` | hash | on one server, by bucket of matches (`m<number>`) and of inboxes (`p<number>`), the end of the subscriptions of all instances (server time, s) | four minutes after the last subscription |
//! | `live` | channel | `<match>:<version>`, `<player>,<player>…`, `+<player>` of whom a further session has begun, `<session>:<end in ms>`, `<player>:<revision of their status>` | – |
//!
//! A match is on one list of each owner, that of its stage and game. A reader merges the lists that a query asks for.
//! `{a07}` is one of 64 shards, by a hash of the match id: a shard's outbox shares the slot of its matches, so that a
//! commit is one script also in a cluster.

use super::{ItemKind, ItemOwner, JobKind, ListScope, Outage, ReplayKey, Stage};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{InstanceId, LENGTH, MatchId, PlayerId, SessionId};

/// The number of shards. Part of the layout: changing it strands the stored matches.
pub(crate) const SHARDS: u8 = 64;

/// Returns the FNV-1a hash of a text. Part of the layout.
pub(super) fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// One of the [`SHARDS`] parts that matches are divided into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard(u8);

impl Shard {
    /// Returns the shard of a match: FNV-1a of its id.
    pub fn of(id: &MatchId) -> Shard {
        Shard::of_text(id.as_str())
    }

    /// Returns the shard of a job: that of the match whose id its own begins with, if it does.
    pub(super) fn of_job(id: &str) -> Shard {
        let of_match = id.get(..LENGTH).and_then(|id| id.parse().ok());
        of_match.map_or_else(|| Shard::of_text(id), |id: MatchId| Shard::of(&id))
    }

    fn of_text(id: &str) -> Shard {
        Shard((fnv(id) % u64::from(SHARDS)) as u8)
    }

    pub(crate) fn all() -> impl Iterator<Item = Shard> {
        (0..SHARDS).map(Shard)
    }

    /// Its number, below [`SHARDS`].
    pub(crate) fn number(self) -> u8 {
        self.0
    }
}

/// The mark in front of instances that only serve, in the sorted set of heartbeats.
pub(super) const SERVES_ONLY: char = '-';

/// Reads an entry of the list of outages.
pub(super) fn outage(text: &str) -> Option<Outage> {
    let (from, to) = text.split_once(':')?;
    Some(Outage { from: Timestamp(from.parse().ok()?), to: Timestamp(to.parse().ok()?) })
}

/// The description of a key that this release knows.
pub(super) struct KnownKey {
    /// The id of the owner of the key, or the kind of key.
    pub(super) name: String,
    /// The type of its value, as Redis calls it.
    pub(super) holds: &'static str,
    /// The check that a text is an entry of the key, where its entries are ids or other short texts of one form.
    pub(super) names: Option<fn(&str) -> bool>,
}

fn is_id<T: std::str::FromStr>(text: &str) -> bool {
    text.parse::<T>().is_ok()
}

/// Makes keys under one prefix.
#[derive(Clone, Debug)]
pub struct Keys {
    root: String,
}

impl Keys {
    /// Keys under `prefix`, which must not contain braces.
    pub fn new(prefix: &str) -> Keys {
        Keys { root: format!("{prefix}:1:") }
    }

    fn shard(&self, shard: Shard, rest: &str, id: &str) -> String {
        let tens = char::from(b'0' + shard.0 / 10);
        let ones = char::from(b'0' + shard.0 % 10);
        let mut key = String::with_capacity(self.root.len() + 6 + rest.len() + id.len());
        // Many keys are made for each move, and formatting takes several times as long.
        for part in [self.root.as_str(), "{a"] {
            key.push_str(part);
        }
        key.push(tens);
        key.push(ones);
        for part in ["}:", rest, id] {
            key.push_str(part);
        }
        key
    }

    /// Returns the keys of one match, for callers that need several.
    pub(crate) fn of_match<'a>(&'a self, id: &'a MatchId) -> MatchKeys<'a> {
        MatchKeys { keys: self, shard: Shard::of(id), id }
    }

    /// The match itself.
    pub fn the_match(&self, id: &MatchId) -> String {
        self.of_match(id).the_match()
    }

    /// The match's log.
    pub fn log(&self, id: &MatchId) -> String {
        self.of_match(id).log()
    }

    /// The match's archived log.
    pub(crate) fn archive(&self, id: &MatchId) -> String {
        self.shard(Shard::of(id), "arc:", id.as_str())
    }

    pub(crate) fn checkpoints(&self, id: &MatchId) -> String {
        self.shard(Shard::of(id), "cp:", id.as_str())
    }

    /// The plans of the match's seats.
    pub(crate) fn plans(&self, id: &MatchId) -> String {
        self.shard(Shard::of(id), "plan:", id.as_str())
    }

    /// The outbox of a shard: tasks that its commits left.
    pub fn outbox(&self, shard: Shard) -> String {
        self.shard(shard, "outbox", "")
    }

    /// The due index of a shard.
    pub(crate) fn due(&self, shard: Shard) -> String {
        self.shard(shard, "due", "")
    }

    /// The jobs of a shard of one kind.
    pub(super) fn jobs(&self, shard: Shard, kind: JobKind) -> String {
        self.shard(shard, "jobs:", kind.name())
    }

    /// The bodies of all jobs of a shard.
    pub(super) fn job_bodies(&self, shard: Shard) -> String {
        self.shard(shard, "job", "")
    }

    /// The claim on the match for its bots.
    pub(crate) fn thinking(&self, id: &MatchId) -> String {
        self.shard(Shard::of(id), "think:", id.as_str())
    }

    /// The tombstone of a deleted match.
    pub(crate) fn deleted(&self, id: &MatchId) -> String {
        self.of_match(id).deleted()
    }

    /// The key that is written to a shard only to wait for its replicas.
    pub(crate) fn settled(&self, shard: Shard) -> String {
        self.shard(shard, "settled", "")
    }

    /// The list of matches of one owner, stage and game.
    pub fn list(&self, scope: &ListScope, stage: Stage, game: &str) -> String {
        let owner = match scope {
            ListScope::Public => "public",
            ListScope::Player(player) => player.as_str(),
        };
        [self.root.as_str(), "{", owner, "}:list:", stage.name(), ":", game].concat()
    }

    /// The pattern of the keys of all matches.
    pub(crate) fn every_match(&self) -> String {
        format!("{}{{a[0-9][0-9]}}:m:m_*", self.root)
    }

    /// The pattern of the keys of all players.
    pub(crate) fn every_player(&self) -> String {
        format!("{}{{p_*}}:player", self.root)
    }

    /// The pattern of the keys of all lists.
    pub(crate) fn every_list(&self) -> String {
        format!("{}{{p*}}:list:*", self.root)
    }

    /// The pattern of all keys.
    pub(super) fn all(&self) -> String {
        format!("{}*", self.root)
    }

    /// Describes a key; `None` if this release makes no such key.
    pub(super) fn known(&self, key: &str) -> Option<KnownKey> {
        let rest = key.strip_prefix(&self.root)?;
        let of = |name: String, holds| Some(KnownKey { name, holds, names: None });
        let naming = |name: String, names| Some(KnownKey { name, holds: "zset", names: Some(names) });
        let Some((owner, rest)) = rest.strip_prefix('{').and_then(|rest| rest.split_once("}:")) else {
            return match rest.split_once(':').map_or(rest, |(kind, _)| kind) {
                "revocations" => naming("the revocations".to_owned(), is_id::<SessionId>),
                "admin" => of("the audit".to_owned(), "stream"),
                "bucket" => of("a bucket".to_owned(), "hash"),
                "once" => of("a ticket".to_owned(), "string"),
                "directory" => of("a name of the directory".to_owned(), "string"),
                "ready" => of("the mark of readiness".to_owned(), "string"),
                "ratings" => of("the categories of ratings".to_owned(), "set"),
                "heard" => of("what is heard".to_owned(), "hash"),
                _ => None,
            };
        };
        if let Some(category) = owner.strip_prefix("r:") {
            let name = format!("the ratings of {category}");
            return match rest.strip_prefix("2:").unwrap_or(rest).split(':').next()? {
                "p" | "done" => of(name, "hash"),
                "log" => of(name, "list"),
                "board" => naming(name, is_id::<PlayerId>),
                _ => None,
            };
        }
        let (kind, id) = rest.split_once(':').unwrap_or((rest, ""));
        // Does not quote an invalid id: its content is unknown.
        let one = |name: &str, is: bool| if is { name.to_owned() } else { "a key of nobody".to_owned() };
        let a_match = one(id, is_id::<MatchId>(id));
        let a_player = one(owner, is_id::<PlayerId>(owner));
        let of_shard = |what: &str| format!("the {what} of shard {owner}");
        match kind {
            "m" | "plan" => of(a_match, "hash"),
            "log" => of(a_match, "list"),
            "arc" | "deleted" | "think" => of(a_match, "string"),
            "cp" => of(a_match, "zset"),
            "outbox" => of(of_shard("outbox"), "list"),
            "due" => naming(of_shard("due index"), is_id::<MatchId>),
            "jobs" => naming(of_shard("jobs"), str::is_ascii),
            "job" => of(of_shard("jobs"), "hash"),
            "settled" => of(of_shard("mark"), "string"),
            "list" if owner == "public" => naming("a public list".to_owned(), is_id::<MatchId>),
            "list" => naming(a_player, is_id::<MatchId>),
            "inbox" => of(a_player, "list"),
            "player" => of(a_player, "hash"),
            "sessions" => naming(a_player, is_id::<SessionId>),
            "replay" => of(a_player, "string"),
            "items" if owner == "service" => of("the items of the service".to_owned(), "hash"),
            "items" => of(a_player, "hash"),
            "session" => of(one(owner, is_id::<SessionId>(owner)), "hash"),
            "t" => of("the records of matchmaking".to_owned(), "hash"),
            "p" => naming("a queue of matchmaking".to_owned(), is_id::<PlayerId>),
            "made" => of("the matches that pairing makes".to_owned(), "hash"),
            "of" => of("the statuses".to_owned(), "hash"),
            "order" => naming("the order of statuses".to_owned(), is_id::<PlayerId>),
            "deletions" => naming("those who leave".to_owned(), is_id::<PlayerId>),
            "quiet" => of("those who leave".to_owned(), "hash"),
            "beats" => naming("the instances".to_owned(), |name| {
                is_id::<InstanceId>(name.strip_prefix(SERVES_ONLY).unwrap_or(name))
            }),
            "there" => of("the last moment of the service".to_owned(), "string"),
            "outages" => {
                let names: Option<fn(&str) -> bool> = Some(|text| outage(text).is_some());
                Some(KnownKey { name: "the outages".to_owned(), holds: "list", names })
            }
            _ => None,
        }
    }

    /// Returns the owner, stage and game of the list that a key names; `None` if it is no list.
    pub(crate) fn list_of(&self, key: &str) -> Option<(ListScope, Stage, String)> {
        let (owner, rest) = key.strip_prefix(&self.root)?.strip_prefix('{')?.split_once("}:list:")?;
        let (stage, game) = rest.split_once(':')?;
        let scope = match owner {
            "public" => ListScope::Public,
            player => ListScope::Player(player.parse().ok()?),
        };
        Some((scope, Stage::by_name(stage)?, game.to_owned()))
    }

    fn owned(&self, owner: &str, rest: &str) -> String {
        [&self.root, "{", owner, "}:", rest].concat()
    }

    /// A player's notices.
    pub fn inbox(&self, player: &PlayerId) -> String {
        self.owned(player.as_str(), "inbox")
    }

    /// The reservation under an idempotency key.
    pub(crate) fn reservation(&self, key: &ReplayKey) -> String {
        self.owned(key.player.as_str(), &format!("replay:{}", key.key))
    }

    /// A player.
    pub fn player(&self, player: &PlayerId) -> String {
        self.owned(player.as_str(), "player")
    }

    pub(crate) fn sessions(&self, player: &PlayerId) -> String {
        self.owned(player.as_str(), "sessions")
    }

    /// The items of a kind of one owner.
    pub(crate) fn items(&self, owner: &ItemOwner, kind: ItemKind) -> String {
        self.owned(owner.as_str(), &format!("items:{}", kind.name()))
    }

    /// The entry of a name in the directory.
    pub(crate) fn directory(&self, kind: ItemKind, name: &str) -> String {
        format!("{}directory:{}:{name}", self.root, kind.name())
    }

    pub(crate) fn session(&self, session: &SessionId) -> String {
        self.owned(session.as_str(), "session")
    }

    /// The revocations that are remembered.
    pub(crate) fn revocations(&self) -> String {
        format!("{}revocations", self.root)
    }

    /// The records of players in matchmaking.
    pub(crate) fn pool_records(&self) -> String {
        self.owned("mm", "t")
    }

    /// A queue of matchmaking.
    pub(crate) fn queue(&self, queue: &str) -> String {
        self.owned("mm", &format!("p:{queue}"))
    }

    /// The matches that pairing has yet to make.
    pub(crate) fn paired_matches(&self) -> String {
        self.owned("mm", "made")
    }

    /// The categories of ratings.
    pub(crate) fn rating_categories(&self) -> String {
        format!("{}ratings", self.root)
    }

    /// A part of the ratings of a category.
    pub(crate) fn ratings(&self, category: &str, part: &str) -> String {
        self.owned(&format!("r:{category}"), part)
    }

    /// A part of the player statuses: those themselves, `of` players, and their `order` by revision; the deletions under
    /// way, `deletions`, and the moments since which these had no work left, `quiet`.
    pub(crate) fn statuses(&self, part: &str) -> String {
        self.owned("statuses", part)
    }

    /// The audit of the actions of operators.
    pub(crate) fn audit(&self) -> String {
        format!("{}admin:audit", self.root)
    }

    pub(crate) fn bucket(&self, name: &str) -> String {
        format!("{}bucket:{name}", self.root)
    }

    pub(crate) fn ticket(&self, name: &str) -> String {
        format!("{}once:{name}", self.root)
    }

    /// A key of the instances: their `beats`, until when one was `there`, the `outages`, or the `settled` key that is
    /// written to wait for replicas.
    pub(crate) fn instances(&self, what: &str) -> String {
        self.owned("instances", what)
    }

    /// The subscriptions of all instances.
    pub fn heard(&self) -> String {
        [&self.root, "heard"].concat()
    }

    /// The key that the readiness check writes.
    pub(crate) fn ready(&self) -> String {
        format!("{}ready", self.root)
    }

    /// The channel of live messages.
    pub(crate) fn live(&self) -> String {
        [&self.root, "live"].concat()
    }
}

/// The keys of one match, whose shard is computed once.
pub(crate) struct MatchKeys<'a> {
    keys: &'a Keys,
    /// The shard of the match.
    pub(crate) shard: Shard,
    id: &'a MatchId,
}

impl MatchKeys<'_> {
    pub(crate) fn the_match(&self) -> String {
        self.keys.shard(self.shard, "m:", self.id.as_str())
    }

    pub(crate) fn log(&self) -> String {
        self.keys.shard(self.shard, "log:", self.id.as_str())
    }

    /// The tombstone of a deleted match.
    pub(crate) fn deleted(&self) -> String {
        self.keys.shard(self.shard, "deleted:", self.id.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shard_of_a_match_never_changes() {
        // Golden: another answer would strand the matches of a running service.
        assert_eq!(Shard::of(&MatchId::from_number(0)).number(), 37);
        assert_eq!(Shard::of(&MatchId::from_number(0x0123_4567_89ab_cdef)).number(), 61);
    }

    #[test]
    fn matches_spread_over_all_shards() {
        let mut seen = [0_u32; SHARDS as usize];
        for number in 0..6400_u128 {
            seen[usize::from(Shard::of(&MatchId::from_number(number * 0x9e37_79b9_7f4a_7c15)).number())] += 1;
        }
        assert!(seen.iter().all(|&matches| (50..200).contains(&matches)), "{seen:?}");
    }

    #[test]
    fn a_list_is_known_by_its_key() {
        let keys = Keys::new("sarsen");
        for scope in [ListScope::Public, ListScope::Player(PlayerId::from_number(7))] {
            for (stage, game) in [(Stage::Open, "contiguity"), (Stage::Aborted, "henge")] {
                let found = keys.list_of(&keys.list(&scope, stage, game));
                assert_eq!(found, Some((scope.clone(), stage, game.to_owned())));
            }
        }
        let inbox = keys.inbox(&PlayerId::from_number(7));
        for other in ["sarsen:1:{public}:list:gone:henge", "other:1:{public}:list:open:henge", &inbox] {
            assert_eq!(keys.list_of(other), None, "{other}");
        }
    }

    #[test]
    fn every_key_that_is_made_is_known() {
        let keys = Keys::new("sarsen");
        let (id, player, session) = (MatchId::from_number(7), PlayerId::from_number(7), SessionId::from_number(7));
        let (shard, owner) = (Shard::of(&id), ItemOwner::Player(player.clone()));
        let replay = ReplayKey { player: player.clone(), key: "k".to_owned() };
        let mut made = vec![
            (keys.the_match(&id), "hash"),
            (keys.log(&id), "list"),
            (keys.archive(&id), "string"),
            (keys.checkpoints(&id), "zset"),
            (keys.plans(&id), "hash"),
            (keys.outbox(shard), "list"),
            (keys.due(shard), "zset"),
            (keys.job_bodies(shard), "hash"),
            (keys.thinking(&id), "string"),
            (keys.deleted(&id), "string"),
            (keys.settled(shard), "string"),
            (keys.list(&ListScope::Public, Stage::Open, "henge"), "zset"),
            (keys.list(&ListScope::Player(player.clone()), Stage::Open, "henge"), "zset"),
            (keys.inbox(&player), "list"),
            (keys.reservation(&replay), "string"),
            (keys.player(&player), "hash"),
            (keys.sessions(&player), "zset"),
            (keys.directory(ItemKind::Token, "a"), "string"),
            (keys.session(&session), "hash"),
            (keys.revocations(), "zset"),
            (keys.pool_records(), "hash"),
            (keys.queue("~"), "zset"),
            (keys.paired_matches(), "hash"),
            (keys.rating_categories(), "set"),
            (keys.statuses("of"), "hash"),
            (keys.statuses("order"), "zset"),
            (keys.statuses("deletions"), "zset"),
            (keys.statuses("quiet"), "hash"),
            (keys.audit(), "stream"),
            (keys.bucket("b"), "hash"),
            (keys.ticket("t"), "string"),
            (keys.heard(), "hash"),
            (keys.ready(), "string"),
        ];
        made.extend(JobKind::ALL.map(|kind| (keys.jobs(shard, kind), "zset")));
        made.extend([&owner, &ItemOwner::Service].map(|owner| (keys.items(owner, ItemKind::Report), "hash")));
        let parts = [("log", "list"), ("done", "hash"), ("p", "hash"), ("board", "zset"), ("2:p", "hash")];
        made.extend(parts.map(|(part, holds)| (keys.ratings("henge.2.live", part), holds)));
        let parts = [("beats", "zset"), ("there", "string"), ("outages", "list"), ("settled", "string")];
        made.extend(parts.map(|(part, holds)| (keys.instances(part), holds)));
        for (key, holds) in made {
            assert_eq!(keys.known(&key).map(|known| known.holds), Some(holds), "{key}");
        }
        let names = |what: &str| keys.known(&keys.instances(what)).unwrap().names.unwrap();
        assert!(names("outages")("17:42") && !names("outages")("17") && !names("outages")("17:99999999999999999999"));
        let instance = InstanceId::from_number(7);
        assert!(["", "-"].iter().all(|mark| names("beats")(&format!("{mark}{instance}"))) && !names("beats")("i_1"));
    }

    #[test]
    fn keys_of_one_match_share_a_slot_with_its_outbox() {
        let keys = Keys::new("sarsen");
        let id = MatchId::from_number(7);
        let tag =
            |key: &str| key.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(tag, _)| tag.to_owned());
        let outbox = tag(&keys.outbox(Shard::of(&id)));
        assert!(outbox.is_some());
        assert_eq!(tag(&keys.the_match(&id)), outbox);
        assert_eq!(tag(&keys.log(&id)), outbox);
        assert_eq!(tag(&keys.checkpoints(&id)), outbox);
        assert_eq!(tag(&keys.archive(&id)), outbox);
        assert_eq!(tag(&keys.plans(&id)), outbox);
        assert_eq!(tag(&keys.due(Shard::of(&id))), outbox);
        assert_eq!(tag(&keys.deleted(&id)), outbox);
    }
}
