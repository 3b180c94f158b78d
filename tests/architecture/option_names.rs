//! Options belong to the command line: other crates tell what is wrong, and the command line adds the
//! option that mends it. A user of the library, of Python or of JavaScript has no options.

use crate::support::trial;

/// Crates whose users give options.
const HAVE_OPTIONS: [&str; 2] = ["cli", "farm"];

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
    let rooms = crate::source().files.values().filter(|file| !file.is_in(&HAVE_OPTIONS));
    let texts = rooms.flat_map(|file| file.literals.iter().map(move |text| (&file.name, text)));
    let wrong = texts.filter(|(_, (_, text))| names_option(text));
    let wrong = wrong.map(|(file, (line, text))| format!("{file}:{line}: {text:?}"));
    let wrong: Vec<String> = wrong.collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\nsay in these texts what is wrong, and no option", wrong.join("\n")))
}
