//! Key sets of outside issuers, fetched from their URL.

use std::sync::Arc;

use async_trait::async_trait;

use super::client::Outbound;
use sarsen_accounts::outside::{FetchedKeySet, KEY_SET_MAX, KeySetSource};

/// The seconds for which a set without `max-age` is fresh, and the bounds of those of a set with it.
const FRESH_USUALLY: u32 = 600;
const FRESH_LEAST: u32 = 60;
const FRESH_MOST: u32 = 24 * 60 * 60;

/// A key set at a URL.
pub struct KeySetUrl {
    outbound: Arc<Outbound>,
    url: String,
}

impl KeySetUrl {
    /// The set at `url`, fetched by this client.
    pub fn new(outbound: Arc<Outbound>, url: String) -> KeySetUrl {
        KeySetUrl { outbound, url }
    }
}

#[async_trait]
impl KeySetSource for KeySetUrl {
    async fn fetch(&self) -> Result<FetchedKeySet, String> {
        let answer = self.outbound.get(&self.url, KEY_SET_MAX).await.map_err(|error| error.to_string())?;
        Ok(FetchedKeySet { json: answer.body, fresh_seconds: fresh_seconds(answer.cache_control.as_deref()) })
    }
}

/// Returns the seconds for which an answer with this `Cache-Control` is fresh.
fn fresh_seconds(cache_control: Option<&str>) -> u32 {
    let directives = cache_control.unwrap_or_default().split(',').map(str::trim);
    let max_age = directives.filter_map(|directive| {
        let (name, seconds) = directive.split_once('=')?;
        let seconds = seconds.trim().trim_matches('"').parse::<u64>().ok()?;
        name.trim().eq_ignore_ascii_case("max-age").then(|| u32::try_from(seconds).unwrap_or(u32::MAX))
    });
    max_age.min().map_or(FRESH_USUALLY, |seconds| seconds.clamp(FRESH_LEAST, FRESH_MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_fresh_for_its_max_age_within_bounds() {
        for (cache_control, seconds) in [
            (None, 600),
            (Some("no-store"), 600),
            (Some("public, max-age=300"), 300),
            (Some("Max-Age = \"90\" , must-revalidate"), 90),
            (Some("max-age=0"), 60),
            (Some("max-age=99999999999"), 86_400),
            (Some("max-age=soon"), 600),
            (Some("s-maxage=300"), 600),
        ] {
            assert_eq!(fresh_seconds(cache_control), seconds, "{cache_control:?}");
        }
    }
}
