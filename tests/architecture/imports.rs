//! Imports point down and never in a circle; disk, clock, environment and terminal belong to few
//! modules.

use crate::source::{File, Source};
use crate::support::trial;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Layers of the modules of a crate, if its order is not simply one file after the other: the name
/// of the module, empty for files beside `lib.rs`, and its layer. A module may import only from
/// strictly lower layers. Between crates the compiler enforces the order.
const LAYERS: &[(&str, &[(&str, u8)])] = &[
    (
        "model",
        &[("simd", 0), ("fault", 0), ("math", 1), ("frame", 2), ("", 2), ("pose", 3), ("skin", 3)],
    ),
    ("render", &[("asset", 0), ("", 1), ("aov", 2)]),
    (
        "framing",
        &[("", 0), ("turntable", 1), ("thumbnail", 2), ("character", 3), ("contact_sheet", 2)],
    ),
    ("compare", &[("", 0), ("model_diff", 1), ("character", 2)]),
    ("host", &[("", 0), ("job", 1)]),
    ("golden", &[("report", 1), ("picture_diff", 2), ("record", 2), ("", 3)]),
];

/// Modules that may access the disk; all others work on bytes and values.
const DISK: &[&str] = &[
    "base/disk",
    "render/asset",
    "framing/clip_folders",
    "framing/thumbnail",
    "host",
    "golden",
    "farm",
    "tintype",
    "cli",
];

/// Modules that may read the environment and start processes.
const ENVIRONMENT: &[&str] = &["cli"];
/// Files that start a program of others.
const PROGRAMS: &[&str] = &["crates/host/src/job/sinks/video_writer.rs"];

/// Modules that may print.
const TERMINAL: &[&str] = &["cli"];

/// Modules that may read a clock; all others receive a deadline, or a clock, from their caller.
const CLOCK: &[&str] = &["base/deadline", "cli"];

/// Code that reads untrusted bytes: nothing may panic on them.
const GUARDED: &[&str] = &["base", "formats", "scene", "render/asset"];

/// The layer of a file, by its crate and the first part of its path. None if its crate has no
/// layers.
fn layer(krate: &str, name: &str) -> Option<u8> {
    let (_, layers) = LAYERS.iter().find(|(own, _)| *own == krate)?;
    let (_, below) = name.split_once('/')?;
    let top = below.split('/').next()?.trim_end_matches(".rs");
    let of = |module: &str| layers.iter().find(|(own, _)| *own == module).map(|(_, layer)| *layer);
    of(top).or_else(|| of(""))
}

/// Module of the first part of a path, empty for files beside `lib.rs` without a layer.
fn module<'n>(krate: &str, name: &'n str) -> &'n str {
    let below = name.split_once('/').map_or(name, |(_, below)| below);
    let top = below.split('/').next().unwrap_or(below).trim_end_matches(".rs");
    let layers = LAYERS.iter().find(|(own, _)| *own == krate).map_or(&[][..], |(_, all)| all);
    if layers.iter().any(|(own, _)| *own == top) { top } else { "" }
}

