//! `tintype completions` and `tintype man`: completion scripts and man pages, generated from the
//! definition of the command line.

use super::args::{Completions, Man, command};
use super::exit;
use super::failure::Failure;
use super::stdout::write_stdout;
use tintype_host::write_atomic;

/// A script that completes words, for one shell.
pub(super) fn completions(options: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command(), "tintype", &mut script);
    write_stdout(&script)
}

/// The manual: one page to standard output, or a page for each command into a folder.
pub(super) fn man(options: &Man) -> Result<(), Failure> {
    let mut command = command();
    // Global options are copied to every command only by this call.
    command.build();
    let Some(folder) = &options.output else {
        return write_stdout(&page(&command)?);
    };
    let mut pages = vec![("tintype".to_owned(), command.clone())];
    for own in command.get_subcommands().filter(|own| own.get_name() != "help") {
        let name = format!("tintype-{}", own.get_name());
        // The name serves both as the page's title and as the typed command.
        let typed = name.replacen('-', " ", 1);
        let version = env!("CARGO_PKG_VERSION");
        pages.push((name.clone(), own.clone().name(name).bin_name(typed).version(version)));
    }
    for (name, command) in pages {
        let path = folder.join(format!("{name}.1"));
        write_atomic(&path, &page(&command)?).map_err(|error| Failure::output(&error))?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text).map_err(|error| {
        Failure::new(exit::TRY_AGAIN, format!("cannot write the page: {error}"))
    })?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// A page of the documentation.
    fn page_of(name: &str) -> String {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(format!("{name}.md"));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A command's page, with the page of progress if it links to that.
    fn page_of_command(name: &str) -> String {
        let mut text = page_of(name);
        if text.contains("(options.md#progress-and-colours)") {
            text.push_str(&page_of("options"));
        }
        text
    }

    /// True if a text contains a word, not only as part of a longer one.
    fn names(text: &str, word: &str) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
    }

    /// Options of a command and its subcommands that are missing from the pages.
    fn unnamed(command: &clap::Command, text: &str, shared: &str, missing: &mut Vec<String>) {
        for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
            let texts = [text, shared];
            let spellings = option.get_long().map(|long| format!("--{long}"));
            let spellings =
                spellings.into_iter().chain(option.get_short().map(|c| format!("-{c}")));
            let values = option.get_possible_values();
            let values = values.iter().filter(|value| !value.is_hide_set());
            for word in spellings.chain(values.map(|value| value.get_name().to_owned())) {
                if !texts.iter().any(|text| names(text, &word)) {
                    missing.push(format!("{}: {word}", command.get_name()));
                }
            }
        }
        for own in command.get_subcommands().filter(|own| own.get_name() != "help") {
            if !names(text, own.get_name()) {
                missing.push(format!("{}: {}", command.get_name(), own.get_name()));
            }
            // A subcommand, as in `farm submit thumbnail`, has its options on its page.
            let is_other = matches!(own.get_name(), "turntable" | "thumbnail");
            let other = if is_other { page_of_command(own.get_name()) } else { String::new() };
            unnamed(own, &format!("{text}{other}"), shared, missing);
        }
    }

    /// Every `--option` of a command and its subcommands.
    fn gather(command: &clap::Command, options: &mut BTreeSet<String>) {
        options.extend(
            command.get_arguments().filter_map(|option| option.get_long()).map(str::to_owned),
        );
        for own in command.get_subcommands() {
            gather(own, options);
        }
    }

    #[test]
    fn pages_name_no_option_that_is_not_there() {
        let mut root = command();
        root.build();
        let mut options = BTreeSet::new();
        gather(&root, &mut options);
        let commands = root.get_subcommands().map(clap::Command::get_name);
        let mut checked = 0;
        for name in commands.filter(|name| *name != "help").chain(["options"]) {
            // The first cells of tables, up to the value of the option.
            let page = page_of(name);
            let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
            for word in
                rows.filter_map(|row| row.split(" | ").next()).flat_map(|cell| cell.split('`'))
            {
                let Some(option) = word.trim().strip_prefix("--") else { continue };
                let option = option.split([' ', '=']).next().unwrap_or(option);
                assert!(options.contains(option), "docs/{name}.md: --{option}");
                checked += 1;
            }
        }
        assert!(checked > 100, "{checked} options in tables");
    }

    #[test]
    fn pages_name_every_option_of_every_command() {
        let mut root = command();
        root.build();
        // Options common to all commands have one page; all others are on the page of their
        // command.
        let shared = page_of("options");
        let (shared, _) = shared.split_once("\n## Exit codes\n").expect("options come first");
        let mut missing = Vec::new();
        let commands: Vec<_> =
            root.get_subcommands().filter(|own| own.get_name() != "help").collect();
        for command in &commands {
            let text = page_of_command(command.get_name());
            unnamed(command, &text, shared, &mut missing);
        }
        assert_eq!(missing, Vec::<String>::new());
        assert!(commands.len() >= 13, "{} commands", commands.len());
        let (mut seen, none) = (Vec::new(), "");
        unnamed(commands[0], none, none, &mut seen);
        assert!(seen.iter().any(|option| option == "render: --shard"), "{seen:?}");
    }
}
