//! The floor: a server that does what a move needs at the very least, and nothing else. It loads a value of the size of
//! the game's record, puts the next in its place with an event behind it if nobody was quicker, and answers the value.
//!
//! A connection to Redis for each worker, on the worker's own runtime; two trips, of which the second is one script. Where
//! replicas are waited for, that goes over a connection which nobody else uses meanwhile, since `WAIT` holds up whatever
//! comes after it on its own. It lacks tokens, rules, JSON and everything that lists, inboxes and followers need.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::rt::System;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use clap::Args;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, Pipeline, RedisResult, Script};

/// The number of values, numbered from 0.
pub const VALUES: usize = 4096;

/// A value begins with its version, in so many digits.
const VERSION_DIGITS: usize = 10;

/// About as long as a small event of a move.
const EVENT: &str =
    r#"{"type":"moved","seat":1,"at":"2026-01-01T00:00:00.000Z","data":{"from":"12b","to":"17b","piece":3}}"#;

/// Answers whether it was the version that was expected.
const SCRIPT: &str = "
if redis.call('GETRANGE', KEYS[1], 0, ARGV[4] - 1) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', '256', '*', 'e', ARGV[3])
redis.call('PUBLISH', KEYS[2], ARGV[3])
return 1";

/// The arguments with which it is started.
#[derive(Args)]
pub struct ProgramTerms {
    /// The port of its Redis server.
    #[arg(long)]
    pub redis: u16,
    /// Bytes of a value.
    #[arg(long)]
    pub value_bytes: usize,
    /// Worker threads.
    #[arg(long)]
    pub workers: usize,
    /// Number of replicas that must have a move before it is answered.
    #[arg(long)]
    pub replicas: u32,
}

struct Floor {
    client: Client,
    hash: String,
    replicas: u32,
}

/// A worker's connections on which nobody waits for replicas just now.
type Lanes = Rc<RefCell<Vec<MultiplexedConnection>>>;

/// Serves at a free port until it is killed; its first line says where.
pub fn serve(terms: ProgramTerms) {
    System::new().block_on(async {
        let client = Client::open(("127.0.0.1", terms.redis)).unwrap();
        let mut connection = connect(client.clone()).await.unwrap();
        let hash = Script::new(SCRIPT).load_async(&mut connection).await.unwrap();
        fill(&mut connection, terms.value_bytes).await;
        let floor = web::Data::from(Arc::new(Floor { client: client.clone(), hash, replicas: terms.replicas }));
        let app = move || {
            let client = client.clone();
            let connect = move || connect(client.clone());
            let app = App::new().app_data(floor.clone()).app_data(Lanes::default()).data_factory(connect);
            app.route("/values/{number}", web::post().to(post))
        };
        let server = HttpServer::new(app).workers(terms.workers).bind(("127.0.0.1", 0)).unwrap();
        println!("the floor serves at http://{}", server.addrs()[0]);
        server.run().await.unwrap();
    });
}

/// On a busy machine Redis is slow, not away.
pub async fn connect(client: Client) -> RedisResult<MultiplexedConnection> {
    let patient = AsyncConnectionConfig::new().set_connection_timeout(None).set_response_timeout(None);
    client.get_multiplexed_async_connection_with_config(&patient).await
}

async fn fill(connection: &mut MultiplexedConnection, bytes: usize) {
    let value = format!("{:0VERSION_DIGITS$}{}", 1, "x".repeat(bytes.saturating_sub(VERSION_DIGITS)));
    let mut pipeline = Pipeline::new();
    for number in 0..VALUES {
        pipeline.set(value_key(number), &value).ignore();
    }
    let () = pipeline.query_async(connection).await.unwrap();
}

/// The key of a value.
pub fn value_key(number: usize) -> String {
    format!("v:{number}")
}

async fn post(
    floor: web::Data<Floor>,
    connection: web::Data<MultiplexedConnection>,
    number: web::Path<usize>,
    request: HttpRequest,
    _body: web::Bytes,
) -> HttpResponse {
    let mut connection = MultiplexedConnection::clone(&connection);
    let key = value_key(*number);
    let mut value: Vec<u8> = Cmd::get(&key).query_async(&mut connection).await.unwrap();
    let old: [u8; VERSION_DIGITS] = value[..VERSION_DIGITS].try_into().unwrap();
    let version: u64 = std::str::from_utf8(&old).unwrap().parse().unwrap();
    value[..VERSION_DIGITS].copy_from_slice(format!("{:0VERSION_DIGITS$}", version + 1).as_bytes());
    let mut commit = redis::cmd("EVALSHA");
    commit.arg(&floor.hash).arg(2).arg(&key).arg(format!("e:{number}"));
    commit.arg(&old).arg(&value).arg(EVENT).arg(VERSION_DIGITS);
    let done: bool = match floor.replicas {
        0 => commit.query_async(&mut connection).await.unwrap(),
        replicas => {
            let mut both = Pipeline::new();
            both.add_command(commit).cmd("WAIT").arg(replicas).arg(5000);
            let lanes = request.app_data::<Lanes>().unwrap();
            let free = lanes.borrow_mut().pop();
            let mut lane = match free {
                Some(lane) => lane,
                None => connect(floor.client.clone()).await.unwrap(),
            };
            let (done, reached): (bool, u32) = both.query_async(&mut lane).await.unwrap();
            lanes.borrow_mut().push(lane);
            assert!(reached >= replicas, "a replica is away");
            done
        }
    };
    match done {
        true => HttpResponse::Ok().content_type("application/json").body(value),
        false => HttpResponse::Conflict().finish(),
    }
}
