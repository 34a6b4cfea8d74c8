//! How the store is doing: what can run out is the disk.

use super::{Embedded, unavailable};
use crate::Result;

impl Embedded {
    /// The share of the disk.
    pub(super) async fn disk_used(&self) -> Result<Option<f64>> {
        let file = self.file.clone();
        let disk = tokio::task::spawn_blocking(move || rustix::fs::statvfs(&file)).await.map_err(unavailable)?;
        let disk = disk.map_err(|error| unavailable(std::io::Error::from(error)))?;
        // As `df` has it: what only the system may take counts as taken.
        let used = disk.f_blocks.saturating_sub(disk.f_bfree);
        let room = used + disk.f_bavail;
        Ok((room > 0).then(|| used as f64 / room as f64))
    }
}
