//! The fold: what a match makes of ratings, and ratings as they follow from a whole log.
//!
//! Invariant: a match is rated by one function, whether it has just ended or is passed again.

use std::collections::{HashMap, HashSet};

use super::counting::record;
use super::entry::{Entry, RatedMatch, RatedPlayer, StoredRating};
use super::formula::{Rating, after};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::rated_result::RatedSeat;

/// The number of matches among the same players that count on a day.
pub const COUNTED_A_DAY: u8 = 10;
const DAY_MILLIS: i64 = 86_400_000;

/// Rates a match, as the entry at `place` of the log. `found` are the ratings of its players.
pub(super) fn rate(
    (match_id, private): (MatchId, bool),
    at: Timestamp,
    seats: &[RatedSeat],
    found: &[Option<StoredRating>],
    place: u64,
) -> (RatedMatch, Vec<(PlayerId, StoredRating)>) {
    let (day, players) = (at.0.div_euclid(DAY_MILLIS), hash(seats));
    let often = found.iter().flatten().any(|stored| stored.met(day, players) >= COUNTED_A_DAY);
    let before: Vec<Rating> =
        found.iter().map(|found| found.as_ref().map_or_else(Rating::default, |it| it.rating)).collect();
    let ranks: Vec<u8> = seats.iter().map(|seat| seat.rank).collect();
    let mut changed = Vec::new();
    let rated = after(&before, &ranks, at).into_iter().zip(seats).zip(before.iter().zip(found));
    let rated = rated.map(|((after, seat), (before, found))| {
        let after = (seat.counts && !often).then_some(after);
        if let Some(after) = after {
            changed.push((seat.player.clone(), StoredRating::of(after, place, found.as_ref(), day, players)));
        }
        let previous = found.as_ref().map(|stored| stored.entry);
        RatedPlayer { seat: seat.clone(), before: *before, after, previous }
    });
    let seats = rated.collect();
    (RatedMatch { match_id, at, seats, private }, changed)
}

/// Returns true if the match that has changed these ratings is the last of its players that counts on its day:
/// [`COUNTED_A_DAY`] matches among the same players may be farming.
pub(super) fn is_suspicious(at: Timestamp, seats: &[RatedSeat], changed: &[(PlayerId, StoredRating)]) -> bool {
    let (day, players) = (at.0.div_euclid(DAY_MILLIS), hash(seats));
    changed.iter().any(|(_, stored)| stored.met(day, players) == COUNTED_A_DAY)
}

/// A hash of the players of a match, in any order: FNV-1a, part of the stored form.
fn hash(seats: &[RatedSeat]) -> u32 {
    let mut players: Vec<&str> = seats.iter().map(|seat| seat.player.as_str()).collect();
    players.sort_unstable();
    let bytes = players.iter().flat_map(|player| player.bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The ratings of a category as they follow from its log.
#[derive(Default)]
pub(super) struct Fold {
    pub(super) players: HashMap<PlayerId, StoredRating>,
    /// The number of entries that were passed.
    pub(super) length: u64,
    /// The matches that the log annuls anywhere.
    annulled: HashSet<MatchId>,
}

impl Fold {
    /// A fold that leaves out these matches.
    pub(super) fn without(annulled: HashSet<MatchId>) -> Fold {
        Fold { annulled, ..Fold::default() }
    }

    /// Returns true if the entry annuls a match that the fold does not leave out.
    pub(super) fn comes_too_late(&self, entry: &Entry) -> bool {
        matches!(entry, Entry::Annulled { match_id, .. } if !self.annulled.contains(match_id))
    }

    /// Passes the next entry. Answers the players whose rating it changes.
    pub(super) fn pass(&mut self, entry: Entry) -> Vec<PlayerId> {
        let changed = match entry {
            Entry::Match(rated) if !self.annulled.contains(&rated.match_id) => {
                let seats: Vec<RatedSeat> = rated.seats.into_iter().map(|player| player.seat).collect();
                let found: Vec<_> = seats.iter().map(|seat| self.players.get(&seat.player).cloned()).collect();
                rate((rated.match_id, rated.private), rated.at, &seats, &found, self.length).1
            }
            Entry::Result(recorded) if !self.annulled.contains(&recorded.match_id) => {
                record(&recorded, self.length, |row| self.players.get(row).cloned())
            }
            Entry::Unranked { player, .. } => {
                self.players.remove(&player);
                self.length += 1;
                return vec![player];
            }
            Entry::Match(_) | Entry::Result(_) | Entry::Annulled { .. } => Vec::new(),
        };
        self.length += 1;
        let players = changed.iter().map(|(player, _)| player.clone()).collect();
        self.players.extend(changed);
        players
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tenth_match_of_a_day_among_the_same_players_is_suspicious_once() {
        let seat = |number, rank| RatedSeat { player: PlayerId::from_number(number), rank, counts: true };
        let (seats, others) = ([seat(1, 1), seat(2, 2)], [seat(1, 1), seat(3, 2)]);
        let mut known: HashMap<PlayerId, StoredRating> = HashMap::new();
        let mut rated = |number: u64, seats: &[RatedSeat]| {
            let found: Vec<_> = seats.iter().map(|seat| known.get(&seat.player).cloned()).collect();
            let id = MatchId::from_number(number.into());
            let (_, changed) = rate((id, false), Timestamp(0), seats, &found, number);
            let suspicious = is_suspicious(Timestamp(0), seats, &changed);
            known.extend(changed);
            suspicious
        };
        let found: Vec<bool> = (0..14).map(|number| rated(number, &seats)).collect();
        assert_eq!(found.iter().position(|found| *found), Some(9));
        assert_eq!(found.iter().filter(|found| **found).count(), 1);
        assert!(!rated(20, &others));
    }
}
