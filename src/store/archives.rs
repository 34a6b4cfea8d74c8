//! Archives: the logs of matches that are over, each packed into one value.
//!
//! Invariants: a log is read in the same way whether it is archived or not, here, in an inventory and when it is restored;
//! nothing is lost but what idempotency keys have committed. An archived match takes no further steps: whoever archives it
//! has seen that it is over.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::{Result, StoreError};

/// No log takes more, in bytes.
const LOG_MAX: u64 = 1 << 30;

/// What became of a match that was to be archived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Archived {
    /// It is archived now.
    Yes,
    /// Nothing happened: it is archived already.
    Already,
    /// Nothing happened: it is not at the version that was seen, or not there.
    Conflict,
}

/// The entries as one value: each with its length before it (32 bits, big-endian), all of it in gzip.
pub(super) fn pack(entries: &[Vec<u8>]) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| StoreError::Corrupt(format!("a log that cannot be packed: {error}"));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for entry in entries {
        let length = u32::try_from(entry.len()).map_err(|_| StoreError::Corrupt("an entry of 4 GiB".to_owned()))?;
        encoder.write_all(&length.to_be_bytes()).and_then(|()| encoder.write_all(entry)).map_err(failed)?;
    }
    encoder.finish().map_err(failed)
}

/// Reads what [`pack`] wrote.
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

/// Those after the first `after`, at most `limit` of them.
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
