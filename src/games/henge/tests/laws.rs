//! The laws of the rules layer at every kind of table, and conservation of all pieces at each step.

use test_kit::environment::CONFORMANCE_MATCHES;

use super::super::components::{BonusDeck, Pool};
use super::super::state::CardSet;
use super::super::state::Stage;
use super::*;
use crate::laws::laws;
use sarsen_rules::conformance::Plan;
use sarsen_rules::{Status, play, settle};

/// Every card, chit, stone, druid and token is in one place, and nothing is negative or beyond its track.
pub(crate) fn conserved(state: &State) {
    let equipment = &state.equipment;
    let set = equipment.set();
    let params = &set.params;

    let hands: Vec<CardSet> = state.people.iter().map(|person| person.hand).collect();
    let open = state.luck.discards.iter().chain(&state.luck.spent).map(|card| card.index());
    let luck: Vec<usize> =
        state.luck.deck.iter().chain(hands.iter().flat_map(|hand| hand.iter())).chain(open).collect();
    is_each_once(luck, (0..set.luck.len()).collect(), "Luck cards");

    let in_hands: CardSet = hands.iter().flat_map(|hand| hand.iter()).collect();
    assert!(state.luck.held.minus(in_hands).is_empty(), "a card known to be in a hand is not");

    let own = |person: &super::super::state::Person| {
        person.end_of_game_cards.iter().chain(person.dropped.iter()).collect::<Vec<_>>()
    };
    let end_of_game_cards: Vec<usize> =
        state.end_of_game_deck.iter().chain(state.people.iter().flat_map(own)).collect();
    is_each_once(end_of_game_cards, equipment.bonus_in_use(BonusDeck::EndOfGame), "end-of-game cards");

    // A chosen Spring card still counts as offered until all have chosen; the rest of the deck leaves the game.
    let spring: Vec<usize> = state
        .people
        .iter()
        .flat_map(|person| {
            let chosen = person.spring.filter(|_| state.stage != Stage::Spring).map(|card| card.index());
            person.offer.iter().chain(person.refused.iter()).chain(chosen).collect::<Vec<_>>()
        })
        .chain(state.spring_dropped.iter().map(|card| card.index()))
        .collect();
    assert_eq!(spring.len(), state.people.len() * usize::from(params.spring_deal), "Spring cards");
    let distinct: CardSet = spring.iter().copied().collect();
    assert_eq!((distinct.len(), distinct.minus(equipment.bonus_in_use(BonusDeck::Spring)).len()), (spring.len(), 0));

    let held = state.people.iter().flat_map(|person| person.stones.iter().map(|held| held.stone));
    let built = state.slots.iter().flatten().map(|built| built.stone);
    let stones = held.chain(built).chain(state.quarry.iter().flatten().copied()).map(|stone| stone.index());
    is_each_once(state.stone_deck.iter().chain(stones).collect(), equipment.stones_in_use(), "stones");
    let installed: usize = state.people.iter().map(|person| person.installed.len()).sum();
    let by_people = state.slots.iter().flatten().filter(|built| state.seat_at(built.chair).is_some()).count();
    assert_eq!(installed, by_people, "a stone stands without its card, or the other way round");

    for pool in [Pool::A, Pool::B] {
        let chits = state.pool(pool);
        let open = chits.face_up.iter().chain(&chits.used).map(|tile| tile.index());
        is_each_once(chits.stack.iter().chain(open).collect(), equipment.chits_of(pool), "chits");
    }

    let with_bots = state.chairs.iter().any(Option::is_none);
    let bot_cards: CardSet = if with_bots { (0..set.hengebot.len()).collect() } else { CardSet::default() };
    let discards = state.bots.discards.iter().map(|card| card.index());
    is_each_once(state.bots.deck.iter().chain(discards).collect(), bot_cards, "Hengebot cards");

    let tokens: u8 = state.people.iter().map(|person| person.travel_tokens).sum();
    assert_eq!(tokens + state.travel_supply, params.travel_supply, "travel tokens");
    for chair in state.table() {
        assert!(state.placed(chair) <= params.druids_per_player, "too many druids on chair {chair}");
    }
    for area in super::super::components::Area::ALL {
        assert!(state.druids_on(area) <= equipment.side().capacity(area), "a druid on a black space");
    }
    for (row, built) in equipment.side().slots.iter().zip(&state.slots) {
        assert!(built.is_none() || state.uprights_stand(row), "a lintel hangs in the air");
    }
    for person in &state.people {
        assert!(person.stones.iter().all(|held| held.at <= equipment.stone(held.stone).transport));
        let tops = super::super::components::Privilege::ALL.map(|privilege| set.privileges.top(privilege));
        assert!(person.levels.iter().zip(tops).all(|(level, top)| *level <= top));
        assert!(usize::from(person.luck_steps) <= set.luck_track.len());
    }
}

