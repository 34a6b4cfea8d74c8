//! Identities of outside issuers: signing in by one, and linking them to a player.

use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::devices::label;
use crate::edge::allowance;
use crate::extract::body::JsonBody;
use crate::extract::caller::{Caller, Writer};
use crate::extract::params::{IdentityId, Path};
use crate::players::SignedInPlayer;
use crate::service::Shared;
use sarsen_accounts::outside::{Identity, OutsideError, VerifiedIdentity};

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(exchange_token)
        .service(list_identities)
        .service(link_identity)
        .service(get_identity)
        .service(unlink_identity);
}

/// A token of an outside issuer, and the device that sends it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutsideToken {
    /// The name of the issuer, as the operator has given it.
    #[schema(min_length = 1, max_length = 40, examples("acme"))]
    issuer: String,
    /// The token: a signed JWT, fresh from the issuer, of at most `outside_token_bytes` of `GET /v1/limits`.
    #[schema(min_length = 1, max_length = 32768, examples("eyJhbGciOiJFUzI1NiIsImtpZCI6ImExIn0.e30.c2lnbmF0dXJl"))]
    token: String,
    /// The name by which the player knows this device in the list of sessions: 1 to 40 characters after cleaning.
    #[schema(min_length = 1, max_length = 400, examples("Phone"))]
    device: Option<String>,
}

/// Sign in by an outside token
///
/// Exchanges a token of an issuer that the operator has listed for a session: of the player who is linked to the account,
/// or of a new one. The outside token is good for nothing else here. Tokens count that are signed by a key of the issuer,
/// meant for this service, young and not expired; which of that is amiss is not said. An address may send twenty that do
/// not count a minute, unless the operator sets another number. An `Idempotency-Key` is ignored: another exchange gives
/// another session of the same player.
#[utoipa::path(
    operation_id = "exchangeToken",
    tag = "players",
    request_body = OutsideToken,
    extensions(("x-problems" = json!([
        Code::OutsideTokenInvalid, Code::IssuerNotFound, Code::IssuerUnavailable, Code::Banned, Code::InvalidName,
        Code::RateLimited, Code::StoreUnavailable
    ]))),
    responses(
        (status = 200, description = "The player who is linked to the account, and tokens.", body = SignedInPlayer),
        (status = 201, description = "A new player who is linked to the account, and tokens.", body = SignedInPlayer)
    ),
    security(())
)]
#[post("/v1/tokens/exchange")]
pub(crate) async fn exchange_token(
    service: Shared,
    request: HttpRequest,
    JsonBody(OutsideToken { issuer, token, device }): JsonBody<OutsideToken>,
) -> Result<HttpResponse, Problem> {
    let device = label(device)?;
    allowance::count_token_change(&request, &service).await?;
    let identity = verified(&request, &service, &issuer, &token).await?;
    if service.outside.player_of(&identity).await?.is_none() {
        allowance::count_guest(&request, &service).await?;
    }
    let (signed_in, new) = service.outside.sign_in(&identity, device).await?;
    if !new {
        service.tell_session(&signed_in).await;
    }
    let mut answer = if new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(answer.json(SignedInPlayer::from(signed_in)))
}

/// Checks a token; one that does not count has cost a try.
async fn verified(
    request: &HttpRequest,
    service: &Shared,
    issuer: &str,
    token: &str,
) -> Result<VerifiedIdentity, Problem> {
    allowance::count_exchange(request, service)?;
    let verified = service.outside.verify(issuer, token).await;
    if !matches!(verified, Err(OutsideError::Invalid(_) | OutsideError::IssuerNotFound)) {
        allowance::give_exchange_back(request, service);
    }
    Ok(verified?.without_blocked_name(&service.name_blocklist))
}

/// An identity: an account at an outside issuer that is linked to a player.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Identity)]
pub(crate) struct IdentityBody {
    /// Its id.
    #[schema(examples("b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"))]
    pub(crate) id: String,
    /// The name of the issuer.
    #[schema(examples("acme"))]
    pub(crate) issuer: String,
    /// The time at which it was linked to the player.
    #[schema(format = "date-time")]
    pub(crate) linked_at: String,
}

