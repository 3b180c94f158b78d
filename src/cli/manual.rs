//! `tintype completions` and `tintype man`: what shells and manuals know of the command line, made from the same definition as
//! the help.

use super::args::{Cli, Completions, Man};
use super::{Failure, exit, write_stdout};
use crate::output::write_atomic;
use clap::CommandFactory;

/// A script that completes words, for one shell.
pub(super) fn completions(options: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "tintype", &mut script);
    write_stdout(&script)
}

/// The manual: one page to standard output, or a page for each command into a folder.
pub(super) fn man(options: &Man) -> Result<(), Failure> {
    let mut command = Cli::command();
    // Options of every command are those of each only then.
    command.build();
    let Some(folder) = &options.output else {
        return write_stdout(&page(&command)?);
    };
    let mut pages = vec![("tintype".to_owned(), command.clone())];
    for own in command.get_subcommands().filter(|own| own.get_name() != "help") {
        let name = format!("tintype-{}", own.get_name());
        // The name is what the page is called and how the command is typed.
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
