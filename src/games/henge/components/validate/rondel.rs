//! The rondel.

use super::super::fault::Faults;
use super::super::file::Draft;
use super::super::places::{Rondel, StepRow};
use super::super::terms::{Action, Area};

/// Adds the faults of the rondel.
pub(crate) fn check(draft: &Draft, faults: &mut Faults) {
    let Some(rondel) = &draft.rondel else { return };
    let count = rondel.steps.len();
    faults.demand((1..=99).contains(&count), "rondel", || format!("must have 1 to 99 steps, not {count}"));
    for (number, step) in (1..).zip(&rondel.steps) {
        let at = format!("step {}", step.step);
        faults.demand(step.step == number, &at, || format!("must be numbered {number}"));
        let distinct = step.actions.len() < 2 || step.actions[0] != step.actions[1];
        faults.demand((1..=2).contains(&step.actions.len()) && distinct, &at, || {
            "must show one action or two different ones".to_owned()
        });
    }
    for action in Action::ALL {
        let shown = rondel.steps.iter().any(|step| step.actions.contains(&action));
        faults.demand(shown, "rondel", || format!("must have a step with {}", action.into_str()));
    }
    for area in Area::ALL {
        for action in [Action::Install, Action::Druid] {
            let shown = rondel.steps.iter().any(|step| step.area == area && step.actions.contains(&action));
            faults.demand(shown, "rondel", || format!("must have {} in area {}", action.into_str(), area.get()));
        }
    }
    if !rondel.steps.is_empty() {
        areas(rondel, faults);
        if let Some(privileges) = &draft.privileges {
            ways_out(rondel, privileges.rondel.levels.first().copied().unwrap_or(0), faults);
        }
    }
}

/// The areas lie one after the other, clockwise, with a transport icon at each border.
fn areas(rondel: &Rondel, faults: &mut Faults) {
    let steps = &rondel.steps;
    let next = steps.iter().cycle().skip(1);
    let last: Vec<&StepRow> = steps.iter().zip(next).filter(|(a, b)| a.area != b.area).map(|(a, _)| a).collect();
    for area in Area::ALL {
        let runs = last.iter().filter(|step| step.area == area).count();
        faults.demand(runs == 1, "rondel", || {
            format!("must have the steps of area {} in one run between other areas, not {runs}", area.get())
        });
    }
    for (step, next) in steps.iter().zip(steps.iter().cycle().skip(1)) {
        let clockwise = step.area == next.area || step.area.next() == next.area;
        faults.demand(clockwise, &format!("step {}", next.step), || {
            format!("lies in area {}, which does not come after area {} clockwise", next.area.get(), step.area.get())
        });
    }
    let wanted: Vec<u8> = last.iter().map(|step| step.step).collect();
    let mut found = rondel.transport_after.clone();
    found.sort_unstable();
    faults.demand(found == wanted, "rondel, transport_after", || {
        format!("must be the last steps of the areas, {wanted:?}, not {found:?}")
    });
}

/// From every step an Income or Luck step lies within the free steps of the first level.
fn ways_out(rondel: &Rondel, free: u8, faults: &mut Faults) {
    let steps = &rondel.steps;
    for (at, step) in steps.iter().enumerate() {
        let ahead = steps.iter().cycle().skip(at + 1).take(usize::from(free));
        let mut actions = ahead.flat_map(|step| &step.actions);
        let way_out = actions.any(|action| matches!(action, Action::Income | Action::Luck));
        faults.demand(way_out, &format!("step {}", step.step), || {
            format!("must have income or luck within the {free} free steps of the first level")
        });
    }
}
