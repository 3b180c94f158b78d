//! Renders skinned characters on machines without a GPU or a display, with the same bytes on every
//! CPU.
//!
//! Reads **id Software MD5** (`.md5mesh`, `.md5anim`), **DirectX `.x`** (text, binary and
//! compressed), **glTF 2.0** (`.gltf`, `.glb`) and **FBX** (`.fbx`) models, poses and skins them on
//! all cores, and draws them with a tile-based software rasterizer. Pictures depend only on the
//! scene, not on the CPU, its vector instructions, the number of threads or the tile size, so they
//! can be compared exactly.
//!
//! # Draw a model
//!
//! ```
//! let model = tintype::Model::open("scenes/assets/ranger.glb")?;
//! model.thumbnail(256)?.save("out/ranger.png")?;
//! model.turntable().clip("walk").size([128, 128]).frames(12).save("out/ranger.gif")?;
//! # Ok::<(), tintype::Error>(())
//! ```
//!
//! Anything that you do not set (up axis, front, clip, time, viewpoint) is chosen for you. A scene
//! sets all of it: [`Renderer::open`] reads one from TOML, [`Renderer::build`] takes one made with
//! [`builder`].
//!
//! # Types
//!
//! | task | types |
//! |---|---|
//! | open a model from a path or from bytes; pose it; move its morph targets | [`Model`], [`Clip`], [`Joint`], [`Mesh`], [`Morph`], [`MorphName`], [`PoseOptions`] with a [`PoseTime`], [`PosedModel`], [`PosedMesh`] |
//! | make a model of arrays; replace vertices, joints and transforms at one time | [`MeshArrays`], [`Renderer::draw_given`] with a [`Given`] |
//! | draw it with an automatic camera | [`Thumbnail`], [`Turntable`]; a [`Drawn`] has a [`Frame`] and warnings |
//! | draw views, times and clips, or the differences between two models, as one numbered picture with a legend | [`ContactSheet`], [`Turntable::contact_sheet`], [`ModelDiff::contact_sheet`](ModelDiff) |
//! | draw the frames of a scene, their views, their cameras | [`Renderer`], [`Frame`], [`Camera`] with the axes of a [`CameraConvention`]; [`builder`] makes scenes without text |
//! | get depth, position, normal and ids of each pixel | [`Renderer::channels`], [`Renderer::draw_channels`], [`Channels`], [`Channel`], [`Plane`] |
//! | draw a loaded scene with another camera | [`Renderer::with_view`] with a [`View`] |
//! | encode frames as one animation in memory | [`Renderer::to_bytes`], [`animation()`] |
//! | draw frames into files, with resume | [`Renderer::save`], [`SaveOptions`], [`Report`] |
//! | draw a data set from a recipe, with joints, masks and cameras | [`Dataset`], [`DatasetReport`] |
//! | compare two models, pictures or folders | [`diff`], [`diff_clip`], [`diff_frames`], [`diff_paths`] with [`DiffOptions`] and [`Rule`]; [`ModelDiff`], [`PartDiff`], [`ClipDiff`], [`JointDiff`], [`PictureDiff`], [`FileDiff`], [`Cause`] with its [`finding`] as data |
//! | report a comparison as a page, JUnit, JSON or a verdict | [`Diff`], of a [`DiffKind`], with [`DifferencePictures`]; each [`DiffSummary`] has a [`DiffVerdict`] |
//! | test golden images, group failures by cause, accept them, write the report | [`GoldenSet`], [`GoldenMoments`], [`TestRun`], [`SceneTest`], [`Golden`], [`GoldenState`], [`CauseGroup`], [`write_golden_report`], [`golden_record_text`] |
//! | draw all models of a folder, as a page or a contact sheet | [`Gallery`], [`GalleryModel`], [`Frame::sheet`] |
//! | inspect the contents of a file and the faults of its rig | [`Model::inspect`], [`Inspection`] with [`InspectOptions`]; a [`Problem`] has a [`ProblemKind`], a [`ProblemSeverity`] and its [`ProblemPlace`]s |
//! | limit the size of files and the time they take; keep files in memory | [`LoadOptions`], [`Limits`], [`LimitName`], [`Deadline`], [`Files`], [`MemoryFiles`], [`FileScene`] |
//! | read errors and warnings | [`Error`], [`ErrorKind`], [`PoseFault`], [`diagnostic`] |
//!
//! # Features
//!
//! - **`host`** (default): writing files, golden images and folders. Without it the library
//!   compiles for the browser (`wasm32-unknown-unknown`) and works on bytes.
//! - **`exr`**: channels as OpenEXR files.
//!
//! # Caveats
//!
//! - Warnings are values, never printed: read [`Renderer::warnings`] and [`Drawn::warnings`]. A
//!   surface with a missing texture is drawn grey, or in the classic look as a checkerboard of two
//!   magentas, and reported there.
//! - Work runs on the rayon pool of the calling thread; saving frames uses separate threads. The
//!   library prints nothing and reads no environment variable.
//! - A new version may draw different pixels; [`PIXEL_REVISION`] is increased with every such
//!   change.
//! - The stages are separate crates (`tintype-raster` and others), whose interfaces may change in
//!   any version. `docs/architecture.md` maps them.
//!
//! # Conventions
//!
//! The conventions of all formats and stages; other pages link here.
//!
//! | subject | convention |
//! |---|---|
//! | axes | right-handed, +Y up, camera looks down its -Z |
//! | MD5 file | right-handed, +Z up: `(x, y, z)` becomes `(x, z, -y)`; front faces are clockwise in the file, so the index order is reversed |
//! | `.x` file | left-handed, +Y up, row vectors: `(x, y, z)` becomes `(x, y, -z)`; front faces are clockwise in the file, so the index order is reversed |
//! | glTF file | right-handed, +Y up, as here; front faces are counter-clockwise, clockwise below a node that mirrors |
//! | FBX file | the stated axes are converted, and a left-handed file is mirrored; front faces are counter-clockwise, clockwise below a node that mirrors |
//! | `.x` time | `AnimTicksPerSecond`; without it 4800 if the median gap between keys is 80 or more, otherwise 30; the scene overrides both |
//! | front of a model | +X of an MD5 file, -Z of a `.x` file, +Z of a glTF or FBX file, unless the scene sets it; azimuth 0 looks at it |
//! | clip beyond its ends | as set by the scene, otherwise by its file (an open `.x` set is held); otherwise it repeats |
//! | winding | front faces counter-clockwise; index order is reversed once, for handedness, never because a matrix mirrors |
//! | culling | `auto` culls back faces of closed meshes with outward volume; all others are two-sided, with the normal turned to the viewer |
//! | matrices | column vectors; `a_from_b` maps b to a; joint matrices are 3x4 |
//! | quaternion | unit; MD5 omits `w`, which is `-sqrt(max(0, 1 - x² - y² - z²))` |
//! | time | seconds as `f64`; frame `n` of a scene is at `n / fps`; a clip is sampled at `start + speed * time` |
//! | period of an MD5 clip | N keys repeat after `(N-1) / rate` if the last pose equals the first (within 1e-4 of the diagonal and 0.05°), otherwise after `N / rate` |
//! | period of a `.x` clip | a set repeats at its last key, counted from its first, even if it does not close, as in Direct3D's mixer; `inspect` reports jumps |
//! | mix of clips | joint by joint relative to the parent: translation and scale are weighted means; rotations are combined by `slerp` one after the other, each by its fraction of the weights so far |
//! | part of a clip | both ends are included; it repeats by the rule of its format |
//! | texture coordinates | origin upper left, `v` down, wrapped |
//! | tangent frame | tangent along `u`; bitangent = sign · (normal × tangent), opposite to `v`, so that green points up in the picture |
//! | colour | colour and specular-colour textures are sRGB, normal maps linear; filtering, lighting and resolve are linear and premultiplied; each sample is tone-mapped and clamped to 0..1 before the resolve; output is 8-bit sRGB with straight alpha |
//! | pixel centre | `(x + 0.5, y + 0.5)`, origin upper left; top-left fill rule; vertices snap to 1/256 pixel |
//! | depth | `1/w`, the reciprocal of the distance along the view axis: larger is nearer |
//! | shadows | of directional lights with shadows enabled; both sides cast, masks with their holes, blended surfaces where alpha is at least 0.5; the ground hides nothing |
//! | light | colour 1 lights a white diffuse surface to 1; metalness and roughness as in glTF 2.0, appendix B |
//! | environment | direction `d` at `u = 0.5 + atan2(d.z, d.x) / 2π`, `v = 0.5 - asin(d.y) / π` from the top; rotated about +Y |
//! | tone | none, or Khronos PBR Neutral, whose toe removes at most what a surface reflects; unlit surfaces keep their colours; no fog, no gamma |
//!
//! # Determinism
//!
//! The same scene gives the same bytes on every CPU, with any thread count and tile size. Floats
//! are used with `+ - * / sqrt`, comparison and conversion only; every transcendental function is
//! in `math::func`; sums run in file order. `simd` lists the operations that vector code may use.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

