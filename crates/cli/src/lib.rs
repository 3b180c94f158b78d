//! Arguments -> commands -> exit code: the only module that prints, reads the environment and ends the program.
//!
//! Data goes to standard output, everything for people to standard error. The exit codes are those of `exit.rs`.

mod args;
mod bless;
mod build_digest;
mod config;
mod conflicts;
mod console;
mod diff;
mod environment;
mod exit;
mod export_diff;
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
mod stats;
mod stdout;
mod test;
mod thumbnail;
mod turntable;
mod usage;
mod verify;
mod watch;

use args::{Cli, Command, Early, Global, Inspect, When};
use clap::{FromArgMatches, ValueEnum};
use config::Config;
use console::Console;
use failure::Failure;
pub use invocation::Invocation;
pub use memory::Allocator;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stdout::write_stdout;
use tintype_base::path::ShowPath;

/// Runs the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    silence_guarded_panics();
    memory::keep_freed();
    memory::arm();
    ExitCode::from(run_as(Invocation::of_process()))
}

/// Leaves out messages of panics that are caught as errors of a file.
fn silence_guarded_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !tintype_formats::is_guarded() {
            usual(panic);
        }
    }));
}

/// Report of `tintype inspect --json` about a file, with files of clips.
///
/// # Errors
/// The message of the command.
pub fn inspect_json(file: &Path, clips: &[PathBuf]) -> Result<String, String> {
    let (file, clips) = (file.to_path_buf(), clips.to_vec());
    let options = Inspect { file, clips, json: true, ..Inspect::default() };
    let mut console = Console::new(&Global::default()).silent();
    inspect::json(&options, &mut console).map_err(|failure| failure.message)
}

/// Runs a command line that another program hands over, and returns its exit code.
///
/// The first invocation of a process counts for messages that quote the command.
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
    let (mut cli, typed) = match parsed(&invocation, &config, is_colored) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if !cli.global.quiet && !cli.global.verbose {
        cli.global.quiet = config.settings.messages == Some("quiet");
        cli.global.verbose = config.settings.messages == Some("verbose");
    }
    let mut console = Console::new(&cli.global);
    if let Some(command) = typed {
        console.info(&command);
    }
    for (file, settings) in &config.files {
        console.detail(&format!("settings of {}: {settings}", file.shown()));
    }
    config.complete(&mut cli.command);
    if cli.command.progress() == Some(args::Progress::Openjd) {
        console.speak_openjd();
    }
    let threads = threads(cli.global.threads, &console);
    // Limits pass on to started programs, and an engine would give them to its tasks.
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
    // The others finish what is in work first.
    if cli.command.progress().is_none() && !matches!(cli.command, Command::Watch(_)) {
        signals::end_at_signals();
    }
    let result = run_command(&cli.command, &pool, &mut console);
    match result {
        Ok(()) if console.code_of_warnings() != exit::DONE => {
            let count = console.warnings().len();
            console.error(&format!("--strict: {count} warnings"));
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

/// The command line as it is meant, and that of a path alone in words; or the exit code of one that asks for help or is mistaken, which
/// was told.
fn parsed(
    invocation: &Invocation,
    config: &Config,
    is_colored: bool,
) -> Result<(Cli, Option<String>), u8> {
    let color = if is_colored { clap::ColorChoice::Always } else { clap::ColorChoice::Never };
    let parse = |words: &[OsString]| {
        let command = args::for_help(config.defaults(args::command()).color(color), words);
        let matches = command.try_get_matches_from(words)?;
        Cli::from_arg_matches(&matches)
    };
    let mut parsed = parse(&invocation.words);
    let mut typed = None;
    if let Some(completed) =
        parsed.as_ref().err().and_then(|error| path_alone::completed(error, &invocation.words))
    {
        match completed {
            Ok((words, command)) => (parsed, typed) = (parse(&words), Some(command)),
            Err(failure) => {
                console::print_error(failure.shown(false), is_colored);
                return Err(failure.code);
            }
        }
    }
    parsed.map(|cli| (cli, typed)).map_err(|error| {
        let program = args::command().color(color);
        let error = usage::explained(error, &invocation.words, &program);
        // Help and version go to standard output, mistakes to standard error; a closed pipe loses neither.
        if !error.use_stderr() {
            let _ = error.print();
            return exit::DONE;
        }
        usage::print(&error, &invocation.words, is_colored);
        exit::BAD_INPUT
    })
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
        Command::Inspect(options) => pool.install(|| inspect::run(options, console)),
        Command::Pose(options) => pool.install(|| pose::run(options, console)),
        Command::Init(options) => pool.install(|| init::run(options, console)),
        Command::Test(options) => pool.install(|| test::run(options, console)),
        Command::Bless(options) => pool.install(|| bless::run(options, console)),
        Command::Review(options) => pool.install(|| review::run(options, console)),
        Command::Report(options) => report::run(options, console),
        Command::Diff(options) => pool.install(|| diff::run(options, console)),
        Command::Farm(options) => pool.install(|| farm::run(options, console)),
        Command::Schema => write_stdout(tintype_scene::SCHEMA.as_bytes()),
        Command::Completions(options) => manual::completions(options),
        Command::Man(options) => manual::man(options),
        Command::Verify(options) => pool.install(|| verify::run(options, console)),
        Command::Watch(options) => watch::run(options, console),
    }
}

/// Most threads for each core that the process may use. More gain nothing, and tens of thousands stop a machine.
const THREADS_PER_CORE: usize = 8;
/// As many threads are allowed on any machine.
const THREADS_ANYWHERE: usize = 64;

/// The number of threads that is asked for, held to what the machine can use; 0 is one for each core.
fn threads(asked: usize, console: &Console) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let most = most_threads(cores);
    if asked > most {
        console.info(&format!(
            "--threads {asked}: {most} are started, as the process may use {}",
            tintype_base::amount::counted(cores, "core")
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
