//! Options of every command, and those of them that are needed before the command line is parsed.

use clap::{Args, ValueEnum};
use std::ffi::OsString;
use tintype_formats::LimitSetting;

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Global {
    /// Number of threads, at most 8 per core or 64; 0 for one per core
    #[arg(short = 'j', long, global = true, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Print details, such as the files loaded and the time of each frame
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Print only errors and warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Colour messages
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub color: When,
    /// Change a limit of the file parsers, such as depth=300000 or inflated=4G; may be repeated. The limits are bytes,
    /// meshes, influences, keys, inflated, values, objects, depth and textures
    #[arg(long = "limit", global = true, value_name = "NAME=NUMBER")]
    pub limits: Vec<LimitSetting>,
    /// Fail with exit code 3 if there is any warning
    #[arg(long, global = true)]
    pub strict: bool,
    /// Fail with exit code 3, before anything is drawn, if a stand-in would replace a missing asset, such as a checker for a
    /// texture; other warnings do not count
    #[arg(long, global = true)]
    pub no_stand_ins: bool,
    /// Ignore the settings files ~/.config/tintype/config.toml and tintype.toml; see `tintype --help`
    #[arg(long, global = true)]
    pub no_config: bool,
}

/// Options that are needed before the command line is parsed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Early {
    pub no_config: bool,
    pub color: Option<When>,
}

impl Early {
    /// Searches for two options by their spelling; mistakes in them are reported later.
    pub(crate) fn of(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut early = Self::default();
        let words = arguments.skip(1).map(|word| word.to_string_lossy().into_owned());
        let mut words = words.take_while(|word| word != "--");
        while let Some(word) = words.next() {
            early.no_config |= word == "--no-config";
            let color = match word.strip_prefix("--color") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            let color = color.and_then(|word| When::from_str(&word, false).ok());
            early.color = color.or(early.color);
        }
        early
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal unless NO_COLOR is set; otherwise only if CLICOLOR_FORCE is set
    #[default]
    Auto,
    Always,
    Never,
}

/// Form of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// A bar on a terminal, otherwise a line every few seconds
    Auto,
    /// A line every few seconds, with rate and time left
    Plain,
    /// Lines of JSON on standard error, progress and messages
    Json,
    /// Lines of Open Job Description on standard output
    Openjd,
    /// Nothing
    None,
}
