//! The schedule of attempts, that of the Standard Webhooks specification: ten within 75 hours and 35 minutes.

/// The pauses between attempts, in seconds.
const PAUSES: [u32; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// Pauses differ by up to this part in either direction, so that a receiver that was away is not called by all at once.
const JITTER: f64 = 0.2;

/// The pause after this number of attempts, in milliseconds; `None` after the last one. `random` is evenly distributed
/// from 0 to 1. The receiver's `Retry-After` counts from the pause to twice the pause.
pub(super) fn pause_millis(attempts: u32, retry_after_seconds: Option<u32>, random: f64) -> Option<i64> {
    let base = i64::from(*PAUSES.get(usize::try_from(attempts.checked_sub(1)?).ok()?)?) * 1000;
    let asked = retry_after_seconds.map(|seconds| (i64::from(seconds) * 1000).clamp(base, 2 * base));
    let jittered = base as f64 * (1.0 - JITTER + 2.0 * JITTER * random);
    Some(asked.unwrap_or(jittered as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_attempts_take_as_long_as_the_standard_says() {
        let pauses: Vec<i64> = (1..).map_while(|attempts| pause_millis(attempts, None, 0.5)).collect();
        assert_eq!((pauses.len(), pauses.iter().sum::<i64>()), (9, (75 * 3600 + 35 * 60 + 5) * 1000));
        assert_eq!(pause_millis(0, None, 0.5), None);
    }

    #[test]
    fn pauses_are_spread_and_the_receiver_may_ask_for_up_to_twice() {
        assert_eq!((pause_millis(2, None, 0.0), pause_millis(2, None, 1.0)), (Some(240_000), Some(360_000)));
        for (asked, millis) in [(0, 300_000), (400, 400_000), (100_000, 600_000), (u32::MAX, 600_000)] {
            assert_eq!(pause_millis(2, Some(asked), 0.9), Some(millis), "{asked}");
        }
    }
}
