//! The composition root: from settings to a service that listens.
//!
//! The program, its tests and its benchmarks start a service here and nowhere else, so what is tested is what runs. It
//! lacks on purpose what belongs to a process: the log, signals, the command line.

mod observed;

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use self::observed::Observed;
use crate::config::{Background, BotSettings, ComponentFlags, NotificationSettings, Settings, StoreSettings};
use sarsen_accounts::auth::{KeyFileError, Revocations, SigningKeys, Tokens};
use sarsen_accounts::notifications::{Listeners, listeners};
use sarsen_accounts::outside::{IssuerTerms, KeySetFile, KeySetSource, OutsideAccounts};
use sarsen_accounts::people::People;
use sarsen_accounts::player_status::{self, KnownStatuses};
use sarsen_accounts::players::{AllowanceCounter, Players, StreamTickets, revocation_feed};
use sarsen_accounts::programs::ProgramTokens;
use sarsen_base::ambient::{Ambient, Clock, Timestamp};
use sarsen_base::ids::InstanceId;
use sarsen_base::worker_pool::WorkerPool;
use sarsen_games::bots::Bots;
use sarsen_games::{GameSettings, Games, henge};
use sarsen_http::answer::problem::Problem;
use sarsen_http::app::{Fixtures, RunningServer, serve};
use sarsen_http::document::openapi::DocumentError;
use sarsen_http::drain::{Drain, pause};
use sarsen_http::scrape::{self, ScrapeServer};
use sarsen_http::service::{Readiness, Service, Shared};
use sarsen_matches::feed::notifier::Notifier;
use sarsen_matches::feed::streaming::StreamingPlayers;
use sarsen_matches::model::retention::Retention;
use sarsen_matches::thinking::Thinkers;
use sarsen_matches::{Matches, MatchesParts};
use sarsen_service::account_deletion::{AccountDeletion, AccountDeletionParts};
use sarsen_service::admin::{Administration, AuditLog};
use sarsen_service::background::{BackgroundWork, Foundation, GuestExpiry, Heartbeat, HeartbeatParts, JobFailures};
use sarsen_service::notifications::{Notifications, NotificationsParts};
use sarsen_service::outbound::{KeySetUrl, Outbound, UrlFault};
use sarsen_service::pools::{PlayerPool, Pools, PoolsParts, WrongPools};
use sarsen_service::ratings::Ratings;
use sarsen_service::sandbox::offload::Offload;
use sarsen_service::sandbox::{NoSandbox, Sandbox};
use sarsen_store::embedded::{Embedded, OpenError};
use sarsen_store::redis::{ConnectError, RedisConfig, RedisStore};
use sarsen_store::{Measured, Store, StoreError};

/// The most messages on sessions, statuses, listeners and streams that may wait; if there are more, the store is read
/// instead.
const SESSION_MESSAGES_KEPT: usize = 256;

