//! Legal moves of the thief, and refusals of the others.

use super::moves::{ChooseStart, GoTo, Move, StayHere, TakeFire};
use super::reach::Reach;
use super::space::{Space, Spot};
use super::state::{CAPTURE, Stage, State, Thief};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Refusal, Seat};

/// More than any way costs.
const NO_LIMIT: u8 = 200;

/// The moves of the open decision: the starts; or staying, then every space within reach in board order, then the same
/// after the capture. None for a seat that has nothing to decide.
pub(crate) fn moves_into(state: &State, seat: Seat, moves: &mut Vec<Move>) {
    moves.clear();
    if state.actor() != Some(seat) {
        return;
    }
    let (Stage::Moving, Some(thief)) = (state.stage, state.thief) else {
        moves.extend([Space::START_1, Space::START_30].map(|space| Move::Start(ChooseStart { space })));
        return;
    };
    let reach = Reach::new(thief.at, state.points(), &state.druids);
    moves.reserve(1 + reach.len());
    moves.push(Move::Stay(StayHere {}));
    moves.extend(reach.targets().map(|to| Move::Go(GoTo { to })));
    if let Some(left) = after_capture(state, thief) {
        let reach = Reach::new(thief.at, left, &state.druids);
        moves.extend(reach.targets().map(|to| Move::Take(TakeFire { to })));
    }
}

/// The points that are left once the capture is finished; `None` where it cannot be.
fn after_capture(state: &State, thief: Thief) -> Option<u8> {
    state.points().checked_sub(CAPTURE - thief.progress).filter(|_| state.at_fire())
}

/// Returns whether the move is one of [`moves_into`].
pub(crate) fn check(state: &State, mv: &Move) -> Result<(), Refusal> {
    let thief = match (state.stage, state.thief, mv) {
        (Stage::ChoosingStart, _, Move::Start(ChooseStart { space })) => {
            return if [Space::START_1, Space::START_30].contains(space) {
                Ok(())
            } else {
                Err(Refusal::new("not_a_start", "TH-01", Some("space"), "the thief sets out from 30a or 1a"))
            };
        }
        (Stage::ChoosingStart, ..) => {
            return Err(Refusal::new("start_open", "TH-01", Some("type"), "a start has to be chosen first"));
        }
        (Stage::Moving, Some(thief), _) => thief,
        _ => return Err(Refusal::new("nothing_to_decide", "7.2", None, "the match is over")),
    };
    match mv {
        Move::Start(_) => Err(Refusal::new("start_chosen", "TH-01", Some("type"), "the start has already been chosen")),
        Move::Stay(StayHere {}) => Ok(()),
        Move::Go(GoTo { to }) => check_way(state, thief, *to, state.points()),
        Move::Take(TakeFire { to }) => check_way(state, thief, *to, check_capture(state, thief)?),
    }
}

/// The points that are left for going on, or why the capture cannot be finished.
fn check_capture(state: &State, thief: Thief) -> Result<u8, Refusal> {
    let refuse = |code, rule, detail: String| Err(Refusal::new(code, rule, Some("type"), detail));
    if thief.has_fire {
        return refuse("fire_already_taken", "5.4", "the thief already has the fire".to_owned());
    }
    if !state.at_fire() {
        let rule = if matches!(thief.at.spot(), Spot::Trilithon(_)) { "TH-23" } else { "5.5" };
        return refuse(
            "not_at_the_fire",
            rule,
            "only a thief who begins the turn beside the fire can take it and go on".into(),
        );
    }
    let (points, needed) = (state.points(), CAPTURE - thief.progress);
    match points.checked_sub(needed) {
        Some(left) if left > 0 => Ok(left),
        left => refuse(
            "too_few_points",
            if left.is_none() { "TH-20" } else { "5.5" },
            format!(
                "the capture needs {} and a step at least one, but the card gives {points}",
                counted(needed, "more point", "more points")
            ),
        ),
    }
}

fn in_points(number: u8) -> String {
    counted(number, "point", "points")
}

fn check_way(state: &State, thief: Thief, to: Space, points: u8) -> Result<(), Refusal> {
    let refuse = |code, rule, detail: String| Err(Refusal::new(code, rule, Some("to"), detail));
    if to == thief.at {
        return refuse("same_space", "TH-22", format!("the thief is already on {to}; to remain there, stay"));
    }
    if state.druids.contains(&to) {
        return refuse("druid_there", "TH-29", format!("a druid stands on {to}"));
    }
    if Reach::new(thief.at, points, &state.druids).cost(to).is_some() {
        return Ok(());
    }
    if points == 0 {
        return refuse("no_points", "TH-19", "a black card gives no movement points".to_owned());
    }
    let costs = |guarded: &[Space]| Reach::new(thief.at, NO_LIMIT, guarded).cost(to);
    match (costs(&[]), costs(&state.druids)) {
        (Some(unguarded), _) if unguarded <= points => {
            refuse("way_guarded", "TH-29", format!("druids block the ways to {to} that the points would reach"))
        }
        (_, Some(cost)) => refuse(
            "out_of_reach",
            "5.2",
            format!("the way to {to} costs {}, and the thief has {}", in_points(cost), in_points(points)),
        ),
        _ => refuse("way_guarded", "TH-29", format!("druids block every way to {to}")),
    }
}
