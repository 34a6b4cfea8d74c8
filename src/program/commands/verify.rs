//! `sarsen verify`: whether the record of a finished match agrees with itself.

use std::fs;
use std::path::Path;

use super::{CommandError, say};
use sarsen_games::Games;
use sarsen_games::bots::Bots;
use sarsen_matches::export::{self, MatchExport, Recomputed};
use sarsen_rules::phrases::counted;

/// Replays the record of a finished match; `published` is the commitment that its service published before.
/// With `bots` their moves are found again.
///
/// # Errors
/// If the file is no record, or something in it does not agree.
pub fn verify(games: &Games, bots: Option<&Bots>, path: &Path, published: Option<&str>) -> Result<(), CommandError> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let record: MatchExport = serde_json::from_slice(&text)
        .map_err(|error| format!("{} is no record of a match: {error}", path.display()))?;
    let verified = match bots {
        None => export::verify(games, &record).map(|verified| (verified, None)),
        Some(bots) => export::verify_bots(games, bots, &record).map(|(verified, again)| (verified, Some(again))),
    };
    let (verified, again) = verified.map_err(|found| format!("it does not agree: {found}"))?;
    if published.is_some_and(|published| !published.eq_ignore_ascii_case(&verified.commitment)) {
        return Err(format!("it does not agree: the record's commitment is {}", verified.commitment).into());
    }
    say(&format!(
        "{} of {}: the seed, {}, {} in {} and the result ({}) agree.",
        verified.match_id,
        verified.game,
        counted(verified.dice_words, "word of dice", "words of dice"),
        counted(verified.moves as u64, "move", "moves"),
        counted(verified.steps as u64, "step", "steps"),
        verified.ending
    ));
    if let Some(Recomputed { found, passed_over }) = again {
        say(&format!("Of the moves of bots {found} were found again; {passed_over} cannot be by this release."));
    }
    if published.is_none() {
        say(&format!("Its commitment, to be compared with the one published before: {}", verified.commitment));
    }
    Ok(())
}
