//! Answers of the sandbox, written straight into the bytes that are sent.
//!
//! Invariant: events are shown as to somebody without a seat, and a view shows what its own seat may know. So the views
//! of the seats that are to act show no other hand.

use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};

use super::forms::{SandboxForms, SandboxLegalMoves, SandboxViews};
use crate::answer::codes::Code;
use crate::answer::json::{Object, append, array};
use crate::answer::problem::{Problem, ProblemBody};
use crate::answer::shapes::{MatchEvent, View};
use crate::matches::types::LegalMovesBody;
use sarsen_games::{Corrupt, GameEvent, ListForm};
use sarsen_rules::{Outcome, Seat, Seats, Status, Viewer};
use sarsen_service::sandbox::offload::IsAbandoned;
use sarsen_service::sandbox::{Sandbox, SandboxPosition};

/// The longest answer, in bytes.
pub(crate) const ANSWER_MAX: usize = 8 * 1024 * 1024;
/// The usual size of an item, in bytes.
const ROOM_FOR_AN_ITEM: usize = 2048;

fn to_act() -> Array {
    let seat = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .minimum(Some(0))
        .maximum(Some(4));
    ArrayBuilder::new()
        .items(seat)
        .description(Some("The seats that have a decision to make, ascending; none once the game is over."))
        .build()
}

/// A seat of a position.
#[derive(ToSchema)]
pub struct SandboxSeat {
    /// Its number, from 0.
    pub seat: Seat,
    /// The part of the game's state that the seat may see; null with `views=none`.
    #[schema(value_type = Option<View>, required)]
    pub view: Option<Box<RawValue>>,
    /// Its legal moves; null if it has nothing to decide, and with `legal=none`. With `legal=count` neither moves nor
    /// notations are among it.
    #[schema(required)]
    pub legal_moves: Option<LegalMovesBody>,
}

/// A position, or why there is none.
#[derive(ToSchema)]
pub struct SandboxItem {
    /// The position, sealed: a text that any instance of this service opens as long as it has the key, and nobody else. It
    /// holds all that is hidden, and the dice; a copy of the text is a copy of the position. Null if `problem` is not.
    #[schema(required, examples("sp1.mHW4hZ9tQmJ0"))]
    pub position: Option<String>,
    /// The number of moves that led to it from the position that was sent; 0 where none was.
    #[schema(minimum = 0)]
    pub moves: u32,
    /// The seats that have a decision to make, ascending; none once the game is over.
    #[schema(schema_with = to_act)]
    pub to_act: Vec<Seat>,
    /// Indicates whether the game is over.
    pub terminal: bool,
    /// The result; null until the game is over.
    #[schema(required)]
    pub outcome: Option<Outcome>,
    /// The events of the set-up or of the step, as somebody without a seat sees them; none of playouts. Events that
    /// only a seat knows are in its view.
    #[schema(value_type = Vec<MatchEvent>)]
    pub events: Vec<Box<RawValue>>,
    /// The seats that have something to decide; with `views=all` every seat.
    pub seats: Vec<SandboxSeat>,
    /// The reason why the step was not taken; null if it was. With a reason, nothing else is shown.
    #[schema(required)]
    pub problem: Option<ProblemBody>,
}

/// Positions, one for each that was asked for and in that order.
#[derive(ToSchema)]
pub struct SandboxItems {
    /// The positions.
    pub items: Vec<SandboxItem>,
}

/// A position, and what led to it.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// The position.
    pub position: &'a SandboxPosition,
    /// The number of moves that led to it.
    pub moves: u32,
    /// The events to tell of.
    pub events: &'a [GameEvent],
}

/// Collects items until the answer is as long as it may be.
pub(crate) struct Answer {
    bytes: Vec<u8>,
    forms: SandboxForms,
    empty: bool,
}

impl Answer {
    /// One with room for `items` positions.
    pub(crate) fn of(items: usize, forms: SandboxForms) -> Answer {
        let mut bytes = Vec::with_capacity((items * ROOM_FOR_AN_ITEM).min(ANSWER_MAX));
        bytes.extend_from_slice(b"{\"items\":[");
        Answer { bytes, forms, empty: true }
    }

    /// Adds a position.
    ///
    /// # Errors
    /// If it has no JSON form; `answer_too_large`, `request_timeout` if nobody waits for the answer.
    pub(crate) fn add(
        &mut self,
        sandbox: &Sandbox,
        reached: Shown<'_>,
        is_abandoned: IsAbandoned<'_>,
    ) -> Result<(), Problem> {
        self.separate(is_abandoned)?;
        write_item(sandbox, reached, self.forms, &mut self.bytes)
    }

    /// Adds why there is no position.
    ///
    /// # Errors
    /// See [`Answer::add`].
    pub(crate) fn refuse(&mut self, problem: &Problem, is_abandoned: IsAbandoned<'_>) -> Result<(), Problem> {
        self.separate(is_abandoned)?;
        self.bytes.extend_from_slice(
            b"{\"position\":null,\"moves\":0,\"to_act\":[],\"terminal\":false,\"outcome\":null,\"events\":[],\"seats\":[],\"problem\":",
        );
        append(problem.body(), &mut self.bytes)?;
        self.bytes.push(b'}');
        Ok(())
    }

    /// The answer.
    ///
    /// # Errors
    /// `answer_too_large`.
    pub(crate) fn end(mut self) -> Result<Vec<u8>, Problem> {
        self.bytes.extend_from_slice(b"]}");
        self.must_be_short_enough()?;
        Ok(self.bytes)
    }

