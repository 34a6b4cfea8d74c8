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
use sarsen::store::{InventoryPage, ItemKind, PageStart, Store};
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

/// Returns the findings of the check.
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

/// An item of a kind, or the body of a delivery's job, as it is stored.
fn item_of(kind: ItemKind) -> Vec<u8> {
    let text = match kind {
        ItemKind::Identity => r#"{"v":1,"issuer":"https://issuer.example","linked_at":1}"#,
        ItemKind::Token => {
            r#"{"v":1,"name":"a","hash":"AQ","scopes":["read"],"created_at":1,"expires_at":2,"used_at":1}"#
        }
        ItemKind::Recovery
        | ItemKind::Bot
        | ItemKind::Contact
        | ItemKind::Block
        | ItemKind::Idle
        | ItemKind::Listener => r#"{"v":1,"since":7}"#,
        ItemKind::Report => {
            r#"{"v":1,"by":"p_00000000000000000000000000000001","player":"p_00000000000000000000000000000002","reason":"insults","at":1}"#
        }
        ItemKind::Webhook => {
            r#"{"v":1,"url":"https://hook.example/","events":[],"secrets":[{"secret":"whsec_AAEC"}],"created_at":1}"#
        }
        ItemKind::PushSubscription => {
            r#"{"v":1,"endpoint":"https://push.example/1","keys":{"p256dh":"BA","auth":"AA"},"events":[],"created_at":1}"#
        }
        ItemKind::Delivery => {
            r#"{"v":1,"id":"msg_00000000000000000000000001","way":"webhook","target":"w_00000000000000000000000000000002","kind":"match.started","created_at":1,"body":"{}","attempts":0,"state":"pending"}"#
        }
    };
    text.as_bytes().to_vec()
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
