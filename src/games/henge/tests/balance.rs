//! Uniformly random play against the figures of an independent simulation of the same rules and set.

use super::*;
use crate::rules::{Status, play, settle};

/// What a number of games at one table came to.
#[derive(Default)]
struct Figures {
    games: u32,
    rounds: f64,
    decisions: f64,
    scores: Vec<f64>,
    winners: f64,
    longest_list: usize,
    by_round_limit: u32,
}

impl Figures {
    fn mean(&self) -> f64 {
        self.scores.iter().sum::<f64>() / self.scores.len() as f64
    }

    fn spread(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.scores.iter().map(|score| (score - mean).powi(2)).sum();
        (squares / (self.scores.len() - 1) as f64).sqrt()
    }

    fn error(&self) -> f64 {
        self.spread() / (self.scores.len() as f64).sqrt()
    }
}

fn seed(number: u32, kind: u8) -> DiceSeed {
    let mut bytes = [kind; 32];
    bytes[..4].copy_from_slice(&number.to_le_bytes());
    DiceSeed(bytes)
}

fn random_games(table: &str, games: u32) -> Figures {
    let mut figures = Figures { games, ..Figures::default() };
    for number in 0..games {
        let mut dice = Dice::new(seed(number, 1));
        let mut choice = Dice::new(seed(number, 2));
        let (mut state, mut events) = Henge::setup(&options(table), people(table), &mut dice);
        settle::<Henge>(&mut state, &mut dice, &mut events);
        let outcome = loop {
            let seat = match Henge::status(&state) {
                Status::ToAct(seats) => seats.first().unwrap(),
                Status::Over(outcome) => break outcome,
                Status::Chance => panic!("a chance step is left over"),
            };
            let moves = Henge::legal_moves(&state, seat).moves;
            figures.longest_list = figures.longest_list.max(moves.len());
            let mv = moves[choice.index(moves.len()).unwrap()];
            play::<Henge>(&mut state, seat, mv, &mut dice).unwrap();
            figures.decisions += 1.0;
        };
        figures.rounds += f64::from(state.round);
        figures.by_round_limit += u32::from(outcome.ending == "round_limit");
        let scores: Vec<f64> = outcome.standings.iter().map(|standing| f64::from(standing.score.unwrap())).collect();
        figures.winners += scores.iter().copied().fold(0.0, f64::max);
        figures.scores.extend(scores);
    }
    figures
}

/// Table, games, rounds, decisions, mean, its standard error, spread, winner's mean.
const SIMULATED: [(&str, u32, f64, f64, f64, f64, f64, f64); 6] = [
    ("hbb", 600, 20.7, 93.0, 53.9, 0.65, 16.0, 53.9),
    ("hhb", 450, 23.2, 210.0, 62.8, 0.58, 17.4, 70.1),
    ("hhh", 300, 27.3, 371.0, 76.4, 0.61, 18.2, 87.5),
    ("hhhb", 300, 26.5, 363.0, 71.5, 0.57, 17.1, 83.2),
    ("hhhh", 300, 32.3, 595.0, 89.7, 0.54, 18.8, 106.4),
    ("hhhhh", 300, 34.7, 801.0, 92.3, 0.44, 17.0, 111.7),
];

#[test]
fn random_play_comes_out_as_simulated() {
    let matches = std::env::var("SARSEN_CONFORMANCE_MATCHES").ok().and_then(|text| text.parse().ok());
    let mut far_off = Vec::new();
    for (table, _, rounds, decisions, mean, error, spread, winners) in SIMULATED {
        let games = matches.unwrap_or(30);
        let figures = random_games(table, games);
        let n = f64::from(figures.games);
        let line = format!(
            "{table:5} {games} games, rounds {:.1} ({rounds}), decisions {:.0} ({decisions}), mean {:.1} ± {:.2} \
             ({mean} ± {error}), spread {:.1} ({spread}), winner {:.1} ({winners}), longest {}, limit {}",
            figures.rounds / n,
            figures.decisions / n,
            figures.mean(),
            figures.error(),
            figures.spread(),
            figures.winners / n,
            figures.longest_list,
            figures.by_round_limit,
        );
        println!("{line}");
        // Scores within a game are not independent: their mean is less certain than they say, by up to the square
        // root of the number of people.
        let people = f64::from(people(table).get()).sqrt();
        let combined = people * figures.error().hypot(error);
        if (figures.mean() - mean).abs() > 3.5 * combined {
            far_off.push(line);
        }
    }
    assert!(far_off.is_empty(), "{far_off:#?}");
}
