//! Settings of notifications.

use clap::Args;

use super::wrong::{WrongSetting, wrong};
use sarsen_service::notifications::VapidKey;

/// The placeholder of a match's id in an address.
const ID: &str = "{id}";

/// The settings of notifications as written.
#[derive(Args, Clone)]
pub struct NotificationFlags {
    /// Address of a match on a page of yours, with `{id}` where its id is to stand, such as `https://app.example/m/{id}`:
    /// notifications name it, and a push message opens it.
    #[arg(long, env = "SARSEN_MATCH_URL", value_name = "URL")]
    pub match_url: Option<String>,
    /// The key by which push services know this service, as `sarsen keys vapid` prints it; without one there is no Web Push.
    #[arg(long, env = "SARSEN_VAPID_KEY", hide_env_values = true, allow_hyphen_values = true, value_name = "KEY")]
    pub vapid_key: Option<String>,
    /// Your address for push services: `mailto:` and a mail address, or a page that begins with `https://`.
    #[arg(long, env = "SARSEN_VAPID_SUBJECT", value_name = "ADDRESS")]
    pub vapid_subject: Option<String>,
}

/// The key is a secret.
impl std::fmt::Debug for NotificationFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NotificationFlags").field("match_url", &self.match_url).finish_non_exhaustive()
    }
}

/// The settings of notifications.
#[derive(Debug, Default)]
pub struct NotificationSettings {
    /// The address of a match, with `{id}`.
    pub match_url: Option<String>,
    /// The key for Web Push, with the operator's address; without it there is none.
    pub vapid: Option<(VapidKey, String)>,
}

impl NotificationFlags {
    pub(super) fn settings(self) -> Result<NotificationSettings, WrongSetting> {
        let fits = |url: &String| {
            let web = url.starts_with("https://") || url.starts_with("http://");
            web && url.matches(ID).count() == 1 && url.bytes().all(|byte| byte.is_ascii_graphic())
        };
        if self.match_url.as_ref().is_some_and(|url| !fits(url)) {
            return Err(wrong("match-url", "is no http(s) address with one {id} where the match's id is to stand"));
        }
        let vapid = match (self.vapid_key, self.vapid_subject) {
            (None, _) => None,
            (Some(key), Some(subject)) if subject.starts_with("mailto:") || subject.starts_with("https://") => {
                Some((key.parse().map_err(|error| wrong("vapid-key", format!("{error}")))?, subject))
            }
            (Some(_), _) => {
                return Err(wrong("vapid-subject", "is required with a key: mailto:you@example.org or https://…"));
            }
        };
        Ok(NotificationSettings { match_url: self.match_url, vapid })
    }
}
