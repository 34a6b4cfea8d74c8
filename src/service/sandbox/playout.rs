//! Playouts: a position played on by lot or by bots, to the end or for some moves.
//!
//! Invariants: the same position, seed and level play out the same. What is drawn in a playout comes from its own seed and
//! not from the position's dice, so that several from one position differ. A bot is shown what its seat sees.

use std::sync::Arc;

use super::seal::KindHint;
use super::{Sandbox, SandboxPosition, further_seed};
use sarsen_games::bots::{AnyBot, Level, SearchMeans};
use sarsen_games::{AnyMove, Corrupt, MoveInput, PlayError};
use sarsen_rules::{Dice, DiceSeed, Seat, Status};

/// The number of simulations of a search that count as much as one step.
const SIMULATIONS_A_STEP: u32 = 4;

/// Positions to play on from.
pub struct PlayoutOrder {
    /// The texts of the positions.
    pub positions: Vec<String>,
    /// The number of playouts of each.
    pub count: usize,
    /// The most moves of a playout.
    pub moves: usize,
    /// The strength of the bots that play; `None` for random moves.
    pub level: Option<Level>,
    /// The seed of the first playout; `None` for a random one.
    pub seed: Option<DiceSeed>,
}

/// The end of a playout.
pub struct PlayedOut {
    /// The position that was come to.
    pub position: SandboxPosition,
    /// The number of moves that were made.
    pub moves: usize,
}

/// The reason why a position was not played on from.
#[derive(Debug, thiserror::Error)]
pub enum NotPlayedOut {
    /// The text was not sealed here.
    #[error("the position was not sealed by this service with a key and for rules that it still has")]
    PositionInvalid,
    /// The game has no bots.
    #[error("this game has no bots here")]
    NoBots,
    /// A position cannot be written, or a bot or the game has failed.
    #[error(transparent)]
    Corrupt(Corrupt),
    /// Nothing to play on with.
    #[error("a seat that is to act has no move")]
    Stuck,
}

/// The means of a request's playouts.
pub struct PlayoutMeans<'a, E> {
    /// Pays for a number of steps, or says why they are not taken.
    pub pay: &'a mut dyn FnMut(u32) -> Result<(), E>,
    /// Tells whether nobody waits for the result any more.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

impl Sandbox {
    /// Plays on from each position as often as is asked for, and gives each end to `take`. A position from which there is
    /// nothing to play is given once.
    ///
    /// # Errors
    /// Those of `take` and of paying.
    pub fn play_out<E>(
        &self,
        order: &PlayoutOrder,
        means: &mut PlayoutMeans<'_, E>,
        take: &mut dyn FnMut(Result<PlayedOut, NotPlayedOut>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut seeds = self.seeds(order.seed, order.count * order.positions.len());
        let mut hint = KindHint::default();
        for text in &order.positions {
            let opened = self.seals.open(text, &mut hint).ok_or(NotPlayedOut::PositionInvalid);
            let opened = opened.and_then(|start| match order.level {
                Some(level) => {
                    let bot = self.bots.of(start.game.info().id).ok_or(NotPlayedOut::NoBots)?;
                    Ok((start, Some((Arc::clone(bot), level))))
                }
                None => Ok((start, None)),
            });
            match opened {
                Err(refused) => take(Err(refused))?,
                Ok((start, players)) => {
                    for seed in seeds.by_ref().take(order.count) {
                        let played = played_out(&start, seed, order.moves, players.as_ref(), means)?;
                        take(played)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn played_out<E>(
    start: &SandboxPosition,
    seed: DiceSeed,
    most: usize,
    players: Option<&(Arc<dyn AnyBot>, Level)>,
    means: &mut PlayoutMeans<'_, E>,
) -> Result<Result<PlayedOut, NotPlayedOut>, E> {
    let (mut lot, mut moves) = (Dice::new(further_seed(seed, u32::MAX)), 0);
    let mut at = SandboxPosition::new(Arc::clone(&start.game), start.state.duplicate(), seed, Dice::new(seed));
    while moves < most && !(means.is_over)() {
        let Status::ToAct(seats) = at.state.status() else { break };
        let Some(seat) = seats.first() else { break };
        let chosen = match players {
            None => {
                (means.pay)(1)?;
                at.state.absent_move(seat, &mut lot).ok_or(NotPlayedOut::Stuck)
            }
            Some((bot, level)) => {
                (means.pay)(cost(&**bot, *level, &at, seat))?;
                decided(&**bot, *level, &at, seat, further_seed(seed, moves as u32), means.is_over)
            }
        };
        let played = chosen.and_then(|mv| at.state.play(seat, mv, &mut at.dice).map_err(NotPlayedOut::from));
        if let Err(failed) = played {
            return Ok(Err(failed));
        }
        moves += 1;
    }
    Ok(Ok(PlayedOut { position: at, moves }))
}

impl From<PlayError> for NotPlayedOut {
    fn from(error: PlayError) -> NotPlayedOut {
        match error {
            PlayError::Corrupt(corrupt) => NotPlayedOut::Corrupt(corrupt),
            // Only legal moves are chosen.
            PlayError::Refused(_) => NotPlayedOut::Stuck,
        }
    }
}

/// The number of steps that a decision of a bot counts as.
fn cost(bot: &dyn AnyBot, level: Level, at: &SandboxPosition, seat: Seat) -> u32 {
    let observation = at.state.observe(seat);
    if bot.answers_at_once(level, &observation) {
        return 1;
    }
    1 + level.effort(&bot.tuning()).simulations / SIMULATIONS_A_STEP
}

fn decided(
    bot: &dyn AnyBot,
    level: Level,
    at: &SandboxPosition,
    seat: Seat,
    seed: DiceSeed,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<AnyMove, NotPlayedOut> {
    let ranked = bot.rank(level, &at.state.observe(seat), seed.0, &SearchMeans { threads: 1, is_over });
    let best = ranked.ok().and_then(|ranked| ranked.moves.into_iter().next()).ok_or(NotPlayedOut::Stuck)?;
    at.game.read_move(&MoveInput::Notation(best.notation)).map_err(|_| NotPlayedOut::Stuck)
}
