//! A bot of whichever game, as the rest of the service sees it, and the registry of those that there are.
//!
//! Invariant: a bot is given an [`SeatObservation`], in the types of its game; nothing else of a match reaches it.

use std::sync::Arc;

use super::Bot;
use super::budget::{SearchMeans, Seed, searches};
use super::level::Level;
use super::ranking::Ranked;
use crate::erased::SeatObservation;
use crate::{GameSettings, absolution, contiguity, henge, sacrifice_roulette, thief_of_the_sacred_fire};
use sarsen_rules::{Dice, DiceSeed, Evaluator, Tuning, Viewer, WON};

/// The number of best moves that get reasons.
const REASONED: usize = 8;

/// An observation of another game than this one.
#[derive(Debug, thiserror::Error)]
#[error("the observation is none of {0}")]
pub struct NotOfThisGame(&'static str);

/// A move as a search has judged it, in the game's notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotedMove {
    /// The move.
    pub notation: String,
    /// The result that the bot expects of it: 0 (lost) to 10,000 (won), never more than of a move before it in the list.
    pub value: i32,
    /// The standard error of the value; 0 where nothing was sampled.
    pub error: i32,
    /// The number of simulations that went through it.
    pub(crate) visits: u32,
    /// The reason why it is a good move, where the game's knowledge has one; only the first few of a list have it.
    pub reason: Option<String>,
    /// The moves that would most likely follow.
    pub line: Vec<String>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Noted {
    /// The moves that were looked at, best first; empty only without a legal move.
    pub moves: Vec<NotedMove>,
    /// The number of simulations.
    pub(crate) simulations: u32,
    /// True if the search was stopped before its end: then this is the best so far.
    pub cut: bool,
}

/// The assessment of a move that was made. Values are 0 (lost) to 10,000 (won).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assessment {
    /// The best moves in notation, three at most, with their values, in the order in which the bot prefers them.
    pub best: Vec<(String, i32)>,
    /// The value that the made move lacks to that of the first.
    pub loss: i32,
    /// The standard error of the loss.
    pub error: i32,
    /// The reason why the first is a good move, where the game's knowledge has one.
    pub reason: Option<String>,
}

/// The pace that a decision asks of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// True where the decision is the first of a turn, even if the same seat made the last move.
    pub begins_turn: bool,
    /// True where there is only one legal move, and everybody can see that.
    pub is_forced: bool,
}

/// The bots of one game.
pub trait AnyBot: Send + Sync {
    /// The game's id.
    fn game(&self) -> &'static str;

    /// Returns how they think.
    fn tuning(&self) -> Tuning;

    /// Returns true if a bot of `level` has nothing to search in this observation: it goes by what it knows, or has one
    /// move.
    fn answers_at_once(&self, level: Level, observation: &SeatObservation) -> bool;

