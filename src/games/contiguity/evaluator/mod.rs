//! Evaluation of Contiguity for bots: the shapes that six pieces can make (`shapes`), which moves win at once and which
//! let the other side do so (`threats`), about how fast a game is won, for the bidding, and how to say so (`reason`).
//!
//! Invariant: a list of candidates that leaves a move out for losing at once leaves out no other for it; so it is complete
//! as far as it is cut for nothing else.

mod reason;
mod shapes;
mod threats;

use super::Contiguity;
use super::legal;
use super::moves::{Bid, Move, MovePiece};
use super::position::{Colour, PIECES};
use super::state::{BOTH, Stage, State, opponent};
use super::view::{ContiguityView, Phase};
use crate::common::Pass;
use sarsen_rules::{
    Candidate, Candidates, Dice, Effort, Evaluator, Method, Rules, Seat, Status, Tuning, Values, WON, ladder,
};
use shapes::Look;

/// The number of shapes by the spaces held.
type Counts = [u32; PIECES + 1];

/// The value of the best shape of a side, by the spaces held.
const HELD: [i32; PIECES + 1] = [0, 0, 0, 500, 1500, 2800, 5000];
/// The values of twice as many shapes like the best, and of twice as many that lack one more piece.
const DOUBLED: [i32; 2] = [110, 50];
/// The value of holding all live shapes while the other side holds none, each weighed as for the rank of moves.
const SHARE: i64 = 2000;
/// The value of being on the move.
const TEMPO: i32 = 350;
/// The weight in the rank of a move: of its target's value to its own side.
const GAINED: i32 = 50;
/// The weight of the value of the space that it leaves.
const LOST: i32 = 10;
/// The weight of its target's value to the other side.
const HINDERED: i32 = 12;
/// The plies after which matches hardly go the same way any more.
const OPENING: usize = 6;
/// The most that a move made for variety may be worse than the best: in the opening, and after it.
const VARIETY: [i32; 2] = [400, 15];
/// The most by which a candidate's worth can be less than the best's.
const SPREAD: i64 = 1800;
/// As many own turns a good player needs about to win, and would bid.
const FAIR_BID: u8 = 12;
/// The greatest value of a position that is not over.
const SURE: i32 = 9_800;

impl Evaluator for Contiguity {
    const TUNING: Tuning = Tuning {
        version: 4,
        method: Method::Tree,
        candidates: 48,
        levels: [
            Effort { simulations: 0, noise: 1400, answer_milliseconds: 500 },
            Effort { simulations: 400, noise: 0, answer_milliseconds: 500 },
            Effort { simulations: 24_000, noise: 0, answer_milliseconds: 1000 },
        ],
        rungs: ladder([(100, 490), (100, 353), (100, 210), (100, 60), (220, 0), (1000, 0), (4000, 0), (24_000, 0)]),
    };

    fn candidates(&self, state: &State, seat: Seat, most: usize) -> Candidates<Move> {
        if state.actor() != Some(seat) {
            return Candidates { list: Vec::new(), complete: true };
        }
        match state.stage {
            Stage::Playing { .. } => piece_moves(state, &Found::of(state, state.to_move()), most),
            _ => other_moves(state, seat),
        }
    }

    /// One of the best few candidates.
    fn policy(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let mut list = self.candidates(state, seat, 4).list;
        let index = dice.index(list.len())?;
        Some(list.swap_remove(index).mv)
    }

    fn value(&self, state: &State) -> Values {
        let mut values = Values::default();
        match (state.status(), state.stage) {
            (Status::Over(outcome), _) => self.reward(&outcome),
            (_, Stage::Playing { white }) => {
                let mover = state.to_move();
                if threats::can_win(&state.position, mover, state.options.jump) {
                    return valued(white, mover, WON / 2);
                }
                let counts = [mover, mover.other()].map(|colour| shapes::counts(&state.position, colour));
                valued(white, mover, standing(state, mover, &counts))
            }
            _ => {
                BOTH.iter().for_each(|seat| values[seat.index()] = WON / 2);
                values
            }
        }
    }

