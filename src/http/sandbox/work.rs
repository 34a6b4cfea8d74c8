//! Counting work of the sandbox and having it done.
//!
//! Invariant: an async worker does no more of it than [`AT_ONCE`] steps, and reads no longer body than other operations
//! take; the threads of the sandbox do the rest.

use actix_web::HttpRequest;
use serde::de::DeserializeOwned;

use crate::answer::codes::Code;
use crate::answer::errors::begun_seconds;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::extract::body::RawBody;
use crate::extract::caller::Caller;
use crate::service::{Service, Shared};
use crate::settings::ServerConfig;
use sarsen_accounts::auth::Principal;
use sarsen_service::sandbox::offload::{Busy, IsAbandoned};

/// So many steps, or positions, are done where the request is.
const AT_ONCE: usize = 8;
/// A body up to here is read where the request is, in bytes.
const READ_AT_ONCE: usize = ServerConfig::DEFAULT_BODY_LIMIT;

/// The caller, who has to be free to play, and has one step counted for asking at all.
///
/// # Errors
/// `banned`, `rate_limited`.
pub(crate) fn admit(request: &HttpRequest, service: &Service, caller: Caller) -> Result<Principal, Problem> {
    let Caller(caller) = caller;
    service.must_be_free_to_play(&caller)?;
    allowance::count_sandbox(request, service, &caller.player, 1)?;
    Ok(caller)
}

/// Counts the rest of so many steps.
///
/// # Errors
/// `rate_limited`.
pub(crate) fn count(request: &HttpRequest, service: &Service, caller: &Principal, steps: usize) -> Result<(), Problem> {
    let rest = u32::try_from(steps.saturating_sub(1)).unwrap_or(u32::MAX);
    if rest == 0 {
        return Ok(());
    }
    allowance::count_sandbox(request, service, &caller.player, rest)
}

/// Reads the body.
///
/// # Errors
/// Those of the body, and `busy`.
pub(crate) async fn read<T: DeserializeOwned + Send + 'static>(
    service: &Shared,
    caller: &Principal,
    body: RawBody,
) -> Result<T, Problem> {
    if body.bytes().len() <= READ_AT_ONCE {
        return body.decode();
    }
    delegate(service, caller, move |_| body.decode()).await
}

/// Does work of so many steps.
///
/// # Errors
/// Those of the work, and `busy`.
pub(crate) async fn done(
    service: &Shared,
    caller: &Principal,
    steps: usize,
    work: impl FnOnce(IsAbandoned<'_>) -> Result<Vec<u8>, Problem> + Send + 'static,
) -> Result<Vec<u8>, Problem> {
    if steps <= AT_ONCE { work(&|| false) } else { delegate(service, caller, work).await }
}

async fn delegate<T: Send + 'static>(
    service: &Shared,
    caller: &Principal,
    work: impl FnOnce(IsAbandoned<'_>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let taken = service.offload.take(&caller.player, work);
    let busy = |busy: Busy| Problem::new(Code::Busy).retry_after_seconds(begun_seconds(busy.retry_after)).cause(busy);
    taken.map_err(busy)?.await.map_err(Problem::internal)?
}
