//! Documentation opens with a verb or a noun, and names things instead of pointing at them.

use crate::source::Source;
use crate::support::trial;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Words that no doc comment opens with: they promise a riddle where a name would do.
const OPENINGS: &[&str] = &["What", "How", "That", "Who", "Whoever", "Where", "Which", "Why"];

/// Words that documentation does without.
const REFUSED: &[&str] =
    &["nobody", "somebody", "whoever", "photographs", "photograph", "photographed"];

/// The words of a line, without punctuation.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn opens_badly(line: &str) -> bool {
    words(line).next().is_some_and(|word| OPENINGS.contains(&word)) && !line.starts_with(['`', '['])
}

fn is_refused(line: &str) -> bool {
    words(line).any(|word| REFUSED.iter().any(|refused| word.eq_ignore_ascii_case(refused)))
}

/// Comments of the source that open badly, and lines with refused words, as `path:line: text`.
fn of_source(source: &Source) -> (Vec<String>, Vec<String>) {
    let (mut openings, mut refused) = (Vec::new(), Vec::new());
    for file in source.files.values() {
        for doc in &file.docs {
            let place = || format!("{}:{}: {}", file.path(), doc.line, doc.text);
            if doc.is_first && opens_badly(&doc.text) {
                openings.push(place());
            }
            if is_refused(&doc.text) {
                refused.push(place());
            }
        }
    }
    (openings, refused)
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut pages = vec![root.join("README.md"), root.join("tests/README.md")];
    for entry in fs::read_dir(root.join("docs")).expect("there are pages") {
        let path = entry.expect("docs can be read").path();
        if path.extension().is_some_and(|own| own == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// Names of tests in the tables of a page whose last column is `test`.
fn tests_named(text: &str) -> Vec<String> {
    let (mut names, mut is_inside) = (Vec::new(), false);
    for line in text.lines() {
        let Some(row) = line.trim().strip_prefix('|') else {
            is_inside = false;
            continue;
        };
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default().trim();
        if last == "test" {
            is_inside = true;
        } else if is_inside {
            let quoted = last.split('`').skip(1).step_by(2);
            names.extend(quoted.filter(|name| !name.contains('/')).map(str::to_owned));
        }
    }
    names
}

#[trial]
fn tests_that_pages_name_exist() {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut code = String::new();
    for folder in ["src", "crates", "tests"] {
        for path in crate::support::files(&root.join(folder), &["rs"]).unwrap() {
            code += &fs::read_to_string(path).unwrap();
        }
    }
    let (mut count, mut missing) = (0, Vec::new());
    for page in pages() {
        for name in tests_named(&fs::read_to_string(&page).unwrap()) {
            count += 1;
            // A test of a model or a file has its name after that of the file.
            if !code.contains(&format!("fn {name}(")) && !code.contains(&format!("{name}\"")) {
                missing.push(format!("{}: {name}", page.display()));
            }
        }
    }
    assert!(count > 50, "only {count} tests are named");
    assert_eq!(missing, Vec::<String>::new());
}

#[trial]
fn comments_open_with_a_verb_or_a_noun() {
    let (openings, _) = of_source(crate::source());
    assert!(
        openings.is_empty(),
        "\n{}\n{} comments open with one of {OPENINGS:?}",
        openings.join("\n"),
        openings.len()
    );
}

#[trial]
fn documentation_names_things() {
    let (_, mut refused) = of_source(crate::source());
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page is text");
        let lines = text.lines().enumerate().filter(|(_, line)| is_refused(line));
        refused.extend(lines.map(|(at, line)| format!("{}:{}: {line}", page.display(), at + 1)));
    }
    assert!(
        refused.is_empty(),
        "\n{}\n{} lines have one of {REFUSED:?}",
        refused.join("\n"),
        refused.len()
    );
}

#[trial]
fn prose_is_seen_where_it_stands() {
    let found = |text: &str| {
        let files = BTreeMap::from([("raster/tile.rs".to_owned(), text.to_owned())]);
        let (openings, refused) = of_source(&Source::parse(files));
        [openings.len(), refused.len()]
    };
    assert_eq!(found("//! Tiles.\n\n/// A tile.\nstruct Tile;"), [0, 0]);
    assert_eq!(found("//! What a tile is.\nstruct Tile;"), [1, 0]);
    assert_eq!(found("//! Tiles.\nstruct Tile {\n/// How wide.\nwidth: u32 }"), [1, 0]);
    assert_eq!(found("//! Tiles.\nimpl Tile {\n/// Why not.\nfn a() {} }"), [1, 0]);
    assert_eq!(found("//! Tiles.\n/// One.\n/// What follows is free.\nstruct Tile;"), [0, 0]);
    assert_eq!(found("//! Tiles.\n/// As nobody asks.\nstruct Tile;"), [0, 1]);
    assert_eq!(found("//! Tiles.\n/// Whoever asks.\nenum Tile {\n/// Somebody.\nA }"), [1, 2]);
    assert_eq!(
        found("//! Tiles.\n#[cfg(test)]\nmod tests {\n/// What is tested.\nfn a() {} }"),
        [0, 0]
    );
}
