//! The suites that need neither every store nor a client's tools, in one program: linking it takes longer than most of
//! them run.

#[path = "../bots/main.rs"]
mod bots;
#[path = "../deploy/main.rs"]
mod deploy;
#[path = "../environment.rs"]
mod environment;
#[path = "../http.rs"]
mod http;
#[path = "../layers/main.rs"]
mod layers;
#[path = "../openapi/main.rs"]
mod openapi;
#[path = "../own_game/main.rs"]
mod own_game;
#[path = "../pictures/main.rs"]
mod pictures;
#[path = "../tour.rs"]
mod tour;
#[path = "../transfer/main.rs"]
mod transfer;
