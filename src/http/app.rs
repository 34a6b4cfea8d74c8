//! The routes and the document, from the same declarations.
//!
//! To add a resource: a file with handlers that carry `#[utoipa::path(..)]` and an actix route attribute with the full
//! path, a `pub fn routes(config: &mut ServiceConfig)` that passes each to `config.service(..)`, and a line in
//! [`routes`]. There is no other way to mount a handler, so none can be missing from the document.

use actix_cors::Cors as CorsLayer;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::{Compress, Condition, from_fn};
use actix_web::{App, Error, HttpResponse, web};
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::body::BodyLimit;
use super::edge::{RequestSpan, edge, guard};
use super::routes::fallback;
use super::server::{Cors, ServerConfig};
use super::service::Service;
use super::{events, games, matches, operations, players, problems, tickets};

/// Mounts every resource.
pub fn routes(config: &mut ServiceConfig) {
    config
        .configure(matches::routes)
        .configure(events::routes)
        .configure(tickets::routes)
        .configure(players::routes)
        .configure(games::routes)
        .configure(problems::routes)
        .configure(operations::routes);
}

/// The paths and schemas of every mounted handler, before `super::openapi` completes them.
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
