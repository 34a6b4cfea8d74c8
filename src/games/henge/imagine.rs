//! A full state that a viewer could be looking at. What the viewer does not know is dealt from what nobody shows.

use super::cards::CardSet;
use super::rules::Rules;
use super::set::{BonusCard, BonusDeck, BotCard, Id, LuckCard, Slot, Step, StoneCard, Tile};
use super::setup::bare;
use super::state::{Built, Held, Person, Stage, State, Trigger, pool_index};
use super::view::{HengeMat, HengeStage, HengeView};
use crate::rules::Dice;

/// Cards of each kind that the viewer has not seen.
struct Unseen {
    luck: CardSet,
    eog: CardSet,
    spring: CardSet,
    stones: CardSet,
}

/// A state of which the view could have been taken.
pub fn imagine(view: &HengeView, dice: &mut Dice) -> State {
    let table = view.table();
    let rules = Rules::new(view.set, table.total());
    let mut state = bare(&table, rules);
    copy_public(&mut state, view);
    let mut unseen = unseen(&state, view);
    // Known cards first, so that nothing is dealt twice.
    for (seat, mat) in state.count().seats().zip(mats(view)) {
        *state.person_mut(seat) = known(&rules, mat, &mut unseen);
    }
    for (seat, mat) in state.count().seats().zip(mats(view)) {
        deal(state.person_mut(seat), mat, &mut unseen, dice);
    }
    state.stone_deck = unseen.stones;
    state.luck.deck = unseen.luck;
    state.eog_deck = unseen.eog;
    state
}

fn mats(view: &HengeView) -> impl Iterator<Item = &HengeMat> {
    view.places.iter().filter_map(|place| place.mat.as_ref())
}

fn luck(rules: &Rules, ids: &[Id]) -> Vec<LuckCard> {
    ids.iter().filter_map(|id| rules.set.find_luck(id)).collect()
}

fn bonus(rules: &Rules, ids: &[Id]) -> Vec<BonusCard> {
    ids.iter().filter_map(|id| rules.set.find_bonus(id)).collect()
}

fn bonus_set(rules: &Rules, ids: &Option<Vec<Id>>) -> CardSet {
    bonus(rules, ids.as_deref().unwrap_or_default()).into_iter().map(BonusCard::index).collect()
}

/// What everybody sees.
fn copy_public(state: &mut State, view: &HengeView) {
    let rules = state.rules;
    let set = rules.set;
    state.stage = match (view.stage, view.upgrading) {
        (HengeStage::Spring, _) => Stage::Spring,
        (HengeStage::Upgrade, Some(seat)) => Stage::Upgrade { seat },
        (HengeStage::Over, _) => Stage::Over,
        _ => Stage::Play,
    };
    state.upgrades = view.upgrades.clone();
    state.round = view.round;
    state.turn = view.turn;
    state.pawn = Step(view.pawn.saturating_sub(1));
    state.trigger = view.end.as_ref().map(|end| Trigger { round: end.round, cause: end.cause });
    for built in &view.built {
        if let (Some(slot), Some(stone)) = (rules.side.find(&built.slot), set.find_stone(&built.stone)) {
            state.slots[Slot::index(slot)] = Some(Built { place: built.place, stone });
        }
    }
    for path in &view.paths {
        state.paths[path.area.index()] = path.druids.clone();
    }
    state.quarry = view.quarry.iter().map(|id| id.and_then(|id| set.find_stone(&id))).collect();
    state.luck.discards = luck(&rules, &view.luck_discards);
    state.luck.spent = luck(&rules, &view.luck_spent);
    state.spring_dropped = bonus(&rules, &view.spring_dropped);
    for rewards in &view.rewards {
        let tiles = |ids: &[Id]| -> Vec<Tile> { ids.iter().filter_map(|id| set.find_tile(id)).collect() };
        let chits = &mut state.chits[pool_index(rewards.pool)];
        chits.face_up = tiles(&rewards.face_up);
        chits.used = tiles(&rewards.used);
        let seen = chits.face_up.iter().chain(&chits.used).map(|tile| tile.index()).collect();
        chits.stack = chits.stack.minus(seen);
    }
    state.travel_supply = view.travel_supply;
    let bot_card = |id: &Id| set.hengebot.iter().position(|row| row.id == *id).map(|index| BotCard(index as u8));
    state.bots.discards = view.bot_discards.iter().filter_map(bot_card).collect();
    state.bots.deck = state.bots.deck.minus(state.bots.discards.iter().map(|card| card.index()).collect());
    for (token, place) in state.bots.carve_up.iter_mut().zip(&view.places) {
        *token = place.carve_up.unwrap_or(false);
    }
    state.stack = view.stack.iter().map(super::wire::HengeFrame::read).collect();
}

