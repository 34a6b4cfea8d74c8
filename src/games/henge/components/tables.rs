//! The tables of a component set (section 1.1), as the rules read them.
//!
//! Rows that hold effects are generic in how they hold them: in the file by value, in a set by number. Rondel and board
//! are in [`super::places`].

use std::ops::Index;

use serde::Deserialize;

use super::effects::Lists;
use super::index::{BonusCard, BotCard, Id, List, LuckCard, Slot, Step, StoneCard, Tile, position};
use super::places::{Rondel, Side, SlotRow, StepRow};
use super::scoring::Score;
use super::terms::{AREAS, Action, Area, BonusDeck, Pool, Privilege, Size, StorageCounts, Window};

/// About the set. No rule reads it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Meta {
    /// The name of the set.
    pub(crate) name: String,
    pub(crate) version: String,
    /// The rulebook it fits.
    pub(crate) rulebook: String,
    pub(crate) note: String,
}

/// Numbers of the rules.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Fewest players, people and Hengebots together.
    pub(crate) min_total: u8,
    pub(crate) max_total: u8,
    pub(crate) max_bots: u8,
    /// Coins at the start.
    pub(crate) start_coins: u16,
    /// Travel tokens at the start.
    pub(crate) start_travel: u8,
    /// Travel tokens in the game.
    pub(crate) travel_supply: u8,
    /// Druids of each player.
    pub(crate) druids_per_player: u8,
    /// Positions of the quarry.
    pub(crate) quarry_size: u8,
    /// Coins for carving a stone.
    pub(crate) carve_cost: u16,
    /// Coins for each step beyond the free ones.
    pub(crate) step_cost: u16,
    /// Draws of a Luck action.
    pub(crate) luck_action_draws: u8,
    /// Cards drawn for a bonus card.
    pub(crate) bonus_draw: u8,
    pub(crate) bonus_discard: u8,
    /// Spring cards offered to each human.
    pub(crate) spring_deal: u8,
    /// Reward tiles face up in each pool.
    pub(crate) reward_face_up: u8,
    /// The stones that count against storage (H-23).
    pub(crate) storage_counts: StorageCounts,
    /// The number of rounds after which the end is triggered (H-58).
    pub(crate) max_rounds: u16,
    /// The divisors of an area's value for the first, second … rank.
    pub(crate) rank_divisors: Vec<u8>,
    /// Grades of a solo game, rising.
    pub(crate) solo_grades: Vec<Grade>,
}

/// A grade of a solo game.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(from = "(u16, String)")]
pub(crate) struct Grade {
    /// The least total.
    pub(crate) least: u16,
    /// The titles of a single player.
    pub(crate) title: String,
}

impl From<(u16, String)> for Grade {
    fn from((least, title): (u16, String)) -> Grade {
        Grade { least, title }
    }
}

/// A privilege track. `V` is what a level gives.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Track<V, L = List> {
    pub(crate) name: String,
    /// Levels, the start first.
    pub(crate) levels: Vec<V>,
    /// The effects of a level-up at the top.
    pub(crate) end: L,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "(u8, u8)")]
pub(crate) struct LuckLevel {
    pub(crate) draw: u8,
    pub(crate) discard: u8,
}

impl From<(u8, u8)> for LuckLevel {
    fn from((draw, discard): (u8, u8)) -> LuckLevel {
        LuckLevel { draw, discard }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "(u8, u8)")]
pub(crate) struct StoneLevel {
    /// Purchases in a Quarry action.
    pub(crate) purchases: u8,
    /// Stones that may be stored.
    pub(crate) storage: u8,
}

impl From<(u8, u8)> for StoneLevel {
    fn from((purchases, storage): (u8, u8)) -> StoneLevel {
        StoneLevel { purchases, storage }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "(u8, u8)")]
pub(crate) struct DruidLevel {
    /// Druids in a Druid action.
    pub(crate) druids: u8,
    /// The number of druids that may lie in adjacent areas.
    pub(crate) adjacent: u8,
}

impl From<(u8, u8)> for DruidLevel {
    fn from((druids, adjacent): (u8, u8)) -> DruidLevel {
        DruidLevel { druids, adjacent }
    }
}

/// The five privilege tracks.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Privileges<L = List> {
    pub(crate) rondel: Track<u8, L>,
    /// Coins of an income.
    pub(crate) coin: Track<u16, L>,
    pub(crate) luck: Track<LuckLevel, L>,
    pub(crate) stone: Track<StoneLevel, L>,
    /// Druids and their reach.
    pub(crate) druid: Track<DruidLevel, L>,
}

