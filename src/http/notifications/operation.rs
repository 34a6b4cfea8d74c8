//! The macro for the operations of webhooks: each is there twice, for a player's webhooks and for the operators'.
//!
//! An entry of the table in [`super::webhooks`] has both functions with their operation ids and paths, the method, the
//! caller on the player's side, the parameters, what is extracted, the body, the problem codes, the answer,
//! and the call that carries it out.

use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::operator::{Admin, Operate};
use crate::extract::params::Path;
use crate::service::Shared;
use sarsen_accounts::auth::Principal;
use sarsen_base::ids::WebhookId;
use sarsen_service::admin::Call;
use sarsen_service::notifications::{ItemOwner, Notifications};

/// An operation on the webhooks of one owner.
pub(super) struct Asked {
    service: Shared,
    pub(super) owner: ItemOwner,
}

/// The extracted parts of a request, which may name a webhook.
pub(super) trait Target {
    /// The webhook that it names.
    fn webhook(&self) -> Option<&WebhookId>;
}

impl Target for () {
    fn webhook(&self) -> Option<&WebhookId> {
        None
    }
}

impl<A> Target for (JsonBody<A>,) {
    fn webhook(&self) -> Option<&WebhookId> {
        None
    }
}

impl Target for (Path<WebhookId>,) {
    fn webhook(&self) -> Option<&WebhookId> {
        Some(&self.0.0)
    }
}

impl<A> Target for (Path<WebhookId>, A) {
    fn webhook(&self) -> Option<&WebhookId> {
        Some(&self.0.0)
    }
}

impl Asked {
    /// By a player, of their own.
    pub(super) fn mine(service: Shared, caller: &Principal) -> Asked {
        Asked { owner: ItemOwner::Player(caller.player.clone()), service }
    }

    /// By an operator, of the operators'. It is audited before anything is done.
    pub(super) async fn operators(
        service: Shared,
        operator: &Admin<Operate>,
        operation: &'static str,
        target: &impl Target,
    ) -> Result<Asked, Problem> {
        let call = Call::of(operation);
        let call = match target.webhook() {
            Some(webhook) => call.on(webhook),
            None => call,
        };
        let _audited = service.admin.audit.record(operator, call).await?;
        Ok(Asked { owner: ItemOwner::Service, service })
    }

    pub(super) fn notifications(&self) -> &Notifications {
        &self.service.notifications
    }
}

macro_rules! webhook_operations {
    ($(
        $(#[doc = $doc:tt])+
        $mine:ident $mine_id:tt $mine_path:tt by $by:ident,
        $theirs:ident $theirs_id:tt $theirs_path:tt,
        $method:ident params($($param:ty),*) takes($($part:ty),*), $(body($body:ident),)?
        refuses $codes:expr, answers($($answer:tt)+),
        |$it:ident, $parts:pat_param| $act:expr;
    )+) => {
        $(
            $(#[doc = $doc])+
            #[utoipa::path(
                operation_id = $mine_id,
                tag = "notifications",
                params($($param),*),
                $(request_body = $body,)?
                extensions(("x-problems" = json!($codes))),
                responses(($($answer)+)),
                security(("bearer" = ["notify"]))
            )]
            #[$method($mine_path)]
            async fn $mine(service: Shared, caller: $by, parts: ($($part,)*)) -> Result<HttpResponse, Problem> {
                let ($it, $parts) = (Asked::mine(service, &caller.0), parts);
                $act
            }

            $(#[doc = $doc])+
            #[utoipa::path(
                operation_id = $theirs_id,
                tag = "admin",
                params($($param),*),
                $(request_body = $body,)?
                extensions(("x-problems" = json!($codes))),
                responses(($($answer)+)),
                security(("operator" = ["admin:operate"]))
            )]
            #[$method($theirs_path)]
            async fn $theirs(
                service: Shared,
                operator: Admin<Operate>,
                parts: ($($part,)*),
            ) -> Result<HttpResponse, Problem> {
                let ($it, $parts) = (Asked::operators(service, &operator, $theirs_id, &parts).await?, parts);
                $act
            }
        )+

        /// Mounts all of them.
        pub(super) fn routes(config: &mut ServiceConfig) {
            config$(.service($mine).service($theirs))+;
        }
    };
}

pub(super) use webhook_operations;
