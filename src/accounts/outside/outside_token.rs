//! The check of a token of an outside issuer: pure, by the moment and the keys that it is given.
//!
//! Invariant: a token counts only if its header names an algorithm of the issuer that is also that of the key, and makes
//! no demands (`crit`); if that key signed it; if `iss` and `aud` are as agreed; and if its times are. What else its header
//! says (`jku`, `x5u`, `jwk`) is not looked at.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::crypto;
use serde_json::{Map, Value};

use super::issuer_terms::IssuerTerms;
use super::key_set::{KID_MAX, KeySet, OutsideAlgorithm};
use sarsen_base::ambient::Timestamp;

/// The longest subject, in characters.
const SUBJECT_MAX: usize = 255;
/// The largest difference allowed between the clocks of an issuer and of this service, in seconds.
const LEEWAY_SECONDS: i64 = 60;
/// The latest end of a token, in seconds from now.
const LIFE_MAX: i64 = 24 * 60 * 60;
/// The types of tokens that this service issues, and nobody else.
const OWN_TYPES: [&str; 2] = ["at+jwt", "operator+jwt"];

/// The fault of a token. For the log alone: a client gets one code for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OutsideFlaw {
    /// It is too long, or not three parts of base64url with JSON.
    #[error("its form is none of a signed token")]
    Form,
    /// Its algorithm is none of the issuer's, or not that of its key.
    #[error("its algorithm is not allowed")]
    Algorithm,
    /// It has critical extensions, or is of a type that this service issues.
    #[error("its header makes demands or is of a type of this service")]
    Header,
    /// No key of the issuer has its key id.
    #[error("its key is not known")]
    Key,
    /// The key did not sign it.
    #[error("its signature is wrong")]
    Signature,
    /// It is another issuer's.
    #[error("its issuer is another")]
    Issuer,
    /// It is for others.
    #[error("its audience is another")]
    Audience,
    /// It has expired, is too old, too young, or lives too long; or does not say.
    #[error("its times do not fit")]
    Times,
    /// It does not say whom it is about.
    #[error("its subject is missing or too long")]
    Subject,
}

/// The header of a token, as far as it counts.
pub(super) struct OutsideHeader {
    algorithm: OutsideAlgorithm,
    pub(super) kid: Option<String>,
}

/// The claims of a valid token.
pub(super) struct OutsideClaims {
    pub(super) subject: String,
    /// The name of the claim that the issuer's terms point to.
    pub(super) name: Option<String>,
}

fn object(part: &str) -> Result<Map<String, Value>, OutsideFlaw> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| OutsideFlaw::Form)?;
    serde_json::from_slice(&bytes).map_err(|_| OutsideFlaw::Form)
}

/// Reads the header of a token of this issuer.
///
/// # Errors
/// An [`OutsideFlaw`] if the token counts under no key.
pub(super) fn header(token: &str, terms: &IssuerTerms) -> Result<OutsideHeader, OutsideFlaw> {
    if token.split('.').count() != 3 {
        return Err(OutsideFlaw::Form);
    }
    let header = object(token.split('.').next().unwrap_or_default())?;
    let named = header.get("alg").and_then(Value::as_str).and_then(OutsideAlgorithm::by_name);
    let algorithm = named.filter(|named| terms.algorithms.contains(named)).ok_or(OutsideFlaw::Algorithm)?;
    let kind = match header.get("typ") {
        None => String::new(),
        Some(kind) => kind.as_str().ok_or(OutsideFlaw::Header)?.to_ascii_lowercase(),
    };
    let own = OWN_TYPES.contains(&kind.strip_prefix("application/").unwrap_or(&kind));
    if own || header.contains_key("crit") {
        return Err(OutsideFlaw::Header);
    }
    let kid = match header.get("kid") {
        None => None,
        Some(kid) => Some(kid.as_str().filter(|kid| kid.len() <= KID_MAX).ok_or(OutsideFlaw::Key)?.to_owned()),
    };
    Ok(OutsideHeader { algorithm, kid })
}

/// Returns the claims of a token if it counts at this moment, by these terms and keys.
///
/// # Errors
/// The first thing that is wrong with it.
pub(super) fn check(
    token: &str,
    header: &OutsideHeader,
    terms: &IssuerTerms,
    keys: &KeySet,
    now: Timestamp,
) -> Result<OutsideClaims, OutsideFlaw> {
    let key = keys.key(header.kid.as_deref()).ok_or(OutsideFlaw::Key)?;
    if key.algorithm != header.algorithm {
        return Err(OutsideFlaw::Algorithm);
    }
    let (message, signature) = token.rsplit_once('.').ok_or(OutsideFlaw::Form)?;
    let signed = crypto::verify(signature, message.as_bytes(), &key.key, key.algorithm.of_library());
    if !signed.unwrap_or(false) {
        return Err(OutsideFlaw::Signature);
    }
    let claims = object(message.rsplit_once('.').ok_or(OutsideFlaw::Form)?.1)?;
    if claims.get("iss").and_then(Value::as_str) != Some(&terms.iss) {
        return Err(OutsideFlaw::Issuer);
    }
    let meant =
        |audience: &Value| audience.as_str().is_some_and(|audience| terms.aud.iter().any(|one| one == audience));
    let for_us = claims.get("aud").is_some_and(|aud| aud.as_array().map_or(meant(aud), |all| all.iter().any(meant)));
    if !for_us {
        return Err(OutsideFlaw::Audience);
    }
    judge_times(&claims, terms, now.unix_seconds())?;
    let subject =
        claims.get("sub").and_then(Value::as_str).filter(|sub| (1..=SUBJECT_MAX).contains(&sub.chars().count()));
    let name = terms.name_claim.as_ref().and_then(|name| claims.get(name)).and_then(Value::as_str);
    let subject = subject.ok_or(OutsideFlaw::Subject)?.to_owned();
    Ok(OutsideClaims { subject, name: name.map(str::to_owned) })
}

fn judge_times(claims: &Map<String, Value>, terms: &IssuerTerms, now: i64) -> Result<(), OutsideFlaw> {
    // RFC 7519 allows for parts of a second.
    let moment = |name| match claims.get(name) {
        None => Ok(None),
        Some(value) => {
            let seconds = value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds as i64));
            seconds.map(Some).ok_or(OutsideFlaw::Times)
        }
    };
    let (Some(exp), Some(iat)) = (moment("exp")?, moment("iat")?) else { return Err(OutsideFlaw::Times) };
    let from = iat.max(moment("nbf")?.unwrap_or(iat));
    let lives = exp.saturating_add(LEEWAY_SECONDS) > now && exp.saturating_sub(now) <= LIFE_MAX + LEEWAY_SECONDS;
    let age = now.saturating_sub(iat);
    let recent = age <= i64::from(terms.max_age_seconds) + LEEWAY_SECONDS && from <= now.saturating_add(LEEWAY_SECONDS);
    if lives && recent { Ok(()) } else { Err(OutsideFlaw::Times) }
}

#[cfg(test)]
#[path = "outside_token_tests.rs"]
mod tests;
