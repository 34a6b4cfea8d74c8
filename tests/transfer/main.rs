//! Transfer: exports and imports between both stores, the check, and what they refuse.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod backups;
mod damage;
mod exports;
mod faults;
mod invites;
mod players;
mod round_trip;

use std::path::Path;
use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::app;
use sarsen::config::StoreSettings;
use sarsen::games::{GameSettings, Games};
use sarsen::store::redis::RedisConfig;
use sarsen::store::{InventoryPage, PageStart, Store};
use sarsen::transfer::Witness;
use sarsen::transfer::check::{self, Checked};
use test_kit::redis_server::Server;

/// Keeps what it is told.
#[derive(Default)]
struct Faults(Vec<(String, String)>);

impl Witness for Faults {
    fn progress(&mut self, _: &str, _: u64) {}

    fn fault(&mut self, name: &str, what: &str) {
        self.0.push((name.to_owned(), what.to_owned()));
    }
}

fn games() -> Games {
    Games::standard(GameSettings::default())
}

async fn embedded(directory: &Path) -> Arc<dyn Store> {
    app::open_store(&StoreSettings::Embedded, directory, &Ambient::system()).await.unwrap()
}

async fn redis(server: &Server) -> Arc<dyn Store> {
    let settings = StoreSettings::Redis(Box::new(RedisConfig {
        response_timeout: std::time::Duration::from_secs(20),
        ..RedisConfig::single(server.url())
    }));
    app::open_store(&settings, Path::new(""), &Ambient::system()).await.unwrap()
}

/// What the check finds.
async fn checked(store: &Arc<dyn Store>, fix: bool) -> (Checked, Vec<(String, String)>) {
    let mut faults = Faults::default();
    let checked = check::check(&**store, &games(), fix, &mut faults).await.unwrap();
    (checked, faults.0)
}

/// Asserts that the check finds nothing wrong, and answers what it has seen.
async fn green(store: &Arc<dyn Store>) -> Checked {
    let (checked, faults) = checked(store, false).await;
    assert_eq!(faults, []);
    assert_eq!((checked.faults, checked.repaired), (0, 0));
    checked
}

/// All pages of an inventory.
async fn all<T>(pages: impl AsyncFn(Option<PageStart>) -> InventoryPage<T>) -> Vec<T> {
    let (mut found, mut from) = (Vec::new(), None);
    loop {
        let page = pages(from).await;
        found.extend(page.items);
        from = page.next;
        if from.is_none() {
            return found;
        }
    }
}
