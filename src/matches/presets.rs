//! Presets: named times of play, of which a creator takes one in place of writing a clock. Pools are made of them.

use crate::model::clock::WantedClock;

/// The id of the preset without any time limit.
pub(crate) const FRIENDLY: &str = "friendly";
/// The id of the preset of live pools.
pub const LIVE: &str = "live-5-5";
/// The id of the preset of correspondence pools.
pub const CORRESPONDENCE: &str = "days-3";

const DAY: i64 = 86_400;

/// A named time of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The id, by which a creator names it.
    pub id: &'static str,
    /// The name to show.
    pub title: &'static str,
    /// The clock; `None` for no time limit.
    pub clock: Option<WantedClock>,
}

/// The presets of a game with this many seats at most: those with clocks are for several players.
pub fn presets(max_seats: u8) -> Vec<Preset> {
    let preset = |id, title, (initial_seconds, increment_seconds, delay_seconds)| {
        let clock = WantedClock { initial_seconds, increment_seconds, delay_seconds, ..WantedClock::default() };
        Preset { id, title, clock: Some(clock) }
    };
    let timed = [
        preset(LIVE, "5 minutes + 5 seconds a turn", (300, 5, 0)),
        preset("live-15-10", "15 minutes + 10 seconds a turn", (900, 10, 0)),
        preset("days-1", "1 day a turn", (0, 0, DAY)),
        preset(CORRESPONDENCE, "3 days a turn", (0, 0, 3 * DAY)),
        preset("daily-bank", "1 day a turn, with a bank of a week", (7 * DAY, 0, DAY)),
    ];
    let friendly = Preset { id: FRIENDLY, title: "No time limit", clock: None };
    std::iter::once(friendly).chain(timed.into_iter().filter(|_| max_seats > 1)).collect()
}

/// The preset of this id in a game with this many seats at most.
pub fn preset(id: &str, max_seats: u8) -> Option<Preset> {
    presets(max_seats).into_iter().find(|preset| preset.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::clock::{ClockTerms, Speed};
    use sarsen_rules::{Mode, SeatCount};

    #[test]
    fn every_preset_is_a_clock_that_can_be_asked_for() {
        for preset in presets(2) {
            let Some(clock) = &preset.clock else { continue };
            for mode in [Mode::Competitive, Mode::Cooperative] {
                let settled = ClockTerms::settle(clock, mode, SeatCount::new(2).unwrap(), None).unwrap();
                let live = preset.id.starts_with("live-");
                assert_eq!(settled.speed(), if live { Speed::Live } else { Speed::Correspondence }, "{}", preset.id);
            }
        }
        assert_eq!(presets(1).iter().map(|preset| preset.id).collect::<Vec<_>>(), [FRIENDLY]);
        assert_eq!(preset("days-3", 5).unwrap().clock.unwrap().delay_seconds, 259_200);
        assert_eq!(preset("days-3", 1), None);
    }
}
