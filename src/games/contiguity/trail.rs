//! The moves that led to the present position, and the positions on the way: what the repetition rule needs.
//!
//! Stored as two bytes a turn; the positions are found again by walking back from the present one. A comparison is
//! of whole positions, so a draw never hangs on a hash.
//!
//! Searches copy a state for each simulation: what was played before the state was read is shared by all its copies.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::position::{Colour, Position};
use crate::stonehenge::Space;

/// One turn: a piece went from one space to another. In JSON it is a text in the game's notation, `29b-5b`: a view
/// holds every turn so far, and most of a long one would be names of properties otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The place where the piece stood.
    pub(crate) from: Space,
    /// The space where it went.
    pub(crate) to: Space,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (from, to) = (self.from.text().as_bytes(), self.to.text().as_bytes());
        let (behind, end) = (from.len() + 1, from.len() + 1 + to.len());
        let mut text = [b'-'; 7];
        text[..from.len()].copy_from_slice(from);
        text[behind..end].copy_from_slice(to);
        serializer.serialize_str(std::str::from_utf8(&text[..end]).map_err(S::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Step, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let (from, to) = text.split_once('-').ok_or_else(|| D::Error::custom("a turn is written 29b-5b"))?;
        let space = |text: &str| text.parse().map_err(D::Error::custom);
        Ok(Step { from: space(from)?, to: space(to)? })
    }
}

impl PartialSchema for Step {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom("notation".to_owned())))
            .description(Some("A turn in the game's notation: where the piece stood and where it went."))
            .pattern(Some("^([1-9]|[12][0-9]|30)[a-d]-([1-9]|[12][0-9]|30)[a-d]$"))
            .examples(["29b-5b"])
            .into()
    }
}

impl ToSchema for Step {
    fn name() -> std::borrow::Cow<'static, str> {
        "ContiguityStep".into()
    }
}

/// All turns so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    /// Those before the state was read.
    before: Arc<Stretch>,
    since: Stretch,
}

/// Consecutive turns, oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
struct Stretch {
    steps: Vec<Step>,
    /// The position before each step.
    earlier: Vec<Position>,
    /// The mark of each of them: positions whose marks differ are others, and marks are compared many at once.
    marks: Vec<u16>,
}

impl Stretch {
    fn of(steps: Vec<Step>, earlier: Vec<Position>) -> Stretch {
        let marks = earlier.iter().map(Position::mark).collect();
        Stretch { steps, earlier, marks }
    }

    fn push(&mut self, position: &Position, step: Step) {
        self.steps.push(step);
        self.earlier.push(*position);
        self.marks.push(position.mark());
    }

    /// Returns how often `position`, which has this mark, was left at its end, two turns before that, and so on; or, if
    /// `own` is not set, one turn before its end, three, and so on.
    fn count(&self, position: &Position, mark: u16, own: bool) -> usize {
        // To count them all takes less than to stop at the first: many are compared at once.
        if self.marks.iter().filter(|other| **other == mark).count() == 0 {
            return 0;
        }
        let (first, pairs) = self.earlier.as_rchunks::<2>();
        let index = usize::from(own);
        let in_pairs = pairs.iter().filter(|pair| pair[index] == *position).count();
        in_pairs + first.iter().filter(|first| own && *first == position).count()
    }
}

impl PartialEq for Trail {
    fn eq(&self, other: &Trail) -> bool {
        self.len() == other.len() && self.steps().eq(other.steps()) && self.earlier().eq(other.earlier())
    }
}

impl Trail {
    /// The trail that ends in `position`; `None` if these steps do not.
    pub(crate) fn ending_in(position: &Position, steps: Vec<Step>) -> Option<Trail> {
        let mut earlier = vec![*position; steps.len()];
        let mut walker = *position;
        for (turn, step) in steps.iter().enumerate().rev() {
            let colour = Colour::to_move(turn);
            if !walker.has(colour, step.to) || !walker.is_empty(step.from) {
                return None;
            }
            walker.shift(colour, step.to, step.from);
            earlier[turn] = walker;
        }
        Some(Trail { before: Arc::new(Stretch::of(steps, earlier)), since: Stretch::default() })
    }

    /// Adds the step that leaves `position`.
    pub(crate) fn push(&mut self, position: &Position, step: Step) {
        self.since.push(position, step);
    }

    /// Returns how many turns have been played.
    pub(crate) fn len(&self) -> usize {
        self.before.steps.len() + self.since.steps.len()
    }

