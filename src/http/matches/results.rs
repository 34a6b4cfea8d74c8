//! `GET /v1/matches/results`: the results of matches with one label, such as those of a league, a line each.
//!
//! Invariant: a page of matches is in memory at a time, however many lines an answer has.

use actix_web::web::Bytes;
use actix_web::{HttpResponse, get};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::json::append;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::caller::MaybeCaller;
use crate::extract::params::Query;
use crate::service::Shared;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::bots::SeatBot;
use sarsen_matches::lists::MatchFilter;
use sarsen_matches::model::seated::PlayerRef;
use sarsen_matches::model::table_terms::is_tag;
use sarsen_matches::{Reader, Stage, ViewedMatch};
use sarsen_rules::{Outcome, Seat};

/// The number of matches of a page.
const PAGE: usize = 100;

/// The results to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ResultsQuery {
    /// The label of the matches.
    #[param(pattern = "^[a-z0-9-]{1,32}$", example = "spring-cup")]
    tag: String,
    /// The player whose matches they are, such as the organiser: those that they made, sat in or were invited to, and that
    /// the caller may see. If left out, the caller.
    #[param(value_type = Option<String>, nullable = false, pattern = "^p_[0-9a-f]{32}$",
        example = "p_0190163d8694739ea2a3c9f1e7d1a222")]
    player: Option<PlayerId>,
}

/// A seat at the end of the match, with its holder.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResultSeat<'a> {
    /// The seat.
    seat: Seat,
    /// The player who held it; null where a bot did.
    #[schema(required)]
    player: Option<PlayerRef<'a>>,
    /// The bot that held it; null where a player did.
    #[schema(required)]
    bot: Option<SeatBot>,
}

/// The result of a match: one line.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchResult<'a> {
    /// The id of the match.
    #[schema(value_type = String, examples("m_0190163d8694739ea2a3c9f1e7d1a111"))]
    match_id: &'a MatchId,
    /// The game's id.
    #[schema(examples("contiguity"))]
    game: &'a str,
    /// The labels of the match.
    tags: &'a [String],
    /// Its seats, in order.
    seats: Vec<ResultSeat<'a>>,
    /// The ending of the match, and each seat's result.
    outcome: &'a Outcome,
    /// The time at which it ended.
    #[schema(value_type = String, format = "date-time")]
    ended_at: Moment,
}

impl<'a> MatchResult<'a> {
    /// The result of a match; `None` unless it has finished.
    pub(crate) fn of(viewed: &'a ViewedMatch) -> Option<MatchResult<'a>> {
        let stored = &viewed.live.stored;
        let seats = viewed.live.seat_count().seats().zip(&stored.seats).map(|(seat, held)| ResultSeat {
            seat,
            player: held.player.as_ref().map(|player| viewed.shown(player)),
            bot: viewed.live.bot(seat).filter(|_| held.player.is_none()),
        });
        Some(MatchResult {
            match_id: &stored.id,
            game: &stored.terms.game,
            tags: &stored.terms.table.tags,
            seats: seats.collect(),
            outcome: stored.outcome.as_ref()?,
            ended_at: Moment(stored.ended_at?),
        })
    }
}

/// The pages of an answer that are still to be sent.
struct Pages {
    service: Shared,
    reader: Reader,
    filter: MatchFilter,
    over: bool,
}

impl Pages {
    /// The lines of the next page that has any.
    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        while !self.over {
            let page = self.service.matches.list_alone(&self.reader, &self.filter).await?;
            (self.over, self.filter.before) = (page.next.is_none(), page.next);
            let mut lines = Vec::new();
            for result in page.items.iter().filter_map(MatchResult::of) {
                append(&result, &mut lines)?;
                lines.push(b'\n');
            }
            if !lines.is_empty() {
                return Ok(Some(lines.into()));
            }
        }
        Ok(None)
    }
}

/// Read results
///
/// The results of finished matches with a label, one a line, the newest match first: all of a league, a round or a
/// tournament in one answer. A match that was called off has none. Of another player's matches at most the newest 5,000 are
/// looked through.
#[utoipa::path(
    operation_id = "listResults",
    tag = "matches",
    params(ResultsQuery),
    extensions(("x-problems" = json!([Code::Unauthenticated]))),
    responses((status = 200, description = "The results.", content_type = "application/x-ndjson", body = MatchResult)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/results")]
pub(crate) async fn list_results(
    service: Shared,
    caller: MaybeCaller,
    Query(ResultsQuery { tag, player }): Query<ResultsQuery>,
) -> Result<HttpResponse, Problem> {
    let reader = caller.reader(None);
    let player = player.or_else(|| reader.player.clone()).ok_or(Code::Unauthenticated)?;
    if !is_tag(&tag) {
        return Err(Problem::new(Code::InvalidParameter).field("tag").detail("this is no tag of matches"));
    }
    let filter = MatchFilter {
        player: Some(player),
        stage: Some(Stage::Finished),
        tag: Some(tag),
        limit: PAGE,
        ..MatchFilter::default()
    };
    let mut pages = Pages { service, reader, filter, over: false };
    // What goes wrong before the first line is a problem; later it breaks the answer off.
    let first = pages.next().await?;
    let body = stream::try_unfold((first, pages), |(ready, mut pages)| async {
        let lines = match ready {
            Some(lines) => Some(lines),
            None => pages.next().await?,
        };
        Ok::<_, Problem>(lines.map(|lines| (lines, (None, pages))))
    });
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").streaming(body))
}
