//! Token buckets: they start full with the process, since what they allowance is how fast this one process is used.

use async_trait::async_trait;

use super::Embedded;
use crate::{Allowance, Buckets, Result, Taken};

#[async_trait]
impl Buckets for Embedded {
    async fn take(&self, bucket: &str, allowance: Allowance) -> Result<Taken> {
        Ok(self.levels.take(bucket, allowance, self.ambient.now()))
    }
}
