//! `/v1/matches/{match_id}/review`: what each decision of a finished match was worth.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::read::Poll;
use crate::answer::codes::Code;
use crate::answer::drawing::drawing;
use crate::answer::etag::{self, Lasting, digest_of};
use crate::answer::json;
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::edge::long_poll::WAIT_MAX;
use crate::extract::body::RawBody;
use crate::extract::caller::{MaybeCaller, Playing};
use crate::extract::params::{Path, Query, Within};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_games::pictures::{Ask, Chart, ChartMark, ChartPoint, Layout, Theme};
use sarsen_matches::feed::notifier::{Topic, Watch};
use sarsen_matches::reviews::ReviewState;
use sarsen_matches::reviews::review::{MoveVerdict, Review, ReviewItem, ReviewLevel, ReviewedSeat};
use sarsen_matches::{Reader, Unread, ViewedMatch};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Mode, verdicts};

/// The time between two looks during a wait.
const LOOK: Duration = Duration::from_secs(1);

/// The review that is ordered.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrderReview {
    /// The level of the bot that reviews.
    level: ReviewLevel,
}

/// The options of ordering a review.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OrderQuery {
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// The options of reading a review.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReviewQuery {
    /// The level of the bot that reviews.
    level: ReviewLevel,
    /// Seconds to wait until the review is done, before the answer says how far it has come.
    #[serde(default)]
    #[param(value_type = u32, maximum = 30, default = 0)]
    wait: Within<0, WAIT_MAX>,
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// The options of the chart of a review.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChartQuery {
    /// The level of the bot that reviews.
    level: ReviewLevel,
    /// The colours: those that the reader's device prefers, or one of the two.
    #[serde(default)]
    #[param(default = "auto")]
    theme: Theme,
    /// The arrangement, by the room that the picture has.
    #[serde(default)]
    #[param(default = "wide")]
    layout: Layout,
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// The state of a review. More may come: ignore one that you do not know.
///
/// - `none`: Nobody has ordered it, or nobody has read it for 30 days.
/// - `queued`: It is ordered, and not begun.
/// - `running`: It is being made; what is there already is answered.
/// - `done`: It is whole.
/// - `failed`: It could not be made, and may be ordered again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReviewState)]
pub(crate) enum ReviewStage {
    None,
    Queued,
    Running,
    Done,
    Failed,
}

/// The progress of a review, in versions of the match.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewProgress)]
pub(crate) struct ProgressBody {
    /// The version up to which the match has been looked at.
    #[schema(minimum = 0)]
    done: u64,
    /// The last version of the match.
    #[schema(minimum = 1)]
    of: u64,
}

/// The review of a match.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MatchReview)]
pub(crate) struct ReviewBody<'a> {
    /// The state.
    state: ReviewStage,
    /// The progress.
    progress: ProgressBody,
    /// The level of the bot that reviews.
    level: ReviewLevel,
    /// The version of the game's bots; null if the game has none here.
    #[schema(required, minimum = 1)]
    bot_version: Option<u32>,
    /// The sums of each seat; empty before the first decision was judged.
    #[schema(max_items = 5)]
    seats: Vec<ReviewedSeat>,
    /// The judged decisions, in the order of the match: those with two or more legal moves, also of moves that were taken
    /// back later.
    items: &'a [ReviewItem],
    /// Always null: the list is complete as far as the review has come.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl ReviewBody<'_> {
    /// The body of an answer that shows the present state of a review.
    pub(crate) fn of(
        viewed: &ViewedMatch,
        level: ReviewLevel,
        bot_version: Option<u32>,
        state: &ReviewState,
    ) -> Result<Vec<u8>, Problem> {
        let (stage, review) = match state {
            ReviewState::None => (ReviewStage::None, None),
            ReviewState::Failed => (ReviewStage::Failed, None),
            ReviewState::Underway(review) if review.reached == 0 => (ReviewStage::Queued, None),
            ReviewState::Underway(review) => (ReviewStage::Running, Some(review)),
            ReviewState::Done(review) => (ReviewStage::Done, Some(review)),
        };
        let seats = viewed.live.seat_count();
        json::body(&ReviewBody {
            state: stage,
            progress: ProgressBody { done: review.map_or(0, |review| review.reached), of: viewed.live.stored.version },
            level,
            bot_version,
            seats: review.map(|review| review.seats(seats.seats())).unwrap_or_default(),
            items: review.map(|review| review.items.as_slice()).unwrap_or_default(),
            next_cursor: None,
        })
    }
}

/// Order a review of a match
///
/// Has a bot look at every decision of a finished match and say what it was worth, by what its player could see then.
/// Instances make reviews when they have nothing else to think about, and keep each for 30 days after it was last read: one
/// for a match, level and version of the bots, for everybody. The answer is 200 if the review is done, and else 202; read
/// on with `GET` and `wait`. A player may order ten new reviews in 24 hours, unless the operator has set another number;
/// beyond that the answer is 429 `rate_limited`. An `Idempotency-Key` is ignored: an order of what is ordered changes
/// nothing.
#[utoipa::path(
    operation_id = "orderReview",
    tag = "matches",
    params(Path::<MatchId>, OrderQuery),
    request_body = OrderReview,
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::WrongInvite, Code::ReviewNotPossible]))),
    responses(
        (status = 200, description = "The review, which is done.", body = ReviewBody),
        (status = 202, description = "The review, which is being made.", body = ReviewBody)
    ),
    security(("bearer" = ["play"]))
)]
#[post("/v1/matches/{match_id}/review")]
pub(crate) async fn order_review(
    service: Shared,
    caller: Playing,
    Path(id): Path<MatchId>,
    Query(query): Query<OrderQuery>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let level = body.decode::<OrderReview>().map(|asked| asked.level).map_err(Unread::new);
    let player = &caller.player;
    let reader = Reader::with_invite(Some(player.clone()), query.invite);
    let (viewed, level, state) = service.matches.order_review(&reader, player, &id, level).await?;
    let status = if matches!(state, ReviewState::Done(_)) { StatusCode::OK } else { StatusCode::ACCEPTED };
    let version = service.matches.reviewer_version(&viewed.live.stored.terms.game);
    Ok(json::json(&mut HttpResponse::build(status), ReviewBody::of(&viewed, level, version, &state)?))
}

