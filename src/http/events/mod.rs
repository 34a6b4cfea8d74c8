//! Events: one log, for a match and for all matches of the caller, in three forms at one address and as a stream alone at
//! another.

pub(crate) mod answering;
pub(crate) mod feed;
pub(crate) mod following;
pub(crate) mod form;
pub(crate) mod inbox;
pub(crate) mod lists;
pub mod pages;
pub mod player_events;
pub(crate) mod presence;
pub(crate) mod query;
pub(crate) mod steps;
pub(crate) mod stream;
pub(crate) mod streams;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(lists::list_match_events)
        .service(lists::list_my_events)
        .service(streams::stream_match)
        .service(streams::stream_my_events);
}
