//! Both packages, built in the target folder: Python's installed into an environment of its own, TypeScript's compiled.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, OnceLock};

use crate::{narrowing, operations};

/// The folder of both libraries.
pub static CLIENTS: LazyLock<PathBuf> = LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/clients"));

/// A command line.
#[derive(Clone)]
pub struct Program(Vec<OsString>);

impl Program {
    pub fn new(name: impl Into<OsString>) -> Program {
        Program(vec![name.into()])
    }

    /// The same with one more argument.
    pub fn arg(&self, arg: impl Into<OsString>) -> Program {
        let mut more = self.0.clone();
        more.push(arg.into());
        Program(more)
    }

    /// The same with more arguments.
    pub fn args<const N: usize>(&self, args: [&str; N]) -> Program {
        args.iter().fold(self.clone(), |program, arg| program.arg(arg))
    }

    fn output(&self, dir: &Path) -> Output {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let mut command = Command::new(&self.0[0]);
        command.args(&self.0[1..]).current_dir(dir).env("CARGO_TARGET_DIR", target);
        command.output().unwrap_or_else(|error| panic!("{:?}: {error}", self.0))
    }
}

/// The build of the client libraries and their programs.
pub struct Kit {
    /// In the target folder; holds `python`, `typescript` and `program`.
    pub dir: PathBuf,
}

impl Kit {
    /// Builds once for all tests of this run.
    pub fn get() -> &'static Kit {
        static KIT: OnceLock<Kit> = OnceLock::new();
        KIT.get_or_init(|| {
            let kit = Kit { dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients") };
            fs::create_dir_all(&kit.dir).unwrap();
            kit.run(&Program::new("bash").arg(CLIENTS.join("kit.sh")).arg(&kit.dir));
            kit.build_python();
            kit.build_typescript();
            kit
        })
    }

    fn build_python(&self) {
        let install = ["install", "--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps"];
        let install = Program::new(self.python("pip")).args(install).arg("--force-reinstall");
        self.run(&install.arg(CLIENTS.join("python")));
        fs::create_dir_all(self.program("")).unwrap();
        for program in [
            "agents.py",
            "answers.py",
            "environments.py",
            "outside.py",
            "play.py",
            "quiet.py",
            "tables.py",
            "thrifty.py",
            "told.mjs",
            "told.py",
            "webhooks.py",
        ] {
            fs::copy(here(program), self.program(program)).unwrap();
        }
    }

    fn build_typescript(&self) {
        let package = self.dir.join("typescript");
        fs::remove_dir_all(package.join("src")).ok();
        fs::create_dir_all(package.join("src")).unwrap();
        for entry in fs::read_dir(CLIENTS.join("typescript/src")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, package.join("src").join(path.file_name().unwrap())).unwrap();
        }
        for file in ["README.md", "shapes.mjs", "typed.mjs", "tsconfig.json"] {
            fs::copy(CLIENTS.join("typescript").join(file), package.join(file)).unwrap();
        }
        // Two levels above the package, as in the repository.
        fs::copy(CLIENTS.join("../openapi.json"), self.dir.join("../openapi.json")).unwrap();
        let build = Program::new("npm").args(["run", "--silent", "build", "--prefix"]).arg(&package);
        self.run(&build.args(["--", "--incremental", "--tsBuildInfoFile", "tsc.json"]));

        let modules = self.program("node_modules/@sarsen");
        fs::create_dir_all(&modules).unwrap();
        fs::remove_file(modules.join("client")).ok();
        symlink(&package, modules.join("client")).unwrap();
        fs::remove_file(self.program("node_modules/@types")).ok();
        symlink(package.join("node_modules/@types"), self.program("node_modules/@types")).unwrap();
        for module in ["node_modules/standardwebhooks", "node_modules/http_ece"] {
            fs::remove_file(self.program(module)).ok();
            symlink(package.join(module), self.program(module)).unwrap();
        }
        fs::write(self.program("package.json"), "{ \"type\": \"module\" }\n").unwrap();
        fs::write(self.program("operations.ts"), operations::typescript()).unwrap();
        fs::write(self.program("narrowing.ts"), narrowing::typescript()).unwrap();
        for program in ["answers.ts", "outside.ts", "play.ts", "quiet.ts", "tables.ts", "thrifty.ts", "webhooks.ts"] {
            fs::copy(here(program), self.program(program)).unwrap();
        }
        let made = self
            .tsc("operations.ts narrowing.ts answers.ts outside.ts play.ts quiet.ts tables.ts thrifty.ts webhooks.ts");
        assert!(made.status.success(), "{}", said(&made));
    }

    /// Compiles programs (names with blanks between) with every check, into `program/dist`.
    pub fn tsc(&self, files: &str) -> Output {
        let options = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--target", "ES2022"];
        let tsc = Program::new(self.dir.join("typescript/node_modules/.bin/tsc")).args(options);
        let tsc = tsc.args(["--module", "NodeNext", "--types", "node", "--skipLibCheck", "--outDir", "dist"]);
        files.split(' ').fold(tsc, |tsc, file| tsc.arg(file)).output(&self.program(""))
    }

    /// A program of the Python environment.
    pub fn python(&self, name: &str) -> PathBuf {
        self.dir.join("python/bin").join(name)
    }

    /// A file in the folder of the programs that use the clients.
    pub fn program(&self, name: &str) -> PathBuf {
        self.dir.join("program").join(name)
    }

    /// Runs a program to its end, which must be a good one; what it has said.
    pub fn run(&self, program: &Program) -> String {
        let run = program.output(&self.dir);
        assert!(run.status.success(), "{:?} failed:\n{}", program.0, said(&run));
        String::from_utf8_lossy(&run.stdout).into_owned()
    }
}

fn said(run: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr))
}

/// The same with a variable of the environment set: what is to run follows.
pub fn env(name: &str, value: impl AsRef<OsStr>) -> Program {
    let mut set = OsString::from(format!("{name}="));
    set.push(value);
    Program::new("env").arg(set)
}

/// A file beside this one.
pub fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}
