//! Allowances as clients see them.
//!
//! Invariant: the answer to a counted request tells what is left (`RateLimit`, `RateLimit-Policy`); a refused one also
//! says when there is more (`Retry-After`).

use std::borrow::Cow;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest, web};

use super::address::{address_mark, client_address};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::service::Service;
use sarsen_accounts::auth::Principal;
use sarsen_accounts::players::Counted;
use sarsen_base::ids::PlayerId;
use sarsen_matches::model::table_terms::AddressMark;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Counts a change by `caller`.
///
/// # Errors
/// `rate_limited`, or that the store is away.
pub(crate) async fn count_write(request: &HttpRequest, service: &Service, caller: &Principal) -> Result<(), Problem> {
    note(request, service.allowances.count_write(caller).await?)
}

/// Counts a change of tokens by the address that asks for it.
///
/// # Errors
/// `rate_limited`, or that the store is away.
pub(crate) async fn count_token_change(request: &HttpRequest, service: &Service) -> Result<(), Problem> {
    note(request, service.allowances.count_write_from(&client_address(request)).await?)
}

/// Counts a hint for `player`.
///
/// # Errors
/// `rate_limited`, or that the store is away.
pub(crate) async fn count_hint(request: &HttpRequest, service: &Service, player: &PlayerId) -> Result<(), Problem> {
    note(request, service.allowances.count_hint(player).await?)
}

/// Counts a look at an invite, or its use by this caller, by the address that asks, or by the token of a program.
///
/// # Errors
/// `rate_limited`, or that the store is away.
pub(crate) async fn count_invite(
    request: &HttpRequest,
    service: &Service,
    caller: Option<&Principal>,
) -> Result<(), Problem> {
    note(request, service.allowances.count_invite(&token_or_address(request, caller)).await?)
}

/// The token of a program, several of which may share an address, or else the address of a request.
fn token_or_address<'a>(request: &HttpRequest, caller: Option<&'a Principal>) -> Cow<'a, str> {
    match caller.and_then(|caller| caller.program.as_deref()) {
        Some(program) => program.token.as_str().into(),
        None => client_address(request).into(),
    }
}

/// Counts a read by `caller`, or, without a token, by the address that asks for it.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn count_read(request: &HttpRequest, service: &Service, caller: Option<&Principal>) -> Result<(), Problem> {
    note(
        request,
        match caller {
            Some(Principal { program: Some(program), .. }) => service.allowances.count_read(program.token.as_str()),
            Some(caller) => service.allowances.count_read(caller.player.as_str()),
            None => service.allowances.count_read(&client_address(request)),
        },
    )
}

/// Counts a public match by the address that makes it, or by the token of a program. Returns the mark of the address, for
/// the lobby.
///
/// # Errors
/// `rate_limited`, or that the store is away.
pub(crate) async fn count_table(
    request: &HttpRequest,
    service: &Service,
    caller: &Principal,
) -> Result<AddressMark, Problem> {
    note(request, service.allowances.count_table(&token_or_address(request, Some(caller))).await?)?;
    Ok(address_mark(request))
}

/// Refuses a request that may be one more try to guess an invite, where too many from its address were wrong: by the
/// operation that answers it, and by the names of its query as they are read.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn may_try_an_invite(
    request: &HttpRequest,
    service: &Service,
    operation: Option<&str>,
) -> Result<(), Problem> {
    let query = request.query_string();
    let named = || {
        let read = web::Query::<Vec<(String, String)>>::from_query(query);
        read.is_ok_and(|read| read.iter().any(|(name, _)| name == "invite"))
    };
    let joins = matches!(operation, Some("joinMatch" | "joinByInvite"));
    if joins || !query.is_empty() && named() { may_guess_an_invite(request, service) } else { Ok(()) }
}

/// Refuses one more try to guess an invite, where too many from the request's address were wrong.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn may_guess_an_invite(request: &HttpRequest, service: &Service) -> Result<(), Problem> {
    match service.allowances.wrong_invites_left(&client_address(request)) {
        Some(left) if !left.taken.allowed => note(request, Some(left)),
        _ => Ok(()),
    }
}

/// Counts a wrong invite by the address that it comes from.
pub(crate) fn count_wrong_invite(request: &HttpRequest, service: &Service) {
    service.allowances.count_wrong_invite(&client_address(request));
}

/// Counts a pairing code or recovery key by the address that sends it.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn count_code(request: &HttpRequest, service: &Service) -> Result<(), Problem> {
    note(request, service.allowances.count_code(&client_address(request)))
}

/// Counts a code no more, which was not wrong.
pub(crate) fn give_code_back(request: &HttpRequest, service: &Service) {
    service.allowances.give_code_back(&client_address(request));
}

/// Counts an outside token by the address that sends it.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn count_exchange(request: &HttpRequest, service: &Service) -> Result<(), Problem> {
    note(request, service.allowances.count_exchange(&client_address(request)))
}

/// Counts an outside token no more, which was not wrong.
pub(crate) fn give_exchange_back(request: &HttpRequest, service: &Service) {
    service.allowances.give_exchange_back(&client_address(request));
}

/// Counts `steps` in the sandbox by `player`.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn count_sandbox(
    request: &HttpRequest,
    service: &Service,
    player: &PlayerId,
    steps: u32,
) -> Result<(), Problem> {
    note(request, service.allowances.count_sandbox(player, steps))
}

/// Counts steps of the sandbox where the request that asks for them is not at hand.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn count_playout(service: &Service, player: &PlayerId, steps: u32) -> Result<(), Problem> {
    service.allowances.count_sandbox(player, steps).map_or(Ok(()), allowed)
}

/// Counts a guest by the address that makes it.
///
/// # Errors
/// `rate_limited`, or that the store is away.
pub(crate) async fn count_guest(request: &HttpRequest, service: &Service) -> Result<(), Problem> {
    note(request, service.allowances.count_guest(&client_address(request)).await?)
}

/// Keeps what is left with the request until its answer goes out.
fn note(request: &HttpRequest, counted: Option<Counted>) -> Result<(), Problem> {
    let Some(counted) = counted else { return Ok(()) };
    request.extensions_mut().insert(counted);
    allowed(counted)
}

fn allowed(counted: Counted) -> Result<(), Problem> {
    if counted.taken.allowed {
        return Ok(());
    }
    let retry_after = counted.taken.retry_after_millis.div_ceil(1000).max(1);
    Err(Problem::new(Code::RateLimited).retry_after_seconds(retry_after))
}

/// Tells what is left, in the headers of the answer to `request`.
pub(crate) fn stamp(request: &HttpRequest, headers: &mut HeaderMap) {
    let extensions = request.extensions();
    let Some(Counted { policy, allowance, taken }) = extensions.get::<Counted>() else { return };
    // The time in which the whole allowance comes back.
    let window = (u64::from(allowance.burst) * 60).div_ceil(u64::from(allowance.per_minute.max(1)));
    let reset = taken.retry_after_millis.div_ceil(1000);
    let values = [
        (RATE_LIMIT, format!("\"{policy}\";r={};t={reset}", taken.remaining)),
        (RATE_LIMIT_POLICY, format!("\"{policy}\";q={};w={window}", allowance.burst)),
    ];
    for (name, value) in values {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
}
