use serde::Deserialize;
use serde_json::{Value, json};

use super::*;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Pace {
    Slow,
    Quick,
    Set(u8),
}

#[derive(Debug, PartialEq)]
struct Turns(i64);

impl<'de> Deserialize<'de> for Turns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Turns, D::Error> {
        integer(deserializer, 1..=99).map(Turns)
    }
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inner {
    pace: Pace,
    #[serde(default)]
    turns: Option<Turns>,
    #[serde(default)]
    list: Vec<u8>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Outer {
    inner: Inner,
    #[serde(default)]
    open: bool,
}

fn fault(json: Value) -> (String, String) {
    let fault = read::<Outer>(&json).unwrap_err();
    (fault.place().to_owned(), fault.to_string())
}

#[test]
fn what_fits_is_read() {
    let given = json!({"inner": {"pace": "slow", "turns": 99, "list": [1, 2]}, "open": true});
    let inner = Inner { pace: Pace::Slow, turns: Some(Turns(99)), list: vec![1, 2] };
    assert_eq!(read::<Outer>(&given).unwrap(), Outer { inner, open: true });
    let given = json!({"inner": {"pace": {"set": 7}, "turns": null}});
    assert_eq!(read::<Outer>(&given).unwrap().inner.pace, Pace::Set(7));
    assert_eq!(read::<Value>(&given).unwrap(), given);
}

#[test]
fn a_fault_names_its_place_and_what_is_permitted() {
    let cases = [
        (json!({"inner": {"pace": {"slow": null}}}), "inner.pace", "one of `slow`, `quick`, `set`"),
        (json!({"inner": {"pace": {"slow": {}}}}), "inner.pace", "one of `slow`, `quick`, `set`"),
        (json!({"inner": {"pace": "fast"}}), "inner.pace", "one of `slow`, `quick`, `set`"),
        (json!({"inner": {"pace": 1}}), "inner.pace", "one of `slow`, `quick`, `set`"),
        (json!({"inner": {"pace": "set"}}), "inner.pace", "has to be an object"),
        (json!({"inner": {"pace": "slow", "turns": 0}}), "inner.turns", "an integer from 1 to 99"),
        (json!({"inner": {"pace": "slow", "turns": -1}}), "inner.turns", "an integer from 1 to 99"),
        (json!({"inner": {"pace": "slow", "turns": u64::MAX}}), "inner.turns", "an integer from 1 to 99"),
        (json!({"inner": {"pace": "slow", "turns": 1.5}}), "inner.turns", "an integer from 1 to 99"),
        (json!({"inner": {"pace": "slow", "list": [1, 256]}}), "inner.list[1]", "an integer from 0 to 255"),
        (json!({"inner": {"pace": "slow", "list": "12"}}), "inner.list", "has to be a list"),
        (json!({"inner": {"pace": "slow", "x": 1}}), "inner.x", "there are `pace`, `turns`, `list`"),
        (json!({"inner": {}}), "inner.pace", "is missing"),
        (json!({"inner": ["slow"]}), "inner", "has to be an object"),
        (json!({"inner": {"pace": "slow"}, "open": "true"}), "open", "`true` or `false`"),
        (json!([{"pace": "slow"}]), ".", "this has to be an object"),
    ];
    for (given, place, said) in cases {
        let (at, text) = fault(given.clone());
        assert_eq!(at, place, "{given}: {text}");
        assert!(text.contains(said), "{given}: {text}");
    }
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    limit: Option<u32>,
    pace: Option<Pace>,
    #[serde(default)]
    open: bool,
}

#[test]
fn parameters_are_texts_of_what_they_say() {
    let query = |given: &[(&str, &str)]| {
        let given: Vec<_> = given.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        read_parameters::<Query>(&given).map_err(|fault| (fault.property().map(str::to_owned), fault.to_string()))
    };
    let read = Query { limit: Some(20), pace: Some(Pace::Quick), open: true };
    assert_eq!(query(&[("limit", "20"), ("pace", "quick"), ("open", "true")]), Ok(read));
    for (name, text, said) in [
        ("limit", "x", "an integer from 0 to 4294967295"),
        ("limit", "", "an integer from"),
        ("limit", "+1", "an integer from"),
        ("limit", "-1", "an integer from"),
        ("pace", "fast", "one of `slow`, `quick`"),
        ("open", "1", "`true` or `false`"),
        ("colour", "red", "there are `limit`, `pace`, `open`"),
    ] {
        let (field, fault) = query(&[(name, text)]).unwrap_err();
        assert_eq!(field.as_deref(), Some(name));
        assert!(fault.contains(said), "{fault}");
    }
    assert!(query(&[("limit", "1"), ("limit", "2")]).unwrap_err().1.contains("more than once"));
}

#[test]
fn what_is_out_of_a_range_may_stay_just_outside() {
    let near = |json: Value| integer_or_nearest(Given::Json(&json), 20..=2000);
    assert_eq!([near(json!(-5)), near(json!(20)), near(json!(u64::MAX))], [Ok(19), Ok(20), Ok(2001)]);
    assert!(near(json!("20")).unwrap_err().to_string().contains("an integer from 20 to 2000"));
}

#[test]
fn an_object_is_read_without_its_tag() {
    let Value::Object(object) = json!({"type": "x", "pace": "slow"}) else { panic!() };
    assert_eq!(read_without::<Inner>(&object, "type").unwrap().pace, Pace::Slow);
    assert_eq!(read::<Inner>(&Value::Object(object)).unwrap_err().place(), "type");
}
