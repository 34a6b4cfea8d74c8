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
/// The most sentences that are told, and the most bytes of them; the newest are kept.
const SENTENCES: usize = 20;
const BYTES: usize = 900;

/// The match as it is now, and the events since the reader's last move, oldest first: at most [`SENTENCES`]. Without
/// such a move they are the newest.
///
/// # Errors
/// Those of reading.
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
    let mut sentences = Vec::new();
    let mut bytes = 0;
    for told in since.iter().rev() {
        // A wrong form would be a fault of the log, and then the event is not told.
        let Some(event) = with_quoted_names(&told.event) else { continue };
        let quoted = RedactedEvent { event, ..told.clone() };
        let sentence = narrator.event(&quoted).map_err(sarsen_matches::Refused::from)?;
        bytes += sentence.len();
        if sentences.len() == SENTENCES || bytes > BYTES {
            break;
        }
        sentences.push(sentence);
    }
    sentences.reverse();
    Ok((viewed, sentences))
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
