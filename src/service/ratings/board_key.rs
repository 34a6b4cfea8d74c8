//! The order of a board: a key for each rating and moment.

use super::formula::Rating;
use sarsen_base::ambient::Timestamp;

/// The seconds in a step of a rating: a key has rating and moment, whose sum a double holds exactly.
const STEP: i64 = 1 << 33;
/// The moment from which a key counts seconds: 2020.
const EPOCH_SECONDS: i64 = 1_577_836_800;
/// The rating beyond which keys do not grow, in hundredths, so that they stay below 2^53.
const MOST: i64 = 1_000_000;
/// The time for which a player is shown who does not play, in milliseconds: 90 days.
const SHOWN_MILLIS: i64 = 90 * 86_400_000;
/// The key of a rating on its board: the higher the rating and the earlier the moment, the lower the key.
pub(super) fn key_of(rating: &Rating) -> i64 {
    let seconds = rating.at.map_or(0, Timestamp::unix_seconds) - EPOCH_SECONDS;
    // The highest is 2^53 at most.
    -rating.rating.clamp(-MOST, MOST) * STEP + seconds.clamp(0, STEP - 1)
}

/// The lowest key of those with the rating of this one.
pub(super) fn first_of(key: i64) -> i64 {
    key.div_euclid(STEP) * STEP
}

/// The moment of the last match, to a second, by a key.
pub(super) fn played_at(key: i64) -> Timestamp {
    Timestamp(EPOCH_SECONDS.saturating_add(key.rem_euclid(STEP)).saturating_mul(1000))
}

/// Returns true if a player is shown whose last match ended at this moment.
pub(super) fn is_shown(played_at: Timestamp, now: Timestamp) -> bool {
    now.0.saturating_sub(played_at.0) <= SHOWN_MILLIS
}

/// The rating of a key, in hundredths.
pub(super) fn rating_of(key: i64) -> i64 {
    -key.div_euclid(STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(rating: i64, at: i64) -> i64 {
        key_of(&Rating { rating, at: Some(Timestamp(at)), ..Rating::default() })
    }

    #[test]
    fn a_higher_rating_and_an_earlier_moment_come_first() {
        let now = 1_800_000_000_000;
        assert!(key(150_001, now) < key(150_000, now - 86_400_000));
        assert!(key(150_000, now - 1000) < key(150_000, now));
        assert!(key(0, now) < key(-1, 0));
        assert_eq!(first_of(key(150_000, now)), first_of(key(150_000, 0)));
        assert_eq!(rating_of(key(-123, now)), -123);
        for most in [key(i64::MAX, 0), key(i64::MIN + 1, i64::MAX)] {
            assert!(most.unsigned_abs() <= 1 << 53, "a double holds it: {most}");
        }
    }
}