    /// The moves that a bot of `level` looks at for the observing seat, best first.
    ///
    /// # Errors
    /// An observation of another game.
    fn rank(
        &self,
        level: Level,
        observation: &SeatObservation,
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Result<Noted, NotOfThisGame>;

    /// Assesses a move that the observing seat made, in notation, as a bot of `level` would that errs by nothing. `None`
    /// where there was no choice, and from a search that was stopped.
    ///
    /// # Errors
    /// An observation, or a move, of another game.
    fn assess(
        &self,
        level: Level,
        observation: &SeatObservation,
        made: &str,
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Result<Option<Assessment>, NotOfThisGame>;

    /// The pace that the observed decision asks of a bot, which follows from what everybody can see.
    ///
    /// # Errors
    /// An observation of another game.
    fn pace(&self, observation: &SeatObservation) -> Result<Pace, NotOfThisGame>;

    /// The signals that a bot sends for the observing seat, in the game's notation.
    ///
    /// # Errors
    /// An observation of another game.
    fn talk(&self, observation: &SeatObservation) -> Result<Vec<String>, NotOfThisGame>;
}

struct Erased<G: Evaluator>(G);

impl<G: Evaluator> AnyBot for Erased<G> {
    fn game(&self) -> &'static str {
        G::INFO.id
    }

    fn tuning(&self) -> Tuning {
        G::TUNING
    }

    fn answers_at_once(&self, level: Level, observation: &SeatObservation) -> bool {
        let lone = || observation.open::<G>().is_none_or(|(_, legal)| legal.len() < 2);
        !searches(&G::TUNING, level.effort(&G::TUNING)) || lone()
    }

    fn rank(
        &self,
        level: Level,
        observation: &SeatObservation,
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Result<Noted, NotOfThisGame> {
        let (view, legal) = observation.open::<G>().ok_or(NotOfThisGame(G::INFO.id))?;
        let seat = observation.seat;
        let ranking = Bot::new(&self.0, level).rank(view, seat, legal, seed, means);
        // The reasons are the same for every imagined state.
        let state = self.0.imagine(view, Viewer::Seat(seat), &mut Dice::new(DiceSeed(seed)));
        // Without a search the first is worth what the position is, the others less by as much as they seemed worse.
        let standing = (ranking.simulations == 0).then(|| self.0.value(&state)[seat.index()]);
        let first = ranking.moves.first().map_or(0, |ranked| ranked.score);
        let unsearched = |score: i32| standing.map(|standing| standing.saturating_add(score.saturating_sub(first)));
        // The order is also that of how well a value is known: none counts for more than those of the moves before it.
        let mut most = WON;
        let mut noted = |(place, ranked): (usize, Ranked<G::Move>)| NotedMove {
            notation: self.0.notation(&ranked.mv),
            value: {
                most = most.min(unsearched(ranked.score).unwrap_or(ranked.value)).max(0);
                most
            },
            error: ranked.error,
            visits: ranked.visits,
            reason: (place < REASONED).then(|| self.0.reason(&state, seat, &ranked.mv)).flatten(),
            line: ranked.line.iter().map(|mv| self.0.notation(mv)).collect(),
        };
        Ok(Noted {
            moves: ranking.moves.into_iter().enumerate().map(&mut noted).collect(),
            simulations: ranking.simulations,
            cut: ranking.cut,
        })
    }

    fn assess(
        &self,
        level: Level,
        observation: &SeatObservation,
        made: &str,
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Result<Option<Assessment>, NotOfThisGame> {
        let (view, legal) = observation.open::<G>().ok_or(NotOfThisGame(G::INFO.id))?;
        let (game, seat) = (&self.0, observation.seat);
        let made = game.parse(made).map_err(|_| NotOfThisGame(G::INFO.id))?;
        let Some(found) = Bot::new(game, level).assess(view, seat, legal, &made, seed, means) else { return Ok(None) };
        let first = found.best.first().filter(|_| found.loss > 0);
        let reason = first.and_then(|(mv, _)| {
            game.reason(&game.imagine(view, Viewer::Seat(seat), &mut Dice::new(DiceSeed(seed))), seat, mv)
        });
        let best = found.best.iter().map(|(mv, value)| (game.notation(mv), *value)).collect();
        Ok(Some(Assessment { best, loss: found.loss, error: found.error, reason }))
    }

    fn pace(&self, observation: &SeatObservation) -> Result<Pace, NotOfThisGame> {
        let (view, legal) = observation.open::<G>().ok_or(NotOfThisGame(G::INFO.id))?;
        Ok(Pace {
            begins_turn: self.0.begins_turn(view),
            is_forced: self.0.is_publicly_forced(view, observation.seat, legal),
        })
    }

    fn talk(&self, observation: &SeatObservation) -> Result<Vec<String>, NotOfThisGame> {
        let (view, _) = observation.open::<G>().ok_or(NotOfThisGame(G::INFO.id))?;
        Ok(self.0.talk(view, observation.seat).iter().map(|mv| self.0.notation(mv)).collect())
    }
}

/// The bots that an instance offers, one line a game.
#[derive(Clone, Default)]
pub struct Bots {
    bots: Vec<Arc<dyn AnyBot>>,
}

impl Bots {
    /// Those of all games of this release.
    pub fn standard(settings: GameSettings) -> Bots {
        Bots { bots: Vec::new() }
            .with(contiguity::Contiguity)
            .with(absolution::Absolution)
            .with(sacrifice_roulette::SacrificeRoulette)
            .with(thief_of_the_sacred_fire::ThiefOfTheSacredFire)
            .with(henge::Henge::new(settings.henge_components))
    }

    /// These bots and those of `game`, which take the place of others of its id.
    #[must_use]
    pub fn with(mut self, game: impl Evaluator) -> Bots {
        let bot: Arc<dyn AnyBot> = Arc::new(Erased(game));
        self.bots.retain(|known| known.game() != bot.game());
        self.bots.push(bot);
        self
    }

    /// The bots of a game; `None` if it has none.
    pub fn of(&self, game: &str) -> Option<&Arc<dyn AnyBot>> {
        self.bots.iter().find(|bot| bot.game() == game)
    }
}
