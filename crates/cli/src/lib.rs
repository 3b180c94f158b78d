//! Arguments -> commands -> exit code: the only module that prints, reads the environment and ends
//! the program.
//!
//! Data goes to standard output, messages to standard error. `exit.rs` defines the exit codes.

mod accept_command;
mod args;
mod bless;
mod build_digest;
mod config;
mod conflicts;
mod contact_sheet;
mod dataset;
mod console;
mod diff;
mod environment;
mod exit;
mod failure;
mod git;
mod model_diff;
mod farm;
mod goldens;
mod init;
mod inputs;
mod inspect;
mod invocation;
mod journal;
mod last_failed;
mod library;
mod load;
mod manual;
mod memory;
mod models;
mod output_name;
mod path_alone;
mod pin;
mod patch;
mod pose;
mod render;
mod report;
mod review;
mod revision;
mod sequence;
mod serve;
mod signals;
mod standard_input;
mod stats;
mod stdout;
mod test;
mod thumbnail;
mod turntable;
mod usage;
mod verify;
mod watch;

use args::{Cli, Command, Early, Schema, When};
use clap::{FromArgMatches, ValueEnum};
use config::Config;
use console::Console;
use failure::Failure;
pub use invocation::Invocation;
pub use memory::Allocator;
use path_alone::Meant;
use std::ffi::OsString;
use std::process::ExitCode;
use stdout::write_stdout;
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_base::shell::command_line;

/// Runs the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    silence_guarded_panics();
    memory::share_arena();
    memory::keep_freed();
    memory::arm();
    ExitCode::from(run_as(Invocation::of_process()))
}

/// Suppresses messages of panics that are caught as errors of a file.
fn silence_guarded_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !tintype_formats::is_guarded() {
            usual(panic);
        }
    }));
}

/// Runs a command line passed by another program, and returns its exit code.
///
/// The first invocation of a process is used in messages that quote the command.
#[must_use]
pub fn run_as(invocation: Invocation) -> u8 {
    let invocation = invocation::set(invocation);
    let early = Early::of(invocation.words.iter().cloned());
    let config = match Config::load(early.no_config) {
        Ok(config) => config,
        Err(failure) => {
            let color = console::wants_color(early.color.unwrap_or(When::Auto));
            console::print_error(failure.shown(color), color);
            return failure.code;
        }
    };
    let when = early.color.or_else(|| When::from_str(config.settings.color?, false).ok());
    let is_colored = console::wants_color_anywhere(when.unwrap_or(When::Auto));
    let Parsed { lines, refused } = match parsed(&invocation, &config, is_colored) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut worst = exit::DONE;
    for (cli, typed) in lines {
        worst = worst.max(run_line(cli, typed, &config));
        if worst >= exit::TRY_AGAIN {
            return worst;
        }
    }
    for reason in &refused {
        console::print_error(reason, is_colored);
        worst = worst.max(exit::BAD_INPUT);
    }
    worst
}

/// Runs one command; `typed` is the command line, if it was inferred from a path.
fn run_line(mut cli: Cli, typed: Option<String>, config: &Config) -> u8 {
    if !cli.global.quiet && !cli.global.verbose {
        cli.global.quiet = config.settings.messages == Some("quiet");
        cli.global.verbose = config.settings.messages == Some("verbose");
    }
    let mut console = Console::new(&cli.global);
    console.speak(cli.command.progress());
    if let Some(command) = typed {
        console.info(&command);
    }
    for (file, settings) in &config.files {
        console.detail(&format!("settings of {}: {settings}", file.shown()));
    }
    config.complete(&mut cli.command);
    let threads = threads(cli.global.threads, &console);
    // Limits are inherited by started programs, and an engine would pass them on to its tasks.
    if !matches!(cli.command, Command::Farm(_) | Command::Watch(_)) {
        memory::hold_to_machine(threads);
    }
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            console.error(&format!("cannot start {threads} threads: {error}"));
            return exit::TRY_AGAIN;
        }
    };
    // The others finish the current work first.
    if cli.command.progress().is_none() && !matches!(cli.command, Command::Watch(_)) {
        signals::end_at_signals();
    }
    // Its file lives as long as the command.
    let result = standard_input::take(&mut cli.command, console.load_options().limits.max_bytes)
        .and_then(|_file| run_command(&cli.command, &pool, &mut console));
    match result {
        Ok(()) if console.code_of_warnings() != exit::DONE => {
            let count = counted(console.warnings().len(), "warning");
            console.error(&format!("--strict: {count}"));
            exit::INCOMPLETE
        }
        Ok(()) => exit::DONE,
        Err(failure) => {
            if !failure.message.is_empty() {
                console.error(failure.shown(console.has_color()));
            }
            failure.code
        }
    }
}

