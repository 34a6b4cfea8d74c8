//! The masters of a cluster and the wait pool of each, for commands that wait for replicas.
//!
//! The cluster client has one connection a node, which a `WAIT` would hold up for all; so this is a second, smaller
//! client. It learns the slots of each master from the nodes, and again whenever one of them refuses, fails or falls
//! silent. Invariant: only a command that a node refused unread is sent again.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use futures_util::future::join_all;
use redis::cluster_routing::Slot;
use redis::{AsyncConnectionConfig, Cmd, ErrorKind, RedisError, RedisResult, ServerErrorKind, Value};
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::access::{Access, Server};
use crate::address::Address;
use crate::config::{ConnectError, RedisConfig, Replication};
use crate::limit::within;
use crate::script::key_of;
use crate::wait_pool::WaitPool;

/// The pauses before a command is sent again for a slot that has moved, while the cluster settles.
pub(crate) const SETTLING: [Duration; 4] =
    [Duration::from_millis(10), Duration::from_millis(40), Duration::from_millis(100), Duration::from_millis(250)];
/// The minimum time between two reads of the slots.
const LOOKING: Duration = Duration::from_millis(200);

/// The table of slots: first, last, and their master.
pub(crate) type View = Vec<(u16, u16, Address)>;

#[derive(Default)]
struct Map {
    owners: HashMap<Slot, Address>,
    pools: HashMap<Address, Arc<WaitPool>>,
}

/// The masters of a cluster.
pub struct Shards {
    seeds: Vec<Server>,
    connect_timeout: Duration,
    wanted: Replication,
    map: RwLock<Map>,
    doubts: mpsc::Sender<()>,
}

impl Shards {
    /// Reads the table of slots, and reads it again whenever there is doubt, until `closed`. `None` where the store
    /// does not wait for replicas.
    ///
    /// # Errors
    /// If the cluster does not answer.
    pub async fn open(
        config: &RedisConfig,
        access: &Access,
        closed: CancellationToken,
    ) -> Result<Option<Arc<Shards>>, ConnectError> {
        let Some(wanted) = config.replication else { return Ok(None) };
        let (doubts, mut doubted) = mpsc::channel(1);
        let seeds = access.infos.iter().map(|info| access.server(info.clone())).collect::<RedisResult<_>>();
        let seeds = seeds.map_err(|error| ConnectError::Settings(error.to_string()))?;
        let connect_timeout = config.connect_timeout;
        let shards = Arc::new(Shards { seeds, connect_timeout, wanted, map: RwLock::default(), doubts });
        shards.look().await.map_err(ConnectError::Unreachable)?;
        let looking = Arc::downgrade(&shards);
        tokio::spawn(async move {
            let looking = async {
                while doubted.recv().await.is_some() {
                    let Some(shards) = looking.upgrade() else { return };
                    if let Err(error) = shards.look().await {
                        tracing::debug!(%error, "no node says who has what");
                    }
                    drop(shards);
                    sleep(LOOKING).await;
                }
            };
            closed.run_until_cancelled(looking).await;
        });
        Ok(Some(shards))
    }

    /// Asks for the table of slots to be read again.
    pub fn doubt(&self) {
        // A full channel means that a read is under way.
        let _ = self.doubts.try_send(());
    }

    /// Sends a command to the node of its slot, and waits for the replicas there. The caller bounds the time.
    ///
    /// # Errors
    /// The server's, the loss of the connection, or too few replicas in time.
    pub async fn keep(&self, command: &Cmd) -> RedisResult<Value> {
        let slot = Slot::for_key(key_of(command));
        let mut waits = SETTLING.into_iter();
        let mut redirected: Option<(bool, Address)> = None;
        loop {
            let (asking, pool) = match &redirected {
                Some((asking, address)) => (*asking, self.pool(address)?),
                None => (false, self.owner(slot)?),
            };
            let outcome = pool.carry(asking, std::slice::from_ref(command)).await?.pop();
            let Some(Err(error)) = outcome else { return outcome.unwrap_or(Ok(Value::Nil)) };
            redirected = match error.kind() {
                ErrorKind::Server(ServerErrorKind::Ask) => Some((true, named(&error)?)),
                ErrorKind::Server(ServerErrorKind::Moved) => {
                    self.doubt();
                    Some((false, named(&error)?))
                }
                ErrorKind::Server(ServerErrorKind::TryAgain) => None,
                _ => return Err(error),
            };
            match waits.next() {
                Some(wait) => sleep(wait).await,
                None => return Err(error),
            }
        }
    }