/// The reason why a service could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The embedded store cannot be opened.
    #[error("--data-dir (SARSEN_DATA_DIR)")]
    DataDir(#[source] OpenError),
    /// The keys beside it cannot be read or made.
    #[error(transparent)]
    Keys(#[from] KeyFileError),
    /// Redis cannot be used.
    #[error("--redis-url (SARSEN_REDIS_URL)")]
    Redis(#[source] ConnectError),
    /// Other instances could not verify what this one signs.
    #[error("with Redis the token keys must be given")]
    NoKeys,
    /// Without the revocations it is unknown which tokens are good.
    #[error("the revoked sessions cannot be read")]
    Revocations(#[source] StoreError),
    /// Without the statuses it is unknown who is banned or has left.
    #[error("the statuses of players cannot be read")]
    Statuses(#[source] StoreError),
    /// Without the owners of webhooks nobody would be notified.
    #[error("the owners of webhooks cannot be read")]
    Listeners(#[source] StoreError),
    /// Positions cannot be sealed.
    #[error(transparent)]
    Sandbox(#[from] NoSandbox),
    /// The key set of an outside issuer is where the service may not ask.
    #[error("--issuers (SARSEN_ISSUERS) has the issuer {name:?}, whose key set cannot be asked for")]
    Issuer {
        /// The issuer.
        name: String,
        /// The fault of its URL.
        source: UrlFault,
    },
    /// There can be no TLS for what is asked of others.
    #[error("TLS cannot be set up")]
    Outbound(#[source] sarsen_service::outbound::TlsError),
    /// The pools cannot be used.
    #[error("--pools (SARSEN_POOLS): {0}")]
    Pools(#[from] WrongPools),
    /// The files of component sets cannot be read.
    #[error(transparent)]
    Components(#[from] WrongComponents),
    /// There is no document.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The address cannot be bound.
    #[error("--listen (SARSEN_LISTEN) {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error with which binding failed.
        source: io::Error,
    },
    /// The address of the metrics cannot be bound.
    #[error("--metrics-listen (SARSEN_METRICS_LISTEN) {address}")]
    ListenForMetrics {
        /// The address.
        address: SocketAddr,
        /// The error with which binding failed.
        source: io::Error,
    },
}

/// Files of components that cannot be used, with every fault of every file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.join("\nerror: "))]
pub struct WrongComponents(Vec<String>);

/// A service that listens.
pub struct Running {
    /// The address on which it listens.
    pub addr: SocketAddr,
    /// The store, which outlives the service. [`Running::stop`] closes it.
    pub store: Arc<dyn Store>,
    /// The use cases that its handlers stand on.
    pub service: Shared,
    /// The address of `/metrics`, if there is one.
    pub metrics_addr: Option<SocketAddr>,
    /// Counts of the failures in the work without a request.
    pub failures: Arc<JobFailures>,
    server: RunningServer,
    scrape: Option<ScrapeServer>,
    shutdown_delay: Duration,
    /// Ends what runs beside the requests, once there are none.
    stopping: CancellationToken,
    /// The heartbeat, which says that this instance is there.
    heartbeat: Heartbeat,
    /// The work without a request, unless other instances do it.
    jobs: Option<BackgroundWork>,
}

/// A service is ready when its store is.
struct StoreReadiness(Arc<dyn Store>);

#[async_trait]
impl Readiness for StoreReadiness {
    async fn ready(&self) -> Result<(), Problem> {
        Ok(self.0.ready().await?)
    }
}

/// The time by which everything above the store judges.
struct StoreTime {
    store: Arc<dyn Store>,
    /// The clock of this machine.
    own: Ambient,
}

impl Clock for StoreTime {
    fn now(&self) -> Timestamp {
        self.store.now()
    }

    fn moved(&self) -> i64 {
        self.own.moved()
    }
}

/// The games of this release, with the components that the flags name.
///
/// # Errors
/// If a file cannot be used.
pub fn games(components: &ComponentFlags) -> Result<Games, WrongComponents> {
    Ok(Games::standard(game_settings(components)?))
}

/// The bots of this release, who play with the same components.
///
/// # Errors
/// If a file cannot be used.
pub fn bots(components: &ComponentFlags) -> Result<Bots, WrongComponents> {
    Ok(Bots::standard(game_settings(components)?))
}

fn game_settings(components: &ComponentFlags) -> Result<GameSettings, WrongComponents> {
    let mut sets = henge::ComponentSets::default();
    let mut faults = Vec::new();
    for path in &components.henge_components {
        let file = path.display().to_string();
        let read = match fs::read_to_string(path) {
            Ok(text) => sets.read(&file, &text).map_err(|faults| faults.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(fault) = read {
            let fault = fault.replace('\n', "\n  ");
            faults.push(format!("--henge-components (SARSEN_HENGE_COMPONENTS) {file} cannot be used:\n  {fault}"));
        }
    }
    if !faults.is_empty() {
        return Err(WrongComponents(faults));
    }
    Ok(GameSettings { henge_components: sets })
}

/// Starts a service with the clock and the entropy of the system. Call it inside a tokio runtime.
///
/// # Errors
/// See [`StartError`].
pub async fn start(settings: Settings, games: Games) -> Result<Running, StartError> {
    start_with(settings, games, Ambient::system()).await
}

/// Starts a service with a clock and entropy of its own.
///
/// # Errors
/// See [`StartError`].
pub async fn start_with(settings: Settings, games: Games, ambient: Ambient) -> Result<Running, StartError> {
    let bots = bots(&settings.components)?;
    start_with_bots(settings, games, bots, ambient).await
}

/// Starts a service whose games have other bots than those of this release.
///
/// # Errors
/// See [`StartError`].
pub async fn start_with_bots(
    mut settings: Settings,
    games: Games,
    bots: Bots,
    ambient: Ambient,
) -> Result<Running, StartError> {
    let fixtures = Fixtures::of(&games)?;
    let metrics = fixtures.metrics();
    if let StoreSettings::Redis(config) = &mut settings.store {
        config.games = games.ids().into_iter().map(str::to_owned).collect();
    }
    let store = open_store(&settings.store, &settings.data_dir, &ambient).await?;
    let store: Arc<dyn Store> = Arc::new(Measured::new(store, &metrics.store));
    let keys = match (settings.token_keys, settings.store) {
        (Some(keys), _) => keys,
        (None, StoreSettings::Embedded) => SigningKeys::load_or_create(&settings.data_dir, &ambient)?,
        (None, StoreSettings::Redis(_)) => return Err(StartError::NoKeys),
    };

    let failures = Arc::new(JobFailures::default());
    let pool = Arc::new(WorkerPool::new(settings.bots.thread_count()));
    let BotSettings { delay_milliseconds, matches_per_player, reviews_per_day, .. } = settings.bots;
    let thinkers = Arc::new(Thinkers::new(bots.clone(), pool.clone(), delay_milliseconds, metrics.bots.clone()));
    let observed = Observed {
        metrics: metrics.clone(),
        store: store.clone(),
        machine: ambient.clone(),
        failures: failures.clone(),
        thinkers: thinkers.clone(),
    };
    // What one instance signs or times another judges, so all go by the clock that they share.
    let ambient = ambient.by(Arc::new(StoreTime { store: store.clone(), own: ambient.clone() }));
    // What others can do is left to them when the first is cancelled; what requests need goes on until the second is.
    let (retiring, stopping) = (CancellationToken::new(), CancellationToken::new());
    let revocations = Arc::new(Revocations::new());
    revocation_feed::read(store.as_ref(), &revocations, &ambient).await.map_err(StartError::Revocations)?;
    let notifier = Arc::new(Notifier::default());
    let (sessions, heard) = broadcast::channel(SESSION_MESSAGES_KEPT);
    let (marked, streams, listens) = (heard.resubscribe(), heard.resubscribe(), heard.resubscribe());
    tokio::spawn(notifier.clone().run(store.live(), sessions, stopping.clone()));
    tokio::spawn(notifier.clone().subscribe(store.clone(), stopping.clone()));
    let feed = revocation_feed::run(store.clone(), heard, revocations.clone(), ambient.clone(), stopping.clone());
    tokio::spawn(feed);

    let statuses = Arc::new(KnownStatuses::default());
    player_status::feed::read(store.as_ref(), &statuses).await.map_err(StartError::Statuses)?;
    tokio::spawn(player_status::feed::run(store.clone(), marked, statuses.clone(), stopping.clone()));
    let streaming = Arc::new(StreamingPlayers::new(InstanceId::generate(&ambient)));
    tokio::spawn(streaming.clone().run(store.clone(), streams, stopping.clone()));

    let listening = Arc::new(Listeners::default());
    listening.read(store.as_ref(), true).await.map_err(StartError::Listeners)?;
    tokio::spawn(listeners::run(store.clone(), listens, listening.clone(), stopping.clone()));

    let drain = Drain::new(settings.server.streams_end_over, ambient.clone());
    let games = Arc::new(games);
    let sandbox = Sandbox::new(games.clone(), &keys, ambient.clone())?.with_bots(bots);
    let sandbox = Arc::new(sandbox);
    let offload = Offload::on(pool.clone(), settings.server.request_timeout);
    let tokens = Arc::new(Tokens::new(keys, settings.token_scope, revocations.clone(), ambient.clone()));
    let Background {
        works,
        open_per_player,
        hosted_per_player,
        expire_finished_days,
        archive_after_days,
        expire_guests_days,
    } = settings.background;
    let (matches, soon) = Matches::new(MatchesParts {
        store: store.clone(),
        games: games.clone(),
        ambient: ambient.clone(),
        notifier,
        counts: metrics.matches.clone(),
        statuses: statuses.clone(),
        listeners: listening.clone(),
        retention: Retention {
            open_per_player,
            hosted_per_player,
            bots_per_player: matches_per_player,
            reviews_per_day,
            expire_finished_days,
            archive_after_days,
        },
        thinkers,
    });
    let players = Players::new(store.clone(), tokens.clone(), ambient.clone());
    let players = players.with_statuses(statuses.clone()).with_bounds(settings.accounts);
    let outbound = Arc::new(Outbound::new(settings.outbound).map_err(StartError::Outbound)?);
    let outside = Arc::new(OutsideAccounts::new(key_sets(settings.issuers, &outbound)?, players.clone()));
    tokio::spawn(outside.clone().run(retiring.clone()));
    let programs = ProgramTokens::new(store.clone(), players.clone(), ambient.clone());
    let programs = Arc::new(programs);
    let people = People::new(store.clone(), players.clone(), ambient.clone());
    let ratings = Ratings::new(store.clone(), store.clone(), statuses.clone(), games.clone(), ambient.clone());
    let NotificationSettings { match_url, vapid } = settings.notifications;
    let (vapid, vapid_subject) = vapid.map_or((None, String::new()), |(key, subject)| (Some(key), subject));
    let notifications = Arc::new(Notifications::new(NotificationsParts {
        items: store.clone(),
        jobs: store.clone(),
        outbound,
        listeners: listening,
        vapid,
        vapid_subject,
        match_url,
        counts: metrics.deliveries.clone(),
        ambient: ambient.clone(),
    }));
    let deletion = Arc::new(AccountDeletion::new(AccountDeletionParts {
        store: store.clone(),
        known: statuses.clone(),
        matches: matches.clone(),
        players: players.clone(),
        ratings: ratings.clone(),
        notifications: Some(notifications.clone()),
        ambient: ambient.clone(),
        request_timeout: settings.server.request_timeout,
    }));
    tokio::spawn(deletion.clone().run(retiring.clone()));
    let guests = expire_guests_days.map(|days| GuestExpiry {
        days,
        players: players.clone(),
        programs: programs.clone(),
        deletion: deletion.clone(),
    });
    let pools = match settings.pools {
        Some(text) => PlayerPool::read_list(&text, &games)?,
        None => PlayerPool::built_in(&games),
    };
    let pools = Pools::new(PoolsParts {
        counts: pools.iter().map(|pool| (pool.id.clone(), metrics.pools.of(&pool.id))).collect(),
        pools,
        store: store.clone(),
        claims: store.clone(),
        matches: matches.clone(),
        people: people.clone(),
        statuses: statuses.clone(),
        ratings: ratings.clone(),
        ambient: ambient.clone(),
    });
    let pools = Arc::new(pools);
    let foundation = Foundation {
        matches: matches.clone(),
        due: store.clone(),
        jobs: store.clone(),
        ratings: ratings.clone(),
        inventory: store.clone(),
        guests,
        pools: Some(pools.clone()),
        notifications: notifications.clone(),
        ambient: ambient.clone(),
        failures: failures.clone(),
    };
    let admin = Administration {
        audit: AuditLog::new(store.clone()),
        store: store.clone(),
        tokens: tokens.clone(),
        known: statuses.clone(),
        matches: matches.clone(),
        players: players.clone(),
        outside: outside.clone(),
        programs: programs.clone(),
        people: people.clone(),
        deletion: deletion.clone(),
        ratings: ratings.clone(),
    };
    let service = Shared::new(Service {
        matches,
        players,
        name_blocklist: settings.name_blocklist,
        admin,
        deletion,
        statuses,
        idle_guest_days: expire_guests_days,
        clock: ambient.clone(),
        tokens,
        outside,
        programs,
        people,
        notifications,
        ratings,
        rated_requires_link: settings.rated_requires_link,
        allowances: AllowanceCounter::new(store.clone(), settings.allowances, ambient.clone()),
        pools,
        streaming,
        tickets: StreamTickets::new(store.clone(), revocations.clone(), ambient),
        sandbox,
        offload,
        readiness: Box::new(StoreReadiness(store.clone())),
        revocations,
        exposition: Box::new(observed),
        retiring,
        drain,
    });
    let shutdown_delay = settings.server.shutdown_delay;
    let shows_metrics = settings.server.shows_metrics();
    let scrape = settings.server.metrics_listen.map(|address| {
        scrape::serve(address, service.clone()).map_err(|source| StartError::ListenForMetrics { address, source })
    });
    let scrape = scrape.transpose()?;
    // Before anybody is served: of an outage that has just ended nothing is noted yet.
    let detector = Arc::clone(service.matches.outage_detector());
    detector.begin();
    let address = settings.server.listen;
    let server = serve(settings.server, service.clone(), fixtures);
    let server = server.map_err(|source| StartError::Listen { address, source })?;
    let metrics_addr = scrape.as_ref().map(|scrape| scrape.addr).or(shows_metrics.then_some(server.addr));
    if metrics_addr.is_none() {
        tracing::info!("no metrics: strangers may reach --listen, so they need --metrics-listen");
    }
    let clock = service.clock.clone();
    let heartbeat = Heartbeat::start(HeartbeatParts { instances: store.clone(), detector, ambient: clock, works });
    let jobs = works.then(|| BackgroundWork::start(foundation, soon, heartbeat.poll_interval(), &service.retiring));
    Ok(Running {
        addr: server.addr,
        store,
        service,
        metrics_addr,
        failures,
        server,
        scrape,
        shutdown_delay,
        stopping,
        heartbeat,
        jobs,
    })
}

/// An issuer and the source of its keys.
type KeyedIssuer = (IssuerTerms, Arc<dyn KeySetSource>);

/// The places of the issuers' key sets, each of which is a file or may be asked for.
fn key_sets(issuers: Vec<IssuerTerms>, outbound: &Arc<Outbound>) -> Result<Vec<KeyedIssuer>, StartError> {
    let placed = issuers.into_iter().map(|terms| {
        let source: Arc<dyn KeySetSource> = match terms.file() {
            Some(path) => Arc::new(KeySetFile(path.into())),
            None => {
                let refused = |source| StartError::Issuer { name: terms.name.clone(), source };
                outbound.check(&terms.jwks).map_err(refused)?;
                Arc::new(KeySetUrl::new(outbound.clone(), terms.jwks.clone()))
            }
        };
        Ok((terms, source))
    });
    placed.collect()
}

/// Opens the store that the settings name.
///
/// # Errors
/// If it cannot be opened or reached.
pub async fn open_store(
    store: &StoreSettings,
    data_dir: &Path,
    ambient: &Ambient,
) -> Result<Arc<dyn Store>, StartError> {
    Ok(match store {
        // The store makes the directory, private to its owner, and keeps other processes out.
        StoreSettings::Embedded => Arc::new(Embedded::open(data_dir, ambient.clone()).map_err(StartError::DataDir)?),
        StoreSettings::Redis(config) => {
            // Boxed, because the driver's futures are nested more deeply than the compiler likes to look.
            let connecting = Box::pin(RedisStore::connect(RedisConfig::clone(config), ambient.clone()));
            Arc::new(connecting.await.map_err(StartError::Redis)?)
        }
    })
}

impl Running {
    /// Stops in order: see [`Running::stop_unless_hurried`].
    ///
    /// # Errors
    /// If the server had failed.
    pub async fn stop(self) -> io::Result<()> {
        self.stop_unless_hurried(&CancellationToken::new()).await
    }

    /// Stops: it is not ready any more and takes on no work that others can do, but serves on for the delay; then streams
    /// end one by one, the listener closes, requests in flight are finished within the grace time, and the store is
    /// closed. A `hurry` ends the delay, the streams and soon the grace time.
    ///
    /// # Errors
    /// If the server had failed.
    pub async fn stop_unless_hurried(self, hurry: &CancellationToken) -> io::Result<()> {
        self.service.retiring.cancel();
        pause(self.shutdown_delay, hurry).await;
        self.service.drain.finish(hurry).await;
        // The listener closes at once; what is in flight takes its time.
        let (stopped, ()) = tokio::join!(self.server.stop(hurry), self.heartbeat.leave());
        self.stopping.cancel();
        let scraped = match self.scrape {
            Some(scrape) => scrape.stop().await,
            None => Ok(()),
        };
        if let Some(jobs) = self.jobs {
            jobs.end().await;
        }
        self.store.close().await;
        stopped.and(scraped)
    }
}
