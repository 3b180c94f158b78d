//! Tests are registered: `#[test]` has no effect in a program without Rust's harness, and no file
//! is left out of its program.

use crate::support::{files, read, trial};
use std::path::Path;

/// Programs without the harness of Rust.
const PROGRAMS: [&str; 7] =
    ["architecture", "browser", "cli", "farm", "formats", "golden", "model"];
/// Files of another program in their folders.
const OTHERS: [&str; 2] = ["mutations.rs", "campaign.rs"];

/// Mistakes of the files of a program, given by path and text.
fn mistakes(program: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in program {
        if text.lines().any(|line| line.trim() == "#[test]") {
            found.push(format!("{path}: #[test] registers nothing here; write #[trial]"));
        }
        let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let name = module.rsplit('/').next().unwrap_or(module);
        let line = format!("mod {name};");
        if name != "main" && !program.iter().any(|(_, text)| text.contains(&line)) {
            found.push(format!("{path}: no file of its program has the line `{line}`"));
        }
    }
    found
}

#[trial]
fn tests_are_all_registered() -> Result<(), String> {
    let mut found = Vec::new();
    for program in PROGRAMS {
        let folder = Path::new(env!("WORKSPACE_ROOT")).join("tests").join(program);
        let mut all = Vec::new();
        for path in files(&folder, &["rs"])? {
            let name = path.display().to_string().replace('\\', "/");
            if program != "formats" || !OTHERS.iter().any(|other| name.ends_with(other)) {
                let text = String::from_utf8(read(&path)?).map_err(|error| error.to_string())?;
                all.push((name, text));
            }
        }
        found.extend(mistakes(&all));
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

#[trial]
fn unregistered_tests_are_seen() {
    let files = [
        ("cli/main.rs", "mod run;\n"),
        ("cli/run.rs", "    #[test]\n    fn a() {}\n"),
        ("cli/lost/mod.rs", "#[trial]\nfn b() {}\n"),
    ];
    let found = mistakes(&files.map(|(path, text)| (path.to_owned(), text.to_owned())));
    assert!(found.len() == 2 && found[0].contains("run.rs"), "{found:?}");
    assert!(found[1].contains("`mod lost;`"), "{found:?}");
}
