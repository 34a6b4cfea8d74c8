//! Common behaviour of every request, whatever it asks for: failures, headers, caching, CORS, compression, shutdown.
//! Each test runs a real server on a free port.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

use std::io::Read;
use std::time::Duration;

use flate2::read::GzDecoder;
use reqwest::{Client, Method, Response};
use sarsen::app::{self, Running};
use sarsen::config::Settings;
use sarsen::games::{GameSettings, Games};
use sarsen::http::settings::{Cors, Playground, ServerConfig};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// A running service, in a directory that goes with it.
struct Api {
    client: Client,
    running: Running,
    directory: TempDir,
}

impl Api {
    async fn start(config: ServerConfig) -> Api {
        let directory = tempfile::tempdir().unwrap();
        let server = ServerConfig { workers: Some(1), ..config };
        let settings = Settings { server, ..Settings::local(directory.path()) };
        let running = app::start(settings, Games::standard(GameSettings::default())).await.unwrap();
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Api { client, running, directory }
    }

    async fn stop(self) {
        self.running.stop().await.unwrap();
        self.directory.close().unwrap();
    }

    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut request = self.client.request(method, format!("http://{}{path}", self.running.addr));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(body.to_owned()).send().await.unwrap()
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        self.send(Method::GET, path, headers, "").await
    }
}

fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

/// Status and code of a problem, which must look like one.
async fn problem(response: Response) -> (u16, String) {
    assert_eq!(header(&response, "content-type"), "application/problem+json");
    let (status, id) = (response.status().as_u16(), header(&response, "x-request-id"));
    let body: Value = response.json().await.unwrap();
    assert_eq!((&body["status"], &body["instance"]), (&json!(status), &json!(id)));
    let code = body["code"].as_str().unwrap().to_owned();
    assert_eq!(body["type"], format!("/problems/{code}"));
    (status, code)
}

