//! Moves that a run has met, to be tried where they do not belong, and the rules that may be cited against them.
//!
//! Invariant: at most [`KEPT`] moves are kept, however long a game's lists are. Later moves replace others.

use std::collections::HashMap;

use serde_json::Value;

use super::reading::round_trip;
use crate::{Dice, Game, Rulebook};

/// The number of moves kept.
const KEPT: usize = 256;

/// A sample of the moves that states of the run have brought up: candidates for refusal everywhere else.
pub(super) struct Known<G: Game> {
    /// The rules that refusals may cite.
    pub(crate) rulebook: Rulebook,
    moves: Vec<(G::Move, Value)>,
    by_notation: HashMap<String, usize>,
}

impl<G: Game> Default for Known<G> {
    fn default() -> Known<G> {
        Known { rulebook: Rulebook::read(G::INFO.rules), moves: Vec::new(), by_notation: HashMap::new() }
    }
}

impl<G: Game> Known<G> {
    /// Meets some of `moves`: a few while there is room, later one now and then.
    pub(crate) fn meet_some(&mut self, game: &G, moves: &[G::Move], dice: &mut Dice) {
        let some = if self.moves.len() < KEPT { 8 } else { u32::from(dice.below(4) == 0) };
        for _ in 0..some {
            if let Some(index) = dice.index(moves.len()) {
                self.meet(game, &moves[index], dice);
            }
        }
    }

    /// Checks what is true of a move in every state, and keeps it.
    fn meet(&mut self, game: &G, mv: &G::Move, dice: &mut Dice) {
        let notation = game.notation(mv);
        if let Some(number) = self.by_notation.get(&notation) {
            assert_eq!(&self.moves[*number].0, mv, "two moves are written {notation}");
            return;
        }
        let entry = (mv.clone(), checked_anywhere(game, mv, &notation));
        let number = if self.moves.len() < KEPT {
            self.moves.push(entry);
            self.moves.len() - 1
        } else {
            let number = dice.below(KEPT as u32) as usize;
            self.by_notation.remove(&game.notation(&self.moves[number].0));
            self.moves[number] = entry;
            number
        };
        self.by_notation.insert(notation, number);
    }

    /// A known move and its JSON.
    pub(crate) fn any(&self, dice: &mut Dice) -> Option<&(G::Move, Value)> {
        dice.index(self.moves.len()).map(|index| &self.moves[index])
    }

    /// A move put together from two known ones, or a known one.
    pub(crate) fn candidate(&self, dice: &mut Dice) -> Option<G::Move> {
        let (mv, json) = self.any(dice)?;
        if dice.below(2) == 0 {
            return Some(mv.clone());
        }
        let (_, other) = self.any(dice)?;
        let mut mixed = json.clone();
        for (name, value) in mixed.as_object_mut().into_iter().flatten() {
            if dice.below(2) == 0
                && let Some(replacement) = other.get(name)
            {
                *value = replacement.clone();
            }
        }
        Some(serde_json::from_value(mixed).unwrap_or_else(|_| mv.clone()))
    }
}

/// JSON and notation give the move back, and its JSON takes no strangers.
fn checked_anywhere<G: Game>(game: &G, mv: &G::Move, notation: &str) -> Value {
    round_trip(mv);
    for text in [notation.to_owned(), format!("  {notation} "), notation.to_uppercase(), notation.to_lowercase()] {
        assert_eq!(game.parse(&text).as_ref(), Ok(mv), "{text}");
    }
    let json = serde_json::to_value(mv).unwrap();
    assert!(json["type"].is_string(), "{json} has no type");
    let mut surplus = json.clone();
    surplus["surplus"] = Value::Null;
    assert!(serde_json::from_value::<G::Move>(surplus).is_err(), "{json} accepts an unknown property");
    json
}
