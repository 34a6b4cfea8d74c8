//! A plain UCT for Contiguity, written without the service's evaluator, search or move generator: what it knows of the game
//! is a board of masks, and how many live shapes of six spaces each side holds two or more of.

use std::sync::LazyLock;

use sarsen::games::contiguity::{Colour, Contiguity, Move, State};
use sarsen::games::stonehenge::Space;
use sarsen::rules::{Notation, Rules, Secrets, Viewer};

use super::arena::Player;

const COLUMNS: i32 = 30;
const SPACES: usize = 120;
/// The weights of a live shape, by how many of its spaces are held.
const WEIGHTS: [f64; 7] = [0.0, 0.0, 1.0, 5.0, 30.0, 180.0, 0.0];
const EXPLORATION: f64 = 0.35;

/// The spaces next to a space: along the ring, and across the rows.
fn beside(space: usize) -> Vec<usize> {
    let (row, column) = (space as i32 / COLUMNS, space as i32 % COLUMNS);
    let mut found = vec![row * COLUMNS + (column + 1) % COLUMNS, row * COLUMNS + (column + COLUMNS - 1) % COLUMNS];
    found.extend((row > 0).then_some(space as i32 - COLUMNS));
    found.extend((row < 3).then_some(space as i32 + COLUMNS));
    found.into_iter().map(|space| space as usize).collect()
}

static BESIDE: LazyLock<Vec<u128>> = LazyLock::new(|| {
    (0..SPACES).map(|space| beside(space).into_iter().fold(0, |mask, other| mask | 1 << other)).collect()
});

/// Every connected set of six spaces, and for each space those that it is part of.
static SHAPES: LazyLock<(Vec<u128>, Vec<Vec<u32>>)> = LazyLock::new(|| {
    let mut shapes: Vec<u128> = (0..SPACES).map(|space| 1 << space).collect();
    for _ in 1..6 {
        let grown = |shape: &u128| {
            let rim = spaces(*shape).fold(0, |rim, space| rim | BESIDE[space]) & !shape;
            spaces(rim).map(|space| shape | 1 << space).collect::<Vec<_>>()
        };
        shapes = shapes.iter().flat_map(grown).collect();
        shapes.sort_unstable();
        shapes.dedup();
    }
    let mut of_space = vec![Vec::new(); SPACES];
    for (number, shape) in shapes.iter().enumerate() {
        spaces(*shape).for_each(|space| of_space[space].push(number as u32));
    }
    (shapes, of_space)
});

fn spaces(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let space = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (space < SPACES).then_some(space)
    })
}

fn connected(mask: u128) -> bool {
    let mut group = mask & mask.wrapping_neg();
    loop {
        let grown = spaces(group).fold(group, |grown, space| grown | BESIDE[space]) & mask;
        if grown == group {
            return group == mask;
        }
        group = grown;
    }
}

/// A position: the pieces of the side to move, and of the other.
#[derive(Clone, Copy)]
struct Board {
    own: u128,
    other: u128,
}

type Step = (u8, u8);

impl Board {
    fn after(self, (from, to): Step) -> Board {
        Board { own: self.other, other: self.own & !(1 << from) | 1 << to }
    }

    /// The spaces to which a piece can go: in a line, over one piece at most, onto an empty space.
    fn targets(self, from: usize) -> u128 {
        let all = self.own | self.other;
        let (row, column) = (from as i32 / COLUMNS, from as i32 % COLUMNS);
        let mut found = 0;
        for (step_row, step_column, most) in [(0, 1, COLUMNS - 1), (0, -1, COLUMNS - 1), (1, 0, 3), (-1, 0, 3)] {
            let mut passed = 0;
            for length in 1..=most {
                let row = row + step_row * length;
                if !(0..4).contains(&row) {
                    break;
                }
                let to = row * COLUMNS + (column + step_column * length).rem_euclid(COLUMNS);
                if all >> to & 1 == 1 {
                    passed += 1;
                    if passed > 1 {
                        break;
                    }
                } else {
                    found |= 1u128 << to;
                }
            }
        }
        found
    }

    fn steps(self) -> impl Iterator<Item = Step> {
        spaces(self.own).flat_map(move |from| spaces(self.targets(from)).map(move |to| (from as u8, to as u8)))
    }

    fn win(self) -> Option<Step> {
        // Six pieces are joined only by one that lands beside another.
        let near = spaces(self.own).fold(0, |near, space| near | BESIDE[space]);
        self.steps().find(|(from, to)| near >> to & 1 == 1 && connected(self.own & !(1 << from) | 1 << to))
    }
}

