//! Migration: everything of one store into another, without files between.

use super::sink::{Carried, Target};
use super::walk::{walk, whole};
use super::{Amounts, TransferError, Witness};
use sarsen_accounts::player_status::PlayerStatus;
use sarsen_base::ids::PlayerId;
use sarsen_store::{ItemKind, ItemOwner, PageStart, Store, StoreError};

/// Carries everything over, into a store that is empty or holds what an earlier run has brought. Doing it again carries what
/// has changed since, and removes the items and sessions that the source does not have any more.
///
/// # Errors
/// If the target has a player whom the source does not have: then nothing was changed. Otherwise if one of the stores fails;
/// then it can be begun again.
pub async fn migrate(
    from: &dyn Store,
    to: &dyn Store,
    witness: &mut dyn Witness,
) -> Result<(Amounts, Carried), TransferError> {
    withdraw(from, to).await?;
    let mut target = Target::new(to);
    let tally = walk(from, None, &mut target, witness).await?;
    Ok((tally, target.finish(witness).await?))
}

/// Removes what an earlier run has brought and the source has no more, or otherwise; the walk that follows writes the latter.
async fn withdraw(from: &dyn Store, to: &dyn Store) -> Result<(), TransferError> {
    // A target that has served is no copy any more, and keeps what its players have done there.
    each_player(to, async |id| match from.player(&id).await? {
        Some(_) => Ok(()),
        None => Err(TransferError::NoCopy { player: id.to_string() }),
    })
    .await?;
    each_player(to, async |id| {
        let kept = from.sessions_of(&id).await?;
        for session in to.sessions_of(&id).await?.iter().filter(|session| !kept.contains(session)) {
            to.revoke_session(session, &id, to.now()).await?;
        }
        if let (Some(here), Some(there)) = (from.status(&id).await?, to.status(&id).await?)
            && here.stored != there.stored
        {
            let is_gone = PlayerStatus::decode(&here.stored).is_ok_and(|status| status.gone);
            to.put_status(&id, there.revision, here.stored, is_gone).await?;
        }
        Ok(withdraw_items(from, to, &ItemOwner::Player(id)).await?)
    })
    .await?;
    Ok(withdraw_items(from, to, &ItemOwner::Service).await?)
}

async fn withdraw_items(from: &dyn Store, to: &dyn Store, owner: &ItemOwner) -> Result<(), StoreError> {
    for kind in ItemKind::ALL.into_iter().filter(|kind| kind.is_carried()) {
        for (name, stored) in to.items(owner, kind).await? {
            if from.item(owner, kind, &name).await?.as_ref() == Some(&stored) {
                continue;
            }
            // The directory first: what is listed still is found by the next run.
            if let ItemOwner::Player(player) = owner
                && kind.in_directory()
            {
                to.unbind_item(kind, &name, player).await?;
            }
            to.replace_item(owner, kind, &name, Some(&stored), None, 0).await?;
        }
    }
    Ok(())
}

async fn each_player(
    store: &dyn Store,
    act: impl AsyncFn(PlayerId) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let mut from: Option<PageStart> = None;
    loop {
        let page = whole(store.player_ids(from.as_ref()).await?)?;
        for id in page.items {
            act(id).await?;
        }
        from = page.next;
        if from.is_none() {
            return Ok(());
        }
    }
}