    fn judge(&self, state: &State, seat: Seat, most: usize) -> (Candidates<Move>, Option<Values>) {
        let Stage::Playing { white } = state.stage else { return (self.candidates(state, seat, most), None) };
        let mover = state.to_move();
        let found = Found::of(state, mover);
        let candidates = piece_moves(state, &found, most);
        let standing = found.looks.as_ref().map(|[own, other]| standing(state, mover, &[own.counts, other.counts]));
        (candidates, standing.map(|standing| valued(white, mover, standing)))
    }

    fn begins_turn(&self, view: &ContiguityView) -> bool {
        view.phase == Phase::Playing
    }

    fn variety(&self, state: &State, _seat: Seat) -> i32 {
        VARIETY[usize::from(state.trail.len() >= OPENING)]
    }

    fn reason(&self, state: &State, _seat: Seat, mv: &Move) -> Option<String> {
        reason::of(state, mv)
    }
}

/// The values of a position in which `mover` is better than even by `standing`.
fn valued(white: Seat, mover: Colour, standing: i32) -> Values {
    let mut values = Values::default();
    let own = State::seat_of(white, mover);
    values[own.index()] = (WON / 2 + standing).clamp(WON - SURE, SURE);
    values[opponent(own).index()] = WON - values[own.index()];
    values
}

/// The advantage of `mover`, who is on the move and cannot win at once. `counts` are the shapes of
/// both, the mover's first.
fn standing(state: &State, mover: Colour, counts: &[Counts; 2]) -> i32 {
    let [own, other] = counts;
    let mut standing = share(own, other) + side(own) - side(other) + TEMPO;
    match threats::wins(&state.position, mover.other(), state.options.jump).len() {
        0 => {}
        1 => standing -= 600,
        _ => standing -= 2000,
    }
    standing + contract(state, mover)
}

/// The lead of one side in live shapes: it tells quiet positions apart, in which both have the same best shape.
fn share(own: &Counts, other: &Counts) -> i32 {
    let sum = |counts: &Counts| -> i64 {
        counts.iter().zip(shapes::PULL).map(|(count, worth)| i64::from(*count) * i64::from(worth)).sum()
    };
    let (own, other) = (sum(own), sum(other));
    ((own - other) * SHARE / (own + other + 1)) as i32
}

/// Returns what these shapes are worth.
fn side(counts: &Counts) -> i32 {
    let Some(best) = (shapes::TELLING..=PIECES).rev().find(|held| counts[*held] > 0) else { return 0 };
    let doubled = |count: u32| (count + 1).ilog2() as i32;
    let next = if best > shapes::TELLING { counts[best - 1] } else { 0 };
    HELD[best] + DOUBLED[0] * doubled(counts[best]) + DOUBLED[1] * doubled(next)
}

/// Under bidding: what it costs the bidder, and brings the other side, that turns are running out.
fn contract(state: &State, mover: Colour) -> i32 {
    let (Some(contract), Some(white)) = (state.contract(), state.white()) else { return 0 };
    let bidder = if contract.seat == white { Colour::White } else { Colour::Red };
    let made = if bidder == Colour::White { state.trail.len().div_ceil(2) } else { state.trail.len() / 2 };
    let left = i32::from(contract.turns.get()) - made as i32;
    let counts = shapes::counts(&state.position, bidder);
    let held = (shapes::TELLING..=PIECES).rev().find(|held| counts[*held] > 0).unwrap_or(2);
    // Each turn beyond those that are needed at least makes it likelier that they suffice.
    let spare = left - (PIECES - held) as i32;
    let fear = if spare < 0 { 4500 } else { 2400 / (spare + 1) };
    if bidder == mover { -fear } else { fear }
}

