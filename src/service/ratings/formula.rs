//! The numbers of ratings: Glicko-2 for two seats, Weng–Lin for more, on one scale.
//!
//! Invariant: what is kept is rounded, to 1/100 of a point and 1/100,000,000 of volatility. So a fold of the same log
//! on another machine has the same result.

use serde::{Deserialize, Serialize};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

use sarsen_base::ambient::Timestamp;

/// The rating with which everybody begins, and its deviation, in points.
const START: f64 = 1500.0;
const START_DEVIATION: f64 = 350.0;
/// The volatility with which everybody begins.
const START_VOLATILITY: f64 = 0.06;
/// The least deviation, in points: a rating keeps moving.
const LEAST_DEVIATION: f64 = 45.0;
/// The growth of the square of the deviation a day without a match, in points: 60 becomes 110 in a year.
const GROWTH: f64 = 23.3;
/// The change of volatility that Glicko-2 expects.
const TAU: f64 = 0.5;
/// The difference in skill, on the scale of Weng–Lin, by which one wins two of three.
const BETA: f64 = 25.0 / 6.0;
/// The centre of the scale of Weng–Lin, and the points in one of its units.
const CENTRE: f64 = 25.0;
const UNIT: f64 = 42.0;
/// The number of hundredths in a point.
const HUNDREDTHS: f64 = 100.0;
/// The number of parts in a volatility of 1.
const PARTS: f64 = 1e8;
/// A deviation above this is provisional, in hundredths: with two seats, and with more, where it falls more slowly.
const PROVISIONAL: i64 = 11_000;
const PROVISIONAL_OF_MORE: i64 = 16_000;
const DAY_MILLIS: f64 = 86_400_000.0;

/// A player's rating in a category.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// The rating, in hundredths of a point.
    #[serde(rename = "r")]
    pub rating: i64,
    /// The deviation, in hundredths of a point.
    #[serde(rename = "d")]
    pub deviation: i64,
    /// The volatility, in parts of 100,000,000.
    #[serde(rename = "v")]
    pub(super) volatility: i64,
    /// The number of matches that have counted.
    #[serde(rename = "n")]
    pub played: u32,
    /// The end of the last of them; `None` before the first.
    #[serde(rename = "t")]
    pub at: Option<Timestamp>,
}

impl Default for Rating {
    fn default() -> Rating {
        let (rating, deviation) = (hundredths(START), hundredths(START_DEVIATION));
        Rating { rating, deviation, volatility: (START_VOLATILITY * PARTS).round() as i64, played: 0, at: None }
    }
}

fn hundredths(points: f64) -> i64 {
    (points * HUNDREDTHS).round() as i64
}

fn points(hundredths: i64) -> f64 {
    hundredths as f64 / HUNDREDTHS
}

impl Rating {
    /// The placeholder for a rating on a board of results before the first of them: 0 points, and nothing uncertain.
    pub(super) fn of_no_result() -> Rating {
        Rating { rating: 0, deviation: 0, volatility: 0, played: 0, at: None }
    }

    /// Returns true if the rating is not yet certain enough for a board.
    pub fn is_provisional(&self, two_seats: bool) -> bool {
        self.deviation > if two_seats { PROVISIONAL } else { PROVISIONAL_OF_MORE }
    }

    /// The deviation at a moment, in points: it grows while nobody plays.
    fn grown(&self, at: Timestamp) -> f64 {
        let since = self.at.map_or(0, |last| at.0.saturating_sub(last.0).max(0));
        let days = since as f64 / DAY_MILLIS;
        (points(self.deviation).powi(2) + GROWTH * days).sqrt().min(START_DEVIATION)
    }

    fn becomes(&self, rating: f64, deviation: f64, volatility: f64, at: Timestamp) -> Rating {
        Rating {
            rating: hundredths(rating),
            deviation: hundredths(deviation.clamp(LEAST_DEVIATION, START_DEVIATION)),
            volatility: (volatility * PARTS).round() as i64,
            played: self.played + 1,
            at: self.at.max(Some(at)),
        }
    }
}

/// The ratings after a match that ended at this moment, from those before and the places, in the order of seats.
pub(super) fn after(before: &[Rating], ranks: &[u8], at: Timestamp) -> Vec<Rating> {
    let volatility = |rating: &Rating| rating.volatility as f64 / PARTS;
    if let (&[one, other], &[rank, other_rank]) = (before, ranks) {
        let glicko = |rating: &Rating| Glicko2Rating {
            rating: points(rating.rating),
            deviation: rating.grown(at),
            volatility: volatility(rating),
        };
        let outcome = match rank.cmp(&other_rank) {
            std::cmp::Ordering::Less => Outcomes::WIN,
            std::cmp::Ordering::Equal => Outcomes::DRAW,
            std::cmp::Ordering::Greater => Outcomes::LOSS,
        };
        let config = Glicko2Config { tau: TAU, ..Glicko2Config::default() };
        let (won, lost) = glicko2(&glicko(&one), &glicko(&other), &outcome, &config);
        let new = |old: &Rating, new: Glicko2Rating| old.becomes(new.rating, new.deviation, new.volatility, at);
        return vec![new(&one, won), new(&other, lost)];
    }
    let skills: Vec<[WengLinRating; 1]> = before
        .iter()
        .map(|rating| {
            let (skill, uncertainty) = ((points(rating.rating) - START) / UNIT + CENTRE, rating.grown(at) / UNIT);
            [WengLinRating { rating: skill, uncertainty }]
        })
        .collect();
    let teams: Vec<_> =
        skills.iter().zip(ranks).map(|(skill, rank)| (&skill[..], MultiTeamOutcome::new((*rank).into()))).collect();
    let config = WengLinConfig { beta: BETA, ..WengLinConfig::default() };
    let new = weng_lin_multi_team(&teams, &config).into_iter().flatten();
    let new = new.zip(before).map(|(new, old)| {
        let rating = (new.rating - CENTRE) * UNIT + START;
        old.becomes(rating, new.uncertainty * UNIT, volatility(old), at)
    });
    new.collect()
}

