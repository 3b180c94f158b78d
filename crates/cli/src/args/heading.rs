//! Headings of options on help pages. Options without one are the main ones of their command, and come first.

use super::setting::heading_of;
use clap::{Arg, Command};
use std::ffi::OsString;

/// Commands whose pages have headings.
const LONG: [&str; 10] = [
    "render",
    "turntable",
    "thumbnail",
    "test",
    "bless",
    "merge",
    "diff",
    "verify",
    "submit",
    "export",
];

/// Commands whose shares are of models, and so are among the options that name them.
const MODELS: [&str; 2] = ["turntable", "thumbnail"];

/// A heading with the names of its options in the source.
type Group = (&'static str, &'static [&'static str]);

const GROUPS: [Group; 4] = [
    ("Model and clip", &["list", "base", "textures", "file_scene"]),
    (
        "Files and reports",
        &[
            "apng",
            "webp",
            "gif",
            "sheet",
            "contact_sheet",
            "raw",
            "save_scene",
            "png",
            "gallery",
            "title",
            "spin",
            "json",
            "report",
            "interactive",
            "junit",
            "summary",
            "summary_pictures",
            "pictures",
            "patch",
            "picture",
            "desktop",
            "install_desktop",
            "stats",
            "progress",
            "bundle",
        ],
    ),
    (
        "Failures, retries and records",
        &[
            "overwrite",
            "clean",
            "keep_going",
            "retries",
            "allow_empty",
            "record",
            "inputs",
            "defer_failures",
            "verify",
            "timeout",
            "max_memory",
            "max_size",
            "tidy",
            "shard",
        ],
    ),
    (
        "Tasks and engine",
        &[
            "engine",
            "chunk",
            "cpus",
            "memory",
            "program",
            "partition",
            "time",
            "restarts",
            "parallel",
            "extra",
            "image",
            "claim",
        ],
    ),
];

/// Options of every command.
const GLOBAL: [&str; 8] =
    ["threads", "verbose", "quiet", "color", "limits", "strict", "no_stand_ins", "no_config"];

/// The heading of an option; none for a main option.
fn heading(command: &str, id: &str) -> Option<&'static str> {
    if GLOBAL.contains(&id) {
        return Some("Options of every command");
    }
    // `test --list` prints; it is no list of models.
    if !LONG.contains(&command) || (command, id) == ("test", "list") {
        return None;
    }
    if MODELS.contains(&command) && id == "shard" {
        return Some(GROUPS[0].0);
    }
    let own = GROUPS.iter().find(|(_, ids)| ids.contains(&id)).map(|(heading, _)| *heading);
    own.or_else(|| heading_of(id))
}

/// A command and all below it, with headings. A negative number after an option is its value, which is answered as one.
pub(super) fn with_headings(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|option| {
        let takes_value = option.get_long().is_some() && option.get_action().takes_values();
        let option = if takes_value && !option.is_allow_hyphen_values_set() {
            option.allow_negative_numbers(true)
        } else {
            option
        };
        match heading(&name, option.get_id().as_str()) {
            Some(heading) => option.help_heading(heading),
            None => option,
        }
    });
    command.mut_subcommands(with_headings)
}

/// The command for words that ask for help, with each option told once and in as few lines as it needs: those of every command on the
/// page of the program alone, and with `-h` only the main ones of a command.
pub(crate) fn for_help(command: Command, words: &[OsString]) -> Command {
    let texts = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    let texts: Vec<String> = texts.take_while(|word| word != "--").collect();
    let has = |option: &str| texts.iter().any(|word| word == option);
    let mut names = texts.iter().filter(|word| !word.starts_with('-')).map(String::as_str);
    let first = names.next();
    let asks_by_name = first == Some("help");
    let name = if asks_by_name { names.next() } else { first };
    if !(asks_by_name || has("--help") || has("-h")) {
        return command;
    }
    let is_of_one = name.is_some_and(|name| command.find_subcommand(name).is_some());
    let is_short = has("-h") && !has("--help");
    let globals: Vec<String> = command.get_arguments().filter_map(spelled).collect();
    let is_of_program = is_short && name.is_none();
    let command = command.mut_args(|option| {
        let is_main = ["threads", "verbose", "quiet"].contains(&option.get_id().as_str());
        in_one_text(option).hide(is_of_one || is_of_program && !is_main)
    });
    let own = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = match examples(&own, is_of_program) {
        (first, true) => command.after_help(format!("More: tintype --help\n\n{first}")),
        _ => command,
    };
    command.mut_subcommands(|own| compact(own, is_short, &globals.join(", "), "tintype"))
}