impl From<Identity> for IdentityBody {
    fn from(Identity { id, issuer, linked_at }: Identity) -> IdentityBody {
        IdentityBody { id, issuer, linked_at: linked_at.rfc3339() }
    }
}

/// The identities of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IdentityList {
    /// The identities, by id.
    pub(crate) items: Vec<IdentityBody>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}

/// List my identities
///
/// The accounts at outside issuers by which the caller can sign in. Of the accounts themselves nothing is kept but a hash.
#[utoipa::path(
    operation_id = "listIdentities",
    tag = "players",
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The identities.", body = IdentityList)),
    security(("bearer" = ["account"]))
)]
#[get("/v1/me/identities")]
pub(crate) async fn list_identities(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let items = service.outside.identities(&caller.player).await?;
    let items = items.into_iter().map(IdentityBody::from).collect();
    Ok(HttpResponse::Ok().json(IdentityList { items, next_cursor: None }))
}

/// A token that proves an identity.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IdentityProof {
    /// The name of the issuer, as the operator has given it.
    #[schema(min_length = 1, max_length = 40, examples("acme"))]
    issuer: String,
    /// A token of the account, as for `/v1/tokens/exchange`.
    #[schema(min_length = 1, max_length = 32768, examples("eyJhbGciOiJFUzI1NiIsImtpZCI6ImExIn0.e30.c2lnbmF0dXJl"))]
    token: String,
}

/// Link an identity
///
/// Binds the account that the token is about to the caller, who can sign in by it from then on. An account is linked to one
/// player; players are never merged. A player has at most `identities_per_player` of `/v1/limits`. Linking the same account
/// again changes nothing, so an `Idempotency-Key` is ignored.
#[utoipa::path(
    operation_id = "linkIdentity",
    tag = "players",
    request_body = IdentityProof,
    extensions(("x-problems" = json!([
        Code::OutsideTokenInvalid, Code::IssuerNotFound, Code::IssuerUnavailable, Code::IdentityTaken,
        Code::LimitReached
    ]))),
    responses((status = 201, description = "The identity.", body = IdentityBody)),
    security(("bearer" = ["account"]))
)]
#[post("/v1/me/identities")]
pub(crate) async fn link_identity(
    service: Shared,
    request: HttpRequest,
    caller: Writer,
    JsonBody(IdentityProof { issuer, token }): JsonBody<IdentityProof>,
) -> Result<HttpResponse, Problem> {
    let identity = verified(&request, &service, &issuer, &token).await?;
    let linked = service.outside.link(&caller.player, &identity).await?;
    Ok(HttpResponse::Created().json(IdentityBody::from(linked)))
}

/// The problem of an identity that the player does not have.
fn no_identity() -> Problem {
    Problem::new(Code::NotFound).detail("the player has no identity with this id")
}

/// Read one of my identities
///
/// The issuer, and when the account was linked.
#[utoipa::path(
    operation_id = "getIdentity",
    tag = "players",
    params(Path::<IdentityId>),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 200, description = "The identity.", body = IdentityBody)),
    security(("bearer" = ["account"]))
)]
#[get("/v1/me/identities/{identity_id}")]
pub(crate) async fn get_identity(
    service: Shared,
    Caller(caller): Caller,
    Path(IdentityId(id)): Path<IdentityId>,
) -> Result<HttpResponse, Problem> {
    let found = service.outside.identity(&caller.player, &id).await?.ok_or_else(no_identity)?;
    Ok(HttpResponse::Ok().json(IdentityBody::from(found)))
}

/// Unlink one of my identities
///
/// The account opens nothing of the caller's any more. Sessions that it opened go on.
#[utoipa::path(
    operation_id = "unlinkIdentity",
    tag = "players",
    params(Path::<IdentityId>),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 204, description = "Unlinked, or not the caller's.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/identities/{identity_id}")]
pub(crate) async fn unlink_identity(
    service: Shared,
    Writer(caller): Writer,
    Path(IdentityId(id)): Path<IdentityId>,
) -> Result<HttpResponse, Problem> {
    service.outside.unlink(&caller.player, &id).await?;
    Ok(HttpResponse::NoContent().finish())
}
