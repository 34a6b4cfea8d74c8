//! Reservations of idempotency keys. The server's clock counts.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, read};
use super::script::RESERVE;
use crate::{ReplayKey, Reservation, Reservations, Result, StoreError};

fn parse(text: &str) -> Result<Reservation> {
    let parts = text.split_once(':');
    let (id, fingerprint) = parts.ok_or_else(|| StoreError::Corrupt("not a reservation".to_owned()))?;
    Ok(Reservation { id: id.to_owned(), fingerprint: fingerprint.to_owned() })
}

#[async_trait]
impl Reservations for RedisStore {
    async fn reservation(&self, key: &ReplayKey) -> Result<Option<Reservation>> {
        let get = command("GET", self.shared.keys.reservation(key));
        let held: Option<String> = read(self.shared.client.send_again_if_lost(&get).await?)?;
        held.as_deref().map(parse).transpose()
    }

    async fn reserve(&self, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Result<Reservation> {
        let mut call = RESERVE.on(&[&self.shared.keys.reservation(key)]);
        call.arg(format!("{}:{}", reservation.id, reservation.fingerprint)).arg(seconds);
        // A second try finds what the first one has reserved.
        let held: String = read(self.shared.client.keep_before_another(call).await?)?;
        parse(&held)
    }
}
