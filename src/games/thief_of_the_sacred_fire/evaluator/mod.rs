//! Evaluation of Thief of the Sacred Fire for bots: how far it is, what the druids notice now, and what they are likely
//! to notice once they have walked again; and how to say so (`reason`).
//!
//! Invariant: the deck's order is not looked at; each card counts as equally likely.

mod reason;

use std::sync::LazyLock;

use super::ThiefOfTheSacredFire;
use super::detection::sighting;
use super::figures::Druid;
use super::moves::{GoTo, Move, TakeFire};
use super::reach::Reach;
use super::space::{SPACES, Space, Spot, TRILITHONS};
use super::state::{CAPTURE, Fire, State, Thief};
use super::view::{Phase, ThiefView};
use crate::stonehenge::{BLUESTONES, STONES, Stone};
use sarsen_rules::{
    Candidate, Candidates, Dice, Effort, Evaluator, Method, Outcome, Rules, Seat, Status, Tuning, Values, WON, ladder,
    verdicts,
};

/// The value of one movement point on the way home.
const POINT: i32 = 80;
/// The cost of losing one disk of a pile, times the disks that are left.
const DISK: i32 = 900;
/// The cost of being caught.
const CAUGHT: i32 = 20_000;
/// More than any way costs.
const ANYWHERE: u8 = 200;
/// The reduction of a win's value for each turn.
const TURN: i64 = 110;

impl Evaluator for ThiefOfTheSacredFire {
    const TUNING: Tuning = Tuning {
        version: 2,
        method: Method::Flat { horizon: 60, prior: 50 },
        candidates: 10,
        levels: [
            Effort { simulations: 0, noise: 1500, answer_milliseconds: 300 },
            Effort { simulations: 0, noise: 0, answer_milliseconds: 300 },
            Effort { simulations: 500, noise: 0, answer_milliseconds: 600 },
        ],
        rungs: ladder([(0, 600), (0, 500), (0, 420), (0, 330), (0, 240), (0, 150), (0, 50), (500, 0)]),
    };

    fn candidates(&self, state: &State, seat: Seat, most: usize) -> Candidates<Move> {
        Candidates::best_of(rated(state, self.legal_moves(state, seat).moves), most, true)
    }

    /// The best of the candidates.
    fn policy(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let list = rated(state, self.legal_moves(state, seat).moves);
        let best = list.iter().map(|candidate| candidate.worth).max()?;
        let equals: Vec<Move> = list.iter().filter(|other| other.worth == best).map(|other| other.mv).collect();
        dice.index(equals.len()).map(|index| equals[index])
    }

    /// A win is worth the more the sooner it comes.
    fn reward(&self, outcome: &Outcome) -> Values {
        let turns = outcome.figures.get("turns").copied().unwrap_or(0);
        verdicts(outcome).map(|value| if value == WON { WON - (turns.clamp(0, 100) * TURN) as i32 } else { value })
    }

    fn value(&self, state: &State) -> Values {
        let mut values = Values::default();
        values[0] = match (state.status(), state.thief) {
            (Status::Over(outcome), _) => return self.reward(&outcome),
            (_, Some(thief)) => WON / 2 + 2000 - 20 * to_go(state, thief).min(100),
            (_, None) => WON / 2,
        };
        values
    }

    fn begins_turn(&self, view: &ThiefView) -> bool {
        view.phase == Phase::Moving
    }

    /// All but the order of the deck is open, and no move depends on that.
    fn is_publicly_forced(&self, _view: &ThiefView, _seat: Seat, legal: &[Move]) -> bool {
        legal.len() == 1
    }

    fn reason(&self, state: &State, _seat: Seat, mv: &Move) -> Option<String> {
        reason::of(state, mv)
    }
}

/// The moves with what they are worth.
fn rated(state: &State, moves: Vec<Move>) -> Vec<Candidate<Move>> {
    let (Some(thief), Some(fire)) = (state.thief, state.fire) else {
        return moves.into_iter().map(|mv| Candidate { mv, worth: 0 }).collect();
    };
    let points = state.points();
    let reach = Reach::new(thief.at, points, &state.druids);
    let worth = |mv: &Move| {
        let after = after(state, fire, thief, points, &reach, mv);
        if after.has_fire && after.at == after.start {
            return WON;
        }
        -POINT * to_go(state, after) - risk(state, fire, after)
    };
    moves.into_iter().map(|mv| Candidate { worth: worth(&mv), mv }).collect()
}

/// The thief after a move.
fn after(state: &State, fire: Fire, thief: Thief, points: u8, reach: &Reach, mv: &Move) -> Thief {
    let mut after = thief;
    let left = match mv {
        Move::Go(GoTo { to }) => {
            (after.at, after.progress) = (*to, 0);
            points.saturating_sub(reach.cost(*to).unwrap_or(points))
        }
        Move::Take(TakeFire { to }) => {
            (after.at, after.progress, after.has_fire) = (*to, 0, true);
            0
        }
        Move::Stay(_) | Move::Start(_) => points,
    };
    if after.at == fire.trilithon && !after.has_fire && state.fire.is_some() {
        after.progress = (after.progress + left).min(CAPTURE);
        if after.progress == CAPTURE {
            (after.progress, after.has_fire) = (0, true);
        }
    }
    after
}

/// The movement points that the thief still needs.
fn to_go(state: &State, thief: Thief) -> i32 {
    let way = |from: Space, to: Space| i32::from(KNOWN.ways[goal(to)][from.index()]);
    match state.fire {
        Some(fire) if !thief.has_fire => {
            let capture = i32::from(CAPTURE - thief.progress);
            way(thief.at, fire.trilithon) + capture + way(fire.trilithon, thief.start)
        }
        _ => way(thief.at, thief.start),
    }
}

