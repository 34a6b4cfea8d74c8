//! Expressions of Prometheus, as far as they name metrics and labels.

use std::collections::BTreeSet;

/// A condition on a label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matcher {
    pub label: String,
    pub operator: String,
    pub value: String,
}

/// The names in an expression.
#[derive(Default, Debug)]
pub struct Named {
    /// Each metric, with the conditions on its labels.
    pub metrics: Vec<(String, Vec<Matcher>)>,
    /// The labels by which it groups.
    pub grouped_by: BTreeSet<String>,
}

/// Words that are neither metrics nor functions, which an opening parenthesis follows.
const KEYWORDS: [&str; 8] = ["by", "without", "on", "ignoring", "and", "or", "unless", "offset"];
/// Those that a list of labels follows.
const GROUPING: [&str; 4] = ["by", "without", "on", "ignoring"];

/// Reads an expression.
pub fn named(expression: &str) -> Named {
    let mut named = Named::default();
    let mut rest = expression.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            rest = text(rest).1;
        } else if first == '[' {
            // A range or a variable of Grafana's for one.
            rest = rest.split_once(']').expect("a closed range").1;
        } else if first.is_ascii_digit() {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.');
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':').unwrap_or(rest.len());
            let word = &rest[..end];
            rest = rest[end..].trim_start();
            if GROUPING.contains(&word) {
                let (labels, after) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).expect("labels");
                named.grouped_by.extend(labels.split(',').map(|label| label.trim().to_owned()));
                rest = after;
            } else if !KEYWORDS.contains(&word) && !rest.starts_with('(') && !grouping_follows(rest) {
                let (matchers, after) = matchers(rest);
                named.metrics.push((word.to_owned(), matchers));
                rest = after;
            }
        } else {
            rest = &rest[first.len_utf8()..];
        }
        rest = rest.trim_start();
    }
    named
}

/// `sum by (le) (…)`: the word before is a function.
fn grouping_follows(rest: &str) -> bool {
    GROUPING.iter().any(|word| rest.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('(')))
}

/// The conditions in braces that `rest` begins with, if it does.
fn matchers(rest: &str) -> (Vec<Matcher>, &str) {
    let Some(mut rest) = rest.strip_prefix('{') else { return (Vec::new(), rest) };
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start().trim_start_matches(',').trim_start();
        if let Some(after) = rest.strip_prefix('}') {
            return (found, after);
        }
        let at = rest.find(['=', '!']).expect("an operator");
        let (label, after) = rest.split_at(at);
        let (operator, after) = after.split_at(after.find('"').expect("a value"));
        let (value, after) = text(after);
        found.push(Matcher { label: label.trim().to_owned(), operator: operator.trim().to_owned(), value });
        rest = after;
    }
}

/// The text in quotation marks that `rest` begins with; none of ours holds an escape.
fn text(rest: &str) -> (String, &str) {
    let (text, after) = rest[1..].split_once('"').expect("a closed text");
    (text.to_owned(), after)
}

#[test]
fn metrics_conditions_and_groups_are_read() {
    let read = named(
        r#"sum by (le, op) (rate(a_bucket{op!="x",s="5xx"}[5m])) / max(abs(b)) > 0.01 unless on (job) up == 1e3"#,
    );
    let names: Vec<&str> = read.metrics.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a_bucket", "b", "up"]);
    let matcher = |label: &str, operator: &str, value: &str| Matcher {
        label: label.to_owned(),
        operator: operator.to_owned(),
        value: value.to_owned(),
    };
    assert_eq!(read.metrics[0].1, [matcher("op", "!=", "x"), matcher("s", "=", "5xx")]);
    assert_eq!(read.grouped_by, ["job", "le", "op"].map(str::to_owned).into());
    assert_eq!(named("rate(c_total[$__rate_interval]) > 0").metrics, [("c_total".to_owned(), Vec::new())]);
}
