//! Legal lists against every order of the cards, and the bounds of lists.

use super::*;
use crate::sacrifice_roulette::legal::LONGEST;
use sarsen_rules::LegalMoves;

/// The next number of `colour`, found by walking.
fn next(from: Number, colour: Colour, direction: Direction) -> Number {
    let mut at = from;
    loop {
        at = match direction {
            Direction::Clockwise => Number::in_column(at.column() + 1),
            Direction::CounterClockwise => Number::in_column(at.column() + 29),
        };
        if at.colour() == colour {
            return at;
        }
    }
}

/// Returns what some order of the cards, laid one after another, brings about.
fn tried(cards: &[Card], boulder: Number, direction: Direction) -> [bool; 3] {
    let mut found = [false; 3];
    for index in 0..cards.len() {
        let mut rest = cards.to_vec();
        rest.remove(index);
        // Laid as the last of several, it may make the boulder fall.
        found[2] |= !rest.is_empty() && rolls_in_order(&rest, boulder, direction);
    }
    try_orders(cards, boulder, direction, &mut found);
    found
}

/// Lays each card first in turn, then the others.
fn try_orders(cards: &[Card], boulder: Number, direction: Direction, found: &mut [bool; 3]) {
    for (index, card) in cards.iter().enumerate() {
        let to = next(boulder, card.colour(), direction);
        let matches = card.number() == Some(to);
        let mut rest = cards.to_vec();
        rest.remove(index);
        match (matches, rest.is_empty()) {
            (true, true) => found[1] = true,
            (true, false) => {}
            (false, true) => found[0] = true,
            (false, false) => try_orders(&rest, to, direction, found),
        }
    }
}

/// Returns whether some order rolls them all without a match.
fn rolls_in_order(cards: &[Card], boulder: Number, direction: Direction) -> bool {
    let mut found = [false; 3];
    try_orders(cards, boulder, direction, &mut found);
    found[0]
}

/// The same for many cards of one colour: the sets that can be laid without a match, each from those one card smaller.
fn tried_by_sets(cards: &[Card], boulder: Number, direction: Direction) -> Vec<[bool; 3]> {
    let mut spaces = Vec::new();
    let mut at = boulder;
    for _ in cards {
        at = next(at, cards[0].colour(), direction);
        spaces.push(at);
    }
    let mut found = vec![[false; 3]; 1 << cards.len()];
    let mut laid = vec![false; 1 << cards.len()];
    laid[0] = true;
    for set in 1usize..1 << cards.len() {
        let reached = spaces[set.count_ones() as usize - 1];
        for (index, card) in cards.iter().enumerate().filter(|(index, _)| set >> index & 1 == 1) {
            if !laid[set ^ 1 << index] {
                continue;
            }
            let matches = card.number() == Some(reached);
            found[set][0] |= !matches;
            found[set][1] |= matches;
            found[set][2] |= set.count_ones() > 1;
        }
        laid[set] = found[set][0];
    }
    found
}

/// More cards are not tried in every order but set by set.
const MOST_TRIED: usize = 6;

