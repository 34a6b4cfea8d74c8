//! The graph of spaces: neighbours, the cost of a step to the thief, and distances: 174 spaces, 321 edges.
//!
//! Invariant: all of it is derived from the shared set; the game, its topology resource and the tests read the same
//! edges. Two measures live side by side: movement points (cheapest way, around druids) and range (fewest edges,
//! regardless of their cost and of the druids).

use std::sync::LazyLock;

use super::space::{SPACES, Space, Spot};
use super::space_set::SpaceSet;
use crate::stonehenge::{
    BLUESTONES, NUMBERS, Number, Row, STONES, Stone, TRILITHON_PLACES, TrilithonPlace, printed_board,
};
use sarsen_rules::{Board, Edge};

/// Points for a step along Darkness, Shadow and Light.
const ALONG: [u8; 3] = [4, 2, 1];

const LIGHT: u8 = 2;

/// The possible costs of a step.
pub(super) const STEPS: [u8; 3] = [1, 2, 4];

/// More than any way costs.
const UNREACHED: u8 = u8::MAX;

struct Graph {
    neighbours: Vec<Vec<(Space, u8)>>,
    steps: Vec<[SpaceSet; STEPS.len()]>,
    ranges: Vec<[u8; SPACES as usize]>,
}

static GRAPH: LazyLock<Graph> = LazyLock::new(Graph::new);

/// Every pair of spaces that touch, once, with the movement points of a step between them (TH.1).
pub fn edges() -> Vec<(Space, Space, u8)> {
    let mut edges = Vec::with_capacity(321);
    for (row, cost) in (0..).zip(ALONG) {
        edges.extend((0..NUMBERS).map(|column| (Space::ring(column, row), Space::ring(column + 1, row), cost)));
    }
    for row in 0..LIGHT {
        edges.extend((0..NUMBERS).map(|column| (Space::ring(column, row), Space::ring(column, row + 1), 1)));
    }
    edges.extend(Stone::all().map(|stone| (Space::ring(stone.number.column(), LIGHT), Space::stone(stone), 1)));
    let next = |stone: Stone| Stone::in_ring((stone.index() + 1) % STONES);
    edges.extend(Stone::all().map(|stone| (Space::stone(stone), Space::stone(next(stone)), 1)));
    for (index, place) in (0..).zip(&TRILITHON_PLACES) {
        edges.extend(path(place).chain(view(place)).map(|space| (Space::trilithon(index), space, 1)));
    }
    edges.extend((1..BLUESTONES).map(|number| (Space::bluestone(number), Space::bluestone(number + 1), 1)));
    edges
}

/// The small stones that touch a trilithon (TH-14).
fn path(place: &TrilithonPlace) -> impl Iterator<Item = Space> + use<> {
    let numbers = place.path.clone().filter_map(Number::new);
    numbers.flat_map(|number| [false, true].map(|day| Space::stone(Stone { number, day })))
}

/// The bluestones that touch a trilithon (TH-15).
fn view(place: &TrilithonPlace) -> impl Iterator<Item = Space> + use<> {
    place.view.clone().map(Space::bluestone)
}

/// The trilithon on whose path this small stone lies, or into whose view this bluestone belongs.
pub(crate) fn trilithon_at(space: Space) -> Option<Space> {
    let holds = |place: &TrilithonPlace| match space.spot() {
        Spot::Stone(stone) => place.path.contains(&stone.number.get()),
        Spot::Bluestone(number) => place.view.contains(&number),
        Spot::Ring(_) | Spot::Trilithon(_) => false,
    };
    (0..).zip(&TRILITHON_PLACES).find(|(_, place)| holds(place)).map(|(index, _)| Space::trilithon(index))
}

impl Graph {
    fn new() -> Graph {
        let mut neighbours = vec![Vec::new(); usize::from(SPACES)];
        for (from, to, cost) in edges() {
            neighbours[from.index()].push((to, cost));
            neighbours[to.index()].push((from, cost));
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        let of_cost = |list: &[(Space, u8)], step: u8| {
            list.iter().filter(|(_, cost)| *cost == step).map(|(to, _)| *to).collect::<SpaceSet>()
        };
        let steps = neighbours.iter().map(|list| STEPS.map(|step| of_cost(list, step))).collect();
        let ranges = Space::all().map(|from| Graph::ranges_from(&neighbours, from)).collect();
        Graph { neighbours, steps, ranges }
    }

    fn ranges_from(neighbours: &[Vec<(Space, u8)>], from: Space) -> [u8; SPACES as usize] {
        let mut ranges = [UNREACHED; SPACES as usize];
        ranges[from.index()] = 0;
        let mut met = vec![from];
        let mut next = 0;
        while let Some(space) = met.get(next).copied() {
            for (neighbour, _) in &neighbours[space.index()] {
                if ranges[neighbour.index()] == UNREACHED {
                    ranges[neighbour.index()] = ranges[space.index()] + 1;
                    met.push(*neighbour);
                }
            }
            next += 1;
        }
        ranges
    }
}

/// The least number of edges between two spaces (TH-32).
pub fn range(from: Space, to: Space) -> u8 {
    GRAPH.ranges[from.index()][to.index()]
}

/// The spaces that touch this one, in board order, and what the step there costs.
pub(super) fn neighbours(space: Space) -> &'static [(Space, u8)] {
    &GRAPH.neighbours[space.index()]
}

/// The same for each cost of [`STEPS`].
pub(super) fn steps(space: Space) -> &'static [SpaceSet; STEPS.len()] {
    &GRAPH.steps[space.index()]
}

/// The board of this game: the printed one without row d and the altar (TH-17), joined by its edges.
pub(crate) fn board() -> Board {
    let mut board = printed_board();
    let row_d = format!("row_{}", Row::D.letter());
    let unused = |zone: &str| zone == row_d || zone == "altar";
    board.zones.retain(|zone| !unused(&zone.id));
    for (zone, title) in board.zones.iter_mut().zip(["Darkness, row a", "Shadow, row b", "Light, row c"]) {
        zone.title = title.to_owned();
    }
    board.places.retain(|place| !unused(&place.zone));
    let edge =
        |(from, to, cost): (Space, Space, u8)| Edge { from: from.to_string(), to: to.to_string(), cost: Some(cost) };
    board.edges = edges().into_iter().map(edge).collect();
    board
}
