//! What the document knows of paths, methods and queries: for answers to the wrong ones, and for the names of metrics.
//!
//! Invariant: made from the generated document, so it cannot disagree with what is mounted.

use std::collections::HashMap;

use actix_router::ResourceDef;
use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{OpenApi, RefOr};

use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::document::openapi::operations;
use crate::http::extract::params;

/// Addresses that the document does not list: the pages for people.
const UNDOCUMENTED: [&str; 2] = ["/docs", "/docs/{file:.*}"];

struct Route {
    path: ResourceDef,
    allow: HeaderValue,
    allow_text: String,
}

struct Known {
    id: String,
    takes_query: bool,
}

/// Every address and its methods.
pub struct RouteTable {
    routes: Vec<Route>,
    operations: HashMap<String, HashMap<Method, Known>>,
}

impl RouteTable {
    /// The table of a document.
    pub fn of(document: &OpenApi) -> RouteTable {
        let mut routes = Vec::new();
        let mut names: HashMap<String, HashMap<Method, Known>> = HashMap::new();
        for (path, item) in &document.paths.paths {
            let mut methods = Vec::new();
            for (method, operation) in operations(item) {
                methods.push(method);
                if method == "GET" {
                    methods.push("HEAD");
                }
                if let (Ok(method), Some(id)) = (method.parse(), &operation.operation_id) {
                    let known = Known { id: id.clone(), takes_query: takes_query(operation) };
                    names.entry(path.clone()).or_default().insert(method, known);
                }
            }
            routes.extend(Route::new(path, &methods));
        }
        routes.extend(UNDOCUMENTED.iter().filter_map(|path| Route::new(path, &["GET", "HEAD"])));
        RouteTable { routes, operations: names }
    }

    /// The id of the operation that answers `request`.
    pub fn operation(&self, request: &HttpRequest) -> Option<&str> {
        self.known(request).map(|known| known.id.as_str())
    }

    /// Refuses a query where the operation has no parameters there: the others read theirs, strictly.
    ///
    /// # Errors
    /// `invalid_parameter`.
    pub fn check_query(&self, request: &HttpRequest) -> Result<(), Problem> {
        if request.query_string().is_empty() || self.known(request).is_none_or(|known| known.takes_query) {
            return Ok(());
        }
        params::no_query(request.query_string())
    }

    fn known(&self, request: &HttpRequest) -> Option<&Known> {
        self.operations.get(&request.match_pattern()?)?.get(request.method())
    }
}

fn takes_query(operation: &Operation) -> bool {
    operation
        .parameters
        .iter()
        .flatten()
        .any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query))
}

impl Route {
    fn new(path: &str, methods: &[&str]) -> Option<Route> {
        let allow_text = format!("{}, OPTIONS", methods.join(", "));
        let allow = HeaderValue::from_str(&allow_text).ok()?;
        Some(Route { path: ResourceDef::new(path), allow, allow_text })
    }
}

/// Answers what no route takes: 404 for unknown paths, 405 (or, to `OPTIONS`, what is allowed) for known ones.
pub async fn fallback(request: HttpRequest, live: web::Data<RouteTable>) -> HttpResponse {
    let Some(route) = live.routes.iter().find(|route| route.path.is_match(request.path())) else {
        return HttpResponse::from_error(Problem::new(Code::NotFound));
    };
    if request.method() == Method::OPTIONS {
        return HttpResponse::build(StatusCode::NO_CONTENT)
            .insert_header((header::ALLOW, route.allow.clone()))
            .finish();
    }
    let detail = format!("this address takes {}", route.allow_text);
    let problem = Problem::new(Code::MethodNotAllowed).detail(detail).header(header::ALLOW, route.allow.clone());
    HttpResponse::from_error(problem)
}
