//! The explanations of problem codes.

use actix_web::{HttpResponse, Responder, get};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::extract::params::Path;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(list_problems).service(get_problem);
}

/// The explanation of a problem code.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemExplanation {
    /// The code, as in the `code` of a problem.
    pub(crate) code: Code,
    /// The HTTP status that goes with it.
    #[schema(minimum = 400, maximum = 599)]
    pub(crate) status: u16,
    /// The code in a few words, as in the `title` of a problem.
    pub(crate) title: &'static str,
    /// The meaning of the code, and advice on what to do about it.
    pub(crate) explanation: &'static str,
}

/// All problem codes.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemExplanationList {
    /// In the order of the documentation.
    pub(crate) items: Vec<ProblemExplanation>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}

impl From<Code> for ProblemExplanation {
    fn from(code: Code) -> ProblemExplanation {
        ProblemExplanation { code, status: code.status_number(), title: code.title(), explanation: code.explanation() }
    }
}

fn example() -> Value {
    json!(ProblemExplanation::from(Code::StaleDecision))
}

/// List every problem code
///
/// The closed list of what can go wrong; each failure of the service carries one of these codes.
#[utoipa::path(
    operation_id = "listProblems",
    tag = "service",
    security(()),
    extensions(("x-problems" = json!([]))),
    responses((
        status = 200, description = "All codes.", body = ProblemExplanationList,
        example = json!({"items": [example()], "next_cursor": null})
    ))
)]
#[get("/problems")]
pub(crate) async fn list_problems() -> impl Responder {
    let items = Code::ALL.iter().copied().map(ProblemExplanation::from).collect();
    HttpResponse::Ok().json(ProblemExplanationList { items, next_cursor: None })
}

/// Explain one problem code
///
/// This is where a problem's `type` leads.
#[utoipa::path(
    operation_id = "getProblem",
    tag = "service",
    params(Path::<Code>),
    security(()),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 200, description = "The explanation.", body = ProblemExplanation, example = json!(example())))
)]
#[get("/problems/{code}")]
pub(crate) async fn get_problem(code: Path<Code>) -> impl Responder {
    HttpResponse::Ok().json(ProblemExplanation::from(code.0))
}
