//! The legal moves of a decision as an agent chooses from them: numbered, or by kind where there are many.
//!
//! Invariant: a move's number is its place among all legal moves of its decision, from 1, whichever of them are listed.
//! They stay the same as long as the decision is open: the moves of other seats change nothing of them.
//!
//! A kind is the beginning of a notation, up to a mark between its parts.

use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::problem::Problem;
use crate::matches::moves::NOTATION_MAX;
use sarsen_games::ListForm;
use sarsen_matches::Refused;
use sarsen_matches::table::live_match::LiveMatch;
use sarsen_rules::Seat;

/// The most moves that are listed one by one.
pub(super) const LISTED_MAX: usize = 60;

/// A legal move.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = AgentChoice)]
pub(super) struct Choice {
    /// The number to pass to `make_move` as `choice`, together with the decision's id.
    #[schema(minimum = 1)]
    pub(super) choice: usize,
    /// The move in the game's notation.
    pub(super) notation: String,
    /// The move in words; absent where they would make the answer too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) text: Option<String>,
}

/// Moves whose notations begin alike.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = AgentMoveKind)]
pub(super) struct MoveKind {
    /// The beginning: ask `get_match` for moves of this `kind`.
    pub(super) kind: String,
    /// The number of legal moves that begin so.
    #[schema(minimum = 1)]
    pub(super) moves: usize,
}

/// The moves of a decision, as far as an answer has room for them.
#[derive(Default)]
pub(super) struct Listed {
    /// Moves one by one.
    pub(super) choices: Vec<Choice>,
    /// Kinds, in the place of moves.
    pub(super) kinds: Vec<MoveKind>,
}

/// All legal moves of a seat.
pub(super) struct LegalMoves {
    /// Indicates whether none was left out.
    pub(super) complete: bool,
    notations: Vec<String>,
    texts: Vec<String>,
}

impl LegalMoves {
    /// Those of `seat`, which is to decide; none before the start.
    pub(super) fn of(live: &LiveMatch, seat: Seat) -> Result<LegalMoves, Problem> {
        let Some(state) = live.state() else {
            return Ok(LegalMoves { complete: true, notations: Vec::new(), texts: Vec::new() });
        };
        let list = state.list(seat);
        let (mut notations, mut texts) = (Vec::new(), Vec::new());
        list.write(ListForm::Notation, &mut notations).map_err(Refused::from)?;
        list.write_texts(&live.stored.terms.options, &mut texts).map_err(Refused::from)?;
        let read = |bytes: &[u8]| serde_json::from_slice(bytes).map_err(Problem::internal);
        Ok(LegalMoves { complete: list.complete(), notations: read(&notations)?, texts: read(&texts)? })
    }

    /// The number of them.
    pub(super) fn count(&self) -> usize {
        self.notations.len()
    }

    /// The notation of the move of this number.
    pub(super) fn notation(&self, choice: usize) -> Option<&str> {
        self.notations.get(choice.checked_sub(1)?).map(String::as_str)
    }

    /// The moves whose notation begins with `kind`, in `room` bytes of text: with words if they have room, else
    /// without, else by kind. Kinds for which there is no room are left out: any beginning can be asked for.
    pub(super) fn listed(&self, kind: &str, room: usize) -> Listed {
        let fits = |notation: &str| notation.get(..kind.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(kind));
        let all = || self.notations.iter().enumerate().filter(|(_, notation)| fits(notation));
        if all().count() <= LISTED_MAX {
            for worded in [true, false] {
                let text = |index| self.texts.get(index).filter(|_| worded).cloned();
                let choice = |(index, notation): (usize, &String)| Choice {
                    choice: index + 1,
                    notation: notation.clone(),
                    text: text(index),
                };
                let choices: Vec<Choice> = all().map(choice).collect();
                if choices.iter().map(|choice| choice.line().len() + 1).sum::<usize>() <= room {
                    return Listed { choices, kinds: Vec::new() };
                }
            }
        }
        let notations: Vec<&str> = all().map(|(_, notation)| notation.as_str()).collect();
        Listed { choices: Vec::new(), kinds: kinds(&notations, kind.len(), room) }
    }
}

impl Choice {
    /// The move in a line.
    pub(super) fn line(&self) -> String {
        match &self.text {
            Some(text) => format!("{}. {}: {text}", self.choice, self.notation),
            None => format!("{}. {}", self.choice, self.notation),
        }
    }
}

impl MoveKind {
    /// The kind in a few words.
    pub(super) fn words(&self) -> String {
        format!("`{}` {}", self.kind, self.moves)
    }
}

/// The kinds of moves, in order: by the first part beyond `known` bytes that tells some apart; where each move would be
/// a kind of its own, or there is no room, by the first letter that does.
fn kinds(notations: &[&str], known: usize, room: usize) -> Vec<MoveKind> {
    let tells = |kinds: &Vec<MoveKind>| kinds.len() > 1 || notations.len() < 2;
    let by_parts = |parts| grouped(notations, |notation| part(notation, known, parts));
    let few = (1..=NOTATION_MAX).map(by_parts).find(tells);
    let few = few.filter(|kinds| kinds.len() <= LISTED_MAX && fitting(kinds, room) == kinds.len());
    let by_letters = |end| grouped(notations, |notation| notation.get(..end));
    let mut kinds = few.or_else(|| (known + 1..=NOTATION_MAX).map(by_letters).find(tells)).unwrap_or_default();
    kinds.truncate(fitting(&kinds, room));
    kinds
}

