//! The file of `--issuers`: the outside issuers whose tokens are exchanged.

use std::collections::HashSet;

use serde::Deserialize;

use super::key_set::OutsideAlgorithm;

/// The longest time that a token may be old when it is exchanged, in seconds.
const MAX_AGE_MAX: u32 = 86_400;
const NAME_MAX: usize = 40;

/// An issuer, as the operator describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssuerTerms {
    /// The name by which clients ask for it.
    pub name: String,
    /// The `iss` of its tokens.
    pub iss: String,
    /// The audiences of which a token has to name one in `aud`.
    pub aud: Vec<String>,
    /// The place of its key set: `https://…` or `file:…`.
    pub jwks: String,
    /// The algorithms that its tokens may be signed with.
    pub algorithms: Vec<OutsideAlgorithm>,
    /// The age at which a token is not exchanged any more, in seconds after its `iat`.
    #[serde(default = "usual_max_age")]
    pub max_age_seconds: u32,
    /// The claim that a new player is named by, where a token has it.
    #[serde(default)]
    pub name_claim: Option<String>,
}

fn usual_max_age() -> u32 {
    600
}

/// The fault for which a list of issuers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IssuersError {
    /// It is not a JSON list of issuers.
    #[error("is not a JSON list of issuers: {0}")]
    Json(#[from] serde_json::Error),
    /// One of the issuers cannot be.
    #[error("has the issuer {name:?}, {fault}")]
    Issuer {
        /// Its name as written.
        name: String,
        /// The fault of the issuer.
        fault: &'static str,
    },
}

impl IssuerTerms {
    /// Reads the list of `--issuers`.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read_list(text: &str) -> Result<Vec<IssuerTerms>, IssuersError> {
        let list: Vec<IssuerTerms> = serde_json::from_str(text)?;
        let mut names = HashSet::new();
        for issuer in &list {
            let fault = if names.insert(issuer.name.as_str()) { issuer.fault() } else { Some("which is listed twice") };
            if let Some(fault) = fault {
                return Err(IssuersError::Issuer { name: issuer.name.clone(), fault });
            }
        }
        Ok(list)
    }

    /// The path of the key set, if that is a file.
    pub fn file(&self) -> Option<&str> {
        let path = self.jwks.strip_prefix("file:")?;
        Some(path.strip_prefix("//").unwrap_or(path))
    }

    fn fault(&self) -> Option<&'static str> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.');
        let named = (1..=NAME_MAX).contains(&self.name.len()) && self.name.bytes().all(fits);
        let placed = self.file().map_or_else(|| self.jwks.contains("://"), |path| !path.is_empty());
        [
            (!named, "whose name is not 1 to 40 small letters, digits, '-', '_' or '.'"),
            (self.iss.is_empty(), "whose iss is empty"),
            (self.aud.is_empty() || self.aud.iter().any(String::is_empty), "whose aud names no audience"),
            (!placed, "whose jwks is neither a URL nor file:PATH"),
            (self.algorithms.is_empty(), "whose algorithms are empty"),
            (!(1..=MAX_AGE_MAX).contains(&self.max_age_seconds), "whose max_age_seconds is not 1 to 86400"),
        ]
        .into_iter()
        .find_map(|(wrong, fault)| wrong.then_some(fault))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn issuer() -> Value {
        json!({"name": "acme", "iss": "https://id.acme.example/", "aud": ["sarsen"],
            "jwks": "https://id.acme.example/jwks", "algorithms": ["RS256", "ES256", "EdDSA"]})
    }

    #[test]
    fn a_list_is_read_with_what_is_left_out() {
        let list = IssuerTerms::read_list(&json!([issuer()]).to_string()).unwrap();
        assert_eq!((list[0].max_age_seconds, list[0].name_claim.as_deref(), list[0].file()), (600, None, None));
        assert_eq!(list[0].algorithms, [OutsideAlgorithm::RS256, OutsideAlgorithm::ES256, OutsideAlgorithm::EdDSA]);
        for (jwks, path) in [("file:keys.json", "keys.json"), ("file:///etc/keys.json", "/etc/keys.json")] {
            let mut local = issuer();
            local["jwks"] = json!(jwks);
            assert_eq!(IssuerTerms::read_list(&json!([local]).to_string()).unwrap()[0].file(), Some(path));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |property: &str, value: Value| {
            let mut wrong = issuer();
            wrong[property] = value;
            IssuerTerms::read_list(&json!([issuer(), wrong]).to_string()).unwrap_err().to_string()
        };
        assert!(wrong("iss", json!("https://b.example/")).contains("listed twice"));
        for (property, value, says) in [
            ("algorithms", json!(["HS256"]), "unknown variant"),
            ("secret", json!("x"), "unknown field"),
            ("name", json!("A b"), "small letters"),
            ("iss", json!(""), "iss is empty"),
        ] {
            let mut second = issuer();
            second["name"] = json!("second");
            second[property] = value;
            let said = IssuerTerms::read_list(&json!([second]).to_string()).unwrap_err().to_string();
            assert!(said.contains(says), "{said}");
        }
        for (property, value) in
            [("aud", json!([])), ("jwks", json!("keys.json")), ("algorithms", json!([])), ("max_age_seconds", json!(0))]
        {
            let mut second = issuer();
            second[property] = value;
            let said = IssuerTerms::read_list(&json!([second]).to_string()).unwrap_err().to_string();
            assert!(said.contains(property), "{said}");
        }
    }
}
