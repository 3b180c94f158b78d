//! The rasterizer against its oracles: coverage to the sample, shading to one code, bytes to the bit.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

#[path = "support/held.rs"]
mod held;
mod reference;

#[path = "raster/anisotropy.rs"]
mod anisotropy;
#[path = "raster/bytes.rs"]
mod bytes;
#[path = "raster/coverage.rs"]
mod coverage;
#[path = "raster/ground.rs"]
mod ground;
#[path = "raster/levels.rs"]
mod levels;
#[path = "raster/oracle.rs"]
mod oracle;
#[path = "raster/seams.rs"]
mod seams;
#[path = "raster/shading.rs"]
mod shading;
#[path = "raster/shadow.rs"]
mod shadow;
#[path = "raster/turn.rs"]
mod turn;
#[path = "raster/reference_world.rs"]
mod reference_world;
#[path = "raster/world.rs"]
mod world;
#[path = "raster/worlds.rs"]
mod worlds;
