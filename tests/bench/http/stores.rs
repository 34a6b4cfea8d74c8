//! Stores for one run, each with data of its own, gone afterwards.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::store::Store;
use sarsen::store::embedded::Embedded;
use sarsen::store::redis::{RedisConfig, RedisStore};
use tempfile::TempDir;
use test_kit::redis_server::Server;

/// A kind of store.
#[derive(Clone, Copy)]
pub enum Kind {
    Embedded,
    Redis,
}

/// A store, and what goes with it.
pub struct Opened {
    pub store: Arc<dyn Store>,
    _server: Option<Server>,
    _dir: Option<TempDir>,
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

impl Kind {
    pub async fn open(self) -> Opened {
        match self {
            Kind::Embedded => {
                let dir = tempfile::tempdir().unwrap();
                let store = Arc::new(Embedded::open(dir.path(), Ambient::system()).unwrap());
                Opened { store, _server: None, _dir: Some(dir) }
            }
            Kind::Redis => {
                let server = Server::start(&[]);
                let config = RedisConfig::single(server.url());
                let store = Arc::new(RedisStore::connect(config, Ambient::system()).await.unwrap());
                Opened { store, _server: Some(server), _dir: None }
            }
        }
    }
}
