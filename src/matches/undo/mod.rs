//! Undo and takebacks: a match is put back to the state that it had at an earlier version.
//!
//! An undo is a step like any other: the log grows, the version rises, and everybody gets an event. Nothing is ever
//! deleted. A replay of the log (`log_replay`) makes the earlier state again; no second state is stored.
//!
//! - A *free undo* goes back within the caller's own turn, over moves of the caller's own, without asking anybody.
//! - A *takeback* goes further, over anybody's moves, once every other person at the table has agreed; bots agree to
//!   everything.
//! - No undo of either kind goes back behind a *barrier*: a step in which chance or a move has shown anybody what was hidden
//!   from them, or in which somebody has left. [`track`] keeps where the newest one is, so that nobody has to look it up.
//!
//! # No undo gives an advantage from what it has shown
//!
//! A player who undoes a move knows what it has shown, and plays on with that. So an undo must never go back over a
//! step that has shown somebody something.
//!
//! 1. *Dice.* Only a chance step ([`Rules::resolve`]) is given dice, and every step of a match in which one was carried out
//!    is a barrier, whether or not the dice moved: a card drawn from a pile that was shuffled long ago is one too. So between
//!    the version that an undo goes back to and the present one the dice stand still, which is checked as it is done. A
//!    dry run carries out no chance step. Hence each position of the dice has been drawn from at most once in the whole log:
//!    neither a dry run, nor an undo, nor the same move made once more can show a second draw from it, or the first one
//!    early.
//! 2. *What the mover learns of others.* [`Rules::apply`] reads nothing that the mover cannot know, and a refusal says
//!    nothing that the mover's view does not show. Both are laws of `rules::conformance`. So the answers to all moves
//!    that a player tries and takes back are functions of what that player knew before.
//! 3. *What others learn of the mover.* A move that shows anybody what was hidden from them is a barrier: its game says
//!    so ([`Secrets::reveals`], which has no default). A law checks every other move in two states that a viewer cannot
//!    tell apart: it is legal in both, and shows that viewer the same. A secret choice (a card laid face down) reveals
//!    nothing until the chance step that turns it up; a word about one's hand cannot be unsaid.
//! 4. *Intentions.* A takeback does let the other seats know what its seat would have done, and the seat what others
//!    answered. That is what they are asked for, and why rated play has none.
//! 5. *Bots* see a view, and their seed follows from the version at which a decision opened. After an undo a decision
//!    opens at a new version, so its seed is new, and a bot's earlier answer tells nothing about its next one.
//!
//! Each player may undo [`track::UNDO_MAX`] times in a match, so that nobody keeps the others waiting; where one
//! player holds every seat, there is no bound. What others say in a turn (draws, takebacks, offers of
//! seats) takes no undo away: talk is no move. A version that was undone within the turn can be gone to as well as those
//! before it, which does the moves again.
//!
//! [`Rules::resolve`]: sarsen_rules::Rules::resolve
//! [`Rules::apply`]: sarsen_rules::Rules::apply
//! [`Secrets::reveals`]: sarsen_rules::Secrets::reveals

mod asking;

pub use crate::model::track;
