//! The condition of the store: its disk can run out.

use super::{Embedded, unavailable};
use crate::Result;

impl Embedded {
    /// Returns the used share of the disk, 0 to 1.
    pub(super) async fn disk_used(&self) -> Result<Option<f64>> {
        let file = self.file.clone();
        let disk = tokio::task::spawn_blocking(move || rustix::fs::statvfs(&file)).await.map_err(unavailable)?;
        let disk = disk.map_err(|error| unavailable(std::io::Error::from(error)))?;
        // As `df` counts: space reserved for the system counts as used.
        let used = disk.f_blocks.saturating_sub(disk.f_bfree);
        let room = used + disk.f_bavail;
        Ok((room > 0).then(|| used as f64 / room as f64))
    }
}
