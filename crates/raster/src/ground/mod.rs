//! The ground: a level disc below the models that catches shadows, blended over the background.
//!
//! Input: the ground of a view, the lights and their shadow maps. Output: its premultiplied colour in a pixel of the background.
//!
//! It is no mesh. Each pixel of the background follows its ray to the disc and blends the colour there, so the ground hides
//! nothing, not even a foot that sinks below it, and a pixel that shows only ground counts as empty. It is visible from above only,
//! and fades to nothing towards its rim, so that no edge of it is visible.
//!
//! A ground without colour is black with the shadow as its alpha: over a transparent background the picture carries the shadow to
//! any backdrop. The shadow is the missing share of the light, by luminance, on a ground that scatters evenly; `contact` adds the
//! ambient light that the models keep from it.
//!
//! # Determinism
//! Every pixel is computed alone, by the same operations on every level.

pub(crate) mod contact;
pub(crate) mod lanes;
mod light;
pub(crate) mod scalar;
