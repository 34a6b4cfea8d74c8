//! Tree search: what may follow is looked at again and again, what does better more often, and leaves are judged by the
//! game's own knowledge.
//!
//! In games with secrets or chance it is one tree for what the searching seat may know: each simulation goes through another
//! determinization, and a move counts as on offer only where that determinization offers it. In open games a node is one
//! position, and what is won or lost for certain is proven.
//!
//! Invariants: no move is looked at before those with a better prior; one thread makes a tree, so there is nothing for
//! the number of threads to change: the other threads have other searches to make.

use super::budget::{FEWEST_SIMULATIONS, SearchMeans};
use super::determinizations::Determinizations;
use super::flat::Tally;
use super::ranking::{Compared, Ranked, Ranking, as_ranked};
use sarsen_rules::{Candidate, Candidates, Evaluator, Seat, SilentWalk, Values, WON};

/// The weight of exploration in a tree search, in the units of values.
const CURIOSITY: i64 = 900;
/// The number of visits for which a prior counts.
const PRIOR_VISITS: i64 = 4;
/// A line through forced moves is followed at most this far before it is judged.
const FORCED: u32 = 24;

/// A move out of a node.
struct Branch<M> {
    mv: M,
    worth: i32,
    /// The node behind it, once it has been looked at.
    node: Option<usize>,
    /// The number of times that it was on offer.
    offered: u32,
}

struct Node<M> {
    /// The seat that moves; `None` at the end.
    actor: Option<Seat>,
    branches: Vec<Branch<M>>,
    /// True if the branches are all that matter.
    complete: bool,
    visits: u32,
    sums: [i64; 5],
    /// The proven values, in open games.
    proven: Option<Values>,
    /// The value of the position behind it, in open games, where it was found along with the candidates.
    judged: Option<Values>,
}

impl<M> Node<M> {
    fn mean(&self, seat: Seat) -> i64 {
        match self.proven {
            Some(values) => values[seat.index()].into(),
            None => self.sums[seat.index()] / i64::from(self.visits.max(1)),
        }
    }
}

struct Tree<'a, G: Evaluator> {
    game: &'a G,
    nodes: Vec<Node<G::Move>>,
    open: bool,
}

/// Searches with `simulations` leaves, or as many as there are when it is stopped: too few leave the order of the
/// candidates. `root` are the moves to choose from.
pub(crate) fn search<G: Evaluator>(
    game: &G,
    determinizations: &Determinizations<'_, G>,
    seat: Seat,
    root: Candidates<G::Move>,
    simulations: u32,
    means: &SearchMeans<'_>,
) -> Ranking<G::Move> {
    let (mut tree, grown, cut) = Tree::grown(game, determinizations, seat, root, simulations, means);
    let made = grown.visits();
    if cut && made < FEWEST_SIMULATIONS {
        let root = tree.nodes.swap_remove(0).branches;
        let ranked = root.into_iter().map(|Branch { mv, worth, .. }| Candidate { mv, worth });
        return Ranking { cut, ..as_ranked(ranked.collect()) };
    }
    Ranking { cut, ..tree.ranking(seat, made) }
}

/// Searches behind each of these moves alone, and compares them with the one at `made`; `None` if stopped.
pub(super) fn compared<G: Evaluator>(
    game: &G,
    determinizations: &Determinizations<'_, G>,
    seat: Seat,
    moves: &[G::Move],
    made: usize,
    simulations: u32,
    means: &SearchMeans<'_>,
) -> Option<Vec<Compared>> {
    let searched = |mv: &G::Move| {
        let alone = Candidates { list: vec![Candidate { mv: mv.clone(), worth: 0 }], complete: true };
        let (tree, grown, cut) = Tree::grown(game, determinizations, seat, alone, simulations, means);
        let error = if tree.nodes[0].proven.is_some() { 0 } else { i64::from(grown.error()) };
        (!cut).then(|| (tree.nodes[0].mean(seat) as i32, error))
    };
    let found: Vec<(i32, i64)> = moves.iter().map(searched).collect::<Option<_>>()?;
    let (_, own) = found[made];
    let apart = |error: i64| (error * error + own * own).isqrt() as i32;
    Some(found.into_iter().map(|(value, error)| Compared { value, apart: apart(error) }).collect())
}