/// The number of kinds that `room` bytes hold, with a comma and a blank between them.
fn fitting(kinds: &[MoveKind], room: usize) -> usize {
    let mut used = 0;
    let fits = |kind: &&MoveKind| {
        used += kind.words().len() + 2;
        used <= room
    };
    kinds.iter().take_while(fits).count()
}

/// The moves by a beginning of their notations; one that is shorter is a kind of its own.
fn grouped<'a>(notations: &[&'a str], begin: impl Fn(&'a str) -> Option<&'a str>) -> Vec<MoveKind> {
    let mut kinds: Vec<MoveKind> = Vec::new();
    for notation in notations {
        let begin = begin(notation).unwrap_or(notation);
        match kinds.iter_mut().find(|kind| kind.kind == begin) {
            Some(kind) => kind.moves += 1,
            None => kinds.push(MoveKind { kind: begin.to_owned(), moves: 1 }),
        }
    }
    kinds
}

/// The notation up to the end of `parts` parts after the first `known` bytes, if it has as many.
fn part(notation: &str, known: usize, parts: usize) -> Option<&str> {
    let marks = notation.char_indices().filter(|(at, mark)| *at >= known && matches!(mark, ' ' | '-' | '@'));
    notation.get(..marks.map(|(at, _)| at + 1).nth(parts - 1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(notations: impl IntoIterator<Item = String>) -> LegalMoves {
        let notations: Vec<String> = notations.into_iter().collect();
        let texts = notations.iter().map(|notation| format!("Make the move {notation}.")).collect();
        LegalMoves { complete: true, notations, texts }
    }

    #[test]
    fn few_moves_are_listed_with_words_or_without_and_keep_their_numbers() {
        let some = moves((1..=50).map(|number| format!("{}c-{number}d", number % 3)));
        let all = some.listed("", 10_000);
        assert_eq!((all.choices.len(), all.kinds.len()), (50, 0));
        assert_eq!(all.choices[1].line(), "2. 2c-2d: Make the move 2c-2d.");
        assert!(some.listed("", 700).choices.iter().all(|choice| choice.text.is_none()));
        let of_kind = some.listed("2C-", 10_000);
        assert!(of_kind.choices.iter().all(|choice| choice.notation.starts_with("2c-")));
        assert_eq!(some.notation(of_kind.choices[1].choice), Some(&*of_kind.choices[1].notation));
        assert_eq!([some.notation(0), some.notation(51)], [None, None]);
    }

    #[test]
    fn sixty_moves_are_listed_and_one_more_are_told_by_kind() {
        let of = |count: u32| moves((0..count).map(|number| format!("{}c-{number}d", number % 3)));
        let (listed, told) = (of(60).listed("", 100_000), of(61).listed("", 100_000));
        assert_eq!((listed.choices.len(), listed.kinds.len()), (60, 0));
        let expected = [("0c-", 21), ("1c-", 20), ("2c-", 20)];
        let expected = expected.map(|(kind, moves)| MoveKind { kind: kind.to_owned(), moves });
        assert_eq!((told.choices.len(), &told.kinds[..]), (0, &expected[..]));
    }

    #[test]
    fn many_moves_are_told_by_kind_and_each_kind_can_be_asked_for() {
        let many = moves((1..=200).map(|number| format!("{}c-{number}d", number % 4)));
        let listed = many.listed("", 10_000);
        assert!(listed.choices.is_empty());
        assert_eq!(listed.kinds[0], MoveKind { kind: "1c-".to_owned(), moves: 50 });
        assert_eq!(listed.kinds.iter().map(|kind| kind.moves).sum::<usize>(), 200);
        assert_eq!(many.listed("1c-", 10_000).choices.len(), 50);
        // Where all begin alike, the next part tells them apart.
        let rolls = moves((0..100).map(|number| format!("roll D{} N{number} stop", number % 5)));
        assert_eq!(rolls.listed("", 10_000).kinds.len(), 5);
        assert_eq!(rolls.listed("roll D1 ", 400).kinds.len(), 20);
        // Less room holds kinds by letters, and then the first ones alone.
        let by_letters = rolls.listed("roll D1 ", 150).kinds;
        assert_eq!((by_letters.len(), by_letters.iter().map(|kind| kind.moves).sum::<usize>()), (9, 20));
        assert_eq!(rolls.listed("roll D1 ", 40).kinds, by_letters[..2]);
        // A single part tells each from all others, so letters do.
        let steps = moves((0..90).map(|number| format!("go {number}a")));
        assert_eq!(steps.listed("", 10_000).kinds[1], MoveKind { kind: "go 1".to_owned(), moves: 11 });
        assert!(many.listed("none", 10).choices.is_empty());
    }
}
