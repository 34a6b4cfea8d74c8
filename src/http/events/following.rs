//! The common part of the operations that serve an event log, in every form.

use actix_web::{HttpRequest, HttpResponse};

use super::answering::Asking;
use super::feed::MatchFeed;
use super::form::Form;
use super::inbox::{FurtherSessions, InboxFeed};
use super::presence::{PresenceLook, SeatPresence};
use super::query::{MatchFeedQuery, MyFeedQuery};
use super::steps::StepFeed;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::extract::caller::{MaybeCaller, StreamCaller};
use crate::service::Shared;
use sarsen_base::ids::MatchId;

/// The parts of a call that its handler extracts, apart from what it asks.
pub(crate) type EventsCall = (Shared, StreamCaller, Deadline, HttpRequest);

/// Answers with the log of a match.
pub(crate) async fn follow_match(
    (service, caller, deadline, request): EventsCall,
    id: MatchId,
    mut query: MatchFeedQuery,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let reader = MaybeCaller(caller.0.clone()).reader(query.invite.take());
    let reader = reader.sitting(query.as_seat);
    let tells = query.presence;
    let asked = query.asked()?;
    let (extent, text, matches) = (asked.extent, asked.text, service.matches.clone());
    let look = tells.then(|| {
        let (matches, reader, id, streaming) = (matches.clone(), reader.clone(), id.clone(), service.streaming.clone());
        let seat = move |(seat, player)| SeatPresence { seat, connected: streaming.is_streaming(&player) };
        let players = move || matches.last_known_players(&reader, &id);
        let look: PresenceLook = Box::new(move || Some(players()?.into_iter().map(&seat).collect()));
        look
    });
    let asking = Asking::of(&request, asked, caller, &deadline, &service).telling(look);
    match extent {
        Some(extent) => {
            let greets = form != Form::Page;
            asking.answer(StepFeed { matches, reader, id, extent, greets }, form).await
        }
        None => asking.answer(MatchFeed { matches, reader, id, text }, form).await,
    }
}

/// Answers with the log of all matches of the caller.
pub(crate) async fn follow_own(
    (service, caller, deadline, request): EventsCall,
    query: MyFeedQuery,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let principal = caller.0.as_ref().ok_or(Code::Unauthenticated)?;
    let (player, sessions) = (principal.player.clone(), FurtherSessions::of(&service, principal));
    let asked = query.asked()?;
    let (matches, extent, text) = (service.matches.clone(), asked.extent, asked.text);
    let feed = InboxFeed { matches, player, extent, text, sessions };
    Asking::of(&request, asked, caller, &deadline, &service).answer(feed, form).await
}
