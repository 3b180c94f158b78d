//! Inputs of the geometry stages and of alpha tests: triangles, their vertices and their materials, without light.

use crate::model::{AlphaMode, Material, Texture};
use crate::raster::geometry::chunk::{Chunk, TriangleId};
use crate::raster::geometry::edge::SamplePattern;
use crate::raster::geometry::triangle::SetupTriangle;
use crate::raster::geometry::vertex_table::VertexTable;
use crate::raster::view::Draw;

/// Triangles of one image and all that decides which samples they cover. The frame has one, and so has each shadow map, whose
/// triangles lie on other pixels.
#[derive(Clone, Copy)]
pub(crate) struct GeometryContext<'a> {
    pub draws: &'a [Draw<'a>],
    pub materials: &'a [Material],
    pub textures: &'a [Texture],
    /// Most probes per texture and point; see [`crate::raster::View::anisotropy`].
    pub anisotropy: u32,
    /// Set-up triangles of all draws.
    pub chunks: &'a [Chunk],
    /// Attributes of the vertices of all draws.
    pub table: &'a VertexTable,
    /// Whether the triangles are seen without perspective.
    pub is_parallel: bool,
    /// Sample positions within a pixel.
    pub pattern: SamplePattern,
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::raster::fault::Fault>,
}

impl<'a> GeometryContext<'a> {
    /// The alpha mode of a set-up triangle.
    #[inline(always)]
    pub(crate) fn alpha(&self, triangle: &SetupTriangle) -> AlphaMode {
        self.materials[self.draws[triangle.draw as usize].material].alpha
    }

    /// The material of a set-up triangle.
    pub(crate) fn material(&self, id: TriangleId) -> &'a Material {
        let (_, triangle) = id.of(self.chunks);
        &self.materials[self.draws[triangle.draw as usize].material]
    }
}
