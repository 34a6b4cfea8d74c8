//! Composition: what is made of the handlers and the games, the application of a worker, and the server that runs them.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use actix_cors::Cors as CorsLayer;
use actix_web::body::MessageBody;
use actix_web::dev::{ServerHandle, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Compress, Condition, from_fn};
use actix_web::{App, Error, HttpServer, web};
use socket2::SockRef;
use strum::VariantArray;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use utoipa_actix_web::AppExt;

use crate::answer::codes::Code;
use crate::docs;
use crate::document::openapi::{self, DocumentError};
use crate::document::{paths, routes};
use crate::edge::connection_quota::ConnectionQuota;
use crate::edge::guard::guard;
use crate::edge::outer::edge;
use crate::edge::routes::{KnownRoute, RouteTable, fallback};
use crate::extract::body::BodyLimit;
use crate::games::CatalogueAnswers;
use crate::health::ServedDocument;
use crate::limits::KnownLimits;
use crate::mcp;
use crate::playground;
use crate::service::Shared;
use crate::settings::{Cors, ServerConfig};
use sarsen_base::telemetry::{KnownLabels, Metrics};
use sarsen_games::Games;
use sarsen_games::bots::Level;
use sarsen_matches::Stage;
use sarsen_matches::table::live_match::endings;
use sarsen_rules::GameInfo;

/// Addresses that the document does not list: the pages for people.
const PAGES: [&str; 3] = ["/docs", "/docs/", "/docs/{file}"];

/// The most connections that a worker takes by itself.
const WORKER_CONNECTIONS_MAX: usize = 25_600;

/// The grace period of requests in flight once the service must stop in a hurry.
const HASTY_GRACE: Duration = Duration::from_secs(1);

/// The connections that may wait at the listener; the standard library has 128.
const BACKLOG: i32 = 1024;
/// The time for which connections that wait at the listener are still accepted once it ignores new ones.
const LAST_ACCEPTED: Duration = Duration::from_millis(50);

/// A worker a core, as the server has it by itself.
fn available_parallelism() -> io::Result<usize> {
    thread::available_parallelism().map(usize::from)
}

/// The parts that are built once from the handlers and the games. They never change, except for the counts of
/// [`Metrics`].
#[derive(Clone)]
pub struct Fixtures {
    document: web::Data<ServedDocument>,
    routes: web::Data<RouteTable>,
    metrics: web::Data<Metrics>,
    catalogue: web::Data<CatalogueAnswers>,
}

impl Fixtures {
    /// Those of a service that offers `games`.
    ///
    /// # Errors
    /// If an answer has no JSON form.
    pub fn of(games: &Games) -> Result<Fixtures, DocumentError> {
        let document = openapi::served_document(games);
        let all: Vec<KnownRoute<'_>> = paths::routes(&document).chain([mcp::ROUTE]).collect();
        let ends = |game: &GameInfo| [game.endings, endings::ALL, &[Stage::Aborted.name()]].concat();
        let labels = KnownLabels {
            operations: all.iter().map(|route| route.operation_id).collect(),
            problems: Code::ALL.iter().map(|code| code.name()).collect(),
            games: games.iter().map(|game| (game.info().id, ends(game.info()))).collect(),
            levels: Level::VARIANTS.iter().map(|level| level.name()).collect(),
        };
        let metrics = Metrics::new(&labels);
        let routes = RouteTable::new(all, PAGES.into_iter().chain(playground::pages()));
        let routes = routes.map_err(|error| DocumentError::Unsound(error.to_string()))?;
        Ok(Fixtures {
            document: web::Data::new(ServedDocument::new(&document)?),
            metrics: web::Data::new(metrics),
            routes: web::Data::new(routes),
            catalogue: web::Data::new(CatalogueAnswers::of(games)?),
        })
    }

    /// The metrics of the service.
    pub fn metrics(&self) -> Arc<Metrics> {
        self.metrics.clone().into_inner()
    }
}

/// The application of one worker.
pub(crate) fn build(
    config: web::Data<ServerConfig>,
    service: Shared,
    fixtures: Fixtures,
    connection_quota: web::Data<ConnectionQuota>,
    limits: web::Data<KnownLimits>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let rule = config.cors.clone();
    let (app, _) = App::new()
        .app_data(BodyLimit(config.body_limit))
        .app_data(config)
        .app_data(connection_quota)
        .app_data(limits)
        .app_data(fixtures.document)
        .app_data(fixtures.routes)
        .app_data(fixtures.metrics)
        .app_data(fixtures.catalogue)
        .app_data(service)
        .into_utoipa_app()
        .configure(routes::mount)
        .split_for_parts();
    app.configure(docs::mount)
        .configure(playground::mount)
        .configure(mcp::mount)
        .default_service(web::to(fallback))
        // The last is the outermost.
        .wrap(Compress::default())
        .wrap(from_fn(guard))
        .wrap(Condition::new(rule != Cors::Off, cors(&rule)))
        .wrap(from_fn(edge))
}

