//! Options of `tintype bless`.

use super::library::LibraryModels;
use super::value::PathText;
use clap::Args;
use std::path::PathBuf;
use tintype_golden::Refit;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test --report out/report     first see what differs and why
  tintype bless scenes/walk.toml       then accept the new frames
  tintype bless golden/walk/0012.png   or only one of them
  tintype bless 'golden/walk/00*.png' --frames 0-10
  tintype bless --cause 5c0ffee123     all that fail for this cause
  tintype bless --from accept.txt      those ticked on the page
  tintype bless --models 'chars/**/*'  every model with each clip
  tintype bless --all
  tintype bless --refit                accept the current camera fit
  tintype bless --upgrade              pin this program instead
  tintype bless --prune                delete goldens without a scene
  tintype bless --move                 move goldens with their scenes
  tintype bless --conflicts            settle merge conflicts
  tintype bless --all --dry-run        print what would be written

Only pictures that differ are written, and each is listed. An empty picture is never accepted. If CI is set, the command fails: only people accept goldens.

Exit codes: 0 accepted; 2 bad input, or CI is set; 3 a picture was not accepted because it is empty, lacks an asset or its golden is from a newer version of tintype, or --strict found a warning; 75 temporary failure, or stopped by a signal: run it again; 130 Ctrl-C.";

/// `bless`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Bless {
    /// Select goldens by text in the path of the golden or its scene; with * or ?, the whole path must match
    #[arg(value_name = "PATTERN", value_parser = PathText, required_unless_present_any = ["all", "prune", "move", "cause", "from", "models", "conflicts", "refit", "upgrade"])]
    pub patterns: Vec<String>,
    /// Select the goldens of all scenes below --scenes
    #[arg(long, conflicts_with = "patterns")]
    pub all: bool,
    /// Select only goldens that fail for this cause alone: the ten-digit id shown by test and in reports, or the complete first line
    /// of a failure of a scene
    #[arg(long, value_name = "CAUSE", conflicts_with_all = ["prune", "move"])]
    pub cause: Vec<String>,
    /// Select only the goldens listed in a file, one path per line, as exported by the report page
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prune", "move", "all"])]
    pub from: Option<PathBuf>,
    /// Select only these frames, such as 0-10,24
    #[arg(short, long, value_name = "LIST", conflicts_with_all = ["prune", "move"], allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Accept the current camera fit and every golden of the scenes concerned; given alone, select the scenes that fail because the fit moved. Without it, a golden keeps the fit it was accepted with
    #[arg(long, conflicts_with_all = ["frames", "cause", "from", "beside", "prune", "move", "conflicts"])]
    pub refit: bool,
    /// Switch to this version of tintype: accept all goldens that differ, then pin it in tintype.toml
    #[arg(long, conflicts_with_all = ["patterns", "frames", "cause", "from", "beside", "prune", "move", "conflicts"])]
    pub upgrade: bool,
    /// Keep existing goldens, and accept the new pictures as alternatives beside them
    #[arg(long, conflicts_with_all = ["prune", "move"])]
    pub beside: bool,
    /// Accept pictures with stand-ins for missing assets, such as a magenta checker for a texture or joints matched by index
    #[arg(long, conflicts_with_all = ["prune", "move"])]
    pub allow_warnings: bool,
    /// Also overwrite goldens written by a newer version of tintype (with a higher pixel revision)
    #[arg(long, conflicts_with_all = ["prune", "move", "conflicts"])]
    pub overwrite_newer: bool,
    /// Delete goldens that belong to no scene, and record parts that no record uses
    #[arg(long, conflicts_with_all = ["patterns", "all"])]
    pub prune: bool,
    /// Move the goldens of moved or renamed scenes; they are recognized by equal pixels, or by name if all pixels changed
    #[arg(long, conflicts_with_all = ["patterns", "all", "prune", "models"])]
    pub r#move: bool,
    /// After a merge, settle conflicts between goldens by keeping the side that the merged scene draws. If it draws neither, the conflict stays and is reported. Nothing is added to the index
    #[arg(long, conflicts_with_all = ["all", "prune", "move", "cause", "from", "beside", "models"])]
    pub conflicts: bool,
    /// Print what would be written, moved or removed, and change nothing
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
