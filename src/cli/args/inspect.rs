//! Options of `tintype inspect`.

use super::value::parse_ticks;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype inspect imp.md5mesh                      all that is known, and problems
  tintype inspect imp.md5mesh -a walk.md5anim      also whether the clip fits it
  tintype inspect imp.md5mesh --tree               every joint, drawn as a tree
  tintype inspect scenes/walk.toml                 a scene: models, memory
  tintype inspect imp.x --json | jq '.models[0].problems'

Problems are warnings (nobody can want them: a vertex without influence, a mesh that is inside out) or notes (worth knowing, may be meant); each says how many, where first, and what to do. With --strict a warning ends with exit code 3.

Exit codes: 0 read; 2 bad input; 3 --strict and a warning.";

/// `inspect`
#[derive(Clone, Debug, Args)]
pub(crate) struct Inspect {
    /// A model (.md5mesh, .x), a clip (.md5anim, .x), a camera (.md5camera) or a scene (.toml)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Clips to look at together with a model: all that the file holds
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// Ticks a second, in place of what .x files say
    #[arg(long, value_name = "N", value_parser = parse_ticks)]
    pub ticks_per_second: Option<f64>,
    /// As JSON, on standard output
    #[arg(long)]
    pub json: bool,
    /// Every joint, as a tree
    #[arg(long)]
    pub tree: bool,
}
