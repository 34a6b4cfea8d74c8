//! The OpenAPI document, made from the handlers' own declarations and completed.

mod documented;
mod examples;
mod lint;
mod mend;
pub mod openapi;
mod record;
pub mod unions;