/// The findings about a position before its moves are ranked.
struct Found {
    win: Option<MovePiece>,
    /// The shapes of the mover and of the other side, unless there is a win.
    looks: Option<[Look; 2]>,
}

impl Found {
    fn of(state: &State, mover: Colour) -> Found {
        let position = &state.position;
        let win = threats::wins(position, mover, state.options.jump).first().copied();
        let looks = win.is_none().then(|| [mover, mover.other()].map(|colour| shapes::look(position, colour)));
        Found { win, looks }
    }
}

fn piece_moves(state: &State, found: &Found, most: usize) -> Candidates<Move> {
    let (position, mover, jump) = (&state.position, state.to_move(), state.options.jump);
    let alone = |mv: MovePiece| Candidates { list: vec![Candidate { mv: Move::Move(mv), worth: 0 }], complete: true };
    let (own, other) = match (found.win, &found.looks) {
        (Some(win), _) => return alone(win),
        (None, Some([own, other])) => (&own.pull, &other.pull),
        (None, None) => return Candidates { list: Vec::new(), complete: false },
    };
    let worth = |mv: MovePiece| {
        let (from, to) = (usize::from(mv.from.index()), usize::from(mv.to.index()));
        GAINED * own[to] - LOST * own[from] + HINDERED * other[to]
    };
    let moves = legal::piece_moves(position, mover, jump);
    let mut ranked: Vec<(i32, MovePiece)> =
        moves.iter().filter_map(|mv| if let Move::Move(mv) = mv { Some((worth(*mv), *mv)) } else { None }).collect();
    ranked.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    if threats::can_win(position, mover.other(), jump) {
        let holds = |mv: &MovePiece| {
            let mut after = *position;
            after.shift(mover, mv.from, mv.to);
            // At the third occurrence the game is over before the other side can win.
            let drawn = !state.options.bidding && state.trail.occurrences_after(&after) >= 3;
            drawn || !threats::can_win(&after, mover.other(), jump)
        };
        let held: Vec<(i32, MovePiece)> = ranked.iter().filter(|(_, mv)| holds(mv)).copied().collect();
        if held.is_empty() {
            // Every move loses against good play.
            return ranked.first().map_or(Candidates { list: Vec::new(), complete: true }, |(_, mv)| alone(*mv));
        }
        ranked = held;
    }
    let complete = ranked.len() <= most;
    ranked.truncate(most);
    let best = ranked.first().map_or(0, |(worth, _)| *worth);
    let last = ranked.last().map_or(0, |(worth, _)| *worth);
    let scaled = |worth: i32| (i64::from(worth - best) * SPREAD / i64::from(best - last).max(1)) as i32;
    let list = ranked.iter().map(|(worth, mv)| Candidate { mv: Move::Move(*mv), worth: scaled(*worth) }).collect();
    Candidates { list, complete }
}

/// Bids and the choice of order: rather lower than the last bid while that is no faster than games are won, then a pass;
/// and to move first.
fn other_moves(state: &State, seat: Seat) -> Candidates<Move> {
    let moves = Contiguity.legal_moves(state, seat).moves;
    let wanted = |mv: &Move| match mv {
        Move::Bid(Bid { turns }) if turns.get() >= FAIR_BID => 200 - i32::from(turns.get().abs_diff(FAIR_BID + 2)),
        Move::Pass(Pass {}) => 50,
        Move::Bid(Bid { turns }) => i32::from(turns.get()),
        Move::Choose(_) | Move::Move(_) => 0,
    };
    // There is nothing to search before a piece has moved.
    Candidates::best_of(moves.into_iter().map(|mv| Candidate { worth: wanted(&mv) * 10, mv }), 1, false)
}

#[cfg(test)]
mod tests {
    use super::super::position::Position;
    use super::*;
    use crate::stonehenge::Space;
    use sarsen_rules::{DiceSeed, Notation, play};

