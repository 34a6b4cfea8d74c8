//! A full state that a viewer could be looking at. What the viewer does not know is dealt from what nobody shows.

use super::players::{HengeHeld, HengeMat};
use super::view::{HengeStage, HengeView};
use crate::henge::components::{
    BonusCard, BonusDeck, BotCard, ComponentSets, Id, LuckCard, Slot, Step, StoneCard, Tile,
};
use crate::henge::state::{
    Built, CardSet, Equipment, Frame, Held, MOST_CARDS, Person, Stage, State, Trigger, pool_index,
};
use sarsen_rules::Dice;

/// Cards of each kind that the viewer has not seen.
struct Unseen {
    luck: CardSet,
    end_of_game_cards: CardSet,
    spring: CardSet,
    stones: CardSet,
}

/// The knowledge of a perfect memory: Luck cards known to be in hands and the others, and end-of-game cards known to have
/// been in the deck after its last reshuffle.
#[derive(Clone, Copy)]
struct Known {
    held: CardSet,
    others: CardSet,
    returned: CardSet,
}

/// A state of which the view could have been taken.
pub(crate) fn imagine(view: &HengeView, sets: &ComponentSets, dice: &mut Dice) -> State {
    let seating = view.seating();
    // A view of this game names one of its sets.
    let set = sets.find(&view.set).unwrap_or_else(|_| sets.offered());
    let equipment = Equipment::new(set, seating.total());
    let mut state = State::bare(&seating, equipment.clone());
    copy_public(&mut state, view);
    let mut unseen = unseen(&state, view);
    // Known cards first, so that nothing is dealt twice.
    for (seat, mat) in state.count().seats().zip(mats(view)) {
        *state.person_mut(seat) = shown(&equipment, mat, &mut unseen);
    }
    let held = state.luck.held;
    let others = (0..MOST_CARDS).collect::<CardSet>().minus(held);
    let returned = state.people.iter().fold(CardSet::default(), |all, person| all.union(person.returned));
    let known = Known { held, others, returned };
    for deal in [deal_old, deal_new] {
        for (seat, mat) in state.count().seats().zip(mats(view)) {
            deal(state.person_mut(seat), mat, &mut unseen, known, dice);
        }
    }
    state.stone_deck = unseen.stones;
    state.luck.deck = unseen.luck;
    state.end_of_game_deck = unseen.end_of_game_cards;
    state
}

fn mats(view: &HengeView) -> impl Iterator<Item = &HengeMat> {
    view.players.iter().filter_map(|player| player.mat.as_ref())
}

fn luck(equipment: &Equipment, ids: &[Id]) -> Vec<LuckCard> {
    ids.iter().filter_map(|id| equipment.set().find_luck(id)).collect()
}

fn bonus(equipment: &Equipment, ids: &[Id]) -> Vec<BonusCard> {
    ids.iter().filter_map(|id| equipment.set().find_bonus(id)).collect()
}

fn bonus_set(equipment: &Equipment, ids: &Option<Vec<Id>>) -> CardSet {
    bonus(equipment, ids.as_deref().unwrap_or_default()).into_iter().map(BonusCard::index).collect()
}

fn copy_public(state: &mut State, view: &HengeView) {
    let equipment = state.equipment.clone();
    let set = equipment.set();
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
        if let (Some(slot), Some(stone)) = (equipment.side().find(&built.slot), set.find_stone(&built.stone)) {
            state.slots[Slot::index(slot)] = Some(Built { chair: built.chair, stone });
        }
    }
    for path in &view.paths {
        state.paths[path.area.index()] = path.druids.clone();
    }
    state.quarry = view.quarry.iter().map(|id| id.and_then(|id| set.find_stone(&id))).collect();
    state.luck.discards = luck(&equipment, &view.luck_discards);
    state.luck.spent = luck(&equipment, &view.luck_spent);
    state.luck.held = luck(&equipment, &view.luck_held).into_iter().map(LuckCard::index).collect();
    state.spring_dropped = bonus(&equipment, &view.spring_dropped);
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
    state.bots.discards = view.hengebot_discards.iter().filter_map(bot_card).collect();
    state.bots.deck = state.bots.deck.minus(state.bots.discards.iter().map(|card| card.index()).collect());
    for (token, player) in state.bots.carve_token_up.iter_mut().zip(&view.players) {
        *token = player.carve_token_up.unwrap_or(false);
    }
    state.stack = view.stack.iter().map(Frame::from).collect();
}

