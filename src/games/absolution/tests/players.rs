//! Simple players, whose success is known from independent estimates: a rules error would show in it.
//!
//! `SARSEN_PLAYER_GAMES=5000 cargo test --lib absolution::tests::players -- --nocapture` prints the shares won in that
//! many games for each number of seats.

use test_kit::environment::PLAYER_GAMES;

use super::*;

/// The move of a player that looks at its own hand and at public facts.
type Player<'a> = &'a dyn Fn(&State, Seat, &mut Dice) -> Move;

/// A match, with the exchange that it needs.
#[derive(Clone, Copy)]
struct Plan {
    exchange: Option<Exchange>,
    cards: CardSet,
}

impl Plan {
    fn trilithons(&self) -> usize {
        self.cards.iter().filter(|card| card.is_trilithon()).count()
    }

    fn gives_trilithon(&self) -> bool {
        self.exchange.is_some_and(|exchange| exchange.give.is_trilithon())
    }

    fn first_move(self) -> Move {
        match self {
            Plan { exchange: Some(exchange), .. } => Move::Exchange(exchange),
            Plan { cards, .. } => Move::Play(Play { cards }),
        }
    }
}

/// Every match of the hand alone.
fn from_hand(state: &State, seat: Seat) -> Vec<Plan> {
    let matches = matching::matches(hand(state, seat.index()), state.number());
    matches.into_iter().map(|cards| Plan { exchange: None, cards }).collect()
}

/// Every match with a card of the Field.
fn with_field(state: &State, seat: Seat) -> Vec<Plan> {
    let mut plans = Vec::new();
    if state.exchanged {
        return plans;
    }
    let own = hand(state, seat.index());
    for give in own.iter() {
        for take in state.field.iter() {
            let mut after = own.with(take);
            after.remove(give);
            let matches = matching::matches(after, state.number()).into_iter().filter(|cards| cards.contains(take));
            plans.extend(matches.map(|cards| Plan { exchange: Some(Exchange { give, take }), cards }));
        }
    }
    plans
}

/// Fewest cards, trilithon cards last, the Field last, trilithon cards kept; equals by lot.
fn best(mut plans: Vec<Plan>, dice: &mut Dice) -> Move {
    dice.shuffle(&mut plans);
    let price = |plan: &Plan| (plan.cards.len(), plan.trilithons(), plan.exchange.is_some(), plan.gives_trilithon());
    plans.into_iter().min_by_key(price).map_or(Move::Pass(Pass {}), Plan::first_move)
}

/// Any legal move, each as likely as the others.
pub(super) fn random(state: &State, seat: Seat, dice: &mut Dice) -> Move {
    let mut moves = Absolution.legal_moves(state, seat).moves;
    moves.swap_remove(dice.index(moves.len()).unwrap())
}

/// Matches whenever it can, with the Field only where the hand alone does not match. Votes at random.
pub(super) fn matcher(state: &State, seat: Seat, dice: &mut Dice) -> Move {
    if state.step == Step::Voting {
        return random(state, seat, dice);
    }
    let own = from_hand(state, seat);
    best(if own.is_empty() { with_field(state, seat) } else { own }, dice)
}

/// Plays only single number cards of its hand by Day while the Druid has not reached `stone`. Else matches whenever it
/// can, and rather with one card and the Field than with two of its hand.
fn saver(state: &State, seat: Seat, stone: Druid, dice: &mut Dice) -> Move {
    let mut plans = from_hand(state, seat);
    if state.turn.phase() == Phase::Day && state.druid < stone {
        plans.retain(|plan| plan.cards.len() == 1 && plan.trilithons() == 0);
    } else {
        plans.extend(with_field(state, seat));
    }
    best(plans, dice)
}

/// The first moves of all ways to match the number.
pub(super) fn ways_to_match(state: &State, seat: Seat) -> Vec<Move> {
    let plans = from_hand(state, seat).into_iter().chain(with_field(state, seat));
    plans.map(Plan::first_move).collect()
}

/// The share of games won, in tenths of a percent.
fn won(player: Player, seats: u8) -> u32 {
    let games: u32 = PLAYER_GAMES.value().unwrap_or(500);
    let mut endings = [0; 3];
    for game in 0..games {
        let mut bytes = [seats; 32];
        bytes[..4].copy_from_slice(&game.to_le_bytes());
        let mut dice = Dice::new(DiceSeed(bytes));
        let (mut state, _) = start(all_options()[1], seats, &mut dice);
        while let Status::ToAct(acting) = Absolution.status(&state) {
            let actor = acting.first().unwrap();
            let mv = player(&state, actor, &mut dice);
            play(&Absolution, &mut state, actor, mv, &mut dice).unwrap();
        }
        endings[state.ending().unwrap() as usize] += 1;
    }
    println!("{seats} seats, {games} games: saved, sacrificed, too few pairs {endings:?}");
    endings[Ending::Saved as usize] * 1000 / games
}

/// Returns whether a share lies within four standard errors of 500 games around an estimate, both in tenths of a percent.
fn fits(share: u32, estimate: u32) -> bool {
    let probability = f64::from(estimate) / 1000.0;
    let error = 4.0 * (probability * (1.0 - probability) / 500.0).sqrt();
    (f64::from(share) / 1000.0 - probability).abs() <= error
}

/// Choices that the estimates leave open, such as the card given to the Field, move these figures by some percent.
#[test]
fn players_who_match_when_they_can_win_as_estimated() {
    for (seats, estimate) in [(2, 26), (3, 200), (4, 360), (5, 470)] {
        let share = won(&matcher, seats);
        assert!(fits(share, estimate), "{seats} seats win {share} of 1000, estimated {estimate}");
    }
}

/// The estimates are of a policy of this kind; how far the Druid is let go by Day is chosen to be near it. The smaller
/// the hands, the less there is to save.
#[test]
fn players_who_save_cards_by_day_win_as_estimated() {
    for (seats, stone, estimate) in [(2, "B7", 780), (3, "B5", 620), (4, "B3", 540), (5, "B3", 520)] {
        let stone = stone.parse().unwrap();
        let share = won(&|state: &State, seat, dice: &mut Dice| saver(state, seat, stone, dice), seats);
        assert!(fits(share, estimate), "{seats} seats win {share} of 1000, estimated {estimate}");
    }
}

#[test]
fn random_play_saves_nobody() {
    for seats in 2..=5 {
        assert_eq!(won(&random, seats), 0);
    }
}