impl<'a, G: Evaluator> Tree<'a, G> {
    /// A tree of `simulations` leaves, or as many as there were when it was stopped, with what they came to for `seat`,
    /// and whether it was stopped.
    fn grown(
        game: &'a G,
        determinizations: &Determinizations<'_, G>,
        seat: Seat,
        root: Candidates<G::Move>,
        simulations: u32,
        means: &SearchMeans<'_>,
    ) -> (Tree<'a, G>, Tally, bool) {
        let open = G::INFO.open_information();
        let mut tree = Tree { game, nodes: Vec::new(), open };
        tree.add(Some(seat), root);
        let determinization = determinizations.state(0);
        let mut grown = Tally::default();
        while grown.visits() < simulations && tree.nodes[0].proven.is_none() {
            if (means.is_over)() {
                return (tree, grown, true);
            }
            let number = grown.visits();
            let state = if open { determinization.clone() } else { determinizations.state(number) };
            grown.add(tree.simulate(state, determinizations, number)[seat.index()]);
        }
        (tree, grown, false)
    }

    fn add(&mut self, actor: Option<Seat>, candidates: Candidates<G::Move>) -> usize {
        let branch = |Candidate { mv, worth }| Branch { mv, worth, node: None, offered: 0 };
        self.nodes.push(Node {
            actor,
            branches: candidates.list.into_iter().map(branch).collect(),
            complete: candidates.complete,
            visits: 0,
            sums: [0; 5],
            proven: None,
            judged: None,
        });
        self.nodes.len() - 1
    }

