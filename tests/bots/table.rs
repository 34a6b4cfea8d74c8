//! Strengths that the levels must have, row by row, and how they are found out.

use std::sync::Arc;

use sarsen::bots::Level::{Easy, Hard, Medium};
use sarsen::bots::duel::Duel;
use sarsen::bots::{Bots, Level};
use sarsen::games::absolution::Absolution;
use sarsen::games::contiguity::Contiguity;
use sarsen::games::henge::Henge;
use sarsen::games::sacrifice_roulette::SacrificeRoulette;
use sarsen::games::thief_of_the_sacred_fire::ThiefOfTheSacredFire;
use sarsen::games::{GameSettings, Games};
use sarsen::rules::{Effort, Evaluator, Game, Mode, Rules, SeatCount};

use super::arena::{Player, Table};
use super::{foreign, opponents};

/// The bar that a row's mean must meet.
#[derive(Clone, Copy)]
pub enum Bar {
    /// At least so much.
    AtLeast(i64),
    /// At most so much.
    AtMost(i64),
    /// Not below this by more than two standard errors.
    Even(i64),
    /// Below it by two standard errors.
    Below(i64),
    /// A step of the ladder: not outside of 600 to 750 by more than two standard errors.
    Step,
}

/// The shares that a rung is to take from the one below.
const STEP: [f64; 2] = [600.0, 750.0];

/// Games of one pairing.
pub struct Row {
    pub name: String,
    /// The number of games that decide.
    pub games: u32,
    /// The number of games that are played in the ordinary tests.
    pub few: u32,
    pub bar: Bar,
    /// The largest difference between two games: thousandths of a win, or the points of a solo game.
    pub scale: f64,
    /// The result of one game: thousandths of a win, or points.
    pub play: Box<dyn Fn(u32) -> i64>,
}

/// The results of a row.
pub struct Found {
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    pub games: u32,
}

impl Row {
    pub fn found(&self, games: u32) -> Found {
        let results: Vec<f64> = (0..games).map(|number| (self.play)(number) as f64).collect();
        let count = f64::from(games.max(1));
        let mean = results.iter().sum::<f64>() / count;
        let variance = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Found { mean, error: (variance / count).sqrt(), games }
    }

    /// Returns true if the results meet the bar.
    pub fn is_met(&self, found: &Found) -> bool {
        match self.bar {
            Bar::AtLeast(least) => found.mean >= least as f64,
            Bar::AtMost(most) => found.mean <= most as f64,
            Bar::Even(even) => found.mean + 2.0 * found.error >= even as f64,
            Bar::Below(even) => found.mean + 2.0 * found.error <= even as f64,
            Bar::Step => found.mean + 2.0 * found.error >= STEP[0] && found.mean - 2.0 * found.error <= STEP[1],
        }
    }

    /// Returns true if the results of a few games speak against the bar: they miss it by more than four standard
    /// errors, each counted as if one game of them had gone the other way.
    pub fn is_refuted(&self, found: &Found) -> bool {
        let slack = 4.0 * found.error + self.scale / f64::from(found.games.max(1));
        match self.bar {
            Bar::AtLeast(bar) | Bar::Even(bar) => found.mean + slack < bar as f64,
            Bar::AtMost(bar) | Bar::Below(bar) => found.mean - slack > bar as f64,
            Bar::Step => found.mean + slack < STEP[0] || found.mean - slack > STEP[1],
        }
    }

    pub fn line(&self, found: &Found) -> String {
        let Found { mean, error, games } = found;
        let bar = match self.bar {
            Bar::AtLeast(bar) => format!("at least {bar}"),
            Bar::AtMost(bar) => format!("at most {bar}"),
            Bar::Even(bar) => format!("not below {bar}"),
            Bar::Below(bar) => format!("below {bar}"),
            Bar::Step => "600 to 750".to_owned(),
        };
        let (low, high) = (mean - 1.96 * error, mean + 1.96 * error);
        let met = if self.is_met(found) { "met" } else { "MISSED" };
        format!("{:<44} {mean:>7.1} ({low:.1} to {high:.1}) in {games} games; {bar}: {met}", self.name)
    }
}

fn defaults<G: Game>(game: &G) -> G::Options {
    game.options(&serde_json::Value::Null).unwrap()
}

fn row(name: &str, games: u32, few: u32, bar: Bar, play: impl Fn(u32) -> i64 + 'static) -> Row {
    Row { name: name.to_owned(), games, few, bar, scale: 1000.0, play: Box::new(play) }
}

/// A row of points instead of shares.
fn in_points(row: Row) -> Row {
    Row { scale: 60.0, ..row }
}

/// Two players against each other from random openings, each opening with both colours.
fn contiguity(name: &str, games: u32, few: u32, bar: Bar, one: Player<Contiguity>, other: Player<Contiguity>) -> Row {
    row(name, games, few, bar, move |number| {
        let table = Table { game: &Contiguity, options: defaults(&Contiguity), seats: 2, opening: 4 };
        table.share(number, &one, &other)
    })
}