fn is_each_once(mut found: Vec<usize>, wanted: CardSet, what: &str) {
    found.sort_unstable();
    assert_eq!(found, wanted.iter().collect::<Vec<_>>(), "{what} are lost or doubled");
}

fn no_further(_state: &State, _seat: Seat) -> Vec<Move> {
    Vec::new()
}

fn plan(tables: &[&str], seats: &[u8], matches: u32) -> Plan<Henge> {
    Plan {
        game: std::sync::Arc::new(Henge::default()),
        options: tables.iter().map(|table| options(table)).collect(),
        seats: seats.to_vec(),
        matches: CONFORMANCE_MATCHES.value().unwrap_or(matches),
        longest: 6000,
        conserved,
        further: no_further,
        redeal: super::hidden::redeal,
        lays_open: super::hidden::lays_open,
    }
}

#[test]
fn henge_keeps_the_laws_with_the_usual_tables() {
    laws(&plan(&[""], &[1, 2, 3, 4, 5], 5));
}

/// Piles have no order, so that nothing is hidden from the only person there is; but spectators see neither that
/// person's hand nor the Bonus cards.
#[test]
fn henge_keeps_the_laws_with_one_person_and_more_hengebots() {
    laws(&plan(&["hbbb", "hbbbb"], &[1], 6));
}

#[test]
fn henge_keeps_the_laws_with_two_people_and_hengebots() {
    laws(&plan(&["hbh", "hhbb", "hbhb", "hbbhb"], &[2], 4));
}

#[test]
fn henge_keeps_the_laws_with_three_people_and_hengebots() {
    laws(&plan(&["hhhb", "hbhh", "hhhbb"], &[3], 3));
}

#[test]
fn henge_keeps_the_laws_with_four_people_and_a_hengebot() {
    laws(&plan(&["hhbhh"], &[4], 1));
}

/// Every table of three to five with a person at the first place.
fn all_tables() -> Vec<String> {
    let table = |total: u32, pattern: u32| -> String {
        (0..total).map(|place| if place == 0 || pattern >> place & 1 == 1 { 'h' } else { 'b' }).collect()
    };
    (3..=5).flat_map(|total| (0..1 << total).step_by(2).map(move |pattern| table(total, pattern))).collect()
}

#[test]
fn matches_at_every_table_end_and_conserve_all_pieces() {
    let matches = CONFORMANCE_MATCHES.value().unwrap_or(1);
    let tables = all_tables();
    assert_eq!(tables.len(), 4 + 8 + 16);
    for (at, table) in tables.iter().enumerate() {
        for number in 0..matches {
            let (seed, mut choice) = sarsen_rules::conformance::seeds(number * 32 + at as u32);
            let mut dice = Dice::new(seed);
            let (mut state, mut events) = Henge::default().setup(&options(table), people(table), &mut dice);
            settle(&Henge::default(), &mut state, &mut dice, &mut events);
            let mut moves_made = 0;
            while let Status::ToAct(seats) = Henge::default().status(&state) {
                conserved(&state);
                let seat = seats.first().unwrap();
                let moves = Henge::default().legal_moves(&state, seat).moves;
                assert!(moves_made < 6000, "{table} does not end");
                let mv = moves[choice.index(moves.len()).unwrap_or_else(|| panic!("{table} is stuck: {state:?}"))];
                play(&Henge::default(), &mut state, seat, mv, &mut dice).unwrap();
                moves_made += 1;
            }
            conserved(&state);
        }
    }
}
