//! Moves as text, such as `rondel 3 druid` or `install S08@1a`. Reading forgives case and surplus blanks; ids become
//! what the component sets spell.
//!
//! Invariant: what is written reads back as the same move, in every set.

use super::Henge;
use super::components::{Action, Area, ComponentSet, ComponentSets, Id, Privilege};
use super::moves::{
    AdvanceTrack, ArriveStones, CarveStone, ChooseOption, ChooseSpring, DiscardLuck, DrawLuck, DropBonus, EndAction,
    FirstUpgrade, InstallStone, Move, Number, PlaceDruid, PlayLuck, QuarryStone, RaiseLevel, TakeIncome, TakeReward,
    TravelRondel, WalkRondel,
};
use sarsen_rules::{Notation, Refusal, WireUnion};
use serde_json::Value;

/// The notation of moves.
pub(crate) const NOTATION: &str = "\
`spring P01`: keeps this Spring card. `upgrade coin`: takes this First Upgrade.
`rondel 3 druid`: walks three steps and takes that action; `travel 9 install`: the same with a travel token.
`income`, `draw`, `arrive`, `quarry 2` (position), `carve S04`, `druid 3` (area), `install S08@1a` (stone, slot): one \
unit of the action.
`luck L05`: plays a Luck card. `done`: ends the action, or gives up no card for the Luck track.
`discard L09`, `drop E05`, `reward A03`, `level luck`, `choose 1`, `track L09`: answers to what an effect asks.
Capitals and surplus blanks do not matter.";

/// Names the rule in refusals of texts that are no move at all.
const RULE: &str = "8.1";

impl Notation for Henge {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Spring(ChooseSpring { card }) => format!("spring {card}"),
            Move::Upgrade(FirstUpgrade { privilege }) => format!("upgrade {}", privilege.into_str()),
            Move::Rondel(WalkRondel { steps, action, .. }) => format!("rondel {} {}", steps.get(), action.into_str()),
            Move::Travel(TravelRondel { steps, action, .. }) => format!("travel {} {}", steps.get(), action.into_str()),
            Move::Luck(PlayLuck { card }) => format!("luck {card}"),
            Move::Income(TakeIncome {}) => "income".to_owned(),
            Move::Draw(DrawLuck {}) => "draw".to_owned(),
            Move::Arrive(ArriveStones {}) => "arrive".to_owned(),
            Move::Quarry(QuarryStone { position }) => format!("quarry {}", position.get()),
            Move::Carve(CarveStone { stone }) => format!("carve {stone}"),
            Move::Druid(PlaceDruid { area }) => format!("druid {}", area.get()),
            Move::Install(InstallStone { stone, slot }) => format!("install {stone}@{slot}"),
            Move::Done(EndAction {}) => "done".to_owned(),
            Move::Discard(DiscardLuck { card }) => format!("discard {card}"),
            Move::Drop(DropBonus { card }) => format!("drop {card}"),
            Move::Reward(TakeReward { tile }) => format!("reward {tile}"),
            Move::Level(RaiseLevel { privilege }) => format!("level {}", privilege.into_str()),
            Move::Choose(ChooseOption { option }) => format!("choose {}", option.get()),
            Move::Track(AdvanceTrack { card }) => format!("track {card}"),
        }
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        read(text, &self.sets)
    }

    /// The table of section 8.2 says what each move holds.
    fn malformed_rule(&self, json: &Value) -> Option<&'static str> {
        let kind = json["type"].as_str()?;
        Move::parts().iter().any(|part| part.tag == kind).then_some("8.2")
    }
}

