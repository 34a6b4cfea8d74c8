//! A bot of whichever game, as the rest of the service sees it, and the registry of those that there are.
//!
//! Invariant: a bot reads the view as its seat's client reads it, from JSON; nothing else of a match reaches it.

use std::error::Error;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::Bot;
use super::budget::{SearchMeans, Seed};
use super::level::Level;
use super::ranking::Ranked;
use crate::{GameSettings, absolution, contiguity, henge, sacrifice_roulette, thief_of_the_sacred_fire};
use sarsen_rules::{Dice, DiceSeed, Guide, Seat, Tuning, Viewer};

/// So many of the best moves are given reasons.
const REASONED: usize = 8;

/// A view or a move that is none of the game's.
#[derive(Debug, thiserror::Error)]
#[error("the {what} is none of {game}")]
pub struct NotOfThisGame {
    what: &'static str,
    game: &'static str,
    #[source]
    source: Box<dyn Error + Send + Sync>,
}

/// A move as a search has judged it, in the game's notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotedMove {
    /// The move.
    pub notation: String,
    /// What the search expects of it: 0 (lost) to 10,000 (won).
    pub value: i32,
    /// The standard error of the value; 0 where nothing was sampled.
    pub error: i32,
    /// How many simulations went through it.
    pub visits: u32,
    /// Why it is a good move, where the game's knowledge has a reason; of the first few of a list alone.
    pub reason: Option<String>,
    /// The moves that would most likely follow.
    pub line: Vec<String>,
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Noted {
    /// The moves that were looked at, best first; empty only without a legal move.
    pub moves: Vec<NotedMove>,
    /// How many simulations were made.
    pub simulations: u32,
    /// Whether the search was stopped before its end: then the first legal move stands alone.
    pub cut: bool,
}

/// The bots of one game.
pub trait AnyBot: Send + Sync {
    /// The game's id.
    fn game(&self) -> &'static str;

    /// How they think.
    fn tuning(&self) -> Tuning;

    /// The moves that a bot of `level` looks at for `seat`, best first. `view` is the seat's, with or without the tag that
    /// names the game, and `legal` its legal moves as a JSON list of notations.
    ///
    /// # Errors
    /// Where view or moves are none of this game.
    fn rank(
        &self,
        level: Level,
        view: &RawValue,
        seat: Seat,
        legal: &RawValue,
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Result<Noted, NotOfThisGame>;

    /// The signals that a bot sends for `seat`, in the game's notation.
    ///
    /// # Errors
    /// Where the view is none of this game.
    fn talk(&self, view: &RawValue, seat: Seat) -> Result<Vec<String>, NotOfThisGame>;
}

struct Erased<G: Guide>(G);

impl<G: Guide> Erased<G> {
    fn view(view: &RawValue) -> Result<G::View, NotOfThisGame> {
        let fault = |source: serde_json::Error| NotOfThisGame { what: "view", game: G::INFO.id, source: source.into() };
        let mut view: serde_json::Value = serde_json::from_str(view.get()).map_err(fault)?;
        if let Some(view) = view.as_object_mut() {
            view.remove("game");
        }
        serde_json::from_value(view).map_err(fault)
    }
}

impl<G: Guide> AnyBot for Erased<G> {
    fn game(&self) -> &'static str {
        G::INFO.id
    }

    fn tuning(&self) -> Tuning {
        G::TUNING
    }

    fn rank(
        &self,
        level: Level,
        view: &RawValue,
        seat: Seat,
        legal: &RawValue,
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Result<Noted, NotOfThisGame> {
        let view = Erased::<G>::view(view)?;
        let fault =
            |source: Box<dyn Error + Send + Sync>| NotOfThisGame { what: "list of moves", game: G::INFO.id, source };
        let legal: Vec<String> = serde_json::from_str(legal.get()).map_err(|source| fault(source.into()))?;
        let legal: Result<Vec<G::Move>, _> = legal.iter().map(|notation| self.0.parse(notation)).collect();
        let legal = legal.map_err(|refusal| fault(refusal.into()))?;
        let ranking = Bot::new(&self.0, level).rank(&view, seat, &legal, seed, means);
        // Whatever is imagined, the reasons are the same.
        let state = self.0.imagine(&view, Viewer::Seat(seat), &mut Dice::new(DiceSeed(seed)));
        let noted = |(place, ranked): (usize, Ranked<G::Move>)| NotedMove {
            notation: self.0.notation(&ranked.mv),
            value: ranked.value,
            error: ranked.error,
            visits: ranked.visits,
            reason: (place < REASONED).then(|| self.0.reason(&state, seat, &ranked.mv)).flatten(),
            line: ranked.line.iter().map(|mv| self.0.notation(mv)).collect(),
        };
        Ok(Noted {
            moves: ranking.moves.into_iter().enumerate().map(noted).collect(),
            simulations: ranking.simulations,
            cut: ranking.cut,
        })
    }

    fn talk(&self, view: &RawValue, seat: Seat) -> Result<Vec<String>, NotOfThisGame> {
        let view = Erased::<G>::view(view)?;
        Ok(self.0.talk(&view, seat).iter().map(|mv| self.0.notation(mv)).collect())
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
    pub fn with(mut self, game: impl Guide) -> Bots {
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
