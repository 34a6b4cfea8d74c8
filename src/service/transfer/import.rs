//! Import: a directory that an export has made, into a store.
//!
//! Invariant: before anything is written, all files are what their manifest says, and no match or player of the store is
//! newer than what would take its place.
//!
//! Where a service has worked on the store, its players have given up what they do not have there any more. So of players
//! whom the store has already, and of the service, such an import adds neither items nor sessions. Players are written
//! behind these: one who is there has everything, also after a run that was interrupted.

use std::path::Path;

use super::files::Sealed;
use super::format::{Item, Kind};
use super::sink::{Carried, Sink, Target};
use super::{TransferError, Witness};
use sarsen_store::Store;

/// Checks that the directory is a whole export.
///
/// # Errors
/// The part that the export lacks.
pub fn is_export(directory: &Path) -> Result<(), TransferError> {
    Sealed::open(directory).map(drop)
}

/// Writes everything that the directory holds, but for what was given up since. Doing it twice is doing it once.
///
/// # Errors
/// If the directory is no whole export, or the store has something newer: then nothing was changed. Otherwise if the
/// store fails on the way; then it can be begun again.
pub async fn import(store: &dyn Store, directory: &Path, witness: &mut dyn Witness) -> Result<Carried, TransferError> {
    let sealed = Sealed::open(directory)?;
    let known = refuse_older(store, &sealed, witness).await?;
    let mut target = Target::new(store);
    target.settled = known && store.was_there().await?.is_some();
    for kind in Kind::ALL {
        let (mut items, mut done) = (sealed.items(kind)?, 0);
        while let Some(item) = items.next()? {
            target.take(item, witness).await?;
            done += 1;
            if done % 500 == 0 {
                witness.progress(kind.name(), done);
            }
        }
        target.flush(witness).await?;
        witness.progress(kind.name(), done);
    }
    target.finish(witness).await
}

/// Looks for what is newer in the store. Returns true if the store has one of the players.
async fn refuse_older(store: &dyn Store, sealed: &Sealed, witness: &mut dyn Witness) -> Result<bool, TransferError> {
    let (mut matches, mut players, mut first, mut known) = (0_u64, 0_u64, None, false);
    for kind in [Kind::Players, Kind::Matches] {
        let (mut items, mut done) = (sealed.items(kind)?, 0);
        while let Some(item) = items.next()? {
            let newer = match &item {
                Item::Player(id, player) => {
                    let there = store.player(id).await?;
                    known |= there.is_some();
                    there.is_some_and(|there| there != *player && there.revision >= player.revision)
                }
                Item::Match(whole) => store.load_match(&whole.id, None).await?.is_some_and(|there| {
                    let other = there.stored != whole.stored || there.stamp != whole.stamp;
                    there.version > whole.version || (there.version == whole.version && other)
                }),
                _ => false,
            };
            if newer {
                *(if kind == Kind::Players { &mut players } else { &mut matches }) += 1;
                first.get_or_insert_with(|| item.name().to_owned());
            }
            done += 1;
            if done % 500 == 0 {
                witness.progress(&format!("{} compared", kind.name()), done);
            }
        }
    }
    match first {
        Some(first) => Err(TransferError::Older { matches, players, first }),
        None => Ok(known),
    }
}