    fn state(white: &str, red: &str) -> State {
        let mut state = State::new(super::super::Options::default(), BOTH[0]);
        let spaces = |list: &str| list.split(' ').map(|space| space.parse::<Space>().unwrap()).collect::<Vec<_>>();
        state.position = Position::of(&spaces(white), &spaces(red));
        state
    }

    fn notations(state: &State) -> Vec<String> {
        let candidates = Contiguity.candidates(state, state.actor().unwrap(), 200).list;
        candidates.iter().map(|candidate| Contiguity.notation(&candidate.mv)).collect()
    }

    #[test]
    fn a_win_is_the_only_candidate() {
        let state = state("1a 2a 3a 4a 5a 9b", "20a 21b 22c 23d 24a 25b");
        assert_eq!(notations(&state).len(), 1);
        let mut won = state.clone();
        let mv = Contiguity.parse(&notations(&state)[0]).unwrap();
        play(&Contiguity, &mut won, BOTH[0], mv, &mut Dice::new(DiceSeed([0; 32]))).unwrap();
        assert!(matches!(won.status(), Status::Over(_)));
    }

    #[test]
    fn reasons_say_what_a_move_wins_and_what_it_stops() {
        let reason = |state: &State, notation: &str| {
            Contiguity.reason(state, BOTH[0], &Contiguity.parse(notation).unwrap()).unwrap_or_default()
        };
        let won = state("1a 2a 3a 4a 5a 9a", "20a 21b 22c 23d 24a 25b");
        assert_eq!(reason(&won, "9a-6a"), "It joins all six pieces, which wins at once.");
        let held = state("1a 7b 11c 14b 19a 23b", "12a 13a 14d 15a 16a 17a");
        let stopped = notations(&held);
        assert!(!stopped.is_empty());
        for notation in stopped {
            let reason = reason(&held, &notation);
            assert!(reason.starts_with("It stops the other side from winning"), "{notation}: {reason}");
        }
    }

    #[test]
    fn no_candidate_lets_a_win_stand() {
        let mut state = state("1a 7b 11c 14b 19a 23b", "12a 13a 14d 15a 16a 17a");
        assert!(threats::can_win(&state.position, Colour::Red, state.options.jump));
        let list = notations(&state);
        assert!(!list.is_empty());
        for notation in list {
            let mv = Contiguity.parse(&notation).unwrap();
            let mut after = state.clone();
            play(&Contiguity, &mut after, BOTH[0], mv, &mut Dice::new(DiceSeed([0; 32]))).unwrap();
            assert!(!threats::can_win(&after.position, Colour::Red, state.options.jump), "{notation}");
        }
        state.position = Position::set_up();
        assert!(!threats::can_win(&state.position, Colour::White, state.options.jump));
    }

    #[test]
    fn wins_are_those_that_the_rules_know() {
        let mut dice = Dice::new(DiceSeed([3; 32]));
        let mut met = 0;
        for _ in 0..600 {
            let mut spaces: Vec<Space> = Space::all().filter(|space| space.column() < 7).collect();
            dice.shuffle(&mut spaces);
            let mut state = state("1a 2a 3a 4a 5a 9b", "20a 21b 22c 23d 24a 25b");
            state.position = Position::of(&spaces[..6], &spaces[6..12]);
            if state.position.groups(Colour::White) == 1 {
                continue;
            }
            let slow: Vec<MovePiece> = legal::piece_moves(&state.position, Colour::White, state.options.jump)
                .into_iter()
                .filter_map(|mv| if let Move::Move(mv) = mv { Some(mv) } else { None })
                .filter(|mv| {
                    let mut after = state.position;
                    after.shift(Colour::White, mv.from, mv.to);
                    after.groups(Colour::White) == 1
                })
                .collect();
            met += slow.len();
            assert_eq!(threats::wins(&state.position, Colour::White, state.options.jump), slow);
            assert_eq!(threats::can_win(&state.position, Colour::White, state.options.jump), !slow.is_empty());
        }
        assert!(met > 30, "{met}");
    }
}
