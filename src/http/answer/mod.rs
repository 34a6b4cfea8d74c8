//! Answers: problems and their codes, JSON, entity tags, moments.
//!
//! Every other module of this layer uses this one. It knows the errors of the use cases, so that a handler's `?` makes
//! a problem of them. Of requests it knows only their conditions and the encodings that they accept.

pub(crate) mod codes;
pub(crate) mod drawing;
pub(crate) mod errors;
pub mod etag;
pub(crate) mod json;
pub(crate) mod moment;
mod packed;
pub mod problem;
pub(crate) mod shapes;
