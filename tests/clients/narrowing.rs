//! Programs that narrow every union of the document down to its last part, so that the type checkers see that each part is
//! told apart from the others, and that there is no further one.

use std::fmt::Write;

use serde_json::Value;

/// A union: its name, the property that tells its parts apart, and the parts with that property's value.
struct Union {
    name: String,
    tag: Option<String>,
    parts: Vec<(String, String)>,
}

fn unions() -> Vec<Union> {
    let document: Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let part_of = |reference: &str| reference.rsplit('/').next().unwrap().to_owned();
    let mut found = Vec::new();
    for (name, schema) in schemas {
        let Some(parts) = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array) else {
            continue;
        };
        let parts: Option<Vec<_>> = parts.iter().map(|part| Some(part_of(part.get("$ref")?.as_str()?))).collect();
        let Some(parts) = parts else { continue };
        let mapping = schema["discriminator"]["mapping"].as_object();
        let value = |part: &String| {
            let mapped = mapping.into_iter().flatten().find(|(_, to)| part_of(to.as_str().unwrap()) == *part);
            mapped.map_or_else(|| part.clone(), |(value, _)| value.clone())
        };
        let parts = parts.into_iter().map(|part| (value(&part), part)).collect();
        let tag = schema["discriminator"]["propertyName"].as_str().map(str::to_owned);
        found.push(Union { name: name.clone(), tag, parts });
    }
    assert!(found.len() > 15, "{} unions", found.len());
    found
}

pub fn python() -> String {
    let mut text = String::from("\"\"\"Every union.\"\"\"\n\nfrom typing import assert_never\n\n");
    text += "from sarsen.core import models, unions\n";
    for Union { name, parts, .. } in unions() {
        write!(text, "\n\ndef narrow_{name}(it: unions.{name}) -> object:\n").unwrap();
        for (_, part) in parts {
            write!(text, "    if isinstance(it, models.{part}):\n        return it.to_dict()\n").unwrap();
        }
        text += "    assert_never(it)\n";
    }
    text
}

pub fn typescript() -> String {
    let mut text = String::from("import type { Schemas } from \"@sarsen/client\";\n");
    for Union { name, tag, parts } in unions() {
        write!(text, "\nexport function narrow{name}(it: Schemas[\"{name}\"]): object {{\n").unwrap();
        match tag {
            Some(tag) => {
                writeln!(text, "  switch (it.{tag}) {{").unwrap();
                for (value, part) in parts {
                    writeln!(text, "    case \"{value}\": return it satisfies Schemas[\"{part}\"];").unwrap();
                }
                text += "    default: return it satisfies never;\n  }\n}\n";
            }
            None => {
                let [(_, one), others @ ..] = parts.as_slice() else { panic!("{name} has no parts") };
                for (_, other) in others {
                    let told_by = match other.as_str() {
                        "MatchStep" => "cursor",
                        "MatchPresence" => "presence",
                        _ => panic!("{name}: parts that nothing tells apart"),
                    };
                    writeln!(text, "  if (\"{told_by}\" in it) return it satisfies Schemas[\"{other}\"];").unwrap();
                }
                writeln!(text, "  return it satisfies Schemas[\"{one}\"];\n}}").unwrap();
            }
        }
    }
    text
}