    fn owner(&self, slot: Slot) -> RedisResult<Arc<WaitPool>> {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let pool = map.owners.get(&slot).and_then(|owner| map.pools.get(owner));
        pool.cloned().ok_or_else(|| RedisError::from((ErrorKind::ClusterConnectionNotFound, "nobody has the slot")))
    }

    fn pool(&self, address: &Address) -> RedisResult<Arc<WaitPool>> {
        let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = map.pools.get(address) {
            return Ok(Arc::clone(pool));
        }
        let pool = WaitPool::new(self.server(address)?, self.connect_timeout, self.wanted);
        map.pools.insert(address.clone(), Arc::clone(&pool));
        Ok(pool)
    }

    fn server(&self, address: &Address) -> RedisResult<Server> {
        let unknown = || RedisError::from((ErrorKind::InvalidClientConfig, "no server is known"));
        self.seeds.first().ok_or_else(unknown)?.at(address)
    }

    /// Reads the table of slots: the one that most answering nodes agree on. Wait pools of masters that still have
    /// slots are kept.
    async fn look(&self) -> RedisResult<()> {
        let known: Vec<Address> = {
            let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
            map.pools.keys().cloned().collect()
        };
        let servers: Vec<Server> = known
            .iter()
            .map(|address| self.server(address))
            .chain(self.seeds.iter().cloned().map(Ok))
            .collect::<RedisResult<_>>()?;
        let asked = join_all(servers.iter().map(|server| within(self.connect_timeout, view(server))));
        let mut failure = RedisError::from((ErrorKind::InvalidClientConfig, "no server is known"));
        let mut views: Vec<(usize, View)> = Vec::new();
        for answer in asked.await {
            match answer {
                Ok(view) => match views.iter_mut().find(|(_, other)| *other == view) {
                    Some((votes, _)) => *votes += 1,
                    None => views.push((1, view)),
                },
                Err(error) => failure = error,
            }
        }
        let (_, view) = views.into_iter().max_by_key(|(votes, _)| *votes).ok_or(failure)?;
        let mut owners = HashMap::new();
        for (first, last, owner) in &view {
            owners.extend((*first..=*last).filter_map(Slot::new).map(|slot| (slot, owner.clone())));
        }
        for (_, _, owner) in &view {
            self.pool(owner)?;
        }
        let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
        map.pools.retain(|address, _| view.iter().any(|(_, _, owner)| owner == address));
        map.owners = owners;
        Ok(())
    }
}

/// Returns the node that a redirection names.
fn named(redirection: &RedisError) -> RedisResult<Address> {
    redirection.redirect_node().and_then(|(node, _)| Address::parse(node)).ok_or_else(|| redirection.clone())
}

/// Returns the table of slots, as one node sees it.
pub(crate) async fn view(server: &Server) -> RedisResult<View> {
    let mut connection = server.connect(&AsyncConnectionConfig::new()).await?;
    let table = redis::cmd("CLUSTER").arg("SLOTS").query_async(&mut connection).await?;
    read_view(table, server.address().map(|asked| asked.host))
}

/// Reads a table of slots. A node that does not know its own name has the one by which it was `asked`.
pub(crate) fn read_view(table: Value, asked: Option<String>) -> RedisResult<View> {
    let mut view = View::new();
    for row in redis::from_redis_value::<Vec<Vec<Value>>>(table)? {
        let mut row = row.into_iter();
        let (Some(first), Some(last), Some(master)) = (row.next(), row.next(), row.next()) else { continue };
        let (first, last) = (redis::from_redis_value(first)?, redis::from_redis_value(last)?);
        let mut master = redis::from_redis_value::<Vec<Value>>(master)?.into_iter();
        let (Some(host), Some(port)) = (master.next(), master.next()) else { continue };
        let host: Option<String> = redis::from_redis_value(host)?;
        let host = host.filter(|host| !host.is_empty()).or_else(|| asked.clone());
        let nameless = || RedisError::from((ErrorKind::Client, "a node does not know its own address"));
        view.push((first, last, Address { host: host.ok_or_else(nameless)?, port: redis::from_redis_value(port)? }));
    }
    view.sort();
    Ok(view)
}
