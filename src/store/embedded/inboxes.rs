//! Players' inboxes.
//!
//! Invariant: an inbox holds its newest [`INBOX_KEPT`] notices and fewer than two stretches of older ones, numbered without
//! gaps.

use super::database::{Outcome, Snapshot};
use super::layout::{INBOX, Tables};
use super::stretches::{self, End};
use crate::{INBOX_KEPT, Inbox, Notice};
use sarsen_base::ids::{MatchId, PlayerId};

/// Adds a notice, and drops those that are too old.
pub(super) fn push(tables: &mut Tables<'_>, player: u128, id: u128, version: u64) -> Outcome<()> {
    let end = End::of(&tables.inbox, player)?;
    let number = end.last() + 1;
    let begun = end.push(&mut tables.inbox, number, &written(id, version))?;
    // Only whole stretches are dropped, so one can be dropped only when another has begun.
    if begun && let Some(too_old) = number.checked_sub(INBOX_KEPT) {
        stretches::trim(&mut tables.inbox, player, too_old + 1)?;
    }
    Ok(())
}

/// Returns a notice as stored: 16 bytes of the match, then the version without the zeros that it ends with (both
/// little-endian).
pub(super) fn written(id: u128, version: u64) -> Vec<u8> {
    let version = version.to_le_bytes();
    let length = version.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    [&id.to_le_bytes()[..], &version[..length]].concat()
}

fn notice((number, item): (u64, Vec<u8>)) -> Outcome<Notice> {
    let damaged = || redb::Error::Corrupted("a notice of another length".to_owned());
    let (id, told) = item.split_first_chunk().ok_or_else(damaged)?;
    let mut version = [0; 8];
    version.get_mut(..told.len()).ok_or_else(damaged)?.copy_from_slice(told);
    let match_id = MatchId::from_number(u128::from_le_bytes(*id));
    Ok(Notice { number, match_id, version: u64::from_le_bytes(version) })
}

pub(super) fn read(transaction: &Snapshot, player: &PlayerId, after: u64, limit: usize) -> Outcome<Inbox> {
    let inbox = transaction.open_table(INBOX)?;
    let newest = End::of(&inbox, player.number())?.last();
    if after >= newest {
        return Ok(Inbox { notices: Vec::new(), newest });
    }
    let notices = stretches::read(&inbox, player.number(), after + 1, limit)?;
    Ok(Inbox { notices: notices.into_iter().map(notice).collect::<Outcome<_>>()?, newest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_any_version_come_back_and_damage_is_noticed() {
        for version in [0, 1, 255, 256, 65_535, 1 << 40, u64::MAX] {
            let item = written(u128::MAX - 7, version);
            let read = notice((3, item.clone())).unwrap();
            assert_eq!((read.number, read.match_id.number(), read.version), (3, u128::MAX - 7, version));
        }
        assert_eq!(written(1, 42).len(), 17);
        for damaged in [written(1, 2)[..15].to_vec(), [written(1, u64::MAX), vec![1]].concat()] {
            assert!(matches!(notice((3, damaged)), Err(redb::Error::Corrupted(_))));
        }
    }
}
