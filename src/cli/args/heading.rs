//! Headings of options on help pages. Options without one are the main ones of their command, and come first.

use clap::Command;

/// Commands whose pages have headings.
const LONG: [&str; 9] =
    ["render", "turntable", "thumbnail", "test", "bless", "diff", "verify", "submit", "export"];

/// A heading with the names of its options in the source.
type Group = (&'static str, &'static [&'static str]);

const GROUPS: [Group; 6] = [
    (
        "Model and clip",
        &[
            "list",
            "base",
            "clips",
            "anim",
            "clip",
            "wrap",
            "root",
            "textures",
            "up",
            "front",
            "ticks_per_second",
            "file_scene",
        ],
    ),
    ("Camera", &["azimuth", "turn", "elevation", "directions", "view", "projection", "fov"]),
    ("Look", &["samples", "anisotropy", "shade", "look", "background", "ground", "shadow", "aov"]),
    (
        "Files and reports",
        &[
            "apng",
            "webp",
            "gif",
            "sheet",
            "raw",
            "save_scene",
            "png",
            "gallery",
            "json",
            "report",
            "junit",
            "summary",
            "summary_pictures",
            "pictures",
            "picture",
            "desktop",
            "install_desktop",
            "stats",
            "progress",
            "bundle",
        ],
    ),
    (
        "Repetition, failures and records",
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
    GROUPS.iter().find(|(_, ids)| ids.contains(&id)).map(|(heading, _)| *heading)
}

/// A command and all below it, with headings. A negative number after an option is its value, which is answered as one.
pub(super) fn with_headings(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|option| {
        let takes_value = option.get_long().is_some() && option.get_action().takes_values();
        let option = match takes_value && !option.is_allow_hyphen_values_set() {
            true => option.allow_negative_numbers(true),
            false => option,
        };
        match heading(&name, option.get_id().as_str()) {
            Some(heading) => option.help_heading(heading),
            None => option,
        }
    });
    command.mut_subcommands(with_headings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Cli;
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
