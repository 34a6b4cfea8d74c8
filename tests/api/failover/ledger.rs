//! Acknowledged steps: what was acknowledged, when, during which fault, and what is there of it at the end.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::rig::Fault;

/// An acknowledged move.
struct Move {
    at: Instant,
    pair: usize,
    id: String,
    version: u64,
    /// The events that the answer told.
    content: Value,
}

/// An acknowledged match.
struct Made {
    at: Instant,
    token: String,
    commitment: Value,
    joined_by: Option<Value>,
    /// As it is read at the end, with its log.
    found: Option<(Value, Value)>,
}

/// A fault, from its beginning until the next one's.
struct Span {
    fault: Option<Fault>,
    begins: Instant,
    over: Option<Instant>,
}

/// The notes of a run.
pub struct Ledger {
    moves: Vec<Move>,
    made: HashMap<String, Made>,
    spans: Vec<Span>,
    refused: usize,
    unavailable: usize,
}

/// The counts of one span.
pub struct Sum {
    /// `None` before the first fault.
    pub fault: Option<Fault>,
    /// Acknowledged moves and creations.
    pub moves: usize,
    pub matches: usize,
    /// Of those, what is not there exactly once as it was acknowledged.
    pub lost_moves: usize,
    pub lost_matches: usize,
    /// Versions of a match that were acknowledged with different contents.
    pub doubled: usize,
    /// The longest time in which nobody's move was acknowledged, and in which one pair's was not.
    pub silence: Duration,
    pub wait: Duration,
}

impl Sum {
    pub fn is_broken(&self) -> bool {
        self.lost_moves + self.lost_matches + self.doubled > 0
    }
}

impl Ledger {
    pub fn new() -> Ledger {
        let calm = Span { fault: None, begins: Instant::now(), over: None };
        Ledger { moves: Vec::new(), made: HashMap::new(), spans: vec![calm], refused: 0, unavailable: 0 }
    }

    pub fn begins(&mut self, fault: Fault) {
        self.spans.push(Span { fault: Some(fault), begins: Instant::now(), over: None });
    }

    pub fn is_over(&mut self) {
        self.spans.last_mut().unwrap().over = Some(Instant::now());
    }

    pub fn made(&mut self, id: &str, token: &str, commitment: Value) {
        let made = Made { at: Instant::now(), token: token.to_owned(), commitment, joined_by: None, found: None };
        assert!(self.made.insert(id.to_owned(), made).is_none(), "a match was made twice");
    }

    pub fn joined(&mut self, id: &str, player: Value) {
        self.made.get_mut(id).unwrap().joined_by = Some(player);
    }

    pub fn moved(&mut self, pair: usize, id: &str, version: u64, content: Value) {
        self.moves.push(Move { at: Instant::now(), pair, id: id.to_owned(), version, content });
    }

    /// Something that had been acknowledged was answered with 403, 404 or 409.
    pub fn refused_one(&mut self) {
        self.refused += 1;
    }

    pub fn refused(&self) -> usize {
        self.refused
    }

    pub fn unavailable_once(&mut self) {
        self.unavailable += 1;
    }

    pub fn unavailable(&self) -> usize {
        self.unavailable
    }

    pub fn moves_of_each(&self) -> BTreeMap<usize, usize> {
        let mut moves = BTreeMap::new();
        for one in &self.moves {
            *moves.entry(one.pair).or_default() += 1;
        }
        moves
    }

    /// Each match, with the token of somebody who may read it.
    pub fn matches(&self) -> BTreeSet<(String, String)> {
        self.made.iter().map(|(id, made)| (id.clone(), made.token.clone())).collect()
    }

    pub fn found(&mut self, id: &str, found: Option<(Value, Value)>) {
        self.made.get_mut(id).unwrap().found = found;
    }

    /// During which span a moment was.
    fn span_at(&self, at: Instant) -> usize {
        self.spans.iter().rposition(|span| span.begins <= at).unwrap_or(0)
    }

    /// The sums of each span, in their order.
    pub fn sums(&self) -> Vec<Sum> {
        let mut sums: Vec<Sum> = (0..self.spans.len()).map(|span| self.gaps(span)).collect();
        for made in self.made.values() {
            let sum = &mut sums[self.span_at(made.at)];
            sum.matches += 1;
            sum.lost_matches += usize::from(!made.is_there());
        }
        let mut contents: HashMap<(&str, u64), &Value> = HashMap::new();
        for one in &self.moves {
            let sum = &mut sums[self.span_at(one.at)];
            sum.moves += 1;
            sum.lost_moves += usize::from(!self.is_there(one));
            let before = contents.insert((&one.id, one.version), &one.content);
            sum.doubled += usize::from(before.is_some_and(|before| *before != one.content));
        }
        sums
    }

