//! Moments: when things were done for the first time.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use crate::ambient::Timestamp;
use crate::store::{Moments, Result};

#[async_trait]
impl Moments for Embedded {
    async fn first(&self, name: &str) -> Result<Timestamp> {
        let name = format!("first:{name}");
        self.write(move |group| first(group, &name)).await
    }
}

fn first(group: &mut Group<'_>, name: &str) -> Outcome<Timestamp> {
    let known = group.tables.moments.get(name)?.map(|known| known.value());
    if let Some(known) = known {
        group.idle += 1;
        return Ok(Timestamp(known));
    }
    group.tables.moments.insert(name, group.now.0)?;
    Ok(group.now)
}