/// Everything in use that does not lie open on the table.
fn unseen(state: &State, view: &HengeView) -> Unseen {
    let rules = &state.rules;
    let open_luck = state.luck.discards.iter().chain(&state.luck.spent).map(|card| card.index()).collect();
    let shown = mats(view).filter_map(|mat| mat.spring.and_then(|id| rules.set.find_bonus(&id)));
    let open_spring = state.spring_dropped.iter().copied().chain(shown).map(BonusCard::index).collect();
    let built = state.slots.iter().flatten().map(|built| built.stone);
    let quarry = state.quarry.iter().flatten().copied();
    Unseen {
        luck: (0..rules.set.luck.len()).collect::<CardSet>().minus(open_luck),
        eog: rules.bonus_in_use(BonusDeck::Eog),
        spring: rules.bonus_in_use(BonusDeck::Spring).minus(open_spring),
        stones: rules.stones_in_use().minus(built.chain(quarry).map(StoneCard::index).collect()),
    }
}

/// What the view says of a person; those cards are seen.
fn known(rules: &Rules, mat: &HengeMat, unseen: &mut Unseen) -> Person {
    let set = rules.set;
    let held = |held: &super::view::HengeHeld| {
        set.find_stone(&held.stone).map(|stone| Held { stone, at: held.at, carved: held.carved })
    };
    let person = Person {
        coins: mat.coins,
        tokens: mat.tokens,
        vp: mat.vp,
        levels: [mat.levels.rondel, mat.levels.coin, mat.levels.luck, mat.levels.stone, mat.levels.druid],
        luck_steps: mat.luck_steps,
        hand: luck(rules, mat.hand.as_deref().unwrap_or_default()).into_iter().map(LuckCard::index).collect(),
        offer: bonus_set(rules, &mat.offer),
        spring: mat.spring.and_then(|id| set.find_bonus(&id)),
        marks: mat.marks,
        refused: bonus_set(rules, &mat.refused),
        eog: bonus_set(rules, &mat.eog),
        drops: bonus_set(rules, &mat.drops),
        stones: mat.stones.iter().filter_map(held).collect(),
        installed: mat.installed.iter().filter_map(|id| set.find_stone(id)).collect(),
    };
    unseen.luck = unseen.luck.minus(person.hand);
    unseen.eog = unseen.eog.minus(person.eog).minus(person.drops);
    unseen.spring = unseen.spring.minus(person.offer).minus(person.refused);
    unseen.stones = unseen.stones.minus(person.stones.iter().map(|held| held.stone.index()).collect());
    person
}

/// Deals what the view does not say.
fn deal(person: &mut Person, mat: &HengeMat, unseen: &mut Unseen, dice: &mut Dice) {
    let mut some = |from: &mut CardSet, count: u8| -> CardSet { (0..count).filter_map(|_| from.draw(dice)).collect() };
    if mat.hand.is_none() {
        person.hand = some(&mut unseen.luck, mat.hand_count);
    }
    if mat.eog.is_none() {
        person.eog = some(&mut unseen.eog, mat.eog_count);
    }
    if mat.drops.is_none() {
        person.drops = some(&mut unseen.eog, mat.drops_count);
    }
    if mat.offer.is_none() {
        person.offer = some(&mut unseen.spring, mat.offer_count);
    }
    if mat.refused.is_none() {
        person.refused = some(&mut unseen.spring, mat.refused_count);
    }
    if mat.has_spring && person.spring.is_none() {
        let mut offer = person.offer;
        person.spring = offer.draw(dice).map(|index| BonusCard(index as u8));
    }
}
