//! The bodies of answers that show a match, written straight into the bytes that are sent.
//!
//! Invariant: they are what serde makes of the structs in [`super::types`], which the document describes; a test compares
//! for all games. The game's view and its lists are written by the game itself, and what seldom changes of a match stands
//! ready beside it ([`sarsen_matches::head`]).

use std::sync::Arc;

use super::clock::{ClockBody, SeatClockBody};
use super::types::{AnswerForms, LegalMovesForm};
use sarsen_games::ListForm;
use crate::answer::json::{Object, ROOM, append, array};
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use sarsen_matches::cursor::EventCursor;
use sarsen_matches::head::{Head, HeadFacts, HeadText};
use sarsen_matches::invites::OpenInvite;
use sarsen_matches::play::{DecisionId, Moved};
use sarsen_matches::spoken::Speaker;
use sarsen_matches::told::{EventId, ToldEvent};
use sarsen_matches::{Refused, ShownMove, ViewedMatch};
use sarsen_rules::{Seat, Seats};

/// A match with the state of its game and the caller's decision: [`MatchView`](super::types::MatchView).
///
/// # Errors
/// If the view or the legal moves have no JSON form.
pub fn match_view(viewed: &ViewedMatch, forms: AnswerForms) -> Result<Vec<u8>, Problem> {
    filled(&*head(viewed)?, |head, into| {
        let mut object = Object::begin(into);
        write_match(viewed, head, object.key("match"))?;
        write_state(viewed, object.key("state"))?;
        write_last_move(viewed, forms, object.key("last_move"))?;
        write_undo(viewed, &mut object)?;
        write_decision(viewed, forms, object.key("decision"))?;
        object.end();
        Ok(())
    })
}

/// The answer to a move: [`MoveResult`](super::types::MoveResult).
///
/// # Errors
/// If the view or the legal moves have no JSON form.
pub fn move_result(moved: &Moved, forms: AnswerForms, dry_run: bool) -> Result<Vec<u8>, Problem> {
    let viewed = &moved.viewed;
    filled(&*head(viewed)?, |head, into| {
        let mut object = Object::begin(into);
        object.property("version", &viewed.live.stored.version)?;
        object.property("move", &moved.mv.json)?;
        object.property("notation", &moved.mv.notation)?;
        let speaker = Speaker::if_asked(forms.text, &viewed.live);
        if let Some(speaker) = &speaker {
            object.property("text", &speaker.mv(&moved.mv.json).map_err(Refused::from)?)?;
        }
        write_events(&moved.events, speaker.as_ref(), object.key("events"))?;
        write_match(viewed, head, object.key("match"))?;
        write_state(viewed, object.key("state"))?;
        write_last_move(viewed, forms, object.key("last_move"))?;
        write_undo(viewed, &mut object)?;
        write_seats(viewed.live.to_act(), object.key("to_act"))?;
        write_decision(viewed, forms, object.key("decision"))?;
        object.property("dry_run", &dry_run)?;
        object.property("chance_pending", &moved.chance_pending)?;
        object.end();
        Ok(())
    })
}

/// How much of a match stands beside events, and in which forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The caller's decision beside the match and its state, with its legal moves in this form.
    pub decision: Option<LegalMovesForm>,
    /// Whether moves, legal moves and events are told in words too.
    pub text: bool,
}

impl Extent {
    /// A number of its own.
    pub fn number(self) -> u8 {
        let decision = match self.decision {
            None => 0,
            Some(LegalMovesForm::Full) => 1,
            Some(LegalMovesForm::Notation) => 2,
            Some(LegalMovesForm::None) => 3,
        };
        2 * decision + u8::from(self.text)
    }

    fn forms(self) -> AnswerForms {
        AnswerForms { legal_moves: self.decision.unwrap_or_default(), text: self.text }
    }
}

/// So much of the match, as properties of an object: `match`, `state`, `last_move`, `undo`, `takeback` and perhaps `decision`.
///
/// # Errors
/// If the view or the legal moves have no JSON form.
pub fn view_properties(viewed: &ViewedMatch, extent: Extent) -> Result<Vec<u8>, Problem> {
    filled(&*head(viewed)?, |head, into| {
        let mut object = Object::within(into);
        write_match(viewed, head, object.key("match"))?;
        write_state(viewed, object.key("state"))?;
        write_last_move(viewed, extent.forms(), object.key("last_move"))?;
        write_undo(viewed, &mut object)?;
        if extent.decision.is_some() {
            write_decision(viewed, extent.forms(), object.key("decision"))?;
        }
        Ok(())
    })
}

/// A record of a step: [`MatchStep`](super::types::MatchStep). `view` is what [`view_properties`] writes.
///
/// # Errors
/// If an event has no JSON form.
pub fn match_step(
    next: EventCursor,
    version: u64,
    events: &[ToldEvent],
    speaker: Option<&Speaker<'_>>,
    view: &[u8],
) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(view.len() + ROOM_FOR_EVENTS * (events.len() + 1));
    let mut object = Object::begin(&mut bytes);
    object.property("cursor", &format_args!("{next}"))?;
    object.property("version", &version)?;
    write_events(events, speaker, object.key("events"))?;
    object.ready(view);
    object.end();
    Ok(bytes)
}

