//! The form of what a tool answers, of what it refuses, and of a request that fails.

use rmcp::model::ErrorData;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::problem::Problem;
use sarsen_rules::phrases::counted;

/// The reason why a request has no result.
#[derive(thiserror::Error, Debug)]
pub(super) enum Failure {
    /// A failure of the protocol.
    #[error(transparent)]
    Rpc(#[from] ErrorData),
    /// A failure of the HTTP request, such as a token that does not count any more.
    #[error(transparent)]
    Http(#[from] Problem),
}

/// An answer of a tool: as fields, and as text.
pub(super) trait Told: Serialize + ToSchema {
    /// The text that an agent reads.
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

    /// The text that an agent reads.
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
