//! The rasterizer against its oracles: coverage to the sample, shading to one code, bytes to the bit.

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
mod fixed_function;
mod ground;
mod levels;
mod oracle;
mod reference_world;
mod seams;
mod shading;
mod shadow;
mod turn;
mod world;
mod worlds;
