//! SR-01 to SR-10 and SR-40: the set-up.

use super::*;

/// A fresh match of `count` seats, and who set up what.
fn begun(count: u8, seed: u32) -> (State, SacrificesSetUp) {
    let (state, events) = SacrificeRoulette.setup(&Options {}, seats(count), &mut dice(seed));
    let [Event::SacrificesSetUp(set_up)] = &events[..] else { panic!("{events:?}") };
    conserved(&state);
    (state, set_up.clone())
}

/// Places all sacrifices that are due, each in the first free pit, and answers who placed, with the last events.
fn place_all(state: &mut State, seed: u32) -> (Vec<u8>, Vec<Event>) {
    let (mut dice, mut placed, mut events) = (dice(seed), Vec::new(), Vec::new());
    settle(&SacrificeRoulette, state, &mut dice, &mut events);
    while let (Stage::Placing { .. }, Some(actor)) = (state.stage, state.actor()) {
        let mv = SacrificeRoulette.legal_moves(state, actor).moves[0];
        placed.push(actor.number());
        events = play(&SacrificeRoulette, state, actor, mv, &mut dice).unwrap().events;
    }
    (placed, events)
}

/// A set-up of five in which all disks lie but one for each of these seats.
fn placing(owing: &[u8]) -> State {
    let mut state = begun(5, 0).0;
    for player in &mut state.players {
        player.to_place = 0;
    }
    state.pits = Table::new(5, 1, "D1 D2 D3 D4 D5").pits();
    for owing in owing {
        let (pit, _) = state.pits.occupied().find(|(_, colour)| *colour == State::colour(seat(*owing))).unwrap();
        state.pits.set(pit, None);
        state.players[usize::from(*owing)].to_place += 1;
    }
    conserved(&state);
    state
}

#[test]
fn sr_01_the_first_three_seats_are_white_blue_and_green() {
    let view = begun(3, 1).0.view(Viewer::Spectator);
    let colours: Vec<Colour> = view.players.iter().map(|player| player.colour).collect();
    assert_eq!(colours, [Colour::White, Colour::Blue, Colour::Green]);
}

#[test]
fn sr_02_day_4_goes_into_the_day_pit_of_4() {
    let four = |seed: &u32| begun(5, *seed).1.seats.iter().any(|share| share.pits.contains(&pit("D4")));
    let (state, set_up) = begun(5, (0..).find(four).unwrap());
    let owner = set_up.seats.iter().find(|share| share.pits.contains(&pit("D4"))).unwrap();
    assert_eq!(state.pits.at(pit("D4")), Some(owner.colour));
    assert_eq!(SacrificeRoulette.view(&state, Viewer::Spectator).pits.len(), state.pits.occupied().count());
}

#[test]
fn sr_03_white_places_before_red_whichever_trilithon_cards_they_hold() {
    let mut state = placing(&[4, 0]);
    assert_eq!(state.actor(), Some(seat(0)));
    assert_eq!(place_all(&mut state, 0).0, [0, 4]);
}

#[test]
fn sr_03_who_has_several_places_them_one_after_another() {
    let mut state = placing(&[3, 1, 3]);
    assert_eq!(place_all(&mut state, 0).0, [1, 3, 3]);
}

#[test]
fn sr_04_after_the_set_up_everyone_has_ten_disks_on_the_board() {
    for count in 2..=5 {
        for seed in 0..20 {
            let (mut state, set_up) = begun(count, seed);
            let owed: u8 = set_up.seats.iter().map(|share| share.to_place).sum();
            let (placed, _) = place_all(&mut state, seed);
            assert_eq!(placed.len(), usize::from(owed));
            assert!(placed.is_sorted());
            assert!(state.count().seats().all(|seat| state.on_board(seat) == 10));
        }
    }
}

#[test]
fn sr_04_an_occupied_pit_is_refused_and_cards_must_wait() {
    let mut state = placing(&[0]);
    state.pits.set(pit("N7"), Some(Colour::Red));
    assert_eq!(refusal(&state, "place N7"), ("occupied", "SR-04", "pit"));
    assert_eq!(refusal(&state, "roll D5 stop"), ("placing_due", "SR-04", "type"));
    assert_eq!(refusal(&state, "reverse TW"), ("placing_due", "SR-04", "type"));
    assert_eq!(out_of_turn(&state, 1), "SR-03");
    let state = Table::new(2, 3, "D5 D6 D7 D8 D9").state();
    assert_eq!(refusal(&state, "place N11"), ("no_placing", "2.3", "type"));
    assert_eq!(out_of_turn(&state, 1), "3.1");
    assert_eq!(out_of_turn(&State { stage: Stage::Over, ..state }, 0), "6.1");
}

