//! The answers about the games on offer. Nothing here changes while the process runs, so each is written once, at
//! start-up.

use std::sync::Arc;

use super::boards::Boards;
use super::game::GameBody;
use super::glossary::GlossaryList;
use super::list::{GameList, GameSummary};
use crate::answer::codes::Code;
use crate::answer::etag::CachedAnswer;
use crate::answer::problem::Problem;
use sarsen_games::{AnyGame, Games};

/// The answers about one game.
pub(crate) struct Answers {
    /// The game itself, for pictures.
    pub(super) drawn: Arc<dyn AnyGame>,
    pub(super) game: CachedAnswer,
    pub(super) rules: CachedAnswer,
    pub(super) boards: Boards,
    pub(super) glossary: CachedAnswer,
}

impl Answers {
    /// The glossary, as it is answered.
    pub(crate) fn glossary_text(&self) -> String {
        String::from_utf8_lossy(self.glossary.bytes()).into_owned()
    }

    pub(crate) fn game(&self) -> &dyn AnyGame {
        &*self.drawn
    }

    fn of(drawn: &Arc<dyn AnyGame>) -> Result<Answers, serde_json::Error> {
        let game = &**drawn;
        let glossary = GlossaryList { items: game.glossaries(), next_cursor: None };
        Ok(Answers {
            drawn: Arc::clone(drawn),
            game: CachedAnswer::json(&GameBody::of(game)?)?,
            rules: CachedAnswer::markdown(game.rulebook().text()),
            boards: Boards::of(game)?,
            glossary: CachedAnswer::json(&glossary)?,
        })
    }
}

/// The answers of this resource.
pub(crate) struct CatalogueAnswers {
    pub(super) list: CachedAnswer,
    /// In the order of the list.
    games: Vec<Answers>,
}

impl CatalogueAnswers {
    /// Writes the answers for `games`.
    pub(crate) fn of(games: &Games) -> Result<CatalogueAnswers, serde_json::Error> {
        let items = games.iter().map(|game| GameSummary::from(game.info())).collect();
        let list = CachedAnswer::json(&GameList { items, next_cursor: None })?;
        Ok(CatalogueAnswers { list, games: games.iter().map(Answers::of).collect::<Result<_, _>>()? })
    }

    /// The games, in the order of the list.
    pub(crate) fn all(&self) -> impl Iterator<Item = &dyn AnyGame> {
        self.games.iter().map(Answers::game)
    }

    /// The answers about the game of this id.
    ///
    /// # Errors
    /// `game_not_found`.
    pub(crate) fn find(&self, id: &str) -> Result<&Answers, Problem> {
        self.games.iter().find(|answers| answers.game().info().id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.all().map(|game| game.info().id).collect();
            let detail = format!("there is no such game here; there are {}", ids.join(", "));
            Problem::new(Code::GameNotFound).field("game").detail(detail)
        })
    }
}
