//! JSON-RPC as the protocol uses it: one message a request, and what differs between the protocol's revisions.
//!
//! Until 2025-11-25 a client begins with `initialize`, and names the revision in a header from then on. From 2026-07-28
//! on there is no such handshake: every request says in `_meta` and in headers what it is. The messages are `rmcp`'s.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    DiscoverResult, ErrorCode, ErrorData, Implementation, JsonObject, JsonRpcError, JsonRpcMessage, JsonRpcRequest,
    JsonRpcResponse, JsonRpcVersion2_0, NotificationNoParam, PromptsCapability, ProtocolVersion, RequestId,
    RequestMetaObject, RequestOptionalParam, ResourcesCapability, ServerCapabilities, ServerConfig, ToolsCapability,
};
use serde_json::{Value, json};

use super::agent::Agent;
use super::answer::Failure;
use super::{prompts, resources, tools};
use crate::answer::problem::Problem;
use crate::edge::failure::Worded;

/// The revisions that are spoken here.
const REVISIONS: [ProtocolVersion; 3] =
    [ProtocolVersion::V_2025_06_18, ProtocolVersion::LATEST_WITH_INITIALIZE, ProtocolVersion::NO_INITIALIZE];

/// The time for which clients may keep lists, in milliseconds: they change only with a release.
const LISTS_MILLIS: u32 = 300_000;

type Request = RequestOptionalParam<String, JsonObject>;

/// Answers a message. Notifications are owed no answer.
///
/// # Errors
/// A failure of the HTTP request.
pub(super) async fn answer(agent: &Agent, message: Value) -> Result<HttpResponse, Problem> {
    let JsonRpcRequest { id, request, .. } =
        match serde_json::from_value::<JsonRpcMessage<Request, Value, NotificationNoParam>>(message) {
            Ok(JsonRpcMessage::Request(request)) => request,
            Ok(JsonRpcMessage::Notification(_)) => return Ok(HttpResponse::Accepted().finish()),
            _ => {
                let error = ErrorData::invalid_request("the body is one JSON-RPC 2.0 request or notification", None);
                return Ok(refusal(None, error, true));
            }
        };
    let stateless = match is_stateless(agent.request.headers(), &request) {
        Ok(stateless) => stateless,
        Err(error) => return Ok(refusal(Some(id), error, true)),
    };
    match result(agent, &request.method, &request.params.unwrap_or_default()).await {
        Ok(mut result) => {
            if stateless {
                mark_complete(&mut result, &request.method);
            }
            Ok(HttpResponse::Ok().json(JsonRpcResponse { jsonrpc: JsonRpcVersion2_0, id, result }))
        }
        Err(Failure::Rpc(error)) => Ok(refusal(Some(id), error, stateless)),
        Err(Failure::Http(problem)) => Err(problem),
    }
}

async fn result(agent: &Agent, method: &str, params: &JsonObject) -> Result<Value, Failure> {
    if method == "tools/call" {
        return tools::call(agent, params).await;
    }
    agent.count_read()?;
    Ok(match method {
        "initialize" => json!(server().with_protocol_version(negotiated(params))),
        "server/discover" => json!(DiscoverResult::from_server_info(REVISIONS.to_vec(), server())),
        "ping" => json!({}),
        "tools/list" => tools::list(),
        "resources/list" => resources::list(agent),
        "resources/templates/list" => resources::templates(),
        "resources/read" => resources::read(agent, params).await?,
        "prompts/list" => prompts::list(agent),
        "prompts/get" => prompts::get(agent, params)?,
        _ => {
            let message = format!("there is no method {}", super::names::quoted(method));
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None).into());
        }
    })
}

fn server() -> ServerConfig {
    let mut capabilities = ServerCapabilities::default();
    capabilities.tools = Some(ToolsCapability::default());
    capabilities.resources = Some(ResourcesCapability::default());
    capabilities.prompts = Some(PromptsCapability::default());
    let sarsen = Implementation::new("sarsen", env!("CARGO_PKG_VERSION")).with_title("Sarsen");
    ServerConfig::new(capabilities).with_server_info(sarsen).with_instructions(prompts::INSTRUCTIONS)
}

/// The revision that a handshake settles on: the newest that has one where another is wanted.
fn negotiated(params: &JsonObject) -> ProtocolVersion {
    let wanted = params.get("protocolVersion").and_then(Value::as_str);
    let known = REVISIONS.into_iter().find(|revision| revision.has_initialize() && Some(revision.as_str()) == wanted);
    known.unwrap_or(ProtocolVersion::LATEST_WITH_INITIALIZE)
}

/// Returns true for a request of the revision without a handshake, whose headers must say what its body says.
fn is_stateless(headers: &HeaderMap, request: &Request) -> Result<bool, ErrorData> {
    let mismatch =
        |name: &str| ErrorData::header_mismatch(format!("the header {name} is not what the body says"), None);
    let meta = request.extensions.get::<RequestMetaObject>().cloned().unwrap_or_default();
    let mut named = headers.get_all("mcp-protocol-version").map(|header| header.to_str().unwrap_or("?"));
    let (revision, second, in_body) = (named.next(), named.next(), meta.protocol_version());
    if second.is_some() || in_body.is_some_and(|in_body| Some(in_body.as_str()) != revision) {
        return Err(mismatch("MCP-Protocol-Version"));
    }
    let Some(named) = revision else { return Ok(false) };
    let Some(revision) = REVISIONS.into_iter().find(|known| known.as_str() == named) else {
        let requested = serde_json::from_value(json!(named)).unwrap_or_default();
        return Err(ErrorData::unsupported_protocol_version(requested, &REVISIONS));
    };
    if revision.has_initialize() {
        return Ok(false);
    }
    let missing = meta.missing_required_keys(&revision);
    if !missing.is_empty() {
        return Err(ErrorData::invalid_params(format!("`_meta` lacks {}", missing.join(", ")), None));
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).and_then(decoded);
    if header("mcp-method").as_deref() != Some(&request.method) {
        return Err(mismatch("Mcp-Method"));
    }
    let key = if request.method == "resources/read" { "uri" } else { "name" };
    let name = request.params.as_ref().and_then(|params| params.get(key));
    let is_named = matches!(&*request.method, "tools/call" | "prompts/get" | "resources/read") && name.is_some();
    match is_named && header("mcp-name").as_deref() != name.and_then(Value::as_str) {
        true => Err(mismatch("Mcp-Name")),
        false => Ok(true),
    }
}

/// A header's value, decoded from base 64 unless it is plain text.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(packed) => String::from_utf8(BASE64_STANDARD.decode(packed).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

/// Adds to a result what the revision without a handshake asks for: that it is whole, and for how long it may be kept.
fn mark_complete(result: &mut Value, method: &str) {
    result["resultType"] = json!("complete");
    let is_match = method == "resources/read";
    if is_match || method.ends_with("/list") || method == "server/discover" {
        result["ttlMs"] = json!(if is_match { 0 } else { LISTS_MILLIS });
        result["cacheScope"] = json!(if is_match { "private" } else { "public" });
    }
}

/// The answer of a failure, whose status tells of it where the revision wants that.
fn refusal(id: Option<RequestId>, error: ErrorData, with_status: bool) -> HttpResponse {
    let status = match error.code {
        _ if !with_status => StatusCode::OK,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    };
    let mut answer = HttpResponse::build(status).json(JsonRpcError::new(id, error));
    answer.extensions_mut().insert(Worded);
    answer
}
