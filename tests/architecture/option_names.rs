//! Options belong to the command line: other crates tell what is wrong, and the command line adds the
//! option that mends it. A user of the library, of Python or of JavaScript has no options.

use crate::source::Source;
use crate::support::trial;
use std::collections::BTreeMap;

/// Crates whose users give options.
const HAVE_OPTIONS: [&str; 2] = ["cli", "farm"];

/// Files whose texts still name options, and the number of these texts; none may be added.
const LEFT: &[(&str, usize)] =
    &[("golden/picture_diff/files.rs", 1), ("golden/picture_diff/limits.rs", 1)];

/// True if a text has a word of two dashes and a name.
fn names_option(text: &str) -> bool {
    text.match_indices("--").any(|(place, _)| {
        let before = &text[..place];
        let after = text[place + 2..].chars().next();
        (before.is_empty() || [" ", "`", " ("].iter().any(|end| before.ends_with(end)))
            && after.is_some_and(|letter| letter.is_ascii_lowercase() || letter == '{')
    })
}

#[trial]
fn option_names_are_known_to_the_command_line_alone() -> Result<(), String> {
    let found = found(crate::source());
    let left: BTreeMap<&str, usize> = LEFT.iter().copied().collect();
    let mut wrong = Vec::new();
    for (file, texts) in &found {
        let most = left.get(file.as_str()).copied().unwrap_or_default();
        if texts.len() > most {
            let lines = texts.iter().map(|(line, text)| format!("{file}:{line}: {text:?}\n"));
            let lines: String = lines.collect();
            wrong.push(format!("{lines}{most} allowed: tell what is wrong, and no option"));
        }
    }
    for (file, count) in &left {
        let now = found.get(*file).map_or(0, Vec::len);
        if now < *count {
            wrong.push(format!("{file}: {now} left; lower its number in the list from {count}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Lines and texts by file.
fn found(source: &Source) -> BTreeMap<String, Vec<(usize, String)>> {
    let mut found: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    let rooms = source.files.values().filter(|file| !file.is_in(&HAVE_OPTIONS));
    for file in rooms {
        let texts = file.literals.iter().filter(|(_, text)| names_option(text)).cloned();
        found.entry(file.name.clone()).or_default().extend(texts);
    }
    found
}
