//! Simple players, whose success is known from independent estimates: a rules error would show in it.

use super::*;

/// What a player does on its turn.
type Policy = fn(&State, Seat, &mut Dice) -> Move;

/// Fewest cards, without trilithon cards if possible.
fn cheapest(matches: &[CardSet]) -> Option<CardSet> {
    let trilithons = |cards: &CardSet| cards.iter().filter(|card| card.is_trilithon()).count();
    matches.iter().copied().min_by_key(|cards| (cards.len(), trilithons(cards)))
}

fn random(state: &State, seat: Seat, dice: &mut Dice) -> Move {
    let mut moves = Absolution::legal_moves(state, seat).moves;
    moves.swap_remove(dice.index(moves.len()).unwrap())
}

fn match_or_pass(state: &State, seat: Seat, _dice: &mut Dice) -> Move {
    match cheapest(&matching::matches(hand(state, seat.index()), state.number())) {
        Some(cards) => Move::Play(Play { cards }),
        None => Move::Pass(Pass {}),
    }
}

/// Matches when possible, from the hand if it can, else with the Field.
fn match_with_field(state: &State, seat: Seat, dice: &mut Dice) -> Move {
    let own = hand(state, seat.index());
    let matched = match_or_pass(state, seat, dice);
    if state.exchanged || !matches!(matched, Move::Pass(_)) {
        return matched;
    }
    let mut best = None;
    for give in own.iter() {
        for take in state.field.iter() {
            let mut after = own.with(take);
            after.remove(give);
            if let Some(cards) = cheapest(&matching::matches(after, state.number())) {
                let price = (cards.len(), give.is_trilithon());
                if best.is_none_or(|(cheapest, _)| price < cheapest) {
                    best = Some((price, Exchange { give, take }));
                }
            }
        }
    }
    best.map_or(matched, |(_, exchange)| Move::Exchange(exchange))
}

/// How often `policy` wins, and how often the Druid is left on the altar, in `games` games.
fn play_games(policy: Policy, seats: u8, games: u32) -> (u32, u32) {
    let (mut won, mut sacrificed) = (0, 0);
    for game in 0..games {
        let mut bytes = [seats; 32];
        bytes[..4].copy_from_slice(&game.to_le_bytes());
        let mut dice = Dice::new(DiceSeed(bytes));
        let options = Options { first_player: FirstPlayer::Seat, first_seat: Some(seat(0)) };
        let (mut state, _) = start(options, seats, &mut dice);
        while let Status::ToAct(acting) = Absolution::status(&state) {
            let actor = acting.first().unwrap();
            let mv = policy(&state, actor, &mut dice);
            play::<Absolution>(&mut state, actor, mv, &mut dice).unwrap();
        }
        won += u32::from(state.ending() == Some(Ending::Saved));
        sacrificed += u32::from(state.ending() == Some(Ending::Sacrificed));
    }
    (won, sacrificed)
}

#[test]
fn lab() {
    let policies: [(&str, Policy); 3] = [("random", random), ("hand", match_or_pass), ("field", match_with_field)];
    for (name, policy) in policies {
        for seats in 2..=5 {
            println!("{name} {seats}: {:?}", play_games(policy, seats, 4000));
        }
    }
}
