//! The client libraries in `openapi/clients`: made from the committed document, checked with strict types, and played
//! with against a real server, through a proxy that loses connections, refuses requests and tells what nobody knows.
//!
//! `openapi/clients/kit.sh` installs their build tools into the target folder.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first thing that is wrong, and says what it has played"
)]

#[path = "../browser/main.rs"]
mod browser;
mod generated;
mod generators;
mod kit;
mod narrowing;
mod operations;
mod proxy;
mod server;
mod surface;

use std::fs;

use sarsen::ambient::Ambient;
use sarsen::games::{GameSettings, Games};
use sarsen::notifications::VapidKey;
use test_kit::environment::CLIENT_ROUNDS;

use crate::kit::{CLIENTS, Kit, Program};
use crate::proxy::Proxy;
use crate::server::Server;

/// The proxy's code in answers about a game that there is not: no release has this code.
const UNKNOWN_CODE: &str = "moon_is_full";

/// Git does not have the core (`document.d.ts` and `shapes.js`); whoever installs the package needs it, once.
#[test]
fn the_npm_package_holds_the_generated_core() {
    let kit = Kit::get();
    let pack = Program::new("npm").args(["pack", "--dry-run", "--ignore-scripts", "--json"]);
    let packed: serde_json::Value = serde_json::from_str(&kit.run(&pack.arg(kit.dir.join("typescript")))).unwrap();
    let files: Vec<&str> =
        packed[0]["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    for file in ["README.md", "dist/index.js", "dist/index.d.ts", "dist/document.d.ts", "dist/shapes.js"] {
        assert!(files.contains(&file), "{file} is missing: {files:?}");
    }
    let is_built = |file: &&str| file.starts_with("dist/") || ["README.md", "package.json"].contains(file);
    assert!(files.iter().all(is_built), "{files:?}");
    let bytes = packed[0]["unpackedSize"].as_u64().unwrap();
    assert!(bytes < 1_100_000, "{bytes} bytes");

    let map = fs::read_to_string(kit.dir.join("typescript/dist/carrier.js.map")).unwrap();
    let map: serde_json::Value = serde_json::from_str(&map).unwrap();
    assert!(map["sourcesContent"][0].as_str().unwrap().contains("class Carrier"), "debuggers show the source");
}

#[test]
fn both_packages_name_their_licence_authors_and_subject() {
    let package: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(CLIENTS.join("typescript/package.json")).unwrap()).unwrap();
    let python = fs::read_to_string(CLIENTS.join("python/pyproject.toml")).unwrap();
    let licence = env!("CARGO_PKG_LICENSE");
    assert_eq!(package["license"], licence);
    assert!(python.contains(&format!("license = \"{licence}\"")), "{python}");
    let author = package["author"].as_str().unwrap();
    assert!(python.contains(&format!("authors = [{{ name = \"{author}\" }}]")), "{author}");
    for keyword in package["keywords"].as_array().unwrap() {
        assert!(python.contains(&format!("\"{}\"", keyword.as_str().unwrap())), "{keyword}");
    }
}

#[test]
fn both_have_the_version_of_the_document() {
    let document: serde_json::Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    let version = document["info"]["version"].as_str().unwrap();
    let python = fs::read_to_string(CLIENTS.join("python/pyproject.toml")).unwrap();
    assert!(python.contains(&format!("\nversion = \"{version}\"\n")), "pyproject.toml: {version}");
    for file in ["package.json", "package-lock.json"] {
        let text = fs::read_to_string(CLIENTS.join("typescript").join(file)).unwrap();
        let package: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(package["version"], version, "{file}");
    }
}

