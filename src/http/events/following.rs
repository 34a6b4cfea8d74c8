//! The common part of the operations that serve an event log, in every form.

use actix_web::{HttpRequest, HttpResponse};

use super::answering::Asking;
use super::feed::MatchFeed;
use super::form::Form;
use super::inbox::InboxFeed;
use super::query::{MatchFeedQuery, MyFeedQuery};
use super::steps::StepFeed;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::extract::caller::{MaybeCaller, StreamCaller};
use crate::service::Shared;
use sarsen_base::ids::MatchId;

/// A call, apart from what it asks.
pub(crate) struct EventsCall<'a> {
    /// What answers.
    pub(crate) service: &'a Shared,
    /// Who calls.
    pub(crate) caller: StreamCaller,
    /// When the call is given up.
    pub(crate) deadline: &'a Deadline,
    /// The request.
    pub(crate) request: &'a HttpRequest,
}

impl EventsCall<'_> {
    /// Answers with the log of a match.
    ///
    /// # Errors
    /// That the match is not to be seen, and those of what is asked.
    pub(crate) async fn follow_match(
        self,
        id: MatchId,
        mut query: MatchFeedQuery,
        form: Form,
    ) -> Result<HttpResponse, Problem> {
        let EventsCall { service, caller, deadline, request } = self;
        let reader = MaybeCaller(caller.0.clone()).reader(query.invite.take());
        let reader = reader.sitting(query.as_seat);
        let asked = query.asked()?;
        let (extent, text, matches) = (asked.extent, asked.text, service.matches.clone());
        let asking = Asking::of(request, asked, caller, deadline, service);
        match extent {
            Some(extent) => {
                let greets = form != Form::Page;
                asking.answer(StepFeed { matches, reader, id, extent, greets }, form).await
            }
            None => asking.answer(MatchFeed { matches, reader, id, text }, form).await,
        }
    }

    /// Answers with the log of all matches of the caller.
    ///
    /// # Errors
    /// `unauthenticated`, and those of what is asked.
    pub(crate) async fn follow_own(self, query: MyFeedQuery, form: Form) -> Result<HttpResponse, Problem> {
        let EventsCall { service, caller, deadline, request } = self;
        let player = caller.0.as_ref().ok_or(Code::Unauthenticated)?.player.clone();
        let asked = query.asked()?;
        let feed = InboxFeed { matches: service.matches.clone(), player, extent: asked.extent, text: asked.text };
        Asking::of(request, asked, caller, deadline, service).answer(feed, form).await
    }
}
