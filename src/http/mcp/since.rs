//! The events since an agent's last move, in sentences.

use serde::Deserialize;

use super::names::with_quoted_names;
use crate::answer::problem::Problem;
use sarsen_base::ids::MatchId;
use sarsen_matches::feed::cursor::EventCursor;
use sarsen_matches::feed::redacted::{EventId, MOVE_MADE, RedactedEvent};
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::{Matches, Reader, ViewedMatch};
use sarsen_rules::Seat;

/// The number of steps among which the last move is looked for.
const STEPS: u64 = 40;
/// The most events of these steps.
const EVENTS: usize = 500;
/// The most sentences, and the most bytes of them; the newest are kept.
const SENTENCES: usize = 20;
const BYTES: usize = 700;

/// The match as it is now, and the events since the reader's last move, oldest first: at most [`SENTENCES`]. Without
/// such a move they are the newest.
pub(super) async fn read(
    matches: &Matches,
    reader: &Reader,
    id: &MatchId,
) -> Result<(ViewedMatch, Vec<String>), Problem> {
    let version = matches.read(reader, id).await?.live.stored.version;
    let after = version.checked_sub(STEPS).filter(|version| *version > 0);
    let after = after.map(|version| EventCursor { id: EventId { version, index: u32::MAX }, stamp: None });
    let (viewed, page) = matches.events_and_match(reader, id, after, EVENTS).await?;
    let own = viewed.seat().and_then(|own| page.items.iter().rposition(|told| is_move_of(told, own)));
    let since = page.items.get(own.map_or(0, |own| own + 1)..).unwrap_or_default();
    let narrator = MatchNarrator::of(&viewed.live);
    // A wrong form would be a fault of the log, and then the event is not told.
    let quoted = |told: &RedactedEvent| Some(RedactedEvent { event: with_quoted_names(&told.event)?, ..told.clone() });
    let newest = since.iter().rev().filter_map(quoted).map(|told| narrator.event(&told));
    let sentences = oldest_first(newest).map_err(sarsen_matches::Refused::from)?;
    Ok((viewed, sentences))
}

/// The newest sentences within these limits, oldest first. `newest` has the newest first.
fn oldest_first<E>(newest: impl Iterator<Item = Result<String, E>>) -> Result<Vec<String>, E> {
    let mut sentences = Vec::new();
    let mut bytes = 0;
    for sentence in newest {
        let sentence = sentence?;
        bytes += sentence.len();
        if sentences.len() == SENTENCES || bytes > BYTES {
            break;
        }
        sentences.push(sentence);
    }
    sentences.reverse();
    Ok(sentences)
}

#[derive(Deserialize)]
struct Made<'a> {
    r#type: &'a str,
    seat: Option<Seat>,
}

fn is_move_of(told: &RedactedEvent, own: Seat) -> bool {
    let made: Option<Made<'_>> = serde_json::from_str(told.event.get()).ok();
    made.is_some_and(|made| made.r#type == MOVE_MADE && made.seat == Some(own))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn told(newest: impl Iterator<Item = String>) -> Vec<String> {
        oldest_first(newest.map(Ok::<String, Infallible>)).unwrap()
    }

    #[test]
    fn the_newest_sentences_are_told_in_order_as_far_as_there_is_room() {
        let numbered = |numbers: std::ops::Range<u32>| numbers.rev().map(|number| format!("Step {number}."));
        assert_eq!(told(numbered(0..2)), ["Step 0.", "Step 1."]);
        let many = told(numbered(0..30));
        assert_eq!((many.len(), &*many[0], &*many[SENTENCES - 1]), (20, "Step 10.", "Step 29."));
        let long = |number: u32| format!("{number}{}", "x".repeat(99));
        assert_eq!(told((0..9).rev().map(long)), (2..9).map(long).collect::<Vec<_>>(), "700 bytes and no more");
        assert!(told(std::iter::once("x".repeat(BYTES + 1))).is_empty());
    }
}
