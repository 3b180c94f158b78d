//! Geometry stages: from posed meshes in world space to triangles listed by tile.

pub(crate) mod bin;
pub(crate) mod clip;
pub mod edge;
pub(crate) mod project;
pub(crate) mod setup;
pub(crate) mod vertex_table;