    fn separate(&mut self, is_abandoned: IsAbandoned<'_>) -> Result<(), Problem> {
        if is_abandoned() {
            return Err(Code::RequestTimeout.into());
        }
        self.must_be_short_enough()?;
        if !std::mem::take(&mut self.empty) {
            self.bytes.push(b',');
        }
        Ok(())
    }

    fn must_be_short_enough(&self) -> Result<(), Problem> {
        if self.bytes.len() <= ANSWER_MAX { Ok(()) } else { Err(Code::AnswerTooLarge.into()) }
    }
}

/// One item: [`SandboxItem`].
fn write_item(
    sandbox: &Sandbox,
    Shown { position, moves, events }: Shown<'_>,
    forms: SandboxForms,
    into: &mut Vec<u8>,
) -> Result<(), Problem> {
    let (acting, outcome) = match position.state.status() {
        Status::ToAct(seats) => (seats, None),
        Status::Over(outcome) => (Seats::EMPTY, Some(outcome)),
        Status::Chance => return Err(Problem::internal("a position is left with a chance step due")),
    };
    let mut object = Object::begin(into);
    object.property("position", &sandbox.seal(position).map_err(Problem::internal)?)?;
    object.property("moves", &moves)?;
    array(acting.iter(), object.key("to_act"), |seat: Seat, into| append(&seat, into))?;
    object.property("terminal", &outcome.is_some())?;
    object.property("outcome", &outcome)?;
    write_events(events, object.key("events"))?;
    let shown = if forms.views == SandboxViews::All { Seats::all(position.seat_count()) } else { acting };
    array(shown.iter(), object.key("seats"), |seat: Seat, into| {
        write_seat(position, seat, acting.contains(seat), forms, into)
    })?;
    object.property("problem", &())?;
    object.end();
    Ok(())
}

fn write_events(events: &[GameEvent], into: &mut Vec<u8>) -> Result<(), Problem> {
    let told = events.iter().filter_map(|event| event.told(Viewer::Spectator).transpose());
    array(told, into, |told: Result<Box<RawValue>, Corrupt>, into| {
        into.extend_from_slice(told.map_err(Problem::internal)?.get().as_bytes());
        Ok(())
    })
}

/// A seat: [`SandboxSeat`].
fn write_seat(
    position: &SandboxPosition,
    seat: Seat,
    is_to_act: bool,
    forms: SandboxForms,
    into: &mut Vec<u8>,
) -> Result<(), Problem> {
    let mut object = Object::begin(into);
    object.property("seat", &seat)?;
    match forms.views {
        SandboxViews::None => object.property("view", &())?,
        SandboxViews::Actor | SandboxViews::All => {
            position.state.write_view(Viewer::Seat(seat), object.key("view")).map_err(Problem::internal)?;
        }
    }
    let into = object.key("legal_moves");
    let listed = match forms.legal {
        SandboxLegalMoves::Notation => Some(Some((ListForm::Notation, "notations"))),
        SandboxLegalMoves::Full => Some(Some((ListForm::Full, "moves"))),
        SandboxLegalMoves::Count => Some(None),
        SandboxLegalMoves::None => None,
    };
    match listed.filter(|_| is_to_act) {
        None => append(&(), into)?,
        Some(form) => {
            let list = position.state.list(seat);
            let mut object = Object::begin(into);
            object.property("complete", &list.complete())?;
            object.property("count", &list.count())?;
            if let Some((form, name)) = form {
                list.write(form, object.key(name)).map_err(Problem::internal)?;
            }
            object.end();
        }
    }
    object.end();
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::Value;

    use super::*;
    use sarsen_accounts::auth::SigningKeys;
    use sarsen_base::ambient::Ambient;
    use sarsen_games::{GameSettings, Games};
    use sarsen_rules::SeatCount;
    use sarsen_service::sandbox::set_up::SetUpOrder;

    const ALL: SandboxForms = SandboxForms { views: SandboxViews::All, legal: SandboxLegalMoves::Full };

    #[test]
    fn an_answer_that_would_be_too_large_or_that_nobody_waits_for_ends() {
        let ambient = Ambient::fixed(0, 1);
        let keys = SigningKeys::parse(&SigningKeys::new_key_text(&ambient)).unwrap();
        let sandbox = Sandbox::new(Arc::new(Games::standard(GameSettings::default())), &keys, ambient).unwrap();
        let order = |count| {
            let (game, seats) = ("henge".to_owned(), SeatCount::new(5));
            SetUpOrder { game, options: Value::Null, seats, seed: None, count }
        };
        let mut answer = Answer::of(1000, ALL);
        let add = |answer: &mut Answer, is_abandoned: bool| {
            let reached = sandbox.set_up(order(1)).unwrap().next().unwrap().unwrap();
            let shown = Shown { position: &reached.position, moves: 0, events: &reached.events };
            answer.add(&sandbox, shown, &|| is_abandoned)
        };
        assert_eq!(add(&mut answer, true).unwrap_err().code(), Code::RequestTimeout);
        let mut added = 0;
        let refused = loop {
            match add(&mut answer, false) {
                Ok(()) => added += 1,
                Err(refused) => break refused,
            }
        };
        assert_eq!((refused.code(), answer.end().unwrap_err().code()), (Code::AnswerTooLarge, Code::AnswerTooLarge));
        assert!(added > 256, "{added}");
    }
}