/// The violations of one file, as `path:line: message`.
fn violations(file: &File) -> Vec<String> {
    let krate = file.krate.as_str();
    if file.name == "tintype/lib.rs" {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut complain = |line: usize, message: String| {
        found.push(format!("{}:{line}: {message}", file.path()));
    };
    if !file.text.starts_with("//! ") {
        complain(1, "a file begins with its documentation".into());
    }
    for line in &file.crooked {
        complain(*line, "write `use crate::module::...`, and no `super::super`".into());
    }
    let (own, top) = (layer(krate, &file.name), module(krate, &file.name));
    for (other, line) in &file.imports {
        if module(krate, other) != top && layer(krate, other) >= own {
            complain(*line, format!("`{top}` must not use `{other}`"));
        }
    }
    let starts = |path: &[String], words: &str| {
        let words: Vec<&str> = words.split("::").collect();
        path.len() >= words.len() && path.iter().zip(&words).all(|(own, word)| own == word)
    };
    for mention in &file.external {
        let is = |words: &str| starts(&mention.path, words);
        if is("std::fs") && !file.is_in(DISK) {
            complain(
                mention.line,
                format!("`{krate}` works on bytes; the disk belongs to {DISK:?}"),
            );
        }
        // The number of this process is in the names of its temporary files, from `rustix` on Unix.
        let may_start = PROGRAMS.contains(&file.path().as_str());
        let starts_processes = is("std::process") && !is("std::process::id") && !may_start;
        if (is("std::env") || starts_processes) && !file.is_in(ENVIRONMENT) {
            complain(
                mention.line,
                format!("`{krate}` takes values; the environment belongs to {ENVIRONMENT:?}"),
            );
        }
        if (is("std::time::Instant") || is("std::time::SystemTime::now")) && !file.is_in(CLOCK) {
            complain(mention.line, format!("`{krate}` asks no clock; that belongs to {CLOCK:?}"));
        }
    }
    for (line, name) in &file.macros {
        if ["print", "println", "eprint", "eprintln", "dbg"].contains(&name.as_str())
            && !file.is_in(TERMINAL)
        {
            complain(
                *line,
                format!("`{krate}` returns values; the terminal belongs to {TERMINAL:?}"),
            );
        }
        if ["panic", "unreachable", "todo", "unimplemented"].contains(&name.as_str())
            && file.is_in(GUARDED)
        {
            complain(*line, format!("`{name}!` on data of unknown origin"));
        }
    }
    for (line, name, _) in &file.calls {
        if name == "unwrap" && file.is_in(GUARDED) {
            complain(*line, "`.unwrap()` on data of unknown origin".into());
        }
    }
    found
}

#[trial]
fn source_follows_the_rules_of_the_house() {
    let source = crate::source();
    assert!(source.files.len() > 20, "only {} files found", source.files.len());
    let found: Vec<String> = source.files.values().flat_map(violations).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[trial]
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

#[trial]
fn source_modules_are_all_in_the_table() {
    let source = crate::source();
    for (krate, layers) in LAYERS {
        for (module, _) in layers.iter().filter(|(module, _)| !module.is_empty()) {
            let is_there =
                |file: &File| file.krate == *krate && self::module(krate, &file.name) == *module;
            assert!(source.files.values().any(is_there), "`{krate}` has no module `{module}`");
        }
    }
    let page = fs::read_to_string(Path::new(env!("WORKSPACE_ROOT")).join("docs/architecture.md"))
        .expect("there is a page");
    for file in source.files.values().filter(|file| file.krate != "tintype") {
        let row = format!("| `crates/{}` |", file.krate);
        assert!(page.contains(&row), "docs/architecture.md has no row {row}");
    }
}

/// Parses a few files as if they were the source.
fn parsed<const N: usize>(files: [(&str, &str); N]) -> Source {
    let texts: BTreeMap<String, String> =
        files.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    Source::parse(texts)
}

#[trial]
fn rules_see_each_kind_of_violation() {
    let others = [
        ("render/asset/mod.rs", "//! Doc.\npub struct Assets;"),
        ("render/stage.rs", "//! Doc.\npub struct Stage;"),
        ("render/aov/mod.rs", "//! Doc.\npub struct View;"),
        ("model/pose/mod.rs", "//! Doc.\npub struct Pose;"),
        ("model/skin/mod.rs", "//! Doc.\npub struct Skin;"),
        ("model/mesh.rs", "//! Doc.\npub struct Mesh;"),
    ];
    let sees = |path: &str, text: &str| {
        let mut files: BTreeMap<String, String> =
            others.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        files.insert(path.to_owned(), text.to_owned());
        !violations(&Source::parse(files).files[path]).is_empty()
    };
    assert!(sees("model/clip.rs", "//! Doc.\nuse crate::pose::Pose;"), "upward");
    assert!(sees("render/asset/file.rs", "//! Doc.\nuse crate::stage::Stage;"), "upward");
    assert!(
        sees("render/stage.rs", "//! Doc.\nfn a() { b![crate::aov::View::new()]; }"),
        "in a macro"
    );
    assert!(sees("model/skin/a.rs", "//! Doc.\nuse crate::pose::Pose;"), "sideways");
    assert!(sees("model/skin/a.rs", "use crate::mesh::Mesh;"), "no doc");
    assert!(sees("raster/a/b.rs", "//! Doc.\nuse super::super::Tile;"), "two up");
    assert!(sees("model/pose/clip.rs", "//! Doc.\nuse std::fs;"), "disk");
    assert!(sees("model/pose/clip.rs", "//! Doc.\nuse std::{fs::File, io};"), "disk in a group");
    assert!(sees("render/a.rs", "//! Doc.\nfn a() { let x = std::env::args(); }"), "environment");
    assert!(sees("render/a.rs", "//! Doc.\nfn a() { println!(); }"), "terminal");
    assert!(sees("model/clip.rs", "//! Doc.\nuse std::time::Instant;"), "clock");
    assert!(
        sees("model/clip.rs", "//! Doc.\nuse std::time;\nfn a() { time::Instant::now(); }"),
        "clock"
    );
    assert!(sees("scene/a.rs", "//! Doc.\nfn a() { y.unwrap(); }"), "panic");
    assert!(sees("scene/a.rs", "//! Doc.\nfn a() { assert!(y.unwrap()); }"), "panic in a macro");
    assert!(sees("render/asset/a.rs", "//! Doc.\nfn a() { panic!() }"), "panic");
    assert!(
        !sees("scene/a.rs", "//! Doc.\n#[cfg(test)]\nmod tests { fn a() { y.unwrap(); } }"),
        "tests"
    );
    assert!(
        !sees("render/asset/a.rs", "//! Doc.\n/// As `crate::aov`, with `std::fs`.\nfn a() {}"),
        "prose"
    );
    assert!(!sees("model/skin/a.rs", "//! Doc.\nuse crate::mesh::Mesh;"), "downward");
    assert!(!sees("model/skin/a.rs", "//! Doc.\nuse crate::skin::Skin;"), "within");
}

#[trial]
fn cycles_are_seen_and_declarations_are_none() {
    let cycles = |files: [(&str, &str); 4]| parsed(files).cycles();
    let lib = ("x/lib.rs", "pub mod a;");
    let leaf = ("x/a/c.rs", "pub struct C;");
    // A parent that uses a child, and the child an item of its parent.
    let both = [
        lib,
        ("x/a/mod.rs", "mod b; mod c; use b::run; pub struct A; fn go() { run(); }"),
        ("x/a/b.rs", "use super::A; pub fn run() {}"),
        leaf,
    ];
    assert_eq!(cycles(both), [["x/a/b.rs", "x/a/mod.rs"]]);
    // By a path alone.
    let path =
        [lib, ("x/a/mod.rs", "mod b; mod c; pub struct A; fn go() { b::run(); }"), both[2], leaf];
    assert_eq!(cycles(path).len(), 1);
    // Siblings.
    let siblings = [
        lib,
        ("x/a/mod.rs", "mod b; mod c;"),
        ("x/a/b.rs", "use super::c::C; pub struct B;"),
        ("x/a/c.rs", "pub struct C(crate::a::b::B);"),
    ];
    assert_eq!(cycles(siblings), [["x/a/b.rs", "x/a/c.rs"]]);
    // Declarations and re-exports are not imports; a re-exported name leads to its file.
    let through = [
        lib,
        ("x/a/mod.rs", "mod b; mod c; pub use c::C; pub use b::run;"),
        ("x/a/b.rs", "use super::C; pub fn run(c: C) {}"),
        leaf,
    ];
    assert!(cycles(through).is_empty());
    // Unit tests may use anything.
    let tests = [
        lib,
        ("x/a/mod.rs", "mod b; mod c; fn go() { b::run(); }"),
        (
            "x/a/b.rs",
            "pub fn run() {} #[cfg(test)] mod tests { use super::super::*; use crate::a; }",
        ),
        leaf,
    ];
    assert!(cycles(tests).is_empty());
}

#[trial]
fn readme_names_only_what_is_there() {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    for page in ["README.md", "tests/README.md", "docs/architecture.md", "docs/contributing.md"] {
        let text = fs::read_to_string(root.join(page)).expect("there is a page");
        let mut checked = 0;
        for word in text.split(|c: char| c.is_whitespace() || "`()[]\"'<>|".contains(c)) {
            // Without the line and the column of a message.
            let path = word.split(':').next().unwrap_or(word).trim_end_matches(['.', ',', ';']);
            let ours =
                ["scenes/", "src/", "crates/", "tests/", "golden/", "examples/", "tools/", "docs/"];
            if ours.iter().any(|folder| path.starts_with(folder)) && !path.contains(['*', '#']) {
                assert!(root.join(path).exists(), "{page} names {path}, which is not there");
                checked += 1;
            }
        }
        assert!(checked > 0, "{page} names files");
    }
}

/// Paths in messages use `shown()`, so that control characters reach no terminal; `display()`
/// passes on a line feed. Git gets the path itself.
#[trial]
fn paths_are_shown_by_one_function() {
    let source = crate::source();
    let files = source.files.values().filter(|file| file.name != "cli/revision.rs");
    let raw: Vec<String> = files
        .flat_map(|file| {
            let words = file.words.iter().filter(|(_, word, _)| word == "display");
            words.map(|(line, ..)| format!("{}:{line}", file.path()))
        })
        .collect();
    assert_eq!(raw, Vec::<String>::new(), "use `shown()` of `ShowPath`");
}
