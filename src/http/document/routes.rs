//! Every resource, mounted: by the service to answer, and here to be read.

use actix_web::App;
use utoipa::openapi::OpenApi;
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{
    admin, bot_accounts, bots, devices, events, explanations, games, health, identities, limits, matches, my_export,
    notifications, people, players, pools, programs, ratings, sandbox, summary, tickets,
};

/// Mounts every resource.
pub(crate) fn mount(config: &mut ServiceConfig) {
    config
        .configure(matches::routes)
        .configure(events::routes)
        .configure(tickets::routes)
        .configure(sandbox::routes)
        .configure(players::routes)
        .configure(devices::routes)
        .configure(identities::routes)
        .configure(my_export::routes)
        .configure(people::routes)
        .configure(pools::routes)
        .configure(programs::routes)
        .configure(bot_accounts::routes)
        .configure(notifications::routes)
        .configure(ratings::routes)
        .configure(summary::routes)
        .configure(games::routes)
        .configure(bots::routes)
        .configure(explanations::routes)
        .configure(limits::routes)
        .configure(admin::routes)
        .configure(health::routes);
}

/// The paths and schemas of every mounted handler, as they declare them.
pub(crate) fn collect() -> OpenApi {
    App::new().into_utoipa_app().configure(mount).split_for_parts().1
}
