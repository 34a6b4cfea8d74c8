//! The document changes only as `/v1` may change (its tag `service`), compared with the document of the newest tag `v*`.
//!
//! Requests may gain operations, optional parameters and optional properties; answers may gain properties, and parts of
//! unions and enumerations that are open. It lacks headers, security, and bounds of answers.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};

/// Breaches since the newest tag that are intended, each with its reason. The next tag empties the list.
const ALLOWED: &[(&str, &str)] = &[];

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];
/// Bounds of a value that a client sends, with whether a smaller one is the narrower.
const BOUNDS: [(&str, bool); 6] = [
    ("maximum", true),
    ("maxLength", true),
    ("maxItems", true),
    ("minimum", false),
    ("minLength", false),
    ("minItems", false),
];

/// The values of an enumeration that may grow.
const OPEN: &str = "x-extensible-enum";

/// The breaches of compatibility from one document to the next, each with its place.
fn breaches(before: &Value, after: &Value) -> Vec<String> {
    let mut comparison = Comparison { before, after, seen: BTreeSet::new(), found: Vec::new() };
    comparison.documents();
    comparison.found
}

/// The sender of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sender {
    Client,
    Server,
}

struct Comparison<'a> {
    before: &'a Value,
    after: &'a Value,
    /// Components that were compared, by sender and by whether they may grow. Schemas refer to each other in circles.
    seen: BTreeSet<(&'a str, Sender)>,
    found: Vec<String>,
}

impl<'a> Comparison<'a> {
    fn documents(&mut self) {
        for name in keys(&self.before["components"]["schemas"]) {
            self.expect(self.after["components"]["schemas"].get(name).is_some(), name, "removed schema");
        }
        for path in keys(&self.before["paths"]) {
            for method in METHODS {
                let (before, after) = (&self.before["paths"][path][method], &self.after["paths"][path][method]);
                if !before.is_null() {
                    self.operation(&format!("{} {path}", method.to_uppercase()), before, after);
                }
            }
        }
    }

    fn expect(&mut self, holds: bool, at: &str, breach: &str) {
        if !holds {
            self.found.push(format!("{at}: {breach}"));
        }
    }

    fn operation(&mut self, at: &str, before: &'a Value, after: &'a Value) {
        if after.is_null() {
            return self.expect(false, at, "removed operation");
        }
        self.expect(before["operationId"] == after["operationId"], at, "changed operationId");
        let (old, new) = (parameters(self.before, before), parameters(self.after, after));
        for parameter in &old {
            let at = format!("{at} {}", named(parameter));
            match new.iter().find(|it| named(it) == named(parameter)) {
                None => self.expect(false, &at, "removed parameter"),
                Some(it) => {
                    self.expect(it["required"] != true || parameter["required"] == true, &at, "now required");
                    self.schema(&at, &parameter["schema"], &it["schema"], Sender::Client);
                }
            }
        }
        for parameter in new.iter().filter(|it| !old.iter().any(|other| named(other) == named(it))) {
            let at = format!("{at} {}", named(parameter));
            self.expect(parameter["required"] != true, &at, "new required parameter");
        }
        let bodies = (resolved(self.before, &before["requestBody"]), resolved(self.after, &after["requestBody"]));
        self.expect(bodies.1["required"] != true || bodies.0["required"] == true, at, "body now required");
        self.contents(&format!("{at} body"), bodies.0, bodies.1, Sender::Client);
        for status in keys(&before["responses"]) {
            let at = format!("{at} {status}");
            let old = resolved(self.before, &before["responses"][status]);
            match after["responses"].get(status) {
                // A failure that does not happen any more harms nobody.
                None => self.expect(!status.starts_with('2'), &at, "removed answer"),
                Some(new) => self.contents(&at, old, resolved(self.after, new), Sender::Server),
            }
        }
    }

    fn contents(&mut self, at: &str, before: &'a Value, after: &'a Value, sender: Sender) {
        for media in keys(&before["content"]) {
            match after["content"].get(media) {
                None => self.expect(false, at, &format!("removed {media}")),
                Some(it) => self.schema(at, &before["content"][media]["schema"], &it["schema"], sender),
            }
        }
    }

