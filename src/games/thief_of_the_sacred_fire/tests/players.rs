//! Three simple players: their results tell whether the rules are as they should be.
//!
//! Expected from an independent implementation, 500 games each: a random player practically never wins, one that only
//! hurries wins 58 %, a cautious one 86 %, in about 10 and 15 turns. The bounds are four standard errors of a share in
//! 1,000 games. `SARSEN_CONFORMANCE_MATCHES` replaces the number of games.

use std::sync::LazyLock;

use test_kit::environment::CONFORMANCE_MATCHES;

use super::detection::sighting;
use super::patrol::{walk_bluestones, walk_stones};
use super::*;

/// Chooses a move by what is public: everything but the order of the deck.
pub(super) type Player = fn(&State, &mut Dice) -> Move;

pub(super) fn random(state: &State, dice: &mut Dice) -> Move {
    let moves = ThiefOfTheSacredFire.legal_moves(state, seat()).moves;
    moves[dice.index(moves.len()).unwrap()]
}

/// To the fire and home by the points still needed. Only being caught in this turn is avoided.
pub(super) fn hurried(state: &State, dice: &mut Dice) -> Move {
    best(state, dice, |after| 100 * needed(after))
}

/// Like the hurried one, but a disk lost now, or in the next first detection on average, counts too, and more the
/// fewer are left.
pub(super) fn cautious(state: &State, dice: &mut Dice) -> Move {
    let walks = walks(state);
    best(state, dice, |after| {
        let lost: u32 = (0..5).map(|index| price(state.alertness[index], after.alertness[index])).sum();
        100 * needed(after) + lost + danger(after, &walks)
    })
}

/// The move after which `worth` is least, any of several; being caught is worst, being home best.
fn best(state: &State, dice: &mut Dice, worth: impl Fn(&State) -> u32) -> Move {
    let mut moves = ThiefOfTheSacredFire.legal_moves(state, seat()).moves;
    dice.shuffle(&mut moves);
    moves
        .into_iter()
        .min_by_key(|mv| {
            let mut after = state.clone();
            rehearse(&ThiefOfTheSacredFire, &mut after, seat(), *mv).unwrap();
            match after.ending() {
                Some(Ending::FireHome) => 0,
                Some(Ending::Caught | Ending::Dawn) => u32::MAX,
                None => 1 + worth(&after),
            }
        })
        .unwrap()
}

/// Returns what the cheapest way costs on an empty board.
fn cost(from: Space, to: Space) -> u32 {
    static COSTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let from = |from| Space::all().map(|to| Reach::new(from, 99, &[]).cost(to).unwrap()).collect();
        Space::all().map(|space| if matters(space) { from(space) } else { Vec::new() }).collect()
    });
    u32::from(COSTS[to.index()][from.index()])
}

/// Returns whether a way of the thief may end there.
fn matters(space: Space) -> bool {
    matches!(space.spot(), Spot::Trilithon(_)) || [Space::START_1, Space::START_30].contains(&space)
}

/// Points still needed to bring the fire home, as if no druid stood in the way.
fn needed(state: &State) -> u32 {
    let (Some(thief), Some(fire)) = (state.thief, state.fire) else { return 0 };
    if thief.has_fire {
        return cost(thief.at, thief.start);
    }
    cost(thief.at, fire.trilithon) + u32::from(4 - thief.progress) + cost(fire.trilithon, thief.start)
}

/// Returns what it is worth not to lose these disks.
fn price(before: u8, after: u8) -> u32 {
    if after == 0 { 5_000 } else { u32::from(before - after) * 700 / u32::from(after + 2) }
}

/// Returns where each druid, taken alone, may be after the next turn's cards, each card as likely as the others.
fn walks(state: &State) -> Vec<(Druid, Space)> {
    let mut walks = Vec::new();
    for (druid, at) in Druid::ALL.into_iter().zip(state.druids) {
        // Two cards of each colour and symbol are as good as all sixty.
        for card in Card::numbers().take(12) {
            let walk = match at.spot() {
                Spot::Stone(stone) => walk_stones(stone, card, &state.druids),
                Spot::Bluestone(number) => walk_bluestones(number, state.outbound, card).0,
                Spot::Ring(_) | Spot::Trilithon(_) => panic!("{at}"),
            };
            walks.push((druid, walk.steps.last().copied().unwrap_or(at)));
        }
    }
    walks
}

/// The average price of the next first detection.
fn danger(after: &State, walks: &[(Druid, Space)]) -> u32 {
    let (Some(thief), Some(fire)) = (after.thief, after.fire) else { return 0 };
    let mut sum = 0;
    for (druid, at) in walks {
        if let Some(seen) = sighting(*druid, *at, fire.high_druid == *druid, thief.at) {
            let pile = after.alertness[druid.index()];
            sum += price(pile, if seen.range == 0 { 0 } else { pile.saturating_sub(seen.disks) });
        }
    }
    sum / 12
}

/// Returns how many of the games are won, and how many turns a game takes on average.
fn results(player: Player, games: u32) -> (f64, f64) {
    let (mut won, mut turns) = (0u32, 0u32);
    for seed in 0..games {
        let (mut state, _, mut chance) = created(seed);
        let mut choice = dice(seed + 1_000_000);
        while let Status::ToAct(_) = state.status() {
            let mv = player(&state, &mut choice);
            play(&ThiefOfTheSacredFire, &mut state, seat(), mv, &mut chance).unwrap();
        }
        turns += u32::from(state.turn);
        won += u32::from(state.ending() == Some(Ending::FireHome));
    }
    (f64::from(won) / f64::from(games), f64::from(turns) / f64::from(games))
}

fn games() -> u32 {
    CONFORMANCE_MATCHES.value().unwrap_or(1000)
}

#[test]
fn a_random_player_practically_never_wins() {
    let (won, turns) = results(random, games());
    assert!(won < 0.01, "{won} in {turns} turns");
}

/// With these dice 61.1 % in 10.3 turns; in 10,000 games 59.9 % in 10.2.
#[test]
fn a_hurried_player_wins_58_percent_in_about_10_turns() {
    let (won, turns) = results(hurried, games());
    assert!((won - 0.58).abs() < 0.0625 && (turns - 10.0).abs() < 2.0, "{won} in {turns} turns");
}

/// With these dice 87.1 % in 13.9 turns; in 10,000 games 85.5 % in 14.0.
#[test]
fn a_cautious_player_wins_86_percent_in_about_15_turns() {
    let (won, turns) = results(cautious, games());
    assert!((won - 0.86).abs() < 0.044 && (turns - 15.0).abs() < 3.0, "{won} in {turns} turns");
}
