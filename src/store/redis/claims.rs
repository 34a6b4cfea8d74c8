//! Claims to matches. The server's clock counts.

use async_trait::async_trait;

use super::RedisStore;
use super::client::read;
use super::script::{CLAIM_MATCH, RELEASE_MATCH};
use crate::{MatchClaims, Result};
use sarsen_base::ids::MatchId;

#[async_trait]
impl MatchClaims for RedisStore {
    async fn claim_match(&self, id: &MatchId, who: &str, millis: u32) -> Result<Option<u64>> {
        let mut call = CLAIM_MATCH.on(&[self.shared.keys.thinking(id)]);
        call.arg(who).arg(millis);
        let left: u64 = read(self.shared.client.send_again_if_lost(&call).await?)?;
        Ok((left > 0).then_some(left))
    }

    async fn release_match(&self, id: &MatchId, who: &str) -> Result<()> {
        let mut call = RELEASE_MATCH.on(&[self.shared.keys.thinking(id)]);
        call.arg(who);
        self.shared.client.send_again_if_lost(&call).await.map(drop)
    }
}
