//! Counts of what a player has, and how bonus cards score them (section 1.3).

use serde::Deserialize;

use super::terms::{Area, Privilege, Size, SlotKind};

/// Something to count, always of the owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Count {
    /// Installed stones that pass all filters.
    Installed {
        size: Option<Size>,
        icon: Option<Privilege>,
        /// The least cost.
        min_cost: Option<u16>,
        /// With a track at least this long.
        min_transport: Option<u8>,
        /// With a track at most this long.
        max_transport: Option<u8>,
    },
    /// Different icons on installed stones.
    IconKinds {},
    /// The lesser of large and small stones installed.
    SizePairs {},
    Druids {},
    /// Druids in one area.
    DruidsIn {
        area: Area,
    },
    /// Areas with at least `n` own druids.
    AreasWith {
        /// The least number.
        n: u8,
    },
    /// Most own druids in one area.
    BestArea {},
    /// Areas where the own majority rank is this one, bots counted.
    AreasRanked {
        /// 1 for the most druids.
        rank: u8,
    },
    /// Steps raised on all privilege tracks.
    Levels {},
    /// Privilege tracks at the top.
    Maxed {},
    /// Privilege tracks above the start.
    Raised {},
    Coins {},
    /// Luck cards in hand.
    LuckCards {},
    /// Steps on the Luck track.
    LuckSteps {},
    Travel {},
    Held {},
    /// Uninstalled stones that are carved.
    HeldCarved {},
}

/// The event that a tally marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum TallyEvent {
    /// A stone installed that passes all filters.
    Install {
        /// In a slot of this kind.
        kind: Option<SlotKind>,
        /// In a slot of two areas, or of one.
        border: Option<bool>,
        /// With a level-up (also one at the top), or without.
        level_up: Option<bool>,
    },
    /// The first druid of a Druid action or sub-action.
    DruidAction {},
    Druid {
        area: Option<Area>,
    },
    Quarry {},
    Carve {},
    /// Each Luck card given up for the Luck track.
    Track {},
}

/// The scoring of a Bonus card.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(try_from = "Form")]
pub(crate) enum Score {
    /// VP if the count ever reaches a number at the end of an own turn. Spring.
    Goal {
        /// The thing that is counted.
        count: Count,
        /// The number to reach.
        at_least: u16,
        vp: u16,
    },
    /// VP for each mark. Spring.
    Tally {
        /// The event that marks it.
        event: TallyEvent,
        /// Points for each mark.
        vp: u16,
        /// The most marks.
        max_marks: u8,
    },
    /// `min(vp × floor(count / div), max)`. End of game.
    Per {
        /// The thing that is counted.
        count: Count,
        vp: u16,
        /// The divisor; 1 if left out.
        div: u16,
        /// At most.
        max: Option<u16>,
    },
    /// `values[min(count, last)]`. End of game.
    Table {
        /// The thing that is counted.
        count: Count,
        /// Points for 0, 1, 2 …
        values: Vec<u16>,
    },
}

/// The four forms as they stand in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    goal: Option<Count>,
    at_least: Option<u16>,
    tally: Option<TallyEvent>,
    max_marks: Option<u8>,
    per: Option<Count>,
    div: Option<u16>,
    max: Option<u16>,
    table: Option<Count>,
    values: Option<Vec<u16>>,
    vp: Option<u16>,
}

impl TryFrom<Form> for Score {
    type Error = &'static str;

    fn try_from(form: Form) -> Result<Score, &'static str> {
        match form {
            Form {
                goal: Some(count),
                at_least: Some(at_least),
                vp: Some(vp),
                tally: None,
                max_marks: None,
                per: None,
                div: None,
                max: None,
                table: None,
                values: None,
            } => Ok(Score::Goal { count, at_least, vp }),
            Form {
                tally: Some(event),
                max_marks: Some(max_marks),
                vp: Some(vp),
                goal: None,
                at_least: None,
                per: None,
                div: None,
                max: None,
                table: None,
                values: None,
            } => Ok(Score::Tally { event, vp, max_marks }),
            Form {
                per: Some(count),
                vp: Some(vp),
                div,
                max,
                goal: None,
                at_least: None,
                tally: None,
                max_marks: None,
                table: None,
                values: None,
            } => Ok(Score::Per { count, vp, div: div.unwrap_or(1), max }),
            Form {
                table: Some(count),
                values: Some(values),
                vp: None,
                goal: None,
                at_least: None,
                tally: None,
                max_marks: None,
                per: None,
                div: None,
                max: None,
            } => Ok(Score::Table { count, values }),
            _ => Err("a score is goal, at_least, vp; or tally, vp, max_marks; or per, vp and perhaps div, max; or \
                      table, values"),
        }
    }
}
