//! Replay of the moves of bots: the check that bots of this release decide the same on what they saw.
//!
//! Invariant: it judges only what this release can know: moves of bots of its own version, except those whose search
//! took too long.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use serde_json::value::RawValue;

use super::format::MatchExport;
use super::possible::noted;
use super::verifying::{Discrepancy, Verified, bot_versions, replayed};
use crate::Refused;
use crate::model::bots::SeatBot;
use crate::model::log::Action;
use crate::table::live_match::LiveMatch;
use crate::thinking::signals;
use sarsen_games::bots::{AnyBot, Bots};
use sarsen_games::{AnyGame, Games, MoveInput};
use sarsen_rules::Seat;

/// The numbers of bot moves that were found again, and that could not be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReplayedBots {
    /// Moves of bots that were found again.
    pub found: usize,
    /// Moves marked as cut short, which are the first legal ones.
    pub cut_short: usize,
    /// Those of them for which the bots of this release find another move: their search need not have been cut short.
    pub doubtful: usize,
    /// Moves of bots that cannot be found again: of another version.
    pub passed_over: usize,
}

/// Compares the version of a record's bots with that of this release's.
///
/// # Errors
/// [`Discrepancy::NewerBots`].
pub fn check_bots(bots: &Bots, record: &MatchExport) -> Result<(), Discrepancy> {
    let known = bots.of(&record.game).map_or(0, |bot| bot.tuning().version);
    bot_versions(record).find(|version| *version > known).map_or(Ok(()), |newer| Err(Discrepancy::NewerBots(newer)))
}

/// Verifies a record as [`verify`](super::verify) does, and finds each move of its bots again.
///
/// # Errors
/// The first [`Discrepancy`].
pub fn verify_bots(games: &Games, bots: &Bots, record: &MatchExport) -> Result<(Verified, ReplayedBots), Discrepancy> {
    check_bots(bots, record)?;
    let mut replay =
        Replay { bot: bots.of(&record.game).map(|bot| &**bot), said: HashMap::new(), done: ReplayedBots::default() };
    let verified = replayed(games, record, &mut |step, before, action| replay.look(step, before, action))?;
    Ok((verified, replay.done))
}

struct Replay<'a> {
    bot: Option<&'a dyn AnyBot>,
    /// The signals that each bot began to send and has still to make.
    said: HashMap<Seat, Vec<String>>,
    done: ReplayedBots,
}

impl Replay<'_> {
    fn look(&mut self, step: usize, before: &LiveMatch, action: &Action) -> Result<(), Discrepancy> {
        let Action::Move { seat, mv, cut, .. } = action else { return Ok(()) };
        let Some(seated) = before.bot(*seat) else { return Ok(()) };
        let bot = self.bot.filter(|bot| bot.tuning().version == seated.version);
        let impossible = |source: Refused| Discrepancy::Impossible { step, source };
        let recorded = noted(before, *seat, mv).map_err(impossible)?;
        if *cut {
            // Already checked: it is the first legal move. The failure of that time need not happen again.
            self.done.cut_short += 1;
            let found = bot.and_then(|bot| decided(bot, before, *seat, seated).ok().flatten());
            self.done.doubtful += usize::from(found.is_some_and(|found| found != recorded));
            return Ok(());
        }
        let Some(bot) = bot else {
            self.done.passed_over += 1;
            return Ok(());
        };
        let needs_turn = reads_as_turn(&*before.game, mv);
        // The player whom the bot replaces may still send signals; the record does not show who of the two did.
        if !needs_turn && before.is_taken_over(*seat) {
            self.done.passed_over += 1;
            return Ok(());
        }
        let found = if needs_turn {
            self.said.remove(seat);
            decided(bot, before, *seat, seated).map_err(impossible)?
        } else {
            self.say(bot, before, *seat, &recorded).map_err(impossible)?
        };
        match found {
            Some(found) if found == recorded => {
                self.done.found += 1;
                Ok(())
            }
            found => {
                let found = found.unwrap_or_else(|| "nothing".to_owned());
                Err(Discrepancy::Bot { step, found, recorded })
            }
        }
    }

    /// The next signal of the bot: the rest of those that it began, or the first of those that it has to send now.
    fn say(
        &mut self,
        bot: &dyn AnyBot,
        before: &LiveMatch,
        seat: Seat,
        recorded: &str,
    ) -> Result<Option<String>, Refused> {
        let rest = self.said.remove(&seat).unwrap_or_default();
        let mut words =
            if rest.first().is_some_and(|word| word == recorded) { rest } else { signals(before, bot, seat)? };
        let next = (!words.is_empty()).then(|| words.remove(0));
        self.said.insert(seat, words);
        Ok(next)
    }
}

fn reads_as_turn(game: &dyn AnyGame, mv: &RawValue) -> bool {
    let read = serde_json::from_str(mv.get()).ok().and_then(|json| game.read_move(&MoveInput::Json(json)).ok());
    read.is_none_or(|mv| mv.needs_turn)
}

/// The decision of the bot on `seat` on what it sees, in notation.
fn decided(bot: &dyn AnyBot, before: &LiveMatch, seat: Seat, seated: SeatBot) -> Result<Option<String>, Refused> {
    let stored = &before.stored;
    let Some(open) = before.decision(seat) else { return Ok(None) };
    let question = before.question(seat, seated.level, stored.seed.bot_seed(&stored.id, open.version, seat))?;
    let found = question.answer(bot, &AtomicBool::new(false))?;
    Ok(found.moves.into_iter().find(|mv| before.accepted(seat, mv).is_some()).map(|best| best.notation))
}
