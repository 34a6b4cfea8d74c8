//! Players, sessions and revocations, each a hash: the stored value, and the revision beside it.
//!
//! Invariant: a session is valid only as long as its own key says so; the set of a player's sessions may name too many,
//! never too few.

use async_trait::async_trait;
use redis::Cmd;

use super::client::{command, command_with, read};
use super::live::JOINED;
use super::script::{END_SESSION, LIST_SESSION, PUT_PLAYER, PUT_SESSION, REVOKE};
use super::{RedisStore, Shared};
use crate::{PlayerStore, Result, Revised, StoreError};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, SessionId};

/// A session's revision and end, as stored.
type Standing = (Option<String>, Option<i64>);

fn standing((revision, expires): &Standing, now: Timestamp) -> Option<u64> {
    if expires.is_some_and(|expires| expires > now.0) { revision.as_deref()?.parse().ok() } else { None }
}

/// Returns the sessions in a player's set that have not ended by it.
pub(super) async fn named(shared: &Shared, player: &PlayerId, now: Timestamp) -> Result<Vec<SessionId>> {
    let range = command_with("ZRANGEBYSCORE", shared.keys.sessions(player), (format!("({}", now.0), "+inf"));
    let names: Vec<String> = shared.client.ask(&range).await?;
    // The inventory reports names that are no session's.
    Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
}

/// Ends a session and remembers its revocation until `until`; then sends `further` along.
pub(super) async fn revoke(shared: &Shared, id: &SessionId, until: Timestamp, further: Option<Cmd>) -> Result<()> {
    let Timestamp(now) = shared.now();
    shared.client.keep_once(END_SESSION.call(&[&shared.keys.session(id)], (until.0, now))).await?;
    let revoke = REVOKE.call(&[&shared.keys.revocations()], (id.as_str(), until.0, now, shared.keys.live()));
    shared.client.keep_all_once(std::iter::once(revoke).chain(further).collect()).await.map(drop)
}

#[async_trait]
impl PlayerStore for RedisStore {
    async fn put_session(
        &self,
        id: &SessionId,
        player: &PlayerId,
        expected: u64,
        stored: Vec<u8>,
        expires: Timestamp,
    ) -> Result<bool> {
        let Timestamp(now) = self.shared.now();
        let list = LIST_SESSION.call(&[&self.shared.keys.sessions(player)], (id.as_str(), expires.0, now));
        let put = PUT_SESSION.call(&[&self.shared.keys.session(id)], (expected, expected + 1, stored, expires.0, now));
        let mut answers = self.shared.client.keep_all_once(vec![list, put]).await?;
        answers.pop().map_or(Ok(false), read)
    }

    async fn session(&self, id: &SessionId) -> Result<Option<Revised>> {
        let get = command_with("HMGET", self.shared.keys.session(id), ("n", "e", "r"));
        let (revision, expires, stored): (Option<String>, Option<i64>, Option<Vec<u8>>) =
            self.shared.client.ask(&get).await?;
        let revision = standing(&(revision, expires), self.shared.now());
        Ok(revision.zip(stored).map(|(revision, stored)| Revised { stored, revision }))
    }

    async fn revoke_session(&self, id: &SessionId, player: &PlayerId, until: Timestamp) -> Result<()> {
        let unlist = command_with("ZREM", self.shared.keys.sessions(player), id.as_str());
        revoke(&self.shared, id, until, Some(unlist)).await
    }

    async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        let now = self.shared.now();
        let ids = named(&self.shared, player, now).await?;
        let gets = ids.iter().map(|id| command_with("HMGET", self.shared.keys.session(id), ("n", "e")));
        let standings = self
            .shared
            .client
            .send_all_once(gets.collect())
            .await?
            .into_iter()
            .map(read)
            .collect::<Result<Vec<Standing>>>()?;
        Ok(ids.into_iter().zip(standings).filter(|(_, held)| standing(held, now).is_some()).map(|(id, _)| id).collect())
    }

    async fn tell_of_session(&self, player: &PlayerId) -> Result<()> {
        let publish = command_with("PUBLISH", self.shared.keys.live(), format!("{JOINED}{player}"));
        self.shared.client.send_once(&publish).await.map(drop)
    }

    async fn revocations(&self) -> Result<Vec<(SessionId, Timestamp)>> {
        let mut range = command("ZRANGEBYSCORE", self.shared.keys.revocations());
        range.arg(format!("({}", self.shared.now().0)).arg("+inf").arg("WITHSCORES");
        // Read as pairs, in whichever form the protocol gives them.
        let pairs: Vec<(String, f64)> = self.shared.client.ask(&range).await?;
        Ok(pairs.into_iter().filter_map(|(name, until)| Some((name.parse().ok()?, Timestamp(until as i64)))).collect())
    }

    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool> {
        let put = PUT_PLAYER.call(&[self.shared.keys.player(id)], (expected, expected.saturating_add(1), stored));
        self.shared.client.keep(put).await
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>> {
        let get = command_with("HMGET", self.shared.keys.player(id), ("n", "r"));
        let found: (Option<u64>, Option<Vec<u8>>) = self.shared.client.ask(&get).await?;
        match found {
            (Some(revision), Some(stored)) => Ok(Some(Revised { stored, revision })),
            (None, None) => Ok(None),
            _ => Err(StoreError::Corrupt(format!("half of player {id}"))),
        }
    }
}
