//! Arguments -> commands -> exit code: the only module that prints, reads the environment and ends the program.
//!
//! Data goes to standard output, everything for people to standard error. The exit codes are in [`exit`].

mod args;
mod bless;
mod build_digest;
mod config;
mod console;
mod diff;
mod model_diff;
mod farm;
mod goldens;
mod inspect;
mod journal;
mod load;
mod manual;
mod models;
mod pose;
mod render;
mod report;
mod sequence;
mod signals;
mod stats;
mod test;
mod thumbnail;
mod turntable;
mod verify;

use crate::job::{JobError, JobErrorKind};
use args::{Cli, Command, Early, When};
use clap::{CommandFactory, FromArgMatches, ValueEnum};
use config::Config;
use console::Console;
use std::process::ExitCode;

/// What a command's end means to whoever started it.
pub mod exit {
    /// All was done.
    pub const DONE: u8 = 0;
    /// Compared, and different; a golden is missing or belongs to no scene; frames are missing or stale.
    pub const DIFFERENT: u8 = 1;
    /// Bad usage or bad input: never worth a retry.
    pub const BAD_INPUT: u8 = 2;
    /// Some of the work failed for good, a sequence is empty, or `--strict` met a warning.
    pub const INCOMPLETE: u8 = 3;
    /// Temporary trouble, such as a full disk: run it again.
    pub const TRY_AGAIN: u8 = 75;
    /// Ended by Ctrl-C, as shells count it; what is written is whole.
    pub const INTERRUPTED: u8 = 130;
}

/// Why a command ended early, and the code that it ends with.
#[derive(Debug)]
struct Failure {
    code: u8,
    message: String,
    /// The message with the colours of a terminal, where it has any.
    colored: Option<String>,
}

impl Failure {
    fn new(code: u8, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), colored: None }
    }

    fn bad_input(message: impl Into<String>) -> Self {
        Self::new(exit::BAD_INPUT, message)
    }

    /// Bad input, with the causes of the error after it.
    fn bad_input_chain(error: &dyn std::error::Error) -> Self {
        Self::bad_input(chain(error))
    }

    /// The message as it is shown.
    fn shown(&self, color: bool) -> &str {
        self.colored.as_ref().filter(|_| color).unwrap_or(&self.message)
    }

    /// A job that did not do all of its work, by the kind of its error.
    fn job(error: &JobError) -> Self {
        let code = match error.kind() {
            JobErrorKind::BadInput => exit::BAD_INPUT,
            JobErrorKind::Incomplete => exit::INCOMPLETE,
            JobErrorKind::Temporary | JobErrorKind::Stopped => exit::TRY_AGAIN,
        };
        Self::new(code, error.message())
    }

    /// A file that could not be written: temporary or for good.
    fn output(error: &crate::output::OutputError) -> Self {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Self::new(code, chain(error))
    }
}

impl From<crate::submit::SubmitError> for Failure {
    fn from(error: crate::submit::SubmitError) -> Self {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Self::new(code, error.to_string())
    }
}

/// An error and its causes, outermost first.
fn chain(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(": ");
        message.push_str(&error.to_string());
        cause = error.source();
    }
    message
}

/// Runs the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    let early = Early::of(std::env::args_os());
    let config = match Config::load(early.no_config) {
        Ok(config) => config,
        Err(failure) => {
            let color = console::wants_color(early.color.unwrap_or(When::Auto));
            console::print_error(failure.shown(color), color);
            return ExitCode::from(failure.code);
        }
    };
    let when = early.color.or_else(|| When::from_str(config.settings.color?, false).ok());
    let color = match console::wants_color_anywhere(when.unwrap_or(When::Auto)) {
        true => clap::ColorChoice::Always,
        false => clap::ColorChoice::Never,
    };
    let command = config.defaults(Cli::command()).color(color);
    let parsed = command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let mut cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output, mistakes to standard error; a closed pipe loses neither.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { exit::BAD_INPUT } else { exit::DONE });
        }
    };
    if !cli.global.quiet && !cli.global.verbose {
        cli.global.quiet = config.settings.messages == Some("quiet");
        cli.global.verbose = config.settings.messages == Some("verbose");
    }
    let mut console = Console::new(&cli.global);
    if let Some(file) = &config.file {
        console.detail(&format!("settings of {}: {}", file.display(), config.settings.described()));
    }
    if cli.command.progress() == Some(args::Progress::Openjd) {
        console.speak_openjd();
    }
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(cli.global.threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            console.error(&format!("cannot start {} threads: {error}", cli.global.threads));
            return ExitCode::from(exit::TRY_AGAIN);
        }
    };
    let result = match &cli.command {
        Command::Render(options) => render::run(options, &pool, &mut console),
        Command::Turntable(options) => turntable::run(options, &pool, &mut console),
        Command::Thumbnail(options) => thumbnail::run(options, &pool, &mut console),
        Command::Inspect(options) => pool.install(|| inspect::run(options, &mut console)),
        Command::Pose(options) => pool.install(|| pose::run(options, &mut console)),
        Command::Test(options) => pool.install(|| test::run(options, &mut console)),
        Command::Bless(options) => pool.install(|| bless::run(options, &mut console)),
        Command::Diff(options) => pool.install(|| diff::run(options, &mut console)),
        Command::Farm(options) => pool.install(|| farm::run(options, &mut console)),
        Command::Schema => write_stdout(crate::scene::SCHEMA.as_bytes()),
        Command::Completions(options) => manual::completions(options),
        Command::Man(options) => manual::man(options),
        Command::Verify(options) => pool.install(|| verify::run(options, &mut console)),
    };
    let code = match result {
        Ok(()) if cli.global.strict && !console.warnings().is_empty() => {
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
    };
    ExitCode::from(code)
}

/// Writes data to standard output. A reader that has gone is no failure.
fn write_stdout(bytes: &[u8]) -> Result<(), Failure> {
    stream_to_stdout(bytes).map_err(|error| {
        Failure::new(exit::TRY_AGAIN, format!("cannot write to standard output: {error}"))
    })
}

/// As [`write_stdout`], with the error of the system.
fn stream_to_stdout(bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// A count with its noun: `1 frame`, `2 frames`.
fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