    /// One way from the root to a leaf and back; answers the values of the leaf.
    fn simulate(&mut self, state: G::State, determinizations: &Determinizations<'_, G>, number: u32) -> Values {
        let mut chance = determinizations.chance(number);
        let mut walk = SilentWalk::new(self.game, state);
        let mut path = vec![0];
        let mut forced = 0;
        let values = loop {
            let here = path[path.len() - 1];
            if let Some(values) = self.nodes[here].proven {
                break values;
            }
            let Some(actor) = self.nodes[here].actor else { break self.game.value(walk.state()) };
            let fresh = path.len() > 1 && self.nodes[here].visits == 0;
            let lone = self.nodes[here].branches.len() == 1;
            if fresh && (!lone || forced >= FORCED) {
                break self.nodes[here].judged.unwrap_or_else(|| self.game.value(walk.state()));
            }
            forced += u32::from(fresh);
            if !self.open {
                self.offer(here, actor, walk.state(), path.len() == 1);
            }
            let Some(index) = self.choose(here, actor, &walk) else { break self.game.value(walk.state()) };
            let mv = self.nodes[here].branches[index].mv.clone();
            if walk.play(actor, mv, &mut chance).is_err() {
                break self.game.value(walk.state());
            }
            let next = match self.nodes[here].branches[index].node {
                Some(next) => next,
                None => {
                    let next = self.arrive(&walk);
                    self.nodes[here].branches[index].node = Some(next);
                    next
                }
            };
            path.push(next);
        };
        for here in path.into_iter().rev() {
            let node = &mut self.nodes[here];
            node.visits += 1;
            node.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += i64::from(value));
            if self.open {
                self.prove(here);
            }
        }
        values
    }

    /// A node for where the walk has come to.
    fn arrive(&mut self, walk: &SilentWalk<'_, G>) -> usize {
        match walk.to_act().map(|seats| seats.first()) {
            Some(Some(actor)) => {
                let most = G::TUNING.candidates;
                let (candidates, judged) = self.game.judge(walk.state(), actor, most);
                let node = self.add(Some(actor), candidates);
                self.nodes[node].judged = judged.filter(|_| self.open);
                node
            }
            over => {
                let node = self.add(None, Candidates { list: Vec::new(), complete: true });
                if self.open && over.is_none() {
                    self.nodes[node].proven = Some(self.game.value(walk.state()));
                }
                node
            }
        }
    }

    /// Counts what this determinization offers at a node, and adds what no determinization before has.
    fn offer(&mut self, here: usize, actor: Seat, state: &G::State, root: bool) {
        let offered = self.game.candidates(state, actor, G::TUNING.candidates);
        let node = &mut self.nodes[here];
        for Candidate { mv, worth } in offered.list {
            match node.branches.iter_mut().find(|branch| branch.mv == mv) {
                Some(branch) => branch.offered += 1,
                None if root => {}
                None => node.branches.push(Branch { mv, worth, node: None, offered: 1 }),
            }
        }
    }

    /// The branch to follow; `None` where none can be.
    fn choose(&self, here: usize, actor: Seat, walk: &SilentWalk<'_, G>) -> Option<usize> {
        let node = &self.nodes[here];
        let visits = i64::from(node.visits);
        let root = (visits + 1).isqrt();
        // Wider the more often a node is looked at.
        let width = if self.open { 3 + 2 * (visits / 4).isqrt() } else { i64::MAX };
        let standing = if node.visits > 0 { node.mean(actor) } else { i64::from(WON) / 2 };
        let best = node.branches.first().map_or(0, |branch| branch.worth);
        let mut chosen: Option<(i64, usize)> = None;
        let mut open = 0;
        for (index, branch) in node.branches.iter().enumerate() {
            if open >= width {
                break;
            }
            if !self.open && self.game.check(walk.state(), actor, &branch.mv).is_err() {
                continue;
            }
            let prior = (standing + i64::from(branch.worth - best)).clamp(0, i64::from(WON));
            let (tried, mean, lost) = match branch.node.map(|node| &self.nodes[node]) {
                Some(child) => {
                    let lost = child.proven.is_some_and(|values| values[actor.index()] == 0);
                    (i64::from(child.visits), child.mean(actor), lost)
                }
                None => (0, 0, false),
            };
            // What is lost for certain takes no room.
            open += i64::from(!lost);
            let trials = if self.open { root } else { (i64::from(branch.offered) + 1).isqrt() };
            let value = (mean * tried + prior * PRIOR_VISITS) / (tried + PRIOR_VISITS);
            let score = if lost { -1 } else { value + CURIOSITY * trials / (tried + 1) };
            if chosen.is_none_or(|(most, _)| score > most) {
                chosen = Some((score, index));
            }
        }
        chosen.map(|(_, index)| index)
    }

    /// Proves a node from its branches. It is won if one of them is won. If all that matter are proven, it is worth the
    /// best of them.
    fn prove(&mut self, here: usize) {
        let node = &self.nodes[here];
        let (Some(actor), None) = (node.actor, node.proven) else { return };
        let certain = node.branches.iter().map(|branch| branch.node.and_then(|node| self.nodes[node].proven));
        let won = |values: &Values| values[actor.index()] == WON;
        let mut best: Option<Values> = None;
        let mut all = node.complete;
        for values in certain {
            match values {
                Some(values) if won(&values) => {
                    self.nodes[here].proven = Some(values);
                    return;
                }
                Some(values) => {
                    if best.is_none_or(|best| values[actor.index()] > best[actor.index()]) {
                        best = Some(values);
                    }
                }
                None => all = false,
            }
        }
        if all && best.is_some() {
            self.nodes[here].proven = best;
        }
    }

    fn ranking(&self, seat: Seat, simulations: u32) -> Ranking<G::Move> {
        let root = &self.nodes[0];
        let best = root.branches.first().map_or(0, |branch| branch.worth);
        let ranked = root.branches.iter().map(|branch| {
            let child = branch.node.map(|node| &self.nodes[node]);
            let visits = child.map_or(0, |child| child.visits);
            let prior = (root.mean(seat) + i64::from(branch.worth - best)).clamp(0, i64::from(WON));
            let value = child.map_or(prior, |child| child.mean(seat));
            // What was looked at most often is best, unless something is certain. The value decides between equals.
            let share = i64::from(visits) * i64::from(WON) / i64::from(simulations.max(1));
            let score = match child.and_then(|child| child.proven) {
                Some(values) if values[seat.index()] == WON => i64::from(WON) * 3,
                Some(values) if values[seat.index()] == 0 => i64::from(-WON),
                _ => share + value / 10,
            };
            let line = self.line(branch.node);
            Ranked { mv: branch.mv.clone(), value: value as i32, error: 0, visits, score: score as i32, line }
        });
        let mut ranking = Ranking { moves: ranked.collect(), simulations, cut: false };
        ranking.order();
        ranking
    }

    /// Returns what would most likely follow behind a node of an open game.
    fn line(&self, mut node: Option<usize>) -> Vec<G::Move> {
        let mut line = Vec::new();
        while let Some(here) = node.filter(|_| self.open && line.len() < 8) {
            let visits = |branch: &&Branch<G::Move>| branch.node.map_or(0, |node| self.nodes[node].visits);
            let Some(next) = self.nodes[here].branches.iter().max_by_key(visits).filter(|next| visits(next) > 0) else {
                break;
            };
            line.push(next.mv.clone());
            node = next.node;
        }
        line
    }
}
