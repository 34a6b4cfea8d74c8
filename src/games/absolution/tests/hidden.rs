//! Secrets: the order of the pile, and from all but the owner a hand, less the cards that it took from the Field.

use super::*;

/// The pile is shuffled, half of the time together with the hidden cards of the hands.
pub(crate) fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
    let mut twin = state.clone();
    let mut cards = state.pile.set();
    let mut hands: Vec<&mut state::Player> = Vec::new();
    if dice.below(2) == 0 {
        let seats = state.seats().seats();
        hands.extend(seats.zip(&mut twin.players).filter(|(seat, _)| !viewer.may_see(*seat)).map(|(_, player)| player));
    }
    for player in &hands {
        cards = cards.union(player.hand.minus(player.taken));
    }
    let mut pile = Pile::shuffled(cards, dice);
    for player in hands {
        let hidden = player.hand.len() - player.taken.len();
        player.hand = std::iter::from_fn(|| pile.draw()).take(hidden).fold(player.taken, CardSet::with);
    }
    twin.pile = pile;
    twin
}

/// An own draw; the end.
pub(crate) fn lays_open(event: &Event, viewer: Viewer) -> bool {
    match event {
        Event::Drawn(drawn) => viewer.may_see(drawn.seat),
        event => matches!(event, Event::Ended(_)),
    }
}

#[test]
fn what_another_seat_holds_shows_in_no_event_and_no_view() {
    let mut dice = dice(9);
    let (mut state, events) = start(Options::default(), 3, &mut dice);
    let shown = |event: &Event, viewer| match Absolution.redact(event, viewer) {
        Some(Event::HandDealt(OpeningHandDealt { cards, .. }) | Event::Drawn(ReplacementsDrawn { cards, .. })) => {
            Some(cards.is_some())
        }
        _ => None,
    };
    let dealt: Vec<bool> = events.iter().filter_map(|event| shown(event, Viewer::Seat(seat(1)))).collect();
    assert_eq!(dealt, [false, true, false]);
    assert!(events.iter().filter_map(|event| shown(event, Viewer::Spectator)).all(|shown| !shown));
    while let Status::ToAct(acting) = Absolution.status(&state) {
        let view = Absolution.view(&state, Viewer::Seat(seat(1)));
        let hands: Vec<bool> = view.seats.iter().map(|seat| seat.hand.is_some()).collect();
        assert_eq!((hands, view.pile), (vec![false, true, false], None));
        let actor = acting.first().unwrap();
        let mv = Absolution.legal_moves(&state, actor).moves.swap_remove(0);
        for event in play(&Absolution, &mut state, actor, mv, &mut dice).unwrap().events {
            assert_ne!(shown(&event, Viewer::Seat(seat(1))), Some(actor != seat(1)));
        }
    }
}

#[test]
fn what_is_imagined_is_a_fair_deal() {
    // Seat 1 took D9. Its other card is any that seat 0 cannot see, each as likely as the others.
    let mut state = position(Phase::Day, 9, &["D11", "D7 D8"], "D9 D3");
    make(&mut state, &["pass", "exchange D7 D9", "pass"]);
    let view = Absolution.view(&state, Viewer::Seat(seat(0)));
    let mut times = std::collections::HashMap::new();
    let mut dice = dice(3);
    for _ in 0..12_000 {
        let imagined = Absolution.imagine(&view, Viewer::Seat(seat(0)), &mut dice);
        conserved(&imagined);
        let other = hand(&imagined, 1).minus(cards("D9"));
        *times.entry(other).or_insert(0) += 1;
    }
    // 65 less D11, D9, D7 and D3: 61 cards, 197 times each, standard deviation 14.
    assert_eq!(times.len(), 61);
    assert!(times.values().all(|times| (127..=267).contains(times)), "{times:?}");
}