impl<L> Privileges<L> {
    /// Returns how many levels the track has.
    pub(crate) fn levels(&self, privilege: Privilege) -> usize {
        match privilege {
            Privilege::Rondel => self.rondel.levels.len(),
            Privilege::Coin => self.coin.levels.len(),
            Privilege::Luck => self.luck.levels.len(),
            Privilege::Stone => self.stone.levels.len(),
            Privilege::Druid => self.druid.levels.len(),
        }
    }

    /// The top level, counted from 0 for the start.
    pub(crate) fn top(&self, privilege: Privilege) -> u8 {
        u8::try_from(self.levels(privilege).saturating_sub(1)).unwrap_or(u8::MAX)
    }

    pub(crate) fn name(&self, privilege: Privilege) -> &str {
        match privilege {
            Privilege::Rondel => &self.rondel.name,
            Privilege::Coin => &self.coin.name,
            Privilege::Luck => &self.luck.name,
            Privilege::Stone => &self.stone.name,
            Privilege::Druid => &self.druid.name,
        }
    }

    /// Returns what a level-up at the top gives.
    pub(crate) fn end(&self, privilege: Privilege) -> &L {
        match privilege {
            Privilege::Rondel => &self.rondel.end,
            Privilege::Coin => &self.coin.end,
            Privilege::Luck => &self.luck.end,
            Privilege::Stone => &self.stone.end,
            Privilege::Druid => &self.druid.end,
        }
    }
}

/// An area of the henge.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AreaRow {
    pub(crate) id: Area,
    pub(crate) name: String,
    /// The privileges that stones can raise there.
    pub(crate) icons: [Privilege; 2],
}

/// The count mark of a card: with which totals it is used (H-03).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Marks(u16);

impl Marks {
    /// Returns whether the card is used with this total of players.
    pub(crate) fn fits(self, total: u8) -> bool {
        total < 16 && self.0 >> total & 1 == 1
    }
}

impl TryFrom<String> for Marks {
    type Error = String;

    fn try_from(text: String) -> Result<Marks, String> {
        let number = |text: &str| match text.parse::<u8>() {
            Ok(number @ 1..=9) if text.len() == 1 => Some(number),
            _ => None,
        };
        let marks = match text.strip_suffix('+') {
            _ if text == "*" => Some(u16::MAX),
            Some(least) => number(least).map(|least| u16::MAX << least),
            None => text.split('/').map(number).try_fold(0, |all, total| total.map(|total| all | 1 << total)),
        };
        marks.map(Marks).ok_or(format!("{text:?} is no count mark: *, 4+, 3/4 or 5"))
    }
}

/// A Stone card.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoneRow {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) size: Size,
    /// Coins to buy it.
    pub(crate) cost: u16,
    /// Points for installing it.
    pub(crate) vp: u16,
    /// Length of its transport track.
    pub transport: u8,
    /// The privilege it raises.
    pub(crate) icon: Privilege,
    /// The totals of players with which it is used.
    pub(crate) players: Marks,
    /// For a starter, where the pawn begins.
    pub(crate) starter_area: Option<Area>,
}

/// A Luck card.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckRow<L = List> {
    /// Unique.
    pub id: Id,
    pub(crate) name: String,
    /// The windows in which it may be played.
    pub(crate) when: Vec<Window>,
    /// True if it may also be played in a sub-action of a kind named in `when`.
    pub(crate) sub_ok: bool,
    pub(crate) effects: L,
}

impl<L> LuckRow<L> {
    /// Returns whether the card may be played in this main action.
    pub(crate) fn plays_in(&self, action: Action) -> bool {
        self.when.iter().any(|window| *window == Window::Any || window.action() == Some(action))
    }

    /// Returns whether the card may be played in a sub-action of this kind (H-34).
    pub(crate) fn plays_in_sub(&self, action: Action) -> bool {
        self.sub_ok && self.when.iter().any(|window| window.action() == Some(action))
    }

    /// Returns whether the card may be played before the pawn moves.
    pub(crate) fn plays_before_move(&self) -> bool {
        self.when.contains(&Window::Move)
    }
}

/// A Bonus card.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BonusRow {
    pub(crate) id: Id,
    pub(crate) deck: BonusDeck,
    pub(crate) name: String,
    /// The totals of players with which it is used.
    pub(crate) players: Marks,
    pub(crate) score: Score,
}