    fn schema(&mut self, at: &str, before: &'a Value, after: &'a Value, sender: Sender) {
        let name = before["$ref"].as_str();
        if name.is_some_and(|name| !self.seen.insert((name, sender))) {
            return;
        }
        let (before, after) = (resolved(self.before, before), resolved(self.after, after));
        // A request may be allowed more than before, an answer may not be more than before.
        let (narrow, wide) = if sender == Sender::Client { (before, after) } else { (after, before) };
        let fits = types(narrow).iter().all(|it| types(wide).contains(it)) || types(wide).is_empty();
        self.expect(fits && types(before).is_empty() == types(after).is_empty(), at, "changed type");
        for keyword in ["const", "format"] {
            self.expect(before[keyword] == after[keyword], at, &format!("changed {keyword}"));
        }
        self.enumeration(at, before, after, sender);
        if sender == Sender::Client {
            self.expect(after["pattern"].is_null() || before["pattern"] == after["pattern"], at, "changed pattern");
            for (bound, smaller) in BOUNDS {
                let narrower = match (before[bound].as_f64(), after[bound].as_f64()) {
                    (Some(old), Some(new)) => {
                        if smaller {
                            new < old
                        } else {
                            new > old
                        }
                    }
                    (None, Some(new)) => smaller || new > 0.0,
                    (_, None) => false,
                };
                self.expect(!narrower, at, &format!("narrowed {bound}"));
            }
        }
        self.properties(at, before, after, sender);
        for union in ["oneOf", "anyOf", "allOf"] {
            self.union(at, &before[union], &after[union], sender);
        }
        for inner in ["items", "additionalProperties"] {
            if before[inner].is_object() {
                self.schema(&format!("{at}[]"), &before[inner], &after[inner], sender);
            }
        }
    }

    fn enumeration(&mut self, at: &str, before: &Value, after: &Value, sender: Sender) {
        let known = |schema: &Value| schema[OPEN].as_array().cloned().unwrap_or_default();
        let gone: Vec<Value> = known(before).into_iter().filter(|value| !known(after).contains(value)).collect();
        self.expect(gone.is_empty(), at, &format!("removed values {gone:?}"));
        let (Some(old), new) = (before["enum"].as_array(), after["enum"].as_array()) else {
            let is_new = after["enum"].is_array() && sender == Sender::Client;
            return self.expect(!is_new, at, "new enum");
        };
        let removed: Vec<&Value> = old.iter().filter(|it| new.is_some_and(|new| !new.contains(it))).collect();
        self.expect(removed.is_empty(), at, &format!("removed values {removed:?}"));
        let grows = new.is_none_or(|new| new.iter().any(|it| !old.contains(it)));
        self.expect(sender == Sender::Client || !grows, at, "new values of a closed enum");
    }

    fn properties(&mut self, at: &str, before: &'a Value, after: &'a Value, sender: Sender) {
        let is_required = |schema: &Value, name: &str| {
            schema["required"].as_array().is_some_and(|names| names.iter().any(|it| it == name))
        };
        for name in keys(&before["properties"]) {
            let at = format!("{at}.{name}");
            let Some(new) = after["properties"].get(name) else {
                self.expect(false, &at, "removed property");
                continue;
            };
            match (is_required(before, name), is_required(after, name)) {
                (false, true) => self.expect(sender == Sender::Server, &at, "now required"),
                (true, false) => self.expect(sender == Sender::Client, &at, "no longer always there"),
                _ => {}
            }
            self.schema(&at, &before["properties"][name], new, sender);
        }
        for name in keys(&after["properties"]) {
            let is_new = before["properties"].get(name).is_none();
            let breaks = is_new && sender == Sender::Client && is_required(after, name);
            self.expect(!breaks, &format!("{at}.{name}"), "new required property");
        }
    }

