//! Waiting on purpose: for as long as a request asks, and not while its token counts no more or the server stops.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use actix_web::{HttpMessage, HttpRequest};
use tokio::time::Instant;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::farewell::Stay;
use sarsen_matches::feed::hub::Watch;

/// The longest wait for an answer that is no stream, in seconds.
pub const WAIT_MAX: u32 = 30;
/// How long somebody who waits goes without looking.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// How often somebody who waits asks whether the session still counts.
pub const REVOCATION_CHECK: Duration = Duration::from_secs(5);

/// How long an answer has been held back on purpose, which is no time that it took. Kept with the request.
#[derive(Clone, Debug, Default)]
pub struct Waited(Rc<Cell<Duration>>);

impl Waited {
    /// That of this request, if its edge keeps one.
    pub fn of(request: &HttpRequest) -> Waited {
        request.extensions().get::<Waited>().cloned().unwrap_or_default()
    }

    /// How long so far.
    pub fn so_far(&self) -> Duration {
        self.0.get()
    }

    /// Counts how long `wait` takes, however it ends: the request may be given up meanwhile.
    pub async fn during<T>(&self, wait: impl Future<Output = T>) -> T {
        let _counted = Counted { waited: self, began: Instant::now() };
        wait.await
    }
}

/// A wait, which is over when this is dropped.
struct Counted<'a> {
    waited: &'a Waited,
    began: Instant,
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.waited.0.set(self.waited.so_far() + self.began.elapsed());
    }
}

/// Waits until something may have happened, until then at most; less where the server stops.
///
/// # Errors
/// [`Code::TokenInvalid`] once the caller's token counts no more.
pub async fn woken(
    watch: &mut Watch,
    until: Instant,
    stay: &mut Stay,
    revoked: &impl Fn() -> bool,
) -> Result<(), Problem> {
    loop {
        let nap = until.saturating_duration_since(Instant::now()).min(REVOCATION_CHECK);
        let woken = tokio::select! {
            changed = watch.changed(nap) => changed,
            () = stay.over() => true,
        };
        if revoked() {
            return Err(Code::TokenInvalid.into());
        }
        if woken || Instant::now() >= until {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use tokio::time::{sleep, timeout};

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn waits_are_counted_also_those_that_are_given_up() {
        let request = TestRequest::default().to_http_request();
        let waited = Waited::default();
        request.extensions_mut().insert(waited.clone());
        Waited::of(&request).during(sleep(SHORT)).await;
        assert!(waited.so_far() >= SHORT);
        timeout(SHORT, Waited::of(&request).during(std::future::pending::<()>())).await.unwrap_err();
        assert!(waited.so_far() >= 2 * SHORT);
    }
}
