//! Players, sessions, items and tickets in memory, with faults on demand. What a real store promises is proved in its own
//! suite; here it must be possible to lose messages and to fail at will.
//!
//! Every operation yields once before it acts, so that two calls which are polled in turn interleave the same way in
//! every run.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use tokio::sync::broadcast;

use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{PlayerId, SessionId};
use sarsen_store::{
    Allowance, ExpiringStore, ItemKind, ItemOwner, ItemStore, Live, PlayerStore, Replaced, ReplayKey, Reservation,
    Result, Revised, StoreError, Taken,
};

struct Session {
    player: PlayerId,
    revised: Revised,
    expires: Timestamp,
}

pub(crate) struct FakeStore {
    ambient: Ambient,
    players: Mutex<HashMap<PlayerId, Revised>>,
    sessions: Mutex<HashMap<SessionId, Session>>,
    revoked: Mutex<HashMap<SessionId, Timestamp>>,
    tickets: Mutex<HashMap<String, (Timestamp, Vec<u8>)>>,
    items: Mutex<BTreeMap<(ItemOwner, ItemKind, String), Vec<u8>>>,
    directory: Mutex<BTreeMap<(ItemKind, String), PlayerId>>,
    reserved: Mutex<HashMap<(PlayerId, String), Reservation>>,
    live: broadcast::Sender<Live>,
    /// No live message is sent while set.
    pub(crate) mute: AtomicBool,
    /// Every operation fails while set.
    pub(crate) away: AtomicBool,
    /// The number of times that the revocations were read.
    pub(crate) readings: AtomicU64,
}

impl FakeStore {
    pub(crate) fn new(ambient: Ambient) -> FakeStore {
        FakeStore {
            ambient,
            players: Mutex::default(),
            sessions: Mutex::default(),
            revoked: Mutex::default(),
            tickets: Mutex::default(),
            items: Mutex::default(),
            directory: Mutex::default(),
            reserved: Mutex::default(),
            live: broadcast::Sender::new(4),
            mute: AtomicBool::new(false),
            away: AtomicBool::new(false),
            readings: AtomicU64::new(0),
        }
    }

    /// Sends a message as the store would.
    pub(crate) fn say(&self, message: Live) {
        let _ = self.live.send(message);
    }

    /// Everything that is said from now on.
    pub(crate) fn live(&self) -> broadcast::Receiver<Live> {
        self.live.subscribe()
    }

    /// Everything stored, as text.
    pub(crate) fn dump(&self) -> String {
        let players = self.players.lock().unwrap();
        let sessions = self.sessions.lock().unwrap();
        let (items, tickets) = (self.items.lock().unwrap(), self.tickets.lock().unwrap());
        let named = items.iter().map(|((_, _, name), stored)| (name, stored));
        let named = named.chain(tickets.iter().map(|(name, (_, value))| (name, value)));
        let named: String =
            named.map(|(name, stored)| format!("{name} {}\n", String::from_utf8_lossy(stored))).collect();
        let written = players.values().chain(sessions.values().map(|session| &session.revised));
        let written = written.map(|revised| String::from_utf8_lossy(&revised.stored).into_owned() + "\n");
        written.collect::<String>() + &named
    }

    async fn turn(&self) -> Result<()> {
        tokio::task::yield_now().await;
        match self.away.load(Ordering::SeqCst) {
            true => Err(StoreError::Unavailable("away on demand".into())),
            false => Ok(()),
        }
    }
}

#[async_trait]
impl PlayerStore for FakeStore {
    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool> {
        self.turn().await?;
        let mut players = self.players.lock().unwrap();
        if players.get(id).map_or(0, |player| player.revision) != expected {
            return Ok(false);
        }
        players.insert(id.clone(), Revised { stored, revision: expected + 1 });
        Ok(true)
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>> {
        self.turn().await?;
        Ok(self.players.lock().unwrap().get(id).cloned())
    }

    async fn put_session(
        &self,
        id: &SessionId,
        player: &PlayerId,
        expected: u64,
        stored: Vec<u8>,
        expires: Timestamp,
    ) -> Result<bool> {
        self.turn().await?;
        let mut sessions = self.sessions.lock().unwrap();
        if sessions.get(id).map_or(0, |session| session.revised.revision) != expected {
            return Ok(false);
        }
        let revised = Revised { stored, revision: expected + 1 };
        sessions.insert(id.clone(), Session { player: player.clone(), revised, expires });
        Ok(true)
    }

    async fn session(&self, id: &SessionId) -> Result<Option<Revised>> {
        self.turn().await?;
        let now = self.ambient.now();
        let sessions = self.sessions.lock().unwrap();
        Ok(sessions.get(id).filter(|session| session.expires > now).map(|session| session.revised.clone()))
    }

    async fn revoke_session(&self, id: &SessionId, _: &PlayerId, until: Timestamp) -> Result<()> {
        self.turn().await?;
        self.sessions.lock().unwrap().remove(id);
        self.revoked.lock().unwrap().insert(id.clone(), until);
        if !self.mute.load(Ordering::SeqCst) {
            self.say(Live::Revoked(id.clone(), until));
        }
        Ok(())
    }

    async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        self.turn().await?;
        let sessions = self.sessions.lock().unwrap();
        Ok(sessions.iter().filter(|(_, session)| session.player == *player).map(|(id, _)| id.clone()).collect())
    }

