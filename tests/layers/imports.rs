//! Declarations and imports of the files of `src`, as far as text shows them: enough to hold walls, without a compiler.
//!
//! It reads `crate::`, `super::` and `self::` wherever they stand, braces and all, and what a file calls by the name of
//! a module of its own. A name that a module passes on (`pub use`) counts as taken from where it comes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the member crates.
const CRATES: [&str; 9] = ["rules", "base", "games", "redis", "store", "accounts", "matches", "service", "http"];

/// One file of `src` without its comments and its tests.
pub struct Source {
    /// The file, from `src`.
    pub file: String,
    /// The module that it is, its crate first: `["http", "edge", "log"]`. The root package's begin with `program`.
    pub module: Vec<String>,
    /// Its code.
    pub code: String,
    /// The number of its lines, tests and comments too.
    pub lines: usize,
    /// The numbers of those that are too long, in characters.
    pub wide: Vec<usize>,
}

/// All of `src` but what is only for tests.
pub struct Sources(pub Vec<Source>);

impl Sources {
    pub fn read() -> Sources {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut paths = Vec::new();
        files(&root, &mut paths);
        paths.sort();
        let inner = |path: &PathBuf| path.strip_prefix(&root).expect("a file of src").to_owned();
        Sources(paths.iter().map(|path| Source::new(&inner(path), path)).filter(|source| !source.is_test()).collect())
    }

    /// The file that a path of the crate names something of.
    fn resolve(&self, path: &[String]) -> Option<&Source> {
        let mut path = path.to_vec();
        // A name that is passed on is passed on a few times at most.
        for _ in 0..8 {
            let module = (0..=path.len()).rev().find_map(|end| self.module(&path[..end]))?;
            let rest = &path[module.module.len()..];
            let Some(passed_on) = rest.first().and_then(|name| module.passed_on(name)) else { return Some(module) };
            path = passed_on.into_iter().chain(rest[1..].iter().cloned()).collect();
        }
        None
    }

    fn module(&self, path: &[String]) -> Option<&Source> {
        self.0.iter().find(|source| source.module == path)
    }

    /// The imports between files: for each file, those from which it takes something.
    pub fn arrows(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let targets = |source: &Source| {
            let targets = source.imports().into_iter().filter_map(|path| self.resolve(&path));
            targets.map(|target| &*target.file).filter(|target| *target != source.file).collect()
        };
        self.0.iter().map(|source| (&*source.file, targets(source))).collect()
    }
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a source directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

impl Source {
    fn new(inner: &Path, path: &Path) -> Source {
        let text = fs::read_to_string(path).expect("a source file");
        let lines = text.lines().count();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let wide = (1..).zip(text.lines()).filter(|(_, line)| is_wide(line)).map(|(number, _)| number).collect();
        let uncommented = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
        let code = text.lines().map(uncommented).collect::<Vec<_>>().join("\n");
        let mut module: Vec<String> =
            inner.with_extension("").components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| ["mod", "lib"].contains(&last.as_str())) {
            module.pop();
        }
        Source { file: inner.display().to_string(), module, code, lines, wide }
    }

    fn is_test(&self) -> bool {
        let name = self.module.last().map(String::as_str).unwrap_or_default();
        let folder = self.module.iter().any(|part| ["tests", "fixture"].contains(&part.as_str()));
        folder || name.ends_with("tests") || name == "fake_store"
    }

    /// The crate's folder.
    pub fn crate_name(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }

    /// The path of the crate's root. The root package's is `src` itself.
    fn root(&self) -> &[String] {
        if ["", "main", "program"].contains(&self.crate_name()) { &[] } else { &self.module[..1] }
    }

