//! The rasterizer against its oracles: coverage to the sample, shading to one code, bytes to the
//! bit.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

#[path = "../support/held.rs"]
mod held;
#[path = "../reference/mod.rs"]
mod reference;

mod anisotropy;
mod bytes;
mod coverage;
#[allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "an oracle in `f64`, whose last digit does not matter; a test stops at the first surprise"
)]
mod fixed_function;
mod ground;
mod layers;
mod levels;
mod occlusion;
mod oracle;
mod reference_world;
mod seams;
mod shading;
mod shadow;
mod texture_sets;
mod turn;
#[path = "../../crates/raster/src/tests/world.rs"]
mod world;
#[path = "../../crates/raster/src/tests/worlds.rs"]
mod worlds;
