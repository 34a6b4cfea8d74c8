//! Values that are written by compare and set of their revision.

/// A stored value with its revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revised {
    /// The value, as the last write gave it.
    pub stored: Vec<u8>,
    /// The number of writes, which the next one must expect.
    pub revision: u64,
}
