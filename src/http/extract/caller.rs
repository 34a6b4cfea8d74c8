//! Authentication: from the `Authorization` header (or a stream ticket) to a [`Principal`].
//!
//! Invariants: a token that is sent must be valid, also where none is needed; otherwise a client could take an
//! anonymous answer for its own. A token of a program must have the scope that the document names for the operation.
//! Each read or write is first charged to the allowance of the player (of a program: of its token), or without a token
//! to that of the address.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use futures_util::future::{Either, LocalBoxFuture};
use serde::Deserialize;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::edge::routes::{ProgramAccess, RouteTable};
use crate::service::{Service, Shared};
use sarsen_accounts::auth::{ACCOUNT_SCOPE, PROGRAM_TOKEN_PREFIX, Principal, Program, ProgramToken};
use sarsen_accounts::players::Ticket;
use sarsen_accounts::programs::ProgramRefused;
use sarsen_matches::Reader;

#[derive(Clone, Debug)]
pub(crate) struct Caller(pub Principal);

/// A caller who may be signed in.
#[derive(Clone, Debug)]
pub(crate) struct MaybeCaller(pub Option<Principal>);

/// A signed-in caller who changes something: counted against the player's allowance of writes.
#[derive(Clone, Debug)]
pub(crate) struct Writer(pub Principal);

/// A signed-in caller who plays: a [`Writer`] who is not banned from that.
#[derive(Clone, Debug)]
pub(crate) struct Playing(pub Principal);

/// A caller who deletes their account or ends the session of the path: a [`Writer`], or somebody who has done so already, by
/// the token that they had.
#[derive(Clone, Debug)]
pub(crate) struct Leaver(pub Principal);

/// A caller who may be signed in, by token or by a stream ticket in the query.
#[derive(Clone, Debug)]
pub(crate) struct StreamCaller(pub Option<Principal>);

/// A read that looks at no caller, and refuses no token: counted against the allowance of a good one, else of the address.
pub(crate) struct OpenRead;

impl std::ops::Deref for Writer {
    type Target = Principal;
    fn deref(&self) -> &Principal {
        &self.0
    }
}

impl std::ops::Deref for Playing {
    type Target = Principal;
    fn deref(&self) -> &Principal {
        &self.0
    }
}

impl MaybeCaller {
    /// The caller as a reader of matches, with the invite code of the request.
    pub(crate) fn reader(self, invite: Option<String>) -> Reader {
        Reader::with_invite(self.0.map(|principal| principal.player), invite)
    }
}

/// Returns the service that the application works with.
pub(super) fn service(request: &HttpRequest) -> Result<Shared, Problem> {
    let service = request.app_data::<web::Data<Service>>().cloned();
    service.ok_or_else(|| Problem::internal("the application has no service"))
}

/// The token in the `Authorization` header, or `None` without one.
///
/// # Errors
/// `token_invalid` for a header that holds no bearer token, or two.
pub(super) fn bearer_token(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let mut given = request.headers().get_all(AUTHORIZATION);
    let Some(header) = given.next() else { return Ok(None) };
    let text = std::str::from_utf8(header.as_bytes()).ok();
    let text = text.filter(|_| given.next().is_none()).ok_or(Code::TokenInvalid)?;
    let (scheme, token) = text.split_once(' ').ok_or(Code::TokenInvalid)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Code::TokenInvalid.into());
    }
    Ok(Some(token.trim_ascii()))
}

/// The credential of a request, as far as it can be judged without I/O.
enum Given {
    /// The caller, or nobody.
    Caller(Option<Principal>),
    /// A program's token that the store has to be asked about.
    Program(ProgramToken),
}

fn given(request: &HttpRequest) -> Result<Given, Problem> {
    let Some(token) = bearer_token(request)? else { return Ok(Given::Caller(None)) };
    let service = service(request)?;
    if !token.starts_with(PROGRAM_TOKEN_PREFIX) {
        let principal = service.tokens.verify(token)?;
        service.must_not_be_barred(&principal)?;
        return Ok(Given::Caller(Some(principal)));
    }
    let token: ProgramToken = token.parse().map_err(|_| Code::TokenInvalid)?;
    match service.programs.known(&token) {
        Some(caller) => admitted(request, &service, caller).map(|caller| Given::Caller(Some(caller))),
        None => Ok(Given::Program(token)),
    }
}

/// The refusal of a program's token that was looked up before the request was judged.
struct Unverified(Problem);

/// Checks a program's token with any scopes against the store, once a request. Unknown ones count against the address.
pub(super) async fn verified(request: &HttpRequest, token: ProgramToken) -> Result<Principal, Problem> {
    if let Some(Unverified(refused)) = request.extensions_mut().remove() {
        return Err(refused);
    }
    let service = service(request)?;
    let verified = service.programs.verify(&token).await;
    if matches!(verified, Err(ProgramRefused::Invalid)) {
        allowance::count_read(request, &service, None)?;
    }
    Ok(verified?)
}

/// Asks the store about a program's token before anything of a request is judged, so that the order of refusals does not
/// depend on whether this instance knows the token. The answer is judged by the extractors.
pub(crate) async fn look_up(request: &HttpRequest) {
    let Ok(Some(token)) = bearer_token(request) else { return };
    let Some(Ok(token)) = token.starts_with(PROGRAM_TOKEN_PREFIX).then(|| token.parse::<ProgramToken>()) else {
        return;
    };
    let Ok(service) = service(request) else { return };
    if service.programs.known(&token).is_none()
        && let Err(refused) = verified(request, token).await
    {
        request.extensions_mut().insert(Unverified(refused));
    }
}

