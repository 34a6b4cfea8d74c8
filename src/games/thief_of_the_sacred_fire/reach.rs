//! Reachable spaces of the thief, and the ways there.
//!
//! Invariant: among the cheapest ways to a space the one is shown that comes from the cheapest space before it, and from
//! the first of these in board order; so it is always the same. What is computed for every list of moves are the costs
//! alone; the way is looked for once it is gone.

use super::graph::{STEPS, neighbours, steps};
use super::space::{SPACES, Space};
use super::space_set::SpaceSet;

/// More than any way costs.
const UNREACHED: u8 = u8::MAX;

/// Costs that are looked ahead to: none more than the dearest step.
const AHEAD: usize = STEPS[STEPS.len() - 1] as usize + 1;

/// The spaces within the thief's reach.
pub struct Reach {
    from: Space,
    reached: SpaceSet,
    costs: [u8; SPACES as usize],
}

impl Reach {
    /// From `from` by the cheapest ways of at most `points` that enter none of the `guarded` spaces (TH-29).
    pub fn new(from: Space, points: u8, guarded: &[Space]) -> Reach {
        Reach::up_to(from, None, points, guarded)
    }

    /// The same, no farther than `to`: of what costs more than that, nothing is known.
    pub(crate) fn towards(from: Space, to: Space, points: u8, guarded: &[Space]) -> Reach {
        Reach::up_to(from, Some(to), points, guarded)
    }

    fn up_to(from: Space, to: Option<Space>, points: u8, guarded: &[Space]) -> Reach {
        let mut reach = Reach { from, reached: SpaceSet::default(), costs: [UNREACHED; SPACES as usize] };
        let mut closed: SpaceSet = guarded.iter().copied().collect();
        closed.remove(from);
        // The spaces met at the present cost and at each cost up to the dearest step more. Some may have been reached
        // for less.
        let mut met = [SpaceSet::default(); AHEAD];
        met[0].insert(from);
        for cost in 0..=points {
            let here = usize::from(cost) % AHEAD;
            let fresh = std::mem::take(&mut met[here]).minus(&closed);
            closed.join(&fresh);
            reach.reached.join(&fresh);
            for space in fresh.iter() {
                reach.costs[space.index()] = cost;
                for (step, targets) in STEPS.iter().zip(steps(space)).filter(|(step, _)| **step <= points - cost) {
                    met[(here + usize::from(*step)) % AHEAD].join(targets);
                }
            }
            let is_there = to.is_some_and(|to| reach.costs[to.index()] == cost);
            if is_there || met.iter().all(SpaceSet::is_empty) {
                break;
            }
        }
        reach
    }

    /// Returns what the cheapest way there costs; `None` where there is none within the points. 0 for where the thief is.
    pub fn cost(&self, to: Space) -> Option<u8> {
        Some(self.costs[to.index()]).filter(|cost| *cost != UNREACHED)
    }

    /// Every space that can be reached but the one where the thief is, in board order.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Space> + use<> {
        self.spaces().iter()
    }

    /// Returns how many [`Reach::targets`] there are.
    pub(crate) fn len(&self) -> usize {
        self.spaces().len()
    }

    fn spaces(&self) -> SpaceSet {
        let mut spaces = self.reached;
        spaces.remove(self.from);
        spaces
    }

    /// The steps of the cheapest way to `to`, without the space where it begins.
    pub(crate) fn way(&self, to: Space) -> Vec<Space> {
        let mut way = Vec::new();
        let mut space = to;
        while let Some(before) = self.before(space) {
            way.push(space);
            space = before;
        }
        way.reverse();
        way
    }

    /// The space before this one on the way that is shown; `None` where the way begins, or there is none.
    fn before(&self, space: Space) -> Option<Space> {
        let cost = self.cost(space)?;
        let fits = |(before, step): &&(Space, u8)| {
            self.cost(*before).is_some_and(|so_far| so_far.checked_add(*step) == Some(cost))
        };
        let ways = neighbours(space).iter().filter(fits);
        ways.map(|(before, _)| *before).min_by_key(|before| (self.costs[before.index()], *before))
    }
}
