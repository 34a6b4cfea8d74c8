//! Files in `deploy/` fit the program: every setting, port, path, metric and label that they name is there.
//!
//! It needs nginx, but no network and no tool of Kubernetes or Prometheus. What it deliberately lacks: the whole schemas of
//! these; it knows the kinds that are used, and what must stand in them.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod container;
mod documents;
mod exported;
mod expressions;
mod files;
mod kubernetes;
mod kustomization;
mod metrics;
mod proxy;
