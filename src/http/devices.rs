//! A second device: pairing codes, the recovery key, and the caller's sessions.

use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::extract::body::{OptionalJsonBody, RawBody, given};
use crate::extract::caller::{Caller, Leaver, Writer};
use crate::extract::idempotency::{Nulls, idempotency, mark_replayed};
use crate::extract::params::{Path, Within};
use crate::players::SignedInPlayer;
use crate::service::Shared;
use sarsen_accounts::players::{
    CodeError, DeviceLabel, Joined, Once, PAIRING_SECONDS_MAX, PAIRING_SECONDS_MIN, PairingCode, RecoveryKey,
    RevokeScope, SessionFacts,
};
use sarsen_base::ids::SessionId;
use sarsen_base::text::TextError;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(create_pairing_code)
        .service(pair_device)
        .service(create_recovery_key)
        .service(recover_player)
        .service(list_sessions)
        .service(end_other_sessions)
        .service(end_session);
}

type PairingSeconds = Within<PAIRING_SECONDS_MIN, PAIRING_SECONDS_MAX>;
/// The life of a pairing code unless something else is asked for, in seconds: five minutes.
const FIVE_MINUTES: u32 = 300;

/// The terms of a pairing code.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairingTerms {
    /// The life of the code, in seconds: at most `pairing_code_seconds` of `GET /v1/limits`, which is also the default if it
    /// is less than five minutes.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = u32, required = false, minimum = 60, maximum = 600, default = 300)]
    expires_in_seconds: Option<PairingSeconds>,
}

/// A pairing code.
#[derive(Serialize, ToSchema)]
#[schema(as = PairingCode)]
pub(crate) struct PairingCodeBody {
    /// To be typed, or read by a camera, on the other device.
    #[schema(examples("K7QD3-MPX2A"))]
    pub(crate) code: String,
    /// The time after which it opens nothing.
    #[schema(format = "date-time")]
    pub(crate) expires_at: String,
}

/// Get a pairing code
///
/// For a second device of the same player: this one shows the code, the other one sends it to `/v1/tokens/pair`. A code
/// works once, and only the newest one does. An `Idempotency-Key` is ignored, because the code is a secret that is not
/// stored.
#[utoipa::path(
    operation_id = "createPairingCode",
    tag = "players",
    request_body = PairingTerms,
    extensions(("x-problems" = json!([])), ("x-optional-body" = json!(true))),
    responses((status = 201, description = "The code.", body = PairingCodeBody)),
    security(("bearer" = ["account"]))
)]
#[post("/v1/me/pairing-codes")]
pub(crate) async fn create_pairing_code(
    service: Shared,
    caller: Writer,
    OptionalJsonBody(body): OptionalJsonBody<PairingTerms>,
) -> Result<HttpResponse, Problem> {
    let (asked, most) = (body.unwrap_or_default().expires_in_seconds, service.players.bounds().pairing_code_seconds);
    let seconds = Within::at_most(asked, FIVE_MINUTES, most, "expires_in_seconds")?;
    let (code, until) = service.players.make_pairing_code(&caller.player, seconds).await?;
    Ok(HttpResponse::Created().json(PairingCodeBody { code: code.expose(), expires_at: until.rfc3339() }))
}

/// A pairing code and the device that sends it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pairing {
    /// The code that the other device shows. Small letters, blanks and hyphens do not matter; I and L count as 1, O as 0.
    #[schema(min_length = 1, max_length = 100, examples("K7QD3-MPX2A"))]
    code: String,
    /// The name by which the player knows this device in the list of sessions: 1 to 40 characters after cleaning.
    #[schema(min_length = 1, max_length = 400, examples("Phone"))]
    device: Option<String>,
}

