//! `sarsen review`: the review of a match, from its record alone.

use std::path::Path;

use serde::Serialize;

use super::Failed;
use super::verify::{disagrees, read};
use sarsen_games::Games;
use sarsen_games::bots::Bots;
use sarsen_matches::reviews::review::{ReviewItem, ReviewLevel, ReviewedSeat};
use sarsen_matches::reviews::review_record;
use sarsen_rules::Seat;

/// The review as it is printed: with the names that the service gives its parts.
#[derive(Serialize)]
struct Printed {
    level: ReviewLevel,
    bot_version: u32,
    seats: Vec<ReviewedSeat>,
    items: Vec<ReviewItem>,
}

/// Prints the review of the match of a record.
pub(super) fn review(games: &Games, bots: &Bots, record: &Path, level: ReviewLevel) -> Result<(), Failed> {
    let record = read(record).map_err(Failed::Undone)?;
    let (review, bot_version) = review_record(games, bots, &record, level).map_err(disagrees)?;
    let seats = review.seats((0..record.seats).filter_map(Seat::new));
    let printed = Printed { level, bot_version, seats, items: review.items };
    let text = serde_json::to_string_pretty(&printed).map_err(|error| Failed::Undone(error.into()))?;
    super::say(&text);
    Ok(())
}
