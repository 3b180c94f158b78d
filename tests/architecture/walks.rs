//! Walks through the source in `docs/architecture.md`: each stop is a file and a name that is
//! defined in it, and data moves one way.

use crate::support::trial;
use std::fs;
use std::path::Path;

/// Crates in the order of the page, the lowest first; the program calls all of them.
const ORDER: &[&str] = &[
    "base", "scene", "formats", "model", "raster", "output", "render", "framing", "compare",
    "inspect", "host", "golden", "farm", "cli",
];

/// One stop: its walk, its file and its name.
struct Stop<'t> {
    walk: &'t str,
    file: &'t str,
    name: &'t str,
}

/// Numbered lines of the walks that open with a file and a name.
fn stops(page: &str) -> Vec<Stop<'_>> {
    let mut walk = "";
    let mut found = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            walk = title;
        }
        let number = line.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
        if let Some((_, rest)) = number.filter(|_| walk.starts_with("From ")) {
            let mut quoted = rest.split('`').skip(1).step_by(2);
            let (file, name) = (quoted.next().unwrap_or(""), quoted.next().unwrap_or(""));
            assert!(rest.starts_with(&format!("`{file}`: `{name}` ")), "{walk}: {line}");
            found.push(Stop { walk, file, name });
        }
    }
    found
}

/// True if a text defines a function or a type of that name.
fn defines(text: &str, name: &str) -> bool {
    let starts = ["fn ", "struct ", "enum ", "trait ", "const "];
    starts.iter().any(|start| {
        let whole = format!("{start}{name}");
        text.match_indices(&whole).any(|(at, _)| {
            let next = text[at + whole.len()..].chars().next();
            next.is_none_or(|next| !next.is_alphanumeric() && next != '_')
        })
    })
}

#[trial]
fn walks_name_what_is_there() {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let page = fs::read_to_string(root.join("docs/architecture.md")).expect("there is a page");
    let stops = stops(&page);
    assert!(stops.len() > 20, "only {} stops", stops.len());
    for Stop { walk, file, name } in &stops {
        let text = fs::read_to_string(root.join(file)).unwrap_or_else(|error| {
            panic!("{walk}: {file}: {error}");
        });
        assert!(defines(&text, name), "{walk}: {file} defines no {name}");
    }
}

#[trial]
fn walks_never_go_back() {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let page = fs::read_to_string(root.join("docs/architecture.md")).expect("there is a page");
    let mut entered: Vec<(&str, &str)> = Vec::new();
    for Stop { walk, file, .. } in stops(&page) {
        let krate = file.strip_prefix("crates/").map_or("src", |below| {
            let krate = below.split('/').next().unwrap_or_default();
            assert!(ORDER.contains(&krate), "{krate} has no place in the order");
            krate
        });
        if entered.last() != Some(&(walk, krate)) {
            // The program surrounds a job: it parses before, and prints after.
            let is_again = krate != "cli" && entered.contains(&(walk, krate));
            assert!(!is_again, "{walk}: {file} goes back to {krate}");
            entered.push((walk, krate));
        }
    }
}

#[trial]
fn names_are_looked_up_whole() {
    assert!(defines("pub fn draw_timed(", "draw_timed") && defines("struct Stop<'t> {", "Stop"));
    assert!(!defines("pub fn draw_timed(", "draw") && !defines("// draw(", "draw"));
}
