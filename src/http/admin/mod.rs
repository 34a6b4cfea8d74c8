//! `/v1/admin`: what operators see and steer.
//!
//! Every handler takes [`crate::extract::operator::Admin`] with the scope that it needs, and has the call audited
//! before anything is done.

pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod matches;
pub(crate) mod players;
pub(crate) mod queues;
pub(crate) mod ratings;
pub(crate) mod reason;
pub(crate) mod reports;
pub(crate) mod tokens;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(audit::list_audit)
        .service(queues::list_queues)
        .service(tokens::revoke_operator_token)
        .service(backup::back_up)
        .service(players::get_player_as_operator)
        .service(players::rename_player)
        .service(players::delete_player)
        .service(players::unlink_player_identity)
        .service(players::ban_player)
        .service(players::unban_player)
        .service(players::revoke_program_token_as_operator)
        .service(reports::list_reports)
        .service(reports::answer_report)
        .service(matches::get_match_as_operator)
        .service(matches::abort_match_as_operator)
        .service(matches::delete_match)
        .service(ratings::annul_match)
        .service(ratings::unrank_player);
}
