//! The HTTP API through a real server, on both stores.
//!
//! A case is a named function that takes a [`world::World`]; [`world::cases!`] makes a test of it for the
//! embedded store and one for Redis. What only one store can show is a plain test.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

/// As in the program: what is measured here waits as it does there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod admin;
mod agents;
mod agents_bounds;
mod agents_secrecy;
mod agents_told;
mod auth_table;
mod bad_input;
mod boards;
mod bots;
mod bots_load;
mod bounds;
mod client;
mod clocks;
mod components;
mod concerns;
mod conditional;
mod contract;
mod crowd;
mod devices;
mod drain;
mod errors;
mod events;
mod every_game;
mod expiry;
mod failover;
mod follow;
mod forks;
mod hints;
mod idempotency;
mod identities;
mod instances;
mod lifecycle;
mod lobby;
mod log;
mod metrics;
mod notification_outages;
mod notification_rules;
mod notification_types;
mod notifications;
mod notifications_load;
mod outages;
mod people;
mod permitted;
mod pictures;
mod plans;
mod play;
mod pools;
mod private;
mod process;
mod programs;
mod push_browser;
mod push_service;
mod ratings;
mod reads;
mod receiver;
mod redis_access;
mod repeated;
mod replays;
mod resync;
mod reviews;
mod sandbox;
mod secrets;
mod solo;
mod steering;
mod steps;
mod stopping;
mod substitutes;
mod table_life;
mod tables;
mod tokens;
mod tools;
mod undo;
mod whole;
mod world;
