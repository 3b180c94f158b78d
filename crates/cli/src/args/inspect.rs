//! Options of `tintype inspect`.

use super::value::{parse_file_scene, parse_ticks};
use clap::Args;
use std::path::PathBuf;
use tintype::FileScene;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype inspect imp.md5mesh                      contents and problems
  tintype inspect imp.md5mesh -a walk.md5anim      also check that the clip fits
  tintype inspect imp.md5mesh --tree               all joints as a tree
  tintype inspect scenes/walk.toml                 a scene: models, memory
  tintype inspect golden/walk/0000.toml            a golden's record, readable
  git config diff.tintype.textconv 'tintype inspect --textconv'
  tintype inspect imp.x --json | jq '.models[0].problems'

Problems are warnings (errors in the model, such as a vertex without influences or an inside-out mesh) or notes (possibly intended). Each comes with a count, its first position and a remedy.

Exit codes: 0 success; 2 bad input; 3 --strict found a warning.";

/// `inspect`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Inspect {
    /// A model (.md5mesh, .x, .gltf, .glb, .vrm, .fbx, .obj, .iqm, .md2, .md3, .mdl, .3ds, .b3d, .stl, .ply), a clip (.md5anim, or a file of these with clips), a camera (.md5camera), a scene (.toml) or a golden's record
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Clip files to inspect together with a model, with all of their clips
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// Ticks per second, in place of the rate in .x files
    #[arg(long, value_name = "N", value_parser = parse_ticks)]
    pub ticks_per_second: Option<f64>,
    /// Scene of a glTF file that has several, by name or index from 0
    #[arg(long, value_name = "SCENE", value_parser = parse_file_scene)]
    pub file_scene: Option<FileScene>,
    /// Write JSON to standard output
    #[arg(long)]
    pub json: bool,
    /// For git diff: omit folders and materials; if the file cannot be read, write its text and exit with code 0
    #[arg(long, conflicts_with = "json")]
    pub textconv: bool,
    /// List every joint, as a tree
    #[arg(long)]
    pub tree: bool,
}
