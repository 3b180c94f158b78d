//! The shape of the house: imports point down, the disk is touched in few rooms, every room says what it is for.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

/// Every top-level module with its layer. A module may import only from strictly lower layers.
const LAYERS: &[(&str, u8)] = &[
    ("simd", 0),
    ("disk", 1),
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
    ("facts", 4),
    ("checkup", 4),
    ("drift", 4),
    ("report", 4),
    ("render", 5),
    ("portrait", 5),
    ("view", 6),
    ("fingerprint", 6),
    ("farm", 6),
    ("golden", 7),
    ("cli", 8),
];

/// Modules that may touch the disk; all others work on bytes and values.
const DISK: &[&str] = &["asset", "output", "golden", "cli"];

/// Modules that may print and read the environment.
const TALK: &[&str] = &["cli"];

/// Modules that see bytes of unknown origin: nothing may panic on them.
const GUARDED: &[&str] = &["formats", "scene", "asset"];

fn layer(module: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

/// All files below `folder` with that extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The source up to its unit tests, which follow other rules.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// What one file does against the rules, as `path:line: message`.
fn violations(path: &Path, text: &str) -> Vec<String> {
    let first = path.components().next().unwrap().as_os_str().to_str().unwrap();
    let module = first.trim_end_matches(".rs");
    if matches!(module, "lib" | "main") || path.file_name().is_some_and(|name| name == "tests.rs") {
        return Vec::new();
    }
    let Some(own) = layer(module) else {
        return vec![format!("{}: module `{module}` has no layer", path.display())];
    };
    let mut found = Vec::new();
    if !text.starts_with("//! ") {
        found.push(format!("{}:1: a file begins with what it is for", path.display()));
    }
    for (index, line) in without_tests(text).lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue; // prose may name anything
        }
        let mut complain = |message: String| {
            found.push(format!("{}:{}: {message}", path.display(), index + 1));
        };
        if line.contains("super::super") || line.contains("crate::{") {
            complain("write one `use crate::module::...` per module".into());
        }
        for rest in line.split("crate::").skip(1) {
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if name != module && layer(&name).is_some_and(|other| other >= own) {
                complain(format!("`{module}` must not use `{name}`"));
            }
        }
        if line.contains("std::fs") && !DISK.contains(&module) {
            complain(format!("`{module}` works on bytes; the disk belongs to {DISK:?}"));
        }
        if (line.contains("std::env") || line.contains("std::process")) && !TALK.contains(&module) {
            complain(format!("`{module}` takes values; the environment belongs to {TALK:?}"));
        }
        if GUARDED.contains(&module) {
            for refused in [".unwrap()", "panic!(", "unreachable!("] {
                if line.contains(refused) {
                    complain(format!("`{refused}` on data of unknown origin"));
                }
            }
        }
    }
    found
}

#[test]
fn source_follows_the_rules_of_the_house() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = files(&source, "rs");
    assert!(files.len() > 20, "only {} files found below {}", files.len(), source.display());
    let found: Vec<String> = files
        .iter()
        .flat_map(|file| {
            violations(file.strip_prefix(&source).unwrap(), &fs::read_to_string(file).unwrap())
        })
        .collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn source_modules_are_all_in_the_table() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    let declared: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let table: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(declared, table, "lib.rs lists the modules in reading order, as the table does");
}

#[test]
fn rules_see_each_kind_of_violation() {
    let sees = |path: &str, text: &str| !violations(Path::new(path), text).is_empty();
    assert!(sees("model/mesh.rs", "//! Doc.\nuse crate::raster::Tile;"), "upward");
    assert!(sees("skin/mod.rs", "//! Doc.\nuse crate::pose::Pose;"), "sideways");
    assert!(sees("helpers.rs", "//! Doc."), "no layer");
    assert!(sees("skin/mod.rs", "use crate::math::Vec3;"), "no doc");
    assert!(sees("raster/mod.rs", "//! Doc.\nuse crate::{math, model};"), "grouped");
    assert!(sees("pose/mod.rs", "//! Doc.\nuse std::fs;"), "disk");
    assert!(sees("render/mod.rs", "//! Doc.\nlet x = std::env::args();"), "environment");
    assert!(sees("scene/mod.rs", "//! Doc.\nlet x = y.unwrap();"), "panic");
    assert!(!sees("raster/bin.rs", "//! Doc.\nuse crate::model::PosedMesh;"), "downward");
    assert!(!sees("raster/bin.rs", "//! Doc.\nuse crate::raster::edge::Edge;"), "within");
}

#[test]
fn readme_names_only_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let mut checked = 0;
    for word in text.split(|c: char| c.is_whitespace() || "`()[]\"'<>|".contains(c)) {
        let path = word.trim_end_matches(['.', ',', ':']);
        let ours = ["scenes/", "src/", "tests/", "golden/", "examples/", "docs/"];
        if ours.iter().any(|folder| path.starts_with(folder)) && !path.contains(['*', '#']) {
            assert!(root.join(path).exists(), "README.md names {path}, which is not there");
            checked += 1;
        }
    }
    assert!(checked > 0, "README.md names scenes");
}
