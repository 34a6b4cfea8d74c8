//! Archives: the logs of matches that are over, each packed into one value.
//!
//! Invariants: a log is read in the same way whether it is archived or not: here, in an inventory and at a restore.
//! Archiving loses nothing but the replays of idempotency keys. An archived match takes no further steps: the caller
//! archives only matches that are over.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::{Result, StoreError};

/// The maximum size of an unpacked log, in bytes.
const LOG_MAX: u64 = 1 << 30;

/// The outcome of an attempt to archive a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Archived {
    /// The match is archived now.
    Yes,
    /// Nothing happened: the match was archived before.
    Already,
    /// Nothing happened: the match is not at the expected version, or does not exist.
    Conflict,
}

/// Packs the entries into one value: each with its length before it (32 bits, big-endian), all of it in gzip.
pub(super) fn pack(entries: &[Vec<u8>]) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| StoreError::Corrupt(format!("a log that cannot be packed: {error}"));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for entry in entries {
        let length = u32::try_from(entry.len()).map_err(|_| StoreError::Corrupt("an entry of 4 GiB".to_owned()))?;
        encoder.write_all(&length.to_be_bytes()).and_then(|()| encoder.write_all(entry)).map_err(failed)?;
    }
    encoder.finish().map_err(failed)
}

/// Unpacks the entries from a value that [`pack`] made.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<Vec<u8>>> {
    let damaged = || StoreError::Corrupt("a damaged archive".to_owned());
    let mut bytes = Vec::new();
    GzDecoder::new(packed).take(LOG_MAX).read_to_end(&mut bytes).map_err(|_| damaged())?;
    let (mut rest, mut entries) = (bytes.as_slice(), Vec::new());
    while let Some((length, after)) = rest.split_first_chunk() {
        let (entry, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(damaged)?;
        entries.push(entry.to_vec());
        rest = after;
    }
    if rest.is_empty() { Ok(entries) } else { Err(damaged()) }
}

/// Returns the entries after the first `after`, at most `limit` of them.
pub(super) fn stretch(mut entries: Vec<Vec<u8>>, after: u64, limit: usize) -> Vec<Vec<u8>> {
    let after = usize::try_from(after).unwrap_or(usize::MAX).min(entries.len());
    entries.drain(..after);
    entries.truncate(limit);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arbitrary_entries_come_back_and_damage_is_noticed() {
        let entries = vec![Vec::new(), (0..=255).collect(), b"three".to_vec()];
        let packed = pack(&entries).unwrap();
        assert_eq!(unpack(&packed).unwrap(), entries);
        assert_eq!(unpack(&pack(&[]).unwrap()).unwrap(), Vec::<Vec<u8>>::new());
        assert!(unpack(&packed[..packed.len() - 9]).is_err() && unpack(b"nothing").is_err());
        assert_eq!(stretch(entries.clone(), 1, 1), entries[1..2]);
        assert_eq!(stretch(entries.clone(), 2, 9), entries[2..]);
        assert!(stretch(entries, 4, 9).is_empty());
    }
}
