//! Matches over HTTP: one file a group of operations, thin handlers.

pub mod body;
pub mod clock;
pub mod create;
pub mod fork;
pub mod hint;
pub mod invites;
pub mod list;
pub mod moves;
pub mod picture;
pub mod plan;
pub mod read;
pub mod record;
pub mod seats;
pub mod table;
#[cfg(test)]
mod tests;
pub mod timing;
pub mod types;
pub mod undo;

use utoipa_actix_web::service_config::ServiceConfig;

/// Mounts the resource.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(moves::make_move)
        .service(hint::get_hint)
        .service(read::get_match)
        .service(list::list_matches)
        .service(create::create_match)
        .service(fork::fork_match)
        .service(read::get_match_version)
        .service(picture::get_match_picture)
        .service(picture::get_match_version_picture)
        .service(record::export_match)
        .service(seats::join_match)
        .service(seats::leave_match)
        .service(seats::start_match)
        .service(seats::abort_match)
        .service(seats::give_entropy)
        .service(seats::resign_match)
        .service(seats::claim_absence)
        .service(timing::give_time)
        .service(timing::come_back)
        .service(seats::offer_draw)
        .service(seats::accept_draw)
        .service(seats::decline_draw)
        .service(undo::undo_move)
        .service(undo::offer_takeback)
        .service(undo::accept_takeback)
        .service(undo::decline_takeback)
        .service(invites::create_invite)
        .service(invites::offer_substitute)
        .service(invites::get_invite)
        .service(invites::join_by_invite)
        .service(plan::make_plan)
        .service(plan::get_plan)
        .service(plan::drop_plan)
        .service(table::decline_invitation)
        .service(table::remove_player)
        .service(table::call_rematch)
        .service(table::decline_rematch);
}
