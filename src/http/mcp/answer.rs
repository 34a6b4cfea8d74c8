//! The form of what a tool answers, and of what it refuses.

use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::problem::Problem;
use sarsen_rules::phrases::counted;

/// An answer of a tool: as fields, and as text.
pub(super) trait Told: Serialize + ToSchema {
    /// What an agent reads.
    fn text(&self) -> String;
}

/// A call that a tool refuses.
pub(super) struct Refusal {
    pub(super) problem: Problem,
    /// The text below the reason: the rule that decides, and what would be possible instead.
    below: String,
}

impl Refusal {
    /// A refusal with more to say.
    pub(super) fn with(problem: Problem, below: String) -> Refusal {
        Refusal { problem, below }
    }

    /// What an agent reads.
    pub(super) fn text(&self) -> String {
        let body = self.problem.body();
        let mut text = format!("Refused ({}): {}", body.code, body.detail);
        if let Some(path) = &body.path {
            text.push_str(&format!(" At `{path}`."));
        }
        if let Some(seconds) = body.retry_after_seconds {
            text.push_str(&format!(" Try again in {}.", counted(seconds, "second", "seconds")));
        }
        if !self.below.is_empty() {
            text.push_str(&format!("\n{}", self.below));
        }
        text
    }
}

impl<P: Into<Problem>> From<P> for Refusal {
    fn from(problem: P) -> Refusal {
        Refusal { problem: problem.into(), below: String::new() }
    }
}
