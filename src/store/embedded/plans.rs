//! Plans: one entry a seat.

use redb::ReadableTable;

use super::database::{Outcome, Snapshot};
use super::layout::{PLANS, Tables};
use crate::KeptPlan;

/// Returns true if any plan of the match is kept.
pub(super) fn are_kept(tables: &Tables<'_>, id: u128) -> Outcome<bool> {
    Ok(tables.plans.range((id, 0)..=(id, u8::MAX))?.next().transpose()?.is_some())
}

pub(super) fn kept(transaction: &Snapshot, id: u128) -> Outcome<Vec<KeptPlan>> {
    let plans = transaction.open_table(PLANS)?;
    let entries = plans.range((id, 0)..=(id, u8::MAX))?;
    let plan = entries.map(|entry| {
        let (key, stored) = entry?;
        Ok(KeptPlan { seat: key.value().1, stored: stored.value().to_vec() })
    });
    plan.collect()
}
