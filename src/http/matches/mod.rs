//! Matches over HTTP: one file a group of operations, thin handlers.

pub(crate) mod body;
pub(crate) mod brief;
pub(crate) mod bulk;
pub(crate) mod clock;
mod command;
pub(crate) mod commands;
pub(crate) mod create;
pub(crate) mod fork;
pub(crate) mod hint;
pub mod invites;
pub mod list;
pub(crate) mod moves;
pub(crate) mod picture;
pub(crate) mod plan;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod results;
pub(crate) mod review;
pub(crate) mod seats;
#[cfg(test)]
mod tests;
pub mod types;

use actix_web::{guard, web};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::edge::routes::fallback;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(moves::make_move)
        .service(hint::get_hint)
        .service(review::order_review)
        .service(review::get_review)
        .service(review::get_review_chart)
        // Before what takes any word there for the id of a match.
        .service(results::list_results)
        .route("/v1/matches/bulk", web::route().guard(guard::Not(guard::Post())).to(fallback))
        .service(read::get_match)
        .service(list::list_matches)
        .service(create::create_match)
        .service(bulk::create_matches)
        .service(fork::fork_match)
        .service(read::get_match_version)
        .service(picture::get_match_picture)
        .service(picture::get_match_version_picture)
        .service(record::export_match)
        .service(seats::join_match)
        .service(commands::leave_match)
        .service(commands::start_match)
        .service(commands::abort_match)
        .service(commands::give_entropy)
        .service(commands::adjudicate_match)
        .service(commands::resign_match)
        .service(commands::claim_absence)
        .service(commands::give_time)
        .service(commands::come_back)
        .service(commands::offer_draw)
        .service(commands::accept_draw)
        .service(commands::decline_draw)
        .service(commands::undo_move)
        .service(commands::offer_takeback)
        .service(commands::accept_takeback)
        .service(commands::decline_takeback)
        .service(invites::create_invite)
        .service(invites::offer_substitute)
        .service(invites::get_invite)
        .service(invites::join_by_invite)
        .service(plan::make_plan)
        .service(plan::get_plan)
        .service(plan::drop_plan)
        .service(commands::decline_invitation)
        .service(seats::remove_player)
        .service(seats::reserve_seat)
        .service(commands::call_rematch)
        .service(commands::decline_rematch);
}
