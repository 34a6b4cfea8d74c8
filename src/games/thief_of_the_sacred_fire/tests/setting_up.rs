//! Set-up, the trilithon card, dealing.

use super::*;

/// The set-up's events that put the druids and the disks down.
fn placed(events: &[Event]) -> &ThiefDruidsSetUp {
    let Some(Event::DruidsSetUp(placed)) = events.first() else { panic!("{events:?}") };
    placed
}

/// A match with its start chosen, and what happened then.
fn begun(seed: u32) -> (State, Vec<Event>) {
    let (mut state, _, mut dice) = created(seed);
    let played = play(&ThiefOfTheSacredFire, &mut state, seat(), mv("start 30a"), &mut dice).unwrap();
    (state, played.events)
}

#[test]
fn th_02_each_colour_begins_on_one_of_the_five_stones_at_random() {
    let mut on_n5 = Vec::new();
    for seed in 0..60 {
        let (_, events, _) = created(seed);
        let mut druids = placed(&events).druids.clone();
        assert!(druids.iter().map(|place| place.druid).eq(Druid::ALL));
        druids.sort_by_key(|place| place.at);
        let stones: Vec<Space> = druids.iter().map(|place| place.at).collect();
        assert_eq!(stones, spaces("N5 N9 N16 N22 N26"));
        on_n5.push(druids[0].druid);
    }
    assert!(Druid::ALL.iter().all(|druid| on_n5.contains(druid)), "{on_n5:?}");
}

#[test]
fn th_03_one_disk_a_capstone_and_after_the_card_49_in_the_piles() {
    let mut on_t1 = Vec::new();
    for seed in 0..60 {
        let (state, events, _) = created(seed);
        let mut disks: Vec<Druid> = placed(&events).capstones.iter().filter_map(|capstone| capstone.disk).collect();
        on_t1.push(disks[0]);
        disks.sort_unstable();
        assert!(disks.into_iter().eq(Druid::ALL));
        assert_eq!(state.alertness, [9; 5]);
        let (state, _) = begun(seed);
        assert_eq!(state.capstones.iter().flatten().count(), 1);
        assert_eq!(state.alertness.iter().sum::<u8>(), 49);
    }
    assert!(Druid::ALL.iter().all(|druid| on_t1.contains(druid)), "{on_t1:?}");
}

#[test]
fn th_04_the_card_tells_fire_and_high_druid() {
    let mut seen = Vec::new();
    for seed in 0..60 {
        let (before, ..) = created(seed);
        let (_, events) = begun(seed);
        let Event::FireRevealed(told) = &events[1] else { panic!("{events:?}") };
        let index = before.capstones.iter().position(|disk| *disk == Some(told.high_druid)).unwrap();
        assert_eq!((told.trilithon, told.to), (Space::trilithon(index as u8), space("B1")));
        assert_eq!((told.from, told.heading), (before.druids[told.high_druid.index()], space("B19")));
        assert_eq!(Druid::of(told.card.colour()), Some(told.high_druid));
        for pile in &told.alertness {
            assert_eq!(pile.disks, if pile.druid == told.high_druid { 9 } else { 10 });
        }
        seen.push(told.high_druid);
    }
    assert!(seen.contains(&Druid::Green) && Druid::ALL.iter().all(|druid| seen.contains(druid)));
}

#[test]
fn th_05_five_different_cards_walk_the_druids_to_five_different_stones_then_sixty_are_shuffled() {
    for seed in 0..200 {
        let (state, events, _) = created(seed);
        let Event::DruidCardsDrawn(drawn) = &events[1] else { panic!("{events:?}") };
        let cards: CardSet = drawn.cards.iter().map(|dealt| dealt.card).collect();
        assert_eq!(cards.len(), 5);
        let mut order = placed(&events).druids.clone();
        order.sort_by_key(|place| place.at);
        assert!(drawn.cards.iter().map(|dealt| dealt.figure).eq(order.iter().map(|place| place.druid.into())));
        for (event, dealt) in events[2..7].iter().zip(&drawn.cards) {
            let Event::InnerDruidMoved(moved) = event else { panic!("{event:?}") };
            assert_eq!((moved.card, Figure::from(moved.druid)), (dealt.card, dealt.figure));
        }
        assert_eq!(events[7..], [Event::DeckShuffled(ThiefDeckShuffled { deck_size: 60 })]);
        conserved(&state);
    }
}

