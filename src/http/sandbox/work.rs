//! Calls of the sandbox: what each counts for, and how its work is done.
//!
//! Invariant: an async worker does no more of it than [`AT_ONCE`] steps, and reads no longer body than other operations
//! take; the threads of the sandbox do the rest.

use std::time::Duration;

use actix_web::HttpRequest;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use crate::answer::codes::Code;
use crate::answer::errors::begun_seconds;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::edge::deadline::Deadline;
use crate::extract::body::{LongBody, RawBody};
use crate::extract::caller::Caller;
use crate::service::Shared;
use crate::settings::ServerConfig;
use sarsen_base::ids::PlayerId;
use sarsen_service::sandbox::offload::{Busy, IsAbandoned};

/// The most steps, or positions, that are done on the request's own thread.
const AT_ONCE: usize = 8;
/// The longest body that is read on the request's own thread, in bytes.
const READ_AT_ONCE: usize = ServerConfig::DEFAULT_BODY_LIMIT;
/// The time after which a client whose work was not done in time should come again.
const DONE_AFTER: Duration = Duration::from_secs(1);

/// The parts that a handler extracts.
pub(crate) type SandboxParts = (Shared, Caller, Deadline, HttpRequest, LongBody);

/// A call of an operation of the sandbox by a player who is free to play.
pub(crate) struct SandboxCall {
    request: HttpRequest,
    pub(crate) service: Shared,
    player: PlayerId,
    deadline: Deadline,
}

impl SandboxCall {
    /// Admits the caller, and counts one step for asking at all.
    ///
    /// # Errors
    /// `banned`, `rate_limited`.
    pub(crate) fn admit(parts: SandboxParts) -> Result<(SandboxCall, RawBody), Problem> {
        let (service, Caller(caller), deadline, request, LongBody(body)) = parts;
        service.must_be_free_to_play(&caller)?;
        allowance::count_sandbox(&request, &service, &caller.player, 1)?;
        Ok((SandboxCall { request, service, player: caller.player, deadline }, body))
    }

    /// Counts all `steps` but the one that [`SandboxCall::admit`] has counted.
    ///
    /// # Errors
    /// `rate_limited`.
    pub(crate) fn count(&self, steps: usize) -> Result<(), Problem> {
        let rest = u32::try_from(steps.saturating_sub(1)).unwrap_or(u32::MAX);
        if rest == 0 {
            return Ok(());
        }
        allowance::count_sandbox(&self.request, &self.service, &self.player, rest)
    }

    /// Reads the body.
    ///
    /// # Errors
    /// Those of the body, and `busy`.
    pub(crate) async fn read<T: DeserializeOwned + Send + 'static>(&self, body: RawBody) -> Result<T, Problem> {
        if body.bytes().len() <= READ_AT_ONCE {
            return body.decode();
        }
        self.delegate(move |_| body.decode()).await
    }

    /// Does work of `steps` steps.
    ///
    /// # Errors
    /// Those of the work, and `busy`.
    pub(crate) async fn done<T: Send + 'static>(
        &self,
        steps: usize,
        work: impl FnOnce(IsAbandoned<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        if steps <= AT_ONCE { work(&|| false) } else { self.delegate(work).await }
    }

    /// Pays for steps as they are taken.
    pub(crate) fn purse(&self) -> impl FnMut(u32) -> Result<(), Problem> + Send + use<> {
        let (service, player) = (self.service.clone(), self.player.clone());
        move |steps| allowance::count_playout(&service, &player, steps)
    }

    /// Has work done on a thread of the sandbox.
    ///
    /// # Errors
    /// Those of the work, and `busy`.
    pub(crate) async fn delegate<T: Send + 'static>(
        &self,
        work: impl FnOnce(IsAbandoned<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let taken = self.service.offload.take(&self.player, work);
        let busy =
            |busy: Busy| Problem::new(Code::Busy).retry_after_seconds(begun_seconds(busy.retry_after)).cause(busy);
        in_time(taken.map_err(busy)?, self.deadline.at()).await
    }
}

/// Receives the result of work. Work that is not done by the deadline is `busy` and not `request_timeout`: it changes
/// nothing, any client can ask for that much, and the operator has nothing to look for.
async fn in_time<T>(work: oneshot::Receiver<Result<T, Problem>>, deadline: Instant) -> Result<T, Problem> {
    match timeout_at(deadline, work).await {
        Ok(done) => done.map_err(Problem::internal)?,
        Err(_) => {
            let detail = "the work was not done within the time of a request; ask again, or for less at once";
            Err(Problem::new(Code::Busy).retry_after_seconds(begun_seconds(DONE_AFTER)).detail(detail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 31.30: as `request_timeout` it would set off the operator's alert.
    #[tokio::test]
    async fn work_that_outlives_the_request_is_busy_and_work_that_fails_a_fault() {
        let deadline = Instant::now();
        let (never_done, work) = oneshot::channel::<Result<(), Problem>>();
        let problem = in_time(work, deadline).await.unwrap_err();
        assert_eq!(problem.code(), Code::Busy);
        assert_eq!(problem.body().retry_after_seconds, Some(1));
        drop(never_done);
        let (panicked, work) = oneshot::channel::<Result<(), Problem>>();
        drop(panicked);
        assert_eq!(in_time(work, deadline).await.unwrap_err().code(), Code::Internal);
    }
}
