//! Answers to questions about an event log, in the form that `Accept` asks for.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{ACCEPT, HeaderName};
use actix_web::{HttpRequest, HttpResponse, web};

use super::feed::Feed;
use super::form::{Form, StreamForm};
use super::pages;
use super::presence::{PresenceLook, PresenceTold};
use super::query::{FeedQuery, PAGE_LIMIT};
use super::stream::{self, Bounds, Patience};
use crate::answer::codes::Code;
use crate::answer::etag;
use crate::answer::problem::Problem;
use crate::drain::Drain;
use crate::edge::connection_quota::ConnectionQuota;
use crate::edge::deadline::Deadline;
use crate::edge::long_poll::{WAIT_MAX, Waited};
use crate::extract::caller::StreamCaller;
use crate::service::Shared;
use sarsen_base::ambient::Ambient;
use sarsen_base::ids::PlayerId;
use sarsen_base::telemetry::Metrics;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// A request for events, apart from whose they are.
pub(crate) struct Asking<'a> {
    request: &'a HttpRequest,
    asked: FeedQuery,
    player: Option<PlayerId>,
    deadline: &'a Deadline,
    clock: Ambient,
    drain: Arc<Drain>,
    /// Returns true if the caller's token counts no more.
    revoked: Box<dyn Fn() -> bool>,
    /// The look at the presence that a stream tells.
    presence: Option<PresenceLook>,
}

impl<'a> Asking<'a> {
    /// Collects the request of this caller.
    pub(crate) fn of(
        request: &'a HttpRequest,
        asked: FeedQuery,
        caller: StreamCaller,
        deadline: &'a Deadline,
        service: &Shared,
    ) -> Asking<'a> {
        let StreamCaller(caller) = caller;
        let player = caller.as_ref().map(|principal| principal.player.clone());
        let revocations = service.clone();
        let revoked = Box::new(move || caller.as_ref().is_some_and(|caller| revocations.is_shut_out(caller)));
        let (clock, drain) = (service.clock.clone(), Arc::clone(&service.drain));
        Asking { request, asked, player, deadline, clock, drain, revoked, presence: None }
    }

    /// The same with this presence in a stream of server-sent events.
    pub(crate) fn telling(self, presence: Option<PresenceLook>) -> Asking<'a> {
        Asking { presence, ..self }
    }

    /// The answer in this form.
    pub(crate) async fn answer<F: Feed>(self, feed: F, form: Form) -> Result<HttpResponse, Problem>
    where
        F::Cursor: FromStr,
    {
        let after = cursor::<F>(self.request, self.asked.after.as_deref())?;
        match form {
            Form::Stream(form) => self.stream(feed, after, form).await,
            Form::Page => self.page(feed, after).await,
        }
    }

    async fn page<F: Feed>(self, feed: F, after: Option<F::Cursor>) -> Result<HttpResponse, Problem> {
        let wait = self.asked.wait.unwrap_or(0);
        if wait > WAIT_MAX {
            let detail = format!("`wait` has to be an integer from 0 to {WAIT_MAX} for a page");
            return Err(Problem::new(Code::InvalidParameter).field("wait").detail(detail));
        }
        let wait = Duration::from_secs(wait.into());
        // The wait comes on top of the time that any request has.
        self.deadline.extend(wait);
        let metrics = self.request.app_data::<web::Data<Metrics>>();
        let _counted = metrics.filter(|_| !wait.is_zero()).map(|metrics| metrics.requests.long_polls.one_more());
        let limit = self.asked.limit.unwrap_or(PAGE_LIMIT) as usize;
        let (stay, waited) = (self.drain.stay(), Waited::of(self.request));
        let patience = Patience { wait, stay, revoked: self.revoked, waited };
        let page = stream::page(&feed, after, limit, patience).await?;
        let resume = page.next.map(|next| next.to_string());
        let body = pages::page(&page.text, resume.as_deref(), page.more)?;
        Ok(etag::answer_with(self.request, body))
    }

    /// A stream, which counts as one of the player's and the address'.
    async fn stream<F: Feed>(
        self,
        feed: F,
        after: Option<F::Cursor>,
        form: StreamForm,
    ) -> Result<HttpResponse, Problem> {
        let connection_quota = self.request.app_data::<web::Data<ConnectionQuota>>();
        let share = connection_quota
            .map(|quota| quota.take_stream(self.request, self.player.as_ref(), !self.asked.invisible))
            .transpose()?;
        let asked = self.presence.filter(|_| form == StreamForm::ServerSent);
        let metrics = self.request.app_data::<web::Data<Metrics>>();
        let bounds = Bounds {
            limit: self.asked.limit.map(|limit| limit as usize),
            wait: self.asked.wait.map(|wait| Duration::from_secs(wait.into())),
            stay: self.drain.stay(),
            clock: self.clock,
            revoked: self.revoked,
            share,
            presence: asked.map(PresenceTold::new),
            counted: metrics.map(|metrics| match form {
                StreamForm::ServerSent => metrics.requests.server_sent_streams.one_more(),
                StreamForm::JsonLines => metrics.requests.json_lines_streams.one_more(),
            }),
        };
        stream::answer(feed, after, form, bounds).await
    }
}

