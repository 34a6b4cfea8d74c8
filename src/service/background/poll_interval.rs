//! The interval at which an instance looks for work: the more instances there are, the less often it looks.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sarsen_base::ambient::Ambient;

/// The period between two looks of an instance that is alone.
const ALONE: Duration = Duration::from_millis(250);
/// The longest period between two looks.
const SLOWEST: Duration = Duration::from_secs(2);

/// The number of living instances, as far as this one knows, and the interval that follows from it.
#[derive(Debug)]
pub struct PollInterval(AtomicU32);

impl Default for PollInterval {
    /// The interval of one instance alone.
    fn default() -> PollInterval {
        PollInterval(AtomicU32::new(1))
    }
}

impl PollInterval {
    pub(crate) fn set(&self, instances: u32) {
        self.0.store(instances.max(1), Ordering::Relaxed);
    }

    /// Returns the period between two looks of this instance.
    pub(crate) fn period(&self) -> Duration {
        ALONE.saturating_mul(self.0.load(Ordering::Relaxed)).min(SLOWEST)
    }

    /// A random part of a period: where in it this instance begins, so that all look at different moments.
    pub(crate) fn phase(&self, ambient: &Ambient) -> Duration {
        let part = f64::from(u16::from_be_bytes(ambient.bytes())) / f64::from(u16::MAX);
        self.period().mul_f64(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_instances_look_as_often_as_one_alone_until_that_is_too_seldom() {
        let interval = PollInterval::default();
        let period = |instances| {
            interval.set(instances);
            interval.period().as_millis()
        };
        assert_eq!([0, 1, 2, 7, 8, 9, u32::MAX].map(period), [250, 250, 500, 1750, 2000, 2000, 2000]);
    }

    #[test]
    fn the_phase_is_a_random_part_of_a_period() {
        let (interval, ambient) = (PollInterval::default(), Ambient::fixed(0, 1));
        let phases: Vec<Duration> = (0..64).map(|_| interval.phase(&ambient)).collect();
        assert!(phases.iter().all(|phase| *phase <= interval.period()));
        assert!(phases.iter().any(|phase| *phase < interval.period() / 4));
        assert!(phases.iter().any(|phase| *phase > interval.period() / 4 * 3));
    }
}
