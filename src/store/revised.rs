//! What is written at an expected revision.

/// Bytes as stored, and how often they have been written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revised {
    /// What the last write gave.
    pub stored: Vec<u8>,
    /// How many writes there have been: what the next one must expect.
    pub revision: u64,
}
