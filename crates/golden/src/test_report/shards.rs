//! Results of the shards of a test, each in a file, and the report that they join to.
//!
//! Goldens without a scene are judged when all shards are there: one of them may belong to a scene
//! that moved, which only its shard has drawn.

use super::accept_command::AcceptCommand;
use super::commands::Acceptable;
use super::golden_report::{GoldenReport, Parts, assemble};
use super::options::ReportOptions;
use crate::checked::Checked;
use crate::moves::Move;
use crate::report::{Act, CauseId, Entry, Report, SceneReport, Status};
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype_base::data::plain_message;
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
    /// A digest of all scenes and goldens that were divided into shards.
    suite: String,
    /// The tested commit. None outside of git.
    commit: Option<String>,
    /// The exit code of its test.
    code: u8,
    options: ReportOptions,
    tested: Vec<SceneReport>,
    /// Seconds of each of these scenes.
    seconds: Vec<Option<f64>>,
    bad: Vec<SceneReport>,
    /// Goldens without a scene, each with the words for a removed model or clip.
    stray: Vec<(String, Option<String>)>,
    /// Goldens that scenes of this shard had under another name, and the sentences about these
    /// scenes.
    moved: Vec<String>,
    moves: Vec<String>,
}

/// Shards that cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// No results.
    #[error(
        "no shard results found, which the test of a shard writes as {RESULTS} beside its page"
    )]
    None,
    /// A file without results.
    #[error("{}: not the results of a shard: {message}", path.shown())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The mistake.
        message: String,
    },
    /// A shard with two results.
    #[error("shard {shard} appears twice: {} and {}", first.shown(), second.shown())]
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

/// The available shards of a test.
#[derive(Debug)]
pub struct Joined {
    /// The report, as from a test of all scenes; a missing shard has an entry that fails.
    pub report: Report,
    /// The number of these entries.
    pub missing: usize,
    /// The largest exit code of the shards.
    pub code: u8,
    /// Sentences about scenes that moved.
    pub moves: Vec<String>,
    /// The commands that accept failures, if possible.
    pub commands: Vec<String>,
    /// The folder with the pictures of each scene, by name.
    pub folders: Vec<(String, PathBuf)>,
    /// The number of results.
    pub shards: usize,
}

impl ShardResults {
    /// The results of a shard, its number from 1 and the number of all, of the suite with that
    /// digest.
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
            commit: None,
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

    /// With the exit code, the goldens that belong to no scene, the scenes that moved, and the
    /// commit.
    #[must_use]
    pub fn with(
        mut self,
        code: u8,
        stray: &[Checked],
        moves: &[Move],
        commit: Option<String>,
    ) -> Self {
        let gone = |one: &Checked| match &one.verdict {
            Verdict::Gone(what) => Some(what.clone()),
            _ => None,
        };
        (self.code, self.commit) = (code, commit);
        self.stray = stray.iter().map(|one| (one.path.shown(), gone(one))).collect();
        self.moved =
            moves.iter().flat_map(|one| &one.files).map(|[from, _]| from.shown()).collect();
        self.moves = moves.iter().map(ToString::to_string).collect();
        self
    }

    /// The text of the file.
    ///
    /// # Errors
    /// The encoder's message about a path that is not Unicode.
    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`ShardError::Unreadable`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ShardError> {
        let failed = |message: String| ShardError::Unreadable { path: path.to_owned(), message };
        let mut own: Self = serde_json::from_str(text)
            .map_err(|error| failed(plain_message(&error.to_string())))?;
        if own.version != VERSION {
            let message = format!("version {}, but this program reads {VERSION}", own.version);
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

    /// The difference from another shard. None if both belong to the same test.
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
        if let (Some(own), Some(other)) = (&self.commit, &other.commit)
            && own != other
        {
            return two("commits", own, other);
        }
        (self.suite != other.suite).then(|| "different scenes or goldens".to_owned())
    }
}

/// Entries of the shards without results, out of a total.
fn missing(of: u64, found: &BTreeMap<u64, (PathBuf, ShardResults)>) -> Vec<SceneReport> {
    /// More are not named.
    const MAX_NAMED: usize = 8;
    let missing = (1..=of).filter(|number| !found.contains_key(number)).take(MAX_NAMED);
    let of_shard = |number| {
        let name = format!("shard {number}/{of}");
        let text = "its results are missing, so its goldens are not compared";
        // Each is reported; none represents the others.
        let cause_id = CauseId::of(&name);
        let entry = Entry { cause_id, ..Entry::new(None, Status::NotDrawn, text) };
        SceneReport::of(name, vec![entry])
    };
    missing.map(of_shard).collect()
}

impl Joined {
    /// Joins the available results of the shards of a test, each with its file; `folder` is the
    /// folder of the page, and `spell` the words of its commands.
    ///
    /// # Errors
    /// [`ShardError`] if there is none, a shard occurs twice, or they belong to different tests.
    ///
    /// Goldens without a scene are left out if a shard is missing: one may belong to one of its
    /// scenes that moved.
    pub fn new(
        results: Vec<(PathBuf, ShardResults)>,
        folder: Option<PathBuf>,
        spell: fn(&AcceptCommand<'_>) -> String,
    ) -> Result<Self, ShardError> {
        let mut by_number: BTreeMap<u64, (PathBuf, ShardResults)> = BTreeMap::new();
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
        (options.folder, options.spell) = (folder, Some(spell));
        let mut parts = Parts { bad: missing(of, &by_number), ..Parts::default() };
        let mut joined = Self {
            report: assemble(&options, Parts::default(), &[]),
            missing: parts.bad.len(),
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
            options.stand_ins |= own.options.stand_ins;
        }
        let stray: Vec<Checked> = stray
            .into_iter()
            .filter(|(path, _)| joined.missing == 0 && !moved.contains(path))
            .map(|(path, gone)| match gone {
                Some(what) => Checked::new(path_of_text(&path), Verdict::Gone(what)),
                None => Checked::dangling(path_of_text(&path)),
            })
            .collect();
        let is_complete = parts.bad.is_empty();
        joined.report = assemble(&options, parts, &stray);
        joined.commands = joined.accept(&options, !stray.is_empty() && is_complete);
        Ok(joined)
    }

    /// The commands that accept all that can be accepted.
    fn accept(&self, options: &ReportOptions, strays: bool) -> Vec<String> {
        let accepts = |scene: &SceneReport, act: Act| {
            let mut entries = scene.frames.iter().filter(|one| one.status != Status::Dangling);
            entries.any(|one| one.accept.is_some() && one.act == Some(act))
        };
        let scenes = || self.report.scenes.iter();
        let blessed = scenes().filter(|one| accepts(one, Act::Bless));
        let acceptable = Acceptable {
            moves: !self.moves.is_empty(),
            scenes: blessed.filter_map(|scene| scene.path.as_deref().map(Path::new)).collect(),
            refits: scenes().any(|one| accepts(one, Act::Refit)),
            strays,
        };
        acceptable.commands(options)
    }
}
