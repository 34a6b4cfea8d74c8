//! The listener of the metrics: one address for operators alone, `/metrics`, and nothing else.
//!
//! It is up for as long as the process serves, through a stop too, so that this can be watched. What it lacks on purpose is
//! everything that is around the requests of players: it is neither counted nor bounded by them.

use std::io;
use std::net::SocketAddr;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpResponse, HttpServer, web};
use tokio::task::JoinHandle;

use crate::answer::problem::Problem;
use crate::health::expose;
use crate::service::Shared;

/// A listener of metrics.
pub struct ScrapeServer {
    /// The address on which it listens.
    pub addr: SocketAddr,
    handle: ServerHandle,
    task: JoinHandle<io::Result<()>>,
}

/// Binds and serves. Call it inside a tokio runtime.
///
/// # Errors
/// If the address cannot be bound.
pub fn serve(address: SocketAddr, service: Shared) -> io::Result<ScrapeServer> {
    let server =
        HttpServer::new(move || App::new().app_data(service.clone()).route("/metrics", web::get().to(metrics)))
            .disable_signals()
            .workers(1)
            .bind(address)?;
    let addr = server.addrs().first().copied().unwrap_or(address);
    let server = server.run();
    Ok(ScrapeServer { addr, handle: server.handle(), task: tokio::spawn(server) })
}

async fn metrics(service: Shared) -> Result<HttpResponse, Problem> {
    expose(&service).await
}

impl ScrapeServer {
    /// Stops at once.
    ///
    /// # Errors
    /// If the server had failed.
    pub async fn stop(self) -> io::Result<()> {
        self.handle.stop(false).await;
        self.task.await.map_err(io::Error::other)?
    }
}
