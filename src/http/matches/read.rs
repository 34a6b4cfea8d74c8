//! `GET /v1/matches/{match_id}` and its earlier versions.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::IntoParams;

use super::body::match_view;
use super::types::{AnswerForms, LegalMovesForm, MatchView};
use crate::answer::codes::Code;
use crate::answer::etag::{self, Lasting};
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::edge::long_poll::{HEARTBEAT, WAIT_MAX, Waited, woken};
use crate::extract::caller::MaybeCaller;
use crate::extract::params::{Path, Query, VersionParam, Within};
use crate::health::ServedDocument;
use crate::service::Shared;
use sarsen_accounts::auth::Principal;
use sarsen_base::ids::MatchId;
use sarsen_base::telemetry::Metrics;
use sarsen_matches::feed::notifier::{Topic, Watch};
use sarsen_matches::{Reader, Stamp, ViewedMatch};
use sarsen_rules::{Seat, Viewer};

/// The options of a read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReadQuery {
    /// The form of legal moves.
    #[serde(default)]
    #[param(default = "full")]
    legal_moves: LegalMovesForm,
    /// With `If-None-Match`: how many seconds to wait for an answer that is another, before the answer is 304.
    #[serde(default)]
    #[param(value_type = u32, maximum = 30, default = 0)]
    wait: Within<0, WAIT_MAX>,
    /// Adds words that can be read aloud to moves and legal moves.
    #[serde(default)]
    #[param(default = false)]
    text: bool,
    /// As which of the caller's seats, where the caller holds several; the lowest if left out.
    #[param(nullable = false)]
    as_seat: Option<Seat>,
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// Read a match
///
/// The match, the state of its game as the caller may see it, and the caller's open decision with its legal moves. A
/// caller without a token sees what a spectator sees. With `If-None-Match` and `wait` the answer comes once the match has
/// changed.
#[utoipa::path(
    operation_id = "getMatch",
    tag = "matches",
    params(Path::<MatchId>, ReadQuery),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::WrongInvite, Code::HotseatOnly])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The match.", body = MatchView)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}")]
pub(crate) async fn get_match(
    service: Shared,
    caller: MaybeCaller,
    deadline: Deadline,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<ReadQuery>,
) -> Result<HttpResponse, Problem> {
    let forms = AnswerForms { legal_moves: query.legal_moves, text: query.text };
    let wait = query.wait.seconds();
    let principal = caller.0.clone();
    let reader = caller.reader(query.invite).sitting(query.as_seat);
    let poll = Poll { service: &service, request: &request, deadline: &deadline, principal: principal.as_ref() };
    let wait = wait.filter(|_| etag::is_conditional(&request));
    let unchanged = |viewed: &ViewedMatch| etag::is_unchanged(&request, &tag_now(&request, viewed, forms));
    let viewed = poll.read_while(&reader, &id, wait, unchanged).await?;
    etag::answer_for(&request, &tag_now(&request, &viewed, forms), Lasting::No, || match_view(&viewed, forms))
}

/// A request that may wait for news.
pub(crate) struct Poll<'a> {
    pub(crate) service: &'a Shared,
    pub(crate) request: &'a HttpRequest,
    pub(crate) deadline: &'a Deadline,
    pub(crate) principal: Option<&'a Principal>,
}

impl Poll<'_> {
    /// The match, read again while `unchanged`, at most for the time of the wait.
    ///
    /// # Errors
    /// Those of reading; `token_revoked` once the caller's token is revoked.
    pub(crate) async fn read_while(
        &self,
        reader: &Reader,
        id: &MatchId,
        wait: Option<Duration>,
        unchanged: impl Fn(&ViewedMatch) -> bool,
    ) -> Result<ViewedMatch, Problem> {
        let matches = &self.service.matches;
        let read = async |seen: Option<(&Watch, &ViewedMatch)>| match seen {
            None => Ok(matches.read_with_rematch(reader, id).await?),
            Some((watch, seen)) => Ok(matches.look_on(watch, reader, id, seen).await?),
        };
        self.again(wait, (Topic::Match(id.clone()), HEARTBEAT), read, unchanged).await
    }

    /// The answer of `read`, read again while `unchanged`, at most for the time of the wait: when there is news of the topic,
    /// and this long after the last look at the latest. `read` gets the answer before, with the watch.
    ///
    /// # Errors
    /// Those of reading; `token_revoked` once the caller's token is revoked.
    pub(crate) async fn again<T>(
        &self,
        wait: Option<Duration>,
        (topic, look): (Topic, Duration),
        read: impl AsyncFn(Option<(&Watch, &T)>) -> Result<T, Problem>,
        unchanged: impl Fn(&T) -> bool,
    ) -> Result<T, Problem> {
        let Poll { service, request, deadline, principal } = self;
        // A wait watches before it reads, so that it misses nothing.
        let watch = wait.map(|wait| (wait, service.matches.watch(topic)));
        let mut found = read(None).await?;
        let Some((wait, mut watch)) = watch else { return Ok(found) };
        deadline.extend(wait);
        let _counted = request.app_data::<web::Data<Metrics>>().map(|metrics| metrics.requests.long_polls.one_more());
        let (until, mut stay) = (Instant::now() + wait, service.drain.stay());
        let waited = Waited::of(request);
        let revoked = || principal.is_some_and(|caller| service.is_shut_out(caller));
        while unchanged(&found) && Instant::now() < until && !stay.is_over() {
            let look = until.min(Instant::now() + look);
            waited.during(woken(&mut watch, look, &mut stay, &revoked)).await?;
            found = read(Some((&watch, &found))).await?;
        }
        Ok(found)
    }
}