/// Method, path, headers, body; status and code of the answer.
type Case<'a> = (Method, &'a str, &'a [(&'a str, &'a str)], &'a str, (u16, &'a str));

#[tokio::test]
async fn every_failure_is_a_problem_of_its_own_code() {
    let api = Api::start(ServerConfig { body_limit: 1024, ..ServerConfig::default() }).await;
    let json = ("content-type", "application/json");
    let named = r#"{"name":"Ann"}"#;
    let long = format!("{{\"name\":\"{}\"}}", "x".repeat(2000));
    let deep = "[".repeat(1000);
    let cases: [Case; 22] = [
        (Method::GET, "/nowhere", &[], "", (404, "not_found")),
        (Method::GET, "/v1/matches/", &[], "", (404, "not_found")),
        (Method::GET, "/%00", &[], "", (404, "not_found")),
        (Method::GET, "/v1/games/chess", &[], "", (404, "game_not_found")),
        (Method::GET, "/v1/matches/m_1", &[], "", (404, "match_not_found")),
        (Method::GET, "/problems/nothing", &[], "", (404, "not_found")),
        (Method::DELETE, "/v1/games", &[], "", (405, "method_not_allowed")),
        (Method::GET, "/v1/matches?status=lost", &[], "", (400, "invalid_parameter")),
        (Method::GET, "/v1/matches?colour=red", &[], "", (400, "invalid_parameter")),
        (Method::GET, "/v1/games?colour=red", &[], "", (400, "invalid_parameter")),
        (Method::GET, "/v1/nowhere?colour=red", &[], "", (404, "not_found")),
        (Method::GET, "/v1/me?ticket=t_1", &[], "", (400, "invalid_parameter")),
        (Method::POST, "/v1/players?colour=red", &[json], r#"{"name":"A"}"#, (400, "invalid_parameter")),
        (Method::GET, "/v1/me", &[], "", (401, "unauthenticated")),
        (Method::GET, "/v1/me", &[("authorization", "Bearer x.y.z")], "", (401, "token_invalid")),
        (Method::POST, "/v1/players", &[("content-type", "text/plain")], "{}", (415, "unsupported_media_type")),
        (Method::POST, "/v1/players", &[json, ("content-encoding", "gzip")], named, (415, "unsupported_media_type")),
        (
            Method::POST,
            "/v1/players",
            &[json, ("content-encoding", "identity, br")],
            named,
            (415, "unsupported_media_type"),
        ),
        (Method::POST, "/v1/players", &[json, ("content-encoding", "Identity")], "{}", (400, "invalid_request")),
        (Method::POST, "/v1/players", &[json], &long, (413, "payload_too_large")),
        (Method::POST, "/v1/players", &[json], &deep, (400, "malformed_json")),
        (Method::POST, "/v1/players", &[json], r#"{"name":"A","age":7}"#, (400, "invalid_request")),
    ];
    for (method, path, headers, body, expected) in cases {
        let answer = problem(api.send(method.clone(), path, headers, body).await).await;
        assert_eq!((answer.0, answer.1.as_str()), expected, "{method} {path} {body:.40}");
    }
    api.stop().await;
}

/// Sends this on a connection and reads the head of the answer and what its length says.
async fn exchanged(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    loop {
        let mut more = [0; 4096];
        let count = timeout(Duration::from_secs(15), stream.read(&mut more)).await.unwrap().unwrap();
        answer.extend_from_slice(&more[..count]);
        let text = String::from_utf8_lossy(&answer).to_lowercase();
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body.len());
        let length = text.split_once("content-length: ").and_then(|(_, rest)| rest.lines().next()?.parse().ok());
        if count == 0 || body.is_some() && body >= length {
            return text;
        }
    }
}

#[tokio::test]
async fn an_idle_connection_is_kept_and_the_answer_says_how_long() {
    let api = Api::start(ServerConfig::default()).await;
    let mut stream = TcpStream::connect(api.running.addr).await.unwrap();
    let request = "GET /v1/games HTTP/1.1\r\nhost: x\r\n\r\n";
    let first = exchanged(&mut stream, request).await;
    assert!(first.starts_with("http/1.1 200") && first.contains("\r\nkeep-alive: timeout=75\r\n"), "{first}");
    // The library closes after five seconds by itself.
    sleep(Duration::from_secs(6)).await;
    let failed = exchanged(&mut stream, "GET /v1/me HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(failed.starts_with("http/1.1 401") && failed.contains("\r\nkeep-alive: timeout=75\r\n"), "{failed}");
    let last = exchanged(&mut stream, "GET /v1/games HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(last.contains("\r\nconnection: close\r\n") && !last.contains("keep-alive"), "{last}");
    api.stop().await;

    let keep_alive = Duration::from_secs(1);
    let api = Api::start(ServerConfig { keep_alive, ..ServerConfig::default() }).await;
    let mut stream = TcpStream::connect(api.running.addr).await.unwrap();
    assert!(exchanged(&mut stream, request).await.contains("\r\nkeep-alive: timeout=1\r\n"));
    assert_eq!(timeout(Duration::from_secs(15), stream.read(&mut [0])).await.unwrap().unwrap(), 0);
    api.stop().await;
}

#[tokio::test]
async fn an_offer_to_speak_another_protocol_is_not_taken_up() {
    let api = Api::start(ServerConfig::default()).await;
    let body = r#"{"name":"Ann"}"#;
    let offered = format!(
        "POST /v1/players HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n\
         http2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    for (request, status) in [(offered.as_str(), 201), (&offered.replace("json", "text"), 415)] {
        let mut stream = TcpStream::connect(api.running.addr).await.unwrap();
        let answer = exchanged(&mut stream, request).await;
        // The library closes such a connection, so nobody may put it back into a pool.
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{answer}");
        assert!(answer.contains("\r\nconnection: close\r\n") && !answer.contains("upgrade"), "{answer}");
        assert_eq!(timeout(Duration::from_secs(15), stream.read(&mut [0])).await.unwrap().unwrap(), 0);
    }
    api.stop().await;
}

#[tokio::test]
async fn a_wrong_method_is_told_what_is_allowed() {
    let api = Api::start(ServerConfig::default()).await;
    let wrong = api.send(Method::PATCH, "/v1/matches", &[], "").await;
    assert_eq!(header(&wrong, "allow"), "GET, HEAD, POST, OPTIONS");
    let options = api.send(Method::OPTIONS, "/v1/games/contiguity", &[], "").await;
    assert_eq!((options.status().as_u16(), header(&options, "allow").as_str()), (204, "GET, HEAD, OPTIONS"));
    let head = api.send(Method::HEAD, "/v1/games", &[], "").await;
    assert_eq!(head.status(), 200);
    assert!(header(&head, "content-length").parse::<u32>().unwrap() > 0);
    api.stop().await;
}

#[tokio::test]
async fn a_request_keeps_a_sane_id_and_gets_one_otherwise() {
    let api = Api::start(ServerConfig::default()).await;
    let kept = api.get("/healthz", &[("x-request-id", "trace-1:a/b")]).await;
    assert_eq!(header(&kept, "x-request-id"), "trace-1:a/b");
    for odd in ["", "a b", "<script>", &"x".repeat(129)] {
        let made = header(&api.get("/healthz", &[("x-request-id", odd)]).await, "x-request-id");
        assert!(made != odd && made.len() == 36, "{odd:?} became {made:?}");
    }
    api.stop().await;
}

#[tokio::test]
async fn fixed_answers_are_tagged_and_compressed() {
    let api = Api::start(ServerConfig::default()).await;
    let game = "/v1/games/contiguity";
    let [rules, board] = ["rules", "board"].map(|part| format!("{game}/{part}"));
    let glossary = "/v1/games/henge/glossary".to_owned();
    for path in ["/v1/games", game, &rules, &board, &glossary, "/openapi.json"] {
        let first = api.get(path, &[]).await;
        let tag = header(&first, "etag");
        assert!(first.status() == 200 && tag.starts_with("W/"), "{path}");
        assert!(header(&first, "cache-control").contains("max-age"), "{path}");
        let kind = if path == rules { "text/markdown; charset=utf-8" } else { "application/json" };
        assert_eq!(header(&first, "content-type"), kind, "{path}");
        assert!(first.bytes().await.unwrap().len() > 40, "{path}");
        let again = api.get(path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status().as_u16(), header(&again, "etag")), (304, tag), "{path}");
        assert!(again.bytes().await.unwrap().is_empty());
        for encoding in ["gzip", "br"] {
            let packed = api.get(path, &[("accept-encoding", encoding)]).await;
            assert_eq!(header(&packed, "content-encoding"), encoding, "{path}");
        }
    }
    let fresh = api.get("/healthz", &[]).await;
    assert_eq!(
        (header(&fresh, "cache-control"), header(&fresh, "x-content-type-options")),
        ("no-store".into(), "nosniff".into())
    );
    api.stop().await;
}

/// The answer whose length is known beforehand: it was compressed once, for all.
async fn prepared(api: &Api, path: &str, encoding: &str) -> Response {
    for _ in 0..1000 {
        let answer = api.get(path, &[("accept-encoding", encoding)]).await;
        let told = ["content-encoding", "vary"].map(|name| header(&answer, name));
        assert_eq!(told, [encoding, "accept-encoding"], "{path}");
        if answer.content_length().is_some() {
            return answer;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("{path} is compressed for each request");
}

#[tokio::test]
async fn fixed_answers_are_compressed_once() {
    let api = Api::start(ServerConfig::default()).await;
    let game = "/v1/games/henge";
    let parts = ["rules", "board", "glossary"].map(|part| format!("{game}/{part}"));
    let files =
        ["", "swagger-ui.css", "swagger-ui-bundle.js", "swagger-initializer.js"].map(|file| format!("/docs/{file}"));
    let others = ["/v1/games", game, "/openapi.json"].map(str::to_owned);
    let pages = ["", "playground.js", "pools.js", "playground.css"].map(|file| format!("/playground/{file}"));
    for path in parts.iter().chain(&files).chain(&others).chain(&pages) {
        let plain = api.get(path, &[]).await;
        assert_eq!((header(&plain, "content-encoding"), header(&plain, "vary")), ("".into(), "accept-encoding".into()));
        let [kind, tag] = ["content-type", "etag"].map(|name| header(&plain, name));
        let plain = plain.bytes().await.unwrap();
        for encoding in ["gzip", "br"] {
            let packed = prepared(&api, path, encoding).await;
            assert_eq!(
                ["content-type", "etag"].map(|name| header(&packed, name)),
                [kind.clone(), tag.clone()],
                "{path}"
            );
            let again = api.get(path, &[("accept-encoding", encoding), ("if-none-match", &tag)]).await;
            assert_eq!((again.status().as_u16(), header(&again, "vary").as_str()), (304, "accept-encoding"), "{path}");
            let packed = packed.bytes().await.unwrap();
            let mut unpacked = Vec::new();
            match encoding {
                "gzip" => GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap(),
                _ => brotli::Decompressor::new(&*packed, 4096).read_to_end(&mut unpacked).unwrap(),
            };
            assert!(unpacked == plain && packed.len() < plain.len(), "{path}");
        }
        // What is not prepared is compressed as other answers are.
        let other = api.get(path, &[("accept-encoding", "deflate")]).await;
        assert_eq!(["content-encoding", "vary"].map(|name| header(&other, name)), ["deflate", "accept-encoding"]);
    }
    let picture = api.get("/docs/favicon-32x32.png", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(["content-type", "content-encoding"].map(|name| header(&picture, name)), ["image/png", ""]);
    assert!(picture.bytes().await.unwrap().starts_with(b"\x89PNG"));
    api.stop().await;
}

#[tokio::test]
async fn pages_of_other_origins_may_call_only_if_configured() {
    let foreign = [("origin", "https://example.org")];
    let api = Api::start(ServerConfig::default()).await;
    assert_eq!(header(&api.get("/v1/games", &foreign).await, "access-control-allow-origin"), "");
    api.stop().await;

    let cors = Cors::Origins(vec!["https://example.org".to_owned()]);
    let api = Api::start(ServerConfig { cors, ..ServerConfig::default() }).await;
    let preflight = [
        foreign[0],
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type,idempotency-key"),
    ];
    let allowed = api.send(Method::OPTIONS, "/v1/matches", &preflight, "").await;
    assert_eq!(allowed.status(), 200);
    assert_eq!(header(&allowed, "access-control-allow-origin"), "https://example.org");
    // Failures too are readable for the page.
    let failed = api.get("/v1/me", &foreign).await;
    assert_eq!(header(&failed, "access-control-allow-origin"), "https://example.org");
    assert!(header(&failed, "access-control-expose-headers").to_lowercase().contains("etag"));
    assert_eq!(problem(failed).await.0, 401);
    let refused = api.get("/v1/games", &[("origin", "https://other.org")]).await;
    assert_eq!(header(&refused, "access-control-allow-origin"), "");
    api.stop().await;

    // Web views of apps, and what monitoring adds to their requests.
    let of_apps = ["capacitor://localhost", "ionic://localhost", "tauri://localhost", "null"];
    let cors = Cors::Origins(of_apps.map(str::to_owned).to_vec());
    let api = Api::start(ServerConfig { cors, ..ServerConfig::default() }).await;
    let added = "authorization,baggage,cache-control,sentry-trace,traceparent,tracestate,x-requested-with";
    for origin in of_apps {
        let preflight =
            [("origin", origin), ("access-control-request-method", "POST"), ("access-control-request-headers", added)];
        let allowed = api.send(Method::OPTIONS, "/v1/matches", &preflight, "").await;
        assert_eq!(
            (allowed.status().as_u16(), header(&allowed, "access-control-allow-origin").as_str()),
            (200, origin)
        );
        let names = header(&allowed, "access-control-allow-headers").to_lowercase();
        assert!(added.split(',').all(|name| names.contains(name)), "{names}");
    }
    for other in ["capacitor://localhost:1", "capacitor://other", "http://localhost", "NULL"] {
        let refused = api.get("/v1/games", &[("origin", other)]).await;
        assert_eq!(header(&refused, "access-control-allow-origin"), "", "{other}");
    }
    api.stop().await;
}

#[tokio::test]
async fn the_documentation_is_served_without_the_internet() {
    let api = Api::start(ServerConfig::default()).await;
    let redirect = api.get("/docs", &[]).await;
    assert_eq!((redirect.status().as_u16(), header(&redirect, "location").as_str()), (308, "/docs/"));
    let page = api.get("/docs/", &[]).await;
    assert_eq!((page.status().as_u16(), header(&page, "content-type").as_str()), (200, "text/html"));
    // What the page loads can be kept, and comes as it was asked for.
    for file in ["", "index.css", "swagger-ui.css", "swagger-ui-bundle.js", "swagger-initializer.js"] {
        let answer = api.get(&format!("/docs/{file}"), &[("accept-encoding", "identity")]).await;
        assert_eq!((answer.status().as_u16(), header(&answer, "content-encoding").as_str()), (200, ""), "{file}");
        assert!(!header(&answer, "etag").is_empty() && header(&answer, "cache-control").contains("max-age"), "{file}");
        let text = answer.text().await.unwrap();
        assert!(text.is_char_boundary(1) && !text.starts_with('\u{1f}'), "{file}");
    }
    let settings = api.get("/docs/swagger-initializer.js", &[]).await.text().await.unwrap();
    assert!(settings.contains(r#""persistAuthorization": true"#), "{settings}");
    for file in ["nothing", "swagger-ui-bundle.js.map"] {
        assert_eq!(problem(api.get(&format!("/docs/{file}"), &[]).await).await, (404, "not_found".to_owned()));
    }
    api.stop().await;
}

#[tokio::test]
async fn the_playground_loads_its_own_files_alone() {
    let api = Api::start(ServerConfig::default()).await;
    let redirect = api.get("/playground", &[]).await;
    assert_eq!((redirect.status().as_u16(), header(&redirect, "location").as_str()), (308, "/playground/"));
    let script = "text/javascript";
    let files = [("", "text/html"), ("playground.js", script), ("pools.js", script), ("playground.css", "text/css")];
    for (file, kind) in files {
        let answer = api.get(&format!("/playground/{file}"), &[]).await;
        assert_eq!(
            (answer.status().as_u16(), header(&answer, "content-type")),
            (200, format!("{kind}; charset=utf-8"))
        );
        let policy = header(&answer, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"));
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        // The files belong together, so a browser asks whether it has those of this release.
        assert_eq!(header(&answer, "cache-control"), "no-cache");
        let again = api.get(&format!("/playground/{file}"), &[("if-none-match", &header(&answer, "etag"))]).await;
        assert_eq!((again.status().as_u16(), header(&again, "cache-control").as_str()), (304, "no-cache"));
    }
    assert_eq!(problem(api.get("/playground/nothing", &[]).await).await, (404, "not_found".to_owned()));
    api.stop().await;
}

#[tokio::test]
async fn the_playground_is_there_where_only_this_machine_can_reach_it_or_as_was_said() {
    let everywhere = "0.0.0.0:0".parse().unwrap();
    let here = ServerConfig::default().listen;
    let cases = [
        (here, 0, Playground::Auto, true),
        (here, 1, Playground::Auto, false),
        (everywhere, 0, Playground::Auto, false),
        (everywhere, 0, Playground::On, true),
        (here, 0, Playground::Off, false),
    ];
    for (listen, trusted_proxies, playground, is_there) in cases {
        let api = Api::start(ServerConfig { listen, trusted_proxies, playground, ..ServerConfig::default() }).await;
        for path in ["/playground", "/playground/", "/playground/playground.js", "/playground/playground.css"] {
            let answer = api.get(path, &[]).await;
            assert_eq!(answer.status() != 404, is_there, "{path} at {listen}, {trusted_proxies}, {playground:?}");
        }
        let index: Value = api.get("/", &[]).await.json().await.unwrap();
        assert_eq!(index["playground"] == "/playground/", is_there, "{index}");
        api.stop().await;
    }
}

#[tokio::test]
async fn every_problem_code_in_the_document_is_explained() {
    let api = Api::start(ServerConfig::default()).await;
    let list: Value = api.get("/problems", &[]).await.json().await.unwrap();
    let items = list["items"].as_array().unwrap();
    let document: Value = api.get("/openapi.json", &[]).await.json().await.unwrap();
    let codes = document.pointer("/components/schemas/ProblemCode/x-extensible-enum").unwrap().as_array().unwrap();
    assert_eq!(items.iter().map(|item| &item["code"]).collect::<Vec<_>>(), codes.iter().collect::<Vec<_>>());
    let one: Value = api.get("/problems/stale_decision", &[]).await.json().await.unwrap();
    assert_eq!((&one["status"], &list["next_cursor"]), (&json!(409), &Value::Null));
    api.stop().await;
}

#[tokio::test]
async fn health_readiness_and_counters_are_told_apart() {
    let api = Api::start(ServerConfig::default()).await;
    assert_eq!(api.get("/healthz", &[]).await.status(), 200);
    assert_eq!(api.get("/readyz", &[]).await.status(), 200);
    assert_eq!(api.get("/v1/games/contiguity", &[]).await.status(), 200);
    let text = api.get("/metrics", &[]).await.text().await.unwrap();
    assert!(text.contains(r#"sarsen_http_requests_total{operation="getGame",status="2xx"} 1"#), "{text}");

    // The store goes away: the process lives, but it is not ready, and says nothing of why.
    api.running.store.close().await;
    assert_eq!(api.get("/healthz", &[]).await.status(), 200);
    let away = api.get("/readyz", &[]).await;
    assert!(!header(&away, "retry-after").is_empty());
    assert_eq!(problem(away).await, (503, "store_unavailable".to_owned()));
    api.stop().await;
}

#[tokio::test]
async fn metrics_are_for_operators_alone() {
    // A listener of their own has them, and nothing else does.
    let metrics_listen = Some("127.0.0.1:0".parse().unwrap());
    let api = Api::start(ServerConfig { metrics_listen, ..ServerConfig::default() }).await;
    assert_eq!(problem(api.get("/metrics", &[]).await).await, (404, "not_found".to_owned()));
    let address = api.running.metrics_addr.unwrap();
    assert_ne!(address, api.running.addr);
    let scraped = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
    assert!(header(&scraped, "content-type").starts_with("application/openmetrics-text"));
    let text = scraped.text().await.unwrap();
    let refused = r#"sarsen_http_requests_total{operation="getMetrics",status="4xx"} 1"#;
    assert!(text.contains(refused) && text.contains(r#"sarsen_problems_total{code="not_found"} 1"#), "{text}");
    assert!(text.ends_with("# EOF\n"), "{text}");
    for path in ["/", "/healthz", "/v1/games"] {
        assert_eq!(reqwest::get(format!("http://{address}{path}")).await.unwrap().status(), 404, "{path}");
    }
    api.stop().await;

    // Where strangers can reach the service, nothing has them.
    let api = Api::start(ServerConfig { listen: "0.0.0.0:0".parse().unwrap(), ..ServerConfig::default() }).await;
    assert_eq!(api.running.metrics_addr, None);
    assert_eq!(problem(api.get("/metrics", &[]).await).await, (404, "not_found".to_owned()));
    assert_eq!(api.get("/healthz", &[]).await.status(), 200);
    api.stop().await;
}

#[tokio::test]
async fn a_long_poll_may_wait_longer_than_other_requests() {
    let request_timeout = std::time::Duration::from_secs(1);
    let api = Api::start(ServerConfig { request_timeout, ..ServerConfig::default() }).await;
    let json = ("content-type", "application/json");
    let guest: Value =
        api.send(Method::POST, "/v1/players", &[json], r#"{"name":"Rowan"}"#).await.json().await.unwrap();
    let bearer = format!("Bearer {}", guest["access_token"].as_str().unwrap());
    let page = api.get("/v1/me/events?wait=2", &[("authorization", &bearer)]).await;
    assert_eq!(page.status(), 200);
    assert_eq!(page.json::<Value>().await.unwrap(), json!({"items": [], "next_cursor": null}));
    api.stop().await;
}
