//! Pairing: who plays with whom, as a pure function of tickets and time.
//!
//! Invariant: a ticket is in at most one group; everybody in a group accepts everybody else in it.

use serde::{Deserialize, Serialize};

use super::definition::SeatRange;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;

/// The distance of ratings that is accepted at once.
const DISTANCE: i64 = 100;
/// The growth of that distance in a second of waiting.
const DISTANCE_A_SECOND: i64 = 10;
/// The time after which every distance is accepted, once both have waited for it, in milliseconds.
const ANY_DISTANCE_MILLIS: i64 = 60_000;
/// The time of waiting after which a match may have one player less, in milliseconds.
const FEWER_MILLIS: i64 = 20_000;

/// A range of ratings, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingRange {
    /// The lowest.
    pub min: i32,
    /// The highest.
    pub max: i32,
}

/// A ticket that waits, as pairing sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WaitingTicket {
    /// The player.
    pub player: PlayerId,
    /// False for a bot account: persons and bot accounts are not paired with each other.
    pub person: bool,
    /// The time at which the ticket was put in.
    pub since: Timestamp,
    /// The player's rating.
    pub rating: i32,
    /// The ratings of opponents that the player accepts.
    pub range: Option<RatingRange>,
    /// The player's last opponents, whom they get again only where nobody else is there.
    pub last: Vec<PlayerId>,
}

impl WaitingTicket {
    fn waited(&self, now: Timestamp) -> i64 {
        now.0.saturating_sub(self.since.0).max(0)
    }

    fn takes(&self, other: &WaitingTicket) -> bool {
        self.range.is_none_or(|range| (range.min..=range.max).contains(&other.rating))
    }

    /// The distance of two ratings.
    pub(crate) fn distance(&self, other: &WaitingTicket) -> i64 {
        (i64::from(self.rating) - i64::from(other.rating)).abs()
    }

    /// Returns true if the two may play with each other.
    fn fits(&self, other: &WaitingTicket, rated: bool, now: Timestamp) -> bool {
        let shorter = self.waited(now).min(other.waited(now));
        let near = !rated
            || shorter >= ANY_DISTANCE_MILLIS
            || self.distance(other) <= DISTANCE + DISTANCE_A_SECOND * (shorter / 1000);
        self.player != other.player && self.person == other.person && near && self.takes(other) && other.takes(self)
    }

    fn has_just_met(&self, other: &WaitingTicket) -> bool {
        self.last.contains(&other.player) || other.last.contains(&self.player)
    }
}

/// The groups that are to play: each a list of places in `waiting`, which is in the order of age. The oldest choose first.
/// `apart` says of whom else it keeps apart, such as those who block each other.
pub(crate) fn pair(
    seats: SeatRange,
    rated: bool,
    waiting: &[WaitingTicket],
    now: Timestamp,
    apart: &dyn Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut free = vec![true; waiting.len()];
    let mut groups = Vec::new();
    for (place, oldest) in waiting.iter().enumerate() {
        if !free[place] {
            continue;
        }
        let fewer = usize::try_from(oldest.waited(now) / FEWER_MILLIS).unwrap_or(usize::MAX);
        let (min, max) = (usize::from(seats.min), usize::from(seats.max));
        let enough = max.saturating_sub(fewer).max(min);
        let mut partners: Vec<usize> = (place + 1..waiting.len())
            .filter(|&other| free[other] && oldest.fits(&waiting[other], rated, now) && !apart(place, other))
            .collect();
        if rated {
            partners.sort_by_key(|&other| oldest.distance(&waiting[other]));
        }
        let mut chosen = [false, true].into_iter().map(|again| {
            let mut group = vec![place];
            for &other in &partners {
                let accepted = group.iter().all(|&one| {
                    (again || !waiting[one].has_just_met(&waiting[other]))
                        && (one == place || waiting[one].fits(&waiting[other], rated, now) && !apart(one, other))
                });
                if accepted && group.len() < max {
                    group.push(other);
                }
            }
            group
        });
        if let Some(group) = chosen.find(|group| group.len() >= enough) {
            group.iter().for_each(|&one| free[one] = false);
            groups.push(group);
        }
    }
    groups
}
