//! The games as tools of the Model Context Protocol, for agents on language models, at `POST /mcp`.
//!
//! - [`envelope`] answers a message: JSON-RPC, and what differs between the revisions of the protocol.
//! - [`tools`] is the table of the tools; [`catalogue`], [`tables`] and [`play`] have their calls, [`answer`] the form
//!   of what they answer and refuse, [`agent`] what they work with.
//! - [`position`] is the text that an agent reads of a match, put together from [`moves`], [`facts`] and [`since`].
//! - [`resources`] and [`prompts`] are what a client shows beside the tools.
//!
//! Invariants: a tool makes the call that its HTTP operation makes, and has no rule of its own; its answer is made of
//! the caller's view alone; names of others are cut and quoted, in fields of their own ([`names`]).
//!
//! Deliberately absent: sessions and streams. Every request is independent and is answered with JSON. Of `rmcp` (3.11)
//! only the messages are used, neither its transport nor `rmcp-actix-web` (0.13), which carries requests to it: the
//! transport runs each call as a task that may move between threads, where none could hold the edge's request, prolong
//! its deadline or tell in its headers what is left of an allowance; it has no failure of a call that is one of the
//! HTTP request, such as 401 and 429; and what it refuses itself (hosts, origins, bodies) is plain text without a code.

mod agent;
mod answer;
mod catalogue;
mod envelope;
mod facts;
mod moves;
mod names;
mod play;
mod position;
mod prompts;
mod resources;
mod since;
mod tables;
#[cfg(test)]
mod tests;
mod tools;

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::guard::{self, GuardContext};
use actix_web::http::header::ORIGIN;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::edge::routes::{KnownRoute, ProgramAccess};
use crate::extract::body::RawBody;
use crate::extract::caller::Caller;
use crate::games::CatalogueAnswers;
use crate::service::Shared;
use crate::settings::{Cors, ServerConfig};
use agent::Agent;

/// The endpoint, for the edge. The OpenAPI document leaves it out: its contract is the protocol's. Every program may
/// enter; each tool asks for the scope of its own.
pub(crate) const ROUTE: KnownRoute<'static> =
    KnownRoute { path: "/mcp", method: "POST", operation_id: "mcp", takes_query: false, programs: ProgramAccess::Any };

/// Mounts the endpoint. Where the service has none, requests of every method are `not_found`.
pub(crate) fn mount(config: &mut web::ServiceConfig) {
    let is_off =
        |context: &GuardContext<'_>| context.app_data::<web::Data<ServerConfig>>().is_none_or(|config| !config.mcp);
    let takes = guard::Any(guard::Post()).or(guard::fn_guard(is_off));
    config.service(web::resource(ROUTE.path).guard(takes).to(receive));
}

/// The endpoint's admission: it is switched on, and no foreign page calls. The protocol wants that checked against
/// pages that reach a server on their reader's machine under a name of their own.
struct Door;

impl FromRequest for Door {
    type Error = Problem;
    type Future = Ready<Result<Door, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let config = request.app_data::<web::Data<ServerConfig>>();
        ready(match config {
            Some(config) if config.mcp => admits(&config.cors, request).map(|()| Door),
            _ => Err(Code::NotFound.into()),
        })
    }
}

fn admits(cors: &Cors, request: &HttpRequest) -> Result<(), Problem> {
    let allowed = request.headers().get_all(ORIGIN).all(|origin| match cors {
        Cors::Off => false,
        Cors::Any => true,
        Cors::Origins(origins) => origins.iter().any(|known| known.as_bytes() == origin.as_bytes()),
    });
    let detail = "pages of this origin may not call the service; its operator names those that may (--cors-origins)";
    if allowed { Ok(()) } else { Err(Problem::new(Code::Forbidden).detail(detail)) }
}

async fn receive(
    _: Door,
    Caller(caller): Caller,
    service: Shared,
    catalogue: web::Data<CatalogueAnswers>,
    deadline: Deadline,
    request: HttpRequest,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let agent = Agent { service, catalogue, caller, deadline, request };
    envelope::answer(&agent, body.decode()?).await
}
