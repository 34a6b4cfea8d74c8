//! Tickets: values that are kept until they are taken. The server's clock counts.

use async_trait::async_trait;
use redis::Cmd;

use super::RedisStore;
use super::client::{command, read};
use crate::{Result, Tickets};

#[async_trait]
impl Tickets for RedisStore {
    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()> {
        let mut command = Cmd::new();
        let key = self.shared.keys.ticket(key);
        match seconds {
            0 => command.arg("DEL").arg(key),
            _ => command.arg("SET").arg(key).arg(value).arg("EX").arg(seconds),
        };
        self.shared.client.send_once(&command).await.map(drop)
    }

    async fn read_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let get = command("GET", self.shared.keys.ticket(key));
        read(self.shared.client.send_again_if_lost(&get).await?)
    }

    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let mut command = Cmd::new();
        command.arg("GETDEL").arg(self.shared.keys.ticket(key));
        read(self.shared.client.send_once(&command).await?)
    }
}
