//! `sarsen admin ban` and `sarsen admin abort`: what moderators do most, asked of a running service.
//!
//! Everything else that operators may do is a request to `/v1/admin`.

use std::time::Duration;

use serde_json::{Value, json};

use super::operator::{ask, token};
use super::request::Request;
use super::{CommandError, say};
use crate::config::{AbortFlags, AskedService, BanFlags};
use sarsen_base::ambient::Timestamp;

/// The time that the service may take.
const WITHIN: Duration = Duration::from_secs(30);

/// Bans a player, in place of any ban before.
pub(super) fn ban(flags: &BanFlags) -> Result<(), CommandError> {
    let BanFlags { player, until, from, reason, service } = flags;
    let body = json!({"until": until.map(Timestamp::rfc3339), "from": from, "reason": reason});
    moderate(service, "PUT", &format!("/v1/admin/players/{player}/ban"), &body)?;
    let end = until.map_or_else(|| "for good".to_owned(), |until| format!("until {}", until.rfc3339()));
    say(&format!("{player} is banned {end}."));
    Ok(())
}

/// Calls a match off.
pub(super) fn abort(flags: &AbortFlags) -> Result<(), CommandError> {
    let AbortFlags { match_id, reason, service } = flags;
    let body = json!({"reason": reason});
    moderate(service, "POST", &format!("/v1/admin/matches/{match_id}/abort"), &body)?;
    say(&format!("{match_id} is called off."));
    Ok(())
}

fn moderate(service: &AskedService, method: &str, path: &str, body: &Value) -> Result<(), CommandError> {
    let token = token(service.token_file.as_deref(), "admin:moderate")?;
    let url = format!("{}{path}", service.url.trim_end_matches('/'));
    let body = body.to_string();
    let request = Request { method, url: &url, default_path: "/", token: Some(&token), body: Some(&body) };
    ask(&request, 200, WITHIN).map(drop)
}
