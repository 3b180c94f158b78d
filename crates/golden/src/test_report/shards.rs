//! Results of the shards of a test, each in a file, and the report that they join to.
//!
//! Goldens that no scene asks for are judged when all shards are there: one of them may belong to a scene that moved, which its shard
//! alone has drawn.

use super::golden_report::{GoldenReport, Parts, assemble};
use super::options::ReportOptions;
use super::{accept_commands, move_commands, prune_commands, refit_commands};
use crate::check::{Checked, Verdict};
use crate::moves::Move;
use crate::report::{Report, SceneReport, Status};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_model::frame::PIXEL_REVISION;

/// The file of the results of a shard, in the folder of its report.
pub const RESULTS: &str = "shard.json";

/// The form of the file.
const VERSION: u32 = 1;

/// Results of one shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShardResults {
    version: u32,
    program: String,
    pixel_revision: u32,
    /// Its number from 1, and the number of shards.
    shard: [u64; 2],
    /// A digest of all scenes and goldens of which this is a share.
    suite: String,
    /// The exit code of its test.
    code: u8,
    options: ReportOptions,
    tested: Vec<SceneReport>,
    /// Seconds of each of these scenes.
    seconds: Vec<Option<f64>>,
    bad: Vec<SceneReport>,
    /// Goldens that no scene asks for, each with the words for a model or a clip that is gone.
    stray: Vec<(String, Option<String>)>,
    /// Those that scenes of this shard had under another name, and the sentences about these scenes.
    moved: Vec<String>,
    moves: Vec<String>,
}

/// Shards that cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// No results.
    #[error(
        "no results of a shard: tintype test --shard 1/2 --report DIR writes them to DIR/{RESULTS}"
    )]
    None,
    /// A file that holds no results.
    #[error("{}: no results of a shard: {message}", path.shown())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The mistake.
        message: String,
    },
    /// Shards without results.
    #[error("{} missing: none of the {found} results is of {}", .shards.join(", "), if .shards.len() == 1 { "it" } else { "them" })]
    Missing {
        /// The shards, as `shard 2/5`.
        shards: Vec<String>,
        /// The number of results.
        found: usize,
    },
    /// A shard with two results.
    #[error("shard {shard} is there twice: {} and {}", first.shown(), second.shown())]
    Twice {
        /// The shard.
        shard: String,
        /// One file.
        first: PathBuf,
        /// The other file.
        second: PathBuf,
    },
    /// Results of different tests.
    #[error("{} and {} are shards of different tests: {what}", first.shown(), second.shown())]
    Different {
        /// One file.
        first: PathBuf,
        /// The other file.
        second: PathBuf,
        /// The difference.
        what: String,
    },
}

/// All shards of a test.
#[derive(Debug)]
pub struct Joined {
    /// The report, as a test of all scenes gives it.
    pub report: Report,
    /// The largest exit code of the shards.
    pub code: u8,
    /// Sentences about scenes that moved.
    pub moves: Vec<String>,
    /// The commands that accept what can be accepted.
    pub commands: Vec<String>,
    /// The folder with the pictures of each scene, by name.
    pub folders: Vec<(String, PathBuf)>,
    /// The number of shards.
    pub shards: usize,
}

