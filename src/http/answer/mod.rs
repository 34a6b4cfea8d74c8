//! Answers: problems and their codes, JSON, entity tags, moments.
//!
//! Every other room of this layer stands on this one. It knows the errors of the use cases, so that a handler's `?`
//! makes a problem of them, and nothing of requests but their conditions and
//! the encodings that they accept.

pub(crate) mod codes;
pub(crate) mod drawing;
pub(crate) mod errors;
pub mod etag;
pub(crate) mod json;
pub(crate) mod moment;
mod packed;
pub mod problem;
pub(crate) mod shapes;
