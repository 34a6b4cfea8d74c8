//! Items: a hash a kind and owner, by name; the directory: a string a name.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, read};
use super::live;
use super::script::{BIND_ITEM, RELEASE, REPLACE_ITEM};
use crate::{ItemKind, ItemOwner, ItemStore, Replaced, Result, StoreError};
use sarsen_base::ids::PlayerId;

#[async_trait]
impl ItemStore for RedisStore {
    async fn item(&self, owner: &ItemOwner, kind: ItemKind, name: &str) -> Result<Option<Vec<u8>>> {
        let mut get = command("HGET", self.shared.keys.items(owner, kind));
        get.arg(name);
        read(self.shared.client.send_again_if_lost(&get).await?)
    }

    async fn items(&self, owner: &ItemOwner, kind: ItemKind) -> Result<Vec<(String, Vec<u8>)>> {
        let get = command("HGETALL", self.shared.keys.items(owner, kind));
        let mut items: Vec<(String, Vec<u8>)> = read(self.shared.client.send_again_if_lost(&get).await?)?;
        items.sort_unstable();
        Ok(items)
    }

    async fn replace_item(
        &self,
        owner: &ItemOwner,
        kind: ItemKind,
        name: &str,
        found: Option<&[u8]>,
        by: Option<Vec<u8>>,
        most: usize,
    ) -> Result<Replaced> {
        let keys = &self.shared.keys;
        let mut replace = REPLACE_ITEM.on(&[keys.items(owner, kind)]);
        // No stored value is empty.
        replace.arg(name).arg(found.unwrap_or_default()).arg(by.unwrap_or_default()).arg(most);
        if let Some(owner) = kind.announced(name) {
            replace.arg(keys.live()).arg(live::listener(&owner));
        }
        match read(self.shared.client.keep_once(replace).await?)? {
            1 => Ok(Replaced::Done),
            2 => Ok(Replaced::Full),
            _ => Ok(Replaced::Differs),
        }
    }

    async fn bind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<PlayerId> {
        let mut bind = BIND_ITEM.on(&[self.shared.keys.directory(kind, name)]);
        bind.arg(player.as_str());
        holder(&read::<String>(self.shared.client.keep_once(bind).await?)?)
    }

    async fn item_holder(&self, kind: ItemKind, name: &str) -> Result<Option<PlayerId>> {
        let get = command("GET", self.shared.keys.directory(kind, name));
        let held: Option<String> = read(self.shared.client.send_again_if_lost(&get).await?)?;
        held.as_deref().map(holder).transpose()
    }

    async fn unbind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<()> {
        let mut unbind = RELEASE.on(&[self.shared.keys.directory(kind, name)]);
        unbind.arg(player.as_str());
        self.shared.client.keep_once(unbind).await.map(drop)
    }
}

fn holder(name: &str) -> Result<PlayerId> {
    name.parse().map_err(|_| StoreError::Corrupt("a name of the directory belongs to nobody".to_owned()))
}
