//! Set-up (section 2.2).

use crate::games::henge::components::{BonusDeck, Pool, Privilege, SetId, Step, StoneCard, Tile};
use crate::games::henge::options::Table;
use crate::games::henge::seen::events::{Event, SetUp, SpringOffered, StarterDealt};
use crate::games::henge::state::{
    BotPiles, Built, CardSet, Chits, Held, LuckPiles, Person, Rules, Stage, State, pool_index,
};
use crate::rules::{Dice, Seat};

/// The match before the Spring choices, and what happened up to there.
pub fn set_up(table: &Table, rules: Rules, dice: &mut Dice) -> (State, Vec<Event>) {
    let mut state = bare(table, rules.clone());
    let starters = deal_starters(&mut state, dice);
    for position in 0..state.quarry.len() {
        state.quarry[position] = state.stone_deck.draw(dice).map(|index| StoneCard(index as u8));
    }
    for pool in [Pool::A, Pool::B] {
        let chits = &mut state.chits[pool_index(pool)];
        for _ in 0..rules.set().params.reward_face_up {
            chits.face_up.extend(chits.stack.draw(dice).map(|index| Tile(index as u8)));
        }
    }
    let tiles = |pool: Pool| state.pool(pool).face_up.iter().map(|tile| rules.set().rewards[tile.index()].id).collect();
    let mut events = vec![Event::SetUp(SetUp {
        set: SetId::clone(rules.set().id()),
        side: rules.side().key.to_owned(),
        table: table.to_string(),
        starters,
        pawn: state.pawn.number(),
        quarry: state.quarry.iter().flatten().map(|stone| rules.stone(*stone).id).collect(),
        stones_left: state.stone_deck.len() as u8,
        rewards_a: tiles(Pool::A),
        rewards_b: tiles(Pool::B),
    })];
    let mut spring = rules.bonus_in_use(BonusDeck::Spring);
    for seat in state.count().seats() {
        let place = state.place_of(seat);
        let offer: CardSet = (0..rules.set().params.spring_deal).filter_map(|_| spring.draw(dice)).collect();
        state.person_mut(seat).offer = offer;
        let cards: Vec<_> = offer.iter().map(|index| rules.set().bonus[index].id).collect();
        let count = cards.len() as u8;
        events.push(Event::SpringOffered(SpringOffered { place, seat, count, cards: Some(cards) }));
    }
    (state, events)
}

/// All decks unshuffled, nothing dealt.
pub fn bare(table: &Table, rules: Rules) -> State {
    let set = rules.set();
    let params = &set.params;
    let places = table.places();
    let people = places.iter().flatten().count();
    let person = Person { coins: params.start_coins, tokens: params.start_travel, ..Person::default() };
    let with_bots = places.iter().any(Option::is_none);
    let tokens = params.start_travel.saturating_mul(people as u8);
    let chits = |pool| Chits { stack: rules.chits_of(pool), ..Chits::default() };
    State {
        rules: rules.clone(),
        people: vec![person; people],
        stage: Stage::Spring,
        round: 0,
        turn: 0,
        pawn: Step(0),
        trigger: None,
        slots: vec![None::<Built>; rules.side().slots.len()],
        paths: Default::default(),
        quarry: vec![None; usize::from(params.quarry_size)],
        stone_deck: rules.stones_in_use(),
        luck: LuckPiles { deck: (0..set.luck.len()).collect(), ..LuckPiles::default() },
        eog_deck: rules.bonus_in_use(BonusDeck::Eog),
        spring_dropped: Vec::new(),
        chits: [chits(Pool::A), chits(Pool::B)],
        travel_supply: params.travel_supply.saturating_sub(tokens),
        bots: BotPiles {
            deck: if with_bots { (0..set.hengebot.len()).collect() } else { CardSet::default() },
            discards: Vec::new(),
            carve_up: vec![false; places.len()],
        },
        upgrades: set.first_upgrades.iter().map(|row| row.privilege).collect::<Vec<Privilege>>(),
        places,
        stack: Vec::new(),
    }
}

/// A starter for each person (H-04); that of seat 0 places the pawn (H-05, H-06).
fn deal_starters(state: &mut State, dice: &mut Dice) -> Vec<StarterDealt> {
    let rules = state.rules.clone();
    let is_starter = |index: &usize| rules.set().stones[*index].starter_area.is_some();
    let mut starters: CardSet = state.stone_deck.iter().filter(is_starter).collect();
    let mut dealt = Vec::new();
    for seat in state.count().seats() {
        let Some(index) = starters.draw(dice) else { continue };
        state.stone_deck.remove(index);
        let stone = StoneCard(index as u8);
        state.person_mut(seat).stones.push(Held { stone, at: 0, carved: false });
        let row = rules.stone(stone);
        if Some(seat) == Seat::new(0) {
            let area = row.starter_area.and_then(|area| rules.set().rondel.first_of(area));
            state.pawn = area.unwrap_or(Step(0));
        }
        dealt.push(StarterDealt { place: state.place_of(seat), seat, stone: row.id });
    }
    dealt
}
