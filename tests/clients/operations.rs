//! Programs that name every operation of the document, so that the type checkers see each of them.

use serde_json::Value;

/// Method, path, tag and `operationId` of every operation.
fn operations() -> Vec<(String, String, String, String)> {
    let document: Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if let (Some(tag), Some(id)) = (operation["tags"][0].as_str(), operation["operationId"].as_str()) {
                found.push((method.clone(), path.clone(), tag.to_owned(), id.to_owned()));
            }
        }
    }
    assert!(found.len() > 40, "{} operations", found.len());
    found
}

/// `listMyEvents` as the Python generator writes it: `list_my_events`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

pub fn python() -> String {
    let mut text = String::from("\"\"\"Every operation.\"\"\"\n\n");
    let named = operations().into_iter().map(|(_, _, tag, id)| (tag, snake(&id)));
    let mut every = String::new();
    for (tag, name) in named {
        text += &format!("from sarsen.core.api.{tag} import {name}\n");
        every += &format!("    {name}.sync_detailed, {name}.asyncio_detailed,\n");
    }
    text + "\nEVERY: list[object] = [\n" + &every + "]\n"
}

pub fn typescript() -> String {
    let mut text = String::from("import type { operations, paths } from \"@sarsen/client\";\n\n");
    text += "type Same<A, B> = A extends B ? (B extends A ? true : never) : never;\n\nexport const every: true[] = [\n";
    for (method, path, _, id) in operations() {
        text += &format!("  true satisfies Same<operations[\"{id}\"], paths[\"{path}\"][\"{method}\"]>,\n");
    }
    text + "];\n"
}
