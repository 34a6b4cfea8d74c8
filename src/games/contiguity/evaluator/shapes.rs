//! The groups that six pieces can make: every connected shape of six spaces, wherever it lies, by how many of its spaces a
//! colour holds while the other holds none of them.
//!
//! A shape reaches over six columns at most, so each is looked for in the window of six columns that begins where the
//! shape begins; windows in which a colour has fewer than two pieces are passed over.

use std::sync::LazyLock;

use super::super::position::{Colour, PIECES, Position};
use crate::stonehenge::{NUMBERS, ROWS, SPACES};

/// Columns of a window.
const WIDTH: usize = PIECES;
/// Spaces of a window: bit `row * WIDTH + column`.
const CELLS: usize = WIDTH * ROWS as usize;

/// The fewest pieces of a shape that say something about a position: every position has smaller groups.
pub(crate) const TELLING: usize = 3;

/// The shapes of a colour.
pub(crate) struct Look {
    /// The number of live shapes by the number of spaces held.
    pub(crate) counts: [u32; PIECES + 1],
    /// The value of each space: the sum of the live shapes that it is part of.
    pub(crate) pull: [i32; SPACES as usize],
}

/// The value of a live shape for each of its spaces, by the number of them that are held.
pub(crate) const PULL: [i32; PIECES + 1] = [0, 0, 1, 5, 30, 180, 0];

/// The shapes of a window by two of their spaces: those that hold both, from `first[lower * CELLS + upper]` on.
struct Pairs {
    first: Vec<u32>,
    shapes: Vec<u32>,
}

static PAIRS: LazyLock<Pairs> = LazyLock::new(|| {
    let (mut first, mut shapes) = (vec![0], Vec::new());
    for lower in 0..CELLS {
        for upper in 0..CELLS {
            let both = 1 << lower | 1 << upper;
            shapes.extend(SHAPES.iter().filter(|shape| lower < upper && *shape & both == both));
            first.push(shapes.len() as u32);
        }
    }
    Pairs { first, shapes }
});

impl Pairs {
    fn of(&self, lower: u32, upper: u32) -> &[u32] {
        let index = lower as usize * CELLS + upper as usize;
        &self.shapes[self.first[index] as usize..self.first[index + 1] as usize]
    }
}

/// Every shape with a space in the window's first column.
static SHAPES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut found: Vec<u32> = (0..CELLS).map(|cell| 1 << cell).collect();
    for _ in 1..PIECES {
        let grown = found.iter().flat_map(|shape| {
            let rim = rim(*shape);
            (0..CELLS).filter(move |cell| rim >> cell & 1 == 1).map(move |cell| shape | 1 << cell)
        });
        let mut grown: Vec<u32> = grown.collect();
        grown.sort_unstable();
        grown.dedup();
        found = grown;
    }
    found.retain(|shape| shape & first_column() != 0);
    found
});

const fn first_column() -> u32 {
    let mut column = 0;
    let mut row = 0;
    while row < ROWS as usize {
        column |= 1 << (row * WIDTH);
        row += 1;
    }
    column
}

/// The spaces of a window next to those of `shape`.
fn rim(shape: u32) -> u32 {
    let last_column = first_column() << (WIDTH - 1);
    let sideways = (shape & !last_column) << 1 | (shape & !first_column()) >> 1;
    (sideways | shape << WIDTH | shape >> WIDTH) & !shape & ((1 << CELLS) - 1)
}

/// The part of a colour's rows that the window at `column` shows.
fn window(rows: &[u32; ROWS as usize], column: u8) -> u32 {
    let mut shown = 0;
    for (row, mask) in rows.iter().enumerate() {
        let turned = mask >> column | mask << (NUMBERS - column);
        shown |= (turned & ((1 << WIDTH) - 1)) << (row * WIDTH);
    }
    shown
}

