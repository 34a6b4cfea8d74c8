//! How often an instance looks for work: the less often, the more there are.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sarsen_base::ambient::Ambient;

/// How often one instance alone looks.
const ALONE: Duration = Duration::from_millis(250);
/// How long there is between two looks at most.
const SLOWEST: Duration = Duration::from_secs(2);

/// How many instances live, as far as this one knows, and what follows from that.
#[derive(Debug)]
pub struct Pace(AtomicU32);

impl Default for Pace {
    /// The pace of one instance alone.
    fn default() -> Pace {
        Pace(AtomicU32::new(1))
    }
}

impl Pace {
    /// So many live.
    pub(crate) fn set(&self, instances: u32) {
        self.0.store(instances.max(1), Ordering::Relaxed);
    }

    /// How long there is between two looks of this instance.
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
        let pace = Pace::default();
        let period = |instances| {
            pace.set(instances);
            pace.period().as_millis()
        };
        assert_eq!([0, 1, 2, 7, 8, 9, u32::MAX].map(period), [250, 250, 500, 1750, 2000, 2000, 2000]);
    }

    #[test]
    fn the_phase_is_a_random_part_of_a_period() {
        let (pace, ambient) = (Pace::default(), Ambient::fixed(0, 1));
        let phases: Vec<Duration> = (0..64).map(|_| pace.phase(&ambient)).collect();
        assert!(phases.iter().all(|phase| *phase <= pace.period()));
        assert!(phases.iter().any(|phase| *phase < pace.period() / 4));
        assert!(phases.iter().any(|phase| *phase > pace.period() / 4 * 3));
    }
}
