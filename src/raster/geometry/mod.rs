//! Geometry stages: from posed meshes in world space to triangles listed by tile.

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
