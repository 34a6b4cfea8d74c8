//! The documentation for people: Swagger UI in a page of our own, which reads the document that this service serves.
//!
//! The files that the page loads are held plain and compressed, and a browser may keep them; what else the package holds
//! (maps of its sources, a page for OAuth) is not served. A token that was typed in outlives a reload, in the browser
//! alone. It is the same in every service of a process.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use flate2::read::GzDecoder;
use utoipa_swagger_ui::{Config, SwaggerFile};

use crate::answer::codes::Code;
use crate::answer::etag::CachedAnswer;
use crate::answer::problem::Problem;

/// The script that starts the page; `docs/prefill.js`, which fills in parameters, is appended to it.
const INITIALIZER: &str = "swagger-initializer.js";

/// The page, and the files that it loads. The nameless one is the page too.
const FILES: [&str; 9] = [
    "",
    "index.html",
    "index.css",
    "swagger-ui.css",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    INITIALIZER,
    "favicon-32x32.png",
    "favicon-16x16.png",
];

static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::from("/openapi.json").try_it_out_enabled(true).persist_authorization(true);
    // Without the bar that asks for another document.
    let config = config.use_base_layout();
    // There are hundreds of schemas: their list and inner schemas are collapsed at first.
    let config = config.default_models_expand_depth(0).default_model_expand_depth(2);
    Arc::new(config)
});

static PREPARED: LazyLock<HashMap<&'static str, CachedAnswer>> =
    LazyLock::new(|| FILES.into_iter().filter_map(|name| Some((name, prepared(name, find(name).ok()??)?))).collect());

fn find(name: &str) -> Result<Option<SwaggerFile<'static>>, Problem> {
    utoipa_swagger_ui::serve(name, CONFIG.clone()).map_err(|error| Problem::internal(error.to_string()))
}

/// Plain again, for clients that take nothing else.
fn prepared(name: &str, file: SwaggerFile<'_>) -> Option<CachedAnswer> {
    let mut bytes = Vec::new();
    match file.gzpipped {
        true => GzDecoder::new(&*file.bytes).read_to_end(&mut bytes).map(drop).ok()?,
        false => bytes.extend_from_slice(&file.bytes),
    }
    match name {
        "index.css" => bytes.extend_from_slice(include_bytes!("docs/page.css")),
        INITIALIZER => bytes.extend_from_slice(include_bytes!("docs/prefill.js")),
        "" | "index.html" => bytes = include_bytes!("docs/index.html").to_vec(),
        _ => {}
    }
    CachedAnswer::file(&file.content_type, bytes)
}

pub(crate) fn mount(config: &mut web::ServiceConfig) {
    config.route("/docs", web::get().to(to_page)).route("/docs/{file:.*}", web::get().to(get_file));
}

async fn to_page() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/docs/")).finish()
}

async fn get_file(name: web::Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(PREPARED.get(name.as_str()).ok_or(Code::NotFound)?.respond(&request))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_all_that_it_loads_are_prepared() {
        let page = PREPARED[""].bytes();
        let page = std::str::from_utf8(page).unwrap();
        let named = page.split(['"', '\'']).filter_map(|part| part.strip_prefix("./"));
        let loaded: Vec<&str> = named.chain(["index.css"]).collect();
        assert!(loaded.len() >= 7, "{page}");
        assert!(page.contains("name=\"viewport\"") && page.contains("<title>Sarsen"), "{page}");
        let initializer = std::str::from_utf8(PREPARED[INITIALIZER].bytes()).unwrap();
        assert!(initializer.contains("BaseLayout"), "no bar to search other documents: {initializer}");
        for name in loaded.into_iter().chain(FILES) {
            assert!(PREPARED.contains_key(name), "{name}");
        }
    }
}
