//! The judgement of moves: right where the rules themselves can tell, blind to what the seat cannot see, and mild to whoever
//! plays as the judge would.

use std::sync::Arc;

use sarsen::bots::{AnyBot, Assessment, Bots, Level, SearchMeans};
use sarsen::games::{AnyGame, AnyState, GameSettings, Games, ListForm};
use sarsen::rules::{Dice, DiceSeed, Seat, SeatCount, Status, Verdict, Viewer};
use test_kit::environment::STRENGTH;

const NEVER: SearchMeans<'static> = SearchMeans { threads: 1, is_over: &|| false };

/// A match under way, of the smallest table of its game.
struct Play {
    bot: Arc<dyn AnyBot>,
    game: Arc<dyn AnyGame>,
    state: Box<dyn AnyState>,
    dice: Dice,
    seed: u8,
    made: u8,
}

impl Play {
    fn of(game: &str, seed: u8) -> Play {
        let (games, bots) = (Games::standard(GameSettings::default()), Bots::standard(GameSettings::default()));
        let game = games.newest(game).unwrap();
        let seats = SeatCount::new(game.info().min_seats).unwrap();
        let options = game.options(&serde_json::Value::Null, seats).unwrap();
        let mut dice = Dice::new(DiceSeed([seed; 32]));
        let state = game.setup(&options, seats, &mut dice).unwrap().state;
        Play { bot: Arc::clone(bots.of(game.info().id).unwrap()), game: Arc::clone(game), state, dice, seed, made: 0 }
    }

    fn actor(&self) -> Option<Seat> {
        match self.state.status() {
            Status::ToAct(seats) => seats.first(),
            Status::Over(_) | Status::Chance => None,
        }
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        let listed = self.state.legal_moves(seat, ListForm::Notation).unwrap();
        serde_json::from_str(listed.moves.get()).unwrap()
    }

    fn make(&mut self, seat: Seat, notation: &str) {
        let mv = self.game.read_move(&sarsen::games::MoveInput::Notation(notation.to_owned())).unwrap();
        self.state.play(seat, mv, &mut self.dice).unwrap();
        self.made = self.made.wrapping_add(1);
    }

    fn seed(&self, kind: u8) -> [u8; 32] {
        let mut seed = [self.seed; 32];
        (seed[0], seed[1]) = (kind, self.made);
        seed
    }

    fn assess(&self, level: Level, seat: Seat, notation: &str) -> Option<Assessment> {
        self.bot.assess(level, &self.state.observe(seat), notation, self.seed(1), &NEVER).unwrap()
    }

    fn chosen(&self, level: Level, seat: Seat) -> String {
        let found = self.bot.rank(level, &self.state.observe(seat), self.seed(2), &NEVER).unwrap();
        found.moves[0].notation.clone()
    }

    fn by_lot(&mut self, seat: Seat) -> String {
        let mut legal = self.legal(seat);
        let index = self.dice.index(legal.len()).unwrap();
        legal.swap_remove(index)
    }

    /// Returns true if `seat` wins at once with this move, whatever chance brings.
    fn wins(&self, seat: Seat, notation: &str) -> bool {
        let (mut state, mut dice) = (self.state.duplicate(), self.dice.clone());
        let mv = self.game.read_move(&sarsen::games::MoveInput::Notation(notation.to_owned())).unwrap();
        state.play(seat, mv, &mut dice).is_ok()
            && matches!(state.status(), Status::Over(over) if over.standings[seat.index()].verdict == Verdict::Won)
    }
}

fn is_blunder(found: &Assessment) -> bool {
    found.loss >= 2000 && found.loss >= 2 * found.error
}

const GAMES: [&str; 5] = ["contiguity", "absolution", "sacrifice_roulette", "thief_of_the_sacred_fire", "henge"];

