//! Moments: a hash of them.

use async_trait::async_trait;

use super::RedisStore;
use super::link::{command, read};
use super::script::FIRST;
use crate::ambient::Timestamp;
use crate::store::{Moments, Result};

#[async_trait]
impl Moments for RedisStore {
    async fn first(&self, name: &str) -> Result<Timestamp> {
        let mut call = FIRST.on(&[self.shared.keys.moments()]);
        call.arg(name).arg(self.shared.now().0);
        read(self.shared.link.send_again_if_lost(&call).await?).map(Timestamp)
    }

    async fn moment(&self, name: &str) -> Result<Option<Timestamp>> {
        let mut get = command("HGET", self.shared.keys.moments());
        get.arg(name);
        let known: Option<i64> = read(self.shared.link.send_again_if_lost(&get).await?)?;
        Ok(known.map(Timestamp))
    }
}
