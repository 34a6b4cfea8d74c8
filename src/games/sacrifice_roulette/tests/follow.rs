//! Events tell a client all it needs: each viewer's view is put together from the events that the viewer is shown.

use super::*;

/// What a front end knows before the first event.
fn before(count: u8) -> SacrificeRouletteView {
    let player = |seat: Seat| PlayerView {
        seat,
        colour: Colour::PIECES[seat.index()],
        to_place: 0,
        hand_size: 0,
        hand: None,
        known: CardSet::EMPTY,
        hand_by_deck: vec![0],
        hand_limit: 5,
        scoring_pile: ScoringPile::default(),
        on_board: 0,
        points: 0,
    };
    SacrificeRouletteView {
        phase: Phase::Placing,
        seat: None,
        turn: 0,
        falls: 0,
        boulder: None,
        direction: Direction::Clockwise,
        marker: None,
        boulder_cards: CardSet::EMPTY,
        pits: Vec::new(),
        deck_size: 0,
        deck: None,
        discards: Vec::new(),
        depletions: 0,
        last_depletion: if count == 5 { 3 } else { 2 },
        reshuffles: Vec::new(),
        players: seats(count).seats().map(player).collect(),
    }
}

/// Own cards are an empty list at first, those of others unknown.
fn before_for(count: u8, viewer: Viewer) -> SacrificeRouletteView {
    let mut view = before(count);
    for player in &mut view.players {
        player.hand = viewer.may_see(player.seat).then_some(CardSet::EMPTY);
    }
    view
}

fn lay_disks(view: &mut SacrificeRouletteView, pits: &[Stone], colour: Colour, owner: Option<Seat>) {
    view.pits.extend(pits.iter().map(|pit| Pit { pit: *pit, colour, owner }));
    view.pits.sort_by_key(|pit| pit.pit.index());
}

fn play_card(view: &mut SacrificeRouletteView, seat: Seat, card: Card) {
    let deck = view.reshuffles.iter().rposition(|cards| cards.contains(card)).map_or(0, |index| index + 1);
    let player = &mut view.players[seat.index()];
    player.hand_size -= 1;
    player.hand_by_deck[deck] -= 1;
    player.known.remove(card);
    if let Some(hand) = &mut player.hand {
        hand.remove(card);
    }
}

fn follow(view: &mut SacrificeRouletteView, event: &Event) {
    match event {
        Event::SacrificesSetUp(set_up) => {
            for share in &set_up.seats {
                lay_disks(view, &share.pits, share.colour, Some(share.seat));
                view.players[share.seat.index()].to_place = share.to_place;
            }
            lay_disks(view, &set_up.neutral, Colour::Green, None);
            view.boulder_cards = set_up.boulder_cards;
        }
        Event::SacrificePlaced(placed) => {
            lay_disks(view, &[placed.pit], Colour::PIECES[placed.seat.index()], Some(placed.seat));
            view.players[placed.seat.index()].to_place = placed.to_place;
        }
        Event::BoulderSetUp(set_up) => (view.boulder, view.boulder_cards) = (Some(set_up.boulder), CardSet::EMPTY),
        Event::HandsDealt(dealt) => {
            view.deck_size = dealt.deck_size;
            for hand in &dealt.hands {
                let player = &mut view.players[hand.seat.index()];
                (player.hand_size, player.hand, player.hand_by_deck) = (hand.count, hand.cards, vec![hand.count]);
            }
        }
        Event::TurnBegun(begun) => (view.seat, view.turn, view.phase) = (Some(begun.seat), begun.turn, Phase::Rolling),
        Event::TrilithonsPlayed(played) => {
            played.cards.iter().for_each(|card| play_card(view, played.seat, card));
            view.players[played.seat.index()].known = view.players[played.seat.index()].known.union(played.known);
            (view.direction, view.marker) = (played.direction, played.marker);
            view.discards.extend(&played.discarded);
        }
        Event::BoulderRolled(rolled) => {
            play_card(view, rolled.seat, rolled.card);
            view.discards.push(rolled.card);
            view.boulder = Some(rolled.to);
        }
        Event::BoulderFell(fell) => {
            if let Some(card) = fell.card {
                play_card(view, fell.seat, card);
                view.discards.push(card);
            }
            view.falls = fell.falls;
        }
        Event::FallCardDrawn(drawn) => {
            view.deck_size = drawn.deck_size;
            view.discards.push(drawn.card);
        }
        Event::PitEmptied(emptied) => {
            view.pits.retain(|pit| pit.pit != emptied.pit);
            let taker = &mut view.players[emptied.taken_by.index()];
            taker.hand_limit = emptied.hand_limit;
            let pile = &mut taker.scoring_pile;
            let piles = [&mut pile.white, &mut pile.blue, &mut pile.green, &mut pile.yellow, &mut pile.red];
            *piles.into_iter().nth(emptied.colour as usize).unwrap() += 1;
        }
        Event::CardsDrawn(drawn) => {
            view.deck_size = drawn.deck_size;
            let player = &mut view.players[drawn.seat.index()];
            player.hand_size += drawn.count;
            *player.hand_by_deck.last_mut().unwrap() += drawn.count;
            if let (Some(hand), Some(cards)) = (&mut player.hand, &drawn.cards) {
                cards.iter().for_each(|card| assert!(hand.insert(*card)));
            }
        }
        Event::DeckDepleted(depleted) => {
            view.depletions = depleted.depletions;
            if depleted.last {
                (view.phase, view.seat) = (Phase::Over, None);
            }
        }
        Event::DeckReshuffled(reshuffled) => {
            view.discards.clear();
            view.deck_size = reshuffled.cards.len() as u8;
            view.reshuffles.push(reshuffled.cards);
            view.players.iter_mut().for_each(|player| player.hand_by_deck.push(0));
        }
        Event::CardsRevealed(revealed) => {
            view.deck = Some(revealed.deck.clone());
            for hand in &revealed.hands {
                view.players[hand.seat.index()].hand = hand.cards;
            }
        }
    }
    if view.phase == Phase::Placing {
        view.seat = view.players.iter().find(|player| player.to_place > 0).map(|player| player.seat);
    }
    for player in &mut view.players {
        player.on_board = view.pits.iter().filter(|pit| pit.owner == Some(player.seat)).count() as u8;
        let pile = player.scoring_pile;
        player.points = 2 * player.on_board + pile.white + pile.blue + pile.green + pile.yellow + pile.red;
    }
}

