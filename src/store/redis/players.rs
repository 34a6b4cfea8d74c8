//! Players and what is theirs: records, sessions, inboxes.
//!
//! Invariant: a session counts only as long as its own key says so; the set of a player's sessions may name too many,
//! never too few.

use redis::Cmd;

use super::Shared;
use super::link::read;
use super::script::{END_SESSION, INBOX, LIST_SESSION, PUT_SESSION, REVOKE};
use crate::ambient::Timestamp;
use crate::ids::{MatchId, PlayerId, SessionId};
use crate::store::{Inbox, Notice, Result, StoreError, StoredSession};

fn command(name: &str, key: String) -> Cmd {
    let mut command = Cmd::new();
    command.arg(name).arg(key);
    command
}

pub(super) async fn inbox(shared: &Shared, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox> {
    let mut call = INBOX.on(&[&shared.keys.inbox(player)]);
    call.arg(after).arg(limit);
    let answer: Vec<String> = read(shared.link.again(&call).await?)?;
    let unreadable = || StoreError::Corrupt(format!("the inbox of {player}"));
    let mut parts = answer.iter();
    let newest = parts.next().and_then(|newest| newest.parse().ok()).ok_or_else(unreadable)?;
    let mut notices = Vec::with_capacity(limit.min(answer.len() / 2));
    while let (Some(member), Some(number)) = (parts.next(), parts.next()) {
        let (name, version) = member.split_once(':').ok_or_else(unreadable)?;
        let match_id: MatchId = name.parse().map_err(|_| unreadable())?;
        let version = version.parse().map_err(|_| unreadable())?;
        notices.push(Notice { number: number.parse().map_err(|_| unreadable())?, match_id, version });
    }
    Ok(Inbox { notices, newest })
}

pub(super) async fn put_player(shared: &Shared, id: &PlayerId, record: Vec<u8>) -> Result<()> {
    let mut set = command("SET", shared.keys.player(id));
    set.arg(record);
    shared.link.once(&set).await.map(drop)
}

pub(super) async fn player(shared: &Shared, id: &PlayerId) -> Result<Option<Vec<u8>>> {
    read(shared.link.again(&command("GET", shared.keys.player(id))).await?)
}

pub(super) async fn put_session(
    shared: &Shared,
    id: &SessionId,
    player: &PlayerId,
    expected: u64,
    record: Vec<u8>,
    expires: Timestamp,
) -> Result<bool> {
    let Timestamp(now) = shared.ambient.now();
    let mut list = LIST_SESSION.on(&[&shared.keys.sessions(player)]);
    list.arg(id.as_str()).arg(expires.0).arg(now);
    let mut put = PUT_SESSION.on(&[&shared.keys.session(id)]);
    put.arg(expected).arg(expected + 1).arg(record).arg(expires.0).arg(now);
    let mut answers = shared.link.all(vec![list, put]).await?;
    answers.pop().map_or(Ok(false), read)
}

/// A session's revision and end, as stored.
type Standing = (Option<String>, Option<i64>);

fn standing((revision, expires): &Standing, now: Timestamp) -> Option<u64> {
    if expires.is_some_and(|expires| expires > now.0) { revision.as_deref()?.parse().ok() } else { None }
}

pub(super) async fn session(shared: &Shared, id: &SessionId) -> Result<Option<StoredSession>> {
    let mut get = command("HMGET", shared.keys.session(id));
    get.arg("n").arg("e").arg("r");
    let (revision, expires, record): (Option<String>, Option<i64>, Option<Vec<u8>>) =
        read(shared.link.again(&get).await?)?;
    let revision = standing(&(revision, expires), shared.ambient.now());
    Ok(revision.zip(record).map(|(revision, record)| StoredSession { record, revision }))
}

pub(super) async fn revoke_session(shared: &Shared, id: &SessionId, player: &PlayerId, until: Timestamp) -> Result<()> {
    let Timestamp(now) = shared.ambient.now();
    let mut end = END_SESSION.on(&[&shared.keys.session(id)]);
    end.arg(until.0).arg(now);
    shared.link.again(&end).await?;
    let mut revoke = REVOKE.on(&[&shared.keys.revocations()]);
    revoke.arg(id.as_str()).arg(until.0).arg(now).arg(shared.keys.live());
    let mut unlist = command("ZREM", shared.keys.sessions(player));
    unlist.arg(id.as_str());
    shared.link.all(vec![revoke, unlist]).await.map(drop)
}

pub(super) async fn sessions_of(shared: &Shared, player: &PlayerId) -> Result<Vec<SessionId>> {
    let now = shared.ambient.now();
    let mut range = command("ZRANGEBYSCORE", shared.keys.sessions(player));
    range.arg(format!("({}", now.0)).arg("+inf");
    let names: Vec<String> = read(shared.link.again(&range).await?)?;
    let ids: Vec<SessionId> = names.iter().filter_map(|name| name.parse().ok()).collect();
    let gets = ids.iter().map(|id| {
        let mut get = command("HMGET", shared.keys.session(id));
        get.arg("n").arg("e");
        get
    });
    let standings = shared.link.all(gets.collect()).await?.into_iter().map(read).collect::<Result<Vec<Standing>>>()?;
    Ok(ids.into_iter().zip(standings).filter(|(_, held)| standing(held, now).is_some()).map(|(id, _)| id).collect())
}

pub(super) async fn revocations(shared: &Shared) -> Result<Vec<(SessionId, Timestamp)>> {
    let mut range = command("ZRANGEBYSCORE", shared.keys.revocations());
    range.arg(format!("({}", shared.ambient.now().0)).arg("+inf").arg("WITHSCORES");
    // As pairs, whichever form the protocol gives them.
    let pairs: Vec<(String, f64)> = read(shared.link.again(&range).await?)?;
    Ok(pairs.into_iter().filter_map(|(name, until)| Some((name.parse().ok()?, Timestamp(until as i64)))).collect())
}
