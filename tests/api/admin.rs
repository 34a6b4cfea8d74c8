//! Operators' views and powers: scopes, the audit, tokens.

use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{World, cases};

cases!(
    a_scope_opens_its_own_operations_only, an_operator_is_no_player, every_call_stands_in_the_audit,
        what_is_wrong_with_a_call_is_said, the_audit_is_read_in_pages;
    on both stores: a_revoked_operator_is_refused_everywhere;
);

const ALL: &str = "admin:read,admin:moderate,admin:operate";

/// The newest entries of the audit.
pub async fn audit(operator: &Client) -> Vec<Value> {
    operator.get("/v1/admin/audit").await.ok()["items"].as_array().unwrap().clone()
}

async fn a_scope_opens_its_own_operations_only(world: &mut World) {
    let document = world.nobody().get("/openapi.json").await.ok();
    let guest = world.guest("Ann").await;
    let mut seen = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let rules = operation["security"].as_array().unwrap();
            let scope = operation["x-scopes"][0].as_str().filter(|scope| scope.starts_with("admin:"));
            let Some(scope) = scope else {
                assert!(!path.starts_with("/v1/admin"), "{method} {path}: {rules:?}");
                continue;
            };
            assert_eq!(*rules, [json!({"operator": []})], "{method} {path}");
            assert!(path.starts_with("/v1/admin/"), "{method} {path}");
            seen += 1;
            let others: Vec<&str> = ALL.split(',').filter(|other| *other != scope).collect();
            let path = crate::errors::filled(path);
            for caller in [&guest, &world.operator(&others.join(","))] {
                let refused = caller.call(&method.to_uppercase(), &path).await.refused(403, "scope_missing");
                assert!(refused["detail"].as_str().unwrap().contains(scope), "{refused}");
            }
            world.nobody().call(&method.to_uppercase(), &path).await.refused(401, "unauthenticated");
            // With the scope, the call is judged: here it lacks what it needs, or is done.
            let answer = world.operator(scope).call(&method.to_uppercase(), &path).await;
            assert!(![401, 403].contains(&answer.status), "{method} {path}: {}", answer.text());
        }
    }
    assert!(seen >= 9, "{seen}");
}

async fn an_operator_is_no_player(world: &mut World) {
    let operator = world.operator(ALL);
    for path in ["/v1/me", "/v1/matches", "/v1/me/events"] {
        operator.get(path).await.refused(401, "token_invalid");
    }
    operator.post("/v1/matches", json!({"game": "contiguity"})).await.refused(401, "token_invalid");
}

async fn every_call_stands_in_the_audit(world: &mut World) {
    let operator = world.operator(ALL);
    let other = "o_0190163d8694739ea2a3c9f1e7d1a444";
    operator.post("/v1/admin/tokens/revoke", json!({"token_id": other})).await.ok();
    let entries = audit(&operator).await;
    let told: Vec<_> = entries.iter().map(|entry| (entry["operation"].clone(), entry["target"].clone())).collect();
    assert_eq!(told, [(json!("listAudit"), Value::Null), (json!("revokeOperatorToken"), json!(other))]);
    assert_eq!(entries[0]["label"], "Olga");
    assert_eq!(entries[0]["token_id"], entries[1]["token_id"]);
    // What is refused because of its form has not been tried.
    operator.post("/v1/admin/tokens/revoke", json!({"token_id": "x"})).await.refused(400, "invalid_request");
    world.guest("Ann").await.get("/v1/admin/audit").await.refused(403, "scope_missing");
    assert_eq!(audit(&operator).await.len(), 3);
}

async fn the_audit_is_read_in_pages(world: &mut World) {
    let operator = world.operator(ALL);
    for _ in 0..4 {
        audit(&operator).await;
    }
    // The reading itself is the newest entry.
    let first = operator.get("/v1/admin/audit?limit=3").await.ok();
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = operator.get(&format!("/v1/admin/audit?limit=3&cursor={cursor}")).await.ok();
    let ids = |page: &Value| -> Vec<String> {
        page["items"].as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
    };
    let (first, rest) = (ids(&first), ids(&second));
    assert_eq!((first.len(), rest.len(), &second["next_cursor"]), (3, 2, &Value::Null));
    assert!(first.iter().all(|id| !rest.contains(id)));
}

async fn a_revoked_operator_is_refused_everywhere(world: &mut World) {
    let (one, other) = (world.operator(ALL), world.operator(ALL));
    let id = audit(&one).await[0]["token_id"].clone();
    let elsewhere = if world.shares_a_store() { Some(world.add_instance().await) } else { None };
    other.post("/v1/admin/tokens/revoke", json!({"token_id": id})).await.ok();
    one.get("/v1/admin/audit").await.refused(401, "token_revoked");
    audit(&other).await;
    if let Some(elsewhere) = elsewhere {
        let one = one.at(world.base(elsewhere));
        world.eventually(async || one.get("/v1/admin/audit").await.status == 401).await;
    } else {
        let again = world.restart().await;
        one.at(world.base(again)).get("/v1/admin/audit").await.refused(401, "token_revoked");
    }
}

async fn what_is_wrong_with_a_call_is_said(world: &mut World) {
    let operator = world.operator(ALL);
    for (query, field) in [("limit=0", "limit"), ("limit=201", "limit"), ("cursor=x", "cursor"), ("other=1", "other")] {
        let problem = operator.get(&format!("/v1/admin/audit?{query}")).await.refused(400, "invalid_parameter");
        assert_eq!(problem["field"], field, "{query}");
    }
    let revoke = "/v1/admin/tokens/revoke";
    operator.post(revoke, json!({})).await.refused(400, "invalid_request");
    operator.post(revoke, json!({"token_id": operator.id})).await.refused(400, "invalid_request");
    operator.call("POST", revoke).await.refused(400, "malformed_json");
    operator.with_token("x").get("/v1/admin/audit").await.refused(401, "token_invalid");
    assert_eq!(audit(&operator).await.len(), 1, "none of this was tried");
}
