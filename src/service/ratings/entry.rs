//! The stored forms of ratings: what is kept of a player, and the entries of the log of a category.
//!
//! Invariant: an entry holds all that the fold needs, so ratings follow from the log without the matches.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::formula::Rating;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::board_match::BoardEnd;
use sarsen_matches::rated_result::RatedSeat;
use sarsen_store::StoreError;
use sarsen_store::upgrade::Formed;

/// The rating of a player in a category, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StoredRating {
    form: u16,
    #[serde(flatten)]
    pub(super) rating: Rating,
    /// The place in the log of the last entry that has changed it, from 0.
    #[serde(rename = "q")]
    pub(super) entry: u64,
    /// The day, since 1970, of the matches that follow.
    #[serde(rename = "day")]
    day: i64,
    /// By a hash of the players of a match, the number of such matches that have counted on that day.
    #[serde(rename = "met", default, skip_serializing_if = "Vec::is_empty")]
    met: Vec<(u32, u8)>,
    /// The count of matches, on a board of results. There `rating` has the best result, as it is, in the place of a rating,
    /// and its moment.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub(super) counts: Option<ResultCounts>,
}

/// The count of the matches of a row of a board of results.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResultCounts {
    /// The players. In the entry of one who plays together with others: the rows of all their sets of players.
    #[serde(rename = "p")]
    pub players: Vec<PlayerId>,
    /// The number of matches that were started.
    #[serde(rename = "n", default)]
    pub attempts: u32,
    /// The number of those that were won.
    #[serde(rename = "w", default)]
    pub wins: u32,
    /// The number of wins in a row up to now.
    #[serde(rename = "s", default)]
    pub(super) streak: u32,
    /// The number of wins in a row before the match that was started last, until that is over: it goes on only if won.
    #[serde(rename = "h", default)]
    pub(super) held: u32,
}

sarsen_store::formed!(StoredRating, "rating", "form", &[]);

impl StoredRating {
    /// The rating after a match of these players on this day, which an entry tells of.
    pub(super) fn of(
        rating: Rating,
        entry: u64,
        before: Option<&StoredRating>,
        day: i64,
        players: u32,
    ) -> StoredRating {
        let mut met = before.filter(|before| before.day == day).map(|before| before.met.clone()).unwrap_or_default();
        match met.iter_mut().find(|(of, _)| *of == players) {
            Some((_, times)) => *times = times.saturating_add(1),
            None => met.push((players, 1)),
        }
        StoredRating { form: StoredRating::FORMS.present(), rating, entry, day, met, counts: None }
    }

    /// The first stored rating on a board of results, since this entry.
    pub(super) fn of_results(players: Vec<PlayerId>, entry: u64) -> StoredRating {
        let counts = Some(ResultCounts { players, ..ResultCounts::default() });
        let (form, rating) = (StoredRating::FORMS.present(), Rating::of_no_result());
        StoredRating { form, rating, entry, day: 0, met: Vec::new(), counts }
    }

    /// Returns true if the board shows it while its player plays.
    pub(super) fn is_listed(&self, two_seats: bool) -> bool {
        self.rating.at.is_some() && !self.rating.is_provisional(two_seats)
    }

    /// The number of matches of these players that have counted on this day.
    pub(super) fn met(&self, day: i64, players: u32) -> u8 {
        let found = self.met.iter().find(|(of, _)| self.day == day && *of == players);
        found.map_or(0, |(_, times)| *times)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<StoredRating, StoreError> {
        Formed::decode(bytes)
    }
}

/// An entry of the log of a category.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Entry {
    /// A match was rated.
    #[serde(rename = "m")]
    Match(RatedMatch),
    /// A match of a board of results has started or ended.
    #[serde(rename = "o")]
    Result(Recorded),
    /// A match that was rated, as this entry of the log tells, does not count any more.
    #[serde(rename = "x")]
    Annulled {
        #[serde(rename = "m")]
        match_id: MatchId,
        #[serde(rename = "q")]
        entry: u64,
        #[serde(rename = "t")]
        at: Timestamp,
    },
    /// A player's rating was reset.
    #[serde(rename = "u")]
    Unranked {
        #[serde(rename = "p")]
        player: PlayerId,
        #[serde(rename = "b")]
        before: Rating,
        #[serde(rename = "t")]
        at: Timestamp,
    },
}