/// Calls `each` with every shape of which `colour` holds at least two spaces and the other colour none: the column of
/// its window, the shape, and the spaces held.
///
/// Each is looked for by the two lowest spaces that are held, which few shapes have in common.
fn for_each(position: &Position, colour: Colour, mut each: impl FnMut(u8, u32, u32)) {
    let pairs = &*PAIRS;
    let (own, other) = (position.rows_of(colour), position.rows_of(colour.other()));
    for column in 0..NUMBERS {
        let held = window(&own, column);
        if held & held.wrapping_sub(1) == 0 {
            continue;
        }
        let closed = window(&other, column);
        let mut lowers = held;
        let mut below = 0;
        while lowers != 0 {
            let lower = lowers.trailing_zeros();
            lowers &= lowers - 1;
            let mut uppers = lowers;
            let mut passed = closed | below;
            while uppers != 0 {
                let upper = uppers.trailing_zeros();
                uppers &= uppers - 1;
                for shape in pairs.of(lower, upper) {
                    if shape & passed == 0 {
                        each(column, *shape, shape & held);
                    }
                }
                passed |= 1 << upper;
            }
            below |= 1 << lower;
        }
    }
}

/// Returns how many live shapes there are by the number of spaces held.
pub(crate) fn counts(position: &Position, colour: Colour) -> [u32; PIECES + 1] {
    let mut counts = [0; PIECES + 1];
    for_each(position, colour, |_, _, held| counts[held.count_ones() as usize] += 1);
    counts
}

/// Both that and what each space is worth to a colour.
pub(crate) fn look(position: &Position, colour: Colour) -> Look {
    let mut look = Look { counts: [0; PIECES + 1], pull: [0; SPACES as usize] };
    let Look { counts, pull } = &mut look;
    for_each(position, colour, |column, shape, held| {
        let count = held.count_ones() as usize;
        counts[count] += 1;
        let (mut left, worth) = (shape, PULL[count]);
        while left != 0 {
            let cell = left.trailing_zeros();
            left &= left - 1;
            let row = cell as usize / WIDTH;
            let space =
                row * usize::from(NUMBERS) + (usize::from(column) + cell as usize % WIDTH) % usize::from(NUMBERS);
            pull[space] += worth;
        }
    });
    look
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stonehenge::Space;

    #[test]
    fn every_shape_is_counted_once() {
        // Each shape of six connected spaces of the cylinder, found the slow way: by growing from every space.
        let mut all: Vec<u128> = (0..SPACES).map(|space| 1 << space).collect();
        for _ in 1..PIECES {
            let grown = all.iter().flat_map(|shape| {
                let next = |space: &Space| {
                    let (column, row) = (space.column(), space.row());
                    let mut near = vec![Space::at(column + 1, row), Space::at(column + NUMBERS - 1, row)];
                    near.extend((row > 0).then(|| Space::at(column, row - 1)));
                    near.extend((row + 1 < ROWS).then(|| Space::at(column, row + 1)));
                    near.iter().any(|near| shape >> near.index() & 1 == 1) && shape >> space.index() & 1 == 0
                };
                Space::all().filter(next).map(|space| shape | 1 << space.index()).collect::<Vec<_>>()
            });
            let mut grown: Vec<u128> = grown.collect();
            grown.sort_unstable();
            grown.dedup();
            all = grown;
        }
        assert_eq!(all.len(), SHAPES.len() * usize::from(NUMBERS));
    }

    #[test]
    fn shapes_are_live_until_the_other_colour_stands_on_them() {
        let spaces = |list: &[(u8, u8)]| list.iter().map(|(column, row)| Space::at(*column, *row)).collect::<Vec<_>>();
        let white = spaces(&[(28, 0), (29, 0), (0, 0), (1, 0), (2, 0), (10, 3)]);
        let far = spaces(&[(14, 0), (15, 0), (16, 0), (17, 0), (18, 0), (20, 3)]);
        let open = counts(&Position::of(&white, &far), Colour::White);
        // Five in a row across the seam: each of the five spaces beside and the two at the ends.
        assert_eq!((open[5], open[6]), (7, 0));
        let shut = spaces(&[(27, 0), (15, 0), (16, 0), (17, 0), (18, 0), (20, 3)]);
        assert_eq!(counts(&Position::of(&white, &shut), Colour::White)[5], 6);
        let Look { pull, counts } = look(&Position::of(&white, &far), Colour::White);
        assert_eq!(counts, open);
        assert!(pull[Space::at(3, 0).index() as usize] > pull[Space::at(4, 0).index() as usize]);
    }
}