/// The weight of all live shapes of a side, and on each space.
fn weigh(own: u128, other: u128) -> (f64, [f64; SPACES]) {
    let (shapes, of_space) = &*SHAPES;
    let (mut sum, mut on) = (0.0, [0.0; SPACES]);
    for space in spaces(own) {
        for number in &of_space[space] {
            let shape = shapes[*number as usize];
            let held = shape & own;
            // Each is counted at the first of its pieces.
            if shape & other == 0 && held.trailing_zeros() as usize == space {
                let weight = WEIGHTS[held.count_ones() as usize];
                sum += weight;
                if weight > 0.0 {
                    spaces(shape).for_each(|space| on[space] += weight);
                }
            }
        }
    }
    (sum, on)
}

/// A position in the tree, whose value is that of the side that is to move.
struct Node {
    board: Board,
    steps: Vec<Step>,
    behind: Vec<Option<usize>>,
    visits: f64,
    sum: f64,
    /// The end of the game.
    over: Option<f64>,
}

impl Node {
    /// A position that has just been come to, and what it seems worth.
    fn new(board: Board) -> (Node, f64) {
        let mut node = Node { board, steps: Vec::new(), behind: Vec::new(), visits: 0.0, sum: 0.0, over: None };
        if let Some(win) = board.win() {
            (node.steps, node.behind, node.over) = (vec![win], vec![None], Some(1.0));
            return (node, 1.0);
        }
        let (own, on_own) = weigh(board.own, board.other);
        let (other, on_other) = weigh(board.other, board.own);
        let worth = |(from, to): Step| {
            5.0 * on_own[usize::from(to)] - on_own[usize::from(from)] + 1.2 * on_other[usize::from(to)]
        };
        let mut steps: Vec<(f64, Step)> = board.steps().map(|step| (worth(step), step)).collect();
        steps.sort_by(|one, two| two.0.total_cmp(&one.0));
        node.steps = steps.into_iter().map(|(_, step)| step).collect();
        node.behind = vec![None; node.steps.len()];
        (node, 0.5 + 0.5 * (own - other) / (own + other + 1.0))
    }

    /// The step to try next: of as many of the best as it has been visited for.
    fn choose(&self, nodes: &[Node]) -> usize {
        let width = (3.0 + self.visits.sqrt()) as usize;
        let bound = |index: usize| match self.behind[index].map(|behind| &nodes[behind]) {
            Some(behind) => 1.0 - behind.sum / behind.visits + EXPLORATION * (self.visits.ln() / behind.visits).sqrt(),
            None => 1.5,
        };
        let open = 0..self.steps.len().min(width);
        open.max_by(|one, two| bound(*one).total_cmp(&bound(*two)).then(two.cmp(one))).unwrap_or_default()
    }
}

/// The step that was tried most often.
fn searched(root: Board, simulations: u32) -> Step {
    let mut nodes = vec![Node::new(root).0];
    for _ in 0..simulations {
        let mut path = vec![0];
        let value = loop {
            let here = path[path.len() - 1];
            if let Some(value) = nodes[here].over {
                break value;
            }
            let index = nodes[here].choose(&nodes);
            match nodes[here].behind[index] {
                Some(next) => path.push(next),
                None => {
                    let (node, value) = Node::new(nodes[here].board.after(nodes[here].steps[index]));
                    nodes.push(node);
                    let next = nodes.len() - 1;
                    nodes[here].behind[index] = Some(next);
                    path.push(next);
                    break value;
                }
            }
        };
        let mut value = value;
        for here in path.into_iter().rev() {
            nodes[here].visits += 1.0;
            nodes[here].sum += value;
            value = 1.0 - value;
        }
    }
    let visits = |index: usize| nodes[0].behind[index].map_or(0.0, |behind| nodes[behind].visits);
    let most = (0..nodes[0].steps.len()).max_by(|one, two| visits(*one).total_cmp(&visits(*two)).then(two.cmp(one)));
    nodes[0].steps[most.unwrap()]
}

/// A plain UCT with so many simulations.
pub fn uct(simulations: u32) -> Player<Contiguity> {
    Player::new(move |game: &Contiguity, state: &State, seat, _| {
        let legal = game.legal_moves(state, seat).moves;
        let white = game.view(state, Viewer::Spectator).white_seat == Some(seat);
        let own = if white { Colour::White } else { Colour::Red };
        let place = |space: Space| space.row() * COLUMNS as u8 + space.column();
        let mask = |colour| state.position.pieces(colour).fold(0, |mask, space| mask | 1 << place(space));
        let root = Board { own: mask(own), other: mask(own.other()) };
        assert_eq!(root.steps().count(), legal.len(), "its moves are those of the rules");
        let (from, to) = searched(root, simulations);
        let is_chosen = |mv: &&Move| match mv {
            Move::Move(mv) => (place(mv.from), place(mv.to)) == (from, to),
            _ => false,
        };
        legal.iter().find(is_chosen).copied().unwrap_or_else(|| panic!("{}", game.notation(&legal[0])))
    })
}
