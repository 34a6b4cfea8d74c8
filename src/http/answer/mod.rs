//! Answers: problems and their codes, JSON, entity tags, moments.
//!
//! Every other room of this layer stands on this one. It knows the errors of the use cases, so that a handler's `?`
//! makes a problem of them, and nothing of requests but their conditions and
//! the encodings that they accept.

pub mod codes;
pub mod drawing;
pub(crate) mod errors;
pub mod etag;
pub mod json;
pub mod moment;
mod packed;
pub mod problem;
pub mod shapes;
