//! Health, readiness, metrics and the OpenAPI document, for operators and tools.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, Responder, get, web};
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa::openapi::OpenApi;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::etag::CachedAnswer;
use crate::answer::problem::Problem;
use crate::service::{Service, Shared};
use crate::settings::ServerConfig;

/// The time within which the store has to report that it is ready.
const READY_WITHIN: Duration = Duration::from_secs(2);

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(get_index).service(get_health).service(get_readiness).service(get_metrics).service(get_openapi);
}

/// The OpenAPI document as served.
pub(crate) struct ServedDocument(CachedAnswer);

impl ServedDocument {
    /// The entity tag of the document that the service of this request serves; empty where there is none.
    pub(crate) fn tag_at(request: &HttpRequest) -> &str {
        request.app_data::<web::Data<ServedDocument>>().map_or("", |document| document.0.tag())
    }

    /// Writes the document once.
    pub(crate) fn new(document: &OpenApi) -> Result<ServedDocument, serde_json::Error> {
        CachedAnswer::json(document).map(ServedDocument)
    }
}

/// Addresses of the service's main resources.
#[derive(Serialize, ToSchema)]
pub(crate) struct ServiceIndex {
    /// Always `sarsen`.
    pub(crate) service: &'static str,
    /// The release of the service.
    pub(crate) version: &'static str,
    /// Path of the documentation for people.
    pub(crate) docs: &'static str,
    /// Path of the playground, a page that plays matches; left out where the service has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) playground: Option<&'static str>,
    /// Path of the OpenAPI document.
    pub(crate) openapi: &'static str,
    /// Path of the list of games.
    pub(crate) games: &'static str,
}

/// The health of the service.
#[derive(Serialize, ToSchema)]
pub(crate) struct ServiceStatus {
    /// `ok`; anything else is a problem.
    #[schema(examples("ok"))]
    pub(crate) status: &'static str,
}

/// Find your way
///
/// Returns the addresses of the documentation, the playground, the OpenAPI document and the games.
#[utoipa::path(
    operation_id = "getIndex",
    tag = "service",
    security(()),
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "Addresses, relative to the service.", body = ServiceIndex))
)]
#[get("/")]
pub(crate) async fn get_index(config: web::Data<ServerConfig>) -> impl Responder {
    HttpResponse::Ok().json(ServiceIndex {
        service: "sarsen",
        version: env!("CARGO_PKG_VERSION"),
        docs: "/docs/",
        playground: config.shows_playground().then_some("/playground/"),
        openapi: "/openapi.json",
        games: "/v1/games",
    })
}

/// Ask whether the process lives
///
/// Answers as long as the process can answer at all; it says nothing about the store.
#[utoipa::path(
    operation_id = "getHealth",
    tag = "service",
    security(()),
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "It lives.", body = ServiceStatus))
)]
#[get("/healthz")]
pub(crate) async fn get_health() -> impl Responder {
    HttpResponse::Ok().json(ServiceStatus { status: "ok" })
}

/// Ask whether the service can serve
///
/// Asks the store, for two seconds at most. An instance that has been told to stop is not ready, though it may serve on
/// for a while.
#[utoipa::path(
    operation_id = "getReadiness",
    tag = "service",
    security(()),
    extensions(("x-problems" = json!([Code::StoreUnavailable]))),
    responses((status = 200, description = "It can.", body = ServiceStatus))
)]
#[get("/readyz")]
pub(crate) async fn get_readiness(service: Shared) -> Result<impl Responder, Problem> {
    if service.retiring.is_cancelled() {
        return Err(Problem::new(Code::StoreUnavailable).detail("this instance is stopping").retry_after_seconds(1));
    }
    match timeout(READY_WITHIN, service.readiness.ready()).await {
        Ok(ready) => ready?,
        Err(late) => return Err(Problem::new(Code::StoreUnavailable).retry_after_seconds(1).cause(late)),
    }
    Ok(HttpResponse::Ok().json(ServiceStatus { status: "ok" }))
}

/// Read the counters
///
/// The metrics of this instance in the OpenMetrics text format: requests, matches, the store, the process. They are for
/// operators: unless this address is a loopback address without a proxy in front and the metrics have no listener of their
/// own, there is nothing here (`not_found`).
#[utoipa::path(
    operation_id = "getMetrics",
    tag = "service",
    security(()),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((
        status = 200, description = "The counters of this instance.", body = String,
        content_type = "application/openmetrics-text"
    ))
)]
#[get("/metrics")]
pub(crate) async fn get_metrics(service: Shared, config: web::Data<ServerConfig>) -> Result<HttpResponse, Problem> {
    if config.shows_metrics() { expose(&service).await } else { Err(Code::NotFound.into()) }
}

/// Answers with the metrics, also where `/metrics` does not show them.
pub(crate) async fn expose(service: &Service) -> Result<HttpResponse, Problem> {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(HttpResponse::Ok().insert_header((header::CONTENT_TYPE, kind)).body(service.exposition.text().await?))
}

/// Read this document
///
/// The OpenAPI 3.1 document of this release. It changes only with a release.
#[utoipa::path(
    operation_id = "getOpenapi",
    tag = "service",
    security(()),
    extensions(("x-problems" = json!([])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The document.", body = serde_json::Value))
)]
#[get("/openapi.json")]
pub(crate) async fn get_openapi(document: web::Data<ServedDocument>, request: HttpRequest) -> impl Responder {
    document.0.respond(&request)
}