    async fn tell_of_session(&self, player: &PlayerId) -> Result<()> {
        self.turn().await?;
        self.say(Live::Joined(player.clone()));
        Ok(())
    }

    async fn revocations(&self) -> Result<Vec<(SessionId, Timestamp)>> {
        self.turn().await?;
        self.readings.fetch_add(1, Ordering::SeqCst);
        Ok(self.revoked.lock().unwrap().iter().map(|(id, until)| (id.clone(), *until)).collect())
    }
}

#[async_trait]
impl ItemStore for FakeStore {
    async fn item(&self, owner: &ItemOwner, kind: ItemKind, name: &str) -> Result<Option<Vec<u8>>> {
        self.turn().await?;
        Ok(self.items.lock().unwrap().get(&(owner.clone(), kind, name.to_owned())).cloned())
    }

    async fn items(&self, owner: &ItemOwner, kind: ItemKind) -> Result<Vec<(String, Vec<u8>)>> {
        self.turn().await?;
        let items = self.items.lock().unwrap();
        let of_kind = items.iter().filter(|((of, which, _), _)| (of, which) == (owner, &kind));
        Ok(of_kind.map(|((_, _, name), stored)| (name.clone(), stored.clone())).collect())
    }

    async fn replace_item(
        &self,
        owner: &ItemOwner,
        kind: ItemKind,
        name: &str,
        found: Option<&[u8]>,
        by: Option<Vec<u8>>,
        most: usize,
    ) -> Result<Replaced> {
        let count = self.items(owner, kind).await?.len();
        let key = (owner.clone(), kind, name.to_owned());
        let mut items = self.items.lock().unwrap();
        if items.get(&key).map(Vec::as_slice) != found {
            return Ok(Replaced::Differs);
        }
        match by {
            Some(_) if found.is_none() && count >= most => return Ok(Replaced::Full),
            Some(by) => drop(items.insert(key, by)),
            None => drop(items.remove(&key)),
        }
        Ok(Replaced::Done)
    }

    async fn bind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<PlayerId> {
        self.turn().await?;
        let mut directory = self.directory.lock().unwrap();
        Ok(directory.entry((kind, name.to_owned())).or_insert_with(|| player.clone()).clone())
    }

    async fn item_holder(&self, kind: ItemKind, name: &str) -> Result<Option<PlayerId>> {
        self.turn().await?;
        Ok(self.directory.lock().unwrap().get(&(kind, name.to_owned())).cloned())
    }

    async fn unbind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<()> {
        self.turn().await?;
        self.directory.lock().unwrap().retain(|key, holder| *key != (kind, name.to_owned()) || holder != player);
        Ok(())
    }
}

#[async_trait]
impl ExpiringStore for FakeStore {
    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()> {
        self.turn().await?;
        let end = self.ambient.now().plus_seconds(seconds);
        self.tickets.lock().unwrap().insert(key.to_owned(), (end, value));
        Ok(())
    }

    async fn read_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        self.turn().await?;
        let kept = self.tickets.lock().unwrap().get(key).cloned();
        Ok(kept.filter(|(end, _)| *end > self.ambient.now()).map(|(_, value)| value))
    }

    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        self.turn().await?;
        let taken = self.tickets.lock().unwrap().remove(key);
        Ok(taken.filter(|(end, _)| *end > self.ambient.now()).map(|(_, value)| value))
    }

    async fn reservation(&self, key: &ReplayKey) -> Result<Option<Reservation>> {
        self.turn().await?;
        Ok(self.reserved.lock().unwrap().get(&(key.player.clone(), key.key.clone())).cloned())
    }

    async fn reserve(&self, key: &ReplayKey, reservation: Reservation, _: u32) -> Result<Reservation> {
        self.turn().await?;
        let mut reserved = self.reserved.lock().unwrap();
        Ok(reserved.entry((key.player.clone(), key.key.clone())).or_insert(reservation).clone())
    }

    async fn take(&self, _: &str, allowance: Allowance) -> Result<Taken> {
        self.turn().await.map(|()| Taken { allowed: true, remaining: allowance.burst, retry_after_millis: 0 })
    }
}
