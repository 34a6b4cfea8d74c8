//! Token buckets, shared by all instances. The server's clock counts.

use async_trait::async_trait;

use super::RedisStore;
use super::client::read;
use super::script::TAKE;
use crate::{Allowance, Buckets, Result, Taken};

#[async_trait]
impl Buckets for RedisStore {
    async fn take(&self, bucket: &str, allowance: Allowance) -> Result<Taken> {
        let mut call = TAKE.on(&[&self.shared.keys.bucket(bucket)]);
        call.arg(allowance.burst).arg(allowance.per_minute);
        let (allowed, remaining, retry_after_millis) = read(self.shared.client.send_once(&call).await?)?;
        Ok(Taken { allowed, remaining, retry_after_millis })
    }
}
