//! Effects, windows and scores of cards.

use super::super::effects::{Effect, Nested};
use super::super::fault::Faults;
use super::super::file::Draft;
use super::super::scoring::{Count, Score};
use super::super::terms::{BonusDeck, ModKind, Window};
use super::lists::lists;

/// Adds the faults of effects and scores.
pub(crate) fn check(draft: &Draft, faults: &mut Faults) {
    lengths(draft, faults);
    for (at, on_luck_card, list) in lists(draft) {
        walk(list, &mut |effect| match effect {
            Effect::Choose { of } if of.is_empty() => faults.add(&at, "offers a choice of nothing"),
            Effect::Mod { what, .. } if !on_luck_card => {
                faults.add(&at, format!("has the mod {}, which only Luck cards may have", what.into_str()));
            }
            Effect::CoinsPer { count, .. } if on_luck_card => {
                if let Some(word) = can_shrink(count) {
                    faults
                        .add(&at, format!("gains coins per {word}, which can shrink before the card is played (H-09)"));
                }
            }
            _ => {}
        });
    }
    ends(draft, faults);
    windows(draft, faults);
    scores(draft, faults);
}

/// Longest list of effects and most options of a choice: a match counts its way through a list in 8 bits, and a move
/// names an option by a number up to this.
const MOST: usize = 99;

/// As many lists can be told apart.
const MOST_LISTS: usize = 1 << 16;

/// Lists and choices are no longer than a match can count, one fault for each thing they are printed on.
fn lengths(draft: &Draft, faults: &mut Faults) {
    let mut total = 0;
    for (at, _, list) in lists(draft) {
        let (mut longest, mut widest) = (list.0.len(), 0);
        total += 1;
        walk(list, &mut |effect| {
            if let Effect::Choose { of } = effect {
                total += of.len();
                widest = widest.max(of.len());
                longest = of.iter().map(|inner| inner.0.len()).fold(longest, usize::max);
            }
        });
        faults.demand(longest <= MOST, &at, || format!("has a list of {longest} effects, more than {MOST}"));
        faults.demand(widest <= MOST, &at, || format!("offers a choice of {widest}, more than {MOST}"));
    }
    faults.demand(total <= MOST_LISTS, "file", || format!("has {total} lists of effects, more than {MOST_LISTS}"));
}

/// Visits every effect of a list and of those within it.
fn walk(list: &Nested, visit: &mut impl FnMut(&Effect<Nested>)) {
    for effect in &list.0 {
        visit(effect);
        if let Effect::Choose { of } = effect {
            of.iter().for_each(|inner| walk(inner, visit));
        }
    }
}

fn can_shrink(count: &Count) -> Option<&'static str> {
    match count {
        Count::LuckCards {} => Some("luck_cards"),
        Count::Coins {} => Some("coins"),
        Count::Travel {} => Some("travel"),
        Count::Held {} => Some("held"),
        _ => None,
    }
}

/// A level-up in the benefit of a level-up at the top might never come to an end.
fn ends(draft: &Draft, faults: &mut Faults) {
    for (at, _, list) in lists(draft).into_iter().filter(|(at, ..)| at.ends_with(", end")) {
        walk(list, &mut |effect| {
            if matches!(effect, Effect::Level { .. }) {
                faults.add(&at, "gives a level-up, which could go on for ever");
            }
        });
    }
}

/// Returns whether a mod means something in the window.
fn fits(what: ModKind, window: Window) -> bool {
    use ModKind as M;
    use Window as W;
    match what {
        M::FreeSteps | M::DoubleTransport => window == W::Move,
        M::Discount => matches!(window, W::Quarry | W::Carve | W::Druid),
        M::Limit => matches!(window, W::Quarry | W::Druid),
        M::Storage | M::Start => window == W::Quarry,
        M::UnitVp => matches!(window, W::Quarry | W::Carve | W::Druid | W::Install),
        M::ReachAdjacent | M::ReachRemote => matches!(window, W::Druid | W::Install),
        M::AsCarved | M::AnyLevel => window == W::Install,
    }
}

fn windows(draft: &Draft, faults: &mut Faults) {
    for card in &draft.luck.read {
        let at = format!("luck card {}", card.id);
        faults.demand(!card.when.is_empty(), &at, || "must have a window".to_owned());
        let twice = (1..card.when.len()).any(|i| card.when[..i].contains(&card.when[i]));
        faults.demand(!twice, &at, || "names a window twice".to_owned());
        let before_move = card.when.contains(&Window::Move);
        faults.demand(!before_move || card.when.len() == 1, &at, || "has the window move beside others".to_owned());
        if before_move && !card.effects.0.iter().all(|effect| matches!(effect, Effect::Mod { .. })) {
            faults.add(&at, "has the window move, but not only mods");
        }
        walk(&card.effects, &mut |effect| {
            if let Effect::Mod { what, .. } = effect {
                for window in card.when.iter().filter(|window| !fits(*what, **window)) {
                    faults.add(
                        &at,
                        format!(
                            "has the mod {}, which means nothing in the window {}",
                            what.into_str(),
                            window.into_str()
                        ),
                    );
                }
            }
        });
    }
}

fn scores(draft: &Draft, faults: &mut Faults) {
    for card in &draft.bonus.read {
        let at = format!("bonus card {}", card.id);
        let spring_form = matches!(card.score, Score::Goal { .. } | Score::Tally { .. });
        match card.deck {
            BonusDeck::Spring if !spring_form => faults.add(&at, "is a Spring card without goal or tally"),
            BonusDeck::EndOfGame if spring_form => faults.add(&at, "is an end-of-game card with a goal or tally"),
            _ => {}
        }
        match &card.score {
            Score::Per { div: 0, .. } => faults.add(&at, "divides by 0"),
            Score::Table { values, .. } if values.is_empty() => faults.add(&at, "has a table without values"),
            _ => {}
        }
    }
}
