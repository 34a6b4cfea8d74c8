//! The surface of both libraries' shells that programs can see, beside what is committed: a change of it is a new
//! version.
//!
//! It leaves out the types of the document: `openapi/CHANGELOG.md` tells of those.

use std::fmt::Write;
use std::fs;

use test_kit::environment::GOLDEN;

use crate::kit::{CLIENTS, Kit, Program, here};

/// Compares with `surface.txt` of a library, whose first line is the version that the text was written for.
fn compare(library: &str, surface: &str) {
    let file = CLIENTS.join(library).join("surface.txt");
    let fresh = format!("sarsen {}\n\n{surface}", env!("CARGO_PKG_VERSION"));
    let committed = fs::read_to_string(&file).unwrap_or_default();
    if committed == fresh {
        return;
    }
    let is_newer = committed.lines().next() != fresh.lines().next();
    if is_newer && GOLDEN.text().as_deref() == Some("write") {
        return fs::write(file, fresh).unwrap();
    }
    let changed: Vec<_> = fresh.lines().filter(|line| !committed.lines().any(|it| it == *line)).collect();
    let gone: Vec<_> = committed.lines().filter(|line| !fresh.lines().any(|it| it == *line)).collect();
    panic!(
        "{library}: what programs see has changed. Raise the version, then write {} anew with SARSEN_GOLDEN=write.\n\
         new: {changed:#?}\ngone: {gone:#?}",
        file.display()
    );
}

#[test]
fn what_programs_see_of_python_changes_with_the_version() {
    let kit = Kit::get();
    compare("python", &kit.run(&Program::new(kit.python("python")).arg(here("surface.py"))));
}

#[test]
fn what_programs_see_of_typescript_changes_with_the_version() {
    let declarations = Kit::get().dir.join("typescript/dist");
    let read = |name: &str| fs::read_to_string(declarations.join(name)).unwrap();
    let mut surface = String::new();
    for line in read("index.d.ts").lines().filter(|line| line.starts_with("export")) {
        let (names, from) = line.split_once('{').unwrap().1.split_once('}').unwrap();
        let module = from.split('"').nth(1).unwrap().trim_start_matches("./").replace(".js", ".d.ts");
        let text = read(&module);
        for name in names.split(',').map(str::trim) {
            // The document's own types are named only.
            let declared = if module == "document.d.ts" { name.to_owned() } else { declaration(&text, name) };
            writeln!(surface, "{declared}").unwrap();
        }
    }
    compare("typescript", &surface);
}

/// The declaration of a name in a file of declarations, without comments and private members.
fn declaration(text: &str, name: &str) -> String {
    let is_it = |line: &&str| {
        let words =
            line.split(|c: char| !c.is_alphanumeric()).take_while(|word| !word.is_empty() && *word != "extends");
        line.starts_with("export") && words.last() == Some(name)
            || line.starts_with(&format!("export declare function {name}"))
    };
    let mut lines = text.lines().skip_while(|line| !is_it(line));
    let mut said = Vec::new();
    let mut is_comment = false;
    for line in &mut lines {
        let bare = line.trim_start();
        is_comment |= bare.starts_with("/**");
        if !is_comment && !bare.starts_with("private ") && !bare.starts_with('#') {
            said.push(line);
        }
        is_comment &= !bare.ends_with("*/");
        if !line.starts_with(' ') && line.ends_with(['}', ';']) {
            return said.join("\n");
        }
    }
    panic!("{name} is not declared");
}