/// A First Upgrade card.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UpgradeRow {
    pub(crate) id: Id,
    /// The privilege it raises.
    pub(crate) privilege: Privilege,
}

/// A Hengebot card.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotRow {
    pub(crate) id: Id,
    /// Its icons, in printed order.
    pub(crate) icons: Vec<Action>,
}

/// A reward tile.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RewardRow<L = List> {
    pub(crate) id: Id,
    pub(crate) pool: Pool,
    pub(crate) name: String,
    pub(crate) effects: L,
}

/// Everything in a set. Read-only: a set hands out references.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    pub(crate) meta: Meta,
    /// Numbers of the rules.
    pub(crate) params: Params,
    pub(crate) privileges: Privileges,
    /// The areas, by [`Area::index`].
    pub(crate) areas: [AreaRow; AREAS],
    pub(crate) rondel: Rondel,
    /// The sides `3` and `45`.
    pub sides: [Side; 2],
    /// The effects of a player's druids, in the order in which they are placed.
    pub(crate) druid_track: Vec<List>,
    /// The effects of the Luck cards that a player gives up, in order.
    pub(crate) luck_track: Vec<List>,
    /// The Stone cards, by [`StoneCard`].
    pub(crate) stones: Vec<StoneRow>,
    /// The Luck cards, by [`LuckCard`].
    pub luck: Vec<LuckRow>,
    /// The Bonus cards of both decks, by [`BonusCard`].
    pub(crate) bonus: Vec<BonusRow>,
    /// The First Upgrade cards.
    pub(crate) first_upgrades: Vec<UpgradeRow>,
    /// The Hengebot cards, by [`BotCard`].
    pub(crate) hengebot: Vec<BotRow>,
    /// The reward tiles of both pools, by [`Tile`].
    pub(crate) rewards: Vec<RewardRow>,
    /// All lists of effects.
    pub(crate) lists: Lists,
}

impl Tables {
    /// The board side for a total of players (H-02).
    pub(crate) fn side(&self, total: u8) -> Option<&Side> {
        self.sides.iter().find(|side| side.totals.contains(&total))
    }

    /// The Luck card of this number; `None` if the set has none such.
    pub(crate) fn luck_card(&self, card: LuckCard) -> Option<&LuckRow> {
        self.luck.get(card.index())
    }

    /// The Stone card of this number.
    pub(crate) fn stone(&self, card: StoneCard) -> Option<&StoneRow> {
        self.stones.get(card.index())
    }

    /// The Bonus card of this number.
    pub(crate) fn bonus_card(&self, card: BonusCard) -> Option<&BonusRow> {
        self.bonus.get(card.index())
    }

    /// The reward tile of this number.
    pub(crate) fn tile(&self, tile: Tile) -> Option<&RewardRow> {
        self.rewards.get(tile.index())
    }

    /// The Luck card of exactly this id.
    pub fn find_luck(&self, id: &Id) -> Option<LuckCard> {
        position(self.luck.iter().map(|row| &row.id), id).map(LuckCard)
    }

    /// The Stone card of exactly this id.
    pub fn find_stone(&self, id: &Id) -> Option<StoneCard> {
        position(self.stones.iter().map(|row| &row.id), id).map(StoneCard)
    }

    /// The Bonus card of exactly this id.
    pub fn find_bonus(&self, id: &Id) -> Option<BonusCard> {
        position(self.bonus.iter().map(|row| &row.id), id).map(BonusCard)
    }

    /// The reward tile of exactly this id.
    pub(crate) fn find_tile(&self, id: &Id) -> Option<Tile> {
        position(self.rewards.iter().map(|row| &row.id), id).map(Tile)
    }
}

macro_rules! row {
    ($($index:ident in $owner:ident.$table:ident: $row:ty),+ $(,)?) => {$(
        /// The row of an index of this set; one from elsewhere must have been looked up before.
        impl Index<$index> for $owner {
            type Output = $row;

            fn index(&self, index: $index) -> &$row {
                &self.$table[index.index()]
            }
        }
    )+};
}

row! {
    LuckCard in Tables.luck: LuckRow,
    StoneCard in Tables.stones: StoneRow,
    BonusCard in Tables.bonus: BonusRow,
    Tile in Tables.rewards: RewardRow,
    BotCard in Tables.hengebot: BotRow,
    Slot in Side.slots: SlotRow,
    Step in Rondel.steps: StepRow,
}