#[test]
fn sr_05_black_pits_are_as_good_as_others() {
    let mut state = placing(&[0]);
    let taken = state.pits.set(pit("N6"), None);
    assert!(listed(&state).contains(&"place N6".to_owned()));
    state.pits.set(pit("N6"), taken);
    assert!(!listed(&state).contains(&"place N6".to_owned()));
}

#[test]
fn sr_06_pits_of_neutral_disks_are_occupied() {
    let owes = |seed: &u32| begun(2, *seed).0.actor().is_some();
    let (state, set_up) = begun(2, (0..).find(owes).unwrap());
    for neutral in set_up.neutral {
        assert_eq!(refusal(&state, &format!("place {neutral}")), ("occupied", "SR-04", "pit"));
    }
}

#[test]
fn sr_07_neutral_disks_have_the_first_colour_that_nobody_plays() {
    let (state, set_up) = begun(2, 3);
    assert!(set_up.neutral.iter().all(|pit| state.pits.at(*pit) == Some(Colour::Green)));
    assert_eq!(state.owner(Colour::Green), None);
    assert_eq!((begun(3, 3).1.neutral, begun(5, 3).1.neutral), (Vec::new(), Vec::new()));
}

#[test]
fn sr_08_there_are_always_ten_neutral_disks() {
    assert!((0..100).all(|seed| begun(2, seed).1.neutral.len() == 10));
}

#[test]
fn sr_09_a_trilithon_card_never_places_the_boulder() {
    let mut state = placing(&[]);
    state.stage = Stage::Placing { boulder_cards: cards("N17") };
    place_all(&mut state, 0);
    assert_eq!(state.boulder, Some(number(17)));
    for seed in 0..200 {
        let (mut state, set_up) = begun(5, seed);
        assert!(
            set_up
                .boulder_cards
                .iter()
                .all(|card| !card.is_trilithon() && state.pits.at(card.stone().unwrap()).is_none())
        );
        let shown: usize = set_up.seats.iter().map(|share| share.pits.len()).sum();
        assert_eq!(set_up.boulder_cards.len() + shown, 60);
        place_all(&mut state, seed);
        assert!(set_up.boulder_cards.iter().any(|card| card.number() == state.boulder));
    }
}

#[test]
fn sr_10_all_cards_are_shuffled_before_the_deal() {
    for count in 2..=5 {
        let (mut state, _) = begun(count, 5);
        place_all(&mut state, 5);
        conserved(&state);
        assert_eq!(state.deck.len(), 65 - 5 * usize::from(count));
        assert!(state.players.iter().all(|player| player.hand.len() == 5) && state.discards.is_empty());
    }
}

#[test]
fn sr_40_each_seat_begins_as_often_and_the_seed_decides() {
    let first = |seed| {
        let (mut state, _) = begun(4, seed);
        place_all(&mut state, seed);
        state.actor().unwrap().index()
    };
    let mut begun = [0; 4];
    (0..400).for_each(|seed| begun[first(seed)] += 1);
    // Each 100 expected, standard deviation 8.7.
    assert!(begun.iter().all(|times| (60..140).contains(times)), "{begun:?}");
    assert!((0..20).all(|seed| first(seed) == first(seed)));
}

/// Until then nobody, not even an omniscient viewer, can know them.
#[test]
fn boulder_hands_and_first_seat_do_not_exist_before_the_last_placement() {
    let mut state = placing(&[0, 1]);
    let view = state.view(Viewer::Omniscient);
    assert_eq!((view.phase, view.seat, view.boulder, view.deck_size), (Phase::Placing, Some(seat(0)), None, 0));
    assert!(view.players.iter().all(|player| player.hand_size == 0));
    let first = listed(&state)[0].clone();
    let one_placed = make(&mut state, &[&first]);
    assert!(matches!(one_placed[..], [Event::SacrificePlaced(_)]));
    let events = place_all(&mut state, 0).1;
    assert!(matches!(
        events[..],
        [Event::SacrificePlaced(_), Event::BoulderSetUp(_), Event::HandsDealt(_), Event::TurnBegun(_)]
    ));
}
