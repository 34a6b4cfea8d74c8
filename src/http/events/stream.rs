//! The three forms of a feed: a page (at once or after a wait), server-sent events, and JSON lines.
//!
//! Invariants: to miss nothing, a stream watches first, then reads, then waits; it looks again by itself every
//! [`HEARTBEAT`], so that a lost message delays it and no more. A stream ends when nothing can follow, when its session
//! is revoked, when a newer stream of the player takes its place, when the server stops, or when the asked-for wait has
//! passed; a client resumes after the last id it saw.

use std::time::Duration;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{Error, HttpResponse};
use futures_util::stream;
use tokio::time::Instant;

use super::feed::{Feed, Stretch};
use super::form::{Form, StreamForm, sent_at};
use super::presence::PresenceTold;
use crate::answer::problem::Problem;
use crate::drain::Stay;
use crate::edge::connection_quota::StreamShare;
use crate::edge::long_poll::{HEARTBEAT, REVOCATION_CHECK, Waited, woken};
use sarsen_base::ambient::Ambient;
use sarsen_base::telemetry::TallyMark;
use sarsen_matches::feed::notifier::Watch;

/// The reconnect delay for a client whose stream ends by itself, in milliseconds.
const RECONNECT_MILLIS: u32 = 2000;
/// The same for one that a newer stream of the same player has displaced: a page too many must not displace others at once.
const DISPLACED_RECONNECT_MILLIS: u32 = 60_000;
/// The number of items that a stream reads at once.
const STRETCH: usize = 200;

/// The bounds of a stream.
pub(crate) struct Bounds {
    /// The largest number of items; `None` means no limit.
    pub(crate) limit: Option<usize>,
    /// The time to wait for a further item; `None` for ever.
    pub(crate) wait: Option<Duration>,
    /// Ends the stream when the server stops.
    pub(crate) stay: Stay,
    /// The clock of the server.
    pub(crate) clock: Ambient,
    /// Tells whether the session has been revoked.
    pub(crate) revoked: Box<dyn Fn() -> bool>,
    /// The stream's share of the quotas of its address and its player, held until it ends.
    pub(crate) share: Option<StreamShare>,
    /// The presence of the match's players, if the stream sends it.
    pub(crate) presence: Option<PresenceTold>,
    /// Counts it among the open streams, until it ends.
    #[expect(dead_code, reason = "held until the stream ends, and given back by its drop")]
    pub(crate) counted: Option<TallyMark>,
}

/// Waits until a newer stream of the player takes the place of this one.
async fn displaced(share: Option<&StreamShare>) {
    match share {
        Some(share) => share.displaced().await,
        None => std::future::pending().await,
    }
}

/// Returns the bytes that a stream sends when a newer one takes its place.
fn made_room() -> Bytes {
    format!(
        "retry: {DISPLACED_RECONNECT_MILLIS}\n: a newer stream of the same player has taken the place of this one\n"
    )
    .into()
}

/// The terms of a wait for a page.
pub(crate) struct Patience {
    /// So long at most.
    pub(crate) wait: Duration,
    /// Ends the wait when the server stops.
    pub(crate) stay: Stay,
    /// Tells whether the caller's token counts no more, which ends the wait too.
    pub(crate) revoked: Box<dyn Fn() -> bool>,
    /// The counter of the time waited.
    pub(crate) waited: Waited,
}

/// Reads a page, waiting for a first item.
pub(crate) async fn page<F: Feed>(
    feed: &F,
    after: Option<F::Cursor>,
    limit: usize,
    patience: Patience,
) -> Result<Stretch<Option<F::Cursor>>, Problem> {
    let Patience { wait, mut stay, revoked, waited } = patience;
    let deadline = Instant::now() + wait;
    let mut watch = feed.watch();
    let mut after = after;
    let mut first = true;
    loop {
        let stretch = match std::mem::take(&mut first) {
            true => feed.read(Form::Page, after.clone(), limit).await?,
            false => feed.read_on(&watch, Form::Page, after.clone(), limit).await?,
        };
        if stretch.count == 0 && stretch.more {
            // All of it was about what the reader may not see any more.
            after = stretch.next;
            continue;
        }
        let now = Instant::now();
        if stretch.count > 0 || stretch.ended || now >= deadline || stay.is_over() {
            return Ok(stretch);
        }
        waited.during(woken(&mut watch, deadline.min(now + HEARTBEAT), &mut stay, &revoked)).await?;
    }
}

/// Answers a stream. What lies behind `after` already is read before the answer begins, so a failure is still a
/// problem; a feed that has ended and has no more is answered with 204, which tells an event source to stay away.
pub(crate) async fn answer<F: Feed>(
    feed: F,
    after: Option<F::Cursor>,
    form: StreamForm,
    bounds: Bounds,
) -> Result<HttpResponse, Problem> {
    let watch = feed.watch();
    let first = feed.read(Form::Stream(form), after, bounds.limit.unwrap_or(STRETCH).min(STRETCH)).await?;
    if first.ended && first.count == 0 {
        return Ok(HttpResponse::NoContent().finish());
    }
    let now = Instant::now();
    let follower = Follower {
        feed,
        watch,
        form,
        left: bounds.limit,
        ready: Some(first),
        after: None,
        begun: false,
        retry: if bounds.wait.is_some() { RECONNECT_MILLIS } else { bounds.stay.retry_millis() },
        retry_due: form == StreamForm::ServerSent,
        bounds,
        spoke: now,
        moved: now,
    };
    let body = stream::unfold(follower, |mut follower| async move {
        let bytes = follower.next().await?;
        Some((Ok::<Bytes, Error>(bytes), follower))
    });
    let content_type = match form {
        StreamForm::ServerSent => "text/event-stream; charset=utf-8",
        StreamForm::JsonLines => "application/x-ndjson",
    };
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, content_type))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Proxies that buffer would hold events back.
        .insert_header(("x-accel-buffering", "no"))
        .streaming(body))
}

