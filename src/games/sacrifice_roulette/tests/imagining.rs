//! States imagined of a view: only those that fit it, and none more often than anything else.

use super::*;

/// Cards that were not reshuffled and have not been played since are in a hand that drew them before.
#[test]
fn what_is_imagined_fits_what_reshuffles_have_shown() {
    let mut met = 0;
    for number in 0..20 {
        let (mut dice, mut choice) = (dice(number), dice(2000 + number));
        let (mut state, mut events) = SacrificeRoulette.setup(&Options {}, seats(5), &mut dice);
        settle(&SacrificeRoulette, &mut state, &mut dice, &mut events);
        while let Some(actor) = state.actor() {
            let viewer = Viewer::Seat(actor);
            let imagined = SacrificeRoulette.imagine(&state.view(viewer), viewer, &mut choice);
            if let Some(Reshuffle(cards)) = state.reshuffles.last() {
                assert!(imagined.deck.set().is_within(*cards), "a card is in the deck that was in a hand");
                met += 1;
            }
            let moves = SacrificeRoulette.legal_moves(&state, actor).moves;
            let mv = moves[choice.index(moves.len()).unwrap()];
            play(&SacrificeRoulette, &mut state, actor, mv, &mut dice).unwrap();
        }
    }
    assert!(met > 100);
}

/// Returns how often each unknown card is imagined in the hand of seat 1, as seat 0 sees the table.
fn met_in_hand(state: &State, times: u32) -> [u32; 65] {
    let (viewer, mut dice, mut met) = (Viewer::Seat(seat(0)), dice(9), [0; 65]);
    let view = state.view(viewer);
    for _ in 0..times {
        let imagined = SacrificeRoulette.imagine(&view, viewer, &mut dice);
        imagined.players[1].hand.iter().for_each(|card| met[usize::from(card.index())] += 1);
    }
    met
}

#[test]
fn unknown_cards_are_equally_likely_in_a_hand() {
    let state = Table::new(2, 3, "N11 D17 D1 D2 D4").state();
    let met = met_in_hand(&state, 3000);
    for card in Card::all() {
        let times = met[usize::from(card.index())];
        // 3000 * 5 / 60 expected, standard deviation 15.
        let own = state.players[0].hand.contains(card);
        assert!(if own { times == 0 } else { (180..320).contains(&times) }, "{card}: {times}");
    }
}

/// One card of seat 1's hand was drawn after the reshuffle, four before: these are known to be in hands.
#[test]
fn cards_of_earlier_decks_are_imagined_in_hands_only() {
    let mut table = Table::new(3, 3, "N11 D17 D1 D2 D4");
    table.hands.extend(["N7 D7 N8 D8 N9", "N10 D10 N12 D12 N13"]);
    let mut state = table.state();
    let old = cards("N11 D17 D1 D2 D4 D7 N8 D8 N9 N10 D10 N12 D12 N13");
    state.reshuffles = vec![Reshuffle(CardSet::ALL.minus(old))];
    assert_eq!(state.view(Viewer::Spectator).players[1].hand_by_deck, [4, 1]);
    let met = met_in_hand(&state, 3000);
    for card in Card::all() {
        let times = met[usize::from(card.index())];
        let range = match (state.players[0].hand.contains(card), old.contains(card)) {
            (true, _) => 0..1,
            // 3000 * 4 / 9 expected, standard deviation 27.
            (false, true) => 1200..1470,
            // 3000 / 51 expected, standard deviation 8.
            (false, false) => 20..100,
        };
        assert!(range.contains(&times), "{card}: {times}");
    }
}
