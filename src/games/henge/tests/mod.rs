//! The rulings as tests: a test whose name begins with `h_07` shows the position of H-07.

mod absent;
mod balance;
mod building;
mod cards;
mod desk;
mod ending;
mod golden;
mod hengebots;
mod heuristic;
mod hidden;
mod laws;
mod moving;
mod refusing;
mod remembering;
mod setting_up;
mod stack;
mod vocabulary;
mod wire;

use super::components::{Components, registry};
use super::machine::Machine;
use super::*;
use sarsen_rules::{Dice, DiceSeed, Notation, Rules, Seat, SeatCount, Secrets, Viewer};

fn dice(seed: u8) -> Dice {
    Dice::new(DiceSeed([seed; 32]))
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn chair(number: u8) -> Chair {
    Chair::try_from(number).unwrap()
}

/// Options with this table and the reference set.
fn options(table: &str) -> Options {
    Options { table: Seating::try_from(table.to_owned()).unwrap(), set: reference() }
}

fn reference() -> Components {
    registry::reference()
}

/// The number of people at a table.
fn people(table: &str) -> SeatCount {
    SeatCount::new(table.matches('h').count() as u8).unwrap()
}
