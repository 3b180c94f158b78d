//! Photographs skinned models on machines that have no GPU and no display.
//!
//! A TOML scene names models, clips, materials, lights and a camera. The CPU poses and skins the characters, a tile-based
//! software rasterizer draws them, and the frames go out as PNG files whose bytes depend on nothing but the scene.
//!
//! # The pipeline
//!
//! Data moves one way, and only [`render`] calls the stages:
//!
//! ```text
//! scene.toml -> scene --+
//!                       +-> asset -> model (weight-space meshes, skeleton, clips, materials, textures)
//! model files -> formats+              |
//!                                      v   time_s
//!              pose: clip -> joint matrices -> skin: posed mesh -> raster: setup > bin > tile > shade -> frame
//!                                                                                                    |
//!                                           output: PNG files  <-------------------------------------+
//! ```
//!
//! [`aov`] draws, from the same stages, what tells why a picture looks as it does.
//!
//! The modules below stand in reading order. A module imports only from lower layers; `tests/architecture/imports.rs` holds the
//! table and checks it.
//!
//! # Conventions
//!
//! Every other file links here and repeats none of it.
//!
//! | what | ours |
//! |---|---|
//! | axes | right-handed, +Y up, camera looks down its -Z |
//! | MD5 file | right-handed, +Z up: `(x, y, z)` becomes `(x, z, -y)`; front faces are clockwise in the file, so the index order is reversed |
//! | `.x` file | left-handed, +Y up, row vectors: `(x, y, z)` becomes `(x, y, -z)`; front faces are clockwise in the file, so the index order is reversed |
//! | `.x` time | `AnimTicksPerSecond`; without it 4800 if the median gap of keys is 80 or more, else 30; the scene overrides |
//! | front of a model | +X of an MD5 file, -Z of a `.x` file, unless the scene says otherwise; azimuth 0 looks at it |
//! | clip beyond its ends | as the scene says, else as its file says (an open `.x` set is held), else it repeats |
//! | winding | front faces counter-clockwise; index order is reversed once, for handedness, and never because a matrix mirrors |
//! | culling | `auto`: back faces of closed meshes with outward volume; all others are two-sided, the normal turned to the viewer |
//! | matrices | column vectors; `a_from_b` maps b to a; joint matrices are 3x4 |
//! | quaternion | unit; MD5 omits `w`: `-sqrt(max(0, 1 - x² - y² - z²))` |
//! | time | seconds as `f64`; frame `n` of a scene is at `n / fps`; a clip is sampled at `start + speed * time` |
//! | clip period | N keys repeat after `(N-1) / rate` if the last pose equals the first (1e-4 of the diagonal, 0.05°), else after `N / rate` |
//! | texture coordinates | origin upper left, `v` down, wrapped |
//! | tangent frame | tangent along `u`; bitangent = sign · (normal × tangent), against `v`, so that green points up in the picture |
//! | colour | colour and specular-colour textures are sRGB, normal maps linear; filtering, light and resolve in linear premultiplied; each sample clamped to 0..1 before the resolve; no tone mapping; output sRGB 8 bit, straight alpha |
//! | pixel centre | `(x + 0.5, y + 0.5)`, origin upper left; top-left fill rule; vertices snap to 1/256 pixel |
//! | depth | `1/w`, the reciprocal of the distance along the view axis: larger is nearer |
//! | shadows | of directional lights that ask for them; both sides cast, masks with their holes, blended surfaces from alpha 0.5 on; the ground hides nothing |
//! | fog, gamma, tone mapping | none |
//!
//! # Determinism
//!
//! Same scene, same bytes: on every CPU, thread count and tile size. Floats see only `+ - * / sqrt`, comparison and
//! conversion; every transcendental function is in [`math::func`]; sums run in file order.
//! [`simd`] tells what lanes may do.

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

pub mod simd;
pub mod disk;
pub mod diagnostic;
pub mod deadline;
#[cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests of it hold numbers of f64"))]
pub mod math;
pub mod model;
pub mod frame;
pub mod formats;
pub mod scene;
pub mod pose;
pub mod skin;
pub mod raster;
pub mod output;
pub mod compare;
pub mod asset;
pub mod inspect;
pub mod model_diff;
pub mod picture_diff;
pub mod report;
pub mod render;
pub mod framing;
pub mod aov;
pub mod fingerprint;
pub mod workers;
pub mod job;
pub mod golden;
pub mod submit;
pub mod cli;