/// Sign in by a pairing code
///
/// Gives a device a session of its own for the player whose other device shows the code, and tells the player's other
/// devices. A code that is unknown, used or expired is answered alike. An address may send ten wrong ones a minute, unless
/// the operator sets another number.
#[utoipa::path(
    operation_id = "pairDevice",
    tag = "players",
    request_body = Pairing,
    extensions(("x-problems" = json!([
        Code::WrongCode, Code::Banned, Code::InvalidName, Code::RateLimited, Code::StoreUnavailable
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The player and the tokens of the new session.", body = SignedInPlayer)),
    security(())
)]
#[post("/v1/tokens/pair")]
pub(crate) async fn pair_device(service: Shared, request: HttpRequest, body: RawBody) -> Result<HttpResponse, Problem> {
    let Pairing { code, device } = body.decode()?;
    let device = label(device)?;
    let once = idempotency(&request, &["pairDevice"], body.bytes(), Nulls::AreNothing)?;
    allowance::count_token_change(&request, &service).await?;
    allowance::count_code(&request, &service)?;
    let once = once.as_ref().map(|once| Once { key: &once.key, fingerprint: &once.fingerprint });
    let joined = match code.parse::<PairingCode>() {
        Ok(code) => service.players.pair(&code, device, once).await,
        Err(_) => Err(CodeError::Wrong),
    };
    answered(&request, &service, joined).await
}

/// A recovery key.
#[derive(Serialize, ToSchema)]
#[schema(as = RecoveryKey)]
pub(crate) struct RecoveryKeyBody {
    /// The key. It is shown this once: to be written down and kept apart from the device.
    #[schema(examples("9J2TX-0VHQ8-M6KRB-4ZC1W-S7PDE-3NYGA"))]
    pub(crate) recovery_key: String,
}

/// Get a recovery key
///
/// With it the player comes back where no device is left. It takes the place of the one before, and stays good until
/// another one takes its place. An `Idempotency-Key` is ignored, because the key is a secret that is not stored.
#[utoipa::path(
    operation_id = "createRecoveryKey",
    tag = "players",
    extensions(("x-problems" = json!([]))),
    responses((status = 201, description = "The key.", body = RecoveryKeyBody)),
    security(("bearer" = ["account"]))
)]
#[post("/v1/me/recovery-key")]
pub(crate) async fn create_recovery_key(service: Shared, caller: Writer) -> Result<HttpResponse, Problem> {
    let key = service.players.make_recovery_key(&caller.player).await?;
    Ok(HttpResponse::Created().json(RecoveryKeyBody { recovery_key: key.expose() }))
}

/// A recovery key and the device that sends it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recovery {
    /// The key as it was shown. Small letters, blanks and hyphens do not matter.
    #[schema(min_length = 1, max_length = 100, examples("9J2TX-0VHQ8-M6KRB-4ZC1W-S7PDE-3NYGA"))]
    recovery_key: String,
    /// The name by which the player knows this device in the list of sessions: 1 to 40 characters after cleaning.
    #[schema(min_length = 1, max_length = 400, examples("Phone"))]
    device: Option<String>,
}

