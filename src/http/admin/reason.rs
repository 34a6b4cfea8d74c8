//! The reason that comes with what an operator does.

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use sarsen_service::admin::StatedReason;

/// The operator's reason, where the operation has no body.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReasonQuery {
    /// The reason, for the audit.
    #[param(min_length = 1, max_length = 500)]
    reason: String,
}

impl ReasonQuery {
    /// The reason.
    ///
    /// # Errors
    /// `invalid_parameter`.
    pub(crate) fn read(&self) -> Result<StatedReason, Problem> {
        in_query(&self.reason)
    }
}

/// The reason of an operator, where that is all that there is to say.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OperatorReason {
    /// The reason, for the audit.
    #[schema(min_length = 1, max_length = 500, examples("two accounts of one person"))]
    reason: String,
}

impl OperatorReason {
    /// The reason.
    ///
    /// # Errors
    /// `invalid_request`.
    pub(crate) fn read(&self) -> Result<StatedReason, Problem> {
        in_body(&self.reason)
    }
}

/// A reason in the query.
///
/// # Errors
/// `invalid_parameter`.
pub(crate) fn in_query(text: &str) -> Result<StatedReason, Problem> {
    text.parse().map_err(|error| {
        Problem::new(Code::InvalidParameter).field("reason").detail(format!("this cannot be a reason: {error}"))
    })
}

/// A reason in a body.
///
/// # Errors
/// `invalid_request`.
pub(crate) fn in_body(text: &str) -> Result<StatedReason, Problem> {
    text.parse().map_err(|error| {
        Problem::new(Code::InvalidRequest).path("reason").detail(format!("this cannot be a reason: {error}"))
    })
}