/// Read the review of a match
///
/// The review as far as it has come, with the sums of each seat. `sarsen review` makes the same review of a record without
/// this service.
#[utoipa::path(
    operation_id = "getReview",
    tag = "matches",
    params(Path::<MatchId>, ReviewQuery),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::WrongInvite])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The review.", body = ReviewBody)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/review")]
pub(crate) async fn get_review(
    service: Shared,
    caller: MaybeCaller,
    deadline: Deadline,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<ReviewQuery>,
) -> Result<HttpResponse, Problem> {
    let principal = caller.0.clone();
    let reader = caller.reader(query.invite);
    let poll = Poll { service: &service, request: &request, deadline: &deadline, principal: principal.as_ref() };
    let read = async |_: Option<(&Watch, &(ViewedMatch, ReviewState))>| {
        Ok(service.matches.review(&reader, &id, query.level).await?)
    };
    let goes_on = |(_, state): &(ViewedMatch, ReviewState)| matches!(state, ReviewState::Underway(_));
    // A review is no step of its match, so nobody is woken by it.
    let (viewed, state) = poll.again(query.wait.seconds(), (Topic::Match(id.clone()), LOOK), read, goes_on).await?;
    let version = service.matches.reviewer_version(&viewed.live.stored.terms.game);
    Ok(etag::answer_with(&request, ReviewBody::of(&viewed, query.level, version, &state)?))
}

/// See the review of a match as a chart
///
/// The expected result of each seat over the match, in a co-operative game of the group, from 0 (lost) to 1 (won), with
/// mistakes and blunders marked, as far as the review has come. Its description says the same in words.
#[utoipa::path(
    operation_id = "getReviewChart",
    tag = "matches",
    params(Path::<MatchId>, ChartQuery),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::WrongInvite])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The chart.", content_type = "image/svg+xml", body = String)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/review/chart.svg")]
pub(crate) async fn get_review_chart(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<ChartQuery>,
) -> Result<HttpResponse, Problem> {
    let ChartQuery { level, theme, layout, invite } = query;
    let (viewed, state) = service.matches.review(&caller.reader(invite), &id, level).await?;
    let review = match state {
        ReviewState::Underway(review) | ReviewState::Done(review) => review,
        ReviewState::None | ReviewState::Failed => Review::default(),
    };
    let stored = &viewed.live.stored;
    let name = |player| viewed.shown(player).name.to_owned();
    let names = stored.seats.iter().map(|seat| seat.player.as_ref().map(name)).collect();
    let ask = Ask { theme, layout, names, ..Ask::default() };
    let svg = chart(&viewed, &review).draw(&ask);
    let tag = digest_of(svg.as_str().as_bytes());
    drawing(&request, &tag, Lasting::No, || Ok(svg))
}

/// The chart of a review of this match.
fn chart<'a>(viewed: &'a ViewedMatch, review: &'a Review) -> Chart<'a> {
    let live = &viewed.live;
    let sum = |sum: ReviewedSeat| {
        let ReviewedSeat { seat, inaccuracies, mistakes, blunders, mean_loss, .. } = sum;
        let lost = f64::from(mean_loss.0) / 10_000.0;
        let inaccuracies = counted(inaccuracies, "inaccuracy", "inaccuracies");
        let (mistakes, blunders) = (counted(mistakes, "mistake", "mistakes"), counted(blunders, "blunder", "blunders"));
        format!("Seat {seat}: {inaccuracies}, {mistakes}, {blunders}, mean loss {lost:.3}.")
    };
    let point = |item: &'a ReviewItem| {
        let mark = match item.verdict {
            MoveVerdict::Mistake => Some(ChartMark::Mistake),
            MoveVerdict::Blunder => Some(ChartMark::Blunder),
            MoveVerdict::Best | MoveVerdict::Good | MoveVerdict::Inaccuracy => None,
        };
        ChartPoint {
            version: item.version,
            seat: item.seat,
            value: item.value.0 - item.loss.0,
            marked: mark.map(|mark| (item.notation.as_str(), mark)),
        }
    };
    let sums = match review.reached {
        0 => vec!["It has not been reviewed yet.".to_owned()],
        _ => review.seats(live.seat_count().seats()).into_iter().map(sum).collect(),
    };
    let result = |outcome| live.seat_count().seats().map(|seat| (seat, verdicts(outcome)[seat.index()])).collect();
    let results = live.stored.outcome.as_ref().map(result).unwrap_or_default();
    Chart {
        game: live.game.info().title,
        together: live.game.info().mode == Mode::Cooperative,
        sums,
        last: live.stored.version,
        points: review.items.iter().map(point).collect(),
        results,
    }
}
