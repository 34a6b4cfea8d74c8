//! The handler to compare with: the same I/O as a move, and nothing else. One load of a record of the same size, one
//! atomic commit of a record and a log entry of the same size with notices to as many players, an answer of the same
//! size; no token, no JSON, no rules.

use std::fmt;
use std::sync::Arc;

use actix_web::{App, HttpResponse, HttpServer, web};
use sarsen::ambient::Ambient;
use sarsen::app::Running;
use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::{Commit, Committed, Stamp, Store};

use super::matches::{Pair, Script, turns};
use super::{Listening, WORKERS};
use crate::connection::Connection;

/// The bytes of a real match half-way.
#[derive(Clone)]
pub struct Payload {
    pub stored: Vec<u8>,
    pub entry: Vec<u8>,
    /// The body of the answer to a move.
    pub moved: web::Bytes,
    /// The body of the answer to the opponent's `GET`.
    pub seen: web::Bytes,
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [stored, entry] = [&self.stored, &self.entry].map(Vec::len);
        let [moved, seen] = [&self.moved, &self.seen].map(|body| body.len());
        write!(
            f,
            "a stored match has {stored} bytes, an entry {entry}, the answer to POST {moved}, the answer to GET {seen}"
        )
    }
}

impl Payload {
    /// Plays a match half-way and takes what it finds.
    pub async fn sample(real: &Running, script: &Script) -> Payload {
        let pair = Pair::new(&real.service).await;
        let (id, white) = pair.begin(&real.service).await;
        let mut connection = Connection::open(real.addr).await;
        let (mut moved, mut seen, mut version) = (Vec::new(), Vec::new(), 2);
        for turn in turns(&id, &pair, script, white, true).into_iter().take(script.0.len() / 2) {
            moved = connection.exchange(&turn.post.0, turn.post.1).await.to_vec();
            seen = connection.exchange(&turn.get.unwrap(), 200).await.to_vec();
            version += 1;
        }
        let loaded = real.store.load_match(&id, None).await.unwrap().unwrap();
        assert_eq!(loaded.version, version);
        let entry = real.store.log(&id, version - 1, 1).await.unwrap().remove(0);
        Payload { stored: loaded.stored, entry, moved: moved.into(), seen: seen.into() }
    }
}

struct Bare {
    store: Arc<dyn Store>,
    payload: Payload,
}

type Names = web::Path<(MatchId, PlayerId, PlayerId)>;

async fn post(bare: web::Data<Bare>, names: Names, _body: web::Bytes) -> HttpResponse {
    let (id, one, other) = names.into_inner();
    let loaded = bare.store.load_match(&id, None).await.unwrap().unwrap();
    let commit = Commit {
        id,
        expected: loaded.version,
        expected_stamp: Some(loaded.stamp),
        stamp: Stamp::draw(&Ambient::system()),
        stored: bare.payload.stored.clone(),
        entry: bare.payload.entry.clone(),
        listing: None,
        listed: None,
        replay: None,
        notify: vec![one, other],
        due: sarsen::store::Due::Leave,
        jobs: Vec::new(),
    };
    assert_eq!(bare.store.commit(commit).await.unwrap(), Committed::Yes);
    HttpResponse::Ok().content_type("application/json").body(bare.payload.moved.clone())
}

async fn get(bare: web::Data<Bare>, names: Names) -> HttpResponse {
    let loaded = bare.store.load_match(&names.0, None).await.unwrap().unwrap();
    assert_eq!(loaded.stored.len(), bare.payload.stored.len());
    HttpResponse::Ok().content_type("application/json").body(bare.payload.seen.clone())
}

pub async fn serve_bare(store: Arc<dyn Store>, payload: Payload) -> Listening {
    let bare = web::Data::new(Bare { store, payload });
    let route = "/v1/bare/{id}/{one}/{other}";
    let app = move || App::new().app_data(bare.clone()).service(web::resource(route).get(get).post(post));
    let server = HttpServer::new(app).workers(WORKERS).disable_signals().bind(("127.0.0.1", 0)).unwrap();
    let addr = server.addrs()[0];
    let server = server.run();
    let handle = server.handle();
    tokio::spawn(server);
    Listening { addr, handle }
}
