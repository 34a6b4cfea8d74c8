//! A place to play: one or several instances of the service over one store, and a clock that can be moved on.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sarsen::ambient::{Ambient, Clock, Entropy, Timestamp};
use sarsen::app::{self, Running};
use sarsen::auth::SigningKeys;
use sarsen::config::{self, StoreSettings};
use sarsen::games::{GameSettings, Games};
use sarsen::http::service::Shared;
use sarsen::http::settings::{Allowances, ServerConfig};
use sarsen::outbound::OutboundRules;
use sarsen::outside::IssuerTerms;
use sarsen::players::{AccountBounds, NameBlocklist};
use sarsen::store::Store;
use sarsen::store::redis::RedisConfig;
use serde_json::json;
use tempfile::TempDir;
use test_kit::redis_server::Server;

use crate::client::Client;

/// The longest time for something eventual before a case fails.
pub const DEADLINE: Duration = Duration::from_secs(15);

/// The operator's address for push services.
const VAPID_SUBJECT: &str = "mailto:push@example.org";

/// Makes a test of each case on the embedded store, and one on Redis of those behind `on both stores`.
macro_rules! cases {
    ($($case:ident),+; $(on both stores: $($both:ident),+;)?) => {
        $crate::world::cases!(@embedded $($case),+ $(, $($both),+)?);
        $($crate::world::cases!(@redis $($both),+);)?
    };
    (on both stores: $($both:ident),+;) => {
        $crate::world::cases!(@embedded $($both),+);
        $crate::world::cases!(@redis $($both),+);
    };
    (@embedded $($case:ident),+) => {
        mod embedded {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let mut world = $crate::world::World::start($crate::world::Backend::Embedded).await;
                super::$case(&mut world).await;
                world.stop().await;
            })+
        }
    };
    (@redis $($case:ident),+) => {
        mod redis {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let mut world = $crate::world::World::start($crate::world::Backend::Redis).await;
                super::$case(&mut world).await;
                world.stop().await;
            })+
        }
    };
}
pub(crate) use cases;

/// The kind of store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    Embedded,
    Redis,
}

/// The differences of a world from the usual one.
#[derive(Clone, Default)]
pub struct Settings {
    pub server: ServerConfig,
    pub allowances: Allowances,
    pub name_blocklist: NameBlocklist,
    pub accounts: AccountBounds,
    /// The most matches that one player may have made and sit in and that have not started.
    pub open_per_player: Option<u32>,
    /// The most matches with bots that one player may have made and that are not over.
    pub bot_matches_per_player: Option<u32>,
    /// The number of threads that think for bots.
    pub bot_threads: Option<u32>,
    /// The most reviews that one player may order in a day.
    pub reviews_per_day: Option<u32>,
    /// The most matches that have not started and that one player may have made for others.
    pub hosted_per_player: Option<u32>,
    /// After how many days finished matches are deleted.
    pub expire_finished_days: Option<u32>,
    /// After how many days idle guests are deleted.
    pub expire_guests_days: Option<u32>,
    /// The outside issuers.
    pub issuers: Vec<IssuerTerms>,
    /// True if only players with a linked identity play rated matches.
    pub rated_requires_link: bool,
    /// The pools, as a file has them; the built-in ones if left out.
    pub pools: Option<String>,
    /// The rules for the addresses to which the service may send.
    pub outbound: OutboundRules,
    /// The key for Web Push.
    pub vapid_key: Option<String>,
}

/// The system's clock, which a test can move on.
#[derive(Default)]
pub struct TestClock(AtomicI64);

impl TestClock {
    pub fn advance_seconds(&self, seconds: u32) {
        self.0.fetch_add(i64::from(seconds) * 1000, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp(Ambient::system().now().0 + self.moved())
    }

    fn moved(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A clock that nobody has set right.
struct WrongClock {
    seconds: i64,
}

impl Clock for WrongClock {
    fn now(&self) -> Timestamp {
        Timestamp(Ambient::system().now().0 + self.seconds * 1000)
    }
}

struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        let system = Ambient::system();
        for part in bytes.chunks_mut(16) {
            part.copy_from_slice(&system.bytes::<16>()[..part.len()]);
        }
    }
}

/// The server at this URL, in a test that is not about its silence: a disk that is written to may hold one up for longer
/// than players should wait.
pub fn patient(url: String) -> RedisConfig {
    RedisConfig { response_timeout: DEADLINE, ..RedisConfig::single(url) }
}

/// The place of the data.
enum Place {
    Directory(TempDir),
    Redis(Box<RedisConfig>),
}

/// A place to play.
pub struct World {
    pub clock: Arc<TestClock>,
    /// The token keys of all instances, as configured.
    pub token_keys: String,
    place: Place,
    ambient: Ambient,
    settings: Settings,
    instances: Vec<Option<Running>>,
    http: reqwest::Client,
}

/// The Redis server that the cases share, each under its own prefix. It ends with this process.
fn shared_redis() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(&["--maxmemory-policy", "noeviction"]))
}

