//! The ground: a level disc below the models that catches shadows, blended over the colours behind
//! it.
//!
//! Input: the ground of a view, the lights and their shadow maps. Output: its premultiplied colour
//! in a pixel of the background.
//!
//! The ground is not a mesh. Each pixel of the background follows its ray to the disc and blends
//! the colour there, so the ground hides nothing, not even a foot that sinks below it, and a pixel
//! that shows only ground counts as empty. The ground is visible only from above, and fades out
//! towards its rim, so that no edge is visible.
//!
//! A ground without colour is black with the shadow as its alpha: over a transparent background the
//! picture carries the shadow to any backdrop. The shadow is the fraction of light that is missing,
//! by luminance, on a ground that scatters evenly; `contact` adds the ambient light that the models
//! block.
//!
//! # Determinism
//! Every pixel is computed independently, by the same operations on every level.

pub(crate) mod contact;
pub(crate) mod lanes;
mod light;
pub(crate) mod scalar;