/// One player among others at a table of so many seats.
fn among<G: Evaluator>(
    game: fn() -> G,
    options: serde_json::Value,
    seats: u8,
    one: fn() -> Player<G>,
    others: fn() -> Player<G>,
) -> impl Fn(u32) -> i64 {
    let (one, others) = (one(), others());
    move |number| {
        let game = game();
        let options = game.options(&options).unwrap();
        Table { game: &game, options, seats, opening: 0 }.share(number, &one, &others)
    }
}

/// All seats are of one level: what is won together, or alone.
fn together<G: Evaluator>(game: fn() -> G, seats: u8, level: Level) -> impl Fn(u32) -> i64 {
    assert_ne!(G::INFO.mode, Mode::Competitive);
    let player = Player::level(level);
    move |number| {
        let game = game();
        let options = defaults(&game);
        Table { game: &game, options, seats, opening: 0 }.share(number, &player, &player)
    }
}

/// The difference of the results, game by game: the first less the second.
fn less(first: impl Fn(u32) -> i64 + 'static, second: impl Fn(u32) -> i64 + 'static) -> impl Fn(u32) -> i64 {
    move |number| first(number) - second(number)
}

fn contiguity_rows() -> Vec<Row> {
    let tenth = |effort: Effort| Effort { simulations: effort.simulations / 10, ..effort };
    let hard_tenth = tenth(Hard.effort(&Contiguity::TUNING));
    let tenth = || Player::with_effort(hard_tenth, "contiguity hard, a tenth".to_owned());
    let level = |level| Player::<Contiguity>::level(level);
    vec![
        contiguity("contiguity easy v random", 60, 6, Bar::AtLeast(950), level(Easy), Player::random()),
        contiguity("contiguity easy v medium", 60, 4, Bar::AtMost(250), level(Easy), level(Medium)),
        contiguity("contiguity medium v easy", 100, 0, Bar::AtLeast(900), level(Medium), level(Easy)),
        contiguity("contiguity medium v distance", 100, 4, Bar::AtLeast(800), level(Medium), opponents::distance()),
        contiguity("contiguity hard v distance", 60, 0, Bar::AtLeast(950), level(Hard), opponents::distance()),
        contiguity("contiguity medium v a plain UCT", 200, 4, Bar::AtLeast(500), level(Medium), foreign::uct(400)),
        contiguity("contiguity hard v a plain UCT", 60, 0, Bar::AtLeast(500), level(Hard), foreign::uct(24_000)),
        contiguity("contiguity hard v medium", 60, 0, Bar::AtLeast(800), level(Hard), level(Medium)),
        contiguity("contiguity hard v its tenth (aim)", 60, 0, Bar::AtLeast(750), level(Hard), tenth()),
    ]
}

fn thief_rows() -> Vec<Row> {
    let play = |level| together(|| ThiefOfTheSacredFire, 1, level);
    vec![
        row("thief easy less medium", 200, 30, Bar::Below(0), less(play(Easy), play(Medium))),
        row("thief medium", 200, 40, Bar::AtLeast(800), play(Medium)),
        row("thief hard", 200, 3, Bar::AtLeast(920), play(Hard)),
        in_points(row("thief hard, turns of a won game", 200, 0, Bar::AtMost(20), turns_of_a_won_game())),
    ]
}

/// The turns of a game that hard wins; of one that it loses, as many as it may need.
fn turns_of_a_won_game() -> impl Fn(u32) -> i64 {
    let player = Player::level(Hard);
    move |number| {
        let game = ThiefOfTheSacredFire;
        let table = Table { game: &game, options: defaults(&game), seats: 1, opening: 0 };
        let (_, outcome) = table.one_match(number, &player, &player);
        let won = outcome.ending == "fire_home";
        if won { outcome.figures["turns"] } else { 20 }
    }
}

fn absolution_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (seats, medium, hard) in [(2, 700, 850), (3, 550, 800), (4, 420, 800), (5, 380, 850)] {
        let play = |level| together(|| Absolution, seats, level);
        let name = |what: &str| format!("absolution {what} at {seats}");
        rows.push(row(&name("easy less medium"), 200, 10, Bar::Below(0), less(play(Easy), play(Medium))));
        rows.push(row(&name("medium"), 200, 12, Bar::AtLeast(medium), play(Medium)));
        rows.push(row(&name("hard"), 60, 0, Bar::AtLeast(hard), play(Hard)));
    }
    rows
}

