//! The HTTP layer: thin handlers, one file a resource, over use cases that know nothing of HTTP.
//!
//! - [`settings`] are plain values; [`service`] is what handlers work with.
//! - [`answer`] is what goes out, [`extract`] what comes in, [`edge`] what is around every request.
//! - [`games`], [`players`], [`devices`], [`identities`], [`my_export`], [`programs`], [`bot_accounts`], [`people`],
//!   [`notifications`], [`pools`], [`mod@matches`], [`events`], [`sandbox`], [`tickets`], [`mod@admin`], [`explanations`]
//!   and [`health`] are the resources.
//! - [`scrape`] is the listener of the metrics; [`drain`] ends streams and long polls at a stop.
//! - [`document`] makes the OpenAPI document of the handlers' declarations, [`docs`] shows it to people, [`playground`]
//!   lets them try; [`app`] puts everything together.
//! - [`mcp`] is the same use cases as tools for agents.
//! - A handler lists the problem codes of its own as `extensions(("x-problems" = json!([Code::GameNotFound])))`.
//! - A stream or long poll ends when its [`drain::Stay`] is over, and takes [`edge::deadline::Deadline`] to wait
//!   longer than other requests may.

// The example of the limits has many properties, and `json!` takes a step for each word of it.
#![recursion_limit = "256"]

mod admin;
pub mod answer;
pub mod app;
mod bot_accounts;
mod bots;
mod devices;
mod docs;
pub mod document;
pub mod drain;
mod edge;
pub mod events;
mod explanations;
mod extract;
mod games;
mod health;
mod identities;
mod leaderboards;
mod limits;
pub mod matches;
mod mcp;
mod my_export;
mod notifications;
mod people;
mod players;
mod playground;
mod pools;
mod programs;
mod ratings;
pub mod sandbox;
pub mod scrape;
pub mod service;
pub mod settings;
mod summary;
mod tickets;
