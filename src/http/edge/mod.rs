//! Middleware around every request and answer.
//!
//! Two layers. [`outer::edge`] has the request id, counting, the log line, default headers, and the form of every
//! failure, whoever made it. [`guard::guard`] stands inside CORS: it refuses a query where there is none to give, bounds
//! a request's time and turns a panic into a problem. Between them nothing leaves the service that is an error and not
//! `application/problem+json`.

pub mod address;
pub mod allowance;
pub mod connection_quota;
pub mod deadline;
pub mod failure;
pub mod guard;
pub mod log;
pub mod long_poll;
pub mod outer;
pub mod quota;
pub mod request_id;
pub mod routes;