/// An entry with the number of its form.
#[derive(Serialize, Deserialize)]
struct FormedEntry<'a> {
    #[serde(rename = "v")]
    form: u16,
    #[serde(flatten)]
    entry: Cow<'a, Entry>,
}

sarsen_store::formed!(FormedEntry<'_>, "entry of a log of ratings", "v", &[]);

/// A match that was rated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct RatedMatch {
    #[serde(rename = "m")]
    pub(super) match_id: MatchId,
    #[serde(rename = "t")]
    pub(super) at: Timestamp,
    #[serde(rename = "s")]
    pub(super) seats: Vec<RatedPlayer>,
    /// True if the match is private.
    #[serde(rename = "v", default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) private: bool,
}

/// A match of a board of results that has started or ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Recorded {
    #[serde(rename = "m")]
    pub(super) match_id: MatchId,
    /// The players, in the order of their ids.
    #[serde(rename = "p")]
    pub(super) players: Vec<PlayerId>,
    /// True if the entry counts the start: of one that was told after the end the entry of the end does.
    #[serde(rename = "n", default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) starts: bool,
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<BoardEnd>,
    /// The best result before.
    #[serde(rename = "b")]
    pub(super) before: Rating,
}

/// One seat of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct RatedPlayer {
    #[serde(flatten)]
    pub(super) seat: RatedSeat,
    #[serde(rename = "b")]
    pub(super) before: Rating,
    /// The rating after; `None` where the match has not counted for the player.
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Rating>,
    /// The place in the log of the entry that had changed the rating before; `None` for the first.
    #[serde(rename = "q", default, skip_serializing_if = "Option::is_none")]
    pub(super) previous: Option<u64>,
}

impl Entry {
    pub(super) fn decode(bytes: &[u8]) -> Result<Entry, StoreError> {
        Ok(FormedEntry::decode(bytes)?.entry.into_owned())
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, StoreError> {
        FormedEntry { form: FormedEntry::FORMS.present(), entry: Cow::Borrowed(self) }.encode()
    }

    /// The match that the entry is of.
    pub(super) fn match_id(&self) -> Option<&MatchId> {
        match self {
            Entry::Match(rated) => Some(&rated.match_id),
            Entry::Result(recorded) => Some(&recorded.match_id),
            Entry::Annulled { match_id, .. } => Some(match_id),
            Entry::Unranked { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As form 1 is written: two ratings, then an entry of each kind. Never to be edited: a later form adds a step and a
    /// fixture of its own.
    const FORM_1: &str = include_str!("../../../tests/fixtures/ratings_form_1.jsonl");

    #[test]
    fn form_1_is_read_for_good() {
        let mut lines = FORM_1.lines();
        for line in lines.by_ref().take(2) {
            assert_eq!(StoredRating::decode(line.as_bytes()).unwrap().encode().unwrap(), line.as_bytes());
        }
        let mut kinds = Vec::new();
        for line in lines {
            let entry = Entry::decode(line.as_bytes()).unwrap();
            assert_eq!(entry.encode().unwrap(), line.as_bytes());
            kinds.push(std::mem::discriminant(&entry));
        }
        kinds.dedup();
        assert_eq!(kinds.len(), 4);
        let newer = FORM_1.replace("{\"v\":1,", "{\"v\":2,").replace("{\"form\":1,", "{\"form\":2,");
        for line in newer.lines() {
            assert!(StoredRating::decode(line.as_bytes()).is_err() && Entry::decode(line.as_bytes()).is_err());
        }
    }
}