    /// Returns true if the log has the acknowledged move once, at its version, with the content acknowledged.
    fn is_there(&self, one: &Move) -> bool {
        let Some((_, log)) = &self.made[&one.id].found else { return false };
        let logged: Vec<&Value> =
            log["items"].as_array().unwrap().iter().filter(|event| event["version"] == one.version).collect();
        let acknowledged: Vec<&Value> = one.content.as_array().unwrap().iter().collect();
        !acknowledged.is_empty() && logged == acknowledged
    }

    /// The times without service between the beginning of a span and the moment from which everyone moved again.
    fn gaps(&self, number: usize) -> Sum {
        let span = &self.spans[number];
        let over = span.over.unwrap_or_else(|| self.spans.get(number + 1).map_or(span.begins, |next| next.begins));
        let longest = |moments: Vec<Instant>| {
            moments
                .windows(2)
                .filter(|two| two[1] >= span.begins && two[1] <= over)
                .map(|two| two[1] - two[0])
                .max()
                .unwrap_or_default()
        };
        let pairs = self.moves_of_each().into_keys();
        let of = |pair| self.moves.iter().filter(|one| one.pair == pair).map(|one| one.at).collect();
        Sum {
            fault: span.fault,
            moves: 0,
            matches: 0,
            lost_moves: 0,
            lost_matches: 0,
            doubled: 0,
            silence: longest(self.moves.iter().map(|one| one.at).collect()),
            wait: pairs.map(|pair| longest(of(pair))).max().unwrap_or_default(),
        }
    }
}

impl Made {
    /// Returns true if the match is there as it was acknowledged, with the player who was told to have joined it, and
    /// its log is whole.
    fn is_there(&self) -> bool {
        let Some((read, log)) = &self.found else { return false };
        let versions: Vec<u64> =
            log["items"].as_array().unwrap().iter().map(|event| event["version"].as_u64().unwrap()).collect();
        let whole = versions.is_sorted() && versions.windows(2).all(|two| two[1] - two[0] <= 1);
        let joined = |player: &Value| read["match"]["seats"][1]["player"]["id"] == *player;
        whole && read["match"]["commitment"] == self.commitment && self.joined_by.as_ref().is_none_or(joined)
    }
}

/// A match that is there with one event of each version up to 3.
fn with_a_match() -> Ledger {
    use serde_json::json;
    let mut ledger = Ledger::new();
    ledger.made("m", "token", json!("c"));
    let log: Vec<Value> = (1..=3).map(|version| json!({"version": version, "event": version})).collect();
    ledger.found("m", Some((json!({"match": {"commitment": "c"}}), json!({"items": log}))));
    ledger
}

#[test]
fn what_is_lost_or_doubled_is_counted() {
    use serde_json::json;
    let content = |version, event| json!([{"version": version, "event": event}]);
    let mut ledger = with_a_match();
    ledger.moved(0, "m", 2, content(2, 2));
    assert!(!ledger.sums()[0].is_broken());
    ledger.begins(Fault::Planned);
    ledger.moved(0, "m", 3, content(3, 9));
    ledger.moved(0, "m", 3, content(3, 3));
    ledger.moved(0, "m", 4, content(4, 4));
    let sums = ledger.sums();
    assert_eq!((sums[0].lost_moves, sums[0].doubled, sums[0].lost_matches), (0, 0, 0));
    assert_eq!((sums[1].moves, sums[1].lost_moves, sums[1].doubled), (3, 2, 1));
}

#[test]
fn matches_that_are_gone_changed_or_have_holes_are_counted() {
    use serde_json::json;
    let lost = |found| {
        let mut ledger = with_a_match();
        ledger.joined("m", json!("p"));
        ledger.found("m", found);
        ledger.sums()[0].lost_matches
    };
    let read =
        |commitment, player| json!({"match": {"commitment": commitment, "seats": [{}, {"player": {"id": player}}]}});
    let log = |versions: &[u64]| json!({"items": versions.iter().map(|v| json!({"version": v})).collect::<Vec<_>>()});
    assert_eq!(lost(Some((read("c", "p"), log(&[1, 2, 2, 3])))), 0);
    assert_eq!(lost(None), 1);
    assert_eq!(lost(Some((read("d", "p"), log(&[1, 2, 3])))), 1);
    assert_eq!(lost(Some((read("c", "q"), log(&[1, 2, 3])))), 1);
    assert_eq!(lost(Some((read("c", "p"), log(&[1, 3])))), 1);
    assert_eq!(lost(Some((read("c", "p"), log(&[1, 2, 1])))), 1);
}
