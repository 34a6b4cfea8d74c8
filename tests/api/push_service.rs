//! A push service of the tests' own: it answers as RFC 8030 says, and knows the sender by RFC 8292.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use crate::receiver::{Received, Receiver};

/// The most bytes of a message that every push service takes.
const MESSAGE_MAX: usize = 4096;

/// The URL of a subscription which only the holder of this key may send to.
pub fn endpoint(service: &Receiver, key: &str) -> String {
    service.url(&format!("/send/{key}/device"))
}

/// The status of the answer to a message, and a header.
pub fn answer(pushed: &Received, port: u16) -> (u16, &'static str) {
    let Some(key) = pushed.path.strip_prefix("/send/").and_then(|rest| rest.strip_suffix("/device")) else {
        return (404, "");
    };
    let topic = pushed.header("topic");
    let is_topic = topic.len() <= 32 && topic.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let urgency = ["very-low", "low", "normal", "high"].contains(&pushed.header("urgency"));
    if pushed.header("ttl").parse::<u32>().is_err() || !is_topic || !urgency {
        return (400, "");
    }
    if pushed.header("content-encoding") != "aes128gcm" {
        return (415, "");
    }
    if pushed.body.len() > MESSAGE_MAX {
        return (413, "");
    }
    if is_sent_by(pushed.header("authorization"), key, port).is_none() {
        return (403, "");
    }
    (201, "location: /message/1")
}

/// Returns something if the sender has this key and its token is for this push service.
fn is_sent_by(authorization: &str, key: &str, port: u16) -> Option<()> {
    let (token, given) = authorization.strip_prefix("vapid t=")?.split_once(", k=")?;
    let point = URL_SAFE_NO_PAD.decode(given).ok()?;
    let [x, y] = [point.get(1..33)?, point.get(33..)?].map(|half| URL_SAFE_NO_PAD.encode(half));
    let decoding = jsonwebtoken::DecodingKey::from_ec_components(&x, &y).ok()?;
    let mut rules = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::ES256);
    rules.set_audience(&[format!("http://127.0.0.1:{port}")]);
    let claims = jsonwebtoken::decode::<Value>(token, &decoding, &rules).ok()?.claims;
    let lasts = claims["exp"].as_i64()? - jsonwebtoken::get_current_timestamp() as i64;
    let subject = claims["sub"].as_str()?;
    (given == key && lasts <= 24 * 60 * 60 && subject.starts_with("mailto:")).then_some(())
}

/// The messages that wait for a device that was away: a newer one has taken the place of an older one with its topic.
pub fn waiting(all: &[Received]) -> Vec<&Received> {
    let is_newest = |(index, pushed): &(usize, &Received)| {
        let topic = pushed.header("topic");
        topic.is_empty() || all[index + 1..].iter().all(|newer| newer.header("topic") != topic)
    };
    all.iter().enumerate().filter(is_newest).map(|(_, pushed)| pushed).collect()
}