    fn union(&mut self, at: &str, before: &'a Value, after: &'a Value, sender: Sender) {
        let (old, new) = (parts(before), parts(after));
        // A part that fits whatever has another tag.
        let open = old.iter().any(|part| resolved(self.before, part)["properties"].as_object().is_some_and(has_not));
        for part in old {
            let at = format!("{at}|{}", label(part));
            match new.iter().find(|it| label(it) == label(part)) {
                None => self.expect(false, &at, "removed part of a union"),
                Some(it) => self.schema(&at, part, it, sender),
            }
        }
        if sender == Sender::Server && !open {
            for part in new.iter().filter(|it| !old.iter().any(|other| label(other) == label(it))) {
                self.expect(false, &format!("{at}|{}", label(part)), "new part of a closed union");
            }
        }
    }
}

fn keys(value: &Value) -> impl Iterator<Item = &str> {
    value.as_object().into_iter().flat_map(Map::keys).map(String::as_str)
}

fn parts(union: &Value) -> &[Value] {
    union.as_array().map_or(&[], Vec::as_slice)
}

fn has_not(properties: &Map<String, Value>) -> bool {
    properties.values().any(|property| property.get("not").is_some())
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

/// The value itself, or the component that it refers to.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#')));
    target.map_or(value, |target| resolved(document, target))
}

fn parameters<'a>(document: &'a Value, operation: &'a Value) -> Vec<&'a Value> {
    parts(&operation["parameters"]).iter().map(|parameter| resolved(document, parameter)).collect()
}

fn named(parameter: &Value) -> String {
    format!("{}:{}", parameter["in"].as_str().unwrap_or_default(), parameter["name"].as_str().unwrap_or_default())
}

/// The name by which a part of a union is found again: its component, or else what it looks like.
fn label(part: &Value) -> String {
    let name = part["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    name.map_or_else(|| format!("{}{}{}", part["const"], part["type"], part["enum"].is_array()), str::to_owned)
}

/// The document of the newest tag, or `None` where there is no tag (or no Git).
fn released() -> Option<(String, Value)> {
    let git = |arguments: &[&str]| {
        let run = Command::new("git").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
        run.status.success().then(|| String::from_utf8(run.stdout).unwrap())
    };
    let tag = git(&["describe", "--tags", "--abbrev=0", "--match", "v*"])?.trim().to_owned();
    let document = git(&["show", &format!("{tag}:openapi/openapi.json")]).expect("the tag has a document");
    Some((tag, serde_json::from_str(&document).unwrap()))
}

#[test]
fn the_document_is_compatible_with_the_newest_tag() {
    let Some((tag, before)) = released() else { return println!("nothing to compare with: no tag v*") };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    let after: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let found = breaches(&before, &after);
    let unexpected: Vec<&String> =
        found.iter().filter(|breach| !ALLOWED.iter().any(|(allowed, _)| allowed == breach)).collect();
    assert!(unexpected.is_empty(), "incompatible with {tag}, and not in ALLOWED: {unexpected:#?}");
    let idle: Vec<_> = ALLOWED.iter().filter(|(allowed, _)| !found.iter().any(|breach| allowed == breach)).collect();
    assert!(idle.is_empty(), "in ALLOWED, but no breach since {tag}: {idle:#?}");
}

#[test]
fn the_document_is_compatible_with_itself() {
    let document: Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    assert_eq!(breaches(&document, &document), Vec::<String>::new());
}

/// A small document: the client sends `Ask` and gets `Told`.
fn small() -> Value {
    json!({
        "paths": {"/asks": {"post": {
            "operationId": "ask",
            "parameters": [{"name": "wait", "in": "query", "schema": {"type": "integer", "maximum": 30}}],
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ask"}}}},
            "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Told"}}}}},
        }}},
        "components": {"schemas": {
            "Ask": {"type": "object", "required": ["seat"], "properties": {
                "seat": {"type": "integer"},
                "form": {"type": "string", "enum": ["full", "none"]},
            }},
            "Told": {"type": "object", "required": ["code"], "properties": {
                "code": {"type": "string", OPEN: ["lost"]},
                "stage": {"type": "string", "enum": ["open", "over"]},
                "event": {"oneOf": [{"$ref": "#/components/schemas/Ended"}]},
            }},
            "Ended": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Told"}}},
        }},
    })
}

