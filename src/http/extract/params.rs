//! Query and path parameters, read strictly.
//!
//! Name the types in `params(..)` of the handler too, since utoipa takes them from nowhere else; a path segment that is
//! not named makes the document incomplete. Query types carry `deny_unknown_fields`; an id in a path that does not
//! parse names nothing, so it is answered like one that does not exist.

use std::future::{Ready, ready};
use std::str::FromStr;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Required, Schema};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use sarsen_accounts::auth::ProgramTokenId;
use sarsen_base::ids::{MatchId, PlayerId, PushSubscriptionId, ReportId, SessionId, WebhookId};
use sarsen_matches::feed::redacted::number;
use sarsen_rules::{Seat, reading};
use sarsen_service::notifications::DeliveryId;

/// The query string as a `T`.
#[derive(Debug)]
pub(crate) struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Query<T>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let parameters = web::Query::<Vec<(String, String)>>::from_query(request.query_string());
        let parameters = parameters.map_err(|error| {
            let detail = "the query is no list of names and values";
            Problem::new(Code::InvalidParameter).detail(detail).cause(error.to_string())
        });
        ready(parameters.and_then(|parameters| {
            reading::read_parameters(&parameters).map(Query).map_err(|fault| {
                let problem = Problem::new(Code::InvalidParameter).detail(fault.to_string());
                fault.property().into_iter().fold(problem, Problem::field)
            })
        }))
    }
}

/// An integer from `LEAST` to `MOST`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Within<const LEAST: u32, const MOST: u32>(u32);

impl<const LEAST: u32, const MOST: u32> Within<LEAST, MOST> {
    /// A number that is known to be in between.
    pub(crate) const fn of<const NUMBER: u32>() -> Self {
        const { assert!(LEAST <= NUMBER && NUMBER <= MOST) };
        Within(NUMBER)
    }

    pub(crate) fn get(self) -> u32 {
        self.0
    }

    /// The number that is asked for at `path`, or else `usual`, where this service allows `most`.
    ///
    /// # Errors
    /// `invalid_request`, if more is asked for.
    pub(crate) fn at_most(asked: Option<Self>, usual: u32, most: u32, path: &str) -> Result<u32, Problem> {
        match asked {
            Some(Within(number)) if number > most => {
                let detail = format!("this service allows {most} at most");
                Err(Problem::new(Code::InvalidRequest).path(path).detail(detail))
            }
            asked => Ok(asked.map_or(usual.min(most), Within::get)),
        }
    }
}

impl<const MOST: u32> Within<0, MOST> {
    /// The number as a time; `None` for no time.
    pub(crate) fn seconds(self) -> Option<Duration> {
        Some(Duration::from_secs(self.0.into())).filter(|time| !time.is_zero())
    }
}

impl<const LEAST: u32, const MOST: u32> Default for Within<LEAST, MOST> {
    /// The least.
    fn default() -> Self {
        Within(LEAST)
    }
}

impl<'de, const LEAST: u32, const MOST: u32> Deserialize<'de> for Within<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = reading::integer(deserializer, LEAST.into()..=MOST.into())?;
        // It is in between.
        Ok(Within(u32::try_from(number).unwrap_or(MOST)))
    }
}

/// The largest number of items on a page: 1 to `MOST`, `USUAL` if left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PageLimit<const USUAL: u32, const MOST: u32>(u32);

impl<'de, const USUAL: u32, const MOST: u32> Deserialize<'de> for PageLimit<USUAL, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Within::<1, MOST>::deserialize(deserializer).map(|number| PageLimit(number.get()))
    }
}

impl<const USUAL: u32, const MOST: u32> PageLimit<USUAL, MOST> {
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

impl<const USUAL: u32, const MOST: u32> Default for PageLimit<USUAL, MOST> {
    fn default() -> Self {
        PageLimit(USUAL)
    }
}

/// A type of path segments, which has the same name in all paths.
pub(crate) trait PathParam: FromStr {
    /// The segment's name in route patterns, such as `match_id`.
    const NAME: &'static str;
    /// The problem code that the caller gets if the segment does not parse.
    const MISSING: Code;
    /// The description of the segment.
    const DESCRIPTION: &'static str;
    /// A value as an example.
    const EXAMPLE: &'static str;
    /// The pattern of the segment, where it has one.
    const PATTERN: Option<&'static str>;
}

/// One segment of the path. A handler may take several.
#[derive(Debug)]
pub(crate) struct Path<T>(pub T);

impl<T: PathParam> FromRequest for Path<T> {
    type Error = Problem;
    type Future = Ready<Result<Path<T>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let value = request.match_info().get(T::NAME).and_then(|text| text.parse().ok());
        ready(value.map(Path).ok_or_else(|| T::MISSING.into()))
    }
}

impl<T: PathParam> IntoParams for Path<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new().schema_type(Type::String).pattern(T::PATTERN).examples([T::EXAMPLE]).build();
        let parameter = ParameterBuilder::new()
            .name(T::NAME)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(T::DESCRIPTION))
            .schema(Some(Schema::Object(schema)));
        vec![parameter.build()]
    }
}