/// What one event takes at most as a rule, in bytes.
pub const ROOM_FOR_EVENTS: usize = 256;

/// Writes events as they are told, with words where somebody speaks: each an [`EventBody`](super::types::EventBody).
///
/// # Errors
/// If an event has no JSON form.
pub fn write_events(events: &[ToldEvent], speaker: Option<&Speaker<'_>>, into: &mut Vec<u8>) -> Result<(), Problem> {
    // Those of one step share its version and its moment, which are written once.
    let (mut step, mut of_step) = (None, Vec::new());
    array(events, into, |told, into| {
        let EventId { version, index } = told.id;
        if step != Some((version, told.at)) {
            of_step.clear();
            let mut properties = Object::within(&mut of_step);
            properties.property("version", &version)?;
            properties.property("at", &Moment(told.at))?;
            step = Some((version, told.at));
        }
        let mut object = Object::begin(into);
        let id = object.key("id");
        id.push(b'"');
        append(&version, id)?;
        id.push(b'.');
        append(&index, id)?;
        id.push(b'"');
        object.ready(&of_step);
        object.property("last", &told.last)?;
        object.key("event").extend_from_slice(told.event.get().as_bytes());
        if let Some(speaker) = speaker {
            object.property("text", &speaker.event(&told.event).map_err(Refused::from)?)?;
        }
        object.end();
        Ok(())
    })
}

/// What an invite leads to: [`Invitation`](super::invites::Invitation).
///
/// # Errors
/// If the match has no JSON form.
pub fn invitation(invite: &OpenInvite) -> Result<Vec<u8>, Problem> {
    filled(&*head(&invite.viewed)?, |head, into| {
        let mut object = Object::begin(into);
        write_match(&invite.viewed, head, object.key("match"))?;
        object.property("seat", &invite.seat)?;
        object.property("expires_at", &Moment(invite.until))?;
        object.end();
        Ok(())
    })
}

/// A page of matches: [`MatchPageBody`](super::list::MatchPageBody).
///
/// # Errors
/// If a match has no JSON form.
pub fn match_page(items: &[ViewedMatch], next: Option<String>) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(ROOM);
    let mut object = Object::begin(&mut bytes);
    array(items, object.key("items"), |viewed, into| write_match(viewed, &*head(viewed)?, into))?;
    object.property("next_cursor", &next)?;
    object.end();
    Ok(bytes)
}

/// What `write` writes, in room for a little more than the last answer about the match took.
fn filled(head: &Head, write: impl FnOnce(&Head, &mut Vec<u8>) -> Result<(), Problem>) -> Result<Vec<u8>, Problem> {
    let before = head.room();
    let mut bytes = Vec::with_capacity(if before == 0 { ROOM } else { before + before / 4 });
    write(head, &mut bytes)?;
    head.took(bytes.len());
    Ok(bytes)
}

/// The parts of a head; from the last on, one a seat.
const SETTLED: usize = 0;
const CREATION: usize = 1;
const COMMITMENT: usize = 2;
const FIRST_SEAT: usize = 3;

fn head(viewed: &ViewedMatch) -> Result<Arc<Head>, Problem> {
    viewed.head(write_head)
}

/// The properties of the facts, each part as it stands within an object.
fn write_head(facts: &HeadFacts) -> Result<HeadText, Problem> {
    let mut text = HeadText::default();
    part(&mut text, |object| {
        object.property("id", &facts.id)?;
        object.property("game", &facts.game)?;
        object.property("rules_version", &facts.rules_version)?;
        object.property("options", &facts.options)?;
        object.property("visibility", &facts.visibility)
    })?;
    part(&mut text, |object| {
        object.property("created_by", &facts.creator)?;
        object.property("start", &facts.start)?;
        object.property("move_time_seconds", &facts.move_time_seconds)?;
        object.property("clock", &facts.clock.map(ClockBody::from))?;
        object.property("hints", &facts.hints)?;
        object.property("undo", &facts.undo)?;
        object.property("hotseat", &facts.hotseat)?;
        object.property("analysis", &facts.forked_from.is_some())?;
        object.property("forked_from", &facts.forked_from)?;
        object.property("spectators", &facts.spectators)?;
        object.property("expires_at", &facts.expires_at.map(Moment))?;
        object.property("created_at", &Moment(facts.created_at))?;
        object.property("started_at", &facts.started_at.map(Moment))
    })?;
    part(&mut text, |object| object.property("commitment", &facts.commitment))?;
    for (index, seat) in facts.seats.iter().enumerate() {
        part(&mut text, |object| {
            object.property("seat", &index)?;
            object.property("player", &seat.player)?;
            object.property("bot", &seat.bot)?;
            object.property("reserved_for", &seat.reserved_for)?;
            object.property("substituted", &seat.substituted)?;
            object.property("resigned", &seat.resigned)?;
            object.property("entropy_given", &seat.entropy_given)
        })?;
    }
    Ok(text)
}

