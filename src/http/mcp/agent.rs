//! A request of a signed-in agent, and what it works with.

use actix_web::{HttpRequest, web};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::edge::deadline::Deadline;
use crate::games::CatalogueAnswers;
use crate::service::Shared;
use sarsen_accounts::auth::Principal;
use sarsen_base::ids::MatchId;
use sarsen_base::telemetry::Metrics;
use sarsen_matches::Reader;
use sarsen_rules::Seat;

/// A request of a signed-in agent.
pub(super) struct Agent {
    pub(super) service: Shared,
    pub(super) catalogue: web::Data<CatalogueAnswers>,
    pub(super) caller: Principal,
    pub(super) deadline: Deadline,
    pub(super) request: HttpRequest,
}

impl Agent {
    /// The caller, on this seat among several of their own.
    pub(super) fn reader(&self, as_seat: Option<Seat>) -> Reader {
        Reader::from(&self.caller).sitting(as_seat)
    }

    /// The caller on this seat; without one, on the lowest of their own seats that has a decision to make.
    pub(super) async fn reader_to_act(&self, id: &MatchId, as_seat: Option<Seat>) -> Reader {
        let seen = match as_seat {
            Some(_) => None,
            None => self.service.matches.read(&self.reader(None), id).await.ok(),
        };
        let acts = || seen.and_then(|viewed| viewed.live.seat_to_act(&self.caller.player));
        self.reader(as_seat.or_else(acts))
    }

    /// Counts a read by the caller.
    ///
    /// # Errors
    /// `rate_limited`.
    pub(super) fn count_read(&self) -> Result<(), Problem> {
        allowance::count_read(&self.request, &self.service, Some(&self.caller))
    }

    /// Counts what a tool refuses, which is no failure of the HTTP request.
    pub(super) fn count_problem(&self, code: Code) {
        if let Some(metrics) = self.request.app_data::<web::Data<Metrics>>() {
            metrics.requests.problems.count(code.name());
        }
        if code == Code::WrongInvite {
            allowance::count_wrong_invite(&self.request, &self.service);
        }
    }
}
