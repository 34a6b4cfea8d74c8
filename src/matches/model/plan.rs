//! Refusals of plans.

/// The reason why nobody can plan ahead in a match, or not now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanUnsupported {
    /// The game hides something, or leaves something to chance during play.
    #[error("in this game something is hidden or left to chance during play, so that no moves can be planned")]
    Game,
    /// One player sits everywhere.
    #[error("one player holds every seat here: there is nobody whose moves could be waited for")]
    Alone,
    /// The match has a live clock.
    #[error("this match has a live clock, by which both sit at the table: plans are for slow matches")]
    Live,
    /// It is the owner's turn.
    #[error("it is your turn: make your move, and plan then what is to follow the others' answer")]
    OwnTurn,
}

/// The fault of a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{detail}")]
pub struct FaultyPlan {
    /// The place in the request, such as `tree[0].then[1]`.
    pub path: String,
    /// One sentence.
    pub(crate) detail: String,
}