    /// The turns, oldest first.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> {
        self.before.steps.iter().chain(&self.since.steps).copied()
    }

    fn earlier(&self) -> impl Iterator<Item = &Position> {
        self.before.earlier.iter().chain(&self.since.earlier)
    }

    /// Returns how often `position`, the present one, has stood with the same side to move, now included.
    pub(crate) fn occurrences(&self, position: &Position) -> u8 {
        // Every other position, from the one before the opponent's turn back.
        self.left(position, false)
    }

    /// Returns how often `next` will have stood with the same side to move once a turn has led there.
    pub(crate) fn occurrences_after(&self, next: &Position) -> u8 {
        self.left(next, true)
    }

    /// Returns how often `position` was left in every other turn, of which the last one is one if `own`; and once more.
    fn left(&self, position: &Position, own: bool) -> u8 {
        let own_before = own == self.since.steps.len().is_multiple_of(2);
        let mark = position.mark();
        let left = self.since.count(position, mark, own) + self.before.count(position, mark, own_before);
        u8::try_from(left + 1).unwrap_or(u8::MAX)
    }

    pub(crate) fn encode(&self) -> String {
        let bytes: Vec<u8> = self.steps().flat_map(|step| [step.from.index(), step.to.index()]).collect();
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads the steps of a stored form.
    pub(crate) fn decode_steps(text: &str) -> Option<Vec<Step>> {
        let spaces = decode_spaces(text)?;
        let (pairs, rest) = spaces.as_chunks::<2>();
        rest.is_empty().then(|| pairs.iter().map(|&[from, to]| Step { from, to }).collect())
    }
}

/// Spaces as stored: one byte each, in base 64.
pub(crate) fn encode_spaces(spaces: impl Iterator<Item = Space>) -> String {
    URL_SAFE_NO_PAD.encode(spaces.map(Space::index).collect::<Vec<u8>>())
}

/// Reads [`encode_spaces`].
pub(crate) fn decode_spaces(text: &str) -> Option<Vec<Space>> {
    URL_SAFE_NO_PAD.decode(text).ok()?.into_iter().map(Space::from_index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_written_in_notation_and_nothing_else_is_read() {
        for text in ["1a-2b", "29b-5b", "5c-30d", "10a-20d"] {
            let step: Step = serde_json::from_value(text.into()).unwrap();
            assert_eq!(
                (step.from.to_string() + "-" + &step.to.to_string(), serde_json::to_value(step).unwrap()),
                (text.into(), text.into())
            );
        }
        for wrong in ["", "29b", "29b5b", "29b-", "-5b", "29b-5e", "29b-5b-1a", "29B-5b"] {
            assert!(serde_json::from_value::<Step>(wrong.into()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_position_is_counted_wherever_the_trail_was_read() {
        // To and fro, so that each position stands again every four turns.
        let steps: Vec<Step> = ["29b-5b", "30b-6b", "5b-29b", "6b-30b"]
            .iter()
            .cycle()
            .take(11)
            .map(|text| serde_json::from_value((*text).into()).unwrap())
            .collect();
        let (mut whole, mut position) = (Trail::default(), Position::set_up());
        let mut trails = Vec::new();
        for (turn, step) in steps.iter().enumerate() {
            trails.push(Trail::ending_in(&position, whole.steps().collect()).unwrap());
            let colour = Colour::to_move(turn);
            for trail in &mut trails {
                trail.push(&position, *step);
            }
            whole.push(&position, *step);
            position.shift(colour, step.from, step.to);
            let mut before = Position::set_up();
            let mut stood = vec![before];
            for (turn, step) in steps[..=turn].iter().enumerate() {
                before.shift(Colour::to_move(turn), step.from, step.to);
                stood.push(before);
            }
            let times = |of: &Position, parity: usize| {
                stood.iter().enumerate().filter(|(at, stood)| at % 2 == parity && *stood == of).count() as u8
            };
            let last = stood.len() - 1;
            for trail in trails.iter().chain([&whole]) {
                assert_eq!((trail, trail.len()), (&whole, turn + 1));
                assert_eq!(trail.occurrences(&position), times(&position, last % 2), "turn {turn}");
                for next in &stood {
                    assert_eq!(trail.occurrences_after(next), times(next, (last + 1) % 2) + 1, "turn {turn}");
                }
            }
        }
    }
}
