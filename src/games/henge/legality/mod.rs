//! Legality: the legal moves, and refusals of the others.
//!
//! In order: [`feasibility`] (which units an action allows with which means), the guard (nothing that the main action
//! needs is spent), the list of legal moves, refusals. The guard tries moves out on the machine, so this
//! module depends on it.

pub(crate) mod feasibility;
mod guard;
mod legal;
mod refusals;
mod revealing;