/// The breaches after the value at a place has become another; `null` removes it.
fn after(place: &str, value: &Value) -> Vec<String> {
    let mut document = small();
    let (parent, key) = place.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).expect(place).as_object_mut().unwrap();
    match value {
        Value::Null => parent.remove(key),
        value => parent.insert(key.to_owned(), value.clone()),
    };
    breaches(&small(), &document)
}

#[test]
fn breaches_are_found() {
    let ask = "/components/schemas/Ask";
    let told = "/components/schemas/Told/properties";
    let wait = |wait: Value| json!([wait]);
    for (place, value, breach) in [
        ("/paths/~1asks/post", json!(null), "POST /asks: removed operation"),
        ("/paths/~1asks/post/operationId", json!("beg"), "POST /asks: changed operationId"),
        ("/paths/~1asks/post/parameters", json!([]), "POST /asks query:wait: removed parameter"),
        (
            "/paths/~1asks/post/parameters",
            wait(json!({"name": "wait", "in": "query", "schema": {"type": "integer", "maximum": 9}})),
            "POST /asks query:wait: narrowed maximum",
        ),
        ("/paths/~1asks/post/requestBody/required", json!(true), "POST /asks: body now required"),
        ("/paths/~1asks/post/responses", json!({}), "POST /asks 200: removed answer"),
        ("/components/schemas/Other", json!({}), ""),
        (&format!("{ask}/required"), json!(["seat", "form"]), "POST /asks body.form: now required"),
        (&format!("{ask}/required"), json!([]), ""),
        (&format!("{ask}/properties/form"), json!(null), "POST /asks body.form: removed property"),
        (
            &format!("{ask}/properties/form/enum"),
            json!(["full"]),
            r#"POST /asks body.form: removed values [String("none")]"#,
        ),
        (&format!("{ask}/properties/form/enum"), json!(["full", "none", "count"]), ""),
        (&format!("{ask}/properties/seat/type"), json!("string"), "POST /asks body.seat: changed type"),
        (&format!("{ask}/properties/seat/type"), json!(["integer", "null"]), ""),
        (&format!("{ask}/properties/more"), json!({"type": "string"}), ""),
        (&format!("{told}/code"), json!(null), "POST /asks 200.code: removed property"),
        ("/components/schemas/Told/required", json!([]), "POST /asks 200.code: no longer always there"),
        (&format!("{told}/stage/type"), json!(["string", "null"]), "POST /asks 200.stage: changed type"),
        (&format!("{told}/stage/format"), json!("uri"), "POST /asks 200.stage: changed format"),
        (
            &format!("{told}/stage/enum"),
            json!(["open", "over", "later"]),
            "POST /asks 200.stage: new values of a closed enum",
        ),
        (&format!("{told}/code/{OPEN}"), json!(["lost", "found"]), ""),
        (&format!("{told}/code/{OPEN}"), json!(["found"]), r#"POST /asks 200.code: removed values [String("lost")]"#),
        (
            &format!("{told}/event/oneOf"),
            json!([{"$ref": "#/components/schemas/Ended"}, {"$ref": "#/components/schemas/Ask"}]),
            "POST /asks 200.event|Ask: new part of a closed union",
        ),
        (&format!("{told}/event/oneOf"), json!([]), "POST /asks 200.event|Ended: removed part of a union"),
        (&format!("{told}/more"), json!({"type": "string"}), ""),
    ] {
        let found = after(place, &value);
        assert_eq!(found, Vec::from_iter((!breach.is_empty()).then_some(breach)), "{place} = {value}");
    }
    // A property that must be sent, and that no client of before sends.
    let more = json!({"type": "object", "required": ["seat", "more"], "properties": {
        "seat": {"type": "integer"}, "form": {"type": "string", "enum": ["full", "none"]}, "more": {"type": "string"},
    }});
    assert_eq!(after(ask, &more), ["POST /asks body.more: new required property"]);
    assert_eq!(after("/components/schemas/Ended", &json!(null))[0], "Ended: removed schema");
}
