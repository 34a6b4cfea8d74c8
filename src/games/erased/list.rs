//! A seat's legal moves, written straight into an answer.

use serde_json::value::RawValue;

use super::any::{AnyList, ListForm};
use super::json::{Corrupt, append, options_of};
use sarsen_rules::{Game, LegalMoves, Seat};

pub(super) struct List<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    pub(super) seat: Seat,
    pub(super) legal: LegalMoves<G::Move>,
}

impl<G: Game> List<'_, G> {
    fn write_move(&self, mv: &G::Move, form: ListForm, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        match (form, self.game.written(mv)) {
            (ListForm::Full, Some(ready)) => into.extend_from_slice(ready.get().as_bytes()),
            (ListForm::Full, None) => match self.game.listed(self.state, self.seat, mv) {
                Some(listed) => append::<G>("legal moves", &listed, into)?,
                None => append::<G>("legal moves", mv, into)?,
            },
            (ListForm::Notation, _) => append::<G>("legal moves", &self.game.notation(mv), into)?,
        }
        Ok(())
    }
}

impl<G: Game> AnyList for List<'_, G> {
    fn count(&self) -> usize {
        self.legal.moves.len()
    }

    fn complete(&self) -> bool {
        self.legal.complete
    }

    fn write_texts(&self, options: &RawValue, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        let options = options_of(self.game, options)?;
        into.push(b'[');
        for (index, mv) in self.legal.moves.iter().enumerate() {
            if index > 0 {
                into.push(b',');
            }
            append::<G>("legal moves", &self.game.listed_text(self.state, self.seat, mv, &options), into)?;
        }
        into.push(b']');
        Ok(())
    }

    fn write(&self, form: ListForm, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        into.push(b'[');
        for (index, mv) in self.legal.moves.iter().enumerate() {
            if index > 0 {
                into.push(b',');
            }
            self.write_move(mv, form, into)?;
        }
        into.push(b']');
        Ok(())
    }
}
