//! The OpenAPI document, made from the handlers' own declarations and completed.
//!
//! To add a resource: a file with handlers that carry `#[utoipa::path(..)]` and an actix route attribute with the full
//! path, a `pub fn routes(config: &mut ServiceConfig)` that passes each to `config.service(..)`, and a line in
//! [`routes::mount`]. There is no other way to mount a handler, so none can be missing from the document.

mod examples;
mod game_types;
mod game_unions;
#[cfg(test)]
mod lint;
mod mend;
mod open;
pub mod openapi;
mod operation;
pub(crate) mod paths;
#[cfg(test)]
mod played;
mod problems;
mod record;
pub(crate) mod routes;
mod share;
pub(crate) mod unions;
mod walk;