fn compact(command: Command, is_short: bool, globals: &str, above: &str) -> Command {
    let path = format!("{above} {}", command.get_name());
    let is_headed = |option: &Arg| option.get_help_heading().is_some();
    let hides_some = is_short && command.get_arguments().any(is_headed);
    let command = command.mut_args(|option| {
        if is_short && is_headed(&option) { option.hide(true) } else { in_one_text(option) }
    });
    let own = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (own, is_cut) = examples(&own, is_short);
    let more = if hides_some || is_cut { format!("More: {path} --help\n") } else { String::new() };
    let after =
        format!("{more}Options of every command (explained by tintype --help): {globals}\n\n{own}");
    let command = command.after_help(after.trim_end().to_owned());
    command.mut_subcommands(|own| compact(own, is_short, globals, &path))
}

/// The text below a help page, cut to the examples on a short page, and whether something was cut.
fn examples(text: &str, is_short: bool) -> (&str, bool) {
    let (first, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let is_cut = is_short && !rest.is_empty();
    (if is_cut { first } else { text }, is_cut)
}

/// `-j`, or `--color` for an option without a letter.
fn spelled(option: &Arg) -> Option<String> {
    let letter = option.get_short().map(|letter| format!("-{letter}"));
    letter.or_else(|| Some(format!("--{}", option.get_long()?)))
}

/// An option whose words and their meanings are part of its text, in place of a list below it.
fn in_one_text(option: Arg) -> Arg {
    let words = option.get_possible_values();
    if !words.iter().any(|word| word.get_help().is_some()) {
        return option;
    }
    let told = words.iter().filter(|word| !word.is_hide_set()).map(|word| {
        let meaning = word.get_help().map(|help| format!(": {}", uncapitalized(&help.to_string())));
        format!("{}{}", word.get_name(), meaning.unwrap_or_default())
    });
    let told: Vec<String> = told.collect();
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    option.help(format!("{help}. {}", told.join("; "))).hide_possible_values(true)
}

/// A text that goes on in a sentence: `a bar`, but `YUV`.
fn uncapitalized(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    fn ids(command: &Command, found: &mut BTreeSet<String>) {
        found.extend(command.get_arguments().map(|option| option.get_id().to_string()));
        command.get_subcommands().for_each(|below| ids(below, found));
    }

    #[test]
    fn headings_name_options_that_exist() {
        let mut all = BTreeSet::new();
        ids(&Cli::command(), &mut all);
        for id in GROUPS.iter().flat_map(|(_, ids)| *ids).chain(&GLOBAL) {
            assert!(all.contains(*id), "{id}");
        }
    }

    #[test]
    fn help_leads_with_the_main_options_and_tells_each_once() {
        let page = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let command = for_help(with_headings(Cli::command()), &words).term_width(100);
            command.try_get_matches_from(words).unwrap_err().to_string()
        };
        for name in MODELS {
            let (long, short) = (page(&format!("t {name} --help")), page(&format!("t {name} -h")));
            assert_eq!(long, page(&format!("t help {name}")), "{name}");
            assert!(long.lines().count() <= 150, "{name}: {}", long.lines().count());
            assert!(short.lines().count() <= 50, "{name}: {}", short.lines().count());
            for text in [&long, &short] {
                let at = |words: &str| text.find(words).unwrap_or(usize::MAX);
                assert!(at("--output") < at("--look") && at("--clip") < at("--wrap"), "{text}");
                assert!(text.contains("Examples:") && !text.contains("--color <WHEN>"), "{text}");
                assert!(text.contains("-j, -v, -q, --color"), "{text}");
            }
            assert!(long.contains("plain: a line every few seconds") && !short.contains("--wrap"));
            assert!(short.contains(&format!("More: tintype {name} --help")), "{short}");
        }
        assert!(page("t --help").contains("--color <WHEN>") && page("t -h").contains("--threads"));
        assert!(page("t farm submit --help").contains("--engine"));
    }

    #[test]
    fn headings_leave_few_options_without_one() {
        let command = with_headings(Cli::command());
        let render = command.find_subcommand("render").unwrap();
        let options = || render.get_arguments().filter(|option| !option.is_positional());
        let main = options().filter(|option| option.get_help_heading().is_none());
        let names: Vec<&str> = main.map(|option| option.get_id().as_str()).collect();
        assert_eq!(names, ["output", "frames", "size", "tile", "simd"]);
        assert!(options().count() > 15);
    }
}
