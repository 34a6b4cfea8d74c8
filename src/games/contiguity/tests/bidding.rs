//! The variant with bids.

use super::*;

fn bidding() -> State {
    set_up(Options { bidding: true, ..Options::default() })
}

/// Play in which neither side comes near a win: white walks along row a, red along row d.
fn walk(state: &mut State, turns: usize) {
    for turn in 0..turns {
        let played = state.trail.len();
        let (row, start) = if played.is_multiple_of(2) { ('a', 10) } else { ('d', 11) };
        let step = start + played / 2;
        let from = if played < 2 { format!("30{row}") } else { format!("{}{row}", step - 1) };
        make(state, &[&format!("{from}-{step}{row}")]);
        assert!(turn + 1 == turns || state.actor().is_some());
    }
}

#[test]
fn co_18_the_lowest_bidder_chooses() {
    let mut state = bidding();
    assert_eq!((state.white(), state.actor()), (None, Some(seat(0))));
    make(&mut state, &["bid 9", "bid 7", "pass"]);
    assert_eq!(state.actor(), Some(seat(1)));
    assert_eq!(Contiguity.legal_moves(&state, seat(1)).moves.len(), 2);
    make(&mut state, &["choose second"]);
    assert_eq!((state.white(), state.actor()), (Some(seat(0)), Some(seat(0))));
    assert_eq!(state.turns(), 0, "bids are no turns");
}

#[test]
fn co_18_a_bid_of_one_ends_the_bidding() {
    let mut state = bidding();
    make(&mut state, &["bid 5", "bid 1"]);
    assert_eq!((state.stage, state.actor()), (Stage::Choosing, Some(seat(1))));
    let mut at_once = bidding();
    make(&mut at_once, &["bid 1", "choose first"]);
    assert_eq!(at_once.white(), Some(seat(0)));
}

#[test]
fn co_18_the_opening_bid() {
    let state = bidding();
    assert_eq!(refusal(&state, "pass"), ("opening_pass", "CO-18", "type"));
    assert_eq!(refusal(&state, "29b-5b"), ("bidding_open", "CO-18", "type"));
    assert_eq!(refusal(&state, "choose first"), ("bidding_open", "CO-18", "type"));
    assert_eq!(out_of_turn(&state, 1), "CO-18");
    assert_eq!(Contiguity.legal_moves(&state, seat(0)).moves.len(), 99);
    for (turn_limit, highest) in [(20, 10), (21, 10), (197, 98), (198, 99), (2000, 99)] {
        let state = set_up(Options { bidding: true, turn_limit, ..Options::default() });
        assert_eq!(state.highest_bid().map(BidTurns::get), Some(highest), "{turn_limit}");
        if highest < 99 {
            assert_eq!(refusal(&state, &format!("bid {}", highest + 1)), ("bid_too_high", "CO-18", "turns"));
        }
    }
}

#[test]
fn co_18_a_random_seat_opens_and_no_seat_is_drawn_to_be_white() {
    let options = Options { bidding: true, ..Options::default() };
    let opener = |seed| {
        let (state, events) = Contiguity.setup(&options, TWO, &mut dice(seed));
        assert!(matches!(events[..], [Event::DisksSetUp(_), Event::OpeningBidderDrawn(_)]));
        assert_eq!(state.white(), None);
        state.opener.unwrap().number()
    };
    let first = (0..200).map(opener).filter(|seat| *seat == 0).count();
    assert!((60..=140).contains(&first), "seat 0 opens {first} of 200");
}

#[test]
fn co_18_without_the_option_there_is_no_bidding() {
    let state = set_up(Options::default());
    assert_eq!(refusal(&state, "bid 5"), ("no_bidding", "CO-18", "type"));
    assert_eq!(refusal(&state, "choose first"), ("no_bidding", "CO-18", "type"));
    let mut choosing = bidding();
    make(&mut choosing, &["bid 9", "pass"]);
    assert_eq!(refusal(&choosing, "bid 5"), ("order_open", "CO-18", "type"));
    assert_eq!(refusal(&choosing, "29b-5b"), ("order_open", "CO-18", "type"));
}

#[test]
fn co_19_a_bid_counts_the_bidders_own_turns() {
    let mut second = bidding();
    make(&mut second, &["bid 5", "pass", "choose second"]);
    walk(&mut second, 9);
    assert_eq!(second.actor(), Some(seat(0)), "four own turns are complete");
    walk(&mut second, 1);
    assert_eq!(result(&second), ("bid_missed".to_owned(), vec![1]));

    let mut first = bidding();
    make(&mut first, &["bid 6", "bid 5", "pass", "choose first"]);
    assert_eq!(first.contract(), Some(Contract { seat: seat(1), turns: BidTurns::new(5).unwrap() }));
    walk(&mut first, 8);
    assert_eq!(first.view().bid_turns_left, Some(1));
    walk(&mut first, 1);
    assert_eq!(result(&first), ("bid_missed".to_owned(), vec![0]));
}

#[test]
fn co_19_connecting_with_the_last_turn_of_the_bid_wins() {
    let mut state = bidding();
    make(&mut state, &["bid 1", "choose first"]);
    state.position = position("29c 30c 1c 2c 1b 20d", "5a 9b 14c 18a 22b 26c");
    make(&mut state, &["20d-30d"]);
    assert_eq!(result(&state), ("connected".to_owned(), vec![0]));
}

#[test]
fn co_20_the_opponent_wins_by_connecting() {
    let mut state = bidding();
    make(&mut state, &["bid 5", "pass", "choose first"]);
    state.position = position("5a 9b 14c 18a 22b 26c", "29c 30c 1c 2c 1b 20d");
    make(&mut state, &["5a-6a", "20d-21d", "6a-7a", "21d-22d", "7a-8a", "22d-30d"]);
    assert_eq!(result(&state), ("connected".to_owned(), vec![1]));
}

#[test]
fn co_21_bids_fall() {
    let mut state = bidding();
    make(&mut state, &["bid 7"]);
    assert_eq!(refusal(&state, "bid 7"), ("bid_not_lower", "CO-21", "turns"));
    assert_eq!(refusal(&state, "bid 99"), ("bid_not_lower", "CO-21", "turns"));
    let listed: Vec<String> =
        Contiguity.legal_moves(&state, seat(1)).moves.iter().map(|mv| Contiguity.notation(mv)).collect();
    assert_eq!(listed, ["bid 6", "bid 5", "bid 4", "bid 3", "bid 2", "bid 1", "pass"]);
}

#[test]
fn a_missed_bid_counts_before_the_turn_limit() {
    let mut state = set_up(Options { bidding: true, turn_limit: 20, ..Options::default() });
    make(&mut state, &["bid 10", "pass", "choose second"]);
    walk(&mut state, 20);
    assert_eq!((state.turns(), result(&state)), (20, ("bid_missed".to_owned(), vec![1])));
}
