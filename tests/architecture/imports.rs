//! Imports point down and never in a circle; disk, clock, environment and terminal belong to few modules.

use crate::source::{File, Source};
use crate::support::plain;
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Every top-level module with its layer. A module may import only from strictly lower layers.
const LAYERS: &[(&str, u8)] = &[
    ("simd", 0),
    ("disk", 0),
    ("diagnostic", 1),
    ("shell", 2),
    ("deadline", 1),
    ("math", 1),
    ("model", 2),
    ("frame", 2),
    ("formats", 3),
    ("scene", 3),
    ("pose", 3),
    ("skin", 3),
    ("raster", 3),
    ("output", 3),
    ("compare", 3),
    ("asset", 4),
    ("inspect", 5),
    ("model_diff", 4),
    ("picture_diff", 5),
    ("report", 4),
    ("render", 5),
    ("framing", 6),
    ("aov", 6),
    ("record", 6),
    ("workers", 6),
    ("job", 7),
    ("api", 8),
    ("golden", 8),
    ("submit", 8),
    ("exports", 9),
    ("cli", 10),
];

/// Modules that may touch the disk; all others work on bytes and values.
const DISK: &[&str] = &[
    "asset",
    "output",
    "inspect",
    "picture_diff",
    "job",
    "api",
    "golden",
    "exports",
    "submit",
    "cli",
];

/// Modules that may read the environment and start processes.
const ENVIRONMENT: &[&str] = &["cli"];

/// Modules that may print.
const TERMINAL: &[&str] = &["cli"];

/// Modules that may ask a clock; all others are given a deadline, or a clock by their caller.
const CLOCK: &[&str] = &["deadline", "cli"];

/// Modules that see bytes of unknown origin: nothing may panic on them.
const GUARDED: &[&str] = &["formats", "scene", "asset"];

fn layer(module: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

/// The violations of one file, as `path:line: message`.
fn violations(file: &File) -> Vec<String> {
    let top = file.top();
    if matches!(top, "lib" | "main") {
        return Vec::new();
    }
    let Some(own) = layer(top) else {
        return vec![format!("{}: module `{top}` has no layer", file.name)];
    };
    let mut found = Vec::new();
    let mut complain = |line: usize, message: String| {
        found.push(format!("{}:{line}: {message}", file.name));
    };
    if !file.text.starts_with("//! ") {
        complain(1, "a file begins with its documentation".into());
    }
    for line in &file.crooked {
        complain(
            *line,
            "write one `use crate::module::...` per module, and no `super::super`".into(),
        );
    }
    for (other, line) in &file.imports {
        let other = other.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        if other != top && layer(other).is_none_or(|other| other >= own) {
            complain(*line, format!("`{top}` must not use `{other}`"));
        }
    }
    let starts = |path: &[String], words: &str| {
        let words: Vec<&str> = words.split("::").collect();
        path.len() >= words.len() && path.iter().zip(&words).all(|(own, word)| own == word)
    };
    for mention in &file.external {
        let is = |words: &str| starts(&mention.path, words);
        if is("std::fs") && !DISK.contains(&top) {
            complain(mention.line, format!("`{top}` works on bytes; the disk belongs to {DISK:?}"));
        }
        // The number of this process is in the names of its temporary files, as `rustix` gives it on Unix.
        let starts_processes = is("std::process") && !is("std::process::id");
        if (is("std::env") || starts_processes) && !ENVIRONMENT.contains(&top) {
            complain(
                mention.line,
                format!("`{top}` takes values; the environment belongs to {ENVIRONMENT:?}"),
            );
        }
        if (is("std::time::Instant") || is("std::time::SystemTime::now")) && !CLOCK.contains(&top) {
            complain(mention.line, format!("`{top}` asks no clock; that belongs to {CLOCK:?}"));
        }
    }
    for (line, name) in &file.macros {
        if ["print", "println", "eprint", "eprintln", "dbg"].contains(&name.as_str())
            && !TERMINAL.contains(&top)
        {
            complain(
                *line,
                format!("`{top}` returns values; the terminal belongs to {TERMINAL:?}"),
            );
        }
        if ["panic", "unreachable", "todo", "unimplemented"].contains(&name.as_str())
            && GUARDED.contains(&top)
        {
            complain(*line, format!("`{name}!` on data of unknown origin"));
        }
    }
    for (line, name, _) in &file.calls {
        if name == "unwrap" && GUARDED.contains(&top) {
            complain(*line, "`.unwrap()` on data of unknown origin".into());
        }
    }
    found
}

fn source_follows_the_rules_of_the_house() {
    let source = crate::source();
    assert!(source.files.len() > 20, "only {} files found", source.files.len());
    let found: Vec<String> = source.files.values().flat_map(violations).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn files_of_a_folder_import_in_one_direction() {
    let source = crate::source();
    let mut found = Vec::new();
    for cycle in source.cycles() {
        found.push(format!("{} files import each other in a circle:", cycle.len()));
        for name in &cycle {
            let inside =
                source.files[name].imports.iter().filter(|(other, _)| cycle.contains(other));
            found.extend(inside.map(|(other, line)| format!("  {name}:{line} imports {other}")));
        }
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn source_modules_are_all_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("src/lib.rs")).expect("there is a library");
    let file = syn::parse_file(&text).expect("the library is Rust");
    let declared: Vec<String> = file
        .items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Mod(item) => Some(item.ident.to_string()),
            _ => None,
        })
        .collect();
    let table: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(declared, table, "lib.rs lists the modules in reading order, as the table does");
}

