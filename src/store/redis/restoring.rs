//! Restoring: each thing by one script on keys of one slot. Lists follow through the outbox, as after a commit.

use async_trait::async_trait;

use super::link::{command, read};
use super::listing::{decode_listing, encode_listing};
use super::matches::{notice, replay_field, replay_text};
use super::outbox::Task;
use super::projection::{Target, project};
use super::script::{LIST_SESSION, PUT_PLAYER, PUT_SESSION, RELIST, RESTORE_INBOX, RESTORE_MATCH};
use super::{RedisStore, due, sessions};
use crate::keys::Shard;
use crate::{
    Due, Inbox, KeptSession, Listing, PlayerStore, Restored, Restoring, Result, Revised, Sessions, StoreError,
    StrayEntry, WholeMatch,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

fn outcome(answer: redis::Value) -> Result<Restored> {
    match read::<u8>(answer)? {
        1 => Ok(Restored::Written),
        2 => Ok(Restored::Same),
        _ => Ok(Restored::Kept),
    }
}

#[async_trait]
impl Restoring for RedisStore {
    async fn restore_match(&self, whole: WholeMatch) -> Result<Restored> {
        let WholeMatch { id, version, stamp, stored, listing, due, entries, replays } = whole;
        let (keys, shard) = (&self.shared.keys, Shard::of(&id));
        let task = Task::head(&id, version, true, "").unwrap_or_default();
        let mut call = RESTORE_MATCH.on(&[
            &keys.the_match(&id),
            &keys.log(&id),
            &keys.outbox(shard),
            &keys.due(shard),
            &keys.deleted(&id),
            &keys.archive(&id),
        ]);
        call.arg(version).arg(stored).arg(stamp.to_string());
        call.arg(listing.as_ref().map(encode_listing).transpose()?.unwrap_or_default());
        call.arg(task).arg(keys.live()).arg(notice(&id, version));
        call.arg(due::argument(due.map_or(Due::Remove, Due::At))).arg(id.as_str()).arg(replays.len());
        for (key, replay) in &replays {
            call.arg(replay_field(key)).arg(replay_text(replay));
        }
        for entry in &entries {
            call.arg(entry.as_slice());
        }
        let restored = outcome(self.shared.link.keep_once(call).await?)?;
        if restored == Restored::Written {
            self.shared.outbox.mark(shard);
        }
        Ok(restored)
    }

    async fn restore_player(&self, id: &PlayerId, player: Revised) -> Result<Restored> {
        let before = self.player(id).await?;
        match &before {
            Some(before) if *before == player => return Ok(Restored::Same),
            Some(before) if before.revision >= player.revision => return Ok(Restored::Kept),
            _ => {}
        }
        let expected = before.map_or(0, |before| before.revision);
        let mut put = PUT_PLAYER.on(&[self.shared.keys.player(id)]);
        put.arg(expected).arg(player.revision).arg(player.stored);
        let written: bool = read(self.shared.link.keep_once(put).await?)?;
        // Whoever was quicker has written a later revision.
        Ok(if written { Restored::Written } else { Restored::Kept })
    }

    async fn restore_session(&self, session: KeptSession) -> Result<Restored> {
        let KeptSession { id, player, revision, stored, expires } = session;
        let Timestamp(now) = self.shared.now();
        let before = self.session(&id).await?;
        match &before {
            _ if expires.0 <= now => return Ok(Restored::Kept),
            Some(before) if before.revision == revision && before.stored == stored => return Ok(Restored::Same),
            Some(before) if before.revision >= revision => return Ok(Restored::Kept),
            _ => {}
        }
        let expected = before.map_or(0, |before| before.revision);
        let mut list = LIST_SESSION.on(&[&self.shared.keys.sessions(&player)]);
        list.arg(id.as_str()).arg(expires.0).arg(now);
        let mut put = PUT_SESSION.on(&[&self.shared.keys.session(&id)]);
        put.arg(expected).arg(revision).arg(stored).arg(expires.0).arg(now);
        let mut answers = self.shared.link.keep_all_once(vec![list, put]).await?;
        // One that was revoked is at no revision.
        let written = answers.pop().map_or(Ok(false), read)?;
        Ok(if written { Restored::Written } else { Restored::Kept })
    }

    async fn restore_revocation(&self, id: &SessionId, until: Timestamp) -> Result<()> {
        // Whose it was nobody says; the set of a player's sessions may name too many.
        sessions::revoke(&self.shared, id, until, None).await
    }

    async fn restore_inbox(&self, player: &PlayerId, inbox: Inbox) -> Result<Restored> {
        let mut call = RESTORE_INBOX.on(&[self.shared.keys.inbox(player)]);
        call.arg(inbox.newest).arg(self.shared.keys.live()).arg(player.as_str());
        for kept in &inbox.notices {
            call.arg(notice(&kept.match_id, kept.version));
        }
        outcome(self.shared.link.keep_once(call).await?)
    }

    async fn relist(&self, id: &MatchId, version: u64, listing: &Listing) -> Result<bool> {
        let mut call = RELIST.on(&[self.shared.keys.the_match(id)]);
        call.arg(version).arg(encode_listing(listing)?);
        let before: Option<String> = read(self.shared.link.keep_once(call).await?)?;
        let Some(before) = before else { return Ok(false) };
        let before = decode_listing(&before).into_iter().collect();
        if project(&self.shared, vec![Target { before, ..Target::unknown(id.clone()) }]).await?.contains(id) {
            return Ok(true);
        }
        Err(StoreError::Unavailable(format!("the lists of {id} were not all written").into()))
    }

    async fn unlist(&self, stray: &StrayEntry) -> Result<()> {
        let key = self.shared.keys.list(&stray.scope, stray.stage, &stray.game);
        let mut removal = command("ZREM", key);
        removal.arg(stray.id.as_str());
        self.shared.link.keep_once(removal).await?;
        // It may have come there rightly a moment ago.
        project(&self.shared, vec![Target::unknown(stray.id.clone())]).await.map(drop)
    }
}
