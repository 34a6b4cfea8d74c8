//! The bodies of answers that show a match, written straight into the bytes that are sent.
//!
//! Invariant: they are what serde makes of the structs in [`super::types`], which the document describes; a test compares
//! for all games.
//!
//! A match is serialized from its struct. That takes 1.7 µs (Contiguity) and 2.2 µs (Henge); a text kept beside the match
//! took 0.4 and 0.5 µs, so it saved about 3 % of the 40 to 57 µs that a move takes. The state of a game and its lists are
//! written by hand: as values of a struct, which are parsed once more, they make a view of 8.8 KB (Contiguity) 7.4 µs slower
//! (8.6 µs in all), one of 5.9 KB (Henge) 3.4 µs. Figures: the least of 200 rounds of 20 calls, in the profile of tests.

use super::brief::{BriefMatch, MatchFields};
use super::clock::{ClockBody, SeatClockBody};
use super::types::{AnswerForms, EventBody, LastMove, LegalMovesForm, Match, SeatInfo};
use crate::answer::json::{Object, ROOM, append, array};
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use sarsen_games::ListForm;
use sarsen_matches::feed::cursor::EventCursor;
use sarsen_matches::feed::redacted::RedactedEvent;
use sarsen_matches::invites::OpenInvite;
use sarsen_matches::model::stored::StoredSeat;
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::play::{DecisionId, Moved};
use sarsen_matches::{Refused, ViewedMatch};
use sarsen_rules::{Seat, Seats};

/// A match with the state of its game and the caller's decision: [`MatchView`](super::types::MatchView).
pub(crate) fn match_view(viewed: &ViewedMatch, forms: AnswerForms) -> Result<Vec<u8>, Problem> {
    filled(|into| {
        let mut object = Object::begin(into);
        object.property("match", &Match::of(viewed))?;
        write_state(viewed, object.key("state"))?;
        object.property("last_move", &LastMove::of(viewed, forms)?)?;
        write_undo(viewed, &mut object)?;
        write_decision(viewed, forms, object.key("decision"))?;
        object.end();
        Ok(())
    })
}

/// The answer to a move: [`MoveResult`](super::types::MoveResult).
pub(crate) fn move_result(moved: &Moved, forms: AnswerForms, dry_run: bool) -> Result<Vec<u8>, Problem> {
    let viewed = &moved.viewed;
    filled(|into| {
        let mut object = Object::begin(into);
        object.property("version", &viewed.live.stored.version)?;
        object.property("move", &moved.mv.json)?;
        object.property("notation", &moved.mv.notation)?;
        let narrator = MatchNarrator::if_asked(forms.text, &viewed.live);
        if let Some(narrator) = &narrator {
            object.property("text", &narrator.made(&moved.mv.json, moved.effect()).map_err(Refused::from)?)?;
        }
        write_events(&moved.events, narrator.as_ref(), object.key("events"))?;
        object.property("match", &Match::of(viewed))?;
        write_state(viewed, object.key("state"))?;
        object.property("last_move", &LastMove::of(viewed, forms)?)?;
        write_undo(viewed, &mut object)?;
        write_seats(viewed.live.to_act(), object.key("to_act"))?;
        write_decision(viewed, forms, object.key("decision"))?;
        object.property("dry_run", &dry_run)?;
        object.property("chance_pending", &moved.chance_pending)?;
        object.end();
        Ok(())
    })
}

/// The content of a match that is sent with events, and its forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// The caller's decision beside the match and its state, with its legal moves in this form.
    pub(crate) decision: Option<LegalMovesForm>,
    /// Indicates whether moves, legal moves and events come in words too.
    pub(crate) text: bool,
}

impl Extent {
    /// A number of its own.
    pub(crate) fn number(self) -> u8 {
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
pub(crate) fn view_properties(viewed: &ViewedMatch, extent: Extent) -> Result<Vec<u8>, Problem> {
    filled(|into| {
        let mut object = Object::within(into);
        object.property("match", &Match::of(viewed))?;
        write_state(viewed, object.key("state"))?;
        object.property("last_move", &LastMove::of(viewed, extent.forms())?)?;
        write_undo(viewed, &mut object)?;
        if extent.decision.is_some() {
            write_decision(viewed, extent.forms(), object.key("decision"))?;
        }
        Ok(())
    })
}

/// A record of a step: [`MatchStep`](super::types::MatchStep). `view` is what [`view_properties`] writes.
pub(crate) fn match_step(
    next: EventCursor,
    version: u64,
    events: &[RedactedEvent],
    narrator: Option<&MatchNarrator<'_>>,
    view: &[u8],
) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(view.len() + ROOM_FOR_EVENTS * (events.len() + 1));
    let mut object = Object::begin(&mut bytes);
    object.property("cursor", &format_args!("{next}"))?;
    object.property("version", &version)?;
    write_events(events, narrator, object.key("events"))?;
    object.ready(view);
    object.end();
    Ok(bytes)
}

/// The size that one event has at most as a rule, in bytes.
pub(crate) const ROOM_FOR_EVENTS: usize = 256;

/// Writes redacted events, in words too if there is a narrator: each an [`EventBody`].
pub(crate) fn write_events(
    events: &[RedactedEvent],
    narrator: Option<&MatchNarrator<'_>>,
    into: &mut Vec<u8>,
) -> Result<(), Problem> {
    array(events, into, |told, into| append(&EventBody::of(told, narrator)?, into))
}

/// Writes the [`Invitation`](super::invites::Invitation) of an invite.
pub(crate) fn invitation(invite: &OpenInvite) -> Result<Vec<u8>, Problem> {
    filled(|into| {
        let mut object = Object::begin(into);
        object.property("match", &Match::of(&invite.viewed))?;
        object.property("seat", &invite.seat)?;
        object.property("expires_at", &invite.until.map(Moment))?;
        object.end();
        Ok(())
    })
}

/// A page of matches: [`MatchPageBody`](super::list::MatchPageBody).
pub(crate) fn match_page(items: &[ViewedMatch], next: Option<String>, fields: MatchFields) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(ROOM);
    let mut object = Object::begin(&mut bytes);
    let (full, brief) = if fields == MatchFields::Brief { (&[][..], Some(items)) } else { (items, None) };
    array(full, object.key("items"), |viewed, into| append(&Match::of(viewed), into))?;
    if let Some(brief) = brief {
        array(brief, object.key("brief"), |viewed, into| append(&BriefMatch::of(viewed)?, into))?;
    }
    object.property("next_cursor", &next)?;
    object.end();
    Ok(bytes)
}

