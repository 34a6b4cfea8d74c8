//! The shared rules layer: what every game is made of, and the only door through which a move is applied.
//!
//! Invariants:
//! - Everything here is a pure function of values: no clock, no I/O, no async, no ambient randomness, nothing that is
//!   set up once for the process. What an instance plays a game with is in the game's value.
//! - Only [`play()`], [`rehearse()`] and a [`SilentWalk`] can build a [`Legal`] move, so [`Rules::apply`] cannot meet an
//!   illegal one.
//! - [`Rules::apply`] is given no dice and may read nothing that the mover cannot know; every random or hidden
//!   result comes from [`Rules::resolve`], one chance step at a time. A dry run is "apply without resolve", so it
//!   cannot show what a real move would have drawn.
//!
//! Deliberately absent: players, matches, time, storage. Those are `sarsen_matches`.
//!
//! The crate's first page says how to add a game; `tests/own_game` is one that knows nothing but this module.

mod audience;
mod bit_set;
mod board;
#[cfg(any(test, feature = "testing"))]
pub mod conformance;
mod dice;
mod edition;
mod evaluator;
mod game;
mod glossary;
mod imagined;
mod integers;
mod legal;
mod outcome;
pub mod phrases;
mod play;
mod prompt;
pub mod reading;
mod refusal;
mod rulebook;
mod seat;
mod union;
mod walk;
mod wire;

pub use audience::{Audience, Nobody};
pub use bit_set::{BitSet, Listed, Member};
pub use board::{Board, Edge, Place, Zone};
pub use dice::{DICE_SEED_BYTES, Dice, DiceSeed};
pub use edition::Edition;
pub use evaluator::{
    Candidate, Candidates, Effort, Evaluator, Method, RUNGS, Rung, Tuning, Values, WON, ladder, verdicts,
};
pub use game::{
    Catalogue, Chance, Game, GameInfo, LegalMoves, Mode, Notation, Rules, Secrets, Signal, SignalValues, Status, Words,
};
pub use glossary::{Glossary, GlossaryEntry};
pub use imagined::imagined;
pub use integers::bound_integers;
pub use legal::Legal;
pub use outcome::{Outcome, Standing, Verdict};
pub use play::{Played, Rehearsed, play, rehearse, settle};
pub use prompt::{Prompt, PromptSource};
pub use refusal::Refusal;
pub use rulebook::{Rulebook, Ruling};
pub use seat::{MAX_SEATS, Seat, SeatCount, Seats, Viewer};
pub use union::{
    NotAPart, Part, Schemas, WireUnion, names, one_of, one_value, open_one_of, open_part, part_schemas, union_schema,
    union_schemas,
};
pub use walk::SilentWalk;
pub use wire::{MalformedOptions, read_options};
