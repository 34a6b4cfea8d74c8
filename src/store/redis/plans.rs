//! Plans: a hash beside the match, by seat, and a field of the match that says that there is one.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::RedisStore;
use super::link::{command, read};
use super::script::{KEEP_PLAN, REPLACE_PLAN};
use crate::{KeptPlan, Plans, Result, Stamp};
use sarsen_base::ids::MatchId;

/// For how long those of a match are kept after the last was made, in seconds: 400 days.
const KEPT_SECONDS: u32 = 400 * 24 * 60 * 60;

#[async_trait]
impl Plans for RedisStore {
    async fn plans(&self, id: &MatchId) -> Result<Vec<KeptPlan>> {
        let get = command("HGETALL", self.shared.keys.plans(id));
        let kept: BTreeMap<u8, Vec<u8>> = read(self.shared.link.send_again_if_lost(&get).await?)?;
        Ok(kept.into_iter().map(|(seat, stored)| KeptPlan { seat, stored }).collect())
    }

    async fn keep_plan(&self, id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> Result<bool> {
        let mut call = KEEP_PLAN.on(&[self.shared.keys.the_match(id), self.shared.keys.plans(id)]);
        call.arg(expected).arg(expected_stamp.to_string()).arg(plan.seat).arg(plan.stored).arg(KEPT_SECONDS);
        read(self.shared.link.keep_once(call).await?)
    }

    async fn replace_plan(&self, id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> Result<bool> {
        let mut call = REPLACE_PLAN.on(&[self.shared.keys.the_match(id), self.shared.keys.plans(id)]);
        call.arg(found.seat).arg(found.stored.as_slice()).arg(by.unwrap_or_default());
        read(self.shared.link.keep_once(call).await?)
    }
}