    /// Every path of the workspace that the file names, its crate first.
    pub fn imports(&self) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        for start in ["crate", "super", "self"] {
            for at in words(&self.code, start) {
                found.extend(paths(&self.code[at..]).into_iter().filter_map(|path| self.absolute(path)));
            }
        }
        for krate in CRATES {
            for at in words(&self.code, &format!("sarsen_{krate}")) {
                let named = paths(&self.code[at..]).into_iter();
                found.extend(
                    named.map(|path| [krate.to_owned()].into_iter().chain(path[1..].iter().cloned()).collect()),
                );
            }
        }
        for child in self.children() {
            for at in words(&self.code, &child) {
                found.extend(paths(&self.code[at..]).into_iter().map(|path| self.inside(path)));
            }
        }
        found
    }

    /// The modules that the file declares.
    fn children(&self) -> Vec<String> {
        let lines = self.code.lines().filter_map(|line| {
            let line = line.trim();
            let line = line.split_once("mod ").filter(|(before, _)| before.is_empty() || before.starts_with("pub"))?.1;
            line.strip_suffix(';')
        });
        lines.map(str::to_owned).collect()
    }

    fn inside(&self, path: Vec<String>) -> Vec<String> {
        self.module.iter().cloned().chain(path).collect()
    }

    /// A path that begins with `crate`, `super` or `self`, from the root; `None` if it names nothing but a module's own.
    fn absolute(&self, path: Vec<String>) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        let rest = match path[0].as_str() {
            "crate" => self.root().iter().chain(&path[1..]).cloned().collect(),
            "self" => self.inside(path[1..].to_vec()),
            _ => self.module[..self.module.len().checked_sub(ups)?].iter().chain(&path[ups..]).cloned().collect(),
        };
        (path.len() > 1).then_some(rest)
    }

    /// Returns the path from which a name comes that the file passes on.
    fn passed_on(&self, name: &str) -> Option<Vec<String>> {
        for at in self.code.match_indices("pub").map(|(at, _)| at) {
            let line = self.code[at..].trim_start_matches("pub");
            let line = line.trim_start_matches("(crate)").trim_start_matches("(super)");
            let Some(tree) = line.strip_prefix(" use ") else { continue };
            for path in paths(tree) {
                if path.last().is_some_and(|last| last == name) {
                    let known = ["crate", "super", "self"].contains(&path[0].as_str());
                    return if known { self.absolute(path) } else { Some(self.inside(path)) };
                }
            }
        }
        None
    }

    /// The public types that the file declares.
    pub fn types(&self) -> Vec<String> {
        let name = |line: &str| {
            let line = line.trim_start().strip_prefix("pub")?;
            let (kind, rest) = line.strip_prefix("(crate)").unwrap_or(line).strip_prefix(' ')?.split_once(' ')?;
            let kinds = ["struct", "enum", "trait", "type", "union"];
            kinds.contains(&kind).then(|| rest.chars().take_while(|letter| is_word(*letter)).collect())
        };
        self.code.lines().filter_map(name).collect()
    }
}

/// The width of code in `.rustfmt.toml`, which has no say over texts in it. Comments are broken by hand, so a word or two more
/// may stand there; a row of a table cannot be broken at all.
const WIDTH: usize = 120;
const COMMENT_WIDTH: usize = 128;

fn is_wide(line: &str) -> bool {
    let width = |text: &str| text.chars().count();
    let bare = line.trim_start();
    if bare.starts_with("//") {
        return width(line) > COMMENT_WIDTH && !bare.trim_start_matches(['/', '!', ' ']).starts_with('|');
    }
    // What stands between quotes is text.
    line.split('"').step_by(2).map(width).sum::<usize>() > WIDTH
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The places where `word` begins a path: not part of a longer word or path, nor of `pub(in ...)`, which imports
/// nothing.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = code[..*at].chars().next_back();
        let begins = before.is_none_or(|c| !is_word(c) && c != ':') && !code[..*at].ends_with("pub(in ");
        begins && code[at + word.len()..].starts_with("::")
    })
}

/// The paths of the tree that `text` begins with: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    tree(text, &[], &mut found);
    found
}

/// Reads one tree and answers how long it is.
fn tree(text: &str, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        if let Some(inner) = rest.strip_prefix('{') {
            at += 1 + group(inner, &path, found);
            return at;
        }
        let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        if end > 0 && &rest[..end] != "self" || path.is_empty() {
            path.push(rest[..end].to_owned());
        }
        at += end;
        if !text[at..].starts_with("::") {
            found.push(path);
            return at;
        }
        at += 2;
    }
}

/// Reads what stands between braces, and the closing one.
fn group(text: &str, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut at = 0;
    while at < text.len() {
        let letter = text[at..].chars().next().unwrap_or('}');
        match letter {
            '}' => return at + 1,
            _ if is_word(letter) => at += tree(&text[at..], prefix, found),
            _ => at += letter.len_utf8(),
        }
        // `x as y`
        if text[at..].starts_with(" as ") {
            at += text[at..].find([',', '}']).unwrap_or(0);
        }
    }
    at
}

#[test]
fn a_wide_line_is_one_that_could_be_broken() {
    let long = "word ".repeat(25);
    assert!(is_wide(&long) && !is_wide(&format!("let text = \"{long}\";")));
    assert!(is_wide(&format!("//! {long}")) && !is_wide(&format!("//! | {long} |")) && !is_wide("// short"));
}

#[test]
fn trees_of_imports_are_read() {
    let read = |text: &str| paths(text).iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(read("crate::a::B;"), ["crate::a::B"]);
    assert_eq!(
        read("crate::{a, b::{self, C as D, e::F}, g};"),
        ["crate::a", "crate::b", "crate::b::C", "crate::b::e::F", "crate::g"]
    );
    assert_eq!(read("super::super::x::make(1)"), ["super::super::x::make"]);
    assert_eq!(words("crate::a; the_crate::b; (crate::c); pub(in crate::d)", "crate").count(), 2);
}
