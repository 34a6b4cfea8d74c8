//! Along which lines a piece reaches which spaces (CO-03 to CO-11).
//!
//! Rows are rings of 30 columns; columns are four rows with ends. A move is its two spaces: where several ways lead
//! to one space it is one move.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::position::Position;
use crate::stonehenge::{NUMBERS, ROWS, Space};

/// The jumps that are allowed (CO-07).
///
/// - `flying`: Over exactly one piece, with any number of empty spaces before and behind it.
/// - `short`: Over an adjacent piece, onto the space right behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ContiguityJump)]
pub enum Jump {
    /// Over exactly one piece, with any number of empty spaces before and behind it.
    #[default]
    Flying,
    /// Over an adjacent piece, onto the space right behind it.
    Short,
}

/// The kind of a piece's move: a slide or a jump.
///
/// - `slide`: Over empty spaces only.
/// - `jump`: Over exactly one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ContiguityMoveKind)]
pub enum Kind {
    /// Over empty spaces only.
    Slide,
    /// Over exactly one piece.
    Jump,
}

/// The direction in which a piece went.
///
/// - `clockwise`: To larger numbers, and from 30 on to 1.
/// - `anticlockwise`: To smaller numbers, and from 1 on to 30.
/// - `inwards`: Towards row `d`.
/// - `outwards`: Towards row `a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RingDirection)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Direction {
    Clockwise,
    Anticlockwise,
    Inwards,
    Outwards,
}

/// One way from a space to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Route {
    pub(crate) kind: Kind,
    pub(crate) direction: Direction,
    /// The piece that is jumped over.
    pub(crate) jumped: Option<Space>,
}

const RING: u32 = (1 << NUMBERS) - 1;

/// The spaces that one piece can reach.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    from: Space,
    columns: u32,
    rows: u8,
}

impl Reach {
    /// The spaces that the piece on `from` reaches among the `occupied` rows.
    #[inline]
    pub(crate) fn new(occupied: &[u32; ROWS as usize], from: Space, jump: Jump) -> Reach {
        let (column, row) = (from.column(), usize::from(from.row()));
        let around = along_row(turn_back(occupied[row], column) & !1, jump);
        let filled = occupied.iter().enumerate().fold(0, |set, (row, mask)| set | (mask >> column & 1) << row);
        Reach { from, columns: turn_on(around, column), rows: ACROSS[jump as usize][row][filled as usize] }
    }

    /// Returns whether `to` is one of them.
    pub(crate) fn contains(self, to: Space) -> bool {
        if to.row() == self.from.row() {
            self.columns >> to.column() & 1 != 0
        } else {
            to.column() == self.from.column() && self.rows >> to.row() & 1 != 0
        }
    }

    /// Writes what `of` makes of every space, in board order, to the front of `places`; answers how many those are.
    ///
    /// The places are there already: a search lists moves millions of times a second, and asking for room at each takes a
    /// quarter of that.
    #[inline]
    pub(crate) fn write<T>(self, places: &mut [T], of: impl Fn(Space) -> T) -> usize {
        let (column, own_row) = (self.from.column(), self.from.row());
        let across = |rows: std::ops::Range<u8>, places: &mut [T], mut written: usize| {
            for row in rows.filter(|row| self.rows >> row & 1 != 0) {
                if let Some(place) = places.get_mut(written) {
                    *place = of(Space::at(column, row));
                    written += 1;
                }
            }
            written
        };
        let mut written = across(0..own_row, places, 0);
        let mut columns = self.columns;
        let count = columns.count_ones() as usize;
        if let Some(along) = places.get_mut(written..written + count) {
            for place in along {
                *place = of(Space::at(columns.trailing_zeros() as u8, own_row));
                columns &= columns.wrapping_sub(1);
            }
            written += count;
        }
        across(own_row + 1..ROWS, places, written)
    }
}

/// The ring seen from `column`: that column becomes bit 0, the next one clockwise bit 1.
const fn turn_back(row: u32, column: u8) -> u32 {
    (row >> column | row << (NUMBERS - column)) & RING
}

/// Undoes [`turn_back`].
const fn turn_on(row: u32, column: u8) -> u32 {
    (row << column | row >> (NUMBERS - column)) & RING
}

/// The columns that the piece at bit 0 reaches in a ring with these other pieces. Its own place is never among them:
/// there the scan stops (CO-06, CO-10).
const fn along_row(others: u32, jump: Jump) -> u32 {
    let reached = match jump {
        // Clockwise up to the second piece, and anticlockwise up to the second piece.
        Jump::Flying => {
            let behind_first = others & others.wrapping_sub(1);
            if behind_first == 0 {
                RING
            } else {
                let before_last = others & !(1 << others.ilog2());
                below_lowest(behind_first) | above_highest(before_last)
            }
        }
        Jump::Short => {
            let clockwise = if others & 0b10 != 0 { 0b100 } else { 0 };
            let anticlockwise = if others & 1 << 29 != 0 { 1 << 28 } else { 0 };
            below_lowest(others) | above_highest(others) | clockwise | anticlockwise
        }
    };
    reached & !others & RING & !1
}

