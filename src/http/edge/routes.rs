//! What is known of paths, methods and queries: for answers to the wrong ones, and for the names of metrics.

use std::collections::HashMap;

use actix_router::ResourceDef;
use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;

/// One operation, as far as the edge must know it.
pub struct KnownRoute<'a> {
    /// The pattern of its path.
    pub path: &'a str,
    /// Its method.
    pub method: &'a str,
    /// Its id.
    pub operation_id: &'a str,
    /// Whether it has parameters in the query.
    pub takes_query: bool,
}

struct Address {
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
    addresses: Vec<Address>,
    operations: HashMap<String, HashMap<Method, Known>>,
}

impl RouteTable {
    /// The table of these routes, those of a path side by side, and of `pages`, which can only be read.
    pub fn new<'a>(routes: impl IntoIterator<Item = KnownRoute<'a>>, pages: &[&'a str]) -> RouteTable {
        let mut operations: HashMap<String, HashMap<Method, Known>> = HashMap::new();
        let mut methods: Vec<(&str, Vec<&str>)> = Vec::new();
        for KnownRoute { path, method, operation_id, takes_query } in routes {
            match methods.last_mut() {
                Some((last, methods)) if *last == path => methods.push(method),
                _ => methods.push((path, vec![method])),
            }
            if let Ok(method) = method.parse() {
                let known = Known { id: operation_id.to_owned(), takes_query };
                operations.entry(path.to_owned()).or_default().insert(method, known);
            }
        }
        methods.extend(pages.iter().map(|page| (*page, vec!["GET"])));
        RouteTable {
            addresses: methods.iter().filter_map(|(path, methods)| Address::new(path, methods)).collect(),
            operations,
        }
    }

    /// The id of every operation.
    pub fn operations(&self) -> impl Iterator<Item = &str> {
        self.operations.values().flat_map(HashMap::values).map(|known| known.id.as_str())
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
        no_query(request.query_string())
    }

    fn known(&self, request: &HttpRequest) -> Option<&Known> {
        self.operations.get(&request.match_pattern()?)?.get(request.method())
    }
}

/// Refuses every parameter.
fn no_query(query: &str) -> Result<(), Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    match web::Query::<Nothing>::from_query(query) {
        Ok(_) => Ok(()),
        Err(error) => Err(Problem::new(Code::InvalidParameter).detail(error.to_string())),
    }
}

impl Address {
    fn new(path: &str, methods: &[&str]) -> Option<Address> {
        let mut allowed = Vec::with_capacity(methods.len() + 2);
        for &method in methods {
            allowed.push(method);
            if method == "GET" {
                allowed.push("HEAD");
            }
        }
        allowed.push("OPTIONS");
        let allow_text = allowed.join(", ");
        let allow = HeaderValue::from_str(&allow_text).ok()?;
        Some(Address { path: ResourceDef::new(path), allow, allow_text })
    }
}

/// Answers what no route takes: 404 for unknown paths, 405 (or, to `OPTIONS`, what is allowed) for known ones.
pub async fn fallback(request: HttpRequest, table: web::Data<RouteTable>) -> HttpResponse {
    let Some(address) = table.addresses.iter().find(|address| address.path.is_match(request.path())) else {
        return HttpResponse::from_error(Problem::new(Code::NotFound));
    };
    if request.method() == Method::OPTIONS {
        return HttpResponse::build(StatusCode::NO_CONTENT)
            .insert_header((header::ALLOW, address.allow.clone()))
            .finish();
    }
    let detail = format!("this address takes {}", address.allow_text);
    let problem = Problem::new(Code::MethodNotAllowed).detail(detail).header(header::ALLOW, address.allow.clone());
    HttpResponse::from_error(problem)
}