/// A bot finds few faults with its own match, and many with one by lot.
fn finds_few_faults(game: &str) {
    // The quicker review judges in Contiguity: it searches more than the bot of its name.
    let level = if game == "contiguity" { Level::Medium } else { Level::Hard };
    let (matches, moves) = if STRENGTH.text().is_some() { (3, 24) } else { (1, 12) };
    let mean = |by_lot: bool| {
        let (mut lost, mut judged, mut blunders) = (0, 0, 0);
        for seed in 1..=matches {
            let mut play = Play::of(game, seed);
            for _ in 0..moves {
                let Some(seat) = play.actor() else { break };
                let notation = if by_lot { play.by_lot(seat) } else { play.chosen(Level::Hard, seat) };
                if let Some(found) = play.assess(level, seat, &notation) {
                    assert!(found.best.iter().rev().is_sorted_by_key(|(_, value)| value), "{found:?}");
                    let value = found.best.iter().find(|(mv, _)| *mv == notation).map(|(_, value)| *value);
                    let lost_of_the_best = value.map_or(found.loss, |value| found.best[0].1 - value);
                    assert_eq!(found.loss, lost_of_the_best, "{found:?}");
                    (lost, judged) = (lost + found.loss, judged + 1);
                    blunders += i32::from(is_blunder(&found));
                }
                play.make(seat, &notation);
            }
        }
        (lost / judged.max(1), blunders)
    };
    let ((own, blunders), (by_lot, _)) = (mean(false), mean(true));
    assert!(own < 100 && blunders == 0, "{game}: its own moves lose {own}, with {blunders} blunders");
    assert!(by_lot > 2 * own.max(25), "{game}: moves by lot lose {by_lot}, its own {own}");
}

#[test]
fn few_faults_are_found_with_a_bots_own_match_of_contiguity() {
    finds_few_faults("contiguity");
}

#[test]
fn few_faults_are_found_with_a_bots_own_match_of_absolution() {
    finds_few_faults("absolution");
}

#[test]
fn few_faults_are_found_with_a_bots_own_match_of_sacrifice_roulette() {
    finds_few_faults("sacrifice_roulette");
}

#[test]
fn few_faults_are_found_with_a_bots_own_match_of_thief_of_the_sacred_fire() {
    finds_few_faults("thief_of_the_sacred_fire");
}

#[test]
fn few_faults_are_found_with_a_bots_own_match_of_henge() {
    finds_few_faults("henge");
}

/// In solved positions: where a move wins at once nothing is better, and what lets the other side win at once loses all.
#[test]
fn where_the_rules_can_tell_the_verdict_is_right() {
    let (mut wins, mut losses) = (0, 0);
    for seed in 1..9 {
        let mut play = Play::of("contiguity", seed);
        while let Some(seat) = play.actor() {
            let legal = play.legal(seat);
            let winning: Vec<&String> = legal.iter().filter(|mv| play.wins(seat, mv)).collect();
            if let Some(win) = winning.first() {
                let found = play.assess(Level::Medium, seat, win).unwrap();
                assert_eq!((found.loss, found.best[0].1), (0, 10_000), "{win}: {found:?}");
                assert!(winning.iter().any(|win| **win == found.best[0].0), "{found:?}");
                wins += 1;
                break;
            }
            // Every second move is a good one, so that there is something to win.
            let notation =
                if play.made.is_multiple_of(2) { play.chosen(Level::Medium, seat) } else { play.by_lot(seat) };
            let mut after =
                Play { state: play.state.duplicate(), dice: play.dice.clone(), ..Play::of("contiguity", seed) };
            after.make(seat, &notation);
            let loses = after
                .actor()
                .is_some_and(|other| other != seat && after.legal(other).iter().any(|reply| after.wins(other, reply)));
            if loses && let Some(found) = play.assess(Level::Medium, seat, &notation) {
                assert_eq!(found.best[0].1 - found.loss, 0, "{notation} loses: {found:?}");
                losses += 1;
            }
            play.make(seat, &notation);
        }
    }
    assert!(wins > 3 && losses > 0, "{wins} wins, {losses} losses");
}

/// Two states that the seat cannot tell apart are judged alike.
#[test]
fn a_judgement_depends_on_what_the_seat_sees_alone() {
    for game in GAMES {
        let level = if game == "contiguity" { Level::Medium } else { Level::Hard };
        let mut play = Play::of(game, 9);
        let mut compared = 0;
        for step in 0..if STRENGTH.text().is_some() { 12 } else { 6 } {
            let Some(seat) = play.actor() else { break };
            let view = play.state.view(Viewer::Seat(seat)).unwrap();
            let view = serde_json::from_str(view.get()).unwrap();
            let mut dice = [Dice::new(DiceSeed([step; 32]))];
            let notation = play.by_lot(seat);
            if let Some(other) = play.game.imagine(&view, Viewer::Seat(seat), &mut dice).and_then(|mut all| all.pop()) {
                let found = play.bot.assess(level, &other.observe(seat), &notation, play.seed(1), &NEVER).unwrap();
                assert_eq!(found, play.assess(level, seat, &notation), "{game} after {step} moves");
                compared += 1;
            }
            play.make(seat, &notation);
        }
        assert!(compared > 3, "{game}");
    }
}
