//! The macro for commands: operations in which somebody acts on a match and is answered with the match as it is then.
//!
//! Each is an entry of the table in [`super::commands`]: function, operation id, method and path, tag, scope; then
//! parameters, schema of the body, who may call it and whether the body is read; whether it takes an idempotency key; its
//! problem codes; what 200 means; and the call that carries it out. The macro makes the declaration for the document and
//! the handler.

use std::ops::Deref;

use actix_web::HttpRequest;
use serde::de::DeserializeOwned;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::extract::as_seat::SeatQuery;
use crate::extract::body::RawBody;
use crate::extract::idempotency::{Nulls, idempotency};
use crate::extract::params::{Path, Query};
use crate::service::Shared;
use sarsen_accounts::auth::Principal;
use sarsen_base::ids::MatchId;
use sarsen_matches::idempotency::Idempotency;
use sarsen_matches::model::table_terms::AddressMark;
use sarsen_matches::{Reader, Unread};

/// The problem codes of every command that a seat gives while the match is played.
pub(super) const IN_PLAY: [Code; 8] = [
    Code::MatchNotFound,
    Code::NotSeated,
    Code::Forbidden,
    Code::HotseatOnly,
    Code::Conflict,
    Code::MatchNotPlaying,
    Code::MatchOver,
    Code::AlreadyResigned,
];

/// The parts that a handler extracts, in this order. `B` is [`RawBody`] where the command has one.
pub(super) type Parts<C, B = ()> = (Query<SeatQuery>, C, HttpRequest, Path<MatchId>, B);

/// The bytes of a body; none where the command has no body.
pub(super) trait Body {
    fn bytes(&self) -> &[u8];
}

impl Body for () {
    fn bytes(&self) -> &[u8] {
        &[]
    }
}

impl Body for RawBody {
    fn bytes(&self) -> &[u8] {
        RawBody::bytes(self)
    }
}

/// A command that has been received.
pub(super) struct Command<C, B> {
    pub(super) service: Shared,
    pub(super) caller: C,
    pub(super) id: MatchId,
    request: HttpRequest,
    seat: SeatQuery,
    body: B,
    once: Option<Idempotency>,
}

impl<C: Deref<Target = Principal>, B: Body> Command<C, B> {
    /// The command of this operation. Its id, its body and the seat make the fingerprint of an idempotency key.
    ///
    /// # Errors
    /// `idempotency_key_invalid`, where the operation takes keys.
    pub(super) fn of(operation: &str, once: bool, service: Shared, parts: Parts<C, B>) -> Result<Self, Problem> {
        let (Query(seat), caller, request, Path(id), body) = parts;
        let once = match once {
            true => idempotency(&request, &[operation, &seat.fingerprint()], body.bytes(), Nulls::AreNothing)?,
            false => None,
        };
        Ok(Command { service, caller, id, request, seat, body, once })
    }

    /// The caller, on the seat that the query names.
    pub(super) fn reader(&self) -> Reader {
        self.seat.reader(&self.caller)
    }

    /// Counts a public match that is about to be made, whose address it returns the mark of.
    ///
    /// # Errors
    /// `rate_limited`, or that the store is away.
    pub(super) async fn count_table(&self) -> Result<AddressMark, Unread> {
        allowance::count_table(&self.request, &self.service, &self.caller).await.map_err(Unread::new)
    }

    /// The idempotency key, if the request has one.
    pub(super) fn once(&self) -> Option<&Idempotency> {
        self.once.as_ref()
    }
}

impl<C> Command<C, RawBody> {
    /// Returns the value that `read` takes from the body. A command refuses a bad body only after the caller.
    pub(super) fn body<T: DeserializeOwned, V>(&self, read: impl FnOnce(T) -> V) -> Result<V, Unread> {
        self.body.decode().map(read).map_err(Unread::new)
    }
}

macro_rules! commands {
    ($(
        $(#[doc = $doc:tt])+
        $name:ident $id:tt $method:ident $path:tt in $tag:tt, scope $scope:tt,
        params($first:ident $(, $param:ident)*), $(body($body:ident),)? by($($by:ident),+), once $once:tt,
        refuses($($codes:expr),+),
        answers $answer:tt,
        |$command:ident| $act:expr;
    )+) => {$(
        $(#[doc = $doc])+
        #[utoipa::path(
            operation_id = $id,
            tag = $tag,
            params(Path::<$first> $(, $param)*),
            $(request_body = $body,)?
            extensions(("x-problems" = json!([$(&$codes[..]),+].concat())), ("x-idempotent" = json!($once))),
            responses((status = 200, description = $answer, body = MatchView)),
            security(("bearer" = [$scope]))
        )]
        #[$method($path)]
        pub(crate) async fn $name(service: Shared, parts: Parts<$($by),+>) -> Result<HttpResponse, Problem> {
            let $command = Command::of($id, $once, service, parts)?;
            answer($act.await)
        }
    )+};
}

pub(super) use commands;
