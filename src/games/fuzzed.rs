//! Properties that must hold for any bytes: for the targets in `tests/fuzz` and for a test over their corpora.
//!
//! Deliberately absent: legality. Reading a move does not depend on a state.

use crate::absolution::Absolution;
use crate::contiguity::Contiguity;
use crate::henge::Henge;
use crate::henge::components::ComponentSet;
use crate::sacrifice_roulette::SacrificeRoulette;
use crate::thief_of_the_sacred_fire::ThiefOfTheSacredFire;
use sarsen_rules::Notation;

/// A game that reads the text as a move reads the same move from its own notation of it.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    reads_back(&Contiguity, text);
    reads_back(&Absolution, text);
    reads_back(&SacrificeRoulette, text);
    reads_back(&ThiefOfTheSacredFire, text);
    reads_back(&Henge::default(), text);
}

fn reads_back<G: Notation>(game: &G, text: &str) {
    if let Ok(mv) = game.parse(text) {
        let notation = game.notation(&mv);
        assert_eq!(game.parse(&notation).ok(), Some(mv), "{notation}");
    }
}

/// A file of components is accepted, or refused with at least one fault.
pub fn components(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Err(faults) = ComponentSet::load(text) {
        assert!(!faults.is_empty(), "refused without a fault");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_keep_the_properties() {
        test_kit::corpus::each("notation", super::notation);
        test_kit::corpus::each("components", super::components);
    }
}
