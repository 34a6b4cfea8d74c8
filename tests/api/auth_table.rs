//! Permissions: every operation of the document, for every kind of caller.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::agents;
use crate::client::{Answer, Client};
use crate::errors::filled;
use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    every_operation_knows_who_may_use_it, every_tool_of_agents_knows_who_may_use_it,
        a_program_may_do_what_its_scope_allows, a_program_may_use_the_tools_of_its_scope;
);

/// The state that an operation needs before it can be tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing.
    None,
    /// A private match whose two seats are taken, not started.
    Full,
    /// The same, started.
    Playing,
    /// The same with a draw offered by seat 0.
    Offered,
    /// The same, played to its end.
    Finished,
}

/// An operation, where it is tried, its body or its query, and what is answered to nobody, a stranger, the player in seat 1, the
/// creator in seat 0, and a revoked token. A status alone is a success.
type Row = (&'static str, Stage, &'static str, [&'static str; 5]);

const NONE: &str = "401 unauthenticated";
/// A deletion that does not say whom it is of.
const UNMEANT: &str = "400 invalid_parameter";
/// A thing that the caller does not have.
const NOT_THERE: &str = "404 not_found";
/// An issuer that no operator has listed.
const NO_ISSUER: &str = "404 issuer_not_found";
/// A step that is refused: the answer says so.
const STEP: &str = r#"{"steps":[{"position":"sp1.","seat":0,"index":0}]}"#;
/// A view that no state shows.
const IMPOSSIBLE: &str = "422 impossible_view";
const HIDDEN: &str = "404 match_not_found";
/// A pool that no operator has configured.
const NO_POOL: &str = "404 pool_not_found";
/// An invite that leads nowhere.
const LOST: &str = "404 wrong_invite";
const REVOKED: &str = "401 token_revoked";

/// Operations that need no caller and look at none.
const OPEN: [&str; 5] = ["200", "200", "200", "200", "200"];
/// Operations that need no caller but refuse a bad token.
const READ: [&str; 5] = [HIDDEN, HIDDEN, "200", "200", REVOKED];
/// Operations that any seat may do.
const SEATED: [&str; 5] = [NONE, HIDDEN, "200", "200", REVOKED];
/// Operations that the creator may do.
const CREATOR: [&str; 5] = [NONE, HIDDEN, "403 forbidden", "200", REVOKED];

/// Reads that anybody may make, of a player who does not exist.
const GONE: [&str; 5] =
    ["404 player_not_found", "404 player_not_found", "404 player_not_found", "404 player_not_found", REVOKED];

/// Operations about another player, of whom there is none.
const OTHERS: [&str; 5] = [NONE, "404 player_not_found", "404 player_not_found", "404 player_not_found", REVOKED];

/// Operations for operators, whose tokens none of these callers has.
const OPERATORS: [&str; 5] = [NONE, "403 scope_missing", "403 scope_missing", "403 scope_missing", REVOKED];

/// Operations about a webhook, of which the caller has none.
const NO_WEBHOOK: [&str; 5] =
    [NONE, "404 webhook_not_found", "404 webhook_not_found", "404 webhook_not_found", REVOKED];

/// A webhook to make.
const WEBHOOK: &str = r#"{"url":"https://hook.example/","events":["match.ended"]}"#;

const TABLE: &[Row] = &[
    ("getIndex", Stage::None, "", OPEN),
    ("getHealth", Stage::None, "", OPEN),
    ("getReadiness", Stage::None, "", OPEN),
    ("getMetrics", Stage::None, "", OPEN),
    ("getOpenapi", Stage::None, "", OPEN),
    ("listProblems", Stage::None, "", OPEN),
    ("getProblem", Stage::None, "", OPEN),
    ("listGames", Stage::None, "", OPEN),
    ("getGame", Stage::None, "", OPEN),
    ("getGameRules", Stage::None, "", OPEN),
    ("getBoard", Stage::None, "", OPEN),
    ("getBoardPicture", Stage::None, "", OPEN),
    ("getGlossary", Stage::None, "", OPEN),
    ("listBots", Stage::None, "", OPEN),
    ("createPlayer", Stage::None, r#"{"name":"Dora"}"#, ["201", "201", "201", "201", "201"]),
    ("refreshTokens", Stage::None, r#"{"refresh_token":"x"}"#, ["401 refresh_token_invalid"; 5]),
    ("getPlayer", Stage::None, "", ["404 player_not_found"; 5]),
    ("getPlayerRatings", Stage::None, "", ["404 player_not_found"; 5]),
    ("getRatingHistory", Stage::None, "", GONE),
    ("listLeaderboards", Stage::None, "", OPEN),
    ("getLeaderboard", Stage::None, "", OPEN),
    ("getLeaderboardPlayer", Stage::None, "", ["404 player_not_found"; 5]),
    ("getMatchRatings", Stage::Finished, "", [HIDDEN, HIDDEN, NOT_THERE, NOT_THERE, REVOKED]),
    ("getMe", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("changeName", Stage::None, r#"{"name":"Dora"}"#, [NONE, "200", "200", "200", REVOKED]),
    ("getSummary", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("revokeTokens", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("exportMe", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("deleteMe", Stage::None, "", [NONE, UNMEANT, UNMEANT, UNMEANT, REVOKED]),
    ("createPairingCode", Stage::None, "", [NONE, "201", "201", "201", REVOKED]),
    ("pairDevice", Stage::None, r#"{"code":"K7QD3-MPX2A"}"#, ["404 wrong_code"; 5]),
    ("createRecoveryKey", Stage::None, "", [NONE, "201", "201", "201", REVOKED]),
    ("recoverPlayer", Stage::None, r#"{"recovery_key":"x"}"#, ["404 wrong_code"; 5]),
    ("exchangeToken", Stage::None, r#"{"issuer":"acme","token":"x"}"#, ["404 issuer_not_found"; 5]),
    ("listSessions", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("endOtherSessions", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("endSession", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("listIdentities", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("linkIdentity", Stage::None, r#"{"issuer":"acme","token":"x"}"#, [NONE, NO_ISSUER, NO_ISSUER, NO_ISSUER, REVOKED]),
    ("getIdentity", Stage::None, "", [NONE, NOT_THERE, NOT_THERE, NOT_THERE, REVOKED]),
    ("unlinkIdentity", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("listProgramTokens", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    (
        "createProgramToken",
        Stage::None,
        r#"{"name":"trainer","scopes":["read"]}"#,
        [NONE, "201", "201", "201", REVOKED],
    ),
    ("revokeProgramToken", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("listBotAccounts", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("createBotAccount", Stage::None, r#"{"name":"Engine"}"#, [NONE, "201", "201", "201", REVOKED]),
    ("renameBotAccount", Stage::None, r#"{"name":"Engine"}"#, OTHERS),
    ("deleteBotAccount", Stage::None, "?confirm=p_00000000000000000000000000000000", OTHERS),
    ("listBotTokens", Stage::None, "", OTHERS),
    ("createBotToken", Stage::None, r#"{"name":"trainer","scopes":["read"]}"#, OTHERS),
    ("revokeBotToken", Stage::None, "", OTHERS),
    ("listContacts", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("addContact", Stage::None, "", OTHERS),
    ("removeContact", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("listBlocks", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("blockPlayer", Stage::None, "", OTHERS),
    ("unblockPlayer", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("listOpponents", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("reportPlayer", Stage::None, r#"{"reason":"insults"}"#, OTHERS),
    ("getPush", Stage::None, "", OPEN),
    ("listPushSubscriptions", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    (
        "createPushSubscription",
        Stage::None,
        r#"{"endpoint":"https://push.example/","keys":{"p256dh":"","auth":""},"events":["match.ended"]}"#,
        [NONE, NOT_THERE, NOT_THERE, NOT_THERE, REVOKED],
    ),
    ("deletePushSubscription", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("testPushSubscription", Stage::None, "", [NONE, NOT_THERE, NOT_THERE, NOT_THERE, REVOKED]),
    ("listWebhooks", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("createWebhook", Stage::None, WEBHOOK, [NONE, "201", "201", "201", REVOKED]),
    ("getWebhook", Stage::None, "", NO_WEBHOOK),
    ("changeWebhook", Stage::None, "{}", NO_WEBHOOK),
    ("deleteWebhook", Stage::None, "", [NONE, "204", "204", "204", REVOKED]),
    ("getWebhookSecret", Stage::None, "", NO_WEBHOOK),
    ("rotateWebhookSecret", Stage::None, "{}", NO_WEBHOOK),
    ("testWebhook", Stage::None, "", NO_WEBHOOK),
    ("enableWebhook", Stage::None, "", NO_WEBHOOK),
    ("listDeliveries", Stage::None, "", NO_WEBHOOK),
    ("resendDelivery", Stage::None, "", NO_WEBHOOK),
    ("replayDeliveries", Stage::None, r#"{"since":"2999-01-01T00:00:00.000Z"}"#, NO_WEBHOOK),
    ("listWebhooksAsOperator", Stage::None, "", OPERATORS),
    ("createWebhookAsOperator", Stage::None, "", OPERATORS),
    ("getWebhookAsOperator", Stage::None, "", OPERATORS),
    ("changeWebhookAsOperator", Stage::None, "", OPERATORS),
    ("deleteWebhookAsOperator", Stage::None, "", OPERATORS),
    ("getWebhookSecretAsOperator", Stage::None, "", OPERATORS),
    ("rotateWebhookSecretAsOperator", Stage::None, "", OPERATORS),
    ("testWebhookAsOperator", Stage::None, "", OPERATORS),
    ("enableWebhookAsOperator", Stage::None, "", OPERATORS),
    ("listDeliveriesAsOperator", Stage::None, "", OPERATORS),
    ("resendDeliveryAsOperator", Stage::None, "", OPERATORS),
    ("replayDeliveriesAsOperator", Stage::None, "", OPERATORS),
    ("createStreamTicket", Stage::None, "", [NONE, "201", "201", "201", REVOKED]),
    ("listMyEvents", Stage::None, "", [NONE, "200", "200", "200", REVOKED]),
    ("streamMyEvents", Stage::None, "?wait=0", [NONE, "200", "200", "200", REVOKED]),
    ("createPositions", Stage::None, r#"{"game":"contiguity"}"#, [NONE, "200", "200", "200", REVOKED]),
    ("stepPositions", Stage::None, STEP, [NONE, "200", "200", "200", REVOKED]),
    ("playOut", Stage::None, r#"{"positions":["sp1."]}"#, [NONE, "200", "200", "200", REVOKED]),
    (
        "imaginePositions",
        Stage::None,
        r#"{"game":"contiguity","view":{}}"#,
        [NONE, IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE, REVOKED],
    ),
    ("getLimits", Stage::None, "", OPEN),
    ("listMatches", Stage::None, "", ["200", "200", "200", "200", REVOKED]),
    (
        "listResults",
        Stage::None,
        "?tag=spring-cup&player=p_00000000000000000000000000000000",
        ["200", "200", "200", "200", REVOKED],
    ),
    (
        "adjudicateMatch",
        Stage::Playing,
        r#"{"abort":true,"reason":"late"}"#,
        [NONE, HIDDEN, "403 forbidden", "403 forbidden", REVOKED],
    ),
    ("createMatch", Stage::None, r#"{"game":"contiguity"}"#, [NONE, "201", "201", "201", REVOKED]),
    ("createMatches", Stage::None, r#"{"items":[{"game":"contiguity"}]}"#, [NONE, "200", "200", "200", REVOKED]),
    ("getMatch", Stage::Playing, "", READ),
    ("getMatchVersion", Stage::Playing, "", READ),
    ("getMatchPicture", Stage::Playing, "", READ),
    ("getMatchVersionPicture", Stage::Playing, "", READ),
    ("listMatchEvents", Stage::Playing, "", READ),
    ("streamMatch", Stage::Playing, "?wait=0", READ),
    ("exportMatch", Stage::Finished, "", READ),
    ("orderReview", Stage::Finished, r#"{"level":"medium"}"#, [NONE, HIDDEN, "202", "202", REVOKED]),
    ("getReview", Stage::Finished, "?level=medium", READ),
    ("getReviewChart", Stage::Finished, "?level=medium", READ),
    ("joinMatch", Stage::Full, "{}", SEATED),
    ("leaveMatch", Stage::Full, "", SEATED),
    ("declineInvitation", Stage::Full, "", [NONE, HIDDEN, "403 not_invited", "403 not_invited", REVOKED]),
    ("offerSubstitute", Stage::Playing, "", [NONE, HIDDEN, "201", "201", REVOKED]),
    ("createInvite", Stage::Full, "", [NONE, HIDDEN, "201", "201", REVOKED]),
    ("getInvite", Stage::None, "", ["404 wrong_invite"; 5]),
    ("joinByInvite", Stage::None, "", [NONE, LOST, LOST, LOST, REVOKED]),
    ("removePlayer", Stage::Full, "", CREATOR),
    (
        "reserveSeat",
        Stage::Full,
        r#"{"player_id":"p_00000000000000000000000000000000"}"#,
        [NONE, HIDDEN, "403 forbidden", "404 player_not_found", REVOKED],
    ),
    ("callRematch", Stage::Finished, "", SEATED),
    ("forkMatch", Stage::Playing, r#"{"version":3}"#, [NONE, HIDDEN, "201", "201", REVOKED]),
    ("declineRematch", Stage::Finished, "", [NONE, HIDDEN, "403 not_invited", "403 not_invited", REVOKED]),
    ("giveEntropy", Stage::Full, r#"{"entropy":"oak"}"#, SEATED),
    ("startMatch", Stage::Full, "", CREATOR),
    ("abortMatch", Stage::Full, "", CREATOR),
    ("resignMatch", Stage::Playing, "", SEATED),
    ("getHint", Stage::Playing, r#"{"level":"easy"}"#, [NONE, HIDDEN, "403 hints_off", "403 hints_off", REVOKED]),
    ("offerDraw", Stage::Playing, "", SEATED),
    ("acceptDraw", Stage::Offered, "", [NONE, HIDDEN, "200", "409 no_draw_offer", REVOKED]),
    ("declineDraw", Stage::Offered, "", [NONE, HIDDEN, "200", "409 no_draw_offer", REVOKED]),
    (
        "undoMove",
        Stage::Playing,
        r#"{"to_version":1}"#,
        [NONE, HIDDEN, "409 undo_barrier", "409 undo_barrier", REVOKED],
    ),
    (
        "offerTakeback",
        Stage::Playing,
        r#"{"to_version":1}"#,
        [NONE, HIDDEN, "409 undo_barrier", "409 undo_barrier", REVOKED],
    ),
    ("acceptTakeback", Stage::Playing, "", [NONE, HIDDEN, "409 no_takeback_offer", "409 no_takeback_offer", REVOKED]),
    ("declineTakeback", Stage::Playing, "", [NONE, HIDDEN, "409 no_takeback_offer", "409 no_takeback_offer", REVOKED]),
    (
        "makePlan",
        Stage::Playing,
        r#"{"version":1,"tree":[{"when":["2c-2d"],"then":["30b-10b"]}]}"#,
        [NONE, HIDDEN, "409 stale_version", "409 stale_version", REVOKED],
    ),
    ("getPlan", Stage::Playing, "", SEATED),
    ("dropPlan", Stage::Playing, "", SEATED),
    ("claimAbsence", Stage::Finished, r#"{"seat":1}"#, [NONE, HIDDEN, "409 match_over", "409 match_over", REVOKED]),
    ("giveTime", Stage::Playing, r#"{"seat":1,"seconds":60}"#, [NONE, HIDDEN, "409 no_clock", "409 no_clock", REVOKED]),
    ("comeBack", Stage::Playing, "", [NONE, HIDDEN, "409 not_substituted", "409 not_substituted", REVOKED]),
    ("listPools", Stage::None, "", OPEN),
    ("putTicket", Stage::None, "{}", [NONE, NO_POOL, NO_POOL, NO_POOL, REVOKED]),
    ("getTicket", Stage::None, "", [NONE, NO_POOL, NO_POOL, NO_POOL, REVOKED]),
    ("takeTicketBack", Stage::None, "", [NONE, NO_POOL, NO_POOL, NO_POOL, REVOKED]),
    ("listReports", Stage::None, "", OPERATORS),
    ("answerReport", Stage::None, "", OPERATORS),
    ("revokeProgramTokenAsOperator", Stage::None, "", OPERATORS),
    ("deleteMatch", Stage::None, "", OPERATORS),
    ("listQueues", Stage::None, "", OPERATORS),
    ("listAudit", Stage::None, "", OPERATORS),
    ("getPlayerAsOperator", Stage::None, "", OPERATORS),
    ("renamePlayer", Stage::None, "", OPERATORS),
    ("deletePlayer", Stage::None, "", OPERATORS),
    ("unlinkPlayerIdentity", Stage::None, "", OPERATORS),
    ("banPlayer", Stage::None, "", OPERATORS),
    ("unbanPlayer", Stage::None, "", OPERATORS),
    ("getMatchAsOperator", Stage::None, "", OPERATORS),
    ("abortMatchAsOperator", Stage::None, "", OPERATORS),
    ("annulMatch", Stage::None, "", OPERATORS),
    ("unrankPlayer", Stage::None, "", OPERATORS),
    ("revokeOperatorToken", Stage::None, "", OPERATORS),
    ("backUp", Stage::None, "", OPERATORS),
    (
        "makeMove",
        Stage::Finished,
        r#"{"decision_id":"3.0","notation":"2c-2d"}"#,
        [NONE, HIDDEN, "409 match_over", "409 match_over", REVOKED],
    ),
];

/// The tools of agents, with their arguments beside the match, and what each caller is told: a token that does not count is
/// refused as in every other request, everything else is the result of the tool.
const TOOLS: &[Row] = &[
    ("list_games", Stage::None, "{}", [NONE, "200", "200", "200", REVOKED]),
    ("get_rules", Stage::None, r#"{"game":"henge"}"#, [NONE, "200", "200", "200", REVOKED]),
    ("create_match", Stage::None, r#"{"game":"contiguity"}"#, [NONE, "200", "200", "200", REVOKED]),
    ("my_matches", Stage::None, "{}", [NONE, "200", "200", "200", REVOKED]),
    ("join_match", Stage::Full, "{}", SEATED),
    ("get_match", Stage::Playing, "{}", SEATED),
    ("wait_for_turn", Stage::Playing, r#"{"seconds":0}"#, SEATED),
    (
        "make_move",
        Stage::Finished,
        r#"{"decision_id":"3.0","notation":"2c-2d"}"#,
        [NONE, HIDDEN, "409 match_over", "409 match_over", REVOKED],
    ),
    ("undo", Stage::Playing, r#"{"to_version":1}"#, [NONE, HIDDEN, "409 undo_barrier", "409 undo_barrier", REVOKED]),
    ("offer_draw", Stage::Playing, "{}", SEATED),
    ("answer_draw", Stage::Offered, r#"{"accept":true}"#, [NONE, HIDDEN, "200", "409 no_draw_offer", REVOKED]),
    ("resign", Stage::Playing, "{}", SEATED),
    ("get_hint", Stage::Playing, "{}", [NONE, HIDDEN, "403 hints_off", "403 hints_off", REVOKED]),
    ("get_record", Stage::Finished, "{}", SEATED),
];

async fn every_tool_of_agents_knows_who_may_use_it(world: &mut World) {
    let listed = agents::ask(&world.guest("Ann").await, "tools/list", json!({})).await;
    let mut known: Vec<&str> = TOOLS.iter().map(|row| row.0).collect();
    let mut names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    known.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, known);
    let revoked = world.guest("Eve").await;
    revoked.call("POST", "/v1/tokens/revoke").await.ok();
    for (name, stage, arguments, expected) in TOOLS {
        let mut scene = Scene::new(world, *stage).await;
        for (kind, wanted) in expected.iter().enumerate() {
            let answer = agents::call(scene.caller(kind, &revoked), name, scene.arguments(arguments)).await;
            assert_eq!(told(&answer), *wanted, "{name} for caller {kind}: {}", answer.text());
            scene.renew_after(wanted, world).await;
        }
    }
}

/// The status that a tool answers with, and the code if it refuses.
fn told(answer: &Answer) -> String {
    let result = answer.json()["result"].take();
    let told = match result["isError"] == true {
        true => result["_meta"]["sarsen/problem"].clone(),
        false => answer.json(),
    };
    let status = told["status"].as_u64().unwrap_or_else(|| answer.status.into());
    let told = [status.to_string(), told["code"].as_str().unwrap_or_default().to_owned()].join(" ");
    told.trim_end().to_owned()
}

/// Tokens of programs with each scope alone, and a revoked one, on every tool: the program of the match's creator.
async fn a_program_may_use_the_tools_of_its_scope(world: &mut World) {
    let listed = agents::ask(&world.guest("Ann").await, "tools/list", json!({})).await;
    let revoked = program(&world.guest("Eve").await, &["read"], true).await;
    for (name, stage, arguments, expected) in TOOLS {
        let tool = listed["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == *name).unwrap();
        let needed = tool["_meta"]["sarsen/scope"].as_str().unwrap();
        let mut scene = Scene::new(world, *stage).await;
        for scope in ["read", "play", "create", "notify", "revoked"] {
            let (caller, wanted) = match scope {
                "revoked" => (revoked.clone(), REVOKED),
                scope => {
                    let wanted = if scope == needed { expected[3] } else { "403 scope_missing" };
                    (program(&scene.creator, &[scope], false).await, wanted)
                }
            };
            let answer = agents::call(&caller, name, scene.arguments(arguments)).await;
            assert_eq!(told(&answer), wanted, "{name} for {scope}: {}", answer.text());
            scene.renew_after(wanted, world).await;
        }
    }
}

async fn every_operation_knows_who_may_use_it(world: &mut World) {
    let document = world.nobody().get("/openapi.json").await.ok();
    let operations = operations(&document);
    let listed: Vec<&str> = TABLE.iter().map(|row| row.0).collect();
    let missing: Vec<_> = operations.keys().filter(|id| !listed.contains(id)).collect();
    assert!(missing.is_empty(), "operations without a row in this table: {missing:?}");

    let revoked = world.guest("Eve").await;
    revoked.call("POST", "/v1/tokens/revoke").await.ok();
    for (id, stage, body, expected) in TABLE {
        let (method, pattern, _) = operations.get(id).unwrap_or_else(|| panic!("no operation {id}"));
        let documented = &document["paths"][pattern][method.to_lowercase()]["security"];
        let mut scene = Scene::new(world, *stage).await;
        for (kind, wanted) in expected.iter().enumerate() {
            let answer = tried(scene.caller(kind, &revoked), method, &scene.path(pattern), body).await;
            let what = format!("{id} for caller {kind}: {} {}", answer.status, answer.text());
            judge(&answer, wanted, &what);
            scene.renew_after(wanted, world).await;
        }
        // What the document says of it agrees.
        let rules = documented.as_array().unwrap_or_else(|| panic!("{id} says nothing of security"));
        let needs_token = !rules.is_empty() && !rules.contains(&json!({}));
        assert_eq!(needs_token, expected[0] == NONE, "{id}: {documented}");
    }
}

/// Every operation by its id: its method, path and the scope that it needs.
fn operations(document: &Value) -> BTreeMap<&str, (String, &str, Option<&str>)> {
    let mut operations = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(id) = operation["operationId"].as_str() else { continue };
            let scopes = operation["x-scopes"].as_array().unwrap_or_else(|| panic!("{id} has no x-scopes"));
            let needs_token = operation["security"].as_array().is_some_and(|rules| !rules.is_empty());
            assert_eq!(scopes.len(), usize::from(needs_token), "{id}: {scopes:?}");
            operations.insert(id, (method.to_uppercase(), path.as_str(), scopes.first().and_then(Value::as_str)));
        }
    }
    operations
}

fn judge(answer: &Answer, wanted: &str, what: &str) {
    match wanted.split_once(' ') {
        Some((status, code)) => {
            assert_eq!(
                (answer.status.to_string().as_str(), answer.json()["code"].as_str()),
                (status, Some(code)),
                "{what}"
            );
            answer.refused(status.parse().unwrap(), code);
        }
        None => assert_eq!(answer.status.to_string(), wanted, "{what}"),
    }
}

/// Tokens of programs of every scope, and a revoked one, on every operation: the program of the match's creator.
async fn a_program_may_do_what_its_scope_allows(world: &mut World) {
    let document = world.nobody().get("/openapi.json").await.ok();
    let operations = operations(&document);
    let revoked = program(&world.guest("Eve").await, &["read"], true).await;
    for (id, stage, body, expected) in TABLE {
        let (method, pattern, needed) = &operations[id];
        let mut scene = Scene::new(world, *stage).await;
        for scope in ["read", "play", "create", "notify", "revoked"] {
            let caller = match scope {
                "revoked" => revoked.clone(),
                scope => program(&scene.creator, &[scope], false).await,
            };
            let wanted = match needed {
                None => expected[3],
                Some(_) if scope == "revoked" => REVOKED,
                Some(needed) if *needed == scope => expected[3],
                Some(_) => "403 scope_missing",
            };
            let answer = tried(&caller, method, &scene.path(pattern), body).await;
            judge(&answer, wanted, &format!("{id} for {scope}: {} {}", answer.status, answer.text()));
            if wanted == "403 scope_missing" {
                assert_eq!(answer.json()["scope"].as_str(), *needed, "{id}");
            }
            scene.renew_after(wanted, world).await;
        }
    }
}

/// A program of the owner with these scopes.
async fn program(owner: &Client, scopes: &[&str], revoked: bool) -> Client {
    let made = owner.post("/v1/me/tokens", json!({"name": "trainer", "scopes": scopes})).await.ok();
    if revoked {
        owner.call("DELETE", &format!("/v1/me/tokens/{}", made["token"]["id"].as_str().unwrap())).await.ok();
    }
    owner.with_token(made["secret"].as_str().unwrap())
}

async fn tried(caller: &Client, method: &str, path: &str, body: &str) -> Answer {
    let (query, body) = if body.starts_with('?') { (body, "") } else { ("", body) };
    let request = caller.request(method.parse().unwrap(), &format!("{path}{query}"));
    let request = match body {
        "" => request,
        body => request.header("content-type", "application/json").body(body.to_owned()),
    };
    caller.send(request).await
}

/// The callers of an operation, and the match that it is tried on.
struct Scene {
    nobody: Client,
    stranger: Client,
    second: Client,
    creator: Client,
    stage: Stage,
    /// Nothing at [`Stage::None`].
    match_id: Option<String>,
}

impl Scene {
    async fn new(world: &World, stage: Stage) -> Scene {
        let (creator, second) = (world.guest("Ann").await, world.guest("Ben").await);
        let match_id = match stage {
            Stage::None => None,
            stage => Some(prepared(&[creator.clone(), second.clone()], stage).await),
        };
        Scene { nobody: world.nobody(), stranger: world.guest("Cora").await, second, creator, stage, match_id }
    }

    /// The caller of a column of [`TABLE`].
    fn caller<'a>(&'a self, column: usize, revoked: &'a Client) -> &'a Client {
        [&self.nobody, &self.stranger, &self.second, &self.creator, revoked][column]
    }

    fn path(&self, pattern: &str) -> String {
        filled(&self.match_id.iter().fold(pattern.to_owned(), |path, id| path.replace("{match_id}", id)))
    }

    fn arguments(&self, text: &str) -> Value {
        let mut arguments: Value = serde_json::from_str(text).unwrap();
        if let Some(id) = &self.match_id {
            arguments["match_id"] = json!(id);
        }
        arguments
    }

    /// What has succeeded may have ended a session or the match; what was refused has changed nothing.
    async fn renew_after(&mut self, answered: &str, world: &World) {
        if !answered.contains(' ') {
            *self = Scene::new(world, self.stage).await;
        }
    }
}

/// The id of a match of these two, brought so far.
async fn prepared(pair: &[Client; 2], stage: Stage) -> String {
    let made = pair[0].create(json!({"visibility": "private", "start": "manual"})).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    let invite: &Value = &made["match"]["invite_code"];
    pair[1].post(&format!("/v1/matches/{id}/join"), json!({"invite": invite})).await.ok();
    if stage != Stage::Full {
        pair[0].act(&id, "start").await.ok();
    }
    if stage == Stage::Offered {
        pair[0].act(&id, "draw/offer").await.ok();
    }
    let pair = Pair { id, players: pair.clone() };
    if stage == Stage::Finished {
        pair.play_all(&WIN).await;
    }
    pair.id
}
