//! Dependencies by the rules of `deny.toml`: licences, sources, and one version of each crate.

use crate::support::plain;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The dependencies for this machine, development included, as `cargo metadata` lists them.
fn packages() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let version = Command::new("rustc").arg("-vV").output().expect("rustc runs").stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    let host =
        version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--offline",
            "--filter-platform",
            host,
        ])
        .current_dir(root)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    match metadata["packages"].take() {
        Value::Array(packages) => {
            packages.into_iter().filter(|package| !package["source"].is_null()).collect()
        }
        other => panic!("a list of packages, not {other}"),
    }
}

/// The strings of a list in `deny.toml`, or those of `key` in its tables.
fn list(rules: &toml::Table, section: &str, name: &str, key: &str) -> BTreeSet<String> {
    let list = rules[section][name].as_array().expect("a list");
    let texts =
        list.iter().map(|one| one.get(key).unwrap_or(one).as_str().expect("a string").to_owned());
    texts.collect()
}

/// Whether the licence expression (SPDX) can be met by allowed licences alone.
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

fn dependencies_follow_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = fs::read_to_string(root.join("deny.toml")).expect("there are rules");
    let rules: toml::Table = rules.parse().expect("the rules are TOML");
    let licenses = list(&rules, "licenses", "allow", "");
    let registries = list(&rules, "sources", "allow-registry", "");
    let skipped = list(&rules, "bans", "skip", "crate");
    let packages = packages();
    assert!(packages.len() > 50, "only {} dependencies found", packages.len());
    let mut found = Vec::new();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in &packages {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        let (name, version) = (text("name"), text("version"));
        if !is_allowed(&text("license"), &licenses) {
            found.push(format!("{name} {version}: licence {:?}", text("license")));
        }
        if !text("source").strip_prefix("registry+").is_some_and(|url| registries.contains(url)) {
            found.push(format!("{name} {version}: from {}", text("source")));
        }
        if !skipped.contains(&format!("{name}@{version}")) {
            versions.entry(name).or_default().push(version);
        }
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    found.extend(several.map(|(name, versions)| format!("{name}: versions {versions:?}")));
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

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

pub(crate) fn trials() -> Vec<Trial> {
    plain![dependencies_follow_the_rules, licence_expressions_are_understood]
}
