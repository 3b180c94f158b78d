//! Options of `tintype bless`.

use super::library::LibraryModels;
use super::value::PathText;
use clap::Args;
use std::path::PathBuf;
use tintype_golden::Refit;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test --report out/report     first see what differs, and why
  tintype bless scenes/walk.toml       then accept the new frames
  tintype bless golden/walk/0012.png   or a single one
  tintype bless 'golden/walk/00*.png' --frames 0-10
  tintype bless --cause 5c0ffee123     all that fail for it
  tintype bless --from accept.txt      those ticked on the page
  tintype bless --models 'chars/**/*'  every model with each clip
  tintype bless --all
  tintype bless --refit                take the fit of the camera where it moved
  tintype bless --upgrade              take this program for the pinned one
  tintype bless --prune                delete goldens of no scene
  tintype bless --move                 take goldens along with scenes that moved
  tintype bless --conflicts            settle what a merge left in conflict
  tintype bless --all --dry-run        say what would be written; write nothing

Only pictures that differ are written, and each is listed. A picture in which nothing is seen is never accepted. If CI is set the command fails: a build server compares and never accepts.

Exit codes: 0 accepted; 2 bad input, or CI is set; 3 a picture is not accepted, as nothing is seen in it, something in it is missing or a newer program made the golden, or --strict found a warning; 75 temporary failure, or ended by a signal: run it again; 130 Ctrl-C.";

/// `bless`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Bless {
    /// Select goldens whose path, or whose scene's path, contains one of these texts; with * and ?, matches it
    #[arg(value_name = "PATTERN", value_parser = PathText, required_unless_present_any = ["all", "prune", "move", "cause", "from", "models", "conflicts", "refit", "upgrade"])]
    pub patterns: Vec<String>,
    /// Select the goldens of all scenes below --scenes
    #[arg(long, conflicts_with = "patterns")]
    pub all: bool,
    /// Select only goldens that fail for this cause and nothing else: the ten digits that a failure and a report give, or a whole first line
    /// of a failure of a scene
    #[arg(long, value_name = "CAUSE", conflicts_with_all = ["prune", "move"])]
    pub cause: Vec<String>,
    /// Select only the goldens that a file lists, one path in a line, as the page of a report exports it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prune", "move", "all"])]
    pub from: Option<PathBuf>,
    /// Select only these frames, such as 0-10,24
    #[arg(short, long, value_name = "LIST", conflicts_with_all = ["prune", "move"], allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Accept the camera of today where it is fitted to the models, and all goldens of the scenes as it shows them; alone, it selects scenes whose test fails as the fit moved. Without it, a golden keeps the fit with which it was accepted
    #[arg(long, conflicts_with_all = ["frames", "cause", "from", "beside", "prune", "move", "conflicts"])]
    pub refit: bool,
    /// Take this program in place of the one that tintype.toml pins: accept all goldens that differ, then pin it
    #[arg(long, conflicts_with_all = ["patterns", "frames", "cause", "from", "beside", "prune", "move", "conflicts"])]
    pub upgrade: bool,
    /// Keep existing goldens, and accept the new pictures as alternatives beside them
    #[arg(long, conflicts_with_all = ["prune", "move"])]
    pub beside: bool,
    /// Accept pictures that show something else in place of what is missing: a magenta checker for a texture, joints matched by index
    #[arg(long, conflicts_with_all = ["prune", "move"])]
    pub allow_warnings: bool,
    /// Write over goldens of a newer program too: those whose pixel revision is higher than that of this program
    #[arg(long, conflicts_with_all = ["prune", "move", "conflicts"])]
    pub overwrite_newer: bool,
    /// Delete goldens that belong to no scene, and parts of records that no record names
    #[arg(long, conflicts_with_all = ["patterns", "all"])]
    pub prune: bool,
    /// Move goldens to where scenes that moved or were renamed want them, known by equal pixels, or by the name if all changed
    #[arg(long, conflicts_with_all = ["patterns", "all", "prune", "models"])]
    pub r#move: bool,
    /// After a merge, settle goldens in conflict: the side is taken that is what the merged scene draws. Where neither is, the conflict stays and is told; nothing is added to the index
    #[arg(long, conflicts_with_all = ["all", "prune", "move", "cause", "from", "beside", "models"])]
    pub conflicts: bool,
    /// Only say what would be written, moved or removed
    #[arg(long)]
    pub dry_run: bool,
    /// Folder of scenes
    #[arg(long, value_name = "DIR", default_value = "scenes")]
    pub scenes: PathBuf,
    #[command(flatten)]
    pub library: LibraryModels,
    /// Golden folder, if it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// The pin of the project that this program does not meet.
    #[arg(skip)]
    pub other_program: Option<String>,
    /// The settings file of the project.
    #[arg(skip)]
    pub project: Option<PathBuf>,
}

impl Bless {
    /// The camera fit to draw goldens with.
    pub(crate) fn fit(&self) -> Refit {
        match (self.refit, self.all || !self.patterns.is_empty()) {
            (false, _) => Refit::Never,
            (true, false) => Refit::WhereMoved,
            (true, true) => Refit::Always,
        }
    }
}