mod arrays;
mod camera;
mod channels;
mod contact_sheet;
#[cfg(feature = "host")]
mod dataset;
mod diff;
mod error;
mod extension;
mod frame;
mod given;
#[cfg(feature = "host")]
mod gallery;
#[cfg(feature = "host")]
mod golden;
mod inspect;
mod model;
mod pose;
mod renderer;
#[cfg(feature = "host")]
mod report;
pub mod finding;
mod thumbnail;
mod turntable;
mod view;

pub use arrays::MeshArrays;
pub use camera::{Camera, CameraConvention};
pub use channels::{Channel, Channels, Plane, UnknownChannel};
pub use contact_sheet::ContactSheet;
#[cfg(feature = "host")]
pub use dataset::{Dataset, DatasetReport};
pub use diff::{
    Cause, CauseStage, ClipDiff, DiffOptions, JointDiff, ModelDiff, ModelState, PartDiff, Rule,
    diff, diff_clip,
};
#[cfg(feature = "host")]
pub use diff::{
    Diff, DiffKind, DiffSummary, DiffVerdict, DifferencePictures, FileDiff, FileState, PictureDiff,
    PictureState, diff_frames, diff_paths,
};
pub use error::{Error, ErrorKind, PoseFault};
pub use frame::Frame;
#[cfg(feature = "host")]
pub use gallery::{Gallery, GalleryModel};
pub use given::Given;
#[cfg(feature = "host")]
pub use golden::{
    Acceptance, CauseGroup, Golden, GoldenCounts, GoldenMoments, GoldenSet, GoldenState, SceneTest,
    TestRun, golden_record_text, write_golden_report,
};
pub use inspect::{
    InspectOptions, Inspection, Problem, ProblemKind, ProblemPlace, ProblemSeverity,
};
pub use model::{Clip, Joint, Mesh, Model, Morph, MorphName};
pub use pose::{PoseOptions, PoseTime, PosedMesh, PosedModel};
pub use renderer::{Renderer, animation};
#[cfg(feature = "host")]
pub use report::{Report, SaveOptions};
pub use thumbnail::{Drawn, Thumbnail};
pub use tintype_base::deadline::Deadline;
pub use tintype_base::diagnostic::Diagnostic;
pub use tintype_formats::{FileScene, Files, LimitName, Limits, LoadOptions, MemoryFiles};
pub use tintype_model::frame::PIXEL_REVISION;
pub use turntable::Turntable;
pub use view::View;

