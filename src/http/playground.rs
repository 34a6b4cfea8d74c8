//! The playground: a page on which a developer plays a match for all its seats and sees the requests behind it.
//!
//! Four files that are part of the program, served compressed as [`docs`](super::docs) are. The page makes the requests
//! that any client makes and has no way of its own into the service. Its policy allows nothing but these files and
//! requests to this service, so a name that is markup stays a name.
//!
//! The playground deliberately lacks accounts, and is not a product for players.

use std::collections::HashMap;
use std::future::ready;
use std::sync::LazyLock;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::answer::codes::Code;
use crate::answer::etag::CachedAnswer;
use crate::answer::problem::Problem;
use crate::settings::ServerConfig;

/// Own files, requests to this service, and no page around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SCRIPT: &str = concat!(include_str!("playground/playground.js"), include_str!("playground/deliveries.js"));

/// The addresses of the files, with their types and texts.
const FILES: [(&str, &str, &str); 4] = [
    ("/playground/", "text/html; charset=utf-8", include_str!("playground/index.html")),
    ("/playground/playground.js", "text/javascript; charset=utf-8", SCRIPT),
    ("/playground/pools.js", "text/javascript; charset=utf-8", include_str!("playground/pools.js")),
    ("/playground/playground.css", "text/css; charset=utf-8", include_str!("playground/playground.css")),
];

static PREPARED: LazyLock<HashMap<&str, CachedAnswer>> = LazyLock::new(|| {
    let file = |(path, kind, text): (_, &str, &str)| Some((path, CachedAnswer::file(kind, text.as_bytes().to_vec())?));
    FILES.into_iter().filter_map(file).collect()
});

/// Mounts the page. Where the service has none it is not found.
pub(crate) fn mount(config: &mut web::ServiceConfig) {
    config.route("/playground", web::get().to(to_page));
    for (path, ..) in FILES {
        let get_file =
            move |config: web::Data<ServerConfig>, request: HttpRequest| ready(get_file(path, &config, &request));
        config.route(path, web::get().to(get_file));
    }
}

/// The addresses of [`mount`].
pub(crate) fn pages() -> impl Iterator<Item = &'static str> {
    FILES.into_iter().map(|(path, ..)| path).chain(["/playground"])
}

async fn to_page(config: web::Data<ServerConfig>) -> Result<HttpResponse, Problem> {
    must_be_shown(&config)?;
    Ok(HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/playground/")).finish())
}

fn get_file(path: &str, config: &ServerConfig, request: &HttpRequest) -> Result<HttpResponse, Problem> {
    must_be_shown(config)?;
    Ok(respond(PREPARED.get(path).ok_or(Code::NotFound)?, request))
}

fn must_be_shown(config: &ServerConfig) -> Result<(), Problem> {
    if config.shows_playground() { Ok(()) } else { Err(Code::NotFound.into()) }
}

/// The files belong together: a browser asks each time whether its own are still those of this release.
fn respond(file: &CachedAnswer, request: &HttpRequest) -> HttpResponse {
    let mut answer = file.respond(request);
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_small_and_name_nothing_outside_themselves() {
        assert_eq!(PREPARED.len(), FILES.len());
        let texts = FILES.map(|(_, _, text)| text);
        let length: usize = texts.iter().map(|text| text.len()).sum();
        assert!(length < 60_000, "{length} bytes");
        for text in texts {
            assert!(!text.contains("https://") && !text.contains("//cdn"), "an address outside");
        }
        let [page, script, pools, _] = texts;
        for file in ["playground.js", "pools.js", "playground.css"] {
            assert!(page.contains(&format!("\"{file}\"")), "{file}");
        }
        // Nothing in the page that the policy would stop.
        assert!(!page.contains("<style") && !page.contains("style=") && !page.contains(" on"), "{page}");
        for markup in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "srcdoc"] {
            assert!(!script.contains(markup) && !pools.contains(markup), "{markup}");
        }
    }
}
