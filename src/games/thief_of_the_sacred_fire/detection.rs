//! Detection of the thief, and its cost (TH.2). Pure geometry: piles are the state's.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::figures::{DRUIDS, Druid};
use super::graph::{range, trilithon_at};
use super::space::{Space, Spot};

/// The reason why a druid notices the thief.
///
/// - `near`: An inner druid within two spaces of the thief.
/// - `on_path`: The thief is on a trilithon, and an inner druid on its path.
/// - `in_view`: The thief is on a trilithon, and the High Druid on a bluestone that looks at it.
/// - `watching`: The thief is on a bluestone, or on the path of the trilithon that the High Druid's bluestone looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ThiefReason)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Reason {
    Near,
    OnPath,
    InView,
    Watching,
}

/// A druid that notices the thief.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sighting {
    pub(crate) druid: Druid,
    pub(crate) reason: Reason,
    /// The distance in edges; 0 is the thief's own space.
    pub(crate) range: u8,
    /// The disks that it costs.
    pub(crate) disks: u8,
}

/// The druids that notice a thief on `thief`, in the druids' order. `high` is the High Druid.
pub(crate) fn sightings(druids: &[Space; DRUIDS], high: Druid, thief: Space) -> impl Iterator<Item = Sighting> {
    Druid::ALL.into_iter().zip(*druids).filter_map(move |(druid, at)| sighting(druid, at, druid == high, thief))
}

/// Returns whether and how a druid on `at` notices a thief on `thief`.
pub(crate) fn sighting(druid: Druid, at: Space, is_high: bool, thief: Space) -> Option<Sighting> {
    let range = range(at, thief);
    let (reason, disks) = match (thief.spot(), is_high) {
        (Spot::Trilithon(_), false) => (Reason::OnPath, (trilithon_at(at) == Some(thief)).then_some(2)?),
        (Spot::Trilithon(_), true) => (Reason::InView, (trilithon_at(at) == Some(thief)).then_some(3)?),
        (_, false) => (Reason::Near, near(range)?),
        (spot, true) => {
            let seen = match spot {
                Spot::Bluestone(_) => true,
                Spot::Stone(_) => trilithon_at(thief).is_some_and(|between| trilithon_at(at) == Some(between)),
                _ => false,
            };
            (Reason::Watching, watching(range).filter(|_| seen)?)
        }
    };
    Some(Sighting { druid, reason, range, disks })
}

fn near(range: u8) -> Option<u8> {
    match range {
        0 => Some(0),
        1 => Some(2),
        2 => Some(1),
        _ => None,
    }
}

fn watching(range: u8) -> Option<u8> {
    match range {
        0 => Some(0),
        1 | 2 => Some(3),
        3 => Some(2),
        4 => Some(1),
        _ => None,
    }
}