/// All bits below the lowest of `mask`; all bits if it is empty.
const fn below_lowest(mask: u32) -> u32 {
    (mask & mask.wrapping_neg()).wrapping_sub(1)
}

/// All bits above the highest of `mask`, whose bits 30 and 31 are clear; all bits if it is empty.
const fn above_highest(mask: u32) -> u32 {
    !((1 << (u32::BITS - mask.leading_zeros())) - 1)
}

/// The rows reached within a column: by jump rule, own row and filled rows.
const ACROSS: [[[u8; 16]; ROWS as usize]; 2] = {
    let mut table = [[[0; 16]; ROWS as usize]; 2];
    let mut row = 0;
    while row < ROWS as usize {
        let mut filled = 0;
        while filled < 16 {
            table[Jump::Flying as usize][row][filled] = across_flying(row, filled);
            table[Jump::Short as usize][row][filled] = across_short(row, filled);
            filled += 1;
        }
        row += 1;
    }
    table
};

const fn across_flying(row: usize, filled: usize) -> u8 {
    let mut reached = 0;
    let mut to = 0;
    while to < ROWS as usize {
        if to != row && filled >> to & 1 == 0 && between(row, to, filled).count_ones() <= 1 {
            reached |= 1 << to;
        }
        to += 1;
    }
    reached
}

const fn across_short(row: usize, filled: usize) -> u8 {
    let mut reached = 0;
    let mut to = 0;
    while to < ROWS as usize {
        let passed = between(row, to, filled).count_ones();
        if to != row && filled >> to & 1 == 0 && (passed == 0 || passed == 1 && row.abs_diff(to) == 2) {
            reached |= 1 << to;
        }
        to += 1;
    }
    reached
}

/// The filled rows strictly between two rows.
const fn between(a: usize, b: usize, filled: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == high { 0 } else { filled & ((1 << high) - 1) & !((1 << (low + 1)) - 1) }
}

/// Returns how many pieces stand in the way from one space to another in line with it, by the way that meets fewest; `None`
/// if they are not in line.
pub(crate) fn in_the_way(position: &Position, from: Space, to: Space) -> Option<u32> {
    ways(position, from, to).into_iter().flatten().map(|way| way.passed.count_ones()).min()
}

/// The way that a legal move takes: a slide rather than a jump, then the shorter, then clockwise.
pub(crate) fn route(position: &Position, from: Space, to: Space, jump: Jump) -> Option<Route> {
    let allowed = |way: &Way| match (way.passed.count_ones(), jump) {
        (0, _) | (1, Jump::Flying) => true,
        (1, Jump::Short) => way.steps == 2,
        _ => false,
    };
    let way = ways(position, from, to)
        .into_iter()
        .flatten()
        .filter(allowed)
        .min_by_key(|way| (way.passed.count_ones(), way.steps))?;
    let kind = if way.passed == 0 { Kind::Slide } else { Kind::Jump };
    Some(Route { kind, direction: way.direction, jumped: way.jumped(from) })
}

/// A straight way, walked or not.
struct Way {
    direction: Direction,
    steps: u8,
    /// The pieces on it: bit n is n steps away.
    passed: u32,
}

impl Way {
    fn jumped(&self, from: Space) -> Option<Space> {
        if self.passed == 0 {
            return None;
        }
        let steps = self.passed.trailing_zeros() as u8;
        let (column, row) = (from.column(), from.row());
        Some(match self.direction {
            Direction::Clockwise => Space::at(column + steps, row),
            Direction::Anticlockwise => Space::at(column + NUMBERS - steps, row),
            Direction::Inwards => Space::at(column, row + steps),
            Direction::Outwards => Space::at(column, row.saturating_sub(steps)),
        })
    }
}

fn ways(position: &Position, from: Space, to: Space) -> [Option<Way>; 2] {
    let rows = position.rows();
    if from == to {
        return [None, None];
    }
    if from.row() == to.row() {
        let ring = turn_back(rows[usize::from(from.row())], from.column()) & !1;
        let steps = (to.column() + NUMBERS - from.column()) % NUMBERS;
        // Seen the other way round, what is n steps clockwise is 30 - n steps away.
        let mirrored = ring.reverse_bits() >> 1 & RING;
        let way = |direction, ring: u32, steps: u8| Some(Way { direction, steps, passed: ring & ((1 << steps) - 1) });
        return [way(Direction::Clockwise, ring, steps), way(Direction::Anticlockwise, mirrored, NUMBERS - steps)];
    }
    if from.column() == to.column() {
        let steps = from.row().abs_diff(to.row());
        let inwards = to.row() > from.row();
        let passed = (1..steps).fold(0, |set, step| {
            let row = if inwards { from.row() + step } else { from.row() - step };
            set | (rows[usize::from(row)] >> from.column() & 1) << step
        });
        let direction = if inwards { Direction::Inwards } else { Direction::Outwards };
        return [Some(Way { direction, steps, passed }), None];
    }
    [None, None]
}
