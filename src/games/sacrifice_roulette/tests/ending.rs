//! SR-28 to SR-35 and SR-38: depletions, the end, and who has won.

use super::*;

fn depletions(events: &[Event]) -> Vec<(u8, bool)> {
    let depleted = events.iter().filter_map(|event| match event {
        Event::DeckDepleted(depleted) => Some((depleted.depletions, depleted.last)),
        _ => None,
    });
    depleted.collect()
}

/// Returns how many cards were drawn, before and after reshuffles.
fn drawn(events: &[Event]) -> Vec<u8> {
    let drawn = events.iter().filter_map(|event| match event {
        Event::CardsDrawn(drawn) => Some(drawn.count),
        _ => None,
    });
    drawn.collect()
}

fn is_over(state: &State) -> bool {
    matches!(SacrificeRoulette.status(state), Status::Over(_))
}

fn table(seats: u8, hand: &'static str, deck: &'static str, depletions: u8) -> Table {
    let size = row(deck).len();
    Table { deck, deck_size: Some(size), depletions, ..Table::new(seats, 3, hand) }
}

#[test]
fn sr_28_the_deck_is_depleted_when_its_last_card_leaves_it() {
    let mut state = table(3, "N11 D17 D1 D2 D4", "N30 D30", 1).state();
    let events = make(&mut state, &["roll N11 D17 stop"]);
    assert_eq!((drawn(&events), depletions(&events)), (vec![2], vec![(2, true)]));
    assert!(is_over(&state) && state.players[0].hand.len() == 5);
    assert!(matches!(events.last(), Some(Event::CardsRevealed(_))));
}

#[test]
fn sr_29_a_fall_that_depletes_is_completed_first() {
    let mut table = table(3, "D5 D1 D2 D4 D6", "N30", 0);
    table.pits = vec![("N5", 0)];
    let mut state = table.state();
    let marker = without(state.discards.set(), &[cards("D5")]);
    let events = make(&mut state, &["roll D5 match"]);
    assert_eq!((depletions(&events), drawn(&events)), (vec![(1, false)], vec![2]));
    let new_deck = events.iter().find_map(|event| match event {
        Event::DeckReshuffled(reshuffled) => Some(reshuffled.cards),
        _ => None,
    });
    assert_eq!(new_deck, Some(marker.union(cards("D5 N30"))), "this turn's card and the fall's are in the new deck");
    assert_eq!((state.players[0].hand.len(), state.hand_limit(seat(0))), (6, 6));
    assert!(!is_over(&state) && state.discards.is_empty());

    table.depletions = 1;
    let mut state = table.state();
    let events = make(&mut state, &["roll D5 match"]);
    assert!(is_over(&state) && drawn(&events).is_empty());
    assert_eq!((state.players[0].taken[0], state.players[0].hand.len()), (1, 4));
    assert_eq!(state.discards.cards()[state.discards.len() - 2..], row("D5 N30"));
}

#[test]
fn sr_29_the_marker_is_not_reshuffled() {
    let mut table = table(3, "D29 D1 D2 D4 D6", "N30", 0);
    table.marker = Some("TG");
    let mut state = table.state();
    make(&mut state, &["roll D29 match"]);
    assert_eq!((state.marker, state.depletions), (Some(card("TG")), 1));
    assert!(!state.reshuffles[0].0.contains(card("TG")));
    let hands: usize = state.players.iter().map(|player| player.hand.len()).sum();
    assert_eq!(state.deck.len() + hands + 1, 65);
}

#[test]
fn sr_30_drawing_goes_on_through_a_reshuffle() {
    let mut state = table(3, "N11 D11 D17 D1 D2", "N30", 0).state();
    let events = make(&mut state, &["roll N11 D11 D17 fall"]);
    assert_eq!(depletions(&events), [(1, false)]);

    let mut state = table(3, "N11 D11 D23 D1 D2", "N30", 0).state();
    let events = make(&mut state, &["roll N11 D11 D23 stop"]);
    assert_eq!((drawn(&events), depletions(&events)), (vec![1, 2], vec![(1, false)]));
    assert!(state.actor() == Some(seat(1)) && state.players[0].hand.contains(card("N30")));

    let mut state = table(3, "N11 D11 D23 D1 D2", "N30", 1).state();
    let events = make(&mut state, &["roll N11 D11 D23 stop"]);
    assert_eq!((drawn(&events), depletions(&events)), (vec![1], vec![(2, true)]));
    assert!(is_over(&state) && state.players[0].hand == cards("D1 D2 N30"));
}

#[test]
fn sr_31_the_round_is_not_completed() {
    let mut table = table(4, "N11 D1 D2 D4 D6", "N30", 1);
    table.hands.push("N17 N1 N2 N4 N6");
    let mut state = table.state();
    state.stage = Stage::Turn(seat(1));
    make(&mut state, &["roll N17 stop"]);
    assert!(is_over(&state) && state.actor().is_none());
}

#[test]
fn sr_31_five_players_go_on_to_the_third_depletion() {
    let mut state = table(5, "N11 D1 D2 D4 D6", "N30", 1).state();
    let events = make(&mut state, &["roll N11 stop"]);
    assert_eq!(depletions(&events), [(2, false)]);
    assert!(!is_over(&state));
    let mut state = table(5, "N11 D1 D2 D4 D6", "N30", 2).state();
    let events = make(&mut state, &["roll N11 stop"]);
    assert_eq!(depletions(&events), [(3, true)]);
    assert!(is_over(&state));
}

