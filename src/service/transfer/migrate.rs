//! Migration: everything of one store into another, without files between.

use super::sink::{Carried, Target};
use super::walk::walk;
use super::{Amounts, TransferError, Witness};
use sarsen_store::Store;

/// Carries everything over. Doing it again carries what has changed since.
///
/// # Errors
/// If one of the stores fails; then it can be begun again.
pub async fn migrate(
    from: &dyn Store,
    to: &dyn Store,
    witness: &mut dyn Witness,
) -> Result<(Amounts, Carried), TransferError> {
    let mut target = Target::new(to);
    let tally = walk(from, None, &mut target, witness).await?;
    Ok((tally, target.finish(witness).await?))
}
