//! Slow, plain answers to what the program computes fast: second implementations that share no code with what they judge.
//!
//! Coverage is exact, in 128-bit integers; poses and shading are `f64`, the latter per pixel by rays in world space, where the
//! renderer uses `f32` and homogeneous interpolation on the screen.
#![allow(dead_code, reason = "each test program uses a part")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

pub(crate) mod assimp;
pub(crate) mod coverage;
pub(crate) mod md5;
pub(crate) mod shade;
pub(crate) mod surface;
pub(crate) mod texture;
pub(crate) mod x;
pub(crate) mod x_tree;
