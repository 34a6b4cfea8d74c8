//! `/v1/me/webhooks`, `/v1/admin/webhooks`, `/v1/push` and `/v1/me/push-subscriptions`: the receivers of notifications.

mod bodies;
mod operation;
mod push;
mod webhooks;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use self::bodies::{GRACE_SECONDS_MAX, WebhookBody};
pub(crate) use self::push::PushSubscriptionBody;

pub(crate) fn routes(config: &mut ServiceConfig) {
    webhooks::routes(config);
    config
        .service(push::get_push)
        .service(push::list_push_subscriptions)
        .service(push::create_push_subscription)
        .service(push::delete_push_subscription)
        .service(push::test_push_subscription);
}
