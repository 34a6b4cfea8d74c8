//! Long polling: a request waits as long as it asks, at most until its token is revoked or the server stops.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use actix_web::{HttpMessage, HttpRequest};
use tokio::time::Instant;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::drain::Stay;
use sarsen_matches::feed::notifier::Watch;

/// The longest wait for an answer that is no stream, in seconds.
pub(crate) const WAIT_MAX: u32 = 30;
/// The longest time between two looks at the match during a wait.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(15);
/// The time between two checks of the caller's session during a wait.
pub(crate) const REVOCATION_CHECK: Duration = Duration::from_secs(5);

/// The time that a request has spent in long polls. The request holds it; latency metrics leave it out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waited(Rc<Cell<Duration>>);

impl Waited {
    /// The counter of this request; a new one where the request holds none.
    pub(crate) fn of(request: &HttpRequest) -> Waited {
        request.extensions().get::<Waited>().cloned().unwrap_or_default()
    }

    /// The time counted until now.
    pub(crate) fn so_far(&self) -> Duration {
        self.0.get()
    }

    /// Counts the time of `wait`, also if the client gives the request up meanwhile.
    pub(crate) async fn during<T>(&self, wait: impl Future<Output = T>) -> T {
        let _counted = Counted { waited: self, began: Instant::now() };
        wait.await
    }
}

/// One wait, which ends when this is dropped.
struct Counted<'a> {
    waited: &'a Waited,
    began: Instant,
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.waited.0.set(self.waited.so_far() + self.began.elapsed());
    }
}

/// Waits until the watched match may have changed, the moment `until`, or the end of the stay.
///
/// # Errors
/// [`Code::TokenRevoked`] once the caller's token is revoked.
pub(crate) async fn woken(
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
            return Err(Code::TokenRevoked.into());
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
