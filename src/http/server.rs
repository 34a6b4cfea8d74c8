//! The listening server: bind, serve, stop without losing a request.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{HttpServer, web};
use tokio::task::JoinHandle;

use super::app;
use super::service::Service;

/// Whose pages may call the service from a browser.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Cors {
    /// Nobody's.
    #[default]
    Off,
    /// Everybody's. Tokens travel in a header, never in a cookie, so this is safe.
    Any,
    /// These origins', such as `https://example.org`.
    Origins(Vec<String>),
}

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Worker threads; `None` for one a core.
    pub workers: Option<usize>,
    /// The longest request body in bytes.
    pub body_limit: usize,
    /// The longest time to the head of an answer.
    pub request_timeout: Duration,
    /// How long requests in flight may take after the stop. Whole seconds count.
    pub shutdown_grace: Duration,
    /// Whose pages may call.
    pub cors: Cors,
    /// How many proxies in front append to `X-Forwarded-For`. 0: the peer is the client.
    pub trusted_proxies: u8,
}

impl ServerConfig {
    /// 30 seconds.
    pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
}

impl Default for ServerConfig {
    /// A free port of the loopback interface, for tests.
    fn default() -> ServerConfig {
        ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            workers: None,
            body_limit: super::body::BodyLimit::DEFAULT.0,
            request_timeout: ServerConfig::DEFAULT_REQUEST_TIMEOUT,
            shutdown_grace: Duration::from_secs(10),
            cors: Cors::Off,
            trusted_proxies: 0,
        }
    }
}

/// A server that is listening.
pub struct RunningServer {
    /// Where it listens.
    pub addr: SocketAddr,
    service: web::Data<Service>,
    handle: ServerHandle,
    task: JoinHandle<io::Result<()>>,
}

/// Binds and serves. Call it inside a tokio runtime.
///
/// # Errors
/// If the address cannot be bound.
pub fn start(config: ServerConfig, service: Arc<Service>) -> io::Result<RunningServer> {
    let service = web::Data::from(service);
    let (data, settings) = (service.clone(), web::Data::new(config.clone()));
    let mut server = HttpServer::new(move || app::build(settings.clone(), data.clone()))
        .disable_signals()
        .shutdown_timeout(config.shutdown_grace.as_secs());
    if let Some(workers) = config.workers {
        server = server.workers(workers);
    }
    let server = server.bind(config.listen)?;
    let addr = server.addrs().first().copied().unwrap_or(config.listen);
    let server = server.run();
    let handle = server.handle();
    Ok(RunningServer { addr, service, handle, task: tokio::spawn(server) })
}

impl RunningServer {
    /// Stops: no new connections, streams end, requests in flight are finished within the grace time. The store is
    /// left open; whoever opened it closes it.
    ///
    /// # Errors
    /// If the server had failed.
    pub async fn stop(self) -> io::Result<()> {
        // The order is sent to the server when `stop` is called, so streams that end now are not followed by new ones.
        let stopped = self.handle.stop(true);
        self.service.stopping.cancel();
        stopped.await;
        self.task.await.map_err(io::Error::other)?
    }
}
