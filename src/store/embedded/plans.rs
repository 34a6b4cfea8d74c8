//! Plans: one entry a seat.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::layout::{PLANS, Tables};
use crate::{KeptPlan, Plans, Result, Stamp};
use sarsen_base::ids::MatchId;

#[async_trait]
impl Plans for Embedded {
    async fn plans(&self, id: &MatchId) -> Result<Vec<KeptPlan>> {
        self.read(|transaction| kept(transaction, id.number()))
    }

    async fn keep_plan(&self, id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> Result<bool> {
        let id = id.number();
        self.write(move |group| {
            if !group.is_at(id, expected, Some(expected_stamp))? {
                group.idle += 1;
                return Ok(false);
            }
            group.tables.plans.insert((id, plan.seat), plan.stored.as_slice())?;
            Ok(true)
        })
        .await
    }

    async fn replace_plan(&self, id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> Result<bool> {
        let (id, found) = (id.number(), found.clone());
        self.write(move |group| {
            let at = (id, found.seat);
            let stands = group.tables.plans.get(at)?.is_some_and(|held| held.value() == found.stored);
            if !stands {
                group.idle += 1;
                return Ok(false);
            }
            match by {
                Some(stored) => drop(group.tables.plans.insert(at, stored.as_slice())?),
                None => drop(group.tables.plans.remove(at)?),
            }
            Ok(true)
        })
        .await
    }
}

/// Whether anything is kept for a match.
pub(super) fn are_kept(tables: &Tables<'_>, id: u128) -> Outcome<bool> {
    Ok(tables.plans.range((id, 0)..=(id, u8::MAX))?.next().transpose()?.is_some())
}

fn kept(transaction: &Snapshot, id: u128) -> Outcome<Vec<KeptPlan>> {
    let plans = transaction.open_table(PLANS)?;
    let entries = plans.range((id, 0)..=(id, u8::MAX))?;
    let plan = entries.map(|entry| {
        let (key, stored) = entry?;
        Ok(KeptPlan { seat: key.value().1, stored: stored.value().to_vec() })
    });
    plan.collect()
}
