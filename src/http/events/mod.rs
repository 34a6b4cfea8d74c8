//! Events: one log, for a match and for all matches of the caller, in three forms at one address and as a stream alone at
//! another.

pub mod answering;
pub mod feed;
pub mod following;
pub mod form;
pub mod inbox;
pub mod lists;
pub mod pages;
pub mod player_events;
pub mod presence;
pub mod query;
pub mod steps;
pub mod stream;
pub mod streams;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(lists::list_match_events)
        .service(lists::list_my_events)
        .service(streams::stream_match)
        .service(streams::stream_my_events);
}