#[test]
fn th_06_the_later_high_druid_walks_too_and_leaves_a_gap() {
    for seed in 0..20 {
        let (before, ..) = created(seed);
        let (mut state, _, mut dice) = created(seed);
        play(&ThiefOfTheSacredFire, &mut state, seat(), mv("start 1a"), &mut dice).unwrap();
        assert!(before.druids.iter().all(|at| matches!(at.spot(), Spot::Stone(_))));
        let inner = state.druids.iter().filter(|at| matches!(at.spot(), Spot::Stone(_))).count();
        assert_eq!((inner, state.walking_order().len()), (4, 4));
    }
}

#[test]
fn th_07_nobody_looks_before_the_first_turn() {
    for seed in 0..20 {
        let (_, set_up, _) = created(seed);
        let (_, events) = begun(seed);
        let dealt = events.iter().position(|event| matches!(event, Event::TurnDealt(_))).unwrap();
        assert_eq!((losses(&set_up), losses(&events[..dealt])), (String::new(), String::new()));
    }
}

#[test]
fn th_44_sixty_fresh_cards_after_ten_turns_and_three_shuffles_in_thirty() {
    let (mut state, _, mut dice) = created(3);
    let mut played = CardSet::EMPTY;
    let mut shuffles = 0;
    let mut orders = vec![state.pile.clone()];
    play(&ThiefOfTheSacredFire, &mut state, seat(), mv("start 30a"), &mut dice).unwrap();
    for turn in 1..=30 {
        conserved(&state);
        assert_eq!(state.turn, turn);
        let open: Vec<Card> = state.dealt.iter().map(|dealt| dealt.0).collect();
        assert!(open.iter().all(|card| played.insert(*card)), "a card came twice in ten turns");
        assert!(!open.iter().any(|card| card.is_trilithon()));
        assert_eq!(state.discarded().len(), (usize::from(turn) - 1) % 10 * 6);
        if turn % 10 == 0 {
            assert_eq!((played.len(), state.pile.len()), (60, 0));
            played = CardSet::EMPTY;
        }
        let events = play(&ThiefOfTheSacredFire, &mut state, seat(), mv("stay"), &mut dice).unwrap().events;
        let shuffled = events.iter().any(|event| matches!(event, Event::DeckShuffled(_)));
        assert_eq!(shuffled, turn % 10 == 0, "turn {turn}");
        shuffles += u8::from(shuffled);
        orders.extend(shuffled.then(|| state.pile.clone()));
    }
    assert_eq!(shuffles, 3);
    assert!(orders.windows(2).all(|pair| pair[0].cards()[..54] != pair[1].cards()[..]));
}

#[test]
fn th_45_six_open_cards_inner_druids_high_druid_thief() {
    for seed in 0..20 {
        let (state, events) = begun(seed);
        let Some(Event::TurnDealt(dealt)) = events.iter().find(|event| matches!(event, Event::TurnDealt(_))) else {
            panic!("{events:?}")
        };
        let view = state.view(Viewer::Seat(seat()));
        assert_eq!((view.cards.len(), &view.cards), (6, &dealt.cards));
        let high = state.fire.unwrap().high_druid;
        assert_eq!(view.cards[4].figure, Figure::from(high));
        assert_eq!(view.cards[5].figure, Figure::Thief);
        assert_eq!(view.points, figures::points(view.cards[5].card));
        let moved: Vec<Figure> = events
            .iter()
            .filter_map(|event| match event {
                Event::InnerDruidMoved(moved) => Some(moved.druid.into()),
                Event::HighDruidMoved(moved) => Some(moved.druid.into()),
                _ => None,
            })
            .collect();
        assert!(view.cards[..5].iter().map(|dealt| dealt.figure).eq(moved));
    }
}

#[test]
fn th_46_after_the_start_the_first_decision_is_in_turn_1() {
    let (state, ..) = created(5);
    assert_eq!((state.stage, targets(&state, "start").len()), (Stage::ChoosingStart, 2));
    assert_eq!(state.view(Viewer::Spectator).druids[0].alertness, None, "alertness shows from the card on");
    let (state, _) = begun(5);
    assert_eq!((state.stage, state.turn), (Stage::Moving, 1));
}

#[test]
fn th_47_the_first_detection_of_turn_1_finds_nobody() {
    for seed in 0..100 {
        let (state, events) = begun(seed);
        assert_eq!((losses(&events), state.alertness.iter().sum::<u8>()), (String::new(), 49));
    }
}

#[test]
fn th_53_the_published_label_has_no_effect() {
    let options = serde_json::to_value(Options::default()).unwrap();
    assert_eq!(options, serde_json::json!({"turn_limit": 200}));
    assert!(!format!("{:?}", created(0).0).to_lowercase().contains("sport"));
}