/// A client without pooled connections, so that a server can stop at once.
pub fn http_client() -> reqwest::Client {
    http_from(None)
}

/// The same from this address.
fn http_from(address: Option<IpAddr>) -> reqwest::Client {
    reqwest::Client::builder()
        .no_proxy()
        .local_address(address)
        .pool_max_idle_per_host(0)
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(60))
        .build()
        .unwrap()
}

impl World {
    /// One instance on empty data.
    pub async fn start(backend: Backend) -> World {
        World::with(backend, Settings::default()).await
    }

    pub async fn with(backend: Backend, settings: Settings) -> World {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let place = match backend {
            Backend::Embedded => Place::Directory(tempfile::tempdir().unwrap()),
            Backend::Redis => {
                let url = tokio::task::spawn_blocking(|| shared_redis().url()).await.unwrap();
                let prefix = format!("api{}", NEXT.fetch_add(1, Ordering::Relaxed));
                Place::Redis(Box::new(RedisConfig { prefix, ..patient(url) }))
            }
        };
        World::at(place, settings).await
    }

    /// One instance on a Redis server of its own.
    pub async fn on(redis: &Server) -> World {
        World::on_redis(RedisConfig::single(redis.url())).await
    }

    /// One instance on the Redis servers that these settings lead to.
    pub async fn on_redis(config: RedisConfig) -> World {
        World::at(Place::Redis(Box::new(config)), Settings::default()).await
    }

    async fn at(place: Place, settings: Settings) -> World {
        let clock = Arc::new(TestClock::default());
        let ambient = Ambient::with(clock.clone(), Arc::new(SystemEntropy));
        let token_keys = SigningKeys::new_key_text(&ambient);
        let http = http_client();
        let mut world = World { clock, token_keys, place, ambient, settings, instances: Vec::new(), http };
        world.add_instance().await;
        world
    }

    /// Starts one more instance and answers its number. With the embedded store the others must have stopped.
    pub async fn add_instance(&mut self) -> usize {
        self.add_instance_with(self.ambient.clone()).await
    }

    /// The same on a machine whose clock is wrong.
    pub async fn add_instance_wrong_by(&mut self, seconds: i64) -> usize {
        self.add_instance_with(Ambient::with(Arc::new(WrongClock { seconds }), Arc::new(SystemEntropy))).await
    }

    async fn add_instance_with(&mut self, ambient: Ambient) -> usize {
        let (store, data_dir) = match &self.place {
            Place::Directory(dir) => (StoreSettings::Embedded, dir.path().to_owned()),
            Place::Redis(config) => (StoreSettings::Redis(config.clone()), PathBuf::new()),
        };
        let settings = config::Settings {
            server: ServerConfig { workers: Some(1), ..self.settings.server.clone() },
            store,
            token_keys: Some(SigningKeys::parse(&self.token_keys).unwrap()),
            allowances: self.settings.allowances,
            name_blocklist: self.settings.name_blocklist.clone(),
            rated_requires_link: self.settings.rated_requires_link,
            accounts: self.settings.accounts,
            background: config::Background {
                open_per_player: self.settings.open_per_player,
                hosted_per_player: self.settings.hosted_per_player,
                expire_finished_days: self.settings.expire_finished_days,
                expire_guests_days: self.settings.expire_guests_days,
                ..config::Background::default()
            },
            pools: self.settings.pools.clone(),
            issuers: self.settings.issuers.clone(),
            outbound: self.settings.outbound.clone(),
            notifications: config::NotificationSettings {
                vapid: self.settings.vapid_key.as_ref().map(|key| (key.parse().unwrap(), VAPID_SUBJECT.to_owned())),
                ..config::NotificationSettings::default()
            },
            bots: config::BotSettings {
                threads: self.settings.bot_threads,
                matches_per_player: self.settings.bot_matches_per_player,
                reviews_per_day: self.settings.reviews_per_day,
                ..config::BotSettings::default()
            },
            ..config::Settings::local(data_dir)
        };
        let running = app::start_with(settings, Games::standard(GameSettings::default()), ambient).await.unwrap();
        self.instances.push(Some(running));
        self.instances.len() - 1
    }

