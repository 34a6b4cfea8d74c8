//! JSON-RPC as the protocol uses it: one message a request, and what differs between the protocol's revisions.
//!
//! Until 2025-11-25 a client begins with `initialize`, and names the revision in a header from then on. From 2026-07-28
//! on there is no such handshake: every request says in `_meta` and in headers what it is.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::answer::problem::Problem;
use crate::edge::failure::Worded;
use crate::extract::body::given;

/// The revision without a handshake.
const STATELESS: &str = "2026-07-28";
/// The newest one with a handshake, which is offered to a client that asks for one that is not spoken here.
const NEWEST_HANDSHAKE: &str = "2025-11-25";
/// All revisions that are spoken here.
pub(super) const REVISIONS: [&str; 3] = ["2025-06-18", NEWEST_HANDSHAKE, STATELESS];

/// The key of `_meta` that names the revision of a request without a handshake.
const REVISION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// The key that must stand beside it.
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// The time for which clients may keep lists, in milliseconds: they change only with a release.
const LISTS_MILLIS: u32 = 300_000;

/// A message as it was posted.
#[derive(Deserialize)]
pub(super) struct Message {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "given")]
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Value>,
}

/// A request.
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
}

impl Message {
    /// The request with its id; `None` for a notification, which is owed no answer.
    ///
    /// # Errors
    /// A message that is neither.
    pub(super) fn request(self) -> Result<Option<(Value, Asked)>, RpcError> {
        let invalid = || RpcError::new(-32600, "the body is one JSON-RPC 2.0 request or notification");
        let Some(Value::String(method)) = self.method else { return Err(invalid()) };
        if self.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
            return Err(invalid());
        }
        let Some(id) = self.id else { return Ok(None) };
        let params = match self.params {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(invalid()),
        };
        let is_id = id.is_string() || id.is_i64() || id.is_u64();
        if is_id { Ok(Some((id, Asked { method, params }))) } else { Err(invalid()) }
    }
}

/// The revision that a handshake settles on.
pub(super) fn negotiated(params: &Map<String, Value>) -> &'static str {
    let wanted = params.get("protocolVersion").and_then(Value::as_str);
    let known = REVISIONS.into_iter().filter(|revision| *revision != STATELESS);
    known.into_iter().find(|revision| Some(*revision) == wanted).unwrap_or(NEWEST_HANDSHAKE)
}

/// Returns true for a request of the revision without a handshake, whose headers must say what its body says.
///
/// # Errors
/// A revision that is not spoken here; headers and a body that contradict each other.
pub(super) fn is_stateless(headers: &HeaderMap, asked: &Asked) -> Result<bool, RpcError> {
    let mut named = headers.get_all("mcp-protocol-version").map(|header| header.to_str().unwrap_or("?"));
    let (revision, second) = (named.next(), named.next());
    let meta = asked.params.get("_meta").and_then(Value::as_object);
    let in_body = meta.and_then(|meta| meta.get(REVISION_KEY));
    let mismatch = |name: &str| RpcError::new(-32020, &format!("the header {name} is not what the body says"));
    if second.is_some() || in_body.is_some_and(|in_body| in_body.as_str() != revision) {
        return Err(mismatch("MCP-Protocol-Version"));
    }
    match revision {
        None => return Ok(false),
        Some(revision) if !REVISIONS.contains(&revision) => {
            let data = json!({"supported": REVISIONS, "requested": revision});
            return Err(RpcError { data: Some(data), ..RpcError::new(-32022, "Unsupported protocol version") });
        }
        Some(STATELESS) => {}
        Some(_) => return Ok(false),
    }
    if in_body.is_none() || meta.is_none_or(|meta| !meta.contains_key(CAPABILITIES_KEY)) {
        return Err(RpcError::invalid_params(&format!("`_meta` names {REVISION_KEY} and {CAPABILITIES_KEY}")));
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).and_then(decoded);
    if header("mcp-method").as_deref() != Some(&asked.method) {
        return Err(mismatch("Mcp-Method"));
    }
    let name = match &*asked.method {
        "tools/call" | "prompts/get" => asked.params.get("name"),
        "resources/read" => asked.params.get("uri"),
        _ => None,
    };
    match name {
        Some(name) if header("mcp-name").as_deref() != name.as_str() => Err(mismatch("Mcp-Name")),
        _ => Ok(true),
    }
}

/// A header's value, which stands in base 64 where it is no plain text.
fn decoded(value: &str) -> Option<String> {
    let packed = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match packed {
        Some(packed) => String::from_utf8(BASE64_STANDARD.decode(packed).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

/// The answer to a request that has a result.
pub(super) fn answer(id: &Value, method: &str, mut result: Value, stateless: bool) -> HttpResponse {
    if let (true, Value::Object(result)) = (stateless, &mut result) {
        result.insert("resultType".to_owned(), json!("complete"));
        let (time, scope) = match method {
            "resources/read" => (0, "private"),
            _ => (LISTS_MILLIS, "public"),
        };
        if method.ends_with("/list") || matches!(method, "resources/read" | "server/discover") {
            result.insert("ttlMs".to_owned(), json!(time));
            result.insert("cacheScope".to_owned(), json!(scope));
        }
    }
    HttpResponse::Ok().json(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// A failure of the protocol, as opposed to one of a tool.
#[derive(Debug)]
pub(super) struct RpcError {
    code: i32,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    fn new(code: i32, message: &str) -> RpcError {
        RpcError { code, message: message.to_owned(), data: None }
    }

    /// A method that is not served.
    pub(super) fn method_not_found(method: &str) -> RpcError {
        RpcError::new(-32601, &format!("there is no method {}", super::names::quoted(method)))
    }

    /// Parameters that name nothing.
    pub(super) fn invalid_params(message: &str) -> RpcError {
        RpcError::new(-32602, message)
    }

    /// The answer to the request of this id. Its status tells of the failure where the revision wants that.
    pub(super) fn answer(self, id: &Value, with_status: bool) -> HttpResponse {
        let status = match self.code {
            _ if !with_status => StatusCode::OK,
            -32601 => StatusCode::NOT_FOUND,
            _ => StatusCode::BAD_REQUEST,
        };
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(data), Value::Object(error)) = (self.data, &mut error) {
            error.insert("data".to_owned(), data);
        }
        let mut answer = HttpResponse::build(status).json(json!({"jsonrpc": "2.0", "id": id, "error": error}));
        answer.extensions_mut().insert(Worded);
        answer
    }
}

/// The reason why a request has no result.
pub(super) enum Failure {
    /// A failure of the protocol.
    Rpc(RpcError),
    /// A failure of the HTTP request, such as a token that does not count any more.
    Http(Problem),
}

impl From<RpcError> for Failure {
    fn from(error: RpcError) -> Failure {
        Failure::Rpc(error)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Http(problem)
    }
}