/// Parsed command lines.
struct Parsed {
    /// Each with its command line, if it was inferred from a path.
    lines: Vec<(Cli, Option<String>)>,
    /// Paths that are not drawn, each with the reason.
    refused: Vec<String>,
}

/// Parses the command line. For help or a mistake, prints it and returns the exit code.
fn parsed(invocation: &Invocation, config: &Config, is_colored: bool) -> Result<Parsed, u8> {
    let color = if is_colored { clap::ColorChoice::Always } else { clap::ColorChoice::Never };
    let parse = |words: &[OsString]| {
        let command = args::for_help(config.defaults(args::command()).color(color), words);
        Cli::from_arg_matches(&command.try_get_matches_from(words)?)
    };
    let told = |error: clap::Error, words: &[OsString]| {
        let program = args::command().color(color);
        let error = usage::explained(error, words, &program);
        // Help and version go to standard output, mistakes to standard error; a closed pipe affects
        // neither.
        if !error.use_stderr() {
            let _ = error.print();
            return exit::DONE;
        }
        usage::print(&error, words, is_colored);
        exit::BAD_INPUT
    };
    let words = &invocation.words;
    let error = match parse(words) {
        Ok(cli) => return Ok(Parsed { lines: vec![(cli, None)], refused: Vec::new() }),
        Err(error) => error,
    };
    let Some(Meant { lines, refused }) = path_alone::meant(&error, words) else {
        return Err(told(error, words));
    };
    let parse_line = |words: Vec<OsString>| {
        let typed = words.iter().skip(1).map(|word| word.shown());
        let typed: Vec<String> = std::iter::once("tintype".to_owned()).chain(typed).collect();
        let cli = parse(&words).map_err(|error| told(error, &words))?;
        Ok((cli, Some(command_line(&typed))))
    };
    Ok(Parsed { lines: lines.into_iter().map(parse_line).collect::<Result<_, u8>>()?, refused })
}

fn run_command(
    command: &Command,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    match command {
        Command::Render(options) => render::run_all(options, pool, console),
        Command::Turntable(options) => turntable::run(options, pool, console),
        Command::Thumbnail(options) => thumbnail::run(options, pool, console),
        Command::Dataset(options) => pool.install(|| dataset::run(options, console)),
        Command::Inspect(options) => pool.install(|| inspect::run(options, console)),
        Command::Pose(options) => pool.install(|| pose::run(options, console)),
        Command::Init(options) => pool.install(|| init::run(options, console)),
        Command::Test(options) => pool.install(|| test::run(options, console)),
        Command::Bless(options) => pool.install(|| bless::run(options, console)),
        Command::Review(options) => pool.install(|| review::run(options, console)),
        Command::Report(options) => report::run(options, console),
        Command::Diff(options) => pool.install(|| diff::run(options, console)),
        Command::Farm(options) => pool.install(|| farm::run(options, console)),
        Command::Schema(Schema { dataset: true }) => {
            write_stdout(tintype_scene::RECIPE_SCHEMA.as_bytes())
        }
        Command::Schema(_) => write_stdout(tintype_scene::SCHEMA.as_bytes()),
        Command::Completions(options) => manual::completions(options),
        Command::Man(options) => manual::man(options),
        Command::Verify(options) => pool.install(|| verify::run(options, console)),
        Command::Watch(options) => watch::run(options, console),
    }
}

/// Maximum number of threads per available core. More gain nothing, and tens of thousands stall a
/// machine.
const THREADS_PER_CORE: usize = 8;
/// This number of threads is allowed on any machine.
const THREADS_ANYWHERE: usize = 64;

/// The requested number of threads, limited by the machine; 0 means one per core.
fn threads(asked: usize, console: &Console) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let most = most_threads(cores);
    if asked > most {
        console.info(&format!(
            "--threads {asked}: using {most}, as this process may use {}",
            counted(cores, "core")
        ));
    }
    asked.min(most)
}

fn most_threads(cores: usize) -> usize {
    cores.saturating_mul(THREADS_PER_CORE).max(THREADS_ANYWHERE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_a_small_multiple_of_the_cores() {
        assert_eq!([1, 2, 8, 64].map(most_threads), [64, 64, 64, 512]);
    }
}
