//! The playground: a page on which a developer plays a match for all its seats and sees the requests behind it.
//!
//! Four files that are part of the program, served compressed as [`docs`](super::docs) are. The page makes the requests
//! that any client makes and has no way of its own into the service. Its policy allows nothing but these files and
//! requests to this service, so a name that is markup stays a name.
//!
//! The playground deliberately lacks accounts, and is not a product for players.

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

struct Files {
    page: CachedAnswer,
    script: CachedAnswer,
    pools: CachedAnswer,
    style: CachedAnswer,
}

static FILES: LazyLock<Option<Files>> = LazyLock::new(|| {
    let file = |kind: &str, text: &str| CachedAnswer::file(kind, text.as_bytes().to_vec());
    Some(Files {
        page: file("text/html; charset=utf-8", include_str!("playground/index.html"))?,
        script: file("text/javascript; charset=utf-8", SCRIPT)?,
        pools: file("text/javascript; charset=utf-8", include_str!("playground/pools.js"))?,
        style: file("text/css; charset=utf-8", include_str!("playground/playground.css"))?,
    })
});

/// Mounts the page. Where the service has none it is not found.
pub(crate) fn mount(config: &mut web::ServiceConfig) {
    config
        .route("/playground", web::get().to(to_page))
        .route("/playground/", web::get().to(get_page))
        .route("/playground/playground.js", web::get().to(get_script))
        .route("/playground/pools.js", web::get().to(get_pools))
        .route("/playground/playground.css", web::get().to(get_style));
}

/// The addresses of [`mount`].
pub(crate) const PAGES: [&str; 5] =
    ["/playground", "/playground/", "/playground/playground.js", "/playground/pools.js", "/playground/playground.css"];

async fn to_page(config: web::Data<ServerConfig>) -> Result<HttpResponse, Problem> {
    shown(&config)?;
    Ok(HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/playground/")).finish())
}

async fn get_page(config: web::Data<ServerConfig>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(respond(&shown(&config)?.page, &request))
}

async fn get_script(config: web::Data<ServerConfig>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(respond(&shown(&config)?.script, &request))
}

async fn get_pools(config: web::Data<ServerConfig>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(respond(&shown(&config)?.pools, &request))
}

async fn get_style(config: web::Data<ServerConfig>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(respond(&shown(&config)?.style, &request))
}

fn shown(config: &ServerConfig) -> Result<&'static Files, Problem> {
    match config.shows_playground() {
        true => FILES.as_ref().ok_or_else(|| Problem::internal("the files of the playground cannot be served")),
        false => Err(Code::NotFound.into()),
    }
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
        let files = FILES.as_ref().unwrap();
        let files = [&files.page, &files.script, &files.pools, &files.style];
        let texts = files.map(|file| std::str::from_utf8(file.bytes()).unwrap());
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
