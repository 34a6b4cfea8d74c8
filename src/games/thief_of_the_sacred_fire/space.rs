//! The 174 spaces of this game: three rings of the outer board, small stones, trilithons, bluestones.
//!
//! Board order is 1a … 30a, 1b … 30b, 1c … 30c, N1 D1 … N30 D30, T1 … T5, B1 … B19. A space is its index in that order.

use std::str::FromStr;

use utoipa::ToSchema;

use crate::common::text_forms;
use crate::stonehenge::{BLUESTONES, NUMBERS, STONES, Space as PrintedSpace, Stone, TRILITHON_PLACES};

const RINGS: u8 = 3 * NUMBERS;
const FIRST_STONE: u8 = RINGS;
const FIRST_TRILITHON: u8 = FIRST_STONE + STONES;
/// The number of trilithons on the board.
pub(crate) const TRILITHONS: u8 = TRILITHON_PLACES.len() as u8;
const FIRST_BLUESTONE: u8 = FIRST_TRILITHON + TRILITHONS;

/// The names of trilithons and bluestones, in board order.
const CENTRAL_TEXTS: [&str; (TRILITHONS + BLUESTONES) as usize] = [
    "T1", "T2", "T3", "T4", "T5", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11", "B12", "B13",
    "B14", "B15", "B16", "B17", "B18", "B19",
];

/// The number of spaces.
pub(crate) const SPACES: u8 = FIRST_BLUESTONE + BLUESTONES;

/// A space: Darkness `1a` to `30a`, Shadow `1b` to `30b`, Light `1c` to `30c`, small stone `N1` to `D30`, trilithon `T1`
/// to `T5`, bluestone `B1` to `B19`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(
    as = ThiefSpace, value_type = String, examples("6c", "N6", "T1", "B19"),
    pattern = "^(([1-9]|[12][0-9]|30)[abc]|[DN]([1-9]|[12][0-9]|30)|T[1-5]|B([1-9]|1[0-9]))$"
)]
pub struct Space(u8);

/// The kind of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// Of Darkness, Shadow or Light: rows a, b, c.
    Ring(PrintedSpace),
    /// A small stone.
    Stone(Stone),
    /// A trilithon, 0 (`T1`) to 4.
    Trilithon(u8),
    /// A bluestone, 1 to 19.
    Bluestone(u8),
}

/// A text that names no space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a space is 1a to 30c, N1 to D30, T1 to T5 or B1 to B19, not the altar (1.1, TH-17)")]
pub struct InvalidSpace;

impl Space {
    /// `30a`.
    pub(crate) const START_30: Space = Space(NUMBERS - 1);
    /// `1a`.
    pub const START_1: Space = Space(0);
    /// `B1`.
    pub(crate) const FIRST_BLUESTONE: Space = Space(FIRST_BLUESTONE);
    /// `B19`.
    pub(crate) const LAST_BLUESTONE: Space = Space(SPACES - 1);

    /// The space of a small stone.
    pub(crate) const fn stone(stone: Stone) -> Space {
        Space(FIRST_STONE + stone.index())
    }

    /// Trilithon `index`, counted from 0 and round again from 5 on.
    pub(crate) const fn trilithon(index: u8) -> Space {
        Space(FIRST_TRILITHON + index % TRILITHONS)
    }

    /// Bluestone `number`, counted from 1; outside 1 to 19 the nearer end.
    pub(crate) const fn bluestone(number: u8) -> Space {
        match number {
            0 => Space::FIRST_BLUESTONE,
            1..=BLUESTONES => Space(FIRST_BLUESTONE + number - 1),
            _ => Space::LAST_BLUESTONE,
        }
    }

    /// The space at this place in board order, or `None` from [`SPACES`] on.
    pub(crate) const fn from_index(index: u8) -> Option<Space> {
        if index < SPACES { Some(Space(index)) } else { None }
    }

    /// Its place in board order, for indexing.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns what it is.
    pub(crate) const fn spot(self) -> Spot {
        match self.0 {
            0..RINGS => Spot::Ring(PrintedSpace::at(self.0 % NUMBERS, self.0 / NUMBERS)),
            FIRST_STONE..FIRST_TRILITHON => Spot::Stone(Stone::in_ring(self.0 - FIRST_STONE)),
            FIRST_TRILITHON..FIRST_BLUESTONE => Spot::Trilithon(self.0 - FIRST_TRILITHON),
            _ => Spot::Bluestone(self.0 - FIRST_BLUESTONE + 1),
        }
    }

    /// Returns what it is called.
    fn text(self) -> &'static str {
        match self.spot() {
            Spot::Ring(space) => space.text(),
            Spot::Stone(stone) => stone.text(),
            Spot::Trilithon(_) | Spot::Bluestone(_) => {
                CENTRAL_TEXTS.get(usize::from(self.0.wrapping_sub(FIRST_TRILITHON))).copied().unwrap_or_default()
            }
        }
    }

    /// All spaces in board order.
    pub(crate) fn all() -> impl Iterator<Item = Space> + Clone {
        (0..SPACES).map(Space)
    }

    /// The space of the outer ring at `column` (from 0) and `row` (0 Darkness, 1 Shadow, 2 Light).
    pub(crate) const fn ring(column: u8, row: u8) -> Space {
        Space(row % 3 * NUMBERS + column % NUMBERS)
    }
}

impl FromStr for Space {
    type Err = InvalidSpace;

    /// Exactly the canonical text.
    fn from_str(text: &str) -> Result<Space, InvalidSpace> {
        if let Ok(space) = text.parse::<PrintedSpace>() {
            return if space.index() < RINGS { Ok(Space(space.index())) } else { Err(InvalidSpace) };
        }
        if let Ok(stone) = text.parse::<Stone>() {
            return Ok(Space::stone(stone));
        }
        match *text.as_bytes() {
            [b'T', unit @ b'1'..=b'5'] => Ok(Space::trilithon(unit - b'1')),
            [b'B', unit @ b'1'..=b'9'] => Ok(Space::bluestone(unit - b'0')),
            [b'B', b'1', unit @ b'0'..=b'9'] => Ok(Space::bluestone(10 + unit - b'0')),
            _ => Err(InvalidSpace),
        }
    }
}

text_forms!(Space, "a space such as \"6c\", \"N6\", \"T1\" or \"B19\"");
