//! Moments: when things were done for the first time.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use super::layout::MOMENTS;
use crate::ambient::Timestamp;
use crate::store::{Moments, Result};

#[async_trait]
impl Moments for Embedded {
    async fn first(&self, name: &str) -> Result<Timestamp> {
        let name = first_name(name);
        self.write(move |group| first(group, &name)).await
    }

    async fn moment(&self, name: &str) -> Result<Option<Timestamp>> {
        let name = first_name(name);
        self.read(|transaction| {
            let known = transaction.open_table(MOMENTS)?.get(name.as_str())?;
            Ok(known.map(|known| Timestamp(known.value())))
        })
    }
}

/// The name under which a first moment is kept.
fn first_name(name: &str) -> String {
    format!("first:{name}")
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