    /// Returns true if several instances may run at once.
    pub fn shares_a_store(&self) -> bool {
        matches!(self.place, Place::Redis(_))
    }

    /// The parts with which the handlers of the newest instance work.
    pub fn service(&self) -> &Shared {
        let newest = self.instances.last().and_then(Option::as_ref);
        &newest.expect("a running instance").service
    }

    /// The store of the newest instance.
    pub fn store(&self) -> Arc<dyn Store> {
        let newest = self.instances.last().and_then(Option::as_ref);
        newest.expect("a running instance").store.clone()
    }

    /// The kind of its store.
    pub fn backend(&self) -> Backend {
        if self.shares_a_store() { Backend::Redis } else { Backend::Embedded }
    }

    /// From the next instance on these settings hold.
    pub fn change(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// An instance dies: nothing that it has begun goes on.
    pub fn kill_instance(&mut self, number: usize) {
        drop(self.instances[number].take());
    }

    /// Stops an instance as a shutdown does.
    pub async fn stop_instance(&mut self, number: usize) {
        if let Some(running) = self.instances[number].take() {
            running.stop().await.unwrap();
        }
    }

    /// Stops all instances.
    pub async fn stop(&mut self) {
        for number in 0..self.instances.len() {
            self.stop_instance(number).await;
        }
    }

    /// Stops the only instance and starts another on the same data. Clients have to be pointed at it.
    pub async fn restart(&mut self) -> usize {
        self.stop().await;
        self.add_instance().await
    }

    /// Another world on a copy of the data of this one, whose only instance is started anew for that.
    pub async fn twin(&mut self) -> World {
        let copy = tempfile::tempdir().unwrap();
        self.stop().await;
        let Place::Directory(data) = &self.place else { panic!("only the embedded store lies in a directory") };
        for file in std::fs::read_dir(data.path()).unwrap().map(Result::unwrap) {
            std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        self.add_instance().await;
        self.beside(copy).await
    }

    /// Another world on the backup of this name.
    pub async fn restored(&self, backup: &str) -> World {
        let copy = tempfile::tempdir().unwrap();
        let Place::Directory(data) = &self.place else { panic!("Redis makes its own backups") };
        std::fs::copy(data.path().join("backups").join(backup), copy.path().join("sarsen.redb")).unwrap();
        self.beside(copy).await
    }

    /// Another world with the settings of this one.
    async fn beside(&self, data: TempDir) -> World {
        let mut other = World {
            clock: self.clock.clone(),
            token_keys: self.token_keys.clone(),
            place: Place::Directory(data),
            ambient: self.ambient.clone(),
            settings: self.settings.clone(),
            instances: Vec::new(),
            http: self.http.clone(),
        };
        other.add_instance().await;
        other
    }

    /// The address of the newest instance.
    pub fn newest_base(&self) -> String {
        self.base(self.instances.len() - 1)
    }

    /// The address of an instance.
    pub fn base(&self, number: usize) -> String {
        format!("http://{}", self.instances[number].as_ref().expect("a running instance").addr)
    }

    /// Somebody without a token whose requests come from another address of the loopback interface.
    pub fn nobody_at(&self, address: &str) -> Client {
        let http = http_from(Some(address.parse().unwrap()));
        Client::new(http, self.base(self.instances.len() - 1))
    }

    /// Somebody without a token, at the newest instance.
    pub fn nobody(&self) -> Client {
        Client::new(self.http.clone(), self.base(self.instances.len() - 1))
    }

    /// An operator with these scopes, at the newest instance.
    pub fn operator(&self, scopes: &str) -> Client {
        let newest = self.instances.last().and_then(Option::as_ref).expect("a running instance");
        let made = newest.service.tokens.issue_operator(&"Olga".parse().unwrap(), &scopes.parse().unwrap(), 12);
        self.nobody().with_token(&made.unwrap().token)
    }

    /// Waits until something eventual is true.
    pub async fn eventually(&self, is_true: impl AsyncFn() -> bool) {
        let start = tokio::time::Instant::now();
        while !is_true().await {
            assert!(start.elapsed() < DEADLINE, "not after {DEADLINE:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// A new guest, at the newest instance.
    pub async fn guest(&self, name: &str) -> Client {
        let nobody = self.nobody();
        let signed_in = nobody.post("/v1/players", json!({"name": name})).await.ok();
        nobody.signed_in(&signed_in)
    }
}
