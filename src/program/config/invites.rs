//! Settings of invites.

use clap::Args;

use super::bounds::at_once;
use super::wrong::{WrongSetting, wrong};
use sarsen_store::Allowance;

/// The placeholder of an invite's code in an address.
const CODE: &str = "{code}";

/// The settings of invites as written.
#[derive(Args, Clone, Debug)]
pub struct InviteFlags {
    /// Address of a page of yours on which friends take up an invite, with `{code}` where its code is to stand, such as
    /// `https://app.example/join/{code}`; if left out, invites are codes alone.
    #[arg(long, env = "SARSEN_INVITE_URL", value_name = "URL")]
    pub invite_url: Option<String>,
    /// Invites that one address may look at or take up, per minute (1 to 1000000), or `off`. As many wrong ones may come
    /// with other requests, on each instance.
    #[arg(long, env = "SARSEN_INVITES_PER_MINUTE", default_value = "30", value_name = "NUMBER|off")]
    pub invites_per_minute: String,
}

impl InviteFlags {
    /// The address on which invites are taken up.
    pub(super) fn url(&self) -> Result<Option<String>, WrongSetting> {
        let fits = |url: &String| {
            let web = url.starts_with("https://") || url.starts_with("http://");
            web && url.matches(CODE).count() == 1 && url.bytes().all(|byte| byte.is_ascii_graphic())
        };
        match &self.invite_url {
            Some(url) if !fits(url) => {
                Err(wrong("invite-url", "is no http(s) address with one {code} where the code is to stand"))
            }
            url => Ok(url.clone()),
        }
    }

    /// Returns the rate limit of invites that one address may look at.
    pub(super) fn allowance(&self) -> Result<Option<Allowance>, WrongSetting> {
        at_once("invites-per-minute", &self.invites_per_minute)
    }
}