/// Every roll of this hand, by trying.
fn brute(hand: CardSet, boulder: Number, direction: Direction) -> Vec<(CardSet, CardSet, Ending)> {
    let trilithons: Vec<Card> = hand.iter().filter(|card| card.is_trilithon()).collect();
    let mut extras = vec![CardSet::EMPTY];
    for (index, first) in trilithons.iter().enumerate() {
        extras.push(CardSet::EMPTY.with(*first));
        extras.extend(trilithons[index + 1..].iter().map(|second| CardSet::EMPTY.with(*first).with(*second)));
    }
    let mut rolls = Vec::new();
    for colour in Colour::ALL {
        let held: Vec<Card> = hand.iter().filter(|card| !card.is_trilithon() && card.colour() == colour).collect();
        for turned in [false, true] {
            let direction = if turned { direction.turned() } else { direction };
            let by_sets = if held.is_empty() { Vec::new() } else { tried_by_sets(&held, boulder, direction) };
            for (set, found) in by_sets.into_iter().enumerate().skip(1) {
                let chosen: Vec<Card> = (0..held.len()).filter(|i| set >> i & 1 == 1).map(|i| held[i]).collect();
                if chosen.len() <= MOST_TRIED {
                    assert_eq!(found, tried(&chosen, boulder, direction));
                }
                for (ending, _) in Ending::ALL.into_iter().zip(found).filter(|(_, found)| *found) {
                    let extras = extras.iter().filter(|extra| (extra.len() == 1) == turned);
                    rolls.extend(extras.map(|extra| (*extra, chosen.iter().copied().collect(), ending)));
                }
            }
        }
    }
    rolls
}

fn holding(hand: CardSet, boulder: Number, marker: Option<Card>) -> State {
    let mut state = Table::new(2, 1, "D1 D2 D3 D4 D5").state();
    let rest = CardSet::ALL.minus(hand).minus(marker.into_iter().collect());
    let other: CardSet = rest.iter().take(5).collect();
    state.players[0].hand = hand;
    state.players[1].hand = other;
    state.deck = Pile::in_order(rest.minus(other).iter().collect()).unwrap();
    state.discards = Pile::default();
    (state.marker, state.boulder) = (marker, Some(boulder));
    conserved(&state);
    state
}

/// The order that the events report brings the ending about.
fn order_is_right(state: &State, roll: &Roll) {
    let mut after = state.clone();
    let events = sarsen_rules::rehearse(&SacrificeRoulette, &mut after, seat(0), Move::Roll(*roll)).unwrap().events;
    let (mut at, mut matched, mut laid) = (state.boulder.unwrap(), false, CardSet::EMPTY);
    for event in &events {
        match event {
            Event::BoulderRolled(rolled) => {
                assert!(!matched && laid.insert(rolled.card) && rolled.from == at);
                at = next(at, rolled.card.colour(), after.direction());
                assert_eq!(rolled.to, at);
                matched = rolled.card.number() == Some(at);
            }
            Event::BoulderFell(fell) => {
                assert_eq!((fell.boulder, fell.card.is_none()), (at, matched));
                fell.card.into_iter().for_each(|card| assert!(laid.insert(card)));
            }
            _ => {}
        }
    }
    assert_eq!((laid, matched), (roll.cards, roll.ending == Ending::Match));
    assert_eq!(after.falls > state.falls, roll.ending != Ending::Stop);
}

fn as_tuples(legal: &LegalMoves<Move>) -> Vec<(CardSet, CardSet, Ending)> {
    let tuple = |mv: &Move| match mv {
        Move::Roll(roll) => (roll.trilithons, roll.cards, roll.ending),
        _ => panic!("{mv:?} is no roll"),
    };
    legal.moves.iter().map(tuple).collect()
}

fn sorted(mut rolls: Vec<(CardSet, CardSet, Ending)>) -> Vec<(Vec<Card>, Vec<Card>, Ending)> {
    let key = |roll: &(CardSet, CardSet, Ending)| (roll.0.iter().collect(), roll.1.iter().collect(), roll.2);
    rolls.sort_by_key(key);
    rolls.iter().map(key).collect()
}

