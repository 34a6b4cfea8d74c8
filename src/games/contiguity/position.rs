//! Positions of the pieces, and their connectedness.
//!
//! A set of spaces is a 120-bit mask in board order (`1a` … `30a`, `1b` … `30d`): moving a bit by one is a step along
//! the row, by thirty a step across the rows.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::stonehenge::{NUMBERS, ROWS, SPACES, Space};

/// A player's colour.
///
/// - `white`: Moves first.
/// - `red`: Moves second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = ContiguityColour)]
pub enum Colour {
    /// Moves first.
    White,
    /// Moves second.
    Red,
}

impl Colour {
    /// The colour that moves after `turns` turns.
    pub(crate) const fn to_move(turns: usize) -> Colour {
        if turns.is_multiple_of(2) { Colour::White } else { Colour::Red }
    }

    /// The opponent's colour.
    pub const fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Red,
            Colour::Red => Colour::White,
        }
    }
}

/// The number of pieces that each colour has.
pub(crate) const PIECES: usize = 6;

const ROW: u128 = (1 << NUMBERS) - 1;
const FIRST_COLUMN: u128 = 1 | 1 << 30 | 1 << 60 | 1 << 90;
const LAST_COLUMN: u128 = FIRST_COLUMN << 29;
const ALL: u128 = (1 << SPACES) - 1;

/// The spaces of the pieces of each colour. Pieces of one colour are alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    masks: [u128; 2],
}

impl Position {
    /// The set-up: a checker pattern across the seam.
    pub(crate) fn set_up() -> Position {
        let spaces = |list: [(u8, u8); PIECES]| list.map(|(number, row)| Space::at(number + 29, row));
        Position::of(
            &spaces([(30, 0), (29, 1), (1, 1), (30, 2), (2, 2), (1, 3)]),
            &spaces([(1, 0), (30, 1), (2, 1), (29, 2), (1, 2), (30, 3)]),
        )
    }

    /// These spaces. A space given to both colours counts for white.
    pub(crate) fn of(white: &[Space], red: &[Space]) -> Position {
        let mask = |spaces: &[Space]| spaces.iter().fold(0u128, |mask, space| mask | bit(*space));
        let white = mask(white);
        Position { masks: [white, mask(red) & !white] }
    }

    /// The spaces of `colour`'s pieces, in board order.
    pub fn pieces(&self, colour: Colour) -> impl Iterator<Item = Space> + use<> {
        let mut left = self.masks[colour as usize];
        std::iter::from_fn(move || {
            let index = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            Space::from_index(index)
        })
    }

    /// Returns whether a piece of `colour` stands on `space`.
    pub(crate) const fn has(&self, colour: Colour, space: Space) -> bool {
        self.masks[colour as usize] & bit(space) != 0
    }

    /// Returns whether no piece stands on `space`.
    pub(crate) const fn is_empty(&self, space: Space) -> bool {
        (self.masks[0] | self.masks[1]) & bit(space) == 0
    }

    /// The occupied spaces row by row: bit n is column n.
    pub(crate) const fn rows(&self) -> [u32; ROWS as usize] {
        let all = self.masks[0] | self.masks[1];
        [(all & ROW) as u32, (all >> 30 & ROW) as u32, (all >> 60 & ROW) as u32, (all >> 90) as u32]
    }

    /// The spaces of `colour` row by row: bit n is column n.
    pub(crate) const fn rows_of(&self, colour: Colour) -> [u32; ROWS as usize] {
        let own = self.masks[colour as usize];
        [(own & ROW) as u32, (own >> 30 & ROW) as u32, (own >> 60 & ROW) as u32, (own >> 90) as u32]
    }

    /// The empty spaces, a bit each in board order, that join all pieces of `colour` into one group once the one on `from`
    /// stands there: those that touch every group of the others.
    pub(crate) fn joins_without(&self, colour: Colour, from: Space) -> u128 {
        let mut left = self.masks[colour as usize] & !bit(from);
        let mut joins = ALL & !(self.masks[0] | self.masks[1]);
        while left != 0 && joins != 0 {
            let group = first_group(left);
            left &= !group;
            joins &= neighbours(group);
        }
        joins
    }

    /// A number that equal positions have in common; of others one in 65,536 has it too.
    pub(crate) fn mark(&self) -> u16 {
        let [white, red] = self.masks.map(|mask| (mask >> 64) as u64 ^ (mask as u64).rotate_left(29));
        // Odd numbers without a pattern: whichever bit differs, it shows in the upper ones.
        let mixed = white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ red.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> 48) as u16
    }

    /// Takes the piece of `colour` from one space to another.
    pub fn shift(&mut self, colour: Colour, from: Space, to: Space) {
        let mask = &mut self.masks[colour as usize];
        *mask = *mask & !bit(from) | bit(to);
    }

    /// Returns whether `colour`'s pieces are one group (CO-13, CO-14), which takes less than to count their groups.
    pub(crate) fn is_connected(&self, colour: Colour) -> bool {
        let own = self.masks[colour as usize];
        own != 0 && first_group(own) == own
    }

    /// Into how many orthogonally connected groups `colour`'s pieces fall, across the seam too (CO-13).
    pub fn groups(&self, colour: Colour) -> u8 {
        let mut left = self.masks[colour as usize];
        let mut groups = 0;
        while left != 0 {
            left &= !first_group(left);
            groups += 1;
        }
        groups
    }
}

/// The group in which the first of these spaces lies.
const fn first_group(spaces: u128) -> u128 {
    let mut group = spaces & spaces.wrapping_neg();
    loop {
        let grown = spaces & (group | neighbours(group));
        if grown == group {
            return group;
        }
        group = grown;
    }
}

const fn bit(space: Space) -> u128 {
    1 << space.index()
}

/// Every space next to one of `mask`.
const fn neighbours(mask: u128) -> u128 {
    let clockwise = (mask & !LAST_COLUMN) << 1 | (mask & LAST_COLUMN) >> 29;
    let anticlockwise = (mask & !FIRST_COLUMN) >> 1 | (mask & FIRST_COLUMN) << 29;
    (clockwise | anticlockwise | mask << 30 | mask >> 30) & ALL
}
