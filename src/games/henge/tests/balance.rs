//! Uniformly random play against the figures of an independent simulation of the same rules and set.

use test_kit::environment::CONFORMANCE_MATCHES;

use super::*;
use sarsen_rules::{Status, play, settle};

/// The results of several games at one table, one entry a game.
#[derive(Default)]
struct Figures {
    rounds: Vec<f64>,
    decisions: Vec<f64>,
    /// The mean score of a game: scores within a game are not independent, these are.
    scores: Vec<f64>,
    winners: Vec<f64>,
    /// The score of every seat.
    seats: Vec<f64>,
    /// The length of each legal list met.
    lists: Vec<usize>,
    by_round_limit: u32,
}

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len() as f64
}

fn spread(list: &[f64]) -> f64 {
    let mean = mean(list);
    let squares: f64 = list.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / (list.len() - 1) as f64).sqrt()
}

/// The least length that is not exceeded by this part of the weight; the lengths are sorted.
fn quantile(lengths: &[(usize, f64)], part: f64) -> usize {
    let goal = part * lengths.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut sum = 0.0;
    let found = lengths.iter().find(|(_, weight)| {
        sum += weight;
        sum >= goal
    });
    found.or(lengths.last()).unwrap().0
}

fn seed(number: u32, kind: u8) -> DiceSeed {
    let mut bytes = [kind; 32];
    bytes[..4].copy_from_slice(&number.to_le_bytes());
    DiceSeed(bytes)
}

fn random_games(table: &str, games: u32) -> Figures {
    let mut figures = Figures::default();
    for number in 0..games {
        let mut dice = Dice::new(seed(number, 1));
        let mut choice = Dice::new(seed(number, 2));
        let (mut state, mut events) = Henge::default().setup(&options(table), people(table), &mut dice);
        settle(&Henge::default(), &mut state, &mut dice, &mut events);
        let mut decisions = 0.0;
        let outcome = loop {
            let seat = match Henge::default().status(&state) {
                Status::ToAct(seats) => seats.first().unwrap(),
                Status::Over(outcome) => break outcome,
                Status::Chance => panic!("a chance step is left over"),
            };
            let moves = Henge::default().legal_moves(&state, seat).moves;
            figures.lists.push(moves.len());
            let mv = moves[choice.index(moves.len()).unwrap()];
            play(&Henge::default(), &mut state, seat, mv, &mut dice).unwrap();
            decisions += 1.0;
        };
        figures.decisions.push(decisions);
        figures.rounds.push(f64::from(state.round));
        figures.by_round_limit += u32::from(outcome.ending == "round_limit");
        let scores: Vec<f64> = outcome.standings.iter().map(|standing| f64::from(standing.score.unwrap())).collect();
        figures.winners.push(scores.iter().copied().fold(0.0, f64::max));
        figures.scores.push(mean(&scores));
        figures.seats.extend(scores);
    }
    figures
}

/// A line of the simulation's figures: table, games, rounds, decisions, mean score, winner's mean, spread of scores.
struct Simulated(&'static str, f64, [f64; 4], f64);

const SIMULATED: [Simulated; 6] = [
    Simulated("hbb", 600.0, [20.7, 93.0, 53.9, 53.9], 16.0),
    Simulated("hhb", 450.0, [23.2, 210.0, 62.8, 70.1], 17.4),
    Simulated("hhh", 300.0, [27.3, 371.0, 76.4, 87.5], 18.2),
    Simulated("hhhb", 300.0, [26.5, 363.0, 71.5, 83.2], 17.1),
    Simulated("hhhh", 300.0, [32.3, 595.0, 89.7, 106.4], 18.8),
    Simulated("hhhhh", 300.0, [34.7, 801.0, 92.3, 111.7], 17.0),
];

/// Each mean, and the spread of the scores, lies within 3.5 standard errors of the simulated one, those of both sides
/// combined. Seats of one game are not independent, so the error of a spread is reckoned as if a game were one score.
/// The legal lists are as long as those of the simulation.
#[test]
fn random_play_comes_out_as_simulated() {
    let games = CONFORMANCE_MATCHES.value().unwrap_or(40);
    let mut far_off = Vec::new();
    // Each table counts as often as in the simulation, which took more games of the short ones.
    let mut lengths: Vec<(usize, f64)> = Vec::new();
    for Simulated(table, simulated_games, simulated, simulated_spread) in SIMULATED {
        let figures = random_games(table, games);
        let lists = [&figures.rounds, &figures.decisions, &figures.scores, &figures.winners];
        for ((name, list), expected) in ["rounds", "decisions", "score", "winner"].into_iter().zip(lists).zip(simulated)
        {
            let (found, spread) = (mean(list), spread(list));
            let error = spread * (1.0 / f64::from(games) + 1.0 / simulated_games).sqrt();
            let apart = (found - expected) / error;
            let line =
                format!("{table:5} {name:9} {found:6.1} ({expected:5.1}) spread {spread:5.1}, {apart:+.1} errors");
            eprintln!("{line}");
            if apart.abs() > 3.5 {
                far_off.push(line);
            }
        }
        let found = spread(&figures.seats);
        let error = simulated_spread * (0.5 / f64::from(games) + 0.5 / simulated_games).sqrt();
        let apart = (found - simulated_spread) / error;
        let line = format!("{table:5} spread    {found:6.1} ({simulated_spread:5.1}), {apart:+.1} errors");
        eprintln!("{line}");
        if apart.abs() > 3.5 {
            far_off.push(line);
        }
        eprintln!("{table:5} by round limit {}", figures.by_round_limit);
        let weight = simulated_games / f64::from(games);
        lengths.extend(figures.lists.into_iter().map(|length| (length, weight)));
    }
    lengths.sort_unstable_by_key(|(length, _)| *length);
    let (median, most, longest) = (quantile(&lengths, 0.5), quantile(&lengths, 0.99), quantile(&lengths, 1.0));
    eprintln!("{} legal lists: median {median} (2), 99 % at most {most} (51), longest {longest} (77)", lengths.len());
    assert!(median == 2, "a median list of {median} moves");
    assert!((49..=53).contains(&most), "99 % of the lists have at most {most} moves");
    assert!(longest <= 90, "a list of {longest} moves");
    assert!(far_off.is_empty(), "{far_off:#?}");
}