struct Follower<F: Feed> {
    feed: F,
    watch: Watch,
    form: StreamForm,
    bounds: Bounds,
    /// The number of items that may still be sent.
    left: Option<usize>,
    /// The items that have been read and not yet sent.
    ready: Option<Stretch<Option<F::Cursor>>>,
    after: Option<F::Cursor>,
    begun: bool,
    /// The time that an event source is to wait before it connects again, in milliseconds. Streams that stay until the
    /// server stops or dies send different times, so that their clients do not all come at once.
    retry: u32,
    /// Indicates whether the client has yet to be sent that time.
    retry_due: bool,
    /// The time at which something was last written, and the time at which an item was.
    spoke: Instant,
    moved: Instant,
}

impl<F: Feed> Follower<F> {
    /// The next bytes to send, or `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let written = match self.ready.take() {
                Some(written) => written,
                None => {
                    if self.left == Some(0) {
                        return None;
                    }
                    let limit = self.left.unwrap_or(STRETCH).min(STRETCH);
                    // The head of the answer is gone; ending the stream makes the client come back and be told.
                    let form = Form::Stream(self.form);
                    self.feed.read_on(&self.watch, form, self.after.clone(), limit).await.ok()?
                }
            };
            self.after = written.next.clone();
            let now = Instant::now();
            let opening = !std::mem::replace(&mut self.begun, true);
            if written.count > 0 || opening {
                self.left = self.left.map(|left| left.saturating_sub(written.count));
                if written.ended && !written.more {
                    self.left = Some(0);
                }
                (self.spoke, self.moved) = (now, now);
                return Some(self.sent(&written.text, written.count));
            }
            if written.more {
                continue;
            }
            if written.ended {
                return None;
            }
            if let Some(bytes) = self.wait().await? {
                return Some(bytes);
            }
        }
    }

    /// Waits until it is time to look again. Answers a sign of life when one is due, `None` at the end.
    async fn wait(&mut self) -> Option<Option<Bytes>> {
        loop {
            let now = Instant::now();
            let sent = self.bounds.clock.now();
            if let Some(item) = self.bounds.presence.as_mut().and_then(|presence| presence.due(now, sent)) {
                self.spoke = now;
                return Some(Some(item));
            }
            let silent = now - self.spoke;
            let left = self.bounds.wait.map(|wait| wait.saturating_sub(now - self.moved));
            if (self.bounds.revoked)() || left == Some(Duration::ZERO) {
                return None;
            }
            if silent >= HEARTBEAT {
                self.spoke = now;
                // Looking again comes right after the sign of life.
                return Some(Some(self.sign_of_life()));
            }
            let look = self.bounds.presence.as_ref().map_or(REVOCATION_CHECK, |presence| presence.pause(now));
            let nap = REVOCATION_CHECK.min(look).min(HEARTBEAT - silent).min(left.unwrap_or(HEARTBEAT));
            let woken = tokio::select! {
                woken = self.watch.changed(nap) => woken,
                () = self.bounds.stay.over() => {
                    self.left = Some(0);
                    return (self.form == StreamForm::ServerSent).then(|| Some(self.goodbye()));
                }
                () = displaced(self.bounds.share.as_ref()) => {
                    self.left = Some(0);
                    return (self.form == StreamForm::ServerSent).then(|| Some(made_room()));
                }
            };
            if woken {
                return Some(None);
            }
        }
    }

    /// The comment that a stream sends when the server stops. It is for people: no client takes it for an event.
    fn goodbye(&self) -> Bytes {
        let after = self.after.as_ref().map(ToString::to_string).unwrap_or_default();
        format!(": the server is stopping; resume after {after}; retry: {}\n", self.retry).into()
    }

    /// Returns bytes that show that the stream is alive, and the server's time, as in the header of the same name. They
    /// are not an event and have no empty line: after an event with an id, some clients take every block that ends with
    /// an empty line for an event.
    fn sign_of_life(&self) -> Bytes {
        match self.form {
            StreamForm::ServerSent => {
                format!(": still here; x-server-time: {}\n", self.bounds.clock.now().rfc3339()).into()
            }
            StreamForm::JsonLines => Bytes::from_static(b"\n"),
        }
    }

    /// The text, or a sign of life where there is none. `retry`, which is sent once, is in the first block with data:
    /// some clients take a block of its own for an event.
    fn sent(&mut self, text: &[u8], count: usize) -> Bytes {
        if text.is_empty() {
            return self.sign_of_life();
        }
        let text = sent_at(text, count, self.bounds.clock.now());
        if std::mem::take(&mut self.retry_due) {
            return [format!("retry: {}\n", self.retry).as_bytes(), &text].concat().into();
        }
        text.into()
    }
}
