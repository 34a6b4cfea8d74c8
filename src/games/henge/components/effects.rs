//! Effects: what cards, tiles and track steps do.
//!
//! Every list of effects of a set lies in one table and is named by a [`List`], the options of a `choose` too, so that
//! the rules' stack holds small numbers. [`Source`] says what a list is printed on.

use serde::Deserialize;

use super::index::{List, LuckCard, Tile};
use super::scoring::Count;
use super::terms::{ModKind, Pool, Privilege, Reach, SubAction};

/// One effect (section 1.2). `L` is how a list within is held: in the file as [`Nested`], in a set by number.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Effect<L = List> {
    Coins {
        n: u16,
    },
    /// Gain `min(n × count, max)` coins.
    CoinsPer {
        /// The thing that is counted.
        count: Count,
        n: u16,
        /// At most.
        max: Option<u16>,
    },
    /// Score `min(n × count, max)` VP now.
    VpPer {
        /// The thing that is counted.
        count: Count,
        n: u16,
        /// At most.
        max: Option<u16>,
    },
    Vp {
        n: u16,
    },
    /// Draw and discard by the Luck level.
    Luck {
        /// The number of times.
        n: u8,
    },
    /// Draw and drop bonus cards.
    Bonus {
        /// The number of times.
        n: u8,
    },
    /// Take travel tokens from the supply.
    Travel {
        /// At most how many.
        n: u8,
    },
    /// Take a face-up tile of a pool.
    Reward {
        pool: Pool,
    },
    Level {
        which: Which,
    },
    /// Advance all own uninstalled stones.
    Transport {
        n: Distance,
    },
    Sub(Sub),
    /// Run one of several lists.
    Choose {
        of: Vec<L>,
    },
    /// Change the action in which the card is played. Luck cards only.
    Mod {
        what: ModKind,
        n: u16,
    },
}

/// A sub-action: quarry, carve, druid or install with limits of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sub {
    pub(crate) action: SubAction,
    /// The most units.
    pub(crate) limit: u8,
    /// The discount on each unit, in coins.
    pub(crate) discount: u16,
    /// The areas where the units may lie.
    pub(crate) reach: Reach,
}

/// The privilege that a `level` raises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "WhichWord")]
pub(crate) enum Which {
    Any,
    Of(Privilege),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum WhichWord {
    Any,
    Rondel,
    Coin,
    Luck,
    Stone,
    Druid,
}

impl From<WhichWord> for Which {
    fn from(word: WhichWord) -> Which {
        match word {
            WhichWord::Any => Which::Any,
            WhichWord::Rondel => Which::Of(Privilege::Rondel),
            WhichWord::Coin => Which::Of(Privilege::Coin),
            WhichWord::Luck => Which::Of(Privilege::Luck),
            WhichWord::Stone => Which::Of(Privilege::Stone),
            WhichWord::Druid => Which::Of(Privilege::Druid),
        }
    }
}

/// The distance of a `transport`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "NumberOrWord")]
pub(crate) enum Distance {
    /// A number of steps, at most to the end.
    Steps(u8),
    End,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number of steps from 0 to 255 or \"end\"")]
enum NumberOrWord {
    Number(u8),
    Word(String),
}

impl TryFrom<NumberOrWord> for Distance {
    type Error = String;

    fn try_from(distance: NumberOrWord) -> Result<Distance, String> {
        match distance {
            NumberOrWord::Number(steps) => Ok(Distance::Steps(steps)),
            NumberOrWord::Word(word) if word == "end" => Ok(Distance::End),
            NumberOrWord::Word(word) => Err(format!("{word:?} is neither a number of steps nor \"end\"")),
        }
    }
}

/// A list as the file has it, with the lists within it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Nested(pub Vec<Effect<Nested>>);

impl<L> Effect<L> {
    /// The effect with its inner lists put elsewhere by `place`.
    pub(crate) fn relocate<M>(self, place: impl FnMut(L) -> M) -> Effect<M> {
        match self {
            Effect::Coins { n } => Effect::Coins { n },
            Effect::CoinsPer { count, n, max } => Effect::CoinsPer { count, n, max },
            Effect::VpPer { count, n, max } => Effect::VpPer { count, n, max },
            Effect::Vp { n } => Effect::Vp { n },
            Effect::Luck { n } => Effect::Luck { n },
            Effect::Bonus { n } => Effect::Bonus { n },
            Effect::Travel { n } => Effect::Travel { n },
            Effect::Reward { pool } => Effect::Reward { pool },
            Effect::Level { which } => Effect::Level { which },
            Effect::Transport { n } => Effect::Transport { n },
            Effect::Sub(sub) => Effect::Sub(sub),
            Effect::Choose { of } => Effect::Choose { of: of.into_iter().map(place).collect() },
            Effect::Mod { what, n } => Effect::Mod { what, n },
        }
    }
}

/// The card, chit or track on which a list of effects is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Luck(LuckCard),
    Reward(Tile),
    /// The right end of a privilege track.
    LevelEnd(Privilege),
    /// A space of the druid track, from 0.
    DruidTrack(u8),
    /// A step of the Luck track, from 0.
    LuckTrack(u8),
}

/// All lists of a set.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Lists {
    lists: Vec<(Source, Vec<Effect>)>,
}

impl Lists {
    /// Puts a list and those within it into the table. The validator lets no set have more than 65,536 lists.
    pub(super) fn add(&mut self, source: Source, nested: Nested) -> List {
        let effects = nested.0.into_iter().map(|effect| effect.relocate(|inner| self.add(source, inner))).collect();
        self.lists.push((source, effects));
        List(u16::try_from(self.lists.len() - 1).unwrap_or(u16::MAX))
    }

    /// The effects of a list, in order; none for a number that names no list.
    pub(crate) fn effects(&self, list: List) -> &[Effect] {
        self.lists.get(list.index()).map_or(&[], |(_, effects)| effects)
    }

    /// Returns what the list is printed on.
    pub(crate) fn source(&self, list: List) -> Option<Source> {
        self.lists.get(list.index()).map(|(source, _)| *source)
    }

    /// Returns how many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }
}