/// Parses a few files as if they were the source.
fn parsed<const N: usize>(files: [(&str, &str); N]) -> Source {
    let texts: BTreeMap<String, String> =
        files.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    Source::parse(texts)
}

fn rules_see_each_kind_of_violation() {
    let others = [
        ("raster/mod.rs", "//! Doc.\npub mod edge; pub struct Tile;"),
        ("raster/edge.rs", "//! Doc.\npub struct Edge;"),
        ("pose/mod.rs", "//! Doc.\npub struct Pose;"),
        ("math/mod.rs", "//! Doc.\npub struct Vec3;"),
        ("model/mod.rs", "//! Doc.\npub struct PosedMesh;"),
    ];
    let sees = |path: &str, text: &str| {
        let mut files: BTreeMap<String, String> =
            others.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        files.insert(path.to_owned(), text.to_owned());
        !violations(&Source::parse(files).files[path]).is_empty()
    };
    assert!(sees("model/mesh.rs", "//! Doc.\nuse crate::raster::Tile;"), "upward");
    assert!(
        sees("model/mesh.rs", "//! Doc.\nfn a() { b![crate::raster::Tile::new()]; }"),
        "in a macro"
    );
    assert!(sees("skin/mod.rs", "//! Doc.\nuse crate::pose::Pose;"), "sideways");
    assert!(sees("helpers.rs", "//! Doc."), "no layer");
    assert!(sees("skin/mod.rs", "use crate::math::Vec3;"), "no doc");
    assert!(sees("raster/tile.rs", "//! Doc.\nuse crate::{math, model};"), "grouped");
    assert!(sees("raster/a/b.rs", "//! Doc.\nuse super::super::Tile;"), "two up");
    assert!(sees("pose/clip.rs", "//! Doc.\nuse std::fs;"), "disk");
    assert!(sees("pose/clip.rs", "//! Doc.\nuse std::{fs::File, io};"), "disk in a group");
    assert!(sees("render/mod.rs", "//! Doc.\nfn a() { let x = std::env::args(); }"), "environment");
    assert!(sees("render/mod.rs", "//! Doc.\nfn a() { println!(); }"), "terminal");
    assert!(sees("model/mesh.rs", "//! Doc.\nuse std::time::Instant;"), "clock");
    assert!(
        sees("model/mesh.rs", "//! Doc.\nuse std::time;\nfn a() { time::Instant::now(); }"),
        "clock"
    );
    assert!(sees("scene/mod.rs", "//! Doc.\nfn a() { y.unwrap(); }"), "panic");
    assert!(sees("scene/mod.rs", "//! Doc.\nfn a() { assert!(y.unwrap()); }"), "panic in a macro");
    assert!(sees("scene/mod.rs", "//! Doc.\nfn a() { panic!() }"), "panic");
    assert!(
        !sees("scene/mod.rs", "//! Doc.\n#[cfg(test)]\nmod tests { fn a() { y.unwrap(); } }"),
        "tests"
    );
    assert!(
        !sees("scene/mod.rs", "//! Doc.\n/// As `crate::raster`, with `std::fs`.\nfn a() {}"),
        "prose"
    );
    assert!(!sees("raster/bin.rs", "//! Doc.\nuse crate::model::PosedMesh;"), "downward");
    assert!(!sees("raster/bin.rs", "//! Doc.\nuse crate::raster::edge::Edge;"), "within");
}