fn cursor<F: Feed>(request: &HttpRequest, after: Option<&str>) -> Result<Option<F::Cursor>, Problem>
where
    F::Cursor: FromStr,
{
    let header = request.headers().get(LAST_EVENT_ID).map(|id| id.to_str().unwrap_or("?"));
    let read = |given: Option<&str>, field| {
        given.map(str::parse).transpose().map_err(|_| {
            Problem::new(Code::InvalidParameter).field(field).detail("this is no id of an event of this log")
        })
    };
    // Both are read, so that a wrong one never passes unnoticed.
    let (after, last) = (read(after, "after")?, read(header, "Last-Event-ID")?);
    Ok(last.or(after))
}

/// The form that `Accept` asks for; a page without the header.
///
/// # Errors
/// `not_acceptable`.
pub(crate) fn accepted(request: &HttpRequest) -> Result<Form, Problem> {
    let Some(accepted) = accept(request) else { return Ok(Form::Page) };
    let mut best: Option<(f32, Form)> = None;
    for (kind, quality) in accepted {
        let form = match kind.as_str() {
            "text/event-stream" => Form::Stream(StreamForm::ServerSent),
            "application/x-ndjson" => Form::Stream(StreamForm::JsonLines),
            "application/json" | "application/*" | ANY => Form::Page,
            _ => continue,
        };
        if quality > 0.0 && best.is_none_or(|(least, _)| quality > least) {
            best = Some((quality, form));
        }
    }
    best.map(|(_, form)| form).ok_or_else(|| Code::NotAcceptable.into())
}

const ANY: &str = "*/*";

/// The media types that `Accept` names, in small letters, and how much each is liked; `None` where it names none. A bare `*`
/// is any type, as older clients write it.
fn accept(request: &HttpRequest) -> Option<Vec<(String, f32)>> {
    let given: Vec<&str> = request.headers().get_all(ACCEPT).filter_map(|value| value.to_str().ok()).collect();
    let read = |range: &str| {
        let mut parts = range.split(';').map(str::trim);
        let kind = match parts.next().unwrap_or_default() {
            "*" => ANY.to_owned(),
            kind => kind.to_ascii_lowercase(),
        };
        let quality = parts.find_map(|part| part.strip_prefix(['q', 'Q'])?.trim_start().strip_prefix('='));
        (kind, quality.and_then(|quality| quality.trim().parse().ok()).unwrap_or(1.0))
    };
    let accepted: Vec<(String, f32)> =
        given.iter().flat_map(|value| value.split(',')).map(read).filter(|(kind, _)| !kind.is_empty()).collect();
    (!accepted.is_empty()).then_some(accepted)
}

#[cfg(test)]
mod tests {
    use actix_web::HttpMessage;
    use actix_web::test::TestRequest;
    use async_trait::async_trait;

    use super::*;
    use crate::events::feed::Stretch;
    use sarsen_matches::feed::notifier::{Notifier, Topic, Watch};

    /// A log in which nothing happens.
    struct Silence(std::sync::Arc<Notifier>);

    #[async_trait(?Send)]
    impl Feed for Silence {
        type Cursor = u64;

        async fn read(&self, _: Form, after: Option<u64>, _: usize) -> Result<Stretch<Option<u64>>, Problem> {
            Ok(Stretch { text: web::Bytes::new(), count: 0, next: after, more: false, ended: true })
        }

        fn watch(&self) -> Watch {
            self.0.watch(Topic::Match("m_0190163d8694739ea2a3c9f1e7d1a111".parse().unwrap()))
        }
    }

    #[actix_web::test]
    async fn a_long_poll_has_its_wait_and_the_time_of_any_request_and_no_more() {
        let deadline = Deadline::after(Duration::from_secs(30));
        let request = TestRequest::default().to_http_request();
        // As the guard does.
        request.extensions_mut().insert(deadline.clone());
        let before = deadline.at();
        let clock = Ambient::fixed(0, 1);
        let drain = Drain::new(Duration::ZERO, clock.clone());
        let asked = FeedQuery { wait: Some(20), ..FeedQuery::default() };
        let revoked = Box::new(|| false);
        let (player, presence, deadline_of) = (None, None, &deadline);
        let asking =
            Asking { request: &request, asked, player, deadline: deadline_of, clock, drain, revoked, presence };
        let page = asking.answer(Silence(Default::default()), Form::Page).await;
        assert_eq!(page.unwrap().status(), 200);
        assert_eq!(deadline.at() - before, Duration::from_secs(20));
    }

    fn form(accept: &str) -> Result<Form, Code> {
        let request = TestRequest::default().insert_header((ACCEPT, accept)).to_http_request();
        accepted(&request).map_err(|problem| problem.code())
    }

    #[test]
    fn the_form_follows_accept() {
        assert_eq!(form("*/*"), Ok(Form::Page));
        assert_eq!(form("application/json"), Ok(Form::Page));
        assert_eq!(form("text/event-stream"), Ok(Form::Stream(StreamForm::ServerSent)));
        assert_eq!(form("Application/X-NDJSON, */*;q=0.1"), Ok(Form::Stream(StreamForm::JsonLines)));
        assert_eq!(form("text/event-stream;q=0.2, application/json;q=0.9"), Ok(Form::Page));
        assert_eq!(form("text/html"), Err(Code::NotAcceptable));
        assert_eq!(form("application/json;q=0"), Err(Code::NotAcceptable));
        // As no header at all, and as older clients write "any".
        for any in ["", " ", ",", "*", "text/html, image/gif, *; q=.2, */*; q=.2"] {
            assert_eq!(form(any), Ok(Form::Page), "{any:?}");
        }
        assert_eq!(
            form("application/json;Q=0.1, application/x-ndjson; q = 0.9"),
            Ok(Form::Stream(StreamForm::JsonLines))
        );
    }
}
