//! The content of a plan, and how it is read.
//!
//! Invariant: a [`PlanTree`] is within the bounds. It names moves that the game reads, as the game writes them, and
//! never asks twice for the same moves side by side. Nobody can know before their time whether its moves will be legal.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};

use crate::model::plan::FaultyPlan;
use sarsen_games::AnyGame;

/// The most branches of a plan.
pub(crate) const PLAN_BRANCHES_MAX: usize = 64;
/// The most turns of its owner that a plan looks ahead.
pub(crate) const PLAN_DEPTH_MAX: usize = 12;
/// The most moves that a branch waits for, and that it makes.
pub(crate) const PLAN_MOVES_MAX: usize = 32;
/// The most characters of a move in a plan.
pub(crate) const PLAN_NOTATION_MAX: usize = 100;

/// A branch of a plan: for some moves of the others, what its owner then plays.
// What it says is its owner's secret, so it has no form to print.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanBranch {
    /// The moves of all other seats until the owner's turn.
    #[schema(schema_with = when, required)]
    pub(crate) when: Vec<String>,
    /// The moves of that turn.
    #[schema(schema_with = then, required)]
    pub(crate) then: Vec<String>,
    /// The branches by which it goes on; left out where the plan ends here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion, required = false, max_items = 64)]
    pub(crate) next: Vec<PlanBranch>,
}

fn when() -> Array {
    notations("The moves of all other seats until the owner's turn, in order, in the game's notation.")
}

fn then() -> Array {
    notations("The moves of that turn, which the owner then makes.")
}

fn notations(description: &str) -> Array {
    let notation =
        ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(PLAN_NOTATION_MAX));
    let moves = ArrayBuilder::new().items(notation).min_items(Some(1)).max_items(Some(PLAN_MOVES_MAX));
    moves.description(Some(description)).build()
}

/// A plan that was read.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PlanTree(Vec<PlanBranch>);

impl PlanTree {
    /// Reads a plan for a match of `game`.
    pub(super) fn read(mut branches: Vec<PlanBranch>, game: &dyn AnyGame) -> Result<PlanTree, FaultyPlan> {
        if branches.is_empty() {
            return Err(fault("tree", "a plan has a branch at least"));
        }
        Reading { game, branches: 0 }.side_by_side(&mut branches, "tree", 1)?;
        Ok(PlanTree(branches))
    }

    pub(super) fn into_branches(self) -> Vec<PlanBranch> {
        self.0
    }
}

struct Reading<'a> {
    game: &'a dyn AnyGame,
    /// The number of branches read so far.
    branches: usize,
}

fn fault(path: impl Into<String>, detail: impl Into<String>) -> FaultyPlan {
    FaultyPlan { path: path.into(), detail: detail.into() }
}

impl Reading<'_> {
    fn side_by_side(&mut self, branches: &mut [PlanBranch], path: &str, depth: usize) -> Result<(), FaultyPlan> {
        if depth > PLAN_DEPTH_MAX && !branches.is_empty() {
            return Err(fault(path, format!("a plan looks at most {PLAN_DEPTH_MAX} turns ahead")));
        }
        for at in 0..branches.len() {
            let (before, rest) = branches.split_at_mut(at);
            let Some(branch) = rest.first_mut() else { break };
            let here = format!("{path}[{at}]");
            self.branches += 1;
            if self.branches > PLAN_BRANCHES_MAX {
                return Err(fault(here, format!("a plan has at most {PLAN_BRANCHES_MAX} branches")));
            }
            self.moves(&mut branch.when, &format!("{here}.when"))?;
            if before.iter().any(|other| other.when == branch.when) {
                return Err(fault(format!("{here}.when"), "another branch beside it is for the same moves"));
            }
            self.moves(&mut branch.then, &format!("{here}.then"))?;
            self.side_by_side(&mut branch.next, &format!("{here}.next"), depth + 1)?;
        }
        Ok(())
    }

    fn moves(&self, moves: &mut [String], path: &str) -> Result<(), FaultyPlan> {
        if !(1..=PLAN_MOVES_MAX).contains(&moves.len()) {
            return Err(fault(path, format!("a branch has 1 to {PLAN_MOVES_MAX} moves here")));
        }
        for (at, notation) in moves.iter_mut().enumerate() {
            let wrong = |detail: String| fault(format!("{path}[{at}]"), detail);
            if notation.chars().count() > PLAN_NOTATION_MAX {
                return Err(wrong(format!("a notation has at most {PLAN_NOTATION_MAX} characters here")));
            }
            let read = self.game.read_notation(notation).map_err(|malformed| wrong(malformed.detail))?;
            if !read.needs_turn {
                return Err(wrong("a move that needs no turn is not planned".to_owned()));
            }
            *notation = read.notation;
        }
        Ok(())
    }
}
