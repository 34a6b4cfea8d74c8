//! The routes and the document, from the same declarations; and the server: bind, serve, stop without losing a request.
//!
//! To add a resource: a file with handlers that carry `#[utoipa::path(..)]` and an actix route attribute with the full
//! path, a `pub fn routes(config: &mut ServiceConfig)` that passes each to `config.service(..)`, and a line in
//! [`routes`]. There is no other way to mount a handler, so none can be missing from the document.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_cors::Cors as CorsLayer;
use actix_web::body::MessageBody;
use actix_web::dev::{ServerHandle, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::{Compress, Condition, from_fn};
use actix_web::{App, Error, HttpResponse, HttpServer, web};
use tokio::task::JoinHandle;
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::http::edge::log::RequestSpan;
use crate::http::edge::routes::fallback;
use crate::http::edge::{edge, guard};
use crate::http::extract::body::BodyLimit;
use crate::http::service::Service;
use crate::http::settings::{Cors, ServerConfig};
use crate::http::{events, explanations, games, health, matches, players, tickets};

/// Mounts every resource.
pub fn routes(config: &mut ServiceConfig) {
    config
        .configure(matches::routes)
        .configure(events::routes)
        .configure(tickets::routes)
        .configure(players::routes)
        .configure(games::routes)
        .configure(explanations::routes)
        .configure(health::routes);
}

/// The paths and schemas of every mounted handler, before `crate::http::document::openapi` completes them.
pub fn collect() -> utoipa::openapi::OpenApi {
    App::new().into_utoipa_app().configure(routes).split_for_parts().1
}

/// The application of one worker.
pub fn build(
    config: web::Data<ServerConfig>,
    service: web::Data<Service>,
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
        .app_data(web::Data::from(service.routes.clone()))
        .app_data(service)
        .into_utoipa_app()
        .configure(routes)
        .split_for_parts();
    app.route("/docs", web::get().to(to_docs))
        .service(SwaggerUi::new("/docs/{file:.*}").config(Config::from("/openapi.json").try_it_out_enabled(true)))
        .default_service(web::to(fallback))
        // The last is the outermost.
        .wrap(Compress::default())
        .wrap(from_fn(guard))
        .wrap(Condition::new(rule != Cors::Off, cors(&rule)))
        .wrap(from_fn(edge))
        .wrap(TracingLogger::<RequestSpan>::new())
}

async fn to_docs() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/docs/")).finish()
}

fn cors(rule: &Cors) -> CorsLayer {
    let layer = CorsLayer::default()
        .allowed_methods(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        .allowed_headers([
            "accept",
            "authorization",
            "content-type",
            "idempotency-key",
            "if-none-match",
            "last-event-id",
            "x-request-id",
        ])
        .expose_headers([
            "etag",
            "location",
            "ratelimit",
            "ratelimit-policy",
            "retry-after",
            "idempotent-replayed",
            "x-request-id",
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
    let mut server = HttpServer::new(move || build(settings.clone(), data.clone()))
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
