//! The HTTP layer: thin handlers, one file a resource, over use cases that know nothing of HTTP.
//!
//! - [`app`] mounts the handlers; [`openapi`] makes the document of the same declarations.
//! - [`body`] and [`params`] are the extractors; [`problem`] is every failure; [`edge`] is around every request.
//! - A handler lists the problem codes of its own as `extensions(("x-problems" = json!([Code::GameNotFound])))`.
//! - A stream or long poll ends when `Service::stopping` is cancelled, and takes [`edge::Deadline`] to wait longer
//!   than other requests may.

pub mod app;
pub mod body;
pub mod cached;
pub mod caller;
pub mod codes;
mod documented;
pub mod edge;
pub mod etag;
pub mod events;
mod examples;
pub mod games;
mod inline;
mod json;
mod lint;
pub mod matches;
mod moment;
pub mod openapi;
pub mod operations;
pub mod params;
pub mod players;
pub mod problem;
pub mod problems;
pub mod rate;
mod record;
pub mod routes;
pub mod server;
pub mod service;
mod strict_json;
pub mod tickets;
pub mod unions;