fn cors(rule: &Cors) -> CorsLayer {
    let layer = CorsLayer::default()
        .allowed_methods(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        // The service reads none but those that it knows, and tracing and monitoring add headers of their own.
        .allow_any_header()
        .expose_headers([
            "date",
            "etag",
            "location",
            "ratelimit",
            "ratelimit-policy",
            "retry-after",
            "idempotent-replayed",
            "x-request-id",
            "x-server-time",
        ])
        .max_age(3600);
    match rule {
        Cors::Off => layer,
        Cors::Any => layer.allow_any_origin().send_wildcard(),
        Cors::Origins(origins) => origins.iter().fold(layer, |layer, origin| layer.allowed_origin(origin)),
    }
}

/// A server that is listening.
pub struct RunningServer {
    /// The address on which it listens.
    pub addr: SocketAddr,
    listener: TcpListener,
    handle: ServerHandle,
    task: JoinHandle<io::Result<()>>,
}

/// Has the kernel drop SYN packets, which ask for new connections. The client sends its SYN again after a second and is
/// then refused, so it knows that nothing was done. Otherwise a connection that is in the queue when the listener
/// closes is reset after its request, which no proxy may repeat: 2 of 11,498 while an instance stopped.
#[cfg(target_os = "linux")]
fn ignore_new_connections(listener: &TcpListener) -> io::Result<()> {
    use socket2::SockFilter;
    // By the flags of TCP, byte 13 of a packet: drop what has SYN, and take all else.
    let (load_flags, is_syn) = (SockFilter::new(0x30, 0, 0, 13), SockFilter::new(0x45, 0, 1, 0x02));
    let (drop, take) = (SockFilter::new(0x06, 0, 0, 0), SockFilter::new(0x06, 0, 0, u32::MAX));
    SockRef::from(listener).attach_filter(&[load_flags, is_syn, drop, take])
}

#[cfg(not(target_os = "linux"))]
fn ignore_new_connections(_: &TcpListener) -> io::Result<()> {
    Ok(())
}

/// Binds and serves. Call it inside a tokio runtime.
///
/// HTTP/1.1 alone (2026-11-26): to tell HTTP/2 on cleartext apart, actix-http 3.20 peeks at a connection's first bytes
/// before anything counts or bounds it, so that who connects and stays silent would hold a socket for ever. Proxies that
/// speak HTTP/2 with clients speak HTTP/1.1 with this service, on connections that they keep.
///
/// # Errors
/// If the address cannot be bound.
pub fn serve(config: ServerConfig, service: Shared, fixtures: Fixtures) -> io::Result<RunningServer> {
    let settings = web::Data::new(config.clone());
    let connection_quota = web::Data::new(ConnectionQuota::new(&config));
    let limits = web::Data::new(KnownLimits::of(&config, &service).map_err(io::Error::other)?);
    let (counted, streams) = (connection_quota.clone(), connection_quota.clone());
    service.streaming.serve(move |player| streams.is_streaming(player));
    let workers = config.workers.map_or_else(available_parallelism, Ok)?;
    let mut server = HttpServer::new(move || {
        build(settings.clone(), service.clone(), fixtures.clone(), connection_quota.clone(), limits.clone())
    })
    .disable_signals()
    .keep_alive(config.keep_alive)
    .shutdown_timeout(config.shutdown_grace.as_secs())
    .workers(workers)
    // Who has gone follows no stream any more, and makes room for others at once.
    .h1_allow_half_closed(false)
    .on_connect(move |connection, kept| counted.connected(connection, kept));
    if let Some(most) = config.connections_max {
        // Connections beyond that wait to be accepted.
        server = server.max_connections(most.div_ceil(workers).min(WORKER_CONNECTIONS_MAX));
    }
    let listener = TcpListener::bind(config.listen)?;
    SockRef::from(&listener).listen(BACKLOG)?;
    let addr = listener.local_addr()?;
    let server = server.listen(listener.try_clone()?)?.run();
    let handle = server.handle();
    Ok(RunningServer { addr, listener, handle, task: tokio::spawn(server) })
}

impl RunningServer {
    /// Stops: accepts no new connections and finishes requests in flight within the grace time, or, once there is a
    /// `hurry`, within [`HASTY_GRACE`]. Streams and long polls have been asked to end before. The store stays open; its
    /// opener closes it.
    ///
    /// # Errors
    /// If the server had failed.
    pub async fn stop(self, hurry: &CancellationToken) -> io::Result<()> {
        let stopped = async {
            if let Err(error) = ignore_new_connections(&self.listener) {
                tracing::debug!(%error, "new connections come until the listener closes");
            }
            sleep(LAST_ACCEPTED).await;
            drop(self.listener);
            self.handle.stop(true).await;
        };
        let hasty = async {
            hurry.cancelled().await;
            sleep(HASTY_GRACE).await;
        };
        tokio::select! {
            () = stopped => self.task.await.map_err(io::Error::other)?,
            // What is still under way ends with the process.
            () = hasty => Ok(()),
        }
    }
}
