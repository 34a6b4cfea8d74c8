//! Values with a time to live, one key each, by the server's clock.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, command_with, read};
use super::script::{RESERVE, TAKE};
use crate::{Allowance, ExpiringStore, ReplayKey, Reservation, Result, StoreError, Taken};

fn parse(text: &str) -> Result<Reservation> {
    let parts = text.split_once(':');
    let (id, fingerprint) = parts.ok_or_else(|| StoreError::Corrupt("not a reservation".to_owned()))?;
    Ok(Reservation { id: id.to_owned(), fingerprint: fingerprint.to_owned() })
}

#[async_trait]
impl ExpiringStore for RedisStore {
    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()> {
        let key = self.shared.keys.ticket(key);
        let put = match seconds {
            0 => command("DEL", key),
            _ => command_with("SET", key, (value, "EX", seconds)),
        };
        self.shared.client.send_once(&put).await.map(drop)
    }

    async fn read_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        self.shared.client.ask(&command("GET", self.shared.keys.ticket(key))).await
    }

    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        read(self.shared.client.send_once(&command("GETDEL", self.shared.keys.ticket(key))).await?)
    }

    async fn reservation(&self, key: &ReplayKey) -> Result<Option<Reservation>> {
        let held: Option<String> = self.shared.client.ask(&command("GET", self.shared.keys.reservation(key))).await?;
        held.as_deref().map(parse).transpose()
    }

    async fn reserve(&self, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Result<Reservation> {
        let mut call = RESERVE.on(&[&self.shared.keys.reservation(key)]);
        call.arg(format!("{}:{}", reservation.id, reservation.fingerprint)).arg(seconds);
        // A second try finds the reservation of the first one.
        let held: String = read(self.shared.client.keep_before_another(call).await?)?;
        parse(&held)
    }

    async fn take(&self, bucket: &str, allowance: Allowance) -> Result<Taken> {
        let call = TAKE.call(&[&self.shared.keys.bucket(bucket)], (allowance.burst, allowance.per_minute));
        let (allowed, remaining, retry_after_millis) = read(self.shared.client.send_once(&call).await?)?;
        Ok(Taken { allowed, remaining, retry_after_millis })
    }
}