#[test]
fn lists_are_what_some_order_of_the_cards_brings_about() {
    let mut dice = dice(0);
    let mut cut = 0;
    for round in 0..400u32 {
        // Half of the hands are of few colours, so that sets are large.
        let colours: Vec<Colour> = match round % 4 {
            0 => vec![Colour::ALL[dice.below(6) as usize]],
            1 => vec![Colour::ALL[dice.below(6) as usize], Colour::ALL[dice.below(6) as usize]],
            _ => Colour::ALL.to_vec(),
        };
        let pool: Vec<Card> =
            Card::all().filter(|card| card.is_trilithon() || colours.contains(&card.colour())).collect();
        let mut pool = pool;
        dice.shuffle(&mut pool);
        let size = 1 + dice.below(15) as usize;
        let hand: CardSet = pool.into_iter().take(size).collect();
        if hand.iter().all(Card::is_trilithon) {
            continue;
        }
        let boulder = Number::in_column((round % 30) as u8);
        let marker = Card::trilithons().find(|card| !hand.contains(*card)).filter(|_| dice.below(2) == 0);
        let state = holding(hand, boulder, marker);
        let all = brute(hand, boulder, state.direction());
        let legal = SacrificeRoulette.legal_moves(&state, seat(0));
        let expected = if legal.complete {
            assert!(all.len() <= LONGEST || !hand.iter().any(Card::is_trilithon));
            all.clone()
        } else {
            cut += 1;
            assert!(all.len() > LONGEST && hand.iter().any(Card::is_trilithon));
            all.iter().copied().filter(|roll| roll.0.is_empty()).collect()
        };
        assert_eq!(sorted(as_tuples(&legal)), sorted(expected), "{hand:?} {boulder} {marker:?}");

        // What is not listed, and not left out, is refused.
        for _ in 0..200 {
            let chosen = all[dice.index(all.len()).unwrap()];
            let other = all[dice.index(all.len()).unwrap()];
            let ending = Ending::ALL[dice.below(3) as usize];
            let roll = Roll { trilithons: other.0, cards: chosen.1, ending };
            let legal = SacrificeRoulette.check(&state, seat(0), &Move::Roll(roll)).is_ok();
            assert_eq!(legal, all.contains(&(roll.trilithons, roll.cards, roll.ending)), "{roll:?}");
            if legal {
                order_is_right(&state, &roll);
            }
        }
    }
    assert!(cut > 0);
}

/// Ten cards of one colour and all trilithon cards, at every number and in both directions.
#[test]
fn the_longest_list_is_cut_but_all_44656_moves_are_accepted() {
    for (index, colour) in Colour::ALL.into_iter().enumerate() {
        let same: CardSet = Card::numbers().filter(|card| card.colour() == colour).collect();
        let hand = same.union(Card::trilithons().collect());
        for boulder in Number::all().skip(index).step_by(6) {
            let state = holding(hand, boulder, None);
            let legal = SacrificeRoulette.legal_moves(&state, seat(0));
            assert_eq!((legal.moves.len(), legal.complete), (2791, false));
            assert!(as_tuples(&legal).iter().all(|roll| roll.0.is_empty()));
            let state = holding(same, boulder, Some(card("TY")));
            let legal = SacrificeRoulette.legal_moves(&state, seat(0));
            assert_eq!((legal.moves.len(), legal.complete), (2791, true));
        }
        let state = holding(hand, number(3), None);
        let all = brute(hand, number(3), Direction::Clockwise);
        assert_eq!(all.len(), 44_656);
        for (trilithons, cards, ending) in all {
            let mv = Move::Roll(Roll { trilithons, cards, ending });
            assert_eq!(SacrificeRoulette.check(&state, seat(0), &mv), Ok(()));
        }
    }
}

/// The order depends on nothing but the boulder, the direction and the cards laid.
#[test]
fn the_order_reported_follows_from_public_facts_of_the_move() {
    let mv = "roll N5 D11 D17 fall";
    let order = |hand: &'static str, deck| {
        let mut state = Table { deck, ..Table::new(3, 3, hand) }.state();
        rolled(&make(&mut state, &[mv]))
    };
    let here = order("N5 D11 D17 D1 D2", "N30 N28 D28");
    assert_eq!(here, order("N5 D11 D17 TW N23 D23 N29", "D30"));
    assert_eq!(here, [("D11".to_owned(), 5), ("D17".to_owned(), 11)]);
}
