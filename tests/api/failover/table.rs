//! The sums of a run as a table, one row for each kind of fault.

use std::fmt::Write;
use std::time::Duration;

use test_kit::redis_server;

use super::ledger::{Ledger, Sum};
use super::plan::Plan;

const HEAD: &str = "\
| fault | times | acknowledged moves | creations | lost moves | lost matches | doubled versions | longest silence of all, s | longest wait of one pair, s |
|---|---|---|---|---|---|---|---|---|
";

/// The table of a plan.
pub fn of(plan: &Plan, ledger: &Ledger) -> String {
    let sums = ledger.sums();
    let (name, version, players) = (&plan.name, redis_server::version(), 2 * plan.pairs);
    let mut text = format!("\n{name}, {version} ({players} players, two instances)\n\n{HEAD}");
    let mut kinds: Vec<_> = sums.iter().map(|sum| sum.fault).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let of_kind: Vec<&Sum> = sums.iter().filter(|sum| sum.fault == kind).collect();
        row(&mut text, false, kind.map_or("none, before the first", super::Fault::name), &of_kind);
    }
    row(&mut text, true, "all", &sums.iter().collect::<Vec<_>>());
    let (unavailable, refused) = (ledger.unavailable(), ledger.refused());
    writeln!(
        text,
        "\nAnswered 503 and repeated: {unavailable}. Answered 403, 404 or 409 about something acknowledged: {refused}."
    )
    .unwrap();
    text
}

fn row(text: &mut String, is_total: bool, name: &str, sums: &[&Sum]) {
    let count = |what: fn(&Sum) -> usize| sums.iter().map(|sum| what(sum)).sum::<usize>();
    let seconds = |what: fn(&Sum) -> Duration| {
        let mut each: Vec<Duration> = sums.iter().map(|sum| what(sum)).collect();
        if is_total {
            each = each.into_iter().max().into_iter().collect();
        }
        each.iter().map(|one| format!("{:.1}", one.as_secs_f64())).collect::<Vec<_>>().join(", ")
    };
    writeln!(
        text,
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
        sums.len(),
        count(|sum| sum.moves),
        count(|sum| sum.matches),
        count(|sum| sum.lost_moves),
        count(|sum| sum.lost_matches),
        count(|sum| sum.doubled),
        seconds(|sum| sum.silence),
        seconds(|sum| sum.wait),
    )
    .unwrap();
}