impl ShardResults {
    /// The results of a shard, its number from 1 and the number of all, of the suite with that digest.
    #[must_use]
    pub fn new(
        shard: [u64; 2],
        suite: String,
        options: &ReportOptions,
        report: &GoldenReport,
    ) -> Self {
        let Parts { tested, bad } = report.parts.clone();
        Self {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            pixel_revision: PIXEL_REVISION,
            shard,
            suite,
            code: 0,
            options: options.clone(),
            seconds: tested.iter().map(|scene| scene.seconds).collect(),
            tested,
            bad,
            stray: Vec::new(),
            moved: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// With the exit code, the goldens that no scene asks for, and the scenes that moved. Goldens of a revision are in a folder of this run,
    /// which other shards do not have.
    #[must_use]
    pub fn with(
        mut self,
        code: u8,
        stray: &[Checked],
        moves: &[Move],
        revision: Option<&Path>,
    ) -> Self {
        let gone = |one: &Checked| match &one.verdict {
            Verdict::Gone(what) => Some(what.clone()),
            _ => None,
        };
        let below = |path: &Path| {
            let below = revision.and_then(|folder| path.strip_prefix(folder).ok());
            below.unwrap_or(path).shown()
        };
        self.code = code;
        self.stray = stray.iter().map(|one| (below(&one.path), gone(one))).collect();
        self.moved = moves.iter().flat_map(|one| &one.files).map(|[from, _]| below(from)).collect();
        self.moves = moves.iter().map(ToString::to_string).collect();
        self
    }

    /// The text of the file.
    ///
    /// # Errors
    /// The message of the encoder about a path that is no text.
    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`ShardError::Unreadable`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ShardError> {
        let failed = |message: String| ShardError::Unreadable { path: path.to_owned(), message };
        let mut own: Self =
            serde_json::from_str(text).map_err(|error| failed(error.to_string()))?;
        if own.version != VERSION {
            let message = format!("version {}, this program reads {VERSION}", own.version);
            return Err(failed(message));
        }
        if own.shard[0] == 0 || own.shard[0] > own.shard[1] {
            return Err(failed(format!("shard {}", own.name())));
        }
        // A hand that edited the file may have made one list shorter.
        for (scene, seconds) in own.tested.iter_mut().zip(&own.seconds) {
            scene.seconds = *seconds;
        }
        Ok(own)
    }

    fn name(&self) -> String {
        format!("{}/{}", self.shard[0], self.shard[1])
    }

    /// The difference from another shard; none if both are of one test.
    fn difference(&self, other: &Self) -> Option<String> {
        let two = |what: &str, a: &dyn std::fmt::Display, b: &dyn std::fmt::Display| {
            Some(format!("{what} {a} and {b}"))
        };
        if self.shard[1] != other.shard[1] {
            return two("shards", &self.name(), &other.name());
        }
        if self.program != other.program {
            return two("versions", &self.program, &other.program);
        }
        if self.pixel_revision != other.pixel_revision {
            return two("pixel revisions", &self.pixel_revision, &other.pixel_revision);
        }
        (self.suite != other.suite).then(|| "other scenes or goldens".to_owned())
    }
}

impl Joined {
    /// Joins the results of all shards of a test, each with its file; `folder` is that of the page.
    ///
    /// # Errors
    /// [`ShardError`] if a shard is missing or there twice, or they are of different tests.
    pub fn new(
        results: Vec<(PathBuf, ShardResults)>,
        folder: Option<PathBuf>,
    ) -> Result<Self, ShardError> {
        let mut by_number: BTreeMap<u64, (PathBuf, ShardResults)> = BTreeMap::new();
        let found = results.len();
        for (path, own) in results {
            if let Some((first, other)) = by_number.values().next()
                && let Some(what) = other.difference(&own)
            {
                return Err(ShardError::Different { first: first.clone(), second: path, what });
            }
            if let Some((first, _)) = by_number.get(&own.shard[0]) {
                let (shard, first) = (own.name(), first.clone());
                return Err(ShardError::Twice { shard, first, second: path });
            }
            by_number.insert(own.shard[0], (path, own));
        }
        let Some((_, (_, first))) = by_number.first_key_value() else {
            return Err(ShardError::None);
        };
        let (of, mut options) = (first.shard[1], first.options.clone());
        /// More are not named.
        const MAX_NAMED: usize = 8;
        let missing = (1..=of).filter(|number| !by_number.contains_key(number));
        let missing: Vec<String> =
            missing.take(MAX_NAMED).map(|number| format!("shard {number}/{of}")).collect();
        if !missing.is_empty() {
            return Err(ShardError::Missing { shards: missing, found });
        }
        options.folder = folder;
        let mut parts = Parts::default();
        let mut joined = Self {
            report: assemble(&options, Parts::default(), &[]),
            code: 0,
            moves: Vec::new(),
            commands: Vec::new(),
            folders: Vec::new(),
            shards: by_number.len(),
        };
        let mut stray: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut moved: BTreeSet<String> = BTreeSet::new();
        for (path, own) in by_number.into_values() {
            let from = path.parent().unwrap_or(Path::new("")).to_owned();
            joined.folders.extend(own.tested.iter().map(|one| (one.name.clone(), from.clone())));
            joined.code = joined.code.max(own.code);
            joined.moves.extend(own.moves);
            parts.tested.extend(own.tested);
            parts.bad.extend(own.bad);
            stray.extend(own.stray);
            moved.extend(own.moved);
            let new = own.options.words.iter().filter(|word| !options.words.contains(word));
            options.words.extend(new.cloned().collect::<Vec<_>>());
        }
        let stray: Vec<Checked> = stray
            .into_iter()
            .filter(|(path, _)| !moved.contains(path))
            .map(|(path, gone)| match gone {
                Some(what) => {
                    let verdict = Verdict::Gone(what);
                    Checked { verdict, ..Checked::dangling(path_of_text(&path)) }
                }
                None => Checked::dangling(path_of_text(&path)),
            })
            .collect();
        let is_complete = parts.bad.is_empty();
        joined.report = assemble(&options, parts, &stray);
        joined.commands = joined.accept(&options, !stray.is_empty() && is_complete);
        Ok(joined)
    }

    /// The commands that accept all that can be accepted.
    fn accept(&self, options: &ReportOptions, prunes: bool) -> Vec<String> {
        if options.is_of_revision {
            return Vec::new();
        }
        let (moves, refits) = (move_commands(options), refit_commands(options));
        let of_all = [moves.join("; "), refits.join("; ")];
        let mut commands = if self.moves.is_empty() { Vec::new() } else { moves };
        let accepts = |scene: &SceneReport, is_wanted: &dyn Fn(&String) -> bool| {
            let mut entries = scene.frames.iter().filter(|one| one.status != Status::Dangling);
            entries.any(|one| one.accept.as_ref().is_some_and(is_wanted))
        };
        let scenes = || self.report.scenes.iter();
        let accepted = scenes().filter(|one| accepts(one, &|accept| !of_all.contains(accept)));
        let paths = accepted.filter_map(|scene| scene.path.as_deref().map(Path::new));
        commands.extend(accept_commands(options, paths));
        if scenes().any(|one| accepts(one, &|accept| *accept == of_all[1])) {
            commands.extend(refits);
        }
        if prunes {
            commands.extend(prune_commands(options));
        }
        commands
    }
}
