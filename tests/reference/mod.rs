//! Slow, plain reference implementations, which share no code with the program that they check.
//!
//! Coverage is exact, in 128-bit integers; poses and shading use `f64`. Shading casts rays in world
//! space per pixel, where the renderer uses `f32` and homogeneous interpolation on the screen.
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