/// Adds a part: the properties that `write` writes.
fn part(text: &mut HeadText, write: impl FnOnce(&mut Object<'_>) -> Result<(), Problem>) -> Result<(), Problem> {
    write(&mut Object::within(text.bytes()))?;
    text.end_part();
    Ok(())
}

/// A match, apart from the state of its game: [`Match`](super::types::Match).
fn write_match(viewed: &ViewedMatch, head: &Head, into: &mut Vec<u8>) -> Result<(), Problem> {
    let stored = &viewed.live.stored;
    let mut object = Object::begin(into);
    object.ready(head.part(SETTLED));
    object.property("status", &stored.stage)?;
    object.property("version", &stored.version)?;
    array(viewed.live.seat_count().seats(), object.key("seats"), |seat, into| {
        let mut object = Object::begin(into);
        object.ready(head.part(FIRST_SEAT + seat.index()));
        object.property("claimable_at", &viewed.live.claimable_at(seat).map(Moment))?;
        object.property("clock", &SeatClockBody::of(&viewed.live, seat))?;
        object.end();
        Ok::<_, Problem>(())
    })?;
    object.ready(head.part(CREATION));
    object.property("updated_at", &Moment(stored.updated_at))?;
    object.property("ended_at", &stored.ended_at.map(Moment))?;
    write_seats(viewed.live.to_act(), object.key("to_act"))?;
    object.property("draw_agreed_by", &stored.draw)?;
    object.ready(head.part(COMMITMENT));
    object.property("seed", &viewed.live.revealed_seed())?;
    object.property("outcome", &stored.outcome)?;
    object.property("your_seat", &viewed.seat())?;
    object.property("invite_code", &stored.terms.invite.as_deref().filter(|_| viewed.insider))?;
    object.property("rematch", &viewed.rematch)?;
    object.end();
    Ok(())
}

fn write_seats(seats: Seats, into: &mut Vec<u8>) -> Result<(), Problem> {
    array(seats.iter(), into, |seat: Seat, into| append(&seat, into))
}

fn write_state(viewed: &ViewedMatch, into: &mut Vec<u8>) -> Result<(), Problem> {
    Ok(viewed.live.write_view(viewed.viewer, into).map_err(Refused::from)?)
}

/// The last move: [`LastMove`](super::types::LastMove), or null.
fn write_last_move(viewed: &ViewedMatch, forms: AnswerForms, into: &mut Vec<u8>) -> Result<(), Problem> {
    let Some(ShownMove { seat, mv }) = viewed.last_move().map_err(Refused::from)? else { return append(&(), into) };
    let mut object = Object::begin(into);
    object.property("seat", &seat)?;
    object.property("move", &mv.as_ref().map(|mv| &mv.json))?;
    object.property("notation", &mv.as_ref().map(|mv| &mv.notation))?;
    if let Some(mv) = mv.filter(|_| forms.text) {
        object.property("text", &Speaker::of(&viewed.live).mv(&mv.json).map_err(Refused::from)?)?;
    }
    object.end();
    Ok(())
}

/// What the caller can undo, and the takeback on offer.
fn write_undo(viewed: &ViewedMatch, object: &mut Object<'_>) -> Result<(), Problem> {
    object.property("undo", &viewed.free_undo())?;
    object.property("takeback", &viewed.live.takeback())
}

/// The caller's open decision: [`Decision`](super::types::Decision), or null.
fn write_decision(viewed: &ViewedMatch, forms: AnswerForms, into: &mut Vec<u8>) -> Result<(), Problem> {
    let open = viewed.seat().and_then(|seat| Some((seat, viewed.live.asks_player(seat)?, viewed.live.state()?)));
    let Some((seat, open, state)) = open else { return append(&(), into) };
    let mut object = Object::begin(into);
    object.property("id", &format_args!("{}", DecisionId { version: open.version, seat }))?;
    object.property("seat", &seat)?;
    object.property("opened_at", &Moment(open.at))?;
    let asked = state.asked(seat);
    object.property("kind", &asked.kind)?;
    object.property("text", &asked.text)?;
    object.property("source", &asked.source)?;
    let into = object.key("legal_moves");
    let listed = match forms.legal_moves {
        LegalMovesForm::Full => Some((ListForm::Full, "moves")),
        LegalMovesForm::Notation => Some((ListForm::Notation, "notations")),
        LegalMovesForm::None => None,
    };
    match listed {
        None => append(&(), into)?,
        Some((form, name)) => {
            let list = state.list(seat);
            let mut object = Object::begin(into);
            object.property("complete", &list.complete())?;
            object.property("count", &list.count())?;
            list.write(form, object.key(name)).map_err(Refused::from)?;
            if forms.text {
                let options = &viewed.live.stored.terms.options;
                list.write_texts(options, object.key("texts")).map_err(Refused::from)?;
            }
            object.end();
        }
    }
    object.end();
    Ok(())
}
