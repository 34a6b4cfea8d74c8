//! The printed board as data. Coordinates: 12 o'clock is the seam between 30 and 1, each number is 12 degrees wide.

use sarsen_rules::{Board, Edge, Place, Zone};

use super::centre::{BLUESTONES, Stone, TRILITHON_PLACES};
use super::number::{NUMBERS, Number};
use super::space::{ROWS, Row, Space};

const NUMBER_DEGREES: f64 = 12.0;
/// Between neighbouring bluestones; B2 and B18 then face T1 and T5.
const BLUESTONE_DEGREES: f64 = 13.5;
const TRILITHON_RADIUS: f64 = 0.46;
const BLUESTONE_RADIUS: f64 = 0.3;

/// The middle of a row, from the centre of the board.
fn radius(row: Row) -> f64 {
    match row {
        Row::A => 0.94,
        Row::B => 0.82,
        Row::C => 0.7,
        Row::D => 0.58,
    }
}

/// Everything that is printed. The edges join the 120 spaces of the outer ring with their neighbours: along the row
/// all the way round, and across the rows. The rest of the board is joined by the games that play on it.
pub(crate) fn printed_board() -> Board {
    Board { edition: None, side: None, zones: zones(), places: places(), edges: ring_edges() }
}

/// The four rows of the outer ring alone, for a game that nothing else takes part in.
pub(crate) fn outer_ring() -> Board {
    let mut board = printed_board();
    board.zones.retain(|zone| zone.id.starts_with("row_"));
    board.places.retain(|place| place.zone.starts_with("row_"));
    board
}

fn zones() -> Vec<Zone> {
    [
        ("row_a", "Row a, the outermost boxes"),
        ("row_b", "Row b, the colour strips"),
        ("row_c", "Row c, the numbers"),
        ("row_d", "Row d, the day-and-night pairs"),
        ("inner_ring", "Inner ring of small stones, night and day of each number"),
        ("trilithon_places", "Trilithon places"),
        ("bluestones", "Bluestones"),
        ("altar", "Altar"),
    ]
    .into_iter()
    .map(|(id, title)| Zone::of_board(id, title))
    .collect()
}

fn places() -> Vec<Place> {
    let spaces = Row::ALL.into_iter().flat_map(|row| {
        Number::all().map(move |number| {
            let degrees = (f64::from(number.get()) - 0.5) * NUMBER_DEGREES;
            let zone = format!("row_{}", row.letter());
            place(Space::new(number, row).to_string(), zone, Some(number), degrees, radius(row))
        })
    });
    let stones = Stone::all().map(|stone| {
        let degrees = (f64::from(stone.index()) + 0.5) * NUMBER_DEGREES / 2.0;
        place(stone.to_string(), "inner_ring", Some(stone.number), degrees, radius(Row::D))
    });
    let trilithons = TRILITHON_PLACES.iter().map(|trilithon| {
        let degrees = f64::from(*trilithon.path.start()) * NUMBER_DEGREES;
        place(trilithon.id, "trilithon_places", None, degrees, TRILITHON_RADIUS)
    });
    let bluestones = (1..=BLUESTONES).map(|stone| {
        let degrees = 180.0 + (f64::from(stone) - 10.0) * BLUESTONE_DEGREES;
        place(format!("B{stone}"), "bluestones", None, degrees, BLUESTONE_RADIUS)
    });
    let altar = std::iter::once(place("altar", "altar", None, 0.0, 0.0));
    spaces.chain(stones).chain(trilithons).chain(bluestones).chain(altar).collect()
}

/// A place `degrees` clockwise from 12 o'clock.
fn place(id: impl Into<String>, zone: impl Into<String>, number: Option<Number>, degrees: f64, radius: f64) -> Place {
    // Rounded, so that every platform's sine gives the same text.
    let round = |value: f64| (value * 1e6).round() / 1e6 + 0.0;
    Place {
        id: id.into(),
        zone: zone.into(),
        kind: None,
        number: number.map(Number::get),
        colour: number.map(|number| number.colour().to_string()),
        x: round(radius * degrees.to_radians().sin()),
        y: round(radius * degrees.to_radians().cos()),
    }
}

fn ring_edges() -> Vec<Edge> {
    let edge = |from: Space, to: Space| Edge { from: from.to_string(), to: to.to_string(), cost: None };
    let along = Space::all().map(|space| edge(space, Space::at((space.column() + 1) % NUMBERS, space.row())));
    let across = Space::all()
        .filter(|space| space.row() + 1 < ROWS)
        .map(|space| edge(space, Space::at(space.column(), space.row() + 1)));
    along.chain(across).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'a>(board: &'a Board, id: &str) -> &'a Place {
        board.places.iter().find(|place| place.id == id).unwrap()
    }

    #[test]
    fn everything_printed_is_there() {
        let board = printed_board();
        let count = |zone: &str| board.places.iter().filter(|place| place.zone == zone).count();
        let counts: Vec<usize> = board.zones.iter().map(|zone| count(&zone.id)).collect();
        assert_eq!(counts, [30, 30, 30, 30, 60, 5, 19, 1]);
        assert_eq!(board.edges.len(), 30 * 4 + 30 * 3);
    }

    #[test]
    fn numbers_run_clockwise_from_the_seam_at_the_top() {
        let board = printed_board();
        let (first, last, third) = (find(&board, "1a"), find(&board, "30a"), find(&board, "8a"));
        assert!(first.x > 0.0 && last.x < 0.0 && first.y > 0.9 && first.y == last.y);
        assert!(third.x > 0.93 && third.y.abs() < 1e-9, "8a is at 3 o'clock");
        assert!(find(&board, "1b").y < first.y);
        assert!(find(&board, "B1").x > 0.0 && find(&board, "B19").x < 0.0 && find(&board, "B10").y < 0.0);
        assert!(find(&board, "T1").x > 0.0 && find(&board, "T3").y < -0.4);
    }
}