/// Reads a move, with the sets there are.
pub(crate) fn read(text: &str, sets: &ComponentSets) -> Result<Move, Refusal> {
    let id = |text: &str, kind: Kind, field: &'static str| id(text, kind, field, sets);
    let spaced = text.replace('@', " @ ");
    let mut words = spaced.split_ascii_whitespace();
    let verb = words.next().unwrap_or_default().to_ascii_lowercase();
    let words: Vec<&str> = std::iter::once(verb.as_str()).chain(words).collect();
    Ok(match words[..] {
        ["spring", card] => Move::Spring(ChooseSpring { card: id(card, Kind::Bonus, "card")? }),
        ["upgrade", word] => Move::Upgrade(FirstUpgrade { privilege: privilege(word)? }),
        ["rondel", steps, word] => Move::Rondel(WalkRondel::new(number(steps, "steps")?, action(word)?)),
        ["travel", steps, word] => Move::Travel(TravelRondel::new(number(steps, "steps")?, action(word)?)),
        ["luck", card] => Move::Luck(PlayLuck { card: id(card, Kind::Luck, "card")? }),
        ["income"] => Move::Income(TakeIncome {}),
        ["draw"] => Move::Draw(DrawLuck {}),
        ["arrive"] => Move::Arrive(ArriveStones {}),
        ["quarry", position] => Move::Quarry(QuarryStone { position: number(position, "position")? }),
        ["carve", stone] => Move::Carve(CarveStone { stone: id(stone, Kind::Stone, "stone")? }),
        ["druid", word] => Move::Druid(PlaceDruid { area: area(word)? }),
        ["install", stone, "@", slot] => {
            Move::Install(InstallStone { stone: id(stone, Kind::Stone, "stone")?, slot: id(slot, Kind::Slot, "slot")? })
        }
        ["done"] => Move::Done(EndAction {}),
        ["discard", card] => Move::Discard(DiscardLuck { card: id(card, Kind::Luck, "card")? }),
        ["drop", card] => Move::Drop(DropBonus { card: id(card, Kind::Bonus, "card")? }),
        ["reward", tile] => Move::Reward(TakeReward { tile: id(tile, Kind::Tile, "tile")? }),
        ["level", word] => Move::Level(RaiseLevel { privilege: privilege(word)? }),
        ["choose", option] => Move::Choose(ChooseOption { option: number(option, "option")? }),
        ["track", card] => Move::Track(AdvanceTrack { card: id(card, Kind::Luck, "card")? }),
        _ => {
            return Err(Refusal::new(
                "unknown_notation",
                RULE,
                None,
                "a move is written such as rondel 3 druid, install S08@1a, luck L05 or done; see the notation",
            ));
        }
    })
}

/// The kinds of things that ids name. Slots may share ids with cards, and with each other across the sides of the board.
#[derive(Clone, Copy)]
enum Kind {
    Luck,
    Stone,
    Bonus,
    Tile,
    Slot,
}

/// An id as one of the sets spells it: unchanged if a set has it, else the first that differs only in case, else
/// unchanged.
fn id(text: &str, kind: Kind, field: &'static str, sets: &ComponentSets) -> Result<Id, Refusal> {
    let id = Id::parse(text).map_err(|error| refusal("unknown_id", field, error.to_string()))?;
    let find = |wanted: &dyn Fn(&Id) -> bool| sets.all().find_map(|set| spelled(set, kind, wanted));
    Ok(find(&|other| *other == id).or_else(|| find(&|other| other.matches(&id))).unwrap_or(id))
}

/// The first such id of a kind in the set.
fn spelled(set: &ComponentSet, kind: Kind, wanted: &dyn Fn(&Id) -> bool) -> Option<Id> {
    let wanted = |id: &Id| wanted(id);
    match kind {
        Kind::Luck => set.luck.iter().map(|row| row.id).find(wanted),
        Kind::Stone => set.stones.iter().map(|row| row.id).find(wanted),
        Kind::Bonus => set.bonus.iter().map(|row| row.id).find(wanted),
        Kind::Tile => set.rewards.iter().map(|row| row.id).find(wanted),
        Kind::Slot => set.sides.iter().flat_map(|side| &side.slots).map(|row| row.id).find(wanted),
    }
}

fn privilege(text: &str) -> Result<Privilege, Refusal> {
    text.parse()
        .map_err(|_| refusal("unknown_privilege", "privilege", "a privilege is rondel, coin, luck, stone or druid"))
}

fn action(text: &str) -> Result<Action, Refusal> {
    let detail = "an action is income, luck, quarry, carve, druid, install or arrive";
    text.parse().map_err(|_| refusal("unknown_action", "action", detail))
}

fn area(text: &str) -> Result<Area, Refusal> {
    text.parse::<u8>()
        .ok()
        .and_then(|number| Area::try_from(number).ok())
        .ok_or_else(|| refusal("unknown_area", "area", "an area is a number from 1 to 5"))
}

fn number(text: &str, field: &'static str) -> Result<Number, Refusal> {
    text.parse()
        .ok()
        .and_then(Number::new)
        .ok_or_else(|| refusal("number_out_of_range", field, format!("a number from 1 to {}", Number::MAX)))
}

/// Section 8.3 says what may stand for a number, a word or an id.
fn refusal(code: &'static str, field: &'static str, detail: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
    Refusal::new(code, "8.3", Some(field), detail)
}