/// Returns what the druids notice at the end of this turn, and are likely to once they have walked again.
fn risk(state: &State, fire: Fire, thief: Thief) -> i32 {
    let mut risk = 0;
    for druid in Druid::ALL {
        let is_high = druid == fire.high_druid;
        let at = state.druids[druid.index()];
        let mut pile = state.alertness[druid.index()];
        if let Some(seen) = sighting(druid, at, is_high, thief.at) {
            risk += price(pile, seen.disks, seen.range == 0);
            pile = pile.saturating_sub(seen.disks);
        }
        let outlook = &KNOWN.outlook[watch(at, state.outbound)][thief.at.index()];
        let next = |(disks, chances): (u8, &u8)| i32::from(*chances) * price(pile, disks, false);
        let caught = i32::from(outlook.caught) * CAUGHT;
        let seen: i32 = (1..).zip(&outlook.disks).map(next).sum();
        risk += (seen + caught) / i32::from(CHANCES);
    }
    risk
}

/// Returns the cost of a pile's loss of this number of disks.
fn price(pile: u8, disks: u8, met: bool) -> i32 {
    if met || (disks > 0 && disks >= pile) {
        return CAUGHT;
    }
    i32::from(disks) * DISK / i32::from((pile - disks).max(1))
}

/// The disks that a druid will lose after the next card, in cases out of [`CHANCES`].
#[derive(Clone, Copy, Default)]
struct Outlook {
    /// One disk, two, three.
    disks: [u8; 3],
    /// The druid ends on the thief's space.
    caught: u8,
}

/// The number of cases: six colours by day and by night.
const CHANCES: u8 = 12;

struct Known {
    /// Points from each space to each goal: T1 to T5, 30a, 1a.
    ways: [[u8; SPACES as usize]; GOALS],
    /// By a druid's space with the direction of the High Druid ([`watch`]), then by the thief's space.
    outlook: Vec<[Outlook; SPACES as usize]>,
}

const GOALS: usize = TRILITHONS as usize + 2;

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let mut ways = [[ANYWHERE; SPACES as usize]; GOALS];
    let trilithons = (0..TRILITHONS).map(Space::trilithon);
    for to in trilithons.chain([Space::START_30, Space::START_1]) {
        let reach = Reach::new(to, ANYWHERE, &[]);
        for from in Space::all() {
            ways[goal(to)][from.index()] = reach.cost(from).unwrap_or(ANYWHERE);
        }
    }
    let stones = (0..STONES).map(stone_outlook);
    let blue = [false, true]
        .into_iter()
        .flat_map(|outbound| (1..=BLUESTONES).map(move |number| bluestone_outlook(number, outbound)));
    Known { ways, outlook: stones.chain(blue).collect() }
});

fn goal(to: Space) -> usize {
    match to.spot() {
        Spot::Trilithon(index) => usize::from(index),
        _ if to == Space::START_30 => GOALS - 2,
        _ => GOALS - 1,
    }
}

/// The place of a druid in the table of outlooks.
fn watch(at: Space, outbound: bool) -> usize {
    match at.spot() {
        Spot::Stone(stone) => usize::from(stone.index()),
        Spot::Bluestone(number) => {
            usize::from(STONES) + usize::from(outbound) * usize::from(BLUESTONES) + usize::from(number) - 1
        }
        Spot::Ring(_) | Spot::Trilithon(_) => 0,
    }
}

fn stone_outlook(index: u8) -> [Outlook; SPACES as usize] {
    let mut ends = vec![index; 2];
    for points in 1..=5 {
        ends.extend([(index + points) % STONES, (index + STONES - points) % STONES]);
    }
    outlook(ends.into_iter().map(|end| Space::stone(Stone::in_ring(end))), 1, false)
}

fn bluestone_outlook(number: u8, outbound: bool) -> [Outlook; SPACES as usize] {
    let (mut at, mut on) = (number, outbound);
    let mut ends = vec![number];
    for _ in 1..=5 {
        on = if at == 1 {
            true
        } else if at == BLUESTONES {
            false
        } else {
            on
        };
        at = if on { at + 1 } else { at - 1 };
        ends.push(at);
    }
    outlook(ends.into_iter().map(Space::bluestone), 2, true)
}

fn outlook(ends: impl Iterator<Item = Space>, weight: u8, is_high: bool) -> [Outlook; SPACES as usize] {
    let mut outlooks = [Outlook::default(); SPACES as usize];
    for end in ends {
        for thief in Space::all() {
            let Some(seen) = sighting(Druid::White, end, is_high, thief) else { continue };
            let outlook = &mut outlooks[thief.index()];
            match seen.disks {
                _ if seen.range == 0 => outlook.caught += weight,
                1..=3 => outlook.disks[usize::from(seen.disks) - 1] += weight,
                _ => {}
            }
        }
    }
    outlooks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_as_long_as_the_rules_say() {
        // TH-01.
        let way = |from, to: u8| KNOWN.ways[goal(Space::trilithon(to))][Space::index(from)];
        assert_eq!((way(Space::START_1, 0), way(Space::START_30, 0)), (9, 10));
    }

    #[test]
    fn every_outlook_has_all_cards() {
        assert_eq!(KNOWN.outlook.len(), usize::from(STONES + 2 * BLUESTONES));
        for outlook in KNOWN.outlook.iter().flatten() {
            let counted: u8 = outlook.disks.iter().sum::<u8>() + outlook.caught;
            assert!(counted <= CHANCES);
        }
        // On a druid's own stone: a black card leaves him there.
        let stone = Space::stone(Stone::in_ring(0));
        assert_eq!(KNOWN.outlook[watch(stone, true)][stone.index()].caught, 2);
    }
}
