//! Waiting on purpose: for as long as a request asks, and not while its token counts no more or the server stops.

use std::time::Duration;

use tokio::time::Instant;

use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::farewell::Stay;
use crate::matches::hub::Watch;

/// The longest wait for an answer that is no stream, in seconds.
pub const WAIT_MAX: u32 = 30;
/// How long somebody who waits goes without looking.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// How often somebody who waits asks whether the session still counts.
pub const REVOCATION_CHECK: Duration = Duration::from_secs(5);

/// How long an answer was held back on purpose, which is no time that it took. Kept with the request.
#[derive(Clone, Copy, Debug)]
pub struct Waited(pub Duration);

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
