//! The operations of webhooks. See [`super::operation`].

use actix_web::{HttpResponse, delete, get, patch, post};
use utoipa_actix_web::service_config::ServiceConfig;

use super::bodies::{
    DeliveryBody, DeliveryPageBody, DeliveryQuery, DeliveryReplay, MadeWebhook, OrderedDelivery, SecretRotation,
    WebhookBody, WebhookChangeBody, WebhookList, WebhookSecretBody, WebhookTermsBody,
};
use super::operation::{Asked, webhook_operations};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::caller::{Caller, Writer};
use crate::extract::operator::{Admin, Operate};
use crate::extract::params::{Path, Query};
use crate::service::Shared;
use sarsen_base::ids::WebhookId;
use sarsen_service::notifications::DeliveryId;

webhook_operations! {
    /// List webhooks
    ///
    /// All of one owner, without their secrets.
    list_webhooks "listWebhooks" "/v1/me/webhooks" by Caller,
        list_webhooks_as_operator "listWebhooksAsOperator" "/v1/admin/webhooks",
        get params() takes(),
        refuses([Code::NotFound; 0]),
        answers(status = 200, description = "The webhooks.", body = WebhookList),
        |it, ()| {
            let items = it.notifications().webhooks(&it.owner).await?.into_iter().map(WebhookBody::from).collect();
            Ok(HttpResponse::Ok().json(WebhookList { items, next_cursor: None }))
        };

    /// Make a webhook
    ///
    /// Notifications of the chosen types are sent to its URL by the Standard Webhooks specification, signed with the
    /// secret of the answer: those of the matches at which the player sits or is invited, or, for operators, of all.
    /// Every instance knows the webhook within ten seconds. An `Idempotency-Key` is ignored, because each call draws a
    /// new secret.
    create_webhook "createWebhook" "/v1/me/webhooks" by Writer,
        create_webhook_as_operator "createWebhookAsOperator" "/v1/admin/webhooks",
        post params() takes(JsonBody<WebhookTermsBody>), body(WebhookTermsBody),
        refuses([Code::UrlNotAllowed, Code::LimitReached]),
        answers(status = 201, description = "The webhook.", body = MadeWebhook),
        |it, (JsonBody(terms),)| {
            let (webhook, secret) = it.notifications().make_webhook(&it.owner, terms.parse(&it.owner)?).await?;
            Ok(HttpResponse::Created().json(MadeWebhook { secret: secret.expose(), webhook: webhook.into() }))
        };

    /// Read a webhook
    ///
    /// Without its secret.
    get_webhook "getWebhook" "/v1/me/webhooks/{webhook_id}" by Caller,
        get_webhook_as_operator "getWebhookAsOperator" "/v1/admin/webhooks/{webhook_id}",
        get params(Path::<WebhookId>) takes(Path<WebhookId>),
        refuses([Code::WebhookNotFound]),
        answers(status = 200, description = "The webhook.", body = WebhookBody),
        |it, (Path(id),)| {
            Ok(HttpResponse::Ok().json(WebhookBody::from(it.notifications().webhook(&it.owner, &id).await?)))
        };

    /// Change a webhook
    ///
    /// Fields that are left out stay as they are.
    change_webhook "changeWebhook" "/v1/me/webhooks/{webhook_id}" by Writer,
        change_webhook_as_operator "changeWebhookAsOperator" "/v1/admin/webhooks/{webhook_id}",
        patch params(Path::<WebhookId>) takes(Path<WebhookId>, JsonBody<WebhookChangeBody>),
        body(WebhookChangeBody),
        refuses([Code::WebhookNotFound, Code::UrlNotAllowed]),
        answers(status = 200, description = "The webhook.", body = WebhookBody),
        |it, (Path(id), JsonBody(change))| {
            let changed = it.notifications().change_webhook(&it.owner, &id, change.parse(&it.owner)?).await?;
            Ok(HttpResponse::Ok().json(WebhookBody::from(changed)))
        };

    /// Delete a webhook
    ///
    /// Pending deliveries to it are dropped.
    delete_webhook "deleteWebhook" "/v1/me/webhooks/{webhook_id}" by Writer,
        delete_webhook_as_operator "deleteWebhookAsOperator" "/v1/admin/webhooks/{webhook_id}",
        delete params(Path::<WebhookId>) takes(Path<WebhookId>),
        refuses([Code::WebhookNotFound]),
        answers(status = 204, description = "The webhook is gone, or there was none."),
        |it, (Path(id),)| {
            it.notifications().remove_webhook(&it.owner, &id).await?;
            Ok(HttpResponse::NoContent().finish())
        };

    /// Read a webhook's secret
    ///
    /// The newest one.
    get_webhook_secret "getWebhookSecret" "/v1/me/webhooks/{webhook_id}/secret" by Caller,
        get_webhook_secret_as_operator "getWebhookSecretAsOperator" "/v1/admin/webhooks/{webhook_id}/secret",
        get params(Path::<WebhookId>) takes(Path<WebhookId>),
        refuses([Code::WebhookNotFound]),
        answers(status = 200, description = "The secret.", body = WebhookSecretBody),
        |it, (Path(id),)| {
            let secret = it.notifications().webhook_secret(&it.owner, &id).await?.expose();
            Ok(HttpResponse::Ok().json(WebhookSecretBody { secret }))
        };

    /// Change a webhook's secret
    ///
    /// Draws a new one. For `grace_seconds` the one before signs too, so that a receiver has time to change; at most
    /// three sign at a time. An `Idempotency-Key` is ignored, because each call draws a new secret.
    rotate_webhook_secret "rotateWebhookSecret" "/v1/me/webhooks/{webhook_id}/secret/rotate" by Writer,
        rotate_webhook_secret_as_operator "rotateWebhookSecretAsOperator"
            "/v1/admin/webhooks/{webhook_id}/secret/rotate",
        post params(Path::<WebhookId>) takes(Path<WebhookId>, JsonBody<SecretRotation>),
        body(SecretRotation),
        refuses([Code::WebhookNotFound]),
        answers(status = 200, description = "The new secret.", body = WebhookSecretBody),
        |it, (Path(id), JsonBody(rotation))| {
            let grace = rotation.grace_seconds.get();
            let secret = it.notifications().rotate_secret(&it.owner, &id, grace).await?.expose();
            Ok(HttpResponse::Ok().json(WebhookSecretBody { secret }))
        };

    /// Test a webhook
    ///
    /// Sends a `webhook.test`, also to one that takes other types or is switched off. `listDeliveries` shows what came of
    /// it. An `Idempotency-Key` is ignored: each test is one of its own.
    test_webhook "testWebhook" "/v1/me/webhooks/{webhook_id}/test" by Writer,
        test_webhook_as_operator "testWebhookAsOperator" "/v1/admin/webhooks/{webhook_id}/test",
        post params(Path::<WebhookId>) takes(Path<WebhookId>),
        refuses([Code::WebhookNotFound]),
        answers(status = 202, description = "It is on its way.", body = OrderedDelivery),
        |it, (Path(id),)| {
            let delivery_id = it.notifications().test_webhook(&it.owner, &id).await?.to_string();
            Ok(HttpResponse::Accepted().json(OrderedDelivery { delivery_id }))
        };

    /// Switch a webhook on
    ///
    /// For one that was switched off because its receiver answered 410, or nothing arrived for five days. An
    /// `Idempotency-Key` is ignored: twice does what once does.
    enable_webhook "enableWebhook" "/v1/me/webhooks/{webhook_id}/enable" by Writer,
        enable_webhook_as_operator "enableWebhookAsOperator" "/v1/admin/webhooks/{webhook_id}/enable",
        post params(Path::<WebhookId>) takes(Path<WebhookId>),
        refuses([Code::WebhookNotFound]),
        answers(status = 200, description = "The webhook.", body = WebhookBody),
        |it, (Path(id),)| {
            Ok(HttpResponse::Ok().json(WebhookBody::from(it.notifications().enable_webhook(&it.owner, &id).await?)))
        };

    /// List deliveries to a webhook
    ///
    /// The newest first, each from its first attempt on, for up to four days; 1,000 of one owner are kept. A failed attempt
    /// is followed by another, ten in all within 76 hours.
    list_deliveries "listDeliveries" "/v1/me/webhooks/{webhook_id}/deliveries" by Caller,
        list_deliveries_as_operator "listDeliveriesAsOperator" "/v1/admin/webhooks/{webhook_id}/deliveries",
        get params(Path::<WebhookId>, DeliveryQuery) takes(Path<WebhookId>, Query<DeliveryQuery>),
        refuses([Code::WebhookNotFound]),
        answers(status = 200, description = "A page of deliveries.", body = DeliveryPageBody),
        |it, (Path(id), Query(query))| {
            let (before, limit) = (query.before()?, query.limit.get());
            let page = it.notifications().deliveries(&it.owner, &id, query.state, before, limit).await?;
            Ok(HttpResponse::Ok().json(DeliveryPageBody::of(page)?))
        };

    /// Send a delivery again
    ///
    /// Under its id and from the beginning of its schedule. One that waits for its next attempt stays as it is. An
    /// `Idempotency-Key` is ignored: a receiver tells repetitions by the delivery's id.
    resend_delivery "resendDelivery" "/v1/me/webhooks/{webhook_id}/deliveries/{delivery_id}/resend" by Writer,
        resend_delivery_as_operator "resendDeliveryAsOperator"
            "/v1/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/resend",
        post params(Path::<WebhookId>, Path::<DeliveryId>) takes(Path<WebhookId>, Path<DeliveryId>),
        refuses([Code::WebhookNotFound, Code::NotFound]),
        answers(status = 202, description = "It is on its way.", body = DeliveryBody),
        |it, (Path(webhook), Path(id))| {
            let delivery = it.notifications().resend(&it.owner, &webhook, &id).await?;
            Ok(HttpResponse::Accepted().json(DeliveryBody::of(delivery)?))
        };

    /// Send deliveries again
    ///
    /// Those since a time up to three days ago that have failed, or all, as `resendDelivery` does one. Notifications of
    /// turns that have passed are sent too; `version` shows a receiver what it knows already. One replay of a webhook
    /// runs at a time, until all of its deliveries are ordered. An `Idempotency-Key` is ignored: a receiver tells
    /// repetitions by the delivery's id.
    replay_deliveries "replayDeliveries" "/v1/me/webhooks/{webhook_id}/replay" by Writer,
        replay_deliveries_as_operator "replayDeliveriesAsOperator" "/v1/admin/webhooks/{webhook_id}/replay",
        post params(Path::<WebhookId>) takes(Path<WebhookId>, JsonBody<DeliveryReplay>),
        body(DeliveryReplay),
        refuses([Code::WebhookNotFound, Code::ReplayRunning]),
        answers(status = 202, description = "They are on their way."),
        |it, (Path(id), JsonBody(replay))| {
            it.notifications().replay(&it.owner, &id, replay.since()?, replay.failed_only).await?;
            Ok(HttpResponse::Accepted().finish())
        };
}
