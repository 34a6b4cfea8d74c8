//! The table of paths, methods and queries: for answers to unknown ones, and for the names of metrics.

use std::collections::HashMap;

use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use matchit::{InsertError, Router};
use serde::Deserialize;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use sarsen_accounts::auth::ProgramScope;

/// The programs that an operation lets in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProgramAccess {
    /// None, with any scope.
    None,
    /// Those whose token has this scope.
    With(ProgramScope),
    /// All: it is for everybody, or what they ask for is judged later.
    Any,
}

/// One operation, as far as the edge must know it.
pub(crate) struct KnownRoute<'a> {
    /// The pattern of its path.
    pub(crate) path: &'a str,
    pub(crate) method: &'a str,
    pub(crate) operation_id: &'a str,
    /// Indicates whether the route has query parameters.
    pub(crate) takes_query: bool,
    /// The programs that may call it.
    pub(crate) programs: ProgramAccess,
}

struct Known {
    id: String,
    takes_query: bool,
    programs: ProgramAccess,
}

/// The operations of one address, and pages, which are none.
#[derive(Default)]
struct Operations(Vec<(Method, Option<Known>)>);

impl Operations {
    fn of(&self, method: &Method) -> Option<&Known> {
        self.0.iter().find(|(of, _)| of == method)?.1.as_ref()
    }

    /// The methods that the address takes.
    fn allowed(&self) -> String {
        let methods = self.0.iter().flat_map(|(method, _)| match method.as_str() {
            "GET" => vec!["GET", "HEAD"],
            other => vec![other],
        });
        methods.chain(["OPTIONS"]).collect::<Vec<_>>().join(", ")
    }
}

/// Every address and its methods.
pub(crate) struct RouteTable(Router<Operations>);

impl RouteTable {
    /// The table of these routes, and of `pages`, which can only be read.
    ///
    /// # Errors
    /// If two of them could mean the same path.
    pub(crate) fn new<'a>(
        routes: impl IntoIterator<Item = KnownRoute<'a>>,
        pages: impl IntoIterator<Item = &'static str>,
    ) -> Result<RouteTable, InsertError> {
        let mut known_at: HashMap<&str, Operations> = HashMap::new();
        for KnownRoute { path, method, operation_id, takes_query, programs } in routes {
            if let Ok(method) = method.parse() {
                let known = Known { id: operation_id.to_owned(), takes_query, programs };
                known_at.entry(path).or_default().0.push((method, Some(known)));
            }
        }
        for page in pages {
            known_at.entry(page).or_default().0.push((Method::GET, None));
        }
        let mut addresses = Router::new();
        for (path, operations) in known_at {
            addresses.insert(path, operations)?;
        }
        Ok(RouteTable(addresses))
    }

    /// The id of the operation that answers `request`.
    pub(crate) fn operation(&self, request: &HttpRequest) -> Option<&str> {
        self.known(request).map(|known| known.id.as_str())
    }

    /// The programs that may call the operation that answers `request`.
    pub(crate) fn programs(&self, request: &HttpRequest) -> ProgramAccess {
        self.known(request).map_or(ProgramAccess::None, |known| known.programs)
    }

    /// Refuses a query where the operation has no parameters there: the others read theirs, strictly.
    ///
    /// # Errors
    /// `invalid_parameter`.
    pub(crate) fn check_query(&self, request: &HttpRequest) -> Result<(), Problem> {
        if request.query_string().is_empty() || self.known(request).is_none_or(|known| known.takes_query) {
            return Ok(());
        }
        no_query(request.query_string())
    }

    fn known(&self, request: &HttpRequest) -> Option<&Known> {
        self.at(request.match_info().as_str())?.of(request.method())
    }

    fn at(&self, path: &str) -> Option<&Operations> {
        self.0.at(path).ok().map(|found| found.value)
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

/// Answers what no route takes: 404 for unknown paths, 405 (or, to `OPTIONS`, what is allowed) for known ones.
pub(crate) async fn fallback(request: HttpRequest, table: web::Data<RouteTable>) -> HttpResponse {
    let Some(address) = table.at(request.match_info().as_str()) else {
        return HttpResponse::from_error(Problem::new(Code::NotFound));
    };
    let allowed = address.allowed();
    let mut answer = if request.method() == Method::OPTIONS {
        HttpResponse::NoContent().finish()
    } else {
        HttpResponse::from_error(Problem::new(Code::MethodNotAllowed).detail(format!("this address takes {allowed}")))
    };
    if let Ok(allowed) = HeaderValue::try_from(allowed) {
        answer.headers_mut().insert(header::ALLOW, allowed);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{openapi, paths};
    use sarsen_games::{GameSettings, Games};

    #[test]
    fn a_path_is_known_by_its_words() {
        let route = |path, operation_id| KnownRoute {
            path,
            method: "GET",
            operation_id,
            takes_query: false,
            programs: ProgramAccess::Any,
        };
        let routes =
            ["/v1/matches", "/v1/{thing}/{id}", "/v1/matches/{id}", "/v1/matches/{id}/moves", "/v1/matches/mine"];
        let table = RouteTable::new(routes.map(|path| route(path, path)), []).unwrap();
        let known = |path| Some(table.at(path)?.of(&Method::GET)?.id.as_str());
        assert_eq!(known("/v1/matches"), Some("/v1/matches"));
        assert_eq!(known("/v1/matches/m_1"), Some("/v1/matches/{id}"), "more words go before fewer");
        assert_eq!(known("/v1/matches/mine"), Some("/v1/matches/mine"));
        assert_eq!(known("/v1/games/henge"), Some("/v1/{thing}/{id}"));
        assert_eq!(known("/v1/matches/m_1/moves"), Some("/v1/matches/{id}/moves"));
        for none in
            ["/", "", "/v1", "/v1/matches/", "/v1/matches/m_1/", "/v1/matches/m_1/other", "/v1/matches/m_1/moves/2"]
        {
            assert_eq!(known(none), None, "{none:?}");
        }
    }

    #[test]
    fn every_operation_of_the_document_has_its_place() {
        let document = openapi::document(&Games::standard(GameSettings::default())).unwrap();
        let table = RouteTable::new(paths::routes(&document), []).unwrap();
        for route in paths::routes(&document) {
            // A placeholder reads like a word that stands in its place.
            let found = table.at(route.path).and_then(|address| address.of(&route.method.parse().unwrap()));
            assert_eq!(found.map(|known| known.id.as_str()), Some(route.operation_id));
        }
    }
}