/// Everything in use that does not lie open on the table.
fn unseen(state: &State, view: &HengeView) -> Unseen {
    let equipment = &state.equipment;
    let open_luck = state.luck.discards.iter().chain(&state.luck.spent).map(|card| card.index()).collect();
    let shown = mats(view).filter_map(|mat| mat.spring.and_then(|id| equipment.set().find_bonus(&id)));
    let open_spring = state.spring_dropped.iter().copied().chain(shown).map(BonusCard::index).collect();
    let built = state.slots.iter().flatten().map(|built| built.stone);
    let quarry = state.quarry.iter().flatten().copied();
    Unseen {
        luck: (0..equipment.set().luck.len()).collect::<CardSet>().minus(open_luck),
        end_of_game_cards: equipment.bonus_in_use(BonusDeck::EndOfGame),
        spring: equipment.bonus_in_use(BonusDeck::Spring).minus(open_spring),
        stones: equipment.stones_in_use().minus(built.chain(quarry).map(StoneCard::index).collect()),
    }
}

/// Returns what the view says of a person; those cards are seen.
fn shown(equipment: &Equipment, mat: &HengeMat, unseen: &mut Unseen) -> Person {
    let set = equipment.set();
    let held =
        |held: &HengeHeld| set.find_stone(&held.stone).map(|stone| Held { stone, at: held.at, carved: held.carved });
    let person = Person {
        coins: mat.coins,
        travel_tokens: mat.travel_tokens,
        victory_points: mat.victory_points,
        levels: [mat.levels.rondel, mat.levels.coin, mat.levels.luck, mat.levels.stone, mat.levels.druid],
        luck_steps: mat.luck_steps,
        hand: luck(equipment, mat.hand.as_deref().unwrap_or_default()).into_iter().map(LuckCard::index).collect(),
        offer: bonus_set(equipment, &mat.offer),
        spring: mat.spring.and_then(|id| set.find_bonus(&id)),
        marks: mat.marks,
        refused: bonus_set(equipment, &mat.refused),
        end_of_game_cards: bonus_set(equipment, &mat.end_of_game_cards),
        dropped: bonus_set(equipment, &mat.dropped),
        returned: bonus_set(equipment, &mat.returned),
        end_of_game_drawn: mat.end_of_game_drawn,
        stones: mat.stones.iter().filter_map(held).collect(),
        installed: mat.installed.iter().filter_map(|id| set.find_stone(id)).collect(),
    };
    unseen.luck = unseen.luck.minus(person.hand);
    unseen.end_of_game_cards = unseen.end_of_game_cards.minus(person.end_of_game_cards).minus(person.dropped);
    unseen.spring = unseen.spring.minus(person.offer).minus(person.refused);
    unseen.stones = unseen.stones.minus(person.stones.iter().map(|held| held.stone.index()).collect());
    person
}

/// Takes `count` cards that are in `among`, each with the same chance.
fn take(from: &mut CardSet, among: CardSet, count: u8, dice: &mut Dice) -> CardSet {
    let mut choice = from.common(among);
    let taken: CardSet = (0..count).filter_map(|_| choice.draw(dice)).collect();
    *from = from.minus(taken);
    taken
}

/// Deals the cards that somebody has held for longer than since the last reshuffle: Luck cards known to be in hands, and
/// end-of-game cards that cannot have been in the deck then.
fn deal_old(person: &mut Person, mat: &HengeMat, unseen: &mut Unseen, known: Known, dice: &mut Dice) {
    if mat.hand.is_none() {
        person.hand = take(&mut unseen.luck, known.held, mat.held_count, dice);
    }
    if mat.end_of_game_cards.is_none() || mat.dropped.is_none() {
        let old = mat.end_of_game_count.saturating_add(mat.dropped_count).saturating_sub(mat.end_of_game_drawn);
        let possible = unseen.end_of_game_cards.minus(known.returned);
        person.end_of_game_cards = take(&mut unseen.end_of_game_cards, possible, old, dice);
    }
}

/// Deals the rest of what the view does not say.
fn deal_new(person: &mut Person, mat: &HengeMat, unseen: &mut Unseen, known: Known, dice: &mut Dice) {
    let every = known.held.union(known.others);
    if mat.hand.is_none() {
        let new = take(&mut unseen.luck, known.others, mat.hand_count.saturating_sub(mat.held_count), dice);
        person.hand = person.hand.union(new);
    }
    if mat.end_of_game_cards.is_none() || mat.dropped.is_none() {
        let new = mat
            .end_of_game_count
            .saturating_add(mat.dropped_count)
            .saturating_sub(person.end_of_game_cards.len() as u8);
        let mut cards = person.end_of_game_cards.union(take(&mut unseen.end_of_game_cards, every, new, dice));
        person.end_of_game_cards = take(&mut cards, every, mat.end_of_game_count, dice);
        person.dropped = cards;
    }
    if mat.offer.is_none() {
        person.offer = take(&mut unseen.spring, every, mat.offer_count, dice);
    }
    if mat.refused.is_none() {
        person.refused = take(&mut unseen.spring, every, mat.refused_count, dice);
    }
    if mat.has_spring && person.spring.is_none() {
        let mut offer = person.offer;
        person.spring = offer.draw(dice).map(|index| BonusCard(index as u8));
    }
}
