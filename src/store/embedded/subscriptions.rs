//! Subscriptions: all changes are published, since all receivers are in this process.

use async_trait::async_trait;

use super::Embedded;
use crate::{Result, Subscriptions, Topic};

#[async_trait]
impl Subscriptions for Embedded {
    fn is_subscribed(&self, _: &Topic) -> bool {
        true
    }

    async fn subscribe(&self, _: &[Topic]) -> Result<()> {
        Ok(())
    }
}
