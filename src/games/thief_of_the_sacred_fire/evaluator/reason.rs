//! Reasons for good moves, in words: the distance gained, and the disks that it costs.

use super::super::detection::sighting;
use super::super::figures::Druid;
use super::super::moves::Move;
use super::super::reach::Reach;
use super::super::state::{CAPTURE, Fire, State, Thief};
use super::{KNOWN, Outlook, after, to_go, watch};
use sarsen_rules::phrases::counted;

/// The reason for a legal move of a turn; none for the start, of which nothing is known before the fire shows.
pub(crate) fn of(state: &State, mv: &Move) -> Option<String> {
    let (thief, fire) = (state.thief?, state.fire?);
    let points = state.points();
    let reach = Reach::new(thief.at, points, &state.druids);
    let then = after(state, fire, thief, points, &reach, mv);
    if then.has_fire && then.at == then.start {
        return Some("It brings the fire home, which wins the game.".to_owned());
    }
    Some(format!("{}, {}.", deed(state, thief, then), notice(state, fire, then)))
}

/// Returns what is done.
fn deed(state: &State, thief: Thief, then: Thief) -> String {
    let nearer = to_go(state, thief) - to_go(state, then);
    let goal = if thief.has_fire { "home" } else { "to the fire and back" };
    match u8::try_from(nearer) {
        _ if then.has_fire && !thief.has_fire => "It takes the fire".to_owned(),
        _ if then.progress > thief.progress => {
            format!("It brings the capture to {} of {CAPTURE} points", then.progress)
        }
        Ok(1..) => format!("It takes {} off the way {goal}", counted(nearer.unsigned_abs(), "point", "points")),
        Ok(0) => "It loses no ground".to_owned(),
        Err(_) => {
            format!("It adds {} to the way {goal}", counted(nearer.unsigned_abs(), "point", "points"))
        }
    }
}

/// Returns what the druids notice there now, and may notice once they have walked again.
fn notice(state: &State, fire: Fire, then: Thief) -> String {
    let (mut disks, mut later) = (0, false);
    for druid in Druid::ALL {
        let at = state.druids[druid.index()];
        let seen = sighting(druid, at, druid == fire.high_druid, then.at);
        disks += seen.map_or(0, |seen| seen.disks.min(state.alertness[druid.index()]));
        let Outlook { disks, caught } = KNOWN.outlook[watch(at, state.outbound)][then.at.index()];
        later |= caught > 0 || disks.iter().any(|chances| *chances > 0);
    }
    match (disks, later) {
        (0, false) => "and no druid can notice the thief there, whatever cards come next".to_owned(),
        (0, true) => "and no druid notices the thief there this turn".to_owned(),
        _ => format!("and costs {}", counted(disks, "disk", "disks")),
    }
}