macro_rules! path_params {
    ($($type:ident $name:literal $missing:ident $description:literal $example:literal $pattern:expr;)+) => {$(
        impl PathParam for $type {
            const NAME: &'static str = $name;
            const MISSING: Code = Code::$missing;
            const DESCRIPTION: &'static str = $description;
            const EXAMPLE: &'static str = $example;
            const PATTERN: Option<&'static str> = $pattern;
        }
    )+};
}

path_params! {
    MatchId "match_id" MatchNotFound "The match." "m_0190163d8694739ea2a3c9f1e7d1a111" Some("^m_[0-9a-f]{32}$");
    PlayerId "player_id" PlayerNotFound "The player." "p_0190163d8694739ea2a3c9f1e7d1a222" Some("^p_[0-9a-f]{32}$");
    SessionId "session_id" NotFound "The session." "s_0190163d8694739ea2a3c9f1e7d1a333" Some("^s_[0-9a-f]{32}$");
    ProgramTokenId "token_id" NotFound "The token." "7k2mq9xw" Some("^[0-9a-hjkmnp-tv-z]{8}$");
    ReportId "report_id" NotFound "The report." "c_0190163d8694739ea2a3c9f1e7d1a666" Some("^c_[0-9a-f]{32}$");
    WebhookId "webhook_id" WebhookNotFound "The webhook." "w_0190163d8694739ea2a3c9f1e7d1a777"
        Some("^w_[0-9a-f]{32}$");
    DeliveryId "delivery_id" NotFound "The delivery." "msg_00000000000000000000000001"
        Some("^msg_[0-9a-hjkmnp-tv-z]{26}$");
    PushSubscriptionId "subscription_id" NotFound "The push subscription." "u_0190163d8694739ea2a3c9f1e7d1a888"
        Some("^u_[0-9a-f]{32}$");
    VersionParam "version" VersionNotFound "The version, from 1." "17" Some("^(0|[1-9][0-9]{0,15})$");
    SeatParam "seat" NoSuchSeat "The seat, from 0." "1" Some("^[0-4]$");
    InviteCode "invite_code" WrongInvite "The invite's code." "7k2mq9xw4tbz" Some("^[0-9a-hjkmnp-tv-z]{12}$");
    IdentityId "identity_id" NotFound "The identity's id."
        "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c" Some("^[0-9a-f]{64}$");
    PoolParam "pool_id" PoolNotFound "The pool's id." "contiguity-live" Some("^[a-z0-9-]{1,40}$");
    BoardParam "board" BoardNotFound "The board's id." "contiguity.2.live" None;
    GameParam "game" GameNotFound "The game's id." "contiguity" None;
    Code "code" NotFound "The problem's code." "stale_decision" None;
}

/// A version of a match in a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VersionParam(pub u64);

impl FromStr for VersionParam {
    type Err = ();

    fn from_str(text: &str) -> Result<VersionParam, ()> {
        number(text, 16).map(VersionParam).ok_or(())
    }
}

/// A seat in a path.
pub(crate) struct SeatParam(pub Seat);

impl FromStr for SeatParam {
    type Err = ();

    fn from_str(text: &str) -> Result<SeatParam, ()> {
        let seat = number(text, 1).and_then(|number| Seat::new(number as u8));
        seat.map(SeatParam).ok_or(())
    }
}

/// Declares the types of segments that are texts.
macro_rules! text_params {
    ($($(#[doc = $doc:tt])+ $name:ident |$text:pat_param| $fits:expr;)+) => {$(
        $(#[doc = $doc])+
        pub(crate) struct $name(pub String);

        impl FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<$name, ()> {
                let $text = text;
                ($fits).then(|| $name(text.to_owned())).ok_or(())
            }
        }
    )+};
}

text_params! {
    /// The code of an invite. It is never logged.
    InviteCode |code| code.len() == 12 && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    /// The id of a linked identity.
    IdentityId |id| id.len() == 64 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    /// A pool's id; any text, since the settings decide.
    PoolParam |_| true;
    /// A board's id; any text, since the ratings decide.
    BoardParam |_| true;
    /// A game's id; any text, since the registry decides.
    GameParam |_| true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        limit: Option<u8>,
    }

    fn query(text: &str) -> Result<Option<u8>, Code> {
        let request = TestRequest::with_uri(&format!("/?{text}")).to_http_request();
        let query = Query::<Page>::extract(&request).into_inner();
        query.map(|Query(page)| page.limit).map_err(|problem| problem.code())
    }

    #[test]
    fn a_query_is_read_strictly() {
        assert_eq!(query(""), Ok(None));
        assert_eq!(query("limit=20"), Ok(Some(20)));
        for wrong in ["limit=x", "limit=300", "limit=", "limit=1&limit=2", "other=1"] {
            assert_eq!(query(wrong), Err(Code::InvalidParameter), "{wrong}");
        }
    }

    #[test]
    fn a_malformed_id_names_nothing() {
        let request = TestRequest::default().param("match_id", "m_1").param("version", "-1").to_http_request();
        assert_eq!(Path::<MatchId>::extract(&request).into_inner().unwrap_err().code(), Code::MatchNotFound);
        assert_eq!(Path::<VersionParam>::extract(&request).into_inner().unwrap_err().code(), Code::VersionNotFound);
    }
}
