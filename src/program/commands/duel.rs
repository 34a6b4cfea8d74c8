//! `sarsen duel`: how often one level of a game's bots wins against another.

use std::sync::Arc;

use super::{Failed, say};
use sarsen_games::Games;
use sarsen_games::bots::duel::Duel;
use sarsen_games::bots::{Bots, Level};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Mode, SeatCount};

/// The matches to play.
pub(super) struct Duelling<'a> {
    /// The game.
    pub(super) game: &'a str,
    /// The levels.
    pub(super) levels: [Level; 2],
    /// The number of matches.
    pub(super) games: u32,
    /// The seed of all matches.
    pub(super) seed: u64,
    /// The number of seats; `None` for the fewest that the default options allow.
    pub(super) seats: Option<u8>,
}

/// Plays the matches and prints the share of wins of both levels, with intervals of 95 %, and their mean scores.
///
/// # Errors
/// [`Failed::Undone`] if there is no such game, table or bot.
pub(super) fn duel(games: &Games, bots: &Bots, asked: &Duelling<'_>) -> Result<(), Failed> {
    let undone = |why: &str| Failed::Undone(format!("{}: {why}", asked.game).into());
    let game = games.newest(asked.game).ok_or_else(|| undone("there is no such game"))?;
    let bot = bots.of(asked.game).ok_or_else(|| undone("the game has no bots"))?;
    let info = game.info();
    let counts = match asked.seats {
        Some(seats) => seats..=seats,
        None => info.min_seats..=info.max_seats,
    };
    let is_table = |seats: &SeatCount| {
        let within = (info.min_seats..=info.max_seats).contains(&seats.get());
        let has_opponents = info.mode != Mode::Competitive || seats.get() > 1;
        within && has_opponents && game.options(&serde_json::Value::Null, *seats).is_ok()
    };
    let seats = counts.filter_map(SeatCount::new).find(is_table);
    let seats = seats.ok_or_else(|| undone("with its default options it is not for so many seats"))?;
    let (levels, seed) = (asked.levels, asked.seed);
    let duel = Duel { game: Arc::clone(game), bot: Arc::clone(bot), seats, levels, seed };
    let mut results = Vec::new();
    for number in 0..asked.games {
        results.push(duel.play(number).ok_or_else(|| undone("a match does not end"))?);
    }
    let played = counted(asked.games, "match", "matches");
    say(&format!("{} at {}, {played}, seed {seed}", info.id, seats.get()));
    for (place, level) in levels.into_iter().enumerate() {
        let shares: Vec<f64> = results.iter().map(|result| result.shares[place]).collect();
        let scores: Option<Vec<f64>> = results.iter().map(|result| result.scores[place].map(f64::from)).collect();
        let points = scores.map(|scores| format!("; score {}", interval(&scores, 1))).unwrap_or_default();
        say(&format!("{level}: {}{points}", interval(&shares, 3)));
    }
    Ok(())
}

/// The mean with its interval of 95 %.
fn interval(values: &[f64], digits: usize) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let half = 1.96 * (variance / count).sqrt();
    format!("{mean:.digits$} ({:.digits$} to {:.digits$})", mean - half, mean + half)
}