fn roulette_rows() -> Vec<Row> {
    let game = || SacrificeRoulette;
    let none = || serde_json::Value::Null;
    let easy = || Player::level(Easy);
    let medium = || Player::level(Medium);
    let hard = || Player::level(Hard);
    let mut rows = vec![
        row("roulette easy v random at 2", 200, 40, Bar::AtLeast(600), among(game, none(), 2, easy, Player::random)),
        row("roulette easy v medium at 2", 200, 40, Bar::Below(500), among(game, none(), 2, easy, medium)),
    ];
    for (seats, bar) in [(2, 920), (3, 850), (4, 720), (5, 720)] {
        let play = among(game, none(), seats, medium, Player::random);
        rows.push(row(&format!("roulette medium v random at {seats}"), 200, 20, Bar::AtLeast(bar), play));
    }
    for (seats, games, bar) in
        [(2, 200, Bar::AtLeast(650)), (3, 200, Bar::AtLeast(400)), (4, 400, Bar::Even(250)), (5, 400, Bar::Even(200))]
    {
        let play = among(game, none(), seats, hard, medium);
        rows.push(row(&format!("roulette hard v medium at {seats}"), games, 0, bar, play));
    }
    rows
}

fn henge_rows() -> Vec<Row> {
    let game = Henge::default;
    let seating = |seating: &str| serde_json::json!({"table": seating});
    let easy = || Player::level(Easy);
    let medium = || Player::level(Medium);
    let hard = || Player::level(Hard);
    let solo = |level| {
        let player = Player::level(level);
        move |number| {
            let game = Henge::default();
            let options = game.options(&serde_json::json!({"table": "hbb"})).unwrap();
            Table { game: &game, options, seats: 1, opening: 0 }.score(number, &player)
        }
    };
    let mut rows = Vec::new();
    for (table, seats) in [("hhb", 2), ("hhh", 3), ("hhhh", 4), ("hhhhh", 5)] {
        let play = among(game, seating(table), seats, easy, medium);
        let bar = Bar::Below(1000 / i64::from(seats));
        rows.push(row(&format!("henge easy v medium at {table}"), 40, u32::from(seats == 2) * 10, bar, play));
    }
    rows.extend([
        in_points(row("henge easy less medium solo", 40, 0, Bar::Below(0), less(solo(Easy), solo(Medium)))),
        in_points(row("henge medium solo", 50, 12, Bar::AtLeast(90), solo(Medium))),
        row(
            "henge medium v random at hhb",
            40,
            8,
            Bar::AtLeast(950),
            among(game, seating("hhb"), 2, medium, Player::random),
        ),
        row("henge hard v medium at hhb", 40, 0, Bar::AtLeast(750), among(game, seating("hhb"), 2, hard, medium)),
        row("henge hard v medium at hhhh", 40, 0, Bar::AtLeast(450), among(game, seating("hhhh"), 4, hard, medium)),
        in_points(row("henge hard solo", 30, 0, Bar::AtLeast(125), solo(Hard))),
    ]);
    rows
}

/// The rungs of the ladder from 1 on.
const RUNGS: [Level; 8] = [
    Level::Strength1,
    Level::Strength2,
    Level::Strength3,
    Level::Strength4,
    Level::Strength5,
    Level::Strength6,
    Level::Strength7,
    Level::Strength8,
];

/// Each rung of the ladder against the one below: what it takes of a match of two, and how much more it wins where there
/// is nobody to play against. A few matches of those that do not search are played in the ordinary tests.
fn ladder_rows() -> Vec<Row> {
    let (games, bots) = (Games::standard(GameSettings::default()), Bots::standard(GameSettings::default()));
    let mut rows = Vec::new();
    for (id, seats, count) in [
        ("contiguity", 2, 60),
        ("henge", 2, 60),
        ("sacrifice_roulette", 2, 200),
        ("absolution", 2, 300),
        ("thief_of_the_sacred_fire", 1, 300),
    ] {
        for two in RUNGS.windows(2) {
            let levels = [two[1], two[0]];
            let (game, bot) = (Arc::clone(games.newest(id).unwrap()), Arc::clone(bots.of(id).unwrap()));
            let is_quick = levels[0].effort(&bot.tuning()).simulations == 0 && id != "henge";
            let alone = game.info().mode != Mode::Competitive;
            let duel = Duel { game, bot, seats: SeatCount::new(seats).unwrap(), levels, seed: 11 };
            let play = move |number| {
                let [share, below] = duel.play(number).unwrap().shares;
                (1000.0 * if alone { share - below } else { share }) as i64
            };
            let bar = if alone { Bar::AtLeast(1) } else { Bar::Step };
            rows.push(row(&format!("{id} {} v {}", two[1], two[0]), count, u32::from(is_quick) * 20, bar, play));
        }
    }
    rows
}

/// Every row.
pub fn rows() -> Vec<Row> {
    let rows = [contiguity_rows(), henge_rows(), roulette_rows(), absolution_rows(), thief_rows(), ladder_rows()];
    rows.into_iter().flatten().collect()
}
