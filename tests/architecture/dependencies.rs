//! Dependencies by the rules of `deny.toml`: licences, sources, and one version of each crate.

use crate::support::trial;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A crate that is built for this machine.
struct Dependency {
    name: String,
    version: String,
    /// Licence expression (SPDX).
    license: String,
    /// Empty if the lock file has none.
    source: String,
}

/// Output of `cargo tree`, one package per line.
fn tree(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none"])
        .args(arguments)
        .current_dir(env!("WORKSPACE_ROOT"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names are text")
}

/// The dependencies for this machine, development included: those that `cargo tree` lists, with
/// their sources in the lock file.
///
/// `cargo metadata` would also require crates that no feature enables, which a new machine has not
/// downloaded.
fn dependencies() -> Vec<Dependency> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let lock = fs::read_to_string(root.join("Cargo.lock")).expect("there is a lock file");
    let lock: toml::Table = lock.parse().expect("the lock file is TOML");
    let locked = lock["package"].as_array().expect("a list of packages");
    let lines = tree(&["--edges", "normal,build,dev", "--format", "{p}\t{l}\t"]);
    let listed: BTreeSet<(&str, &str, &str)> = lines
        .lines()
        .filter_map(|line| {
            // `name v1.2.3 (proc-macro)`, the licence, and a mark where it was listed before.
            let (package, rest) = line.split_once('\t')?;
            let (license, _) = rest.split_once('\t')?;
            let mut words = package.split(' ');
            Some((words.next()?, words.next()?.strip_prefix('v')?, license))
        })
        .collect();
    let found = listed.into_iter().map(|(name, version, license)| {
        let is_this = |one: &&toml::Value| {
            one["name"].as_str() == Some(name) && one["version"].as_str() == Some(version)
        };
        let of_lock = locked.iter().find(is_this).expect("the lock file has every dependency");
        let source = of_lock.get("source").and_then(toml::Value::as_str).unwrap_or_default();
        let [name, version, license, source] =
            [name, version, license, source].map(ToOwned::to_owned);
        Dependency { name, version, license, source }
    });
    found.filter(|one| !one.name.starts_with("tintype")).collect()
}

/// The strings of a list in `deny.toml`, or those of `key` in its tables.
fn list(rules: &toml::Table, section: &str, name: &str, key: &str) -> BTreeSet<String> {
    let list = rules[section][name].as_array().expect("a list");
    let texts =
        list.iter().map(|one| one.get(key).unwrap_or(one).as_str().expect("a string").to_owned());
    texts.collect()
}

/// True if allowed licences alone satisfy the licence expression (SPDX).
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    // `/` is an old form of OR.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (result, rest) = any(&words, allowed);
    result && rest.is_empty()
}

fn any<'w>(words: &'w [&'w str], allowed: &BTreeSet<String>) -> (bool, &'w [&'w str]) {
    let (mut result, mut rest) = all(words, allowed);
    while let Some((&"OR", others)) = rest.split_first() {
        let (other, behind) = all(others, allowed);
        (result, rest) = (result | other, behind);
    }
    (result, rest)
}

fn all<'w>(words: &'w [&'w str], allowed: &BTreeSet<String>) -> (bool, &'w [&'w str]) {
    let (mut result, mut rest) = one(words, allowed);
    while let Some((&"AND", others)) = rest.split_first() {
        let (other, behind) = one(others, allowed);
        (result, rest) = (result & other, behind);
    }
    (result, rest)
}

fn one<'w>(words: &'w [&'w str], allowed: &BTreeSet<String>) -> (bool, &'w [&'w str]) {
    match words {
        ["(", inner @ ..] => match any(inner, allowed) {
            (result, [")", rest @ ..]) => (result, rest),
            (_, rest) => (false, rest),
        },
        [name, "WITH", exception, rest @ ..] => {
            (allowed.contains(&format!("{name} WITH {exception}")), rest)
        }
        [name, rest @ ..] => (allowed.contains(*name), rest),
        [] => (false, &[]),
    }
}

/// Tests of one crate reuse the build of all: its dependencies have the same features in both.
#[trial]
fn dependencies_of_one_crate_are_those_of_all() {
    let listed = |arguments: &[&str]| -> BTreeSet<String> {
        let tree = tree(&[&["--format", "{p} {f}"], arguments].concat());
        let lines = tree.lines().map(|line| line.trim_end_matches(" (*)"));
        lines.filter(|line| !line.starts_with("tintype")).map(ToOwned::to_owned).collect()
    };
    let folder = Path::new(env!("WORKSPACE_ROOT")).join("crates");
    let crates: Vec<String> = fs::read_dir(folder)
        .expect("there are crates")
        .map(|entry| entry.expect("a folder").file_name().to_string_lossy().into_owned())
        .map(|name| format!("tintype-{name}"))
        .collect();
    let members: Vec<&str> = crates.iter().flat_map(|name| ["--package", name]).collect();
    let whole = ["--edges", "normal,build,dev", "--package", "tintype"];
    let all = listed(&[&whole[..], &members].concat());
    for name in &crates {
        // The program is built without its tests too.
        let program = (name == "tintype-cli").then_some("normal,build");
        for edges in program.into_iter().chain(["normal,build,dev"]) {
            let own = listed(&["--edges", edges, "--package", name]);
            let other: Vec<_> = own.difference(&all).collect();
            assert!(other.is_empty(), "{name}: {other:?}; see tests/features/Cargo.toml");
        }
    }
}

#[trial]
fn dependencies_follow_the_rules() {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let rules = fs::read_to_string(root.join("deny.toml")).expect("there are rules");
    let rules: toml::Table = rules.parse().expect("the rules are TOML");
    let licenses = list(&rules, "licenses", "allow", "");
    let registries = list(&rules, "sources", "allow-registry", "");
    let skipped = list(&rules, "bans", "skip", "crate");
    let dependencies = dependencies();
    assert!(dependencies.len() > 50, "only {} dependencies found", dependencies.len());
    let mut found = Vec::new();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Dependency { name, version, license, source } in dependencies {
        if !is_allowed(&license, &licenses) {
            found.push(format!("{name} {version}: licence {license:?}"));
        }
        if !source.strip_prefix("registry+").is_some_and(|url| registries.contains(url)) {
            found.push(format!("{name} {version}: from {source:?}"));
        }
        if !skipped.contains(&format!("{name}@{version}")) {
            versions.entry(name).or_default().push(version);
        }
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    found.extend(several.map(|(name, versions)| format!("{name}: versions {versions:?}")));
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// Users of the library build no parser of arguments, no progress bar and no signals.
#[trial]
fn library_needs_no_crate_of_the_program() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--edges", "normal,build", "--prefix", "none"])
        .args(["--package", "tintype", "--format", "{p}"])
        .current_dir(env!("WORKSPACE_ROOT"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("names are text");
    let names: BTreeSet<&str> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("tintype-raster"), "{names:?}");
    for name in ["clap", "notify", "indicatif", "signal-hook", "tintype-farm"] {
        assert!(!names.contains(name), "{name} is a dependency of the library");
    }
}

#[trial]
fn licence_expressions_are_understood() {
    let allowed =
        BTreeSet::from(["MIT".to_owned(), "Apache-2.0".to_owned(), "Unicode-3.0".to_owned()]);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("MIT/GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND OpenSSL", false),
        ("Apache-2.0 WITH LLVM-exception", false),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0", true),
        ("(MIT", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression:?}");
    }
}
