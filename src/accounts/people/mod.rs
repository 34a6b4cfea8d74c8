//! People who know each other: contacts, blocks, and reports to the operators.
//!
//! Invariants: contacts and blocks are one-sided, and nobody but their owner reads them; a block tells the blocked player
//! nothing but that some step was refused; a report keeps ids and words, never a secret.

mod relations;
mod reports;
#[cfg(test)]
mod tests;

pub use relations::{People, PeopleRefused, Related, Relation, Shut};
pub use reports::{REPORT_TEXT_MAX, Report, ReportPage, ReportQuery, ReportState};
