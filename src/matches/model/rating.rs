//! Rated matches: which can be rated, and why others cannot.
//!
//! Invariant: a match is rated or not from its making on; nothing that is asked for later changes it.

use crate::model::clock::OnTimeout;
use crate::model::table_terms::ReservedSeat;
use crate::model::terms::{Terms, UndoTerms, Visibility};
use sarsen_accounts::auth::PlayerKind;
use sarsen_games::AnyGame;
use sarsen_rules::{Mode, SeatCount};

/// The reason why a match cannot be rated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NotRateable {
    /// The game has no opponents.
    #[error("only games with opponents are rated")]
    Game,
    /// The options are neither the game's defaults nor a set that it marks as ranked.
    #[error("a rated match has the game's default options, or others that the game ranks")]
    Options,
    /// There is no clock, or a bot takes over when it runs out.
    #[error("a rated match has a `clock`, whose `on_timeout` is `forfeit` or `absent_move`")]
    Clock,
    /// Moves can be undone.
    #[error("in a rated match nothing is undone: leave out `undo`")]
    Undo,
    /// Players may ask for hints.
    #[error("a rated match has no hints: leave out `hints`")]
    Hints,
    /// One player sits everywhere.
    #[error("a rated match is no hotseat match")]
    Hotseat,
    /// A bot of the service holds a seat.
    #[error("a rated match has no bots of the service")]
    Bots,
    /// There is one seat, or the seats are of persons and of bot accounts.
    #[error("a rated match has at least two seats, all of persons or all of bot accounts")]
    Seats,
    /// The match is private, and a seat is kept for nobody.
    #[error("a private match is rated only where every other seat is kept for somebody (`places`)")]
    Private,
}

impl Terms {
    /// Returns true if the result of the match changes the ratings of its players.
    pub fn is_rated(&self) -> bool {
        self.rated
    }

    /// Refuses a rated match that cannot be one. `own` is the kind of the creator, if they sit.
    ///
    /// # Errors
    /// The first reason.
    pub(crate) fn must_be_rateable(
        &self,
        game: &dyn AnyGame,
        seats: SeatCount,
        own: Option<PlayerKind>,
    ) -> Result<(), NotRateable> {
        if !self.is_rated() {
            return Ok(());
        }
        let table = &self.table;
        let timed = self.clock.is_some_and(|clock| clock.on_timeout != OnTimeout::Bot);
        let kinds = || table.reserved.iter().map(|ReservedSeat { player, .. }| player.kind).chain(own);
        let mixed = kinds().zip(kinds().skip(1)).any(|(one, next)| one != next);
        let kept = kinds().count() == usize::from(seats.get());
        let wrong = [
            (NotRateable::Game, game.info().mode != Mode::Competitive),
            (NotRateable::Options, game.ranked(&self.options, seats).is_none()),
            (NotRateable::Clock, !timed),
            (NotRateable::Undo, self.undo != Some(UndoTerms::Off)),
            (NotRateable::Hints, self.hints == Some(true)),
            (NotRateable::Hotseat, table.hotseat || table.forked_from.is_some()),
            (NotRateable::Bots, !self.bots.is_empty()),
            (NotRateable::Seats, seats == SeatCount::ONE || mixed),
            (NotRateable::Private, self.visibility == Visibility::Private && !kept),
        ];
        wrong.into_iter().find(|(_, wrong)| *wrong).map_or(Ok(()), |(reason, _)| Err(reason))
    }
}
