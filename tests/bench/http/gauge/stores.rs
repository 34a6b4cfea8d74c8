//! Stores for one run, each with data of its own, gone afterwards.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::app;
use sarsen::auth::SigningKeys;
use sarsen::config::{Settings, StoreSettings};
use sarsen::store::Store;
use sarsen::store::redis::RedisConfig;
use tempfile::TempDir;
use test_kit::redis_server::Server;

/// A kind of store.
#[derive(Clone, Copy)]
pub enum Kind {
    Embedded,
    Redis,
}

/// The place where a store keeps its data, and what goes with it.
pub struct Place {
    server: Option<Server>,
    dir: TempDir,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Embedded => "embedded",
            Kind::Redis => "redis",
        })
    }
}

impl FromStr for Kind {
    type Err = ();
    fn from_str(text: &str) -> Result<Kind, ()> {
        [Kind::Embedded, Kind::Redis].into_iter().find(|kind| kind.to_string() == text).ok_or(())
    }
}

impl Place {
    pub fn new(kind: Kind) -> Place {
        let dir = tempfile::tempdir().unwrap();
        let server = match kind {
            Kind::Embedded => None,
            Kind::Redis => Some(Server::start(&[])),
        };
        Place { server, dir }
    }

    /// The settings of a service here.
    pub fn settings(&self) -> Settings {
        let config = |server: &Server| RedisConfig::single(server.url());
        let redis = self.server.as_ref().map(|server| StoreSettings::Redis(Box::new(config(server))));
        let store = redis.unwrap_or(StoreSettings::Embedded);
        let token_keys = Some(SigningKeys::parse(&SigningKeys::new_key_text(&Ambient::system())).unwrap());
        Settings { store, token_keys, ..Settings::local(self.dir.path()) }
    }

    /// The store alone.
    pub async fn open(&self) -> Arc<dyn Store> {
        let Settings { store, data_dir, .. } = self.settings();
        app::open_store(&store, &data_dir, &Ambient::system()).await.unwrap()
    }
}
