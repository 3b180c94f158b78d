//! Options of `tintype pose`.

use super::value::{Checked, parse_file_scene, parse_root, parse_springs, parse_ticks};
use clap::Args;
use std::path::PathBuf;
use tintype::FileScene;
use tintype::builder::{RootMotion, Springs};
use tintype_render::asset::{MAX_WEIGHT, MorphName};

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype pose imp.md5mesh -o imp.obj                                bind pose
  tintype pose imp.md5mesh -a walk.md5anim --time 0.5 -o imp.obj
  tintype pose imp.md5mesh -a walk.md5anim --frame 12 -o imp.obj     a key
  tintype pose imp.x --clip Walk --tick 480 -o - | head
  tintype pose face.glb --morph smile=0.5 -o smile.obj
  tintype pose imp.x --clip Anim0:168-187 --frame 5 -o imp.obj       key 173

Exit codes: 0 success; 2 bad input; 75 temporary failure: run it again.";

/// `pose`
#[derive(Clone, Debug, Args)]
pub(crate) struct Pose {
    /// Model (.md5mesh, .x, .gltf, .glb, .vrm, .fbx, .obj, .iqm, .md2, .md3, .mdl, .3ds, .b3d, .stl, .ply)
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Clip file; without a clip, the bind pose is written
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub anim: Option<PathBuf>,
    /// Clip, by name or index from 0, or a range of it: NAME:168-187 (keys), NAME:1.5s-2.5s or NAME:800t-1600t (ticks); bind
    /// for the bind pose
    #[arg(long, value_name = "NAME[:RANGE]")]
    pub clip: Option<String>,
    /// Root motion of the clip: keep, hold (in place) or hold-xz (in place on the ground plane)
    #[arg(long, value_name = "MODE", default_value = "keep", value_parser = Checked(parse_root))]
    pub root: RootMotion,
    /// Springs of hair and cloth in VRM files: swing (simulated from the clip's start) or rest
    #[arg(long, value_name = "WORD", default_value = "swing", value_parser = Checked(parse_springs))]
    pub springs: Springs,
    /// Time in seconds from the start of the clip; without a clip, how long springs of a VRM file swing
    #[arg(long, value_name = "S", group = "moment", allow_hyphen_values = true)]
    pub time: Option<f64>,
    /// Time in ticks, for .x files
    #[arg(long, value_name = "T", group = "moment", allow_hyphen_values = true)]
    pub tick: Option<f64>,
    /// Ticks per second, in place of the rate in the .x file
    #[arg(long, value_name = "N", value_parser = parse_ticks, requires = "moment")]
    pub ticks_per_second: Option<f64>,
    /// Scene of a glTF file that has several, by name or index from 0
    #[arg(long, value_name = "SCENE", value_parser = parse_file_scene)]
    pub file_scene: Option<FileScene>,
    /// Time as a key number of the clip
    #[arg(long, value_name = "KEY", group = "moment")]
    pub frame: Option<usize>,
    /// Weight of a morph target, in place of the clip's; NAME is its name, JOINT/NAME or number; * matches any text;
    /// may be repeated
    #[arg(long = "morph", value_name = "NAME=WEIGHT", value_parser = parse_morph)]
    pub morphs: Vec<(MorphName, f32)>,
    /// OBJ file; - is standard output
    #[arg(short, long, value_name = "OUT.obj")]
    pub output: PathBuf,
}

/// `NAME=WEIGHT`.
fn parse_morph(text: &str) -> Result<(MorphName, f32), String> {
    let weight = text.rsplit_once('=').and_then(|(name, weight)| {
        let weight: f32 = weight.trim().parse().ok()?;
        (weight.abs() <= MAX_WEIGHT && !name.is_empty()).then(|| (name.into(), weight))
    });
    weight.ok_or_else(|| {
        format!(
            "{text:?} is not NAME=WEIGHT; write for example smile=0.5, with a weight from -1000 to 1000"
        )
    })
}