/// Returns the bytes that `write` writes.
fn filled(write: impl FnOnce(&mut Vec<u8>) -> Result<(), Problem>) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(ROOM);
    write(&mut bytes)?;
    Ok(bytes)
}

impl<'a> Match<'a> {
    /// The match as its reader may see it.
    pub(crate) fn of(viewed: &'a ViewedMatch) -> Match<'a> {
        let stored = &viewed.live.stored;
        let seat_info = |(index, seat): (usize, &'a StoredSeat)| SeatInfo {
            seat: index,
            player: seat.player.as_ref().map(|player| viewed.shown(player)),
            bot: Seat::new(index as u8).and_then(|seat| viewed.live.bot(seat)),
            reserved_for: seat.reserved.as_ref().map(|player| viewed.shown(player)),
            substituted: seat.substituted || seat.takeover.is_some(),
            resigned: seat.resigned,
            entropy_given: seat.entropy.is_some(),
            claimable_at: Seat::new(index as u8).and_then(|seat| viewed.live.claimable_at(seat)).map(Moment),
            clock: Seat::new(index as u8).and_then(|seat| SeatClockBody::of(&viewed.live, seat)),
        };
        Match {
            id: &stored.id,
            game: &stored.terms.game,
            rules_version: stored.terms.rules_version,
            options: &stored.terms.options,
            visibility: stored.terms.visibility,
            status: stored.stage,
            version: stored.version,
            seats: stored.seats.iter().enumerate().map(seat_info).collect(),
            created_by: stored.creator.as_ref().map(|creator| viewed.shown(creator)),
            start: stored.terms.start,
            move_time_seconds: stored.terms.move_time_seconds,
            clock: stored.terms.clock.map(ClockBody::from),
            hints: viewed.live.gives_hints(),
            rated: stored.terms.is_rated(),
            undo: viewed.live.undo_terms(),
            hotseat: stored.terms.table.hotseat,
            analysis: viewed.live.is_analysis(),
            forked_from: stored.terms.table.forked_from.as_ref(),
            spectators: stored.terms.table.spectators(),
            programs: stored.terms.table.programs(),
            join: stored.terms.table.join.as_ref(),
            exclusive: stored.terms.table.exclusive,
            tags: &stored.terms.table.tags,
            starts_at: stored.terms.table.starts_at.map(Moment),
            expires_at: viewed.live.expires_at().map(Moment),
            created_at: Moment(stored.created_at),
            started_at: stored.started_at.map(Moment),
            updated_at: Moment(stored.updated_at),
            ended_at: stored.ended_at.map(Moment),
            to_act: viewed.live.to_act().iter().collect(),
            draw_agreed_by: &stored.draw,
            commitment: stored.seed.commitment(&stored.id),
            seed: viewed.live.revealed_seed(),
            outcome: stored.outcome.as_ref(),
            your_seat: viewed.seat(),
            invite_code: stored.terms.invite.as_deref().filter(|_| viewed.insider),
            rematch: viewed.rematch.as_ref(),
        }
    }
}

impl LastMove {
    /// The last move as the reader may see it, with words if `forms` has them.
    pub(crate) fn of(viewed: &ViewedMatch, forms: AnswerForms) -> Result<Option<LastMove>, Refused> {
        let Some(shown) = viewed.last_move()? else { return Ok(None) };
        let said = shown.mv.as_ref().filter(|_| forms.text).map(|mv| MatchNarrator::of(&viewed.live).mv(&mv.json));
        let (r#move, notation) = shown.mv.map(|mv| (mv.json, mv.notation)).unzip();
        Ok(Some(LastMove { seat: shown.seat, r#move, notation, text: said.transpose()? }))
    }
}

fn write_seats(seats: Seats, into: &mut Vec<u8>) -> Result<(), Problem> {
    array(seats.iter(), into, |seat: Seat, into| append(&seat, into))
}

fn write_state(viewed: &ViewedMatch, into: &mut Vec<u8>) -> Result<(), Problem> {
    Ok(viewed.live.write_view(viewed.viewer, into).map_err(Refused::from)?)
}

/// Writes the undo that the caller can make, and the takeback on offer.
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
    let prompt = state.prompt(seat);
    object.property("kind", &prompt.kind)?;
    object.property("text", &prompt.text)?;
    object.property("source", &prompt.source)?;
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
