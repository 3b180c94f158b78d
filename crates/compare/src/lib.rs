//! Differences between two frames, exact and perceptual.
//!
//! | module | question |
//! |---|---|
//! | [`exact`] | which bytes differ, and by how much |
//! | [`mod@flip`] | how visible is the difference: FLIP, 0 to 1 at each pixel |
//! | [`mod@ssim`] | how similar is the structure of brightness: SSIM, 1 for equal structure |
//! | [`finding`] | a difference as data, and its words |
//! | [`mask`] | which pixels show the model |
//! | [`mod@judge`] | whether the difference keeps a rule |
//! | [`picture`] | the difference as a picture |
//! | [`surface`] | which values and textures of a material differ |
//!
//! Input: frames of equal size and a [`Rule`](tintype_model::Rule). Output: numbers and pictures.
//! Nothing here reads a file; the scene or the command line chooses the rule.
//!
//! # Alpha
//! FLIP and SSIM are defined for opaque pictures. Where a pixel of either picture is not opaque,
//! both are composited over black and over white (codes mixed by alpha, as image viewers do) and
//! the worse value counts, because a difference may be visible over only one of them. Colour under
//! an alpha of 0 is invisible and ignored.
//!
//! # Determinism
//! All sums are `f64` in a fixed order: within a pixel, then row by row for the mean. Threads take
//! separate rows of tiles and share no sum, so the numbers are the same on every CPU.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

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

pub mod character;
pub mod finding;
pub mod model_diff;
pub mod surface;
pub mod exact;
pub mod flip;
pub mod judge;
pub mod map;
pub mod mask;
pub mod picture;
pub mod ssim;

pub use exact::{Difference, PixelDifference, compare};
pub use finding::Finding;
pub use flip::flip;
pub use judge::{Judgement, Measured, judge};
pub use map::Map;
pub use mask::Mask;
pub use picture::{Heat, difference_picture, heat_picture};
pub use ssim::{mean_ssim, ssim};
pub use surface::Surface;