/// Sign in by the recovery key
///
/// Gives a device a session of its own for the player whose key it is, and tells the player's other devices. A key that is
/// unknown or was replaced is answered alike. Wrong ones count as wrong pairing codes do.
#[utoipa::path(
    operation_id = "recoverPlayer",
    tag = "players",
    request_body = Recovery,
    extensions(("x-problems" = json!([
        Code::WrongCode, Code::Banned, Code::InvalidName, Code::RateLimited, Code::StoreUnavailable
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The player and the tokens of the new session.", body = SignedInPlayer)),
    security(())
)]
#[post("/v1/tokens/recover")]
pub(crate) async fn recover_player(
    service: Shared,
    request: HttpRequest,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let Recovery { recovery_key, device } = body.decode()?;
    let device = label(device)?;
    let once = idempotency(&request, &["recoverPlayer"], body.bytes(), Nulls::AreNothing)?;
    allowance::count_token_change(&request, &service).await?;
    allowance::count_code(&request, &service)?;
    let once = once.as_ref().map(|once| Once { key: &once.key, fingerprint: &once.fingerprint });
    let joined = match recovery_key.parse::<RecoveryKey>() {
        Ok(key) => service.players.recover(&key, device, once).await,
        Err(_) => Err(CodeError::Wrong),
    };
    answered(&request, &service, joined).await
}

/// The label of a device, as given.
///
/// # Errors
/// `invalid_name`.
pub(crate) fn label(device: Option<String>) -> Result<Option<DeviceLabel>, Problem> {
    let refused = |error: TextError| {
        let detail = format!("this cannot name a device: {error}");
        Problem::new(Code::InvalidName).field("device").detail(detail)
    };
    device.map(|text| text.parse().map_err(refused)).transpose()
}

/// Answers who has sent a code; a wrong one has cost a try.
async fn answered(
    request: &HttpRequest,
    service: &Shared,
    joined: Result<Joined, CodeError>,
) -> Result<HttpResponse, Problem> {
    if !matches!(joined, Err(CodeError::Wrong)) {
        allowance::give_code_back(request, service);
    }
    let Joined { signed_in, replayed } = joined?;
    if !replayed {
        service.tell_session(&signed_in).await;
    }
    let mut answer = HttpResponse::Ok();
    mark_replayed(&mut answer, replayed);
    Ok(answer.json(SignedInPlayer::from(signed_in)))
}

/// A session: one device, signed in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Session)]
pub struct SessionBody {
    /// Its id.
    #[schema(value_type = String, examples("s_0190163d8694739ea2a3c9f1e7d1a333"))]
    pub(crate) id: SessionId,
    /// The name that its device was given; null if it has none.
    #[schema(required, examples("Phone"))]
    pub(crate) device: Option<String>,
    /// The time at which it began.
    #[schema(format = "date-time")]
    pub(crate) created_at: String,
    /// The time at which its tokens were last refreshed, to the hour.
    #[schema(format = "date-time")]
    pub(crate) last_used_at: String,
    /// Indicates whether it is the session of the access token that asks.
    pub(crate) current: bool,
}

impl SessionBody {
    /// A session as the one with the id `current` sees it.
    pub(crate) fn of(facts: SessionFacts, current: &SessionId) -> SessionBody {
        SessionBody {
            current: facts.id == *current,
            id: facts.id,
            device: facts.device,
            created_at: facts.created_at.rfc3339(),
            last_used_at: facts.last_used_at.rfc3339(),
        }
    }
}

/// The sessions of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionList {
    /// The sessions, oldest first.
    pub(crate) items: Vec<SessionBody>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}

/// List my sessions
///
/// The devices on which the caller is signed in. A player has at most `sessions_per_player` of `/v1/limits`; one more ends
/// the one that was not used for longest.
#[utoipa::path(
    operation_id = "listSessions",
    tag = "players",
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The sessions.", body = SessionList)),
    security(("bearer" = ["account"]))
)]
#[get("/v1/me/sessions")]
pub(crate) async fn list_sessions(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let mut sessions = service.players.sessions_of(&caller.player).await?;
    sessions.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
    let items = sessions.into_iter().map(|session| SessionBody::of(session, &caller.session)).collect();
    Ok(HttpResponse::Ok().json(SessionList { items, next_cursor: None }))
}

/// End my other sessions
///
/// Ends all sessions of the caller but the one that asks: their tokens are refused everywhere within ten seconds.
#[utoipa::path(
    operation_id = "endOtherSessions",
    tag = "players",
    extensions(("x-problems" = json!([]))),
    responses((status = 204, description = "Ended.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/sessions")]
pub(crate) async fn end_other_sessions(service: Shared, Writer(caller): Writer) -> Result<HttpResponse, Problem> {
    service.players.revoke(&caller, RevokeScope::OtherSessions).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// End one of my sessions
///
/// Its tokens are refused everywhere within ten seconds. It may be the one that asks, which may repeat this.
#[utoipa::path(
    operation_id = "endSession",
    tag = "players",
    params(Path::<SessionId>),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 204, description = "Ended, or not the caller's.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/sessions/{session_id}")]
pub(crate) async fn end_session(
    service: Shared,
    Leaver(caller): Leaver,
    Path(id): Path<SessionId>,
) -> Result<HttpResponse, Problem> {
    service.players.end_session(&caller.player, &id).await?;
    Ok(HttpResponse::NoContent().finish())
}