#[test]
fn events_alone_give_each_viewer_its_view() {
    for number in 0..60 {
        let count = 2 + (number % 4) as u8;
        let (mut dice, mut choice) = (dice(number), dice(1000 + number));
        let viewers: Vec<Viewer> = seats(count).seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect();
        let mut followed: Vec<SacrificeRouletteView> =
            viewers.iter().map(|viewer| before_for(count, *viewer)).collect();
        let (mut state, mut events) = SacrificeRoulette::setup(&Options {}, seats(count), &mut dice);
        settle::<SacrificeRoulette>(&mut state, &mut dice, &mut events);
        loop {
            for (viewer, view) in viewers.iter().zip(&mut followed) {
                let shown = events.iter().filter_map(|event| SacrificeRoulette::redact(event, *viewer));
                shown.for_each(|event| follow(view, &event));
                assert_eq!(*view, SacrificeRoulette::view(&state, *viewer), "{viewer:?}");
            }
            let Some(actor) = state.actor() else { break };
            let moves = SacrificeRoulette::legal_moves(&state, actor).moves;
            let mv = moves[choice.index(moves.len()).unwrap()];
            events = play::<SacrificeRoulette>(&mut state, actor, mv, &mut dice).unwrap().events;
        }
    }
}

/// Cards drawn into a hand are told to nobody else, and neither view nor event lays open the deck before the end.
#[test]
fn nobody_is_told_of_other_hands() {
    for number in 0..12 {
        let count = 2 + (number % 4) as u8;
        let (mut dice, mut choice) = (dice(3000 + number), dice(4000 + number));
        let (mut state, mut events) = SacrificeRoulette::setup(&Options {}, seats(count), &mut dice);
        settle::<SacrificeRoulette>(&mut state, &mut dice, &mut events);
        while let Some(actor) = state.actor() {
            for viewer in seats(count).seats().map(Viewer::Seat).chain([Viewer::Spectator]) {
                let view = SacrificeRoulette::view(&state, viewer);
                let shown = |seat: Seat| view.players[seat.index()].hand.is_some();
                assert!(view.deck.is_none() && seats(count).seats().all(|seat| shown(seat) == viewer.may_see(seat)));
                for event in events.iter().filter_map(|event| SacrificeRoulette::redact(event, viewer)) {
                    match event {
                        Event::HandsDealt(dealt) => {
                            assert!(dealt.hands.iter().all(|hand| hand.cards.is_some() == viewer.may_see(hand.seat)));
                        }
                        Event::CardsDrawn(drawn) => assert_eq!(drawn.cards.is_some(), viewer.may_see(drawn.seat)),
                        Event::CardsRevealed(_) => panic!("revealed before the end"),
                        _ => {}
                    }
                }
            }
            let moves = SacrificeRoulette::legal_moves(&state, actor).moves;
            let mv = moves[choice.index(moves.len()).unwrap()];
            events = play::<SacrificeRoulette>(&mut state, actor, mv, &mut dice).unwrap().events;
        }
    }
}

/// A `reverse` too, which random play hardly ever meets.
#[test]
fn events_alone_tell_what_a_reverse_gives_away() {
    let mut state = Table::new(3, 3, "TW TB TG TY TR").state();
    let mut view = state.view(Viewer::Spectator);
    for event in make(&mut state, &["reverse TY"]) {
        follow(&mut view, &SacrificeRoulette::redact(&event, Viewer::Spectator).unwrap());
    }
    assert_eq!(view, state.view(Viewer::Spectator));
    assert_eq!(view.players[0].known, cards("TW TB TG TR"));
}