/// Hundredths of a point as they are shown: whole points, half up.
pub fn shown(hundredths: i64) -> i64 {
    (hundredths + 50).div_euclid(100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_rules::{Dice, DiceSeed};

    const DAY: i64 = 86_400_000;

    fn of(rating: f64, deviation: f64) -> Rating {
        let (rating, deviation) = (hundredths(rating), hundredths(deviation));
        Rating { rating, deviation, at: Some(Timestamp(0)), ..Rating::default() }
    }

    fn figures(before: &[Rating], ranks: &[u8]) -> Vec<(f64, f64)> {
        let after = after(before, ranks, Timestamp(0));
        after.iter().map(|rating| (points(rating.rating), points(rating.deviation))).collect()
    }

    #[test]
    fn two_seats_are_rated_by_glicko_2() {
        let new = Rating::default();
        assert_eq!(figures(&[new, new], &[1, 2]), [(1662.31, 290.32), (1337.69, 290.32)]);
        assert_eq!(figures(&[new, new], &[2, 1]), [(1337.69, 290.32), (1662.31, 290.32)]);
        assert_eq!(figures(&[new, new], &[1, 1]), [(1500.0, 290.32), (1500.0, 290.32)]);
        assert_eq!(figures(&[of(1700.0, 60.0), of(1600.0, 110.0)], &[2, 1]), [(1687.57, 60.14), (1640.38, 105.82)]);
        let volatility = after(&[new, new], &[1, 2], Timestamp(0))[0].volatility;
        assert!((5_999_965..=5_999_974).contains(&volatility), "0.0599997: {volatility}");
    }

    #[test]
    fn more_seats_are_rated_by_weng_lin_on_the_same_scale() {
        let new = Rating::default();
        let three = [1721.36, 1500.0, 1278.64].map(|rating| (rating, 327.12));
        assert_eq!(figures(&[new; 3], &[1, 2, 3]), three);
        let five = [1942.72, 1610.68, 1610.68, 1278.64, 1057.28].map(|rating| (rating, 302.51));
        assert_eq!(figures(&[new; 5], &[1, 2, 2, 4, 5]), five);
    }

    #[test]
    fn a_deviation_grows_while_nobody_plays_and_stays_in_its_bounds() {
        let grown = |days: i64| (of(1500.0, 60.0).grown(Timestamp(days * DAY)) * 100.0).round() / 100.0;
        assert_eq!([0, 100, 365, -5, 1_000_000].map(grown), [60.0, 77.01, 110.02, 60.0, 350.0]);
        assert_eq!(Rating::default().grown(Timestamp(DAY)), 350.0);
        let mut pair = [of(1500.0, 45.0); 2];
        for _ in 0..200 {
            pair = after(&pair, &[1, 1], Timestamp(0)).try_into().unwrap();
            assert!(pair.iter().all(|rating| (4_500..=35_000).contains(&rating.deviation)));
        }
    }

    /// The median number of matches until a deviation is `limit` or less, among 240 new players of equal skill who meet at
    /// random: who takes which place is drawn.
    fn matches_until(seats: usize, limit: i64) -> u32 {
        const PLAYERS: usize = 240;
        let (mut dice, ranks) = (Dice::new(DiceSeed([7; 32])), (1..=seats as u8).collect::<Vec<u8>>());
        let (mut all, mut reached) = (vec![Rating::default(); PLAYERS], vec![None; PLAYERS]);
        let mut order: Vec<usize> = (0..PLAYERS).collect();
        while reached.contains(&None) {
            dice.shuffle(&mut order);
            for table in order.chunks(seats) {
                let before: Vec<Rating> = table.iter().map(|player| all[*player]).collect();
                for (player, new) in table.iter().zip(after(&before, &ranks, Timestamp(0))) {
                    all[*player] = new;
                    if new.deviation <= limit {
                        reached[*player].get_or_insert(new.played);
                    }
                }
            }
        }
        reached.sort_unstable();
        reached[PLAYERS / 2].unwrap()
    }

    #[test]
    fn a_rating_is_provisional_for_so_many_matches_among_equals() {
        // The last three show why the bounds differ. A median is a match more or less by the lot.
        for (seats, limit, matches) in [
            (2, PROVISIONAL, 16_u32),
            (3, PROVISIONAL_OF_MORE, 20),
            (4, PROVISIONAL_OF_MORE, 13),
            (5, PROVISIONAL_OF_MORE, 10),
            (3, PROVISIONAL, 40),
            (4, PROVISIONAL, 27),
            (5, PROVISIONAL, 20),
        ] {
            let found = matches_until(seats, limit);
            assert!(found.abs_diff(matches) <= 1, "{seats} seats to {limit}: {found}");
        }
    }

    #[test]
    fn ratings_are_shown_in_whole_points_half_up() {
        assert_eq!([149_949, 149_950, 149_951, -50, -51].map(shown), [1499, 1500, 1500, 0, -1]);
    }
}
