//! Items, in the order of owner, kind and name; and the directory beside them.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use super::layout::{DIRECTORY, ITEMS, ItemKey};
use crate::{ItemKind, ItemOwner, ItemStore, Live, Replaced, Result};
use sarsen_base::ids::PlayerId;

type Items = Vec<(String, Vec<u8>)>;

#[async_trait]
impl ItemStore for Embedded {
    async fn item(&self, owner: &ItemOwner, kind: ItemKind, name: &str) -> Result<Option<Vec<u8>>> {
        self.read(|file| {
            let found = file.open_table(ITEMS)?.get((number(owner), kind.name(), name))?;
            Ok(found.map(|stored| stored.value().to_vec()))
        })
    }

    async fn items(&self, owner: &ItemOwner, kind: ItemKind) -> Result<Vec<(String, Vec<u8>)>> {
        let owner = number(owner);
        self.read_many(usize::MAX, move |file| of_kind(&file.open_table(ITEMS)?, owner, kind)).await
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
        let key = (number(owner), kind, name.to_owned());
        let found = found.map(<[u8]>::to_vec);
        self.write(move |group| replace(group, &key, found.as_deref(), by.as_deref(), most)).await
    }

    async fn bind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<PlayerId> {
        let (name, player) = (name.to_owned(), player.clone());
        self.write(move |group| {
            let directory = &mut group.tables.directory;
            let held = directory.get((kind.name(), name.as_str()))?.map(|holder| holder.value());
            if let Some(held) = held {
                return group.unchanged(PlayerId::from_number(held));
            }
            directory.insert((kind.name(), name.as_str()), player.number())?;
            Ok(player)
        })
        .await
    }

    async fn item_holder(&self, kind: ItemKind, name: &str) -> Result<Option<PlayerId>> {
        self.read(|file| {
            let held = file.open_table(DIRECTORY)?.get((kind.name(), name))?;
            Ok(held.map(|holder| PlayerId::from_number(holder.value())))
        })
    }

    async fn unbind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<()> {
        let (name, player) = (name.to_owned(), player.number());
        self.write(move |group| {
            let directory = &mut group.tables.directory;
            let held = directory.get((kind.name(), name.as_str()))?.map(|holder| holder.value());
            if held != Some(player) {
                return group.unchanged(());
            }
            directory.remove((kind.name(), name.as_str()))?;
            Ok(())
        })
        .await
    }
}

/// Returns the owner as a key: no player has the number 0.
fn number(owner: &ItemOwner) -> u128 {
    match owner {
        ItemOwner::Player(player) => player.number(),
        ItemOwner::Service => 0,
    }
}

/// The items of a kind.
fn of_kind(table: &impl ReadableTable<ItemKey<'static>, &'static [u8]>, owner: u128, kind: ItemKind) -> Outcome<Items> {
    let mut items = Vec::new();
    for entry in table.range((owner, kind.name(), "")..)? {
        let (key, stored) = entry?;
        let (of, which, name) = key.value();
        if (of, which) != (owner, kind.name()) {
            break;
        }
        items.push((name.to_owned(), stored.value().to_vec()));
    }
    Ok(items)
}

/// The number of items of a kind, at most `most`.
fn count(
    table: &impl ReadableTable<ItemKey<'static>, &'static [u8]>,
    owner: u128,
    kind: ItemKind,
    most: usize,
) -> Outcome<usize> {
    let mut count = 0;
    for entry in table.range((owner, kind.name(), "")..)? {
        let (key, _) = entry?;
        let (of, which, _) = key.value();
        if (of, which) != (owner, kind.name()) || count >= most {
            break;
        }
        count += 1;
    }
    Ok(count)
}

fn replace(
    group: &mut Group<'_>,
    (owner, kind, name): &(u128, ItemKind, String),
    found: Option<&[u8]>,
    by: Option<&[u8]>,
    most: usize,
) -> Outcome<Replaced> {
    let items = &mut group.tables.items;
    let key = (*owner, kind.name(), name.as_str());
    let stands = items.get(key)?.map(|stored| stored.value().to_vec());
    if stands.as_deref() != found {
        group.idle += 1;
        return Ok(Replaced::Differs);
    }
    let has_room = by.is_none() || stands.is_some() || most == usize::MAX;
    if !has_room && count(items, *owner, *kind, most)? >= most {
        group.idle += 1;
        return Ok(Replaced::Full);
    }
    match by {
        Some(by) => drop(items.insert(key, by)?),
        None => drop(items.remove(key)?),
    }
    group.live.extend(kind.announced(name).map(Live::Listener));
    Ok(Replaced::Done)
}
