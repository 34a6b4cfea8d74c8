//! The three forms of a feed: a page (at once or after a wait), server-sent events, and JSON lines.
//!
//! Invariants: to miss nothing, a stream watches first, then reads, then waits; it looks again by itself every
//! [`HEARTBEAT`], so that a lost message delays it and no more. A stream ends when nothing can follow, when its session
//! is revoked, when the server stops, or when the asked-for wait has passed; a client resumes after the last id it saw.

use std::time::Duration;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{Error, HttpResponse};
use futures_util::stream;
use tokio::time::Instant;

use super::feed::{Feed, Stretch, Written};
use super::form::Form;
use crate::http::answer::problem::Problem;
use crate::http::edge::holdings::StreamShare;
use crate::http::edge::waiting::{HEARTBEAT, REVOCATION_CHECK, woken};
use crate::http::farewell::Stay;
use crate::matches::hub::Watch;
use crate::telemetry::TallyMark;

/// How long a client should wait before it connects again, in milliseconds.
const RECONNECT_MILLIS: u32 = 2000;
/// How many items a stream reads at a time.
const STRETCH: usize = 200;

/// What bounds a stream.
pub struct Bounds {
    /// How many items at most.
    pub limit: Option<usize>,
    /// How long to wait for a further item; `None` for ever.
    pub wait: Option<Duration>,
    /// Ends the stream when the server stops.
    pub stay: Stay,
    /// Tells whether the session has been revoked.
    pub revoked: Box<dyn Fn() -> bool>,
    /// What the stream takes of its address' and its player's quotas, until it ends.
    pub share: Option<StreamShare>,
    /// Counts it among the open streams, until it ends.
    pub counted: Option<TallyMark>,
}

/// Reads a page, waiting up to `wait` for a first item; `revoked` tells whether the caller's token counts no more, which
/// ends the wait.
///
/// # Errors
/// Those of the feed, and of [`woken`].
pub async fn page<F: Feed>(
    feed: &F,
    after: Option<F::Cursor>,
    limit: usize,
    wait: Duration,
    mut stay: Stay,
    revoked: impl Fn() -> bool,
) -> Result<Stretch<Option<F::Cursor>>, Problem> {
    let deadline = Instant::now() + wait;
    let mut watch = feed.watch();
    let mut after = after;
    let mut first = true;
    loop {
        let stretch = match std::mem::take(&mut first) {
            true => feed.read(after.clone(), limit).await?,
            false => feed.read_on(&watch, after.clone(), limit).await?,
        };
        if stretch.items.is_empty() && stretch.more {
            // All of it was about what the reader may not see any more.
            after = stretch.next;
            continue;
        }
        let now = Instant::now();
        if !stretch.items.is_empty() || stretch.ended || now >= deadline || stay.is_over() {
            return Ok(stretch);
        }
        woken(&mut watch, deadline.min(now + HEARTBEAT), &mut stay, &revoked).await?;
    }
}

/// Answers a stream. What lies behind `after` already is read before the answer begins, so a failure is still a
/// problem; a feed that has ended and has no more is answered with 204, which tells an event source to stay away.
///
/// # Errors
/// Those of the feed.
pub async fn answer<F: Feed>(
    feed: F,
    after: Option<F::Cursor>,
    form: Form,
    bounds: Bounds,
) -> Result<HttpResponse, Problem> {
    let watch = feed.watch();
    let first = feed.read(after, bounds.limit.unwrap_or(STRETCH).min(STRETCH)).await?;
    if first.ended && first.items.is_empty() {
        return Ok(HttpResponse::NoContent().finish());
    }
    let now = Instant::now();
    let follower = Follower {
        feed,
        watch,
        form,
        left: bounds.limit,
        ready: Some(Written::of(first, form)),
        after: None,
        begun: false,
        retry_due: form == Form::ServerSent,
        bounds,
        spoke: now,
        moved: now,
    };
    let body = stream::unfold(follower, |mut follower| async move {
        let bytes = follower.next().await?;
        Some((Ok::<Bytes, Error>(bytes), follower))
    });
    let content_type = match form {
        Form::ServerSent => "text/event-stream; charset=utf-8",
        Form::JsonLines => "application/x-ndjson",
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
    form: Form,
    bounds: Bounds,
    /// How many items may still be sent.
    left: Option<usize>,
    /// What has been read and not yet sent.
    ready: Option<Written<Option<F::Cursor>>>,
    after: Option<F::Cursor>,
    begun: bool,
    /// Whether an event source has yet to be told how long to wait before it connects again.
    retry_due: bool,
    /// When something was last written, and when an item was.
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
                    self.feed.written_on(&self.watch, self.form, self.after.clone(), limit).await.ok()?
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
                return Some(self.sent(written.text));
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
            let silent = now - self.spoke;
            let left = self.bounds.wait.map(|wait| wait.saturating_sub(now - self.moved));
            if (self.bounds.revoked)() || left == Some(Duration::ZERO) {
                return None;
            }
            if silent >= HEARTBEAT {
                self.spoke = now;
                // Looking again comes right after the sign of life.
                return Some(Some(sign_of_life(self.form)));
            }
            let nap = REVOCATION_CHECK.min(HEARTBEAT - silent).min(left.unwrap_or(HEARTBEAT));
            let woken = tokio::select! {
                woken = self.watch.changed(nap) => woken,
                () = self.bounds.stay.over() => {
                    self.left = Some(0);
                    return (self.form == Form::ServerSent).then(|| Some(self.resume_hint()));
                }
            };
            if woken {
                return Some(None);
            }
        }
    }

    /// Tells an event source to come back soon; it sends the last id by itself.
    fn resume_hint(&self) -> Bytes {
        let after = self.after.as_ref().map(ToString::to_string).unwrap_or_default();
        let retry = self.bounds.stay.retry_millis();
        format!(": the server is stopping; resume after {after}\nretry: {retry}\n").into()
    }

    /// The text, or a sign of life where there is none. What an event source is told once stands in the first block with
    /// data: there are clients that take a block of its own for an event.
    fn sent(&mut self, text: Bytes) -> Bytes {
        if text.is_empty() {
            return sign_of_life(self.form);
        }
        if std::mem::take(&mut self.retry_due) {
            return [format!("retry: {RECONNECT_MILLIS}\n").as_bytes(), &*text].concat().into();
        }
        text
    }
}

/// What shows that the stream stands, and is no event: without an empty line, because there are clients that take whatever
/// ends with one for an event, as soon as one had an id.
fn sign_of_life(form: Form) -> Bytes {
    match form {
        Form::ServerSent => Bytes::from_static(b": still here\n"),
        Form::JsonLines => Bytes::from_static(b"\n"),
    }
}
