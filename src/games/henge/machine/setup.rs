//! Set-up (section 2.2).

use crate::henge::components::{BonusDeck, Pool, SetId, Step, StoneCard, Tile};
use crate::henge::observation::events::{Event, HengeSetUp, SpringOffered, StarterDealt};
use crate::henge::state::{CardSet, Equipment, Held, Seating, State, pool_index};
use sarsen_rules::{Dice, Seat};

/// The match before the Spring choices, and what happened up to there.
pub(crate) fn set_up(seating: &Seating, equipment: Equipment, dice: &mut Dice) -> (State, Vec<Event>) {
    let mut state = State::bare(seating, equipment.clone());
    let starters = deal_starters(&mut state, dice);
    for position in 0..state.quarry.len() {
        state.quarry[position] = state.stone_deck.draw(dice).map(|index| StoneCard(index as u8));
    }
    for pool in [Pool::A, Pool::B] {
        let chits = &mut state.chits[pool_index(pool)];
        for _ in 0..equipment.set().params.reward_face_up {
            chits.face_up.extend(chits.stack.draw(dice).map(|index| Tile(index as u8)));
        }
    }
    let tiles =
        |pool: Pool| state.pool(pool).face_up.iter().map(|tile| equipment.set().rewards[tile.index()].id).collect();
    let mut events = vec![Event::SetUp(HengeSetUp {
        set: SetId::clone(equipment.set().id()),
        side: equipment.side().key.to_owned(),
        table: seating.to_string(),
        starters,
        pawn: state.pawn.number(),
        quarry: state.quarry.iter().flatten().map(|stone| equipment.stone(*stone).id).collect(),
        stones_left: state.stone_deck.len() as u8,
        rewards_a: tiles(Pool::A),
        rewards_b: tiles(Pool::B),
    })];
    let mut spring = equipment.bonus_in_use(BonusDeck::Spring);
    for seat in state.count().seats() {
        let who = state.who(seat);
        let offer: CardSet = (0..equipment.set().params.spring_deal).filter_map(|_| spring.draw(dice)).collect();
        state.person_mut(seat).offer = offer;
        let cards: Vec<_> = offer.iter().map(|index| equipment.set().bonus[index].id).collect();
        let count = cards.len() as u8;
        events.push(Event::SpringOffered(SpringOffered { who, count, cards: Some(cards) }));
    }
    (state, events)
}

/// A starter for each person (H-04); that of seat 0 places the pawn (H-05, H-06).
fn deal_starters(state: &mut State, dice: &mut Dice) -> Vec<StarterDealt> {
    let equipment = state.equipment.clone();
    let is_starter = |index: &usize| equipment.set().stones[*index].starter_area.is_some();
    let mut starters: CardSet = state.stone_deck.iter().filter(is_starter).collect();
    let mut dealt = Vec::new();
    for seat in state.count().seats() {
        let Some(index) = starters.draw(dice) else { continue };
        state.stone_deck.remove(index);
        let stone = StoneCard(index as u8);
        state.person_mut(seat).stones.push(Held { stone, at: 0, carved: false });
        let row = equipment.stone(stone);
        if Some(seat) == Seat::new(0) {
            let area = row.starter_area.and_then(|area| equipment.set().rondel.first_of(area));
            state.pawn = area.unwrap_or(Step(0));
        }
        dealt.push(StarterDealt { who: state.who(seat), stone: row.id });
    }
    dealt
}