/// The options of a read of an earlier version.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// The form of legal moves.
    #[serde(default)]
    #[param(default = "full")]
    legal_moves: LegalMovesForm,
    /// Adds words that can be read aloud to moves and legal moves.
    #[serde(default)]
    #[param(default = false)]
    text: bool,
    /// The extent of the view: what the caller could see at the time, or everything.
    #[serde(default)]
    #[param(default = "then")]
    view: HistoryView,
    /// As which of the caller's seats, where the caller holds several; the lowest if left out.
    #[param(nullable = false)]
    as_seat: Option<Seat>,
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// The amount that is shown of an earlier version.
///
/// - `then`: What the caller could see then.
/// - `full`: Everything; only after the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HistoryView {
    #[default]
    Then,
    Full,
}

/// Read a match at an earlier version
///
/// The match as it was after the step that made this version, as the caller could see it then; after the end also with
/// everything shown (`view=full`).
#[utoipa::path(
    operation_id = "getMatchVersion",
    tag = "matches",
    params(Path::<MatchId>, Path::<VersionParam>, HistoryQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::WrongInvite, Code::HotseatOnly, Code::VersionNotFound, Code::MatchNotOver
    ])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The match then.", body = MatchView)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/history/{version}")]
pub(crate) async fn get_match_version(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Path(VersionParam(version)): Path<VersionParam>,
    Query(query): Query<HistoryQuery>,
) -> Result<HttpResponse, Problem> {
    let full = query.view == HistoryView::Full;
    let forms = AnswerForms { legal_moves: query.legal_moves, text: query.text };
    let reader = caller.reader(query.invite).sitting(query.as_seat);
    let viewed = service.matches.read(&reader, &id).await?;
    let viewer = if full { Viewer::Omniscient } else { viewed.viewer };
    let (insider, lasting) = (viewed.insider, lasting(&viewed));
    let tag = |stamp| tag(&request, version, stamp, viewer, insider, forms.in_tag());
    if let Some(unchanged) = unchanged_version(&service, &request, &viewed, version, tag).await? {
        return Ok(unchanged);
    }
    let then = service.matches.history(&reader, viewed, version, full).await?;
    let tag = format!("{}{}", tag(then.live.stamp), then.names_tag());
    etag::answer_for(&request, &tag, lasting, || match_view(&then, forms))
}

/// The lifetime of an answer about an earlier version of the match. Until the end such a version may come to show more:
/// the service looks up who sits where, and the end reveals.
pub(super) fn lasting(viewed: &ViewedMatch) -> Lasting {
    if viewed.live.stored.stage.is_over() { Lasting::ButForNames } else { Lasting::No }
}

/// 304 where the client has what `tag` makes of the stamp of an earlier version: the step that made it is the same, so the
/// match need not be rebuilt to say so. Not where somebody is shown under another name: it may be one of those who sat
/// there then.
pub(super) async fn unchanged_version(
    service: &Shared,
    request: &HttpRequest,
    viewed: &ViewedMatch,
    version: u64,
    tag: impl FnOnce(Stamp) -> String,
) -> Result<Option<HttpResponse>, Problem> {
    let known = version <= viewed.live.stored.version;
    if !known || service.matches.shows_other_names() || !etag::is_conditional(request) {
        return Ok(None);
    }
    let Some(stamp) = service.matches.stamp_at(viewed, version).await? else { return Ok(None) };
    let tag = tag(stamp);
    let unchanged = etag::is_unchanged(request, &tag);
    unchanged.then(|| etag::answer_for(request, &tag, lasting(viewed), || Ok(Vec::new()))).transpose()
}

fn tag_now(request: &HttpRequest, viewed: &ViewedMatch, forms: AnswerForms) -> String {
    let stored = &viewed.live.stored;
    let mut tag = tag(request, stored.version, viewed.live.stamp, viewed.viewer, viewed.insider, forms.in_tag());
    if viewed.rematch.is_some() {
        tag.push_str(".r");
    }
    tag.push_str(&viewed.names_tag());
    tag
}

/// Room for a tag, in bytes.
const ROOM_FOR_TAG: usize = 96;

/// The entity tag of a version for this reader. The stamp is part of it because after a failover another step may have
/// made the version. The digest of the document is part of it because another release may answer in another form.
/// Nothing in it comes from the state of the game, so it reveals nothing.
pub(super) fn tag(
    request: &HttpRequest,
    version: u64,
    stamp: Stamp,
    viewer: Viewer,
    insider: bool,
    form: &str,
) -> String {
    // Put together instead of formatted, since every read of a match has one.
    let mut tag = String::with_capacity(ROOM_FOR_TAG);
    tag.push_str(&version.to_string());
    tag.push('.');
    tag.push_str(&stamp.to_string());
    tag.push('.');
    match (viewer, insider) {
        (Viewer::Seat(seat), _) => tag.push_str(&seat.to_string()),
        (Viewer::Omniscient, true) => tag.push_str("fc"),
        (Viewer::Omniscient, false) => tag.push('f'),
        (Viewer::Spectator, true) => tag.push('c'),
        (Viewer::Spectator, false) => tag.push('s'),
    }
    for part in [".", form, ".", ServedDocument::tag_at(request)] {
        tag.push_str(part);
    }
    tag
}