fn cycles_are_seen_and_declarations_are_none() {
    let cycles = |files: [(&str, &str); 4]| parsed(files).cycles();
    let lib = ("lib.rs", "pub mod a;");
    let leaf = ("a/c.rs", "pub struct C;");
    // A parent that uses a child, and the child an item of its parent.
    let both = [
        lib,
        ("a/mod.rs", "mod b; mod c; use b::run; pub struct A; fn go() { run(); }"),
        ("a/b.rs", "use super::A; pub fn run() {}"),
        leaf,
    ];
    assert_eq!(cycles(both), [["a/b.rs", "a/mod.rs"]]);
    // By a path alone.
    let path =
        [lib, ("a/mod.rs", "mod b; mod c; pub struct A; fn go() { b::run(); }"), both[2], leaf];
    assert_eq!(cycles(path).len(), 1);
    // Siblings.
    let siblings = [
        lib,
        ("a/mod.rs", "mod b; mod c;"),
        ("a/b.rs", "use super::c::C; pub struct B;"),
        ("a/c.rs", "pub struct C(crate::a::b::B);"),
    ];
    assert_eq!(cycles(siblings), [["a/b.rs", "a/c.rs"]]);
    // To declare and to hand on is no import; a name that is handed on leads to its file.
    let through = [
        lib,
        ("a/mod.rs", "mod b; mod c; pub use c::C; pub use b::run;"),
        ("a/b.rs", "use super::C; pub fn run(c: C) {}"),
        leaf,
    ];
    assert!(cycles(through).is_empty());
    // Unit tests may use anything.
    let tests = [
        lib,
        ("a/mod.rs", "mod b; mod c; fn go() { b::run(); }"),
        ("a/b.rs", "pub fn run() {} #[cfg(test)] mod tests { use super::super::*; use crate::a; }"),
        leaf,
    ];
    assert!(cycles(tests).is_empty());
}

fn readme_names_only_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["README.md", "tests/README.md", "docs/architecture.md", "docs/contributing.md"] {
        let text = fs::read_to_string(root.join(page)).expect("there is a page");
        let mut checked = 0;
        for word in text.split(|c: char| c.is_whitespace() || "`()[]\"'<>|".contains(c)) {
            let path = word.trim_end_matches(['.', ',', ':', ';']);
            let ours = ["scenes/", "src/", "tests/", "golden/", "examples/", "docs/"];
            if ours.iter().any(|folder| path.starts_with(folder)) && !path.contains(['*', '#']) {
                assert!(root.join(path).exists(), "{page} names {path}, which is not there");
                checked += 1;
            }
        }
        assert!(checked > 0, "{page} names files");
    }
}

/// A path in a message is `shown()`, whose control characters reach no terminal; `display()` hands a line feed on. Git takes the path itself.
fn paths_are_shown_by_one_function() {
    let source = crate::source();
    let files = source.files.values().filter(|file| file.name != "cli/revision.rs");
    let raw: Vec<String> = files
        .flat_map(|file| {
            let words = file.words.iter().filter(|(_, word, _)| word == "display");
            words.map(|(line, ..)| format!("src/{}:{line}", file.name))
        })
        .collect();
    assert_eq!(raw, Vec::<String>::new(), "use `shown()` of `ShowPath`");
}

pub(crate) fn trials() -> Vec<Trial> {
    plain![
        source_follows_the_rules_of_the_house,
        files_of_a_folder_import_in_one_direction,
        source_modules_are_all_in_the_table,
        rules_see_each_kind_of_violation,
        cycles_are_seen_and_declarations_are_none,
        readme_names_only_what_is_there,
        paths_are_shown_by_one_function,
    ]
}