/// The same caller, if a program's token has the scope that the operation needs.
fn admitted(request: &HttpRequest, service: &Service, caller: Principal) -> Result<Principal, Problem> {
    service.must_not_be_barred(&caller)?;
    let routes = request.app_data::<web::Data<RouteTable>>();
    must_be_one_of(routes.map_or(ProgramAccess::None, |routes| routes.programs(request)), &caller)?;
    Ok(caller)
}

/// Refuses a program that is none of `programs`, by the scopes of its token.
///
/// # Errors
/// `scope_missing`.
pub(crate) fn must_be_one_of(programs: ProgramAccess, caller: &Principal) -> Result<(), Problem> {
    let (scope, admitted) = match (programs, caller.program.as_deref()) {
        (ProgramAccess::Any, _) | (_, None) => return Ok(()),
        (ProgramAccess::With(needed), Some(Program { scopes, .. })) => (needed.name(), scopes.contains(&needed)),
        (ProgramAccess::None, Some(_)) => (ACCOUNT_SCOPE, false),
    };
    if admitted {
        return Ok(());
    }
    Err(Problem::new(Code::ScopeMissing).scope(scope).detail(format!("the token lacks the scope {scope}")))
}

/// The caller by the `Authorization` header, or `None` without one.
async fn bearer(request: &HttpRequest) -> Result<Option<Principal>, Problem> {
    match given(request)? {
        Given::Caller(caller) => Ok(caller),
        Given::Program(token) => {
            let caller = verified(request, token).await?;
            admitted(request, &*service(request)?, caller).map(Some)
        }
    }
}

/// An extraction that is ready at once, unless the store has to be asked about a program's token.
type Extraction<T> = Either<Ready<Result<T, Problem>>, LocalBoxFuture<'static, Result<T, Problem>>>;

fn extraction<T: 'static>(
    request: &HttpRequest,
    then: fn(&HttpRequest, Option<Principal>) -> Result<T, Problem>,
) -> Extraction<T> {
    match given(request) {
        Ok(Given::Caller(caller)) => Either::Left(ready(then(request, caller))),
        Ok(Given::Program(token)) => {
            let request = request.clone();
            Either::Right(Box::pin(async move {
                let caller = verified(&request, token).await?;
                let caller = admitted(&request, &*service(&request)?, caller)?;
                then(&request, Some(caller))
            }))
        }
        Err(problem) => Either::Left(ready(Err(problem))),
    }
}

/// The stream ticket in a query string, which is never logged.
fn ticket_in_query(query: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Given {
        ticket: Option<String>,
    }
    web::Query::<Given>::from_query(query).ok()?.into_inner().ticket
}

async fn signed_in(request: &HttpRequest) -> Result<Principal, Problem> {
    bearer(request).await?.ok_or_else(|| Code::Unauthenticated.into())
}

/// Counts a read against the caller's allowance, or the address'. What changes something is counted where that is done.
fn counted(request: &HttpRequest, caller: Option<Principal>) -> Result<Option<Principal>, Problem> {
    if request.method() == Method::GET {
        allowance::count_read(request, &*service(request)?, caller.as_ref())?;
    }
    Ok(caller)
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Extraction<Caller>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        extraction(request, |request, caller| {
            let caller = caller.ok_or(Code::Unauthenticated)?;
            counted(request, Some(caller))?.map(Caller).ok_or_else(|| Code::Unauthenticated.into())
        })
    }
}

impl FromRequest for MaybeCaller {
    type Error = Problem;
    type Future = Extraction<MaybeCaller>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        extraction(request, |request, caller| counted(request, caller).map(MaybeCaller))
    }
}

impl FromRequest for OpenRead {
    type Error = Problem;
    type Future = Ready<Result<OpenRead, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller = match given(request) {
            Ok(Given::Caller(caller)) => caller,
            Ok(Given::Program(_)) | Err(_) => None,
        };
        ready(counted(request, caller).map(|_| OpenRead))
    }
}

impl FromRequest for Writer {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Writer, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let principal = signed_in(&request).await?;
            let service = service(&request)?;
            allowance::count_write(&request, &service, &principal).await?;
            Ok(Writer(principal))
        })
    }
}

impl FromRequest for Leaver {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Leaver, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, writer) = (request.clone(), Writer::from_request(request, payload));
        Box::pin(async move {
            let refused = match writer.await {
                Ok(Writer(principal)) => return Ok(Leaver(principal)),
                Err(refused) => refused,
            };
            let service = service(&request)?;
            let left = bearer_token(&request)?.and_then(|token| service.tokens.verify_signed(token).ok());
            let ended = |principal: &Principal| {
                let named = request.match_info().get("session_id") == Some(principal.session.as_str());
                named && refused.code() == Code::TokenRevoked
            };
            let left = left.filter(|principal| service.statuses.is_gone(&principal.player) || ended(principal));
            left.map(Leaver).ok_or(refused)
        })
    }
}

impl FromRequest for Playing {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Playing, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, writer) = (request.clone(), Writer::from_request(request, payload));
        Box::pin(async move {
            let Writer(principal) = writer.await?;
            service(&request)?.must_be_free_to_play(&principal)?;
            Ok(Playing(principal))
        })
    }
}

impl FromRequest for StreamCaller {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<StreamCaller, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let caller = match (bearer(&request).await?, ticket_in_query(request.query_string())) {
                (None, Some(ticket)) => {
                    let ticket: Ticket = ticket.parse().map_err(|_| Code::TicketInvalid)?;
                    let service = service(&request)?;
                    let principal = service.tickets.redeem(&ticket).await?;
                    Some(admitted(&request, &service, principal)?)
                }
                (caller, _) => caller,
            };
            counted(&request, caller).map(StreamCaller)
        })
    }
}
