//! Pictures as answers.

use actix_web::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};

use crate::answer::codes::Code;
use crate::answer::etag::{self, Lasting};
use crate::answer::problem::Problem;
use sarsen_games::NotDrawn;
use sarsen_games::pictures::Svg;
use sarsen_matches::Refused;

/// The media type of pictures.
pub(crate) const SVG: &str = "image/svg+xml";

/// A picture that is opened by itself runs nothing and fetches nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The number of characters of an unknown id that the answer repeats.
const TOLD: usize = 64;

impl From<NotDrawn> for Problem {
    fn from(why: NotDrawn) -> Problem {
        match why {
            NotDrawn::NoSuchSpace(field, id) => {
                let id: String = id.chars().take(TOLD).collect();
                Problem::new(Code::InvalidParameter)
                    .field(field)
                    .detail(format!("`{field}`: the board of this game has no space {id:?}"))
            }
            NotDrawn::Corrupt(corrupt) => Refused::from(corrupt).into(),
        }
    }
}

/// The answer to a request for a picture: 304 if the client has what `tag` names, else what `draw` draws.
pub(crate) fn drawing(
    request: &HttpRequest,
    tag: &str,
    lasting: Lasting,
    draw: impl FnOnce() -> Result<Svg, Problem>,
) -> Result<HttpResponse, Problem> {
    etag::tagged(request, tag, lasting, |answer| {
        let policy = HeaderValue::from_static(POLICY);
        let kind = HeaderValue::from_static(SVG);
        let svg = draw()?;
        Ok(answer
            .insert_header((CONTENT_SECURITY_POLICY, policy))
            .insert_header((CONTENT_TYPE, kind))
            .body(svg.into_text()))
    })
}
