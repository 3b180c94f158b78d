//! Draws one tile, from triangles to pixels, and loops over the tiles.
//!
//! ```text
//! visibility   triangles of the tile -> nearest triangle of every sample
//! shade        fragments -> light
//! draw         visibility, background, shading and resolve of one tile
//! inspect      the same as lists of fragments, for the public entry points
//! scheduler    hands tiles to workers
//! scratch      memory of a worker
//! ```

pub(crate) mod draw;
pub(crate) mod inspect;
pub(crate) mod scheduler;
pub(crate) mod scratch;
pub(crate) mod shade;
pub(crate) mod visibility;
