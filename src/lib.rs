//! Renders skinned characters on machines without a GPU or a display, with the same bytes on every CPU.
//!
//! Models are **id Software MD5** (`.md5mesh`, `.md5anim`), **DirectX `.x`** (text, binary and compressed)
//! and **glTF 2.0** (`.gltf`, `.glb`), posed and skinned
//! on all cores and drawn by a tile-based software rasterizer. Pictures depend on the scene alone: not on the CPU, its vector
//! instructions, the number of threads or the size of a tile. So they can be compared exactly.
//!
//! # Draw a frame
//!
//! ```
//! use tintype::builder::ModelBuilder;
//! use tintype::{FrameNumber, LoadOptions, RasterOptions, Renderer, SceneBuilder, save_png};
//!
//! let ranger = ModelBuilder::new("ranger.md5mesh").clip("ranger_walk.md5anim");
//! let scene = SceneBuilder::new().size([320, 240]).model(ranger).build("ranger")?;
//! let renderer = Renderer::load(scene, "scenes/assets", &LoadOptions::default())?;
//! let drawn = renderer.draw(FrameNumber(0), RasterOptions::default())?;
//! save_png(&drawn.frame, "out/ranger.png")?;
//! # Ok::<(), tintype::Error>(())
//! ```
//!
//! A scene that sets nothing else has a camera that holds the whole clip in the picture, and the light of a studio. [`Renderer::open`] takes a
//! scene file in TOML instead.
//!
//! # Types
//!
//! | to | use |
//! |---|---|
//! | build a scene, or read one from TOML | [`SceneBuilder`] with the parts of [`builder`], [`Scene`], [`parse_scene`] |
//! | draw frames | [`Renderer`], [`FrameNumber`], [`RasterOptions`]; a [`Drawn`] holds a [`Frame`] and counts |
//! | pose a model without drawing it, and move its morph targets | [`Model`], [`Clip`], [`MorphName`], [`PosedModel`] |
//! | draw a sequence or a turntable into files, and go on where it stopped | [`job`] |
//! | limit what a file may ask for, and for how long | [`LoadOptions`], [`Limits`], [`Deadline`] |
//! | read errors and warnings | [`Error`], [`Diagnostic`] |
//!
//! # Features
//!
//! - **`cli`** (default): the command line, with clap and its relatives. A library user turns it off with
//!   `default-features = false`.
//!
//! # Caveats
//!
//! - Warnings are values, never printed: read [`Renderer::warnings`] and `renderer.assets().warnings`. A texture that is missing is
//!   drawn as a checker of two magentas and reported there.
//! - Work runs on the rayon pool of the calling thread. The library starts no other threads, prints nothing, and reads no
//!   environment variable.
//! - A new version may draw other pixels; [`PIXEL_REVISION`] counts the changes.
//! - The other modules are hidden from these pages: they are the stages, public for the tests and benchmarks of this project, and
//!   may change in any version. `docs/architecture.md` is their map.
//!
//! # Conventions
//!
//! One table for all formats and stages; other pages link here.
//!
//! | what | ours |
//! |---|---|
//! | axes | right-handed, +Y up, camera looks down its -Z |
//! | MD5 file | right-handed, +Z up: `(x, y, z)` becomes `(x, z, -y)`; front faces are clockwise in the file, so the index order is reversed |
//! | `.x` file | left-handed, +Y up, row vectors: `(x, y, z)` becomes `(x, y, -z)`; front faces are clockwise in the file, so the index order is reversed |
//! | glTF file | right-handed, +Y up: as ours; front faces are counter-clockwise, clockwise below a node that mirrors |
//! | `.x` time | `AnimTicksPerSecond`; without it 4800 if the median gap of keys is 80 or more, else 30; the scene overrides |
//! | front of a model | +X of an MD5 file, -Z of a `.x` file, +Z of a glTF file, unless the scene says otherwise; azimuth 0 looks at it |
//! | clip beyond its ends | as the scene says, else as its file says (an open `.x` set is held), else it repeats |
//! | winding | front faces counter-clockwise; index order is reversed once, for handedness, and never because a matrix mirrors |
//! | culling | `auto`: back faces of closed meshes with outward volume; all others are two-sided, the normal turned to the viewer |
//! | matrices | column vectors; `a_from_b` maps b to a; joint matrices are 3x4 |
//! | quaternion | unit; MD5 omits `w`: `-sqrt(max(0, 1 - x² - y² - z²))` |
//! | time | seconds as `f64`; frame `n` of a scene is at `n / fps`; a clip is sampled at `start + speed * time` |
//! | period of an MD5 clip | N keys repeat after `(N-1) / rate` if the last pose equals the first (1e-4 of the diagonal, 0.05°), else after `N / rate` |
//! | period of a `.x` clip | a set repeats at its last key, counted from its first, whether it closes or not, as Direct3D's mixer plays it; `inspect` says where it jumps |
//! | mix of clips | joint by joint relative to the parent: translation and scale are means by weight, rotations `slerp` one after the other, each by its share of the weights so far |
//! | part of a clip | both ends included; it repeats by the rule of its format |
//! | texture coordinates | origin upper left, `v` down, wrapped |
//! | tangent frame | tangent along `u`; bitangent = sign · (normal × tangent), against `v`, so that green points up in the picture |
//! | colour | colour and specular-colour textures are sRGB, normal maps linear; filtering, light and resolve in linear premultiplied; tone and a clamp to 0..1 for each sample before the resolve; output sRGB 8 bit, straight alpha |
//! | pixel centre | `(x + 0.5, y + 0.5)`, origin upper left; top-left fill rule; vertices snap to 1/256 pixel |
//! | depth | `1/w`, the reciprocal of the distance along the view axis: larger is nearer |
//! | shadows | of directional lights that ask for them; both sides cast, masks with their holes, blended surfaces from alpha 0.5 on; the ground hides nothing |
//! | light | colour 1 gives a white diffuse surface 1; metal and roughness as in glTF 2.0, appendix B |
//! | environment | direction `d` at `u = 0.5 + atan2(d.z, d.x) / 2π`, `v = 0.5 - asin(d.y) / π` from the top; turned about +Y |
//! | tone | none, or Khronos PBR Neutral; no fog, no gamma |
//!
//! # Determinism
//!
//! Same scene, same bytes: on every CPU, thread count and tile size. Floats are used with `+ - * / sqrt`, comparison and conversion
//! only; every transcendental function is in `math::func`; sums run in file order.
//! `simd` lists the operations that vector code may use.

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

#[doc(hidden)]
pub mod api;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use api::{Clip, Error, Model, MorphError, MorphName, PosedModel, load_assets, save_png};
pub use tintype_formats::{LimitName, Limits, LoadOptions};
pub use tintype_host::job;
pub use tintype_model::deadline::Deadline;
pub use tintype_model::diagnostic::Diagnostic;
pub use tintype_model::frame::{Frame, PIXEL_REVISION};
pub use tintype_raster::RasterOptions;
pub use tintype_render::asset::Assets;
pub use tintype_render::{Drawn, Renderer};
pub use tintype_scene::{
    FrameList, FrameNumber, FramePattern, Scene, SceneBuilder, builder, parse_scene,
};

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
