//! Middleware around every request and answer.
//!
//! Two layers. [`outer::edge`] has the request id, counting, the log line, default headers, and the form of every
//! failure. [`guard::guard`] is inside CORS: it refuses a query where an operation takes none, bounds a request's time
//! and turns a panic into a problem. With both, every error that leaves the service is `application/problem+json`.

pub(crate) mod address;
pub(crate) mod allowance;
pub(crate) mod connection_quota;
pub(crate) mod deadline;
pub(crate) mod failure;
pub(crate) mod guard;
pub(crate) mod log;
pub(crate) mod long_poll;
pub(crate) mod outer;
pub(crate) mod quota;
pub(crate) mod request_id;
pub(crate) mod routes;