#[test]
fn sr_32_five_trilithon_cards_have_five_moves() {
    let mut state = Table::new(3, 3, "TW TB TG TY TR").state();
    assert_eq!(listed(&state), ["reverse TW", "reverse TB", "reverse TG", "reverse TY", "reverse TR"]);
    let events = make(&mut state, &["reverse TG"]);
    assert_eq!((state.direction(), state.marker), (Direction::CounterClockwise, Some(card("TG"))));
    assert_eq!((drawn(&events), state.boulder, state.actor()), (vec![1], Some(number(3)), Some(seat(1))));

    // Everyone now knows the rest of the hand, and imagines it so.
    let left = cards("TW TB TY TR");
    let view = state.view(Viewer::Spectator);
    assert_eq!((view.players[0].known, view.players[0].hand), (left, None));
    for seed in 0..20 {
        let imagined = SacrificeRoulette.imagine(&view, Viewer::Spectator, &mut dice(seed));
        assert!(left.is_within(imagined.players[0].hand));
    }

    // What is played of it is no longer in the hand, though it may come back to it.
    state.stage = Stage::Turn(seat(0));
    let number = state.players[0].hand.iter().next().unwrap();
    let play = listed(&state).into_iter().find(|mv| mv.starts_with(&format!("roll TW {number} "))).unwrap();
    make(&mut state, &[&play]);
    assert_eq!(state.players[0].known, cards("TB TY TR"));
}

#[test]
fn sr_33_with_nothing_to_shuffle_the_match_ends() {
    let mut table = table(3, "TW TB TG TY TR", "N30", 0);
    table.hands.extend(["", ""]);
    let mut state = table.state();
    // Everything that would be on the discards is in the other hands, and seat 0 may hold seven cards.
    let rest: Vec<Card> = state.discards.cards().to_vec();
    state.discards = Pile::default();
    state.players[1].hand = rest.iter().copied().take(30).collect();
    state.players[2].hand = rest.iter().copied().skip(30).collect();
    for _ in 0..2 {
        let (pit, _) = state.pits.occupied().find(|(_, colour)| *colour == Colour::White).unwrap();
        state.pits.set(pit, None);
        state.players[0].taken[0] += 1;
    }
    conserved(&state);
    let events = make(&mut state, &["reverse TW"]);
    assert_eq!((drawn(&events), depletions(&events)), (vec![1], vec![(1, false), (2, true)]));
    assert!(is_over(&state));
}

#[test]
fn sr_34_cards_are_discarded_when_they_are_laid() {
    let mut state = table(3, "D5 N11 D1 D2 D4", "N30", 0).state();
    make(&mut state, &["roll D5 N11 fall"]);
    assert!(cards("D5 N11 N30").is_within(state.reshuffles[0].0));
}

/// Points, own disks on the board, rank and verdict of the first two seats.
fn tie(on_board: [u8; 2]) -> Vec<(Option<i32>, i64, u8, Verdict)> {
    let mut state = table(2, "N11 D1 D2 D4 D6", "N30", 1).state();
    for (index, left) in on_board.into_iter().enumerate() {
        let own = seat(index as u8);
        while state.on_board(own) > left {
            let (pit, _) = state.pits.occupied().find(|(_, colour)| *colour == State::colour(own)).unwrap();
            state.pits.set(pit, None);
            // Whose pile it is in is what makes the points equal.
            let taker = usize::from(state.points(seat(0)) > state.points(seat(1)));
            state.players[taker].taken[index] += 1;
        }
    }
    while state.points(seat(0)) != state.points(seat(1)) {
        let behind = usize::from(state.points(seat(0)) > state.points(seat(1)));
        let (pit, _) = state.pits.occupied().find(|(_, colour)| *colour == Colour::Green).unwrap();
        state.pits.set(pit, None);
        state.players[behind].taken[2] += 1;
    }
    make(&mut state, &["roll N11 stop"]);
    let Status::Over(outcome) = SacrificeRoulette.status(&state) else { panic!("it goes on") };
    assert_eq!(outcome.ending, "deck_depleted");
    let standing = |standing: &sarsen_rules::Standing| {
        (standing.score, standing.figures["on_board"], standing.rank, standing.verdict)
    };
    outcome.standings.iter().map(standing).collect()
}

#[test]
fn sr_35_ties_go_to_who_has_more_disks_on_the_board() {
    let [first, second] = tie([4, 3])[..] else { panic!() };
    assert_eq!(first.0, second.0);
    assert_eq!((first.1, first.2, first.3), (4, 1, Verdict::Won));
    assert_eq!((second.1, second.2, second.3), (3, 2, Verdict::Lost));
    let [first, second] = tie([4, 4])[..] else { panic!() };
    assert_eq!(first, second);
    assert_eq!((first.1, first.2, first.3), (4, 1, Verdict::Won));
}

#[test]
fn sr_38_an_empty_board_does_not_end_the_match() {
    let mut state = Table::new(2, 3, "N11 D1 D2 D4 D6").state();
    for (index, colour) in [Colour::White, Colour::Blue, Colour::Green].into_iter().enumerate() {
        let pits: Vec<Stone> = state.pits.occupied().filter(|(_, disk)| *disk == colour).map(|(pit, _)| pit).collect();
        for pit in pits {
            state.pits.set(pit, None);
            // Nobody's own, so that hand limits stay.
            state.players[usize::from(index == 0)].taken[index] += 1;
        }
    }
    make(&mut state, &["roll N11 stop"]);
    assert!(!is_over(&state));
}

#[test]
fn after_the_end_everyone_sees_hands_and_deck() {
    let mut state = Table { depletions: 0, ..Table::new(2, 3, "N11 D1 D2 D4 D6") }.state();
    state.stage = Stage::Over;
    let view = state.view(Viewer::Spectator);
    let deck: Vec<Card> = state.deck.cards().iter().rev().copied().collect();
    assert_eq!(view.deck, Some(deck));
    assert!(view.players.iter().all(|player| player.hand.is_some()));
}