/// The files that carry, follow and play are short; and beside them there is a file with a call for each of some
/// operations, and nothing else.
#[test]
fn the_shells_are_thin() {
    let shells = [("python/src/sarsen", "py", "aio_table.py"), ("typescript/src", "ts", "table.ts")];
    for (folder, ending, calls) in shells {
        let files = fs::read_dir(CLIENTS.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let written = files.filter(|path| {
            let is_made = path.ends_with("document.d.ts") || path.ends_with("shapes.ts");
            path.extension().is_some_and(|it| it == ending) && !is_made && !path.ends_with(calls)
        });
        let lines: usize = written.map(|path| fs::read_to_string(path).unwrap().lines().count()).sum();
        assert!((100..=640).contains(&lines), "{folder}: {lines} lines");
        let text = fs::read_to_string(CLIENTS.join(folder).join(calls)).unwrap();
        // Those that answer with nothing too.
        let calls_of = |call: &str| text.matches(call).count();
        let operations = calls_of(" ok(") + calls_of("await this.api.") + calls_of(".asyncio_detailed(");
        let lines = text.lines().count();
        assert!(operations > 9 && lines < 6 * operations + 40, "{calls}: {lines} lines for {operations} operations");
    }
}

#[test]
fn python_is_strictly_typed_with_every_operation_and_union() {
    let kit = Kit::get();
    fs::write(kit.program("operations.py"), operations::python()).unwrap();
    fs::write(kit.program("narrowing.py"), narrowing::python()).unwrap();
    let settings = CLIENTS.join("python/pyproject.toml");
    let check = Program::new(kit.python("mypy"))
        .arg("--config-file")
        .arg(settings)
        .arg("--cache-dir")
        .arg(kit.dir.join("mypy"));
    kit.run(&check.args(["--package", "sarsen"]));
    let programs =
        ["operations.py", "narrowing.py", "answers.py", "outside.py", "play.py", "quiet.py", "tables.py", "thrifty.py"];
    let others = [kit.program("environments.py"), CLIENTS.join("python/examples/bot.py")];
    let programs = programs.map(|name| kit.program(name)).into_iter().chain(others);
    kit.run(&programs.fold(check, |check, program| check.arg(program)));
}

#[test]
fn typescript_is_strictly_typed_with_every_operation_and_union() {
    // The programs, among them those that name every operation and narrow every union, were compiled by `tsc --strict` with the kit.
    let kit = Kit::get();
    assert!(kit.program("dist/operations.js").exists() && kit.program("dist/narrowing.js").exists());
    assert!(kit.program("dist/play.js").exists());
    let wrong =
        "import type { LoggedEvent } from '@sarsen/client';\nexport const id = (e: LoggedEvent): number => e.id;\n";
    fs::write(kit.program("wrong.ts"), wrong).unwrap();
    let refused = kit.tsc("wrong.ts");
    assert!(!refused.status.success(), "a wrong type is refused");
}

#[test]
fn python_plays_every_game_through_a_bad_line() {
    let kit = Kit::get();
    played(kit, &Program::new(kit.python("python")).arg(kit.program("play.py")));
}

#[test]
fn typescript_plays_every_game_through_a_bad_line() {
    let kit = Kit::get();
    played(kit, &Program::new("node").arg(kit.program("dist/play.js")));
}

/// Tokens of an outside issuer, made by an independent library; and a second device by the library.
#[test]
fn an_outside_issuer_signs_players_in() {
    let kit = Kit::get();
    let directory = tempfile::tempdir().unwrap();
    let program = Program::new(kit.python("python")).arg(kit.program("outside.py"));
    let program = program.arg(env!("CARGO_BIN_EXE_sarsen")).arg(directory.path());
    println!("{}", kit.run(&program.arg(kit.program("dist/outside.js"))));
}

#[test]
fn a_turn_takes_one_request() {
    let kit = Kit::get();
    let server = Server::start();
    println!("{}", kit.run(&Program::new(kit.python("python")).arg(kit.program("thrifty.py")).arg(&server.base)));
    kit.run(&Program::new("node").arg(kit.program("dist/thrifty.js")).arg(&server.base));
}

#[test]
fn what_is_done_around_a_match_is_a_call_each() {
    let kit = Kit::get();
    let server = Server::start();
    kit.run(&Program::new(kit.python("python")).arg(kit.program("tables.py")).arg(&server.base));
    kit.run(&Program::new("node").arg(kit.program("dist/tables.js")).arg(&server.base));
}

#[test]
fn every_game_is_an_environment_of_pettingzoo() {
    let kit = Kit::get();
    let server = Server::start();
    println!("{}", kit.run(&Program::new(kit.python("python")).arg(kit.program("environments.py")).arg(&server.base)));
}

/// The protocol's own client, which knows nothing of this service but the configuration of README and guide.
#[test]
fn agents_play_every_game_with_the_tools_alone() {
    let kit = Kit::get();
    let server = Server::start();
    let program = Program::new(kit.python("python")).arg(kit.program("agents.py")).arg(&server.base);
    let program = program.arg(CLIENTS.join("../../README.md")).arg(CLIENTS.join("README.md"));
    let out = kit.run(&program.arg(kit.dir.join("typescript/node_modules/.bin")));
    println!("{out}");
    for game in Games::standard(GameSettings::default()).iter() {
        assert!(out.contains(&format!("{}: ", game.info().id)), "{} was not played:\n{out}", game.info().id);
    }
}

/// The blocks of a guide in a language, in order, with the address of a server put in.
fn examples(guide: &str, language: &str, server: &Server) -> String {
    const ADDRESS: &str = "http://127.0.0.1:8080";
    let text = fs::read_to_string(CLIENTS.join(guide)).unwrap();
    let fence = format!("```{language}\n");
    let blocks: Vec<&str> = text.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let program = blocks.join("\n");
    assert!(program.contains(ADDRESS), "{guide} has no {language} that names the server");
    program.replace(ADDRESS, &server.base)
}

#[test]
fn the_examples_of_the_guides_run() {
    let kit = Kit::get();
    let server = Server::start();
    let python = [("../../README.md", "ending"), ("README.md", "seat_2"), ("python/README.md", "ending")];
    for (number, (guide, said)) in python.into_iter().enumerate() {
        let program = kit.program(&format!("example{number}.py"));
        fs::write(&program, examples(guide, "python", &server)).unwrap();
        let out = kit.run(&Program::new(kit.python("python")).arg(program));
        assert!(out.contains(said), "{guide}: {out}");
    }
    for (number, guide) in ["README.md", "typescript/README.md"].into_iter().enumerate() {
        let name = format!("example{number}.ts");
        fs::write(kit.program(&name), examples(guide, "ts", &server)).unwrap();
        let compiled = kit.tsc(&name);
        assert!(compiled.status.success(), "{guide}: {}", String::from_utf8_lossy(&compiled.stdout));
        let out = kit.run(&Program::new("node").arg(kit.program(&format!("dist/example{number}.js"))));
        assert!(out.contains("ending"), "{guide}: {out}");
    }
    let script = examples("README.md", "sh", &server);
    let out = kit.run(&Program::new("bash").args(["-euo", "pipefail", "-c"]).arg(script));
    assert_eq!(out.matches(r#"{"moves":1,"to_act":["#).count(), 2, "{out}");
    assert_eq!(out.matches(r#","change":{"before":1500,"#).count(), 2, "a match is rated: {out}");
}

#[test]
fn the_example_bot_beats_a_random_player() {
    let kit = Kit::get();
    let bot = CLIENTS.join("python/examples/bot.py");
    assert!(fs::read_to_string(&bot).unwrap().lines().count() < 70, "it is short");
    let server = Server::start();
    let out = kit.run(&Program::new(kit.python("python")).arg(bot).arg(&server.base).arg("4"));
    // Two that move at random hardly ever come to an end.
    assert!(["won 3 of 4", "won 4 of 4"].iter().any(|won| out.contains(won)), "{out}");
}

#[test]
fn answers_of_others_are_one_error_and_keyed_requests_are_repeated() {
    let kit = Kit::get();
    let document = CLIENTS.join("../openapi.json");
    kit.run(&Program::new(kit.python("python")).arg(kit.program("answers.py")).arg(&document));
    kit.run(&Program::new("node").arg(kit.program("dist/answers.js")).arg(&document));
}

#[test]
fn webhooks_are_verified_as_the_official_packages_sign_them() {
    let kit = Kit::get();
    kit.run(&Program::new(kit.python("python")).arg(kit.program("webhooks.py")));
    kit.run(&Program::new("node").arg(kit.program("dist/webhooks.js")));
}

/// Receivers that are not of this project, behind a real service.
#[test]
fn what_the_service_sends_is_verified_and_decrypted_by_others() {
    let kit = Kit::get();
    let server = Server::telling(&VapidKey::new_key_text(&Ambient::system()));
    kit.run(&Program::new(kit.python("python")).arg(kit.program("told.py")).arg(&server.base));
    let program = Program::new("node").arg(kit.program("told.mjs")).arg(&server.base);
    kit.run(&program.arg(server.operator("admin:operate")).arg(CLIENTS.join("examples/push/sender.mjs")));
}

#[test]
fn a_quiet_stream_is_near_however_often_it_is_ended() {
    let kit = Kit::get();
    kit.run(&Program::new(kit.python("python")).arg(kit.program("quiet.py")));
    kit.run(&Program::new("node").arg(kit.program("dist/quiet.js")));
}

/// Has a program play matches, each time against a new server behind a bad line.
fn played(kit: &Kit, program: &Program) {
    for _ in 0..CLIENT_ROUNDS.value().unwrap_or(1) {
        let server = Server::start();
        let proxy = Proxy::start(&server.base);
        let out = kit.run(&program.arg(&proxy.base).arg(&server.base).arg(UNKNOWN_CODE));
        let told = proxy.told();
        println!("{out}{told:?}\n");
        for game in Games::standard(GameSettings::default()).iter() {
            assert!(out.contains(&format!("{}: ", game.info().id)), "{} was not played:\n{out}", game.info().id);
        }
        assert!(told.refused > 9 && told.lost > 9 && told.cut > 4, "the line was bad: {told:?}");
        assert!(told.expired > 0 && told.refreshed > 0, "tokens were renewed: {told:?}");
        assert!(told.refreshed <= told.expired, "a token is renewed once, however many requests need it: {told:?}");
    }
}