/// Scenes made by a program, without TOML: their parts, and the types of their settings.
///
/// ```
/// use tintype::builder::{CameraBuilder, FrameList, ModelBuilder, SceneBuilder};
///
/// let scene = SceneBuilder::new()
///     .model(ModelBuilder::new("ranger.md5mesh").clip("ranger_walk.md5anim"))
///     .size([320, 240])
///     .frames(&FrameList::first(48).unwrap())
///     .camera(CameraBuilder::orbit().azimuth_range_deg(0.0, 360.0));
/// assert!(scene.to_toml().contains("ranger.md5mesh"));
/// ```
pub mod builder {
    pub use tintype_model::{ClipRange, Wrap};
    pub use tintype_scene::builder::*;
    pub use tintype_scene::{
        Aov, FrameList, FrameNumber, Look, RootMotion, SceneBuilder, Shade, Springs, ToneCurve,
    };
}

/// Declarations of the settings of a picture, for programs that pass them on.
pub mod setting {
    pub use tintype_scene::setting::{Door, Group, Setting, Shape, meant, setting, settings_of};
    pub use tintype_scene::{SettingError, SettingValue, Settings};
}

/// Warnings and mistakes as values: the fault, its position, and the fix.
pub mod diagnostic {
    pub use tintype_base::diagnostic::{Diagnostic, Kind, Place, Severity};
}

/// Finds the known name closest to a word, for messages such as "did you mean".
#[must_use]
pub fn nearest_word<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<String> {
    tintype_base::suggest::nearest_word(word, known)
}

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
