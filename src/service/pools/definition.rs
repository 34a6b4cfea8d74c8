//! The definition of a pool: the matches that it makes.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use sarsen_games::Games;
use sarsen_matches::NewMatch;
use sarsen_matches::model::clock::{ClockTerms, Speed};
use sarsen_matches::model::table_terms::TableTerms;
use sarsen_matches::model::terms::{UndoTerms, Visibility};
use sarsen_matches::presets::{CORRESPONDENCE, LIVE, preset};
use sarsen_rules::{Mode, SeatCount};

/// The time for which a ticket of a live pool is kept after its last renewal, in seconds.
const LIVE_KEPT_SECONDS: u32 = 60;
/// The same of a correspondence pool: seven days.
const CORRESPONDENCE_KEPT_SECONDS: u32 = 7 * 24 * 60 * 60;
/// The longest id of a pool, in bytes.
const ID_MAX: usize = 40;

/// The number of players of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatRange {
    /// The fewest.
    pub min: u8,
    /// The most.
    pub max: u8,
}

/// A pool.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerPool {
    /// The id: 1 to 40 lower-case letters, digits and hyphens.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The game's options; null for all defaults.
    #[serde(default)]
    pub options: Value,
    /// The number of players of a match.
    pub seats: SeatRange,
    /// The preset of its matches.
    pub preset: String,
    /// True if its matches are rated.
    #[serde(default)]
    pub rated: bool,
}

/// The reason why pools cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongPools(String);

impl PlayerPool {
    /// The built-in pools: a live and a correspondence one for each game of several players.
    pub fn built_in(games: &Games) -> Vec<PlayerPool> {
        let several = games.iter().map(|game| game.info()).filter(|info| info.max_seats > 1 && info.mode != Mode::Solo);
        several
            .flat_map(|info| {
                [("live", LIVE), ("correspondence", CORRESPONDENCE)].map(|(speed, preset)| PlayerPool {
                    id: format!("{}-{speed}", info.id.replace('_', "-")),
                    game: info.id.to_owned(),
                    options: Value::Null,
                    seats: SeatRange { min: info.min_seats.max(2), max: info.max_seats },
                    preset: preset.to_owned(),
                    rated: false,
                })
            })
            .collect()
    }

    /// Reads the pools of a file: a JSON list.
    ///
    /// # Errors
    /// [`WrongPools`], which names the first that cannot be used.
    pub fn read_list(text: &str, games: &Games) -> Result<Vec<PlayerPool>, WrongPools> {
        let pools: Vec<PlayerPool> = serde_json::from_str(text).map_err(|error| WrongPools(error.to_string()))?;
        let mut ids = BTreeSet::new();
        for pool in &pools {
            let wrong = |what: &str| Err(WrongPools(format!("the pool {:?} {what}", pool.id)));
            let fits = pool.id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
            if !fits || !(1..=ID_MAX).contains(&pool.id.len()) {
                return wrong("has an id that is not 1 to 40 lower-case letters, digits and hyphens");
            }
            if !ids.insert(&pool.id) {
                return wrong("is there twice");
            }
            let Some(game) = games.newest(&pool.game) else { return wrong("is of no game of this service") };
            let (info, SeatRange { min, max }) = (game.info(), pool.seats);
            if min < 2 || min > max || min < info.min_seats || max > info.max_seats {
                return wrong("has numbers of seats that its game has not, or fewer than 2");
            }
            if preset(&pool.preset, info.max_seats).is_none() {
                return wrong("has a preset that its game has not");
            }
            let timed = preset(&pool.preset, info.max_seats).is_some_and(|preset| preset.clock.is_some());
            if pool.rated && !(info.mode == Mode::Competitive && timed) {
                return wrong("is rated, but its game has no opponents, or it has no clock");
            }
            for seats in (min..=max).filter_map(SeatCount::new) {
                match game.options(&pool.options, seats) {
                    Ok(options) if pool.rated && game.ranked(&options, seats).is_none() => {
                        return wrong("is rated, but its game does not rank its options");
                    }
                    Ok(_) => {}
                    Err(error) => {
                        return wrong(&format!("has options that do not fit {} seats: {error}", seats.get()));
                    }
                }
            }
        }
        Ok(pools)
    }

    /// The speed of its matches.
    pub fn speed(&self) -> Speed {
        let clock = preset(&self.preset, self.seats.max).and_then(|preset| preset.clock);
        let seats = SeatCount::new(self.seats.min).unwrap_or(SeatCount::ONE);
        let settled = clock.and_then(|clock| ClockTerms::settle(&clock, Mode::Competitive, seats, None).ok());
        settled.map_or(Speed::Correspondence, |clock| clock.speed())
    }

    /// The time for which a ticket is kept after its last renewal, in seconds.
    pub(super) fn kept_seconds(&self) -> u32 {
        if self.speed() == Speed::Live { LIVE_KEPT_SECONDS } else { CORRESPONDENCE_KEPT_SECONDS }
    }

    /// The match for this number of players.
    pub(super) fn new_match(&self, seats: SeatCount) -> NewMatch {
        NewMatch {
            options: self.options.clone(),
            seats: Some(seats),
            seat: None,
            hints: Some(false),
            rated: self.rated,
            undo: Some(UndoTerms::Off),
            visibility: Some(Visibility::Public),
            table: TableTerms { pool: Some(self.id.clone()), ..TableTerms::default() },
            clock: preset(&self.preset, self.seats.max).and_then(|preset| preset.clock),
            ..NewMatch::of(&self.game)
        }
    }
}
