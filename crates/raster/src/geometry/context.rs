//! Inputs of the geometry stages and of alpha tests: triangles, their vertices and their materials,
//! without light.

use crate::geometry::chunk::{Chunk, TriangleId};
use crate::geometry::edge::SamplePattern;
use crate::geometry::screen_vertex::ScreenVertex;
use crate::geometry::triangle::SetupTriangle;
use crate::geometry::vertex_table::VertexTable;
use crate::view::Draw;
use tintype_model::simd::{Simd, prefetch_one};
use tintype_model::{AlphaMode, Material, Stacking, Texture};

/// Triangles of one image and everything that decides which samples they cover. The frame has one,
/// and so has each shadow map, with a different projection.
#[derive(Clone, Copy)]
pub(crate) struct GeometryContext<'a> {
    pub draws: &'a [Draw<'a>],
    pub materials: &'a [Material],
    pub textures: &'a [Texture],
    /// True if any material has a rank among blended surfaces.
    pub is_stacked: bool,
    /// Maximum number of probes per texture and point; see [`crate::View::anisotropy`].
    pub anisotropy: u32,
    /// Vertices of all draws on the screen.
    pub screen: &'a [ScreenVertex],
    /// Set-up triangles of all draws.
    pub chunks: &'a [Chunk],
    /// Attributes of the vertices of all draws.
    pub table: &'a VertexTable,
    /// True if the camera is orthographic.
    pub is_orthographic: bool,
    /// Sample positions within a pixel.
    pub pattern: SamplePattern,
    /// True if transmissive surfaces are left out.
    pub leaves_clear: bool,
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::fault::PlantedFault>,
}

impl<'a> GeometryContext<'a> {
    /// The alpha mode of a set-up triangle.
    #[inline(always)]
    pub(crate) fn alpha(&self, triangle: &SetupTriangle) -> AlphaMode {
        self.materials[self.draws[triangle.draw as usize].material].alpha
    }

    /// The position of a set-up triangle among other blended ones.
    #[inline(always)]
    pub(crate) fn stacking(&self, triangle: &SetupTriangle) -> Stacking {
        self.materials[self.draws[triangle.draw as usize].material].stacking()
    }

    /// True if the surface of a set-up triangle is transmissive.
    pub(crate) fn is_clear(&self, id: TriangleId) -> bool {
        let draw = self.triangle(id).draw;
        self.materials[self.draws[draw as usize].material].transmission().is_some()
    }

    /// A set-up triangle with its corners.
    #[inline(always)]
    pub(crate) fn triangle(&self, id: TriangleId) -> SetupTriangle {
        let (chunk, index) = id.place();
        self.chunks[chunk].triangle(index, self.screen)
    }

    /// Appends set-up triangles with their corners to a list: [`Self::triangle`].
    #[inline(always)]
    pub(crate) fn bring<S: Simd>(
        &self,
        simd: S,
        ids: &[TriangleId],
        triangles: &mut Vec<SetupTriangle>,
    ) {
        ids.iter().for_each(|&id| self.prefetch(id));
        let screen: &[[u32; 4]] = bytemuck::cast_slice(self.screen);
        triangles.reserve(ids.len());
        for &id in ids {
            let (chunk, index) = id.place();
            triangles.push(self.chunks[chunk].triangle_lanes(simd, index, screen));
        }
    }

    /// Barycentric coordinates of the corners of a piece in the source triangle. None for a
    /// triangle that is not clipped.
    pub(crate) fn barycentrics(
        &self,
        id: TriangleId,
        triangle: &SetupTriangle,
    ) -> Option<[[f32; 3]; 3]> {
        let (chunk, _) = id.place();
        triangle.piece().map(|piece| self.chunks[chunk].pieces[piece as usize].barycentrics)
    }

    /// Loads the corners of a set-up triangle ahead of time.
    #[inline(always)]
    fn prefetch(&self, id: TriangleId) {
        let (chunk, index) = id.place();
        for vertex in self.chunks[chunk].triangles[index].vertices {
            prefetch_one(self.screen, vertex as usize);
        }
    }
}
