//! Geometry stages: posed meshes in world space -> set-up triangles listed by tile.
//!
//! ```text
//! projection, project   world space -> clip coordinates -> 1/256 pixel, once a vertex
//! clip                  triangles that reach before the near plane or far outside the picture
//! setup                 reject, clip, snap, cull -> triangles on the screen
//! bin                   tiles that a triangle may touch
//! ```
//!
//! Shared types: [`edge`] holds the coverage arithmetic, `triangle` and `chunk` the set-up
//! triangles, `vertex_table` the attributes of all vertices for lanes, `grid` and `morton` tiles
//! and the order of pixels in them, `rays` the rays of the camera, and `context` the bundle of all
//! this for later stages.

pub(crate) mod bin;
pub(crate) mod chunk;
pub(crate) mod clip;
pub(crate) mod context;
pub mod edge;
pub(crate) mod grid;
pub(crate) mod morton;
pub(crate) mod project;
pub(crate) mod projection;
pub(crate) mod rays;
pub(crate) mod screen_vertex;
pub(crate) mod setup;
pub(crate) mod triangle;
pub(crate) mod vertex_table;
