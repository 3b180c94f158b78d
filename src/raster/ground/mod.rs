//! The ground: a level disc behind everything that catches shadows, laid over the background.
//!
//! It is no mesh. Each pixel of the background looks down its ray to the disc and mixes in what is there, so the ground hides
//! nothing, not even a foot that sinks below it, and a pixel that shows nothing else counts as empty. It is seen from above only,
//! and fades to nothing towards its rim, so that no edge of it is ever seen.
//!
//! Without a colour of its own the ground is black with the shadow as its alpha: over a transparent background the picture
//! carries the shadow to whatever it is put on. The shadow is the share of the light that is missing, by luminance, on a ground
//! that scatters evenly; `contact` adds what the models keep from it by standing near.
//!
//! # Determinism
//! Every pixel is computed alone, by the same operations on every level.

pub(crate) mod contact;
pub(crate) mod lanes;
pub(crate) mod scalar;
