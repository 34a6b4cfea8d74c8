//! Clients that people generate for themselves: hey-api's and orval's, made from the committed document, compiled with
//! strict types, and told what no release has. The versions stand in `generators/package-lock.json`.

use std::fs;
use std::path::PathBuf;

use crate::UNKNOWN_CODE;
use crate::kit::{self, CLIENTS, Kit, Program, here};
use crate::proxy::Proxy;
use crate::server::Server;

/// Both generators, installed once into the target folder.
fn installed(kit: &Kit) -> PathBuf {
    let dir = kit.dir.join("generators");
    fs::create_dir_all(&dir).unwrap();
    for file in ["package.json", "package-lock.json", "orval.config.cjs", "with_hey.ts", "with_orval.ts"] {
        fs::copy(here("generators").join(file), dir.join(file)).unwrap();
    }
    let wanted = fs::read_to_string(dir.join("package-lock.json")).unwrap();
    if fs::read_to_string(dir.join("prepared")).ok().as_ref() != Some(&wanted) {
        let quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        kit.run(&Program::new("npm").args(["ci", "--prefix"]).arg(&dir).args(quietly));
        fs::write(dir.join("prepared"), wanted).unwrap();
    }
    dir
}

#[test]
fn clients_of_other_generators_bear_what_they_do_not_know() {
    let kit = Kit::get();
    let dir = installed(kit);
    let program = |name: &str| Program::new(dir.join("node_modules/.bin").join(name));
    let document = CLIENTS.join("../openapi.json");
    let hey = program("openapi-ts").args(["--client", "@hey-api/client-fetch", "--silent", "--input"]);
    kit.run(&hey.arg(&document).arg("--output").arg(dir.join("hey")));
    let orval = kit::env("DOCUMENT", &document).arg(dir.join("node_modules/.bin/orval"));
    kit.run(&orval.arg("--config").arg(dir.join("orval.config.cjs")));

    let strictly = ["--strict", "--target", "ES2022", "--module", "CommonJS", "--moduleResolution", "node10"];
    let tsc = program("tsc").args(strictly).args(["--esModuleInterop", "--skipLibCheck", "--types", "node"]);
    let tsc = tsc.arg("--typeRoots").arg(dir.join("node_modules/@types")).arg("--outDir").arg(dir.join("dist"));
    kit.run(&tsc.arg(dir.join("with_hey.ts")).arg(dir.join("with_orval.ts")));

    let server = Server::start();
    let proxy = Proxy::calm(&server.base);
    for name in ["with_hey.js", "with_orval.js"] {
        let trial = kit::env("SERVICE", &proxy.base).arg("node").arg(dir.join("dist").join(name));
        let out = kit.run(&trial.arg(&proxy.base).arg(UNKNOWN_CODE));
        assert!(out.contains("nothing has thrown"), "{name}: {out}");
    }
}

#[test]
fn the_guide_names_the_versions_that_are_tried() {
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let guide = read(CLIENTS.join("README.md"));
    for (package, name) in [
        (CLIENTS.join("typescript/package.json"), "openapi-typescript"),
        (here("generators/package.json"), "@hey-api/openapi-ts"),
        (here("generators/package.json"), "orval"),
    ] {
        let package: serde_json::Value = serde_json::from_str(&read(package)).unwrap();
        let version = package["devDependencies"][name].as_str().unwrap();
        assert!(guide.contains(&format!("npx {name}@{version} ")), "{name} {version}");
    }
    let kit = read(CLIENTS.join("python/kit.txt"));
    let version = kit.lines().find_map(|line| line.strip_prefix("openapi-python-client==")).unwrap();
    let command = guide.lines().find(|line| line.starts_with("openapi-python-client ")).unwrap();
    assert!(command.ends_with(&format!("# {version}")), "{command}");
}
