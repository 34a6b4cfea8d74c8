//! `sarsen verify`: whether the record of a finished match agrees with itself.

use std::fs;
use std::path::Path;

use super::{CommandError, say};
use crate::games::Games;
use crate::matches::export::{self, MatchExport};

/// Replays the record of a finished match; `published` is the commitment that its service published before.
///
/// # Errors
/// If the file is no record, or something in it does not agree.
pub fn verify(games: &Games, path: &Path, published: Option<&str>) -> Result<(), CommandError> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let record: MatchExport = serde_json::from_slice(&text)
        .map_err(|error| format!("{} is no record of a match: {error}", path.display()))?;
    let verified = export::verify(games, &record).map_err(|found| format!("it does not agree: {found}"))?;
    if published.is_some_and(|published| !published.eq_ignore_ascii_case(&verified.commitment)) {
        return Err(format!("it does not agree: the record's commitment is {}", verified.commitment).into());
    }
    say(&format!(
        "{} of {}: seed, {} words of dice, {} moves in {} steps and the result ({}) agree.",
        verified.match_id, verified.game, verified.dice_words, verified.moves, verified.steps, verified.ending
    ));
    if published.is_none() {
        say(&format!("Its commitment, to be compared with the one published before: {}", verified.commitment));
    }
    Ok(())
}
