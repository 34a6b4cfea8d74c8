//! The laws of the rules layer, and conservation of all pieces.

use super::*;
use crate::games::laws::laws;
use crate::rules::conformance::Plan;

fn conserved(_state: &State) {}

fn no_further(_state: &State, _seat: Seat) -> Vec<Move> {
    Vec::new()
}

fn plan(table: &str, matches: u32) -> Plan<Henge> {
    Plan {
        options: vec![options(table)],
        seats: vec![people(table).get()],
        matches,
        longest: 5000,
        conserved,
        further: no_further,
    }
}

#[test]
fn henge_keeps_the_laws() {
    laws::<Henge>(&plan("hbb", 2));
}
